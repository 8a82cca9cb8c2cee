//! A tiny MCP server of our own under test, end to end in real Chrome: right, lying, silent about its outcome, dying.
//!
//! The same program is the server (`serve MODE DEVTOOLS`) and the test that spawns it.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a test without the harness, and a fake server")]

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use lab::command::Selection;
use lab::report::consume;
use lab::runner::{Manner, RunOptions, known::KnownFailures, run};
use lab::scenario::{Catalog, parse};
use lab::subject::Plan;
use lab::verdict::Verdict;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_util::sync::CancellationToken;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let args = std::env::args().collect::<Vec<_>>();
    match args.get(1).map(String::as_str) {
        Some("serve") => serve(&runtime, &args[2], &args[3], Path::new(&args[4])),
        // Cargo and IDEs ask for the list of tests.
        Some("--list") => println!("a_fake_server_is_judged: test"),
        _ => runtime.block_on(a_fake_server_is_judged()),
    }
}

// ------------------------------------------------------------------ the server

fn serve(runtime: &tokio::runtime::Runtime, mode: &str, devtools: &str, state: &Path) {
    if mode == "stillborn" {
        writeln!(std::io::stderr(), "there is no licence").expect("writes");
        std::process::exit(4);
    }
    if mode == "noisy" {
        println!("Listening, enjoy!");
    }
    // Lies the first time, and is good ever after.
    let moody = state.join("moody");
    let mut page = None;
    for line in std::io::stdin().lock().lines() {
        let Ok(request) = serde_json::from_str::<Value>(&line.expect("is text")) else { continue };
        if mode == "noisy" {
            println!("got {{{}", request["method"]);
        }
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }),
            Some("tools/call") => {
                let params = &request["params"];
                let (text, is_error) = match params["name"].as_str() {
                    Some("tabs") => {
                        let url = params["arguments"]["url"].as_str().expect("has an address");
                        page = Some(runtime.block_on(open(devtools, url)));
                        (format!("opened tab 7 · {url}"), false)
                    }
                    Some("snapshot") => ("tab 7 · Page\n- button \"Go\" [a1]\n".to_owned(), false),
                    Some("press") if mode == "die" => std::process::exit(3),
                    Some("press") if mode == "garbled" => {
                        println!("{}", json!({"jsonrpc": "2.0", "id": id, "result": {"content": 42}}));
                        continue;
                    }
                    Some("press") => {
                        assert_eq!(params["arguments"], json!({"uid": "a1", "page": 7}), "the adapter mapped it");
                        let lies = mode == "lie" || mode == "moody" && !moody.exists();
                        if lies {
                            std::fs::write(&moody, "").expect("writes");
                        } else {
                            runtime.block_on(click(page.as_deref().expect("is open")));
                        }
                        let outcome = match mode {
                            "shy" => "did it",
                            "humble" => "outcome: no_effect · click button \"Go\" [a1]",
                            "vague" => "outcome: requested · click button \"Go\" [a1]",
                            "shrugging" => "outcome: unverifiable · click button \"Go\" [a1]",
                            _ => "outcome: changed · click button \"Go\" [a1]",
                        };
                        (outcome.to_owned(), false)
                    }
                    other => (format!("unsupported: there is no tool {other:?}"), true),
                };
                json!({"content": [{"type": "text", "text": text}], "isError": is_error})
            }
            _ => json!({}),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", json!({"jsonrpc": "2.0", "id": id, "result": result})).expect("writes");
        out.flush().expect("flushes");
    }
}

/// Opens a tab and returns the address of its DevTools socket.
async fn open(devtools: &str, url: &str) -> String {
    let host = devtools.strip_prefix("ws://").and_then(|rest| rest.split('/').next()).expect("is an address");
    let escaped = url.replace('%', "%25").replace('&', "%26");
    let client = reqwest::Client::new();
    let answer = client.put(format!("http://{host}/json/new?{escaped}")).send().await.expect("answers");
    let tab: Value = serde_json::from_str(&answer.text().await.expect("is text")).expect("is JSON");
    tab["webSocketDebuggerUrl"].as_str().expect("has a socket").to_owned()
}

