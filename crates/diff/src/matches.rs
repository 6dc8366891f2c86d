//! Which words of two texts correspond, with as few changed ones as possible.
//!
//! The longest common subsequence is found exactly, by the bit-parallel method of Hyyrö (2004): sixty-four
//! pairs of words cost a few instructions. Texts that are too large for that are compared between anchors.

use std::ops::Range;

use ahash::AHashMap;

use crate::Counts;
use crate::limits::{Limits, Work};
use crate::sequence::blocks;
use crate::tokens::{is_space, tokens};

/// Pairs of words that are compared exactly; the bits of all rows take an eighth of this in bytes.
const EXACT: usize = 1 << 26;

/// Of the fewest words that can be marked, the share that may be marked besides, to keep words between
/// two changes from standing alone.
const SLACK: (usize, usize) = (1, 12);

/// A pair of parts needs this share of its words in common, in percent, to be one part that changed.
const ALIKE: usize = 25;

/// The words of two texts, and which of them correspond. White space between words is no word; each mark
/// of punctuation is one.
#[derive(Debug)]
pub struct WordMatches {
    /// Where the words are, of the old and the new text.
    words: [Vec<Range<usize>>; 2],
    /// The index of the word on the other side that corresponds.
    partners: [Vec<Option<usize>>; 2],
}

/// The words of `old` and `new` that correspond.
pub fn match_words(old: &str, new: &str, limits: &Limits) -> WordMatches {
    let words = [old, new].map(words_of);
    let [a, b] = [(old, &words[0]), (new, &words[1])]
        .map(|(text, words)| words.iter().map(|word| &text[word.clone()]).collect::<Vec<_>>());
    let mut partners = [vec![None; a.len()], vec![None; b.len()]];
    // Two versions of an output mostly share their beginning and their end.
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&a[head..], &b[head..]);
    let tail = middle_a.iter().rev().zip(middle_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) =
        (&middle_a[..middle_a.len() - tail], &middle_b[..middle_b.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    let between = common(middle_a, middle_b, limits);
    pairs.extend(between.into_iter().map(|(i, j)| (i + head, j + head)));
    pairs.extend((1..=tail).map(|at| (a.len() - at, b.len() - at)));
    for (i, j) in pairs {
        partners[0][i] = Some(j);
        partners[1][j] = Some(i);
    }
    let mut matches = WordMatches { words, partners };
    matches.slide(0, [old, new]);
    matches.slide(1, [old, new]);
    matches
}

fn words_of(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for token in tokens(text) {
        if !is_space(token) {
            words.push(at..at + token.len());
        }
        at += token.len();
    }
    words
}

/// The pairs of a longest common subsequence, or of one that is nearly as long.
fn common(old: &[&str], new: &[&str], limits: &Limits) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    if old.len().saturating_mul(new.len()) > EXACT {
        let mut pairs = Vec::new();
        for block in blocks(old, new, &mut Work::new("", "", limits)) {
            if block.equal {
                pairs.extend(block.old.zip(block.new));
            }
        }
        return pairs;
    }
    // The order of the sides must not decide which of two equal alignments is taken.
    if old <= new {
        return longest(old, new);
    }
    longest(new, old).into_iter().map(|(i, j)| (j, i)).collect()
}

/// The pairs of a longest common subsequence.
fn longest(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = old.len().div_ceil(64);
    // Looked up and never walked; sorting costs ten times as much.
    let mut numbers = AHashMap::new();
    let mut numbered = Vec::with_capacity(new.len());
    for word in new {
        let next = numbers.len();
        numbered.push(width * *numbers.entry(*word).or_insert(next));
    }
    // Where each of them is in `old`, as bits.
    let mut places = vec![0_u64; width * numbers.len()];
    for (place, word) in old.iter().enumerate() {
        if let Some(number) = numbers.get(word) {
            places[width * number + place / 64] |= 1 << (place % 64);
        }
    }
    // Row `j` has a 0 for each place of `old` at which the common subsequence with the first `j` words of
    // `new` grows.
    let mut rows: Vec<u64> = vec![u64::MAX; width * (new.len() + 1)];
    for (j, at) in numbered.into_iter().enumerate() {
        let (before, after) = rows[width * j..].split_at_mut(width);
        let mut carry = false;
        for ((after, &before), places) in after.iter_mut().zip(&*before).zip(&places[at..]) {
            let matched = before & places;
            let sum;
            (sum, carry) = before.carrying_add(matched, carry);
            *after = sum | (before & !matched);
        }
    }
    trace(&rows, width, [old.len(), new.len()])
}

