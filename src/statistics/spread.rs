//! Mean and dispersion of a sample.

use super::sum::{finite, mean, squares};

/// Count, mean, sample standard deviation, smallest and largest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many values; at least 1.
    pub count: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation, √(Σ(x−x̄)²/(n−1)); `None` for one value.
    pub stddev: Option<f64>,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Spread {
    /// The spread of `values`, whatever their order; `None` when there are none, one is not finite
    /// or their squares overflow.
    pub fn new(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let mean = mean(values)?;
        let squares = finite(squares(values, mean))?;
        let stddev = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { count, mean, stddev, min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn of_values() {
        let spread = Spread::new(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((spread.mean, spread.min, spread.max), (2.5, 1.0, 4.0));
        assert!((spread.stddev.unwrap() - 1.290_994_448_735_805_6).abs() < 1e-15);
    }

    #[test]
    fn of_equal_values() {
        let spread = Spread::new(&[0.1, 0.1, 0.1]).unwrap();
        assert_eq!((spread.mean, spread.stddev, spread.max), (0.1, Some(0.0), 0.1));
    }

    #[test]
    fn of_one_and_of_none() {
        assert_eq!(Spread::new(&[0.5]).unwrap().stddev, None);
        assert_eq!(Spread::new(&[]), None);
        assert_eq!(Spread::new(&[f64::NAN]), None);
    }
}
