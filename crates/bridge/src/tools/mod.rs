//! The one ordered list of tools, and the policy around every call.

mod act;
mod batch;
mod capture;
mod changes;
mod desk;
mod fetch;
mod files;
mod find;
mod gate;
mod keyboard;
mod navigate;
mod network;
mod paging;
mod plan;
mod pointer;
mod reading;
mod seen;
mod snapshot;
mod tabs;
mod target;
mod text;
mod tool;
mod trees;
mod wait;

pub use desk::Desk;
pub use files::{FILES_DIR_VARIABLE, Files};
pub use gate::call;
pub use tool::{Access, AnyTool, Block, Context, Group, Reply, ToolError};

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
        &Erased::<keyboard::Type>::NEW,
        &Erased::<batch::Act>::NEW,
        &Erased::<wait::WaitFor>::NEW,
        &Erased::<capture::Screenshot>::NEW,
        &Erased::<network::Console>::NEW,
        &Erased::<network::Network>::NEW,
        &Erased::<fetch::Fetch>::NEW,
        &Erased::<fetch::Download>::NEW,
    ]
}

#[cfg(test)]
mod tests;
