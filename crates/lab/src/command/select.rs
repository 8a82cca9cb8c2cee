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
    /// How often all of it is run (0 counts as once).
    pub rounds: u32,
}

/// Which names are meant: one that is a whole name means that scenario only, any other all that contain it.
pub(super) struct NameFilter<'a> {
    filters: Vec<(&'a str, bool)>,
}

impl<'a> NameFilter<'a> {
    pub(super) fn new(filters: &'a [String], scenarios: &[Arc<Scenario>]) -> Self {
        let is_whole = |filter: &str| scenarios.iter().any(|scenario| scenario.name == filter);
        Self { filters: filters.iter().map(|filter| (filter.as_str(), is_whole(filter))).collect() }
    }

    pub(super) fn takes(&self, name: &str) -> bool {
        let fits = |(filter, whole): &(&str, bool)| if *whole { name == *filter } else { name.contains(filter) };
        self.filters.is_empty() || self.filters.iter().any(fits)
    }
}

impl Selection {
    /// The cases meant, in order.
    pub fn jobs(&self, scenarios: &[Arc<Scenario>], fixtures: &BTreeMap<String, Arc<Fixture>>) -> Vec<Job> {
        let mut jobs = Vec::new();
        let filter = NameFilter::new(&self.names, scenarios);
        for scenario in scenarios.iter().filter(|scenario| filter.takes(&scenario.name)) {
            let Some(fixture) = fixtures.get(&scenario.fixture) else { continue };
            for profile in scenario.profiles.iter().copied().filter(|profile| self.takes(*profile)) {
                jobs.push(Job { scenario: Arc::clone(scenario), fixture: Arc::clone(fixture), profile, round: 1 });
            }
        }
        jobs.retain(|job| self.only.as_ref().is_none_or(|only| only.contains(&job.case())));
        if let Some(Partition { share, of }) = self.partition {
            jobs = jobs.into_iter().skip(share - 1).step_by(of).collect();
        }
        let rounds = 1..=self.rounds.max(1);
        rounds.flat_map(|round| jobs.iter().map(move |job| Job { round, ..job.clone() })).collect()
    }

    fn takes(&self, profile: Profile) -> bool {
        let chosen = match self.profile {
            ProfileChoice::Calm => profile == Profile::Calm,
            ProfileChoice::Wild => profile == Profile::Wild,
            ProfileChoice::Headed => profile == Profile::Headed,
            ProfileChoice::All => true,
        };
        chosen && (self.wild || profile == Profile::Calm)
    }

    /// The selection in words, for the error when it holds nothing.
    pub fn words(&self) -> String {
        let mut words = match self.names.as_slice() {
            [] => String::from("no case"),
            names => format!("no scenario with {} in its name", names.join(" or ")),
        };
        match self.profile {
            ProfileChoice::All => {}
            ProfileChoice::Calm => words.push_str(" in the calm profile"),
            ProfileChoice::Wild => words.push_str(" in the wild profile"),
            ProfileChoice::Headed => words.push_str(" in the headed profile"),
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
    use crate::scenario::{Catalog, parse};

    #[test]
    fn a_partition_is_read() {
        assert_eq!(Partition::parse("2/3"), Ok(Partition { share: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "2", "a/b", "1/0"] {
            assert!(Partition::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_match_by_part() {
        let catalog = Catalog { fixtures: BTreeMap::from([("pointer/late".to_owned(), BTreeMap::new())]), ..Catalog::default() };
        let source = "guards: x\nfixture: pointer/late\nsteps:\n  - snapshot: {}\n";
        let scenarios = ["pointer/late", "pointer/late-beyond", "dialog/alert"];
        let scenarios = scenarios.map(|name| Arc::new(parse(name, name, source, &catalog).unwrap()));
        let meant = |filters: &[&str]| {
            let filters = filters.iter().map(|filter| (*filter).to_owned()).collect::<Vec<_>>();
            let filter = NameFilter::new(&filters, &scenarios);
            scenarios.iter().filter(|one| filter.takes(&one.name)).count()
        };
        assert_eq!((meant(&[]), meant(&["late"]), meant(&["pointer/", "alert"])), (3, 2, 3));
        assert_eq!(meant(&["pointer/late"]), 1, "a whole name means that one");
        assert_eq!(meant(&["nowhere"]), 0);
    }
}
