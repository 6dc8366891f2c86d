//! Many expectations at once: Fisher's exact test of one, and what many p-values still say.

use libm::exp;

use super::distribution::ln_choose;
use super::interval::ALPHA;
use super::proportion::Share;

/// Tables this much more probable than the observed one still count as no more probable.
const SLACK: f64 = 1.0 + 1e-7;

/// Two-sided p that two rates are equal: the tables with the same margins that are no more probable
/// (Fisher 1935). Every run is taken as independent, which runs of one case are not quite.
pub fn fisher_p(a: Share, b: Share) -> f64 {
    let passed = a.passed() + b.passed();
    let least = passed.saturating_sub(b.total());
    let most = passed.min(a.total());
    let all = ln_choose(a.total() + b.total(), passed);
    let probability =
        |x: u64| exp(ln_choose(a.total(), x) + ln_choose(b.total(), passed - x) - all);
    let bound = probability(a.passed()) * SLACK;
    let (mut extreme, mut total) = (0.0, 0.0);
    for probability in (least..=most).map(probability) {
        total += probability;
        if probability <= bound {
            extreme += probability;
        }
    }
    (extreme / total).min(1.0)
}

/// The smallest p that [`fisher_p`] can reach with so many runs on each side: 2/C(2K, K) for K
/// against K. `None` without runs on both sides.
pub fn smallest_fisher_p(first: u64, second: u64) -> Option<f64> {
    let all = |total| Share::new(total, total);
    Some(fisher_p(all(first)?, Share::new(0, second)?))
}

/// Whether p-values of `count` expectations may be shown: the smallest of them must be able to
/// survive [`holm`], `count` times the smallest p ≤ 0.05. For 36 expectations that takes 7 runs on
/// each side.
pub fn may_show_p(count: u64, first: u64, second: u64) -> bool {
    smallest_fisher_p(first, second).is_some_and(|p| p * count as f64 <= ALPHA)
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

#[cfg(test)]
mod tests {
    use super::{fisher_p, holm, may_show_p, smallest_fisher_p};
    use crate::statistics::proportion::Share;

    #[test]
    fn seven_runs_for_thirty_six_expectations() {
        assert!(!may_show_p(36, 6, 6) && may_show_p(36, 7, 7));
        assert_eq!(smallest_fisher_p(0, 3), None);
    }

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
}
