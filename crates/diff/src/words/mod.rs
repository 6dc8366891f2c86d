//! Prose compared word by word, paragraph by paragraph.
//!
//! A line break within a paragraph equals a space, so that rewrapped text is unchanged. Paragraphs
//! are compared first; only corresponding ones are compared by words.

mod build;
mod paragraph;
#[cfg(test)]
mod tests;

use crate::Counts;
use crate::limits::{LimitHit, Limits, Work, check_bytes, check_items};

/// Two texts compared by paragraphs, and changed paragraphs by words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordDiff<'a> {
    /// From top to bottom, with unchanged paragraphs far from a change folded.
    pub parts: Vec<WordPart<'a>>,
    /// The words of both whole texts, shown or not, without white space.
    pub counts: Counts,
    /// Whether only line breaks or blank lines differ.
    pub only_spacing: bool,
    /// Limits that made the result coarser or shorter, each once; empty if there are none.
    pub reached: Vec<LimitHit>,
}

/// One part of a [`WordDiff`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordPart<'a> {
    /// A paragraph, list item, heading or table row, with the blank lines after it.
    Paragraph(Vec<WordRun<'a>>),
    /// Hidden unchanged paragraphs.
    Fold {
        /// How many paragraphs are hidden; at least 2.
        paragraphs: usize,
        /// Their text, as in the new version.
        text: &'a str,
    },
    /// The middle of a result with too many parts.
    Omitted {
        /// How many paragraphs are left out, with those in folds among them.
        paragraphs: usize,
    },
}

/// A run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordRun<'a> {
    /// Which texts have it.
    pub kind: RunKind,
    /// Never empty. Equal text is as in the new version.
    pub text: &'a str,
}

/// Which of the two texts have a run of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Both, up to line breaks within a paragraph.
    Equal,
    /// Only the old text.
    Removed,
    /// Only the new text.
    Added,
}

/// Compares two texts paragraph by paragraph, and changed paragraphs word by word.
///
/// # Errors
/// The texts differ, and one has too many bytes or paragraphs. Equal texts are one fold of any
/// size.
pub fn words<'a>(old: &'a str, new: &'a str, limits: &Limits) -> Result<WordDiff<'a>, LimitHit> {
    let [a, b] = paragraph::paragraphs(old, new);
    // Equal texts are compared whatever their size: the result is one fold.
    if old != new {
        check_bytes(old.len().max(new.len()), limits)?;
        check_items(a.len().max(b.len()))?;
    }
    let mut work = Work::new(old, new, limits);
    let (parts, counts) = build::parts(new, &a, &b, &mut work);
    let only_spacing = old != new && counts.added == 0 && counts.removed == 0;
    Ok(WordDiff { parts, counts, only_spacing, reached: work.into_reached() })
}
