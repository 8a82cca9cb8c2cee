//! `lab scenario minimize`: the shortest scenario that still fails as one of a run did.

use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::cli::{MinimizeArgs, ProfileChoice};
use crate::event::{Event, ScenarioReport};
use crate::report::{note, runs};
use crate::runner::known::KnownFailures;
use crate::runner::{Job, Manner, Rehearsal, RunOptions, rehearse};
use crate::scenario::{Catalog, LoadError, Profile, Scenario, parse};
use crate::shrink::{Symptom, ddmin, kept};
use crate::subject::Plan;
use crate::verdict::Verdict;

use super::scenario::Library;
use super::{CommandError, Exit, print, report, write};

/// How often the whole scenario must fail alike before anything is taken away, besides the run itself.
const REPEATS: usize = 2;

pub(super) async fn run(root: &Path, args: MinimizeArgs) -> Result<Exit, CommandError> {
    let folder = report::find(&root.join("runs"), args.run.as_deref())?;
    let events = runs::events_of(&folder).map_err(CommandError::Lab)?;
    let failed = chosen(&events, &args)?;
    let (library, unreadable) = Library::readable(root)?;
    let Some(scenario) = library.scenarios.iter().find(|scenario| scenario.name == failed.name) else {
        return Err(match unreadable.into_iter().find(|one| one.name == failed.name) {
            Some(faulty) => LoadError::of(vec![faulty]).into(),
            None => CommandError::Changed(format!("the scenario `{}` of the run is gone", failed.name)),
        });
    };
    unchanged(failed, scenario)?;
    let path = root.join("scenarios").join(format!("{}.yaml", scenario.name));
    let source =
        std::fs::read_to_string(&path).map_err(|error| CommandError::Lab(format!("{} cannot be read: {error}", path.display())))?;
    let Some(fixture) = library.fixtures.get(&scenario.fixture) else {
        return Err(CommandError::Changed(format!("the fixture `{}` of the run is gone", scenario.fixture)));
    };
    let job = Job { scenario: Arc::clone(scenario), fixture: Arc::clone(fixture), profile: failed.profile, round: 1 };
    let catalog = Catalog::of(library.fixtures.values().map(AsRef::as_ref));
    // A file that cannot be cut is told before anything is started.
    let lines: Vec<u64> = scenario.steps.iter().map(|step| step.line).collect();
    kept(&source, &lines, &[0]).map_err(|error| CommandError::Changed(format!("{}: {error}", path.display())))?;
    let out = args.out.clone().unwrap_or_else(|| {
        let name = format!("{}.{}.yaml", scenario.name.replace('/', "."), failed.profile);
        folder.join("minimal").join(name)
    });
    let search = Search { symptom: Symptom::of(failed, scenario), job, source, lines, catalog, tries: 0 };
    let tried = stage(root, &failed.subject, args.headed, async |rehearsal| search.make(rehearsal).await).await?;
    let found = match tried {
        Ok(found) => found,
        Err(why) if why == "interrupted" => return Ok(Exit::Interrupted),
        Err(why) => return Err(CommandError::Unready(why)),
    };
    tell(&found, failed, &folder, &out)
}

/// The failed case that is meant.
fn chosen<'a>(events: &'a [Event], args: &MinimizeArgs) -> Result<&'a ScenarioReport, CommandError> {
    let reports = events.iter().filter_map(|event| match event {
        Event::ScenarioFinished { report } => Some(report),
        _ => None,
    });
    let is_failed = |report: &&ScenarioReport| report.verdict != Verdict::Passed && report.verdict != Verdict::Fixed;
    let profile = match args.profile {
        ProfileChoice::Calm => Some(Profile::Calm),
        ProfileChoice::Wild => Some(Profile::Wild),
        ProfileChoice::Headed => Some(Profile::Headed),
        ProfileChoice::All => None,
    };
    let mut failed: Vec<&ScenarioReport> = Vec::new();
    for report in reports.filter(is_failed).filter(|report| profile.is_none_or(|profile| report.profile == profile)) {
        // Of several rounds one is enough.
        if failed.iter().all(|other| other.case() != report.case()) {
            failed.push(report);
        }
    }
    if let Some(name) = &args.name {
        let whole = failed.iter().any(|report| report.name == *name);
        failed.retain(|report| if whole { report.name == *name } else { report.name.contains(name.as_str()) });
    }
    match failed.as_slice() {
        [] => {
            let with = args.name.as_ref().map(|name| format!(" with {name} in its name")).unwrap_or_default();
            Err(CommandError::NothingMatched(format!("no scenario{with} failed in this run")))
        }
        [one] if one.verdict == Verdict::Environment => {
            Err(CommandError::NothingMatched(format!("{} is `environment`: nothing was learnt of the subject", one.case())))
        }
        [one] => Ok(one),
        several => {
            let names = several.iter().map(|report| report.case().to_string()).collect::<Vec<_>>().join(", ");
            Err(CommandError::Usage(format!("{} scenarios failed, say which (and --profile): {names}", several.len())))
        }
    }
}

