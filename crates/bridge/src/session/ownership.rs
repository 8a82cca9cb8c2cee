//! Sessions and the tabs they hold: one table, one lock, no await inside.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::Held;
use serde::{Deserialize, Serialize};

/// So many replaced tabs are remembered.
const MOST_REPLACED: usize = 200;

/// Identity of a session: the relay's random id, or one of the HTTP door.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub String);

/// One agent at work: its label, its tabs, its current tab. A cheap handle.
#[derive(Debug, Clone)]
pub struct Session {
    id: SessionId,
    label: String,
    ownership: Arc<Ownership>,
}

/// What is kept of a session over a restart of the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its id.
    pub id: String,
    /// Name of the agent.
    pub label: String,
    /// Its tabs.
    pub tabs: Vec<u32>,
    /// Its current tab.
    pub current: Option<u32>,
}

/// Which session holds which tab.
#[derive(Debug, Default)]
pub struct Ownership {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    /// Tab → holder.
    holders: BTreeMap<u32, SessionId>,
    /// Session → label and current tab.
    sessions: HashMap<SessionId, Entry>,
    /// Tab that is gone → tab that stands in its place.
    replaced: BTreeMap<u32, u32>,
}

#[derive(Debug, Default, Clone)]
struct Entry {
    label: String,
    current: Option<u32>,
}

impl Ownership {
    fn table(&self) -> MutexGuard<'_, Table> {
        // The table is only ever changed by whole assignments, so a poisoned one is still consistent.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens (or finds again) a session.
    pub fn session(self: &Arc<Self>, id: SessionId, label: &str) -> Session {
        let mut table = self.table();
        table.sessions.entry(id.clone()).or_default().label = label.to_owned();
        Session { id, label: label.to_owned(), ownership: Arc::clone(self) }
    }

    /// The sessions that hold tabs, to be kept.
    #[must_use]
    pub fn kept(&self) -> Vec<Kept> {
        let table = self.table();
        let mut kept: BTreeMap<&SessionId, Kept> = BTreeMap::new();
        for (tab, id) in &table.holders {
            let entry = table.sessions.get(id).cloned().unwrap_or_default();
            let fresh = || Kept { id: id.0.clone(), label: entry.label, tabs: Vec::new(), current: entry.current };
            kept.entry(id).or_insert_with(fresh).tabs.push(*tab);
        }
        kept.into_values().collect()
    }

    /// Takes a kept session in. A tab that somebody holds stays theirs.
    pub fn restore(self: &Arc<Self>, kept: &Kept) -> Session {
        let session = self.session(SessionId(kept.id.clone()), &kept.label);
        for tab in &kept.tabs {
            session.adopt(*tab);
        }
        if let Some(current) = kept.current.filter(|tab| session.holds(*tab)) {
            // It holds the tab: this cannot be refused.
            let _ = session.hold(current);
        }
        session
    }

    /// All held tabs.
    #[must_use]
    pub fn tabs(&self) -> Vec<u32> {
        self.table().holders.keys().copied().collect()
    }

    /// The session is over: its tabs are free. Returns them.
    pub fn close(&self, id: &SessionId) -> Vec<u32> {
        let mut table = self.table();
        table.sessions.remove(id);
        let freed: Vec<u32> = table.holders.iter().filter(|(_, holder)| *holder == id).map(|(tab, _)| *tab).collect();
        table.holders.retain(|_, holder| holder != id);
        freed
    }

    /// The tab is gone.
    pub fn forget(&self, tab: u32) {
        let mut table = self.table();
        table.holders.remove(&tab);
        for entry in table.sessions.values_mut().filter(|entry| entry.current == Some(tab)) {
            entry.current = None;
        }
    }

    /// Another tab stands in the place of a tab. Returns the session that holds it.
    pub fn replace(&self, old: u32, tab: u32) -> Option<SessionId> {
        let mut table = self.table();
        let holder = table.holders.remove(&old)?;
        table.holders.insert(tab, holder.clone());
        for entry in table.sessions.values_mut().filter(|entry| entry.current == Some(old)) {
            entry.current = Some(tab);
        }
        table.replaced.insert(old, tab);
        while table.replaced.len() > MOST_REPLACED {
            table.replaced.pop_first();
        }
        Some(holder)
    }

    /// The tab that stands in the place of this one now; itself, when none does.
    #[must_use]
    pub fn now(&self, tab: u32) -> u32 {
        let table = self.table();
        let mut now = tab;
        // Chrome gives no id twice, so this ends.
        while let Some(next) = table.replaced.get(&now) {
            now = *next;
        }
        now
    }

