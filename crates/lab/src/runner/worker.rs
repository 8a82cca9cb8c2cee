//! A worker: one Chrome and one subject instance, case after case, started anew when the browser is lost.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tokio::io::AsyncBufReadExt as _;

use crate::driver::{self, Chrome, ChromeOptions, TabHandle};
use crate::event::{AttemptReport, Event, ScenarioReport, StepReport, attempt_file};
use crate::fixture::FixtureServer;
use crate::frames::{FrameLog, Secrets, Tail};
use crate::report::note;
use crate::scenario::{Action, Profile, Scenario};
use crate::subject::Subject;
use crate::verdict::{Judgement, Verdict, of_attempts, of_steps};

use super::attempt::{Attempt, Scene};
use super::known;
use super::load::Load;
use super::queue::Queue;
use super::record::{Record, places};
use super::tape::Tape;
use super::{Emitter, Job, RunOptions};

/// How often in a row a browser that did not come up, or was lost at its first case, is started anew.
pub(super) const MAX_RESTARTS: u32 = 2;

/// What all workers share.
pub(super) struct Ring<'a> {
    pub(super) options: &'a RunOptions,
    pub(super) server: &'a FixtureServer,
    pub(super) queue: &'a Queue,
    pub(super) emit: &'a Emitter,
    pub(super) load: &'a Load,
}

/// Works until nothing is left to do.
pub(super) async fn work(ring: &Ring<'_>, number: usize, workers: usize) {
    let mut lost = 0;
    while let Some(profile) = ring.queue.profile_for(number, workers) {
        if ring.emit.stop.is_cancelled() {
            return;
        }
        let booth = tokio::select! {
            booth = Booth::open(ring, profile) => booth,
            () = ring.emit.stop.cancelled() => return,
        };
        let why = match booth {
            Ok(booth) => {
                let lasted = booth.play_all(ring, profile).await;
                booth.close(ring, number).await;
                match lasted {
                    Lasted::Whole => None,
                    // A browser that has played cases did come up: the next may as well.
                    Lasted::Some => {
                        lost = 0;
                        None
                    }
                    Lasted::None(why) => Some(BoothError { why, lasting: false }),
                }
            }
            Err(error) => Some(error),
        };
        let Some(BoothError { why, lasting }) = why else { continue };
        lost += 1;
        if lasting || lost > MAX_RESTARTS {
            return ring.give_up(&why);
        }
        tracing::warn!(%why, "the environment did not come up, trying again");
    }
}

impl Ring<'_> {
    /// Ends the run: what one worker lacks, all lack. One event tells why; the cases left are reported without attempts.
    fn give_up(&self, why: &str) {
        // Of several workers that fail at once the first speaks for all.
        if self.emit.stop.is_cancelled() {
            return;
        }
        self.emit.event(Event::EnvironmentFailed { reason: why.to_owned() });
        self.emit.stop.cancel();
        let reason = why.lines().next().unwrap_or_default();
        for profile in Profile::ALL {
            while let Some(job) = self.queue.next(profile) {
                self.send(&job, Judgement::new(Verdict::Environment, reason), Played::nothing());
            }
        }
    }

    /// Leaves everything as it is until somebody presses Enter, or nobody is there who could.
    async fn pause(&self, job: &Job, judgement: &Judgement, chrome: &Chrome) {
        let case = job.case();
        let place = chrome.devtools_url();
        note(&format!("{case} is {}: {}\n     its pages are open ({place}); Enter goes on", judgement.verdict, judgement.why));
        let mut line = String::new();
        let mut input = tokio::io::BufReader::new(tokio::io::stdin());
        tokio::select! {
            // The end of the input means that nobody is there.
            _ = input.read_line(&mut line) => {}
            () = self.options.cancel.cancelled() => {}
        }
    }

    fn report(&self, job: &Job, played: Played) -> Verdict {
        let (today, _) = known::now();
        let judgement = self.options.known.applied(of_attempts(&played.attempts), &job.scenario.name, &self.options.subject, &today);
        self.send(job, judgement, played)
    }

    fn send(&self, job: &Job, judgement: Judgement, played: Played) -> Verdict {
        let Played { attempts, steps, kept, earlier, started } = played;
        let report = ScenarioReport {
            name: job.scenario.name.clone(),
            fixture: job.fixture.id.clone(),
            subject: self.options.subject.clone(),
            profile: job.profile,
            verdict: judgement.verdict,
            reason: judgement.why,
            attempts: u32::try_from(attempts.len()).unwrap_or(u32::MAX),
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            steps,
            round: job.round,
            kept,
            earlier,
        };
        let verdict = report.verdict;
        self.emit.event(Event::ScenarioFinished { report });
        verdict
    }
}

