//! Makes the committed transcript of a scenario out of what the daemon wrote and what the lab's witnesses told: small, and the same
//! whenever the same happens. What is by chance (ports, tokens, ids of documents) is put into a standing form.

use std::io;
use std::path::Path;
use std::sync::LazyLock;

use protocol::{BLOB_FROM, PROTOCOL_VERSION, TranscriptDirection, TranscriptHop, TranscriptLine, TranscriptScenario, TranscriptVersion};
use regex::Regex;
use serde_json::{Value, json};

use super::read::{Transcript, TranscriptError, blob_of, blobs_beside, read};

/// What a text of the recording is called in the transcript.
#[derive(Clone, Debug, Default)]
pub struct Places(pub Vec<(String, String)>);

/// A witness's word, with the microseconds since the recording began.
pub(crate) type Told = (u64, String, Value);

/// A transcript that is ready to be written.
#[derive(Clone, Debug)]
pub struct Composed {
    /// All its lines, header and footer too.
    pub lines: Vec<TranscriptLine>,
    /// The large frames: name and content.
    pub blobs: Vec<(String, Vec<u8>)>,
}

/// Commands that every link carries at its own times; who replays answers them by itself.
const HOUSEKEEPING: [&str; 3] = ["tabs/hold", "human/words", "link/echo"];

/// Frames that open the link or keep it.
const OF_THE_LINK: [&str; 8] = ["hello", "challenge", "proof", "welcome", "refused", "ping", "pong", "progress"];

/// Puts the daemon's transcript and the witnesses' words together.
///
/// # Errors
/// When the daemon's cannot be read.
pub fn compose(recorded: &Path, told: Vec<Told>, places: &Places, scenario: TranscriptScenario) -> Result<Composed, TranscriptError> {
    let raw = read(recorded, &blobs_beside(recorded))?;
    if let Some(cut) = raw.cut {
        return Err(TranscriptError::Line { path: recorded.to_owned(), line: raw.lines.len() + 1, why: cut });
    }
    let mut rows = kept(raw);
    drop_strangers(&mut rows);
    rows.extend(told.into_iter().map(|(t_us, asked, seen)| TranscriptLine::Witness { seq: 0, t_us, asked, seen }));
    rows.sort_by_key(at);
    let began = rows.first().map_or(0, at);
    let mut composed = Composed { lines: Vec::new(), blobs: Vec::new() };
    let version = TranscriptVersion::OURS;
    let writer = format!("lab {}", env!("CARGO_PKG_VERSION"));
    composed.lines.push(TranscriptLine::Header { version, writer, protocol: PROTOCOL_VERSION, scenario: Some(scenario) });
    for (row, number) in rows.into_iter().zip(1..) {
        let line = composed.row(row, number, began, places);
        composed.lines.push(line);
    }
    composed.lines.push(TranscriptLine::Footer { lines: composed.lines.len() as u64 - 1, lost: 0 });
    Ok(composed)
}

impl Composed {
    fn row(&mut self, row: TranscriptLine, number: u64, began: u64, places: &Places) -> TranscriptLine {
        match row {
            TranscriptLine::Frame { t_us, hop, dir, session, mut frame, .. } => {
                frame.iter_mut().for_each(|frame| places.put(frame));
                let content = frame.as_ref().map(Value::to_string).unwrap_or_default();
                let blob = (content.len() >= BLOB_FROM).then(|| blob_of(content.as_bytes()));
                if let Some(blob) = &blob {
                    frame = None;
                    self.blobs.push((blob.file(), content.into_bytes()));
                }
                TranscriptLine::Frame { seq: number, t_us: t_us - began, hop, dir, session, frame, blob }
            }
            TranscriptLine::Witness { t_us, asked, mut seen, .. } => {
                places.put(&mut seen);
                TranscriptLine::Witness { seq: number, t_us: t_us - began, asked, seen }
            }
            TranscriptLine::Link { t_us, open, .. } => TranscriptLine::Link { seq: number, t_us: t_us - began, open },
            other => other,
        }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| serde_json::to_string(line).unwrap_or_default() + "\n");
        lines.collect()
    }

    /// Writes it and its blobs.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self, path: &Path, blobs: &Path) -> io::Result<()> {
        if !self.blobs.is_empty() {
            std::fs::create_dir_all(blobs)?;
        }
        for (name, content) in &self.blobs {
            std::fs::write(blobs.join(name), content)?;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, self.text())
    }

    /// As it would be read.
    #[must_use]
    pub fn transcript(self) -> Transcript {
        let blobs = self.blobs;
        let whole = |line: TranscriptLine| match line {
            TranscriptLine::Frame { seq, t_us, hop, dir, session, frame: None, blob: Some(blob) } => {
                let content = blobs.iter().find(|(name, _)| *name == blob.file());
                let frame = content.and_then(|(_, content)| serde_json::from_slice(content).ok());
                TranscriptLine::Frame { seq, t_us, hop, dir, session, frame, blob: None }
            }
            other => other,
        };
        let between = |line: &TranscriptLine| !matches!(line, TranscriptLine::Header { .. } | TranscriptLine::Footer { .. });
        Transcript { lines: self.lines.into_iter().filter(between).map(whole).collect(), ..Transcript::default() }
    }
}

impl Places {
    fn put(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                for (found, name) in self.0.iter().filter(|(found, _)| !found.is_empty()) {
                    if text.contains(found.as_str()) {
                        *text = text.replace(found.as_str(), name);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.put(item)),
            Value::Object(fields) => fields.values_mut().for_each(|inner| self.put(inner)),
            // A measured time to the tenth of a microsecond is noise.
            Value::Number(number) if number.is_f64() => {
                if let Some(number) = number.as_f64() {
                    *value = ((number * 100.0).round() / 100.0).into();
                }
            }
            _ => {}
        }
    }
}

