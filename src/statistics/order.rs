//! Statistics of order: quantiles, median, median absolute deviation, median of pairwise means.

use super::sum::sorted;

/// Quantile `p` of `values` between neighbours: Hyndman and Fan 1996, type 7, as spreadsheets and
/// numpy do. Domain: 0 ≤ p ≤ 1; `None` outside it, for no values, or when one is not finite.
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let sorted = sorted(values)?;
    let place = (sorted.len() - 1) as f64 * p;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    Some(below + (above - below) * (place - place.floor()))
}

/// The middle value, or the mean of the two in the middle. `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let upper = sorted.len() / 2;
    let lower = (sorted.len() - 1) / 2;
    Some(halfway(sorted[lower], sorted[upper]))
}

fn halfway(a: f64, b: f64) -> f64 {
    if a == b { a } else { (a + b) / 2.0 }
}

/// What makes the median absolute deviation estimate σ for normal values: 1/Φ⁻¹(¾).
pub const NORMAL_MAD: f64 = 1.4826;

/// Median absolute deviation from the median (Hampel 1974), unscaled: times [`NORMAL_MAD`] it
/// estimates σ. `None` for no values; 0 when more than half are equal.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    median(&distances)
}

/// Median of (xᵢ + xⱼ)/2 over i ≤ j (Hodges and Lehmann 1963): a shift that one wild case does not
/// move. `None` for no values.
///
/// The pairs are counted, not listed, so 10,000 values are no burden.
pub fn hodges_lehmann(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let pairs = sorted.len() * (sorted.len() + 1) / 2;
    let lower = nth_pair_sum(&sorted, pairs.div_ceil(2));
    let upper = nth_pair_sum(&sorted, pairs / 2 + 1);
    // a zero loses its sign
    Some(halfway(lower, upper) / 2.0 + 0.0)
}

/// The `rank`th smallest xᵢ + xⱼ over i ≤ j, from 1: a search over the bits of the sum.
fn nth_pair_sum(sorted: &[f64], rank: usize) -> f64 {
    let (mut low, mut high) = (ordered(2.0 * sorted[0]), ordered(2.0 * sorted[sorted.len() - 1]));
    while low < high {
        let middle = low + (high - low) / 2;
        if pairs_up_to(sorted, from_ordered(middle)) >= rank {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    from_ordered(low)
}

/// How many xᵢ + xⱼ over i ≤ j are at most `bound`.
fn pairs_up_to(sorted: &[f64], bound: f64) -> usize {
    let mut count = 0;
    let mut end = sorted.len();
    for (index, value) in sorted.iter().enumerate() {
        while end > index && value + sorted[end - 1] > bound {
            end -= 1;
        }
        if end <= index {
            break;
        }
        count += end - index;
    }
    count
}

/// A whole number in the order of the floats.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn from_ordered(order: u64) -> f64 {
    f64::from_bits(if order >> 63 == 1 { order & !(1 << 63) } else { !order })
}

#[cfg(test)]
mod tests {
    use super::{hodges_lehmann, median, median_absolute_deviation, quantile};

    #[test]
    fn of_few_values() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(quantile(&[1.0, 2.0], 0.25), Some(1.25));
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(median_absolute_deviation(&[1.0, 1.0, 9.0]), Some(0.0));
        assert_eq!(hodges_lehmann(&[7.0]), Some(7.0));
    }

    #[test]
    fn pairwise_means_counted_and_listed_agree() {
        let values: Vec<f64> = (0..40).map(|n| f64::from((n * 37 + 11) % 101) - 50.5).collect();
        let mut listed = Vec::new();
        for (index, a) in values.iter().enumerate() {
            listed.extend(values[index..].iter().map(|b| (a + b) / 2.0));
        }
        assert_eq!(hodges_lehmann(&values), median(&listed));
    }
}
