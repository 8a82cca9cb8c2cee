//! Real Chrome under the lab's hand: found, started, driven, and ended without a trace.

mod chrome;

pub use chrome::{Chrome, ChromeError, ChromeOptions, Profile, TabHandle, Versions};
