//! Blind comparisons of two versions: who won, whether the order decided, whether a verdict stands
//! when the order is swapped; and scores of a rubric, which are ordinal, so no means.

use std::cmp::Ordering;

use super::distribution::binomial_cdf;
use super::proportion::Share;
use super::sample::{Interval, sorted, sum};
use super::sign_flip::SignFlip;

/// What one version won against another. In a verdict, [`Ordering::Greater`] is a win of the first
/// version, [`Ordering::Less`] a loss and [`Ordering::Equal`] a tie.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadToHead {
    pub wins: u64,
    pub losses: u64,
    pub ties: u64,
    /// Share of verdicts won, a tie as half.
    pub win_rate: f64,
    /// Mean verdict (+1, 0, −1) of each case: one that flips with the order counts as a tie.
    pub scores: Vec<f64>,
    /// The sign-flip test of the scores: the p to show.
    pub sign_flip: SignFlip,
}

impl HeadToHead {
    /// Sums up the verdicts of each case. Cases without verdicts are left out; `None` when there
    /// are no others.
    pub fn of<C: AsRef<[Ordering]>>(cases: &[C]) -> Option<Self> {
        let cases = cases.iter().map(AsRef::as_ref).filter(|case: &&[Ordering]| !case.is_empty());
        let cases: Vec<&[Ordering]> = cases.collect();
        // An ordering is +1, 0 or −1 as a number.
        let score = |case: &&[Ordering]| {
            sum(case.iter().map(|verdict| f64::from(*verdict as i8))) / case.len() as f64
        };
        let scores: Vec<f64> = cases.iter().map(score).collect();
        let sign_flip = SignFlip::new(&scores)?;
        let all = cases.concat();
        let count = |wanted| all.iter().filter(|verdict| **verdict == wanted).count() as u64;
        let [wins, losses, ties] = [Ordering::Greater, Ordering::Less, Ordering::Equal].map(count);
        let win_rate = (wins as f64 + 0.5 * ties as f64) / all.len() as f64;
        Some(Self { wins, losses, ties, win_rate, scores, sign_flip })
    }
}

/// Two-sided sign test, 2·P(Bin(better+worse, ½) ≤ min), at most 1 (Arbuthnott 1710): how large the
/// differences are does not matter. `None` when there are none.
pub fn sign_test_p(better: u64, worse: u64) -> Option<f64> {
    let below = binomial_cdf(better.min(worse), better + worse, 0.5)?;
    (better + worse > 0).then_some((2.0 * below).min(1.0))
}

/// Whether what was shown first wins more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderBias {
    /// Wilson's interval of that share.
    pub interval: Interval,
    /// Two-sided binomial p of an even chance.
    pub p: f64,
}

impl OrderBias {
    /// From how often the first and the second of two shown won; ties say nothing. Judges do favour
    /// a place, most for close pairs (Shi et al. 2024). `None` when nothing was decided.
    pub fn new(first_wins: u64, second_wins: u64) -> Option<Self> {
        let share = Share::new(first_wins, first_wins + second_wins)?;
        Some(Self { interval: share.wilson(), p: sign_test_p(first_wins, second_wins)? })
    }
}

/// How many pairs got the same verdict in both orders, out of how many shown both ways; each pair
/// holds the verdict on the same version in the one order and in the other. `None` without pairs.
pub fn swap_consistency(pairs: &[(Ordering, Ordering)]) -> Option<Share> {
    let same = pairs.iter().filter(|(one, other)| one == other).count();
    Share::new(same as u64, pairs.len() as u64)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signs {
    pub better: u64,
    pub worse: u64,
    pub same: u64,
    /// Two-sided sign test; `None` when no case differs.
    pub p: Option<f64>,
}

impl Signs {
    /// Counts pairs of (score on the first side, score on the second) of one case each. Pairs that
    /// cannot be compared count as the same.
    pub fn new(pairs: &[(f64, f64)]) -> Self {
        let better = pairs.iter().filter(|(a, b)| a > b).count() as u64;
        let worse = pairs.iter().filter(|(a, b)| a < b).count() as u64;
        let same = pairs.len() as u64 - better - worse;
        Self { better, worse, same, p: sign_test_p(better, worse) }
    }
}

/// The chance that a value of `first` beats one of `second`, ties as half: A₁₂ of Vargha and Delaney
/// (2000). `None` when a side is empty or a value is not finite.
///
/// The cut-offs for "small" and "large" found in books are conventions and left out.
pub fn chance_to_beat(first: &[f64], second: &[f64]) -> Option<f64> {
    let (first, second) = (sorted(first)?, sorted(second)?);
    let below = |value: f64| second.partition_point(|other| *other < value);
    let up_to = |value: f64| second.partition_point(|other| *other <= value);
    // a whole number
    let doubled: usize = first.iter().map(|value| below(*value) + up_to(*value)).sum();
    Some(doubled as f64 / (2 * first.len() * second.len()) as f64)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{HeadToHead, OrderBias, Signs, chance_to_beat, sign_test_p, swap_consistency};

    #[test]
    fn nothing_compared() {
        assert_eq!(HeadToHead::of::<Vec<Ordering>>(&[]), None);
        assert_eq!(HeadToHead::of(&[vec![]]), None);
        assert_eq!(OrderBias::new(0, 0), None);
        assert_eq!(swap_consistency(&[]), None);
        assert_eq!(sign_test_p(0, 0), None);
    }

    #[test]
    fn only_ties() {
        let ties = HeadToHead::of(&[[Ordering::Equal; 2]; 3]).unwrap();
        assert_eq!((ties.win_rate, ties.sign_flip.p), (0.5, 1.0));
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(chance_to_beat(&[], &[1.0]), None);
        assert_eq!(chance_to_beat(&[f64::NAN], &[1.0]), None);
        assert_eq!(chance_to_beat(&[3.0], &[3.0]), Some(0.5));
        assert_eq!(Signs::new(&[(1.0, 1.0)]), Signs { better: 0, worse: 0, same: 1, p: None });
    }
}
