//! What the benches share: generated pages as data, a fake extension, an agent over stdio, a running Chrome, and percentiles.
//!
//! Criterion gives means with confidence; the percentiles beside them come from [`Latency`].
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints what it measured")]

mod agent;
mod corpus;
mod fake;
mod hops;
mod latency;
mod program;
mod stage;

pub use agent::Agent;
pub use corpus::{Size, snapshot};
pub use fake::{Fake, Local};
pub use hops::{Hops, Measured, print_shares};
pub use latency::Latency;
pub use program::Programs;
pub use stage::{Stage, Tabs};

use std::time::Duration;

use criterion::Criterion;

/// Criterion with short times: a whole `cargo bench` takes minutes, not an hour.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args()
}

/// The value, or the end of the bench with the reason.
pub fn must<T>(result: anyhow::Result<T>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        std::process::exit(1)
    })
}

/// The runtime that all agents and sockets of a bench live in.
///
/// # Errors
/// When the system gives no threads.
pub fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}
