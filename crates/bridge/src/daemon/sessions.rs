//! How long sessions last: their handles, and the clocks that end them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::mcp::Stay;
use crate::session::{Kept, Ownership, Session, SessionId};

/// How long a session waits for its agent to return.
const GRACE: Duration = Duration::from_secs(60);

/// How long a session without a door of its own may be unused.
const UNUSED: Duration = Duration::from_secs(30 * 60);

/// All sessions of a daemon.
#[derive(Debug, Default)]
pub struct Sessions {
    ownership: Arc<Ownership>,
    table: Mutex<HashMap<SessionId, Entry>>,
    /// Doors that have an agent of a session. Two at once when one returns before its old socket is seen to be gone.
    present: Mutex<HashMap<SessionId, usize>>,
}

#[derive(Debug)]
struct Entry {
    session: Session,
    ends: Option<Instant>,
}

impl Sessions {
    /// Which session holds which tab.
    #[must_use]
    pub fn ownership(&self) -> &Arc<Ownership> {
        &self.ownership
    }

    /// Opens a session or finds it again.
    pub fn enter(&self, id: &SessionId, label: &str, stay: Stay) -> Session {
        let mut table = self.table();
        let ends = (stay == Stay::WhileUsed).then(|| Instant::now() + UNUSED);
        let session = self.ownership.session(id.clone(), label);
        table.insert(id.clone(), Entry { session: session.clone(), ends });
        session
    }

    /// Takes in the sessions of the daemon before this one; each waits its grace for its agent.
    pub fn restore(&self, kept: &[Kept]) {
        let mut table = self.table();
        for kept in kept {
            let session = self.ownership.restore(kept);
            table.insert(session.id().clone(), Entry { session, ends: Some(Instant::now() + GRACE) });
        }
    }

    /// A door has an agent of the session.
    pub fn arrive(&self, id: &SessionId) {
        if let Some(entry) = self.table().get_mut(id) {
            entry.ends = None;
        }
        *self.present().entry(id.clone()).or_default() += 1;
    }

    /// A door lost its agent: after the last one the session ends after its grace.
    pub fn leave(&self, id: &SessionId) {
        let mut present = self.present();
        let left = present.get(id).map_or(0, |doors| doors.saturating_sub(1));
        if left > 0 {
            present.insert(id.clone(), left);
            return;
        }
        present.remove(id);
        drop(present);
        if let Some(entry) = self.table().get_mut(id) {
            entry.ends = Some(Instant::now() + GRACE);
        }
    }

    /// Ends the sessions whose time is over. Returns them.
    pub fn reap(&self) -> Vec<SessionId> {
        let mut table = self.table();
        let now = Instant::now();
        let over: Vec<SessionId> =
            table.iter().filter(|(_, entry)| entry.ends.is_some_and(|ends| ends <= now)).map(|(id, _)| id.clone()).collect();
        for id in &over {
            table.remove(id);
            let freed = self.ownership.close(id).len();
            tracing::info!(session = %id.0, freed, "the session is over");
        }
        over
    }

    /// When the next session may end.
    #[must_use]
    pub fn next_end(&self) -> Option<Instant> {
        self.table().values().filter_map(|entry| entry.ends).min()
    }

    /// A tab was opened by another: it belongs to whoever holds that one. Returns whether somebody does.
    pub fn adopt(&self, tab: u32, opener: u32) -> bool {
        let table = self.table();
        let holder = table.values().find(|entry| entry.session.holds(opener));
        holder.inspect(|entry| entry.session.adopt(tab)).is_some()
    }

    /// Labels of the sessions, for people.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        let mut labels: Vec<String> = self.table().values().map(|entry| entry.session.label().to_owned()).collect();
        labels.sort();
        labels
    }

    fn present(&self) -> MutexGuard<'_, HashMap<SessionId, usize>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> MutexGuard<'_, HashMap<SessionId, Entry>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_session_of_the_daemon_before_waits_its_grace_for_its_agent() {
        let sessions = Sessions::default();
        let kept = |id: &str, tab| Kept { id: id.into(), label: id.into(), tabs: vec![tab], current: Some(tab) };
        sessions.restore(&[kept("back", 7), kept("gone", 8)]);
        // It returns to the door and says nothing for long: it is there.
        let id = SessionId("back".into());
        sessions.arrive(&id);
        tokio::time::advance(GRACE).await;
        assert_eq!(sessions.reap(), [SessionId("gone".into())]);
        assert_eq!(sessions.enter(&id, "back", Stay::UntilLeft).current(), Some(7));
        assert_eq!(sessions.ownership().tabs(), [7]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_that_left_keeps_its_tabs_for_its_grace_and_no_longer() {
        let sessions = Sessions::default();
        let id = SessionId("relay".into());
        sessions.arrive(&id);
        sessions.enter(&id, "one", Stay::UntilLeft).hold(7).unwrap();
        assert!(sessions.adopt(8, 7) && !sessions.adopt(9, 99));
        sessions.leave(&id);
        tokio::time::advance(GRACE - Duration::from_secs(1)).await;
        assert!(sessions.reap().is_empty());
        // It returns; then its old door is seen to be gone, which is not its end.
        sessions.arrive(&id);
        sessions.arrive(&id);
        assert!(sessions.enter(&id, "one", Stay::UntilLeft).holds(8));
        sessions.leave(&id);
        tokio::time::advance(GRACE).await;
        assert!(sessions.reap().is_empty());
        sessions.leave(&id);
        tokio::time::advance(GRACE).await;
        assert_eq!(sessions.reap(), std::slice::from_ref(&id));
        assert!(!sessions.enter(&id, "one", Stay::UntilLeft).holds(7));
    }
}
