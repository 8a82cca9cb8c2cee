//! Reads a transcript. What is wrong with it is told by line; a file that was cut off is read as far as it goes.

use std::path::{Path, PathBuf};

use miette::Diagnostic;
use protocol::{
    BLOB_FOLDER, TRANSCRIPT_MAJOR, TranscriptBlob, TranscriptDirection, TranscriptHop, TranscriptLine, TranscriptScenario,
    TranscriptVersion,
};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::secret::holds_secret;

/// What is wrong with a transcript.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum TranscriptError {
    /// It cannot be read at all.
    #[error("{path} cannot be read: {source}", path = path.display())]
    #[diagnostic(help("`lab scenario bless NAME` records it"))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It does not begin as one.
    #[error("{path} is no transcript: {why}", path = path.display())]
    NoTranscript {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Made by a newer or older program.
    #[error("{path} is of version {theirs}.x, and only {ours}.x can be read", path = path.display(), ours = TRANSCRIPT_MAJOR)]
    #[diagnostic(help("use the program that wrote it, or record it again with `lab scenario bless NAME`"))]
    Major {
        /// The file.
        path: PathBuf,
        /// Its major version.
        theirs: u32,
    },
    /// A line that is not the last cannot be read.
    #[error("{path}:{line}: {why}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// A line stands in the wrong place.
    #[error("{path}:{line}: this is number {got} where {expected} is due: a line was moved, dropped or doubled", path = path.display())]
    Order {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Its number.
        got: u64,
        /// The number that was due.
        expected: u64,
    },
    /// A large frame is not where it should be.
    #[error("{path}:{line}: its blob {name} {why}", path = path.display())]
    Blob {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The blob's file.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// It holds what may not be written down.
    #[error("{path}:{line}: this holds what looks like a secret", path = path.display())]
    #[diagnostic(help("the daemon masks secrets before they are written; take it out and record the scenario again"))]
    Secret {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// A transcript as it was read, blobs put back.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    /// What was recorded.
    pub scenario: Option<TranscriptScenario>,
    /// The lines between header and footer.
    pub lines: Vec<TranscriptLine>,
    /// It has no footer, or frames are missing: it is not the whole of what happened.
    pub cut: Option<String>,
}

/// Reads it, with the blobs beside it.
///
/// # Errors
/// See [`TranscriptError`]. A file that was cut off is none.
pub fn read(path: &Path, blobs: &Path) -> Result<Transcript, TranscriptError> {
    let bytes = std::fs::read(path).map_err(|source| TranscriptError::File { path: path.to_owned(), source })?;
    parse(path, &String::from_utf8_lossy(&bytes), blobs)
}

/// Reads the text of one; `path` is its name in errors.
///
/// # Errors
/// The same.
pub fn parse(path: &Path, text: &str, blobs: &Path) -> Result<Transcript, TranscriptError> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).peekable();
    let Some((_, first)) = lines.next() else {
        return Err(TranscriptError::NoTranscript { path: path.to_owned(), why: "it is empty".into() });
    };
    let mut transcript = Transcript { scenario: header(path, first)?, ..Transcript::default() };
    let last = text.lines().count();
    let mut footer = None;
    for (number, line) in lines {
        if footer.is_some() {
            return Err(TranscriptError::Line { path: path.to_owned(), line: number, why: "a line after the footer".into() });
        }
        let parsed = match serde_json::from_str(line) {
            Ok(parsed) => parsed,
            // Only what was being written when it ended can be half a line.
            Err(_) if number == last && !text.ends_with('\n') => break,
            Err(error) => return Err(TranscriptError::Line { path: path.to_owned(), line: number, why: error.to_string() }),
        };
        let parsed = whole(path, blobs, number, parsed)?;
        let expected = transcript.lines.len() as u64 + 1;
        match seq(&parsed) {
            Some(got) if got != expected => return Err(TranscriptError::Order { path: path.to_owned(), line: number, got, expected }),
            Some(_) => {
                if said(&parsed).is_some_and(holds_secret) {
                    return Err(TranscriptError::Secret { path: path.to_owned(), line: number });
                }
                transcript.lines.push(parsed);
            }
            None => match parsed {
                TranscriptLine::Footer { lines, lost } => footer = Some((number, lines, lost)),
                _ => return Err(TranscriptError::Line { path: path.to_owned(), line: number, why: "a second header".into() }),
            },
        }
    }
    let there = transcript.lines.len() as u64;
    transcript.cut = match footer {
        None => Some(format!("it was cut off after {there} lines: it has no footer")),
        Some((number, lines, _)) if lines != there => {
            return Err(TranscriptError::Order { path: path.to_owned(), line: number, got: lines, expected: there });
        }
        Some((_, _, lost)) if lost > 0 => Some(format!("{lost} frames of it could not be written")),
        Some(_) => None,
    };
    Ok(transcript)
}

