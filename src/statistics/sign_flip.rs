//! The sign-flip test: if the two sides could have been swapped within every case, how often would
//! so large a mean turn up?

use super::random::Random;
use super::sample::{finite, sorted, sum, tie};

/// Up to so many cases that differ every pattern of signs is counted.
const ENUMERATED_CASES: usize = 32;

const DRAWS: u64 = 100_000;

/// The most look-ups of eight signs for one test: with very many cases fewer patterns are drawn.
const MAX_LOOKUPS: u64 = 10_000_000;

const SEED: u64 = 0x5EED_0F51_6E5F_0001;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    /// Two-sided p: the share of sign patterns at least as extreme as the observed one.
    pub p: f64,
    /// The smallest p that so many cases can reach: 2/2^G, or one draw.
    pub smallest_p: f64,
}

impl SignFlip {
    /// Tests the mean of `differences`, one per case (Fisher 1935; Pitman 1937).
    ///
    /// p = #{signs: |Σsᵢdᵢ| ≥ |Σdᵢ|}/2^G, means nearer than 1e-9 (of the largest |dᵢ|, when that
    /// is above 1) counting as equal. Up to [`ENUMERATED_CASES`] cases all 2^G patterns count, by
    /// the sorted sums of the two halves of the cases. Beyond, cases without a difference are left
    /// out, which changes no share; are the others still too many, 100,000 patterns are drawn from a
    /// fixed seed (fewer above 800 cases) and p is (hits+1)/(draws+1). The order of the cases never
    /// matters.
    ///
    /// `None` for no differences or when one is not finite.
    pub fn new(differences: &[f64]) -> Option<Self> {
        let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
        let sizes = sorted(&sizes)?;
        let observed = finite(sum(differences.iter().copied()).abs())?;
        finite(sum(sizes.iter().copied()))?;
        let bound = observed - tie(&sizes) * sizes.len() as f64;
        if sizes.len() <= ENUMERATED_CASES {
            return Some(Self::enumerated(&sizes, bound));
        }
        let smallest_p = 2.0 * 0.5_f64.powi(i32::try_from(sizes.len()).unwrap_or(i32::MAX));
        let near = tie(&sizes);
        let apart = &sizes[sizes.partition_point(|size| *size <= near)..];
        Some(if apart.len() <= ENUMERATED_CASES {
            Self { smallest_p, ..Self::enumerated(apart, bound) }
        } else {
            Self::drawn(apart, bound)
        })
    }

    fn enumerated(sizes: &[f64], bound: f64) -> Self {
        let flips = 1_u64 << sizes.len();
        let (left, right) = sizes.split_at(sizes.len() / 2);
        let as_extreme = if bound <= 0.0 {
            flips
        } else {
            2 * pairs_from(&signed_sums(left), &signed_sums(right), bound)
        };
        Self { p: as_extreme as f64 / flips as f64, smallest_p: (2.0 / flips as f64).min(1.0) }
    }

    fn drawn(sizes: &[f64], bound: f64) -> Self {
        let tables: Vec<[f64; 256]> = sizes.chunks(8).map(sums_of_bytes).collect();
        let draws = DRAWS.min(MAX_LOOKUPS / tables.len() as u64).max(1000);
        let mut random = Random::new(SEED);
        let hits = (0..draws).filter(|_| signed_sum(&tables, &mut random).abs() >= bound).count();
        let patterns = (draws + 1) as f64;
        Self { p: (hits + 1) as f64 / patterns, smallest_p: 1.0 / patterns }
    }
}

/// Σ±size for every pattern of signs, ascending.
fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for size in sizes {
        sums = merged(&sums, *size);
    }
    sums
}

/// Every sum with `size` taken away and added, ascending.
fn merged(sums: &[f64], size: f64) -> Vec<f64> {
    let mut merged = Vec::with_capacity(2 * sums.len());
    let mut lower = sums.iter().map(|sum| sum - size).peekable();
    for upper in sums.iter().map(|sum| sum + size) {
        while let Some(sum) = lower.next_if(|sum| *sum <= upper) {
            merged.push(sum);
        }
        merged.push(upper);
    }
    merged
}

