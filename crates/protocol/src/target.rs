//! What an action is aimed at, and what the page knows about it.

use serde::{Deserialize, Serialize};

use crate::{State, Value};

/// Where an action goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "by", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Target {
    /// A node that a snapshot showed.
    Ref {
        /// Ordinal of its document.
        doc: u32,
        /// Number within the document.
        node: u32,
    },
    /// The one node with this role and name, in any frame: exact name first, then names that contain it.
    Name {
        /// ARIA role.
        role: String,
        /// Accessible name.
        name: String,
        /// Which of several, from 0, in document order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        nth: Option<u32>,
    },
    /// What lies at a point of the tab's viewport, in CSS pixels, in whatever frame.
    Point {
        /// From the left.
        x: u32,
        /// From the top.
        y: u32,
    },
    /// The one element that matches, in any frame; open and closed shadow roots are searched too.
    Css {
        /// CSS selector.
        selector: String,
    },
}

/// A node in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Described {
    /// ARIA role, or the tag name where there is none.
    pub role: String,
    /// Accessible name or a short text; cut to 80 characters.
    pub name: String,
    /// Ordinal of its document, when it has a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub doc: Option<u32>,
    /// Number within its document, when it has a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub node: Option<u32>,
    /// Where it stands, where that tells it from others of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub within: Option<Box<Surrounding>>,
}

/// The nearest part of the page around a node that has a name, or the heading before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Surrounding {
    /// ARIA role.
    pub role: String,
    /// Accessible name, or the text of a row or an item; cut to 60 characters.
    pub name: String,
}

/// What is known of the target at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetFacts {
    /// The node in words.
    pub described: Described,
    /// Lower-case tag name.
    pub tag: String,
    /// States that hold.
    pub states: Vec<State>,
    /// Value of a field or editing host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub value: Option<Value>,
    /// Still attached to its document.
    pub connected: bool,
    /// Submits a form when activated.
    pub submits: bool,
    /// A link, or a control that opens a new browsing context by itself.
    pub opens_tab: bool,
    /// An editing host that is not a plain field.
    pub rich: bool,
    /// Shows what cannot be read: a canvas, an embedded object.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub opaque: bool,
    /// Secret-like field: password, one-time code, card.
    pub secret: bool,
    /// What the controls that a press on it activates say of themselves, class tokens and test ids, in lower case, cut to 400 characters: for
    /// the sensitive-word rule.
    pub marks: String,
}

/// Why the page refused to act; nothing was dispatched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "reason", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Refusal {
    /// The ref's document is gone or was never known.
    Navigated,
    /// The node left the document.
    Removed {
        /// What it was.
        was: Described,
    },
    /// The node is another thing now.
    Changed {
        /// What the snapshot showed.
        was: Described,
        /// What it is.
        now: Described,
    },
    /// Nothing matches.
    NotFound {
        /// Some that are there, at most 12.
        seen: Vec<Described>,
    },
    /// Several match.
    Ambiguous {
        /// How many.
        count: u32,
        /// The first 8.
        candidates: Vec<Described>,
    },
    /// The selector cannot be parsed.
    BadSelector {
        /// What the parser said.
        message: String,
    },
    /// Something lies over the point to be hit.
    Covered {
        /// The target.
        target: Described,
        /// The cover.
        by: Described,
        /// The cover lies in a parent document.
        in_parent: bool,
    },
    /// Disabled.
    Disabled {
        /// The target.
        target: Described,
        /// `itself`, `fieldset "…"`, `aria-disabled`, `inert`.
        how: String,
    },
    /// Not rendered, or of no size.
    NotVisible {
        /// The target.
        target: Described,
        /// Which rule hides it.
        how: String,
    },
    /// It went on moving for the whole bound.
    Moving {
        /// The target.
        target: Described,
    },
    /// Text cannot be put there now.
    NotEditable {
        /// The target.
        target: Described,
        /// `readonly`, `aria-readonly`.
        how: String,
    },
    /// The point is not in the viewport.
    Outside {
        /// Width of the viewport.
        width: u32,
        /// Height of the viewport.
        height: u32,
    },
    /// It moves money: a person must allow it first.
    NeedsConfirmation {
        /// What the control says.
        label: String,
        /// The amount in it or beside it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        amount: Option<String>,
        /// Chords of this command that were pressed before.
        #[serde(default, skip_serializing_if = "crate::human::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional, as = "Option<u32>"))]
        pressed: u32,
    },
    /// It is one of those that this command spares.
    Sensitive {
        /// The target.
        target: Described,
    },
    /// Another tool is for this.
    WrongKind {
        /// The target.
        target: Described,
        /// Why not this one: `is not a text field`.
        what: String,
        /// What to use.
        instead: String,
    },
    /// The field cannot hold such a value.
    BadValue {
        /// The field.
        target: Described,
        /// What it takes: `a date as 2026-11-30`.
        takes: String,
    },
    /// None of many fields took input; one reason each, in order.
    Several {
        /// Reasons.
        refusals: Vec<Refusal>,
    },
    /// A list has no such option.
    NoOption {
        /// The list.
        target: Described,
        /// What was asked for.
        wanted: String,
        /// Labels of some that are there, at most 20.
        options: Vec<String>,
        /// How many there are.
        count: u32,
        /// It had to be opened to see them, and is open now.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
        opened: bool,
    },
}
