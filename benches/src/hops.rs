//! Where the time of a call goes, from the daemon's own log of frames.

use std::collections::HashMap;

use serde_json::Value;

use crate::Latency;

/// One tool call, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hops {
    /// Requests to the extension.
    pub requests: usize,
    /// The extension and the page: the sum of request → reply.
    pub link_ms: f64,
    /// The daemon between two requests: judging, and waiting until it looks again.
    pub between_ms: f64,
}

/// The calls of one tool, in order.
#[must_use]
pub fn read_hops(frames: &str, tool: &str) -> Vec<Hops> {
    let mut calls = Vec::new();
    let mut open: Option<(Value, Call)> = None;
    for line in frames.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let (hop, dir, frame) = (line["hop"].as_str().unwrap_or_default(), line["dir"].as_str().unwrap_or_default(), &line["frame"]);
        let at = line["t_ms"].as_f64().unwrap_or_default();
        match (hop, dir, &mut open) {
            ("relay", "in", _) if frame["params"]["name"] == tool => open = Some((frame["id"].clone(), Call::default())),
            ("relay", "out", Some((id, call))) if frame["id"] == *id => {
                calls.push(call.hops());
                open = None;
            }
            ("link", "out", Some((_, call))) if frame["kind"] == "request" => call.asked(&frame["id"], at),
            ("link", "in", Some((_, call))) if frame["kind"] == "reply" => call.answered(&frame["id"], at),
            _ => {}
        }
    }
    calls
}

/// A measurement without the log, and the hops of the same calls with it.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Whole calls.
    pub latency: &'a Latency,
    /// Their hops.
    pub hops: &'a [Hops],
}

/// Prints, as a table of medians, where the time of each call goes.
pub fn print_shares(measured: &[Measured<'_>]) {
    println!();
    println!("| call | whole | extension and page | daemon between requests | agent, relay, daemon | requests |");
    println!("|---|---:|---:|---:|---:|---:|");
    for Measured { latency, hops } in measured {
        let whole = latency.median_ms();
        let link = median(hops.iter().map(|call| call.link_ms));
        let between = median(hops.iter().map(|call| call.between_ms));
        let share = |part: f64| format!("{part:.1} ms ({:.0} %)", 100.0 * part / whole.max(0.001));
        let rest = (whole - link - between).max(0.0);
        let requests = hops.iter().map(|call| call.requests).max().unwrap_or_default();
        println!("| {} | {whole:.1} ms | {} | {} | {} | {requests} |", latency.name(), share(link), share(between), share(rest));
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[derive(Debug, Default)]
struct Call {
    asked: HashMap<u64, f64>,
    first: Option<f64>,
    last: f64,
    requests: usize,
    link_ms: f64,
}

impl Call {
    fn asked(&mut self, id: &Value, at: f64) {
        if let Some(id) = id.as_u64() {
            self.asked.insert(id, at);
            self.first.get_or_insert(at);
        }
    }

    fn answered(&mut self, id: &Value, at: f64) {
        if let Some(asked) = id.as_u64().and_then(|id| self.asked.remove(&id)) {
            self.requests += 1;
            self.link_ms += at - asked;
            self.last = at;
        }
    }

    fn hops(&self) -> Hops {
        let whole = self.first.map_or(0.0, |first| self.last - first);
        Hops { requests: self.requests, link_ms: self.link_ms, between_ms: (whole - self.link_ms).max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_split_at_its_requests() {
        let frames = [
            r#"{"hop":"relay","dir":"in","t_ms":1,"frame":{"id":7,"method":"tools/call","params":{"name":"click"}}}"#,
            r#"{"hop":"link","dir":"out","t_ms":2,"frame":{"kind":"request","id":1}}"#,
            r#"{"hop":"link","dir":"in","t_ms":6,"frame":{"kind":"event"}}"#,
            r#"{"hop":"link","dir":"in","t_ms":12,"frame":{"kind":"reply","id":1}}"#,
            r#"{"hop":"link","dir":"out","t_ms":15,"frame":{"kind":"request","id":2}}"#,
            r#"{"hop":"link","dir":"in","t_ms":17,"frame":{"kind":"reply","id":2}}"#,
            r#"{"hop":"relay","dir":"out","t_ms":18,"frame":{"id":7,"result":{}}}"#,
        ];
        assert_eq!(read_hops(&frames.join("\n"), "click"), [Hops { requests: 2, link_ms: 12.0, between_ms: 3.0 }]);
        assert!(read_hops(&frames.join("\n"), "type").is_empty());
    }
}
