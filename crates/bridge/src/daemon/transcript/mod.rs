//! The transcript: every frame of the daemon's hops in a file, made for replay. What may not touch the disk is masked first, and what
//! is by chance (ids of tabs, documents, requests) is told as an ordinal.
//!
//! What cannot be written is counted and logged, and changes nothing else.

mod address;
mod mask;
mod ordinals;
mod recent;

use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use protocol::{
    BLOB_FOLDER, BLOB_FROM, PROTOCOL_VERSION, TranscriptBlob, TranscriptDirection, TranscriptHop, TranscriptLine, TranscriptVersion,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use mask::Mask;
use ordinals::Ordinals;

pub(super) use recent::Recent;
pub use recent::Remembered;

use super::state::{private_new, to_hex};

/// Asks for a transcript of the daemon's whole life, and names its file.
const VARIABLE: &str = "TEGATA_TRANSCRIPT";

/// What became of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Recorded {
    /// Lines between header and footer.
    pub lines: u64,
    /// Frames that could not be written.
    pub lost: u64,
}

/// Writes a transcript while one is asked for.
#[derive(Debug, Default)]
pub struct Recorder {
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    path: PathBuf,
    file: Option<File>,
    began: Instant,
    lines: u64,
    lost: u64,
    ordinals: Ordinals,
    mask: Mask,
}

impl Recorder {
    /// One that begins at once where the environment names a file.
    #[must_use]
    pub fn from_environment() -> Self {
        let recorder = Self::default();
        if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
            recorder.begin(Path::new(&path));
        }
        recorder
    }

    /// Ends the one that is open and begins another. A file that cannot be made costs the transcript, nothing else.
    pub fn begin(&self, path: &Path) {
        self.end();
        let mut open = Open {
            path: path.to_owned(),
            file: None,
            began: Instant::now(),
            lines: 0,
            lost: 0,
            ordinals: Ordinals::default(),
            mask: Mask::default(),
        };
        match private_new(path) {
            Ok(file) => open.file = Some(file),
            Err(error) => tracing::error!(%error, path = %path.display(), "the transcript cannot be begun"),
        }
        let writer = format!("tegata {}", env!("CARGO_PKG_VERSION"));
        open.put(&TranscriptLine::Header { version: TranscriptVersion::OURS, writer, protocol: PROTOCOL_VERSION, scenario: None });
        *self.lock() = Some(open);
    }

    /// Ends the open one with its footer.
    pub fn end(&self) -> Option<Recorded> {
        let mut open = self.lock().take()?;
        let footer = TranscriptLine::Footer { lines: open.lines, lost: open.lost };
        open.put(&footer);
        Some(Recorded { lines: open.lines, lost: open.lost })
    }

    /// Takes down a frame; `session` is the relay's id.
    pub fn frame(&self, hop: TranscriptHop, dir: TranscriptDirection, session: Option<&str>, text: &str) {
        let mut guard = self.lock();
        let Some(open) = guard.as_mut() else { return };
        // Before the masking, which takes its own time on a large frame.
        let t_us = open.micros();
        // What is no JSON is only counted: nobody can tell what stands in it.
        let mut frame = serde_json::from_str(text).unwrap_or_else(|_| Value::String(format!("<{} bytes that are no JSON>", text.len())));
        open.mask.apply(&mut frame);
        open.ordinals.apply(hop, &mut frame);
        let session = session.map(|id| open.ordinals.session(id));
        let text = frame.to_string();
        let (frame, blob) = if text.len() < BLOB_FROM {
            (Some(frame), None)
        } else {
            match open.blob(text.as_bytes()) {
                Ok(blob) => (None, Some(blob)),
                Err(error) => return open.failed(&error),
            }
        };
        let seq = open.lines + 1;
        open.line(&TranscriptLine::Frame { seq, t_us, hop, dir, session, frame, blob });
    }

    /// The extension's socket opened or closed.
    pub fn link(&self, is_open: bool) {
        if let Some(open) = self.lock().as_mut() {
            let (seq, t_us) = (open.lines + 1, open.micros());
            open.line(&TranscriptLine::Link { seq, t_us, open: is_open });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.end();
    }
}

