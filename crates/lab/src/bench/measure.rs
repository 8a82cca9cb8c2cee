//! What is measured of a subject on a page, and what many single measurements come to. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::driver::Work;

/// A page of a known size (`fixtures/bench`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[value(rename_all = "UPPER")]
pub enum Page {
    /// 50 interactive elements.
    A,
    /// 2,000 interactive elements.
    B,
    /// About 18,000 nodes, mostly text.
    C,
}

impl Page {
    /// All, the smallest first.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// Its letter, as in the page's address.
    pub fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
            Self::C => 'C',
        }
    }

    /// What is on it.
    pub fn words(self) -> &'static str {
        match self {
            Self::A => "50 interactive elements",
            Self::B => "2,000 interactive elements",
            Self::C => "about 18,000 nodes, mostly text",
        }
    }
}

/// One kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The first snapshot of a fresh document, whole.
    First,
    /// A later one, whole, after one text node was changed from outside.
    Whole,
    /// A later one, whole, after every text of the page was written again, so that nothing can be taken over from the one before.
    Anew,
    /// A later one, shortened to what the subject shows when it is asked for nothing else.
    Shortened,
    /// Only what changed since the one before.
    Since,
    /// A click that changes something.
    Click,
    /// 100 characters into a text field.
    Type,
    /// 30 text fields in one call.
    Fill,
    /// Ten clicks that each change something, in one call.
    Act,
    /// A click that is refused.
    Refused,
    /// A click on what does nothing.
    Dead,
}

impl Measure {
    /// All, in the order of the table.
    pub const ALL: [Self; 11] = [
        Self::First,
        Self::Whole,
        Self::Anew,
        Self::Shortened,
        Self::Since,
        Self::Click,
        Self::Type,
        Self::Fill,
        Self::Act,
        Self::Refused,
        Self::Dead,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::First => "first snapshot of a document",
            Self::Whole => "snapshot after one change",
            Self::Anew => "the same, all texts changed",
            Self::Shortened => "the same, default budget",
            Self::Since => "the same, only what changed",
            Self::Click => "click that changes something",
            Self::Type => "100 characters typed",
            Self::Fill => "30 fields filled in one call",
            Self::Act => "ten clicks in one call",
            Self::Refused => "click that is refused",
            Self::Dead => "click on what does nothing",
        }
    }
}

/// One call.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sample {
    /// How long it took, at the MCP client.
    pub micros: u64,
    /// Length of the text an agent gets.
    pub text: usize,
    /// Length of the whole MCP result as JSON.
    pub whole: usize,
}

impl Sample {
    /// A call of this time and size.
    pub fn new(took: Duration, text: usize, whole: usize) -> Self {
        Self { micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX), text, whole }
    }
}

/// Which series.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The page.
    pub page: Page,
    /// The kind of call.
    pub measure: Measure,
    /// Who was called.
    pub subject: String,
}

/// Everything that was measured, and what could not be.
#[derive(Debug, Default)]
pub struct Measured {
    series: BTreeMap<Key, Vec<Sample>>,
    /// What the page's main thread did for whole snapshots, by page and subject.
    pub inside: BTreeMap<(Page, String), Vec<Work>>,
    /// What could not be measured, each with its reason.
    pub missed: Vec<String>,
}

impl Measured {
    /// Adds one call.
    pub fn add(&mut self, key: Key, sample: Sample) {
        self.series.entry(key).or_default().push(sample);
    }

    /// Every series with its key.
    pub fn all(&self) -> impl Iterator<Item = (&Key, &[Sample])> {
        self.series.iter().map(|(key, samples)| (key, samples.as_slice()))
    }

    /// How long each call of one series took, in microseconds.
    pub fn times(&self, page: Page, measure: Measure, subject: &str) -> Vec<u64> {
        let series = self.series.get(&Key { page, measure, subject: subject.to_owned() });
        series.into_iter().flatten().map(|sample| sample.micros).collect()
    }

    /// What the calls of one series come to; none when there was no call.
    pub fn summary(&self, page: Page, measure: Measure, subject: &str) -> Option<Summary> {
        Summary::of(self.series.get(&Key { page, measure, subject: subject.to_owned() })?)
    }
}

