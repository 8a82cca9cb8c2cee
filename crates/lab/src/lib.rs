//! The lab: fixtures with an independent journal, real Chrome, scenarios, verdicts.
//!
//! A black-box client: it never links the bridge.

pub mod axdiff;
pub mod bench;
pub mod capture;
pub mod chrome;
pub mod cli;
pub mod command;
pub mod driver;
pub mod event;
pub mod fixture;
pub mod frames;
pub mod record;
pub mod replay;
pub mod report;
pub mod runner;
pub mod scenario;
pub mod serve;
pub mod shrink;
pub mod subject;
pub mod transcript;
pub mod verdict;
