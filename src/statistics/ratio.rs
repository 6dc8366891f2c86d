//! Costs: how many times the tokens or seconds of the other side.

use libm::{exp, log};

use super::interval::{Interval, mean_interval};
use super::sample::{finite, mean, sum, tie};

/// The typical ratio over matched cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostRatio {
    /// Cases with a cost above 0 on both sides; at least 1.
    pub cases: usize,
    /// exp(mean ln rᵢ): the arithmetic mean of ratios depends on which side is called the base
    /// (Fleming and Wallace 1986).
    pub geometric_mean: f64,
    /// The t interval on the logarithms, turned back; `None` for one case, or when every case has
    /// the same ratio.
    pub interval: Option<Interval>,
}

impl CostRatio {
    /// The ratio first/second over pairs of a case's mean (or median) cost on either side, without
    /// cases where one is 0, negative or not a number: 0 stands for missing. `None` when no case has
    /// both.
    pub fn new(pairs: &[(f64, f64)]) -> Option<Self> {
        let is_cost = |cost: f64| cost.is_finite() && cost > 0.0;
        let both = pairs.iter().filter(|(first, second)| is_cost(*first) && is_cost(*second));
        // a difference of logarithms cannot overflow
        let logs: Vec<f64> = both.map(|(first, second)| log(*first) - log(*second)).collect();
        let back = |interval: Interval| {
            Some(Interval { low: exp(interval.low), high: finite(exp(interval.high))? })
        };
        Some(Self {
            cases: logs.len(),
            geometric_mean: exp(mean(&logs)?),
            interval: mean_interval(&logs)
                .filter(|mean_interval| mean_interval.width() > tie(&logs))
                .and_then(back),
        })
    }
}

/// Σ first/Σ second: what the bill follows. `None` when the second side costs nothing.
pub fn ratio_of_totals(first: &[f64], second: &[f64]) -> Option<f64> {
    let total = sum(second.iter().copied());
    (total > 0.0).then(|| sum(first.iter().copied()) / total).and_then(finite)
}

#[cfg(test)]
mod tests {
    use super::{CostRatio, ratio_of_totals};

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
}
