//! When to look again and when the window closes: the one timing rule of design §3.

use protocol::{Act, Cause, Evidence, EvidenceKind, Input, Look, TargetFacts};

use super::weigh::{SHORT_HISTORY_MS, Weight, weigh};
use super::{Asked, Outcome, Verdict};

/// Silence closes the window here, in a visible tab.
const SILENCE_MS: f64 = 1200.0;
/// The same in a hidden tab, whose timers Chrome slows to one a second.
const SILENCE_HIDDEN_MS: f64 = 2500.0;
/// Silence after a trusted retry: both windows together stay under 2 s.
const SILENCE_RETRY_MS: f64 = 700.0;
/// From here on silence is worth asking who listens at all.
const PROBE_MS: f64 = 300.0;
/// Between looks, once the first have passed.
const PACE_MS: f64 = 100.0;
/// A drop that stands so long stands.
const SETTLED_MS: f64 = 300.0;
/// So long after a dialog closed the next one may open.
const ANSWERED_MS: f64 = 250.0;
/// How long a lone movement in such a region is watched for a second one.
const TICKER_MS: f64 = 1100.0;
/// A movement so soon after a trusted dispatch came upon it.
const UPON_MS: f64 = 60.0;
/// Latest end of that watching.
const TICKER_END_MS: f64 = 2300.0;

/// Where the window stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Looks taken since the dispatch (or the retry).
    pub looks: u32,
    /// The verdict of the look before was the same, with the same evidence.
    pub stable: bool,
    /// When the latest input was dispatched, in milliseconds after the first.
    pub dispatched_ms: f64,
    /// The listeners have been asked for, or must not be.
    pub probed: bool,
    /// This is the retry's window.
    pub retried: bool,
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// The verdict stands.
    Close,
    /// Look again in so many milliseconds.
    Look(f64),
    /// Ask who listens, then go on.
    Probe,
}

/// Whether what is expected may still come: until silence would close the window.
#[must_use]
pub fn may_expect(verdict: &Verdict, look: &Look, pace: &Pace) -> bool {
    let silence = if look.hidden { SILENCE_HIDDEN_MS } else { SILENCE_MS };
    verdict.outcome != Outcome::Dialog && look.elapsed_ms - pace.dispatched_ms < silence
}

/// The rule.
#[must_use]
pub fn next(asked: &Asked, act: &Act, verdict: &Verdict, look: &Look, pace: &Pace) -> Next {
    let silence = if pace.retried {
        SILENCE_RETRY_MS
    } else if look.hidden {
        SILENCE_HIDDEN_MS
    } else {
        SILENCE_MS
    };
    let since = look.elapsed_ms - pace.dispatched_ms;
    let over = since >= silence;
    // The first look came with the dispatch; the second follows within a task or two.
    let again = Next::Look(if pace.looks < 2 { 10.0 } else { PACE_MS.min((silence - since).max(1.0)) });

    match verdict.outcome {
        Outcome::Dialog | Outcome::Navigated | Outcome::OpenedTab | Outcome::Download => Next::Close,
        // Pages take back what they do not want: a drop is looked at again when that has had its time.
        Outcome::Changed | Outcome::Reverted if *asked == Asked::Drag => {
            if (pace.stable && since >= SETTLED_MS) || over {
                Next::Close
            } else {
                again
            }
        }
        // Another dialog may be about to open: the page is held back for its announcement.
        Outcome::Changed if matches!(asked, Asked::Answer) && since < ANSWERED_MS => again,
        Outcome::Changed if !matches!(asked, Asked::Text(_) | Asked::Scroll | Asked::Held(_) | Asked::Fields | Asked::Answer) => {
            close_press(asked, act, verdict, look, pace, over, again)
        }
        Outcome::Changed | Outcome::Partial | Outcome::Reverted => {
            // Values are read back after a tick and once more when a listener has had its 100 ms.
            if (pace.stable && since >= PACE_MS) || over {
                Next::Close
            } else if pace.looks > 1 && since < PACE_MS {
                // From the dispatch on, not from the look before.
                Next::Look(PACE_MS - since)
            } else {
                again
            }
        }
        Outcome::Requested => {
            let answered = verdict.evidence.iter().any(|item| item.status.is_some());
            // What the page makes of the answer comes in the tasks after it.
            let quiet = look.evidence.iter().all(|item| look.elapsed_ms - item.last_ms >= PACE_MS);
            if over || (answered && quiet && pace.stable && since >= PACE_MS) { Next::Close } else { again }
        }
        // What stands at its end goes nowhere later either.
        Outcome::NoEffect if *asked == Asked::Scroll && matches!(act, Act::Done { scrolled: Some(_), .. }) && pace.looks > 1 => Next::Close,
        _ if over => Next::Close,
        _ if since >= PROBE_MS && !pace.probed => Next::Probe,
        _ => again,
    }
}

fn close_press(asked: &Asked, act: &Act, verdict: &Verdict, look: &Look, pace: &Pace, over: bool, again: Next) -> Next {
    let top = verdict.evidence.iter().map(|item| weigh(item, look.history_ms)).max().unwrap_or(Weight::None);
    // A key can do more than its first event shows: each event of a sequence is proof by itself.
    if top == Weight::Proof && matches!(asked, Asked::Click) && !may_navigate(act) {
        return Next::Close;
    }
    if !pace.stable && !over {
        return again;
    }
    if top >= Weight::Linked {
        return Next::Close;
    }
    // A trusted dispatch has no synchronous proof; a still region that moves right upon it is next to one.
    let trusted = pace.retried || matches!(act, Act::Done { input: Input::Trusted, .. });
    let upon = |item: &Evidence| item.kind != EvidenceKind::Picture && (0.0..=UPON_MS).contains(&(item.first_ms - pace.dispatched_ms));
    if trusted && verdict.evidence.iter().any(|item| item.times == 1 && upon(item)) {
        return Next::Close;
    }
    // What moves right upon the answer to a request that the action started is that answer's doing. A page acts on the answer's
    // head; the browser tells its end, a little later.
    let answered = |item: &Evidence| {
        look.evidence.iter().any(|request| {
            let linked = request.kind == EvidenceKind::Request && request.cause != Cause::Window && request.status.is_some();
            linked && (-UPON_MS..=PACE_MS).contains(&(item.first_ms - request.last_ms))
        })
    };
    if verdict.evidence.iter().any(|item| item.kind != EvidenceKind::Request && answered(item)) {
        return Next::Close;
    }
    // Merely in time: a region seen for a short while could be a ticker between two ticks.
    let first =
        verdict.evidence.iter().filter(|item| item.kind != EvidenceKind::Request).map(|item| item.first_ms).fold(f64::INFINITY, f64::min);
    let watched = look.elapsed_ms >= (first + TICKER_MS).min(TICKER_END_MS);
    let picture = verdict.evidence.iter().any(|item| item.kind == EvidenceKind::Picture);
    if (look.history_ms + first >= SHORT_HISTORY_MS && !picture) || watched { Next::Close } else { Next::Look(PACE_MS) }
}

/// Activation leads to a new document by itself: its first signs are worth one more look.
fn may_navigate(act: &Act) -> bool {
    let leaves = |target: &TargetFacts| target.submits || target.opens_tab || target.tag == "a" || target.tag == "area";
    matches!(act, Act::Done { before, .. } if leaves(before))
}
