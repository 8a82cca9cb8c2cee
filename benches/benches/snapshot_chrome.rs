//! A whole snapshot in real Chromium, from the agent's line to the reply, on the three pages.

use std::time::{Duration, Instant};

use anyhow::Result;
use benches::{Agent, Latency, Measured, Programs, Size, Stage, criterion, must, print_shares, runtime};
use serde_json::json;
use tokio::runtime::Runtime;

/// Calls a page for the shares of the hops.
const SHARE_CALLS: usize = 15;

fn main() {
    let runtime = must(runtime());
    let programs = must(Programs::build());
    let stage = must(runtime.block_on(Stage::start(&programs, false)));
    let mut agent = must(runtime.block_on(stage.agent()));
    let tabs = must(runtime.block_on(stage.open(&mut agent)));

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("snapshot_chrome");
    let mut latencies = Vec::new();
    for (size, tab) in Size::ALL.into_iter().zip(tabs) {
        let latency = must(Latency::new(format!("snapshot {}", size.letter())));
        group.bench_function(size.letter(), |bencher| {
            bencher.iter_custom(|iterations| must(snapshots(&runtime, &mut agent, tab, iterations, &latency)));
        });
        latencies.push(latency);
    }
    group.finish();
    criterion.final_summary();
    drop(agent);
    must(runtime.block_on(stage.stop()));

    let shares = must(runtime.block_on(shares(&programs)));
    latencies.iter().for_each(Latency::print);
    let measured: Vec<Measured> = latencies.iter().zip(&shares).map(|(latency, hops)| Measured { latency, hops }).collect();
    print_shares(&measured);
}

fn snapshots(runtime: &Runtime, agent: &mut Agent, tab: u64, iterations: u64, latency: &Latency) -> Result<Duration> {
    runtime.block_on(async {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            let began = Instant::now();
            agent.call("snapshot", &json!({"tab": tab})).await?;
            let took = began.elapsed();
            latency.record(took);
            total += took;
        }
        Ok(total)
    })
}

/// The same calls once more with the log of all hops.
async fn shares(programs: &Programs) -> Result<Vec<Vec<benches::Hops>>> {
    let stage = Stage::start(programs, true).await?;
    let mut agent = stage.agent().await?;
    for tab in stage.open(&mut agent).await? {
        for _ in 0..SHARE_CALLS {
            agent.call("snapshot", &json!({"tab": tab})).await?;
        }
    }
    let frames = stage.frames();
    stage.stop().await?;
    Ok(benches::read_hops(&frames, "snapshot").chunks(SHARE_CALLS).map(<[_]>::to_vec).collect())
}
