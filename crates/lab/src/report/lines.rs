//! The run's own record: one JSON line an event, readable even when the lab crashed in the middle.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::event::{Case, Event};

use super::Consumer;

/// Name of the record in a run's folder.
const FILE: &str = "events.jsonl";

/// Writes each event as a line, at once.
pub struct EventLines {
    file: File,
    fault: Option<String>,
}

impl EventLines {
    /// Begins the record of the run in this folder.
    ///
    /// # Errors
    /// When the folder or file cannot be made.
    pub fn create(folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self { file: File::create(folder.join(FILE))?, fault: None })
    }
}

impl Consumer for EventLines {
    fn event(&mut self, event: &Event) {
        let line = serde_json::to_string(event).map_err(|error| error.to_string());
        let written = line.and_then(|line| writeln!(self.file, "{line}").map_err(|error| error.to_string()));
        if let Err(error) = written {
            self.fault.get_or_insert(error);
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        match self.fault.take() {
            Some(fault) => Err(format!("the run's events could not all be written: {fault}")),
            None => Ok(()),
        }
    }
}

/// The folder of the latest run.
pub fn latest_run(runs: &Path) -> Option<PathBuf> {
    let mut folders =
        std::fs::read_dir(runs).ok()?.flatten().map(|entry| entry.path()).filter(|path| path.join(FILE).is_file()).collect::<Vec<_>>();
    // Their names are times.
    folders.sort();
    folders.pop()
}

/// The cases of a run that did not pass.
///
/// # Errors
/// When its record cannot be read, in words.
pub fn failed_in(folder: &Path) -> Result<BTreeSet<Case>, String> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut failed = BTreeSet::new();
    for line in text.lines() {
        // A crash may have cut the last line; all whole ones count.
        if let Ok(Event::ScenarioFinished { report }) = serde_json::from_str(line)
            && !report.verdict.is_success()
        {
            failed.insert(report.case());
        }
    }
    Ok(failed)
}
