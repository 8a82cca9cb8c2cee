//! Many fields in one command, and the form that they belong to.

use serde::{Deserialize, Serialize};

use crate::{Act, Described, Refusal, Target};

/// What a field is to hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum FillValue {
    /// A text, in place of what is there; of a list: one label or value.
    Text {
        /// Text.
        text: String,
    },
    /// A box, radio or switch.
    Checked {
        /// Checked.
        checked: bool,
    },
    /// Options of a list.
    Options {
        /// Labels or values.
        options: Vec<String>,
    },
}

/// One field of `form/fill`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FillField {
    /// Which.
    pub target: Target,
    /// What it is to hold.
    pub value: FillValue,
}

/// What became of one field at the dispatch; what it holds is read back by every look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Receipt {
    /// Nothing was done to it.
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// It already was so; nothing was done to it.
    Already {
        /// The field.
        field: Described,
    },
    /// Input went to it.
    Done {
        /// The field.
        field: Described,
        /// For text: UTF-16 units that its own limits let through.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        accepted: Option<u32>,
    },
    /// The page stopped before it could be told whether input went to it.
    Unknown {
        /// Why.
        why: String,
    },
}

/// Result of `form/fill`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Filled {
    /// The action as a whole; refused when no field took input.
    pub act: Act,
    /// One for each field, in order.
    pub receipts: Vec<Receipt>,
}

/// Result of `form/owner`: how the fields are submitted together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Owner {
    /// By this button, the first submit button of their form.
    Button {
        /// The button, with its ref.
        button: Described,
    },
    /// Their form has no submit button.
    Form {},
    /// Not at all.
    None {
        /// Why.
        why: String,
    },
}
