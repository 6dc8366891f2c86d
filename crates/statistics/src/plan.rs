//! What so few cases and runs can show: the error of a level, and the gain that would be detected.

use super::distribution::{normal_quantile, root, t_test_power};
use super::paired::{ModeratedGain, PRIOR_BETWEEN, PRIOR_CHECK, PRIOR_FREEDOM};
use super::sample::{ALPHA, TIE, finite, mean, squares, sum};
use super::sample::{CaseRuns, differences};

/// The wanted chance to detect a true gain.
const CHANCE: f64 = 0.8;

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
    use super::{CaseRuns, version_error};
    use crate::best_of;

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
