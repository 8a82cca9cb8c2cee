//! Opens the file that `tegata report` writes.

use std::path::{Path, PathBuf};

use protocol::{REPORT_MAJOR, ReportLine, ReportPrograms};
use serde::Deserialize;

use crate::transcript::{Transcript, TranscriptError, parse};

/// What is wrong with a bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// It cannot be read at all.
    #[error("{path} cannot be read: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("{path} is no bundle of `tegata report`: {why}", path = path.display())]
    NoBundle {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A newer program wrote it.
    #[error("{path} is a bundle of version {theirs}.x, and only {ours}.x can be read; use the lab of the tegata that wrote it", path = path.display(), ours = REPORT_MAJOR)]
    Major {
        /// The file.
        path: PathBuf,
        /// Its major version.
        theirs: u32,
    },
    /// A line cannot be read.
    #[error("{path}:{line}: {why}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// There was nothing to remember.
    #[error("{path} holds no transcript: {why}", path = path.display())]
    NoTranscript {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Its transcript is wrong.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

/// A bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// When it was made.
    pub made: String,
    /// What ran.
    pub programs: ReportPrograms,
    /// What was noted.
    pub notes: Vec<String>,
    /// The last minutes.
    pub transcript: Transcript,
}

/// Reads it. One that was cut off is read as far as it goes; its transcript says so.
///
/// # Errors
/// See [`BundleError`].
pub fn open(path: &Path) -> Result<Bundle, BundleError> {
    /// The part that no version may change.
    #[derive(Deserialize)]
    struct Any {
        kind: String,
        #[serde(default)]
        version: Option<AnyVersion>,
    }
    #[derive(Deserialize)]
    struct AnyVersion {
        major: u32,
    }
    let file = path.to_owned();
    let bytes = std::fs::read(path).map_err(|source| BundleError::File { path: file.clone(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().next().unwrap_or_default();
    let none = |why: String| BundleError::NoBundle { path: file.clone(), why };
    let any: Any = serde_json::from_str(first).map_err(|error| none(format!("its first line is not one ({error})")))?;
    match (any.kind.as_str(), any.version) {
        ("report", Some(version)) if version.major != REPORT_MAJOR => {
            return Err(BundleError::Major { path: file, theirs: version.major });
        }
        ("report", Some(_)) => {}
        ("header", _) => return Err(none("it is a transcript; `lab scenario record NAME --from-session FILE` takes it".into())),
        (other, _) => return Err(none(format!("its first line is a {other}"))),
    }
    let mut rest = text.as_ref();
    let mut bundle = None;
    let mut number = 0;
    while let Some(line) = rest.lines().next() {
        number += 1;
        if line.starts_with("{\"kind\":\"header\"") {
            break;
        }
        match serde_json::from_str(line) {
            Ok(ReportLine::Report { made, programs, notes, .. }) if bundle.is_none() => {
                bundle = Some(Bundle { made, programs, notes, transcript: Transcript::default() });
            }
            Ok(ReportLine::Log { .. }) if bundle.is_some() => {}
            Ok(_) => return Err(BundleError::Line { path: file, line: number, why: "a second beginning".into() }),
            // Only what was being written when it ended can be half a line.
            Err(_) if !rest.contains('\n') => {}
            Err(error) => return Err(BundleError::Line { path: file, line: number, why: error.to_string() }),
        }
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    let Some(mut bundle) = bundle else { return Err(none("its first line is cut off".into())) };
    if rest.is_empty() {
        let why = match bundle.notes.as_slice() {
            [] => "it was cut off before it".to_owned(),
            notes => notes.join("; "),
        };
        return Err(BundleError::NoTranscript { path: file, why });
    }
    // Large frames are not kept in a bundle: there are no blobs.
    bundle.transcript = parse(path, rest, Path::new(""))?;
    Ok(bundle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"kind":"report","version":{"major":1,"minor":0},"made":"2026","programs":{"tegata":"0.1.0","protocol":1,"os":"x"},"hops":[],"notes":[]}"#;
    const LOG: &str = r#"{"kind":"log","text":"INFO"}"#;
    const HEADER: &str = r#"{"kind":"header","version":{"major":1,"minor":0},"writer":"test","protocol":1}"#;
    const PING: &str = r#"{"kind":"frame","seq":1,"tUs":0,"hop":"link","dir":"out","frame":{"kind":"ping"}}"#;
    const FOOTER: &str = r#"{"kind":"footer","lines":1,"lost":0}"#;

    fn told(text: &str) -> Result<Bundle, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("b.txt");
        std::fs::write(&path, text).unwrap();
        open(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "b.txt"))
    }

    #[test]
    fn a_bundle_is_read_as_far_as_it_goes() {
        let whole = told(&[HEAD, LOG, HEADER, PING, FOOTER, ""].join("\n")).unwrap();
        assert_eq!((whole.transcript.lines.len(), whole.transcript.cut, whole.programs.os.as_str()), (1, None, "x"));
        for cut in [[HEAD, LOG, HEADER, PING, ""].join("\n"), [HEAD, HEADER, PING, &FOOTER[..9]].join("\n")] {
            let cut = told(&cut).unwrap();
            assert!(cut.transcript.lines.len() == 1 && cut.transcript.cut.unwrap().contains("cut off"));
        }
    }

    #[test]
    fn what_is_no_bundle_is_refused_with_the_reason() {
        let newer = HEAD.replace("\"major\":1", "\"major\":2");
        for (text, expected) in [
            (newer, "b.txt is a bundle of version 2.x, and only 1.x can be read"),
            (HEADER.to_owned(), "b.txt is no bundle of `tegata report`: it is a transcript"),
            (FOOTER.to_owned(), "b.txt is no bundle of `tegata report`: its first line is a footer"),
            ("hello".to_owned(), "b.txt is no bundle of `tegata report`"),
            ([HEAD, "{", LOG, ""].join("\n"), "b.txt:2: EOF"),
            ([HEAD, LOG].join("\n"), "b.txt holds no transcript: it was cut off before it"),
            ([HEAD, &LOG[..9]].join("\n"), "b.txt holds no transcript: it was cut off before it"),
            ([&HEAD.replace("\"notes\":[]", "\"notes\":[\"no daemon runs\"]"), LOG, ""].join("\n"), "b.txt holds no transcript: no daemon"),
            ([HEAD, HEADER, "{", FOOTER, ""].join("\n"), "b.txt:2: EOF"),
        ] {
            let error = told(&text).unwrap_err();
            assert!(error.starts_with(expected), "{error}\n  where {expected}");
        }
    }
}
