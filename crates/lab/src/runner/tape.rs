//! What the witnesses of an attempt say, journal and browser: passed on, taken down for a transcript, or told again from one.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::driver::{Chrome, TabHandle};
use crate::fixture::{Document, FixtureServer, Journal, JournalError, Record, RecordKind};

/// The run of every transcript.
const RUN: &str = "replay";

/// Between attempt and witnesses.
pub(crate) enum Tape {
    /// Nothing is kept.
    Off,
    /// Everything is taken down.
    Recording(Mutex<Recording>),
    /// Nobody is asked; it was told before.
    Playing(Mutex<Playing>),
}

/// What was taken down.
pub(crate) struct Recording {
    began: Instant,
    told: Vec<(u64, String, Value)>,
    records: usize,
    documents: Vec<Document>,
    /// Tabs in the order they came up in.
    tabs: Vec<TabHandle>,
}

/// What is told again.
#[derive(Default)]
pub(crate) struct Playing {
    left: VecDeque<(String, Value)>,
    journal: Journal,
}

/// What a look at the journal brought that was not there before.
#[derive(Serialize, Deserialize)]
struct Seen {
    /// Whether what was waited for is there.
    reached: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    records: Vec<Record>,
    /// All documents, where one of them is another than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    documents: Option<Vec<Document>>,
}

impl Tape {
    /// Takes everything down from now on.
    pub(crate) fn recording() -> Self {
        Self::Recording(Mutex::new(Recording {
            began: Instant::now(),
            told: Vec::new(),
            records: 0,
            documents: Vec::new(),
            tabs: Vec::new(),
        }))
    }

    /// Tells again what a transcript holds.
    pub(crate) fn playing<'a>(told: impl Iterator<Item = (&'a str, &'a Value)>) -> Self {
        let left = told.map(|(asked, seen)| (asked.to_owned(), seen.clone())).collect();
        Self::Playing(Mutex::new(Playing { left, journal: Journal { run: RUN.into(), ..Journal::default() } }))
    }

    /// The run's token.
    pub(crate) fn run(&self) -> String {
        match self {
            Self::Playing(_) => RUN.into(),
            _ => FixtureServer::new_run(),
        }
    }

    /// What was taken down: microseconds since the beginning, what was asked, what was seen.
    pub(crate) fn told(&self) -> Vec<(u64, String, Value)> {
        match self {
            Self::Recording(recording) => lock(recording).told.clone(),
            _ => Vec::new(),
        }
    }

    /// How much of what is to be told again was not asked for.
    pub(crate) fn left(&self) -> usize {
        match self {
            Self::Playing(playing) => lock(playing).left.len(),
            _ => 0,
        }
    }

    /// The journal as it is known.
    pub(super) fn journal(&self, server: &FixtureServer, run: &str) -> Journal {
        match self {
            Self::Playing(playing) => lock(playing).journal.clone(),
            _ => server.hub().journal(run),
        }
    }

    /// The journal with everything that happened.
    pub(super) async fn barrier(&self, server: &FixtureServer, run: &str) -> Result<Journal, JournalError> {
        match self {
            Self::Playing(playing) => lock(playing).look("barrier").map(|(_, journal)| journal),
            _ => {
                let journal = server.barrier(run).await?;
                self.note("barrier", &journal, true);
                Ok(journal)
            }
        }
    }

    /// The journal once something is in it.
    pub(super) async fn wait(
        &self,
        server: &FixtureServer,
        run: &str,
        bound: Duration,
        mut wanted: impl FnMut(&Journal) -> bool,
    ) -> Result<Journal, JournalError> {
        match self {
            Self::Playing(playing) => {
                let (reached, journal) = lock(playing).look("wait")?;
                // What was recorded is looked at anew: the scenario may wait for something else now.
                if wanted(&journal) {
                    return Ok(journal);
                }
                if reached {
                    return Err(JournalError::Tape(String::from("what the scenario waits for now was not there when it was recorded")));
                }
                let goal = serde_json::to_string(&journal.goal).unwrap_or_default();
                Err(JournalError::NotReached { run: run.into(), bound, goal, records: journal.records.len() })
            }
            _ => match server.wait_until(run, bound, wanted).await {
                Ok(journal) => {
                    self.note("wait", &journal, true);
                    Ok(journal)
                }
                Err(error) => {
                    self.note("wait", &server.hub().journal(run), false);
                    Err(error)
                }
            },
        }
    }

    /// The browser's tabs; none when it does not tell.
    pub(super) async fn tabs(&self, chrome: Option<&Chrome>) -> Option<Vec<(TabHandle, String)>> {
        if let Self::Playing(playing) = self {
            let seen = lock(playing).next("tabs").ok()?;
            let tabs: Vec<(String, String)> = serde_json::from_value(seen).ok()?;
            return Some(tabs.into_iter().map(|(tab, url)| (TabHandle(tab), url)).collect());
        }
        let tabs = chrome?.tabs().await.ok()?;
        if let Self::Recording(recording) = self {
            let mut recording = lock(recording);
            let told = tabs.iter().map(|(tab, url)| json!([recording.tab(tab), plain(url)])).collect();
            recording.tell("tabs", told);
        }
        Some(tabs)
    }

    fn note(&self, asked: &str, journal: &Journal, reached: bool) {
        if let Self::Recording(recording) = self {
            let mut recording = lock(recording);
            let records = journal.since(recording.records).to_vec();
            recording.records = journal.records.len();
            let documents = (journal.documents != recording.documents).then(|| journal.documents.clone());
            recording.documents.clone_from(&journal.documents);
            let seen = serde_json::to_value(Seen { reached, records, documents }).unwrap_or_default();
            recording.tell(asked, seen);
        }
    }
}

/// An address without what only the subject's own pages may know.
fn plain(url: &str) -> &str {
    match url.split_once('#') {
        Some((page, _)) if url.starts_with("chrome-extension:") => page,
        _ => url,
    }
}

impl Recording {
    fn tab(&mut self, tab: &TabHandle) -> String {
        let at = self.tabs.iter().position(|known| known == tab).unwrap_or_else(|| {
            self.tabs.push(tab.clone());
            self.tabs.len() - 1
        });
        format!("tab-{}", at + 1)
    }

    fn tell(&mut self, asked: &str, seen: Value) {
        let t_us = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.told.push((t_us, asked.to_owned(), seen));
    }
}

impl Playing {
    fn next(&mut self, asked: &str) -> Result<Value, JournalError> {
        match self.left.pop_front() {
            Some((recorded, seen)) if recorded == asked => Ok(seen),
            Some((recorded, _)) => Err(JournalError::Tape(format!("the lab asks its witnesses for {asked}; recorded was {recorded}"))),
            None => Err(JournalError::Tape(format!("the lab asks its witnesses for {asked}; nothing more was recorded"))),
        }
    }

    fn look(&mut self, asked: &str) -> Result<(bool, Journal), JournalError> {
        let seen = self.next(asked)?;
        let seen: Seen =
            serde_json::from_value(seen).map_err(|error| JournalError::Tape(format!("what was seen cannot be read: {error}")))?;
        for record in seen.records {
            if let RecordKind::Goal { state } = &record.kind {
                self.journal.goal.extend(state.clone());
            }
            self.journal.records.push(record);
        }
        if let Some(documents) = seen.documents {
            self.journal.documents = documents;
        }
        Ok((seen.reached, self.journal.clone()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
