//! What was done and who was turned away: `audit.jsonl`, and `frames.jsonl` when asked for. Both redacted before they touch the disk.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use protocol::{TranscriptDirection, TranscriptHop};
use serde::Serialize;
use serde_json::Value;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use super::clock::Clock;
use super::hide::{hidden, hidden_frame, tool_name};
use super::state::{StateDir, StateError, private_log};
use super::transcript::{Recent, Recorder};

/// Asks for `frames.jsonl`.
const FRAMES_VARIABLE: &str = "TEGATA_FRAMES";

/// Size at which the audit is rotated; one old file is kept.
const ROTATE_AT: u64 = 5 * 1024 * 1024;

/// The audit and the frame log of one daemon.
#[derive(Debug)]
pub struct Audit {
    audit: Mutex<Lines>,
    frames: Option<Mutex<Lines>>,
    started: Instant,
    /// The transcript, which is told every frame.
    pub transcript: Recorder,
    /// The last minutes, which are told every frame, too.
    pub recent: Recent,
    /// The held clock, where this daemon has one.
    pub clock: Option<Clock>,
}

/// One line of the audit.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Entry<'a> {
    /// A tool was called.
    Call {
        /// Session.
        session: &'a str,
        /// The agent's program.
        client: &'a str,
        /// Tool.
        tool: &'a str,
        /// Tab named in the arguments.
        tab: Option<u64>,
        /// Outcome of a write, error code of a failure, else `ok`.
        outcome: &'a str,
        /// How long it took.
        ms: u64,
        /// Arguments.
        arguments: Value,
    },
    /// A door was closed to someone.
    Refused {
        /// Which.
        door: &'a str,
        /// Why.
        why: &'a str,
    },
    /// The extension came, went or was paired.
    Link {
        /// What happened.
        what: &'a str,
        /// Installation of the extension.
        instance: &'a str,
    },
}

/// Where a frame was seen.
#[derive(Debug, Clone, Copy)]
pub enum Hop<'a> {
    /// Between the relay with this id and the daemon.
    Relay(&'a str),
    /// Between daemon and extension.
    Link,
}

/// Which way a frame went, as the daemon sees it.
#[derive(Debug, Clone, Copy)]
pub enum Direction {
    /// To the daemon.
    In,
    /// From the daemon.
    Out,
}

