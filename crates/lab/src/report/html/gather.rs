//! What a run's folder holds of a case, put on one line of time. What is not there is left out.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use crate::event::{ScenarioReport, StepReport, attempt_file};
use crate::verdict::Verdict;

/// How much is kept of a frame of an attempt that failed, and of one that passed.
const LONG: usize = 6_000;
const SHORT: usize = 400;

/// A case with all its attempts.
pub(super) fn case(folder: &Path, report: &ScenarioReport) -> Value {
    let last = (report.verdict, report.reason.as_str(), report.steps.as_slice(), report.kept.as_deref());
    let earlier = report.earlier.iter().map(|one| (one.verdict, one.reason.as_str(), one.steps.as_slice(), one.kept.as_deref()));
    let attempts = earlier.chain(std::iter::once(last)).enumerate().map(|(index, (verdict, reason, steps, kept))| {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let file = attempt_file(&report.name, report.profile, number, report.round);
        attempt(folder, &file, (verdict, reason, steps, kept))
    });
    json!({
        "name": report.name,
        "profile": report.profile,
        "round": report.round,
        "fixture": report.fixture,
        "verdict": report.verdict,
        "reason": report.reason,
        "duration_ms": report.duration_ms,
        "again": report.again(),
        "attempts": attempts.collect::<Vec<_>>(),
    })
}

fn attempt(folder: &Path, file: &str, (verdict, reason, steps, kept): (Verdict, &str, &[StepReport], Option<&str>)) -> Value {
    // The folder may have been moved since: its own name still holds.
    let kept = kept.map(|kept| folder.join("evidence").join(Path::new(kept).file_name().unwrap_or_default())).filter(|kept| kept.is_dir());
    let read = |name: &str| kept.as_ref().and_then(|kept| std::fs::read_to_string(kept.join(name)).ok());
    let most = if matches!(verdict, Verdict::Passed) { SHORT } else { LONG };
    let frames = Frames::read(&folder.join("frames").join(format!("{file}.jsonl")));
    let journal = read("journal.json").and_then(|text| serde_json::from_str::<Value>(&text).ok()).unwrap_or_default();
    let heard = read("heard.json").and_then(|text| serde_json::from_str::<Value>(&text).ok()).unwrap_or_else(|| json!([]));
    json!({
        "verdict": verdict,
        "reason": reason,
        "steps": steps.iter().map(|one| step(one, kept.as_deref())).collect::<Vec<_>>(),
        "frames": frames.told(most),
        "tree": frames.tree(),
        "journal": witnessed(&journal, frames.epoch_ms),
        "goal": journal["goal"],
        "heard": heard,
        "worker": read("worker.txt").unwrap_or_default().lines().collect::<Vec<_>>(),
        "replies": read("replies.txt").unwrap_or_default(),
        "picture": kept.as_ref().and_then(|kept| picture(&kept.join("screenshot.png"), "png")),
    })
}

fn step(report: &StepReport, kept: Option<&Path>) -> Value {
    let mut step = serde_json::to_value(report).unwrap_or_default();
    if let (Some(pictures), Some(kept)) = (&report.pictures, kept) {
        step["pictures"] = json!({
            "before": picture(&kept.join(&pictures.before), "jpeg"),
            "after": picture(&kept.join(&pictures.after), "jpeg"),
            "hit": pictures.hit,
        });
    }
    step
}

fn picture(path: &Path, kind: &str) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

/// The page's own records on the attempt's time.
fn witnessed(journal: &Value, epoch_ms: f64) -> Vec<Value> {
    let records = journal["records"].as_array().map(Vec::as_slice).unwrap_or_default();
    let told = |record: &Value| {
        let word = record["type"].as_str().or(record["word"].as_str()).or(record["kind"].as_str()).unwrap_or_default();
        let target = match (record["target"]["tag"].as_str(), record["target"]["id"].as_str()) {
            (Some(tag), Some("") | None) => tag.to_owned(),
            (Some(tag), Some(id)) => format!("{tag}#{id}"),
            _ => String::new(),
        };
        json!({
            "t": record["at_ms"].as_f64().map(|at| (at - epoch_ms).max(0.0)),
            "kind": record["kind"],
            "word": word,
            "target": target,
            "trusted": record["trusted"],
            "more": record["state"].as_object().map(|state| json!(state)),
        })
    };
    records.iter().map(told).collect()
}

