//! The rounds of trigger loops: each once, although a loop writes them into its history and into
//! its results.

use crate::model::{TriggerQuery, TriggerRound};

/// The rounds without those that are there already, each with the folder of its document.
pub(super) fn once(all: Vec<(&str, TriggerRound)>) -> Vec<TriggerRound> {
    let mut kept: Vec<(&str, TriggerRound)> = Vec::new();
    for (folder, round) in &all {
        let beside = |other: &&(&str, TriggerRound)| other.0 == *folder;
        let is_set =
            is_set(round) && all.iter().filter(beside).any(|(_, other)| asks_all(other, round));
        let is_known = kept.iter().filter(beside).any(|(_, other)| is_same(other, round));
        if !is_set && !is_known {
            kept.push((folder, round.clone()));
        }
    }
    kept.into_iter().map(|(_, round)| round).collect()
}

/// Whether the round is only the set of queries that a loop starts from.
fn is_set(round: &TriggerRound) -> bool {
    round.total.is_none() && round.queries.iter().all(|query| query.passed.is_none())
}

/// Whether `other` is a round with results for the queries of the set.
fn asks_all(other: &TriggerRound, set: &TriggerRound) -> bool {
    let texts = |queries: &[TriggerQuery]| -> Vec<String> {
        queries.iter().map(|query| query.query.clone()).collect()
    };
    let asked = texts(&other.queries);
    !is_set(other) && texts(&set.queries).iter().any(|query| asked.contains(query))
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
