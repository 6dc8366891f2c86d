//! Two texts compared: by lines, by words, as JSON and as tables. A leaf: no disk, no markup.
//!
//! The words:
//!
//! - A *side* is the old or the new text; a *block* is a stretch of items that is equal on both
//!   sides or different; a *row* is what a reader sees as one line of the result.
//! - A *fold* stands for unchanged rows that are not shown; *omitted* rows are changed ones left
//!   out because there are too many.
//! - Two items are *paired* when the new one is taken for the old one in changed form.
//!
//! The steps, the same for lines, paragraphs, list items and table rows:
//!
//! ```text
//! items        of both sides                → blocks        (sequence: Histogram between anchors)
//! blocks       different ones, not too big  → pairs         (align: most similar, in order)
//! pairs        their words, keys or cells   → what changed  (the same again, one level down)
//! everything   unchanged runs               → folds
//! ```
//!
//! Work is limited by counting ([`Limits`]), never by the clock, so the result is the same on
//! every machine. What was given up is reported: a [`limits::InputTooLarge`] instead of a
//! comparison, or a [`LimitHit`] limit with one that is complete but coarser. Exchanging the sides mirrors the result.

mod align;
mod json;
mod limits;
mod lines;
mod sequence;
mod table;
mod tokens;
mod words;

pub use json::{ChangeKind, JsonChange, JsonDiff, json};
pub use limits::{Compared, HeadAndTail, InputTooLarge, LimitHit, LimitKind, Limits};
pub use lines::{DiffNote, LineDiff, LineEnding, Row, Span, lines};
pub use table::{Column, ColumnAt, DiffCell, RowChange, TableDiff, TableRow, table};
pub use tokens::{in_both, tokens};
pub use words::{RunKind, WordDiff, WordPart, WordRun, words};

/// Lines, words or rows by what became of them. A changed line is one removed and one added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub added: usize,
    pub removed: usize,
    pub unchanged: usize,
}

impl Counts {
    /// Without what is in both texts.
    pub fn changed(removed: usize, added: usize) -> Self {
        Self { added, removed, unchanged: 0 }
    }

    /// The share of both texts that is in both.
    pub fn share_in_common(self) -> f64 {
        let all = 2 * self.unchanged + self.removed + self.added;
        if all == 0 { 1.0 } else { 2.0 * self.unchanged as f64 / all as f64 }
    }
}
