//! The relay: what it says when the daemon is lost, and what it never says.

use nix::sys::signal::Signal;
use protocol::Command;
use serde_json::json;

use super::extension::{Act, FakeExtension};
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
