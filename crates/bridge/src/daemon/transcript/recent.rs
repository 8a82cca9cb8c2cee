//! The last minutes of frames, masked, in memory: what `tegata report` takes along. A thread of its own reads and masks them, when nothing
//! is going on, so that no call waits for it; nothing of it touches the disk until somebody asks.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use protocol::{PROTOCOL_VERSION, TranscriptDirection, TranscriptHop, TranscriptLine, TranscriptVersion};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::mask::Mask;
use super::ordinals::Ordinals;

/// What is older is forgotten.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// Most bytes of masked frames that are kept.
const MOST_BYTES: usize = 2 * 1024 * 1024;

/// Frames from this size on are only counted: a tree of thousands of nodes says nothing to whoever reads a report.
const LARGE: usize = 64 * 1024;

/// Frames on the way to the thread. When more come at once they are counted as lost: no call waits.
const ON_THE_WAY: usize = 128;

/// Masking begins when nothing came for so long: an agent thinks between its calls, and the processor is free.
const REST: Duration = Duration::from_millis(200);

/// Or when so many bytes wait for it.
const MOST_WAITING: usize = 512 * 1024;

/// How many typed texts are known again.
const TYPED: usize = 1000;

/// Set to 0, nothing is kept.
const VARIABLE: &str = "TEGATA_RECENT";

/// Frames that only keep the link, or open it.
const OF_THE_LINK: [&str; 7] = ["ping", "pong", "hello", "challenge", "proof", "welcome", "refused"];

/// What is remembered of the last minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// A transcript, one line a frame.
    pub transcript: String,
    /// Frames in it.
    pub frames: u64,
    /// How many seconds ago the latest was seen.
    pub latest_s: Option<u64>,
}

/// Where frames are told to.
#[derive(Debug, Default)]
pub struct Recent {
    queue: Mutex<Option<SyncSender<Heard>>>,
    lost: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Heard {
    Frame { at: Instant, hop: TranscriptHop, dir: TranscriptDirection, session: Option<String>, text: String, bytes: usize },
    Link { at: Instant, open: bool },
    Asked { minutes: u64, answer: oneshot::Sender<Remembered> },
}

impl Recent {
    /// One that remembers, unless the environment says no.
    #[must_use]
    pub fn from_environment() -> Self {
        let recent = Self::default();
        if std::env::var_os(VARIABLE).is_none_or(|value| value != "0") {
            recent.begin();
        }
        recent
    }

    fn begin(&self) {
        let (queue, heard) = sync_channel(ON_THE_WAY);
        let lost = Arc::clone(&self.lost);
        let thread = std::thread::Builder::new().name("recent".into()).spawn(move || remember(&heard, &lost));
        match thread {
            Ok(_) => *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = Some(queue),
            Err(error) => tracing::warn!(%error, "the last minutes are not remembered"),
        }
    }

