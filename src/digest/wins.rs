//! How often each version won its blind comparisons.

use std::collections::BTreeMap;

use crate::analyze::LabelMapping;
use input::model::{Iteration, Winner};

/// The winners of all blind comparisons.
#[derive(Default)]
pub(crate) struct Wins {
    pub(crate) by_version: BTreeMap<String, VersionWins>,
    /// The results of comparisons that were never unblinded.
    pub(crate) unknown: UnknownWins,
}

#[derive(Default)]
pub(crate) struct VersionWins {
    pub(crate) won: usize,
    /// Comparisons with a winner.
    pub(crate) decided: usize,
    pub(crate) ties: usize,
}

#[derive(Default)]
pub(crate) struct UnknownWins {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) ties: usize,
    pub(crate) open: usize,
}

impl Wins {
    pub(crate) fn count(iterations: &[Iteration]) -> Self {
        let mut wins = Self::default();
        for comparison in iterations.iter().flat_map(|iteration| &iteration.comparisons) {
            let behind = LabelMapping::new(comparison);
            match (behind.a, behind.b) {
                (Some(a), Some(b)) => {
                    wins.by_version.entry(a).or_default().add(Winner::A, comparison.winner);
                    wins.by_version.entry(b).or_default().add(Winner::B, comparison.winner);
                }
                // Without the mapping of the letters nobody knows who won.
                _ => wins.unknown.add(comparison.winner),
            }
        }
        wins
    }
}

impl VersionWins {
    fn add(&mut self, own: Winner, winner: Option<Winner>) {
        match winner {
            Some(Winner::Tie) => self.ties += 1,
            Some(winner) => {
                self.won += usize::from(winner == own);
                self.decided += 1;
            }
            None => {}
        }
    }
}

impl UnknownWins {
    fn add(&mut self, winner: Option<Winner>) {
        match winner {
            Some(Winner::A) => self.a += 1,
            Some(Winner::B) => self.b += 1,
            Some(Winner::Tie) => self.ties += 1,
            None => self.open += 1,
        }
    }
}
