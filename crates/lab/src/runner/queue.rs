//! What is left to do, by profile.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::scenario::Profile;

use super::Job;

pub(super) struct Queue {
    calm: Mutex<VecDeque<Job>>,
    wild: Mutex<VecDeque<Job>>,
    headed: Mutex<VecDeque<Job>>,
}

impl Queue {
    pub(super) fn new(jobs: &[Job]) -> Self {
        let of = |profile| Mutex::new(jobs.iter().filter(|job| job.profile == profile).cloned().collect());
        Self { calm: of(Profile::Calm), wild: of(Profile::Wild), headed: of(Profile::Headed) }
    }

    /// The next case of this profile.
    pub(super) fn next(&self, profile: Profile) -> Option<Job> {
        self.of(profile).lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// The profile a worker should take up: the last of several begins with those that need a Chrome of another kind, the others with the calm.
    pub(super) fn profile_for(&self, worker: usize, workers: usize) -> Option<Profile> {
        let order = match workers > 1 && worker + 1 == workers {
            true => [Profile::Headed, Profile::Wild, Profile::Calm],
            false => [Profile::Calm, Profile::Wild, Profile::Headed],
        };
        order.into_iter().find(|profile| !self.of(*profile).lock().unwrap_or_else(PoisonError::into_inner).is_empty())
    }

    fn of(&self, profile: Profile) -> &Mutex<VecDeque<Job>> {
        match profile {
            Profile::Calm => &self.calm,
            Profile::Wild => &self.wild,
            Profile::Headed => &self.headed,
        }
    }
}
