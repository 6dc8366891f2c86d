//! Scores of a rubric, 1 to 5: ordinal, so no means. Paired by case where cases match, Cliff's
//! delta where they do not.

use super::blind::sign_test_p;
use super::distribution::phi;
use super::sign_flip::SignFlip;
use super::sum::{finite, sorted, sum};

/// Up to so many pairs of one value from each side the p of Cliff's delta is exact.
const EXACT_PAIRS: usize = 2_500;

/// Cases better, worse and the same, with the sign test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signs {
    /// Cases with a higher score on the first side.
    pub better: u64,
    /// Cases with a lower score.
    pub worse: u64,
    /// Cases with the same score.
    pub same: u64,
    /// Two-sided sign test; `None` when no case differs.
    pub p: Option<f64>,
}

impl Signs {
    /// Counts pairs of (score on the first side, score on the second) of one case each. Pairs that
    /// cannot be compared count as the same.
    pub fn of(pairs: &[(f64, f64)]) -> Self {
        let better = pairs.iter().filter(|(a, b)| a > b).count() as u64;
        let worse = pairs.iter().filter(|(a, b)| a < b).count() as u64;
        let same = pairs.len() as u64 - better - worse;
        Self { better, worse, same, p: sign_test_p(better, worse) }
    }
}

/// Wilcoxon's signed-rank test (1945), zeros dropped, equal sizes sharing their mean rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// Sum of the ranks of the positive differences.
    pub positive_ranks: f64,
    /// The sign-flip test of the signed ranks: exact whatever the ties.
    pub sign_flip: SignFlip,
}

impl SignedRank {
    /// Tests `differences`, one per case. `None` when none differs from 0 or one is not finite.
    pub fn of(differences: &[f64]) -> Option<Self> {
        let differences: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
        let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
        let order = sorted(&sizes)?;
        let rank = |size: f64| {
            let below = order.partition_point(|other| *other < size);
            let up_to = order.partition_point(|other| *other <= size);
            (below + up_to + 1) as f64 / 2.0
        };
        let ranks: Vec<f64> = differences.iter().map(|d| rank(d.abs()) * d.signum()).collect();
        Some(Self {
            positive_ranks: sum(ranks.iter().copied().filter(|rank| *rank > 0.0)),
            sign_flip: SignFlip::of(&ranks)?,
        })
    }
}

/// Cliff's delta of two samples that do not match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CliffsDelta {
    /// δ = (#greater − #less)/(n₁n₂) (Cliff 1993), from −1 to 1.
    pub delta: f64,
    /// A₁₂ = (δ+1)/2 (Vargha and Delaney 2000): the chance that a value of the first side beats one
    /// of the second, ties as half.
    pub a12: f64,
    /// Mann and Whitney's U of the first side, ties as half.
    pub u: f64,
    /// Two-sided p over all ways to share out the values: twice the smaller tail, at most 1. `None`
    /// for more than 2,500 pairs.
    pub exact_p: Option<f64>,
    /// Two-sided p by the normal approximation, corrected for ties and continuity (Mann and Whitney
    /// 1947). `None` when all values are equal.
    pub normal_p: Option<f64>,
}

impl CliffsDelta {
    /// Compares `first` with `second`. `None` when a side is empty or a value is not finite.
    ///
    /// The cut-offs for "small" and "large" found in books are conventions and left out.
    pub fn of(first: &[f64], second: &[f64]) -> Option<Self> {
        let (first, second) = (sorted(first)?, sorted(second)?);
        let below = |value: f64| second.partition_point(|other| *other < value);
        let up_to = |value: f64| second.partition_point(|other| *other <= value);
        // 2U, a whole number
        let doubled: usize = first.iter().map(|value| below(*value) + up_to(*value)).sum();
        let pairs = first.len() * second.len();
        let a12 = doubled as f64 / (2 * pairs) as f64;
        let ties = ties(&first, &second);
        let exact = (pairs <= EXACT_PAIRS).then(|| exact_p(&ties, first.len(), doubled));
        Some(Self {
            delta: (doubled as f64 - pairs as f64) / pairs as f64,
            a12,
            u: doubled as f64 / 2.0,
            exact_p: exact,
            normal_p: normal_p(&ties, first.len(), second.len(), doubled),
        })
    }

    /// The p to show: the exact one, or the approximation for large samples.
    pub fn p(&self) -> Option<f64> {
        self.exact_p.or(self.normal_p)
    }
}

/// How often every value occurs on both sides together, ascending.
fn ties(first: &[f64], second: &[f64]) -> Vec<usize> {
    let mut values = [first, second].concat();
    values.sort_by(f64::total_cmp);
    values.chunk_by(|a, b| a == b).map(<[f64]>::len).collect()
}

/// Twice the smaller tail of 2U, at most 1, over all ways to share out the values.
fn exact_p(ties: &[usize], first: usize, observed: usize) -> f64 {
    let second = ties.iter().sum::<usize>() - first;
    let mut chances = vec![vec![0.0; 2 * first * second + 1]; first + 1];
    chances[0][0] = 1.0;
    let mut seen = 0;
    for tied in ties {
        chances = shared_out(&chances, seen, *tied, second);
        seen += tied;
    }
    let whole = sum(chances[first].iter().copied());
    let below = sum(chances[first][..=observed].iter().copied());
    let above = sum(chances[first][observed..].iter().copied());
    (2.0 * below.min(above) / whole).min(1.0)
}

