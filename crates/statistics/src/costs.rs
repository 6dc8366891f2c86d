//! Costs: the ratio of both sides, and runs that cost far more than others. These are flagged,
//! never dropped.

use libm::{exp, log};

use super::distribution::normal_quantile;
use super::sample::{Interval, finite, mean, mean_interval, median, squares, sum, tie};

/// The typical ratio over matched cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostRatio {
    /// Cases with a cost above 0 on both sides; at least 1.
    pub cases: usize,
    /// exp(mean ln rᵢ): the arithmetic mean of ratios depends on which side is called the base
    /// (Fleming and Wallace 1986).
    pub geometric_mean: f64,
    /// The t interval on the logarithms, transformed back; `None` for one case, or when every case
    /// has the same ratio.
    pub interval: Option<Interval>,
    /// Cases whose ratio is above 1 by a tenth and more, at most [`cases`](Self::cases).
    pub dearer: usize,
    /// Cases whose ratio is below 1 by as much: 1/1.1 and less.
    pub cheaper: usize,
}

/// The factor from which on a case is dearer or cheaper.
const CLEAR: f64 = 1.1;

impl CostRatio {
    /// The ratio first/second over pairs of a case's mean (or median) cost on either side. Cases
    /// where one is 0, negative or not a number are left out: 0 means missing. `None` when no case
    /// has both.
    pub fn new(pairs: &[(f64, f64)]) -> Option<Self> {
        let mut logs = Vec::new();
        for (first, second) in pairs {
            if is_cost(*first) && is_cost(*second) {
                // A difference of logarithms cannot overflow.
                logs.push(log(*first) - log(*second));
            }
        }
        Some(Self {
            cases: logs.len(),
            geometric_mean: exp(mean(&logs)?),
            interval: ratio_interval(&logs),
            dearer: logs.iter().filter(|ratio| **ratio >= log(CLEAR)).count(),
            cheaper: logs.iter().filter(|ratio| **ratio <= -log(CLEAR)).count(),
        })
    }
}

fn is_cost(cost: f64) -> bool {
    cost.is_finite() && cost > 0.0
}

fn ratio_interval(logs: &[f64]) -> Option<Interval> {
    let interval = mean_interval(logs)?;
    // Costs computed from one formula have one ratio, which shows no precision.
    if interval.width() <= tie(logs) {
        return None;
    }
    Some(Interval { low: exp(interval.low), high: finite(exp(interval.high))? })
}

/// The deviation between the logarithms of what runs of one case cost: they spread by that much at
/// least, so a few equal runs show no precision.
const LEAST_SPREAD: f64 = 0.25;

/// Ratios of single runs that scatter by this many times the spread are believed more than it.
const FAR_SCATTER: f64 = 2.0;

/// The lower end of the typical ratio first/second, one-sided at 95 %:
/// exp(mean dᵢ − z·s·√(Σ(1/nᵢ + 1/mᵢ))/G), where dᵢ is the logarithm of the ratio of the means of a
/// case with nᵢ and mᵢ runs. The spread s is that of runs within their cases, at least 0.25. Where
/// the dᵢ scatter by more than twice as much, as with a run far out, it is theirs.
///
/// Cases without a cost above 0 on both sides are left out; `None` when no case has both.
pub fn least_ratio(cases: &[[Vec<f64>; 2]]) -> Option<f64> {
    let (mut ratios, mut shares) = (Vec::new(), Vec::new());
    let (mut within, mut freedom) = (Vec::new(), 0);
    for sides in cases {
        let costs = sides.each_ref().map(|runs| -> Vec<f64> {
            runs.iter().copied().filter(|cost| is_cost(*cost)).collect()
        });
        let [Some(first), Some(second)] = costs.each_ref().map(|costs| mean(costs)) else {
            continue;
        };
        ratios.push(log(first) - log(second));
        shares.push(costs.iter().map(|costs| 1.0 / costs.len() as f64).sum());
        for costs in &costs {
            let logs: Vec<f64> = costs.iter().map(|cost| log(*cost)).collect();
            within.push(squares(&logs, mean(&logs)?));
            freedom += logs.len() - 1;
        }
    }
    let typical = mean(&ratios)?;
    let mut spread = LEAST_SPREAD;
    if freedom > 0 {
        spread = spread.max((sum(within) / freedom as f64).sqrt());
    }
    let shares = sum(shares);
    if ratios.len() > 1 {
        let scatter = squares(&ratios, typical) / (ratios.len() - 1) as f64;
        let of_one_run = (scatter / (shares / ratios.len() as f64)).sqrt();
        if of_one_run > FAR_SCATTER * spread {
            spread = of_one_run;
        }
    }
    let error = spread * shares.sqrt() / ratios.len() as f64;
    Some(exp(typical - normal_quantile(0.95)? * error))
}

/// Σ first/Σ second, the ratio of the bills. `None` when the second side costs nothing.
pub fn ratio_of_totals(first: &[f64], second: &[f64]) -> Option<f64> {
    let total = sum(second.iter().copied());
    if total > 0.0 { finite(sum(first.iter().copied()) / total) } else { None }
}

