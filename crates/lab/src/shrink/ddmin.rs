//! Delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), algorithm ddmin.

use std::collections::BTreeMap;

/// The shortest list of the numbers below `count` that it finds to still show what all of them show. From the result no single
/// one can be taken away (it is 1-minimal), as long as `shows` answers the same question the same way. What was asked once is
/// not asked again; neither all of them nor none of them is asked for.
///
/// # Errors
/// The first error of `shows`.
pub async fn ddmin<E>(count: usize, mut shows: impl AsyncFnMut(&[usize]) -> Result<bool, E>) -> Result<Vec<usize>, E> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut known: BTreeMap<Vec<usize>, bool> = BTreeMap::new();
    let mut parts = 2;
    while left.len() > 1 {
        let cut = cut(&left, parts);
        let one_part = cut.iter().map(|part| (part.clone(), 2));
        // Of two halves each is what is left without the other.
        let all_but_one = cut.iter().filter(|_| cut.len() > 2).map(|part| {
            let rest: Vec<usize> = left.iter().filter(|one| !part.contains(one)).copied().collect();
            (rest, (parts - 1).max(2))
        });
        let mut smaller = None;
        for (candidate, next) in one_part.chain(all_but_one) {
            let answer = match known.get(&candidate) {
                Some(answer) => *answer,
                None => shows(&candidate).await?,
            };
            known.insert(candidate.clone(), answer);
            if answer {
                smaller = Some((candidate, next));
                break;
            }
        }
        match smaller {
            Some((candidate, next)) => (left, parts) = (candidate, next),
            None if parts >= left.len() => break,
            None => parts *= 2,
        }
        parts = parts.min(left.len()).max(2);
    }
    Ok(left)
}

/// The list in so many parts, none empty, as equal as they can be.
fn cut(list: &[usize], parts: usize) -> Vec<Vec<usize>> {
    let parts = parts.min(list.len());
    let bounds = |part: usize| part * list.len() / parts;
    (0..parts).map(|part| list[bounds(part)..bounds(part + 1)].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::FutureExt as _;
    use proptest::prelude::*;

    use super::*;

    /// What is left, and what was asked.
    fn shrink(count: usize, shows: impl Fn(&[usize]) -> bool) -> (Vec<usize>, Vec<Vec<usize>>) {
        let mut asked = Vec::new();
        let left = ddmin(count, async |candidate: &[usize]| {
            asked.push(candidate.to_vec());
            Ok::<bool, Infallible>(shows(candidate))
        });
        let Ok(left) = left.now_or_never().unwrap();
        (left, asked)
    }

    #[test]
    fn the_one_that_matters_is_found() {
        assert_eq!(shrink(8, |all| all.contains(&6)).0, [6]);
        assert_eq!(shrink(1, |_| true), (vec![0], vec![]), "nothing can be taken away from one");
        assert_eq!(shrink(0, |_| true), (vec![], vec![]));
        assert_eq!(shrink(2, |_| false).0, [0, 1], "all of them are needed");
    }

    #[test]
    fn two_that_belong_together_stay_together() {
        let (left, asked) = shrink(8, |all| all.contains(&1) && all.contains(&7));
        assert_eq!(left, [1, 7]);
        assert!(asked.len() < 30, "{} tries", asked.len());
    }

    #[test]
    fn an_error_ends_it() {
        let ended = ddmin(4, async |_: &[usize]| Err::<bool, _>("the browser is gone")).now_or_never().unwrap();
        assert_eq!(ended, Err("the browser is gone"));
    }

    proptest! {
        /// Whatever is needed: some steps together, or some others together.
        #[test]
        fn the_result_is_one_minimal(
            count in 1_usize..24,
            needs in prop::collection::vec(prop::collection::btree_set(0_usize..24, 1..5), 1..4),
        ) {
            let needs: Vec<Vec<usize>> = needs.into_iter().map(|need| need.into_iter().map(|one| one % count).collect()).collect();
            let shows = |all: &[usize]| needs.iter().any(|need| need.iter().all(|one| all.contains(one)));
            let (left, asked) = shrink(count, shows);
            prop_assert!(shows(&left), "{left:?} shows nothing");
            prop_assert!(left.windows(2).all(|pair| pair[0] < pair[1]), "the order stays");
            for gone in &left {
                let rest: Vec<usize> = left.iter().filter(|one| *one != gone).copied().collect();
                prop_assert!(rest.is_empty() || !shows(&rest), "{gone} of {left:?} can go");
            }
            let mut once = asked.clone();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), asked.len(), "nothing is asked twice");
            prop_assert!(asked.iter().all(|candidate| !candidate.is_empty() && candidate.len() < count));
        }

        /// Even where it depends on more than the presence of single steps.
        #[test]
        fn it_ends_whatever_it_is_told(count in 0_usize..16, seed in any::<u64>()) {
            let shows = |all: &[usize]| all.iter().fold(seed, |hash, one| (hash ^ *one as u64).wrapping_mul(0x0100_0000_01b3)) % 3 == 0;
            let (left, _) = shrink(count, shows);
            prop_assert!(left.len() == count || shows(&left));
            for gone in &left {
                let rest: Vec<usize> = left.iter().filter(|one| *one != gone).copied().collect();
                prop_assert!(rest.is_empty() || !shows(&rest));
            }
        }
    }
}
