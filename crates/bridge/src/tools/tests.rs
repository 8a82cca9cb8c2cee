//! The tools over a scripted browser, on paused time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use protocol::{
    Act, Cause, Command, CommandError, Confirmed, Described, Dialog, DialogKind, ErrorCode, Event, Evidence, EvidenceKind, Input,
    Listeners, Look, Permission, Place, Quality, Refusal, State, Switches, TargetFacts,
};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::browser::{Browser, LOST};
use crate::session::{Ownership, SessionId};

type Answer = Result<Value, CommandError>;

/// Answers each method from its own queue; the last answer of a queue repeats.
struct Script {
    answers: Mutex<Vec<(&'static str, VecDeque<Answer>)>>,
    asked: Mutex<Vec<Command>>,
    switches: Switches,
    events: broadcast::Sender<Event>,
    started: tokio::time::Instant,
}

impl Script {
    fn new(answers: Vec<(&'static str, Vec<Answer>)>) -> Arc<Self> {
        Self::with(answers, true)
    }

    fn with(answers: Vec<(&'static str, Vec<Answer>)>, trusted_input: bool) -> Arc<Self> {
        let answers = answers.into_iter().map(|(method, list)| (method, list.into())).collect();
        let switches = Switches { paused: false, trusted_input, eval: true };
        Arc::new(Self {
            answers: Mutex::new(answers),
            asked: Mutex::default(),
            switches,
            events: broadcast::channel(4).0,
            started: tokio::time::Instant::now(),
        })
    }

    fn methods(&self) -> Vec<&'static str> {
        self.asked.lock().unwrap().iter().map(Command::method).collect()
    }
}

#[async_trait]
impl Browser for Script {
    async fn request(&self, command: Command, _: &CancellationToken) -> Result<Box<RawValue>, CommandError> {
        let method = command.method();
        self.asked.lock().unwrap().push(command);
        let mut answers = self.answers.lock().unwrap();
        let queue = answers.iter_mut().find(|(name, _)| *name == method).map(|(_, queue)| queue);
        let answer = match queue {
            Some(queue) if queue.len() > 1 => queue.pop_front().unwrap(),
            Some(queue) => queue.front().cloned().unwrap(),
            None => panic!("no answer for {method}"),
        };
        answer.map(|mut value| {
            // Looks tell the time that has really passed.
            let elapsed = self.started.elapsed().as_secs_f64() * 1000.0;
            let look = if method == "watch/look" { Some(&mut value) } else { value.get_mut("look") };
            if let Some(look) = look.filter(|look| look.get("historyMs").is_some_and(|history| history != &json!(0.0))) {
                look["elapsedMs"] = json!(elapsed);
            }
            to_raw_value(&value).unwrap()
        })
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    fn switches(&self) -> Option<Switches> {
        Some(self.switches)
    }
}

fn context(script: &Arc<Script>) -> Context {
    let ownership = Arc::new(Ownership::default());
    let session = ownership.session(SessionId("s".into()), "test");
    session.hold(7).unwrap();
    Context {
        desk: Desk::new(
            Arc::clone(script) as Arc<dyn Browser>,
            Files::at(std::path::Path::new("/nowhere/files")),
            Learnings::at(std::path::Path::new("/nowhere")),
        ),
        session,
        cancel: CancellationToken::new(),
        progress: Box::new(|_| {}),
        part: false,
    }
}

fn facts(role: &str, name: &str, states: Vec<State>) -> TargetFacts {
    TargetFacts {
        described: Described { role: role.into(), name: name.into(), doc: Some(1), node: Some(1), within: None },
        tag: "button".into(),
        states,
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

fn evidence(cause: Cause, what: &str) -> Evidence {
    Evidence {
        cause,
        place: Place::Section,
        kind: EvidenceKind::Content,
        what: what.into(),
        first_ms: 1.0,
        last_ms: 1.0,
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
        elapsed_ms: 0.0,
        history_ms: 5000.0,
        evidence,
        target: None,
        hidden: false,
        dialog: None,
        quality: Quality::Complete,
        held: vec![],
        missing: vec![],
    }
}

fn done(before: TargetFacts, input: Input, look: Look) -> Answer {
    let delivered = Some(before.described.clone());
    Ok(serde_json::to_value(Act::Done {
        input,
        before: Box::new(before),
        delivered,
        accepted: None,
        holds: None,
        scrolled: None,
        dropped: None,
        look: Box::new(look),
    })
    .unwrap())
}

fn seen(look: Look) -> Answer {
    Ok(serde_json::to_value(look).unwrap())
}

fn listeners(types: &[&str], inert: bool) -> Answer {
    let types = types.iter().map(|&word| word.to_owned()).collect();
    Ok(serde_json::to_value(Listeners { types, inert, needs_activation: vec![], default_action: None }).unwrap())
}

async fn click(context: &Context) -> String {
    text(&call(context, "click", json!({"target": {"ref": "a1"}})).await)
}

fn text(reply: &Reply) -> String {
    match &reply.blocks[0] {
        Block::Text(text) => text.clone(),
        Block::Image { .. } => panic!("an image"),
    }
}

#[tokio::test(start_paused = true)]
async fn proof_needs_no_second_look() {
    let script = Script::new(vec![(
        "pointer/click",
        vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![evidence(Cause::Sync, "\"0\" → \"1\"")]))],
    )]);
    let reply = click(&context(&script)).await;
    assert!(reply.starts_with("outcome: changed · click button \"Go\" [a1]"), "{reply}");
    assert_eq!(script.methods(), ["pointer/click"]);
}

#[tokio::test(start_paused = true)]
async fn silence_closes_at_the_bound_and_says_that_nothing_listens() {
    let script = Script::new(vec![
        ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![]))]),
        ("watch/look", vec![seen(look(vec![]))]),
        ("pointer/listeners", vec![listeners(&[], true)]),
    ]);
    let reply = click(&context(&script)).await;
    assert!(reply.starts_with("outcome: no_effect") && reply.contains("nothing listens"), "{reply}");
    assert!((1200.0..1300.0).contains(&(script.started.elapsed().as_secs_f64() * 1000.0)));
    assert_eq!(script.methods().iter().filter(|method| **method == "pointer/click").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_comes_in_time_is_no_effect_of_a_target_on_which_nothing_listens() {
    let toast = Evidence { first_ms: 400.0, last_ms: 400.0, kind: EvidenceKind::Alert, ..evidence(Cause::Window, "+ alert \"Saved\"") };
    for (types, expected) in [(&[][..], "outcome: no_effect"), (&["click"][..], "outcome: changed")] {
        let script = Script::new(vec![
            ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![]))]),
            ("watch/look", vec![seen(look(vec![toast.clone()]))]),
            ("pointer/listeners", vec![listeners(types, false)]),
        ]);
        let reply = click(&context(&script)).await;
        assert!(reply.starts_with(expected), "{types:?}: {reply}");
        assert!(script.methods().contains(&"pointer/listeners"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_gate_on_trust_gets_one_trusted_retry_within_two_seconds() {
    let script = Script::new(vec![
        (
            "pointer/click",
            vec![
                done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![])),
                done(facts("button", "Go", vec![]), Input::Trusted, look(vec![])),
            ],
        ),
        ("watch/look", vec![seen(look(vec![]))]),
        ("pointer/listeners", vec![listeners(&["click"], true)]),
    ]);
    let reply = click(&context(&script)).await;
    assert!(reply.contains("delivered: synthetic") && reply.contains("delivered: trusted"), "{reply}");
    assert_eq!(script.methods().iter().filter(|method| **method == "pointer/click").count(), 2);
    assert!(script.started.elapsed().as_millis() <= 2000);
}

