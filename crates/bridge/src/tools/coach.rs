//! A word to agents that do step by step what one call could do.

use std::time::Duration;

use tokio::time::Instant;

/// Single writes in a row after which it is said.
const AFTER: [u32; 2] = [3, 8];
/// Not more often than this.
const REST: Duration = Duration::from_secs(600);

/// What is remembered of a session's calls.
#[derive(Debug, Default)]
pub(super) struct Coach {
    row: u32,
    said: Option<Instant>,
}

impl Coach {
    /// One call is over; `acted` when it was an action of its own. The note to say, if any.
    pub(super) fn note(&mut self, tool: &str, acted: bool, now: Instant) -> Option<&'static str> {
        if tool == "act" {
            self.row = 0;
            return None;
        }
        if !acted {
            return None;
        }
        self.row += 1;
        if !AFTER.contains(&self.row) || self.said.is_some_and(|at| now < at + REST) {
            return None;
        }
        self.said = Some(now);
        Some(
            "note: several single actions in a row; when the next steps are known, act does them in one call and stops at the first that fails",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_after_three_and_eight_not_too_often_and_not_to_who_uses_act() {
        let mut coach = Coach::default();
        let now = Instant::now();
        let mut says = |tool: &str, acted: bool, at: Instant| coach.note(tool, acted, at).is_some();
        assert_eq!(
            [says("click", true, now), says("snapshot", false, now), says("type", true, now), says("click", true, now)],
            [false, false, false, true]
        );
        let later = now + REST;
        for _ in 4..8 {
            assert!(!says("click", true, later));
        }
        assert!(says("click", true, later));
        assert!(!says("act", true, later));
        for _ in 0..3 {
            assert!(!says("click", true, later + Duration::from_secs(1)), "said not long ago");
        }
        assert!(!says("act", true, later));
        assert_eq!([1, 2, 3].map(|_| says("click", true, later + REST)), [false, false, true]);
    }
}
