//! The page as a tree: flat, in document order, each node with its depth.
//!
//! Flat on purpose: pages nest 2,000 deep and no parser on the way may recurse.

use serde::{Deserialize, Serialize};

use crate::{Refusal, Tab};

/// One node of a frame's tree, in pre-order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Node {
    /// Nesting level; the frame's top nodes have 0.
    pub depth: u32,
    /// ARIA role, or `text` for a text run, `iframe` for a frame's place.
    pub role: String,
    /// Accessible name, or the text of a text run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub name: Option<String>,
    /// Number of the node within its document, when it can be a target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub node: Option<u32>,
    /// States that hold, in the order of [`State`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<State>>"))]
    pub states: Vec<State>,
    /// Current value of a field; a secret one is only a length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub value: Option<Value>,
    /// Heading level, 1 to 6 (or `aria-level`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub level: Option<u32>,
    /// Destination of a link as written in the page, cut to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub url: Option<String>,
    /// For `iframe`: Chrome's frame id of the document inside, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub frame: Option<u32>,
    /// Why nothing of the inside is shown (closed surface, canvas, frame that cannot be entered).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub opaque: Option<String>,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Value {
    /// The text itself.
    Plain {
        /// Value as the page would read it.
        text: String,
    },
    /// A secret field: only its length leaves the page.
    Secret {
        /// UTF-16 length, as `value.length`.
        length: u32,
    },
}

/// States of a node (ARIA states and properties, HTML equivalents; closed set).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// Checked.
    Checked,
    /// Can be checked and is not.
    Unchecked,
    /// Tri-state "mixed" or `indeterminate`.
    Mixed,
    /// Toggle button that is pressed.
    Pressed,
    /// Toggle button that is not.
    Unpressed,
    /// Owns something that is shown.
    Expanded,
    /// Owns something that is folded.
    Collapsed,
    /// Selected option, tab, row.
    Selected,
    /// `aria-current`.
    Current,
    /// Natively or by ARIA disabled.
    Disabled,
    /// Not editable.
    Readonly,
    /// Must be filled.
    Required,
    /// Invalid by constraint or `aria-invalid`.
    Invalid,
    /// `aria-busy`.
    Busy,
    /// Modal dialog.
    Modal,
    /// Has the focus.
    Focused,
    /// Behind a modal or in an `inert` subtree: cannot be used now.
    Inert,
    /// Has a click handler or a pointer cursor but no role that says so.
    Clickable,
    /// A file control: `upload` is its tool, not typing.
    File,
    /// Several may be chosen.
    Multiple,
}

/// Text of an alert or status region that was shown since the last snapshot of the document and is not there any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Vanished {
    /// Role of the region: alert, status, log.
    pub role: String,
    /// What it said, cut to 200 characters.
    pub text: String,
    /// Milliseconds since it was first seen.
    pub ago_ms: f64,
}

/// A tree of a document that the daemon holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KnownTree {
    /// Ordinal of the document.
    pub doc: u32,
    /// Number of the tree within it.
    pub tree: u32,
}

/// Nodes in place of others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Splice {
    /// Index in the earlier tree.
    pub at: u32,
    /// How many of its nodes go.
    pub drop: u32,
    /// What stands there now.
    pub nodes: Vec<Node>,
}

/// One document of the tab.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrameTree {
    /// Chrome's frame id; 0 is the main frame.
    pub frame: u32,
    /// Frame id of the parent; absent for the main frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub parent: Option<u32>,
    /// Ordinal of the document in this browser: refs carry it, it is never reused.
    pub doc: u32,
    /// Address of the document.
    pub url: String,
    /// Nodes in pre-order.
    pub nodes: Vec<Node>,
    /// Number of this tree within its document, when later ones can be told as a difference from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub tree: Option<u32>,
    /// The nodes are those of this earlier tree with the splices applied; `nodes` is empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub since: Option<u32>,
    /// In ascending order, without overlap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<Splice>>"))]
    pub splices: Vec<Splice>,
    /// Why the frame could not be read; `nodes` is empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub unreadable: Option<String>,
    /// Which nodes were asked for (inside the target, in the viewport): pairs of first index and index after the last. Absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub within: Option<Vec<u32>>,
    /// What was shown for a while since the last snapshot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<Vanished>>"))]
    pub vanished: Vec<Vanished>,
    /// Halves of surrogate pairs that were replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub lone: Option<u32>,
}

/// Result of `snapshot/take`: every frame of a tab, main frame first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Snapshot {
    /// The tab it was taken of.
    pub tab: Tab,
    /// Frames, parents before children.
    pub frames: Vec<FrameTree>,
    /// Why the target of a part was refused; the frames are empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub refused: Option<Refusal>,
}

/// Text of one frame, as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrameText {
    /// Chrome's frame id.
    pub frame: u32,
    /// Address of the document.
    pub url: String,
    /// Visible text; lines as rendered.
    pub text: String,
    /// Why the frame could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub unreadable: Option<String>,
    /// Halves of surrogate pairs that were replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub lone: Option<u32>,
}
