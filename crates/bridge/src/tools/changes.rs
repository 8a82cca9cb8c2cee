//! What changed on the page since the session last saw it: told after each action, and by `snapshot` with `since`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::Snapshot;

use super::seen::Base;
use super::tool::{Context, aside};
use super::trees;
use crate::judge::{Outcome, Verdict};
use crate::render::{self, Delta, Fence, Outline};

/// Pages with more lines than this are not read again after each action.
const MOST_LINES: usize = 1_000;
/// Bytes of changes in the reply of an action.
const BUDGET: usize = 480;
/// Longest search for the shortest delta.
const SEARCH: Duration = Duration::from_millis(20);

/// The `changes:` block of an action's reply: only when the session has seen a snapshot of the document that is still there.
pub(super) async fn changes_after(context: &Context, tab: u32, verdict: &Verdict) -> Option<String> {
    if matches!(verdict.outcome, Outcome::Navigated | Outcome::Dialog | Outcome::Interrupted) || context.cancel.is_cancelled() {
        return None;
    }
    changes_seen(context, tab).await
}

/// The same whatever was done.
pub(super) async fn changes_seen(context: &Context, tab: u32) -> Option<String> {
    let desk = &context.desk;
    let base = desk.seen.latest(context.session.id(), tab)?;
    let since = base.number;
    if base.lines.len() > MOST_LINES {
        return Some(format!("changes: not read, the page has {} lines; snapshot {{\"since\":{since}}} tells them", base.lines.len()));
    }
    // The action's own reply stands whatever becomes of this reading.
    let snapshot = match trees::take(desk, &context.cancel, trees::wanted(tab, None, false)).await {
        Ok(snapshot) => snapshot,
        Err(error) => return Some(format!("changes: could not be read ({})", error.message.trim_end_matches('.'))),
    };
    if main_doc(&snapshot) != base.doc {
        desk.trees.keep(tab, snapshot.frames);
        return None;
    }
    let (outline, delta) = aside(|| {
        let outline = render::outline(&snapshot, false);
        let delta = between(&base, &outline);
        (outline, delta)
    });
    let number = desk.seen.next_number();
    let (text, whole) = render::changes_block(&snapshot, &base.lines, &delta, (since, number), &Fence::new(), BUDGET);
    if whole && !delta.is_empty() {
        keep(context, tab, number, &snapshot, outline);
    }
    desk.trees.keep(tab, snapshot.frames);
    Some(text)
}

/// The delta from a base to an outline.
pub(super) fn between(base: &Base, outline: &Outline) -> Delta {
    render::diff(&base.lines, &outline.lines, Instant::now().checked_add(SEARCH))
}

/// Ordinal of the main document.
pub(super) fn main_doc(snapshot: &Snapshot) -> u32 {
    snapshot.frames.first().map_or(0, |frame| frame.doc)
}

/// The session has seen this outline.
pub(super) fn keep(context: &Context, tab: u32, number: u32, snapshot: &Snapshot, outline: Outline) {
    let base = Base { number, doc: main_doc(snapshot), lines: Arc::new(outline.lines) };
    context.desk.seen.keep(context.session.id(), tab, base);
}
