//! The bootstrap by case: cases are drawn again with their runs, as other cases might have been.

use super::distribution::{normal_quantile, phi};
use super::interval::{ALPHA, Interval, Z};
use super::random::Random;
use super::sum::{finite, mean, sorted, squares, sum, tie};

/// From so many cases on a bootstrap interval may be shown: with fewer it covers too little,
/// 75 % with 3 cases and 89 % with 8 in simulation.
pub const BOOTSTRAP_CASES: usize = 20;

/// Up to so many cases the bootstrap of a mean is enumerated.
const ENUMERATED_CASES: usize = 10;

/// The resamples drawn when there are more cases.
const DRAWS: usize = 10_000;

/// The most cases drawn for one bootstrap: with very many cases fewer resamples are drawn.
const MAX_DRAWN: usize = 10_000_000;

/// Up to so many cases any statistic is computed again without each of them, for the correction.
const CORRECTED_CASES: usize = 1_000;

/// Where the resamples begin.
const SEED: u64 = 0xB007_57A4_B007_57A4;

/// Slack of the weights at a level, so that rounding moves no quantile.
const SLACK: f64 = 1e-12;

/// A bootstrap distribution, summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The statistic on the cases themselves.
    pub estimate: f64,
    /// How many different resamples were enumerated, or how many were drawn.
    pub resamples: usize,
    /// Whether all resamples are in it.
    pub exact: bool,
    /// Standard deviation around the estimate.
    pub error: f64,
    /// Quantiles at 2.5 and 97.5 %: the smallest value whose cumulative weight reaches the level.
    pub percentile: Interval,
    /// The corrected interval; `None` when it is undefined.
    pub corrected: Option<Corrected>,
}

/// The bias-corrected and accelerated interval, BCa (Efron 1987).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// z₀ = Φ⁻¹(weight below the estimate + half the weight at it).
    pub bias: f64,
    /// a = Σu³/(6(Σu²)^{3/2}), u the jackknife mean minus each leave-one-out value.
    pub acceleration: f64,
    /// Φ(z₀ + (z₀+z)/(1 − a(z₀+z))) for both ends.
    pub levels: (f64, f64),
    /// The quantiles at these levels.
    pub interval: Interval,
}

impl Bootstrap {
    /// The bootstrap of the mean of `values`, one per case.
    ///
    /// Up to 10 cases every multiset counts with its multinomial weight ("ideal bootstrap", Fisher
    /// and Hall 1991), so nothing is random; beyond, 10,000 resamples from a fixed seed. The order
    /// of the values never matters. Not to be shown under [`BOOTSTRAP_CASES`]: the t interval is.
    ///
    /// `None` for fewer than two values or when one is not finite.
    pub fn of_mean(values: &[f64]) -> Option<Self> {
        let values = sorted(values)?;
        let estimate = mean(&values)?;
        if values.len() < 2 {
            return None;
        }
        let exact = values.len() <= ENUMERATED_CASES;
        let mut outcomes = if exact { multisets(&values) } else { drawn_means(&values) };
        outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total = sum(values.iter().copied());
        let others = (values.len() - 1) as f64;
        let jackknife: Vec<f64> = values.iter().map(|value| (total - value) / others).collect();
        Self::from(estimate, &outcomes, &jackknife, exact)
    }

    /// The bootstrap of any `statistic` of cases, such as a median or a ratio, given the indices of
    /// the drawn cases; 10,000 resamples from a fixed seed, fewer from 1,000 cases on, and no
    /// correction then.
    ///
    /// `None` under [`BOOTSTRAP_CASES`] cases, or when the statistic is undefined for a resample.
    pub fn of(cases: usize, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Self> {
        if cases < BOOTSTRAP_CASES {
            return None;
        }
        let all: Vec<usize> = (0..cases).collect();
        let estimate = statistic(&all)?;
        let value = |resample: &[usize]| Some((statistic(resample).and_then(finite)?, 1));
        let mut outcomes = resamples(cases).map(|r| value(&r)).collect::<Option<Vec<_>>>()?;
        outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let without = |left_out: usize| {
            let others: Vec<usize> = all.iter().copied().filter(|case| *case != left_out).collect();
            statistic(&others)
        };
        let left_out = if cases <= CORRECTED_CASES { &all[..] } else { &[] };
        let jackknife = left_out.iter().map(|case| without(*case)).collect::<Option<Vec<_>>>()?;
        Self::from(estimate, &outcomes, &jackknife, false)
    }

    /// Sums up `outcomes`, ascending, each with its weight.
    fn from(
        estimate: f64,
        outcomes: &[(f64, u64)],
        jackknife: &[f64],
        exact: bool,
    ) -> Option<Self> {
        let total = outcomes.iter().map(|(_, weight)| weight).sum::<u64>() as f64;
        let squares = outcomes
            .iter()
            .map(|(value, weight)| *weight as f64 * (value - estimate) * (value - estimate));
        Some(Self {
            estimate,
            resamples: outcomes.len(),
            exact,
            error: finite((sum(squares) / total).sqrt())?,
            percentile: Interval {
                low: quantile(outcomes, ALPHA / 2.0),
                high: quantile(outcomes, 1.0 - ALPHA / 2.0),
            },
            corrected: corrected(estimate, outcomes, jackknife),
        })
    }
}

/// `None` when the estimate lies at an end of the distribution, when all leave-one-out values agree,
/// or when the acceleration turns the levels round.
fn corrected(estimate: f64, outcomes: &[(f64, u64)], jackknife: &[f64]) -> Option<Corrected> {
    let total = outcomes.iter().map(|(_, weight)| weight).sum::<u64>() as f64;
    let near = tie(&[estimate, outcomes[0].0, outcomes[outcomes.len() - 1].0]);
    let weight = |is: &dyn Fn(f64) -> bool| {
        outcomes.iter().filter(|(value, _)| is(*value)).map(|(_, weight)| weight).sum::<u64>()
    };
    let below = weight(&|value| value < estimate - near) as f64;
    let at = weight(&|value| (value - estimate).abs() <= near) as f64;
    let bias = normal_quantile((below + at / 2.0) / total)?;
    let acceleration = acceleration(jackknife)?;
    let level = |z: f64| {
        let scale = 1.0 - acceleration * (bias + z);
        (scale > 0.0).then(|| phi(bias + (bias + z) / scale))
    };
    let levels = (level(-Z)?, level(Z)?);
    let interval =
        Interval { low: quantile(outcomes, levels.0), high: quantile(outcomes, levels.1) };
    Some(Corrected { bias, acceleration, levels, interval })
}

fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let centre = mean(jackknife)?;
    let squares = squares(jackknife, centre);
    if squares.sqrt() <= tie(jackknife) {
        return None;
    }
    let cubes = sum(jackknife.iter().map(|value| {
        let distance = centre - value;
        distance * distance * distance
    }));
    finite(cubes / (6.0 * squares * squares.sqrt()))
}

