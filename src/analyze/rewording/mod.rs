//! Which statements of two sides are the same statement, though one was written in other words.
//!
//! Statements with the same key are the same. What is left is paired by its words, one to one and
//! only where each is the best for the other. A wrong pair is worse than none, so a pair must pass
//! every rule of `alike`: the same numbers, negations and bounds, nothing replaced, and most of
//! the words in common. Statements whose ids differ were told apart by their author and stay so.

mod alike;
mod words;

use std::collections::BTreeMap;

use crate::analyze::rewording::alike::alike;
use crate::analyze::rewording::words::Wording;
use crate::analyze::statements::Statement;
use crate::text::folded;

/// With more unmatched statements on a side nothing is paired by words.
pub(super) const MOST: usize = 200;

/// Why two statements are taken for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// They have the same id, or the same text but for case and white space.
    Same,
    /// They say the same in other words.
    Reworded,
}

/// The statements that both sides have: index on the old side, index on the new side and why, in
/// the order of the new side. The order of either side decides nothing else.
pub fn matched(old: &[Statement<'_>], new: &[Statement<'_>]) -> Vec<(usize, usize, Match)> {
    let by_key: BTreeMap<&str, usize> =
        old.iter().enumerate().map(|(at, found)| (&*found.key, at)).collect();
    let mut pairs: Vec<(usize, usize, Match)> = Vec::new();
    for (at, statement) in new.iter().enumerate() {
        if let Some(known) = by_key.get(&*statement.key) {
            pairs.push((*known, at, Match::Same));
        }
    }
    let left_old = left(old, pairs.iter().map(|pair| pair.0));
    let left_new = left(new, pairs.iter().map(|pair| pair.1));
    if left_old.is_empty() || left_new.is_empty() || left_old.len().max(left_new.len()) > MOST {
        return pairs;
    }
    pairs.extend(by_words(old, new, &left_old, &left_new));
    pairs.sort_by_key(|pair| pair.1);
    pairs
}

/// Whether two lists are of the same statements, in whatever words.
pub(super) fn are_same(old: &[Statement<'_>], new: &[Statement<'_>]) -> bool {
    old.len() == new.len() && matched(old, new).len() == new.len()
}

/// The indices of `statements` without those that are `taken`.
fn left(statements: &[Statement<'_>], taken: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut is_left = vec![true; statements.len()];
    taken.for_each(|at| is_left[at] = false);
    (0..statements.len()).filter(|at| is_left[*at]).collect()
}

/// The pairs among `left_old` and `left_new` that are the best for each other.
fn by_words(
    old: &[Statement<'_>],
    new: &[Statement<'_>],
    left_old: &[usize],
    left_new: &[usize],
) -> Vec<(usize, usize, Match)> {
    let sides = [(old, left_old), (new, left_new)];
    let [worded_old, worded_new] = sides.map(|(all, left)| {
        let of = |at: &usize| (folded(all[*at].text), Wording::of(all[*at].text));
        left.iter().map(of).collect::<Vec<_>>()
    });
    let mut best_old = vec![Best::default(); left_old.len()];
    let mut best_new = vec![Best::default(); left_new.len()];
    for (i, (text, words)) in worded_old.iter().enumerate() {
        for (j, (other, other_words)) in worded_new.iter().enumerate() {
            if old[left_old[i]].has_id && new[left_new[j]].has_id {
                continue;
            }
            let score = if text == other { Some(SAME) } else { alike(words, other_words) };
            if let Some(score) = score {
                best_old[i].offer(score, j);
                best_new[j].offer(score, i);
            }
        }
    }
    let mutual = |(i, best): (usize, &Best)| {
        let j = best.only()?;
        let why = if best.score == SAME { Match::Same } else { Match::Reworded };
        (best_new[j].only()? == i).then_some((left_old[i], left_new[j], why))
    };
    best_old.iter().enumerate().filter_map(mutual).collect()
}

/// More than any similarity: the same text, of which only one side has an id.
const SAME: u32 = 1001;

/// The best partner so far.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    score: u32,
    at: usize,
    /// How many are as good.
    equals: usize,
}

impl Best {
    fn offer(&mut self, score: u32, at: usize) {
        match score.cmp(&self.score) {
            std::cmp::Ordering::Greater => *self = Self { score, at, equals: 1 },
            std::cmp::Ordering::Equal => self.equals += 1,
            std::cmp::Ordering::Less => {}
        }
    }

    /// The best where it is the only one: between equals nothing speaks for either, and an order
    /// of the statements is no reason.
    fn only(&self) -> Option<usize> {
        (self.equals == 1).then_some(self.at)
    }
}

#[cfg(test)]
mod tests;
