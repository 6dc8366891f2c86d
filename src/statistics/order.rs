//! Statistics of order: median and median absolute deviation.

use super::sum::sorted;

/// The middle value, or the mean of the two in the middle. `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    Some(if lower == upper { lower } else { (lower + upper) / 2.0 })
}

/// Median absolute deviation from the median (Hampel 1974), unscaled. `None` for no values; 0 when
/// more than half are equal.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    median(&distances)
}

#[cfg(test)]
mod tests {
    use super::{median, median_absolute_deviation};

    #[test]
    fn of_few_values() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median_absolute_deviation(&[1.0, 1.0, 9.0]), Some(0.0));
    }
}