fn header(path: &Path, first: &str) -> Result<Option<TranscriptScenario>, TranscriptError> {
    /// The part that no version may change: it is how versions tell each other.
    #[derive(Deserialize)]
    struct Any {
        kind: String,
        version: AnyVersion,
    }
    #[derive(Deserialize)]
    struct AnyVersion {
        major: u32,
    }
    let path = path.to_owned();
    let any: Any = serde_json::from_str(first)
        .map_err(|error| TranscriptError::NoTranscript { path: path.clone(), why: format!("its first line is no header ({error})") })?;
    if any.kind != "header" {
        return Err(TranscriptError::NoTranscript { path, why: format!("its first line is a {}", any.kind) });
    }
    if any.version.major != TRANSCRIPT_MAJOR {
        return Err(TranscriptError::Major { path, theirs: any.version.major });
    }
    match serde_json::from_str(first) {
        Ok(TranscriptLine::Header { version: TranscriptVersion { .. }, scenario, .. }) => Ok(scenario),
        Ok(_) => Err(TranscriptError::NoTranscript { path, why: "its first line is no header".into() }),
        Err(error) => Err(TranscriptError::Line { path, line: 1, why: error.to_string() }),
    }
}

/// The line with its blob's content in place.
fn whole(path: &Path, blobs: &Path, line: usize, parsed: TranscriptLine) -> Result<TranscriptLine, TranscriptError> {
    let TranscriptLine::Frame { seq, t_us, hop, dir, session, frame, blob } = parsed else { return Ok(parsed) };
    let frame = match (frame, &blob) {
        (Some(frame), None) => frame,
        (None, Some(blob)) => {
            let wrong = |why: String| TranscriptError::Blob { path: path.to_owned(), line, name: blob.file(), why };
            let content = std::fs::read(blobs.join(blob.file())).map_err(|error| wrong(format!("cannot be read: {error}")))?;
            if hash(&content) != blob.sha256 {
                return Err(wrong("has another content than its name says".into()));
            }
            serde_json::from_slice(&content).map_err(|error| wrong(format!("is no JSON: {error}")))?
        }
        _ => {
            let why = "a frame stands in its line or in a blob, and in one of them only".into();
            return Err(TranscriptError::Line { path: path.to_owned(), line, why });
        }
    };
    Ok(TranscriptLine::Frame { seq, t_us, hop, dir, session, frame: Some(frame), blob: None })
}

/// SHA-256 in hex.
pub(super) fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder of the blobs of a transcript that stands by itself.
pub(super) fn blobs_beside(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new(".")).join(BLOB_FOLDER)
}

/// A blob for a content.
pub(super) fn blob_of(content: &[u8]) -> TranscriptBlob {
    TranscriptBlob { sha256: hash(content), bytes: content.len() as u64 }
}

fn seq(line: &TranscriptLine) -> Option<u64> {
    match line {
        TranscriptLine::Frame { seq, .. } | TranscriptLine::Link { seq, .. } | TranscriptLine::Witness { seq, .. } => Some(*seq),
        TranscriptLine::Header { .. } | TranscriptLine::Footer { .. } => None,
    }
}

fn said(line: &TranscriptLine) -> Option<&Value> {
    match line {
        TranscriptLine::Frame { frame, .. } => frame.as_ref(),
        TranscriptLine::Witness { seen, .. } => Some(seen),
        _ => None,
    }
}

impl Transcript {
    /// The frames of a hop: index among all lines, microseconds, direction, frame.
    pub fn frames(&self, of: TranscriptHop) -> impl Iterator<Item = (usize, u64, TranscriptDirection, &Value)> {
        self.lines.iter().enumerate().filter_map(move |(at, line)| match line {
            TranscriptLine::Frame { t_us, hop, dir, frame: Some(frame), .. } if *hop == of => Some((at, *t_us, *dir, frame)),
            _ => None,
        })
    }

