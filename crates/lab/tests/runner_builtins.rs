//! Proof that the lab can fail: a liar over every scenario that writes, a mute and an evasive subject over every second, in real Chrome.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lab::cli::ProfileChoice;
use lab::command::Selection;
use lab::event::ScenarioReport;
use lab::report::consume;
use lab::runner::{Job, RunOptions, known::KnownFailures, run};
use lab::scenario::{Action, Catalog, JournalExpectation, Scenario, Step, load_all};
use lab::subject::Plan;
use lab::verdict::Verdict;
use tokio_util::sync::CancellationToken;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn jobs() -> Vec<Job> {
    let fixtures = lab::fixture::load_all(&root().join("fixtures")).expect("the fixtures are read");
    let scenarios = load_all(&root().join("scenarios"), &Catalog::of(&fixtures)).expect("the scenarios are read");
    let scenarios = scenarios.into_iter().map(Arc::new).collect::<Vec<_>>();
    let fixtures = fixtures.into_iter().map(|fixture| (fixture.id.clone(), Arc::new(fixture))).collect();
    let selection = Selection { profile: ProfileChoice::Calm, ..Selection::default() };
    selection.jobs(&scenarios, &fixtures)
}

/// One Chrome at a time: the tests are about verdicts, not about a busy machine.
static CHROME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Every `nth` of the scenarios that are meant: what the subject shows nothing in is not played, each scenario costs a second.
async fn play(subject: &str, nth: usize, meant: impl Fn(&Scenario) -> bool) -> Vec<(Arc<Scenario>, ScenarioReport)> {
    let _turn = CHROME.lock().await;
    let folder = tempfile::tempdir().expect("a folder");
    let jobs = jobs().into_iter().filter(|job| meant(&job.scenario)).step_by(nth).collect::<Vec<_>>();
    assert!(!jobs.is_empty());
    let scenarios = jobs.iter().map(|job| (job.scenario.name.clone(), Arc::clone(&job.scenario))).collect::<BTreeMap<_, _>>();
    let options = RunOptions {
        jobs,
        plan: Plan::prepare(&root(), subject).await.expect("is built in"),
        subject: subject.to_owned(),
        fixtures: root().join("fixtures"),
        workers: 2,
        manner: Default::default(),
        unreadable: Vec::new(),
        known: KnownFailures::default(),
        folder: folder.path().join("run"),
        cancel: CancellationToken::new(),
    };
    let (events, stream) = tokio::sync::mpsc::unbounded_channel();
    let (done, outcome) = tokio::join!(run(options, events), consume(stream, Vec::new()));
    done.expect("the run is made");
    assert_eq!(outcome.reports.len(), scenarios.len(), "every case is reported");
    outcome.reports.into_iter().map(|report| (Arc::clone(&scenarios[&report.name]), report)).collect()
}

/// Compares and tells all that differ at once.
fn assert_verdicts(played: &[(Arc<Scenario>, ScenarioReport)], expected: Verdict, meant: impl Fn(&Scenario) -> bool) {
    let meant = played.iter().filter(|(scenario, _)| meant(scenario)).collect::<Vec<_>>();
    assert!(!meant.is_empty());
    let wrong = meant
        .iter()
        .filter(|(_, report)| report.verdict != expected)
        .map(|(_, report)| format!("{}: {} ({})", report.name, report.verdict, report.reason))
        .collect::<Vec<_>>();
    assert!(wrong.is_empty(), "expected {expected}:\n{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_liar_is_caught_in_every_scenario_that_writes() {
    let played = play("liar", 1, |scenario| scenario.has_writes() || asks_for_deeds(scenario)).await;
    assert_verdicts(&played, Verdict::Lie, Scenario::has_writes);
    // Of a tool that is called as it is the claim is not read; that nothing was done is seen all the same.
    let seen = played.iter().filter(|(scenario, report)| asks_for_deeds(scenario) && report.verdict == Verdict::Failed).count();
    assert!(seen > 0, "a liar whose deeds are asked for by the journal alone fails");
}

/// Whether the journal must hold something, or the user be shown something, that no judged claim stands for.
fn asks_for_deeds(scenario: &Scenario) -> bool {
    let leaves = |journal: &JournalExpectation| !journal.goal.is_empty() || !journal.events.is_empty();
    let person = |step: &Step| step.during.as_ref().is_some_and(|during| during.person.is_some());
    !scenario.has_writes() && scenario.steps.iter().any(|step| person(step) || step.journal.as_ref().is_some_and(leaves))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_mute_raises_a_false_alarm_wherever_there_is_an_effect() {
    // Where the page's user goes elsewhere first, the fixture's solution cannot be performed.
    let stays = |scenario: &Scenario| {
        !scenario
            .steps
            .iter()
            .any(|step| matches!(&step.action, Action::Page(page) if matches!(page.action, lab::fixture::Action::Navigate(_))))
    };
    // Some fixtures no driver can solve: they have no solution at all.
    let fixtures = lab::fixture::load_all(&root().join("fixtures")).expect("the fixtures are read");
    let solved = |scenario: &Scenario| fixtures.iter().any(|fixture| fixture.id == scenario.fixture && !fixture.reference.is_empty());
    let has_effect =
        |scenario: &Scenario| stays(scenario) && solved(scenario) && scenario.steps.iter().any(|step| step.expect.effect == Some(true));
    let played = play("mute", 2, has_effect).await;
    let all = played.len();
    // It acts by the fixture's reference solution, which some variants (in a shadow root, in a frame) do not have.
    let (unable, played) = played.into_iter().partition::<Vec<_>, _>(|(_, report)| {
        report.verdict == Verdict::LabError && report.reason.starts_with("a built-in subject could not act")
    });
    assert!(unable.len() * 5 < all, "{} of {all} have no solution to act by", unable.len());
    assert_verdicts(&played, Verdict::FalseAlarm, |_| true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_cannot_tell_is_evasive() {
    // Where `unverifiable` is an honest answer, giving it is none.
    let may_abstain = |scenario: &Scenario| {
        let first = scenario.steps.iter().find(|step| step.action.is_write());
        first.is_some_and(|step| step.expect.outcome.iter().any(|outcome| outcome.word() == "unverifiable"))
    };
    let played = play("evasive", 2, |scenario| scenario.has_writes() && !may_abstain(scenario)).await;
    assert_verdicts(&played, Verdict::Evasive, |_| true);
}
