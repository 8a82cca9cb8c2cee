//! Reports from a fixed list of events: the terminal, JSON, JUnit, and the record itself.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lab::event::{AttemptReport, Case, Event, ScenarioReport, StepReport};
use lab::report::runs::{failed_in, latest_run};
use lab::report::{Consumer, EventLines, Github, JsonReport, JunitReport, Terminal};
use lab::scenario::Profile;
use lab::verdict::Verdict;

fn step(verdict: Verdict, claim: &str, truth: &str, reason: &str) -> StepReport {
    StepReport {
        step: "click button \"Go\"".into(),
        line: 5,
        verdict,
        claim: Some(claim.into()),
        truth: Some(truth.into()),
        reason: reason.into(),
        ms: 12,
        at_ms: 30,
        pictures: None,
    }
}

fn report(name: &str, profile: Profile, verdict: Verdict, reason: &str, steps: Vec<StepReport>) -> ScenarioReport {
    ScenarioReport {
        name: name.into(),
        fixture: name.into(),
        subject: "tegata".into(),
        profile,
        verdict,
        reason: reason.into(),
        attempts: 1,
        duration_ms: 345,
        steps,
        kept: (verdict == Verdict::Lie).then(|| "runs/r/failed/pointer.dead.calm.1".into()),
        round: 1,
        earlier: Vec::new(),
    }
}

fn slow() -> AttemptReport {
    AttemptReport { verdict: Verdict::Failed, reason: "slow".into(), steps: Vec::new(), kept: None }
}

fn events() -> Vec<Event> {
    let lie = "the reply claims `changed`, the journal saw no effect";
    let good = step(Verdict::Passed, "changed", "count 0 → 1", "");
    let mut flaky = report("wait/late", Profile::Calm, Verdict::Flaky, "attempt 1 was failed: slow", vec![good.clone()]);
    flaky.attempts = 2;
    flaky.earlier = vec![slow()];
    let mut failed = report("wait/never", Profile::Wild, Verdict::Failed, "still slow", Vec::new());
    failed.attempts = 2;
    failed.earlier = vec![slow()];
    let case = Case { name: "pointer/control".into(), profile: Profile::Calm };
    let mut all = vec![
        Event::RunStarted { run: "20261130-081500-1".into(), subject: "tegata".into(), cases: 7, jobs: 2 },
        Event::ScenarioStarted { case: case.clone(), attempt: 1 },
        Event::StepFinished { case, attempt: 1, step: good.clone() },
    ];
    let reports = [
        report("pointer/control", Profile::Calm, Verdict::Passed, "", vec![good.clone()]),
        report("pointer/dead", Profile::Calm, Verdict::Lie, lie, vec![good, step(Verdict::Lie, "changed", "no effect", lie)]),
        flaky,
        failed,
        report("form/known", Profile::Calm, Verdict::Known, "https://example.org/1: failed: <x> & \"y\"", Vec::new()),
        report("tabs/no-chrome", Profile::Wild, Verdict::Environment, "Chrome is gone", Vec::new()),
    ];
    all.extend(reports.map(|report| Event::ScenarioFinished { report }));
    let reason = "line 4: unknown key `clik` (did you mean `click`?)";
    all.push(Event::ScenarioUnreadable { name: "pointer/typo".into(), line: 4, reason: reason.into() });
    all.push(Event::RunFinished { duration_ms: 4321, interrupted: false });
    all
}

fn feed(consumer: &mut dyn Consumer) {
    for event in events() {
        consumer.event(&event);
    }
}

#[test]
fn the_json_report_is_stable() {
    let mut json = JsonReport::new(PathBuf::new());
    feed(&mut json);
    let document = json.render();
    assert_eq!(document["summary"]["lie"], 1);
    assert_eq!(document["summary"]["evasive"], 0, "every verdict is counted");
    insta::assert_json_snapshot!(document);
}

#[test]
fn the_junit_report_is_stable() {
    let mut junit = JunitReport::new(PathBuf::new());
    feed(&mut junit);
    insta::assert_snapshot!(junit.render().expect("renders"));
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("is whole").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_terminal_ends_on_a_line_of_its_own() {
    let out = Shared::default();
    let mut terminal = Terminal::to(Box::new(out.clone()), false);
    feed(&mut terminal);
    let text = String::from_utf8(out.0.lock().expect("is whole").clone()).expect("is text");
    assert_eq!(text.lines().last(), Some("3 passed, 3 failed"));
    let text = text.replace(&lab::runner::known::in_days(30), "<in 30 days>");
    insta::assert_snapshot!(text);
}

#[test]
fn github_is_told_each_line_and_a_summary() {
    let out = Shared::default();
    let folder = tempfile::tempdir().expect("a folder");
    let summary = folder.path().join("summary.md");
    let mut github = Github::to(Box::new(out.clone()), Some(summary.clone()));
    feed(&mut github);
    github.finish().expect("is written");
    let text = String::from_utf8(out.0.lock().expect("is whole").clone()).expect("is text");
    let written = std::fs::read_to_string(summary).expect("is there");
    insta::assert_snapshot!(format!("{text}\n{written}"));
}

#[test]
fn a_run_can_be_read_again_even_when_cut_short() {
    let runs = tempfile::tempdir().expect("a folder");
    let folder = runs.path().join("20261130-081500-1");
    let mut lines = EventLines::create(&folder).expect("a record");
    feed(&mut lines);
    lines.finish().expect("is written");
    let path = folder.join("events.jsonl");
    let text = std::fs::read_to_string(&path).expect("is there");
    let read = text.lines().map(|line| serde_json::from_str::<Event>(line).expect("is an event")).collect::<Vec<_>>();
    assert_eq!(read, events());
    let cut = &text[..text.len() - 20];
    std::fs::write(&path, cut).expect("writes");
    assert_eq!(latest_run(runs.path(), "tegata"), Some(folder.clone()));
    let failed = failed_in(&folder).expect("is read");
    let names = failed.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names, ["pointer/dead", "tabs/no-chrome (wild)", "wait/never (wild)"]);
}
