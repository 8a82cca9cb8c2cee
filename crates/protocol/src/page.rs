//! Tabs, navigations, dialogs, pictures.

use serde::{Deserialize, Serialize};

/// A tab of the user's browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tab {
    /// Chrome's tab id.
    pub id: u32,
    /// Chrome's window id.
    pub window: u32,
    /// Address shown.
    pub url: String,
    /// Title shown.
    pub title: String,
    /// In front in its window.
    pub active: bool,
    /// Still loading.
    pub loading: bool,
    /// Unloaded by Chrome to save memory.
    pub discarded: bool,
    /// Tab that opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub opener: Option<u32>,
    /// Why extensions may not act on this page (`chrome page`, `web store`, …).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub restricted: Option<String>,
    /// A native dialog that is open on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub dialog: Option<Dialog>,
}

/// A native dialog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dialog {
    /// Which kind.
    pub kind: DialogKind,
    /// What it says; cut to 500 characters.
    pub text: String,
    /// Whether the debugger was attached in time, so that it can be closed from here.
    pub closable: bool,
}

/// Kinds of native dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DialogKind {
    /// `alert`.
    Alert,
    /// `confirm`.
    Confirm,
    /// `prompt`.
    Prompt,
    /// `beforeunload`.
    BeforeUnload,
}

/// Where a navigation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Navigation {
    /// The tab afterwards.
    pub tab: Tab,
    /// How it ended.
    pub end: NavigationEnd,
    /// HTTP status of the main document, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub status: Option<u32>,
    /// Chrome's error word (`net::ERR_…`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub error: Option<String>,
}

/// How a navigation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum NavigationEnd {
    /// A new document, loaded completely.
    Complete,
    /// A new document, its content parsed, still loading at the limit.
    Interactive,
    /// A new document was committed, nothing more within the limit.
    Committed,
    /// The same document with another URL.
    SameDocument,
    /// No document came: 204, a download, or the page refused to be left.
    Nothing,
    /// Chrome shows an error page.
    Failed,
    /// History has no such entry.
    EndOfHistory,
    /// A native dialog (`beforeunload`) holds it.
    Dialog,
}

/// A picture of a tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Screenshot {
    /// Base64 of the image.
    pub data: String,
    /// `image/jpeg` or `image/png`.
    pub mime: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Image pixels per CSS pixel.
    pub scale: f64,
    /// The tab was in the background.
    pub hidden: bool,
    /// Secret fields that were painted over.
    pub masked: u32,
    /// Refs that were drawn on it.
    pub marked: u32,
    /// Why the target was refused: there is no picture then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub refusal: Option<crate::Refusal>,
}

/// Picture formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// JPEG with a quality.
    Jpeg,
    /// PNG.
    Png,
}

/// One thing that `wait/probe` looks for, in every frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Condition {
    /// Visible text contains this.
    Text {
        /// Text, white space folded.
        text: String,
    },
    /// No visible text contains this.
    TextGone {
        /// Text, white space folded.
        text: String,
    },
    /// An element matches and is visible.
    Css {
        /// CSS selector.
        selector: String,
    },
    /// The main frame's URL contains this.
    Url {
        /// Part of the URL.
        part: String,
    },
    /// The node has this state; `gone` is written as a missing state.
    Ref {
        /// Ordinal of its document.
        doc: u32,
        /// Number within the document.
        node: u32,
        /// Wanted state; absent: the node is gone or hidden.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        state: Option<crate::State>,
    },
    /// Loaded, and no mutation and no request for 500 ms.
    Idle,
}

/// Answer of `wait/probe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Probe {
    /// Index of the first condition that holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub met: Option<u32>,
    /// Frame in which it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub frame: Option<u32>,
    /// The tab as it is.
    pub tab: Tab,
    /// Beginning of the visible text, at most 300 characters: what is there instead.
    pub there: String,
    /// Frames that could not be read.
    pub unread: u32,
}
