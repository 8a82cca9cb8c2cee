//! Everything but the browser: agent → relay → daemon → fake extension and back, through the real program.

use std::time::{Duration, Instant};

use anyhow::Result;
use benches::{Agent, Latency, Local, Programs, Size, criterion, must, runtime};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

fn main() {
    let runtime = must(runtime());
    let programs = must(Programs::build());
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("round_trip");
    let mut latencies = Vec::new();
    for (name, size, tool, arguments) in [
        ("tabs_list", Size::A, "tabs", json!({"action": "list"})),
        ("snapshot_B", Size::B, "snapshot", json!({})),
        ("snapshot_C", Size::C, "snapshot", json!({})),
    ] {
        let local = must(runtime.block_on(Local::start(&programs, size)));
        let mut agent = must(runtime.block_on(greeted(&local)));
        let latency = must(Latency::new(name));
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|iterations| must(measure(&runtime, &mut agent, iterations, tool, &arguments, &latency)));
        });
        latencies.push(latency);
    }
    group.finish();
    criterion.final_summary();
    latencies.iter().for_each(Latency::print);
}

async fn greeted(local: &Local) -> Result<Agent> {
    let mut agent = local.agent().await?;
    agent.call("tabs", &json!({"action": "new", "url": "http://127.0.0.1/page"})).await?;
    Ok(agent)
}

fn measure(runtime: &Runtime, agent: &mut Agent, iterations: u64, tool: &str, arguments: &Value, latency: &Latency) -> Result<Duration> {
    runtime.block_on(async {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            let began = Instant::now();
            agent.call(tool, arguments).await?;
            let took = began.elapsed();
            latency.record(took);
            total += took;
        }
        Ok(total)
    })
}
