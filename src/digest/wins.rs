//! How often each version won its blind comparisons.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analyze::{UnblindedLabels, WinsAndLosses};
use input::model::{Iteration, Winner};

/// The winners of all blind comparisons.
#[derive(Default)]
pub(crate) struct Wins {
    pub(crate) by_version: BTreeMap<String, WinsAndLosses>,
    /// The results of comparisons that were never unblinded, from the view of A.
    pub(crate) unknown: WinsAndLosses,
    /// Those of them without a result.
    pub(crate) open: usize,
}

impl Wins {
    pub(crate) fn count(iterations: &[Iteration]) -> Self {
        let mut wins = Self::default();
        for comparison in iterations.iter().flat_map(|iteration| &iteration.comparisons) {
            let behind = UnblindedLabels::new(comparison);
            let of_a = comparison.winner.map(Winner::for_a);
            let (Some(a), Some(b)) = (behind.a, behind.b) else {
                // Without the mapping of the letters nobody knows who won.
                match of_a {
                    Some(of_a) => wins.unknown.count(of_a),
                    None => wins.open += 1,
                }
                continue;
            };
            for (version, result) in [(a, of_a), (b, of_a.map(Ordering::reverse))] {
                let counts = wins.by_version.entry(version).or_default();
                if let Some(result) = result {
                    counts.count(result);
                }
            }
        }
        wins
    }
}
