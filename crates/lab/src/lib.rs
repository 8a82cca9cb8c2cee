//! The lab: fixtures with an independent journal, real Chrome, scenarios, verdicts.
//!
//! A black-box client: it never links the bridge.

pub mod chrome;
pub mod driver;
pub mod fixture;
pub mod serve;
