//! The measurements as Markdown tables with their ratios, and the goals they are held against. Pure.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::measure::{Measure, Measured, Page, Summary, middle};
use super::rank::compare;

/// Whose figures stand in the table.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The subject whose goals they are.
    pub ours: String,
    /// Whom it is compared with.
    pub peers: Vec<String>,
    /// The pages, in order.
    pub pages: Vec<Page>,
}

/// The smallest of the peers' medians, and whose it is.
fn best<'a>(measured: &Measured, cast: &'a Cast, page: Page, measure: Measure) -> Option<(&'a str, Summary)> {
    let all = cast.peers.iter().filter_map(|peer| Some((peer.as_str(), measured.summary(page, measure, peer)?)));
    all.min_by(|one, other| one.1.median_ms.total_cmp(&other.1.median_ms))
}

/// One table a page.
pub fn tables(measured: &Measured, cast: &Cast) -> String {
    let mut text = String::new();
    for page in cast.pages.iter().copied() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Page {}: {}\n", page.letter(), page.words());
        text.push_str("| call | subject | n | median ms | p95 ms | bytes of text | bytes of the reply | of the best peer's time |\n");
        text.push_str("|---|---|---:|---:|---:|---:|---:|---|\n");
        for measure in Measure::ALL {
            let ours = std::iter::once(&cast.ours);
            for (index, subject) in ours.chain(&cast.peers).enumerate() {
                let Some(found) = measured.summary(page, measure, subject) else { continue };
                let ratio = best(measured, cast, page, measure).filter(|_| index == 0).map(|(peer, best)| {
                    let ratio = found.median_ms / best.median_ms;
                    format!("{} ({peer})", share(ratio))
                });
                let _ = writeln!(
                    text,
                    "| {} | {subject} | {} | {} | {} | {} | {} | {} |",
                    measure.words(),
                    found.n,
                    ms(found.median_ms),
                    ms(found.p95_ms),
                    thousands(found.text),
                    thousands(found.whole),
                    ratio.unwrap_or_default(),
                );
            }
        }
        text.push('\n');
    }
    text
}

/// What the page's main thread does for a whole snapshot, scripts of extensions and of DevTools included.
pub fn inside_table(measured: &Measured) -> String {
    let mut text = String::from(
        "| page | subject | n | main thread ms | of it scripts | styles | layouts | layout ms |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for ((page, subject), all) in &measured.inside {
        let Some(work) = middle(all) else { continue };
        let _ = writeln!(
            text,
            "| {} | {subject} | {} | {} | {} | {} | {} | {} |",
            page.letter(),
            all.len(),
            ms(work.tasks_ms),
            ms(work.script_ms),
            ms(work.style_ms),
            work.layouts,
            ms(work.layout_ms)
        );
    }
    text.push('\n');
    text
}

/// Our build against another one of it: times by the rank test, sizes as they are.
pub fn base_table(measured: &Measured, cast: &Cast, base: &str) -> String {
    let mut text =
        String::from("| page | call | base ms | head ms | head / base | time is | bytes of text |\n|---|---|---:|---:|---:|---|---|\n");
    for page in cast.pages.iter().copied() {
        for measure in Measure::ALL {
            let found = |subject: &str| measured.summary(page, measure, subject);
            let (Some(before), Some(now)) = (found(base), found(&cast.ours)) else { continue };
            let times = |subject: &str| measured.times(page, measure, subject);
            let answer = compare(&times(base), &times(&cast.ours)).words();
            let size = match before.text == now.text {
                true => String::from("the same"),
                false => format!("{} → {}", thousands(before.text), thousands(now.text)),
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {answer} | {size} |",
                page.letter(),
                measure.words(),
                ms(before.median_ms),
                ms(now.median_ms),
                share(now.median_ms / before.median_ms),
            );
        }
    }
    text
}

/// A ratio, and as a fraction of one where it is small.
fn share(ratio: f64) -> String {
    match ratio {
        ratio if ratio > 0.0 && ratio < 0.667 => format!("{ratio:.2} = 1/{:.1}", 1.0 / ratio),
        ratio => format!("{ratio:.2}"),
    }
}

fn ms(ms: f64) -> String {
    if ms < 100.0 { format!("{ms:.1}") } else { format!("{ms:.0}") }
}

