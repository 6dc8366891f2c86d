//! What could be seen: the smallest gain that so many cases and runs can detect, and how many
//! would be needed for a given one.
//!
//! Never the power at the observed gain: it only restates p (Hoenig and Heisey 2001). Variances of
//! a pilot are rough, so every number here is shown with "about".

use super::distribution::{normal_quantile, root, t_test_power};
use super::interval::ALPHA;
use super::sum::{TIE, finite, mean, squares};

/// The wanted chance to detect a true gain.
const POWER: f64 = 0.8;

/// No plan asks for more cases.
const MOST_CASES: f64 = 1e6;

/// The variances of matched cases, and with them what can be detected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// How many cases, G; at least 2.
    pub cases: usize,
    /// Sample variance of the differences of case means; above 0.
    pub variance: f64,
    /// σ²ₐ, mean of the sample variances of a case's runs on the first side; `None` when no case
    /// has two.
    pub within_first: Option<f64>,
    /// σ²ᵦ, the same of the second side.
    pub within_second: Option<f64>,
    /// ω² = max(0, s_d² − σ²ₐ/Kₐ − σ²ᵦ/Kᵦ): variance of the true gains between cases.
    pub between: Option<f64>,
    /// The gain that a two-sided 5 % t test detects with 80 % probability, by the noncentral t.
    pub smallest_gain: f64,
}

impl Detection {
    /// What can be detected with `cases`, each the runs of the first and of the second side.
    ///
    /// `None` for fewer than two cases, a side without runs, or when every case moved by the same
    /// amount: without variance there is nothing to plan with.
    pub fn of<C: AsRef<[f64]>>(cases: &[(C, C)]) -> Option<Self> {
        let first: Vec<&[f64]> = cases.iter().map(|case| case.0.as_ref()).collect();
        let second: Vec<&[f64]> = cases.iter().map(|case| case.1.as_ref()).collect();
        let gain = |(a, b): (&&[f64], &&[f64])| Some(mean(a)? - mean(b)?);
        let gains: Vec<f64> = first.iter().zip(&second).map(gain).collect::<Option<_>>()?;
        let variance = variance(&gains)?;
        if variance.sqrt() < TIE {
            return None;
        }
        let (within_first, within_second) = (within(&first), within(&second));
        let by_runs = |within: Option<f64>, side: &[&[f64]]| Some(within? / runs(side)?);
        let from_runs = by_runs(within_first, &first)
            .zip(by_runs(within_second, &second))
            .map(|(first, second)| first + second);
        let count = cases.len() as f64;
        Some(Self {
            cases: cases.len(),
            variance,
            within_first,
            within_second,
            between: from_runs.map(|from_runs| (variance - from_runs).max(0.0)),
            smallest_gain: detectable_shift(count - 1.0)? * (variance / count).sqrt(),
        })
    }

    /// How many cases a true gain needs to be detected with 80 % probability at `level`, which is α,
    /// with as many runs of each: the least n for the t test, a fraction to be rounded up. At least 2.
    ///
    /// `None` when `gain` is 0 or not finite, or when more than a million cases would be needed.
    #[cfg_attr(not(test), expect(dead_code, reason = "a reference for plans that add cases"))]
    pub(super) fn cases_at(&self, level: f64, gain: f64) -> Option<f64> {
        let effect = finite(gain.abs() / self.variance.sqrt()).filter(|effect| *effect > 0.0)?;
        let power = |cases: f64| t_test_power(level, cases - 1.0, effect * cases.sqrt());
        if power(2.0)? >= POWER {
            return Some(2.0);
        }
        let shift = shift(level)?;
        let by_quantiles = finite(shift * shift * self.variance / (gain * gain))?;
        let start = by_quantiles.max(2.0) + 2.0;
        if start > MOST_CASES {
            return None;
        }
        solved(2.0, 2.0 * start + 20.0, start, power)
    }

