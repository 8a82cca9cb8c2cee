//! The JSON report: a count per verdict, and every scenario with its steps.

use std::path::PathBuf;

use serde_json::json;

use crate::event::{Event, ScenarioReport, summary};

use super::Consumer;

/// Collects a run and writes it as one JSON document.
pub struct JsonReport {
    path: PathBuf,
    run: String,
    subject: String,
    duration_ms: u64,
    environment: Option<String>,
    reports: Vec<ScenarioReport>,
    unreadable: Vec<serde_json::Value>,
}

impl JsonReport {
    /// Will write to this file.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            run: String::new(),
            subject: String::new(),
            duration_ms: 0,
            environment: None,
            reports: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// The document.
    pub fn render(&self) -> serde_json::Value {
        let mut reports = self.reports.iter().collect::<Vec<_>>();
        // Workers finish in any order; a report should not depend on it.
        reports.sort_by_key(|report| report.case());
        let mut document = json!({
            "run": self.run,
            "subject": self.subject,
            "duration_ms": self.duration_ms,
            "summary": summary(&self.reports),
            "scenarios": reports,
        });
        if !self.unreadable.is_empty() {
            document["unreadable"] = self.unreadable.clone().into();
        }
        if let Some(reason) = &self.environment {
            document["environment"] = reason.as_str().into();
        }
        document
    }
}

impl Consumer for JsonReport {
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
            Event::RunFinished { duration_ms, .. } => self.duration_ms = *duration_ms,
            _ => {}
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        let text = serde_json::to_string_pretty(&self.render()).map_err(|error| error.to_string())?;
        super::write(&self.path, &format!("{text}\n"))
    }
}