/// `12345` as `12,345`.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A goal and what was measured for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Goal {
    /// What it asks for.
    pub goal: String,
    /// At most this.
    pub limit: f64,
    /// What was measured; none when it could not be.
    pub measured: Option<f64>,
}

impl Goal {
    /// Whether it is reached; none when that is not known.
    pub fn met(&self) -> Option<bool> {
        self.measured.map(|measured| measured <= self.limit)
    }
}

/// The goals for speed and size that can be read off these pages.
pub fn goals(measured: &Measured, cast: &Cast) -> Vec<Goal> {
    let ours = |page, measure| measured.summary(page, measure, &cast.ours);
    let of_best = |page, measure| Some(ours(page, measure)?.median_ms / best(measured, cast, page, measure)?.1.median_ms);
    let mut goals = Vec::new();
    let mut goal = |page: Page, goal: String, limit: f64, measured: Option<f64>| {
        if cast.pages.contains(&page) {
            goals.push(Goal { goal: format!("{}: {goal}", page.letter()), limit, measured });
        }
    };
    for page in [Page::B, Page::C] {
        for measure in [Measure::First, Measure::Whole] {
            goal(page, format!("{}, of the best peer's", measure.words()), 1.0 / 6.0, of_best(page, measure));
        }
    }
    // A later whole one is a difference, too, under way; a full one is one for which everything is read and told anew.
    let since = ours(Page::C, Measure::Since).zip(ours(Page::C, Measure::Anew));
    let since = since.map(|(since, full)| since.median_ms / full.median_ms);
    goal(Page::C, "only what changed, of our own full one".into(), 0.25, since);
    for page in Page::ALL {
        goal(page, "click, of the fastest blind one".into(), 1.5, of_best(page, Measure::Click));
    }
    let ms = |page, measure| ours(page, measure).map(|found| found.median_ms);
    goal(Page::A, "100 characters typed, ms".into(), 120.0, ms(Page::A, Measure::Type));
    goal(Page::B, "30 fields filled in one call, ms".into(), 400.0, ms(Page::B, Measure::Fill));
    let share = ms(Page::A, Measure::Act).zip(ms(Page::A, Measure::Click)).map(|(ten, one)| ten / (10.0 * one));
    goal(Page::A, "ten clicks in one call, of ten single ones".into(), 0.5, share);
    goal(Page::A, "click that is refused, ms".into(), 60.0, ms(Page::A, Measure::Refused));
    goal(Page::A, "click on what does nothing, ms".into(), 1300.0, ms(Page::A, Measure::Dead));
    #[expect(clippy::cast_precision_loss, reason = "lengths of replies fit a double")]
    let text = |measure| ours(Page::B, measure).map(|found| found.text as f64);
    goal(Page::B, "bytes without a budget".into(), 70_000.0, text(Measure::Whole));
    goal(Page::B, "bytes with the default budget".into(), 25_000.0, text(Measure::Shortened));
    goals
}

/// The goals as a table.
pub fn goal_table(goals: &[Goal]) -> String {
    let mut text = String::from("| goal | at most | measured | |\n|---|---:|---:|---|\n");
    let number = |value: f64| if value < 10.0 { format!("{value:.3}") } else { format!("{value:.0}") };
    for goal in goals {
        let met = match goal.met() {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "not measured",
        };
        let measured = goal.measured.map_or_else(|| "–".into(), number);
        let _ = writeln!(text, "| {} | {} | {measured} | {met} |", goal.goal, number(goal.limit));
    }
    text
}

