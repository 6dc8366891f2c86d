//! Compares two sequences: where they are equal and where not.
//!
//! Common ends are set aside, the rest is numbered and passed to the Histogram algorithm. If that
//! exceeds the budget, items that occur exactly once on both sides serve as anchors. Each gap
//! between them is compared or, if still too large, treated as replaced.

use std::ops::Range;

use similar::{Algorithm, DiffTag};

use crate::limits::Work;

/// A range of both sides. Blocks are adjacent and alternate between equal and differing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) equal: bool,
    /// The range in the old sequence; may be empty in a differing block.
    pub(super) old: Range<usize>,
    /// The range in the new sequence; may be empty in a differing block.
    pub(super) new: Range<usize>,
}

pub(super) fn blocks<T: Ord>(old: &[T], new: &[T], work: &mut Work<'_>) -> Vec<Block> {
    let mut list = Vec::new();
    within_ends(old, new, &mut list, |old, new, list| between(old, new, work, list));
    list
}

/// Sets the common ends aside and passes the rest to `compare`.
fn within_ends<T: PartialEq>(
    old: &[T],
    new: &[T],
    list: &mut Vec<Block>,
    compare: impl FnOnce(&[T], &[T], &mut Vec<Block>),
) {
    // Two versions of an output mostly share their beginning and their end.
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    push(list, true, head, head);
    compare(&old[..old.len() - tail], &new[..new.len() - tail], list);
    push(list, true, tail, tail);
}

/// The blocks between the common ends, with the sides in the order that `work` wants.
fn between<T: Ord>(old: &[T], new: &[T], work: &mut Work<'_>, list: &mut Vec<Block>) {
    if old.is_empty() || new.is_empty() {
        return push(list, false, old.len(), new.len());
    }
    let mut items: Vec<&T> = old.iter().chain(new).collect();
    items.sort_unstable();
    items.dedup();
    let [old, new] = [old, new].map(|side| ranks(side, &items));
    if !work.swapped {
        return compare(&old, &new, work, list);
    }
    let mut mirrored = Vec::new();
    compare(&new, &old, work, &mut mirrored);
    for block in mirrored {
        push(list, block.equal, block.new.len(), block.old.len());
    }
}

/// Each item as its rank among all `items`: numbers compare faster than texts.
fn ranks<T: Ord>(side: &[T], items: &[&T]) -> Vec<u32> {
    side.iter().map(|item| items.partition_point(|other| *other < item) as u32).collect()
}

/// Compares everything at once if affordable, else between anchors.
fn compare(old: &[u32], new: &[u32], work: &mut Work<'_>, list: &mut Vec<Block>) {
    if work.affords_pairs(old.len(), new.len()) {
        return histogram(old, new, work, list);
    }
    let (mut a, mut b) = (0, 0);
    for (i, j) in anchors(old, new).into_iter().chain([(old.len(), new.len())]) {
        // Between two anchors, the common ends are set aside again and the rest is compared or
        // replaced.
        within_ends(&old[a..i], &new[b..j], list, |a, b, list| histogram(a, b, work, list));
        // The end of both sides closes the last gap, and is no item.
        let anchor = usize::from(i < old.len());
        push(list, true, anchor, anchor);
        (a, b) = (i + anchor, j + anchor);
    }
}

/// The Histogram algorithm, or one differing block if that would cost too much.
fn histogram(old: &[u32], new: &[u32], work: &mut Work<'_>, list: &mut Vec<Block>) {
    if !work.spend_pairs(old.len(), new.len()) {
        return push(list, false, old.len(), new.len());
    }
    for op in similar::capture_diff_slices(Algorithm::Histogram, old, new) {
        push(list, op.tag() == DiffTag::Equal, op.old_range().len(), op.new_range().len());
    }
}

/// The longest chain of items that occur exactly once on both sides, in the same order.
fn anchors(old: &[u32], new: &[u32]) -> Vec<(usize, usize)> {
    let distinct = old.iter().chain(new).max().map_or(0, |&number| number as usize + 1);
    let (olds, news) = (unique_positions(old, distinct), unique_positions(new, distinct));
    let common = old.iter().filter_map(|&number| olds[number as usize].zip(news[number as usize]));
    longest_chain(&common.collect::<Vec<_>>())
}

