//! What a person sees while a run goes on: a bar (or counter lines), failures at once, two lines at the end.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use console::{Style, style};
use indicatif::{ProgressBar, ProgressStyle};

use crate::event::{Event, ScenarioReport, summary};
use crate::runner::known;
use crate::verdict::Verdict;

use super::Consumer;

/// Writes to the terminal.
pub struct Terminal {
    out: Box<dyn Write + Send>,
    bar: Option<ProgressBar>,
    color: bool,
    cases: usize,
    running: BTreeSet<String>,
    reports: Vec<ScenarioReport>,
    fault: Option<String>,
    unreadable: usize,
}

impl Terminal {
    /// The standard output, with a bar when somebody looks at it.
    pub fn stdout() -> Self {
        let tty = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        let mut terminal = Self::to(Box::new(std::io::stdout()), console::colors_enabled());
        if tty {
            let bar = ProgressBar::new(0);
            if let Ok(look) = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} {msg}") {
                bar.set_style(look);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            terminal.bar = Some(bar);
        }
        terminal
    }

    /// Anywhere, as counter lines.
    pub fn to(out: Box<dyn Write + Send>, color: bool) -> Self {
        Self { out, bar: None, color, cases: 0, running: BTreeSet::new(), reports: Vec::new(), fault: None, unreadable: 0 }
    }

    fn line(&mut self, text: &str) {
        let out = &mut self.out;
        let mut write = || writeln!(out, "{text}").and_then(|()| out.flush());
        let written = match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
        if let Err(error) = written {
            self.fault.get_or_insert(error.to_string());
        }
    }

    fn painted(&self, text: &str, look: Style) -> String {
        if self.color { look.force_styling(true).apply_to(text).to_string() } else { text.to_owned() }
    }

    fn finished(&mut self, report: &ScenarioReport) {
        self.reports.push(report.clone());
        // Told once for all by `EnvironmentFailed`.
        if report.attempts == 0 {
            return;
        }
        let case = report.case();
        self.running.remove(&case.to_string());
        let good = report.verdict.is_success();
        let look = if good { Style::new().green() } else { Style::new().red().bold() };
        let verdict = self.painted(report.verdict.word(), look);
        let width = self.cases.to_string().len();
        let count = self.reports.len();
        if self.bar.is_none() || !good || report.verdict != Verdict::Passed {
            let line = format!("[{count:>width$}/{}] {verdict} {case} {} ms", self.cases, report.duration_ms);
            self.line(&line);
        }
        if !good || report.verdict == Verdict::Known {
            self.block(report);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(u64::try_from(count).unwrap_or(u64::MAX));
            self.show_running();
        }
    }

    /// A failure in three lines: claim, truth, why.
    fn block(&mut self, report: &ScenarioReport) {
        if let Some(step) = report.decisive().filter(|step| step.verdict != Verdict::Passed) {
            let claim = step.claim.as_deref().unwrap_or("none to judge");
            let truth = step.truth.as_deref().unwrap_or("not asked");
            self.line(&format!("    claim: {claim}   at line {}: {}", step.line, step.step));
            self.line(&format!("    truth: {truth}"));
        }
        self.line(&format!("    why:   {}", report.reason.replace('\n', "\n           ")));
        if let Some(kept) = &report.kept {
            self.line(&format!("    kept:  {kept}"));
        }
        if report.verdict != Verdict::Known {
            self.line(&format!("    again: {}", report.again()));
        }
    }

    fn show_running(&self) {
        if let Some(bar) = &self.bar {
            bar.set_message(self.running.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        }
    }
}