/// The smallest value whose cumulative weight reaches `level`.
fn quantile(outcomes: &[(f64, u64)], level: f64) -> f64 {
    let total = outcomes.iter().map(|(_, weight)| weight).sum::<u64>() as f64;
    let mut cumulative = 0;
    let found = outcomes.iter().find(|(_, weight)| {
        cumulative += weight;
        cumulative as f64 / total >= level - SLACK
    });
    found.unwrap_or(&outcomes[outcomes.len() - 1]).0
}

/// The mean of every multiset of as many values, with the number of orders it can be drawn in.
fn multisets(values: &[f64]) -> Vec<(f64, u64)> {
    let mut found = Vec::new();
    let mut counts = vec![0; values.len()];
    fill(values, 0, values.len(), &mut counts, &mut found);
    found
}

/// Every way to give the `left` draws to the values from `index` on.
fn fill(
    values: &[f64],
    index: usize,
    left: usize,
    counts: &mut [usize],
    found: &mut Vec<(f64, u64)>,
) {
    if index == values.len() - 1 {
        counts[index] = left;
        let total = sum(values.iter().zip(&*counts).map(|(value, n)| value * *n as f64));
        found.push((total / values.len() as f64, orders(counts)));
        return;
    }
    for count in 0..=left {
        counts[index] = count;
        fill(values, index + 1, left - count, counts, found);
    }
}

/// n!/Πcᵢ!; at most 10!, so whole numbers hold it.
fn orders(counts: &[usize]) -> u64 {
    let factorial = |n: usize| (1..=n as u64).product::<u64>();
    factorial(counts.iter().sum()) / counts.iter().map(|count| factorial(*count)).product::<u64>()
}

fn drawn_means(values: &[f64]) -> Vec<(f64, u64)> {
    let count = values.len() as f64;
    let mean = |resample: Vec<usize>| sum(resample.iter().map(|case| values[*case])) / count;
    resamples(values.len()).map(|resample| (mean(resample), 1)).collect()
}

/// Resamples of the indices below `cases`.
fn resamples(cases: usize) -> impl Iterator<Item = Vec<usize>> {
    let draws = DRAWS.min(MAX_DRAWN / cases).max(1000);
    let mut random = Random::new(SEED);
    (0..draws).map(move |_| (0..cases).map(|_| random.below(cases)).collect())
}

#[cfg(test)]
mod tests {
    use super::Bootstrap;
    use crate::statistics::order::median;

    #[test]
    fn undefined() {
        assert_eq!(Bootstrap::of_mean(&[]), None);
        assert_eq!(Bootstrap::of_mean(&[1.0]), None);
        assert_eq!(Bootstrap::of_mean(&[1.0, f64::NAN]), None);
        assert_eq!(Bootstrap::of(19, |_| Some(1.0)), None);
        assert_eq!(Bootstrap::of(20, |_| None), None);
        let equal = Bootstrap::of_mean(&[0.5; 4]).unwrap();
        assert_eq!((equal.error, equal.corrected), (0.0, None));
    }

    #[test]
    fn drawn_and_enumerated_agree() {
        let values: Vec<f64> = (0..10).map(|n| f64::from(n * n % 7)).collect();
        let exact = Bootstrap::of_mean(&values).unwrap();
        assert!(exact.exact && exact.resamples == 92_378);
        let twice = [values.clone(), values].concat();
        let drawn = Bootstrap::of_mean(&twice).unwrap();
        assert!(!drawn.exact);
        assert!((drawn.error * 2.0_f64.sqrt() - exact.error).abs() < 0.02);
    }

    #[test]
    fn of_a_median() {
        let values: Vec<f64> = (0..25).map(|n| f64::from(n * 7 % 25)).collect();
        let pick = |cases: &[usize]| cases.iter().map(|case| values[*case]).collect::<Vec<_>>();
        let bootstrap = Bootstrap::of(25, |cases| median(&pick(cases))).unwrap();
        assert_eq!(bootstrap.estimate, 12.0);
        assert!(bootstrap.percentile.contains(12.0) && bootstrap.corrected.is_some());
    }
}
