//! The bundle of `tegata report`: text, one JSON value a line. First what is known of the programs, then the end of the log, then the
//! transcript of the last minutes, whose lines are those of any transcript. Described in `docs/transcript.md`.

use serde::{Deserialize, Serialize};

use crate::TranscriptVersion;

/// Raised by a change that an older reader would misread. A reader refuses a newer one.
pub const REPORT_MAJOR: u32 = 1;

/// Raised by an addition.
pub const REPORT_MINOR: u32 = 0;

/// A line of a bundle before its transcript.
#[expect(clippy::large_enum_variant, reason = "a file has one such line")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ReportLine {
    /// The first line.
    Report {
        /// Version of the format.
        version: TranscriptVersion,
        /// When it was made.
        made: String,
        /// What runs.
        programs: ReportPrograms,
        /// From the terminal to a page, as far as they work.
        hops: Vec<ReportHop>,
        /// The first hop that does not work.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        broken: Option<String>,
        /// What is worth knowing.
        notes: Vec<String>,
    },
    /// A line of the daemon's log.
    Log {
        /// The line.
        text: String,
    },
}

/// What runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportPrograms {
    /// The program that made the bundle.
    pub tegata: String,
    /// The daemon, where one runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daemon: Option<String>,
    /// `PROTOCOL_VERSION` of the link.
    pub protocol: u32,
    /// The operating system.
    pub os: String,
    /// The browser, where one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<String>,
    /// The extension, where it is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
}

/// A hop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportHop {
    /// Its name.
    pub name: String,
    /// Whether it works.
    pub ok: bool,
    /// How long it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// In words.
    pub detail: String,
}
