//! Plays cases without a browser, one after the other, on one daemon: transcripts stand for Chrome and the journal.

use std::path::{Path, PathBuf};
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::event::{Event, ScenarioReport};
use crate::fixture::FixtureServer;
use crate::frames::FrameLog;
use crate::replay::{Ended, Faults, Script, unsuited};
use crate::subject::Plan;
use crate::subject::replayed::Replayed;
use crate::transcript::{Transcript, file_of, read};
use crate::verdict::{Judgement, Verdict, of_steps};

use super::attempt::{Attempt, Scene};
use super::load::Load;
use super::record::HOSTS;
use super::tape::Tape;
use super::{Emitter, Job, RunError};

/// What to replay and how.
pub struct ReplayOptions {
    /// The cases in order.
    pub jobs: Vec<Job>,
    /// The server under test.
    pub plan: Plan,
    /// Its name.
    pub subject: String,
    /// The fixtures' folder.
    pub fixtures: PathBuf,
    /// The folder of the transcripts.
    pub transcripts: PathBuf,
    /// What goes wrong with the frames.
    pub faults: Faults,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// Where the run's files go.
    pub folder: PathBuf,
    /// Ends the run early.
    pub cancel: CancellationToken,
}

/// Replays all cases; everything worth knowing comes out as events.
///
/// # Errors
/// When the run's folder cannot be had. All else is a verdict.
pub async fn replay(options: ReplayOptions, events: UnboundedSender<Event>) -> Result<(), RunError> {
    let started = Instant::now();
    let folder = options.folder.clone();
    std::fs::create_dir_all(&folder).map_err(|source| RunError::Folder { path: folder.clone(), source })?;
    let run = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let emit = Emitter { events, fail_fast: options.fail_fast, stop: options.cancel.child_token() };
    emit.event(Event::RunStarted { run, subject: options.subject.clone(), cases: options.jobs.len(), jobs: 1 });
    let state = tempfile::Builder::new().prefix("lab-state-").tempdir().map_err(|source| RunError::Folder { path: folder, source })?;
    match options.plan.start_replayed(state.path()).await {
        Ok(subject) => {
            let stage = Theatre {
                options: &options,
                subject: &subject,
                server: FixtureServer::unserved(&options.fixtures, HOSTS),
                load: Load::watch(),
            };
            for job in &options.jobs {
                if emit.stop.is_cancelled() {
                    break;
                }
                stage.play(job, &emit).await;
            }
            if let Err(error) = crate::subject::Subject::stop(&subject).await {
                tracing::warn!(%error, "the subject did not end cleanly");
            }
        }
        Err(error) => emit.event(Event::EnvironmentFailed { reason: error.to_string() }),
    }
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    emit.event(Event::RunFinished { duration_ms, interrupted: options.cancel.is_cancelled() });
    Ok(())
}

struct Theatre<'a> {
    options: &'a ReplayOptions,
    subject: &'a Replayed,
    server: FixtureServer,
    load: Load,
}

