//! Builds rows from blocks of equal and differing lines.

use std::ops::Range;

use crate::Counts;
use crate::align::{self, Aligned};
use crate::fold::{CONTEXT, fold_equal};
use crate::limits::Work;
use crate::lines::window::Window;
use crate::lines::{ChangedLine, Row, Span};
use crate::sequence::{Block, blocks, fused};
use crate::tokens::{only_space, tokens};

/// The rows and counts of two texts, given their parts within `window`.
pub(super) fn rows<'a>(
    old: &'a str,
    new: &'a str,
    window: &Window,
    work: &mut Work<'_>,
) -> (Vec<Row<'a>>, Counts) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let blocks = blocks(&old, &new, work);
    let mut rows = Vec::new();
    let last = blocks.len().saturating_sub(1);
    // The number of the first line within the window.
    let start = window.before + 1;
    for (index, block) in blocks.iter().enumerate() {
        if block.equal {
            let ends = [index == 0, index == last];
            // The first block includes the lines before the window, the last those after it.
            let before = if ends[0] { window.before } else { 0 };
            let after = if ends[1] { window.after } else { 0 };
            let first = window.before - before + block.new.start;
            rows.extend(fold_equal(
                before + block.new.len() + after,
                CONTEXT,
                ends,
                |at| Row::Equal { new: first + at + 1, text: new[first + at - window.before] },
                |at| Row::Fold { new: first + at.start + 1, lines: at.len() },
            ));
            continue;
        }
        for item in align::by_words(block, |i| old[i], |j| new[j], work) {
            rows.push(match item {
                Aligned::Removed(i) => Row::Removed { old: start + i, text: old[i] },
                Aligned::Added(j) => Row::Added { new: start + j, text: new[j] },
                Aligned::Pair(i, j) => {
                    let (removed, added) = spans(old[i], new[j], work);
                    Row::Changed(ChangedLine { old: start + i, new: start + j, removed, added })
                }
            });
        }
    }
    let counts = counts_of_rows(&rows);
    work.shorten(&mut rows, |rows| Row::Omitted(counts_of_rows(rows)));
    (rows, counts)
}

fn counts_of_rows(rows: &[Row<'_>]) -> Counts {
    let mut counts = Counts::default();
    for row in rows {
        let (added, removed, unchanged) = match row {
            Row::Equal { .. } => (0, 0, 1),
            Row::Removed { .. } => (0, 1, 0),
            Row::Added { .. } => (1, 0, 0),
            Row::Changed(_) => (1, 1, 0),
            Row::Fold { lines, .. } => (0, 0, *lines),
            Row::Omitted(counts) => (counts.added, counts.removed, counts.unchanged),
        };
        counts.added += added;
        counts.removed += removed;
        counts.unchanged += unchanged;
    }
    counts
}

fn spans<'a>(old: &'a str, new: &'a str, work: &mut Work<'_>) -> (Vec<Span<'a>>, Vec<Span<'a>>) {
    let (a, b) = (tokens(old), tokens(new));
    let blocks = blocks(&a, &b, work);
    // Words that only a space divides read better as one replaced phrase.
    let blocks = fused(blocks, |block| only_space(&a, block));
    (pieces(old, &a, &blocks, |block| &block.old), pieces(new, &b, &blocks, |block| &block.new))
}

fn pieces<'a>(
    line: &'a str,
    tokens: &[&str],
    blocks: &[Block],
    side: impl Fn(&Block) -> &Range<usize>,
) -> Vec<Span<'a>> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    for block in blocks {
        let length: usize = tokens[side(block).clone()].iter().map(|token| token.len()).sum();
        if length > 0 {
            pieces.push(Span { text: &line[start..start + length], changed: !block.equal });
        }
        start += length;
    }
    pieces
}
