//! Nothing that was typed touches the disk, and nothing but JSON-RPC touches stdout.

use protocol::Command;
use serde_json::{Value, json};

use super::extension::{Act, FakeExtension, tab};
use super::instance::{Agent, Instance};

const CANARY: &str = "canary-hunter2-0x5f";

/// A code that was sent as a number.
const CODE: u64 = 7_788_990_011;

#[tokio::test]
async fn a_typed_password_is_in_no_file_and_every_line_is_json_rpc_at_the_loudest() {
    let instance = Instance::new().with("TEGATA_LOG", "trace").with("TEGATA_FRAMES", "1");
    let daemon = instance.daemon().await;
    let acts = |command: &Command| match command {
        // Even an error that repeats what was typed.
        Command::KeyboardType(_) => {
            let said = format!("the field is read-only: {CANARY}");
            Act::Fail(protocol::CommandError::new(protocol::ErrorCode::NotEditable, said))
        }
        // A page that mirrors it in its title and its address.
        Command::TabsCreate(_) => {
            let mut tab = tab(10, &format!("http://me:{CANARY}@127.0.0.1/?pw={CANARY}"));
            tab.title = CANARY.into();
            Act::Answer(json!({"tab": tab, "end": "complete"}))
        }
        Command::WatchLook(_) => Act::Answer(json!({"elapsedMs": 1.0, "evidence": [{"what": format!("value \"\" → {CANARY:?}")}]})),
        _ => Act::Usual,
    };
    let extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    agent.call("tabs", json!({"action": "new"})).await;
    for _ in 0..3 {
        agent.call("type", json!({"target": {"css": "#password"}, "text": CANARY})).await;
        agent.call("wait_for", json!({"any": [{"text": CANARY}], "timeout_ms": 10})).await;
        agent.call("tabs", json!({"action": "list"})).await;
    }
    // A call with wrong types, and one that is no call.
    agent.call("type", json!({"target": 3, "text": CANARY})).await;
    agent.request("tools/call", json!({"name": "type", "arguments": {"password": [CANARY], "text": {"x": CANARY}}})).await;
    // Under keys that are not ours, as a number, in an address: neither written nor said back.
    for (tool, arguments) in [
        ("type", json!({"target": {"css": "#a"}, "text": CODE})),
        ("type", json!({"target": {"css": "#a"}, "txt": CANARY})),
        ("type", json!({"target": CANARY, "text": "x"})),
        ("type", json!({"target": {"ref": CANARY}, "text": "x"})),
        ("type", json!({"target": {"css": "#a"}, "text": "x", "mode": CANARY})),
        ("type", json!({"target": {"role": "textbox", "name": "a", "nth": CANARY}, "text": "x"})),
        ("type", json!({"target": {"css": "#a"}, "text": "x", CANARY: true})),
        ("navigate", json!({"url": format!("ftp://me:{CANARY}@a.example/?token={CANARY}")})),
        ("navigate", json!({"url": format!("//{CANARY}")})),
    ] {
        let (is_error, text) = agent.call(tool, arguments).await;
        assert!(is_error && !text.contains(CANARY) && !text.contains(&CODE.to_string()), "{text}");
    }
    agent.call("navigate", json!({"url": format!("http://me:{CANARY}@a.example/?token={CANARY}")})).await;
    assert!(!extension.commands("keyboard/type").is_empty(), "it was typed");
    for line in agent.lines.lock().unwrap().iter() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON on stdout: {line}"));
        assert_eq!(message["jsonrpc"], "2.0");
    }
    agent.leave().await;
    assert_eq!(instance.run(&["stop"]).await.0, 0);
    let mut files = 0;
    for entry in std::fs::read_dir(instance.state.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains(CANARY), "{} holds it: {}", path.display(), text.lines().find(|line| line.contains(CANARY)).unwrap());
        assert!(!text.contains(&CODE.to_string()), "{} holds the code", path.display());
        assert!(!text.contains(&daemon.token), "{} holds the token", path.display());
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions()) & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
        files += 1;
    }
    assert!(files >= 4);
    let frames = instance.read("frames.jsonl");
    assert!(frames.contains(r#""hop":"relay""#) && frames.contains(r#""hop":"link""#));
    assert!(instance.read("audit.jsonl").contains(&format!("<{} chars>", CANARY.len())));
}
