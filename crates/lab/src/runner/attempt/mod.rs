//! One attempt at a case: a fresh session and tab, the steps in order, each judged as its reply arrives.

mod call;
mod session;
mod target;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::driver::{Chrome, TabHandle, Witness};
use crate::event::{Pictures, StepReport};
use crate::fixture::{FixtureServer, Journal, JournalError};
use crate::frames::FrameLog;
use crate::scenario::{Action, Fault, Step};
use crate::subject::{Node, Subject, SubjectError, SubjectSession};
use crate::verdict::{Judgement, Verdict};

use super::Job;
use super::evidence::Evidence;
use super::expectation::{check_journal, reached};
use super::load::Load;
use super::tape::Tape;

/// The name of the session a step takes by default, and of the tab the runner opens.
const MAIN: &str = "main";

/// What an attempt plays on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// None where a transcript stands for it.
    pub(super) chrome: Option<&'a Chrome>,
    pub(super) subject: &'a dyn Subject,
    pub(super) server: &'a FixtureServer,
    pub(super) job: &'a Job,
    /// A tab of ours that stays in front (wild).
    pub(super) front: Option<&'a TabHandle>,
    /// What the witnesses say.
    pub(super) tape: &'a Tape,
    /// How busy the machine is.
    pub(super) load: &'a Load,
}

/// The state of an attempt.
pub(super) struct Attempt<'a> {
    scene: Scene<'a>,
    run: String,
    log: FrameLog,
    sessions: BTreeMap<String, Box<dyn SubjectSession + 'a>>,
    refs: BTreeMap<String, (String, Node)>,
    tabs: BTreeMap<String, String>,
    /// The fixture's tab, for the page's user (calm only).
    page: Option<TabHandle>,
    /// The fixture's tab, for what is to happen to it.
    stage: Option<TabHandle>,
    /// Each call with its reply.
    replies: Vec<(String, String)>,
    /// The sessions whose server was killed.
    dead: BTreeSet<String>,
    /// The journal as it was before the browser was stopped, for as long as it is.
    halted: Option<Journal>,
    began: Instant,
    /// Pause before each step.
    pause: Duration,
    /// Pictures are taken around each step that acts, and console and network are heard.
    close_up: bool,
    witness: Option<Witness>,
    /// Pictures by their file names.
    pictures: Vec<(String, Vec<u8>)>,
    /// The lives of the subject's worker that were seen.
    generations: Vec<String>,
}

/// A step's judgement with what it rests on.
struct Judged {
    judgement: Judgement,
    claim: Option<String>,
    truth: Option<String>,
    took: Duration,
}

impl Judged {
    fn new(judgement: Judgement, took: Duration) -> Self {
        Self { judgement, claim: None, truth: None, took }
    }
}

/// A step that could not be judged.
pub(super) type Stopped = Judgement;

impl<'a> Attempt<'a> {
    pub(super) fn new(scene: Scene<'a>, log: FrameLog) -> Self {
        Self {
            scene,
            run: scene.tape.run(),
            log,
            sessions: BTreeMap::new(),
            refs: BTreeMap::new(),
            tabs: BTreeMap::new(),
            page: None,
            stage: None,
            replies: Vec::new(),
            dead: BTreeSet::new(),
            halted: None,
            began: Instant::now(),
            pause: Duration::ZERO,
            close_up: false,
            witness: None,
            pictures: Vec::new(),
            generations: Vec::new(),
        }
    }

    /// With pictures around each step that acts, and with console and network.
    pub(super) fn closely(mut self, close_up: bool) -> Self {
        self.close_up = close_up;
        self
    }