/// Follows the rows of [`longest`] back from the end of both sides.
fn trace(rows: &[u64], width: usize, [mut i, mut j]: [usize; 2]) -> Vec<(usize, usize)> {
    let grows = |i: usize, j: usize| rows[width * j + (i - 1) / 64] >> ((i - 1) % 64) & 1 == 0;
    let mut pairs = Vec::new();
    while i > 0 && j > 0 {
        if !grows(i, j) {
            i -= 1;
        } else if grows(i, j - 1) {
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
        }
    }
    pairs.reverse();
    pairs
}

impl WordMatches {
    /// Moves words that only one side has to where a line begins, if the words around them allow it: of two
    /// sentences with a full stop each, one went with its own.
    fn slide(&mut self, side: usize, texts: [&str; 2]) {
        let text = texts[side];
        let words = self.words[side].clone();
        let word = |at: usize| &text[words[at].clone()];
        let begins_line = |at: usize| {
            let before = if at == 0 { 0 } else { words[at - 1].end };
            at == 0 || words.get(at).is_none_or(|word| text[before..word.start].contains('\n'))
        };
        let mut at = 0;
        while at < words.len() {
            if self.partners[side][at].is_some() {
                at += 1;
                continue;
            }
            let mut run = at..at;
            while run.end < words.len() && self.partners[side][run.end].is_none() {
                run.end += 1;
            }
            at = run.end;
            if begins_line(run.start) {
                continue;
            }
            // How far the run can move, over words that are the same at its other end.
            let mut on = 0;
            while run.end + on < words.len()
                && self.partners[side][run.end + on].is_some()
                && word(run.start + on) == word(run.end + on)
                && (on == 0 || !begins_line(run.start + on))
            {
                on += 1;
            }
            let mut back = 0;
            while back < run.start
                && self.partners[side][run.start - back - 1].is_some()
                && word(run.start - back - 1) == word(run.end - back - 1)
                && (back == 0 || !begins_line(run.start - back))
            {
                back += 1;
            }
            if on > 0 && begins_line(run.start + on) {
                for step in 0..on {
                    self.hand_on(side, run.end + step, run.start + step);
                }
                at = run.end + on;
            } else if back > 0 && begins_line(run.start - back) {
                for step in 1..=back {
                    self.hand_on(side, run.start - step, run.end - step);
                }
            }
        }
    }

    /// Gives the counterpart of a word to an equal one that has none.
    fn hand_on(&mut self, side: usize, from: usize, to: usize) {
        let Some(partner) = self.partners[side][from].take() else { return };
        self.partners[side][to] = Some(partner);
        self.partners[1 - side][partner] = Some(to);
    }

    /// Numbers of words: removed, added and common ones.
    pub fn counts(&self) -> Counts {
        let [removed, added] =
            [0, 1].map(|side| self.partners[side].iter().filter(|at| at.is_none()).count());
        Counts { removed, added, unchanged: self.words[0].len() - removed }
    }

    /// The parts of both texts in their order, those that correspond beside each other. Parts are given by
    /// their places in the texts. Of what has no counterpart, `may_face` says whether an old and a new part
    /// are shown beside each other all the same: one in place of the other.
    pub fn aligned(
        &self,
        old: &[Range<usize>],
        new: &[Range<usize>],
        may_face: impl Fn(usize, usize) -> bool,
    ) -> Vec<[Option<usize>; 2]> {
        let sides = [(0, old), (1, new)].map(|(side, parts)| self.words_in(side, parts));
        let mut pairs = self.chain(&sides);
        pairs.push([old.len(), new.len()]);
        let (mut rows, mut next) = (Vec::new(), [0, 0]);
        for pair in pairs {
            while next[0] < pair[0] || next[1] < pair[1] {
                let has_both = next[0] < pair[0] && next[1] < pair[1];
                let is_faced = has_both && may_face(next[0], next[1]);
                let takes_old = next[0] < pair[0];
                let takes_new = is_faced || !takes_old;
                rows.push([takes_old.then_some(next[0]), takes_new.then_some(next[1])]);
                next[0] += usize::from(takes_old);
                next[1] += usize::from(takes_new);
            }
            if pair[0] < old.len() && pair[1] < new.len() {
                rows.push(pair.map(Some));
                next = pair.map(|at| at + 1);
            }
        }
        rows
    }

    /// The indices of the first words in each part, and past the last one.
    fn words_in(&self, side: usize, parts: &[Range<usize>]) -> Vec<Range<usize>> {
        let words = &self.words[side];
        let first = |at: usize| words.partition_point(|word| word.start < at);
        parts.iter().map(|part| first(part.start)..first(part.end)).collect()
    }

