//! The transcript of a real daemon: whole, masked, and of no weight where it cannot be written.

use std::path::Path;

use bridge::daemon::{Answer, Question};
use bridge::relay::ask;
use protocol::{Command, TranscriptDirection, TranscriptHop, TranscriptLine};
use serde_json::json;

use super::extension::{Act, FakeExtension};
use super::instance::{Agent, Instance};

const CANARY: &str = "canary-hunter2-0x5f";

fn lines(path: &Path) -> Vec<TranscriptLine> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(!text.contains(CANARY), "{}", text.lines().find(|line| line.contains(CANARY)).unwrap());
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn methods(lines: &[TranscriptLine]) -> Vec<(TranscriptHop, TranscriptDirection, String)> {
    let told = lines.iter().filter_map(|line| match line {
        TranscriptLine::Frame { hop, dir, frame: Some(frame), .. } => {
            let word = frame.pointer("/command/method").or_else(|| frame.get("method")).or_else(|| frame.get("kind"));
            Some((*hop, *dir, word.and_then(serde_json::Value::as_str).unwrap_or("answer").to_owned()))
        }
        _ => None,
    });
    told.collect()
}

#[tokio::test]
async fn every_frame_of_both_hops_is_there_and_nothing_that_was_typed() {
    let instance = Instance::new();
    let (whole, part) = (instance.place.path().join("whole.jsonl"), instance.place.path().join("part.jsonl"));
    let instance = instance.with("TEGATA_TRANSCRIPT", &whole.display().to_string());
    let daemon = instance.daemon().await;
    let acts = |command: &Command| match command {
        Command::KeyboardType(_) => {
            let said = format!("the field is read-only: {CANARY}");
            Act::Fail(protocol::CommandError::new(protocol::ErrorCode::NotEditable, said))
        }
        _ => Act::Usual,
    };
    let _extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    agent.call("tabs", json!({"action": "new"})).await;
    // From here on another file: the one of the environment ends whole.
    let Answer::Recorded(Some(before)) = ask(&daemon, Question::Record(Some(part.clone()))).await.unwrap() else {
        panic!("it was recorded")
    };
    agent.call("type", json!({"target": {"css": "#a"}, "text": CANARY})).await;
    let Answer::Recorded(Some(after)) = ask(&daemon, Question::Record(None)).await.unwrap() else { panic!("it was recorded") };
    assert_eq!(ask(&daemon, Question::Record(None)).await.unwrap(), Answer::Recorded(None));
    let lines_of = lines(&whole);
    assert_eq!(lines_of.last(), Some(&TranscriptLine::Footer { lines: before.lines, lost: 0 }));
    let told = methods(&lines_of);
    for (hop, dir, word) in [
        (TranscriptHop::Link, TranscriptDirection::In, "hello"),
        (TranscriptHop::Link, TranscriptDirection::Out, "welcome"),
        (TranscriptHop::Relay, TranscriptDirection::In, "initialize"),
        (TranscriptHop::Relay, TranscriptDirection::In, "tools/call"),
        (TranscriptHop::Link, TranscriptDirection::Out, "tabs/create"),
        (TranscriptHop::Link, TranscriptDirection::In, "reply"),
        (TranscriptHop::Relay, TranscriptDirection::Out, "answer"),
    ] {
        assert!(told.contains(&(hop, dir, word.to_owned())), "{word} in {told:?}");
    }
    let lines_of = lines(&part);
    assert_eq!(lines_of.last(), Some(&TranscriptLine::Footer { lines: after.lines, lost: 0 }));
    let text = std::fs::read_to_string(&part).unwrap();
    assert_eq!(text.matches(&protocol::typed_mark(1, CANARY.len())).count(), 4, "asked, sent, answered, told: {text}");
    agent.leave().await;
}

#[tokio::test]
async fn a_full_disk_takes_no_transcript_and_no_call() {
    let instance = Instance::new().with("TEGATA_TRANSCRIPT", "/dev/full");
    let daemon = instance.daemon().await;
    let _extension = FakeExtension::pair(&instance, &daemon).await;
    let mut agent = Agent::greeted(instance.command(), "a").await;
    let (is_error, text) = agent.call("tabs", json!({"action": "new"})).await;
    assert!(!is_error, "{text}");
    let Answer::Recorded(Some(told)) = ask(&daemon, Question::Record(None)).await.unwrap() else { panic!("it was asked for") };
    assert!(told.lines == 0 && told.lost > 5, "{told:?}");
    agent.leave().await;
}
