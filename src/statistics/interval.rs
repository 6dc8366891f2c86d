//! The 95 % interval that every estimate has beside it.

use super::distribution::student_t_quantile;
use super::sample::{finite, mean, squares};

/// What an interval leaves out, both ends together; also the level of every test.
pub(super) const ALPHA: f64 = 0.05;

/// The standard normal quantile at 0.975.
pub const Z: f64 = 1.959_963_984_540_054;

/// A 95 % interval, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub(super) fn around(centre: f64, half: f64) -> Self {
        Self { low: centre - half, high: centre + half }
    }

    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// How far the ends lie apart.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// Student's t interval of a mean: x̄ ± t₀.₉₇₅,ₙ₋₁·s/√n (Student 1908).
///
/// Domain: any finite values, each an independent unit (case means, never single runs of a case).
/// `None` for fewer than two values. Of no width when all are equal; not clipped.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let freedom = values.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let mean = mean(values)?;
    let error = finite((squares(values, mean) / freedom / values.len() as f64).sqrt())?;
    Some(Interval::around(mean, student_t_quantile(1.0 - ALPHA / 2.0, freedom)? * error))
}
