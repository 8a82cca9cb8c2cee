//! The reply of a write.

use protocol::{Cause, Described, Evidence, EvidenceKind, Input, Look, Place, Quality, State, TargetFacts};

use super::words::address;
use super::{described, quote};
use crate::judge::{Outcome, Verdict};

/// What a write's reply is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct ActReply<'a> {
    /// The call in words: `click button "Go" [a12]`.
    pub what: String,
    /// The verdict.
    pub verdict: &'a Verdict,
    /// Each delivery: how, and to what.
    pub deliveries: Vec<(Input, Option<Described>)>,
    /// Remarks on the way it was done: the retry, the route that changed.
    pub notes: Vec<String>,
    /// The last look.
    pub look: &'a Look,
}

/// Most evidence lines of one reply.
const MOST_LINES: usize = 6;

/// The text (design §3, "The reply of a write").
#[must_use]
pub fn act_reply(reply: &ActReply<'_>) -> String {
    let verdict = reply.verdict;
    let mut out = format!("outcome: {} · {}", verdict.outcome.word(), reply.what);
    if let Some(remark) = &verdict.remark {
        out.push_str(&format!(" · {remark}"));
    }
    out.push('\n');
    for (input, to) in &reply.deliveries {
        let way = match input {
            Input::Synthetic => "synthetic",
            Input::Trusted => "trusted",
        };
        let to = to.as_ref().map_or_else(|| "nothing".to_owned(), described);
        out.push_str(&format!("delivered: {way} to {to}\n"));
    }
    for note in &reply.notes {
        // A warning is not to be taken for a remark.
        match note.strip_prefix("WARNING: ") {
            Some(warning) => out.push_str(&format!("warning: {warning}\n")),
            None => out.push_str(&format!("note: {note}\n")),
        }
    }
    for item in verdict.evidence.iter().take(MOST_LINES) {
        out.push_str(&format!("- {}\n", evidence_line(item)));
    }
    if verdict.evidence.len() > MOST_LINES {
        out.push_str(&format!("- and {} more\n", verdict.evidence.len() - MOST_LINES));
    }
    out.push_str("looked at: target, section, alerts, top layer, url, title, tabs, downloads, dialogs, requests, errors\n");
    out.push_str(&format!("window: {:.0} ms · {}", reply.look.elapsed_ms, quality(reply.look)));
    if reply.look.hidden {
        out.push_str(" · hidden tab");
    }
    out
}

/// The reply of an action that had nothing to do.
#[must_use]
pub fn already(verb: &str, target: &TargetFacts) -> String {
    let outcome = Outcome::NoEffect.word();
    let has = |states: &[State]| target.states.iter().any(|state| states.contains(state));
    let already = if has(&[State::Checked, State::Pressed]) {
        "already checked"
    } else if has(&[State::Unchecked, State::Unpressed]) {
        "already unchecked"
    } else {
        "it is chosen already"
    };
    format!("outcome: {outcome} · {verb} {} · {already}: nothing was pressed or changed", described(&target.described))
}

fn quality(look: &Look) -> String {
    let why = look.missing.join(", ");
    match look.quality {
        Quality::Complete => "complete".to_owned(),
        Quality::Partial => format!("partial: {why}"),
        Quality::Unavailable => format!("unavailable: {why}"),
    }
}

/// One piece of evidence: `sync target: unchecked → checked`.
#[must_use]
pub fn evidence_line(item: &Evidence) -> String {
    let cause = match item.cause {
        Cause::Sync => "sync",
        Cause::Linked => "linked",
        Cause::Window => "window",
    };
    let place = match item.place {
        Place::Target => "target",
        Place::Section => "section",
        Place::Away => "away",
        Place::Browser => "browser",
    };
    let what = match item.kind {
        EvidenceKind::Navigation => format!("new document {}", item.url.as_deref().map_or_else(String::new, address)),
        EvidenceKind::SameDocument => format!("same document, now {}", item.url.as_deref().map_or_else(String::new, address)),
        EvidenceKind::Tab => {
            format!("tab {} opened {}", item.tab.unwrap_or_default(), item.url.as_deref().map_or_else(String::new, address))
        }
        EvidenceKind::Request => match item.status {
            Some(status) => format!("request {} → {status}", item.what),
            None => format!("request {}", item.what),
        },
        EvidenceKind::Exception => format!("exception {}", quote(&item.what)),
        EvidenceKind::Title => format!("title {}", item.what),
        EvidenceKind::Focus => format!("focus {}", item.what),
        EvidenceKind::Download => format!("download {}", item.what),
        EvidenceKind::Dialog => format!("dialog {}", item.what),
        _ => item.what.clone(),
    };
    let back = if item.reverted { " (went back)" } else { "" };
    let late = if item.first_ms >= 100.0 { format!(" at {:.0} ms", item.first_ms) } else { String::new() };
    format!("{cause} {place}: {}{back}{late}", one_line(&what))
}

/// Page text in evidence comes quoted by the extension; line breaks and markers must not come with it.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().replace('«', "‹").replace('»', "›")
}