#[tokio::test(start_paused = true)]
async fn what_must_not_happen_twice_is_never_retried() {
    let cases = [
        (facts("button", "Place order", vec![]), listeners(&["click"], true)),
        (facts("switch", "Wifi", vec![State::Unchecked]), listeners(&["click"], true)),
        // A slow handler that did something with the first input.
        (facts("button", "Go", vec![]), listeners(&["click"], false)),
    ];
    for (target, answer) in cases {
        let script = Script::new(vec![
            ("pointer/click", vec![done(target, Input::Synthetic, look(vec![]))]),
            ("watch/look", vec![seen(look(vec![]))]),
            ("pointer/listeners", vec![answer]),
        ]);
        click(&context(&script)).await;
        assert_eq!(script.methods().iter().filter(|method| **method == "pointer/click").count(), 1);
    }
}

/// A refusal of the payment gate.
fn held(pressed: u32) -> Answer {
    let refusal = Refusal::NeedsConfirmation { label: "Pay".into(), amount: Some("¥100".into()), pressed };
    Ok(serde_json::to_value(Act::Refused { refusal }).unwrap())
}

fn permission(permission: Permission) -> Answer {
    Ok(serde_json::to_value(Confirmed { permission }).unwrap())
}

#[tokio::test(start_paused = true)]
async fn money_waits_for_the_person_and_is_sent_once_more_only_when_allowed() {
    let pressed = || done(facts("button", "Pay", vec![]), Input::Synthetic, look(vec![evidence(Cause::Sync, "x")]));
    let lost = || Err(CommandError::new(ErrorCode::Internal, format!("{LOST} while this ran")));
    let cases: [(Answer, Answer, &str, usize); 5] = [
        (permission(Permission::Allowed), pressed(), "outcome: changed", 2),
        (permission(Permission::Allowed), held(0), "stale_ref: the page changed while the user was asked", 2),
        (permission(Permission::Refused), pressed(), "declined: the user did not allow \"Pay\" (amount \"¥100\"); nothing was pressed", 1),
        (permission(Permission::TimedOut), pressed(), "declined: nobody answered within 180 s", 1),
        (lost(), pressed(), "declined: the user could not be asked", 1),
    ];
    for (answer, then, expected, clicks) in cases {
        let script = Script::new(vec![("pointer/click", vec![held(0), then]), ("human/confirm", vec![answer])]);
        let reply = click(&context(&script)).await;
        assert!(reply.starts_with(expected), "{reply}");
        assert_eq!(script.methods().iter().filter(|method| **method == "pointer/click").count(), clicks, "{expected}");
        assert_eq!(script.methods().iter().filter(|method| **method == "human/confirm").count(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn keys_that_were_pressed_before_the_person_was_asked_are_not_pressed_again() {
    let reply = done(facts("button", "Pay", vec![]), Input::Trusted, look(vec![evidence(Cause::Sync, "x")]));
    let script = Script::new(vec![
        ("keyboard/press", vec![held(1), reply]),
        ("human/confirm", vec![permission(Permission::Allowed)]),
        ("watch/look", vec![seen(look(vec![evidence(Cause::Sync, "x")]))]),
        ("pointer/listeners", vec![listeners(&["click"], false)]),
    ]);
    call(&context(&script), "press_key", json!({"keys": "Tab Enter", "target": {"ref": "a1"}})).await;
    let asked = script.asked.lock().unwrap();
    let presses: Vec<_> =
        asked.iter().filter_map(|command| if let Command::KeyboardPress(press) = command { Some(press) } else { None }).collect();
    assert_eq!(presses.len(), 2);
    assert_eq!((presses[0].chords.len(), presses[0].target.is_some()), (2, true));
    assert_eq!((presses[1].chords.len(), presses[1].chords[0].key.key.as_str(), presses[1].target.is_none()), (1, "Enter", true));
}

#[tokio::test(start_paused = true)]
async fn a_batch_asks_nobody() {
    let script = Script::new(vec![("keyboard/press", vec![held(0)])]);
    let context = context(&script).part();
    let reply = gate::plain(&context, "press_key", json!({"keys": "Tab"})).await;
    let said = reply.map_or_else(|error| error.to_string(), |reply| text(&reply));
    assert!(said.starts_with("needs_confirmation: \"Pay\" (amount \"¥100\") moves money"), "{said}");
    assert_eq!(script.methods(), ["keyboard/press"]);
}

#[tokio::test(start_paused = true)]
async fn a_lost_link_is_interrupted_and_never_sent_again() {
    let lost = || Err(CommandError::new(ErrorCode::Internal, format!("{LOST} while this ran")));
    let script = Script::new(vec![("pointer/click", vec![lost()])]);
    let reply = click(&context(&script)).await;
    assert!(reply.starts_with("outcome: interrupted"), "{reply}");
    assert_eq!(script.methods(), ["pointer/click"]);
    let script = Script::new(vec![
        ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![]))]),
        ("watch/look", vec![lost()]),
    ]);
    assert!(click(&context(&script)).await.starts_with("outcome: interrupted"));
}

