//! Intervals of a rate, k of n independent units, and of the difference of two rates.
//!
//! They hold when every unit is independent: one run per case, or the runs of one case considered
//! alone. Several runs of several cases need [`CaseWilson`](super::CaseWilson).

use super::interval::{Interval, Z};

/// `passed` of `total` units.
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

    /// How many passed.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// How many there are; at least 1.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// k/n.
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
