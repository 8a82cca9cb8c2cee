//! Percentiles of what a bench measured.

use std::cell::RefCell;
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;

/// Nothing measured here takes ten minutes.
const LONGEST_MICROS: u64 = 600_000_000;

/// Every single duration of one measurement, in microseconds.
#[derive(Debug)]
pub struct Latency {
    name: String,
    histogram: RefCell<Histogram<u64>>,
}

impl Latency {
    /// Empty.
    ///
    /// # Errors
    /// Never in practice: the bounds are valid.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Ok(Self { name: name.into(), histogram: RefCell::new(Histogram::new_with_bounds(1, LONGEST_MICROS, 3)?) })
    }

    /// Adds one.
    pub fn record(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.histogram.borrow_mut().saturating_record(micros);
    }

    /// What was measured.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The median in milliseconds.
    #[must_use]
    pub fn median_ms(&self) -> f64 {
        self.at(0.5)
    }

    /// Prints the percentiles as one line.
    pub fn print(&self) {
        let count = self.histogram.borrow().len();
        let max = self.at(1.0);
        println!(
            "{:<28} p50 {:>8.2} ms   p90 {:>8.2} ms   p99 {:>8.2} ms   max {max:>8.2} ms   n {count}",
            self.name,
            self.at(0.5),
            self.at(0.9),
            self.at(0.99),
        );
    }

    fn at(&self, quantile: f64) -> f64 {
        let micros = self.histogram.borrow().value_at_quantile(quantile);
        // Far below 2^52 microseconds.
        #[expect(clippy::cast_precision_loss, reason = "durations of a bench fit a double")]
        let micros = micros as f64;
        micros / 1000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_short_and_long_durations() {
        let latency = Latency::new("x").unwrap();
        for ms in [1, 2, 3, 1200, 70_000] {
            latency.record(Duration::from_millis(ms));
        }
        assert!((latency.median_ms() - 3.0).abs() < 0.1, "{}", latency.median_ms());
        assert!((latency.at(1.0) - 70_000.0).abs() < 100.0, "{}", latency.at(1.0));
    }
}