async fn click(page: &str) {
    let (mut socket, _) = tokio_tungstenite::connect_async(page).await.expect("connects");
    let expression = "document.querySelector('#go').click()";
    let command = json!({"id": 1, "method": "Runtime.evaluate", "params": {"expression": expression}});
    socket.send(Message::text(command.to_string())).await.expect("is sent");
    socket.next().await.expect("is answered").expect("is a message");
}

// -------------------------------------------------------------------- the test

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const SCENARIO: &str = r##"
guards: A fake server is judged like any other.
fixture: pointer/control
steps:
  - click: {target: {role: button, name: Go}}
    as: go
    expect: {outcome: changed, effect: true, within_ms: 2000}
    journal: {goal: {count: 1}, events: [{type: click, target: "#go", times: 1, trusted: false}]}
  - click: {target: {ref: go}}
    expect: {outcome: changed, effect: true}
    journal: {goal: {count: 2}}
"##;

const UNSEEN: &str = r#"
guards: What a snapshot does not show cannot be clicked.
fixture: pointer/control
steps:
  - click: {target: {role: button, name: Gone}}
    expect: {outcome: changed, effect: true}
"#;

const NO_TOOL: &str = r#"
guards: A step without a tool cannot be expressed.
fixture: pointer/control
steps:
  - screenshot: {}
"#;

const READ_FAILS: &str = r#"
guards: A call that fails is told with its first line.
fixture: pointer/control
steps:
  - get_text: {}
"#;

const NEVER: &str = r#"
guards: A wait that is not met ends at its bound.
fixture: pointer/control
steps:
  - until: {goal: {count: 9}, why: nobody counts that far, within_ms: 100}
"#;

const TOO_SLOW: &str = r#"
guards: A reply within no time at all is too much to ask.
fixture: pointer/control
steps:
  - click: {target: {role: button, name: Go}}
    expect: {outcome: changed, effect: true, within_ms: 0}
"#;

const NO_STAGE: &str = r#"
guards: What the lab itself cannot do is its own fault.
fixture: pointer/control
steps:
  - fault: close_tab
  - fault: crash_tab
"#;

/// The adapter file of the fake server; a mode each.
fn adapter(mode: &str) -> String {
    let me = std::env::current_exe().expect("has a path");
    format!(
        r#"title: A fake server
server: {{command: "{}", args: [serve, {mode}, "{{devtools}}", "{{state}}"]}}
tools:
  tabs: {{}}
  snapshot: {{}}
  get_text: {{}}
  click: {{tool: press, arguments: {{uid: $target.ref, page: $tab}}}}
replies:
  node: '- (?P<role>[a-z]+) (?P<name>"[^"]*") \[(?P<ref>[a-z0-9]+)\]'
  outcome: '(?m)^outcome: ([a-z_]+)'
  refusal: '(?m)^([a-z_]+): '
  tab: 'tab ([0-9]+)'
"#,
        me.display()
    )
}

