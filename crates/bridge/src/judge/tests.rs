//! The decision table, and the properties that hold over all evidence.

use proptest::prelude::*;
use protocol::{Cause, Described, Evidence, EvidenceKind, Look, Place, Quality, State, TargetFacts, Value};

use super::*;

fn evidence(cause: Cause, place: Place, kind: EvidenceKind) -> Evidence {
    Evidence {
        cause,
        place,
        kind,
        what: String::new(),
        first_ms: 5.0,
        last_ms: 5.0,
        times: 1,
        before: 0,
        reverted: false,
        url: None,
        tab: None,
        status: None,
    }
}

fn look(evidence: Vec<Evidence>) -> Look {
    Look {
        elapsed_ms: 1300.0,
        history_ms: 9000.0,
        evidence,
        target: None,
        hidden: false,
        dialog: None,
        quality: Quality::Complete,
        held: vec![],
        missing: vec![],
    }
}

fn outcome(evidence: Vec<Evidence>) -> Outcome {
    judge_evidence(&look(evidence), true).outcome
}

#[test]
fn decision_table() {
    use Cause::{Linked, Sync, Window};
    use EvidenceKind as Kind;
    use Place::{Away, Browser, Section, Target};
    let restless = |mut item: Evidence| {
        item.before = 4;
        item
    };
    let going_on = |mut item: Evidence| {
        item.times = 5;
        item
    };
    let back = |mut item: Evidence| {
        item.reverted = true;
        item
    };
    let table = [
        (vec![], Outcome::NoEffect),
        (vec![evidence(Sync, Away, Kind::Content)], Outcome::Changed),
        (vec![restless(evidence(Sync, Section, Kind::Content))], Outcome::Changed),
        (vec![evidence(Linked, Target, Kind::State)], Outcome::Changed),
        (vec![evidence(Window, Section, Kind::Content)], Outcome::Changed),
        (vec![evidence(Window, Away, Kind::Content)], Outcome::Unattributed),
        (vec![evidence(Window, Away, Kind::Alert)], Outcome::Changed),
        (vec![evidence(Window, Away, Kind::TopLayer)], Outcome::Changed),
        (vec![restless(evidence(Window, Away, Kind::Content))], Outcome::NoEffect),
        (vec![restless(evidence(Window, Section, Kind::Content))], Outcome::Unattributed),
        (vec![going_on(evidence(Window, Section, Kind::Content))], Outcome::Unattributed),
        (vec![evidence(Sync, Target, Kind::Focus)], Outcome::NoEffect),
        (vec![evidence(Linked, Target, Kind::Caret)], Outcome::Changed),
        (vec![evidence(Window, Section, Kind::Caret)], Outcome::NoEffect),
        (vec![evidence(Linked, Target, Kind::Moved)], Outcome::Changed),
        (vec![back(evidence(Linked, Target, Kind::Moved))], Outcome::Reverted),
        (vec![evidence(Sync, Target, Kind::Picture)], Outcome::Changed),
        (vec![evidence(Window, Target, Kind::Picture)], Outcome::Changed),
        (vec![going_on(evidence(Window, Target, Kind::Picture))], Outcome::Unattributed),
        (vec![evidence(Linked, Browser, Kind::Exception)], Outcome::NoEffect),
        (vec![evidence(Linked, Browser, Kind::Request)], Outcome::Requested),
        (vec![evidence(Window, Browser, Kind::Request)], Outcome::NoEffect),
        (vec![evidence(Linked, Browser, Kind::Request), evidence(Window, Section, Kind::Content)], Outcome::Changed),
        (vec![back(evidence(Linked, Target, Kind::State))], Outcome::Reverted),
        (vec![back(evidence(Window, Section, Kind::Content))], Outcome::NoEffect),
        (vec![evidence(Window, Browser, Kind::Navigation), evidence(Sync, Target, Kind::State)], Outcome::Navigated),
        (vec![evidence(Window, Browser, Kind::SameDocument)], Outcome::Navigated),
        (vec![restless(evidence(Window, Browser, Kind::SameDocument))], Outcome::NoEffect),
        (vec![evidence(Linked, Browser, Kind::Dialog)], Outcome::Dialog),
        (vec![evidence(Window, Browser, Kind::Dialog)], Outcome::NoEffect),
        (vec![evidence(Window, Browser, Kind::Tab)], Outcome::OpenedTab),
        (vec![evidence(Window, Browser, Kind::Download)], Outcome::Download),
        (vec![evidence(Window, Browser, Kind::Title)], Outcome::NoEffect),
    ];
    for (items, expected) in table {
        assert_eq!(outcome(items.clone()), expected, "{items:?}");
    }
}

