//! Intervals of a rate, k of n independent units, and of the difference of two rates.
//!
//! They hold when every unit is independent: one run per case, or the runs of one case considered
//! alone. Several runs of several cases need [`CaseWilson`](super::CaseWilson).

use libm::pow;

use super::distribution::beta_quantile;
use super::interval::{ALPHA, Interval, Z};

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

    /// Clopper and Pearson's interval (1934): beta quantiles B(α/2; k, n−k+1) and
    /// B(1−α/2; k+1, n−k). Never covers less than 95 %, so it is wide.
    pub fn clopper_pearson(&self) -> Interval {
        let low = if self.passed == 0 { 0.0 } else { self.beta(ALPHA / 2.0, 0.0, 1.0) };
        let high =
            if self.passed == self.total { 1.0 } else { self.beta(1.0 - ALPHA / 2.0, 1.0, 0.0) };
        Interval { low, high }
    }

    /// Jeffreys' interval: equal tails of B(k+½, n−k+½). The end is 0 when none passed and 1 when
    /// all did, as Brown, Cai and DasGupta 2001 advise; [`beta_tails`](Self::beta_tails) has the
    /// plain one.
    pub fn jeffreys(&self) -> Interval {
        let tails = self.beta_tails(0.5);
        Interval {
            low: if self.passed == 0 { 0.0 } else { tails.low },
            high: if self.passed == self.total { 1.0 } else { tails.high },
        }
    }

    /// Equal tails of B(k+c, n−k+c): ½ for Jeffreys' prior, 1 for the uniform one (Bowyer et al.
    /// 2025). With none or all passed it leaves out the rate itself. `prior` below 0 counts as 0.
    pub fn beta_tails(&self, prior: f64) -> Interval {
        let prior = prior.max(0.0);
        Interval {
            low: self.beta(ALPHA / 2.0, prior, prior),
            high: self.beta(1.0 - ALPHA / 2.0, prior, prior),
        }
    }

    /// Agresti and Coull's interval (1998): p̃ ± z√(p̃(1−p̃)/ñ) with ñ = n+z², p̃ = (k+z²/2)/ñ, cut to
    /// [0, 1].
    pub fn agresti_coull(&self) -> Interval {
        let total = self.total as f64 + Z * Z;
        let rate = (self.passed as f64 + Z * Z / 2.0) / total;
        Interval::around(rate, Z * (rate * (1.0 - rate) / total).sqrt()).clip(0.0, 1.0)
    }

    /// The quantile at `p` of B(k+`more_passed`, n−k+`more_failed`); the nearer end of [0, 1] where
    /// a parameter is 0.
    fn beta(&self, p: f64, more_passed: f64, more_failed: f64) -> f64 {
        let passed = self.passed as f64 + more_passed;
        let failed = (self.total - self.passed) as f64 + more_failed;
        beta_quantile(p, passed, failed).unwrap_or(if passed > failed { 1.0 } else { 0.0 })
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

/// The rate that is ruled out from above at 95 %, one-sided, when none of `units` showed it:
/// 1 − 0.05^(1/n), exact; 3/n is its approximation (Hanley and Lippman-Hand 1983). `None` for no
/// units.
pub fn highest_rate_when_none(units: u64) -> Option<f64> {
    (units > 0).then(|| 1.0 - pow(ALPHA, 1.0 / units as f64))
}

/// The interval of a − b for rates of units that do not match: Newcombe 1998, method 10, from the
/// Wilson intervals of both. Matched cases are far more precise as a
/// [`PairedGain`](super::PairedGain).
pub fn newcombe(a: Share, b: Share) -> Interval {
    let (rate_a, rate_b) = (a.rate(), b.rate());
    let (of_a, of_b) = (a.wilson(), b.wilson());
    let difference = rate_a - rate_b;
    Interval {
        low: difference - libm::hypot(rate_a - of_a.low, of_b.high - rate_b),
        high: difference + libm::hypot(of_a.high - rate_a, rate_b - of_b.low),
    }
}

#[cfg(test)]
mod tests {
    use super::{Share, highest_rate_when_none, newcombe};

    #[test]
    fn shares_that_cannot_be() {
        assert_eq!(Share::new(0, 0), None);
        assert_eq!(Share::new(4, 3), None);
        assert_eq!(highest_rate_when_none(0), None);
    }

    #[test]
    fn none_and_all_reach_the_ends() {
        let (none, all) = (Share::new(0, 7).unwrap(), Share::new(7, 7).unwrap());
        for interval in [none.wilson(), none.clopper_pearson(), none.jeffreys()] {
            assert_eq!(interval.low, 0.0);
        }
        for interval in [all.wilson(), all.clopper_pearson(), all.jeffreys()] {
            assert_eq!(interval.high, 1.0);
        }
        assert!(newcombe(none, all).low >= -1.0);
    }

    #[test]
    fn tails_without_a_prior() {
        let tails = Share::new(3, 3).unwrap().beta_tails(0.0);
        assert_eq!((tails.low, tails.high), (1.0, 1.0));
    }
}