impl Theatre<'_> {
    async fn play(&self, job: &Job, emit: &Emitter) {
        emit.event(Event::ScenarioStarted { case: job.case(), attempt: 1 });
        let started = Instant::now();
        let mut steps = Vec::new();
        let judgement = match self.transcript(job) {
            Ok(transcript) => self.perform(job, &transcript, emit, &mut steps).await,
            Err(why) => Judgement::new(Verdict::Failed, why),
        };
        let report = ScenarioReport {
            name: job.scenario.name.clone(),
            fixture: job.fixture.id.clone(),
            subject: self.options.subject.clone(),
            profile: job.profile,
            verdict: judgement.verdict,
            reason: judgement.why,
            round: 1,
            attempts: 1,
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            steps,
            kept: None,
            earlier: Vec::new(),
        };
        emit.event(Event::ScenarioFinished { report });
    }

    /// Writes down what went wrong on purpose, as it can be asked for again.
    fn list(&self, job: &Job, injected: &[String]) {
        let path = self.options.folder.join("faults.txt");
        let line = format!("{}: {} (seed {})\n", job.case(), injected.join(", "), self.options.faults.seed);
        let file = std::fs::File::options().create(true).append(true).open(&path);
        if let Err(error) = file.and_then(|mut file| std::io::Write::write_all(&mut file, line.as_bytes())) {
            tracing::warn!(%error, "the list of faults cannot be written");
        }
    }

    /// The transcript of a case, fit to be played.
    fn transcript(&self, job: &Job) -> Result<Transcript, String> {
        if let Some(why) = unsuited(&job.scenario) {
            return Err(format!("it cannot be replayed: {why}"));
        }
        let folder = &self.options.transcripts;
        let path = folder.join(file_of(&job.case()));
        let transcript = read(&path, &folder.join(protocol::BLOB_FOLDER)).map_err(|error| error.to_string())?;
        if let Some(cut) = &transcript.cut {
            return Err(format!("{} is truncated: {cut}", path.display()));
        }
        let of = transcript.scenario.as_ref().map(|scenario| (scenario.name.as_str(), scenario.profile.clone()));
        if of != Some((job.scenario.name.as_str(), job.profile.to_string())) {
            return Err(format!("{} is of {:?}, not of this case", path.display(), of.unwrap_or_default().0));
        }
        Ok(transcript)
    }

    async fn perform(&self, job: &Job, transcript: &Transcript, emit: &Emitter, steps: &mut Vec<crate::event::StepReport>) -> Judgement {
        let player = self.subject.player();
        let root = self.options.fixtures.parent().unwrap_or(&self.options.fixtures).display().to_string();
        let (script, injected) = self.options.faults.inject(Script::of(transcript, &root), &job.scenario.name);
        if let Err(error) = player.begin(script).await {
            return Judgement::new(Verdict::LabError, error.to_string());
        }
        let tape = Tape::playing(transcript.witnessed());
        let scene = Scene { chrome: None, subject: self.subject, server: &self.server, job, front: None, tape: &tape, load: &self.load };
        let mut attempt = Attempt::new(scene, FrameLog::none());
        let judgements = attempt
            .play(|step| {
                emit.event(Event::StepFinished { case: job.case(), attempt: 1, step: step.clone() });
                steps.push(step);
            })
            .await;
        attempt.close().await;
        let ended = player.end().await;
        if !injected.is_empty() {
            self.list(job, &injected);
            return under_faults(&of_steps(&judgements), &ended, &injected.join(", "), self.options.faults.move_time());
        }
        let mut judgement = of_steps(&judgements);
        let bless = format!("`lab scenario bless {}` if that is intended", job.scenario.name);
        // What was not answered explains everything after it.
        if let Some(fault) = ended.misfits.first() {
            judgement = Judgement::new(Verdict::Failed, format!("{fault}; {bless}"));
        } else if judgement.verdict == Verdict::Passed {
            // A scenario that ended early has not come to all of it.
            let left = (tape.left() > 0).then(|| format!("{} of what the witnesses told was not asked for", tape.left()));
            if let Some(missed) = ended.missed.or(left) {
                judgement = Judgement::new(Verdict::Failed, format!("{missed}; {bless}"));
            }
        }
        judgement
    }
}

/// Where frames were lost on purpose nothing is expected of the replies but honesty: no claim that is not so, no call without an end,
/// nothing done twice. Where frames come at other times the recorded journal cannot tell what was so when they came.
fn under_faults(judged: &Judgement, ended: &Ended, faults: &str, moves_time: bool) -> Judgement {
    let misfit = ended.misfits.last().map(String::as_str).unwrap_or_default();
    match judged.verdict {
        _ if ended.twice => Judgement::new(Verdict::Failed, format!("with {faults}: {misfit}")),
        _ if ended.hung => Judgement::new(Verdict::Failed, format!("with {faults} a call had no end: {misfit}")),
        Verdict::Lie | Verdict::FalseAlarm if moves_time => Judgement::passed(),
        Verdict::Lie | Verdict::FalseAlarm | Verdict::Environment => {
            Judgement::new(judged.verdict, format!("with {faults}: {}", judged.why))
        }
        _ => Judgement::passed(),
    }
}

/// Whether a case has a transcript.
#[must_use]
pub fn has_transcript(scenarios: &Path, job: &Job) -> bool {
    scenarios.join(file_of(&job.case())).is_file()
}
