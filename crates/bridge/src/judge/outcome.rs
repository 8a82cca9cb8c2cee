//! The closed set of outcomes and what each claims.

/// What became of a write (design §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Evidence at or near the target.
    Changed,
    /// The main frame has a new document or URL.
    Navigated,
    /// A tab opened.
    OpenedTab,
    /// A native dialog opened.
    Dialog,
    /// A download began.
    Download,
    /// Only network activity that it caused.
    Requested,
    /// Less landed than was asked for.
    Partial,
    /// It changed and the page put it back.
    Reverted,
    /// Nothing moved in the window.
    NoEffect,
    /// The input never reached the target.
    NotDelivered,
    /// Something moved, but it cannot be tied to the action.
    Unattributed,
    /// Observation failed.
    Unverifiable,
    /// A hop died: it may have happened.
    Interrupted,
}

/// What an outcome says about the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// There was an effect.
    Effect,
    /// There was none.
    None,
    /// No claim.
    Abstains,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: &[Self] = &[
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

    /// The word in the reply.
    #[must_use]
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

    /// What it claims.
    #[must_use]
    pub fn claim(self) -> Claim {
        match self {
            Self::Changed | Self::Navigated | Self::OpenedTab | Self::Dialog | Self::Download | Self::Requested | Self::Partial => {
                Claim::Effect
            }
            Self::Reverted | Self::NoEffect | Self::NotDelivered => Claim::None,
            Self::Unattributed | Self::Unverifiable | Self::Interrupted => Claim::Abstains,
        }
    }
}
