//! The JUnit report, with the elements for flaky and rerun cases that CI servers read.

use std::path::PathBuf;
use std::time::Duration;

use quick_junit::{NonSuccessKind, NonSuccessReruns, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};

use crate::event::{Event, ScenarioReport};
use crate::verdict::Verdict;

use super::Consumer;

/// Collects a run and writes it as JUnit XML.
pub struct JunitReport {
    path: PathBuf,
    subject: String,
    duration: Duration,
    unreadable: Vec<(String, String)>,
    reports: Vec<ScenarioReport>,
}

impl JunitReport {
    /// Will write to this file.
    pub fn new(path: PathBuf) -> Self {
        Self { path, subject: String::new(), duration: Duration::ZERO, unreadable: Vec::new(), reports: Vec::new() }
    }

    /// The document.
    ///
    /// # Errors
    /// When it cannot be written as XML.
    pub fn render(&self) -> Result<String, String> {
        let mut reports = self.reports.iter().collect::<Vec<_>>();
        reports.sort_by_key(|report| report.case());
        let mut suite = TestSuite::new(format!("lab {}", self.subject));
        suite.set_time(self.duration);
        suite.add_test_cases(reports.into_iter().map(case));
        suite.add_test_cases(self.unreadable.iter().map(|(name, reason)| {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("bad_scenario").set_message(reason.clone());
            let mut case = TestCase::new(name.clone(), status);
            case.set_classname(format!("{}.{}", self.subject, name.split('/').next().unwrap_or_default()));
            case
        }));
        let mut report = Report::new("lab");
        report.set_time(self.duration).add_test_suite(suite);
        report.to_string().map_err(|error| format!("the JUnit report could not be made: {error}"))
    }
}

impl Consumer for JunitReport {
    fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { subject, .. } => self.subject.clone_from(subject),
            Event::ScenarioFinished { report } => self.reports.push(report.clone()),
            Event::ScenarioUnreadable { name, reason, .. } => self.unreadable.push((name.clone(), reason.clone())),
            Event::RunFinished { duration_ms, .. } => self.duration = Duration::from_millis(*duration_ms),
            _ => {}
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        super::write(&self.path, &self.render()?)
    }
}

fn case(report: &ScenarioReport) -> TestCase {
    let reruns = || report.earlier.iter().map(|attempt| rerun(attempt.verdict, &attempt.reason));
    let status = match report.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Flaky => {
            let mut status = TestCaseStatus::success();
            if let TestCaseStatus::Success { flaky_runs } = &mut status {
                flaky_runs.extend(reruns());
            }
            status
        }
        Verdict::Known => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(report.reason.clone());
            status
        }
        verdict => {
            let mut status = TestCaseStatus::non_success(kind(verdict));
            status.set_type(verdict.word()).set_message(report.reason.clone()).set_description(told(report));
            if let TestCaseStatus::NonSuccess { reruns: list, .. } = &mut status {
                let runs = reruns().collect();
                *list = NonSuccessReruns { runs, ..list.clone() };
            }
            status
        }
    };
    let round = if report.round > 1 { format!(" #{}", report.round) } else { String::new() };
    let mut case = TestCase::new(format!("{}{round}", report.case()), status);
    let group = report.name.split('/').next().unwrap_or_default();
    case.set_classname(format!("{}.{group}", report.subject)).set_time(Duration::from_millis(report.duration_ms));
    case
}

/// The subject's fault is a failure; the lab's or the machine's is an error.
fn kind(verdict: Verdict) -> NonSuccessKind {
    match verdict {
        Verdict::Environment | Verdict::LabError => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    }
}

fn rerun(verdict: Verdict, reason: &str) -> TestRerun {
    let mut rerun = TestRerun::new(kind(verdict));
    rerun.set_type(verdict.word()).set_message(reason);
    rerun
}

fn told(report: &ScenarioReport) -> String {
    let step = |step: &crate::event::StepReport| {
        let claim = step.claim.as_deref().map(|claim| format!(" · claim: {claim}")).unwrap_or_default();
        let truth = step.truth.as_deref().map(|truth| format!(" · truth: {truth}")).unwrap_or_default();
        let why = if step.reason.is_empty() { String::new() } else { format!(" · {}", step.reason) };
        format!("line {}: {} → {}{claim}{truth}{why} ({} ms)", step.line, step.step, step.verdict, step.ms)
    };
    report.steps.iter().map(step).collect::<Vec<_>>().join("\n")
}
