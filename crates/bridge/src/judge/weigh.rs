//! What a piece of evidence is worth, and the verdict over all of it.

use protocol::{Cause, Evidence, EvidenceKind, Look, Place, Quality};

use super::{Outcome, Verdict};

/// Worth of one piece of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Says nothing about an effect: focus, exceptions, a region known to move by itself far from the target.
    None,
    /// Moved in time, but it cannot be tied to the action.
    Doubtful,
    /// The action's own network activity.
    Request,
    /// In time and near the target, in a region that had been still.
    Near,
    /// The target's own, or what it controls.
    Linked,
    /// Recorded before any other task could run.
    Proof,
}

/// Movements after the action from which on a region counts as moving by itself.
const GOES_ON: u32 = 3;
/// A region watched for less than this may be a slow ticker nobody has seen tick: hidden tabs tick once a second.
pub(super) const SHORT_HISTORY_MS: f64 = 2000.0;
/// Two movements so far apart are two ticks rather than one effect, where the history is short.
const TICK_MS: f64 = 300.0;

/// A region that moved before the action, goes on moving after it without ever resting, or ticks where nobody could know it before.
pub(super) fn moves_by_itself(evidence: &Evidence, history_ms: f64) -> bool {
    let unknown = evidence.kind == EvidenceKind::Picture || history_ms + evidence.first_ms < SHORT_HISTORY_MS;
    let ticks = evidence.times > 1 && evidence.last_ms - evidence.first_ms >= TICK_MS && unknown;
    evidence.cause == Cause::Window && (evidence.before > 0 || evidence.times >= GOES_ON || ticks)
}

/// Weighs one piece of evidence (design §3, "Cause decides"). `history_ms`: how long the page had been watched before the action.
#[must_use]
pub fn weigh(evidence: &Evidence, history_ms: f64) -> Weight {
    use EvidenceKind as Kind;
    if evidence.reverted {
        return Weight::None;
    }
    match evidence.kind {
        Kind::Focus | Kind::Exception => Weight::None,
        // Named outcomes of their own. The page's own ticking (a clock in the hash) is no navigation of ours, and a dialog that
        // nothing confirms is only the page's word.
        Kind::Navigation | Kind::SameDocument | Kind::Tab | Kind::Download | Kind::Dialog => match evidence.cause {
            Cause::Window if evidence.before > 0 || evidence.kind == Kind::Dialog => Weight::None,
            _ => Weight::Linked,
        },
        Kind::Request => match evidence.cause {
            Cause::Sync | Cause::Linked => Weight::Request,
            Cause::Window => Weight::None,
        },
        Kind::Title | Kind::Scroll | Kind::Caret if evidence.cause == Cause::Window => Weight::None,
        Kind::State
        | Kind::Value
        | Kind::Removed
        | Kind::Content
        | Kind::Attribute
        | Kind::Alert
        | Kind::Live
        | Kind::TopLayer
        | Kind::Scroll
        | Kind::Caret
        | Kind::Picture
        | Kind::Moved
        | Kind::Title
        | Kind::FrameNavigation => weigh_page(evidence, history_ms),
    }
}

fn weigh_page(evidence: &Evidence, history_ms: f64) -> Weight {
    use EvidenceKind as Kind;
    match evidence.cause {
        Cause::Sync => Weight::Proof,
        Cause::Linked => Weight::Linked,
        Cause::Window => {
            let near = matches!(evidence.place, Place::Target | Place::Section) || matches!(evidence.kind, Kind::Alert | Kind::TopLayer);
            match (moves_by_itself(evidence, history_ms), near) {
                (false, true) => Weight::Near,
                // Known to move by itself and away from the target: it is the page's own life.
                (true, false) if evidence.before > 0 => Weight::None,
                _ => Weight::Doubtful,
            }
        }
    }
}

