//! Which cases are meant. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cli::ProfileChoice;
use crate::event::Case;
use crate::fixture::Fixture;
use crate::runner::Job;
use crate::scenario::{Profile, Scenario};

/// A share of all cases, for CI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// From 1.
    pub share: usize,
    /// How many shares there are.
    pub of: usize,
}

impl Partition {
    /// Reads `m/n`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(share, of)| Some((share.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((share, of)) if (1..=of).contains(&share) => Ok(Self { share, of }),
            _ => Err(format!("`--partition {text}` is no share; write m/n with m from 1 to n, such as 2/3")),
        }
    }
}

/// All that narrows the cases down.
#[derive(Debug, Default)]
pub struct Selection {
    /// Parts of names; none: all.
    pub names: Vec<String>,
    /// The profiles.
    pub profile: ProfileChoice,
    /// The subject can run without a driver.
    pub wild: bool,
    /// Only these cases.
    pub only: Option<BTreeSet<Case>>,
    /// A share of what is left.
    pub partition: Option<Partition>,
}

/// Whether a scenario's name is meant.
pub(super) fn is_named(name: &str, filters: &[String]) -> bool {
    filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()))
}

impl Selection {
    /// The cases meant, in order.
    pub fn jobs(&self, scenarios: &[Arc<Scenario>], fixtures: &BTreeMap<String, Arc<Fixture>>) -> Vec<Job> {
        let mut jobs = Vec::new();
        for scenario in scenarios.iter().filter(|scenario| is_named(&scenario.name, &self.names)) {
            let Some(fixture) = fixtures.get(&scenario.fixture) else { continue };
            for profile in scenario.profiles.iter().copied().filter(|profile| self.takes(*profile)) {
                jobs.push(Job { scenario: Arc::clone(scenario), fixture: Arc::clone(fixture), profile });
            }
        }
        jobs.retain(|job| self.only.as_ref().is_none_or(|only| only.contains(&job.case())));
        if let Some(Partition { share, of }) = self.partition {
            jobs = jobs.into_iter().skip(share - 1).step_by(of).collect();
        }
        jobs
    }

    fn takes(&self, profile: Profile) -> bool {
        let chosen = match self.profile {
            ProfileChoice::Calm => profile == Profile::Calm,
            ProfileChoice::Wild => profile == Profile::Wild,
            ProfileChoice::All => true,
        };
        chosen && (self.wild || profile == Profile::Calm)
    }

    /// The selection in words, for the error when it holds nothing.
    pub fn words(&self) -> String {
        let mut words = match self.names.as_slice() {
            [] => String::from("no case"),
            names => format!("no case with {} in its name", names.join(" or ")),
        };
        match self.profile {
            ProfileChoice::All => {}
            ProfileChoice::Calm => words.push_str(" in the calm profile"),
            ProfileChoice::Wild => words.push_str(" in the wild profile"),
        }
        if self.only.is_some() {
            words.push_str(" among the last run's failures");
        }
        if let Some(Partition { share, of }) = self.partition {
            words.push_str(&format!(" in share {share}/{of}"));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_is_read() {
        assert_eq!(Partition::parse("2/3"), Ok(Partition { share: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "2", "a/b", "1/0"] {
            assert!(Partition::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_match_by_part() {
        let filters = ["pointer/".to_owned(), "alert".to_owned()];
        assert!(is_named("pointer/control", &filters) && is_named("dialog/alert", &filters));
        assert!(!is_named("dialog/confirm", &filters) && is_named("anything", &[]));
    }
}
