//! How often each version won its blind comparisons.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::LabelMapping;
use crate::language::{DASH, Language, say};
use crate::model::{Iteration, Winner};
use crate::render::context::Rows;

#[derive(Default)]
pub(super) struct Wins {
    by_version: BTreeMap<String, VersionWins>,
    /// The results of comparisons that were never unblinded.
    unknown: UnknownWins,
}

#[derive(Default)]
struct VersionWins {
    won: usize,
    /// Comparisons with a winner.
    decided: usize,
    ties: usize,
}

#[derive(Default)]
struct UnknownWins {
    a: usize,
    b: usize,
    ties: usize,
    open: usize,
}

impl Wins {
    pub(super) fn count(iterations: &[Iteration]) -> Self {
        let mut wins = Self::default();
        for comparison in iterations.iter().flat_map(|iteration| &iteration.comparisons) {
            let behind = LabelMapping::new(comparison);
            match (behind.a, behind.b) {
                (Some(a), Some(b)) => {
                    wins.by_version.entry(a).or_default().add(Winner::A, comparison.winner);
                    wins.by_version.entry(b).or_default().add(Winner::B, comparison.winner);
                }
                _ => wins.unknown.add(comparison.winner),
            }
        }
        wins
    }

    pub(super) fn rows(&self) -> Rows<Value> {
        Rows::all(self.by_version.iter(), |(name, wins)| {
            let won = match wins.decided {
                0 => DASH.to_owned(),
                decided => format!("{}/{decided}", wins.won),
            };
            json!({ "name": name, "won": won, "ties": wins.ties })
        })
    }

    /// The sentence on comparisons whose letters are unknown; `None` without any.
    pub(super) fn unknown_sentence(&self, language: &Language) -> Option<String> {
        let UnknownWins { a, b, ties, open } = self.unknown;
        let number = a + b + ties + open;
        if number == 0 {
            return None;
        }
        let number = language.count(number, "comparison");
        Some(say!(language, "comparisons.unknown_wins", number, a, b, ties, open))
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
