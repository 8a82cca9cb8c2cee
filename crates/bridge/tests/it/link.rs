//! Commands over the link: what is lost, cancelled, misunderstood; tabs of two agents.

use std::time::Duration;

use protocol::{Command, CommandError, ErrorCode, Event, MAX_FRAME_BYTES};
use serde_json::{Value, json};

use super::extension::{Act, FakeExtension, tab};
use super::instance::{Agent, Instance, reply, soon, until};

#[tokio::test]
async fn a_call_goes_from_stdio_to_the_extension_and_back() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let extension = FakeExtension::pair(&instance, &daemon).await;
    let mut agent = Agent::greeted(instance.command(), "test-host").await;
    let (is_error, text) = agent.call("tabs", json!({"action": "new", "url": "http://127.0.0.1/a"})).await;
    assert!(!is_error && text.contains("tab 10"), "{text}");
    let (_, text) = agent.call("tabs", json!({"action": "list"})).await;
    assert!(text.contains("yours, current"), "{text}");
    until("the tab is marked", || {
        extension
            .commands("tabs/hold")
            .last()
            .filter(|frame| frame["command"]["params"]["held"] == json!([{"tab": 10, "label": "test-host"}]))
            .map(drop)
    })
    .await;
    assert_eq!(agent.leave().await, 0);
}

#[tokio::test]
async fn frames_that_are_not_understood_do_not_end_a_good_link() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let extension = FakeExtension::pair(&instance, &daemon).await;
    for text in [
        "not json",
        "[]",
        "{}",
        r#"{"kind":"dance"}"#,
        r#"{"kind":"event","event":{"event":"tab/flew"}}"#,
        r#"{"kind":"reply","id":99,"result":1}"#,
    ] {
        extension.text(text);
    }
    extension.bytes(vec![1, 2, 3]);
    extension.text(json!({"kind": "request", "id": 7, "command": {"method": "tabs/list", "params": {}}}).to_string());
    until("a request of the extension is answered", || {
        extension.of_kind("reply").first().filter(|frame| frame["error"]["code"] == "unsupported").map(drop)
    })
    .await;
    extension.text(r#"{"kind":"ping"}"#);
    until("a ping is answered", || (!extension.of_kind("pong").is_empty()).then_some(())).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    assert_eq!(agent.call("tabs", json!({"action": "list"})).await, (false, "0 tabs".to_owned()));
    // A frame beyond the limit ends it, and a call under way is told so.
    extension.text("x".repeat(MAX_FRAME_BYTES + 1));
    until("the link is closed", || extension.is_over().then_some(())).await;
    assert!(instance.read("daemon.log").contains("too large"));
}

#[tokio::test]
async fn a_link_that_breaks_under_a_call_is_told_as_perhaps_done() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (_, answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    let secret = extension.vanish().await;
    let (is_error, text) = reply(&soon("the answer", answer).await.unwrap());
    assert!(is_error || text.contains("interrupted"), "{text}");
    // The same extension comes back at once, and the next call works.
    let _back = FakeExtension::back(&daemon, &secret).await;
    assert_eq!(agent.call("tabs", json!({"action": "list"})).await, (false, "0 tabs".to_owned()));
}

#[tokio::test]
async fn a_call_waits_for_an_extension_that_is_waking_and_says_when_none_comes() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let secret = FakeExtension::pair(&instance, &daemon).await.vanish().await;
    let gone = |times| {
        let instance = &instance;
        move || (instance.read("audit.jsonl").matches(r#""what":"left""#).count() == times).then_some(())
    };
    until("the daemon sees it go", gone(1)).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (_, answer) = agent.ask_tool("tabs", json!({"action": "list"})).await;
    let back = FakeExtension::back(&daemon, &secret).await;
    assert_eq!(reply(&soon("the answer", answer).await.unwrap()), (false, "0 tabs".to_owned()));
    back.vanish().await;
    until("the daemon sees it go", gone(2)).await;
    let began = std::time::Instant::now();
    let (is_error, text) = agent.call("tabs", json!({"action": "list"})).await;
    assert!(is_error && text.starts_with("extension_not_connected: "), "{text}");
    assert!(began.elapsed() < Duration::from_secs(9));
}

#[tokio::test]
async fn a_cancel_travels_every_hop_and_the_answer_is_not_sent() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| match command {
        Command::TabsCreate(_) => Act::WhenCancelled(CommandError::new(ErrorCode::Cancelled, "stopped before anything was opened")),
        _ => Act::Usual,
    };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (id, answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    agent
        .say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "enough"}}).to_string())
        .await;
    until("the cancel arrives", || (!extension.of_kind("cancel").is_empty()).then_some(())).await;
    until("the fate is written down", || instance.read("audit.jsonl").contains(r#""outcome":"cancelled""#).then_some(())).await;
    let (is_error, text) = agent.call("tabs", json!({"action": "list"})).await;
    assert!(
        !is_error && text.starts_with("since_last: ") && text.contains("stopped before anything was opened"),
        "its fate is told next: {text}"
    );
    drop(answer);
    let said = agent
        .lines
        .lock()
        .unwrap()
        .iter()
        .filter(|line| line.contains(&format!("\"id\":{id},")) || line.contains(&format!("\"id\":{id}}}")))
        .count();
    assert_eq!(said, 0, "a cancelled request is not answered");
}

#[tokio::test]
async fn a_host_that_dies_cancels_what_it_had_asked() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let _answer = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    agent.leave().await;
    until("the cancel arrives", || (!extension.of_kind("cancel").is_empty()).then_some(())).await;
}