/// What was played of a case.
struct Played {
    attempts: Vec<Judgement>,
    /// The steps of the last attempt.
    steps: Vec<StepReport>,
    /// Where the evidence of the last attempt is.
    kept: Option<String>,
    /// The attempts before it.
    earlier: Vec<AttemptReport>,
    started: Instant,
}

impl Played {
    fn nothing() -> Self {
        Self { attempts: Vec::new(), steps: Vec::new(), kept: None, earlier: Vec::new(), started: Instant::now() }
    }
}

/// Why a booth did not open.
pub(super) struct BoothError {
    pub(super) why: String,
    /// Trying again cannot help.
    pub(super) lasting: bool,
}

impl BoothError {
    fn passing(why: impl Into<String>) -> Self {
        Self { why: why.into(), lasting: false }
    }
}

/// How long a booth lasted.
enum Lasted {
    /// Until nothing was left to do.
    Whole,
    /// The browser was lost after it had played some cases.
    Some,
    /// It was lost at its first case, for this reason.
    None(String),
}

/// A Chrome with a subject that has hold of it.
pub(super) struct Booth {
    chrome: Chrome,
    subject: Box<dyn Subject>,
    state: tempfile::TempDir,
    /// Our own tab, in front of the agent's (wild).
    front: Option<TabHandle>,
    /// The tabs that belong to the booth and stay, whatever address they come to have.
    resident: Vec<TabHandle>,
    /// The subject did not come back after a fault: nothing can be judged here any more.
    broken: AtomicBool,
}

impl Booth {
    pub(super) async fn open(ring: &Ring<'_>, profile: Profile) -> Result<Self, BoothError> {
        let state = tempfile::Builder::new()
            .prefix("lab-state-")
            .tempdir()
            .map_err(|error| BoothError::passing(format!("no temporary folder could be made: {error}")))?;
        let subject = ring.options.plan.start_breakable(state.path()).await.map_err(|error| BoothError::passing(error.to_string()))?;
        let options = ChromeOptions {
            profile: match profile {
                Profile::Calm => driver::Profile::Calm,
                Profile::Wild => driver::Profile::Wild,
                Profile::Headed => driver::Profile::Headed,
            },
            headed: ring.options.manner.headed,
            webdriver: ring.options.manner.webdriver.clone(),
            extension: subject.extension(),
            ..ChromeOptions::default()
        };
        let chrome = match Chrome::launch(options).await {
            Ok(chrome) => chrome,
            Err(error) => {
                stop(subject.as_ref()).await;
                return Err(BoothError { lasting: error.is_lasting(), why: error.to_string() });
            }
        };
        let mut booth = Self { chrome, subject, state, front: None, resident: Vec::new(), broken: AtomicBool::new(false) };
        match booth.settle(ring, profile).await {
            Ok(()) => Ok(booth),
            Err(why) => {
                let tail = booth.chrome.stderr_tail(5);
                booth.close(ring, usize::MAX).await;
                Err(BoothError::passing(format!("{why}\nChrome's last words: {tail}")))
            }
        }
    }

