//! Input as it goes to the page: keys, whose names the daemon knows, and presses of the mouse.

use serde::{Deserialize, Serialize};

/// One key of a US keyboard (UI Events, `key` and `code`), or a character that no such key writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PressedKey {
    /// `KeyboardEvent.key`.
    pub key: String,
    /// `KeyboardEvent.code`; empty for a character without a key.
    pub code: String,
    /// Windows virtual key code; 0 for a character without a key.
    pub number: u32,
    /// What it writes; absent when it writes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub text: Option<String>,
}

/// A key with the modifiers that are held while it is pressed, in the order they go down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Chord {
    /// Control, Shift, Alt, Meta.
    pub held: Vec<PressedKey>,
    /// The key itself.
    pub key: PressedKey,
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Button {
    /// Main.
    #[default]
    Left,
    /// Secondary: context menus.
    Right,
    /// The wheel.
    Middle,
}

/// A key that is held during a press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Modifier {
    /// Alt.
    Alt,
    /// Control.
    Control,
    /// Meta.
    Meta,
    /// Shift.
    Shift,
}

/// How the mouse is pressed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Press {
    /// Which button.
    pub button: Button,
    /// Presses in a row, 1 to 3.
    pub count: u32,
    /// Held meanwhile.
    pub modifiers: Vec<Modifier>,
    /// Milliseconds between press and release.
    pub hold_ms: u32,
}

/// How far something is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "to", rename_all = "camelCase", deny_unknown_fields)]
pub enum Scroll {
    /// By CSS pixels; positive is down and right.
    Pixels {
        /// To the right.
        x: i32,
        /// Down.
        y: i32,
    },
    /// By parts of what the scroller shows at once.
    Pages {
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
    },
    /// To its beginning.
    Start,
    /// To its end.
    End,
    /// Until the target is in view.
    View,
}

/// A length or position in CSS pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Offset {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// What was scrolled, and how it stood right after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scrolled {
    /// Before.
    pub from: Offset,
    /// After.
    pub now: Offset,
    /// Farthest it goes.
    pub end: Offset,
}
