//! `lab scenario run | list | lint | explain`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::cli::{ExplainArgs, FilterArgs, FlakyChoice, RunArgs};
use crate::event::Event;
use crate::fixture::{self, Fixture};
use crate::replay::Faults;
use crate::report::{Consumer, EventLines, Outcome, ReportRequest, Terminal, consume, note, runs};
use crate::runner::known::{KnownFailures, now};
use crate::runner::{self, Job, Manner, ReplayOptions, RunOptions, has_transcript};
use crate::scenario::{Catalog, LoadError, Scenario, ScenarioError, Unreadable, check, did_you_mean, explain, load_readable};
use crate::subject::Plan;
use crate::verdict::Verdict;

use super::select::NameFilter;
use super::{CommandError, Exit, Partition, Selection, print};

/// Everything that is on disk.
pub(super) struct Library {
    pub(super) fixtures: BTreeMap<String, Arc<Fixture>>,
    pub(super) scenarios: Vec<Arc<Scenario>>,
    pub(super) known: KnownFailures,
}

impl Library {
    /// Everything; a scenario with faults is an error.
    pub(super) fn load(root: &Path) -> Result<Self, CommandError> {
        match Self::readable(root)? {
            (library, unreadable) if unreadable.is_empty() => Ok(library),
            (_, unreadable) => Err(LoadError::of(unreadable).into()),
        }
    }

    /// What can be read, and what cannot.
    pub(super) fn readable(root: &Path) -> Result<(Self, Vec<Unreadable>), CommandError> {
        let fixtures = fixture::load_all(&root.join("fixtures"))?;
        let folder = root.join("scenarios");
        let (scenarios, unreadable) = load_readable(&folder, &Catalog::of(&fixtures))?;
        let known = KnownFailures::load(&folder).map_err(CommandError::Known)?;
        let named = known.names().filter(|name| unreadable.iter().all(|one| one.name != *name));
        if let Some(fault) = check(&scenarios, named).into_iter().next() {
            return Err(CommandError::Known(fault));
        }
        let fixtures = fixtures.into_iter().map(|fixture| (fixture.id.clone(), Arc::new(fixture))).collect();
        Ok((Self { fixtures, scenarios: scenarios.into_iter().map(Arc::new).collect(), known }, unreadable))
    }

    /// The scenarios meant; none is an error.
    pub(super) fn named(&self, args: &FilterArgs) -> Result<Vec<&Arc<Scenario>>, CommandError> {
        let filter = NameFilter::new(&args.names, &self.scenarios);
        let named = self.scenarios.iter().filter(|one| filter.takes(&one.name)).collect::<Vec<_>>();
        match named.is_empty() {
            true => {
                let near = near(&args.names, &self.scenarios);
                Err(CommandError::NothingMatched(format!("no scenario has {} in its name{near}", args.names.join(" or "))))
            }
            false => Ok(named),
        }
    }
}