    /// With a pause before each step.
    pub(super) fn slowly(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// What there is to keep of it.
    pub(super) async fn evidence(&self) -> Evidence {
        let mut generations = self.generations.clone();
        generations.extend(self.scene.subject.generation().await);
        let heard = self.witness.as_ref().map(Witness::heard).unwrap_or_default();
        let latest = self.sessions.iter().filter_map(|(name, session)| Some((name.clone(), session.latest_snapshot()?.to_owned())));
        let journal = serde_json::to_string_pretty(&self.scene.tape.journal(self.scene.server, &self.run)).unwrap_or_default();
        Evidence {
            replies: self.replies.clone(),
            snapshots: latest.collect(),
            journal,
            heard: if heard.is_empty() { String::new() } else { serde_json::to_string_pretty(&heard).unwrap_or_default() },
            generations: generations.join("\n"),
            pictures: self.pictures.clone(),
        }
    }

    /// The token of its run.
    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// The fixture's tab, where it can be pictured without a trace.
    pub(super) fn page(&self) -> Option<(&'a Chrome, &TabHandle)> {
        Some((self.scene.chrome?, self.page.as_ref()?))
    }

    /// Plays all steps; `told` hears of each as it is over.
    pub(super) async fn play(&mut self, mut told: impl FnMut(StepReport)) -> Vec<Judgement> {
        let scenario = &self.scene.job.scenario;
        if let Err(stopped) = self.opening().await {
            return vec![stopped];
        }
        let mut judgements = Vec::new();
        if self.close_up {
            self.generations.extend(self.scene.subject.generation().await);
            self.listen().await;
        }
        for (index, step) in scenario.steps.iter().enumerate() {
            tokio::time::sleep(self.pause).await;
            let at_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let before = self.picture(step, index, "before").await;
            let seen = self.scene.tape.journal(self.scene.server, &self.run).records.len();
            let started = Instant::now();
            let judged = match self.step(step).await {
                Ok(judged) => judged,
                Err(stopped) => Judged::new(stopped, started.elapsed()),
            };
            let Judged { judgement, claim, truth, took } = judged;
            let after = if before.is_some() { self.picture(step, index, "after").await } else { None };
            let pictures = before.zip(after).map(|(before, after)| Pictures { before, after, hit: self.hit(seen) });
            told(StepReport {
                step: step.words(),
                line: step.line,
                verdict: judgement.verdict,
                claim,
                truth,
                reason: judgement.why.clone(),
                ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
                at_ms,
                pictures,
            });
            // A wait that was not met leaves nothing for later steps to build on.
            let ends = judgement.verdict.ends_scenario() || (judgement.verdict != Verdict::Passed && !step.action.is_call());
            judgements.push(judgement);
            if ends {
                break;
            }
        }
        judgements
    }

    /// Ends all sessions.
    pub(super) async fn close(self) {
        for session in self.sessions.into_values() {
            session.close().await;
        }
        self.scene.server.hub().forget(&self.run);
    }

    async fn step(&mut self, step: &Step) -> Result<Judged, Stopped> {
        match &step.action {
            Action::Until(until) => {
                let started = Instant::now();
                let bound = Duration::from_millis(until.within_ms);
                let Scene { tape, server, .. } = self.scene;
                let waited = tape.wait(server, &self.run, bound, |journal| reached(journal, until)).await;
                let judgement = match waited {
                    Ok(_) => self.journal_only(step).await?,
                    Err(error @ JournalError::NotReached { .. }) => Judgement::new(Verdict::Failed, format!("{}: {error}", until.why)),
                    Err(error) => lab_error(&error),
                };
                Ok(Judged::new(judgement, started.elapsed()))
            }
            Action::Page(reference) => {
                let started = Instant::now();
                let Scene { chrome: Some(chrome), server, job, .. } = self.scene else {
                    // What the user did is in the transcript.
                    return Ok(Judged::new(self.journal_only(step).await?, started.elapsed()));
                };
                let Some(page) = &self.page else {
                    let why = "there is no fixture tab for the page's user";
                    return Err(Judgement::new(Verdict::LabError, why));
                };
                let url = server.url(&job.fixture, &self.run, &job.scenario.query);
                let done = chrome.perform_in(page, &url, std::slice::from_ref(reference), server).await;
                done.map_err(|error| Judgement::new(Verdict::LabError, format!("the page's user could not act: {error}")))?;
                let judgement = self.journal_only(step).await?;
                Ok(Judged::new(judgement, started.elapsed()))
            }
            Action::Fault(fault) => {
                let started = Instant::now();
                if *fault == Fault::HalfOpen {
                    self.halted = Some(self.barrier().await?);
                }
                self.lose(*fault).await?;
                if self.halted.is_some() {
                    // Nobody can tell anything before the next reply.
                    return Ok(Judged::new(Judgement::passed(), started.elapsed()));
                }
                let judgement = self.journal_only(step).await?;
                Ok(Judged::new(judgement, started.elapsed()))
            }
            _ => self.call(step).await,
        }
    }

    async fn journal_only(&self, step: &Step) -> Result<Judgement, Stopped> {
        let Some(expect) = &step.journal else { return Ok(Judgement::passed()) };
        Ok(check_journal(&self.barrier().await?, expect))
    }

    async fn barrier(&self) -> Result<Journal, Stopped> {
        self.scene.tape.barrier(self.scene.server, &self.run).await.map_err(|error| lab_error(&error))
    }
}

/// What a subject's failure comes to: its own fault where it answered wrongly or not, else the environment's.
pub(super) fn stopped(error: &SubjectError) -> Judgement {
    let verdict = match error {
        SubjectError::NoReply { .. } | SubjectError::Broken(_) | SubjectError::Reply(_) => Verdict::Failed,
        SubjectError::Driver(_) => Verdict::LabError,
        _ => Verdict::Environment,
    };
    Judgement::new(verdict, error.to_string())
}

pub(super) fn lab_error(error: &JournalError) -> Judgement {
    // A scenario that was changed does not fit its transcript: that is nobody's error.
    let verdict = if matches!(error, JournalError::Tape(_)) { Verdict::Failed } else { Verdict::LabError };
    Judgement::new(verdict, error.to_string())
}
