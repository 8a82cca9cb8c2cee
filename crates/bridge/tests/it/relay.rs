//! The relay: what it says when the daemon is lost, and what it never says.

use nix::sys::signal::Signal;
use protocol::Command;
use serde_json::json;

use super::extension::{Act, FakeExtension, tab};
use super::instance::{Agent, Instance, kill, reply, soon, until};

#[tokio::test]
async fn a_call_under_way_when_the_daemon_is_killed_is_interrupted_and_the_next_one_works() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (_, answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    kill(daemon.pid, Signal::SIGKILL);
    let answer = soon("the answer", answer).await.unwrap();
    let text = "outcome: interrupted · the daemon was lost while this ran\nIt may have happened. Observe before you try again; it was not sent again.";
    assert_eq!(reply(&answer), (false, text.to_owned()));
    let note = soon("word of the new tools", agent.unasked.recv()).await.unwrap();
    assert_eq!(note["method"], "notifications/tools/list_changed");
    let next = until("another daemon", || instance.state.living().unwrap().filter(|file| file.pid != daemon.pid)).await;
    assert_eq!(next.port, daemon.port, "the extension looks for it where it was");
    let back = FakeExtension::back(&next, &extension.vanish().await).await;
    assert_eq!(agent.call("tabs", json!({"action": "list"})).await, (false, "0 tabs".to_owned()));
    assert!(back.commands("tabs/create").is_empty(), "nothing is sent twice");
}

#[tokio::test]
async fn a_call_under_way_when_the_daemon_stands_still_is_interrupted_within_a_bound() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (_, answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    kill(daemon.pid, Signal::SIGSTOP);
    let began = std::time::Instant::now();
    let answer = soon("the answer", answer).await.unwrap();
    let (is_error, text) = reply(&answer);
    assert!(!is_error && text.starts_with("outcome: interrupted · the daemon was lost"), "{text}");
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
    kill(daemon.pid, Signal::SIGCONT);
    let (is_error, text) = agent.call("tabs", json!({"action": "list"})).await;
    assert!(!is_error, "the same daemon serves the session again: {text}");
}

#[tokio::test]
async fn a_daemon_that_is_told_to_end_answers_what_is_open_and_removes_its_file() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (_, answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    kill(daemon.pid, Signal::SIGTERM);
    let (is_error, text) = reply(&soon("the answer", answer).await.unwrap());
    assert!(!is_error && text.starts_with("outcome: interrupted · "), "{text}");
    until("the daemon is gone", || instance.state.holder().unwrap().is_none().then_some(())).await;
    assert!(!instance.state.file("daemon.json").exists());
    // A stopped daemon stays down until it is needed.
    let answer = agent.request("tools/list", json!({})).await;
    assert!(!answer["result"]["tools"].as_array().unwrap().is_empty());
    assert_ne!(instance.state.living().unwrap().unwrap().pid, daemon.pid);
}

#[tokio::test]
async fn bad_lines_are_answered_and_the_good_ones_go_on() {
    let instance = Instance::new();
    let mut agent = Agent::greeted(instance.command(), "a").await;
    agent.say("{oops").await;
    let answer = soon("an answer", agent.unasked.recv()).await.unwrap();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &json!(null)));
    agent.say("[1]").await;
    assert_eq!(soon("an answer", agent.unasked.recv()).await.unwrap()["error"]["code"], -32600);
    agent.say(r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"arguments":3}}"#).await;
    let answer = soon("an answer", agent.unasked.recv()).await.unwrap();
    assert!(answer["id"] == "x" && answer["error"].is_object(), "{answer}");
    let answer = agent.request("no/such", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = agent.request("tools/call", json!({"name": "no_such", "arguments": {}})).await;
    assert!(reply(&answer).1.starts_with("invalid_argument: "), "{answer}");
    let (is_error, text) = agent.call("click", json!({"target": {"ref": "a1", "css": "#x"}})).await;
    assert!(is_error && text.starts_with("invalid_argument: "), "{text}");
}

