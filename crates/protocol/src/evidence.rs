//! What was seen after an action. Facts only: the verdict is passed in the daemon.

use serde::{Deserialize, Serialize};

use crate::{Described, Dialog, Refusal, Scrolled, TargetFacts, Value};

/// How surely a change belongs to the action (design §3, "Cause decides").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// Recorded right after a synthetic dispatch, before any other task: proof.
    Sync,
    /// The target's own state or value, what it controls or owns, a request it started.
    Linked,
    /// Merely in time.
    Window,
}

/// Where the change is, seen from the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// The target itself.
    Target,
    /// Its nearest meaningful section (form, dialog, list, article, main …).
    Section,
    /// Elsewhere in a document of the tab.
    Away,
    /// Outside the documents: URL, tabs, downloads, dialogs, requests.
    Browser,
}

/// What kind of thing was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EvidenceKind {
    /// Accessible state of the target: checked, expanded, pressed, selected, disabled …
    State,
    /// Value of the target.
    Value,
    /// The target left the document.
    Removed,
    /// Text or nodes changed.
    Content,
    /// Attributes or classes changed.
    Attribute,
    /// An alert appeared (`role=alert`, or the like).
    Alert,
    /// A live region spoke.
    Live,
    /// A dialog or popover opened or closed in the top layer.
    TopLayer,
    /// A scroll position moved.
    Scroll,
    /// Focus moved. Never proof.
    Focus,
    /// Where keys go: focus, caret or selection moved. Told only of actions that are meant to move it.
    Caret,
    /// The target stands elsewhere: another order, another place. Told only of drags.
    Moved,
    /// A canvas shows something else. Nobody watched it before the action.
    Picture,
    /// A new document was committed in the main frame.
    Navigation,
    /// The URL changed inside the document.
    SameDocument,
    /// A child frame got a new document.
    FrameNavigation,
    /// The title changed.
    Title,
    /// A tab opened.
    Tab,
    /// A download began.
    Download,
    /// A native dialog opened.
    Dialog,
    /// A request began, or was answered.
    Request,
    /// An uncaught exception or rejection. Never proof of an effect.
    Exception,
}

/// One thing that was seen since the action began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// How surely it belongs to the action.
    pub cause: Cause,
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: EvidenceKind,
    /// The change in short, page text included: `"0 items" → "1 item"`. At most 200 characters.
    pub what: String,
    /// Milliseconds after the dispatch when it was first seen.
    pub first_ms: f64,
    /// Milliseconds after the dispatch when it last moved.
    pub last_ms: f64,
    /// How many separate times it moved since the action.
    pub times: u32,
    /// How many times the same region had moved in the 10 s before the action.
    pub before: u32,
    /// A value or state is now again what it was before the action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub reverted: bool,
    /// For a navigation, tab or request: the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub url: Option<String>,
    /// For a tab: its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub tab: Option<u32>,
    /// For an answered request: HTTP status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub status: Option<u32>,
}

/// How much the look could see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Quality {
    /// Everything named in `looked at`.
    Complete,
    /// Some of it; `missing` says what.
    Partial,
    /// Nothing of the page.
    Unavailable,
}

/// What a control holds against what was asked of it, compared inside the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadBack {
    /// Which field of the call, from 0.
    pub field: u32,
    /// Exactly what was asked for.
    pub holds: bool,
    /// It held that at some look, now or before.
    pub once: bool,
    /// Before the action: text, `checked`, labels of the chosen options, names of files.
    pub before: Value,
    /// Now; absent when the control is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub now: Option<Value>,
    /// A list of suggestions is open at it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub list_open: bool,
    /// An editor that shows a part of its document only: what of it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub part: Option<Seen>,
}

/// How much was seen of a document that is never shown as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Seen {
    /// Its beginning and its end (of text that was added: its end).
    Ends,
    /// Less than that.
    Some,
}

/// All evidence since the action began, as of now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Look {
    /// Milliseconds since the dispatch, by the worker's clock.
    pub elapsed_ms: f64,
    /// How long the page had been watched before the dispatch, in milliseconds.
    pub history_ms: f64,
    /// Everything seen so far, strongest first.
    pub evidence: Vec<Evidence>,
    /// The target as it is now; absent when its document is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub target: Option<TargetFacts>,
    /// What was asked of controls, read back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<ReadBack>>"))]
    pub held: Vec<ReadBack>,
    /// The tab is in the background or its window is hidden.
    pub hidden: bool,
    /// A native dialog that is open now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub dialog: Option<Dialog>,
    /// How much could be seen.
    pub quality: Quality,
    /// What could not, in words.
    pub missing: Vec<String>,
}

/// How the input was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Input {
    /// Events dispatched by the content script.
    Synthetic,
    /// Input through the debugger, `isTrusted`.
    Trusted,
}

/// What became of an action: refused before dispatch, or dispatched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Act {
    /// Nothing was dispatched.
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// Nothing was dispatched: it already is what was asked for.
    Already {
        /// The target.
        before: Box<TargetFacts>,
    },
    /// Input was dispatched.
    Done {
        /// How.
        input: Input,
        /// The target before the action.
        before: Box<TargetFacts>,
        /// The element that really received it; absent when none did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        delivered: Option<Described>,
        /// For typing: UTF-16 units that were handed to the field after its own limits (`maxlength`). For keys: chords that were pressed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        accepted: Option<u32>,
        /// Whether the field holds exactly the asked text right after the dispatch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        holds: Option<bool>,
        /// For scrolling: what became of the scroller; absent when there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        scrolled: Option<Scrolled>,
        /// For dragging: the element that the button was let go over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        dropped: Option<Described>,
        /// The first look, taken at once.
        look: Box<Look>,
    },
}

/// Result of `pointer/facts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Facts {
    /// There is no such target now.
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// The target as it is.
    Known {
        /// What it is.
        facts: Box<TargetFacts>,
    },
}

/// Result of `pointer/listeners`: what stands on the target's path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Listeners {
    /// Event types listened to by listeners that can act (a passive one that captures at window or document only watches).
    pub types: Vec<String>,
    /// Each of them was shown to do nothing with an untrusted event: V8 ran it in its side-effect-free mode and it came back.
    pub inert: bool,
    /// Calls in their source that Chrome refuses without user activation (`window.open` …): with synthetic input they had no effect.
    pub needs_activation: Vec<String>,
    /// What activation does by itself: `link`, `submit`, `toggle`, `summary` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub default_action: Option<String>,
}
