//! One run per case on both sides: which cases passed on one side only.

use super::distribution::{binomial_cdf, even_binomial};
use super::interval::{ALPHA, Interval, Z};

/// Matched passes and failures, one run per case and side. Several runs per case need a
/// [`PairedGain`](super::PairedGain).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McNemar {
    /// Cases that passed on both sides.
    pub both: u64,
    /// Cases that passed on the first side only.
    pub only_first: u64,
    /// Cases that passed on the second side only.
    pub only_second: u64,
    /// Cases that passed on neither side.
    pub neither: u64,
}

impl McNemar {
    /// Counts pairs of (passed on the first side, passed on the second).
    pub fn of(pairs: &[(bool, bool)]) -> Self {
        let count = |wanted| pairs.iter().filter(|pair| **pair == wanted).count() as u64;
        Self {
            both: count((true, true)),
            only_first: count((true, false)),
            only_second: count((false, true)),
            neither: count((false, false)),
        }
    }

    /// How many cases.
    pub fn cases(&self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// First rate minus second; `None` without cases.
    pub fn difference(&self) -> Option<f64> {
        let gain = self.only_first as f64 - self.only_second as f64;
        (self.cases() > 0).then(|| gain / self.cases() as f64)
    }

    /// Exact conditional p, 2·P(Bin(b+c, ½) ≤ min), at most 1 (McNemar 1947). Too cautious. 1 when
    /// no case changed.
    pub fn exact_p(&self) -> f64 {
        let changed = self.only_first + self.only_second;
        even_p(self.only_first.min(self.only_second), changed)
    }

    /// Mid-p, 2·P(Bin < min) + P(Bin = min): the one to show (Fagerland, Lydersen and Laake 2013).
    /// 1 when as many cases changed one way as the other.
    pub fn mid_p(&self) -> f64 {
        let fewer = self.only_first.min(self.only_second);
        if self.only_first == self.only_second {
            return 1.0;
        }
        let changed = self.only_first + self.only_second;
        let below = fewer.checked_sub(1).and_then(|k| binomial_cdf(k, changed, 0.5)).unwrap_or(0.0);
        (2.0 * below + even_binomial(fewer, changed)).min(1.0)
    }

    /// Bonett and Price's interval of the difference (2012): with p₁₂ = (b+1)/(n+2) and
    /// p₂₁ = (c+1)/(n+2), p₁₂ − p₂₁ ± z√((p₁₂+p₂₁−(p₁₂−p₂₁)²)/(n+2)), cut to [−1, 1]. `None`
    /// without cases.
    pub fn interval(&self) -> Option<Interval> {
        let cases = self.cases();
        let total = cases as f64 + 2.0;
        let first = (self.only_first as f64 + 1.0) / total;
        let second = (self.only_second as f64 + 1.0) / total;
        let difference = first - second;
        let half = Z * ((first + second - difference * difference) / total).sqrt();
        (cases > 0).then(|| Interval::around(difference, half).clip(-1.0, 1.0))
    }
}

/// Two-sided p of `fewer` of `total` even chances: 2·P(Bin ≤ fewer), at most 1.
pub(super) fn even_p(fewer: u64, total: u64) -> f64 {
    binomial_cdf(fewer, total, 0.5).map_or(1.0, |below| (2.0 * below).min(1.0))
}

/// How many cases must change, all one way, for p under 0.05: by the exact test and by mid-p.
pub fn changes_needed() -> (u64, u64) {
    let all_one_way = |n| McNemar { both: 0, only_first: n, only_second: 0, neither: 0 };
    let first = |p: fn(&McNemar) -> f64| (1..).find(|n| p(&all_one_way(*n)) < ALPHA).unwrap_or(0);
    (first(McNemar::exact_p), first(McNemar::mid_p))
}

#[cfg(test)]
mod tests {
    use super::McNemar;

    #[test]
    fn nothing_changed_and_nothing_there() {
        let same = McNemar::of(&[(true, true), (false, false)]);
        assert_eq!((same.exact_p(), same.mid_p(), same.difference()), (1.0, 1.0, Some(0.0)));
        let none = McNemar::of(&[]);
        assert_eq!((none.difference(), none.interval()), (None, None));
    }

    #[test]
    fn very_many_changes() {
        let many = McNemar { both: 0, only_first: 20_000, only_second: 10_000, neither: 0 };
        assert!(many.mid_p() < 1e-300 && many.interval().unwrap().low > 0.3);
    }
}
