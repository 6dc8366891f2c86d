//! The sign-flip test: if the two sides could have been swapped within every case, how often would
//! so large a mean occur?

use super::permutation::{ArrangementCounts, exact_p};
use super::random::Random;
use super::sample::{finite, sorted, sum, tie};

/// The most differing cases for which every pattern of signs is counted.
const ENUMERATED_CASES: usize = 32;

const DRAWS: u64 = 100_000;

/// The most look-ups of eight signs for one test: with very many cases there are fewer draws.
const MAX_LOOKUPS: u64 = 10_000_000;

const SEED: u64 = 0x5EED_0F51_6E5F_0001;

/// Two-sided p of the mean of `differences`, one per case (Fisher 1935; Pitman 1937): the share of
/// sign patterns at least as extreme as the observed one.
///
/// p = #{signs: |Σsᵢdᵢ| ≥ |Σdᵢ|}/2^G, where means that differ by less than 1e-9 (of the largest
/// |dᵢ|, when that is above 1) count as equal. Cases without a difference are left out, which
/// changes no share. Up to [`ENUMERATED_CASES`] others all 2^G patterns count; beyond, 100,000
/// patterns are drawn from a fixed seed (fewer above 800 cases) and p is (hits+1)/(draws+1). The
/// order of the cases never matters.
///
/// `None` for no differences or when one is not finite.
pub(super) fn sign_flip_p(differences: &[f64]) -> Option<f64> {
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let sizes = sorted(&sizes)?;
    let observed = finite(sum(differences.iter().copied()).abs())?;
    finite(sum(sizes.iter().copied()))?;
    let near = tie(&sizes);
    let bound = observed - near * sizes.len() as f64;
    if bound <= 0.0 {
        return Some(1.0);
    }
    // A case that did not move doubles the patterns and the extreme ones alike.
    let apart = &sizes[sizes.partition_point(|size| *size <= near)..];
    if apart.len() > ENUMERATED_CASES {
        return Some(drawn_p(apart, bound));
    }
    // A swap of a case is an arrangement of its two sides, so the permutation test counts these too.
    let swaps = apart.iter().map(|size| Some(vec![(-size, 0.5), (*size, 0.5)]));
    let mut work = usize::MAX;
    exact_p(&swaps.collect::<Vec<Option<ArrangementCounts>>>(), bound, &mut work)
}

/// The share among random patterns.
fn drawn_p(sizes: &[f64], bound: f64) -> f64 {
    let tables: Vec<[f64; 256]> = sizes.chunks(8).map(signed_sums).collect();
    let draws = DRAWS.min(MAX_LOOKUPS / tables.len() as u64).max(1000);
    let mut random = Random::new(SEED);
    let mut hits = 0;
    for _ in 0..draws {
        let mut total = 0.0;
        for tables in tables.chunks(8) {
            let bits = random.bits().to_le_bytes();
            total += tables.iter().zip(bits).map(|(table, byte)| table[byte as usize]).sum::<f64>();
        }
        hits += u64::from(total.abs() >= bound);
    }
    (hits + 1) as f64 / (draws + 1) as f64
}

/// The sums of up to eight sizes, by the bits of a byte: a size counts as negative where its bit is
/// not set.
fn signed_sums(sizes: &[f64]) -> [f64; 256] {
    let mut sums = [0.0; 256];
    for (byte, sum) in sums.iter_mut().enumerate() {
        for (bit, size) in sizes.iter().enumerate() {
            *sum += if byte >> bit & 1 == 1 { *size } else { -size };
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{drawn_p, sign_flip_p};
    use crate::random::Random;

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
                let p = sign_flip_p(&differences).unwrap();
                assert_eq!(p, plain(&differences), "{differences:?}");
            }
        }
    }

    #[test]
    fn cases_without_a_difference_change_no_p() {
        for cases in [6, 32, 33, 60, 2000] {
            let mut differences = vec![0.0; cases];
            differences[..6].fill(0.25);
            let p = sign_flip_p(&differences).unwrap();
            assert_eq!(p, 1.0 / 32.0, "{cases}");
        }
        assert_eq!(sign_flip_p(&[0.0; 50]), Some(1.0));
    }

    #[test]
    fn drawn_patterns_come_near_the_counted_ones() {
        let differences: Vec<f64> = (0..30).map(|n| f64::from(n * 7 % 11) / 11.0 - 0.33).collect();
        let counted = sign_flip_p(&differences).unwrap();
        let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
        let observed = differences.iter().sum::<f64>().abs();
        let drawn = drawn_p(&sizes, observed - 1e-9);
        assert_ne!(counted, drawn);
        assert!((counted - drawn).abs() < 0.005, "{counted} {drawn}");
    }

    #[test]
    fn scale_does_not_matter() {
        let differences = [0.3, -0.1, 0.2, 0.2, 0.5, -0.4, 0.1];
        for scale in [1e-3, 1e12] {
            let scaled = differences.map(|d| d * scale);
            assert_eq!(sign_flip_p(&scaled), sign_flip_p(&differences));
        }
    }

    #[test]
    fn undefined() {
        assert_eq!(sign_flip_p(&[]), None);
        assert_eq!(sign_flip_p(&[f64::INFINITY]), None);
        assert_eq!(sign_flip_p(&[f64::MAX, f64::MAX]), None);
    }
}