/// The verdict over a look. `closed`: the window is over, so silence counts.
#[must_use]
pub fn judge_evidence(look: &Look, closed: bool) -> Verdict {
    use EvidenceKind as Kind;
    let of_kind = |kind: Kind| look.evidence.iter().filter(move |item| item.kind == kind).cloned().collect::<Vec<_>>();

    if let Some(dialog) = &look.dialog {
        let remark = format!("{} says {}", super::super::render::dialog_word(dialog.kind), super::super::render::quote(&dialog.text));
        return Verdict { outcome: Outcome::Dialog, evidence: of_kind(Kind::Dialog), remark: Some(remark) };
    }
    for (kind, outcome) in [
        (Kind::Dialog, Outcome::Dialog),
        (Kind::Tab, Outcome::OpenedTab),
        (Kind::Navigation, Outcome::Navigated),
        (Kind::Download, Outcome::Download),
        (Kind::SameDocument, Outcome::Navigated),
    ] {
        let evidence: Vec<Evidence> = of_kind(kind).into_iter().filter(|item| weigh(item, look.history_ms) > Weight::None).collect();
        if !evidence.is_empty() {
            return Verdict { outcome, evidence, remark: None };
        }
    }

    let mut weighed: Vec<(Weight, &Evidence)> = look.evidence.iter().map(|item| (weigh(item, look.history_ms), item)).collect();
    weighed.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.first_ms.total_cmp(&b.1.first_ms)));
    let top = weighed.first().map_or(Weight::None, |(weight, _)| *weight);
    let carrying =
        |least: Weight| weighed.iter().filter(|(weight, _)| *weight >= least).map(|(_, item)| (*item).clone()).collect::<Vec<_>>();

    if top >= Weight::Near {
        return Verdict { outcome: Outcome::Changed, evidence: carrying(Weight::Near), remark: None };
    }
    if look.quality == Quality::Unavailable {
        return Verdict::bare(Outcome::Unverifiable, format!("the page could not be observed: {}", look.missing.join(", ")));
    }
    if top == Weight::Request {
        return Verdict { outcome: Outcome::Requested, evidence: carrying(Weight::Request), remark: None };
    }
    let reverted: Vec<Evidence> = look.evidence.iter().filter(|item| item.reverted && went_back(item)).cloned().collect();
    if !reverted.is_empty() {
        return Verdict { outcome: Outcome::Reverted, evidence: reverted, remark: Some("it changed and the page put it back".to_owned()) };
    }
    if !closed {
        return Verdict { outcome: Outcome::NoEffect, evidence: Vec::new(), remark: None };
    }
    if top == Weight::Doubtful {
        let remark = "something moved, but it moves by itself or away from the target";
        return Verdict { outcome: Outcome::Unattributed, evidence: carrying(Weight::Doubtful), remark: Some(remark.to_owned()) };
    }
    let thrown = of_kind(Kind::Exception);
    let remark = if thrown.is_empty() { None } else { Some("the page's own code threw an exception".to_owned()) };
    Verdict { outcome: Outcome::NoEffect, evidence: thrown, remark }
}

/// An effect that is claimed only because it came in time: no proof, and not the target's own state.
#[must_use]
pub fn rests_on_time(verdict: &Verdict) -> bool {
    let effect = verdict.outcome.claim() == super::Claim::Effect && verdict.outcome != Outcome::Dialog;
    effect && !verdict.evidence.iter().any(is_own)
}

/// The look with only what an action can have done to a target on which nothing listens.
#[must_use]
pub fn own_effects(look: &Look) -> Look {
    Look { evidence: look.evidence.iter().filter(|item| is_own(item)).cloned().collect(), ..look.clone() }
}

/// Proof, or the target's own state.
fn is_own(item: &Evidence) -> bool {
    use EvidenceKind as Kind;
    item.cause == Cause::Sync
        || (item.place == Place::Target && item.cause == Cause::Linked && matches!(item.kind, Kind::State | Kind::Value | Kind::Removed))
}

/// Whether a change that was taken back is worth the word `reverted`: states and values, and content that the action itself changed.
fn went_back(evidence: &Evidence) -> bool {
    use EvidenceKind as Kind;
    match evidence.kind {
        Kind::State | Kind::Value | Kind::Moved => evidence.cause != Cause::Window,
        Kind::Content => evidence.cause == Cause::Sync,
        _ => false,
    }
}
