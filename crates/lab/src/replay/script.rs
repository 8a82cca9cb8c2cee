//! What the played extension has to say, and to what: a transcript as questions and answers. Pure.
//!
//! The order that is required is partial: the commands on one tab come in the order they were recorded in, an answer after its
//! command, an event after what was asked before it. Looks and probes may be more or fewer: how many there are is a matter of time.

use std::collections::{BTreeSet, HashMap};

use protocol::{TranscriptDirection, TranscriptHop, TranscriptLine, read_typed_mark, typed_mark};
use serde_json::Value;

use super::fault::FaultKind;
use crate::transcript::{PROJECT, Transcript};

/// Commands that are asked again and again until something is so.
const POLLS: [&str; 5] = ["watch/look", "wait/probe", "pointer/facts", "human/panel", "tabs/list"];

/// What comes so soon after something came without waiting for a timer, in microseconds.
const AT_ONCE_US: u64 = 8_000;

/// How late a delayed frame is, and how late everything after a stall, in microseconds.
const DELAY_US: u64 = 4_000_000;
const STALL_US: u64 = 45_000_000;

/// Commands that do nothing to a page; all others must not be sent twice.
const READS: [&str; 9] = [
    "tabs/list",
    "snapshot/take",
    "snapshot/text",
    "snapshot/html",
    "snapshot/find",
    "capture/screenshot",
    "pointer/listeners",
    "data/query",
    "form/owner",
];

/// A command as it was recorded.
#[derive(Debug, Clone)]
struct Out {
    line: usize,
    t_us: u64,
    id: u64,
    command: Value,
    /// It was asked, or left out where it may be.
    done: bool,
}

/// What is to be said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Say {
    /// A frame.
    Frame(Value),
    /// A text that is no frame any more.
    Text(String),
    /// The socket closes.
    Close,
    /// It opens again.
    Open,
}

#[derive(Debug, Clone)]
struct In {
    line: usize,
    t_us: u64,
    /// The command it answers.
    answers: Option<u64>,
    say: Say,
    said: bool,
}

/// A transcript, played as far as it is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    outs: Vec<Out>,
    ins: Vec<In>,
    calls: Vec<u64>,
    /// When the daemon said something: line and time.
    spoken: Vec<(usize, u64)>,
    /// How far it is played: line and time.
    reached: (usize, u64),
    bound: Bound,
    /// Recorded request → the daemon's number for it.
    asked: HashMap<u64, u64>,
}

/// What stands for what in this replay.
#[derive(Debug, Clone, Default)]
struct Bound {
    watches: HashMap<u64, u64>,
    typed: HashMap<u32, String>,
}

/// What a command of the daemon comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    /// It was recorded; its answer comes in its time.
    Expected,
    /// It was recorded fewer times: as before.
    Again(Value),
    /// It was recorded and asked already, and it does something.
    Twice(String),
    /// It was not recorded.
    Unknown(String),
}

impl Script {
    /// Reads the frames of the link out of a transcript; its paths are put back below `root`.
    pub(crate) fn of(transcript: &Transcript, root: &str) -> Self {
        let mut script = Self::default();
        for (line, row) in transcript.lines.iter().enumerate() {
            match row {
                TranscriptLine::Link { t_us, open, .. } => {
                    let say = if *open { Say::Open } else { Say::Close };
                    script.ins.push(In { line, t_us: *t_us, answers: None, say, said: false });
                }
                TranscriptLine::Frame { t_us, hop: TranscriptHop::Relay, dir: TranscriptDirection::In, .. } => script.calls.push(*t_us),
                TranscriptLine::Frame { t_us, hop: TranscriptHop::Relay, .. } => script.spoken.push((line, *t_us)),
                TranscriptLine::Frame { t_us, hop: TranscriptHop::Link, dir, frame: Some(frame), .. } => {
                    let mut frame = frame.clone();
                    put_root(&mut frame, root);
                    let kind = frame.get("kind").and_then(Value::as_str).unwrap_or_default();
                    let id = frame.get("id").and_then(Value::as_u64);
                    match (dir, kind, id) {
                        (TranscriptDirection::Out, "request", Some(id)) => {
                            let command = frame.get("command").cloned().unwrap_or_default();
                            script.spoken.push((line, *t_us));
                            script.outs.push(Out { line, t_us: *t_us, id, command, done: false });
                        }
                        // Whether something is cancelled is a matter of time.
                        (TranscriptDirection::Out, ..) => {}
                        (TranscriptDirection::In, ..) => {
                            let answers = id.filter(|_| kind == "reply");
                            script.ins.push(In { line, t_us: *t_us, answers, say: Say::Frame(frame), said: false });
                        }
                    }
                }
                _ => {}
            }
        }
        script
    }

    /// How many frames the extension says.
    pub(super) fn frames(&self) -> usize {
        self.ins.len()
    }

