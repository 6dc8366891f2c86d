//! A series of iterations: is there a trend, and how much too good does the best of them look?
//!
//! The same cases are in all iterations and iterations are tuned on them, so a trend describes this
//! set of cases, not future work.

use libm::exp;

use super::distribution::phi;
use super::sample::{TIE, median, sorted, sum};

/// The most values for which p is exact.
const EXACT_VALUES: usize = 60;

/// The most values: all pairs are compared.
const MOST_VALUES: usize = 2_000;

/// Mann and Kendall's test with Theil and Sen's line, over equally spaced values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// S = Σ_{i<j} sign(yⱼ−yᵢ) (Mann 1945; Kendall 1948); differences under 1e-9 are ties.
    pub s: i64,
    /// Two-sided p over all orders of the values: exact up to 60 values, then the normal
    /// approximation corrected for ties and continuity.
    pub p: f64,
    /// The smallest p that this many different values can reach, 2/n!.
    pub smallest_p: f64,
    /// Theil and Sen's slope (1950, 1968): median of the slopes of all pairs, per step.
    pub slope: f64,
}

impl Trend {
    /// The trend of `values` in their order. `None` for fewer than two, for more than 2,000, or
    /// when one is not finite.
    pub fn new(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let are_numbers = values.iter().all(|value| value.is_finite());
        if !(2..=MOST_VALUES).contains(&count) || !are_numbers {
            return None;
        }
        let mut s = 0;
        let mut slopes = Vec::new();
        for (i, earlier) in values.iter().enumerate() {
            for (j, later) in values.iter().enumerate().skip(i + 1) {
                s += i64::from(later - earlier > TIE) - i64::from(earlier - later > TIE);
                slopes.push((later - earlier) / (j - i) as f64);
            }
        }
        let ties = ties(values);
        let pairs = count * (count - 1) / 2;
        let untied = pairs - ties.iter().map(|tied| tied * (tied - 1) / 2).sum::<usize>();
        let exact = count <= EXACT_VALUES;
        Some(Self {
            s,
            p: if exact { exact_p(&ties, untied, s) } else { normal_p(&ties, count, s) },
            smallest_p: (1..=count).fold(2.0, |p, n| p / n as f64),
            slope: median(&slopes)?,
        })
    }
}

/// The number of equal values, by value.
fn ties(values: &[f64]) -> Vec<usize> {
    let values = sorted(values).unwrap_or_default();
    values.chunk_by(|a, b| b - a <= TIE).map(<[f64]>::len).collect()
}

/// The share of the orders of the values whose |S| is at least the observed one.
///
/// S = untied pairs − 2·inversions, and the inversions of a multiset add up group by group: those
/// of a group against all before it are distributed as Mann and Whitney's U.
fn exact_p(ties: &[usize], untied: usize, s: i64) -> f64 {
    let mut chances = vec![1.0];
    let mut before = 0;
    for group in ties {
        chances = added(&chances, &u_chances(before, *group));
        before += group;
    }
    let is_extreme = |inversions: usize| (untied as i64 - 2 * inversions as i64).abs() >= s.abs();
    let extreme = chances.iter().enumerate().filter(|(inversions, _)| is_extreme(*inversions));
    sum(extreme.map(|(_, chance)| *chance)).min(1.0)
}

/// The distribution of the sum of two independent whole numbers.
fn added(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            sums[i + j] += a * b;
        }
    }
    sums
}

/// The chances of U = 0…nm for n against m values without ties, by the side of the largest one.
fn u_chances(n: usize, m: usize) -> Vec<f64> {
    // rows[j]: the chances for i against j values, for growing i
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; m + 1];
    for i in 1..=n {
        let mut next = vec![vec![1.0]];
        for j in 1..=m {
            let mut chances = vec![0.0; i * j + 1];
            let first_chance = i as f64 / (i + j) as f64;
            // the largest on the first side is above all j of the second
            for (u, chance) in rows[j].iter().enumerate() {
                chances[u + j] += chance * first_chance;
            }
            for (u, chance) in next[j - 1].iter().enumerate() {
                chances[u] += chance * (1.0 - first_chance);
            }
            next.push(chances);
        }
        rows = next;
    }
    rows.swap_remove(m)
}

