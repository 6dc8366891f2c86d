//! Several runs of one case: success at least once, success every time, flakiness.

use super::sample::mean;

/// The chance that at least one of `k` runs succeeds, of which `passed` of `runs` did:
/// 1 − C(n−c, k)/C(n, k), unbiased (Chen et al. 2021).
///
/// Domain: 1 ≤ k ≤ n, c ≤ n, else `None`: it is never extrapolated.
pub fn pass_at_k(runs: u64, passed: u64, k: u64) -> Option<f64> {
    let failed = runs.checked_sub(passed)?;
    Some(1.0 - pass_hat_k(runs, failed, k)?)
}

/// The chance that all of `k` runs succeed, of which `passed` of `runs` did: C(c, k)/C(n, k)
/// (pass^k; Yao et al. 2024).
///
/// Domain: 1 ≤ k ≤ n, c ≤ n, else `None`. With as many tries as runs it is 0 or 1.
pub fn pass_hat_k(runs: u64, passed: u64, k: u64) -> Option<f64> {
    if k == 0 || k > runs || passed > runs {
        return None;
    }
    if k > passed {
        return Some(0.0);
    }
    // A product of fractions, never factorials.
    Some((0..k).map(|taken| (passed - taken) as f64 / (runs - taken) as f64).product())
}

/// The mean over cases of [`pass_at_k`], each case given as (runs, passed). `None` without cases or
/// when one has fewer than `k` runs.
pub fn mean_pass_at_k(cases: &[(u64, u64)], k: u64) -> Option<f64> {
    let chances = cases.iter().map(|(runs, passed)| pass_at_k(*runs, *passed, k));
    mean(&chances.collect::<Option<Vec<f64>>>()?)
}

/// The same of [`pass_hat_k`].
pub fn mean_pass_hat_k(cases: &[(u64, u64)], k: u64) -> Option<f64> {
    let chances = cases.iter().map(|(runs, passed)| pass_hat_k(*runs, *passed, k));
    mean(&chances.collect::<Option<Vec<f64>>>()?)
}

/// How often an expectation that passes at `rate` looks stable in `runs` runs: pⁿ + (1−p)ⁿ. What
/// few runs hide. Domain: 0 ≤ p ≤ 1, n ≥ 1, else `None`.
pub fn looks_stable(rate: f64, runs: u64) -> Option<f64> {
    let is_rate = (0.0..=1.0).contains(&rate) && runs > 0;
    let runs = runs as f64;
    is_rate.then(|| (libm::pow(rate, runs) + libm::pow(1.0 - rate, runs)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{looks_stable, mean_pass_at_k, pass_at_k, pass_hat_k};

    #[test]
    fn outside_the_domain() {
        for (runs, passed, k) in [(3, 2, 5), (3, 2, 0), (3, 4, 1), (0, 0, 1)] {
            assert_eq!(pass_at_k(runs, passed, k), None);
            assert_eq!(pass_hat_k(runs, passed, k), None);
        }
        assert_eq!(mean_pass_at_k(&[(3, 1), (2, 1)], 3), None);
        assert_eq!(mean_pass_at_k(&[], 1), None);
        assert_eq!(looks_stable(1.5, 3), None);
        assert_eq!(looks_stable(0.5, 0), None);
    }

    #[test]
    fn at_the_ends() {
        assert_eq!(pass_at_k(10_000, 10_000, 10_000), Some(1.0));
        assert_eq!(pass_hat_k(10_000, 0, 3), Some(0.0));
    }
}
