//! The text of the snapshot of every reading fixture, against a committed golden file.
//!
//! `LAB_BLESS=1 cargo test -p lab --test seeing goldens` writes them anew. What differs from run to run stands as a word: tabs, ports, the run, the marks
//! of the fence, refs (by their order in the text), times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lab::fixture::{Fixture, FixtureServer};
use regex::{Captures, Regex};
use serde_json::json;

use super::bridge::{Bridge, Session, none, root};

/// The groups whose pages are patterns of reading.
const GROUPS: [&str; 1] = ["snapshot"];
/// A page must come to rest within this.
const REST_BOUND: Duration = Duration::from_secs(10);

/// So long a page may be quiet before it is read again: two equal readings in a row count.
const QUIET_MS: u64 = 700;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_reading_fixture_reads_as_its_golden_says() {
    let bridge = Bridge::start().await;
    let mut session = bridge.session().await;
    let bless = std::env::var_os("LAB_BLESS").is_some();
    let folder = root().join("crates/lab/tests/seeing/golden");
    let mut faults = String::new();
    let mut kept = BTreeSet::new();
    for fixture in bridge.fixtures.iter().filter(|fixture| GROUPS.contains(&fixture.group())) {
        let path = folder.join(format!("{}.txt", fixture.id.replace('/', ".")));
        kept.insert(path.clone());
        let text = at_rest(&bridge.server, &mut session, fixture).await;
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        if golden != text {
            writeln!(faults, "--- {}\n{}", fixture.id, difference(&golden, &text)).unwrap();
        }
    }
    session.close().await;
    bridge.stop().await;
    for stale in files(&folder).difference(&kept) {
        writeln!(faults, "{} belongs to no fixture", stale.display()).unwrap();
    }
    assert!(kept.len() >= 30, "only {} fixtures were read", kept.len());
    assert!(faults.is_empty(), "if this is meant: LAB_BLESS=1 cargo test -p lab --test seeing goldens\n{faults}");
}

fn files(folder: &std::path::Path) -> BTreeSet<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

/// Opens the fixture and reads it until two readings are the same.
async fn at_rest(server: &FixtureServer, session: &mut Session<'_>, fixture: &Fixture) -> String {
    let run = FixtureServer::new_run();
    session.open(&server.url(fixture, &run, &BTreeMap::new())).await;
    let started = Instant::now();
    let mut before = String::new();
    let text = loop {
        let said = session.get("snapshot", json!({"budget": 0})).await;
        let text = normal(&said.text, server, &run);
        if text == before {
            break text;
        }
        assert!(started.elapsed() < REST_BOUND, "{} does not come to rest:\n{before}\n{text}", fixture.id);
        before = text;
        // A page that never rests is read again all the same.
        session.ask("wait_for", json!({"any": [{"idle": true}], "timeout_ms": QUIET_MS})).await;
    };
    session.close_tab().await;
    text
}

/// The text without what differs from run to run.
fn normal(text: &str, server: &FixtureServer, run: &str) -> String {
    let mut text = text.replace(server.origin_a(), "{a}").replace(server.origin_b(), "{b}").replace(run, "{run}");
    let mut swap = |pattern: &str, word: &str| text = Regex::new(pattern).unwrap().replace_all(&text, word).into_owned();
    swap(r"\btab \d+", "tab T");
    swap(r"\bsnapshot \d+", "snapshot S");
    swap(r"«(page|end) [0-9a-f]+", "«$1 NONCE");
    swap(r"blob:\S+", "blob:B");
    swap(r"\d+\.\d s ago", "T s ago");
    let mut refs = BTreeMap::new();
    let named = Regex::new(r"\[([a-z]+\d+)\]").unwrap().replace_all(&text, |found: &Captures<'_>| {
        let next = refs.len() + 1;
        format!("[r{}]", refs.entry(found[1].to_owned()).or_insert(next))
    });
    format!("{}\n", named.trim_end())
}

fn difference(golden: &str, text: &str) -> String {
    similar::TextDiff::from_lines(golden, text).unified_diff().context_radius(2).to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_without_a_tab_is_told_so() {
    let bridge = Bridge::start().await;
    let mut session = bridge.session().await;
    let tools = ["snapshot", "get_text", "read_text", "read_dom", "console", "network", "screenshot"];
    for tool in tools {
        let said = session.ask(tool, none()).await;
        assert!(said.is_error && said.text.starts_with("no_tab: ") && said.text.contains("tabs new"), "{tool}: {}", said.text);
    }
    session.close().await;
    bridge.stop().await;
}
