//! Verdicts: pure functions over evidence. No clock, no browser, no text layout.

mod held;
pub mod money;
mod outcome;
mod scroll;
mod sensitive;
mod timing;
mod typed;
mod weigh;

pub use held::{Holding, judge_fields, judge_held};
pub use outcome::{Claim, Outcome};
pub use scroll::judge_scroll;
pub use sensitive::{is_sensitive, is_toggle, sensitive_words};
pub use timing::{Next, Pace, may_expect, next};
pub use typed::{Typed, Wanted, judge_typed};
pub use weigh::{Weight, judge_evidence, own_effects, rests_on_time, weigh};

#[cfg(test)]
mod tests;

use protocol::{Act, Described, Evidence, EvidenceKind, Look, TargetFacts};

/// A verdict with what carries it.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The word.
    pub outcome: Outcome,
    /// The evidence that carries it, strongest first.
    pub evidence: Vec<Evidence>,
    /// One short remark: what was kept, why nothing moved.
    pub remark: Option<String>,
}

impl Verdict {
    /// A verdict without evidence.
    #[must_use]
    pub fn bare(outcome: Outcome, remark: impl Into<String>) -> Self {
        Self { outcome, evidence: Vec::new(), remark: Some(remark.into()) }
    }
}

/// What the agent asked for, as far as the verdict depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// A click.
    Click,
    /// Text in a field.
    Text(Wanted),
    /// A scroll.
    Scroll,
    /// A drag.
    Drag,
    /// The pointer on it.
    Hover,
    /// So many chords.
    Keys(u32),
    /// A control that is to hold something, compared inside the page.
    Held(Holding),
    /// Many fields, each compared inside the page.
    Fields,
    /// A native dialog answered: that it closed is the browser's own word.
    Answer,
}

/// Judges an action by its latest look. `closed` tells that the window is over: silence counts only then.
#[must_use]
pub fn judge(asked: &Asked, act: &Act, look: &Look, closed: bool) -> Verdict {
    let Act::Done { before, delivered, accepted, holds, scrolled, .. } = act else {
        return Verdict::bare(Outcome::NoEffect, "nothing was dispatched");
    };
    let dragged = (*asked == Asked::Drag).then(|| shuffled(look));
    let verdict = unseen_on(before, judge_evidence(dragged.as_ref().unwrap_or(look), closed), closed);
    if *asked == Asked::Scroll && !leads_away(verdict.outcome) {
        return judge_scroll(scrolled.as_ref(), look, verdict);
    }
    let typed = match asked {
        Asked::Answer if !leads_away(verdict.outcome) => Some(Some(Verdict::bare(Outcome::Changed, "the dialog is closed"))),
        Asked::Fields if !leads_away(verdict.outcome) => Some(judge_fields(&look.held)),
        Asked::Held(holding) if !leads_away(verdict.outcome) => look.held.first().map(|held| judge_held(*holding, held, &verdict.evidence)),
        Asked::Text(wanted) if !leads_away(verdict.outcome) => Some(judge_typed(
            wanted,
            &Typed {
                before: before.value.as_ref(),
                now: look.target.as_ref().and_then(|target| target.value.as_ref()),
                accepted: *accepted,
                held: *holds,
                combobox: before.described.role == "combobox" && !wanted.submit,
                list_open: look.target.as_ref().is_some_and(typed::list_open),
                read: look.held.first(),
            },
        )),
        _ => None,
    };
    match typed {
        // A field that is gone (re-rendered, form replaced) is judged by what else moved.
        Some(Some(mut typed)) => {
            typed.evidence = verdict.evidence;
            typed
        }
        _ if verdict.outcome == Outcome::NoEffect && delivered.is_none() => {
            Verdict { outcome: Outcome::NotDelivered, remark: Some("no element received the input".to_owned()), ..verdict }
        }
        _ if closed && went_elsewhere(&verdict, &before.described, delivered.as_ref()) => {
            let got = delivered.as_ref().map(crate::render::described).unwrap_or_default();
            Verdict { outcome: Outcome::NotDelivered, remark: Some(format!("the input came to {got}, which is not the target")), ..verdict }
        }
        _ => match (asked, accepted) {
            (Asked::Keys(wanted), Some(pressed)) if pressed < wanted => pressed_short(verdict, *pressed, *wanted),
            _ => verdict,
        },
    }
}

/// Silence of what cannot be read is no silence.
fn unseen_on(target: &TargetFacts, verdict: Verdict, closed: bool) -> Verdict {
    if closed && target.opaque && verdict.outcome == Outcome::NoEffect && verdict.evidence.is_empty() {
        let remark = format!("nothing moved that can be read, and what the {} shows cannot be", target.tag);
        return Verdict::bare(Outcome::Unverifiable, remark);
    }
    verdict
}

/// The look without what a drag leaves on its way: classes and styles that only mirror it. Where things stand is told apart.
fn shuffled(look: &Look) -> Look {
    let evidence = look.evidence.iter().filter(|item| item.kind != EvidenceKind::Attribute).cloned().collect();
    Look { evidence, ..look.clone() }
}

/// Keys that were not pressed any more are said, whatever the others did.
fn pressed_short(verdict: Verdict, pressed: u32, wanted: u32) -> Verdict {
    let rest = format!("{pressed} of {wanted} keys pressed: then the page they were meant for was gone");
    let remark = verdict.remark.map_or_else(|| rest.clone(), |remark| format!("{remark}; {rest}"));
    Verdict { remark: Some(remark), ..verdict }
}

/// Another element than the target got the input, and nothing is known to have come of it.
fn went_elsewhere(verdict: &Verdict, target: &Described, delivered: Option<&Described>) -> bool {
    let place = |described: &Described| described.doc.zip(described.node);
    matches!(verdict.outcome, Outcome::NoEffect | Outcome::Unattributed)
        && delivered.is_some_and(|got| place(got).is_some() && place(target).is_some() && place(got) != place(target))
}

/// Outcomes that say more than a field's value does.
fn leads_away(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Navigated | Outcome::OpenedTab | Outcome::Dialog | Outcome::Download)
}
