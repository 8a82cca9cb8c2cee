//! Percentiles of what a bench measured.

use std::cell::RefCell;
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;

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
    /// Never in practice: three digits are a valid precision.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Ok(Self { name: name.into(), histogram: RefCell::new(Histogram::new(3)?) })
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
