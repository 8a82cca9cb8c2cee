//! Trees as the daemon holds them: the page sends only what is different from the latest one, and here the whole is put together again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::{CommandError, ErrorCode, FrameTree, KnownTree, Node, Snapshot, SnapshotTake, Splice, Target};
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use crate::browser::BrowserCall as _;

/// Nodes kept of all tabs together; the tab that was read longest ago goes first.
const MOST_NODES: usize = 40_000;
/// Longest reading ahead: a page that takes longer is read when it is asked for.
const AHEAD: Duration = Duration::from_secs(1);

/// The latest trees of tabs.
#[derive(Debug, Default)]
pub(super) struct Trees {
    kept: Mutex<VecDeque<(u32, Vec<FrameTree>)>>,
}

impl Trees {
    /// Keeps what was read of a tab.
    pub(super) fn keep(&self, tab: u32, mut frames: Vec<FrameTree>) {
        frames.retain(|frame| frame.tree.is_some() && !frame.nodes.is_empty());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != tab);
        kept.push_back((tab, frames));
        let nodes = |kept: &VecDeque<(u32, Vec<FrameTree>)>| {
            kept.iter().flat_map(|(_, frames)| frames).map(|frame| frame.nodes.len()).sum::<usize>()
        };
        while nodes(&kept) > MOST_NODES {
            kept.pop_front();
        }
    }

    /// The tab is gone.
    pub(super) fn forget(&self, tab: u32) {
        drop(self.remove(tab));
    }

    fn remove(&self, tab: u32) -> Vec<FrameTree> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().position(|(other, _)| *other == tab).and_then(|at| kept.remove(at)).map(|(_, frames)| frames).unwrap_or_default()
    }
}

/// What [`take`] is asked: a whole tab, or a part of it marked.
pub(super) fn wanted(tab: u32, target: Option<Target>, viewport: bool) -> SnapshotTake {
    SnapshotTake { tab, target, viewport, known: Vec::new(), ahead: false }
}

/// Reads a held tab that was loaded before anybody asks, so that the first snapshot has to look only at what changed since (ADR 0007).
/// In turn with the calls on the tab; what goes wrong will be met again, and told, by the call that needs it.
pub(crate) async fn read_ahead(desk: Arc<Desk>, tab: u32) {
    if desk.browser.switches().is_none_or(|switches| switches.paused) {
        return;
    }
    let turn = desk.tab(tab).lock_owned().await;
    let cancel = CancellationToken::new();
    let read = take(&desk, &cancel, SnapshotTake { ahead: true, ..wanted(tab, None, false) });
    tokio::pin!(read);
    let read = tokio::select! {
        read = &mut read => read,
        () = tokio::time::sleep(AHEAD) => {
            cancel.cancel();
            read.await
        }
    };
    match read {
        Ok(snapshot) => desk.trees.keep(tab, snapshot.frames),
        Err(error) => tracing::debug!(tab, %error, "not read ahead"),
    }
    drop(turn);
}

/// Reads a tab, whole; give the frames back by [`Trees::keep`] for the next time.
///
/// # Errors
/// Those of the browser.
pub(super) async fn take(desk: &Desk, cancel: &CancellationToken, wanted: SnapshotTake) -> Result<Snapshot, CommandError> {
    let mut held = desk.trees.remove(wanted.tab);
    let known = held.iter().filter_map(|frame| Some(KnownTree { doc: frame.doc, tree: frame.tree? })).collect();
    let mut command = SnapshotTake { known, ..wanted };
    let mut snapshot = desk.browser.call(command.clone(), cancel).await?;
    if !restore(&mut snapshot.frames, &mut held) {
        // The page told a difference from a tree that is not here: all of it, then.
        command.known.clear();
        snapshot = desk.browser.call(command, cancel).await?;
        if !restore(&mut snapshot.frames, &mut []) {
            return Err(CommandError::new(ErrorCode::Internal, "the page told a difference from a tree that nobody holds"));
        }
    }
    Ok(snapshot)
}

