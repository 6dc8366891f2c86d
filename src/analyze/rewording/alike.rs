//! How alike two wordings are, and whether they can be the same statement at all.

use crate::analyze::rewording::words::{Word, Wording};

/// The share of both statements, in thousandths, that must lie in common words.
const ENOUGH: u32 = 700;

/// A demand weighs so much when words are aligned that it is aligned before any word of content.
const DEMAND: u32 = 10_000;

/// The share of both that lies in common words, in thousandths; `None` where they are not the same
/// statement:
///
/// - a number, negation or bound of one has no counterpart in the other, in the same place;
/// - each has words that the other lacks: one was replaced, and nothing tells a synonym from
///   another thing asked for;
/// - words changed places where their order matters, or more than one did;
/// - fewer than two words are common, or less than [`ENOUGH`] of both.
pub(super) fn alike(old: &Wording, new: &Wording) -> Option<u32> {
    let total = old.weight() + new.weight();
    if total == 0 || 2000 * old.weight().min(new.weight()) / total < ENOUGH {
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
    (score >= ENOUGH && (common >= 2 || rest == 0)).then_some(score)
}

/// Removes the words that stand on both sides, and gives their number.
fn take_common(old: &mut Vec<&Word>, new: &mut Vec<&Word>) -> usize {
    let before = old.len();
    old.retain(|word| {
        let found = new.iter().position(|other| other.is_same(word));
        found.map(|at| new.remove(at)).is_none()
    });
    before - old.len()
}

/// The words on either side that have no counterpart in the heaviest common subsequence.
fn unaligned<'w>(old: &'w [Word], new: &'w [Word]) -> (Vec<&'w Word>, Vec<&'w Word>) {
    let width = new.len() + 1;
    let mut best = vec![0_u32; (old.len() + 1) * width];
    let value = |word: &Word| if word.is_demand { DEMAND } else { word.weight.max(1) };
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
