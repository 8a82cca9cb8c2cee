//! Where the time of a call goes, from the lines of the daemon's log.

use crate::Latency;

/// The filter with which the daemon logs each answer of the extension, and nothing else more than usual.
pub(crate) const LOG_FILTER: &str = "info,bridge::daemon::connection=debug";

/// One tool call, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hops {
    /// Requests to the extension.
    pub requests: usize,
    /// The extension and the page: the sum of request → answer.
    pub link_ms: f64,
    /// The daemon between two requests: judging, and waiting until it looks again.
    pub between_ms: f64,
    /// Bytes of the extension's answers.
    pub bytes: u64,
}

/// The calls of one tool on one tab, in order.
///
/// Reads lines like `…T09:20:00.123456Z DEBUG call{… tool=click tab=3 …}: …: answered method="pointer/click" ms=3.2`
/// and the `called` that ends each call.
pub(crate) fn read_hops(log: &str, tool: &str, tab: u64) -> Vec<Hops> {
    let (tool, tab) = (format!(" tool={tool} "), format!(" tab={tab} "));
    let mut calls = Vec::new();
    let mut open = Call::default();
    for line in log.lines().filter(|line| line.contains(&tool) && line.contains(&tab)) {
        if line.contains(": called ") {
            calls.push(std::mem::take(&mut open).hops());
        } else if let Some((_, answer)) = line.split_once(": answered ") {
            let ms = answer.split_once("ms=").and_then(|(_, ms)| ms.trim().parse().ok());
            let bytes = answer.split_once("bytes=").and_then(|(_, bytes)| bytes.split(' ').next()?.parse().ok()).unwrap_or_default();
            if let (Some(at), Some(ms)) = (time_of_day(line), ms) {
                open.answered(at, ms, bytes);
            }
        }
    }
    calls
}

/// Milliseconds since midnight of a line's time stamp.
fn time_of_day(line: &str) -> Option<f64> {
    let (_, time) = line.split_once('T')?;
    let (time, _) = time.split_once('Z')?;
    let mut parts = time.split(':').map(|part| part.parse::<f64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    Some(((hours * 60.0 + minutes) * 60.0 + seconds) * 1000.0)
}

#[derive(Debug, Default)]
struct Call {
    first: Option<f64>,
    last: f64,
    requests: usize,
    link_ms: f64,
    bytes: u64,
}

impl Call {
    fn answered(&mut self, at: f64, ms: f64, bytes: u64) {
        self.bytes += bytes;
        self.first.get_or_insert(at - ms);
        self.last = at;
        self.requests += 1;
        self.link_ms += ms;
    }

    fn hops(&self) -> Hops {
        let whole = self.first.map_or(0.0, |first| self.last - first);
        Hops { requests: self.requests, link_ms: self.link_ms, between_ms: (whole - self.link_ms).max(0.0), bytes: self.bytes }
    }
}

/// Whole calls as the agent saw them, and the hops of the same calls.
#[derive(Debug)]
pub struct Measured {
    /// Whole calls.
    pub latency: Latency,
    /// Their hops.
    pub hops: Vec<Hops>,
}

/// Prints, as a table of medians, where the time of each call goes.
pub fn print_shares(measured: &[Measured]) {
    println!();
    println!("| call | whole | extension and page | daemon between requests | agent, relay, daemon | requests | bytes on the link |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for Measured { latency, hops } in measured {
        let whole = latency.median_ms();
        let link = median(hops.iter().map(|call| call.link_ms));
        let between = median(hops.iter().map(|call| call.between_ms));
        let share = |part: f64| format!("{part:.1} ms ({:.0} %)", 100.0 * part / whole.max(0.001));
        let rest = (whole - link - between).max(0.0);
        let requests = hops.iter().map(|call| call.requests).max().unwrap_or_default();
        let bytes = hops.iter().map(|call| call.bytes).sum::<u64>() / hops.len().max(1) as u64;
        println!("| {} | {whole:.1} ms | {} | {} | {} | {requests} | {bytes} |", latency.name(), share(link), share(between), share(rest));
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_split_at_its_requests() {
        let call = "call{session=s tool=click tab=3 request=7}";
        let lines = [
            format!(
                "2026-11-30T09:00:00.012000Z DEBUG {call}: bridge::daemon::connection: answered method=\"pointer/click\" bytes=300 ms=10.0"
            ),
            "2026-11-30T09:00:00.013000Z DEBUG bridge::daemon::connection: answered method=\"tabs/hold\" ms=1.0".to_owned(),
            format!("2026-11-30T09:00:00.017000Z DEBUG {call}: bridge::daemon::connection: answered method=\"watch/look\" ms=2.0"),
            format!("2026-11-30T09:00:00.018000Z  INFO {call}: bridge::daemon::host: called outcome=\"changed\" ms=17"),
        ];
        let calls = read_hops(&lines.join("\n"), "click", 3);
        assert_eq!(calls.len(), 1);
        assert_eq!((calls[0].requests, calls[0].link_ms, calls[0].bytes), (2, 12.0, 300));
        assert!((calls[0].between_ms - 3.0).abs() < 0.01, "{calls:?}");
        assert!(read_hops(&lines.join("\n"), "click", 4).is_empty());
    }
}
