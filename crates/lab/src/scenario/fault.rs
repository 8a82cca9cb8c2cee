//! What a scenario lets go wrong, and when.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Until;

/// What is broken on purpose: a part of the subject, its link, or the fixture's tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Its extension's worker is ended by the browser.
    KillServiceWorker,
    /// Its extension is loaded anew.
    ReloadExtension,
    /// Its daemon is killed, without a chance to say anything.
    KillDaemon,
    /// Its daemon is asked to end.
    RestartDaemon,
    /// The process of the session's MCP server is killed; the next call of the session starts another one.
    KillRelay,
    /// The connection between extension and daemon is cut.
    DropSocket,
    /// The browser's processes are stopped: its connections stay open and nobody answers. They go on after the reply.
    HalfOpen,
    /// What the extension answers once the journal holds `until` is lost, and the connection with it (only in `during`).
    LostAcknowledgement,
    /// The user looks at another tab.
    HideTab,
    /// The browser freezes the fixture's tab, as it does to save power.
    FreezeTab,
    /// The browser unloads the fixture's tab, as it does to save memory.
    DiscardTab,
    /// The process behind the fixture's tab crashes.
    CrashTab,
    /// The user closes the fixture's tab.
    CloseTab,
    /// The user presses Cancel in Chrome's bar about the debugger.
    DebuggerCancelled,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 14] = [
        Self::KillServiceWorker,
        Self::ReloadExtension,
        Self::KillDaemon,
        Self::RestartDaemon,
        Self::KillRelay,
        Self::DropSocket,
        Self::HalfOpen,
        Self::LostAcknowledgement,
        Self::HideTab,
        Self::FreezeTab,
        Self::DiscardTab,
        Self::CrashTab,
        Self::CloseTab,
        Self::DebuggerCancelled,
    ];

    /// It in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::KillServiceWorker => "the browser ends the extension's worker",
            Self::ReloadExtension => "the extension is loaded anew",
            Self::KillDaemon => "the daemon is killed",
            Self::RestartDaemon => "the daemon is asked to end",
            Self::KillRelay => "the session's MCP server is killed",
            Self::DropSocket => "the connection between extension and daemon is cut",
            Self::HalfOpen => "the browser's processes are stopped",
            Self::LostAcknowledgement => "the extension's answer is lost",
            Self::HideTab => "the user looks at another tab",
            Self::FreezeTab => "the browser freezes the tab",
            Self::DiscardTab => "the browser unloads the tab",
            Self::CrashTab => "the page's process crashes",
            Self::CloseTab => "the user closes the tab",
            Self::DebuggerCancelled => "the user cancels the debugger",
        }
    }

    /// Whether the fixture's tab is lost, and not a part of the subject.
    pub fn is_of_tab(self) -> bool {
        matches!(self, Self::HideTab | Self::FreezeTab | Self::DiscardTab | Self::CrashTab | Self::CloseTab)
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
