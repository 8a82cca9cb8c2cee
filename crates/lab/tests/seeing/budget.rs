//! The budget gate: what an agent is given to read on the bench's pages, and what its calls cost on the link, in counts that no machine
//! changes. `benches/budget.json` holds what they may be at most.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use lab::bench::{Counts, hold, renewed};
use lab::transcript::read;
use protocol::{TranscriptDirection, TranscriptHop, TranscriptLine};
use regex::Regex;
use serde_json::{Value, json};

use super::bridge::{Bridge, none, root};

/// The command that renews the budget.
const RENEW: &str = "LAB_UPDATE_BUDGET=1 cargo test -p lab --test seeing budget";
/// The two tests share the file.
static FILE: Mutex<()> = Mutex::new(());

/// Holds the counts of one part of the budget against it, or renews that part where somebody asks for it.
fn gate(part: &str, counts: &Counts, percent: u64) {
    let _turn = FILE.lock().unwrap();
    let path: PathBuf = root().join("benches/budget.json");
    let mut budget: BTreeMap<String, Counts> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or("{}".into())).unwrap();
    if std::env::var_os("LAB_UPDATE_BUDGET").is_some() {
        budget.insert(part.to_owned(), renewed(counts, percent));
        std::fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&budget).unwrap())).unwrap();
    }
    let held = hold(budget.get(part).unwrap_or(&Counts::new()), counts);
    if !held.spare.is_empty() {
        eprintln!("{part}: well below the budget, it may be lowered: {RENEW}\n  {}", held.spare.join("\n  "));
    }
    assert!(held.faults.is_empty(), "{part}: over the budget\n  {}\nIf that is intended: {RENEW}", held.faults.join("\n  "));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_budget_of_what_an_agent_reads_is_kept() {
    let bridge = Bridge::start().await;
    let mut session = bridge.session().await;
    let last_line = Regex::new(r"(?m)^([0-9]+) nodes").unwrap();
    let mut counts = Counts::new();
    for page in ["A", "B", "C"] {
        session.open(&format!("{}/f/bench/_page.html?size={page}", bridge.server.origin_a())).await;
        let whole = session.get("snapshot", json!({"budget": 0})).await.text;
        let shortened = session.get("snapshot", none()).await.text;
        let click = session.get("click", json!({"target": {"role": "button", "name": "Add one"}})).await.text;
        assert!(click.contains("outcome: changed"), "{click}");
        let nodes = last_line.captures(&whole).unwrap()[1].parse().unwrap();
        counts.insert(format!("{page}, whole snapshot: nodes"), nodes);
        for (what, text) in [("whole snapshot", whole), ("snapshot", shortened), ("click with its delta", click)] {
            // The port may have fewer digits elsewhere.
            let text = text.replace(bridge.server.origin_a(), "http://127.0.0.1:40001");
            counts.insert(format!("{page}, {what}: bytes"), text.len() as u64);
        }
        session.close_tab().await;
    }
    session.close().await;
    bridge.stop().await;
    // Refs and numbers of tabs are longer on another day.
    gate("pages", &counts, 2);
}

#[test]
fn the_budget_of_the_link_is_kept() {
    // Tool → the round trips of each of its calls, in all committed transcripts.
    let mut calls: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let scenarios = root().join("scenarios");
    let folders = std::fs::read_dir(&scenarios).unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()));
    let mut read_files = 0;
    for file in files.filter(|path| path.to_string_lossy().ends_with(".transcript.jsonl")) {
        let transcript = read(&file, &scenarios.join(protocol::BLOB_FOLDER)).unwrap();
        read_files += 1;
        for (tool, trips) in trips(&transcript.lines) {
            calls.entry(tool).or_default().push(trips);
        }
    }
    assert!(read_files >= 50, "{read_files} transcripts");
    let mut counts = Counts::new();
    for (tool, mut trips) in calls {
        trips.sort_unstable();
        counts.insert(format!("{tool}: round trips of the middle call"), trips[trips.len() / 2]);
        counts.insert(format!("{tool}: round trips at most"), trips[trips.len() - 1]);
    }
    gate("link", &counts, 0);
}

/// Each call that was alone, with how many requests went to the extension while it was under way. Looks repeat by the clock and are left
/// out: how many there are is time, not cost.
fn trips(lines: &[TranscriptLine]) -> Vec<(String, u64)> {
    let mut open: BTreeMap<Option<u32>, (String, u64, bool)> = BTreeMap::new();
    let mut done = Vec::new();
    for line in lines {
        let TranscriptLine::Frame { hop, dir, session, frame: Some(frame), .. } = line else { continue };
        match (hop, dir) {
            (TranscriptHop::Relay, TranscriptDirection::In) => {
                let Some(tool) = frame["tool"].as_str() else { continue };
                let alone = open.is_empty();
                open.values_mut().for_each(|call| call.2 = false);
                open.insert(*session, (tool.to_owned(), 0, alone));
            }
            (TranscriptHop::Relay, TranscriptDirection::Out) => {
                if let Some((tool, trips, true)) = open.remove(session) {
                    done.push((tool, trips));
                }
            }
            (TranscriptHop::Link, TranscriptDirection::Out) if is_step(frame) => open.values_mut().for_each(|call| call.1 += 1),
            (TranscriptHop::Link, _) => {}
        }
    }
    done
}

fn is_step(frame: &Value) -> bool {
    frame["kind"] == "request"
        && frame["command"]["method"].as_str().is_some_and(|method| !method.starts_with("watch/") && method != "wait/probe")
}
