//! Which statements of two sides are the same, by key or despite another wording. A wrong pair is
//! worse than none: statements pair one to one, where each is the best match for the other and
//! passes every rule of `alike`. Statements with different ids were kept apart by their author and
//! stay so.

mod words;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Statement;
use crate::analyze::rewording::words::{Word, Wording};
use crate::text::folded;

/// With more unmatched statements on a side, none are paired by words.
pub(super) const MAX_UNMATCHED: usize = 200;

/// The statements that both sides have: index on the old side and on the new side, in the order of
/// the new side. Otherwise the order of either side has no effect.
pub(super) fn matched(old: &[Statement<'_>], new: &[Statement<'_>]) -> Vec<(usize, usize)> {
    let by_key: BTreeMap<&str, usize> =
        old.iter().enumerate().map(|(at, statement)| (&*statement.key, at)).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, statement) in new.iter().enumerate() {
        pairs.extend(by_key.get(&*statement.key).map(|known| (*known, at)));
    }
    let left_old = left(old, pairs.iter().map(|pair| pair.0));
    let left_new = left(new, pairs.iter().map(|pair| pair.1));
    if left_old.is_empty()
        || left_new.is_empty()
        || left_old.len().max(left_new.len()) > MAX_UNMATCHED
    {
        return pairs;
    }
    pairs.extend(by_words(&left_old, &left_new));
    pairs.sort_by_key(|pair| pair.1);
    pairs
}

/// Whether two lists have the same statements, regardless of wording.
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
    let new_wordings: Vec<(Cow<'_, str>, Wording)> = new
        .iter()
        .map(|(_, statement)| (folded(statement.text), Wording::new(statement.text)))
        .collect();
    let mut best_old = vec![BestMatch::default(); old.len()];
    let mut best_new = vec![BestMatch::default(); new.len()];
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
    let mutual = |(i, best): (usize, &BestMatch)| {
        let j = best.only()?;
        (best_new[j].only()? == i).then_some((old[i].0, new[j].0))
    };
    best_old.iter().enumerate().filter_map(mutual).collect()
}

/// Above any similarity: the same text, with an id on one side only.
const SAME: u32 = 1001;

#[derive(Clone, Copy, Debug, Default)]
struct BestMatch {
    score: u32,
    at: usize,
    /// How many are equally good.
    equals: usize,
}

impl BestMatch {
    fn offer(&mut self, score: u32, at: usize) {
        match score.cmp(&self.score) {
            Ordering::Greater => *self = Self { score, at, equals: 1 },
            Ordering::Equal => self.equals += 1,
            Ordering::Less => {}
        }
    }

    /// The best if it is the only one: nothing favors one of several equals, and the order of
    /// statements is not a reason.
    fn only(&self) -> Option<usize> {
        (self.equals == 1).then_some(self.at)
    }
}

#[cfg(test)]
mod tests;

/// The least share of both statements, in thousandths, that common words must make up.
const MIN_SIMILARITY: u32 = 700;

/// Heavy enough that a demand is aligned before any word of content.
const DEMAND_WEIGHT: u32 = 10_000;

/// The share of both that common words make up, in thousandths; `None` where they are not the same
/// statement:
///
/// - a number, negation or bound of one has no counterpart in the other, in the same place;
/// - each has words that the other lacks: one was replaced, and a synonym cannot be told from
///   another demand;
/// - words changed places where their order matters, or more than one did;
/// - fewer than two words are common, or less than [`MIN_SIMILARITY`] of both.
fn alike(old: &Wording, new: &Wording) -> Option<u32> {
    let total = old.weight() + new.weight();
    if total == 0 || 2000 * old.weight().min(new.weight()) / total < MIN_SIMILARITY {
        return None;
    }
    let (mut rest_old, mut rest_new) = unaligned(&old.words, &new.words);
    if rest_old.iter().chain(&rest_new).any(|word| word.is_demand) {
        return None;
    }
    let moved = take_common(&mut rest_old, &mut rest_new);
    if moved > usize::from(!old.is_ordered && !new.is_ordered) {
        return None;
    }
    if !rest_old.is_empty() && !rest_new.is_empty() {
        return None;
    }
    let rest = rest_old.len() + rest_new.len();
    let contents = old.words.iter().chain(&new.words).filter(|word| !word.is_demand).count();
    let common = (contents - rest) / 2;
    let apart: u32 = rest_old.iter().chain(&rest_new).map(|word| word.weight).sum();
    let score = 1000 * (total - apart) / total;
    (score >= MIN_SIMILARITY && (common >= 2 || rest == 0)).then_some(score)
}

/// Removes the words found on both sides and returns their number.
fn take_common(old: &mut Vec<&Word>, new: &mut Vec<&Word>) -> usize {
    let before = old.len();
    old.retain(|word| {
        let position = new.iter().position(|other| other.is_same(word));
        position.map(|at| new.remove(at)).is_none()
    });
    before - old.len()
}

/// The words on either side that have no counterpart in the heaviest common subsequence.
fn unaligned<'w>(old: &'w [Word], new: &'w [Word]) -> (Vec<&'w Word>, Vec<&'w Word>) {
    let width = new.len() + 1;
    let mut best = vec![0_u32; (old.len() + 1) * width];
    let value = |word: &Word| if word.is_demand { DEMAND_WEIGHT } else { word.weight.max(1) };
    let gain = |a: &Word, b: &Word| a.is_same(b).then(|| value(a).min(value(b)));
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let at = |i: usize, j: usize| best[i * width + j];
            let apart = at(i + 1, j).max(at(i, j + 1));
            let together = gain(a, b).map_or(0, |gain| gain + at(i + 1, j + 1));
            best[i * width + j] = apart.max(together);
        }
    }
    let (mut rest_old, mut rest_new) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        let at = |i: usize, j: usize| best[i * width + j];
        let here = at(i, j);
        if gain(&old[i], &new[j]).is_some_and(|gain| gain + at(i + 1, j + 1) == here) {
            (i, j) = (i + 1, j + 1);
        } else if at(i + 1, j) == here {
            rest_old.push(&old[i]);
            i += 1;
        } else {
            rest_new.push(&new[j]);
            j += 1;
        }
    }
    rest_old.extend(&old[i..]);
    rest_new.extend(&new[j..]);
    (rest_old, rest_new)
}