/// Puts trees together that came as differences; false: one of them does not fit.
fn restore(frames: &mut [FrameTree], held: &mut [FrameTree]) -> bool {
    for frame in frames.iter_mut() {
        let Some(since) = frame.since.take() else { continue };
        let splices = std::mem::take(&mut frame.splices);
        let Some(base) = held.iter_mut().find(|old| old.doc == frame.doc && old.tree == Some(since)) else { return false };
        let Some(nodes) = spliced(std::mem::take(&mut base.nodes), splices) else { return false };
        frame.nodes = nodes;
    }
    true
}

/// Nodes after splices, which stand in ascending order and do not overlap.
fn spliced(base: Vec<Node>, splices: Vec<Splice>) -> Option<Vec<Node>> {
    let grown = splices.iter().map(|splice| splice.nodes.len()).sum::<usize>();
    let mut out = Vec::with_capacity(base.len() + grown);
    let mut at = 0;
    let mut rest = base.into_iter();
    for splice in splices {
        let keep = (splice.at as usize).checked_sub(at)?;
        if keep + splice.drop as usize > rest.len() {
            return None;
        }
        out.extend(rest.by_ref().take(keep));
        rest.by_ref().take(splice.drop as usize).for_each(drop);
        at += keep + splice.drop as usize;
        out.extend(splice.nodes);
    }
    out.extend(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str) -> Node {
        Node {
            depth: 0,
            role: "text".into(),
            name: Some(name.into()),
            node: None,
            states: vec![],
            value: None,
            level: None,
            url: None,
            frame: None,
            opaque: None,
        }
    }

    fn tree(doc: u32, tree: u32, names: &[&str]) -> FrameTree {
        FrameTree { doc, tree: Some(tree), nodes: names.iter().map(|name| node(name)).collect(), ..FrameTree::default() }
    }

    fn names(frame: &FrameTree) -> Vec<&str> {
        frame.nodes.iter().filter_map(|node| node.name.as_deref()).collect()
    }

    fn told(doc: u32, since: u32, splices: Vec<(u32, u32, &[&str])>) -> FrameTree {
        let splices =
            splices.into_iter().map(|(at, drop, new)| Splice { at, drop, nodes: new.iter().map(|name| node(name)).collect() }).collect();
        FrameTree { doc, tree: Some(since + 1), since: Some(since), splices, ..FrameTree::default() }
    }

    #[test]
    fn a_difference_gives_the_whole() {
        let mut held = [tree(1, 7, &["a", "b", "c", "d"]), tree(2, 3, &["x"])];
        let mut frames = [told(1, 7, vec![(0, 1, &["A", "B"]), (2, 0, &["+"]), (3, 1, &[])]), tree(3, 1, &["new"]), told(2, 3, vec![])];
        assert!(restore(&mut frames, &mut held));
        assert_eq!(names(&frames[0]), ["A", "B", "b", "+", "c"]);
        assert_eq!(names(&frames[1]), ["new"]);
        assert_eq!(names(&frames[2]), ["x"]);
    }

    #[test]
    fn a_difference_that_does_not_fit_is_none() {
        for splices in [vec![(2, 1, [].as_slice())], vec![(1, 1, [].as_slice()), (0, 1, [].as_slice())], vec![(0, 3, [].as_slice())]] {
            assert!(!restore(&mut [told(1, 7, splices)], &mut [tree(1, 7, &["a", "b"])]));
        }
        assert!(!restore(&mut [told(1, 6, vec![])], &mut [tree(1, 7, &["a"])]), "of another tree");
        assert!(!restore(&mut [told(2, 7, vec![])], &mut [tree(1, 7, &["a"])]), "of another document");
    }

    #[test]
    fn few_nodes_are_kept() {
        let trees = Trees::default();
        let large = vec!["n"; MOST_NODES / 2];
        for tab in 1..=3 {
            trees.keep(tab, vec![tree(tab, 1, &large)]);
        }
        assert!(trees.remove(1).is_empty() && trees.remove(2).len() == 1);
        trees.keep(3, vec![FrameTree { doc: 1, unreadable: Some("gone".into()), ..FrameTree::default() }]);
        assert!(trees.remove(3).is_empty());
    }
}