#[test]
fn a_slow_ticker_without_history_is_told_by_its_second_tick() {
    let tick = Evidence { times: 2, first_ms: 700.0, last_ms: 1700.0, ..evidence(Cause::Window, Place::Section, EvidenceKind::Content) };
    let young = Look { history_ms: 200.0, ..look(vec![tick.clone()]) };
    assert_eq!(judge_evidence(&young, true).outcome, Outcome::Unattributed);
    // The same two steps in a region that had been seen resting are an effect in two steps.
    assert_eq!(outcome(vec![tick]), Outcome::Changed);
}

#[test]
fn blindness_is_said() {
    let blind = Look { quality: Quality::Unavailable, missing: vec!["canvas".into()], ..look(vec![]) };
    assert_eq!(judge_evidence(&blind, true).outcome, Outcome::Unverifiable);
}

fn plain(text: &str) -> Value {
    Value::Plain { text: text.to_owned() }
}

#[test]
fn typed_table() {
    let check = |wanted: &str, append: bool, before: &str, now: &str, accepted: u32, held: bool| {
        let (before, now) = (plain(before), plain(now));
        let typed = Typed {
            before: Some(&before),
            now: Some(&now),
            accepted: Some(accepted),
            held: Some(held),
            list_open: false,
            combobox: false,
            read: None,
        };
        judge_typed(&Wanted { text: wanted.to_owned(), append, submit: false }, &typed).map(|verdict| verdict.outcome)
    };
    assert_eq!(check("hello", false, "", "hello", 5, true), Some(Outcome::Changed));
    assert_eq!(check("hello", false, "", "hel", 3, false), Some(Outcome::Partial));
    assert_eq!(check("hello", false, "", "", 5, false), Some(Outcome::Reverted));
    assert_eq!(check("hello", false, "", "", 0, false), Some(Outcome::NoEffect));
    assert_eq!(check("hello", false, "hello", "hello", 5, true), Some(Outcome::NoEffect));
    assert_eq!(check("Porto", true, "Lisbon", "LisbonPorto", 5, true), Some(Outcome::Changed));
    assert_eq!(check("5551234", false, "", "(555) 1234", 7, false), Some(Outcome::Changed));
    assert_eq!(check("-1.50", false, "", "150", 5, false), Some(Outcome::Partial));
    assert_eq!(check("1234.5", false, "", "€ 1,234.50", 6, false), Some(Outcome::Partial));
    assert_eq!(check("1234.50", false, "", "€ 1,234.50", 7, false), Some(Outcome::Changed));
    assert_eq!(check("abc", false, "", "xyz", 3, false), Some(Outcome::Partial));
}

#[test]
fn what_enter_empties_is_not_lost() {
    let check = |submit: bool, before: &Value, held: bool| {
        let now = plain("");
        let typed = Typed {
            before: Some(before),
            now: Some(&now),
            accepted: Some(5),
            held: Some(held),
            list_open: false,
            combobox: false,
            read: None,
        };
        judge_typed(&Wanted { text: "hello".to_owned(), append: false, submit }, &typed).map(|verdict| verdict.outcome)
    };
    assert_eq!(check(true, &plain(""), true), Some(Outcome::Changed));
    assert_eq!(check(true, &plain("old"), true), Some(Outcome::Changed));
    assert_eq!(check(true, &plain(""), false), Some(Outcome::Reverted));
    assert_eq!(check(false, &plain(""), true), Some(Outcome::Reverted));
}

#[test]
fn secrets_are_judged_by_length() {
    let (before, now) = (Value::Secret { length: 0 }, Value::Secret { length: 6 });
    let typed = Typed {
        before: Some(&before),
        now: Some(&now),
        accepted: Some(6),
        held: Some(true),
        list_open: false,
        combobox: false,
        read: None,
    };
    let verdict = judge_typed(&Wanted { text: "hunter".into(), append: false, submit: false }, &typed);
    assert_eq!(verdict.as_ref().map(|verdict| verdict.outcome), Some(Outcome::Changed));
    assert!(!format!("{verdict:?}").contains("hunter"));
}

