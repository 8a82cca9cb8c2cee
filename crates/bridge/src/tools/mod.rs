//! The one ordered list of tools, and the policy around every call.

mod act;
mod batch;
mod capture;
mod changes;
mod coach;
mod confirm;
mod desk;
mod dialog;
mod drag;
mod eval;
mod expect;
mod fetch;
mod files;
mod fill;
mod find;
mod form;
mod gate;
mod human;
mod keyboard;
mod keys;
mod learnings;
mod navigate;
mod network;
mod paging;
mod plan;
mod pointer;
mod press;
mod reading;
mod reload;
mod scroll;
mod seen;
mod snapshot;
mod tabs;
mod target;
mod text;
mod tool;
mod trees;
mod upload;
mod wait;

pub use desk::Desk;
pub use files::{FILES_DIR_VARIABLE, Files, UPLOAD_DIRS_VARIABLE};
pub use gate::call;
pub use learnings::Learnings;
pub use tool::{Access, AnyTool, Block, Context, Group, Reply, ToolError};
pub(crate) use trees::read_ahead;

use tool::Erased;

/// Every tool, in the order of `tools/list` and the docs.
#[must_use]
pub fn registry() -> &'static [&'static dyn AnyTool] {
    &[
        &Erased::<tabs::Tabs>::NEW,
        &Erased::<navigate::Navigate>::NEW,
        &Erased::<snapshot::Snapshot>::NEW,
        &Erased::<snapshot::GetText>::NEW,
        &Erased::<text::ReadText>::NEW,
        &Erased::<text::ReadDom>::NEW,
        &Erased::<find::Find>::NEW,
        &Erased::<find::Query>::NEW,
        &Erased::<pointer::Click>::NEW,
        &Erased::<pointer::Hover>::NEW,
        &Erased::<scroll::ScrollTool>::NEW,
        &Erased::<drag::Drag>::NEW,
        &Erased::<keyboard::Type>::NEW,
        &Erased::<batch::Act>::NEW,
        &Erased::<press::PressKey>::NEW,
        &Erased::<form::Check>::NEW,
        &Erased::<form::Uncheck>::NEW,
        &Erased::<form::SelectOption>::NEW,
        &Erased::<fill::Fill>::NEW,
        &Erased::<upload::Upload>::NEW,
        &Erased::<dialog::Dialog>::NEW,
        &Erased::<wait::WaitFor>::NEW,
        &Erased::<capture::Screenshot>::NEW,
        &Erased::<network::Console>::NEW,
        &Erased::<network::Network>::NEW,
        &Erased::<fetch::Fetch>::NEW,
        &Erased::<fetch::Download>::NEW,
        &Erased::<eval::Eval>::NEW,
        &Erased::<learnings::LearningsTool>::NEW,
        &Erased::<human::AskHuman>::NEW,
        &Erased::<human::StatusLine>::NEW,
        &Erased::<reload::Reload>::NEW,
    ]
}

/// Tools of the small list: what most tasks need, in less than 15 KB.
pub const CORE: &[&str] = &[
    "tabs",
    "navigate",
    "snapshot",
    "get_text",
    "find",
    "click",
    "type",
    "press_key",
    "act",
    "hover",
    "scroll",
    "drag",
    "fill",
    "dialog",
    "wait_for",
    "screenshot",
    "ask_human",
];

/// Which tools an agent is told of. It may call the others all the same: the list is about its context, not about rights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Offer {
    /// Those of [`CORE`].
    Core,
    /// Every one.
    #[default]
    All,
}

impl Offer {
    /// Its word on command lines and in headers.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::All => "all",
        }
    }

    /// The offer of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::Core, Self::All].into_iter().find(|offer| offer.word() == word)
    }

    /// Its tools, in the order of the registry.
    pub fn tools(self) -> impl Iterator<Item = &'static dyn AnyTool> {
        registry().iter().copied().filter(move |tool| self == Self::All || CORE.contains(&tool.name()))
    }
}

#[cfg(test)]
mod tests;
