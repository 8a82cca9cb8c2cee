//! Counts that are the same on every machine, held against what they may be at most. Pure.

use std::collections::BTreeMap;

/// What is counted → the count, or the most it may be.
pub type Counts = BTreeMap<String, u64>;

/// How counts stand to their budget, in lines for people.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// What is too much, has no budget, or is not counted any more.
    pub faults: Vec<String>,
    /// What is so far below its budget that this should be lowered.
    pub spare: Vec<String>,
}

/// Holds counts against their budget.
pub fn hold(budget: &Counts, counts: &Counts) -> Held {
    let mut held = Held::default();
    for (what, count) in counts {
        match budget.get(what) {
            None => held.faults.push(format!("{what}: {count}, and it has no budget")),
            Some(most) if count > most => held.faults.push(format!("{what}: {count}, at most {most}")),
            // A tenth below, and not by one alone.
            Some(most) if count * 10 < most * 9 && most - count > 1 => held.spare.push(format!("{what}: {count}, at most {most}")),
            Some(_) => {}
        }
    }
    let gone = budget.keys().filter(|what| !counts.contains_key(*what));
    held.faults.extend(gone.map(|what| format!("{what}: has a budget and is not counted any more")));
    held
}

/// A budget for these counts, with so many percent to spare.
pub fn renewed(counts: &Counts, percent: u64) -> Counts {
    counts.iter().map(|(what, count)| (what.clone(), count + (count * percent).div_ceil(100))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> Counts {
        of.iter().map(|(what, count)| ((*what).to_owned(), *count)).collect()
    }

    #[test]
    fn more_than_the_budget_is_a_fault_and_much_less_is_told() {
        let budget = counts(&[("a", 100), ("b", 100), ("c", 100), ("d", 2), ("gone", 1)]);
        let held = hold(&budget, &counts(&[("a", 101), ("b", 90), ("c", 89), ("d", 1), ("new", 5)]));
        assert_eq!(held.faults, ["a: 101, at most 100", "new: 5, and it has no budget", "gone: has a budget and is not counted any more"]);
        assert_eq!(held.spare, ["c: 89, at most 100"], "one of two is no spare");
    }

    #[test]
    fn a_renewed_budget_holds() {
        let now = counts(&[("a", 1), ("b", 12_345), ("c", 0)]);
        assert_eq!(hold(&renewed(&now, 2), &now), Held::default());
        assert_eq!(renewed(&now, 0), now);
        assert_eq!(renewed(&now, 2)["b"], 12_592);
    }
}