#[tokio::test]
async fn long_waits_tell_progress_through_every_hop() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let _extension = FakeExtension::pair(&instance, &daemon).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    agent.call("tabs", json!({"action": "new"})).await;
    let arguments = json!({"any": [{"text": "never"}], "timeout_ms": 6000});
    let (_, answer) = agent.ask("tools/call", json!({"name": "wait_for", "arguments": arguments, "_meta": {"progressToken": "p1"}})).await;
    let note = soon("a word of progress", agent.unasked.recv()).await.unwrap();
    assert_eq!((&note["method"], &note["params"]["progressToken"]), (&json!("notifications/progress"), &json!("p1")));
    assert!(note["params"]["message"].as_str().unwrap().contains("never"), "{note}");
    let (is_error, text) = reply(&soon("the answer", answer).await.unwrap());
    assert!(is_error && text.starts_with("timeout: "), "{text}");
}

#[tokio::test]
async fn twenty_calls_at_once_get_their_own_answers() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let _extension = FakeExtension::pair(&instance, &daemon).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let mut open = Vec::new();
    for number in 0..20 {
        let url = format!("http://127.0.0.1/{number}/");
        let (id, answer) = agent.ask_tool("tabs", json!({"action": "new", "url": url})).await;
        open.push((id, url, answer));
    }
    for (id, url, answer) in open {
        let answer = soon("an answer", answer).await.unwrap();
        assert_eq!(answer["id"], Value::from(id));
        assert!(reply(&answer).1.contains(&url), "{answer}");
    }
}

#[tokio::test]
async fn two_agents_have_their_own_tabs_and_a_tab_that_one_opens_is_its_own() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let extension = FakeExtension::pair(&instance, &daemon).await;
    let mut one = Agent::greeted(instance.command(), "one").await;
    let mut two = Agent::greeted(instance.command(), "two").await;
    one.call("tabs", json!({"action": "new"})).await;
    two.call("tabs", json!({"action": "new"})).await;
    let (is_error, text) = two.call("tabs", json!({"action": "close", "tab": 10})).await;
    assert!(is_error && text.starts_with("tab_owned: ") && text.contains("one"), "{text}");
    let mut child = tab(50, "http://127.0.0.1/child");
    child.opener = Some(10);
    extension.event(Event::TabCreated { tab: child });
    let marks = |wanted: Value| {
        let extension = &extension;
        move || extension.commands("tabs/hold").last().filter(|frame| frame["command"]["params"]["held"] == wanted).map(drop)
    };
    let (ten, eleven) = (json!({"tab": 10, "label": "one"}), json!({"tab": 11, "label": "two"}));
    until("the child is the opener's", marks(json!([ten, eleven, {"tab": 50, "label": "one"}]))).await;
    extension.event(Event::TabRemoved { tab: 50 });
    extension.event(Event::TabRemoved { tab: 10 });
    until("tabs that are gone are nobody's", marks(json!([eleven]))).await;
    let (is_error, text) = one.call("tabs", json!({"action": "close"})).await;
    assert!(is_error && text.starts_with("no_tab: "), "{text}");
}

#[tokio::test]
async fn a_worker_that_starts_anew_ends_what_the_old_one_was_asked() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (_, answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    // The old worker lives and has it; then it is gone, and the socket stays.
    extension.text(r#"{"kind":"ping"}"#);
    extension.event(Event::WorkerStarted { generation: "life-2".into() });
    let (is_error, text) = reply(&soon("the answer", answer).await.unwrap());
    assert!(is_error && text.contains("the link broke"), "{text}");
    assert_eq!(agent.call("tabs", json!({"action": "list"})).await, (false, "0 tabs".to_owned()));
}