    /// The pairs of parts with most words in common, in order on both sides.
    fn chain(&self, sides: &[Vec<Range<usize>>; 2]) -> Vec<[usize; 2]> {
        let [old, new] = sides;
        let mut candidates: Vec<([usize; 2], usize)> = Vec::new();
        for (part, words) in old.iter().enumerate() {
            for partner in self.partners[0][words.clone()].iter().flatten() {
                let other = new.partition_point(|range| range.end <= *partner);
                if new.get(other).is_none_or(|range| !range.contains(partner)) {
                    continue;
                }
                match candidates.last_mut() {
                    Some((pair, common)) if *pair == [part, other] => *common += 1,
                    _ => candidates.push(([part, other], 1)),
                }
            }
        }
        candidates
            .retain(|([i, j], common)| 2 * common * 100 >= ALIKE * (old[*i].len() + new[*j].len()));
        // Matches ascend on both sides, so all candidates before one that fits do as well.
        let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(candidates.len());
        let mut leaders: Vec<usize> = Vec::with_capacity(candidates.len());
        for (at, ([i, j], common)) in candidates.iter().enumerate() {
            let nearest = candidates[..at].iter().rposition(|([a, b], _)| a < i && b < j);
            let before = nearest.map(|nearest| leaders[nearest]);
            best.push((common + before.map_or(0, |other| best[other].0), before));
            let leader = leaders.last().copied().filter(|leader| best[*leader].0 >= best[at].0);
            leaders.push(leader.unwrap_or(at));
        }
        let last = leaders.last().copied();
        let mut chain: Vec<[usize; 2]> =
            std::iter::successors(last, |at| best[*at].1).map(|at| candidates[at].0).collect();
        chain.reverse();
        chain
    }

    /// Takes words for changed that both texts have, where that reads better: those that `rows` do not show
    /// beside each other first, then those that stand alone between longer changes. Few more words are
    /// marked than must be.
    pub fn smooth(
        &mut self,
        old: &[Range<usize>],
        new: &[Range<usize>],
        rows: &[[Option<usize>; 2]],
    ) {
        let Counts { removed, added, .. } = self.counts();
        let mut left = (removed + added) * SLACK.0 / SLACK.1;
        let sides = [(0, old), (1, new)].map(|(side, parts)| self.words_in(side, parts));
        let mut row_of = [vec![None; old.len() + 1], vec![None; new.len() + 1]];
        for (at, row) in rows.iter().enumerate() {
            for side in [0, 1] {
                if let Some(part) = row[side] {
                    row_of[side][part] = Some(at);
                }
            }
        }
        let mut islands = self.islands();
        islands.retain(|island| island.length * 3 <= island.around);
        for island in &mut islands {
            let [i, j] = [0, 1].map(|side| {
                let part = sides[side].partition_point(|range| range.end <= island.at[side]);
                row_of[side][part]
            });
            island.is_beside = i == j;
        }
        islands.sort_by_key(|island| (island.is_beside, island.length, usize::MAX - island.around));
        for island in islands {
            if 2 * island.length > left {
                break;
            }
            left -= 2 * island.length;
            for at in 0..island.length {
                self.partners[0][island.at[0] + at] = None;
                self.partners[1][island.at[1] + at] = None;
            }
        }
    }

    /// The longest runs of words that correspond one by one.
    fn islands(&self) -> Vec<Island> {
        let mut islands: Vec<Island> = Vec::new();
        let mut end = [0, 0];
        for (i, partner) in self.partners[0].iter().enumerate() {
            let Some(j) = *partner else { continue };
            if let Some(last) = islands.last_mut()
                && end == [i, j]
            {
                last.length += 1;
            } else {
                let changed = (i - end[0]) + (j - end[1]);
                if let Some(last) = islands.last_mut() {
                    last.around = last.around.min(changed);
                }
                islands.push(Island { at: [i, j], length: 1, around: changed, is_beside: true });
            }
            end = [i + 1, j + 1];
        }
        let rest = self.partners[0].len() - end[0] + self.partners[1].len() - end[1];
        if let Some(last) = islands.last_mut() {
            last.around = last.around.min(rest);
        }
        islands
    }

    /// The places of changed words within a part of a side, 0 for the old one. Adjacent ones are one place,
    /// with the white space between them.
    pub fn changed(&self, side: usize, part: &Range<usize>) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut is_adjacent = false;
        let words = self.words_in(side, std::slice::from_ref(part)).remove(0);
        for at in words {
            let word = &self.words[side][at];
            if self.partners[side][at].is_some() {
                is_adjacent = false;
                continue;
            }
            match places.last_mut() {
                Some(last) if is_adjacent => last.end = word.end,
                _ => places.push(word.clone()),
            }
            is_adjacent = true;
        }
        places
    }
}

/// A run of words that correspond.
struct Island {
    at: [usize; 2],
    length: usize,
    /// The number of changed words before or after it, whichever is less.
    around: usize,
    /// Whether a reader sees both sides of it beside each other.
    is_beside: bool,
}

#[cfg(test)]
mod tests;
