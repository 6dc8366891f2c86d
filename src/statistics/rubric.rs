//! Scores of a rubric, 1 to 5: ordinal, so no means. Paired by case where cases match, the chance to
//! beat the other side where they do not.

use super::blind::sign_test_p;
use super::sum::sorted;

/// Cases better, worse and the same, with the sign test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signs {
    /// Cases with a higher score on the first side.
    pub better: u64,
    /// Cases with a lower score.
    pub worse: u64,
    /// Cases with the same score.
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
    use super::{Signs, chance_to_beat};

    #[test]
    fn nothing_to_compare() {
        assert_eq!(chance_to_beat(&[], &[1.0]), None);
        assert_eq!(chance_to_beat(&[f64::NAN], &[1.0]), None);
        assert_eq!(chance_to_beat(&[3.0], &[3.0]), Some(0.5));
        assert_eq!(Signs::new(&[(1.0, 1.0)]), Signs { better: 0, worse: 0, same: 1, p: None });
    }
}