fn normal_p(ties: &[usize], count: usize, s: i64) -> f64 {
    let pairs = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let variance = (pairs(count as f64) - sum(ties.iter().map(|n| pairs(*n as f64)))) / 18.0;
    if s == 0 || variance <= 0.0 {
        return 1.0;
    }
    (2.0 * phi(-((s.abs() - 1) as f64) / variance.sqrt())).min(1.0)
}

/// By how many standard errors the best of `count` equally good versions looks too good: the mean
/// of the largest of that many standard normal values, k·∫xφ(x)Φ(x)^{k−1}dx (Tippett 1925). Errors
/// are taken as independent. 0 for one, `None` for none.
///
/// By the trapezoid rule, which converges exponentially here.
pub fn best_of(count: u64) -> Option<f64> {
    const STEPS_PER_UNIT: i32 = 32;
    let k = count as f64;
    let term = |step: i32| {
        let x = f64::from(step) / f64::from(STEPS_PER_UNIT);
        x * exp(-x * x / 2.0) * libm::pow(phi(x), k - 1.0)
    };
    let scale = k / (2.0 * std::f64::consts::PI).sqrt() / f64::from(STEPS_PER_UNIT);
    let terms = (-12 * STEPS_PER_UNIT..=12 * STEPS_PER_UNIT).map(term);
    match count {
        0 => None,
        1 => Some(0.0),
        _ => Some(scale * sum(terms)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Trend, best_of, exact_p, normal_p, ties};

    /// Every order of the values, by Heap's algorithm.
    fn plain(values: &mut Vec<f64>, size: usize, observed: i64, counts: &mut (u32, u32)) {
        if size == 1 {
            counts.1 += 1;
            counts.0 += u32::from(Trend::new(values).unwrap().s.abs() >= observed.abs());
            return;
        }
        for index in 0..size {
            plain(values, size - 1, observed, counts);
            values.swap(if size.is_multiple_of(2) { index } else { 0 }, size - 1);
        }
    }

    #[test]
    fn inversions_group_by_group_and_order_by_order_agree() {
        for values in [
            vec![0.1, 0.2, 0.2, 0.5, 0.4],
            vec![0.3, 0.3, 0.1, 0.1, 0.1, 0.9],
            vec![0.5, 0.5, 0.5],
            vec![0.9, 0.1, 0.7, 0.3, 0.2, 0.1],
        ] {
            let trend = Trend::new(&values).unwrap();
            let mut counts = (0, 0);
            plain(&mut values.clone(), values.len(), trend.s, &mut counts);
            let wanted = f64::from(counts.0) / f64::from(counts.1);
            assert!((trend.p - wanted).abs() < 1e-12, "{values:?}: {} {wanted}", trend.p);
        }
    }

    #[test]
    fn exact_and_approximate_meet_in_long_rows() {
        let values: Vec<f64> =
            (0..60).map(|n| f64::from(n * 17 % 23) + f64::from(n) / 15.0).collect();
        let trend = Trend::new(&values).unwrap();
        let ties = ties(&values);
        let untied = 1770 - ties.iter().map(|n| n * (n - 1) / 2).sum::<usize>();
        assert!((exact_p(&ties, untied, trend.s) - normal_p(&ties, 60, trend.s)).abs() < 0.003);
    }

    #[test]
    fn flat_short_and_long() {
        let flat = Trend::new(&[0.5; 4]).unwrap();
        assert_eq!((flat.s, flat.p, flat.slope), (0, 1.0, 0.0));
        assert_eq!(Trend::new(&[0.5]), None);
        assert_eq!(Trend::new(&[0.5, f64::NAN]), None);
        let long: Vec<f64> = (0..2000).map(f64::from).collect();
        assert!(Trend::new(&long).unwrap().p < 1e-12);
    }

    #[test]
    fn the_best_of_none_of_one_and_of_many() {
        assert_eq!((best_of(0), best_of(1)), (None, Some(0.0)));
        assert!((best_of(10_000).unwrap() - 3.8516).abs() < 1e-3);
    }
}