    /// How many runs per case and side would detect a true `gain` with the same cases:
    /// (σ²ₐ+σ²ᵦ)/(G·gain²/(z₀.₉₇₅+z₀.₈)² − ω²).
    ///
    /// `None` when no number of runs would do, because the gains differ too much between cases, or
    /// when no case has two runs on each side.
    #[cfg_attr(not(test), expect(dead_code, reason = "for plans that add runs instead of cases"))]
    pub fn runs_needed(&self, gain: f64) -> Option<f64> {
        let shift = shift(ALPHA)?;
        let room = self.cases as f64 * gain * gain / (shift * shift) - self.between?;
        let within = self.within_first? + self.within_second?;
        (room > 0.0).then(|| within / room).and_then(finite)
    }
}

/// z₁₋α/₂ + z₀.₈ for a test at `level`, which is α; about 2.80 at 5 %.
fn shift(level: f64) -> Option<f64> {
    Some(normal_quantile(1.0 - level / 2.0)? + normal_quantile(POWER)?)
}

/// The noncentrality at which a t test of `freedom` degrees has the wanted power.
fn detectable_shift(freedom: f64) -> Option<f64> {
    let mut high = 2.0 * shift(ALPHA)?;
    while t_test_power(ALPHA, freedom, high)? < POWER {
        high *= 2.0;
    }
    solved(0.0, high, high / 2.0, |shift| t_test_power(ALPHA, freedom, shift))
}

/// Where an increasing power reaches what is wanted, by secants of its slope inside a bracket.
fn solved(low: f64, high: f64, start: f64, power: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    let at = |x: f64| power(x).unwrap_or(f64::NAN);
    finite(root(low, high, start, |x| {
        let value = at(x);
        let step = 1e-5 * x.max(1e-3);
        // A power this near to the wanted one is it: the integral is no finer.
        let distance = if (value - POWER).abs() < 1e-13 { 0.0 } else { value - POWER };
        (distance, (at(x + step) - value) / step)
    }))
}

fn variance(values: &[f64]) -> Option<f64> {
    let freedom = values.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    finite(squares(values, mean(values)?) / freedom as f64)
}

/// Mean sample variance of the runs of a case, over the cases with two runs or more.
fn within(side: &[&[f64]]) -> Option<f64> {
    let variances: Vec<f64> = side.iter().filter_map(|runs| variance(runs)).collect();
    mean(&variances)
}

/// Mean number of runs per case.
fn runs(side: &[&[f64]]) -> Option<f64> {
    mean(&side.iter().map(|runs| runs.len() as f64).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{ALPHA, Detection, shift};

    #[test]
    fn without_variance_or_cases() {
        assert_eq!(Detection::of(&[([0.5], [0.4])]), None);
        assert_eq!(Detection::of(&[([0.5], [0.25]), ([0.75], [0.5])]), None);
        assert_eq!(Detection::of(&[(vec![0.5], vec![]), (vec![0.5], vec![0.1])]), None);
    }

    #[test]
    fn single_runs_say_nothing_about_runs() {
        let detection = Detection::of(&[([0.5], [0.4]), ([0.9], [0.2]), ([0.3], [0.5])]).unwrap();
        assert_eq!((detection.within_first, detection.between), (None, None));
        assert_eq!(detection.runs_needed(0.1), None);
        assert_eq!(detection.cases_at(ALPHA, 0.0), None);
        assert_eq!(detection.cases_at(ALPHA, 1e-6), None);
        assert_eq!(detection.cases_at(ALPHA, 1e6), Some(2.0));
    }

    #[test]
    fn two_cases_and_very_many() {
        let two = Detection::of(&[([0.5], [0.4]), ([0.9], [0.2])]).unwrap();
        let needed = two.cases_at(ALPHA, 0.003).unwrap();
        assert!(two.smallest_gain > 3.0 * shift(ALPHA).unwrap() * (two.variance / 2.0).sqrt());
        let by_quantiles = two.variance * (shift(ALPHA).unwrap() / 0.003).powi(2);
        assert!((needed / by_quantiles - 1.0).abs() < 1e-4);
    }
}