/// The position of each number that occurs exactly once.
fn unique_positions(items: &[u32], distinct: usize) -> Vec<Option<usize>> {
    let mut times = vec![0_u8; distinct];
    let mut positions = vec![None; distinct];
    for (position, &number) in items.iter().enumerate() {
        let number = number as usize;
        times[number] = times[number].saturating_add(1);
        positions[number] = if times[number] == 1 { Some(position) } else { None };
    }
    positions
}

/// The longest subsequence of `pairs`, ascending on the left, that also ascends on the right.
fn longest_chain(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, &(_, right)) in pairs.iter().enumerate() {
        // `ends` has the best last pair of a chain of each length, as in patience sorting.
        let length = ends.partition_point(|&end| pairs[end].1 < right);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let last = ends.last().copied();
    let mut chain: Vec<_> =
        std::iter::successors(last, |&index| before[index]).map(|index| pairs[index]).collect();
    chain.reverse();
    chain
}

/// Adds a block, merged with the last one if both are equal or both differ.
fn push(list: &mut Vec<Block>, equal: bool, old: usize, new: usize) {
    if old == 0 && new == 0 {
        return;
    }
    match list.last_mut() {
        Some(last) if last.equal == equal => {
            last.old.end += old;
            last.new.end += new;
        }
        last => {
            let (a, b) = last.map_or((0, 0), |block| (block.old.end, block.new.end));
            list.push(Block { equal, old: a..a + old, new: b..b + new });
        }
    }
}

/// Merges differing blocks that are separated only by insignificant items.
pub(super) fn fused(blocks: Vec<Block>, is_insignificant: impl Fn(&Block) -> bool) -> Vec<Block> {
    let mut fused = Vec::new();
    let last = blocks.len().saturating_sub(1);
    for (index, block) in blocks.iter().enumerate() {
        let between = index > 0 && index < last && block.equal;
        let equal = block.equal && !(between && is_insignificant(block));
        push(&mut fused, equal, block.old.len(), block.new.len());
    }
    fused
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::Block;
    use crate::limits::{Limits, Work};

    fn compared(old: &[u8], new: &[u8], swapped: bool, pairs: u64) -> Vec<Block> {
        let limits = Limits { work: pairs, ..Limits::default() };
        let mut work = Work::new("", "", &limits);
        work.swapped = swapped;
        super::blocks(old, new, &mut work)
    }

    #[test]
    fn anchors_serve_where_all_pairs_are_too_many() {
        let old: Vec<u8> = (0..40).chain([50, 51]).collect();
        let new: Vec<u8> = [60].into_iter().chain(0..20).chain([61]).chain(21..40).collect();
        let blocks = compared(&old, &new, false, 10);
        let equal: usize = blocks.iter().filter(|block| block.equal).map(|b| b.old.len()).sum();
        assert_eq!(equal, 39, "{blocks:?}");
    }

    proptest! {
        #[test]
        fn blocks_cover_both_sides(
            old in vec(0_u8..6, 0..40),
            new in vec(0_u8..6, 0..40),
            swapped: bool,
            pairs in prop_oneof![Just(20_u64), Just(1_000_000)],
        ) {
            let blocks = compared(&old, &new, swapped, pairs);
            let (mut a, mut b) = (0, 0);
            for (index, block) in blocks.iter().enumerate() {
                prop_assert_eq!((block.old.start, block.new.start), (a, b));
                (a, b) = (block.old.end, block.new.end);
                if block.equal {
                    prop_assert_eq!(&old[block.old.clone()], &new[block.new.clone()]);
                }
                prop_assert!(index == 0 || blocks[index - 1].equal != block.equal);
            }
            prop_assert_eq!((a, b), (old.len(), new.len()));
        }

        #[test]
        fn exchanged_sides_mirror(
            old in vec(0_u8..6, 0..40),
            new in vec(0_u8..6, 0..40),
            pairs in prop_oneof![Just(20_u64), Just(1_000_000)],
        ) {
            let blocks = compared(&old, &new, false, pairs);
            let mirrored: Vec<Block> = compared(&new, &old, true, pairs)
                .into_iter()
                .map(|block| Block { equal: block.equal, old: block.new, new: block.old })
                .collect();
            prop_assert_eq!(blocks, mirrored);
        }
    }
}
