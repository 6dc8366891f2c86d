//! Two texts compared line by line, changed lines word by word.
//!
//! Lines are compared without their endings, so that CRLF against LF and a missing final newline
//! are a [`DiffNote`], not a change of every line. The common beginning and end are set aside first
//! and only cost reading.

mod build;
#[cfg(test)]
mod tests;
mod window;

use crate::Counts;
use crate::fold::CONTEXT;
use crate::limits::{LimitHit, Limits, Work, check_bytes, check_items};

/// Two texts compared by lines.
///
/// The rows serve both views. Unified: each row in turn, with a changed line as a removed and an
/// added one. Side by side: removed and added rows go next to each other unless an equal or changed
/// row is between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineDiff<'a> {
    /// From top to bottom, with unchanged lines far from a change folded.
    pub rows: Vec<Row<'a>>,
    /// The lines of both whole texts, shown or not.
    pub counts: Counts,
    /// Differences that no row shows; usually empty.
    pub notes: Vec<DiffNote>,
    /// Limits that made the result coarser or shorter, each once; empty if there are none.
    pub reached: Vec<LimitHit>,
}

/// One row of a [`LineDiff`]. Line numbers start at 1; texts have no line ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// A line of both texts.
    Equal {
        /// Its number in the new text, from 1.
        new: usize,
        /// The line without its ending.
        text: &'a str,
    },
    /// A line of the old text that the new one lacks.
    Removed {
        /// Its number in the old text, from 1.
        old: usize,
        /// The line without its ending.
        text: &'a str,
    },
    /// A line of the new text that the old one lacks.
    Added {
        /// Its number in the new text, from 1.
        new: usize,
        /// The line without its ending.
        text: &'a str,
    },
    /// A line of the old text, and the changed version of it in the new text.
    Changed(ChangedLine<'a>),
    /// Hidden unchanged lines; `new` is the number of the first.
    Fold {
        /// The number of the first hidden line in the new text, from 1.
        new: usize,
        /// How many lines are hidden; at least 2.
        lines: usize,
    },
    /// The middle of a result with too many rows.
    Omitted(Counts),
}

/// A line of the old text and its new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLine<'a> {
    /// Line number in the old text, from 1.
    pub old: usize,
    /// Line number in the new text, from 1.
    pub new: usize,
    /// The old line in parts; together they are the whole line.
    pub removed: Vec<Span<'a>>,
    /// The new line in parts; together they are the whole line.
    pub added: Vec<Span<'a>>,
}

/// A part of one side of a changed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    /// Never empty.
    pub text: &'a str,
    /// Whether the other side lacks it.
    pub changed: bool,
}

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// There is no line break.
    None,
    /// Every line break is `\n`, as on Unix.
    Lf,
    /// Every line break is `\r\n`, as on Windows.
    CrLf,
    /// Some line breaks are `\n` and some are `\r\n`.
    Mixed,
}

impl LineEnding {
    /// The ending of the lines in `text`; a `\r` by itself is no line break.
    pub fn new(text: &str) -> Self {
        let newlines = text.bytes().filter(|&byte| byte == b'\n').count();
        let crlf = text.matches("\r\n").count();
        match (newlines - crlf, crlf) {
            (0, 0) => Self::None,
            (_, 0) => Self::Lf,
            (0, _) => Self::CrLf,
            (_, _) => Self::Mixed,
        }
    }
}

/// A difference that no row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffNote {
    /// Lines have different endings. `old` and `new` are equal if only single lines of texts with
    /// mixed endings differ.
    LineEndings {
        /// The ending of lines in the old text.
        old: LineEnding,
        /// The ending of lines in the new text.
        new: LineEnding,
    },
    /// One text ends with a newline and the other does not.
    FinalNewline {
        /// Whether the new text ends with one.
        new: bool,
    },
}

/// Compares two texts line by line, and changed lines word by word.
///
/// # Errors
/// What lies between the first and the last difference has too many bytes or lines on one side.
pub fn lines<'a>(old: &'a str, new: &'a str, limits: &Limits) -> Result<LineDiff<'a>, LimitHit> {
    let window = window::Window::new(old, new, CONTEXT + 1);
    let (old_part, new_part) = (&old[window.old.clone()], &new[window.new.clone()]);
    check_bytes(old_part.len().max(new_part.len()), limits)?;
    check_items(old_part.lines().count().max(new_part.lines().count()))?;
    let mut work = Work::new(old_part, new_part, limits);
    let (rows, counts) = build::rows(old_part, new_part, &window, &mut work);
    let notes = notes(old, new, counts);
    Ok(LineDiff { rows, counts, notes, reached: work.into_reached() })
}

/// Notes on two texts whose lines differ by `counts`.
fn notes(old: &str, new: &str, counts: Counts) -> Vec<DiffNote> {
    let mut notes = Vec::new();
    let (a, b) = (LineEnding::new(old), LineEnding::new(new));
    let is_unchanged = counts.added == 0 && counts.removed == 0;
    if a != LineEnding::None && b != LineEnding::None && a != b {
        notes.push(DiffNote::LineEndings { old: a, new: b });
    }
    let (c, d) = (old.ends_with('\n'), new.ends_with('\n'));
    if c != d && !old.is_empty() && !new.is_empty() {
        notes.push(DiffNote::FinalNewline { new: d });
    }
    // Texts with mixed endings may differ in a few of them.
    if notes.is_empty() && is_unchanged && old != new {
        notes.push(DiffNote::LineEndings { old: a, new: b });
    }
    notes
}
