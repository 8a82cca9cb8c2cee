//! The daemon as the doors see it: sessions, calls with their span and audit, tabs kept in step with the extension.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use protocol::{Event, Held, HumanWords, MoneyWords, TabsHold, TabsList};
use serde_json::Value;
use tokio::sync::{Notify, broadcast};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::audit::{Audit, Entry};
use super::clock::Clock;
use super::hide::tool_name;
use super::link::Link;
use super::pairing::Pairings;
use super::sessions::Sessions;
use super::socket::Reception;
use super::state::{DaemonFile, StateDir, StateError};
use crate::browser::{Browser, BrowserCall};
use crate::judge::money;
use crate::mcp::{Call, Host, Stay};
use crate::session::{Kept, Session, SessionId};
use crate::tools::{self, Block, Context, Desk, Files, Learnings, Reply};

/// How long a call whose caller gave up may go on.
const AFTERLIFE: Duration = Duration::from_secs(30);

/// Without agents and extension for so long the daemon ends.
const IDLE_EXIT: Duration = Duration::from_secs(30 * 60);

/// Sessions that hold tabs, for the next daemon.
const SESSIONS_FILE: &str = "sessions.json";

/// What a call is answered whose daemon ends.
pub const INTERRUPTED: &str = "outcome: interrupted · the daemon was lost while this ran\n\
    It may have happened. Observe before you try again; it was not sent again.";

/// Everything one daemon holds.
pub struct Daemon {
    /// How it is reached.
    pub file: DaemonFile,
    /// The extension's door.
    pub reception: Reception,
    /// Sessions.
    pub sessions: Sessions,
    /// Fires when it ends.
    pub shutdown: CancellationToken,
    /// Open sockets, which are waited for at the end.
    pub sockets: TaskTracker,
    /// Why it ends, for the relays.
    pub farewell: Mutex<&'static str>,
    desk: Arc<Desk>,
    state: StateDir,
    /// What `sessions.json` says.
    kept: Mutex<Vec<Kept>>,
    /// Agents connected now.
    agents: AtomicUsize,
    used: Mutex<Instant>,
    /// The table of held tabs may have changed.
    holds: Notify,
    /// The table of sessions' ends may have changed.
    ends: Notify,
}

impl Daemon {
    /// A daemon over a state directory; its clock may be held.
    ///
    /// # Errors
    /// When its files cannot be used.
    pub fn new(state: &StateDir, file: DaemonFile, clock: Option<Clock>) -> Result<Arc<Self>, StateError> {
        let link = Arc::new(Link::default());
        let browser: Arc<dyn Browser> = Arc::clone(&link) as Arc<dyn Browser>;
        let reception =
            Reception { link, pairings: Arc::new(Pairings::open(state)?), audit: Arc::new(Audit::open(state)?.with_clock(clock)) };
        let sessions = Sessions::default();
        let kept = read_kept(state);
        sessions.restore(&kept);
        Ok(Arc::new(Self {
            file,
            reception,
            sessions,
            state: state.clone(),
            kept: Mutex::new(kept),
            shutdown: CancellationToken::new(),
            sockets: TaskTracker::new(),
            farewell: Mutex::new("stopped"),
            desk: Desk::new(browser, Files::locate(state.path()), Learnings::at(state.path())),
            agents: AtomicUsize::new(0),
            used: Mutex::new(Instant::now()),
            holds: Notify::new(),
            ends: Notify::new(),
        }))
    }

    /// The link.
    #[must_use]
    pub fn link(&self) -> &Arc<Link> {
        &self.reception.link
    }

    /// The audit.
    #[must_use]
    pub fn audit(&self) -> &Arc<Audit> {
        &self.reception.audit
    }

    /// Counts an agent as long as the guard lives.
    pub fn agent(self: &Arc<Self>) -> Present {
        self.agents.fetch_add(1, Ordering::Relaxed);
        Present { daemon: Arc::clone(self) }
    }

    /// Keeps a session alive as long as the guard lives.
    pub fn stay(self: &Arc<Self>, id: SessionId) -> Staying {
        self.sessions.arrive(&id);
        Staying { daemon: Arc::clone(self), id }
    }

