//! From transcripts to scenarios, rule by rule.
#![expect(clippy::needless_pass_by_value, reason = "values are written where they are used")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use protocol::{TranscriptDirection, TranscriptHop, TranscriptLine};
use serde_json::{Value, json};

use crate::fixture::{Document, EventRecord, Fixture, Journal, Record, RecordKind, Target};
use crate::scenario::{Catalog, parse};
use crate::transcript::Transcript;

use super::{Page, Recorded, Request, Witness, convert};

const URL: &str = "http://127.0.0.1:40123/f/pointer/late.html?run=abc&delay=900";
const OPENED: &str = "opened tab 7 · \"A page\" · http://127.0.0.1:40123/f/pointer/late.html?run=abc&delay=900";
const TREE: &str = "tab 7 · \"A page\" · http://x\n«page 1 — untrusted»\n- main\n - button \"Go\" [b1]\n - button \"Go\" [b2]\n - textbox \"City\" [b3]\n - textbox \"Password\" [b4]\n - combobox \"Size\" [b5]\n  - option \"Small\"\n  - option \"Large one\"\n«end 1»";
const CHANGED: &str = "outcome: changed · click\nwindow: 9 ms · complete";

/// A recording under construction: a call each 100 ms, answered after 20.
#[derive(Default)]
struct Tape {
    lines: Vec<TranscriptLine>,
    calls: u64,
    session: u32,
}

impl Tape {
    fn opened() -> Self {
        let mut tape = Self { session: 1, ..Self::default() };
        tape.call("tabs", json!({"action": "new", "url": URL}), OPENED);
        tape
    }

    fn push(&mut self, t_us: u64, hop: TranscriptHop, dir: TranscriptDirection, frame: Value) {
        let seq = self.lines.len() as u64 + 1;
        let session = (hop == TranscriptHop::Relay).then_some(self.session);
        self.lines.push(TranscriptLine::Frame { seq, t_us, hop, dir, session, frame: Some(frame), blob: None });
    }

