//! What a control holds against what was asked of it: boxes, lists, files.

use protocol::{Evidence, EvidenceKind, Place, ReadBack, Value};

use super::{Outcome, Verdict};

/// What kind of thing is held: it decides the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// `checked` or `unchecked`.
    State,
    /// The chosen options.
    Choice,
    /// Files.
    Files,
}

impl Holding {
    /// What the control holds, in words.
    fn words(self, value: &Value) -> String {
        match (self, value) {
            (_, Value::Secret { length }) => format!("holds {length} characters (a secret, not shown)"),
            (Self::State, Value::Plain { text }) => format!("is {text}"),
            (Self::Choice, Value::Plain { text }) if text.is_empty() => "has nothing chosen".to_owned(),
            (Self::Choice, Value::Plain { text }) => format!("shows {}", crate::render::quote(text)),
            (Self::Files, Value::Plain { text }) if text.is_empty() => "holds no file".to_owned(),
            (Self::Files, Value::Plain { text }) => format!("holds {}", crate::render::quote(text)),
        }
    }
}

/// Judges by what is held; `None` when the control is gone and other evidence must tell.
#[must_use]
pub fn judge_held(holding: Holding, held: &ReadBack, evidence: &[Evidence]) -> Option<Verdict> {
    let now = held.now.as_ref()?;
    let words = holding.words(now);
    if held.holds {
        return Some(Verdict::bare(Outcome::Changed, format!("it now {words}")));
    }
    if *now != held.before {
        return Some(Verdict::bare(Outcome::Partial, format!("it now {words}, which is not what was asked for")));
    }
    if held.once {
        return Some(Verdict::bare(Outcome::Reverted, format!("the page put it back: it {words} again")));
    }
    // The page answered, though not by doing what was asked: an error beside the box.
    let answered = evidence
        .iter()
        .any(|item| item.kind == EvidenceKind::Alert || (item.kind == EvidenceKind::Request && item.place == Place::Browser));
    let outcome = if answered { Outcome::Partial } else { Outcome::NoEffect };
    Some(Verdict::bare(outcome, format!("it still {words}")))
}

/// All fields together, by what they hold alone; the receipts say what became of each.
#[must_use]
pub fn judge_fields(held: &[ReadBack]) -> Option<Verdict> {
    let kept = held.iter().filter(|one| one.holds).count();
    let moved = held.iter().filter(|one| one.now.as_ref().is_some_and(|now| *now != one.before)).count();
    let once = held.iter().filter(|one| one.once).count();
    let outcome = match (kept, moved, once) {
        _ if held.is_empty() => return None,
        (kept, ..) if kept == held.len() => Outcome::Changed,
        (0, 0, 0) => Outcome::NoEffect,
        (0, 0, _) => Outcome::Reverted,
        _ => Outcome::Partial,
    };
    Some(Verdict { outcome, evidence: Vec::new(), remark: None })
}
