//! Whole clicks in real Chromium: one that changes something, one that is refused, one that does nothing.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use benches::{Agent, Latency, Measured, Programs, Size, Stage, Tabs, criterion, must, print_shares, runtime};
use criterion::SamplingMode;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

fn main() {
    let runtime = must(runtime());
    let programs = must(Programs::build());
    let stage = must(runtime.block_on(Stage::start(&programs)));
    let mut agent = must(runtime.block_on(stage.agent()));
    let tabs = must(runtime.block_on(stage.open(&mut agent)));
    let targets = must(runtime.block_on(refs(&mut agent, tabs)));

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("click_chrome");
    let mut changed = Vec::new();
    let mut others = Vec::new();
    for (index, size) in Size::ALL.into_iter().enumerate() {
        let tab = tabs[index];
        let latency = must(Latency::new(format!("click changed {}", size.letter())));
        let arguments = json!({"target": {"ref": targets[index]}, "tab": tab});
        group.bench_function(format!("changed/{}", size.letter()), |bencher| {
            bencher.iter_custom(|iterations| must(clicks(&runtime, &mut agent, iterations, &arguments, "outcome: changed", &latency)));
        });
        changed.push(Measured { latency, hops: must(stage.hops("click", tab)) });
        let latency = must(Latency::new(format!("click refused {}", size.letter())));
        let arguments = json!({"target": {"css": "#off"}, "tab": tab});
        group.bench_function(format!("refused/{}", size.letter()), |bencher| {
            bencher.iter_custom(|iterations| must(clicks(&runtime, &mut agent, iterations, &arguments, "disabled: ", &latency)));
        });
        others.push(latency);
    }
    // In front, where the window is 1.2 s (2.5 s in a hidden tab). It takes all of it each time: few samples are enough.
    must(runtime.block_on(agent.call("tabs", &json!({"action": "select", "tab": tabs[0]}))));
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    let latency = must(Latency::new("click dead A"));
    let arguments = json!({"target": {"css": "#dead"}, "tab": tabs[0]});
    group.bench_function("dead/A", |bencher| {
        bencher.iter_custom(|iterations| must(clicks(&runtime, &mut agent, iterations, &arguments, "outcome: no_effect", &latency)));
    });
    others.push(latency);
    group.finish();
    criterion.final_summary();
    drop(agent);
    must(runtime.block_on(stage.stop()));

    changed.iter().for_each(|measured| measured.latency.print());
    others.iter().for_each(Latency::print);
    print_shares(&changed);
}

/// Clicks, and sees to it that each came to what it should.
fn clicks(runtime: &Runtime, agent: &mut Agent, iterations: u64, arguments: &Value, begins: &str, latency: &Latency) -> Result<Duration> {
    runtime.block_on(async {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            let began = Instant::now();
            let (_, reply) = agent.call_any("click", arguments).await?;
            let took = began.elapsed();
            ensure!(reply.lines().any(|line| line.starts_with(begins)), "expected `{begins}`, got:\n{reply}");
            latency.record(took);
            total += took;
        }
        Ok(total)
    })
}

/// The ref of the button that counts, on each page.
async fn refs(agent: &mut Agent, tabs: Tabs) -> Result<Vec<String>> {
    let mut refs = Vec::new();
    for tab in tabs {
        let snapshot = agent.call("snapshot", &json!({"tab": tab})).await?;
        let line = snapshot.lines().find(|line| line.contains("button \"Add one\""));
        let word = line.and_then(|line| line.split_once('[')).and_then(|(_, rest)| rest.split(']').next());
        refs.push(word.with_context(|| format!("no ref for the button in:\n{snapshot}"))?.to_owned());
    }
    Ok(refs)
}