/// The scenario must be the one that was run.
fn unchanged(failed: &ScenarioReport, scenario: &Scenario) -> Result<(), CommandError> {
    let same =
        failed.steps.len() <= scenario.steps.len() && failed.steps.iter().zip(&scenario.steps).all(|(ran, step)| ran.step == step.words());
    match same {
        true => Ok(()),
        false => Err(CommandError::Changed(format!("`{}` has other steps than when it was run: run it again", failed.name))),
    }
}

/// Brings up what the tries need; they leave nothing behind.
async fn stage<T>(root: &Path, subject: &str, headed: bool, search: impl AsyncFnOnce(&mut Rehearsal<'_>) -> T) -> Result<T, CommandError> {
    let temporary = tempfile::Builder::new().prefix("lab-minimize-").tempdir();
    let temporary = temporary.map_err(|error| CommandError::Lab(format!("no temporary folder could be made: {error}")))?;
    let cancel = CancellationToken::new();
    let options = RunOptions {
        jobs: Vec::new(),
        plan: Plan::prepare(root, subject).await?,
        subject: subject.to_owned(),
        fixtures: root.join("fixtures"),
        workers: 1,
        manner: Manner { headed, ..Manner::default() },
        unreadable: Vec::new(),
        // The verdict behind the known failure is what must stay.
        known: KnownFailures::default(),
        folder: temporary.path().to_owned(),
        cancel: cancel.clone(),
    };
    let interrupt = tokio::spawn(async move {
        super::interrupted().await;
        cancel.cancel();
    });
    let done = rehearse(options, search).await;
    interrupt.abort();
    Ok(done?)
}

/// The search for the shortest scenario.
struct Search {
    symptom: Symptom,
    job: Job,
    source: String,
    lines: Vec<u64>,
    catalog: Catalog,
    tries: usize,
}

/// What came of it.
enum Found {
    /// The shortest one.
    Shortest {
        text: String,
        before: usize,
        after: usize,
        tries: usize,
        symptom: Symptom,
        /// Why it fails.
        reason: String,
    },
    /// The verdict does not repeat.
    Flaky { before: Symptom, after: Symptom, what: &'static str },
}

impl Search {
    async fn make(mut self, rehearsal: &mut Rehearsal<'_>) -> Result<Found, String> {
        let before = self.lines.len();
        note(&format!("{}: {}; {before} steps", self.job.case(), self.symptom));
        let whole = Job { scenario: Arc::clone(&self.job.scenario), ..self.job.clone() };
        for _ in 0..REPEATS {
            let report = rehearsal.play(&whole).await?;
            let now = Symptom::of(&report, &whole.scenario);
            if now != self.symptom {
                return Ok(Found::Flaky { before: self.symptom, after: now, what: "the scenario" });
            }
        }
        let left = ddmin(before, async |keep: &[usize]| self.shows(rehearsal, keep).await).await?;
        // What is handed out was seen to fail alike once more.
        let (text, shortest) = self.only(&left).ok_or("the shortest scenario cannot be read")?;
        let report = rehearsal.play(&shortest).await?;
        let now = Symptom::of(&report, &shortest.scenario);
        if now != self.symptom {
            return Ok(Found::Flaky { before: self.symptom, after: now, what: "the shortest scenario" });
        }
        Ok(Found::Shortest { text, before, after: left.len(), tries: self.tries, symptom: now, reason: report.reason })
    }

    /// Whether these steps alone fail alike.
    async fn shows(&mut self, rehearsal: &mut Rehearsal<'_>, keep: &[usize]) -> Result<bool, String> {
        // A ref that nobody has remembered any more: such a scenario is none.
        let Some((_, job)) = self.only(keep) else { return Ok(false) };
        self.tries += 1;
        let report = rehearsal.play(&job).await?;
        let now = Symptom::of(&report, &job.scenario);
        note(&format!("try {}: {} steps: {now}", self.tries, keep.len()));
        Ok(now == self.symptom)
    }

    /// The file with these steps only, and the case it makes.
    fn only(&self, keep: &[usize]) -> Option<(String, Job)> {
        let name = &self.job.scenario.name;
        let text = kept(&self.source, &self.lines, keep).ok()?;
        let scenario = parse(name, name, &text, &self.catalog).ok()?;
        Some((text, Job { scenario: Arc::new(scenario), ..self.job.clone() }))
    }
}

fn tell(found: &Found, failed: &ScenarioReport, folder: &Path, out: &Path) -> Result<Exit, CommandError> {
    match found {
        Found::Flaky { before, after, what } => {
            print(&format!(
                "{} is flaky: it was {before}; played again, {what} is {after}. It is not shrunk; see how often it fails:\n  {} --repeat 20",
                failed.case(),
                failed.again()
            ))?;
            Ok(Exit::Flaky)
        }
        Found::Shortest { text, before, after, tries, symptom, reason } => {
            let run = folder.file_name().unwrap_or_default().to_string_lossy();
            let head = format!("# The shortest of {} that is {symptom}: {after} of {before} steps, from run {run}.\n", failed.case());
            write(out, &format!("{head}{text}"))?;
            print(&format!("{}: {symptom}\n{before} → {after} steps, {tries} tries\n{reason}\n{}", failed.case(), out.display()))?;
            Ok(Exit::Ok)
        }
    }
}
