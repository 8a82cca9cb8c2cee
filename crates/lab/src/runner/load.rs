//! How busy the machine is: a bound on time is meant for a quiet one, and must not fail a server for its neighbours.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long looks are kept: longer than any call.
const KEPT: Duration = Duration::from_secs(60);

type Looks = Arc<Mutex<VecDeque<(Instant, f64)>>>;

/// Watches how many threads want to run for each core. Where that cannot be known the machine counts as quiet.
pub(super) struct Load {
    looks: Looks,
    task: tokio::task::JoinHandle<()>,
}

impl Load {
    pub(super) fn watch() -> Self {
        let looks = Looks::default();
        let cores = std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64);
        let kept = Arc::clone(&looks);
        let task = tokio::spawn(async move {
            let mut clock = tokio::time::interval(LOOK_EVERY);
            clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                clock.tick().await;
                let Some(running) = std::fs::read_to_string("/proc/loadavg").ok().as_deref().and_then(wanting) else { return };
                let now = Instant::now();
                let mut looks = kept.lock().unwrap_or_else(PoisonError::into_inner);
                looks.push_back((now, running / cores));
                while looks.front().is_some_and(|(at, _)| now.duration_since(*at) > KEPT) {
                    looks.pop_front();
                }
            }
        });
        Self { looks, task }
    }

    /// How many times longer work took since then than alone: 1 on a quiet machine.
    pub(super) fn slowdown_since(&self, since: Instant) -> f64 {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        mean(looks.iter().rev().take_while(|(at, _)| *at >= since).map(|(_, share)| share.max(1.0)))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 1.0 }
}

/// The threads that want to run, besides the one that asks: `3/512` in the fourth word of Linux's load average.
fn wanting(loadavg: &str) -> Option<f64> {
    let (running, _) = loadavg.split_whitespace().nth(3)?.split_once('/')?;
    running.parse::<f64>().ok().map(|running| (running - 1.0).max(0.0))
}

/// What a call would have taken alone: waiting is not made longer by a busy machine, work is.
pub(super) fn alone(took: Duration, waited: Duration, slowdown: f64) -> Duration {
    let waited = waited.min(took);
    waited + (took - waited).div_f64(slowdown.max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_is_slowed_down() {
        let ms = Duration::from_millis;
        assert_eq!(alone(ms(1600), ms(1200), 4.0), ms(1300));
        assert_eq!(alone(ms(1600), ms(1200), 0.5), ms(1600), "a quiet machine excuses nothing");
        assert_eq!(alone(ms(1000), ms(9000), 4.0), ms(1000), "a wait cannot be longer than the call");
        assert_eq!(alone(ms(800), ms(0), 2.0), ms(400));
    }

    #[test]
    fn linux_tells_who_wants_to_run() {
        assert_eq!(wanting("2.71 5.04 6.12 9/1021 4242\n"), Some(8.0));
        assert_eq!(wanting("2.71 5.04"), None);
        assert!((mean([1.0, 3.0].into_iter()) - 2.0).abs() < f64::EPSILON && (mean(std::iter::empty()) - 1.0).abs() < f64::EPSILON);
    }
}