/// Tabs of the scenario before are closed while this one begins: what is said of them is left out, and the others are counted anew.
fn drop_strangers(rows: &mut Vec<TranscriptLine>) {
    // Whoever is only heard of when it goes was there before.
    let is_farewell = |frame: &Value| {
        let event = frame.pointer("/event/event").and_then(Value::as_str);
        event.is_some_and(|event| ["tab/removed", "debugger/detached", "dialog/closed"].contains(&event))
    };
    let frame_of = |row: &TranscriptLine| match row {
        TranscriptLine::Frame { hop: TranscriptHop::Link, frame: Some(frame), .. } => Some(frame.clone()),
        _ => None,
    };
    let mut known = Vec::new();
    for frame in rows.iter().filter_map(frame_of).filter(|frame| !is_farewell(frame)) {
        visit_tabs(&mut frame.clone(), &mut |tab| {
            if let Some(number) = tab.as_u64()
                && !known.contains(&number)
            {
                known.push(number);
            }
        });
    }
    let stranger = |frame: &Value| {
        let tab = frame.pointer("/event/params/tab").and_then(Value::as_u64);
        is_farewell(frame) && tab.is_some_and(|tab| !known.contains(&tab))
    };
    rows.retain(|row| !frame_of(row).is_some_and(|frame| stranger(&frame)));
    for row in rows.iter_mut() {
        if let TranscriptLine::Frame { hop: TranscriptHop::Link, frame: Some(frame), .. } = row {
            visit_tabs(frame, &mut |tab| {
                let place = tab.as_u64().and_then(|number| known.iter().position(|known| *known == number));
                if let Some(place) = place {
                    *tab = (place + 1).into();
                }
            });
        }
    }
}

/// Every number in a frame of the link that names a tab.
fn visit_tabs(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(fields) => {
            let is_tab = fields.get("window").is_some_and(Value::is_number);
            for (key, inner) in fields.iter_mut() {
                if inner.is_number() && (["tab", "opener", "old"].contains(&key.as_str()) || (key == "id" && is_tab)) {
                    visit(inner);
                } else {
                    visit_tabs(inner, visit);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit_tabs(item, visit)),
        _ => {}
    }
}

fn at(line: &TranscriptLine) -> u64 {
    match line {
        TranscriptLine::Frame { t_us, .. } | TranscriptLine::Link { t_us, .. } | TranscriptLine::Witness { t_us, .. } => *t_us,
        TranscriptLine::Header { .. } | TranscriptLine::Footer { .. } => 0,
    }
}

/// The lines that replay needs: tool calls and their replies, commands, answers and events.
fn kept(raw: Transcript) -> Vec<TranscriptLine> {
    let mut asked = Vec::new();
    let mut calls = Vec::new();
    let mut rows = Vec::new();
    for line in raw.lines {
        let TranscriptLine::Frame { seq, t_us, hop, dir, session, frame: Some(frame), .. } = line else {
            rows.push(line);
            continue;
        };
        let keep = |frame| TranscriptLine::Frame { seq, t_us, hop, dir, session, frame: Some(frame), blob: None };
        let id = frame.get("id").cloned();
        match hop {
            TranscriptHop::Link => {
                let kind = frame.get("kind").and_then(Value::as_str).unwrap_or_default();
                let method = frame.pointer("/command/method").and_then(Value::as_str).unwrap_or_default();
                let is_talk = ["reply", "cancel"].contains(&kind);
                if HOUSEKEEPING.contains(&method) || OF_THE_LINK.contains(&kind) || (is_talk && !asked.contains(&id)) {
                    continue;
                }
                if kind == "request" {
                    asked.push(id);
                }
                rows.push(keep(frame));
            }
            TranscriptHop::Relay if dir == TranscriptDirection::In => {
                if frame.get("method").is_some_and(|method| method == "tools/call") {
                    calls.push((session, id));
                    let said = |key: &str| frame.pointer(&format!("/params/{key}")).cloned().unwrap_or_default();
                    let mut arguments = said("arguments");
                    general(&mut arguments);
                    rows.push(keep(json!({"tool": said("name"), "arguments": arguments})));
                }
            }
            TranscriptHop::Relay => {
                if calls.contains(&(session, id)) {
                    let text = frame.pointer("/result/content/0/text").or_else(|| frame.pointer("/error/message"));
                    rows.push(keep(json!({"text": text.and_then(Value::as_str).map(general_text).unwrap_or_default()})));
                }
            }
        }
    }
    rows
}

/// What agents call tabs and nodes is by chance, and so is the nonce of a reply: replay finds its own.
static BY_CHANCE: LazyLock<[(Option<Regex>, &str); 4]> = LazyLock::new(|| {
    [
        (Regex::new(r"\btab [0-9]+").ok(), "tab N"),
        (Regex::new(r"\[[a-z]{1,7}[1-9][0-9]*\]").ok(), "[ref]"),
        (Regex::new(r"snapshot [0-9]+").ok(), "snapshot N"),
        (Regex::new(r"«(page|end) [0-9a-f]{8}").ok(), "«$1 nonce"),
    ]
});

fn general_text(text: &str) -> String {
    BY_CHANCE.iter().fold(text.to_owned(), |text, (pattern, plain)| match pattern {
        Some(pattern) => pattern.replace_all(&text, *plain).into_owned(),
        None => text,
    })
}

fn general(arguments: &mut Value) {
    match arguments {
        Value::Object(fields) => {
            for (key, inner) in fields.iter_mut() {
                match key.as_str() {
                    "ref" => *inner = "[ref]".into(),
                    "tab" if inner.is_number() => *inner = "tab N".into(),
                    _ => general(inner),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(general),
        _ => {}
    }
}