    /// Waits for the subject's hello and puts our own tab in front where the profile wants it.
    async fn settle(&mut self, ring: &Ring<'_>, profile: Profile) -> Result<(), String> {
        // Opened only now: on the command line they would race with the extension that serves them.
        for url in self.subject.start_urls() {
            self.chrome.open(&url).await.map_err(|error| error.to_string())?;
        }
        self.subject.ready().await.map_err(|error| error.to_string())?;
        if profile == Profile::Wild {
            let page = format!("{}/200?front", ring.server.origin_a());
            self.front = Some(self.chrome.open(&page).await.map_err(|error| error.to_string())?);
        }
        let tabs = self.chrome.tabs().await.map_err(|error| error.to_string())?;
        self.resident = tabs.into_iter().map(|(tab, _)| tab).collect();
        Ok(())
    }

    /// Plays cases of this profile until none is left or the browser is lost.
    async fn play_all(&self, ring: &Ring<'_>, profile: Profile) -> Lasted {
        let mut any = false;
        while !ring.emit.stop.is_cancelled() {
            let Some(job) = ring.queue.next(profile) else { break };
            let played = tokio::select! {
                verdict = self.play(ring, &job) => Some(verdict),
                () = ring.options.cancel.cancelled() => None,
            };
            match played {
                Some(Verdict::Environment) if any => return Lasted::Some,
                Some(Verdict::Environment) => {
                    let case = job.case();
                    return Lasted::None(format!("{case} could not be judged in a browser of its own either"));
                }
                Some(_) if !self.is_whole() => return Lasted::Some,
                // The bar of a debugger comes once, and outlives the tab it came for: the next case needs a window without one.
                Some(_) if profile == Profile::Headed => break,
                Some(_) => any = true,
                None => break,
            }
        }
        Lasted::Whole
    }

    /// Whether something can still be judged here.
    pub(super) fn is_whole(&self) -> bool {
        !self.broken.load(Ordering::Relaxed)
    }

    pub(super) async fn play(&self, ring: &Ring<'_>, job: &Job) -> Verdict {
        let mut played = Played::nothing();
        for number in 1..=ring.options.manner.retries + 1 {
            ring.emit.event(Event::ScenarioStarted { case: job.case(), attempt: number });
            if let Some(before) = played.attempts.last() {
                let (verdict, reason) = (before.verdict, before.why.clone());
                let steps = std::mem::take(&mut played.steps);
                played.earlier.push(AttemptReport { verdict, reason, steps, kept: played.kept.take() });
            }
            let judgement = self.attempt(ring, job, number, &mut played).await;
            let verdict = judgement.verdict;
            played.attempts.push(judgement);
            let over = matches!(verdict, Verdict::Passed | Verdict::Environment | Verdict::LabError);
            if over || !self.is_whole() {
                break;
            }
        }
        ring.report(job, played)
    }

