//! A page that changes in every way, in real Chrome: what is read step by step is what is read anew, and deltas in order are the whole.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;

use lab::chrome::Stage;
use regex::Regex;
use rmcp::model::{CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};

/// Pages compared, and how often each is read on the way.
const SEEDS: u32 = 9;
const READINGS: u32 = 12;
/// Changes between two readings.
const STEPS: u32 = 4;

struct Agent {
    client: RunningService<RoleClient, ClientConfig>,
}

impl Agent {
    async fn start(stage: &Stage) -> Self {
        let mcp = stage.addresses().mcp;
        let mut command = tokio::process::Command::new(&mcp.command);
        command.args(&mcp.args).envs(&mcp.env).kill_on_drop(true);
        let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("live", "1"));
        Self { client: info.serve(TokioChildProcess::new(command).unwrap()).await.unwrap() }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> String {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        let result = self.client.call_tool(params).await.unwrap();
        let text = result.content.iter().filter_map(|part| part.as_text()).map(|part| part.text.as_str()).collect::<String>();
        assert_ne!(result.is_error, Some(true), "{tool} {arguments}: {text}");
        text
    }

    async fn open(&self, url: &str) -> String {
        let said = self.call("tabs", json!({"action": "new", "url": url})).await;
        Regex::new(r"tab ([0-9]+)").unwrap().captures(&said).unwrap()[1].to_owned()
    }

    async fn read(&self, tab: &str, since: bool) -> String {
        let tab: u32 = tab.parse().unwrap();
        let mut arguments = json!({"tab": tab, "budget": 0});
        if since {
            arguments["since"] = json!(0);
        }
        self.call("snapshot", arguments).await
    }
}

/// What stands between the marks.
fn inside(reply: &str) -> String {
    let lines = reply.lines().skip_while(|line| !line.starts_with('«')).skip(1).take_while(|line| !line.starts_with('«'));
    // What was shown for a while depends on when somebody looked.
    let text: String = lines.filter(|line| !line.starts_with("appeared and went")).flat_map(|line| [line, "\n"]).collect();
    // What became inert loses the focus at Chrome's next rendering: between two readings.
    text.replace(" focused", "")
}

/// Refs depend on how often a page was read.
fn without_refs(text: &str) -> String {
    Regex::new(r"\[[a-z]+[0-9]+\]").unwrap().replace_all(text, "[]").into_owned()
}

/// The text that a delta makes of another.
fn apply(base: &str, reply: &str) -> String {
    if !reply.contains("\nsince snapshot ") {
        return inside(reply);
    }
    let lines: Vec<&str> = base.lines().collect();
    let mut out = Vec::new();
    let mut at = 0;
    let delta = inside(reply);
    for line in delta.lines() {
        if let Some(head) = line.strip_prefix('@') {
            let to = head.split(' ').next().unwrap().parse::<usize>().unwrap() - 1;
            out.extend(&lines[at..to]);
            at = to;
            continue;
        }
        match line.split_at(2) {
            ("+ ", text) => out.push(text),
            ("- ", text) => {
                assert_eq!(lines[at], text);
                at += 1;
            }
            ("~ ", text) => {
                out.push(text);
                at += 1;
            }
            _ => panic!("not an edit: {line}"),
        }
    }
    out.extend(&lines[at..]);
    out.iter().flat_map(|line| [*line, "\n"]).collect()
}

async fn churn(stage: &Stage, url: &str, steps: u32) {
    let tab = stage.chrome().find_tab(url).await.unwrap();
    let driver = stage.chrome().webdriver().unwrap();
    driver.switch_to_window(tab.0.into()).await.unwrap();
    driver.execute(format!("churn({steps})"), vec![]).await.unwrap();
}

fn assert_same(one: &str, other: &str, what: &str) {
    if one == other {
        return;
    }
    let diff = similar::TextDiff::from_lines(one, other).unified_diff().context_radius(3).to_string();
    panic!("{what}\n{diff}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_step_by_step_is_reading_anew() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let stage = Stage::start(&root, false, Vec::new()).await.unwrap();
    let agent = Agent::start(&stage).await;
    let origin = stage.server().origin_a().to_owned();
    let mut deltas = 0;
    for seed in 1..=SEEDS {
        let url = |name: &str| format!("{origin}/f/snapshot/_churn.html?run={name}{seed}&seed={seed}");
        let (step, anew) = (url("step"), url("anew"));
        let tab = agent.open(&step).await;
        let mut text = inside(&agent.read(&tab, false).await);
        for reading in 1..=READINGS {
            churn(&stage, &step, STEPS).await;
            let reply = agent.read(&tab, true).await;
            deltas += u32::from(reply.contains("\nsince snapshot "));
            text = apply(&text, &reply);
            let whole = inside(&agent.read(&tab, false).await);
            assert_same(&text, &whole, &format!("seed {seed}, reading {reading}: the delta (-) is not what changed (+)"));
        }
        // It changes before it is loaded, so that nothing of it was read before.
        let other = agent.open(&format!("{anew}&steps={}", STEPS * READINGS)).await;
        let fresh = inside(&agent.read(&other, false).await);
        assert!(fresh.lines().count() > 60, "{fresh}");
        assert_same(&without_refs(&text), &without_refs(&fresh), &format!("seed {seed}: read step by step (-), read anew (+)"));
        for tab in [&tab, &other] {
            agent.call("tabs", json!({"action": "close", "tab": tab.parse::<u32>().unwrap()})).await;
        }
    }
    assert!(deltas > SEEDS * READINGS / 2, "most readings were told as deltas: {deltas}");
    agent.client.cancel().await.unwrap();
    stage.stop().await.unwrap();
}
