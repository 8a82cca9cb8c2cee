//! The report as a page, opened in Chrome: what it shows, how it is moved about in, and that it needs nothing else.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "in a test a panic with its reason is the report")]

use std::path::Path;
use std::time::{Duration, Instant};

use lab::driver::{Chrome, ChromeOptions, TabHandle};
use lab::event::{AttemptReport, Event, Pictures, ScenarioReport, StepReport, attempt_file};
use lab::report::{Consumer, HtmlReport};
use lab::scenario::Profile;
use lab::verdict::Verdict;
use serde_json::{Value, json};

const RUN: &str = "20261130-081500-1";

fn step(verdict: Verdict, claim: &str, truth: &str, pictures: Option<Pictures>) -> StepReport {
    let reason = if verdict == Verdict::Passed { String::new() } else { format!("the reply claims `{claim}`") };
    StepReport {
        step: "click button \"<b>Go</b>\"".into(),
        line: 5,
        verdict,
        claim: Some(claim.into()),
        truth: Some(truth.into()),
        reason,
        ms: 40,
        at_ms: 100,
        pictures,
    }
}

fn report(folder: &Path, name: &str, verdict: Verdict, steps: Vec<StepReport>, earlier: Vec<AttemptReport>) -> ScenarioReport {
    let attempts = u32::try_from(earlier.len() + 1).unwrap();
    let kept = folder.join("evidence").join(attempt_file(name, Profile::Calm, attempts, 1));
    ScenarioReport {
        name: name.into(),
        fixture: "pointer/dead".into(),
        subject: "tegata".into(),
        profile: Profile::Calm,
        verdict,
        reason: if verdict == Verdict::Passed { String::new() } else { format!("{verdict} </script><b id=forged>") },
        attempts,
        duration_ms: 345,
        steps,
        round: 1,
        kept: kept.is_dir().then(|| kept.display().to_string()),
        earlier,
    }
}

