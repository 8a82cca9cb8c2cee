//! Where log lines go: stderr and, for the daemon, `daemon.log`. Never stdout, which is the MCP channel.

use std::sync::Mutex;

use tracing::Level;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

use super::state::{StateDir, StateError, private_log};

/// Filter of the log, as `tracing` reads it.
const LOG_VARIABLE: &str = "TEGATA_LOG";

/// Size from which `daemon.log` is begun anew at a start; one old file is kept.
const ROTATE_AT: u64 = 5 * 1024 * 1024;

/// Where the lines of a process go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sink {
    /// Stderr.
    Stderr,
    /// `daemon.log`.
    File,
    /// Both.
    Both,
}

/// Starts the log of this process; the first start counts.
///
/// # Errors
/// When `daemon.log` cannot be written.
pub fn start_log(state: &StateDir, sink: Sink) -> Result<(), StateError> {
    let mut layers: Vec<Box<dyn Layer<Registry> + Send + Sync>> = Vec::new();
    if sink != Sink::File {
        layers.push(fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_filter(chosen()).with_filter(own()).boxed());
    }
    if sink != Sink::Stderr {
        let path = state.file("daemon.log");
        if path.metadata().is_ok_and(|metadata| metadata.len() > ROTATE_AT) {
            // A log that cannot be renamed goes on growing.
            let _ = std::fs::rename(&path, state.file("daemon.log.1"));
        }
        let file = private_log(&path).map_err(|source| StateError::File { path, source })?;
        layers.push(fmt::layer().with_writer(Mutex::new(file)).with_ansi(false).with_filter(chosen()).with_filter(own()).boxed());
    }
    // A second start in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(layers).try_init();
    Ok(())
}

fn chosen() -> EnvFilter {
    EnvFilter::try_from_env(LOG_VARIABLE).unwrap_or_else(|_| EnvFilter::new("info"))
}

/// Libraries below us log whole messages, with what was typed in them; only their errors may pass, whatever the filter says.
fn own<S>() -> impl tracing_subscriber::layer::Filter<S> {
    filter_fn(|metadata| {
        let target = metadata.target();
        target.starts_with("bridge") || target.starts_with("tegata") || *metadata.level() == Level::ERROR
    })
}
