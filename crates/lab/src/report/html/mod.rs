//! A run as one HTML file that needs nothing else: every case, claim beside truth, pictures, every hop on one line of time.

mod gather;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::event::{Event, ScenarioReport, summary};

use super::Consumer;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Collects a run and writes it as one page.
pub struct HtmlReport {
    path: PathBuf,
    /// Where the run's folder lies.
    runs: PathBuf,
    run: String,
    subject: String,
    duration_ms: u64,
    environment: Option<String>,
    interrupted: bool,
    reports: Vec<ScenarioReport>,
    unreadable: Vec<Value>,
}

impl HtmlReport {
    /// Will write to this file what it finds in the run's folder in `runs`.
    pub fn new(path: PathBuf, runs: PathBuf) -> Self {
        Self {
            path,
            runs,
            run: String::new(),
            subject: String::new(),
            duration_ms: 0,
            environment: None,
            interrupted: false,
            reports: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// The page.
    pub fn render(&self) -> String {
        let mut reports = self.reports.iter().collect::<Vec<_>>();
        // The gravest first, and one order whoever was quicker.
        reports.sort_by_key(|report| (std::cmp::Reverse(report.verdict), report.case(), report.round));
        let folder = self.runs.join(&self.run);
        let data = json!({
            "run": self.run,
            "subject": self.subject,
            "duration_ms": self.duration_ms,
            "interrupted": self.interrupted,
            "environment": self.environment,
            "summary": summary(&self.reports),
            "unreadable": self.unreadable,
            "cases": reports.into_iter().map(|report| gather::case(&folder, report)).collect::<Vec<_>>(),
        });
        // In a script element only this sign can end it.
        let data = data.to_string().replace('<', "\\u003c");
        // The data last: what stands in it must not be taken for a place to fill in.
        PAGE.replace("{{style}}", STYLE).replace("{{script}}", SCRIPT).replace("{{run}}", &self.run).replacen("{{data}}", &data, 1)
    }
}

impl Consumer for HtmlReport {
    fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { run, subject, .. } => {
                self.run.clone_from(run);
                self.subject.clone_from(subject);
            }
            Event::ScenarioFinished { report } => self.reports.push(report.clone()),
            Event::ScenarioUnreadable { name, line, reason } => {
                self.unreadable.push(json!({ "name": name, "line": line, "reason": reason }));
            }
            Event::EnvironmentFailed { reason } => self.environment = Some(reason.clone()),
            Event::RunFinished { duration_ms, interrupted } => {
                (self.duration_ms, self.interrupted) = (*duration_ms, *interrupted);
            }
            Event::ScenarioStarted { .. } | Event::StepFinished { .. } => {}
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        super::write(&self.path, &self.render())
    }
}