#[tokio::test(start_paused = true)]
async fn a_failed_look_is_unverifiable_not_silence() {
    let script = Script::new(vec![
        ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![]))]),
        ("watch/look", vec![Err(CommandError::new(ErrorCode::Timeout, "the page does not answer"))]),
    ]);
    assert!(click(&context(&script)).await.starts_with("outcome: unverifiable"));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_was_lost_ends_by_the_daemons_own_clock() {
    let lost = Look { history_ms: 0.0, quality: Quality::Unavailable, missing: vec!["the worker started anew".into()], ..look(vec![]) };
    let script = Script::new(vec![
        ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![]))]),
        ("watch/look", vec![seen(lost)]),
        ("pointer/listeners", vec![listeners(&["click"], true)]),
    ]);
    assert!(click(&context(&script)).await.starts_with("outcome: unverifiable"));
    assert!(script.started.elapsed().as_millis() < 1400);
    assert_eq!(script.methods().iter().filter(|method| **method == "pointer/click").count(), 1, "what cannot be seen is not retried");
}

#[tokio::test(start_paused = true)]
async fn an_open_dialog_is_the_outcome() {
    let dialog = Dialog { kind: DialogKind::Confirm, text: "Sure?".into(), closable: true };
    let script = Script::new(vec![(
        "pointer/click",
        vec![done(facts("button", "Go", vec![]), Input::Synthetic, Look { dialog: Some(dialog), ..look(vec![]) })],
    )]);
    let reply = click(&context(&script)).await;
    assert!(reply.starts_with("outcome: dialog") && reply.contains("confirm says \"Sure?\""), "{reply}");
}