    /// What the witnesses told: what they were asked, and what they saw.
    pub fn witnessed(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.lines.iter().filter_map(|line| match line {
            TranscriptLine::Witness { asked, seen, .. } => Some((asked.as_str(), seen)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"kind":"header","version":{"major":1,"minor":0},"writer":"test","protocol":1}"#;
    const PING: &str = r#"{"kind":"frame","seq":1,"tUs":0,"hop":"link","dir":"out","frame":{"kind":"ping"}}"#;
    const PONG: &str = r#"{"kind":"frame","seq":2,"tUs":9,"hop":"link","dir":"in","frame":{"kind":"pong"}}"#;
    const FOOTER: &str = r#"{"kind":"footer","lines":2,"lost":0}"#;

    /// What reading these lines comes to.
    fn told(lines: &[&str], end: &str) -> Result<Transcript, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("one.jsonl");
        std::fs::write(&path, lines.join("\n") + end).unwrap();
        let blobs = place.path().join(BLOB_FOLDER);
        std::fs::create_dir(&blobs).unwrap();
        std::fs::write(blobs.join(format!("{}.json", hash(b"{}"))), "{}").unwrap();
        std::fs::write(blobs.join("wrong.json"), "{}").unwrap();
        read(&path, &blobs).map_err(|error| error.to_string().replace(&place.path().display().to_string(), ""))
    }

    #[test]
    fn a_whole_one_is_whole_and_one_that_was_cut_off_is_read_as_far_as_it_goes() {
        let whole = told(&[HEADER, PING, PONG, FOOTER], "\n").unwrap();
        assert_eq!((whole.lines.len(), whole.cut), (2, None));
        for (lines, end, there) in [(vec![HEADER, PING, PONG], "\n", 2), (vec![HEADER, PING, &PONG[..40]], "", 1), (vec![HEADER], "", 0)] {
            let cut = told(&lines, end).unwrap();
            assert_eq!(cut.lines.len(), there);
            assert!(cut.cut.as_ref().is_some_and(|why| why.contains("cut off")), "{:?}", cut.cut);
        }
        let lost = told(&[HEADER, PING, PONG, r#"{"kind":"footer","lines":2,"lost":3}"#], "\n").unwrap();
        assert_eq!(lost.cut.as_deref(), Some("3 frames of it could not be written"));
    }

    #[test]
    fn each_way_to_be_wrong_has_its_own_error() {
        let blob =
            |name: &str| format!(r#"{{"kind":"frame","seq":1,"tUs":0,"hop":"link","dir":"in","blob":{{"sha256":"{name}","bytes":2}}}}"#);
        let there = hash(b"{}");
        assert!(told(&[HEADER, &blob(&there), PONG, FOOTER], "\n").unwrap().cut.is_none());
        let newer = HEADER.replace("\"major\":1", "\"major\":2");
        let secret = PING.replace("\"ping\"", "\"ping\",\"text\":\"Your password is hunter2x\"");
        let field = PONG.replace("\"kind\":\"frame\"", "\"kind\":\"frame\",\"more\":1");
        for (lines, expected) in [
            (vec![newer.as_str(), PING, PONG, FOOTER], "/one.jsonl is of version 2.x, and only 1.x can be read"),
            (vec![HEADER, PONG, PING, FOOTER], "/one.jsonl:2: this is number 2 where 1 is due: a line was moved, dropped or doubled"),
            (vec![HEADER, PING, PING, FOOTER], "/one.jsonl:3: this is number 1 where 2 is due: a line was moved, dropped or doubled"),
            (vec![HEADER, PING, FOOTER], "/one.jsonl:3: this is number 2 where 1 is due: a line was moved, dropped or doubled"),
            (vec![HEADER, &secret, PONG, FOOTER], "/one.jsonl:2: this holds what looks like a secret"),
            (vec![HEADER, &blob("gone"), PONG, FOOTER], "/one.jsonl:2: its blob gone.json cannot be read"),
            (vec![HEADER, &blob("wrong"), PONG, FOOTER], "/one.jsonl:2: its blob wrong.json has another content than its name says"),
            (vec![HEADER, PING, "{", FOOTER], "/one.jsonl:3: EOF while parsing"),
            (vec![HEADER, PING, &field, FOOTER], "/one.jsonl:3: unknown field `more`"),
            (vec![HEADER, PING, PONG, FOOTER, PING], "/one.jsonl:5: a line after the footer"),
            (vec![PING, PONG, FOOTER], "/one.jsonl is no transcript"),
            (vec!["hello"], "/one.jsonl is no transcript"),
        ] {
            let error = told(&lines, "\n").unwrap_err();
            assert!(error.starts_with(expected), "{error}\n  where {expected}");
        }
    }
}
