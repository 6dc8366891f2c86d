//! The sign test: does one side win more often than chance, however large its leads are?

use super::distribution::binomial_cdf;

/// Two-sided p of `wins` against `losses`, 2·P(Bin(wins + losses, ½) ≤ min), at most 1 (Arbuthnott
/// 1710). Ties are left out. `None` without a win or a loss.
pub fn sign_test_p(wins: u64, losses: u64) -> Option<f64> {
    if wins + losses == 0 {
        return None;
    }
    // The sum of logarithms is off in the last digit, and six cases of six must reach 1/32 exactly.
    if wins.min(losses) == 0 {
        let all_one_way = libm::exp2(-(wins.max(losses) as f64));
        return Some((2.0 * all_one_way).min(1.0));
    }
    let at_most_fewer = binomial_cdf(wins.min(losses), wins + losses, 0.5)?;
    Some((2.0 * at_most_fewer).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::sign_test_p;

    #[test]
    fn only_wins_and_losses_count() {
        assert_eq!(sign_test_p(0, 0), None);
        assert_eq!(sign_test_p(2, 2), Some(1.0));
        assert!((sign_test_p(6, 0).unwrap() - 1.0 / 32.0).abs() < 1e-15);
        assert!((sign_test_p(1, 4).unwrap() - 0.375).abs() < 1e-15);
    }
}
