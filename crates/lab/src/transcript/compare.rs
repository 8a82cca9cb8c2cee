//! Two transcripts side by side, as a person reviews them: without what is never twice the same.

use protocol::{TranscriptDirection, TranscriptHop, TranscriptLine};
use serde_json::Value;
use similar::TextDiff;

use super::Transcript;

/// Keys whose numbers are measured.
const MEASURED: &[&str] = &[
    "elapsedMs",
    "firstMs",
    "lastMs",
    "historyMs",
    "tookMs",
    "agoMs",
    "pageMs",
    "at",
    "x",
    "y",
    "width",
    "height",
    "t_ms",
    "at_ms",
    "index",
    "received",
];

/// What is different, as a diff; none when nothing that matters is.
#[must_use]
pub fn compare(before: &Transcript, now: &Transcript) -> Option<String> {
    let (before, now) = (told(before), told(now));
    if before == now {
        return None;
    }
    let diff = TextDiff::from_lines(&before, &now).unified_diff().context_radius(1).header("committed", "recorded now").to_string();
    Some(diff)
}

/// A transcript in words, one line a frame, witnesses last. Looks and probes that repeat themselves are one.
fn told(transcript: &Transcript) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Witnesses are asked beside the link: when, is a matter of time.
    let (beside, along): (Vec<_>, Vec<_>) = transcript.lines.iter().partition(|line| matches!(line, TranscriptLine::Witness { .. }));
    for line in along.into_iter().chain(beside) {
        let (sign, mut value) = match line {
            TranscriptLine::Frame { hop, dir, frame: Some(frame), .. } => (sign(*hop, *dir), frame.clone()),
            TranscriptLine::Witness { asked, seen, .. } => (asked.as_str(), seen.clone()),
            TranscriptLine::Link { open, .. } => (if *open { "link opens" } else { "link closes" }, Value::Null),
            _ => continue,
        };
        let is_talk = value.get("kind").is_some();
        if is_talk && let Value::Object(fields) = &mut value {
            fields.remove("id");
        }
        plain(&mut value, "");
        let text = format!("{sign} {value}\n");
        if !lines.iter().rev().take(4).any(|before| *before == text) {
            lines.push(text);
        }
    }
    lines.concat()
}

fn sign(hop: TranscriptHop, dir: TranscriptDirection) -> &'static str {
    match (hop, dir) {
        (TranscriptHop::Relay, TranscriptDirection::In) => "agent asks  ",
        (TranscriptHop::Relay, TranscriptDirection::Out) => "agent hears ",
        (TranscriptHop::Link, TranscriptDirection::Out) => "  browser asked   ",
        (TranscriptHop::Link, TranscriptDirection::In) => "  browser answered",
    }
}

fn plain(value: &mut Value, key: &str) {
    match value {
        Value::Number(_) if MEASURED.contains(&key) => *value = Value::String("…".into()),
        Value::String(text) if key == "text" => *text = untimed(text),
        Value::Array(items) => items.iter_mut().for_each(|item| plain(item, key)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, inner)| plain(inner, key)),
        _ => {}
    }
}

/// A reply without its measured times: numbers before ` ms`.
fn untimed(text: &str) -> String {
    let words = text.split(' ').collect::<Vec<_>>();
    let is_time = |at: usize| {
        let number = words[at].rsplit('\n').next().unwrap_or_default();
        words.get(at + 1).is_some_and(|next| next.starts_with("ms")) && number.parse::<f64>().is_ok()
    };
    let plain = words.iter().enumerate().map(|(at, word)| if is_time(at) { "…" } else { word });
    plain.collect::<Vec<_>>().join(" ")
}
