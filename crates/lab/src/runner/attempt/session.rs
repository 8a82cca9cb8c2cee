//! The sessions of an attempt and the tab they open: begun, placed, lost with a part of the subject, begun again.

use std::time::Duration;

use crate::fixture::{Journal, JournalError, RecordKind};
use crate::runner::strike::{Strike, Victim};
use crate::scenario::{Fault, Profile};
use crate::subject::Stage;
use crate::verdict::{Judgement, Verdict};

use super::{Attempt, MAIN, Scene, Stopped, lab_error, stopped};

/// Longest wait for a fixture to say hello.
const HELLO_BOUND: Duration = Duration::from_secs(10);
/// Longest wait for its load event.
const LOAD_BOUND: Duration = Duration::from_secs(2);

impl Attempt<'_> {
    pub(super) async fn opening(&mut self) -> Result<(), Stopped> {
        self.session(MAIN, true).await.map(|_| ())
    }

    /// The session with this name; a new one opens the fixture for itself, unless its first step opens a tab.
    pub(super) async fn session(&mut self, name: &str, opens: bool) -> Result<(), Stopped> {
        if self.sessions.contains_key(name) {
            return Ok(());
        }
        let Scene { chrome, subject, server, job, tape, .. } = self.scene;
        let stage = Stage { chrome, server, fixture: Some(&job.fixture) };
        let session = subject.session(stage, self.log.clone()).await.map_err(|error| stopped(&error))?;
        let session = self.sessions.entry(name.to_owned()).or_insert(session);
        if !(opens && job.scenario.open) {
            return Ok(());
        }
        let mut query = job.scenario.query.clone();
        if name != MAIN {
            // Documents of one run share a goal state: the page can tell the sessions apart by this.
            query.insert("session".into(), name.into());
        }
        let url = server.url(&job.fixture, &self.run, &query);
        let before = tape.journal(server, &self.run).documents.len();
        let tab = session.open(&url).await.map_err(|error| stopped(&error))?;
        self.tabs.insert(name.to_owned(), tab);
        let hello =
            tape.wait(server, &self.run, HELLO_BOUND, |journal| journal.documents.iter().skip(before).any(|document| document.top)).await;
        let journal = hello.map_err(|error| match error {
            JournalError::NotReached { .. } => {
                let why = format!("the subject says that the tab is open, and the fixture did not say hello: {url}");
                Judgement::new(Verdict::Environment, why)
            }
            other => lab_error(&other),
        })?;
        self.place(&url, &journal).await?;
        self.loaded(before).await
    }

    /// Waits until the fixture has loaded with all its frames, so that no step is blamed for them. A page that goes on
    /// loading on purpose is taken as it is.
    async fn loaded(&self, before: usize) -> Result<(), Stopped> {
        let shown = |journal: &Journal| {
            let opened = journal.documents.iter().skip(before).find(|document| document.top);
            opened.is_none_or(|document| {
                let events = journal.events().filter(|(record, _)| record.doc == document.id);
                events.into_iter().any(|(_, event)| event.r#type == "pageshow") || document.blocked
            })
        };
        match self.scene.tape.wait(self.scene.server, &self.run, LOAD_BOUND, shown).await {
            Ok(_) | Err(JournalError::NotReached { .. }) => Ok(()),
            Err(error) => Err(lab_error(&error)),
        }
    }

    /// Puts the fixture's tab where the profile wants it: in front (calm) or behind (wild).
    async fn place(&mut self, url: &str, journal: &Journal) -> Result<(), Stopped> {
        let Scene { chrome: Some(chrome), job, front, .. } = self.scene else { return Ok(()) };
        let failed = |error: crate::driver::ChromeError| Judgement::new(Verdict::Environment, error.to_string());
        // A page that changes its own address at once is found by nobody; then it stays where it is.
        let found = chrome.find_tab(url).await.ok();
        if self.stage.is_none() {
            self.stage.clone_from(&found);
        }
        match job.profile {
            Profile::Calm | Profile::Headed => {
                if let Some(tab) = found {
                    chrome.activate(&tab).await.map_err(failed)?;
                    self.page.get_or_insert(tab);
                }
            }
            Profile::Wild => {
                let visible = journal.records.iter().any(|record| matches!(record.kind, RecordKind::Hello { top: true, visible: true }));
                if let (true, Some(front)) = (visible, front) {
                    chrome.activate(front).await.map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    pub(super) async fn lose(&mut self, fault: Fault) -> Result<(), Stopped> {
        if self.scene.chrome.is_none() {
            return Ok(());
        }
        let server = self.sessions.get(MAIN).and_then(|session| session.process());
        let victim = Victim { stage: self.stage.as_ref(), server, run: &self.run };
        Strike::new(self.scene, victim).lose(fault).await?;
        if fault == Fault::KillRelay && server.is_some() {
            self.dead.insert(MAIN.to_owned());
        }
        Ok(())
    }

    /// Puts another server in the place of one that was killed, as a host does.
    pub(super) async fn revive(&mut self, name: &str) -> Result<(), Stopped> {
        if !self.dead.remove(name) {
            return Ok(());
        }
        let before = match self.sessions.remove(name) {
            Some(session) => {
                let process = session.process();
                session.close().await;
                process
            }
            None => None,
        };
        let Scene { chrome, subject, server, job, .. } = self.scene;
        let stage = Stage { chrome, server, fixture: Some(&job.fixture) };
        let session = subject.session(stage, self.log.clone()).await.map_err(|error| stopped(&error))?;
        if session.process() == before {
            return Err(Judgement::new(Verdict::LabError, "the killed server is still the one that is spoken to"));
        }
        self.sessions.insert(name.to_owned(), session);
        Ok(())
    }
}