#[tokio::test(start_paused = true)]
async fn what_comes_late_stands_first_in_the_next_reply() {
    let back =
        Evidence { kind: EvidenceKind::State, place: Place::Target, reverted: true, ..evidence(Cause::Linked, "unchecked → checked") };
    let script = Script::new(vec![
        ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![evidence(Cause::Sync, "x")]))]),
        ("watch/look", vec![seen(look(vec![evidence(Cause::Sync, "x"), back]))]),
        ("snapshot/text", vec![Err(CommandError::new(ErrorCode::Timeout, "no answer"))]),
    ]);
    let context = context(&script);
    click(&context).await;
    let next = text(&call(&context, "get_text", json!({})).await);
    assert!(next.starts_with("since_last: click button \"Go\" [a1] — linked target: unchecked → checked (went back)"), "{next}");
    let again = text(&call(&context, "get_text", json!({})).await);
    assert!(!again.contains("since_last"), "told once: {again}");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_is_told_in_the_next_reply() {
    let script = Script::new(vec![
        ("pointer/click", vec![done(facts("button", "Go", vec![]), Input::Synthetic, look(vec![]))]),
        ("watch/look", vec![seen(look(vec![]))]),
        ("tabs/list", vec![Ok(json!({"tabs": []}))]),
    ]);
    let mut context = context(&script);
    let cancel = context.cancel.clone();
    tokio::join!(click(&context), async {
        tokio::time::advance(std::time::Duration::from_millis(50)).await;
        cancel.cancel();
    });
    context.cancel = CancellationToken::new();
    let next = text(&call(&context, "tabs", json!({"action": "list"})).await);
    assert!(next.starts_with("since_last: the cancelled click ended with: outcome: interrupted"), "{next}");
}

