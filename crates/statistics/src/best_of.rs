//! How much too good the best of several equally good versions looks.

use libm::exp;

use super::distribution::phi;
use super::sample::sum;

/// By how many standard errors the best of `count` equally good versions looks too good: the mean
/// of the largest of that many standard normal values, k·∫xφ(x)Φ(x)^{k−1}dx (Tippett 1925). Errors
/// are taken as independent. 0 for one, `None` for none.
///
/// By the trapezoid rule, which converges exponentially here.
pub fn best_of(count: u64) -> Option<f64> {
    const STEPS_PER_UNIT: i32 = 32;

    // One version is not picked from others.
    if count < 2 {
        return if count == 0 { None } else { Some(0.0) };
    }
    let k = count as f64;
    let mut terms = Vec::new();
    for step in -12 * STEPS_PER_UNIT..=12 * STEPS_PER_UNIT {
        let x = f64::from(step) / f64::from(STEPS_PER_UNIT);
        terms.push(x * exp(-x * x / 2.0) * libm::pow(phi(x), k - 1.0));
    }
    let scale = k / (2.0 * std::f64::consts::PI).sqrt() / f64::from(STEPS_PER_UNIT);
    Some(scale * sum(terms))
}

#[cfg(test)]
mod tests {
    use super::best_of;

    #[test]
    fn the_best_of_none_of_one_and_of_many() {
        assert_eq!((best_of(0), best_of(1)), (None, Some(0.0)));
        assert!((best_of(10_000).unwrap() - 3.8516).abs() < 1e-3);
    }
}
