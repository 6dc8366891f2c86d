//! The rows from the blocks of equal and different lines.

use std::ops::Range;

use crate::diff::Counts;
use crate::diff::align::{self, Item};
use crate::diff::limits::{Work, divided};
use crate::diff::lines::window::Window;
use crate::diff::lines::{ChangedLine, Row, Span};
use crate::diff::sequence::{Block, blocks, fused};
use crate::diff::tokens::{only_space, tokens};

/// The rows and counts of two texts, given the parts of them that lie in `window`.
pub(super) fn rows<'a>(
    old: &'a str,
    new: &'a str,
    window: &Window,
    work: &mut Work<'_>,
) -> (Vec<Row<'a>>, Counts) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let blocks = blocks(&old, &new, work);
    let before = window.before;
    let mut builder = Builder { old, new, before, rows: Vec::new(), work };
    let last = blocks.len().saturating_sub(1);
    for (index, block) in blocks.iter().enumerate() {
        if block.equal {
            builder.equal(block, index == 0, (index == last).then_some(window.after));
        } else {
            builder.different(block);
        }
    }
    builder.finish()
}

struct Builder<'a, 'w, 'l> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    /// Equal lines before the window.
    before: usize,
    rows: Vec<Row<'a>>,
    work: &'w mut Work<'l>,
}

impl<'a> Builder<'a, '_, '_> {
    /// Adds an equal block: together with the lines before the window when it is the first, and
    /// with the `after` lines behind the window when it is the last.
    fn equal(&mut self, block: &Block, first: bool, after: Option<usize>) {
        let before = if first { self.before } else { 0 };
        let length = before + block.old.len() + after.unwrap_or(0);
        // Numbers of the first line of the stretch, from 1.
        let old = self.before - before + block.old.start + 1;
        let new = self.before - before + block.new.start + 1;
        let [head, folded, tail] =
            divided(length, self.work.limits.context, first, after.is_some());
        head.for_each(|row| self.context(old + row, new + row));
        if !folded.is_empty() {
            let (old, new, lines) = (old + folded.start, new + folded.start, folded.len());
            self.rows.push(Row::Fold { old, new, lines });
        }
        tail.for_each(|row| self.context(old + row, new + row));
    }

    fn context(&mut self, old: usize, new: usize) {
        let text = self.old[old - 1 - self.before];
        self.rows.push(Row::Equal { old, new, text });
    }

    fn different(&mut self, block: &Block) {
        let (old, new) = (&self.old, &self.new);
        for item in align::by_words(block, |i| old[i], |j| new[j], &mut *self.work) {
            let row = self.row(item);
            self.rows.push(row);
        }
    }

    fn row(&mut self, item: Item) -> Row<'a> {
        let number = |index: usize| self.before + index + 1;
        match item {
            Item::Removed(i) => Row::Removed { old: number(i), text: self.old[i] },
            Item::Added(j) => Row::Added { new: number(j), text: self.new[j] },
            Item::Pair(i, j) => {
                let (old, new) = (self.old[i], self.new[j]);
                let (removed, added) = spans(old, new, self.work);
                let (old, new) = (number(i), number(j));
                Row::Changed(ChangedLine { old, new, removed, added })
            }
        }
    }

    fn finish(mut self) -> (Vec<Row<'a>>, Counts) {
        let counts = counted(&self.rows);
        self.work.shorten(&mut self.rows, |rows| Row::Omitted(counted(rows)));
        (self.rows, counts)
    }
}

fn counted(rows: &[Row<'_>]) -> Counts {
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
    let found = blocks(&a, &b, work);
    let found = fused(found, |block| only_space(&a, block));
    (pieces(old, &a, &found, |block| &block.old), pieces(new, &b, &found, |block| &block.new))
}

fn pieces<'a>(
    line: &'a str,
    tokens: &[&str],
    blocks: &[Block],
    side: impl Fn(&Block) -> &Range<usize>,
) -> Vec<Span<'a>> {
    let mut start = 0;
    let pieces = blocks.iter().map(|block| {
        let length: usize = tokens[side(block).clone()].iter().map(|token| token.len()).sum();
        let text = &line[start..start + length];
        start += length;
        Span { text, changed: !block.equal }
    });
    pieces.filter(|span| !span.text.is_empty()).collect()
}
