//! Costs: the ratio of both sides, and runs that cost far more than others. These are flagged,
//! never dropped.

use libm::{exp, log};

use super::sample::{Interval, finite, mean, mean_interval, median, sum, tie};

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
}

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

/// Σ first/Σ second, the ratio of the bills. `None` when the second side costs nothing.
pub fn ratio_of_totals(first: &[f64], second: &[f64]) -> Option<f64> {
    let total = sum(second.iter().copied());
    if total > 0.0 { finite(sum(first.iter().copied()) / total) } else { None }
}

/// A run that costs more than this many times the median of its case is named.
const RUNAWAY: f64 = 2.0;

/// Of two runs, one that costs more than this many times the other is named.
pub const FAR_FROM_ONE: f64 = 3.0;

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

#[cfg(test)]
mod tests {
    use super::{CostRatio, ratio_of_totals, runaways};

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
    fn flags() {
        assert_eq!(runaways(&[8100.0, 7900.0, 21_500.0]), [2]);
        assert_eq!(runaways(&[1.0, 9.0]), [1]);
        assert_eq!(runaways(&[3.1, 1.0]), [0]);
        assert_eq!(runaways(&[1.0, 3.0]), [0; 0]);
        assert_eq!(runaways(&[0.0, 9.0]), [0; 0]);
        assert_eq!(runaways(&[f64::NAN, 9.0]), [0; 0]);
        assert_eq!(runaways(&[9.0]), [0; 0]);
        assert_eq!(runaways(&[0.0, 0.0, 9.0]), [0; 0]);
    }
}
