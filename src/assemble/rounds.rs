//! The rounds of trigger loops: each once, although a loop writes them into its history and into
//! its results.

use crate::model::{Ignored, TriggerRound};

/// The rounds without those that are there already, each with the folder of its document; and the
/// documents with queries alone, which are no rounds.
pub(super) fn once(all: Vec<(&str, TriggerRound)>) -> (Vec<TriggerRound>, Vec<Ignored>) {
    let mut kept: Vec<(&str, TriggerRound)> = Vec::new();
    let mut sets = Vec::new();
    for (folder, round) in &all {
        let in_folder = |other: &&(&str, TriggerRound)| other.0 == *folder;
        if is_set(round) {
            sets.push(Ignored::file(&round.path, "queries without results"));
        } else if !kept.iter().filter(in_folder).any(|(_, other)| is_same(other, round)) {
            kept.push((folder, round.clone()));
        }
    }
    sets.dedup();
    (kept.into_iter().map(|(_, round)| round).collect(), sets)
}

fn is_set(round: &TriggerRound) -> bool {
    round.total.is_none()
        && round.queries.iter().all(|query| query.passed.is_none() && query.triggers.is_none())
}

/// Whether two rounds are one: of the same number and description, or with the same queries. What
/// stands under names is told apart by them, and what has no queries by its counts.
fn is_same(a: &TriggerRound, b: &TriggerRound) -> bool {
    let same_number = a.number == b.number || a.number.is_none() || b.number.is_none();
    let both_numbered = a.number.is_some() && b.number.is_some();
    let named = a.description.is_some() || both_numbered;
    let unnamed = a.number.is_none() && b.number.is_none() && a.queries != b.queries;
    let same_words = named && a.description == b.description && !unnamed;
    let has_queries = !a.queries.is_empty() || !b.queries.is_empty();
    let same_counts = has_queries || (a.passed, a.total) == (b.passed, b.total);
    let same_queries = a.queries == b.queries;
    a.name == b.name && same_number && same_counts && (same_words || same_queries)
}