#[tokio::test]
async fn the_relay_ends_with_its_stdin_and_leaves_one_daemon() {
    let instance = Instance::new();
    for _ in 0..5 {
        let agent = Agent::greeted(instance.command(), "a").await;
        let began = std::time::Instant::now();
        assert_eq!(agent.leave().await, 0);
        assert!(began.elapsed().as_secs() < 3);
    }
    assert_eq!(instance.read("daemon.log").matches("the daemon listens").count(), 1);
}

#[tokio::test]
async fn no_request_is_passed_over_in_silence() {
    let instance = Instance::new();
    let mut agent = Agent::greeted(instance.command(), "a").await;
    for odd in ["1.5", "9223372036854775808", "1e400", "true", "{}", "[]", "null"] {
        agent.say(&format!(r#"{{"jsonrpc":"2.0","id":{odd},"method":"tools/list"}}"#)).await;
        let answer = soon("an answer", agent.unasked.recv()).await.unwrap();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &json!(null)), "{odd}");
    }
    let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
    let cases = [
        (format!(r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{deep}}}"#), "deep", -32600),
        (r#"{"jsonrpc":"2.0","id":"nameless","method":"tools/call","params":{"arguments":{}}}"#.to_owned(), "nameless", -32602),
        (r#"{"jsonrpc":"2.0","id":"bare","method":"tools/call"}"#.to_owned(), "bare", -32602),
        (r#"{"jsonrpc":"2.0","id":"\u0041","method":"no/such"}"#.to_owned(), "A", -32601),
    ];
    for (line, id, code) in cases {
        agent.say(&line).await;
        let answer = soon("an answer", agent.unasked.recv()).await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(code)), "{answer}");
    }
    // Half of a character, as cut texts have it.
    let call = r#"{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"no_\ud83d","arguments":{"text":"\udc00"}}}"#;
    agent.say(call).await;
    let answer = soon("an answer", agent.unasked.recv()).await.unwrap();
    assert!(answer["id"] == "half" && reply(&answer).1.starts_with("invalid_argument: "), "{answer}");
}

#[tokio::test]
async fn a_second_request_under_an_open_id_is_not_answered_in_the_place_of_the_first() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| if matches!(command, Command::TabsCreate(_)) { Act::Silence } else { Act::Usual };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (id, _answer) = agent.ask_tool("tabs", json!({"action": "new"})).await;
    until("the command arrives", || (!extension.commands("tabs/create").is_empty()).then_some(())).await;
    agent.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)).await;
    let answer = soon("an answer", agent.unasked.recv()).await.unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(null), &json!(-32600)), "{answer}");
}

#[tokio::test]
async fn a_session_has_its_tabs_again_after_its_daemon_was_killed() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let extension = FakeExtension::pair(&instance, &daemon).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    for _ in 0..3 {
        agent.call("tabs", json!({"action": "new"})).await;
    }
    agent.call("tabs", json!({"action": "select", "tab": 11})).await;
    kill(daemon.pid, Signal::SIGKILL);
    let next = until("another daemon", || instance.state.living().unwrap().filter(|file| file.pid != daemon.pid)).await;
    // Meanwhile the user closed tab 12.
    let acts = |command: &Command| match command {
        Command::TabsList(_) => Act::Answer(json!({"tabs": [tab(10, "http://a.example/"), tab(11, "http://a.example/")]})),
        _ => Act::Usual,
    };
    let extension = FakeExtension::back_with(&next, &extension.vanish().await, acts).await;
    agent.call("click", json!({"target": {"ref": "a1"}})).await;
    let click = until("the click arrives", || extension.commands("pointer/click").pop()).await;
    assert_eq!(click["command"]["params"]["tab"], 11);
    until("the marks are right", || {
        let held = json!([{"tab": 10, "label": "a"}, {"tab": 11, "label": "a"}]);
        extension.commands("tabs/hold").last().filter(|frame| frame["command"]["params"]["held"] == held).map(drop)
    })
    .await;
    let mut other = Agent::greeted(instance.command(), "b").await;
    let (is_error, text) = other.call("click", json!({"target": {"ref": "a1"}, "tab": 10})).await;
    assert!(is_error && text.starts_with("tab_owned: "), "{text}");
}
