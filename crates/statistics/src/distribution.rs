//! Normal, Student's t, binomial and the noncentral t. Error function and log gamma come from
//! `libm`: the same bits on every machine. The incomplete beta function is the continued fraction
//! of DLMF 8.17.22 (Lentz 1976), as `statrs` 0.19 is off by 1e-3 for large parameters.

use std::f64::consts::{PI, SQRT_2};

use libm::{erfc, exp, lgamma, log, log1p};

/// A continued fraction has at most so many terms; it needs about the square root of the larger
/// parameter.
const MAX_TERMS: usize = 20_000;

/// A search for a quantile has at most so many steps.
const MAX_STEPS: usize = 400;

pub(super) fn phi(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The x with Φ(x) = `p`. Domain: 0 < p < 1, else `None`.
pub fn normal_quantile(p: f64) -> Option<f64> {
    let tail = p.min(1.0 - p);
    if tail.is_nan() || tail <= 0.0 {
        return None;
    }
    if tail == 0.5 {
        return Some(0.0);
    }
    let start = -(-2.0 * log(2.0 * tail)).sqrt();
    let lower = root(-40.0, 0.0, start, |x| {
        let below = phi(x);
        (log(below / tail), exp(-x * x / 2.0) / (2.0 * PI).sqrt() / below)
    });
    Some(if p < 0.5 { lower } else { -lower })
}

/// P(T > x) for x ≥ 0, accurate in the far tail.
pub(super) fn t_tail(x: f64, freedom: f64) -> f64 {
    let square = x * x;
    if square.is_infinite() {
        return 0.0;
    }
    let total = freedom + square;
    0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / total, square / total)
}

/// The x that Student's t is below with probability `p`. Domain: 0 < p < 1, `freedom` > 0, else
/// `None`.
pub(crate) fn student_t_quantile(p: f64, freedom: f64) -> Option<f64> {
    let tail = p.min(1.0 - p);
    if tail.is_nan() || tail <= 0.0 || !freedom.is_finite() || freedom <= 0.0 {
        return None;
    }
    if tail == 0.5 {
        return Some(0.0);
    }
    let half = freedom / 2.0;
    let scale = lgamma(half + 0.5) - lgamma(half) - 0.5 * log(freedom * PI);
    let density = |x: f64| exp(scale - (half + 0.5) * log1p(x * x / freedom));
    let start = -normal_quantile(tail)?;
    let upper = root(0.0, f64::MAX.sqrt(), start, |x| {
        let above = t_tail(x, freedom);
        (log(tail / above), density(x) / above)
    });
    Some(if p < 0.5 { -upper } else { upper })
}

/// P(X ≤ `k`) for X binomial with `n` tries of probability `p`. Domain: 0 ≤ p ≤ 1, else `None`.
pub(crate) fn binomial_cdf(k: u64, n: u64, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    if k >= n {
        return Some(1.0);
    }
    Some(incomplete_beta((n - k) as f64, k as f64 + 1.0, 1.0 - p, p))
}

/// ln C(n, k), for k ≤ n.
pub(super) fn ln_choose(n: u64, k: u64) -> f64 {
    let (n, k) = (n as f64, k as f64);
    lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)
}

/// I(a, b) at `x`, with `y` = 1 − x from the caller, who may know it more exactly.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let ln_beta = lgamma(a) + lgamma(b) - lgamma(a + b);
    let front = exp(a * log(x) + b * log(y) - ln_beta);
    // The fraction converges quickly on one side of this point, and its mirror on the other.
    let value = if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, y) / b
    };
    value.clamp(0.0, 1.0)
}

/// The continued fraction of the incomplete beta function, for x below (a+1)/(a+b+2).
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for term in 1..MAX_TERMS {
        let m = term as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / not_zero(1.0 + even * d);
        c = not_zero(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / not_zero(1.0 + odd * d);
        c = not_zero(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// Lentz's replacement for 0, by which cannot be divided.
fn not_zero(value: f64) -> f64 {
    if value.abs() < 1e-300 { 1e-300 } else { value }
}

/// The zero of an increasing function between `low` and `high`: Newton's steps from `start`, the
/// middle of the bracket whenever a step leaves it. `function` returns value and slope.
pub(super) fn root(
    mut low: f64,
    mut high: f64,
    start: f64,
    function: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut x = start;
    for _ in 0..MAX_STEPS {
        let (value, slope) = function(x);
        if value == 0.0 {
            return x;
        }
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = x - value / slope;
        let next = if step > low && step < high {
            step
        } else if low > 0.0 && high / low > 4.0 {
            // By ratio if the ends are far apart, so that tiny quantiles are found quickly.
            low.sqrt() * high.sqrt()
        } else {
            low + (high - low) / 2.0
        };
        if (next - x).abs() <= 1e-15 * x.abs() {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::{binomial_cdf, normal_quantile, student_t_quantile, t_tail};

    #[test]
    fn quantiles_invert_over_a_wide_range() {
        for tail in [1e-6, 0.025, 0.1, 0.3, 0.5] {
            for freedom in [0.5, 1.0, 1.5, 2.0, 30.0, 999.0, 1e4, 1e6] {
                let x = student_t_quantile(1.0 - tail, freedom).unwrap();
                let back = t_tail(x, freedom);
                assert!((back / tail - 1.0).abs() < 1e-8, "{tail} {freedom}: {x} {back}");
            }
        }
    }

    #[test]
    fn t_nears_the_normal() {
        let normal = normal_quantile(0.975).unwrap();
        assert!((student_t_quantile(0.975, 1e6).unwrap() - normal).abs() < 3e-6);
    }

    #[test]
    fn outside_the_domain_there_is_nothing() {
        for p in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(normal_quantile(p), None);
            assert_eq!(student_t_quantile(p, 3.0), None);
        }
        assert_eq!(student_t_quantile(0.975, 0.0), None);
        assert_eq!(binomial_cdf(1, 2, 1.5), None);
        assert_eq!(binomial_cdf(5, 5, 0.5), Some(1.0));
        assert_eq!(binomial_cdf(0, 5, 1.0), Some(0.0));
    }
}
