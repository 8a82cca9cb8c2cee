//! Checks a reply's text and time, and the journal, against what a step expects. Pure.

use std::time::Duration;

use crate::fixture::Journal;
use crate::scenario::{EventExpectation, Expect, ImageExpectation, JournalExpectation, Profile, Until};
use crate::subject::Reply;
use crate::verdict::{Claim, Judgement, Verdict};

/// Judges a reply that must claim nothing: a read, or a call on tabs.
pub(super) fn judge_read(reply: &Reply, expect: &Expect) -> Judgement {
    let first = || reply.text.lines().next().unwrap_or_default();
    let wanted = || expect.refusal.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    match (&reply.claim, expect.refusal.is_empty()) {
        (Claim::Refused(_), true) => Judgement::new(Verdict::Failed, format!("the call failed: {}", first())),
        (Claim::Refused(code), false) if !expect.refusal.iter().any(|allowed| allowed.to_string() == *code) => {
            Judgement::new(Verdict::WrongReason, format!("the call was refused as `{code}`, expected {}", wanted()))
        }
        (Claim::Refused(_), false) | (_, true) => Judgement::passed(),
        (_, false) => Judgement::new(Verdict::Failed, format!("the call must be refused as {} and was not: {}", wanted(), first())),
    }
}

/// Checks the words and the time of a reply; `alone` is what it would have taken on a quiet machine.
pub(super) fn check_reply(reply: &Reply, alone: Duration, expect: &Expect, profile: Profile) -> Judgement {
    for text in expect.reply.iter() {
        if !reply.text.contains(text.as_str()) {
            return Judgement::new(Verdict::Failed, format!("the reply does not contain \"{text}\": {}", shown(&reply.text)));
        }
    }
    for text in expect.not_reply.iter() {
        if reply.text.contains(text.as_str()) {
            return Judgement::new(Verdict::Failed, format!("the reply contains \"{text}\": {}", shown(&reply.text)));
        }
    }
    let picture = check_picture(reply, expect);
    if picture.verdict != Verdict::Passed {
        return picture;
    }
    if let Some(bound) = expect.bound_ms(profile)
        && alone > Duration::from_millis(bound)
    {
        let [took, alone] = [reply.took, alone].map(|time| time.as_millis());
        let why = format!("the reply took {took} ms ({alone} ms without the machine's other work), allowed are {bound} ms");
        return Judgement::new(Verdict::Failed, why);
    }
    Judgement::passed()
}

/// Checks the picture in a reply: what it shows is nobody's wording.
pub(super) fn check_picture(reply: &Reply, expect: &Expect) -> Judgement {
    let fault = expect.image.as_ref().and_then(|image| image_fault(reply, image));
    fault.map_or_else(Judgement::passed, |why| Judgement::new(Verdict::Failed, why))
}

fn image_fault(reply: &Reply, expect: &ImageExpectation) -> Option<String> {
    let [picture] = reply.images.as_slice() else {
        return Some(format!("the reply must hold one picture and holds {}: {}", reply.images.len(), shown(&reply.text)));
    };
    // Checked when the scenario was read.
    let colour = expect.channels()?;
    match picture.share_of(colour, expect.near) {
        Err(why) => Some(why),
        Ok((width, height, share)) if share < 0.5 => {
            let percent = share * 100.0;
            Some(format!("the picture ({width}×{height}) is {percent:.0} % {}, expected at least half", expect.colour))
        }
        Ok(_) => None,
    }
}

/// The beginning of a text, on one line.
pub(super) fn shown(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

/// Checks what the journal must say.
pub(super) fn check_journal(journal: &Journal, expect: &JournalExpectation) -> Judgement {
    let failed = |why: String| Judgement::new(Verdict::Failed, why);
    if !journal.reached(&expect.goal) {
        let goal = |map: &serde_json::Map<String, serde_json::Value>| serde_json::Value::Object(map.clone());
        return failed(format!("the journal holds {}, expected {}", goal(&journal.goal), goal(&expect.goal)));
    }
    for event in &expect.events {
        if let Some(why) = event_fault(journal, event) {
            return failed(why);
        }
    }
    if let Some(target) = expect.untouched.iter().find(|target| !journal.untouched(target)) {
        return failed(format!("an event reached {target}, which nothing may reach"));
    }
    match expect.documents {
        Some(count) if journal.documents.len() != count => {
            failed(format!("{} documents said hello, expected {count}", journal.documents.len()))
        }
        _ => Judgement::passed(),
    }
}

/// Whether the journal holds what an `until` waits for.
pub(super) fn reached(journal: &Journal, until: &Until) -> bool {
    journal.reached(&until.goal)
        && until.events.iter().all(|event| event_fault(journal, event).is_none())
        && until.documents.is_none_or(|count| journal.documents.len() >= count)
}

fn event_fault(journal: &Journal, expect: &EventExpectation) -> Option<String> {
    let at = |event: &crate::fixture::EventRecord| match &expect.target {
        Some(selector) => event.target.as_ref().is_some_and(|target| target.is(selector)),
        None => true,
    };
    let found = journal.events().filter(|(_, event)| event.r#type == expect.r#type && at(event)).collect::<Vec<_>>();
    let target = expect.target.as_deref().unwrap_or("anything");
    let kind = &expect.r#type;
    match expect.times {
        Some(times) if found.len() != times => {
            return Some(format!("{kind} reached {target} {} time(s), expected {times}", found.len()));
        }
        None if found.is_empty() => return Some(format!("{kind} never reached {target}")),
        _ => {}
    }
    let wrong = expect.trusted.and_then(|trusted| found.iter().find(|(_, event)| event.trusted != trusted));
    wrong.map(|(_, event)| format!("{kind} reached {target} with isTrusted {}", event.trusted))
}