    /// Agents connected now.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.agents.load(Ordering::Relaxed)
    }

    /// Begins the end. The first reason counts.
    pub fn end(&self, why: &'static str) {
        let mut farewell = self.farewell.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.shutdown.is_cancelled() {
            *farewell = why;
            self.shutdown.cancel();
        }
    }

    /// Keeps the daemon's own tables in step until it ends.
    pub async fn keep(&self) {
        tokio::join!(self.keep_tabs(), self.keep_marks(), self.keep_sessions(), self.watch_idleness());
    }

    async fn keep_tabs(&self) {
        let mut events = self.link().events();
        loop {
            let event = tokio::select! {
                event = events.recv() => event,
                () = self.shutdown.cancelled() => return,
            };
            match event {
                Ok(Event::TabRemoved { tab }) => {
                    self.sessions.ownership().forget(tab);
                    self.desk.forget(tab);
                    self.holds_changed();
                }
                Ok(Event::TabReplaced { old, tab }) => {
                    if let Some(holder) = self.sessions.ownership().replace(old, tab) {
                        self.desk.note(&holder, format!("Chrome unloaded tab {old} to save memory and calls it tab {tab} now"));
                    }
                    self.desk.forget(old);
                    self.holds_changed();
                }
                Ok(Event::TabCreated { tab }) => {
                    if tab.opener.is_some_and(|opener| self.sessions.adopt(tab.id, opener)) {
                        self.holds_changed();
                    }
                }
                Ok(Event::TabLoaded { tab }) if self.sessions.ownership().tabs().contains(&tab) => {
                    tokio::spawn(tools::read_ahead(Arc::clone(&self.desk), tab));
                }
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }

    /// The table of held tabs may have changed: the next daemon reads it, and the extension is told.
    fn holds_changed(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.sessions.ownership().kept();
        if *kept != now {
            match self.state.write(SESSIONS_FILE, &now) {
                Ok(()) => *kept = now,
                Err(error) => tracing::warn!(%error, "a restart of the daemon would lose the sessions' tabs"),
            }
        }
        drop(kept);
        self.holds.notify_one();
    }

    /// Tabs that closed while no daemon listened are nobody's.
    async fn drop_closed_tabs(&self) -> bool {
        match self.link().call(TabsList {}, &self.shutdown).await {
            Ok(there) => {
                for tab in self.sessions.ownership().tabs() {
                    if !there.tabs.iter().any(|known| known.id == tab) {
                        self.sessions.ownership().forget(tab);
                    }
                }
                self.holds_changed();
                true
            }
            Err(error) => {
                tracing::warn!(%error, "the extension did not list its tabs");
                false
            }
        }
    }

    /// The user's own money words, beside the table that the extension carries.
    async fn tell_words(&self) {
        let words = match std::fs::read_to_string(self.state.file(money::FILE)) {
            Ok(text) => money::read(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(MoneyWords::default()),
            Err(error) => Err(error.to_string()),
        };
        let words = words.unwrap_or_else(|why| {
            tracing::warn!(%why, file = money::FILE, "the user's money words are not used");
            MoneyWords::default()
        });
        if let Err(error) = self.link().call(HumanWords { words }, &self.shutdown).await {
            tracing::warn!(%error, "the extension did not take the user's money words");
        }
    }

    /// Tells the extension which tabs are held: at every new link, and after every change.
    async fn keep_marks(&self) {
        let mut links = self.link().changes();
        let mut told: Option<(String, Vec<Held>)> = None;
        let mut links_told = None;
        // Only what an earlier daemon kept can be out of date.
        let mut checked = self.sessions.ownership().tabs().is_empty();
        loop {
            tokio::select! {
                changed = links.changed() => if changed.is_err() { return },
                () = self.holds.notified() => {}
                () = self.shutdown.cancelled() => return,
            }
            let Some(connection) = links.borrow_and_update().clone() else {
                told = None;
                continue;
            };
            if links_told != Some(connection.since) {
                self.tell_words().await;
                links_told = Some(connection.since);
            }
            if !checked {
                checked = self.drop_closed_tabs().await;
            }
            let held = self.sessions.ownership().held();
            // A worker that started anew has forgotten what it was told.
            let now = (connection.generation(), held.clone());
            if told.as_ref() == Some(&now) {
                continue;
            }
            match self.link().call(TabsHold { held }, &self.shutdown).await {
                Ok(_) => told = Some(now),
                Err(error) => {
                    tracing::warn!(%error, "the extension did not take the list of held tabs")
                }
            }
        }
    }

    async fn keep_sessions(&self) {
        loop {
            let next = self.sessions.next_end();
            let due = async {
                match next {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = due => {
                    for session in self.sessions.reap() {
                        self.desk.end_session(&session);
                    }
                    self.holds_changed();
                }
                () = self.ends.notified() => {}
                () = self.shutdown.cancelled() => return,
            }
        }
    }

    async fn watch_idleness(&self) {
        loop {
            let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
            tokio::select! {
                () = tokio::time::sleep_until(used + IDLE_EXIT) => {}
                () = self.shutdown.cancelled() => return,
            }
            if self.agents() > 0 || self.link().current().is_some() {
                self.touch();
            } else if used.elapsed() >= IDLE_EXIT && *self.used.lock().unwrap_or_else(PoisonError::into_inner) == used {
                tracing::info!("nobody has used the daemon for long; it ends");
                return self.end("stopped");
            }
        }
    }

    fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

#[async_trait]
impl Host for Arc<Daemon> {
    fn enter(&self, id: &SessionId, label: &str, stay: Stay) -> Session {
        let session = self.sessions.enter(id, label, stay);
        self.touch();
        self.ends.notify_one();
        session
    }

    fn arrive(&self, id: &SessionId) {
        self.sessions.arrive(id);
    }

    fn leave(&self, id: &SessionId) {
        self.sessions.leave(id);
        self.ends.notify_one();
    }

    async fn call(&self, call: Call) -> Reply {
        let Call { session, request, tool, arguments, cancel, progress } = call;
        let tab = arguments.get("tab").and_then(Value::as_u64);
        let span = tracing::info_span!("call", session = %session.id().0, tool = %tool_name(&tool), tab, %request);
        let context = Context { desk: Arc::clone(&self.desk), session: session.clone(), cancel: cancel.clone(), progress, part: false };
        let daemon = Arc::clone(self);
        let began = Instant::now();
        let work = async move {
            let gave_up = async {
                cancel.cancelled().await;
                tokio::time::sleep(AFTERLIFE).await;
            };
            let reply = tokio::select! {
                reply = tools::call(&context, &tool, arguments.clone()) => Some(reply),
                () = gave_up => None,
            };
            let outcome = reply.as_ref().map_or("abandoned", outcome).to_owned();
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::info!(outcome, ms, "called");
            let (session, client) = (session.id().0.clone(), session.label().to_owned());
            daemon.audit().write(Entry::Call { session: &session, client: &client, tool: &tool, tab, outcome: &outcome, ms, arguments });
            daemon.holds_changed();
            daemon.touch();
            reply
        };
        // A task of its own: the caller's end must not cut an action in half.
        let work = tokio::spawn(work.instrument(span));
        tokio::select! {
            // The end closes the link too: what that does to the call is not its fate.
            biased;
            () = self.shutdown.cancelled() => Reply::text(INTERRUPTED),
            reply = work => match reply {
                Ok(Some(reply)) => reply,
                _ => Reply::failure(&tools::ToolError::new(protocol::ErrorCode::Internal, "the call broke off inside the daemon; it may have happened")),
            },
        }
    }
}

/// What the daemon before this one kept. A file that cannot be read costs the tabs, nothing else.
fn read_kept(state: &StateDir) -> Vec<Kept> {
    let Ok(text) = std::fs::read(state.file(SESSIONS_FILE)) else { return Vec::new() };
    serde_json::from_slice(&text).unwrap_or_else(|error| {
        tracing::warn!(%error, "the sessions of the last daemon cannot be read");
        Vec::new()
    })
}

/// An agent that is connected.
pub struct Present {
    daemon: Arc<Daemon>,
}

impl Drop for Present {
    fn drop(&mut self) {
        self.daemon.agents.fetch_sub(1, Ordering::Relaxed);
        self.daemon.touch();
    }
}

/// A session whose agent has an open door.
pub struct Staying {
    daemon: Arc<Daemon>,
    id: SessionId,
}

impl Drop for Staying {
    fn drop(&mut self) {
        self.daemon.leave(&self.id);
    }
}

/// The word of a reply: its outcome, its error code, or `ok`.
fn outcome(reply: &Reply) -> &str {
    let texts = reply.blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        Block::Image { .. } => None,
    });
    let mut lines = texts.flat_map(str::lines).filter(|line| !line.starts_with("since_last:"));
    if reply.is_error {
        return lines.next().and_then(|line| line.split(':').next()).unwrap_or("error");
    }
    lines.find_map(|line| line.strip_prefix("outcome: ")).and_then(|rest| rest.split(' ').next()).unwrap_or("ok")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_audit_reads_the_word_of_a_reply() {
        assert_eq!(outcome(&Reply::text("since_last: late\noutcome: no_effect · click button")), "no_effect");
        assert_eq!(outcome(&Reply::text("tab 3 · Title")), "ok");
        let error = tools::ToolError::new(protocol::ErrorCode::Covered, "a cookie bar lies over it");
        assert_eq!(outcome(&Reply::failure(&error)), "covered");
    }

    #[tokio::test(start_paused = true)]
    async fn a_daemon_that_nobody_uses_ends_and_one_with_an_agent_does_not() {
        let place = tempfile::tempdir().unwrap();
        let build = super::super::build::Build::parse("0.1.0+1").unwrap();
        let file = DaemonFile { port: 1, token: "t".into(), pid: 1, version: "0.1.0".into(), build, door: 1, started: 0 };
        let daemon = Daemon::new(&StateDir::at(place.path()), file, None).unwrap();
        let agent = daemon.agent();
        let keeping = tokio::spawn({
            let daemon = Arc::clone(&daemon);
            async move { daemon.keep().await }
        });
        tokio::time::sleep(IDLE_EXIT * 3).await;
        assert!(!daemon.shutdown.is_cancelled());
        drop(agent);
        let left = Instant::now();
        daemon.shutdown.cancelled().await;
        assert!(left.elapsed() >= IDLE_EXIT && left.elapsed() < IDLE_EXIT * 2, "{:?}", left.elapsed());
        keeping.await.unwrap();
    }
}
