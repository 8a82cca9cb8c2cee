//! What a field holds against what was asked for.

use protocol::{ReadBack, Seen, State, TargetFacts, Value};

use super::{Outcome, Verdict};

/// The text that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Text as given.
    pub text: String,
    /// Added to the end of what was there.
    pub append: bool,
    /// Enter was pressed afterwards.
    pub submit: bool,
}

/// What was read back.
#[derive(Debug, Clone, Copy)]
pub struct Typed<'a> {
    /// Value before.
    pub before: Option<&'a Value>,
    /// Value at the latest look; `None`: the field is gone.
    pub now: Option<&'a Value>,
    /// Units that the field's own limits let through.
    pub accepted: Option<u32>,
    /// The field held the asked text right after the dispatch.
    pub held: Option<bool>,
    /// A suggestion list is open and nothing is chosen.
    pub list_open: bool,
    /// A field that may offer a list.
    pub combobox: bool,
    /// What was asked, compared inside the page: it decides where an editor shows a part of its document only.
    pub read: Option<&'a ReadBack>,
}

/// A combobox whose list is open after typing: the text is not a choice yet.
pub(super) fn list_open(target: &TargetFacts) -> bool {
    target.described.role == "combobox" && target.states.contains(&State::Expanded)
}

/// Judges by value; `None` when there is no value to judge by.
#[must_use]
pub fn judge_typed(wanted: &Wanted, typed: &Typed<'_>) -> Option<Verdict> {
    let units = |text: &str| text.encode_utf16().count();
    if wanted.submit && !wanted.text.is_empty() && typed.held == Some(true) && emptied(typed.now?) {
        return Some(Verdict::bare(Outcome::Changed, "the field held the text, and the Enter emptied it"));
    }
    if let Some(read) = typed.read
        && let Some(seen) = read.part
    {
        return judge_part(read, seen);
    }
    match (typed.before, typed.now?) {
        (before, Value::Secret { length }) => {
            let was = match before {
                Some(Value::Secret { length }) => *length as usize,
                Some(Value::Plain { text }) => units(text),
                None => 0,
            };
            let expected = units(&wanted.text) + if wanted.append { was } else { 0 };
            let now = *length as usize;
            Some(match (typed.held, now == expected) {
                (Some(false), true) => {
                    Verdict::bare(Outcome::Reverted, format!("the field holds {now} characters, but not the ones asked for"))
                }
                (_, true) => Verdict::bare(Outcome::Changed, format!("the field holds {now} characters (a secret, not shown)")),
                (_, false) if now == was => unmoved(typed),
                (_, false) => Verdict::bare(Outcome::Partial, format!("{now} of {expected} characters kept (a secret, not shown)")),
            })
        }
        (before, Value::Plain { text: now }) => {
            let was = match before {
                Some(Value::Plain { text }) => text.as_str(),
                _ => "",
            };
            let expected = if wanted.append { format!("{was}{}", wanted.text) } else { wanted.text.clone() };
            Some(judge_plain(was, now, &expected, typed))
        }
    }
}

/// An editor that shows a part of its document only: what of it was seen decides.
fn judge_part(read: &ReadBack, seen: Seen) -> Option<Verdict> {
    let now = read.now.as_ref()?;
    let shown = match now {
        Value::Plain { text } if text.is_empty() => "nothing".to_owned(),
        Value::Plain { text } => crate::render::quote(text),
        Value::Secret { length } => format!("{length} characters (a secret, not shown)"),
    };
    Some(match (read.holds, seen) {
        (true, _) => Verdict::bare(
            Outcome::Changed,
            format!(
                "the editor shows a part of its document at a time; where the text begins and ends it is as asked; now it shows {shown}"
            ),
        ),
        (false, Seen::Ends) if *now == read.before => {
            Verdict::bare(if read.once { Outcome::Reverted } else { Outcome::NoEffect }, format!("the editor still shows {shown}"))
        }
        (false, Seen::Ends) => Verdict::bare(
            Outcome::Partial,
            format!("the editor, which shows a part of its document at a time, holds something else: {shown}"),
        ),
        (false, Seen::Some) => Verdict::bare(
            Outcome::Unverifiable,
            format!("the editor shows a part of its document only, and not where the text begins and ends: {shown}"),
        ),
    })
}

/// Nothing is in it.
fn emptied(value: &Value) -> bool {
    match value {
        Value::Plain { text } => text.trim_end_matches('\n').is_empty(),
        Value::Secret { length } => *length == 0,
    }
}

fn judge_plain(was: &str, now: &str, expected: &str, typed: &Typed<'_>) -> Verdict {
    let quote = crate::render::quote;
    let count = |text: &str| text.chars().count();
    // Editing hosts end their last paragraph with a line break of their own.
    let same = |a: &str, b: &str| a == b || a.trim_end_matches('\n') == b.trim_end_matches('\n');
    if same(now, expected) {
        if same(was, expected) {
            return Verdict::bare(Outcome::NoEffect, format!("the field already held {}", quote(now)));
        }
        if typed.list_open {
            return Verdict::bare(
                Outcome::Partial,
                format!("the field holds {}, but a list of suggestions is open and none is chosen", quote(now)),
            );
        }
        // The list may come later than the window is open, and some fields drop what was not chosen.
        let advice = if typed.combobox { "; if it suggests a list, what is not chosen there may not count (select_option)" } else { "" };
        return Verdict::bare(Outcome::Changed, format!("the field holds {}{advice}", quote(now)));
    }
    if same(now, was) {
        return unmoved(typed);
    }
    if expected.starts_with(now) {
        return Verdict::bare(
            Outcome::Partial,
            format!("{} of {} characters kept: the field holds {}", count(now), count(expected), quote(now)),
        );
    }
    if letters(now) == letters(expected) && same_number(now, expected) {
        return Verdict::bare(Outcome::Changed, format!("the page formatted it: the field holds {}", quote(now)));
    }
    Verdict::bare(Outcome::Partial, format!("the field holds {} instead of {}", quote(now), quote(expected)))
}

/// The value is what it was before.
fn unmoved(typed: &Typed<'_>) -> Verdict {
    if typed.accepted.is_some_and(|units| units > 0) {
        Verdict::bare(Outcome::Reverted, "the page put the old value back")
    } else {
        Verdict::bare(Outcome::NoEffect, "the field took nothing")
    }
}

/// Where a plain number was asked for, sign and decimal point are no formatting: `-1.50` is not `150`.
fn same_number(now: &str, expected: &str) -> bool {
    let Ok(wanted) = expected.trim().parse::<f64>() else { return true };
    if expected.trim().bytes().all(|b| b.is_ascii_digit()) {
        return true;
    }
    let kept: String = now.chars().filter(|c| c.is_ascii_digit() || matches!(c, '-' | '.')).collect();
    kept.parse::<f64>().is_ok_and(|held| held == wanted)
}

/// Letters and digits only: what a mask leaves of the text.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