    async fn attempt(&self, ring: &Ring<'_>, job: &Job, number: u32, played: &mut Played) -> Judgement {
        let secrets = if job.fixture.has_tag("secret") { typed(&job.scenario) } else { Secrets::default() };
        let log = self.log(ring, job, number, secrets.clone());
        let own = self.subject.own_log().map(Tail::here);
        let recording = match ring.options.manner.record {
            true => Record::begin(&ring.options.folder, job, self.subject.as_ref()).await,
            false => None,
        };
        let tape = if recording.is_some() { Tape::recording() } else { Tape::Off };
        let scene = Scene {
            chrome: Some(&self.chrome),
            tape: &tape,
            subject: self.subject.as_ref(),
            server: ring.server,
            job,
            front: self.front.as_ref(),
            load: ring.load,
        };
        let folder = ring.options.folder.join("evidence").join(case_file(job, number));
        let manner = &ring.options.manner;
        // Whoever is tried again is looked at more closely.
        let mut attempt = Attempt::new(scene, log.clone()).closely(manner.evidence || number > 1).slowly(manner.slow_mo);
        let judgements = attempt
            .play(|step| {
                ring.emit.event(Event::StepFinished { case: job.case(), attempt: number, step: step.clone() });
                played.steps.push(step);
            })
            .await;
        let mut judgement = of_steps(&judgements);
        if judgement.verdict != Verdict::Passed || manner.evidence || number > 1 {
            // The pages must still be there: the session's end closes them.
            let evidence = attempt.evidence().await;
            played.kept = evidence.keep(&folder, &secrets, attempt.page()).await.map(|path| path.display().to_string());
        }
        if judgement.verdict != Verdict::Passed && manner.pause_on_fail {
            ring.pause(job, &judgement, &self.chrome).await;
        }
        if let Some(recording) = recording {
            let root = ring.options.fixtures.parent().unwrap_or(&ring.options.fixtures);
            let places = places(ring.server, attempt.run(), (root, self.state.path()), &tape);
            recording.end(judgement.verdict, job, self.subject.as_ref(), &tape, places).await;
        }
        attempt.close().await;
        if let Some(own) = own {
            log.copy_tail(&own);
        }
        if job.scenario.has_faults()
            && let Err(why) = self.subject.ready().await
        {
            self.broken.store(true, Ordering::Relaxed);
            if judgement.verdict == Verdict::Passed {
                judgement = Judgement::new(Verdict::Failed, format!("after the fault: {why}"));
            }
        }
        if let Err(why) = self.clear().await
            && judgement.verdict < Verdict::Environment
        {
            judgement = Judgement::new(Verdict::Environment, format!("the tabs could not be closed: {why}"));
        }
        judgement
    }

    /// The frame log of an attempt. Without one the verdict is the same.
    fn log(&self, ring: &Ring<'_>, job: &Job, number: u32, secrets: Secrets) -> FrameLog {
        let name = format!("{}.jsonl", case_file(job, number));
        FrameLog::create(&ring.options.folder.join("frames").join(name), secrets).unwrap_or_else(|error| {
            tracing::warn!(%error, "the frame log cannot be written");
            FrameLog::none()
        })
    }

    /// Closes every tab that is not the booth's own, through the browser.
    async fn clear(&self) -> Result<(), String> {
        let tabs = self.chrome.tabs().await.map_err(|error| error.to_string())?;
        for (tab, _) in tabs.into_iter().filter(|(tab, _)| !self.resident.contains(tab)) {
            // A tab that closed itself meanwhile is just as well.
            if let Err(error) = self.chrome.close_tab(&tab).await {
                tracing::debug!(%error, "the tab was already closed");
            }
        }
        Ok(())
    }

    pub(super) async fn close(self, ring: &Ring<'_>, number: usize) {
        stop(self.subject.as_ref()).await;
        if let Err(error) = self.chrome.close().await {
            tracing::warn!(%error, "Chrome did not end cleanly");
        }
        keep_logs(self.state.path(), &ring.options.folder, number);
    }
}

/// The name of an attempt among files.
fn case_file(job: &Job, number: u32) -> String {
    attempt_file(&job.scenario.name, job.profile, number, job.round)
}

async fn stop(subject: &dyn Subject) {
    if let Err(error) = subject.stop().await {
        tracing::warn!(%error, "the subject did not end cleanly");
    }
}

/// Texts a scenario types.
fn typed(scenario: &Scenario) -> Secrets {
    Secrets::new(scenario.steps.iter().filter_map(|step| match &step.action {
        Action::Type(args) => Some(args.text.clone()),
        _ => None,
    }))
}

/// Copies the logs of a subject's state folder (nothing else of it: there are tokens in it) to the run's folder.
fn keep_logs(state: &Path, run: &Path, worker: usize) {
    let worker = if worker == usize::MAX { String::from("preflight") } else { format!("worker-{worker}") };
    for name in ["daemon.log", "server.stderr"] {
        let from = state.join(name);
        if from.is_file()
            && let Err(error) = std::fs::copy(&from, run.join(format!("{worker}.{name}")))
        {
            tracing::warn!(%error, "a log of the subject could not be kept");
        }
    }
}
