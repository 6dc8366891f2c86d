//! Intervals of a rate: of k of n independent units, and of the mean over cases, whose runs say little
//! about other cases.

use super::distribution::student_t_quantile;
use super::interval::{ALPHA, Interval, Z};
use super::sample::{TIE, mean, squares};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    passed: u64,
    total: u64,
}

impl Share {
    /// `passed` of `total`; `None` when there are no units or more passed than there are.
    pub fn new(passed: u64, total: u64) -> Option<Self> {
        (total > 0 && passed <= total).then_some(Self { passed, total })
    }

    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// How many there are; at least 1.
    pub fn total(&self) -> u64 {
        self.total
    }

    pub fn rate(&self) -> f64 {
        self.passed as f64 / self.total as f64
    }

    /// Wilson's interval (Wilson 1927; Brown, Cai and DasGupta 2001):
    /// (p + z²/2n ± z√(p(1−p)/n + z²/4n²))/(1 + z²/n).
    pub fn wilson(&self) -> Interval {
        wilson(self.rate(), self.total as f64, Z)
    }
}

/// Wilson's formula for a rate, a number of units and a quantile; the ends are exact at 0 and 1.
pub(super) fn wilson(rate: f64, units: f64, quantile: f64) -> Interval {
    let square = quantile * quantile;
    let scale = 1.0 + square / units;
    let centre = (rate + square / (2.0 * units)) / scale;
    let spread = rate * (1.0 - rate) / units + square / (4.0 * units * units);
    let half = quantile / scale * spread.sqrt();
    Interval {
        low: if rate <= 0.0 { 0.0 } else { (centre - half).clamp(0.0, rate) },
        high: if rate >= 1.0 { 1.0 } else { (centre + half).clamp(rate, 1.0) },
    }
}

/// The case Wilson interval of the mean of case means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseWilson {
    /// How many cases, G; at least 2.
    pub cases: usize,
    /// Mean of the case means: every case weighs the same.
    pub estimate: f64,
    /// Wilson's formula with one unit per case and z: holds however alike the runs of a case are.
    pub one_unit_per_case: Interval,
    /// The narrower one of that and Wilson's formula with the effective units and t₀.₉₇₅ of G−1
    /// degrees.
    pub interval: Interval,
}

/// Fewer cases than this may well all be of one kind, and nothing in them tells.
const TELLING_CASES: usize = 5;

impl CaseWilson {
    /// The interval to show: the narrower one from 5 cases on, below that the one that counts each
    /// case as one unit, which holds however alike the runs of a case are.
    pub fn shown(&self) -> Interval {
        if self.cases < TELLING_CASES { self.one_unit_per_case } else { self.interval }
    }

    /// The interval for the mean of `case_means`, which hold `units` runs (strict success) or
    /// assertions (pass rate) together.
    ///
    /// With p the mean and se = sd/√G, the effective units are p(1−p)/se², kept within \[G, N\]; G
    /// when se is 0 or p is 0 or 1. It is the effective sample size of Korn and Graubard 1998 with
    /// Wilson's formula, as Franco et al. 2019 recommend; t and the bounds G and N stand on
    /// simulation.
    ///
    /// In `benches/simulation` [`Self::shown`] covers 93.9 % or more over all truths together,
    /// in a single truth 92.3 % of pass rates, and 91.6 % of strict successes with one run per case.
    /// With 3 cases of 10 runs, half of them easy and half hard, `interval` covers but 83.5 %.
    ///
    /// `None` for fewer than two cases (one case says nothing about others), for fewer units than
    /// cases, or when a mean lies outside \[0, 1\].
    pub fn new(case_means: &[f64], units: usize) -> Option<Self> {
        let cases = case_means.len();
        let are_rates = case_means.iter().all(|mean| (0.0..=1.0).contains(mean));
        if cases < 2 || units < cases || !are_rates {
            return None;
        }
        let count = cases as f64;
        let estimate = mean(case_means)?;
        let variance = squares(case_means, estimate) / (count - 1.0) / count;
        let at_an_end = !(TIE..=1.0 - TIE).contains(&estimate);
        let effective_units = if variance.sqrt() < TIE || at_an_end {
            count
        } else {
            (estimate * (1.0 - estimate) / variance).clamp(count, units as f64)
        };
        let t = student_t_quantile(1.0 - ALPHA / 2.0, count - 1.0)?;
        let from_spread = wilson(estimate, effective_units, t);
        let one_unit_per_case = wilson(estimate, count, Z);
        let is_narrower = from_spread.width() <= one_unit_per_case.width();
        let interval = if is_narrower { from_spread } else { one_unit_per_case };
        Some(Self { cases, estimate, one_unit_per_case, interval })
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn shares_that_cannot_be() {
        assert_eq!(Share::new(0, 0), None);
        assert_eq!(Share::new(4, 3), None);
    }

    #[test]
    fn none_and_all_reach_the_ends() {
        let (none, all) = (Share::new(0, 7).unwrap(), Share::new(7, 7).unwrap());
        assert_eq!((none.wilson().low, all.wilson().high), (0.0, 1.0));
    }
}
