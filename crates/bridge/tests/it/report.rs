//! The bundle for a bug: with a daemon and without, and never with what was typed.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use protocol::{Command, ReportLine, TranscriptLine};
use serde_json::json;

use super::extension::{Act, FakeExtension, tab};
use super::instance::{Agent, Instance};

const CANARY: &str = "canary-hunter2-0x5f";

fn head(file: &Path) -> (ReportLine, String) {
    let text = std::fs::read_to_string(file).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    (serde_json::from_str(first).unwrap(), rest.to_owned())
}

#[tokio::test]
async fn without_a_daemon_there_is_still_something_to_tell() {
    let instance = Instance::new();
    let place = instance.place.path().display().to_string();
    let (code, out, error) = instance.run(&["report", "--out", &place]).await;
    assert!(code == 0 && out.contains("no transcript") && out.contains("note: no daemon runs"), "{out}{error}");
    let file = out.split_whitespace().next().unwrap();
    let (ReportLine::Report { programs, broken, notes, .. }, rest) = head(Path::new(file)) else { panic!("{out}") };
    assert_eq!((programs.tegata.as_str(), programs.daemon, broken.as_deref()), (env!("CARGO_PKG_VERSION"), None, Some("daemon")));
    assert!(programs.os.contains(std::env::consts::OS) && notes[0].starts_with("no daemon runs") && rest.is_empty(), "{notes:?} {rest}");
    let (code, _, error) = instance.run(&["report", "--out", file]).await;
    assert!(code == 2 && error.contains("exists. Give another name with --out"), "{error}");
    let (code, _, error) = instance.run(&["report", "--out", "/nowhere/at/all.txt"]).await;
    assert!(code == 1 && error.contains("cannot be written"), "{error}");
    let (code, _, error) = instance.run(&["report", "--minutes", "11"]).await;
    assert!(code == 2 && error.contains("1..=10"), "{error}");
}

#[tokio::test]
async fn the_last_minutes_are_told_masked_and_only_their_owner_can_read_them() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| match command {
        // A page that shows it before it was typed, and an error that repeats it.
        Command::TabsCreate(_) => {
            let mut tab = tab(10, "http://127.0.0.1/");
            tab.title = CANARY.into();
            Act::Answer(json!({"tab": tab, "end": "complete"}))
        }
        Command::KeyboardType(_) => {
            let said = format!("the field is read-only: {CANARY}");
            Act::Fail(protocol::CommandError::new(protocol::ErrorCode::NotEditable, said))
        }
        _ => Act::Usual,
    };
    let _extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    agent.call("tabs", json!({"action": "new"})).await;
    agent.call("type", json!({"target": {"css": "#a"}, "text": CANARY})).await;
    agent
        .call("fill", json!({"fields": [{"target": {"css": "#cvc"}, "value": "943"}, {"target": {"css": "#pin"}, "value": 77_889_900}]}))
        .await;
    let file = instance.place.path().join("report.txt");
    let (code, out, error) = instance.run(&["report", "--out", &file.display().to_string()]).await;
    assert!(code == 0 && out.contains("masked: texts that were typed or sent"), "{out}{error}");
    assert!(out.contains("read it before you attach it"), "{out}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let (ReportLine::Report { programs, hops, broken, .. }, rest) = head(&file) else { panic!("{out}") };
    assert!(programs.daemon.is_some() && programs.browser.is_some() && programs.extension.is_some(), "{programs:?}");
    assert!(broken.is_none() && hops.iter().all(|hop| hop.ok), "{hops:?}");
    for secret in [CANARY, "\"943\"", "77889900", &daemon.token] {
        assert!(!rest.contains(secret), "{secret} in {rest}");
    }
    let (log, frames): (Vec<&str>, Vec<&str>) = rest.lines().partition(|line| line.starts_with("{\"kind\":\"log\""));
    assert!(log.iter().any(|line| line.contains("the daemon listens")), "{log:?}");
    let frames: Vec<TranscriptLine> = frames.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(matches!(frames.first(), Some(TranscriptLine::Header { .. })), "{frames:?}");
    assert!(matches!(frames.last(), Some(TranscriptLine::Footer { lines, lost: 0 }) if *lines == frames.len() as u64 - 2), "{frames:?}");
    for word in ["\"tools/call\"", "tabs/create", "{{typed:1:19}}", "{{typed:2:3}}", "{{typed:3:8}}"] {
        assert!(rest.contains(word), "{word} in {rest}");
    }
    // Nothing of it lies in the state directory.
    for entry in std::fs::read_dir(instance.state.path()).unwrap() {
        let text = std::fs::read(entry.unwrap().path()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        assert!(!text.contains(CANARY), "{text}");
    }
    agent.leave().await;
}

#[tokio::test]
async fn where_nothing_is_remembered_that_is_said() {
    let instance = Instance::new().with("TEGATA_RECENT", "0");
    let _daemon = instance.daemon().await;
    let file = instance.place.path().join("report.txt");
    let (code, out, _) = instance.run(&["report", "--out", &file.display().to_string()]).await;
    assert!(code == 0 && out.contains("note: the daemon remembers nothing"), "{out}");
}
