//! The run's own record: one JSON line an event, readable even when the lab crashed in the middle.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::event::Event;

use super::Consumer;

/// Name of the record in a run's folder.
pub(super) const FILE: &str = "events.jsonl";

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