    fn said(&mut self, tool: &str, arguments: Value, link: Option<Value>, result: Value) -> &mut Self {
        self.calls += 1;
        let (at, id) = (self.calls * 100_000, self.calls);
        let asked = json!({"id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        self.push(at, TranscriptHop::Relay, TranscriptDirection::In, asked);
        if let Some(link) = link {
            self.push(at + 10_000, TranscriptHop::Link, TranscriptDirection::In, link);
        }
        let mut answer = result;
        answer["id"] = id.into();
        self.push(at + 20_000, TranscriptHop::Relay, TranscriptDirection::Out, answer);
        self
    }

    fn call(&mut self, tool: &str, arguments: Value, reply: &str) -> &mut Self {
        self.said(tool, arguments, None, json!({"result": {"content": [{"type": "text", "text": reply}]}}))
    }

    fn refused(&mut self, tool: &str, arguments: Value, reply: &str) -> &mut Self {
        self.said(tool, arguments, None, json!({"result": {"isError": true, "content": [{"type": "text", "text": reply}]}}))
    }

    fn transcript(&self) -> Transcript {
        Transcript { lines: self.lines.clone(), ..Transcript::default() }
    }

    fn made(&self) -> Recorded {
        self.made_with(&Request::default())
    }

    fn made_with(&self, request: &Request<'_>) -> Recorded {
        let recorded = convert(&self.transcript(), request, |id| id == "pointer/late").unwrap();
        let fixtures = BTreeMap::from([("pointer/late".to_owned(), BTreeMap::from([("delay".to_owned(), vec!["900".to_owned()])]))]);
        let catalog = Catalog { fixtures, goals: BTreeMap::new() };
        if recorded.page.is_ok()
            && let Err(faults) = parse("pointer/it", "it.yaml", &recorded.yaml, &catalog)
        {
            panic!("{}\n{:?}", recorded.yaml, faults.iter().map(|fault| (fault.line(), fault.to_string())).collect::<Vec<_>>());
        }
        recorded
    }

    /// The steps, without what their journal must say.
    fn steps(&self) -> String {
        steps_of(&self.made())
    }
}

fn steps_of(recorded: &Recorded) -> String {
    let (_, steps) = recorded.yaml.split_once("steps:\n").unwrap();
    steps.to_owned()
}

fn go(word: &str) -> Value {
    json!({"target": {"ref": word}})
}

#[test]
fn what_opens_the_page_is_no_step_and_its_variant_is_kept() {
    let made = Tape::opened().call("click", json!({"target": {"css": "#go"}}), CHANGED).made();
    let head = "fixture: pointer/late\nquery: {delay: \"900\"}\nsteps:\n  - click: {target: {css: \"#go\"}}\n    expect: {outcome: changed, effect: true}\n";
    assert!(made.yaml.ends_with(head), "{}", made.yaml);
    assert_eq!(made.page.as_ref().map(|page: &Page| page.fixture.as_str()), Ok("pointer/late"));
    let mut later = Tape { session: 1, ..Tape::default() };
    later.call("tabs", json!({"action": "new", "url": "http://127.0.0.1:40123/f/tabs/_a.html?run=abc"}), "opened tab 3 · x");
    later.call("navigate", json!({"url": URL}), "outcome: navigated · x");
    let made = later.made();
    assert!(made.yaml.contains("open: false\n"), "{}", made.yaml);
    assert!(made.yaml.contains("- tabs: {action: new, url: \"{{origin_a}}/f/tabs/_a.html?run={{run}}\"}"), "{}", made.yaml);
    assert!(made.yaml.contains("- navigate: {url: \"{{fixture}}\"}"), "{}", made.yaml);
}

#[test]
fn reads_that_nobody_needed_are_dropped() {
    let mut tape = Tape::opened();
    for tool in ["get_text", "read_text", "read_dom", "query", "console", "network", "screenshot", "find", "snapshot"] {
        tape.call(tool, json!({}), TREE);
    }
    tape.call("tabs", json!({"action": "list"}), "1 tabs\ntab 7 · x");
    tape.call("snapshot", json!({"interactive": true}), TREE);
    tape.call("click", go("b1"), CHANGED);
    tape.call("snapshot", json!({}), TREE);
    let made = tape.made();
    assert_eq!(made.dropped, 11);
    let expected = "  - snapshot: {}\n  - click: {target: {role: button, name: Go}}\n    expect: {outcome: changed, effect: true}\n";
    assert_eq!(steps_of(&made), expected);
    // Looked at again, and it is the same.
    tape.call("snapshot", json!({}), TREE).call("click", go("b1"), CHANGED);
    assert_eq!(tape.steps().matches("snapshot").count(), 1, "{}", tape.steps());
    // Where nothing else was done they are what it is about; one that was refused says something.
    let mut tape = Tape::opened();
    tape.call("snapshot", json!({}), TREE).call("find", json!({"role": "button"}), TREE);
    assert_eq!(tape.steps(), "  - snapshot: {}\n  - find: {role: button}\n");
    let mut tape = Tape::opened();
    tape.call("click", json!({"target": {"css": "#go"}}), CHANGED);
    tape.refused("get_text", json!({"target": {"css": "#x"}}), "not_found: nothing matches. Look again.");
    assert!(
        tape.steps().ends_with("  - call: {tool: get_text, arguments: {target: {css: \"#x\"}}}\n    expect: {refusal: not_found}\n"),
        "{}",
        tape.steps()
    );
}

#[test]
fn a_slip_of_the_agent_is_no_step() {
    let wrong = "invalid_argument: unknown field. See tools/list";
    let mut tape = Tape::opened();
    tape.refused("find", json!({"query": "Go"}), wrong);
    tape.refused("press_key", json!({"key": "Tab"}), wrong).call("press_key", json!({"keys": "Tab"}), CHANGED);
    let made = tape.made();
    assert_eq!(steps_of(&made), "  - press_key: {keys: Tab}\n    expect: {outcome: changed, effect: true}\n");
    assert!(made.notes.contains(&"a call of press_key with arguments that it does not take is left out".to_owned()), "{:?}", made.notes);
    // One that nobody mended may be what it is about.
    let mut tape = Tape::opened();
    tape.refused("press_key", json!({"keys": "Tub"}), wrong).call("click", json!({"target": {"css": "#go"}}), CHANGED);
    assert!(tape.steps().starts_with("  - press_key: {keys: Tub}\n    expect: {refusal: invalid_argument, effect: false}\n"));
}

#[test]
fn refs_become_role_and_name_and_which_of_several() {
    let mut tape = Tape::opened();
    tape.call("snapshot", json!({}), TREE).call("click", go("b2"), CHANGED);
    tape.call("drag", json!({"target": {"ref": "b1"}, "to": {"ref": "b3"}}), CHANGED);
    tape.call("act", json!({"steps": [{"do": "click", "target": {"ref": "b2"}}]}), "done: 1 of 1 steps, 1 actions");
    tape.call("click", json!({"target": {"role": "button", "name": "Go"}}), CHANGED);
    let steps = tape.steps();
    for line in [
        "- click: {target: {role: button, name: Go, nth: 1}}",
        "- drag: {target: {role: button, name: Go}, to: {role: textbox, name: City}}",
        "- call: {tool: act, arguments: {steps: [{do: click, target: {role: button, name: Go, nth: 1}}]}}\n    expect: {reply: \"done: 1 of 1 steps\"}",
        "- click: {target: {role: button, name: Go, inline: true}}",
    ] {
        assert!(steps.contains(line), "{steps}\n  lacks {line}");
    }
    // A ref that a delta brought is looked at anew.
    let mut tape = Tape::opened();
    tape.call("snapshot", json!({}), TREE);
    tape.call("click", go("b1"), "outcome: changed · x\n+  - link \"More\" [b9]\n");
    tape.call("click", go("b9"), CHANGED);
    let steps = tape.steps();
    let lines: Vec<&str> = steps.lines().filter(|line| line.starts_with("  - ")).collect();
    let expected =
        ["snapshot: {}", "click: {target: {role: button, name: Go}}", "snapshot: {}", "click: {target: {role: link, name: More}}"];
    assert_eq!(lines, expected.map(|line| format!("  - {line}")));
}

#[test]
fn an_old_ref_stays_an_old_ref_where_that_was_the_matter() {
    let mut tape = Tape::opened();
    tape.call("snapshot", json!({}), TREE).call("click", go("b1"), CHANGED);
    tape.refused("click", go("b1"), "stale_ref: it was button \"Go\". Take a snapshot.");
    tape.refused("type", json!({"target": {"ref": "b3"}, "text": "Rom"}), "stale_ref: it is gone. Take a snapshot.");
    tape.call("wait_for", json!({"any": [{"ref": "b1", "state": "disabled"}]}), "met");
    let steps = tape.steps();
    for line in [
        "- get_text: {target: {role: textbox, name: City}}\n    as: node-2\n",
        "- click: {target: {role: button, name: Go}}\n    as: node-1\n",
        "- click: {target: {ref: node-1}}\n    expect: {refusal: stale_ref, effect: false}\n",
        "- type: {target: {ref: node-2}, text: Rom}\n",
        "- wait_for: {any: [{ref: node-1, state: disabled}]}\n",
    ] {
        assert!(steps.contains(line), "{steps}\n  lacks {line}");
    }
    assert!(steps.find("as: node-2") < steps.find("as: node-1"), "where it was shown: {steps}");
}

#[test]
fn hosts_ports_paths_and_tabs_are_lifted() {
    let mut tape = Tape::opened();
    tape.call("navigate", json!({"url": "http://localhost:40999/f/tabs/_b.html?run=abc"}), "outcome: navigated · x");
    tape.call("wait_for", json!({"any": [{"url": "http://127.0.0.1:40123/f/x.html"}]}), "met");
    tape.call("upload", json!({"target": {"css": "#a"}, "paths": ["/srv/p/fixtures/_files/folder/three.txt", "one.txt"]}), CHANGED);
    tape.call("click", json!({"target": {"css": "#b"}}), "outcome: opened_tab · x · tab 9 · http://x");
    tape.call("click", json!({"target": {"css": "#c"}, "tab": 9}), CHANGED);
    tape.call("click", json!({"target": {"css": "#d"}, "tab": 7}), CHANGED);
    let steps = tape.steps();
    for line in [
        "- navigate: {url: \"{{origin_b}}/f/tabs/_b.html?run={{run}}\"}",
        "- wait_for: {any: [{url: \"/f/x.html\"}]}",
        "paths: [folder/three.txt, one.txt]",
        "- click: {target: {css: \"#b\"}}\n    as_tab: tab-9\n",
        "- click: {target: {css: \"#c\"}}\n    tab: tab-9\n",
        "- click: {target: {css: \"#d\"}}\n    expect",
    ] {
        assert!(steps.contains(line), "{steps}\n  lacks {line}");
    }
    for lost in ["40123", "40999", "abc", "/srv"] {
        assert!(!steps.contains(lost), "{steps}\n  holds {lost}");
    }
}

#[test]
fn another_agent_is_another_session() {
    let mut tape = Tape::opened();
    tape.call("click", json!({"target": {"css": "#a"}}), CHANGED);
    tape.session = 2;
    tape.call("tabs", json!({"action": "new", "url": URL}), "opened tab 8 · x");
    tape.call("click", json!({"target": {"css": "#b"}}), CHANGED);
    assert!(tape.steps().contains("- click: {target: {css: \"#b\"}}\n    session: agent-2\n"), "{}", tape.steps());
    assert!(!tape.steps().contains("tabs:"), "{}", tape.steps());
}

#[test]
fn a_text_that_nobody_may_know_is_made_up_and_that_is_said() {
    let mut tape = Tape::opened();
    tape.call("snapshot", json!({}), TREE);
    tape.call("type", json!({"target": {"ref": "b3"}, "text": "{{typed:1:6}}"}), CHANGED);
    tape.call("type", json!({"target": {"role": "textbox", "name": "E-mail"}, "text": "{{typed:2:14}}"}), CHANGED);
    tape.call(
        "fill",
        json!({"fields": [{"target": {"ref": "b5"}, "value": "{{typed:3:9}}"}, {"target": {"ref": "b3"}, "value": "Rom"}]}),
        CHANGED,
    );
    let facts = json!({"kind": "reply", "result": {"act": {"before": {"secret": true}}}});
    let done = json!({"result": {"content": [{"type": "text", "text": CHANGED}]}});
    tape.said("type", json!({"target": {"ref": "b4"}, "text": "77x"}), Some(facts), done);
    let made = tape.made();
    let steps = steps_of(&made);
    for line in [
        "text: fille1}",
        "text: \"filler2@x.test\"}",
        "{target: {role: combobox, name: Size}, value: Large one}",
        "value: Rom}",
        "- type: {target: {role: textbox, name: Password}, text: fi1}",
    ] {
        assert!(steps.contains(line), "{steps}\n  lacks {line}");
    }
    assert!(!made.yaml.contains("77x"), "{}", made.yaml);
    assert!(made.notes.iter().any(|note| note.contains("typed text 1 (6 characters)")), "{:?}", made.notes);
    assert!(made.notes.iter().any(|note| note.contains("secret field")), "{:?}", made.notes);
    assert!(made.notes.iter().all(|note| !note.contains("typed text 3")), "the page showed it: {:?}", made.notes);
    let given = Request { typed: BTreeMap::from([(1, "Berlin".to_owned())]), ..Request::default() };
    assert!(steps_of(&tape.made_with(&given)).contains("text: Berlin}"));
}

#[test]
fn of_several_options_the_journal_tells_which() {
    let fill =
        json!({"fields": [{"target": {"ref": "b5"}, "value": "{{typed:1:5}}"}, {"target": {"ref": "b3"}, "value": "{{typed:2:5}}"}]});
    let mut tape = Tape::opened();
    tape.call("snapshot", json!({}), &TREE.replace("\"Large one\"", "\"Large\"")).call("fill", fill, CHANGED);
    assert!(tape.steps().contains("name: Size}, value: fill1}"), "nobody told: {}", tape.steps());
    let mut reported = Tape::opened();
    let shown = TREE.replace("\"Large one\"", "\"{{typed:1:5}}\"");
    let fill_size = json!({"fields": [{"target": {"ref": "b5"}, "value": "{{typed:1:5}}"}]});
    reported.call("snapshot", json!({}), &shown).call("fill", fill_size, CHANGED);
    assert!(reported.steps().contains("name: Size}, value: fill1}"), "it is the masked one: {}", reported.steps());
    let seen = witness(&[(305.0, goal(json!({"how": "Large", "city": "Milan"})))]);
    let made = tape.made_with(&Request { witness: Some(&seen), ..Request::default() });
    let steps = steps_of(&made);
    assert!(steps.contains("name: Size}, value: Large}") && steps.contains("name: City}, value: fill2}"), "{steps}");
    assert!(steps.contains("goal: {how: Large, city: fill2}") && !steps.contains("Milan"), "{steps}");
}

#[test]
fn what_cannot_be_a_step_is_told() {
    let mut tape = Tape::opened();
    tape.call("ask_human", json!({"question": "?"}), "done").call("click", go("z9"), CHANGED);
    tape.refused("click", json!({"target": {"css": "#a"}}), "something went wrong");
    tape.call("click", json!({"target": {"css": "#a"}, "odd": 1}), CHANGED);
    tape.said("click", json!({"target": {"css": "#b"}}), None, json!({"kind": null, "bytes": 99}));
    let made = tape.made();
    for note in ["ask_human is left out", "what [z9] was is not in the recording", "has no code", "has no reply"] {
        assert!(made.notes.iter().any(|told| told.contains(note)), "{:?} lacks {note}", made.notes);
        assert!(made.yaml.contains(note), "{}", made.yaml);
    }
    assert!(made.yaml.contains("- call: {tool: click, arguments: {target: {css: \"#a\"}, odd: 1}}"), "{}", made.yaml);
    let none = Transcript::default();
    assert_eq!(convert(&none, &Request::default(), |_| true).unwrap_err(), "no tool was called in it");
    let scenario = protocol::TranscriptScenario { name: "pointer/it".into(), profile: "calm".into(), verdict: "passed".into() };
    let committed = Transcript { scenario: Some(scenario), ..tape.transcript() };
    assert!(convert(&committed, &Request::default(), |_| true).unwrap_err().contains("pointer/it"));
}

#[test]
fn a_page_that_is_no_fixture_is_named_without_what_is_private() {
    let mut tape = Tape { session: 1, ..Tape::default() };
    tape.call("tabs", json!({"action": "new", "url": "https://me:pw@shop.example/cart?token=x#y"}), "opened tab 7 · x");
    tape.call("click", json!({"target": {"css": "#pay"}}), "outcome: no_effect · x");
    let made = tape.made();
    assert_eq!(made.page, Err(Some("https://shop.example/cart".into())));
    assert!(made.yaml.contains("# It needs this page as a fixture: https://shop.example/cart\n"), "{}", made.yaml);
    let rebuilt = Request { rebuilt: Some("pointer/late"), ..Request::default() };
    let made = tape.made_with(&rebuilt);
    assert!(!made.yaml.contains("open: false") && !made.yaml.contains("shop.example"), "{}", made.yaml);
}

/// A journal of records at so many milliseconds after the transcript began.
fn witness(records: &[(f64, RecordKind)]) -> Witness {
    let record = |(index, (ms, kind)): (usize, &(f64, RecordKind))| Record {
        index,
        doc: "d".into(),
        url: URL.into(),
        seq: index as u64,
        t_ms: *ms,
        at_ms: 1_000_000.0 + ms,
        kind: kind.clone(),
    };
    let hello = (90.0, RecordKind::Hello { top: true, visible: true });
    let all: Vec<_> = std::iter::once(&hello).chain(records).collect();
    let records = all.into_iter().enumerate().map(|(index, row)| record((index, row))).collect();
    let document = Document { id: "d".into(), url: URL.into(), top: true, live: true, blocked: false, frozen: false, received: 0 };
    let journal = Journal { records, documents: vec![document], ..Journal::default() };
    let fixture = Fixture {
        id: "pointer/late".into(),
        title: String::new(),
        story: String::new(),
        tags: vec![],
        issues: vec![],
        goal: json!({"count": 1, "city": "Rome", "pin": 1, "how": ""}).as_object().cloned().unwrap(),
        effect_keys: vec![],
        reference: vec![],
        variants: BTreeMap::new(),
        headers: BTreeMap::new(),
        page: PathBuf::new(),
    };
    Witness { source: "journal.goal({how: 'button'})".into(), ..Witness::of(journal, 1_000_000.0, &fixture) }
}

fn goal(state: Value) -> RecordKind {
    RecordKind::Goal { state: state.as_object().cloned().unwrap() }
}

fn press(id: &str, trusted: bool, kind: &str) -> RecordKind {
    RecordKind::Event(EventRecord {
        r#type: kind.into(),
        trusted,
        target: Some(Target { id: id.into(), tag: "button".into(), ..Target::default() }),
        visible: true,
        key: None,
        x: None,
        y: None,
        len: None,
        message: None,
    })
}

#[test]
fn what_the_journal_saw_is_expected() {
    let mut tape = Tape::opened();
    tape.call("click", json!({"target": {"css": "#go"}}), CHANGED);
    tape.call("click", json!({"target": {"css": "#go"}}), CHANGED);
    tape.call("click", json!({"target": {"css": "#dead"}}), "outcome: no_effect · click");
    // The first is answered at 220 ms, the second at 320; what comes at 290 is late.
    let seen = witness(&[
        (205.0, press("go", false, "click")),
        (206.0, goal(json!({"count": 1, "tick": 3}))),
        (290.0, goal(json!({"how": "button"}))),
        (305.0, press("go", false, "click")),
        (306.0, goal(json!({"count": 2}))),
    ]);
    let made = tape.made_with(&Request { witness: Some(&seen), ..Request::default() });
    let expected = [
        "  - click: {target: {css: \"#go\"}}",
        "    expect: {outcome: changed, effect: true}",
        "    journal: {goal: {count: 1}, events: [{type: click, target: \"#go\", times: 1}]}",
        "  - until: {goal: {how: button}, why: this came after the reply when it was recorded, within_ms: 5000}",
        "  - click: {target: {css: \"#go\"}}",
        "    expect: {outcome: changed, effect: true}",
        "    journal: {goal: {count: 2}, events: [{type: click, target: \"#go\", times: 2}]}",
        "  - click: {target: {css: \"#dead\"}}",
        "    expect: {outcome: no_effect, effect: false}",
        "",
    ];
    let expected = expected.join("\n");
    assert_eq!(steps_of(&made), expected);
    assert!(made.notes.is_empty(), "{:?}", made.notes);
}

#[test]
fn the_honest_answer_is_expected_not_the_one_that_was_given() {
    let mut tape = Tape::opened();
    tape.call("click", json!({"target": {"css": "#a"}}), CHANGED);
    tape.call("click", json!({"target": {"css": "#b"}}), "outcome: no_effect · click");
    let seen = witness(&[(305.0, goal(json!({"count": 1}))), (500.0, press("x", true, "pointerdown")), (501.0, goal(json!({"count": 9})))]);
    let made = tape.made_with(&Request { witness: Some(&seen), ..Request::default() });
    let steps = steps_of(&made);
    assert!(steps.contains("{css: \"#a\"}}\n    expect: {outcome: no_effect, effect: false}"), "{steps}");
    assert!(steps.contains("{css: \"#b\"}}\n    expect: {outcome: changed, effect: true}"), "{steps}");
    assert!(!steps.contains("until"), "what a person did by hand is no wait: {steps}");
    for note in ["the journal saw no effect", "the journal saw an effect", "somebody used mouse or keyboard"] {
        assert!(made.notes.iter().any(|told| told.contains(note)), "{:?} lacks {note}", made.notes);
    }
}

#[test]
fn no_goal_tells_what_was_typed() {
    let mut tape = Tape::opened();
    tape.call("type", json!({"target": {"css": "#city"}, "text": "{{typed:1:6}}"}), CHANGED);
    tape.call("type", json!({"target": {"css": "#city"}, "text": "{{typed:2:3}}"}), CHANGED);
    let seen = witness(&[
        (205.0, goal(json!({"city": "Berlin", "how": "BERLIN!"}))),
        (306.0, goal(json!({"city": "943", "pin": 943, "count": 3}))),
    ]);
    let made = tape.made_with(&Request { witness: Some(&seen), ..Request::default() });
    let steps = steps_of(&made);
    assert!(steps.contains("text: fille1}\n    expect: {outcome: changed, effect: true}\n    journal: {goal: {city: fille1}}"), "{steps}");
    assert!(steps.contains("goal: {city: fi2, count: 3}"), "{steps}");
    for secret in ["Berlin", "BERLIN", "943"] {
        assert!(!made.yaml.contains(secret), "{}", made.yaml);
    }
    for key in ["how", "pin"] {
        assert!(made.notes.iter().any(|note| note.contains(&format!("`{key}` is left out"))), "{:?}", made.notes);
    }
}