impl Consumer for Terminal {
    fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { run, subject, cases, jobs } => {
                self.cases = *cases;
                if let Some(bar) = &self.bar {
                    bar.set_length(u64::try_from(*cases).unwrap_or(u64::MAX));
                }
                self.line(&format!("{cases} cases against {subject}, {jobs} at once, run {run}"));
            }
            Event::ScenarioStarted { case, attempt } => {
                self.running.insert(case.to_string());
                if *attempt > 1 {
                    self.line(&format!("    {case}: attempt {attempt}"));
                }
                self.show_running();
            }
            Event::StepFinished { .. } => {}
            Event::ScenarioFinished { report } => self.finished(report),
            Event::ScenarioUnreadable { name, reason, .. } => {
                self.unreadable += 1;
                let word = self.painted("bad_scenario", Style::new().red().bold());
                self.line(&format!("{word} {name}: its file has faults, it is not run"));
                self.line(&format!("    why:   {}", reason.replace('\n', "\n           ")));
            }
            Event::EnvironmentFailed { reason } => {
                let word = self.painted(Verdict::Environment.word(), Style::new().red().bold());
                self.line(&format!("{word}: the run ends here, the environment does not come up"));
                self.line(&format!("    why:   {}", reason.replace('\n', "\n           ")));
            }
            Event::RunFinished { duration_ms, interrupted } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
                let counts = summary(&self.reports);
                let count = |verdict: Verdict| counts.get(verdict.word()).copied().unwrap_or_default();
                let mut parts = vec![
                    format!("{} flaky", count(Verdict::Flaky)),
                    format!("{} lies", count(Verdict::Lie)),
                    format!("{} false alarms", count(Verdict::FalseAlarm)),
                ];
                let told = [Verdict::Passed, Verdict::Flaky, Verdict::Lie, Verdict::FalseAlarm];
                let rest = Verdict::ALL.into_iter().filter(|verdict| !told.contains(verdict) && count(*verdict) > 0);
                parts.extend(rest.map(|verdict| format!("{} {verdict}", count(verdict))));
                let left = self.cases.saturating_sub(self.reports.len());
                if left > 0 {
                    parts.push(format!("{left} not run"));
                }
                if self.unreadable > 0 {
                    parts.push(format!("{} bad_scenario", self.unreadable));
                }
                for line in edits(&self.reports) {
                    self.line(&line);
                }
                let seconds = *duration_ms as f64 / 1000.0;
                let how = if *interrupted { "interrupted after" } else { "in" };
                self.line(&format!("{}, {how} {seconds:.1} s", parts.join(", ")));
                let passed = self.reports.iter().filter(|report| report.verdict.is_success()).count();
                // Alone on its line and plain: this one is read by machines.
                self.line(&format!("{passed} passed, {} failed", self.reports.len() - passed));
            }
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        match self.fault.take() {
            Some(fault) => Err(format!("the terminal could not be written to: {fault}")),
            None => Ok(()),
        }
    }
}

/// What to write into the list of known failures, ready to paste.
fn edits(reports: &[ScenarioReport]) -> Vec<String> {
    let of = |verdicts: &[Verdict]| {
        let wanted = reports.iter().filter(|report| verdicts.contains(&report.verdict));
        wanted.map(|report| (&report.name, &report.subject)).collect::<BTreeSet<_>>()
    };
    let subject = |subject: &str| if subject == "tegata" { String::new() } else { format!(", subject: {subject}") };
    let mut lines = Vec::new();
    let fixed = of(&[Verdict::Fixed]);
    if !fixed.is_empty() {
        lines.push("edit scenarios/known-failures.yaml: take these entries out".to_owned());
        lines.extend(fixed.into_iter().map(|(name, of)| format!("- {{scenario: {name}{}, …}}", subject(of))));
    }
    use Verdict::{Evasive, Failed, FalseAlarm, Lie, NotSeen, WrongReason};
    let failed = of(&[Failed, WrongReason, Evasive, FalseAlarm, Lie, NotSeen]);
    if !failed.is_empty() && failed.len() <= MOST_EDITS {
        let until = known::in_days(30);
        lines.push("to let them fail for now, add to scenarios/known-failures.yaml, with the issue's link:".to_owned());
        let entry =
            |(name, of): (&String, &String)| format!("- {{scenario: {name}, issue: \"https://…\", expires: {until}{}}}", subject(of));
        lines.extend(failed.into_iter().map(entry));
    }
    lines
}

/// So many entries are suggested at most: more is no list of exceptions.
const MOST_EDITS: usize = 10;

/// A note for the person at the terminal, on standard error.
pub(crate) fn note(text: &str) {
    // Nobody is left to be told when standard error is gone.
    let _ = writeln!(std::io::stderr(), "{} {text}", style("lab:").for_stderr().dim());
}
