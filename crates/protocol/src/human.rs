//! What only the person at the browser can say.

use serde::{Deserialize, Serialize};

/// Serde's word for a count of nothing.
pub(crate) fn is_none(count: &u32) -> bool {
    *count == 0
}

/// What the person answered to the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Permission {
    /// Once, within the next half minute.
    Allowed,
    /// No; closing the card says no too.
    Refused,
    /// Nobody answered in time.
    TimedOut,
}

/// Result of `human/confirm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Confirmed {
    /// The answer.
    pub permission: Permission,
}

/// The panel in the page, at the bottom right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Panel {
    /// Asks the person; said again it asks what became of it, and shows it anew on a page that has lost it.
    Ask {
        /// Which question.
        id: u32,
        /// The question.
        text: String,
    },
    /// Takes the question away.
    Close {
        /// Which question.
        id: u32,
    },
    /// One line on what goes on; empty: none.
    Status {
        /// The line.
        text: String,
    },
}

/// What the person pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PanelWord {
    /// Go on.
    Done,
    /// Stop.
    Cancel,
}

/// The person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PanelAnswer {
    /// What was pressed.
    pub word: PanelWord,
    /// What was written beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub note: Option<String>,
}

/// Result of `human/panel`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PanelState {
    /// It is shown, or was answered.
    pub shown: bool,
    /// The answer, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub answer: Option<PanelAnswer>,
}
