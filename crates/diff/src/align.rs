//! Pairs the items of a block: which new item is a changed old one.

use crate::limits::Work;
use crate::sequence::Block;
use crate::tokens::WordBag;

/// Least similarity of paired items, in thousandths.
const ALIKE: u32 = 500;

/// Items and bytes per side of a block that is searched for similar ones: the search is quadratic.
const MAX_BLOCK_ITEMS: usize = 200;
const MAX_BLOCK_BYTES: usize = 256 << 10;

/// One item of a differing block, in display order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aligned {
    Removed(usize),
    Added(usize),
    /// On both sides, changed.
    Pair(usize, usize),
}

impl Aligned {
    /// Its index on each side.
    pub(super) fn sides(self) -> (Option<usize>, Option<usize>) {
        match self {
            Self::Removed(i) => (Some(i), None),
            Self::Added(j) => (None, Some(j)),
            Self::Pair(i, j) => (Some(i), Some(j)),
        }
    }
}

/// The items of a differing block, paired by shared words unless the block is too large.
pub(super) fn by_words<'a>(
    block: &Block,
    old: impl Fn(usize) -> &'a str,
    new: impl Fn(usize) -> &'a str,
    work: &mut Work<'_>,
) -> Vec<Aligned> {
    let olds: Vec<&str> = block.old.clone().map(old).collect();
    let news: Vec<&str> = block.new.clone().map(new).collect();
    let bytes = total_bytes(&olds).max(total_bytes(&news));
    if !allowed(block, work) || !work.allows_block(bytes, MAX_BLOCK_BYTES) {
        return items(block, &[]);
    }
    let olds: Vec<WordBag<'_>> = olds.into_iter().map(WordBag::new).collect();
    let news: Vec<WordBag<'_>> = news.into_iter().map(WordBag::new).collect();
    let cost = total_words(&olds) * news.len() as u64 + total_words(&news) * olds.len() as u64;
    if !work.spend_words(cost) {
        return items(block, &[]);
    }
    let pairs = pairs(olds.len(), news.len(), work.swapped, |i, j| olds[i].alike(&news[j]));
    items(block, &pairs)
}

fn total_bytes(texts: &[&str]) -> usize {
    texts.iter().map(|text| text.len()).sum()
}

fn total_words(bags: &[WordBag<'_>]) -> u64 {
    bags.iter().map(|bag| bag.words() as u64 + 1).sum()
}

/// The items of a differing block, paired by `alike`, which takes the indices in both sequences and
/// returns thousandths. Each call costs `cost` words.
pub(super) fn by_measure(
    block: &Block,
    cost: usize,
    work: &mut Work<'_>,
    alike: impl Fn(usize, usize) -> u32,
) -> Vec<Aligned> {
    let (olds, news) = (block.old.len(), block.new.len());
    let total = (olds as u64).saturating_mul(news as u64).saturating_mul(cost as u64);
    if !allowed(block, work) || !work.spend_words(total) {
        return items(block, &[]);
    }
    let pairs =
        pairs(olds, news, work.swapped, |i, j| alike(block.old.start + i, block.new.start + j));
    items(block, &pairs)
}

fn allowed(block: &Block, work: &mut Work<'_>) -> bool {
    !block.old.is_empty()
        && !block.new.is_empty()
        && work.allows_block(block.old.len().max(block.new.len()), MAX_BLOCK_ITEMS)
}

/// The items of a block with these `pairs` (relative to its start, ascending), removed before added
/// ones.
pub(super) fn items(block: &Block, pairs: &[(usize, usize)]) -> Vec<Aligned> {
    let mut items = Vec::new();
    let (mut a, mut b) = (block.old.start, block.new.start);
    for &(i, j) in pairs {
        let (i, j) = (block.old.start + i, block.new.start + j);
        items.extend((a..i).map(Aligned::Removed));
        items.extend((b..j).map(Aligned::Added));
        items.push(Aligned::Pair(i, j));
        (a, b) = (i + 1, j + 1);
    }
    items.extend((a..block.old.end).map(Aligned::Removed));
    items.extend((b..block.new.end).map(Aligned::Added));
    items
}

/// The ascending pairs with the greatest total similarity; one good pair counts more than two poor
/// ones.
fn pairs(
    olds: usize,
    news: usize,
    swapped: bool,
    alike: impl Fn(usize, usize) -> u32,
) -> Vec<(usize, usize)> {
    if !swapped {
        return chain(olds, news, alike);
    }
    chain(news, olds, |j, i| alike(i, j)).into_iter().map(|(j, i)| (i, j)).collect()
}

fn chain(rows: usize, columns: usize, alike: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let mut gains = vec![0_u32; rows * columns];
    let mut best = vec![0_u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let measure = alike(i, j);
            // Squared, so that one good pair is worth more than two poor ones.
            let gain = if measure < ALIKE { 0 } else { measure * measure / 100 };
            gains[i * columns + j] = gain;
            let skipped = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            best[i * width + j] = skipped.max(best[(i + 1) * width + j + 1] + gain);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < rows && j < columns {
        let (gain, here) = (gains[i * columns + j], best[i * width + j]);
        if gain > 0 && here == best[(i + 1) * width + j + 1] + gain {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::pairs;

    #[test]
    fn the_most_alike_are_paired() {
        let alike = [[600, 1000, 0], [0, 600, 400]];
        assert_eq!(pairs(2, 3, false, |i, j| alike[i][j]), [(0, 1)]);
        assert_eq!(pairs(3, 2, true, |i, j| alike[j][i]), [(1, 0)]);
        assert_eq!(pairs(2, 0, false, |_, _| 1000), []);
    }
}