    /// Lets something go wrong with one of them.
    pub(super) fn harm(&mut self, kind: FaultKind, at: usize) {
        let row = self.ins[at].clone();
        match kind {
            FaultKind::Drop => self.ins[at].said = true,
            FaultKind::Delay => self.ins[at].t_us += DELAY_US,
            FaultKind::Duplicate => self.ins.insert(at + 1, row),
            FaultKind::Reorder => {
                let next = self
                    .ins
                    .get(at + 1)
                    .filter(|next| matches!((&row.say, &next.say), (Say::Frame(_), Say::Frame(_))))
                    .map(|next| next.t_us);
                if let Some(next) = next {
                    self.ins[at].t_us = next;
                    self.ins[at + 1].t_us = row.t_us;
                    self.ins.swap(at, at + 1);
                }
            }
            FaultKind::Truncate => {
                if let Say::Frame(frame) = &row.say {
                    let text = frame.to_string();
                    let half = text.chars().take(text.chars().count() / 2).collect();
                    self.ins[at].say = Say::Text(half);
                }
            }
            FaultKind::Close => {
                self.ins[at].say = Say::Close;
                self.ins.insert(at + 1, In { answers: None, say: Say::Open, ..row });
            }
            FaultKind::Stall => self.ins[at..].iter_mut().for_each(|row| row.t_us += STALL_US),
        }
    }

    /// When the agent's call with this number was made.
    pub(super) fn call_at(&self, number: usize) -> Option<u64> {
        self.calls.get(number).copied()
    }

    /// All tabs it speaks of.
    pub(super) fn tabs(&self) -> BTreeSet<u64> {
        let mut tabs = BTreeSet::new();
        for row in &self.ins {
            if let Say::Frame(frame) = &row.say {
                gather_tabs(frame, &mut tabs);
            }
        }
        tabs.extend(self.outs.iter().filter_map(|out| tab_of(&out.command)));
        tabs
    }

    /// The daemon asks something.
    pub(super) fn ask(&mut self, id: u64, command: &Value) -> Asked {
        let tab = tab_of(command);
        let mut first = None;
        let mut passed = Vec::new();
        for (at, out) in self.outs.iter().enumerate().filter(|(_, out)| !out.done && tab_of(&out.command) == tab) {
            if let Some(bound) = self.bound.same(&out.command, command) {
                self.bound = bound;
                self.asked.insert(out.id, id);
                passed.push(at);
                let missed: Vec<u64> = passed.iter().take(passed.len() - 1).map(|at| self.outs[*at].id).collect();
                // Their answers have no one to hear them.
                self.ins.iter_mut().filter(|row| row.answers.is_some_and(|id| missed.contains(&id))).for_each(|row| row.said = true);
                self.reached = self.reached.max((out.line, out.t_us));
                passed.into_iter().for_each(|at| self.outs[at].done = true);
                return Asked::Expected;
            }
            first.get_or_insert(&out.command);
            if !is_poll(&out.command) {
                break;
            }
            passed.push(at);
        }
        if is_poll(command)
            && let Some(frame) = self.last_answer(command)
        {
            return Asked::Again(self.answer(&frame, Some(id)));
        }
        let is_read = command.get("method").and_then(Value::as_str).is_some_and(|method| READS.contains(&method));
        if !is_read && self.outs.iter().any(|out| out.done && self.bound.same(&out.command, command).is_some()) {
            return Asked::Twice(format!("the bridge asks once more what was asked: {command}"));
        }
        let recorded = first.map_or_else(|| String::from("nothing more there"), Value::to_string);
        Asked::Unknown(format!("the bridge asks {command}; recorded was {recorded}"))
    }

    fn last_answer(&self, command: &Value) -> Option<Value> {
        let same = |out: &&Out| out.done && self.bound.same(&out.command, command).is_some();
        let ids = self.outs.iter().rev().filter(same).map(|out| out.id);
        ids.filter_map(|id| self.ins.iter().find(|row| row.answers == Some(id))).find_map(|row| match &row.say {
            Say::Frame(frame) => Some(frame.clone()),
            _ => None,
        })
    }

    /// What can be said next, and when it was: its number.
    pub(super) fn due(&self) -> Option<(usize, u64)> {
        let mut earlier_event = false;
        for (at, row) in self.ins.iter().enumerate().filter(|(_, row)| !row.said) {
            let ready = match row.answers {
                Some(id) => self.asked.contains_key(&id) && !earlier_event,
                None => !earlier_event && self.outs.iter().all(|out| out.line > row.line || out.done || is_poll(&out.command)),
            };
            if ready {
                return Some((at, row.t_us));
            }
            earlier_event |= row.answers.is_none();
        }
        None
    }

    /// Says it, in the words of this replay.
    pub(super) fn say(&mut self, at: usize) -> Say {
        self.ins[at].said = true;
        self.reached = self.reached.max((self.ins[at].line, self.ins[at].t_us));
        match &self.ins[at].say {
            Say::Frame(frame) => {
                let id = self.ins[at].answers.and_then(|id| self.asked.get(&id)).copied();
                Say::Frame(self.answer(frame, id))
            }
            other => other.clone(),
        }
    }

