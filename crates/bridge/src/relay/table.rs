//! Requests that a daemon has and has not answered.

use std::collections::BTreeMap;

use super::message::interrupted;

/// Open requests: id as written → whether it is a tool call.
#[derive(Debug, Default)]
pub(super) struct Table {
    open: BTreeMap<String, bool>,
    cancelled: std::collections::BTreeSet<String>,
}

impl Table {
    /// A request went to the daemon. `false` when its id is in use.
    pub(super) fn open(&mut self, id: &str, is_call: bool) -> bool {
        if self.open.contains_key(id) {
            return false;
        }
        self.cancelled.remove(id);
        self.open.insert(id.to_owned(), is_call);
        true
    }

    /// Whether nobody waits for anything.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The client gave up: no answer is expected, and a late one is not passed on.
    pub(super) fn cancel(&mut self, id: &str) {
        if self.open.remove(id).is_some() {
            self.cancelled.insert(id.to_owned());
        }
    }

    /// An answer came. `false` when nobody waits for it.
    pub(super) fn answered(&mut self, id: &str) -> bool {
        self.open.remove(id).is_some() || !self.cancelled.remove(id)
    }

    /// The daemon is lost: the answers to give for it.
    pub(super) fn lost(&mut self) -> Vec<String> {
        self.cancelled.clear();
        std::mem::take(&mut self.open).iter().map(|(id, is_call)| interrupted(id, *is_call)).collect()
    }
}
