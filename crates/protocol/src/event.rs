//! What the extension tells unasked.

use serde::{Deserialize, Serialize};

use crate::{Dialog, Tab};

/// Extension → daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "event", content = "params", rename_all_fields = "camelCase")]
pub enum Event {
    /// A tab opened.
    #[serde(rename = "tab/created")]
    TabCreated {
        /// It.
        tab: Tab,
    },
    /// A tab closed.
    #[serde(rename = "tab/removed")]
    TabRemoved {
        /// Its id.
        tab: u32,
    },
    /// Chrome put another tab in a tab's place, with the same page: it does so when it unloads one to save memory.
    #[serde(rename = "tab/replaced")]
    TabReplaced {
        /// The id that is gone.
        old: u32,
        /// The id that stands for it now.
        tab: u32,
    },
    /// The main frame of a tab has a new document, or a new URL in the same one.
    #[serde(rename = "tab/navigated")]
    TabNavigated {
        /// Its id.
        tab: u32,
        /// New address.
        url: String,
        /// The document stayed.
        same_document: bool,
    },
    /// A tab that a session holds is loaded.
    #[serde(rename = "tab/loaded")]
    TabLoaded {
        /// Its id.
        tab: u32,
    },
    /// A native dialog opened.
    #[serde(rename = "dialog/opened")]
    DialogOpened {
        /// Tab it belongs to.
        tab: u32,
        /// It.
        dialog: Dialog,
    },
    /// The dialog is gone.
    #[serde(rename = "dialog/closed")]
    DialogClosed {
        /// Tab it belonged to.
        tab: u32,
    },
    /// The debugger was detached by someone else (the user's Cancel, DevTools).
    #[serde(rename = "debugger/detached")]
    DebuggerDetached {
        /// Tab.
        tab: u32,
        /// Chrome's reason word.
        reason: String,
    },
    /// The user's switches in the popup.
    #[serde(rename = "switches/changed")]
    SwitchesChanged {
        /// They.
        switches: Switches,
    },
    /// The worker started anew: what it remembered in memory is gone.
    #[serde(rename = "worker/started")]
    WorkerStarted {
        /// Random word of this life.
        generation: String,
    },
}

/// The user's switches; they live in the extension, an agent cannot reach them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Switches {
    /// No tool acts or reads.
    pub paused: bool,
    /// The debugger may be used.
    pub trusted_input: bool,
    /// Agents may run scripts of their own in pages.
    pub eval: bool,
}
