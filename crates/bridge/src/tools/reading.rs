//! What every call on a tab does around its own work: the order of calls, and what came late from the action before.

use std::task::Poll;

use futures_util::future::BoxFuture;
use protocol::{Cause, Evidence, EvidenceKind, Look, Place, WatchLook};
use tokio::sync::OwnedMutexGuard;

use super::desk::{LastAct, TabDesk};
use super::expect::ExpectParam;
use super::tool::{Block, Context, Reply};
use crate::browser::BrowserCall as _;
use crate::judge::{Weight, weigh};
use crate::render;

/// A tab, locked for one call.
pub(super) struct TabCall<'a> {
    /// The tab's desk.
    pub(super) desk: OwnedMutexGuard<TabDesk>,
    since_last: SinceLast<'a>,
    /// What the caller wants to see after the action.
    pub(super) expect: Option<ExpectParam>,
}

/// What came late from the action before, or the answer that will tell it.
enum SinceLast<'a> {
    Told(Vec<String>),
    Asked(BoxFuture<'a, Vec<String>>),
}

impl<'a> TabCall<'a> {
    /// Waits for the calls before on this tab, then asks what came late from the last action. Its answer is not waited for here: the
    /// extension carries out the commands of a tab in order, so it is of before this call whenever it arrives.
    pub(super) async fn begin(context: &'a Context, tab: u32) -> Self {
        let mut desk = context.desk.tab(tab).lock_owned().await;
        let since_last = match desk.last.take() {
            None => SinceLast::Told(Vec::new()),
            Some(last) => {
                let mut asked: BoxFuture<'a, _> = Box::pin(async move { late(context, tab, &last).await });
                // Sent now: what this call sends comes after it.
                match std::future::poll_fn(|cx| Poll::Ready(asked.as_mut().poll(cx))).await {
                    Poll::Ready(lines) => SinceLast::Told(lines),
                    Poll::Pending => SinceLast::Asked(asked),
                }
            }
        };
        Self { desk, since_last, expect: None }
    }

    /// The reply with what came late standing first.
    pub(super) async fn reply(self, mut reply: Reply) -> Reply {
        let since_last = match self.since_last {
            SinceLast::Told(lines) => lines,
            SinceLast::Asked(lines) => lines.await,
        };
        if !since_last.is_empty() {
            let lines: String = since_last.iter().map(|line| format!("since_last: {line}\n")).collect();
            match reply.blocks.first_mut() {
                Some(Block::Text(text)) => text.insert_str(0, &lines),
                _ => reply.blocks.insert(0, Block::Text(lines)),
            }
        }
        reply
    }

    /// The same for a result: failures carry it too.
    pub(super) async fn settle(self, result: Result<Reply, super::tool::ToolError>) -> Reply {
        let reply = result.unwrap_or_else(|error| Reply::failure(&error));
        self.reply(reply).await
    }
}

/// Lines on what the last action's watch saw after its reply.
async fn late(context: &Context, tab: u32, last: &LastAct) -> Vec<String> {
    // A page that is gone or blocked tells nothing here; the call itself will say why.
    let Ok(look) = context.desk.browser.call(WatchLook { tab, watch: last.watch }, &context.cancel).await else {
        return Vec::new();
    };
    late_evidence(&look, last).iter().take(4).map(|item| format!("{} — {}", last.what, render::evidence_line(item))).collect()
}

fn late_evidence<'a>(look: &'a Look, last: &LastAct) -> Vec<&'a Evidence> {
    look.evidence.iter().filter(|item| !last.told.contains(&told_key(item)) && worth_telling(item, look.history_ms)).collect()
}

/// Evidence that may have come from the action: not the page's own life.
fn worth_telling(item: &Evidence, history_ms: f64) -> bool {
    if item.reverted {
        return !matches!(item.kind, EvidenceKind::Focus | EvidenceKind::Caret)
            && item.place != Place::Away
            && (item.cause != Cause::Window || item.before == 0);
    }
    match item.kind {
        EvidenceKind::Exception => true,
        EvidenceKind::Focus | EvidenceKind::Caret | EvidenceKind::Title => false,
        _ => weigh(item, history_ms) >= Weight::Request,
    }
}

/// What makes a piece of evidence the same in two looks.
pub(super) fn told_key(item: &Evidence) -> (EvidenceKind, String, bool) {
    (item.kind, item.what.clone(), item.reverted)
}