/// The middle of each figure.
#[must_use]
pub(super) fn middle(all: &[Work]) -> Option<Work> {
    let of = |figure: fn(&Work) -> f64| {
        let mut all = all.iter().map(figure).collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    Some(Work {
        tasks_ms: of(|work| work.tasks_ms)?,
        script_ms: of(|work| work.script_ms)?,
        layouts: of(|work| work.layouts)?,
        layout_ms: of(|work| work.layout_ms)?,
        style_ms: of(|work| work.style_ms)?,
    })
}

/// What many calls come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How many there were.
    pub n: usize,
    /// The middle one, milliseconds.
    pub median_ms: f64,
    /// 95 of 100 took no longer, milliseconds.
    pub p95_ms: f64,
    /// The middle length of the text.
    pub text: usize,
    /// The middle length of the whole result.
    pub whole: usize,
}

impl Summary {
    /// Of these calls.
    pub fn of(samples: &[Sample]) -> Option<Self> {
        let sorted = |of: fn(&Sample) -> u64| {
            let mut all = samples.iter().map(of).collect::<Vec<_>>();
            all.sort_unstable();
            all
        };
        let micros = sorted(|sample| sample.micros);
        let length = |of: fn(&Sample) -> u64| rank(&sorted(of), 50).and_then(|length| usize::try_from(length).ok());
        Some(Self {
            n: samples.len(),
            median_ms: median(&micros)? / 1000.0,
            p95_ms: exact(rank(&micros, 95)?) / 1000.0,
            text: length(|sample| sample.text as u64)?,
            whole: length(|sample| sample.whole as u64)?,
        })
    }
}

/// The middle of sorted values; between the two middle ones of an even number.
fn median(sorted: &[u64]) -> Option<f64> {
    let high = sorted.get(sorted.len() / 2)?;
    let low = if sorted.len().is_multiple_of(2) { sorted.get(sorted.len() / 2 - 1)? } else { high };
    Some(f64::midpoint(exact(*low), exact(*high)))
}

/// The smallest of sorted values that so many of a hundred do not exceed.
fn rank(sorted: &[u64], percent: usize) -> Option<u64> {
    sorted.get((sorted.len() * percent).div_ceil(100).checked_sub(1)?).copied()
}

/// Far below 2^52 microseconds.
#[expect(clippy::cast_precision_loss, reason = "durations and lengths of a bench fit a double")]
fn exact(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(ms: &[u64]) -> Vec<Sample> {
        ms.iter().map(|ms| Sample::new(Duration::from_millis(*ms), usize::try_from(*ms).unwrap() * 10, 7)).collect()
    }

    #[test]
    fn percentiles_are_of_what_was_measured() {
        let summary = Summary::of(&samples(&[9, 1, 5])).unwrap();
        assert_eq!((summary.n, summary.median_ms, summary.p95_ms, summary.text, summary.whole), (3, 5.0, 9.0, 50, 7));
        assert_eq!(Summary::of(&samples(&[4, 1, 2, 100])).unwrap().median_ms, 3.0, "between the two in the middle");
        let hundred = (1..=100).collect::<Vec<_>>();
        let summary = Summary::of(&samples(&hundred)).unwrap();
        assert_eq!((summary.median_ms, summary.p95_ms), (50.5, 95.0));
        assert_eq!(Summary::of(&samples(&[7])).map(|one| (one.median_ms, one.p95_ms)), Some((7.0, 7.0)));
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn a_series_is_found_by_page_measure_and_subject() {
        let mut measured = Measured::default();
        let key = |page| Key { page, measure: Measure::Whole, subject: "x".into() };
        measured.add(key(Page::A), Sample::new(Duration::from_millis(1), 1, 1));
        measured.add(key(Page::B), Sample::new(Duration::from_millis(2), 1, 1));
        assert_eq!(measured.summary(Page::B, Measure::Whole, "x").map(|found| found.median_ms), Some(2.0));
        assert_eq!(measured.summary(Page::B, Measure::First, "x"), None);
        assert_eq!(measured.summary(Page::B, Measure::Whole, "y"), None);
    }
}
