//! Memory: what the content script adds to a big page, and what a thousand snapshots leave behind.

use lab::driver::{Chrome, ChromeOptions};
use serde_json::json;

use super::bridge::{Bridge, none};
use super::devtools::Target;

const MB: f64 = 1024.0 * 1024.0;
/// The content script adds at most this to page C (about 18,000 nodes).
const MOST_ADDED: f64 = 8.0 * MB;
/// Snapshots before the first measure: what is made once is made by then.
const WARM: usize = 50;
const TIMES: usize = 1_000;
/// A process's heap after so many snapshots: noise, and no more. A tree that stayed each time would be hundreds.
const MOST_GROWN: f64 = 2.0 * MB;
/// The daemon's resident memory: an allocator rounds.
const MOST_RESIDENT_GROWN: f64 = 0.10;
/// What the daemon remembers of the last minutes for `tegata report`: 2 MB of text at most, and what holding them costs.
const REMEMBERED: f64 = 4.0 * MB;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_big_page_costs_little_and_a_thousand_snapshots_leave_nothing() {
    let bridge = Bridge::start().await;
    let url = format!("{}/f/bench/_page.html?size=C", bridge.server.origin_a());

    let alone = {
        let plain = Chrome::launch(ChromeOptions::default()).await.unwrap();
        plain.open(&url).await.unwrap();
        let mut page = Target::connect(&plain, "page", "size=C").await;
        page.call("Runtime.evaluate", json!({"expression": "new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', done))", "awaitPromise": true})).await;
        let alone = page.heap().await;
        plain.close().await.unwrap();
        alone
    };

    let mut session = bridge.session().await;
    session.open(&url).await;
    session.get("snapshot", none()).await;
    let with = Target::connect(&bridge.chrome, "page", "size=C").await.heap().await;
    eprintln!(
        "page C alone {:.2} MB, with the content script after a snapshot {:.2} MB: {:.2} MB added",
        alone / MB,
        with / MB,
        (with - alone) / MB
    );
    assert!(with - alone <= MOST_ADDED, "{:.2} MB added", (with - alone) / MB);
    session.close_tab().await;

    let url = format!("{}/f/bench/_page.html?size=B", bridge.server.origin_a());
    session.open(&url).await;
    let mut before = None;
    for turn in 1..=WARM + TIMES {
        session.get("snapshot", none()).await;
        if turn == WARM || turn == WARM + TIMES {
            let page = Target::connect(&bridge.chrome, "page", "size=B").await.heap().await;
            let worker = Target::connect(&bridge.chrome, "service_worker", "chrome-extension://").await.heap().await;
            let daemon = resident(bridge.daemon());
            eprintln!(
                "after {turn} snapshots: page {:.2} MB, worker {:.2} MB, daemon {:.2} MB resident",
                page / MB,
                worker / MB,
                daemon / MB
            );
            let Some((page_then, worker_then, daemon_then)) = before.replace((page, worker, daemon)) else { continue };
            assert!(page - page_then < MOST_GROWN, "the page grew by {:.2} MB", (page - page_then) / MB);
            assert!(worker - worker_then < MOST_GROWN, "the worker grew by {:.2} MB", (worker - worker_then) / MB);
            assert!(
                daemon < daemon_then * (1.0 + MOST_RESIDENT_GROWN) + REMEMBERED,
                "the daemon grew from {:.2} to {:.2} MB",
                daemon_then / MB,
                daemon / MB
            );
        }
    }
    session.close().await;
    bridge.stop().await;
}

/// Resident bytes of a process.
fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() * 1024.0
}