/// How many a + b reach `bound`, both lists ascending.
fn pairs_from(a: &[f64], b: &[f64], bound: f64) -> u64 {
    let mut from = b.len();
    let mut count = 0;
    for value in a {
        while from > 0 && value + b[from - 1] >= bound {
            from -= 1;
        }
        count += (b.len() - from) as u64;
    }
    count
}

/// The signed sums of up to eight sizes, by the bits of a byte.
fn sums_of_bytes(sizes: &[f64]) -> [f64; 256] {
    std::array::from_fn(|byte| {
        let sign = |bit: usize| if byte >> bit & 1 == 1 { 1.0 } else { -1.0 };
        sizes.iter().enumerate().map(|(bit, size)| sign(bit) * size).sum()
    })
}

fn signed_sum(tables: &[[f64; 256]], random: &mut Random) -> f64 {
    let mut total = 0.0;
    for tables in tables.chunks(8) {
        let bits = random.bits().to_le_bytes();
        total += tables.iter().zip(bits).map(|(table, byte)| table[byte as usize]).sum::<f64>();
    }
    total
}

#[cfg(test)]
mod tests {
    use super::SignFlip;
    use crate::statistics::random::Random;

    /// The p by every pattern, one by one.
    fn plain(differences: &[f64]) -> f64 {
        let observed: f64 = differences.iter().sum::<f64>().abs();
        let sum = |signs: u64| -> f64 {
            let sign = |index: usize| if signs >> index & 1 == 1 { 1.0 } else { -1.0 };
            differences.iter().enumerate().map(|(index, d)| sign(index) * d).sum()
        };
        let patterns = 1_u64 << differences.len();
        let is_extreme =
            |signs: &u64| sum(*signs).abs() >= observed - 1e-9 * differences.len() as f64;
        (0..patterns).filter(is_extreme).count() as f64 / patterns as f64
    }

    #[test]
    fn halves_count_what_one_by_one_counts() {
        let mut random = Random::new(5);
        for cases in 1..=12 {
            for _ in 0..20 {
                let thirds = |_| ((random.bits() % 7) as f64 - 2.0) / 3.0;
                let differences: Vec<f64> = (0..cases).map(thirds).collect();
                let test = SignFlip::new(&differences).unwrap();
                assert_eq!(test.p, plain(&differences), "{differences:?}");
            }
        }
    }

    #[test]
    fn cases_without_a_difference_change_no_p() {
        for cases in [6, 32, 33, 60, 2000] {
            let mut differences = vec![0.0; cases];
            differences[..6].fill(0.25);
            let test = SignFlip::new(&differences).unwrap();
            assert_eq!(test.p, 1.0 / 32.0, "{cases}");
        }
        assert_eq!(SignFlip::new(&[0.0; 50]).unwrap().p, 1.0);
    }

    #[test]
    fn drawn_patterns_come_near_the_counted_ones() {
        let differences: Vec<f64> = (0..30).map(|n| f64::from(n * 7 % 11) / 11.0 - 0.33).collect();
        let counted = SignFlip::new(&differences).unwrap();
        let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
        let observed = differences.iter().sum::<f64>().abs();
        let drawn = SignFlip::drawn(&sizes, observed - 1e-9);
        assert_ne!(counted.smallest_p, drawn.smallest_p);
        assert!((counted.p - drawn.p).abs() < 0.005, "{} {}", counted.p, drawn.p);
    }

    #[test]
    fn scale_does_not_matter() {
        let differences = [0.3, -0.1, 0.2, 0.2, 0.5, -0.4, 0.1];
        for scale in [1e-3, 1e12] {
            let scaled = differences.map(|d| d * scale);
            assert_eq!(SignFlip::new(&scaled), SignFlip::new(&differences));
        }
    }

    #[test]
    fn undefined() {
        assert_eq!(SignFlip::new(&[]), None);
        assert_eq!(SignFlip::new(&[f64::INFINITY]), None);
        assert_eq!(SignFlip::new(&[f64::MAX, f64::MAX]), None);
    }
}