fn target(role: &str, name: &str) -> TargetFacts {
    TargetFacts {
        described: Described { role: role.into(), name: name.into(), doc: None, node: None, within: None },
        tag: "button".into(),
        states: vec![],
        value: None,
        connected: true,
        submits: false,
        opens_tab: false,
        rich: false,
        opaque: false,
        secret: false,
        marks: String::new(),
    }
}

/// An editor that shows a part of its document: only its two ends, both seen, are a claim.
#[test]
fn part_of_a_document() {
    use protocol::{ReadBack, Seen};
    let (old, new) = (Value::Plain { text: "line 1".into() }, Value::Plain { text: "New".into() });
    let wanted = Wanted { text: "New".into(), append: false, submit: false };
    for (now, holds, once, part, expected) in [
        (&new, true, true, Seen::Ends, Outcome::Changed),
        (&new, false, false, Seen::Some, Outcome::Unverifiable),
        (&new, false, false, Seen::Ends, Outcome::Partial),
        (&old, false, false, Seen::Ends, Outcome::NoEffect),
        (&old, false, true, Seen::Ends, Outcome::Reverted),
    ] {
        let read = ReadBack { field: 0, holds, once, before: old.clone(), now: Some(now.clone()), list_open: false, part: Some(part) };
        let typed = Typed {
            before: Some(&old),
            now: Some(now),
            accepted: Some(3),
            held: Some(holds),
            list_open: false,
            combobox: false,
            read: Some(&read),
        };
        assert_eq!(judge_typed(&wanted, &typed).map(|verdict| verdict.outcome), Some(expected), "{read:?}");
    }
}

#[test]
fn what_must_not_be_done_twice() {
    assert!(is_sensitive(&target("button", "Place order")));
    assert!(is_sensitive(&TargetFacts { submits: true, ..target("button", "Go") }));
    assert!(is_sensitive(&TargetFacts { marks: "btn js-delete".into(), ..target("button", "X") }));
    assert!(!is_sensitive(&target("button", "Reorder list")));
    assert!(is_toggle(&target("switch", "Wifi")));
    assert!(is_toggle(&TargetFacts { states: vec![State::Unpressed], ..target("button", "Bold") }));
    assert!(!is_toggle(&target("button", "Go")));
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    use EvidenceKind as Kind;
    let cause = prop::sample::select(vec![Cause::Sync, Cause::Linked, Cause::Window]);
    let place = prop::sample::select(vec![Place::Target, Place::Section, Place::Away, Place::Browser]);
    let kind = prop::sample::select(vec![
        Kind::State,
        Kind::Value,
        Kind::Removed,
        Kind::Content,
        Kind::Attribute,
        Kind::Alert,
        Kind::Live,
        Kind::TopLayer,
        Kind::Scroll,
        Kind::Focus,
        Kind::Caret,
        Kind::Picture,
        Kind::Moved,
        Kind::Title,
        Kind::Request,
        Kind::Exception,
    ]);
    (cause, place, kind, 0..6u32, 1..6u32, any::<bool>()).prop_map(|(cause, place, kind, before, times, reverted)| Evidence {
        before,
        times,
        reverted,
        ..evidence(cause, place, kind)
    })
}

proptest! {
    /// More evidence near the target never turns `changed` into something weaker.
    #[test]
    fn more_evidence_never_weakens(items in prop::collection::vec(any_evidence(), 0..6), more in any_evidence()) {
        if outcome(items.clone()) == Outcome::Changed {
            let mut all = items;
            all.push(more);
            prop_assert_eq!(outcome(all), Outcome::Changed);
        }
    }

    /// Regions that move by themselves, and whatever merely moved in time away from the target, never give an effect.
    #[test]
    fn background_never_gives_an_effect(items in prop::collection::vec(any_evidence(), 0..6)) {
        let background: Vec<Evidence> = items
            .into_iter()
            .filter(|item| !matches!(item.kind, EvidenceKind::Alert | EvidenceKind::TopLayer))
            .map(|item| Evidence { cause: Cause::Window, before: item.before.max(u32::from(item.place != Place::Away)), ..item })
            .collect();
        prop_assert_ne!(outcome(background).claim(), Claim::Effect);
    }
}
