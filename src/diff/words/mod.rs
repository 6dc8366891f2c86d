//! Prose compared word by word, paragraph by paragraph.
//!
//! A line break within a paragraph equals a space, so that rewrapped text is unchanged. Paragraphs
//! are compared first; only corresponding ones are compared by words.

mod build;
mod paragraph;
#[cfg(test)]
mod tests;

use crate::diff::Counts;
use crate::diff::limits::{LimitHit, Limits, Work, check_bytes, check_items};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordDiff<'a> {
    pub parts: Vec<WordPart<'a>>,
    pub counts: Counts,
    /// Whether only line breaks or blank lines differ.
    pub only_spacing: bool,
    pub reached: Vec<LimitHit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordPart<'a> {
    /// A paragraph, list item, heading or table row, with the blank lines after it.
    Paragraph(Vec<WordRun<'a>>),
    Fold {
        paragraphs: usize,
        text: &'a str,
    },
    /// The middle of a result with too many parts.
    Omitted {
        paragraphs: usize,
    },
}

/// A run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordRun<'a> {
    pub kind: RunKind,
    /// Never empty. Equal text is as in the new version.
    pub text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    Equal,
    Removed,
    Added,
}

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