/// `chances[x][u]`, in proportion, that x of the `seen` lower values went to the first side and gave
/// 2U = u, after `tied` equal values more: each that goes to the first side beats all lower ones on
/// the second and ties with the equal ones there.
fn shared_out(chances: &[Vec<f64>], seen: usize, tied: usize, second: usize) -> Vec<Vec<f64>> {
    let first = chances.len() - 1;
    let mut next = vec![vec![0.0; chances[0].len()]; first + 1];
    for taken in seen.saturating_sub(second)..=first.min(seen) {
        let lower = seen - taken;
        for more in (tied + lower).saturating_sub(second)..=tied.min(first - taken) {
            let won = more * (2 * lower + tied - more);
            let ways = ways(tied, more);
            for (u, chance) in chances[taken].iter().enumerate().filter(|(_, c)| **c > 0.0) {
                next[taken + more][u + won] += chance * ways;
            }
        }
    }
    // kept near 1, so that nothing overflows
    let largest = next.iter().flatten().fold(0.0, |largest: f64, chance| largest.max(*chance));
    next.iter_mut().flatten().for_each(|chance| *chance /= largest);
    next
}

/// C(n, k) by its product form.
fn ways(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |ways, taken| ways * (n - taken) as f64 / (taken + 1) as f64)
}

fn normal_p(ties: &[usize], first: usize, second: usize, doubled: usize) -> Option<f64> {
    let (n, m) = (first as f64, second as f64);
    let total = n + m;
    let tied = sum(ties.iter().map(|tied| {
        let tied = *tied as f64;
        tied * tied * tied - tied
    }));
    let variance = n * m / 12.0 * (total + 1.0 - tied / (total * (total - 1.0)));
    let distance = (doubled as f64 / 2.0 - n * m / 2.0).abs() - 0.5;
    let z = finite(distance / variance.sqrt())?;
    Some((2.0 * phi(-z)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{CliffsDelta, SignedRank, Signs};

    /// Every way to share out the values, one by one.
    fn plain(first: &[f64], second: &[f64]) -> f64 {
        let all = [first, second].concat();
        let u = |inside: &dyn Fn(usize) -> bool| {
            let mut doubled = 0;
            for (i, a) in all.iter().enumerate().filter(|(i, _)| inside(*i)) {
                for (_, b) in all.iter().enumerate().filter(|(j, _)| *j != i && !inside(*j)) {
                    doubled += if a > b { 2 } else { i32::from(a == b) };
                }
            }
            doubled
        };
        let observed = u(&|index| index < first.len());
        let (mut below, mut above, mut count) = (0.0, 0.0, 0.0);
        for set in 0..1_u32 << all.len() {
            if set.count_ones() as usize == first.len() {
                let value = u(&|index| set >> index & 1 == 1);
                count += 1.0;
                below += f64::from(u8::from(value <= observed));
                above += f64::from(u8::from(value >= observed));
            }
        }
        f64::min(2.0 * f64::min(below, above) / count, 1.0)
    }

    #[test]
    fn tails_value_by_value_and_one_by_one_agree() {
        for (first, second) in [
            (vec![5.0, 4.0, 4.0, 3.0], vec![3.0, 3.0, 1.0]),
            (vec![1.0, 2.0], vec![1.0, 2.0, 2.0, 5.0, 5.0]),
            (vec![1.0], vec![2.0]),
            (vec![3.0; 4], vec![3.0; 3]),
        ] {
            let delta = CliffsDelta::of(&first, &second).unwrap();
            assert!((delta.exact_p.unwrap() - plain(&first, &second)).abs() < 1e-12);
        }
    }

    #[test]
    fn exact_and_approximate_meet_in_large_samples() {
        let side =
            |shift: usize| (0..50).map(move |n| ((n * 7 + shift) % 5) as f64 + shift as f64 / 4.0);
        let delta =
            CliffsDelta::of(&side(1).collect::<Vec<_>>(), &side(0).collect::<Vec<_>>()).unwrap();
        assert!((delta.exact_p.unwrap() - delta.normal_p.unwrap()).abs() < 0.01, "{delta:?}");
        let large = CliffsDelta::of(&[1.0; 300], &[2.0; 300]).unwrap();
        assert!(large.exact_p.is_none() && large.p().unwrap() < 1e-12);
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(CliffsDelta::of(&[], &[1.0]), None);
        assert_eq!(CliffsDelta::of(&[f64::NAN], &[1.0]), None);
        let equal = CliffsDelta::of(&[3.0], &[3.0]).unwrap();
        assert_eq!((equal.delta, equal.exact_p, equal.normal_p), (0.0, Some(1.0), None));
        assert_eq!(SignedRank::of(&[0.0, 0.0]), None);
        assert_eq!(Signs::of(&[(1.0, 1.0)]), Signs { better: 0, worse: 0, same: 1, p: None });
    }
}
