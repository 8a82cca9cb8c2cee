//! Refusals of the page in words, with their codes.

use protocol::{Described, ErrorCode, Refusal};

use super::{described, quote};
use crate::error::ToolError;

/// The error an agent gets for a refusal. `what` names the call, as in `click button "Go"`.
#[must_use]
pub fn refusal(refusal: &Refusal) -> ToolError {
    let error = |code, what: String| ToolError::new(code, what);
    match refusal {
        Refusal::Navigated => error(ErrorCode::StaleRef, "this ref is from before the navigation: its document is gone".into()),
        Refusal::Removed { was } => error(ErrorCode::StaleRef, format!("{} is no longer in the page", described(was))),
        Refusal::Changed { was, now } => {
            error(ErrorCode::StaleRef, format!("was {}, now {}; nothing was done", described(was), described(now)))
        }
        Refusal::NotFound { seen } if seen.is_empty() => error(ErrorCode::NotFound, "nothing matches the target".into()),
        Refusal::NotFound { seen } => {
            let seen: Vec<String> = seen.iter().map(described).collect();
            error(ErrorCode::NotFound, format!("nothing matches the target; there are {}", seen.join(", ")))
        }
        Refusal::Ambiguous { count, candidates } => {
            // A place that all share tells none from another.
            let shared = candidates.windows(2).all(|pair| matches!(pair, [one, other] if one.within == other.within));
            let words = |one: &Described| if shared { described(&Described { within: None, ..one.clone() }) } else { described(one) };
            let candidates: Vec<String> = candidates.iter().map(words).collect();
            error(ErrorCode::Ambiguous, format!("{count} match the target, nothing was done: {}", candidates.join(", ")))
        }
        Refusal::BadSelector { message } => error(ErrorCode::InvalidArgument, format!("the selector is not valid CSS: {}", quote(message))),
        Refusal::Covered { target, by, in_parent } => {
            let place = if *in_parent { " in the page around its frame" } else { "" };
            error(ErrorCode::Covered, format!("{} is covered by {}{place}; nothing was done", described(target), described(by)))
                .with_next("Close or move the cover, then try again")
        }
        Refusal::Disabled { target, how } => error(ErrorCode::Disabled, format!("{} is disabled ({how})", described(target))),
        Refusal::NotVisible { target, how } => error(ErrorCode::NotVisible, format!("{} is not visible ({how})", described(target))),
        Refusal::Moving { target } => {
            error(ErrorCode::NotVisible, format!("{} keeps moving; no point of it stood still", described(target)))
                .with_next("Wait until it rests, or stop what moves it")
        }
        Refusal::NotEditable { target, how } => {
            error(ErrorCode::NotEditable, format!("{} takes no text ({how}); its value is untouched", described(target)))
        }
        Refusal::Outside { width, height } => {
            error(ErrorCode::InvalidArgument, format!("the point is outside the viewport of {width} x {height}; nothing was done"))
                .with_next("Scroll first, then give a point of the viewport in CSS pixels")
        }
        Refusal::NeedsConfirmation { label, amount, pressed } => {
            let amount = amount.as_ref().map_or_else(String::new, |amount| format!(" (amount {})", quote(amount)));
            let before = if *pressed == 0 { "nothing was pressed" } else { "what came before it was done, this was not pressed" };
            error(ErrorCode::NeedsConfirmation, format!("{}{amount} moves money and waits for the user; {before}", quote(label)))
                .with_next("Do it by a call of its own: the user is asked then")
        }
        Refusal::Sensitive { target } => error(
            ErrorCode::NeedsConfirmation,
            format!("{} is sensitive and act does not activate it; nothing was done with it", described(target)),
        )
        .with_next("Look at what the steps before did, then do it by a call of its own"),
        Refusal::WrongKind { target, what, instead } => {
            error(ErrorCode::WrongKind, format!("{} {what}", described(target))).with_next(format!("Use {instead}"))
        }
        Refusal::BadValue { target, takes } => {
            error(ErrorCode::InvalidArgument, format!("{} cannot hold that; nothing was done", described(target)))
                .with_next(format!("Give {takes}"))
        }
        Refusal::Several { refusals } => {
            let code = refusals.first().map_or(ErrorCode::NoMatch, |first| self::refusal(first).code);
            let words = |one: &Refusal| match one {
                // Which form a value must have is the field's own: one advice for all of them cannot say it.
                Refusal::BadValue { takes, .. } => format!("{} (give {takes})", self::refusal(one).what),
                _ => self::refusal(one).what,
            };
            let each: Vec<String> = refusals.iter().enumerate().map(|(at, one)| format!("{}. {}", at + 1, words(one))).collect();
            error(code, format!("no field was filled: {}", each.join("; "))).with_next("Correct these, then fill again")
        }
        Refusal::NoOption { target, wanted, options, count, opened } => {
            let listed: Vec<String> = options.iter().map(|option| quote(option)).collect();
            let more = (*count as usize).saturating_sub(options.len());
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let there = if listed.is_empty() { "it has no options now".to_owned() } else { format!("it has {}{rest}", listed.join(", ")) };
            let state = if *opened { "nothing was chosen, but its list is open now" } else { "nothing was chosen" };
            error(ErrorCode::NoMatch, format!("{} has no option {}: {there}; {state}", described(target), quote(wanted)))
                .with_next("Choose from these, by label or value")
        }
    }
}
