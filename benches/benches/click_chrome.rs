//! Whole clicks in real Chromium: one that changes something, one that is refused, one that does nothing.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use benches::{Agent, Hops, Latency, Measured, Programs, Size, Stage, Tabs, criterion, must, print_shares, read_hops, runtime};
use criterion::SamplingMode;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Calls a page for the shares of the hops.
const SHARE_CALLS: usize = 15;

fn main() {
    let runtime = must(runtime());
    let programs = must(Programs::build());
    let stage = must(runtime.block_on(Stage::start(&programs, false)));
    let mut agent = must(runtime.block_on(stage.agent()));
    let tabs = must(runtime.block_on(stage.open(&mut agent)));
    let targets = must(runtime.block_on(refs(&mut agent, tabs)));

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("click_chrome");
    let mut latencies = Vec::new();
    for (index, size) in Size::ALL.into_iter().enumerate() {
        for (name, button, begins) in [("changed", "#add", "outcome: changed"), ("refused", "#off", "disabled: ")] {
            // An agent clicks by the ref it read; a disabled button has one too, a selector finds it just as well.
            let target = if button == "#add" { json!({"ref": targets[index]}) } else { json!({"css": button}) };
            let arguments = json!({"target": target, "tab": tabs[index]});
            let latency = must(Latency::new(format!("click {name} {}", size.letter())));
            group.bench_function(format!("{name}/{}", size.letter()), |bencher| {
                bencher.iter_custom(|iterations| must(clicks(&runtime, &mut agent, iterations, &arguments, begins, &latency)));
            });
            latencies.push(latency);
        }
    }
    // It takes its whole window each time: few samples are enough.
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    let latency = must(Latency::new("click dead A"));
    let arguments = json!({"target": {"css": "#dead"}, "tab": tabs[0]});
    group.bench_function("dead/A", |bencher| {
        bencher.iter_custom(|iterations| must(clicks(&runtime, &mut agent, iterations, &arguments, "outcome: no_effect", &latency)));
    });
    latencies.push(latency);
    group.finish();
    criterion.final_summary();
    drop(agent);
    must(runtime.block_on(stage.stop()));

    let shares = must(runtime.block_on(shares(&programs)));
    latencies.iter().for_each(Latency::print);
    let changed = latencies.iter().step_by(2).take(Size::ALL.len());
    let measured: Vec<Measured> = changed.zip(&shares).map(|(latency, hops)| Measured { latency, hops }).collect();
    print_shares(&measured);
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

/// The clicks that change something once more, with the log of all hops.
async fn shares(programs: &Programs) -> Result<Vec<Vec<Hops>>> {
    let stage = Stage::start(programs, true).await?;
    let mut agent = stage.agent().await?;
    let tabs = stage.open(&mut agent).await?;
    let targets = refs(&mut agent, tabs).await?;
    for (tab, target) in tabs.into_iter().zip(targets) {
        for _ in 0..SHARE_CALLS {
            agent.call("click", &json!({"target": {"ref": target}, "tab": tab})).await?;
        }
    }
    let frames = stage.frames();
    stage.stop().await?;
    Ok(read_hops(&frames, "click").chunks(SHARE_CALLS).map(<[_]>::to_vec).collect())
}