    /// Forgets everything and remembers nothing more.
    pub fn end(&self) {
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Takes down a frame; `session` is the relay's id.
    pub fn frame(&self, hop: TranscriptHop, dir: TranscriptDirection, session: Option<&str>, text: &str) {
        // Of a large one the beginning tells whose it is.
        let kept = if text.len() < LARGE { text } else { beginning(text) };
        let session = session.map(ToOwned::to_owned);
        self.tell(|| Heard::Frame { at: Instant::now(), hop, dir, session, text: kept.to_owned(), bytes: text.len() });
    }

    /// The extension's socket opened or closed.
    pub fn link(&self, open: bool) {
        self.tell(|| Heard::Link { at: Instant::now(), open });
    }

    fn tell(&self, heard: impl FnOnce() -> Heard) {
        if let Some(queue) = self.queue.lock().unwrap_or_else(PoisonError::into_inner).as_ref()
            && let Err(TrySendError::Full(_)) = queue.try_send(heard())
        {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What is remembered of so many minutes before the latest frame; none where nothing is.
    pub async fn remembered(&self, minutes: u64) -> Option<Remembered> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let (answer, told) = oneshot::channel();
        // Behind what waits: it is a rare question, and the queue is short.
        let asked = tokio::task::spawn_blocking(move || queue.send(Heard::Asked { minutes, answer })).await;
        asked.ok()?.ok()?;
        told.await.ok()
    }
}

/// Where the id of a message of the relay stands, at most.
const ID_WITHIN: usize = 80;

fn beginning(text: &str) -> &str {
    let end = (0..=ID_WITHIN.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// The number after `"id":` in the beginning of a message.
fn id_in(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("\"id\":")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn remember(heard: &Receiver<Heard>, lost: &AtomicU64) {
    let mut memory = Memory { mask: Mask::of_latest(TYPED), ..Memory::default() };
    let (mut waiting, mut bytes) = (Vec::new(), 0);
    loop {
        let next = if waiting.is_empty() { heard.recv().map_err(RecvTimeoutError::from) } else { heard.recv_timeout(REST) };
        let asked = match next {
            Ok(Heard::Asked { minutes, answer }) => Some((minutes, answer)),
            Ok(one) => {
                if let Heard::Frame { text, .. } = &one {
                    bytes += text.len();
                }
                waiting.push(one);
                if bytes < MOST_WAITING {
                    continue;
                }
                None
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        bytes = 0;
        for one in waiting.drain(..) {
            match one {
                Heard::Frame { at, hop, dir, session, text, bytes } => memory.frame(at, hop, dir, session, &text, bytes),
                Heard::Link { at, open } => memory.add(Kept { at, what: What::Link(open), bytes: 0 }),
                Heard::Asked { .. } => {}
            }
        }
        if let Some((minutes, answer)) = asked {
            // Whoever asked may be gone.
            let _ = answer.send(memory.told(minutes, lost.load(Ordering::Relaxed)));
        }
    }
}

#[derive(Debug, Default)]
struct Memory {
    kept: VecDeque<Kept>,
    bytes: usize,
    mask: Mask,
}

#[derive(Debug)]
struct Kept {
    at: Instant,
    what: What,
    bytes: usize,
}

#[derive(Debug)]
enum What {
    Link(bool),
    Frame { hop: TranscriptHop, dir: TranscriptDirection, session: Option<String>, text: Box<str> },
}

impl Memory {
    fn frame(&mut self, at: Instant, hop: TranscriptHop, dir: TranscriptDirection, session: Option<String>, text: &str, bytes: usize) {
        let mut frame = if bytes >= LARGE {
            let kind = if hop == TranscriptHop::Link { json!("large") } else { Value::Null };
            json!({"kind": kind, "id": id_in(text), "bytes": bytes})
        } else {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(format!("<{bytes} bytes that are no JSON>")))
        };
        if hop == TranscriptHop::Link && frame.get("kind").and_then(Value::as_str).is_some_and(|kind| OF_THE_LINK.contains(&kind)) {
            return;
        }
        self.mask.apply(&mut frame);
        let text = frame.to_string().into_boxed_str();
        self.add(Kept { at, bytes: text.len(), what: What::Frame { hop, dir, session, text } });
    }

    fn add(&mut self, one: Kept) {
        let now = one.at;
        self.bytes += one.bytes;
        self.kept.push_back(one);
        while let Some(first) = self.kept.front()
            && (self.bytes > MOST_BYTES || now.saturating_duration_since(first.at) > KEPT)
        {
            self.bytes -= first.bytes;
            self.kept.pop_front();
        }
    }

    fn told(&self, minutes: u64, lost: u64) -> Remembered {
        let latest = self.kept.back().map(|one| one.at);
        let span = Duration::from_secs(minutes * 60);
        let since = |one: &&Kept| latest.is_some_and(|latest| latest.saturating_duration_since(one.at) <= span);
        let mut ordinals = Ordinals::default();
        let writer = format!("tegata {}", env!("CARGO_PKG_VERSION"));
        let header = TranscriptLine::Header { version: TranscriptVersion::OURS, writer, protocol: PROTOCOL_VERSION, scenario: None };
        let mut lines = vec![header];
        let mut began = None;
        for one in self.kept.iter().filter(since) {
            let seq = lines.len() as u64;
            let began = *began.get_or_insert(one.at);
            let t_us = u64::try_from(one.at.saturating_duration_since(began).as_micros()).unwrap_or(u64::MAX);
            lines.push(match &one.what {
                What::Link(open) => TranscriptLine::Link { seq, t_us, open: *open },
                What::Frame { hop, dir, session, text } => {
                    let mut frame = serde_json::from_str(text).unwrap_or_default();
                    // What was typed later may have stood in it before.
                    self.mask.known(&mut frame);
                    ordinals.apply(*hop, &mut frame);
                    let session = session.as_deref().map(|id| ordinals.session(id));
                    TranscriptLine::Frame { seq, t_us, hop: *hop, dir: *dir, session, frame: Some(frame), blob: None }
                }
            });
        }
        let frames = lines.len() as u64 - 1;
        lines.push(TranscriptLine::Footer { lines: frames, lost });
        let line = |line: &TranscriptLine| serde_json::to_string(line).unwrap_or_default() + "\n";
        Remembered { transcript: lines.iter().map(line).collect(), frames, latest_s: latest.map(|at| at.elapsed().as_secs()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, text: &str) -> String {
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": name, "arguments": {"text": text}}}).to_string()
    }

    fn memory() -> Memory {
        Memory { mask: Mask::of_latest(TYPED), ..Memory::default() }
    }

    fn hear(memory: &mut Memory, at: Instant, hop: TranscriptHop, text: &str) {
        let kept = if text.len() < LARGE { text } else { beginning(text) };
        memory.frame(at, hop, TranscriptDirection::In, Some("relay-7".into()), kept, text.len());
    }

    #[test]
    fn what_was_typed_is_masked_also_where_it_stood_before() {
        let (mut memory, now) = (memory(), Instant::now());
        hear(&mut memory, now, TranscriptHop::Link, r#"{"kind":"event","event":{"event":"x","params":{"title":"hunter2 "}}}"#);
        hear(&mut memory, now, TranscriptHop::Link, r#"{"kind":"ping"}"#);
        hear(&mut memory, now, TranscriptHop::Relay, &call("type", "hunter2 "));
        let told = memory.told(10, 0);
        assert_eq!(told.frames, 2, "{}", told.transcript);
        assert!(!told.transcript.contains("hunter2"), "{}", told.transcript);
        assert_eq!(told.transcript.matches("{{typed:1:8}}").count(), 2, "{}", told.transcript);
        assert!(told.transcript.ends_with("{\"kind\":\"footer\",\"lines\":2,\"lost\":0}\n"));
        assert!(told.transcript.contains("\"session\":1") && !told.transcript.contains("relay-7"));
    }

    #[test]
    fn it_is_bounded_by_bytes_by_time_and_by_the_size_of_a_frame() {
        let (mut memory, now) = (memory(), Instant::now());
        for _ in 0..200 {
            hear(&mut memory, now, TranscriptHop::Relay, &call("find", &"word ".repeat(10_000)));
        }
        assert!(memory.bytes <= MOST_BYTES && memory.kept.len() > 30, "{} bytes, {} frames", memory.bytes, memory.kept.len());
        hear(&mut memory, now + KEPT + Duration::from_secs(1), TranscriptHop::Relay, &call("find", &"word ".repeat(100_000)));
        assert_eq!(memory.kept.len(), 1, "the older ones are forgotten");
        let told = memory.told(1, 4);
        assert!(told.transcript.contains(r#""frame":{"kind":null,"id":3,"bytes":500"#), "{}", told.transcript);
        assert!(told.transcript.contains("\"lost\":4"));
    }

    #[tokio::test]
    async fn who_asks_hears_of_everything_before() {
        let recent = Recent::default();
        assert_eq!(recent.remembered(1).await, None);
        recent.begin();
        recent.link(true);
        recent.frame(TranscriptHop::Relay, TranscriptDirection::In, Some("a"), &call("type", "a long secret"));
        let told = recent.remembered(1).await.unwrap();
        assert!(told.frames == 2 && !told.transcript.contains("long secret"), "{}", told.transcript);
        recent.end();
        assert_eq!(recent.remembered(1).await, None);
    }
}
