//! Sums that do not depend on the order; descriptions of a sample: mean, median, spread, and the 95
//! % interval of every estimate.

use schemars::JsonSchema;
use serde::Serialize;

use super::distribution::student_t_quantile;

/// The sum of `values`, rounded once: the nearest `f64` to the exact sum, so the order of the
/// values has no effect. Shewchuk 1997: exact partial sums that do not overlap.
///
/// An infinite or missing value, or an overflow, makes the result not finite.
pub(super) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for value in values {
        if !value.is_finite() {
            return f64::NAN;
        }
        add(&mut partials, value);
    }
    rounded(&partials)
}

/// Adds `value` to partial sums that do not overlap, smallest first.
fn add(partials: &mut Vec<f64>, mut value: f64) {
    let mut kept = 0;
    for index in 0..partials.len() {
        let partial = partials[index];
        // What a sum of two loses is exact when the larger one comes first (Dekker 1971).
        let is_smaller = value.abs() < partial.abs();
        let (large, small) = if is_smaller { (partial, value) } else { (value, partial) };
        let total = large + small;
        let rest = small - (total - large);
        if rest != 0.0 {
            partials[kept] = rest;
            kept += 1;
        }
        value = total;
    }
    partials.truncate(kept);
    partials.push(value);
}

/// One rounding of partial sums that do not overlap; halves go to even.
fn rounded(partials: &[f64]) -> f64 {
    let mut rest = partials.iter().rev().copied();
    let mut total = rest.next().unwrap_or(0.0);
    while let Some(partial) = rest.next() {
        let before = total;
        total = before + partial;
        let error = partial - (total - before);
        if error != 0.0 {
            let same_side = rest.next().is_some_and(|next| (next < 0.0) == (error < 0.0));
            let doubled = total + error * 2.0;
            return if same_side && doubled - total == error * 2.0 { doubled } else { total };
        }
    }
    total
}

/// Arithmetic mean, Σx/n, in any order of `values`. `None` when there are none, when one is not
/// finite, or when the sum overflows. Rounding never takes it past the smallest or the largest
/// value, so equal values have no squares.
pub fn mean(values: &[f64]) -> Option<f64> {
    let mean = finite(sum(values.iter().copied()) / values.len() as f64)?;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(mean.clamp(least, most))
}

pub(super) fn finite(value: f64) -> Option<f64> {
    if value.is_finite() { Some(value) } else { None }
}

pub(super) fn squares(values: &[f64], centre: f64) -> f64 {
    sum(values.iter().map(|value| (value - centre) * (value - centre)))
}

/// Smaller differences count as equal: rates are at most 1, and the rest of `0.3 - 0.1 - 0.2` is
/// rounding.
pub const TIE: f64 = 1e-9;

/// How close two means of `values` must be to count as equal: [`TIE`], or its share of the largest
/// of large values.
pub(super) fn tie(values: &[f64]) -> f64 {
    TIE * values.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()))
}

/// `values` in ascending order; `None` when there are none or one is not finite.
pub(super) fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(sorted)
}

/// The middle value, or the mean of the two in the middle. `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    Some(if lower == upper { lower } else { (lower + upper) / 2.0 })
}

/// Mean and dispersion of a figure.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Spread {
    /// Number of runs that recorded it.
    #[serde(rename = "n")]
    pub count: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation; null for a single value.
    pub stddev: Option<f64>,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Spread {
    /// The spread of `values`, in any order; `None` when there are none, one is not finite or their
    /// squares overflow.
    pub fn new(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let mean = mean(values)?;
        let squares = finite(squares(values, mean))?;
        let stddev = if count > 1 { Some((squares / (count - 1) as f64).sqrt()) } else { None };
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { count, mean, stddev, min, max })
    }
}

/// The share that an interval leaves out, both ends together; also the level of every test.
pub(super) const ALPHA: f64 = 0.05;

/// The standard normal quantile at 0.975.
pub const Z: f64 = 1.959_963_984_540_054;

/// A 95 % interval, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end, in the unit of the estimate; at most `high`.
    pub low: f64,
    /// The upper end, in the unit of the estimate.
    pub high: f64,
}

impl Interval {
    pub(super) fn around(centre: f64, half: f64) -> Self {
        Self { low: centre - half, high: centre + half }
    }

    /// Whether `value` lies between the ends, or is one of them; false for NaN.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// `high` minus `low`, from 0 up.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// Student's t interval of a mean: x̄ ± t₀.₉₇₅,ₙ₋₁·s/√n (Student 1908).
///
/// Domain: any finite values, each an independent unit (case means, never single runs of a case).
/// `None` for fewer than two values. Of width 0 when all are equal; not clipped.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let freedom = (values.len() - 1) as f64;
    let mean = mean(values)?;
    let error = finite((squares(values, mean) / freedom / values.len() as f64).sqrt())?;
    Some(Interval::around(mean, student_t_quantile(1.0 - ALPHA / 2.0, freedom)? * error))
}

/// The run scores of one case on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseRuns<'r> {
    /// Scores of the first side's runs, each in 0..=1; at least one.
    pub first: &'r [f64],
    /// Scores of the second side's runs, each in 0..=1; at least one.
    pub second: &'r [f64],
    /// Checks per run, above 0; their harmonic mean where the runs differ.
    pub checks: f64,
}

impl CaseRuns<'_> {
    /// Mean of the first side minus mean of the second; `None` without runs on both sides.
    pub fn difference(&self) -> Option<f64> {
        Some(mean(self.first)? - mean(self.second)?)
    }

    /// Runs per side, K: the harmonic mean of both sides, as the noise of the difference goes with
    /// 1/Kₐ + 1/Kᵦ.
    pub(super) fn runs(&self) -> f64 {
        2.0 / (1.0 / self.first.len() as f64 + 1.0 / self.second.len() as f64)
    }
}

/// The difference of every case; `None` when one has none.
pub(super) fn differences(cases: &[CaseRuns<'_>]) -> Option<Vec<f64>> {
    cases.iter().map(CaseRuns::difference).collect()
}

#[cfg(test)]
mod tests {
    use super::{Spread, mean, median, sum};

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(sum([0.1; 10]), 1.0);
        assert_eq!(sum([1e16, 1.0, 1e-16]), 10_000_000_000_000_002.0);
        assert_eq!(sum([]), 0.0);
    }

    #[test]
    fn means_of_nothing_and_of_no_numbers() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, f64::NAN]), None);
        assert_eq!(mean(&[f64::MAX, f64::MAX]), None);
        assert_eq!(mean(&[0.25, 0.75]), Some(0.5));
        assert_eq!(mean(&[0.1, 0.1, 0.1]), Some(0.1));
    }

    #[test]
    fn mean_of_few_values() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn spread_of_values() {
        let spread = Spread::new(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((spread.mean, spread.min, spread.max), (2.5, 1.0, 4.0));
        assert!((spread.stddev.unwrap() - 1.290_994_448_735_805_6).abs() < 1e-15);
    }

    #[test]
    fn spread_of_equal_values() {
        let spread = Spread::new(&[0.1, 0.1, 0.1]).unwrap();
        assert_eq!((spread.mean, spread.stddev, spread.max), (0.1, Some(0.0), 0.1));
    }

    #[test]
    fn one_value_and_none() {
        assert_eq!(Spread::new(&[0.5]).unwrap().stddev, None);
        assert_eq!(Spread::new(&[]), None);
        assert_eq!(Spread::new(&[f64::NAN]), None);
    }
}
