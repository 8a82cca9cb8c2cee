//! A whole snapshot in real Chromium, from the agent's line to the reply, on the three pages, after one text of each was changed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use benches::{Agent, Latency, Measured, Programs, Size, Stage, criterion, must, print_shares, runtime};
use serde_json::json;
use tokio::runtime::Runtime;

fn main() {
    let runtime = must(runtime());
    let programs = must(Programs::build());
    let stage = must(runtime.block_on(Stage::start(&programs)));
    let mut agent = must(runtime.block_on(stage.agent()));
    let tabs = must(runtime.block_on(stage.open(&mut agent)));

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("snapshot_chrome");
    let mut measured = Vec::new();
    for (size, tab) in Size::ALL.into_iter().zip(tabs) {
        let latency = must(Latency::new(format!("snapshot {}", size.letter())));
        group.bench_function(size.letter(), |bencher| {
            bencher.iter_custom(|iterations| must(snapshots(&runtime, &mut agent, tab, iterations, &latency)));
        });
        measured.push(Measured { latency, hops: must(stage.hops("snapshot", tab)) });
    }
    group.finish();
    criterion.final_summary();
    drop(agent);
    must(runtime.block_on(stage.stop()));

    measured.iter().for_each(|measured| measured.latency.print());
    print_shares(&measured);
}

/// No text comes twice.
static NUMBER: AtomicU64 = AtomicU64::new(1);

fn snapshots(runtime: &Runtime, agent: &mut Agent, tab: u64, iterations: u64, latency: &Latency) -> Result<Duration> {
    runtime.block_on(async {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            // One text is another each time, as pages are.
            let code = format!("document.getElementById('tick').firstChild.data = 'tick {number}'");
            agent.call("eval", &json!({"tab": tab, "code": code})).await?;
            let began = Instant::now();
            agent.call("snapshot", &json!({"tab": tab})).await?;
            let took = began.elapsed();
            latency.record(took);
            total += took;
        }
        Ok(total)
    })
}