async fn a_fake_server_is_judged() {
    type Case = (&'static str, Verdict, &'static str);
    let cases: [(&str, u32, &[Case]); 11] = [
        (
            "good",
            0,
            &[
                (SCENARIO, Verdict::Passed, ""),
                (UNSEEN, Verdict::NotSeen, "button \"Gone\""),
                (NO_TOOL, Verdict::NotExpressible, "screenshot"),
                (READ_FAILS, Verdict::Failed, "the call failed: unsupported"),
                (NEVER, Verdict::Failed, "nobody counts that far"),
                (TOO_SLOW, Verdict::Failed, "0 ms"),
                (NO_STAGE, Verdict::LabError, "the page's process crashes"),
            ],
        ),
        ("lie", 0, &[(SCENARIO, Verdict::Lie, "claims `changed`")]),
        ("shy", 0, &[(SCENARIO, Verdict::Failed, "must say its outcome")]),
        ("die", 0, &[(SCENARIO, Verdict::Failed, "connection")]),
        ("humble", 0, &[(SCENARIO, Verdict::FalseAlarm, "claims `no_effect`")]),
        ("vague", 0, &[(SCENARIO, Verdict::WrongReason, "expected `changed`")]),
        ("shrugging", 0, &[(SCENARIO, Verdict::Evasive, "where the truth can be known")]),
        ("moody", 1, &[(SCENARIO, Verdict::Flaky, "attempt 1 was lie")]),
        // Lines that are no JSON-RPC are passed over, answers that are no result are not.
        ("noisy", 0, &[(SCENARIO, Verdict::Passed, "")]),
        ("garbled", 0, &[(SCENARIO, Verdict::Failed, "the connection to the server under test broke: Unexpected response type")]),
        ("stillborn", 0, &[(SCENARIO, Verdict::Environment, "ended before it answered. Its last words: there is no licence")]),
    ];
    for (mode, retries, cases) in cases {
        // The mapping asks for a tab, which only this scenario's steps name.
        let sources = cases.iter().map(|(source, ..)| source.replace("- click:", "- tab: main\n    click:")).collect::<Vec<_>>();
        let (reports, folder) = play(mode, retries, &sources).await;
        for ((_, verdict, reason), report) in cases.iter().zip(&reports) {
            assert_eq!(report.verdict, *verdict, "{mode}: {}", report.reason);
            assert!(report.reason.contains(reason), "{mode}: {}", report.reason);
            println!("fake server, {mode}: {verdict}");
        }
        if mode == "moody" {
            let report = &reports[0];
            assert_eq!((report.attempts, report.earlier.len(), report.earlier[0].verdict), (2, 1, Verdict::Lie));
            assert!(!report.earlier[0].steps.is_empty(), "the steps of every attempt are told");
            for kept in [&report.earlier[0].kept, &report.kept] {
                let kept = Path::new(kept.as_ref().expect("the evidence of every attempt is kept"));
                assert!(kept.join("replies.txt").is_file() && kept.join("journal.json").is_file(), "{kept:?}");
            }
        }
        if mode != "stillborn" {
            let frames = std::fs::read_to_string(folder.path().join("run/frames/pointer.fake-0.calm.1.jsonl")).expect("frames are logged");
            assert!(frames.contains("\"method\":\"tools/call\"") && frames.contains("\"dir\":\"in\""), "{frames}");
        }
    }
    println!("test a_fake_server_is_judged ... ok");
}

/// Plays the scenarios one after the other, in one Chrome; the reports in that order.
async fn play(mode: &str, retries: u32, sources: &[String]) -> (Vec<lab::event::ScenarioReport>, tempfile::TempDir) {
    let project = tempfile::tempdir().expect("a folder");
    let subjects = project.path().join("subjects");
    std::fs::create_dir_all(&subjects).expect("a folder");
    std::fs::write(subjects.join("fake.yaml"), adapter(mode)).expect("writes");
    let fixtures = lab::fixture::load_all(&root().join("fixtures")).expect("the fixtures are read");
    let catalog = Catalog::of(&fixtures);
    let named = sources.iter().enumerate().map(|(number, source)| (format!("pointer/fake-{number}"), source));
    let scenarios =
        named.map(|(name, source)| Arc::new(parse(&name, "fake.yaml", source, &catalog).expect("is right"))).collect::<Vec<_>>();
    let fixtures = fixtures.into_iter().map(|fixture| (fixture.id.clone(), Arc::new(fixture))).collect();
    let options = RunOptions {
        jobs: Selection::default().jobs(&scenarios, &fixtures),
        plan: Plan::prepare(project.path(), "fake").await.expect("the adapter is read"),
        subject: "fake".into(),
        fixtures: root().join("fixtures"),
        workers: 1,
        manner: Manner { retries, ..Manner::default() },
        unreadable: Vec::new(),
        known: KnownFailures::default(),
        folder: project.path().join("run"),
        cancel: CancellationToken::new(),
    };
    let (events, stream) = tokio::sync::mpsc::unbounded_channel();
    let (done, outcome) = tokio::join!(run(options, events), consume(stream, Vec::new()));
    done.expect("the run is made");
    assert_eq!(outcome.reports.len(), sources.len(), "every case is reported");
    (outcome.reports, project)
}
