//! A clock that stands until it is told to go on: replay has it, so that a silence of seconds costs no time.
//!
//! It is tokio's own paused clock. That one jumps to the next timer whenever nothing else is to do, also while an answer is on its way
//! from outside; a blocking task that is under way keeps it from that, so one such task is what holds the clock. Time then goes in steps,
//! and between them whatever was woken runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use tokio::time::Instant;

/// How often the sockets are looked at before time goes by: a message passes from one task to the next a few times before it is answered.
const TURNS: u32 = 32;

/// How often after each step of time: a timer's task asks something within a few turns.
const STEP_TURNS: u32 = 12;

/// A way of time is gone in so many steps, each of these bounds: a timer is late by a step at most.
const STEPS: u32 = 24;
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);

/// The held clock of a daemon whose runtime was started with its time paused.
#[derive(Debug)]
pub struct Clock {
    began: Instant,
    hold: Mutex<Option<mpsc::Sender<()>>>,
    said: AtomicU64,
}

impl Clock {
    /// Holds the clock of this runtime: one thread, time paused.
    #[must_use]
    pub fn held() -> Self {
        Self { began: Instant::now(), hold: Mutex::new(Some(holder())), said: AtomicU64::new(0) }
    }

    /// Lets time go by until `until` since the beginning, or until the daemon has said more than `heard` messages in its life; returns
    /// the time then, and how many it has said.
    pub(super) async fn run(&self, until: Duration, heard: u64) -> (Duration, u64) {
        let left = until.saturating_sub(self.began.elapsed());
        let step = (left / STEPS).clamp(SHORTEST, LONGEST);
        // What was said to the daemon before is taken in first.
        let mut turns = TURNS;
        loop {
            for _ in 0..turns {
                if self.said.load(Ordering::Relaxed) > heard {
                    break;
                }
                // Each turn looks at the sockets once.
                tokio::task::yield_now().await;
            }
            let left = until.saturating_sub(self.began.elapsed());
            let said = self.said.load(Ordering::Relaxed);
            if left.is_zero() || said > heard {
                return (self.began.elapsed(), said);
            }
            tokio::time::advance(left.min(step)).await;
            turns = STEP_TURNS;
        }
    }

    /// Lets time go by as fast as it can, for the daemon's end.
    pub(super) fn release(&self) {
        self.hold.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The daemon says something on a socket.
    pub(super) fn spoken(&self) {
        self.said.fetch_add(1, Ordering::Relaxed);
    }
}

fn holder() -> mpsc::Sender<()> {
    let (sender, receiver) = mpsc::channel::<()>();
    tokio::task::spawn_blocking(move || {
        // It ends when the other end is dropped.
        let _ = receiver.recv();
    });
    sender
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_stands_until_told_and_stops_when_something_is_said() {
        let clock = Arc::new(Clock::held());
        let sleeper = tokio::spawn({
            let clock = Arc::clone(&clock);
            async move {
                let _ = tokio::time::timeout(Duration::from_millis(2500), std::future::pending::<()>()).await;
                clock.spoken();
            }
        });
        let real = std::time::Instant::now();
        assert_eq!(clock.run(Duration::from_millis(100), 0).await, (Duration::from_millis(100), 0));
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(!sleeper.is_finished(), "it stands");
        let (now, said) = clock.run(Duration::from_secs(60), 0).await;
        assert!(said == 1 && (2500..=3000).contains(&now.as_millis()), "{now:?}");
        assert!(sleeper.is_finished() && real.elapsed() < Duration::from_secs(2));
        // What was not heard yet, and what lies behind, is there at once.
        assert_eq!(clock.run(Duration::from_secs(60), 0).await, (now, 1));
        assert_eq!(clock.run(Duration::ZERO, 1).await, (now, 1));
    }
}