    /// All held tabs with their holders' labels, for `tabs/hold`.
    #[must_use]
    pub fn held(&self) -> Vec<Held> {
        let table = self.table();
        let label = |id| table.sessions.get(id).map_or_else(String::new, |entry| entry.label.clone());
        table.holders.iter().map(|(tab, id)| Held { tab: *tab, label: label(id) }).collect()
    }
}

impl Session {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Name of the agent, for people.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The tab that a call without `tab` acts on.
    #[must_use]
    pub fn current(&self) -> Option<u32> {
        self.ownership.table().sessions.get(&self.id).and_then(|entry| entry.current)
    }

    /// Takes a tab and makes it the current one.
    ///
    /// # Errors
    /// The label of the other session that holds it.
    pub fn hold(&self, tab: u32) -> Result<(), String> {
        let mut table = self.ownership.table();
        if let Some(label) = other_holder(&table, &self.id, tab) {
            return Err(label);
        }
        table.holders.insert(tab, self.id.clone());
        table.sessions.entry(self.id.clone()).or_insert_with(|| Entry { label: self.label.clone(), current: None }).current = Some(tab);
        Ok(())
    }

    /// Takes a tab without making it current: one that an own tab opened.
    pub fn adopt(&self, tab: u32) {
        self.ownership.table().holders.entry(tab).or_insert_with(|| self.id.clone());
    }

    /// Whether this session holds the tab.
    #[must_use]
    pub fn holds(&self, tab: u32) -> bool {
        self.ownership.table().holders.get(&tab) == Some(&self.id)
    }

    /// Label of another session that holds the tab.
    #[must_use]
    pub fn other_holder(&self, tab: u32) -> Option<String> {
        other_holder(&self.ownership.table(), &self.id, tab)
    }

    /// Gives a tab back.
    pub fn release(&self, tab: u32) {
        if self.holds(tab) {
            self.ownership.forget(tab);
        }
    }

    /// The shared table.
    #[must_use]
    pub fn ownership(&self) -> &Arc<Ownership> {
        &self.ownership
    }
}

fn other_holder(table: &Table, id: &SessionId, tab: u32) -> Option<String> {
    let holder = table.holders.get(&tab).filter(|holder| *holder != id)?;
    Some(table.sessions.get(holder).map_or_else(|| "another agent".to_owned(), |entry| entry.label.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_takes_nothing_from_others() {
        let before = Arc::new(Ownership::default());
        let one = before.session(SessionId("1".into()), "one");
        assert_eq!((one.hold(7), one.hold(9)), (Ok(()), Ok(())));
        one.adopt(8);
        before.session(SessionId("2".into()), "without tabs");
        let kept = before.kept();
        assert_eq!(kept, [Kept { id: "1".into(), label: "one".into(), tabs: vec![7, 8, 9], current: Some(9) }]);
        let after = Arc::new(Ownership::default());
        let two = after.session(SessionId("2".into()), "two");
        assert_eq!(two.hold(8), Ok(()));
        let back = after.restore(&kept[0]);
        assert_eq!((back.current(), back.holds(7), back.holds(8), two.holds(8)), (Some(9), true, false, true));
        assert_eq!(after.tabs(), [7, 8, 9]);
    }

    #[test]
    fn a_replaced_tab_stays_with_its_session_under_both_names() {
        let ownership = Arc::new(Ownership::default());
        let one = ownership.session(SessionId("1".into()), "one");
        assert_eq!(one.hold(7), Ok(()));
        assert_eq!(ownership.replace(7, 9).as_ref(), Some(one.id()));
        assert_eq!(ownership.replace(9, 12).as_ref(), Some(one.id()));
        assert_eq!((one.current(), one.holds(12), one.holds(7)), (Some(12), true, false));
        assert_eq!((ownership.now(7), ownership.now(9), ownership.now(8)), (12, 12, 8));
        assert_eq!(ownership.replace(50, 51), None, "nobody's tab");
        assert_eq!(ownership.now(50), 50);
    }

    #[test]
    fn two_sessions_never_hold_one_tab() {
        let ownership = Arc::new(Ownership::default());
        let one = ownership.session(SessionId("1".into()), "one");
        let two = ownership.session(SessionId("2".into()), "two");
        assert_eq!(one.hold(7), Ok(()));
        assert_eq!(two.hold(7), Err("one".to_owned()));
        assert_eq!((one.current(), two.current()), (Some(7), None));
        assert_eq!(ownership.close(one.id()), vec![7]);
        assert_eq!(two.hold(7), Ok(()));
        ownership.forget(7);
        assert_eq!((two.current(), two.holds(7)), (None, false));
    }
}
