//! The level of a configuration: the mean over cases with an interval that knows that runs of one
//! case say little about other cases.

use super::distribution::student_t_quantile;
use super::interval::{ALPHA, Interval, Z};
use super::proportion::wilson;
use super::sum::{TIE, mean, squares};

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
