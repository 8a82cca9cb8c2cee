//! What a scenario lets go wrong, and when.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Until;

/// A part of the subject, or the fixture's tab, that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Its daemon is killed, without a chance to say anything.
    KillDaemon,
    /// Its daemon is asked to end.
    RestartDaemon,
    /// Its extension's worker is ended by the browser.
    KillWorker,
    /// The process behind the fixture's tab crashes.
    CrashTab,
    /// The browser unloads the fixture's tab, as it does to save memory.
    DiscardTab,
    /// The user closes the fixture's tab.
    CloseTab,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 6] = [Self::KillDaemon, Self::RestartDaemon, Self::KillWorker, Self::CrashTab, Self::DiscardTab, Self::CloseTab];

    /// It in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::KillDaemon => "the daemon is killed",
            Self::RestartDaemon => "the daemon is asked to end",
            Self::KillWorker => "the browser ends the extension's worker",
            Self::CrashTab => "the page's process crashes",
            Self::DiscardTab => "the browser unloads the tab",
            Self::CloseTab => "the user closes the tab",
        }
    }

    /// Whether the fixture's tab is lost, and not a part of the subject.
    pub fn is_of_tab(self) -> bool {
        matches!(self, Self::CrashTab | Self::DiscardTab | Self::CloseTab)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// What the person at the browser does on a page of the subject's own, with a real mouse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    /// Presses what allows on the subject's card.
    Allows,
    /// Presses what refuses on it.
    Refuses,
    /// Closes it.
    Closes,
    /// Presses Done on the subject's panel in the page, with this note.
    Done(String),
    /// Presses Cancel on it, with this note.
    Cancel(String),
    /// Presses the element of the page with this selector.
    Presses(String),
    /// Turns the switch with this id in the popup of the subject's extension.
    Turns(String),
}

impl Person {
    /// It in words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Allows => "the user allows it on the subject's card",
            Self::Refuses => "the user refuses it on the subject's card",
            Self::Closes => "the user closes the subject's card",
            Self::Done(_) => "the user presses Done on the subject's panel",
            Self::Cancel(_) => "the user presses Cancel on the subject's panel",
            Self::Presses(_) => "the user presses something in the page",
            Self::Turns(_) => "the user turns a switch in the popup",
        }
    }
}

/// What happens in the middle of a call: a fault or the person, one of them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct During {
    /// What is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What the person does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// Texts that the card must show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub card: Vec<String>,
    /// What the journal must hold first (default: the call has left the subject's daemon for the browser).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
}
