//! Whether two series of times differ, or only chance does: the rank test of Mann and Whitney with its correction for ties. Pure.

/// How many times each series must have: with fewer no difference could be told from chance.
const FEWEST: usize = 8;
/// So many standard deviations away from what chance gives (one case in a thousand): a table has many rows, and none may be wrong.
const BEYOND_CHANCE: f64 = 3.29;

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The second series takes longer.
    Slower,
    /// The second series takes less.
    Faster,
    /// Chance alone gives as much.
    NotDistinguishable,
    /// There are too few.
    TooFew,
}

impl Answer {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::NotDistinguishable => "not distinguishable",
            Self::TooFew => "too few to tell",
        }
    }
}

/// How the second series stands to the first.
pub fn compare(base: &[u64], head: &[u64]) -> Answer {
    if base.len() < FEWEST || head.len() < FEWEST {
        return Answer::TooFew;
    }
    let z = deviation(base, head);
    match z {
        _ if z > BEYOND_CHANCE => Answer::Slower,
        _ if z < -BEYOND_CHANCE => Answer::Faster,
        _ => Answer::NotDistinguishable,
    }
}

/// How far, in standard deviations, the ranks of `head` are above what chance would give them.
fn deviation(base: &[u64], head: &[u64]) -> f64 {
    let mut all: Vec<(u64, bool)> = base.iter().map(|time| (*time, false)).chain(head.iter().map(|time| (*time, true))).collect();
    all.sort_unstable();
    let (mut ranks, mut ties, mut before) = (0.0, 0.0, 0);
    // Equal times share the middle of their ranks.
    for equal in all.chunk_by(|one, other| one.0 == other.0) {
        let count = number(equal.len());
        let middle = number(before) + (count + 1.0) / 2.0;
        ranks += middle * number(equal.iter().filter(|(_, is_head)| *is_head).count());
        ties += count * count * count - count;
        before += equal.len();
    }
    let (first, second) = (number(base.len()), number(head.len()));
    let total = first + second;
    let above = ranks - second * (total + 1.0) / 2.0;
    let variance = first * second / 12.0 * ((total + 1.0) - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        // All times are equal.
        return 0.0;
    }
    // Ranks go by steps: half a step less is the likelier.
    above.signum() * (above.abs() - 0.5).max(0.0) / variance.sqrt()
}

#[expect(clippy::cast_precision_loss, reason = "a bench makes thousands of calls, not 2^52")]
fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_apart_is_told_and_what_overlaps_is_not() {
        let base: Vec<u64> = (100..120).collect();
        let slower: Vec<u64> = base.iter().map(|time| time + 15).collect();
        assert_eq!(compare(&base, &slower), Answer::Slower);
        assert_eq!(compare(&slower, &base), Answer::Faster);
        let near: Vec<u64> = base.iter().map(|time| time + 1).collect();
        assert_eq!(compare(&base, &near), Answer::NotDistinguishable);
        assert_eq!(compare(&base[..7], &slower), Answer::TooFew);
        assert_eq!(compare(&[5; 30], &[5; 30]), Answer::NotDistinguishable, "all are equal");
    }

    #[test]
    fn one_that_took_forever_changes_nothing() {
        let base: Vec<u64> = (100..130).collect();
        let mut head = base.clone();
        head[3] = 1_000_000;
        assert_eq!(compare(&base, &head), Answer::NotDistinguishable);
    }

    /// Worked by hand: the second series has ranks 7, 8, 9.5, 11, 12, 13, 14 and 15.5 of sixteen, that is 90, where chance gives 68. Two
    /// pairs are equal, so the variance is 64/12 · (17 − 12/240), and (90 − 68 − ½) / 9.508 is 2.261.
    #[test]
    fn the_deviation_is_that_of_the_book() {
        let base = [1, 2, 3, 4, 5, 6, 9, 16];
        let head = [7, 8, 9, 10, 11, 12, 13, 16];
        assert!((deviation(&base, &head) - 2.261).abs() < 0.01, "{}", deviation(&base, &head));
    }

    proptest! {
        #[test]
        fn turned_around_the_answer_turns(base in prop::collection::vec(0_u64..50, 8..40), head in prop::collection::vec(0_u64..50, 8..40)) {
            let turned = match compare(&base, &head) {
                Answer::Slower => Answer::Faster,
                Answer::Faster => Answer::Slower,
                other => other,
            };
            prop_assert_eq!(compare(&head, &base), turned);
            prop_assert!((deviation(&base, &head) + deviation(&head, &base)).abs() < 1e-9);
        }
    }
}
