//! What GitHub shows of a run: annotations at the lines that failed, and a table in the step's summary.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use crate::event::{Event, ScenarioReport, summary};
use crate::verdict::Verdict;

use super::Consumer;

/// The variable that names the file of the step's summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes annotations as they come, and the summary at the end.
pub struct Github {
    out: Box<dyn Write + Send>,
    summary: Option<PathBuf>,
    subject: String,
    reports: Vec<ScenarioReport>,
    unreadable: Vec<(String, String)>,
    fault: Option<String>,
}

impl Github {
    /// On standard output, with the summary that the environment names.
    pub fn from_environment() -> Self {
        Self::to(Box::new(std::io::stdout()), std::env::var_os(SUMMARY).map(PathBuf::from))
    }

    /// Anywhere.
    pub fn to(out: Box<dyn Write + Send>, summary: Option<PathBuf>) -> Self {
        Self { out, summary, subject: String::new(), reports: Vec::new(), unreadable: Vec::new(), fault: None }
    }

    fn annotate(&mut self, level: &str, (name, line): (&str, u64), title: &str, text: &str) {
        let written =
            writeln!(self.out, "::{level} file=scenarios/{}.yaml,line={line},title={}::{}", property(name), property(title), escaped(text));
        if let Err(error) = written {
            self.fault.get_or_insert(error.to_string());
        }
    }

    fn finished(&mut self, report: &ScenarioReport) {
        let level = match report.verdict {
            Verdict::Passed => return,
            Verdict::Flaky | Verdict::Known => "warning",
            _ => "error",
        };
        let line = report.decisive().map_or(1, |step| step.line);
        let title = format!("{}: {}", report.verdict, report.case());
        self.annotate(level, (&report.name, line), &title, &format!("{}\n{}", report.reason, report.again()));
    }

    /// The summary, as Markdown.
    pub fn markdown(&self) -> String {
        let counts = summary(&self.reports);
        let told = counts.iter().filter(|(word, count)| **count > 0 || ["flaky", "lie", "false_alarm"].contains(word));
        let told = told.map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(" · ");
        let mut text = format!("### lab {}\n\n{told}\n", self.subject);
        let mut failed = self.reports.iter().filter(|report| report.verdict != Verdict::Passed).collect::<Vec<_>>();
        failed.sort_by_key(|report| report.case());
        if !failed.is_empty() || !self.unreadable.is_empty() {
            text.push_str("\n| scenario | verdict | why | again |\n|---|---|---|---|\n");
        }
        for report in failed {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {} | {} | {} | `{}` |", report.case(), report.verdict, cell(&report.reason), report.again());
        }
        for (name, reason) in &self.unreadable {
            let _ = writeln!(text, "| {name} | bad_scenario | {} | `cargo run -p lab -- scenario lint` |", cell(reason));
        }
        text
    }
}

impl Consumer for Github {
    fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { subject, .. } => self.subject.clone_from(subject),
            Event::ScenarioFinished { report } => {
                self.finished(report);
                self.reports.push(report.clone());
            }
            Event::ScenarioUnreadable { name, line, reason } => {
                self.annotate("error", (name, *line), &format!("bad_scenario: {name}"), reason);
                self.unreadable.push((name.clone(), reason.clone()));
            }
            _ => {}
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        if let Some(path) = &self.summary {
            let written =
                OpenOptions::new().create(true).append(true).open(path).and_then(|mut file| file.write_all(self.markdown().as_bytes()));
            written.map_err(|error| format!("the step's summary {} could not be written: {error}", path.display()))?;
        }
        match self.fault.take() {
            Some(fault) => Err(format!("the annotations could not be written: {fault}")),
            None => Ok(()),
        }
    }
}

/// The text of an annotation: GitHub reads a line each.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of an annotation.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "<br>")
}
