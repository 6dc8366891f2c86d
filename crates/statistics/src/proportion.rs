//! Rates: k of n independent units; the mean over cases, whose runs say little about other cases;
//! several runs of one case; and how far two graders agree.

use super::distribution::{binomial_cdf, student_t_quantile};
use super::sample::{ALPHA, Interval, TIE, Z, mean, squares};

/// How many of some independent units passed. There is at least one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    passed: u64,
    total: u64,
}

impl Share {
    /// `passed` of `total`; `None` if `total` is 0 or less than `passed`.
    pub fn new(passed: u64, total: u64) -> Option<Self> {
        if total == 0 || passed > total { None } else { Some(Self { passed, total }) }
    }

    /// The number that passed; at most the total.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// The total; at least 1.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Passed over total, k/n, in 0..=1.
    pub fn rate(&self) -> f64 {
        self.passed as f64 / self.total as f64
    }

    /// Wilson's interval (Wilson 1927; Brown, Cai and DasGupta 2001):
    /// (p + z²/2n ± z√(p(1−p)/n + z²/4n²))/(1 + z²/n).
    pub fn wilson(&self) -> Interval {
        wilson(self.rate(), self.total as f64, Z)
    }

    /// The exact interval (Clopper and Pearson 1934): the rates at which so few, and so many, would pass
    /// by chance in 2.5 % of all draws each. It holds the truth at least as often as it says; that of
    /// Wilson holds it in 84 of 100 at a rate of 0.986 and twelve units, which is where graders are.
    pub fn exact(&self) -> Interval {
        let Self { passed, total } = *self;
        let at_most = |count: u64, rate: f64| binomial_cdf(count, total, rate).unwrap_or(1.0);
        Interval {
            low: match passed.checked_sub(1) {
                Some(fewer) => last_where(|rate| 1.0 - at_most(fewer, rate) < ALPHA / 2.0),
                None => 0.0,
            },
            high: if passed == total {
                1.0
            } else {
                last_where(|rate| at_most(passed, rate) > ALPHA / 2.0)
            },
        }
    }
}

/// The largest rate at which `holds`, which it does from 0 up to there.
fn last_where(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // As often as halves of 1 differ.
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
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
    /// The number of cases, G; at least 2.
    pub cases: usize,
    /// Mean of the case means: all cases weigh the same.
    pub estimate: f64,
    /// Wilson's formula with one unit per case and z: valid however similar the runs of a case are.
    pub one_unit_per_case: Interval,
    /// The narrower of that and Wilson's formula with the effective units and t₀.₉₇₅ of G−1
    /// degrees.
    pub interval: Interval,
}

/// Fewer cases than this may all be of one kind without any sign of it.
const TELLING_CASES: usize = 5;

impl CaseWilson {
    /// The interval to show: the narrower one from 5 cases on, below that the one that counts each
    /// case as one unit, which is valid however similar the runs of a case are.
    pub fn shown(&self) -> Interval {
        if self.cases < TELLING_CASES { self.one_unit_per_case } else { self.interval }
    }

