//! How far repeated runs of the same side explain that a check lost passes.

use libm::pow;

use super::distribution::binomial_cdf;
use super::multiple::fisher_p;
use super::proportion::Share;

/// How often a run's verdict on a check differs from its usual one, in 0..0.5.
///
/// `cells` has the passes and failures of each check on each side. With a rate f two runs of one
/// cell disagree with probability D = 2f(1 − f), so f = (1 − √(1 − 2D))/2. D is the share of
/// disagreeing pairs, with one of each kind added so that few pairs never say "never".
///
/// `None` where no cell has two verdicts.
pub fn flip_rate(cells: impl Iterator<Item = [u64; 2]>) -> Option<f64> {
    let (mut disagreeing, mut pairs) = (0, 0);
    for [passed, failed] in cells {
        let graded = passed + failed;
        disagreeing += passed * failed;
        pairs += graded * graded.saturating_sub(1) / 2;
    }
    let share = (disagreeing + 1) as f64 / (pairs + 2) as f64;
    (pairs > 0).then(|| (1.0 - (1.0 - 2.0 * share.min(0.5)).sqrt()) / 2.0)
}

/// The chance that noise alone makes a check lose as many passes, in 0..=1.
///
/// `before` and `after` have passes and failures. Where every run passed before, it is that of so many failures among the later runs, or of a check
/// that usually fails having passed before; else the two-sided p of Fisher's exact test.
pub fn loss_p(before: [u64; 2], after: [u64; 2], rate: f64) -> f64 {
    if before[1] == 0 {
        let kept = binomial_cdf(after[0], after[0] + after[1], 1.0 - rate);
        return (kept.unwrap_or(1.0) + pow(rate, before[0] as f64)).min(1.0);
    }
    let share = |[passed, failed]: [u64; 2]| Share::new(passed, passed + failed);
    share(before).zip(share(after)).map_or(1.0, |(before, after)| fisher_p(before, after))
}

#[cfg(test)]
mod tests {
    use super::{flip_rate, loss_p};

    #[test]
    fn the_rate_is_that_of_disagreeing_runs() {
        assert_eq!(flip_rate([[1, 0], [0, 1]].into_iter()), None, "one run each tells nothing");
        // 2 of 40 verdicts are the other one: two cells of ten runs with one flip each.
        let cells = [[9, 1], [1, 9], [10, 0], [0, 10]];
        let rate = flip_rate(cells.into_iter()).unwrap();
        assert!((0.04..0.07).contains(&rate), "{rate}");
    }

    #[test]
    fn losses_of_every_run_are_not_explained_by_a_little_noise() {
        let p = loss_p([3, 0], [0, 3], 0.06);
        assert!((p - 2.0 * 0.06f64.powi(3)).abs() < 1e-12, "{p}");
        assert!(loss_p([3, 0], [2, 1], 0.06) > 0.15);
        assert!(loss_p([1, 0], [0, 1], 0.06) > 0.11);
        // Fisher: of 15 ways to place two passes, the 3 + 3 that are as uneven.
        assert!((loss_p([2, 1], [0, 3], 0.1) - 0.4).abs() < 1e-9);
    }
}
