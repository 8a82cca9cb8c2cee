//! Replay of committed transcripts without Chrome: they pass, and one that is spoilt in any way never does.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use lab::command::Selection;
use lab::event::{Event, ScenarioReport};
use lab::fixture;
use lab::replay::{FaultAt, FaultKind, Faults};
use lab::runner::{Job, ReplayOptions, replay};
use lab::scenario::{Catalog, load_all};
use lab::subject::Plan;
use lab::verdict::Verdict;

const NAME: &str = "pointer/control";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn jobs() -> Vec<Job> {
    let fixtures = fixture::load_all(&root().join("fixtures")).unwrap();
    let scenarios = load_all(&root().join("scenarios"), &Catalog::of(&fixtures)).unwrap();
    let scenarios = scenarios.into_iter().map(Into::into).collect::<Vec<_>>();
    let fixtures = fixtures.into_iter().map(|fixture| (fixture.id.clone(), fixture.into())).collect();
    let selection = Selection { names: vec![NAME.into()], profile: lab::cli::ProfileChoice::Calm, wild: true, ..Selection::default() };
    selection.jobs(&scenarios, &fixtures)
}

/// The transcript's lines in a folder of its own, replayed.
async fn played(plan: &Plan, text: &str, faults: Faults) -> ScenarioReport {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join(format!("{NAME}.transcript.jsonl"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    let options = ReplayOptions {
        jobs: jobs(),
        plan: plan.clone(),
        subject: "tegata".into(),
        fixtures: root().join("fixtures"),
        transcripts: place.path().to_owned(),
        faults,
        fail_fast: false,
        folder: place.path().join("run"),
        cancel: tokio_util::sync::CancellationToken::new(),
    };
    let (events, mut stream) = tokio::sync::mpsc::unbounded_channel();
    replay(options, events).await.unwrap();
    let mut reports = Vec::new();
    while let Some(event) = stream.recv().await {
        match event {
            Event::ScenarioFinished { report } => reports.push(report),
            Event::EnvironmentFailed { reason } => panic!("{reason}"),
            _ => {}
        }
    }
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

fn committed() -> String {
    std::fs::read_to_string(root().join(format!("scenarios/{NAME}.transcript.jsonl"))).unwrap()
}

#[tokio::test]
async fn a_whole_transcript_passes_and_a_spoilt_one_never_does() {
    let text = committed();
    let plan = Plan::replayed(&root(), "tegata").await.unwrap();
    let report = played(&plan, &text, Faults::default()).await;
    assert_eq!((report.verdict, report.reason.as_str()), (Verdict::Passed, ""));
    assert_eq!(report.steps.len(), 2);

    let lines = text.lines().collect::<Vec<_>>();
    let at = |words: &str| lines.iter().position(|line| line.contains(words)).unwrap();
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut lines);
        lines.join("\n") + "\n"
    };
    let (ask, click) = (at("tabs/create"), at("pointer/click"));
    let spoilt = [
        ("truncated", text[..text.len() / 2].to_owned()),
        ("truncated", with(&|lines| drop(lines.pop()))),
        ("moved, dropped or doubled", with(&|lines| lines.swap(3, 4))),
        ("is of version 9.x", with(&|lines| lines[0] = lines[0].replace("\"major\":1", "\"major\":9"))),
        ("looks like a secret", with(&|lines| lines[ask] = lines[ask].replace("run=replay", "run=replay&x=sk-live0123456789abcdef"))),
        (
            "its blob gone.json",
            with(&|lines| {
                let (before, _) = lines[click].split_once("\"frame\":{").unwrap();
                lines[click] = format!("{before}\"blob\":{{\"sha256\":\"gone\",\"bytes\":1}}}}");
            }),
        ),
        ("is of \"pointer/other\"", with(&|lines| lines[0] = lines[0].replace(NAME, "pointer/other"))),
        // The bridge asks something else than it did then.
        ("lab scenario bless pointer/control", with(&|lines| lines[click] = lines[click].replace("\"left\"", "\"right\""))),
    ];
    for (expected, text) in spoilt {
        let report = played(&plan, &text, Faults::default()).await;
        assert_eq!(report.verdict, Verdict::Failed, "{expected}: {}", report.reason);
        assert!(report.reason.contains(expected), "{expected} is not in: {}", report.reason);
    }
    // The witness says that nothing happened: then the claim is a lie, by the same judge as ever.
    let lied =
        text.lines().map(|line| if line.contains("\"witness\"") { line.replace("\"count\":", "\"other\":") } else { line.to_owned() });
    let report = played(&plan, &(lied.collect::<Vec<_>>().join("\n") + "\n"), Faults::default()).await;
    assert_eq!(report.verdict, Verdict::Lie, "{}", report.reason);
}

#[tokio::test]
async fn whatever_happens_to_a_frame_the_bridge_stays_honest() {
    let text = committed();
    let plan = Plan::replayed(&root(), "tegata").await.unwrap();
    for kind in FaultKind::ALL {
        for frame in [Some(3), Some(5)] {
            let report = played(&plan, &text, Faults { kinds: vec![FaultAt { kind, frame }], seed: 7 }).await;
            assert_eq!((report.verdict, report.reason.as_str()), (Verdict::Passed, ""), "{} {frame:?}", kind.word());
        }
    }
}
