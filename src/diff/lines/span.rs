//! The words that differ between two lines.

use std::ops::Range;

use crate::diff::limits::Work;
use crate::diff::sequence::{Block, blocks, fused};
use crate::diff::tokens::{only_space, tokens};

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    /// The piece, never empty.
    pub text: &'a str,
    /// Whether the other side does not have it.
    pub changed: bool,
}

pub(super) fn spans<'a>(
    old: &'a str,
    new: &'a str,
    work: &mut Work<'_>,
) -> (Vec<Span<'a>>, Vec<Span<'a>>) {
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
