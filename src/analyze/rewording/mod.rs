//! Which statements of two sides are the same, by key or though one was written in other words. A
//! wrong pair is worse than none: words pair one to one, where each is the best for the other and
//! passes every rule of `alike`. Statements whose ids differ were told apart by their author and
//! stay so.

mod alike;
mod words;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::rewording::alike::alike;
use crate::analyze::rewording::words::Wording;
use crate::analyze::statements::Statement;
use crate::text::folded;

/// With more unmatched statements on a side nothing is paired by words.
pub(super) const MOST: usize = 200;

/// The statements that both sides have: index on the old side and on the new side, in the order of
/// the new side. The order of either side decides nothing else.
pub(super) fn matched(old: &[Statement<'_>], new: &[Statement<'_>]) -> Vec<(usize, usize)> {
    let by_key: BTreeMap<&str, usize> =
        old.iter().enumerate().map(|(at, found)| (&*found.key, at)).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, statement) in new.iter().enumerate() {
        pairs.extend(by_key.get(&*statement.key).map(|known| (*known, at)));
    }
    let left_old = left(old, pairs.iter().map(|pair| pair.0));
    let left_new = left(new, pairs.iter().map(|pair| pair.1));
    if left_old.is_empty() || left_new.is_empty() || left_old.len().max(left_new.len()) > MOST {
        return pairs;
    }
    pairs.extend(by_words(&left_old, &left_new));
    pairs.sort_by_key(|pair| pair.1);
    pairs
}

/// Whether two lists are of the same statements, in whatever words.
pub(super) fn are_same(old: &[Statement<'_>], new: &[Statement<'_>]) -> bool {
    old.len() == new.len() && matched(old, new).len() == new.len()
}

fn left<'s, 'w>(
    statements: &'s [Statement<'w>],
    taken: impl Iterator<Item = usize>,
) -> Vec<(usize, &'s Statement<'w>)> {
    let taken: BTreeSet<usize> = taken.collect();
    statements.iter().enumerate().filter(|(at, _)| !taken.contains(at)).collect()
}

fn by_words(
    old: &[(usize, &Statement<'_>)],
    new: &[(usize, &Statement<'_>)],
) -> Vec<(usize, usize)> {
    let new_wordings: Vec<(Cow<'_, str>, Wording)> =
        new.iter().map(|(_, found)| (folded(found.text), Wording::new(found.text))).collect();
    let mut best_old = vec![Best::default(); old.len()];
    let mut best_new = vec![Best::default(); new.len()];
    for (i, (_, statement)) in old.iter().enumerate() {
        let (text, words) = (folded(statement.text), Wording::new(statement.text));
        for (j, (other_text, other_words)) in new_wordings.iter().enumerate() {
            if statement.has_id && new[j].1.has_id {
                continue;
            }
            let score = if text == *other_text { Some(SAME) } else { alike(&words, other_words) };
            if let Some(score) = score {
                best_old[i].offer(score, j);
                best_new[j].offer(score, i);
            }
        }
    }
    let mutual = |(i, best): (usize, &Best)| {
        let j = best.only()?;
        (best_new[j].only()? == i).then_some((old[i].0, new[j].0))
    };
    best_old.iter().enumerate().filter_map(mutual).collect()
}

/// More than any similarity: the same text, of which only one side has an id.
const SAME: u32 = 1001;

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
            Ordering::Greater => *self = Self { score, at, equals: 1 },
            Ordering::Equal => self.equals += 1,
            Ordering::Less => {}
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
