//! Runs cases: workers with one Chrome and one subject each, one attempt after another, every claim judged.

mod attempt;
mod evidence;
mod expectation;
pub mod known;
mod load;
mod queue;
mod record;
mod rehearsal;
mod replay;
mod strike;
pub(crate) mod tape;
mod truth;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::event::{Case, Event};
use crate::fixture::{Fixture, FixtureServer, ServerError};
use crate::scenario::{Profile, Scenario};
use crate::subject::Plan;

use known::KnownFailures;
use queue::Queue;

pub use rehearsal::{Rehearsal, rehearse};
pub use replay::{ReplayOptions, has_transcript, replay};
pub use truth::{Truth, truth};

/// Why a run could not be made at all.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RunError {
    /// The fixture server did not start.
    #[error("the fixture server did not start: {0}")]
    Server(#[from] ServerError),
    /// The run's folder cannot be used.
    #[error("{path} cannot be used: {source}", path = path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A scenario in a profile, with all that is known about it.
#[derive(Clone)]
pub struct Job {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Its fixture.
    pub fixture: Arc<Fixture>,
    /// The profile.
    pub profile: Profile,
    /// Which of several rounds, from 1.
    pub round: u32,
}

/// How cases are run.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// How often a failed case is tried again.
    pub retries: u32,
    /// Show the windows.
    pub headed: bool,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// Keep pictures, console and network of every attempt, not only of those that failed.
    pub evidence: bool,
    /// Leave the pages of a failed case open until somebody has looked.
    pub pause_on_fail: bool,
    /// Pause before each step.
    pub slow_mo: std::time::Duration,
    /// A WebDriver to take Chrome from, in place of one of our own.
    pub webdriver: Option<String>,
    /// Make a transcript of each attempt that passes.
    pub record: bool,
}

impl Job {
    /// Which case it is.
    pub fn case(&self) -> Case {
        Case { name: self.scenario.name.clone(), profile: self.profile }
    }
}

/// What to run and how.
pub struct RunOptions {
    /// The cases in order.
    pub jobs: Vec<Job>,
    /// The server under test.
    pub plan: Plan,
    /// Its name.
    pub subject: String,
    /// The fixtures' folder.
    pub fixtures: PathBuf,
    /// How many Chromes work at once.
    pub workers: usize,
    /// How they are run.
    pub manner: Manner,
    /// Scenarios that could not be read, to be told: name, line and reason.
    pub unreadable: Vec<(String, u64, String)>,
    /// The failures that are known.
    pub known: KnownFailures,
    /// Where the run's files go.
    pub folder: PathBuf,
    /// Ends the run early.
    pub cancel: CancellationToken,
}

/// Runs all cases; everything worth knowing comes out as events.
///
/// # Errors
/// When not even the fixture server or the run's folder can be had. All else is a verdict.
pub async fn run(options: RunOptions, events: UnboundedSender<Event>) -> Result<(), RunError> {
    let started = Instant::now();
    let folder = options.folder.clone();
    std::fs::create_dir_all(&folder).map_err(|source| RunError::Folder { path: folder, source })?;
    let server = FixtureServer::start(&options.fixtures).await?;
    let workers = options.workers.clamp(1, options.jobs.len().max(1));
    let run = options.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let emit = Emitter { events, fail_fast: options.manner.fail_fast, stop: options.cancel.child_token() };
    emit.event(Event::RunStarted { run, subject: options.subject.clone(), cases: options.jobs.len(), jobs: workers });
    for (name, line, reason) in options.unreadable.iter().cloned() {
        emit.event(Event::ScenarioUnreadable { name, line, reason });
    }
    let queue = Queue::new(&options.jobs);
    let load = load::Load::watch();
    let ring = worker::Ring { options: &options, server: &server, queue: &queue, emit: &emit, load: &load };
    futures_util::future::join_all((0..workers).map(|number| worker::work(&ring, number, workers))).await;
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    emit.event(Event::RunFinished { duration_ms, interrupted: options.cancel.is_cancelled() });
    Ok(())
}

/// Sends events, and notices when the run should go no further.
struct Emitter {
    events: UnboundedSender<Event>,
    fail_fast: bool,
    stop: CancellationToken,
}

impl Emitter {
    fn event(&self, event: Event) {
        if let Event::ScenarioFinished { report } = &event
            && self.fail_fast
            && !report.verdict.is_success()
        {
            self.stop.cancel();
        }
        // Without a listener the run goes on: the verdict does not depend on a report.
        let _ = self.events.send(event);
    }
}