    fn answer(&self, frame: &Value, id: Option<u64>) -> Value {
        let mut frame = frame.clone();
        self.bound.put_back(&mut frame, "");
        if let Some(id) = id {
            frame["id"] = id.into();
        }
        frame
    }

    /// Whether the daemon said something right after what was played last: then it will without any time going by.
    pub(super) fn speaks_at_once(&self) -> bool {
        let (line, t_us) = self.reached;
        let next = self.spoken.iter().find(|(at, _)| *at > line);
        next.is_some_and(|(_, at)| at.saturating_sub(t_us) < AT_ONCE_US)
    }

    /// When the daemon is to ask next.
    pub(super) fn next_asked(&self) -> Option<u64> {
        self.outs.iter().filter(|out| !out.done).map(|out| out.t_us).min()
    }

    /// The first command that was recorded and never asked.
    pub(super) fn missed(&self) -> Option<&Value> {
        self.outs.iter().find(|out| !out.done && !is_poll(&out.command)).map(|out| &out.command)
    }

    /// The daemon's numbers of the commands that nobody answers any more.
    pub(super) fn unanswered(&self) -> Vec<u64> {
        let waiting = |id: &u64| self.ins.iter().any(|row| row.answers == Some(*id) && row.said);
        self.asked.iter().filter(|(id, _)| !waiting(id)).map(|(_, number)| *number).collect()
    }
}

impl Bound {
    /// Whether both are the same under what is bound, and what is bound then.
    fn same(&self, recorded: &Value, asked: &Value) -> Option<Self> {
        let mut bound = self.clone();
        bound.fits(recorded, asked, "").then_some(bound)
    }

    fn fits(&mut self, recorded: &Value, asked: &Value, key: &str) -> bool {
        match (recorded, asked) {
            (Value::Number(one), Value::Number(other)) if key == "watch" || key == "panel id" => match (one.as_u64(), other.as_u64()) {
                (Some(one), Some(other)) => *self.watches.entry(one).or_insert(other) == other,
                _ => false,
            },
            (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
            (Value::String(one), Value::String(other)) => self.says(one, other),
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.fits(one, other, key))
            }
            (Value::Object(one), Value::Object(other)) => {
                let inner = |(inner, one): (&String, &Value)| {
                    // A panel is told apart by a number like a watch's.
                    let name = if key == "panel" && inner == "id" { "panel id" } else { inner };
                    other.get(inner).is_some_and(|other| self.fits(one, other, name))
                };
                one.len() == other.len() && one.iter().all(inner)
            }
            (one, other) => one == other,
        }
    }

    fn says(&mut self, recorded: &str, asked: &str) -> bool {
        if let Some((ordinal, chars)) = read_typed_mark(recorded) {
            return asked.chars().count() == chars && *self.typed.entry(ordinal).or_insert_with(|| asked.to_owned()) == asked;
        }
        recorded == asked || self.unmasked(recorded) == asked
    }

    fn unmasked(&self, text: &str) -> String {
        let put = |text: String, (ordinal, typed): (&u32, &String)| text.replace(&typed_mark(*ordinal, typed.chars().count()), typed);
        self.typed.iter().fold(text.to_owned(), put)
    }

    fn put_back(&self, value: &mut Value, key: &str) {
        match value {
            Value::Number(number) if key == "watch" => {
                if let Some(actual) = number.as_u64().and_then(|watch| self.watches.get(&watch)) {
                    *value = (*actual).into();
                }
            }
            Value::String(text) if text.contains("{{typed:") => *text = self.unmasked(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.put_back(item, key)),
            Value::Object(fields) => fields.iter_mut().for_each(|(key, inner)| self.put_back(inner, key)),
            _ => {}
        }
    }
}

fn put_root(value: &mut Value, root: &str) {
    match value {
        Value::String(text) if text.contains(PROJECT) => *text = text.replace(PROJECT, root),
        Value::Array(items) => items.iter_mut().for_each(|item| put_root(item, root)),
        Value::Object(fields) => fields.values_mut().for_each(|inner| put_root(inner, root)),
        _ => {}
    }
}

fn is_poll(command: &Value) -> bool {
    // Reading ahead is done when nothing else is: whether and when is a matter of time.
    if is_ahead(command) {
        return true;
    }
    command.get("method").and_then(Value::as_str).is_some_and(|method| POLLS.contains(&method))
}

fn is_ahead(command: &Value) -> bool {
    command.pointer("/params/ahead").is_some_and(|ahead| ahead == true)
}

fn tab_of(command: &Value) -> Option<u64> {
    command.pointer("/params/tab").and_then(Value::as_u64)
}

fn gather_tabs(value: &Value, tabs: &mut BTreeSet<u64>) {
    match value {
        Value::Object(fields) => {
            let is_tab = fields.get("window").is_some_and(Value::is_number);
            for (key, inner) in fields {
                if key == "tab" || (key == "id" && is_tab) {
                    tabs.extend(inner.as_u64());
                }
                gather_tabs(inner, tabs);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather_tabs(item, tabs)),
        _ => {}
    }
}