/// A run that costs more than this many times the median of its case is named.
const RUNAWAY: f64 = 2.0;

/// Of two runs, one that costs more than this many times the other is named.
const FAR_FROM_ONE: f64 = 3.0;

/// Indices of runs that cost more than twice the median of their case: with three runs no z can
/// exceed 1.15. Of two runs one must cost more than three times the other: when their logarithms
/// spread by 0.3, as costs of the same work do, 1 in 100 pairs is that far apart. Empty for fewer
/// than two.
pub fn runaways(costs: &[f64]) -> Vec<usize> {
    let centre = median(costs).unwrap_or(0.0);
    let mut far = Vec::new();
    for (at, cost) in costs.iter().enumerate() {
        let (usual, times) =
            if costs.len() == 2 { (costs[1 - at], FAR_FROM_ONE) } else { (centre, RUNAWAY) };
        if usual > 0.0 && *cost > times * usual {
            far.push(at);
        }
    }
    far
}

/// What a case usually costs: the mean of its runs without those that [`runaways`] names, which are
/// said for themselves and count in the totals. `None` without a run.
pub fn usual_cost(costs: &[f64]) -> Option<f64> {
    let far = runaways(costs);
    let mut usual = Vec::new();
    for (at, cost) in costs.iter().enumerate() {
        if !far.contains(&at) {
            usual.push(*cost);
        }
    }
    mean(&usual)
}

#[cfg(test)]
mod tests {
    use super::{CostRatio, least_ratio, ratio_of_totals, runaways, usual_cost};

    #[test]
    fn missing_costs_are_left_out() {
        let ratio = CostRatio::new(&[(2.0, 1.0), (0.0, 1.0), (1.0, f64::NAN), (8.0, 4.0)]).unwrap();
        assert_eq!(ratio.cases, 2);
        assert!((ratio.geometric_mean - 2.0).abs() < 1e-12);
        assert_eq!(CostRatio::new(&[(0.0, 1.0)]), None);
        assert_eq!(CostRatio::new(&[(3.0, 1.5)]).unwrap().interval, None);
        assert_eq!(CostRatio::new(&[(3.0, 1.5), (0.2, 0.1)]).unwrap().interval, None);
        assert_eq!(ratio_of_totals(&[1.0], &[0.0]), None);
        assert_eq!(ratio_of_totals(&[1.0, 3.0], &[2.0]), Some(2.0));
    }

    #[test]
    fn the_lower_end_is_below_by_the_noise_of_runs() {
        let single = |ratios: &[f64]| {
            let cases: Vec<_> = ratios.iter().map(|ratio| [vec![*ratio], vec![1.0]]).collect();
            least_ratio(&cases)
        };
        let is_near =
            |actual: Option<f64>, expected: f64| (actual.unwrap() - expected).abs() < 1e-3;
        // exp(−1.645 · 0.25 · √2/√3) = 0.715
        assert!(is_near(single(&[1.5; 3]), 1.5 * 0.715), "{:?}", single(&[1.5; 3]));
        assert!(is_near(single(&[1.5]), 1.5 * 0.559), "{:?}", single(&[1.5]));
        assert_eq!(single(&[]), None);
        assert_eq!(single(&[0.0, f64::NAN]), None);
        let repeated = [[vec![1.5; 3], vec![1.0; 3]], [vec![1.5; 3], vec![1.0; 3]]];
        assert!(is_near(least_ratio(&repeated), 1.5 * 0.7887), "{:?}", least_ratio(&repeated));
        // Runs that spread by more, and one run far out.
        let spread = [[vec![0.5, 4.5], vec![0.4, 3.6]], [vec![0.5, 4.5], vec![0.4, 3.6]]];
        assert!(least_ratio(&spread).unwrap() < 0.5);
        assert!(single(&[1.0, 1.0, 1.0, 1.0, 30.0]).unwrap() < 1.0);
    }

    #[test]
    fn flags() {
        assert_eq!(runaways(&[8100.0, 7900.0, 21_500.0]), [2]);
        assert_eq!(runaways(&[1.0, 9.0]), [1]);
        assert_eq!(runaways(&[3.1, 1.0]), [0]);
        assert_eq!(runaways(&[1.0, 3.0]), [0; 0]);
        assert_eq!(runaways(&[0.0, 9.0]), [0; 0]);
        assert_eq!(runaways(&[f64::NAN, 9.0]), [0; 0]);
        assert_eq!(runaways(&[9.0]), [0; 0]);
        assert_eq!(runaways(&[0.0, 0.0, 9.0]), [0; 0]);
        assert_eq!(usual_cost(&[10.0, 14.0, 600.0]), Some(12.0));
        assert_eq!(usual_cost(&[10.0, 600.0]), Some(10.0));
        assert_eq!(usual_cost(&[600.0]), Some(600.0));
        assert_eq!(usual_cost(&[]), None);
    }
}
