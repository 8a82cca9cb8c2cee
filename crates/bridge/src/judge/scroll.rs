//! Where a scroller stands against where it stood. Nothing else says whether something was scrolled.

use protocol::{EvidenceKind, Look, Offset, Scrolled};

use super::{Outcome, Verdict};

/// Judges a scroll; `seen` is the verdict over everything else.
#[must_use]
pub fn judge_scroll(scrolled: Option<&Scrolled>, look: &Look, seen: Verdict) -> Verdict {
    let of_scroll = || look.evidence.iter().filter(|item| item.kind == EvidenceKind::Scroll);
    let Some(Scrolled { from, now, end }) = scrolled else {
        // Pages that scroll by a script of their own get the wheel, and are judged by what it did.
        if seen.outcome == Outcome::NoEffect {
            return Verdict { remark: Some("nothing there can be scrolled that way".to_owned()), ..seen };
        }
        return seen;
    };
    let at = |place: &Offset| format!("{},{}", place.x, place.y);
    if from == now {
        // A frame's page scrolls its own surroundings too.
        if of_scroll().any(|item| !item.reverted) {
            return Verdict { outcome: Outcome::Changed, evidence: of_scroll().cloned().collect(), remark: None };
        }
        return Verdict::bare(Outcome::NoEffect, format!("it did not move: it stands at {} of {}{}", at(now), at(end), ends(now, end)));
    }
    if of_scroll().any(|item| item.reverted) {
        let evidence = of_scroll().cloned().collect();
        return Verdict { outcome: Outcome::Reverted, evidence, remark: Some(format!("the page scrolled it back to {}", at(from))) };
    }
    let remark = format!("scrolled from {} to {} of {}{}", at(from), at(now), at(end), ends(now, end));
    let evidence = seen.evidence.into_iter().filter(|item| item.kind != EvidenceKind::Scroll).collect();
    Verdict { outcome: Outcome::Changed, evidence, remark: Some(remark) }
}

/// Where it can go no farther.
fn ends(now: &Offset, end: &Offset) -> &'static str {
    let down = end.y > 0;
    let (place, last) = if down { (now.y, end.y) } else { (now.x, end.x) };
    if place >= last {
        ", the end"
    } else if place <= 0 {
        ", the beginning"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Cause, Evidence, Place, Quality};

    use super::*;

    fn look(reverted: Option<bool>) -> Look {
        let evidence = reverted.map(|reverted| Evidence {
            cause: Cause::Sync,
            place: Place::Target,
            kind: EvidenceKind::Scroll,
            what: "scrolled".into(),
            first_ms: 1.0,
            last_ms: 1.0,
            times: 1,
            before: 0,
            reverted,
            url: None,
            tab: None,
            status: None,
        });
        Look {
            elapsed_ms: 120.0,
            history_ms: 9000.0,
            evidence: evidence.into_iter().collect(),
            target: None,
            hidden: false,
            dialog: None,
            quality: Quality::Complete,
            held: vec![],
            missing: vec![],
        }
    }

    fn verdict(from: i32, now: i32, reverted: Option<bool>) -> Verdict {
        let scrolled = Scrolled { from: Offset { x: 0, y: from }, now: Offset { x: 0, y: now }, end: Offset { x: 0, y: 900 } };
        judge_scroll(Some(&scrolled), &look(reverted), Verdict { outcome: Outcome::NoEffect, evidence: vec![], remark: None })
    }

    #[test]
    fn a_scroller_is_judged_by_where_it_stands() {
        let cases = [
            ((0, 400, Some(false)), Outcome::Changed, "from 0,0 to 0,400 of 0,900"),
            ((400, 900, Some(false)), Outcome::Changed, "of 0,900, the end"),
            ((900, 900, None), Outcome::NoEffect, "it did not move: it stands at 0,900 of 0,900, the end"),
            ((0, 0, None), Outcome::NoEffect, "the beginning"),
            ((0, 400, Some(true)), Outcome::Reverted, "back to 0,0"),
        ];
        for ((from, now, reverted), outcome, words) in cases {
            let verdict = verdict(from, now, reverted);
            assert_eq!(verdict.outcome, outcome, "{from} → {now}");
            assert!(verdict.remark.as_ref().is_some_and(|remark| remark.contains(words)), "{:?}", verdict.remark);
        }
        let none = judge_scroll(None, &look(None), Verdict { outcome: Outcome::NoEffect, evidence: vec![], remark: None });
        assert!(none.remark.is_some_and(|remark| remark.contains("nothing there can be scrolled")));
    }
}
