//! What all calls of one daemon share: the browser, the order of calls on a tab, and what is remembered of the last action.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::EvidenceKind;

use super::coach::Coach;
use super::files::Files;
use super::learnings::Learnings;
use super::seen::Seen;
use super::trees::Trees;
use crate::browser::Browser;
use crate::session::SessionId;

/// Shared by all calls.
pub struct Desk {
    /// The browser.
    pub browser: Arc<dyn Browser>,
    tabs: Mutex<HashMap<u32, Arc<tokio::sync::Mutex<TabDesk>>>>,
    notes: Mutex<HashMap<SessionId, Vec<String>>>,
    watches: AtomicU32,
    /// Where tools may write.
    pub(super) files: Files,
    /// Notes about sites.
    pub(super) learnings: Learnings,
    coaches: Mutex<HashMap<SessionId, Coach>>,
    /// What sessions have seen of tabs.
    pub(super) seen: Seen,
    /// Trees of tabs as they were last.
    pub(super) trees: Trees,
}

/// What is remembered of one tab. Locked for the length of a call, which keeps the calls of a tab in order.
#[derive(Debug, Default)]
pub(super) struct TabDesk {
    /// The last action, until the next call has said what came late from it.
    pub(super) last: Option<LastAct>,
}

/// An action whose reply was given.
#[derive(Debug)]
pub(super) struct LastAct {
    /// Its watch.
    pub(super) watch: u32,
    /// In words.
    pub(super) what: String,
    /// Evidence already told.
    pub(super) told: HashSet<(EvidenceKind, String, bool)>,
}

impl Desk {
    /// A desk over a browser, with the folders that tools may write to.
    #[must_use]
    pub fn new(browser: Arc<dyn Browser>, files: Files, learnings: Learnings) -> Arc<Self> {
        // Watch numbers of an earlier daemon must not be met again: the worker may still know them.
        let first = uuid::Uuid::new_v4().as_fields().0 >> 1;
        Arc::new(Self {
            browser,
            files,
            learnings,
            coaches: Mutex::default(),
            tabs: Mutex::default(),
            notes: Mutex::default(),
            watches: AtomicU32::new(first),
            seen: Seen::new(),
            trees: Trees::default(),
        })
    }

    /// A watch number that was not used before.
    pub(super) fn next_watch(&self) -> u32 {
        self.watches.fetch_add(1, Ordering::Relaxed)
    }

    /// The desk of a tab; lock it for the length of a call.
    pub(super) fn tab(&self, tab: u32) -> Arc<tokio::sync::Mutex<TabDesk>> {
        let mut tabs = self.tabs.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tabs.entry(tab).or_default())
    }

    /// The tab is gone.
    pub(crate) fn forget(&self, tab: u32) {
        self.seen.forget(tab);
        self.trees.forget(tab);
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner).remove(&tab);
    }

    /// Remembers what became of a call whose caller had given up; the session's next reply says it.
    pub(crate) fn note(&self, session: &SessionId, note: String) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).entry(session.clone()).or_default().push(note);
    }

    /// A call is over: what the session is to be told of its way of working.
    pub(super) fn coach(&self, session: &SessionId, tool: &str, acted: bool) -> Option<&'static str> {
        let mut coaches = self.coaches.lock().unwrap_or_else(PoisonError::into_inner);
        coaches.entry(session.clone()).or_default().note(tool, acted, tokio::time::Instant::now())
    }

    /// The session's notes; they are said once, or dropped when it is over.
    pub(crate) fn take_notes(&self, session: &SessionId) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).remove(session).unwrap_or_default()
    }

    /// The session is over.
    pub(crate) fn end_session(&self, session: &SessionId) {
        drop(self.take_notes(session));
        self.coaches.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}
