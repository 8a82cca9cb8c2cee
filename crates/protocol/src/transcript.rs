//! The transcript: what a daemon saw on its hops, one JSON value a line. Described in `docs/transcript.md`.
//!
//! It is a file format, not a wire: it outlives the programs that wrote it, so it has a version of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Raised by a change that an older reader would misread. A reader refuses another one.
pub const TRANSCRIPT_MAJOR: u32 = 1;

/// Raised by an addition. A reader takes any, as long as it understands every line.
pub const TRANSCRIPT_MINOR: u32 = 0;

/// Frames from this size on, in bytes of JSON, stand in a blob.
pub const BLOB_FROM: usize = 16 * 1024;

/// The folder of the blobs, beside the transcript.
pub const BLOB_FOLDER: &str = "blobs";

/// A line of a transcript. The first is the header, the last the footer; one without a footer was cut off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum TranscriptLine {
    /// What this is, and who wrote it.
    Header {
        /// Version of the format.
        version: TranscriptVersion,
        /// Program and version that wrote it.
        writer: String,
        /// `PROTOCOL_VERSION` of the link.
        protocol: u32,
        /// What was recorded, where it was a scenario.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scenario: Option<TranscriptScenario>,
    },
    /// A frame on a hop.
    Frame {
        /// Number of the line, from 1 without a gap.
        seq: u64,
        /// Microseconds since the header.
        t_us: u64,
        /// Where it was seen.
        hop: TranscriptHop,
        /// Which way it went, as the daemon sees it.
        dir: TranscriptDirection,
        /// Ordinal of the agent's session (relay).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<u32>,
        /// The frame, where it is small.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frame: Option<Value>,
        /// Where the frame stands, where it is large.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blob: Option<TranscriptBlob>,
    },
    /// The extension's socket opened or closed.
    Link {
        /// Number of the line.
        seq: u64,
        /// Microseconds since the header.
        t_us: u64,
        /// Whether it is open from here on.
        open: bool,
    },
    /// What a witness beside the daemon saw: the lab's journal and browser. The daemon writes none.
    Witness {
        /// Number of the line.
        seq: u64,
        /// Microseconds since the header.
        t_us: u64,
        /// What the witness was asked.
        asked: String,
        /// What it saw.
        seen: Value,
    },
    /// The end, as meant by the writer.
    Footer {
        /// How many lines stand between header and footer.
        lines: u64,
        /// How many frames could not be written.
        lost: u64,
    },
}

/// Version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TranscriptVersion {
    /// [`TRANSCRIPT_MAJOR`] of the writer.
    pub major: u32,
    /// [`TRANSCRIPT_MINOR`] of the writer.
    pub minor: u32,
}

impl TranscriptVersion {
    /// The version this program writes.
    pub const OURS: Self = Self { major: TRANSCRIPT_MAJOR, minor: TRANSCRIPT_MINOR };
}

/// The scenario that was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TranscriptScenario {
    /// `<group>/<name>`.
    pub name: String,
    /// `calm` or `wild`.
    pub profile: String,
    /// The verdict it had.
    pub verdict: String,
}

/// A hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TranscriptHop {
    /// Between an agent's relay and the daemon: MCP.
    Relay,
    /// Between daemon and extension.
    Link,
}

/// A direction, as the daemon sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TranscriptDirection {
    /// To the daemon.
    In,
    /// From the daemon.
    Out,
}

/// A large frame, in a file of the blob folder that is named by its content: `<sha256>.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TranscriptBlob {
    /// SHA-256 of the file, hex.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

impl TranscriptBlob {
    /// Name of its file.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{}.json", self.sha256)
    }
}

/// The mark that stands for a text that was typed: who replays puts the text back, since the same text has the same ordinal.
#[must_use]
pub fn typed_mark(ordinal: u32, chars: usize) -> String {
    format!("{{{{typed:{ordinal}:{chars}}}}}")
}

/// Reads a whole [`typed_mark`]: ordinal and number of characters.
#[must_use]
pub fn read_typed_mark(text: &str) -> Option<(u32, usize)> {
    let (ordinal, chars) = text.strip_prefix("{{typed:")?.strip_suffix("}}")?.split_once(':')?;
    Some((ordinal.parse().ok()?, chars.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back_and_a_mark_too() {
        let text = r#"{"kind":"frame","seq":1,"tUs":5,"hop":"link","dir":"out","frame":{"kind":"ping"}}"#;
        let line: TranscriptLine = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&line).unwrap(), text);
        assert!(serde_json::from_str::<TranscriptLine>(r#"{"kind":"footer","lines":1,"lost":0,"more":1}"#).is_err());
        assert_eq!(read_typed_mark(&typed_mark(3, 7)), Some((3, 7)));
        assert_eq!(read_typed_mark("{{typed:3}}"), None);
    }
}