/// The frames of an attempt, as its log has them.
struct Frames {
    lines: Vec<Value>,
    epoch_ms: f64,
    /// What is added to a daemon's times to have the lab's.
    offset: f64,
}

impl Frames {
    fn read(path: &PathBuf) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).collect::<Vec<_>>();
        let epoch_ms = lines.iter().find_map(|line| line["epoch_ms"].as_f64()).unwrap_or_default();
        let call = |hop: &str, part: &str| {
            let is_call = |line: &&Value| line["hop"] == hop && line[part]["method"] == "tools/call";
            lines.iter().find(is_call).and_then(|line| line["t_ms"].as_f64())
        };
        // The same call passes both.
        let offset = call("mcp", "message").zip(call("relay", "frame")).map_or(0.0, |(ours, theirs)| ours - theirs);
        Self { lines, epoch_ms, offset }
    }

    fn told(&self, most: usize) -> Vec<Value> {
        let mut told = self.lines.iter().filter_map(|line| self.frame(line, most)).collect::<Vec<_>>();
        told.sort_by(|one, other| one["t"].as_f64().unwrap_or_default().total_cmp(&other["t"].as_f64().unwrap_or_default()));
        told
    }

    fn frame(&self, line: &Value, most: usize) -> Option<Value> {
        let hop = line["hop"].as_str().filter(|hop| *hop != "lab")?;
        let (body, offset) = if hop == "mcp" { (&line["message"], 0.0) } else { (&line["frame"], self.offset) };
        let first = |words: &[&Value]| words.iter().find_map(|word| word.as_str()).unwrap_or_default().to_owned();
        let title = match body["params"]["name"].as_str().filter(|_| body["method"] == "tools/call") {
            Some(tool) => format!("call {tool}"),
            None => first(&[&body["method"], &body["command"]["method"], &body["event"]["event"], &body["kind"]]),
        };
        let title = if title.is_empty() && body.get("result").is_some() { "reply".to_owned() } else { title };
        let text = serde_json::to_string_pretty(body).unwrap_or_default();
        let cut = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
        let more = if cut < text.len() { format!("\n… {} more bytes in the run's folder", text.len() - cut) } else { String::new() };
        Some(json!({
            "t": line["t_ms"].as_f64().unwrap_or_default() + offset,
            "hop": hop,
            "dir": line["dir"],
            "id": body["id"],
            "title": title,
            "bytes": text.len(),
            "body": format!("{}{more}", &text[..cut]),
        }))
    }

    /// The first snapshot beside the last, line by line; of a single one, only its text.
    fn tree(&self) -> Vec<Value> {
        let asked = self.lines.iter().filter(|line| line["hop"] == "mcp" && line["message"]["params"]["name"] == "snapshot");
        let ids = asked.map(|line| &line["message"]["id"]).collect::<Vec<_>>();
        let replies = self.lines.iter().filter(|line| line["dir"] == "in" && ids.contains(&&line["message"]["id"]));
        let texts = replies.filter_map(|line| line["message"]["result"]["content"][0]["text"].as_str()).collect::<Vec<_>>();
        let (Some(first), Some(last)) = (texts.first(), texts.last()) else { return Vec::new() };
        let diff = TextDiff::from_lines(*first, *last);
        let sign = |tag: ChangeTag| match tag {
            ChangeTag::Equal => " ",
            ChangeTag::Insert => "+",
            ChangeTag::Delete => "-",
        };
        diff.iter_all_changes().map(|change| json!([sign(change.tag()), change.value().trim_end()])).collect()
    }
}
