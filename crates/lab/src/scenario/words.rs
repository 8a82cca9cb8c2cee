//! The closed words of a reply: outcomes with what they claim, and refusal codes.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a write's reply says happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Something changed at or near the target.
    Changed,
    /// A document or same-document navigation.
    Navigated,
    /// A new tab opened.
    OpenedTab,
    /// A native dialog opened.
    Dialog,
    /// A download began.
    Download,
    /// Only network activity was caused.
    Requested,
    /// Less landed than was asked for.
    Partial,
    /// It changed and the page put it back.
    Reverted,
    /// Nothing moved.
    NoEffect,
    /// The input never reached the target.
    NotDelivered,
    /// Something moved, by itself or without a history.
    Unattributed,
    /// Observation failed or cannot see.
    Unverifiable,
    /// A hop died on the way.
    Interrupted,
}

/// What an outcome asserts about the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeClass {
    /// There was an effect.
    Effect,
    /// There was none.
    NoEffect,
    /// It does not say.
    Abstains,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 13] = [
        Self::Changed,
        Self::Navigated,
        Self::OpenedTab,
        Self::Dialog,
        Self::Download,
        Self::Requested,
        Self::Partial,
        Self::Reverted,
        Self::NoEffect,
        Self::NotDelivered,
        Self::Unattributed,
        Self::Unverifiable,
        Self::Interrupted,
    ];

    /// What it asserts.
    pub fn class(self) -> OutcomeClass {
        match self {
            Self::Changed | Self::Navigated | Self::OpenedTab | Self::Dialog | Self::Download | Self::Requested | Self::Partial => {
                OutcomeClass::Effect
            }
            Self::Reverted | Self::NoEffect | Self::NotDelivered => OutcomeClass::NoEffect,
            Self::Unattributed | Self::Unverifiable | Self::Interrupted => OutcomeClass::Abstains,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Navigated => "navigated",
            Self::OpenedTab => "opened_tab",
            Self::Dialog => "dialog",
            Self::Download => "download",
            Self::Requested => "requested",
            Self::Partial => "partial",
            Self::Reverted => "reverted",
            Self::NoEffect => "no_effect",
            Self::NotDelivered => "not_delivered",
            Self::Unattributed => "unattributed",
            Self::Unverifiable => "unverifiable",
            Self::Interrupted => "interrupted",
        }
    }

    /// The outcome with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why a call was refused or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the documentation; the bridge's docs explain each")]
pub enum RefusalCode {
    StaleRef,
    NotFound,
    Ambiguous,
    Covered,
    Disabled,
    NotVisible,
    NotEditable,
    WrongKind,
    NoMatch,
    RestrictedPage,
    NoTab,
    TabOwned,
    Paused,
    NeedsConfirmation,
    Declined,
    DialogOpen,
    Timeout,
    Cancelled,
    ExtensionNotConnected,
    ProtocolMismatch,
    InvalidArgument,
    Unsupported,
    Internal,
}

impl RefusalCode {
    /// Every code.
    pub const ALL: [Self; 23] = [
        Self::StaleRef,
        Self::NotFound,
        Self::Ambiguous,
        Self::Covered,
        Self::Disabled,
        Self::NotVisible,
        Self::NotEditable,
        Self::WrongKind,
        Self::NoMatch,
        Self::RestrictedPage,
        Self::NoTab,
        Self::TabOwned,
        Self::Paused,
        Self::NeedsConfirmation,
        Self::Declined,
        Self::DialogOpen,
        Self::Timeout,
        Self::Cancelled,
        Self::ExtensionNotConnected,
        Self::ProtocolMismatch,
        Self::InvalidArgument,
        Self::Unsupported,
        Self::Internal,
    ];
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
