//! Case after case in one Chrome with one subject, where each is chosen by what came of the one before.

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::event::{Event, ScenarioReport};
use crate::fixture::FixtureServer;
use crate::verdict::Verdict;

use super::load::Load;
use super::queue::Queue;
use super::worker::{Booth, MAX_RESTARTS, Ring};
use super::{Emitter, Job, RunError, RunOptions};

/// Lets `chosen` play what it likes. The jobs of the options are not played; the rest of them says how.
///
/// # Errors
/// When not even the fixture server or the run's folder can be had.
pub async fn rehearse<T>(options: RunOptions, chosen: impl AsyncFnOnce(&mut Rehearsal<'_>) -> T) -> Result<T, RunError> {
    let folder = options.folder.clone();
    std::fs::create_dir_all(&folder).map_err(|source| RunError::Folder { path: folder, source })?;
    let server = FixtureServer::start(&options.fixtures).await?;
    let (events, heard) = unbounded_channel();
    let emit = Emitter { events, fail_fast: false, stop: options.cancel.child_token() };
    let (queue, load) = (Queue::new(&[]), Load::watch());
    let ring = Ring { options: &options, server: &server, queue: &queue, emit: &emit, load: &load };
    let mut rehearsal = Rehearsal { ring, heard, booth: None };
    let done = chosen(&mut rehearsal).await;
    rehearsal.close().await;
    Ok(done)
}

/// A Chrome and a subject, there from the first case on and started anew when they are lost.
pub struct Rehearsal<'a> {
    ring: Ring<'a>,
    heard: UnboundedReceiver<Event>,
    booth: Option<(crate::scenario::Profile, Booth)>,
}

impl Rehearsal<'_> {
    /// Plays a case; what came of it.
    ///
    /// # Errors
    /// When Chrome or the subject does not come up, or somebody interrupts, in words.
    pub async fn play(&mut self, job: &Job) -> Result<ScenarioReport, String> {
        let mut why = String::new();
        for _ in 0..=MAX_RESTARTS {
            let report = match self.once(job).await {
                Ok(report) => report,
                Err((told, true)) => return Err(told),
                Err((told, false)) => {
                    why = told;
                    continue;
                }
            };
            if report.verdict != Verdict::Environment {
                return Ok(report);
            }
            why = report.reason;
            self.close().await;
        }
        Err(why)
    }

    /// Once, with an error that may pass or lasts.
    async fn once(&mut self, job: &Job) -> Result<ScenarioReport, (String, bool)> {
        let cancel = &self.ring.options.cancel;
        let interrupted = || (String::from("interrupted"), true);
        let booth = match self.booth.take_if(|(profile, booth)| *profile == job.profile && booth.is_whole()) {
            Some((_, booth)) => booth,
            None => {
                self.close().await;
                let opened = tokio::select! {
                    opened = Booth::open(&self.ring, job.profile) => opened,
                    () = cancel.cancelled() => return Err(interrupted()),
                };
                opened.map_err(|error| (error.why, error.lasting))?
            }
        };
        let (_, booth) = self.booth.insert((job.profile, booth));
        tokio::select! {
            _ = booth.play(&self.ring, job) => {}
            () = cancel.cancelled() => return Err(interrupted()),
        }
        let mut report = None;
        while let Ok(event) = self.heard.try_recv() {
            if let Event::ScenarioFinished { report: finished } = event {
                report = Some(finished);
            }
        }
        report.ok_or_else(|| (String::from("the case ended without a report"), true))
    }

    async fn close(&mut self) {
        if let Some((_, booth)) = self.booth.take() {
            booth.close(&self.ring, 0).await;
        }
    }
}
