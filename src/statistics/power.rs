//! What could be seen: the smallest gain that so many cases and runs can detect.
//!
//! Never the power at the observed gain: it only restates p (Hoenig and Heisey 2001). Variances of
//! a pilot are rough, so every number here is shown with "about".

use super::distribution::{normal_quantile, root, t_test_power};
use super::interval::ALPHA;
use super::sum::{TIE, finite, mean, squares};

/// The wanted chance to detect a true gain.
const POWER: f64 = 0.8;

/// What can be detected with matched cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// The gain that a two-sided 5 % t test detects with 80 % probability, by the noncentral t.
    pub smallest_gain: f64,
}

impl Detection {
    /// What can be detected with `cases`, each the runs of the first and of the second side.
    ///
    /// `None` for fewer than two cases, a side without runs, or when every case moved by the same
    /// amount: without variance there is nothing to plan with.
    pub fn of<C: AsRef<[f64]>>(cases: &[(C, C)]) -> Option<Self> {
        let gain = |(first, second): &(C, C)| Some(mean(first.as_ref())? - mean(second.as_ref())?);
        let gains: Vec<f64> = cases.iter().map(gain).collect::<Option<_>>()?;
        let freedom = gains.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
        let variance = finite(squares(&gains, mean(&gains)?) / freedom)?;
        if variance.sqrt() < TIE {
            return None;
        }
        let error = (variance / gains.len() as f64).sqrt();
        Some(Self { smallest_gain: detectable_shift(freedom)? * error })
    }
}

/// z₁₋α/₂ + z₀.₈, about 2.80: the noncentrality at which a z test has the wanted power.
fn normal_shift() -> Option<f64> {
    Some(normal_quantile(1.0 - ALPHA / 2.0)? + normal_quantile(POWER)?)
}

/// The noncentrality at which a t test of `freedom` degrees has the wanted power, by secants of its
/// slope inside a bracket.
fn detectable_shift(freedom: f64) -> Option<f64> {
    let power = |shift: f64| t_test_power(ALPHA, freedom, shift);
    let mut high = 2.0 * normal_shift()?;
    while power(high)? < POWER {
        high *= 2.0;
    }
    let at = |shift: f64| power(shift).unwrap_or(f64::NAN);
    finite(root(0.0, high, high / 2.0, |shift| {
        let value = at(shift);
        let step = 1e-5 * shift.max(1e-3);
        // A power this near to the wanted one is it: the integral is no finer.
        let distance = if (value - POWER).abs() < 1e-13 { 0.0 } else { value - POWER };
        (distance, (at(shift + step) - value) / step)
    }))
}

#[cfg(test)]
mod tests {
    use super::{Detection, normal_shift};

    #[test]
    fn without_variance_or_cases() {
        assert_eq!(Detection::of(&[([0.5], [0.4])]), None);
        assert_eq!(Detection::of(&[([0.5], [0.25]), ([0.75], [0.5])]), None);
        assert_eq!(Detection::of(&[(vec![0.5], vec![]), (vec![0.5], vec![0.1])]), None);
    }

    #[test]
    fn two_cases_detect_less_than_the_normal_distribution_says() {
        let two = Detection::of(&[([0.5], [0.4]), ([0.9], [0.2])]).unwrap();
        let error = 0.3;
        assert!(two.smallest_gain > 3.0 * normal_shift().unwrap() * error);
    }
}