/// A run with a lie, a flaky case, a failure and a pass, and the evidence of the lie.
fn page(runs: &Path) -> std::path::PathBuf {
    let folder = runs.join(RUN);
    let lie = attempt_file("pointer/dead", Profile::Calm, 1, 1);
    let evidence = folder.join("evidence").join(&lie);
    std::fs::create_dir_all(&evidence).unwrap();
    std::fs::create_dir_all(folder.join("frames")).unwrap();
    for (name, color) in [("01-before.jpg", [200, 0, 0]), ("01-after.jpg", [0, 200, 0])] {
        image::RgbImage::from_pixel(100, 50, image::Rgb(color)).save(evidence.join(name)).unwrap();
    }
    let snapshot = |text: &str| json!({"content": [{"type": "text", "text": text}]});
    let frames = [
        json!({"t_ms": 0.0, "hop": "lab", "epoch_ms": 1000.0}),
        json!({"t_ms": 90.0, "hop": "mcp", "dir": "out", "message": {"id": 1, "method": "tools/call", "params": {"name": "snapshot"}}}),
        json!({"t_ms": 98.0, "hop": "mcp", "dir": "in", "message": {"id": 1, "result": snapshot("heading\nbutton Go\n")}}),
        json!({"t_ms": 100.0, "hop": "mcp", "dir": "out", "message": {"id": 2, "method": "tools/call", "params": {"name": "snapshot"}}}),
        json!({"t_ms": 140.0, "hop": "mcp", "dir": "in", "message": {"id": 2, "result": snapshot("heading\nbutton Gone\n")}}),
        json!({"t_ms": 5091.0, "hop": "relay", "dir": "in", "frame": {"id": 1, "method": "tools/call", "params": {"name": "snapshot"}}}),
        json!({"t_ms": 5092.0, "hop": "link", "dir": "out", "frame": {"kind": "request", "command": {"method": "snapshot/take"}}}),
    ];
    let lines = frames.iter().map(|line| format!("{line}\n")).collect::<String>();
    std::fs::write(folder.join("frames").join(format!("{lie}.jsonl")), lines).unwrap();
    let journal = json!({"goal": {"count": 0}, "records": [
        {"at_ms": 1120.0, "kind": "event", "type": "click", "trusted": false, "target": {"tag": "button", "id": "go"}}]});
    std::fs::write(evidence.join("journal.json"), journal.to_string()).unwrap();
    let heard = json!([{"kind": "console", "level": "error", "text": "it broke", "t_ms": 3}, {"kind": "network", "what": "request", "method": "GET", "url": "http://x/api", "t_ms": 4}]);
    std::fs::write(evidence.join("heard.json"), heard.to_string()).unwrap();
    std::fs::write(evidence.join("worker.txt"), "k3\nk4").unwrap();
    std::fs::write(evidence.join("replies.txt"), "## click\noutcome: changed\n").unwrap();

    let pictures = Pictures { before: "01-before.jpg".into(), after: "01-after.jpg".into(), hit: Some((25.0, 10.0)) };
    let failed = AttemptReport {
        verdict: Verdict::Failed,
        reason: "slow".into(),
        steps: vec![step(Verdict::Failed, "no_effect", "late", None)],
        kept: None,
    };
    let good = || vec![step(Verdict::Passed, "changed", "count 0 → 1", None)];
    let out = runs.join("report.html");
    let mut html = HtmlReport::new(out.clone(), runs.to_owned());
    html.event(&Event::RunStarted { run: RUN.into(), subject: "tegata".into(), cases: 4, jobs: 1 });
    for one in [
        report(&folder, "pointer/control", Verdict::Passed, good(), Vec::new()),
        report(&folder, "pointer/dead", Verdict::Lie, vec![step(Verdict::Lie, "changed", "no effect", Some(pictures))], Vec::new()),
        report(&folder, "wait/late", Verdict::Flaky, good(), vec![failed]),
        report(&folder, "wait/never", Verdict::Failed, Vec::new(), Vec::new()),
    ] {
        html.event(&Event::ScenarioFinished { report: one });
    }
    html.event(&Event::RunFinished { duration_ms: 4321, interrupted: false });
    html.finish().unwrap();
    out
}

struct Page {
    chrome: Chrome,
    tab: TabHandle,
}

impl Page {
    async fn ask(&self, script: &str) -> Value {
        self.chrome.evaluate(&self.tab, script).await.unwrap()
    }

    async fn until(&self, script: &str) {
        let began = Instant::now();
        while self.ask(script).await != true {
            assert!(began.elapsed() < Duration::from_secs(5), "never: {script}");
        }
    }