#[tokio::test]
async fn bad_arguments_get_one_clear_sentence() {
    let script = Script::new(vec![]);
    let context = context(&script);
    let cases = [
        ("click", json!({"target": {"ref": "a1", "css": "#go"}}), "named in two ways"),
        ("click", json!({"target": {}}), "names nothing"),
        ("click", json!({"target": {"role": "button"}}), "go together"),
        ("click", json!({"target": {"ref": "12"}}), "not a ref"),
        ("click", json!({"target": {"ref": "a1"}, "tab": 8}), "not one of this session's"),
        ("click", json!({"target": {"ref": "a1"}, "wait": 1}), "unknown field `wait`"),
        ("klick", json!({}), "there is no tool klick"),
        ("navigate", json!({"url": "chrome://version"}), "restricted_page"),
        ("navigate", json!({"url": "example.com"}), "not an absolute address"),
        ("navigate", json!({"url": "javascript:alert(1)"}), "restricted_page"),
        ("navigate", json!({}), "exactly one"),
        ("wait_for", json!({"any": []}), "at least one"),
        ("wait_for", json!({"any": [{"text": "a", "css": "b"}]}), "several things"),
        ("screenshot", json!({"quality": 0}), "1 to 100"),
        ("tabs", json!({"action": "new", "tab": 3}), "does not belong"),
    ];
    for (name, arguments, expected) in cases {
        let reply = call(&context, name, arguments.clone()).await;
        assert!(reply.is_error && text(&reply).contains(expected), "{name} {arguments}: {}", text(&reply));
    }
    assert!(script.methods().is_empty(), "nothing reached the browser");
}

#[tokio::test]
async fn keys_need_trusted_input_and_say_so() {
    let script = Script::with(vec![], false);
    let reply = call(&context(&script), "press_key", json!({"keys": "Enter"})).await;
    assert!(reply.is_error && text(&reply).starts_with("unsupported: this needs trusted input, which is switched off"), "{}", text(&reply));
    assert!(script.methods().is_empty(), "nothing reached the browser");
}

#[tokio::test]
async fn another_sessions_tab_is_refused() {
    let script = Script::new(vec![]);
    let context = context(&script);
    let other = context.session.ownership().session(SessionId("o".into()), "codex");
    other.hold(9).unwrap();
    let reply = call(&context, "click", json!({"target": {"ref": "a1"}, "tab": 9})).await;
    assert!(text(&reply).starts_with("tab_owned: tab 9 belongs to codex"), "{}", text(&reply));
}

#[test]
fn the_list_of_tools_is_small_and_described() {
    assert_eq!(
        CORE.iter().find(|name| !registry().iter().any(|tool| tool.name() == **name)),
        None,
        "every name of the small list is a tool"
    );
    let mut bytes = 0;
    let mut core = 0;
    for tool in registry() {
        let schema = tool.schema();
        assert_eq!(schema["type"], "object", "{}", tool.name());
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(property.get("description").is_some(), "{}.{name} is not described", tool.name());
        }
        let size = schema.to_string().len() + tool.description().len() + tool.name().len() + 80;
        bytes += size;
        if CORE.contains(&tool.name()) {
            core += size;
        }
    }
    assert!(core <= 15_000, "tools/list of the small list takes {core} bytes, the whole one {bytes}");
    assert!(bytes <= 27_000, "tools/list takes {bytes} bytes");
}
