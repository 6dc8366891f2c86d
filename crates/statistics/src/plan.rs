//! How many more runs or cases would decide if the observed gain is the true one. Variances of a
//! few cases are rough, so they are moderated and shown with "about". Fix it beforehand: checking
//! after each further run and stopping at a small p is not a test.

use super::distribution::{ln_choose, normal_quantile, phi, root, t_test_power};
use super::paired::{ModeratedGain, PRIOR_BETWEEN, PRIOR_CHECK, PRIOR_FREEDOM, SETTLED_P};
use super::sample::{ALPHA, TIE, finite, mean, squares, sum};
use super::sample::{CaseRuns, differences};

/// The wanted chance to decide, or to detect a true gain.
const CHANCE: f64 = 0.8;

/// The basis for planning further runs or cases. Gains and deviations are in shares of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The observed gain with its moderated variance.
    moderated: ModeratedGain,
    /// Runs per case and side so far, rounded down.
    pub runs: usize,
    /// σ²: variance of the runs of one side of a case.
    within: f64,
    /// Mean square of the true differences by case, at least that of the mean gain.
    square: f64,
}

impl Plan {
    /// A plan based on the results in `cases`; `None` without a gain, or if `ModeratedGain::estimate`
    /// is.
    pub fn from_pilot(cases: &[CaseRuns<'_>]) -> Option<Self> {
        let moderated =
            ModeratedGain::estimate(cases).filter(|estimate| estimate.mean.abs() > 0.0)?;
        let within = within(cases)?;
        let runs = cases.iter().map(CaseRuns::runs).fold(f64::INFINITY, f64::min);
        let square = squares(&differences(cases)?, 0.0) / cases.len() as f64;
        // The squares of observed differences hold the noise of the runs as well.
        let square = (square - 2.0 * within / runs).max(moderated.mean * moderated.mean);
        Some(Self { moderated, runs: runs as usize, within, square })
    }

    /// The fewest runs per case and side with which the permutation of runs would detect this gain
    /// on the same cases with a chance of 80 %. More than so far and at most `last`, with `at_once`
    /// candidates compared (Bonferroni). `None` if no number would.
    pub fn runs_to_decide(&self, at_once: usize, last: usize) -> Option<usize> {
        let level = SETTLED_P / at_once.max(1) as f64;
        least(self.runs + 1, last, |runs| self.chance_with_runs(runs, level))
    }

    /// The chance that K runs per side give a permutation p within `level`, which is α, by the
    /// normal approximation: Φ((|d̄| − c)/√(2σ²/(K·G))) with c = z₁₋α/₂·√(2(σ² +
    /// K·D²/(4K−2))/(K·G)), D² the mean square of the differences. 0 if even the smallest p,
    /// 2/C(2K, K)^G, is above `level`.
    fn chance_with_runs(&self, runs: usize, level: f64) -> Option<f64> {
        let cases = self.moderated.cases as f64;
        let arrangements = ln_choose(2 * runs as u64, runs as u64) * cases;
        if libm::log(2.0 / level) > arrangements + 1e-9 {
            return Some(0.0);
        }
        let k = runs as f64;
        let pooled = self.within + k * self.square / (4.0 * k - 2.0);
        let critical = normal_quantile(1.0 - level / 2.0)? * (2.0 * pooled / (k * cases)).sqrt();
        let error = (2.0 * self.within / (k * cases)).sqrt();
        finite(phi((self.moderated.mean.abs() - critical) / error))
    }

    /// The fewest cases, with as many runs each, that would settle this gain on cases like these
    /// with a chance of 80 %. More than so far and at most `last`. By the power of the t test of the
    /// moderated variance at `SETTLED_P` over `at_once` candidates (Bonferroni). At least as many
    /// as a sign-flip test needs to reach that p; with exactly that many all must move the same
    /// way, with a chance of Φ(|d̄|/√v)^G. `None` if no number would.
    pub fn cases_to_settle(&self, at_once: usize, last: usize) -> Option<usize> {
        let level = SETTLED_P / at_once.max(1) as f64;
        least(self.moderated.cases + 1, last, |cases| {
            let smallest_p = 2.0 * libm::exp2(-(cases as f64));
            if smallest_p > level {
                return Some(0.0);
            }
            let shift = self.effect() * (cases as f64).sqrt();
            let chance = t_test_power(level, (cases - 1) as f64, shift)?;
            if 2.0 * smallest_p <= level {
                return Some(chance);
            }
            // One case fewer could not settle it, so all of these must move the same way.
            Some(chance.min(libm::pow(phi(self.effect()), cases as f64)))
        })
    }

    /// |d̄|/√v, the gain in deviations of a case.
    fn effect(&self) -> f64 {
        self.moderated.mean.abs() / self.moderated.variance.sqrt()
    }
}

/// σ² = (d₀σ₀² + Σ(x−x̄)²)/(d₀ + Σ(K−1)): variance of the runs of one side of a case around their
/// mean, moderated with σ₀² = (0.08 + 0.3·mean(1/m))/2, half the usual variance of a difference of
/// single runs with m checks.
fn within(cases: &[CaseRuns<'_>]) -> Option<f64> {
    let noise: Vec<f64> = cases.iter().map(|case| 1.0 / case.checks).collect();
    let usual = (PRIOR_BETWEEN + PRIOR_CHECK * mean(&noise)?) / 2.0;
    let mut around = Vec::new();
    let mut freedom = PRIOR_FREEDOM;
    for side in cases.iter().flat_map(|case| [case.first, case.second]) {
        around.push(squares(side, mean(side)?));
        freedom += (side.len() - 1) as f64;
    }
    finite((PRIOR_FREEDOM * usual + sum(around)) / freedom)
}

/// The standard error of one version's level, √(w/G). w = σ²/K is the noise of a case on one side,
/// at most half the moderated variance of a difference. `cases` are those of two versions with as
/// many runs. `None` without a moderated interval.
pub fn version_error(cases: &[CaseRuns<'_>]) -> Option<f64> {
    let moderated = ModeratedGain::estimate(cases)?;
    let shares: Vec<f64> = cases.iter().map(|case| 1.0 / case.runs()).collect();
    let noise = (within(cases)? * mean(&shares)?).min(moderated.variance / 2.0);
    Some((noise / cases.len() as f64).sqrt())
}

/// The smallest number from `first` to `last` with the wanted chance, which increases with it.
fn least(first: usize, last: usize, chance: impl Fn(usize) -> Option<f64>) -> Option<usize> {
    if first > last || chance(last)? < CHANCE {
        return None;
    }
    let (mut low, mut high) = (first, last);
    while low < high {
        let middle = low + (high - low) / 2;
        if chance(middle).is_some_and(|chance| chance >= CHANCE) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}

/// The gain that a two-sided 5 % t test over `cases` detects with 80 % probability, by the noncentral
/// t. Never the power at the observed gain: it only restates p (Hoenig and Heisey 2001).
///
/// `None` for fewer than two cases, a side without runs, or when every case moved by the same
/// amount: without variance there is nothing to plan with.
pub fn detectable_gain(cases: &[CaseRuns<'_>]) -> Option<f64> {
    let gains = differences(cases)?;
    if gains.len() < 2 {
        return None;
    }
    let freedom = (gains.len() - 1) as f64;
    let variance = finite(squares(&gains, mean(&gains)?) / freedom)?;
    // Three cases that all moved by 20 points say nothing of how others vary.
    if variance.sqrt() < TIE {
        return None;
    }
    let error = (variance / gains.len() as f64).sqrt();
    Some(detectable_shift(freedom)? * error)
}

/// The noncentrality at which a t test of `freedom` degrees has the wanted power, by secants of its
/// slope inside a bracket.
fn detectable_shift(freedom: f64) -> Option<f64> {
    // Twice z₁₋α/₂ + z₀.₈, at which a z test has the wanted power.
    let mut high = 2.0 * (normal_quantile(1.0 - ALPHA / 2.0)? + normal_quantile(CHANCE)?);
    while t_test_power(ALPHA, freedom, high)? < CHANCE {
        high *= 2.0;
    }
    finite(root(0.0, high, high / 2.0, |shift| {
        let step = 1e-5 * shift.max(1e-3);
        let [value, next] = [shift, shift + step]
            .map(|shift| t_test_power(ALPHA, freedom, shift).unwrap_or(f64::NAN));
        // A power this close to the wanted one is accepted: the integral is not more precise.
        let distance = if (value - CHANCE).abs() < 1e-13 { 0.0 } else { value - CHANCE };
        (distance, (next - value) / step)
    }))
}

#[cfg(test)]
mod tests {
    use super::{CaseRuns, Plan, version_error};
    use crate::SETTLED_P;
    use crate::best_of;

    fn pilot<'r>(first: &'r [f64], second: &'r [f64], cases: usize) -> Plan {
        Plan::from_pilot(&vec![CaseRuns { first, second, checks: 5.0 }; cases]).unwrap()
    }

    #[test]
    fn a_chance_by_hand() {
        let plan = pilot(&[0.75], &[0.5], 5);
        // σ² = 0.07 and D² = 0.0625, so c = 2.153875·√(2·(0.07 + 3·0.0625/10)/15) = 0.23430
        let chance = plan.chance_with_runs(3, SETTLED_P).unwrap();
        let wanted = super::phi((0.25 - 0.234_301) / 0.096_609);
        assert!((chance - wanted).abs() < 1e-4, "{chance} {wanted}");
    }

    #[test]
    fn larger_gains_and_more_cases_need_less() {
        let runs = |gain: f64, cases| pilot(&[0.5 + gain], &[0.5], cases).runs_to_decide(1, 20);
        assert!(runs(0.25, 3) > runs(0.5, 3) && runs(0.25, 3) > runs(0.25, 8));
        assert_eq!((runs(0.02, 3), runs(0.5, 1)), (None, Some(9)));
        let settle = |gain: f64| pilot(&[0.5 + gain], &[0.5], 3).cases_to_settle(1, 200);
        assert!(settle(0.1) > settle(0.25) && settle(0.02).is_none());
        assert_eq!(settle(0.5), Some(7));
        let plan = pilot(&[1.0], &[0.5], 3);
        assert!(plan.cases_to_settle(1, 200) < plan.cases_to_settle(5, 200));
        assert!(plan.runs_to_decide(1, 20) < plan.runs_to_decide(5, 20));
    }

    #[test]
    fn plans_ask_for_more_than_there_is() {
        let plan = pilot(&[1.0; 7], &[0.0; 7], 9);
        assert_eq!((plan.runs_to_decide(1, 20), plan.cases_to_settle(1, 200)), (Some(8), Some(10)));
        let plan = pilot(&[1.0; 20], &[0.0; 20], 9);
        assert_eq!(plan.runs_to_decide(1, 20), None);
    }

    #[test]
    fn the_best_of_more_looks_better() {
        // σ² = 0.0775 for single runs of 4 checks; E[max of two] = 1/√π, of ten 1.538_753
        let case = |first| CaseRuns { first, second: &[0.5], checks: 4.0 };
        let cases = [[0.0], [1.0], [0.0], [1.0]];
        let cases: Vec<CaseRuns<'_>> = cases.iter().map(|first| case(first)).collect();
        let optimism_of_best = |cases: &[CaseRuns<'_>], versions| {
            best_of(versions).unwrap() * version_error(cases).unwrap()
        };
        let optimism = [1, 2, 10].map(|versions| optimism_of_best(&cases, versions));
        let level = (0.0775_f64 / 4.0).sqrt();
        assert_eq!(optimism[0], 0.0);
        assert!((optimism[1] - level / std::f64::consts::PI.sqrt()).abs() < 1e-9);
        assert!((optimism[2] - 1.538_753 * level).abs() < 1e-6);
        // differences that hardly vary leave less uncertainty
        let alike = vec![case(&[0.5]); 12];
        let bound = (4.0 * 0.155 / 15.0 / 2.0 / 12.0_f64).sqrt() * 1.538_753;
        assert!((optimism_of_best(&alike, 10) - bound).abs() < 1e-6);
    }

    #[test]
    fn without_a_gain_there_is_nothing_to_plan() {
        let case = CaseRuns { first: &[0.5], second: &[0.5], checks: 5.0 };
        assert_eq!(Plan::from_pilot(&[case]), None);
        assert_eq!(Plan::from_pilot(&[]), None);
    }

    fn detectable(cases: &[(&[f64], &[f64])]) -> Option<f64> {
        let cases = cases.iter().map(|(first, second)| CaseRuns { first, second, checks: 1.0 });
        super::detectable_gain(&cases.collect::<Vec<_>>())
    }

    #[test]
    fn without_variance_or_cases() {
        assert_eq!(detectable(&[(&[0.5], &[0.4])]), None);
        assert_eq!(detectable(&[(&[0.5], &[0.25]), (&[0.75], &[0.5])]), None);
        assert_eq!(detectable(&[(&[0.5], &[]), (&[0.5], &[0.1])]), None);
    }

    #[test]
    fn two_cases_detect_less_than_the_normal_distribution_says() {
        let two = detectable(&[(&[0.5], &[0.4]), (&[0.9], &[0.2])]).unwrap();
        let error = 0.3;
        assert!(two > 3.0 * 2.801_585_218 * error);
    }
}