impl Open {
    fn micros(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// A line between header and footer.
    fn line(&mut self, line: &TranscriptLine) {
        if self.put(line) {
            self.lines += 1;
        } else {
            self.lost += 1;
        }
    }

    fn put(&mut self, line: &TranscriptLine) -> bool {
        let Some(file) = &mut self.file else { return false };
        let written = serde_json::to_vec(line).map_err(std::io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            file.write_all(&bytes)
        });
        match written {
            Ok(()) => true,
            Err(error) => {
                self.give_up(&error);
                false
            }
        }
    }

    fn failed(&mut self, error: &std::io::Error) {
        self.lost += 1;
        self.give_up(error);
    }

    /// After a line that may be there in part no other can follow: the reader is to see that it was cut off.
    fn give_up(&mut self, error: &std::io::Error) {
        tracing::error!(%error, path = %self.path.display(), "the transcript ends here: it cannot be written");
        self.file = None;
    }

    fn blob(&self, content: &[u8]) -> std::io::Result<TranscriptBlob> {
        if self.file.is_none() {
            return Err(std::io::Error::other("the transcript was given up"));
        }
        let blob = TranscriptBlob { sha256: to_hex(&Sha256::digest(content)), bytes: u64::try_from(content.len()).unwrap_or(u64::MAX) };
        let folder = self.path.parent().unwrap_or(Path::new(".")).join(BLOB_FOLDER);
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let path = folder.join(blob.file());
        // Named by its content: what is there already is the same.
        if !path.exists() {
            private_new(&path)?.write_all(content)?;
        }
        Ok(blob)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OUT: TranscriptDirection = TranscriptDirection::Out;
    const IN: TranscriptDirection = TranscriptDirection::In;

    fn lines(path: &Path) -> Vec<TranscriptLine> {
        std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_transcript_has_a_beginning_an_end_and_its_large_frames_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("one.transcript.jsonl");
        let recorder = Recorder::default();
        recorder.frame(TranscriptHop::Link, OUT, None, "{}");
        recorder.begin(&path);
        recorder.link(true);
        let large = json!({"kind": "reply", "id": 9, "result": {"text": "word ".repeat(BLOB_FROM)}}).to_string();
        recorder.frame(TranscriptHop::Link, IN, None, &large);
        recorder.frame(TranscriptHop::Relay, IN, Some("relay-a"), "{not json");
        assert_eq!(recorder.end(), Some(Recorded { lines: 3, lost: 0 }));
        assert_eq!(recorder.end(), None);
        let lines = lines(&path);
        assert!(matches!(lines[0], TranscriptLine::Header { version: TranscriptVersion::OURS, .. }), "{lines:?}");
        assert!(matches!(lines[1], TranscriptLine::Link { seq: 1, open: true, .. }));
        let TranscriptLine::Frame { seq: 2, frame: None, blob: Some(blob), .. } = &lines[2] else { panic!("{lines:?}") };
        let content = std::fs::read(place.path().join(BLOB_FOLDER).join(blob.file())).unwrap();
        assert_eq!((to_hex(&Sha256::digest(&content)), content.len() as u64), (blob.sha256.clone(), blob.bytes));
        assert!(
            matches!(&lines[3], TranscriptLine::Frame { session: Some(1), frame: Some(Value::String(text)), .. } if !text.contains("not"))
        );
        assert_eq!(lines[4], TranscriptLine::Footer { lines: 3, lost: 0 });
    }

    #[test]
    fn a_disk_that_is_full_loses_frames_and_nothing_else() {
        let recorder = Recorder::default();
        recorder.begin(Path::new("/dev/full"));
        recorder.frame(TranscriptHop::Link, OUT, None, r#"{"kind":"ping"}"#);
        recorder.frame(TranscriptHop::Link, OUT, None, &json!({"kind": "x".repeat(BLOB_FROM)}).to_string());
        assert_eq!(recorder.end(), Some(Recorded { lines: 0, lost: 2 }));
        recorder.begin(Path::new("/nowhere/at/all"));
        recorder.link(true);
        assert_eq!(recorder.end(), Some(Recorded { lines: 0, lost: 1 }));
    }
}
