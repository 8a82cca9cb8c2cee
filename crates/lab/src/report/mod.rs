//! Consumers of the event stream: JSON Lines, the terminal, JSON, JUnit. A run knows none of them.

mod github;
mod html;
mod json;
mod junit;
mod lines;
pub mod matrix;
pub mod runs;
mod terminal;

use std::path::{Path, PathBuf};

use tokio::sync::mpsc::UnboundedReceiver;

use crate::event::{Event, ScenarioReport};

pub use github::Github;
pub use html::HtmlReport;
pub use json::JsonReport;
pub use junit::JunitReport;
pub use lines::EventLines;
pub use terminal::Terminal;
pub(crate) use terminal::note;

/// Something that listens to a run.
pub trait Consumer {
    /// An event happened.
    fn event(&mut self, event: &Event);

    /// The run is over.
    ///
    /// # Errors
    /// When the report could not be written, in words.
    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What came of each case.
    pub reports: Vec<ScenarioReport>,
    /// It was ended before all cases were run.
    pub interrupted: bool,
    /// Reports that could not be written.
    pub faults: Vec<String>,
}

/// Feeds all consumers until the stream ends.
pub async fn consume(mut events: UnboundedReceiver<Event>, mut consumers: Vec<Box<dyn Consumer + Send>>) -> Outcome {
    let mut outcome = Outcome::default();
    while let Some(event) = events.recv().await {
        for consumer in &mut consumers {
            consumer.event(&event);
        }
        match event {
            Event::ScenarioFinished { report } => outcome.reports.push(report),
            Event::RunFinished { interrupted, .. } => outcome.interrupted = interrupted,
            _ => {}
        }
    }
    outcome.faults = consumers.iter_mut().filter_map(|consumer| consumer.finish().err()).collect();
    outcome
}

/// A `--report KIND=PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportRequest {
    /// One JSON document.
    Json(PathBuf),
    /// JUnit XML.
    Junit(PathBuf),
    /// One HTML file.
    Html(PathBuf),
    /// Annotations on standard output, and the step summary where GitHub names a file for it.
    Github,
}

impl ReportRequest {
    /// Reads `json=PATH`, `junit=PATH`, `html=PATH` or `github`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "github" => Ok(Self::Github),
            Some((_, "")) | None => Err(format!("`{text}` names no file; write {KINDS}")),
            Some(("html", path)) => Ok(Self::Html(path.into())),
            Some(("json", path)) => Ok(Self::Json(path.into())),
            Some(("junit", path)) => Ok(Self::Junit(path.into())),
            Some((kind, _)) => Err(format!("there is no report `{kind}`; write {KINDS}")),
        }
    }

    /// The consumer that writes it; `runs` is where the run's folder lies.
    pub fn consumer(self, runs: &Path) -> Box<dyn Consumer + Send> {
        match self {
            Self::Html(path) => Box::new(HtmlReport::new(path, runs.to_owned())),
            Self::Github => Box::new(Github::from_environment()),
            Self::Json(path) => Box::new(JsonReport::new(path)),
            Self::Junit(path) => Box::new(JunitReport::new(path)),
        }
    }
}

/// The reports there are.
const KINDS: &str = "json=PATH, junit=PATH, html=PATH or github";

/// Writes a whole file, with the folders above it.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("the report {} could not be written: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(told)?;
    }
    std::fs::write(path, text).map_err(told)
}