/// Everything as JSON: each series with all its calls.
pub fn as_json(measured: &Measured, cast: &Cast, about: &Value) -> Value {
    let series = measured.all().map(|(key, samples)| {
        let summary = measured.summary(key.page, key.measure, &key.subject);
        json!({"page": key.page, "measure": key.measure, "subject": key.subject, "summary": summary, "samples": samples})
    });
    let inside = measured.inside.iter().map(|((page, subject), all)| json!({"page": page, "subject": subject, "works": all}));
    json!({"about": about, "series": series.collect::<Vec<_>>(), "inside": inside.collect::<Vec<_>>(), "goals": goals(measured, cast), "missed": measured.missed})
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::measure::{Key, Sample};
    use super::*;
    use crate::driver::Work;

    fn cast() -> Cast {
        Cast { ours: "us".into(), peers: vec!["slow".into(), "fast".into()], pages: vec![Page::B, Page::C] }
    }

    fn measured() -> Measured {
        let mut measured = Measured::default();
        let mut add = |page, measure, subject: &str, ms, text| {
            let key = Key { page, measure, subject: subject.into() };
            measured.add(key, Sample::new(Duration::from_millis(ms), text, text + 12));
        };
        for (subject, ms) in [("us", 50), ("slow", 900), ("fast", 400)] {
            add(Page::B, Measure::Whole, subject, ms, 69_500);
        }
        add(Page::B, Measure::Shortened, "us", 40, 26_000);
        for (subject, ms) in [("us", 60), ("slow", 600), ("fast", 30)] {
            add(Page::C, Measure::Click, subject, ms, 400);
        }
        add(Page::C, Measure::Anew, "us", 100, 1);
        add(Page::C, Measure::Since, "us", 20, 1);
        measured
    }

    #[test]
    fn a_ratio_is_of_the_best_peer() {
        let text = tables(&measured(), &cast());
        assert!(text.contains("| snapshot after one change | us | 1 | 50.0 | 50.0 | 69,500 | 69,512 | 0.12 = 1/8.0 (fast) |\n"), "{text}");
        assert!(text.contains("| snapshot after one change | slow | 1 | 900 | 900 | 69,500 | 69,512 |  |\n"), "{text}");
        assert!(text.contains("| click that changes something | us | 1 | 60.0 | 60.0 | 400 | 412 | 2.00 (fast) |\n"), "{text}");
        assert!(text.contains("| the same, only what changed | us | 1 | 20.0 | 20.0 | 1 | 13 |  |\n"), "no peer has it: {text}");
    }

    #[test]
    fn goals_are_met_missed_or_not_known() {
        let goals = goals(&measured(), &cast());
        let met = |name: &str| goals.iter().find(|goal| goal.goal == name).map(Goal::met);
        assert_eq!(met("B: snapshot after one change, of the best peer's"), Some(Some(true)));
        assert_eq!(met("B: first snapshot of a document, of the best peer's"), Some(None));
        assert_eq!(met("C: only what changed, of our own full one"), Some(Some(true)));
        assert_eq!(met("C: click, of the fastest blind one"), Some(Some(false)));
        assert_eq!(met("B: bytes without a budget"), Some(Some(true)));
        assert_eq!(met("B: bytes with the default budget"), Some(Some(false)));
        assert_eq!(met("A: click, of the fastest blind one"), None, "A was not played");
        let text = goal_table(&goals);
        assert!(text.contains("| C: click, of the fastest blind one | 1.500 | 2.000 | **missed** |"), "{text}");
        assert!(text.contains("| B: first snapshot of a document, of the best peer's | 0.167 | – | not measured |"), "{text}");
    }

    #[test]
    fn work_inside_is_told_by_its_middle() {
        let mut measured = measured();
        let works = [5.0, 1.0, 3.0].map(|tasks_ms| Work { tasks_ms, script_ms: tasks_ms / 2.0, layouts: 1.0, ..Work::default() });
        measured.inside.insert((Page::C, "us".into()), works.to_vec());
        assert!(inside_table(&measured).contains("| C | us | 3 | 3.0 | 1.5 | 0.0 | 1 | 0.0 |\n"), "{}", inside_table(&measured));
    }

    #[test]
    fn the_json_holds_every_call() {
        let json = as_json(&measured(), &cast(), &json!({"chrome": "1"}));
        assert_eq!(json["series"].as_array().map(Vec::len), Some(9));
        assert_eq!(json["series"][0]["samples"][0]["micros"], 400_000);
        assert_eq!(json["about"]["chrome"], "1");
    }

    #[test]
    fn numbers_are_read_at_a_glance() {
        assert_eq!([1, 999, 1000, 123_456, 1_234_567].map(thousands), ["1", "999", "1,000", "123,456", "1,234,567"]);
        assert_eq!([0.05, 0.8, 1.5].map(share), ["0.05 = 1/20.0", "0.80", "1.50"]);
    }
}