    async fn press(&self, key: &str) {
        self.ask(&format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true, cancelable: true }})), 1"
        ))
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_shows_claim_beside_truth_and_is_moved_about_in_by_keys_and_links() {
    let runs = tempfile::tempdir().unwrap();
    let out = page(runs.path());
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(
        !text.contains("http-equiv=\"refresh\"") && !text.contains("src=\"http") && !text.contains("url(http"),
        "it needs no other file"
    );
    let chrome = Chrome::launch(ChromeOptions::default()).await.unwrap();
    let tab = chrome.open(&format!("file://{}", out.display())).await.unwrap();
    let page = Page { chrome, tab };
    page.until("document.querySelectorAll('#cases a').length === 4").await;

    // The gravest comes first and is shown.
    page.until("document.querySelector('h2').textContent === 'pointer/dead'").await;
    assert_eq!(page.ask("document.querySelector('.badge').textContent").await, "lie");
    let pair = page.ask("[...document.querySelectorAll('.pair > div')].map((one) => one.lastChild.textContent)").await;
    assert_eq!(pair, json!(["changed", "no effect"]));
    assert_eq!(
        page.ask("document.querySelector('.again code').textContent").await,
        "cargo run -p lab -- scenario run pointer/dead --profile calm"
    );
    assert!(page.ask("document.querySelector('.meta').textContent").await.as_str().unwrap().contains("worker k3 → k4"));
    assert_eq!(page.ask("document.getElementById('forged')").await, Value::Null, "texts never become markup");
    assert_eq!(page.ask("document.querySelectorAll('.step b b, .head b i').length").await, 0);

    // Pictures, and the place that was hit: a quarter from the left, a fifth from the top.
    page.until("document.querySelectorAll('.hit').length === 1").await;
    assert_eq!(page.ask("document.querySelector('.hit').style.left + document.querySelector('.hit').style.top").await, "25%20%");
    assert_eq!(page.ask("[...document.images].every((image) => image.naturalWidth === 100)").await, true);

    // Every hop on one line of time: the daemon's clock is put on ours.
    let lanes = page.ask("[...document.querySelectorAll('.lane')].map((one) => one.querySelectorAll('button').length)").await;
    assert_eq!(lanes, json!([0, 4, 1, 1, 1]));
    let link = "[...document.querySelectorAll('.lane')][3].querySelector('button')";
    assert!(page.ask(&format!("{link}.title")).await.as_str().unwrap().starts_with("91 ms → snapshot/take"));
    page.ask(&format!("{link}.click(), 1")).await;
    assert!(page.ask("document.getElementById('body').textContent").await.as_str().unwrap().contains("\"snapshot/take\""));
    let tab = |word: &str, select: &str| {
        format!("document.getElementById('tab-{word}').click(), document.querySelector('#panel').querySelector('{select}').textContent")
    };
    assert_eq!(page.ask(&tab("tree", ".plus")).await, "+ button Gone");
    assert_eq!(page.ask(&tab("tree", ".minus")).await, "- button Go");
    assert!(page.ask(&tab("console", "tbody")).await.as_str().unwrap().contains("it broke"));
    assert!(page.ask(&tab("network", "tbody")).await.as_str().unwrap().contains("http://x/api"));
    assert!(page.ask(&tab("journal", "tbody")).await.as_str().unwrap().contains("button#go"));
    assert!(page.ask(&tab("replies", "pre")).await.as_str().unwrap().contains("outcome: changed"));

    // Keys, links and filters.
    page.press("j").await;
    page.until("location.hash === '#wait/never'").await;
    page.ask("location.hash = '#wait/late/1', 1").await;
    page.until("document.querySelector('h2').textContent === 'wait/late'").await;
    page.until("document.querySelector('[aria-label=Attempts] [aria-selected=true]').textContent.startsWith('attempt 1')").await;
    page.press("l").await;
    page.until("location.hash === '#wait/late/2'").await;
    for (filter, count) in [("failed", 2), ("lie", 1), ("flaky", 1), ("passed", 1), ("all", 4)] {
        page.press("f").await;
        page.until(&format!("document.querySelector('.pill[aria-pressed=true]').textContent.startsWith('{filter}')")).await;
        assert_eq!(page.ask("document.querySelectorAll('#cases a').length").await, count, "{filter}");
    }
    page.press("/").await;
    page.until("document.activeElement.id === 'search'").await;

    // Readable in both colours.
    let colours = "['body', '.badge', '.meta'].map((one) => getComputedStyle(document.querySelector(one)).color).join() + getComputedStyle(document.body).backgroundColor";
    page.ask("document.documentElement.style.colorScheme = 'light', 1").await;
    let light = page.ask(colours).await;
    page.ask("document.documentElement.style.colorScheme = 'dark', 1").await;
    assert_ne!(page.ask(colours).await, light);
    if let Some(folder) = std::env::var_os("LAB_KEEP_PICTURES") {
        std::fs::write(Path::new(&folder).join("report-dark.png"), page.chrome.screenshot(&page.tab).await.unwrap()).unwrap();
    }
    page.chrome.close().await.unwrap();
}
