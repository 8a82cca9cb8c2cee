//! The scenario language: typed model, parser with exact places, checks. No browser, no I/O besides reading files.

mod check;
mod error;
pub mod explain;
mod fault;
mod load;
mod model;
mod step;
mod words;

pub use check::check;
pub(crate) use error::did_you_mean;
pub use error::{LoadError, ScenarioError};
pub use fault::{During, Fault, Person};
pub(crate) use load::in_place;
pub use load::{Catalog, Unreadable, load_all, load_readable, parse};
pub use model::{
    EventExpectation, Expect, ImageExpectation, JournalExpectation, OneOrMany, Profile, Scenario, Step, Until, schema, tool_words,
};
pub use step::{
    Action, CallArgs, ClickArgs, GetTextArgs, NavigateArgs, ReadArgs, ScreenshotArgs, SnapshotArgs, TabsArgs, Target, TypeArgs,
    WaitCondition, WaitForArgs,
};
pub use words::{Outcome, OutcomeClass, RefusalCode};
