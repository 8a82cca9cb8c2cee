//! What sessions have seen of tabs: the bases of deltas, few and bounded.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::render::Line;
use crate::session::SessionId;

/// Bases kept of one tab in one session.
const MOST: usize = 3;
/// Bytes of all bases together; the oldest go first.
const MOST_BYTES: usize = 12 << 20;

/// What a session saw of a tab in one snapshot.
#[derive(Debug, Clone)]
pub(super) struct Base {
    /// Number of the snapshot.
    pub(super) number: u32,
    /// Ordinal of the main document then.
    pub(super) doc: u32,
    /// Its whole outline.
    pub(super) lines: Arc<Vec<Line>>,
}

/// All bases of a daemon.
#[derive(Debug)]
pub(super) struct Seen {
    numbers: AtomicU32,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    bases: VecDeque<Entry>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    session: SessionId,
    tab: u32,
    bytes: usize,
    base: Base,
}

impl Seen {
    /// Nothing seen yet.
    pub(super) fn new() -> Self {
        // A number from before a restart of the daemon must not name another snapshot now.
        let first = uuid::Uuid::new_v4().as_fields().0 % 100_000;
        Self { numbers: AtomicU32::new(first * 10 + 1), kept: Mutex::default() }
    }

    /// A number that no other snapshot has.
    pub(super) fn next_number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// The session has seen this.
    pub(super) fn keep(&self, session: &SessionId, tab: u32, base: Base) {
        let bytes = base.lines.iter().map(|line| line.text.len() + size_of::<Line>() + 16).sum();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |entry: &Entry| entry.tab == tab && entry.session == *session;
        if kept.bases.iter().filter(|entry| same(entry)).count() >= MOST
            && let Some(oldest) = kept.bases.iter().position(same)
        {
            kept.drop_at(oldest);
        }
        kept.bytes += bytes;
        kept.bases.push_back(Entry { session: session.clone(), tab, bytes, base });
        while kept.bytes > MOST_BYTES {
            kept.drop_at(0);
        }
    }

    /// The base with this number, of this session and tab.
    pub(super) fn base(&self, session: &SessionId, tab: u32, number: u32) -> Option<Base> {
        self.find(|entry| entry.base.number == number && entry.tab == tab && entry.session == *session)
    }

    /// The last thing the session has seen of the tab.
    pub(super) fn latest(&self, session: &SessionId, tab: u32) -> Option<Base> {
        self.find(|entry| entry.tab == tab && entry.session == *session)
    }

    /// The tab is gone.
    pub(super) fn forget(&self, tab: u32) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(at) = kept.bases.iter().position(|entry| entry.tab == tab) {
            kept.drop_at(at);
        }
    }

    fn find(&self, wanted: impl Fn(&Entry) -> bool) -> Option<Base> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bases.iter().rev().find(|entry| wanted(entry)).map(|entry| entry.base.clone())
    }
}

impl Kept {
    fn drop_at(&mut self, at: usize) {
        if let Some(entry) = self.bases.remove(at) {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(number: u32, bytes: usize) -> Base {
        Base { number, doc: 1, lines: Arc::new(vec![Line { depth: 0, key: None, text: "x".repeat(bytes).into() }]) }
    }

    #[test]
    fn bases_are_few_and_bounded() {
        let seen = Seen::new();
        let (a, b) = (SessionId("a".into()), SessionId("b".into()));
        for number in 1..=5 {
            seen.keep(&a, 7, base(number, 10));
        }
        seen.keep(&b, 7, base(6, 10));
        assert!(seen.base(&a, 7, 2).is_none() && seen.base(&a, 7, 3).is_some());
        assert_eq!(seen.latest(&a, 7).unwrap().number, 5);
        assert!(seen.base(&b, 7, 5).is_none() && seen.base(&a, 8, 5).is_none());
        seen.keep(&b, 8, base(7, MOST_BYTES - 100));
        assert!(seen.latest(&a, 7).is_none(), "the oldest went");
        assert!(seen.latest(&b, 8).is_some());
        seen.keep(&b, 8, base(8, MOST_BYTES + 1));
        assert!(seen.latest(&b, 8).is_none(), "one that is too large is not kept");
        assert_eq!(seen.kept.lock().unwrap().bytes, 0);
        seen.keep(&b, 9, base(9, 1));
        seen.forget(9);
        assert!(seen.latest(&b, 9).is_none());
    }
}
