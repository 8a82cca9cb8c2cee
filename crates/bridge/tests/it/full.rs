//! A disk that takes no more in the middle of a file: the system's limit on file sizes stands for it, which needs no rights to set.

use std::path::Path;

use protocol::Command;
use serde_json::json;

use super::extension::{Act, FakeExtension};
use super::instance::{Agent, Instance, soon};

#[tokio::test]
async fn a_file_that_does_not_fit_is_told_and_leaves_nothing_behind() {
    let instance = Instance::new();
    let files = instance.place.path().join("files");
    let instance = instance.with("TEGATA_FILES_DIR", &files.display().to_string());
    // The daemon inherits the limit from whoever starts it.
    let limited = "ulimit -f 256 && trap '' XFSZ && exec \"$@\"";
    let mut start = instance.command_of(Path::new("sh"));
    start.args(["-c", limited, "sh"]).arg(instance.program()).args(["extension", "--json", "--pair"]);
    let started = soon("the daemon starts", start.output()).await.unwrap();
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    let daemon = instance.state.living().unwrap().expect("a daemon lives");
    let acts = |command: &Command| match command {
        Command::DataFetch(ask) => {
            let bytes = if ask.url.contains("large") { 400_000 } else { 400 };
            let content = json!({"binary": false, "data": "x".repeat(bytes), "bytes": bytes, "cut": false});
            Act::Answer(json!({"url": ask.url, "status": 200, "mime": "text/plain", "content": content}))
        }
        _ => Act::Usual,
    };
    let _extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    agent.call("tabs", json!({"action": "new"})).await;
    let (is_error, text) = agent.call("fetch", json!({"url": "http://a.example/large", "save": "a/large.txt"})).await;
    assert!(is_error && text.starts_with("unsupported: "), "{text}");
    assert!(text.contains("too large") && text.contains("no part of the file was left behind") && text.contains("Ask for less"), "{text}");
    assert_eq!(std::fs::read_dir(files.join("a")).unwrap().count(), 0, "nothing is left");
    // What fits is written as ever.
    let (is_error, text) = agent.call("fetch", json!({"url": "http://a.example/small", "save": "a/small.txt"})).await;
    assert!(!is_error && text.contains("saved 400 bytes"), "{text}");
    assert_eq!(std::fs::read(files.join("a/small.txt")).unwrap().len(), 400);
    agent.leave().await;
}