    /// The interval for the mean of `case_means`, which cover `units` runs (strict success) or
    /// assertions (pass rate) in total.
    ///
    /// With p the mean and se = sd/√G, the effective units are p(1−p)/se², kept within \[G, N\]; G
    /// when se is 0 or p is 0 or 1. It is the effective sample size of Korn and Graubard 1998 with
    /// Wilson's formula, as Franco et al. 2019 recommend; t and the bounds G and N are based on
    /// simulation.
    ///
    /// In `benches/simulation` [`Self::shown`] covers 93.9 % or more over all truths together, in a
    /// single truth 92.3 % of pass rates, and 91.6 % of strict successes with one run per case.
    /// With 3 cases of 10 runs, half of them easy and half hard, `interval` covers only 83.5 %.
    ///
    /// `None` for fewer than two cases (one case says nothing about others), for fewer units than
    /// cases, or when a mean is outside \[0, 1\].
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
        // Case means that are all alike may still differ in the next cases.
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

/// How many of the same items two graders put in the same category, in the same order. `None`
/// without items or when the lists differ in length.
pub fn agreement<T: Eq>(first: &[T], second: &[T]) -> Option<Share> {
    if first.len() != second.len() {
        return None;
    }
    let agreed = first.iter().zip(second).filter(|(a, b)| a == b).count();
    Share::new(agreed as u64, first.len() as u64)
}

/// The chance that at least one of `k` runs succeeds, of which `passed` of `runs` did:
/// 1 − C(n−c, k)/C(n, k), unbiased (Chen et al. 2021).
///
/// Domain: 1 ≤ k ≤ n, c ≤ n, else `None`: it is never extrapolated.
pub fn pass_at_k(runs: u64, passed: u64, k: u64) -> Option<f64> {
    let failed = runs.checked_sub(passed)?;
    Some(1.0 - pass_hat_k(runs, failed, k)?)
}

/// The chance that all of `k` runs succeed, of which `passed` of `runs` did: C(c, k)/C(n, k)
/// (pass^k; Yao et al. 2024).
///
/// Domain: 1 ≤ k ≤ n, c ≤ n, else `None`. With as many tries as runs it is 0 or 1.
pub fn pass_hat_k(runs: u64, passed: u64, k: u64) -> Option<f64> {
    if k == 0 || k > runs || passed > runs {
        return None;
    }
    if k > passed {
        return Some(0.0);
    }
    // A product of fractions, never factorials.
    Some((0..k).map(|taken| (passed - taken) as f64 / (runs - taken) as f64).product())
}

/// The means over cases of `pass_at_k` and `pass_hat_k`, with cases as (runs, passed). `None`
/// without cases or when one has fewer than `k` runs.
pub fn mean_chances(cases: &[(u64, u64)], k: u64) -> Option<[f64; 2]> {
    let mut at_least_one = Vec::new();
    let mut all = Vec::new();
    for (runs, passed) in cases {
        at_least_one.push(pass_at_k(*runs, *passed, k)?);
        all.push(pass_hat_k(*runs, *passed, k)?);
    }
    Some([mean(&at_least_one)?, mean(&all)?])
}

/// How often an expectation that passes at `rate` looks stable in `runs` runs: pⁿ + (1−p)ⁿ. Domain:
/// 0 ≤ p ≤ 1, n ≥ 1, else `None`.
pub fn looks_stable(rate: f64, runs: u64) -> Option<f64> {
    if !(0.0..=1.0).contains(&rate) || runs == 0 {
        return None;
    }
    let runs = runs as f64;
    Some((libm::pow(rate, runs) + libm::pow(1.0 - rate, runs)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{Share, agreement, looks_stable, mean_chances, pass_at_k, pass_hat_k};
    use crate::random::Random;

    #[test]
    fn shares_are_possible_and_reach_the_ends() {
        assert_eq!(Share::new(0, 0), None);
        assert_eq!(Share::new(4, 3), None);
        let (none, all) = (Share::new(0, 7).unwrap(), Share::new(7, 7).unwrap());
        assert_eq!((none.wilson().low, all.wilson().high), (0.0, 1.0));
    }

    #[test]
    fn exact_intervals() {
        // binomtest(k, n).proportion_ci(method="exact") of scipy.
        for (passed, total, low, high) in [
            (10, 12, 0.515_862_251_314_032_7, 0.979_137_474_539_907_5),
            (12, 12, 0.735_351_530_602_948_6, 1.0),
            (0, 5, 0.0, 0.521_823_750_104_981_4),
            (3, 7, 0.098_988_278_442_507_85, 0.815_948_432_359_916_9),
            (1, 1, 0.025, 1.0),
            (29, 30, 0.827_830_544_366_587_2, 0.999_156_429_073_369_4),
        ] {
            let found = Share::new(passed, total).unwrap().exact();
            let is_near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(is_near(found.low, low) && is_near(found.high, high), "{passed} {found:?}");
        }
    }

    /// A grader is right at some rate. A person looks at twelve verdicts and cannot tell on some.
    #[test]
    fn an_exact_interval_holds_the_share_of_right_verdicts() {
        let mut random = Random::new(11);
        for rate in [0.5, 0.8, 0.95, 0.986] {
            let mut held = [0; 2];
            for _ in 0..400 {
                let (mut right, mut agreed, mut judged) = (0, 0, 0);
                for _ in 0..12 {
                    let is_right = random.unit() < rate;
                    right += u32::from(is_right);
                    if random.unit() < 0.15 {
                        continue;
                    }
                    judged += 1;
                    agreed += u64::from(is_right);
                }
                let Some(share) = Share::new(agreed, judged) else { continue };
                let range = share.exact();
                for (held, truth) in held.iter_mut().zip([f64::from(right) / 12.0, rate]) {
                    *held += u32::from(range.low <= truth && truth <= range.high);
                }
            }
            assert!(held.iter().all(|held| *held >= 368), "{held:?} of 400 at {rate}");
        }
    }

    #[test]
    fn agreement_counts_equal_categories() {
        assert_eq!(agreement(&[0, 1, 2, 1], &[0, 1, 1, 1]), Share::new(3, 4));
        assert_eq!(agreement::<u8>(&[], &[]), None);
        assert_eq!(agreement(&[1], &[1, 2]), None);
    }

    #[test]
    fn chances_of_several_tries() {
        for (runs, passed, k) in [(3, 2, 5), (3, 2, 0), (3, 4, 1), (0, 0, 1)] {
            assert_eq!(pass_at_k(runs, passed, k), None);
            assert_eq!(pass_hat_k(runs, passed, k), None);
        }
        assert_eq!(pass_at_k(10_000, 10_000, 10_000), Some(1.0));
        assert_eq!(pass_hat_k(10_000, 0, 3), Some(0.0));
        assert_eq!(mean_chances(&[(3, 1), (2, 1)], 3), None);
        assert_eq!(mean_chances(&[], 1), None);
        assert_eq!(looks_stable(1.5, 3), None);
        assert_eq!(looks_stable(0.5, 0), None);
    }
}
