//! Growth and extremes: time grows with the page and no faster; what is too much is bounded and said.

use std::time::Duration;

use serde_json::{Value, json};

use super::bridge::{Bridge, none};

/// So much worse than linear the time may become over a tenfold page: caches get smaller beside it, and machines are not quiet.
const WORSE: f64 = 3.0;
/// Readings of each page.
const TURNS: usize = 7;
/// An extreme page is read within this, however extreme.
const BOUND: Duration = Duration::from_secs(25);

fn page(bridge: &Bridge, name: &str) -> String {
    format!("{}/f/extreme/{name}", bridge.server.origin_a())
}

/// Number of nodes that a reply tells.
fn nodes(text: &str) -> f64 {
    text.lines().filter_map(|line| line.split_once(" nodes")?.0.parse().ok()).next_back().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_grows_with_the_page_and_no_faster() {
    let bridge = Bridge::start().await;
    let mut session = bridge.session().await;
    let sizes = [1_000, 10_000];
    let mut tabs = Vec::new();
    for n in sizes {
        tabs.push(session.open(&page(&bridge, &format!("_nodes.html?n={n}"))).await);
    }
    // In turns, and the best of each: what else the machine does makes a reading slower, never faster.
    let mut best = [f64::MAX; 2];
    for _ in 0..TURNS {
        for (at, n) in sizes.into_iter().enumerate() {
            let said = session.get("snapshot", json!({"tab": tabs[at]})).await;
            let nodes = nodes(&said.text);
            assert!(nodes >= 0.8 * f64::from(n), "{n} elements are only {nodes} nodes");
            assert!(n < 10_000 || said.text.contains("left out by the budget"), "{n}: {} bytes", said.text.len());
            assert!(said.text.len() < 30_000, "{n}: the reply has {} bytes", said.text.len());
            best[at] = best[at].min(said.took.as_secs_f64() * 1e6 / nodes);
        }
    }
    eprintln!("µs a node at {sizes:?} elements: {best:.1?}");
    assert!(best[1] < best[0] * WORSE, "µs a node at {sizes:?} elements: {best:?}");
    session.close().await;
    bridge.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn extremes_are_read_within_a_bound() {
    let bridge = Bridge::start().await;
    let mut session = bridge.session().await;
    let cases: [(&str, Value, &[&str]); 8] = [
        ("_deep.html?n=2000", none(), &["button \"Top\"", "button \"Bottom\""]),
        ("_deep.html?n=2000&kind=list", none(), &["button \"Top\"", "left out by the budget", "1 button"]),
        ("_deep.html?n=2000&kind=list", json!({"budget": 0}), &["button \"Bottom\""]),
        ("_text.html?kb=2000", none(), &["button \"Top\"", "button \"Bottom\"", "left out by the budget"]),
        ("_text.html?kb=5000&one=1", none(), &["button \"Top\"", "button \"Bottom\"", "texts cut at 200 characters"]),
        ("_frames.html?n=200", none(), &["button \"Top\"", "button \"Bottom\"", "said by 0"]),
        ("_moving.html", none(), &["button \"Top\"", "turn "]),
        ("_moving.html", json!({"since": 0}), &["snapshot "]),
    ];
    for (name, arguments, wanted) in cases {
        session.open(&page(&bridge, name)).await;
        if arguments.get("since").is_some() {
            session.get("snapshot", none()).await;
        }
        let said = session.get("snapshot", arguments.clone()).await;
        let last = said.text.lines().last().unwrap_or_default();
        eprintln!("{name} {arguments}: {:?}, {} bytes, {last}", said.took, said.text.len());
        for part in wanted {
            assert!(said.text.contains(part), "{name} {arguments} lacks {part:?}: {}", shown(&said.text));
        }
        assert!(said.took < BOUND, "{name} took {:?}", said.took);
        for tool in ["get_text", "read_text", "read_dom"] {
            let said = session.get(tool, none()).await;
            eprintln!("{name} {tool}: {:?}, {} bytes", said.took, said.text.len());
            assert!(said.text.len() < 70_000 && said.took < BOUND, "{name} {tool}: {:?}, {} bytes", said.took, said.text.len());
        }
        // Nothing is stuck afterwards.
        let said = session.get("find", json!({"role": "button", "name": "Top"})).await;
        assert!(said.text.contains("1 match exactly"), "{name}: {}", said.text);
        session.close_tab().await;
    }
    session.close().await;
    bridge.stop().await;
}

fn shown(text: &str) -> String {
    let (begin, end) = (text.chars().take(1_500).collect::<String>(), text.chars().rev().take(700).collect::<Vec<_>>());
    format!("{begin} … {}", end.into_iter().rev().collect::<String>())
}