impl Audit {
    /// Opens the files.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn open(state: &StateDir) -> Result<Self, StateError> {
        let wants_frames = std::env::var_os(FRAMES_VARIABLE).is_some_and(|value| value == "1");
        let frames = if wants_frames { Some(Mutex::new(Lines::open(state.file("frames.jsonl"))?)) } else { None };
        Ok(Self {
            audit: Mutex::new(Lines::open(state.file("audit.jsonl"))?),
            frames,
            started: Instant::now(),
            transcript: Recorder::from_environment(),
            recent: Recent::from_environment(),
            clock: None,
        })
    }

    /// The same, telling a held clock of what is said.
    #[must_use]
    pub fn with_clock(self, clock: Option<Clock>) -> Self {
        if clock.is_some() {
            // A replay is not somebody's last minutes.
            self.recent.end();
        }
        Self { clock, ..self }
    }

    /// The extension's socket opened or closed.
    pub fn link(&self, open: bool) {
        self.transcript.link(open);
        self.recent.link(open);
    }

    /// Adds a line.
    pub fn write(&self, entry: Entry<'_>) {
        #[derive(Serialize)]
        struct Line<'a> {
            time: String,
            #[serde(flatten)]
            entry: Entry<'a>,
        }
        let known;
        let entry = match entry {
            Entry::Call { session, client, tool, tab, outcome, ms, arguments } => {
                known = tool_name(tool);
                Entry::Call { session, client, tool: &known, tab, outcome, ms, arguments: hidden(arguments) }
            }
            other => other,
        };
        self.audit.lock().unwrap_or_else(PoisonError::into_inner).add(&Line { time: now(), entry }, Some(ROTATE_AT));
    }

    /// Adds a frame of a hop, where frames were asked for.
    pub fn frame(&self, hop: Hop<'_>, direction: Direction, text: &str) {
        let (place, session) = match hop {
            Hop::Relay(id) => (TranscriptHop::Relay, Some(id)),
            Hop::Link => (TranscriptHop::Link, None),
        };
        let way = match direction {
            Direction::In => TranscriptDirection::In,
            Direction::Out => TranscriptDirection::Out,
        };
        self.transcript.frame(place, way, session, text);
        self.recent.frame(place, way, session, text);
        if let (Direction::Out, Some(clock)) = (direction, &self.clock) {
            clock.spoken();
        }
        if self.frames.is_none() && !tracing::enabled!(tracing::Level::DEBUG) {
            return;
        }
        let (hop, dir) = (
            match hop {
                Hop::Relay(_) => "relay",
                Hop::Link => "link",
            },
            match direction {
                Direction::In => "in",
                Direction::Out => "out",
            },
        );
        // Before the redaction, which takes its own time on a large frame.
        let t_ms = self.started.elapsed().as_secs_f64() * 1000.0;
        let frame = hidden_frame(text);
        tracing::debug!(hop, dir, %frame, "frame");
        let Some(frames) = &self.frames else { return };
        let line =
            serde_json::json!({"hop": hop, "dir": dir, "t_ms": (t_ms * 1000.0).round() / 1000.0, "bytes": text.len(), "frame": frame});
        frames.lock().unwrap_or_else(PoisonError::into_inner).add(&line, None);
    }
}

#[derive(Debug)]
struct Lines {
    path: PathBuf,
    file: File,
    size: u64,
}

impl Lines {
    fn open(path: PathBuf) -> Result<Self, StateError> {
        let open = || private_log(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
        match open() {
            Ok((size, file)) => Ok(Self { path, file, size }),
            Err(source) => Err(StateError::File { path, source }),
        }
    }

    fn add(&mut self, line: &impl Serialize, limit: Option<u64>) {
        if limit.is_some_and(|limit| self.size >= limit) {
            self.rotate();
        }
        let written = serde_json::to_vec(line).map_err(std::io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes).map(|()| bytes.len())
        });
        match written {
            Ok(bytes) => self.size += u64::try_from(bytes).unwrap_or(0),
            Err(error) => {
                tracing::error!(%error, path = %self.path.display(), "a line could not be written")
            }
        }
    }

    fn rotate(&mut self) {
        let mut old = self.path.clone().into_os_string();
        old.push(".1");
        let renewed = std::fs::rename(&self.path, &old).and_then(|()| private_log(&self.path));
        match renewed {
            Ok(file) => (self.file, self.size) = (file, 0),
            Err(error) => {
                tracing::error!(%error, path = %self.path.display(), "a log could not be rotated")
            }
        }
    }
}

/// Now, as the logs write it.
#[must_use]
pub fn now() -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = tracing_subscriber::fmt::time::SystemTime.format_time(&mut Writer::new(&mut text));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_redacted_and_the_file_is_rotated_once_it_is_large() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("audit.jsonl");
        let mut lines = Lines::open(path.clone()).unwrap();
        for round in 0..3 {
            lines.add(&round, Some(4));
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "2\n");
        assert_eq!(std::fs::read_to_string(place.path().join("audit.jsonl.1")).unwrap(), "0\n1\n");

        let audit = Audit::open(&StateDir::at(place.path())).unwrap();
        let arguments = serde_json::json!({"text": "hunter2"});
        audit.write(Entry::Call { session: "s", client: "c", tool: "type", tab: Some(3), outcome: "changed", ms: 4, arguments });
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("<7 chars>") && !text.contains("hunter2") && text.contains("\"event\":\"call\""), "{text}");
    }
}
