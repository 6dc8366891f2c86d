//! Compares two texts: by lines, by words and as tables. A leaf: no disk, no markup.
//!
//! Terms:
//!
//! - A *side* is the old or the new text; a *block* is a run of items that are equal on both sides,
//!   or differ; a *row* is one line of the result.
//! - A *fold* replaces unchanged rows that are not shown; *omitted* rows are changed ones left out
//!   because there are too many.
//! - Two items are *paired* if the new one is a changed version of the old one.
//!
//! The steps are the same for lines, paragraphs, list items and table rows:
//!
//! ```text
//! items        of both sides                → blocks        (sequence: Histogram between anchors)
//! blocks       different ones, not too big  → pairs         (align: most similar, in order)
//! pairs        their words or cells          → what changed  (the same again, one level down)
//! everything   unchanged runs               → folds
//! ```
//!
//! Work is limited by counting ([`Limits`]), not by time, so the result is the same on every
//! machine. Every shortcut is reported: a [`LimitHit`] instead of a comparison, or with one that is
//! complete but coarser. Exchanging the sides mirrors the result.

mod align;
mod fold;
mod json;
mod limits;
mod lines;
mod matches;
mod sequence;
mod table;
mod tokens;
mod words;

pub use json::canonical_json;
pub use limits::{LimitHit, LimitKind, Limits};
pub use lines::{DiffNote, LineDiff, LineEnding, Row, Span, lines};
pub use matches::{WordMatches, match_words};
pub use table::{Column, ColumnAt, DiffCell, RowChange, TableDiff, TableRow, table};
pub use tokens::{in_both, tokens};
pub use words::{RunKind, WordDiff, WordPart, WordRun, words};

/// Numbers of lines, words or rows. A changed line counts as one removed and one added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that only the new text has.
    pub added: usize,
    /// Those that only the old text has.
    pub removed: usize,
    /// Those that both texts have; each pair counts once.
    pub unchanged: usize,
}

impl Counts {
    /// Counts without anything in common.
    pub fn changed(removed: usize, added: usize) -> Self {
        Self { added, removed, unchanged: 0 }
    }

    /// The share of both texts that they have in common, in 0..=1.
    pub fn share_in_common(self) -> f64 {
        let total = 2 * self.unchanged + self.removed + self.added;
        if total == 0 { 1.0 } else { 2.0 * self.unchanged as f64 / total as f64 }
    }
}