/// The names that may have been meant, as the end of a sentence.
fn near(filters: &[String], scenarios: &[Arc<Scenario>]) -> String {
    // A name is known by its last word too: people leave the folder out.
    let likeness = |filter: &str, name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        strsim::jaro_winkler(filter, name).max(strsim::jaro_winkler(filter, last))
    };
    let best = |name: &str| filters.iter().map(|filter| likeness(filter, name)).fold(0.0, f64::max);
    let mut names = scenarios.iter().map(|scenario| (best(&scenario.name), scenario.name.as_str())).collect::<Vec<_>>();
    names.retain(|(likeness, _)| *likeness > 0.75);
    names.sort_by(|one, other| other.0.total_cmp(&one.0));
    match names.as_slice() {
        [] => String::new(),
        near => format!("; near it are {}", near.iter().take(3).map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) fn list(root: &Path, args: &FilterArgs) -> Result<Exit, CommandError> {
    let library = Library::load(root)?;
    let named = library.named(args)?;
    let width = named.iter().map(|scenario| scenario.name.len()).max().unwrap_or_default();
    for scenario in &named {
        let profiles = scenario.profiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        print(&format!("{:width$}  {profiles:9}  {}", scenario.name, scenario.guards))?;
    }
    print(&format!("{} scenarios", named.len()))?;
    Ok(Exit::Ok)
}

pub(super) fn lint(root: &Path, args: &FilterArgs) -> Result<Exit, CommandError> {
    let library = Library::load(root)?;
    let named = library.named(args)?;
    print(&format!("{} scenarios, no faults", named.len()))?;
    Ok(Exit::Ok)
}

pub(super) fn explain(root: &Path, args: &ExplainArgs) -> Result<Exit, CommandError> {
    let library = Library::load(root)?;
    let Some(scenario) = library.scenarios.iter().find(|scenario| scenario.name == args.name) else {
        let near = did_you_mean(&args.name, library.scenarios.iter().map(|scenario| scenario.name.as_str()));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(CommandError::NothingMatched(format!("there is no scenario `{}`{near}", args.name)));
    };
    let fixture = library.fixtures.get(&scenario.fixture).map(AsRef::as_ref);
    print(explain::scenario(scenario, fixture).trim_end())?;
    Ok(Exit::Ok)
}

pub(super) async fn run(root: &Path, args: RunArgs) -> Result<Exit, CommandError> {
    match (args.bisect, run_once(root, args).await) {
        (false, ended) => ended,
        (true, Ok(exit)) => Ok(exit.for_bisect()),
        (true, Err(error)) => Err(CommandError::Skip(Box::new(error))),
    }
}

async fn run_once(root: &Path, args: RunArgs) -> Result<Exit, CommandError> {
    let reports = args.reports.iter().map(|text| ReportRequest::parse(text)).collect::<Result<Vec<_>, _>>();
    let reports = reports.map_err(CommandError::Usage)?;
    let partition = args.partition.as_deref().map(Partition::parse).transpose().map_err(CommandError::Usage)?;
    let (library, mut unreadable) = Library::readable(root)?;
    // A faulty file that nobody asked for keeps nobody from anything; `lint` tells of it.
    unreadable.retain(|one| NameFilter::new(&args.filter.names, &library.scenarios).takes(&one.name));
    let home = root.join("runs");
    // A wrong setting is told before anything is built.
    runs::kept().map_err(CommandError::Usage)?;
    let only = match args.last_failed.then(|| runs::latest_run(&home, &args.subject)) {
        Some(Some(folder)) => Some(runs::failed_in(&folder).map_err(CommandError::Lab)?),
        Some(None) => return Err(CommandError::NothingMatched(format!("there is no earlier run against `{}` in runs/", args.subject))),
        None => None,
    };
    let rounds = args.repeat.unwrap_or(if args.until_fail { UNTIL_FAIL_ROUNDS } else { 1 });
    let mut selection = Selection { names: args.filter.names, profile: args.profile, wild: true, only, partition, rounds };
    // Nothing is built when nothing can match.
    if selection.jobs(&library.scenarios, &library.fixtures).is_empty() {
        if !unreadable.is_empty() {
            return Err(LoadError::of(unreadable).into());
        }
        let near = near(&selection.names, &library.scenarios);
        return Err(CommandError::NothingMatched(format!("there is {}{near}", selection.words())));
    }
    let plan = match args.replay {
        true => Plan::replayed(root, &args.subject).await?,
        false => Plan::prepare(root, &args.subject).await?,
    };
    // A browser that somebody else starts has a driver.
    selection.wild = plan.runs_wild() && args.webdriver.is_none();
    let mut jobs = selection.jobs(&library.scenarios, &library.fixtures);
    if jobs.is_empty() {
        return Err(CommandError::NothingMatched(format!("there is {} that `{}` can run", selection.words(), args.subject)));
    }
    if args.replay {
        jobs.retain(|job| has_transcript(&root.join("scenarios"), job));
        if jobs.is_empty() {
            return Err(CommandError::NothingMatched(format!("there is {} that has a transcript", selection.words())));
        }
        let consumers = reports.into_iter().map(|report| report.consumer(&home)).collect();
        let faults = Faults { kinds: args.faults, seed: args.seed };
        let outcome = play_again(root, jobs, (args.subject, plan), args.fail_fast || args.until_fail, faults, consumers).await?;
        return Ok(match outcome.faults.is_empty() {
            true => Exit::of_run(&outcome.reports, outcome.interrupted),
            false => Exit::Lab,
        });
    }
    let manner = Manner {
        retries: args.retries,
        headed: args.headed,
        fail_fast: args.fail_fast || args.until_fail,
        evidence: args.evidence || reports.iter().any(|report| matches!(report, ReportRequest::Html(_))),
        pause_on_fail: args.pause_on_fail,
        slow_mo: Duration::from_millis(args.slow_mo.unwrap_or_default()),
        webdriver: args.webdriver,
        record: false,
    };
    // Whoever looks on looks at one.
    let workers = if args.pause_on_fail { 1 } else { usize::from(args.jobs) };
    let how = How { workers, manner, unreadable: unreadable.iter().map(told).collect() };
    let consumers = reports.into_iter().map(|report| report.consumer(&home)).collect();
    let outcome = play(root, jobs, (args.subject, plan), how, library.known, consumers).await?;
    if !outcome.faults.is_empty() {
        return Ok(Exit::Lab);
    }
    let exit = Exit::of_run(&outcome.reports, outcome.interrupted);
    let is_flaky = || args.flaky == FlakyChoice::Fail && outcome.reports.iter().any(|report| report.verdict == Verdict::Flaky);
    Ok(match exit {
        Exit::Ok if !unreadable.is_empty() => Exit::BadScenario,
        Exit::Ok if is_flaky() => Exit::Flaky,
        other => other,
    })
}

/// How often `--until-fail` goes on at most.
const UNTIL_FAIL_ROUNDS: u32 = 1000;

/// A faulty file for those who listen to the run.
fn told(unreadable: &Unreadable) -> (String, u64, String) {
    let line = unreadable.faults.first().map_or(1, ScenarioError::line);
    let faults = unreadable.faults.iter().map(|fault| {
        let help = fault.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("line {}: {fault}{help}", fault.line())
    });
    (unreadable.name.clone(), line, faults.collect::<Vec<_>>().join("\n"))
}

/// How a run is made.
pub(super) struct How {
    pub(super) workers: usize,
    pub(super) manner: Manner,
    pub(super) unreadable: Vec<(String, u64, String)>,
}

/// Makes a run with a folder of its own, shown on the terminal.
pub(super) async fn play(
    root: &Path,
    jobs: Vec<Job>,
    (subject, plan): (String, Plan),
    how: How,
    known: KnownFailures,
    consumers: Vec<Box<dyn Consumer + Send>>,
) -> Result<Outcome, CommandError> {
    let fixtures = root.join("fixtures");
    let run = async |Place { folder, cancel }, events| {
        let How { workers, manner, unreadable } = how;
        runner::run(RunOptions { jobs, plan, subject, fixtures, workers, manner, unreadable, known, folder, cancel }, events).await
    };
    let outcome = shown(root, "ending; Chrome and the bridge are being closed", consumers, run).await?;
    for fault in &outcome.faults {
        note(fault);
    }
    Ok(outcome)
}

/// Makes a run without a browser.
async fn play_again(
    root: &Path,
    jobs: Vec<Job>,
    (subject, plan): (String, Plan),
    fail_fast: bool,
    faults: Faults,
    consumers: Vec<Box<dyn Consumer + Send>>,
) -> Result<Outcome, CommandError> {
    let (fixtures, transcripts) = (root.join("fixtures"), root.join("scenarios"));
    let run = async |Place { folder, cancel }, events| {
        runner::replay(ReplayOptions { jobs, plan, subject, fixtures, transcripts, faults, fail_fast, folder, cancel }, events).await
    };
    shown(root, "ending", consumers, run).await
}

/// Where a run's files go, and what ends it.
struct Place {
    folder: PathBuf,
    cancel: CancellationToken,
}

/// Gives a run its folder, writes down and shows what happens in it, and ends it when somebody interrupts.
async fn shown(
    root: &Path,
    ending: &'static str,
    mut consumers: Vec<Box<dyn Consumer + Send>>,
    run: impl AsyncFnOnce(Place, UnboundedSender<Event>) -> Result<(), runner::RunError>,
) -> Result<Outcome, CommandError> {
    let home = root.join("runs");
    let (date, time) = now();
    runs::prune(&home, runs::kept().map_err(CommandError::Usage)?);
    let folder = home.join(runs::name(&date, &time));
    let lines = EventLines::create(&folder).map_err(|source| runner::RunError::Folder { path: folder.clone(), source })?;
    consumers.splice(0..0, [Box::new(lines) as Box<dyn Consumer + Send>, Box::new(Terminal::stdout())]);
    let cancel = CancellationToken::new();
    let place = Place { folder, cancel: cancel.clone() };
    let interrupt = tokio::spawn(async move {
        super::interrupted().await;
        note(ending);
        cancel.cancel();
    });
    let (events, stream) = tokio::sync::mpsc::unbounded_channel();
    let (done, outcome) = tokio::join!(run(place, events), consume(stream, consumers));
    interrupt.abort();
    done?;
    Ok(outcome)
}
