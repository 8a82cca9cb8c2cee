//! One attempt at a case: a fresh session and tab, the steps in order, each judged as its reply arrives.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::driver::{Chrome, TabHandle, Witness};
use crate::event::{Pictures, StepReport};
use crate::fixture::{FixtureServer, Journal, JournalError, RecordKind};
use crate::frames::FrameLog;
use crate::scenario::{Action, Fault, Profile, Step, Target};
use crate::subject::{Call, CallTarget, Node, Reply, Stage, Subject, SubjectError, SubjectSession, target_value};
use crate::verdict::{Claim, Judgement, Verdict, judge_write};

use super::Job;
use super::evidence::Evidence;
use super::expectation::{check_journal, check_picture, check_reply, judge_read, reached, shown};
use super::load::{Load, alone};
use super::strike::{Strike, Victim};
use super::tape::Tape;
use super::truth::truth;

/// Longest wait for a fixture to say hello.
const HELLO_BOUND: Duration = Duration::from_secs(10);
/// Longest wait for a picture.
const PICTURE_BOUND: Duration = Duration::from_secs(3);
/// Longest wait for its load event.
const LOAD_BOUND: Duration = Duration::from_secs(2);
/// How long an effect may come after the reply of a server that says no outcomes: as long as our own watch stays open.
const GRACE: Duration = Duration::from_millis(1500);
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

    /// Begins to hear console and network of the fixture's tab. Without them the verdict is the same.
    async fn listen(&mut self) {
        // A tab that DevTools listens to is neither frozen nor unloaded.
        let Some(page) = self.page.as_ref().filter(|_| !self.scene.job.scenario.has_faults()) else { return };
        let Some(chrome) = self.scene.chrome else { return };
        match chrome.witness(page, self.began).await {
            Ok(witness) => self.witness = Some(witness),
            Err(error) => tracing::debug!(%error, "console and network are not heard"),
        }
    }

    /// Takes a picture around a step that acts; its file's name.
    async fn picture(&mut self, step: &Step, index: usize, when: &str) -> Option<String> {
        // A tab that is pictured is woken: what was done to it on purpose would be undone.
        if !self.close_up || !step.action.is_write() || self.halted.is_some() || self.scene.job.scenario.has_faults_of_tab() {
            return None;
        }
        let page = self.page.as_ref()?;
        // A page that is gone, or whose dialog is open, gives none.
        let taken = tokio::time::timeout(PICTURE_BOUND, self.scene.chrome?.picture(page)).await.ok()?.ok()?;
        let name = format!("{:02}-{when}.jpg", index + 1);
        self.pictures.push((name.clone(), taken));
        Some(name)
    }

    /// Where the page was hit since so many records, by its own word.
    fn hit(&self, since: usize) -> Option<(f64, f64)> {
        let journal = self.scene.tape.journal(self.scene.server, &self.run);
        let top = |doc: &str| journal.documents.iter().any(|document| document.top && document.id == doc);
        let mut hits = journal.since(since).iter().filter(|record| top(&record.doc)).filter_map(|record| match &record.kind {
            RecordKind::Event(event) if event.r#type == "pointerdown" || event.r#type == "click" => event.x.zip(event.y),
            _ => None,
        });
        hits.next_back()
    }

    /// Ends all sessions.
    pub(super) async fn close(self) {
        for session in self.sessions.into_values() {
            session.close().await;
        }
        self.scene.server.hub().forget(&self.run);
    }

    async fn opening(&mut self) -> Result<(), Stopped> {
        self.session(MAIN, true).await.map(|_| ())
    }

    /// The session with this name; a new one opens the fixture for itself, unless its first step opens a tab.
    async fn session(&mut self, name: &str, opens: bool) -> Result<(), Stopped> {
        if self.sessions.contains_key(name) {
            return Ok(());
        }
        let Scene { chrome, subject, server, job, tape, .. } = self.scene;
        let stage = Stage { chrome, server, fixture: Some(&job.fixture) };
        let session = subject.session(stage, self.log.clone()).await.map_err(|error| stopped(&error))?;
        let session = self.sessions.entry(name.to_owned()).or_insert(session);
        if !(opens && job.scenario.open) {
            return Ok(());
        }
        let mut query = job.scenario.query.clone();
        if name != MAIN {
            // Documents of one run share a goal state: the page can tell the sessions apart by this.
            query.insert("session".into(), name.into());
        }
        let url = server.url(&job.fixture, &self.run, &query);
        let before = tape.journal(server, &self.run).documents.len();
        let tab = session.open(&url).await.map_err(|error| stopped(&error))?;
        self.tabs.insert(name.to_owned(), tab);
        let hello =
            tape.wait(server, &self.run, HELLO_BOUND, |journal| journal.documents.iter().skip(before).any(|document| document.top)).await;
        let journal = hello.map_err(|error| match error {
            JournalError::NotReached { .. } => {
                let why = format!("the subject says that the tab is open, and the fixture did not say hello: {url}");
                Judgement::new(Verdict::Environment, why)
            }
            other => lab_error(&other),
        })?;
        self.place(&url, &journal).await?;
        self.loaded(before).await
    }

    /// Waits until the fixture has loaded with all its frames, so that no step is blamed for them. A page that goes on
    /// loading on purpose is taken as it is.
    async fn loaded(&self, before: usize) -> Result<(), Stopped> {
        let shown = |journal: &Journal| {
            let opened = journal.documents.iter().skip(before).find(|document| document.top);
            opened.is_none_or(|document| {
                let events = journal.events().filter(|(record, _)| record.doc == document.id);
                events.into_iter().any(|(_, event)| event.r#type == "pageshow") || document.blocked
            })
        };
        match self.scene.tape.wait(self.scene.server, &self.run, LOAD_BOUND, shown).await {
            Ok(_) | Err(JournalError::NotReached { .. }) => Ok(()),
            Err(error) => Err(lab_error(&error)),
        }
    }

    /// Puts the fixture's tab where the profile wants it: in front (calm) or behind (wild).
    async fn place(&mut self, url: &str, journal: &Journal) -> Result<(), Stopped> {
        let Scene { chrome: Some(chrome), job, front, .. } = self.scene else { return Ok(()) };
        let failed = |error: crate::driver::ChromeError| Judgement::new(Verdict::Environment, error.to_string());
        // A page that changes its own address at once is found by nobody; then it stays where it is.
        let found = chrome.find_tab(url).await.ok();
        if self.stage.is_none() {
            self.stage.clone_from(&found);
        }
        match job.profile {
            Profile::Calm | Profile::Headed => {
                if let Some(tab) = found {
                    chrome.activate(&tab).await.map_err(failed)?;
                    self.page.get_or_insert(tab);
                }
            }
            Profile::Wild => {
                let visible = journal.records.iter().any(|record| matches!(record.kind, RecordKind::Hello { top: true, visible: true }));
                if let (true, Some(front)) = (visible, front) {
                    chrome.activate(front).await.map_err(failed)?;
                }
            }
        }
        Ok(())
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

    async fn lose(&mut self, fault: Fault) -> Result<(), Stopped> {
        if self.scene.chrome.is_none() {
            return Ok(());
        }
        let server = self.sessions.get(MAIN).and_then(|session| session.process());
        let victim = Victim { stage: self.stage.as_ref(), server, run: &self.run };
        Strike::new(self.scene, victim).lose(fault).await?;
        if fault == Fault::KillRelay && server.is_some() {
            self.dead.insert(MAIN.to_owned());
        }
        Ok(())
    }

    /// Puts another server in the place of one that was killed, as a host does.
    async fn revive(&mut self, name: &str) -> Result<(), Stopped> {
        if !self.dead.remove(name) {
            return Ok(());
        }
        let before = match self.sessions.remove(name) {
            Some(session) => {
                let process = session.process();
                session.close().await;
                process
            }
            None => None,
        };
        let Scene { chrome, subject, server, job, .. } = self.scene;
        let stage = Stage { chrome, server, fixture: Some(&job.fixture) };
        let session = subject.session(stage, self.log.clone()).await.map_err(|error| stopped(&error))?;
        if session.process() == before {
            return Err(Judgement::new(Verdict::LabError, "the killed server is still the one that is spoken to"));
        }
        self.sessions.insert(name.to_owned(), session);
        Ok(())
    }

    async fn journal_only(&self, step: &Step) -> Result<Judgement, Stopped> {
        let Some(expect) = &step.journal else { return Ok(Judgement::passed()) };
        Ok(check_journal(&self.barrier().await?, expect))
    }

    async fn barrier(&self) -> Result<Journal, Stopped> {
        self.scene.tape.barrier(self.scene.server, &self.run).await.map_err(|error| lab_error(&error))
    }

    async fn call(&mut self, step: &Step) -> Result<Judged, Stopped> {
        let name = step.session.as_deref().unwrap_or(MAIN);
        self.revive(name).await?;
        self.session(name, !matches!(step.action, Action::Tabs(_))).await?;
        let stage = self.stage.clone();
        let call = self.prepare_call(step, name).await?;
        let is_write = step.action.is_write();
        let before = match (&self.halted, is_write) {
            (_, false) => None,
            (Some(halted), true) => Some(halted.clone()),
            (None, true) => Some(self.barrier().await?),
        };
        // A browser that is stopped tells nothing.
        let tabs = if is_write && self.halted.is_none() { self.scene.tape.tabs(self.scene.chrome).await } else { None };
        let Some(session) = self.sessions.get_mut(name) else {
            return Err(Judgement::new(Verdict::LabError, format!("there is no session {name}")));
        };
        let (reads, words) = (session.reads(), session.speaks_our_words());
        let asked = Instant::now();
        let server = session.process();
        let fault = step.during.as_ref().and_then(|during| during.fault);
        let (reply, struck) = match &step.during {
            None => (session.call(&call).await, Ok(())),
            Some(during) => {
                let strike = Strike::new(self.scene, Victim { stage: stage.as_ref(), server, run: &self.run });
                let over = CancellationToken::new();
                let calling = async {
                    let reply = session.call(&call).await;
                    over.cancel();
                    reply
                };
                // What struck is in the transcript.
                let replayed = self.scene.chrome.is_none();
                tokio::join!(calling, async { if replayed { Ok(()) } else { strike.during(during, &over).await } })
            }
        };
        let stood = self.halted.take().is_some() || fault == Some(Fault::HalfOpen);
        if let (true, Some(chrome)) = (stood, self.scene.chrome) {
            chrome.resume().await.map_err(|error| Judgement::new(Verdict::Environment, error.to_string()))?;
        }
        let reply = match reply {
            // A host whose server was killed under a call tells its agent that nothing is known of it.
            Err(error @ SubjectError::Broken(_)) if fault == Some(Fault::KillRelay) && struck.is_ok() => {
                self.dead.insert(name.to_owned());
                Ok(Some(Reply::interrupted(format!("the host says: its server is gone ({error})"), asked.elapsed())))
            }
            other => other,
        };
        let reply = reply.map_err(|error| {
            self.replies.push((step.words(), error.to_string()));
            stopped(&error)
        })?;
        let Some(reply) = reply else {
            let why = format!("the subject has no tool for `{}`", call.tool);
            return Err(Judgement::new(Verdict::NotExpressible, why));
        };
        self.replies.push((step.words(), reply.text.clone()));
        let alone = alone(reply.took, reply.waited, self.scene.load.slowdown_since(asked));
        if let (false, Claim::Success, Some(before)) = (words, &reply.claim, &before) {
            self.grant_time(before).await;
        }
        let after = if is_write || step.journal.is_some() { Some(self.barrier().await?) } else { None };
        self.remember(step, &call, &reply)?;
        let mut judged = Judged::new(Judgement::passed(), reply.took);
        match (&before, &after) {
            (Some(before), Some(after)) => {
                let mut truth = truth(before, after, &self.scene.job.fixture.effect_keys);
                // On a busy machine a new tab is there before its page says hello.
                // When the browser does not tell, the journal alone is the witness.
                if let Some(known) = &tabs
                    && let Some(now) = self.scene.tape.tabs(self.scene.chrome).await
                {
                    let opened = now.into_iter().filter(|(tab, _)| known.iter().all(|(old, _)| old != tab));
                    truth.effects.extend(opened.map(|(_, url)| format!("a new tab opened: {url}")));
                }
                judged.judgement = judge_write(&reply.claim, truth.effect(), &step.expect);
                judged.claim = Some(reply.claim.to_string());
                judged.truth = Some(truth.words());
                if judged.judgement.verdict != Verdict::Passed && !reply.text.is_empty() {
                    judged.judgement.why = format!("{}; the reply: {}", judged.judgement.why, shown(&reply.text));
                }
            }
            // What a read is refused for is a promise of this project too.
            _ if reads && (words || step.expect.refusal.is_empty()) => judged.judgement = judge_read(&reply, &step.expect),
            _ => {}
        }
        if judged.judgement.verdict == Verdict::Passed && reads {
            judged.judgement = match words {
                true => check_reply(&reply, alone, &step.expect, self.scene.job.profile),
                false => check_picture(&reply, &step.expect),
            };
        }
        if let (Verdict::Passed, Some(after), Some(expect)) = (judged.judgement.verdict, &after, &step.journal) {
            judged.judgement = check_journal(after, expect);
        }
        // A fault that found no call under way is told only where the reply itself is right.
        if let (Verdict::Passed, Err(missed)) = (judged.judgement.verdict, struck) {
            judged.judgement = missed;
        }
        Ok(judged)
    }

    /// A server without outcomes says "done" and not when: an effect that comes soon after its reply is its effect too.
    async fn grant_time(&self, before: &Journal) {
        let Scene { server, job, .. } = self.scene;
        let keys = &job.fixture.effect_keys;
        // Whether it came in time is told by the barrier that follows.
        let _ = server.wait_until(&self.run, GRACE, |journal| truth(before, journal, keys).effect()).await;
    }

    fn remember(&mut self, step: &Step, call: &Call, reply: &Reply) -> Result<(), Stopped> {
        if let (Some(word), Some(CallTarget::Ref(found, Some(node)))) = (&step.remember, &call.target) {
            self.refs.insert(word.clone(), (found.clone(), node.clone()));
        }
        if let Some(word) = &step.remember_tab {
            let Some(tab) = &reply.tab else {
                let why = format!("the reply names no tab to remember as `{word}`: {}", shown(&reply.text));
                return Err(Judgement::new(Verdict::Failed, why));
            };
            self.tabs.insert(word.clone(), tab.clone());
        }
        Ok(())
    }

    /// The step as a call in the subject's terms: refs found, tabs named, addresses filled in.
    async fn prepare_call(&mut self, step: &Step, session: &str) -> Result<Call, Stopped> {
        let tab = match &step.tab {
            Some(word) => Some(
                self.tabs
                    .get(word)
                    .cloned()
                    .ok_or_else(|| Judgement::new(Verdict::Failed, format!("no tab was remembered as `{word}`")))?,
            ),
            None => None,
        };
        let target = match step.action.target() {
            Some(target) => Some(self.target(target, session, tab.as_deref()).await?),
            None => None,
        };
        let mut arguments = step.action.arguments();
        self.fill(&mut arguments);
        if matches!(step.action, Action::Write(..)) {
            for value in arguments.values_mut() {
                self.inner_targets(value, session, tab.as_deref()).await?;
            }
        }
        let raw = matches!(step.action, Action::Call(_));
        Ok(Call { tool: step.action.tool().to_owned(), raw, is_write: step.action.is_write(), target, arguments, tab })
    }

    /// Targets inside arguments (`fields: [{target: …}]`), found like the step's own.
    async fn inner_targets(&mut self, value: &mut Value, session: &str, tab: Option<&str>) -> Result<(), Stopped> {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(fields) => {
                    for (key, inner) in fields {
                        match serde_json::from_value::<Target>(inner.clone()) {
                            Ok(target) if key == "target" && target.fault().is_none() => {
                                *inner = target_value(&self.target(&target, session, tab).await?);
                            }
                            _ => open.push(inner),
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn target(&mut self, target: &Target, session: &str, tab: Option<&str>) -> Result<CallTarget, Stopped> {
        if let Some(word) = &target.r#ref {
            let (found, node) = self
                .refs
                .get(word)
                .cloned()
                .ok_or_else(|| Judgement::new(Verdict::Failed, format!("no ref was remembered as `{word}`: the step before failed")))?;
            return Ok(CallTarget::Ref(found, Some(node)));
        }
        if let Some(css) = &target.css {
            return Ok(CallTarget::Css(css.clone()));
        }
        let (role, name) = (target.role.clone().unwrap_or_default(), target.name.clone().unwrap_or_default());
        let node = Node { role, name, nth: target.nth };
        if target.inline {
            return Ok(CallTarget::Node(node));
        }
        let Some(session) = self.sessions.get_mut(session) else {
            return Err(Judgement::new(Verdict::LabError, format!("there is no session {session}")));
        };
        match session.resolve(&node, tab).await.map_err(|error| stopped(&error))? {
            Some(found) => Ok(CallTarget::Ref(found, Some(node))),
            None => Err(Judgement::new(Verdict::NotSeen, format!("the subject's snapshot does not show {}", target.words()))),
        }
    }

    /// Fills addresses and remembered refs into a call's arguments.
    fn fill(&self, arguments: &mut Map<String, Value>) {
        let Scene { server, job, .. } = self.scene;
        if let Some(Value::String(url)) = arguments.get_mut("url") {
            let fixture = server.url(&job.fixture, &self.run, &job.scenario.query);
            *url = url
                .replace("{{fixture}}", &fixture)
                .replace("{{origin_a}}", server.origin_a())
                .replace("{{origin_b}}", server.origin_b())
                .replace("{{run}}", &self.run);
        }
        let conditions = arguments.get_mut("any").and_then(Value::as_array_mut);
        for condition in conditions.into_iter().flatten() {
            if let Some(Value::String(word)) = condition.get_mut("ref")
                && let Some((found, _)) = self.refs.get(word.as_str())
            {
                word.clone_from(found);
            }
        }
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
