//! Fisher's exact test, the adjustment of many p-values, and the noise of verdicts.

use libm::{exp, pow};

use super::distribution::{binomial_cdf, ln_choose};
use super::proportion::Share;

/// Tables this much more probable than the observed one still count as no more probable.
const SLACK: f64 = 1.0 + 1e-7;

/// Two-sided p that two rates are equal: the tables with the same margins that are no more probable
/// (Fisher 1935). Every run is taken as independent, which runs of one case are not quite.
pub fn fisher_p(a: Share, b: Share) -> f64 {
    let passed = a.passed() + b.passed();
    let least = passed.saturating_sub(b.total());
    let most = passed.min(a.total());
    let tables = ln_choose(a.total() + b.total(), passed);
    let mut probabilities = Vec::new();
    for x in least..=most {
        probabilities
            .push(exp(ln_choose(a.total(), x) + ln_choose(b.total(), passed - x) - tables));
    }
    let bound = probabilities[(a.passed() - least) as usize] * SLACK;
    let (mut extreme, mut total) = (0.0, 0.0);
    for probability in probabilities {
        total += probability;
        if probability <= bound {
            extreme += probability;
        }
    }
    (extreme / total).min(1.0)
}

/// Holm's adjusted p-values (1979), in the order given: p₍ᵢ₎·(m−i+1), running maximum, at most 1.
/// Guards against a single false alarm.
///
/// `None` when a p-value lies outside \[0, 1\].
pub fn holm(p: &[f64]) -> Option<Vec<f64>> {
    if !p.iter().all(|p| (0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max((p[index] * (p.len() - rank) as f64).min(1.0));
        adjusted[index] = largest;
    }
    Some(adjusted)
}

/// How often a run's verdict on a check differs from its usual one, in 0..0.5.
///
/// `cells` has the passes and failures of each check on each side. With a rate f two runs of one
/// cell disagree with probability D = 2f(1 − f), so f = (1 − √(1 − 2D))/2. D is the share of
/// disagreeing pairs, with one pair of each kind added so that a few pairs never mean "never".
///
/// `None` where no cell has two verdicts.
pub fn flip_rate(cells: impl Iterator<Item = [u64; 2]>) -> Option<f64> {
    let (mut disagreeing, mut pairs) = (0, 0);
    for [passed, failed] in cells {
        let graded = passed + failed;
        disagreeing += passed * failed;
        pairs += graded * graded.saturating_sub(1) / 2;
    }
    if pairs == 0 {
        return None;
    }
    let share = (disagreeing + 1) as f64 / (pairs + 2) as f64;
    Some((1.0 - (1.0 - 2.0 * share.min(0.5)).sqrt()) / 2.0)
}

/// The chance that noise alone makes a check lose as many passes, in 0..=1.
///
/// `before` and `after` have passes and failures. If every run passed before, it is the chance of
/// as many failures among the later runs, or that a check which usually fails had passed before;
/// else the two-sided p of Fisher's exact test.
pub fn loss_p(before: [u64; 2], after: [u64; 2], rate: f64) -> f64 {
    // A check that never failed has no rate of its own for Fisher to compare.
    if before[1] == 0 {
        let kept = binomial_cdf(after[0], after[0] + after[1], 1.0 - rate);
        return (kept.unwrap_or(1.0) + pow(rate, before[0] as f64)).min(1.0);
    }
    match [before, after].map(|[passed, failed]| Share::new(passed, passed + failed)) {
        [Some(before), Some(after)] => fisher_p(before, after),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{fisher_p, flip_rate, holm, loss_p};
    use crate::statistics::proportion::Share;

    #[test]
    fn nothing_and_nonsense() {
        assert_eq!(holm(&[]), Some(vec![]));
        assert_eq!(holm(&[0.5, f64::NAN]), None);
    }

    #[test]
    fn many_runs() {
        let (a, b) = (Share::new(5200, 10_000).unwrap(), Share::new(4800, 10_000).unwrap());
        assert!((fisher_p(a, b) / 1.65e-8 - 1.0).abs() < 0.02, "{}", fisher_p(a, b));
        assert_eq!(fisher_p(a, a), 1.0);
    }

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
        assert!((p - 2.0 * 0.06 * 0.06 * 0.06).abs() < 1e-12, "{p}");
        assert!(loss_p([3, 0], [2, 1], 0.06) > 0.15);
        assert!(loss_p([1, 0], [0, 1], 0.06) > 0.11);
        // Fisher: of 15 ways to place two passes, the 3 + 3 that are as uneven.
        assert!((loss_p([2, 1], [0, 3], 0.1) - 0.4).abs() < 1e-9);
    }
}
