//! `lab chrome` as any MCP client meets it: one line with every address, and nothing left when it is told to end.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// From nothing the bridge is built first.
const START_BOUND: Duration = Duration::from_secs(300);
const END_BOUND: Duration = Duration::from_secs(30);

#[tokio::test]
async fn lab_chrome_tells_every_address_and_leaves_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["chrome", "--json"])
        .current_dir(root)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(lab.stdout.take().unwrap()).lines();
    let line = tokio::time::timeout(START_BOUND, lines.next_line()).await.unwrap().unwrap();
    let told: Value = serde_json::from_str(&line.expect("`lab chrome` ended without a word; is the extension built?")).unwrap();

    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for origin in told["fixtures"].as_array().unwrap() {
        let address = format!("{}/f/pointer/control.html", origin.as_str().unwrap().replace("localhost", "127.0.0.1"));
        assert!(client.get(address).send().await.unwrap().status().is_success());
    }
    // About the session, not its page: ChromeDriver's first question to a page can hang for a minute on a loaded machine (docs/traps.md).
    let session =
        format!("{}/session/{}/timeouts", told["webdriver"]["url"].as_str().unwrap(), told["webdriver"]["session"].as_str().unwrap());
    let answer = client.get(&session).send().await.unwrap();
    let (status, body) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success() && body.contains("pageLoad"), "{status} {body}");
    assert!(told["devtools"].as_str().unwrap().starts_with("ws://127.0.0.1:"));
    let state = Path::new(told["state_dir"].as_str().unwrap());
    assert_eq!(told["mcp"]["env"]["TEGATA_STATE_DIR"], told["state_dir"]);
    assert_eq!(told["mcp"]["args"][0], "mcp");
    assert!(Path::new(told["mcp"]["command"].as_str().unwrap()).is_file());
    let daemon: Value = serde_json::from_str(&std::fs::read_to_string(state.join("daemon.json")).unwrap()).unwrap();
    let daemon = Pid::from_raw(daemon["pid"].as_i64().unwrap().try_into().unwrap());
    assert!(kill(daemon, None).is_ok());

    kill(Pid::from_raw(lab.id().unwrap().try_into().unwrap()), Signal::SIGTERM).unwrap();
    let status = tokio::time::timeout(END_BOUND, lab.wait()).await.unwrap().unwrap();
    assert!(status.success(), "{status}");
    assert!(!state.exists(), "the state folder is left");
    assert!(client.get(&session).send().await.is_err(), "the driver still answers");
    let running = std::fs::read_to_string(format!("/proc/{daemon}/stat"));
    assert!(running.is_err() || running.is_ok_and(|stat| stat.contains(") Z ")), "the daemon still runs");
}

/// All processes that inherited this mark, and do not just wait to be collected.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("LAB_TEST_MARK={mark}");
    let has_mark = |path: &Path| {
        std::fs::read(path.join("environ")).is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|one| one == wanted.as_bytes()))
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| has_mark(path)).map(|path| std::fs::read_to_string(path.join("comm")).unwrap_or_default()).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_lab_that_is_killed_leaves_no_process_no_port_and_no_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mark = format!("killed-{}", std::process::id());
    let folder = tempfile::tempdir().unwrap();
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["chrome", "--json"])
        .current_dir(root)
        .env("LAB_TEST_MARK", &mark)
        .env("TMPDIR", folder.path())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(lab.stdout.take().unwrap()).lines();
    let line = tokio::time::timeout(START_BOUND, lines.next_line()).await.unwrap().unwrap();
    let told: Value = serde_json::from_str(&line.expect("`lab chrome` ended without a word; is the extension built?")).unwrap();
    assert!(marked(&mark).len() > 4, "lab, driver, Chrome and bridge run");
    assert!(std::fs::read_dir(folder.path()).unwrap().count() >= 2, "a profile and a state folder are there");
    let devtools = told["devtools"].as_str().unwrap().trim_start_matches("ws://").split('/').next().unwrap().to_owned();
    assert!(tokio::net::TcpStream::connect(&devtools).await.is_ok());

    // Without a chance to say or clean up anything.
    kill(Pid::from_raw(lab.id().unwrap().try_into().unwrap()), Signal::SIGKILL).unwrap();
    lab.wait().await.unwrap();
    let began = std::time::Instant::now();
    let left = || (marked(&mark), std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>());
    let mut poll = tokio::time::interval(Duration::from_millis(20));
    while left() != (Vec::new(), Vec::new()) && began.elapsed() < END_BOUND {
        poll.tick().await;
    }
    assert_eq!(left(), (Vec::new(), Vec::new()));
    assert!(tokio::net::TcpStream::connect(&devtools).await.is_err(), "Chrome's port still answers");
}
