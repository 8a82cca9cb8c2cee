//! Closed error codes: one table for wire, tools and docs.

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $word:literal, $next:literal;)+) => {
        /// Why a call was refused or failed (design §3). Closed: a new code is a new row.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $variant,)+
        }

        impl ErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word an agent reads.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// What to do next, where the place of the error knows nothing better.
            #[must_use]
            pub fn next(self) -> &'static str {
                match self { $(Self::$variant => $next),+ }
            }
        }
    };
}

codes! {
    /// The ref's node is gone or is another thing now.
    StaleRef = "stale_ref", "Take a new snapshot and use its ref.";
    /// Nothing matches the target.
    NotFound = "not_found", "Take a snapshot and choose from what is there.";
    /// Several match the target.
    Ambiguous = "ambiguous", "Name one by ref, or add nth.";
    /// Something lies over the target.
    Covered = "covered", "Close or move what covers it, then try again.";
    /// The target is disabled.
    Disabled = "disabled", "Do first what enables it, or wait for it with wait_for.";
    /// The target is not rendered.
    NotVisible = "not_visible", "Open what holds it, or take a new snapshot.";
    /// The field takes no text.
    NotEditable = "not_editable", "Choose another field.";
    /// Another tool is for this kind of element.
    WrongKind = "wrong_kind", "Use the tool that is named.";
    /// The thing asked for does not exist (history entry, option, record).
    NoMatch = "no_match", "Change what you ask for; a new snapshot will not help.";
    /// Extensions may not act on this page.
    RestrictedPage = "restricted_page", "Go to an http or https page.";
    /// No such tab, or the session has none.
    NoTab = "no_tab", "Open one with tabs new, or list them with tabs list.";
    /// The tab belongs to another session.
    TabOwned = "tab_owned", "Open your own with tabs new.";
    /// The user has paused the bridge.
    Paused = "paused", "Ask the user to resume in the extension's popup.";
    /// A person must confirm.
    NeedsConfirmation = "needs_confirmation", "Ask the user.";
    /// The person said no.
    Declined = "declined", "Stop; do not look for a way round.";
    /// A native dialog is open on the tab.
    DialogOpen = "dialog_open", "Answer it with dialog (accept or dismiss).";
    /// The limit passed.
    Timeout = "timeout", "Look at what is there, then decide.";
    /// The caller gave up.
    Cancelled = "cancelled", "Observe before you try again.";
    /// No paired extension is connected.
    ExtensionNotConnected = "extension_not_connected", "Open Chrome with the Tegata extension; `tegata status` tells what is missing.";
    /// Extension and daemon are of different versions.
    ProtocolMismatch = "protocol_mismatch", "Reload the extension at chrome://extensions.";
    /// An argument is wrong.
    InvalidArgument = "invalid_argument", "Correct the argument.";
    /// Cannot be done in this browser or on this page.
    Unsupported = "unsupported", "Use another way.";
    /// A fault of ours.
    Internal = "internal", "Observe before you try again; please report it.";
}

/// Error of one command, on the link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[error("{message}")]
pub struct CommandError {
    /// Closed code.
    pub code: ErrorCode,
    /// What happened, one sentence.
    pub message: String,
}

impl CommandError {
    /// An error with this code and message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
