//! How lines end, said once for a text instead of shown on every line.

use crate::diff::Counts;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    None,
    Lf,
    CrLf,
    Mixed,
}

impl LineEnding {
    /// How the lines of `text` end.
    pub fn new(text: &str) -> Self {
        let all = text.bytes().filter(|&byte| byte == b'\n').count();
        let crlf = text.matches("\r\n").count();
        match (all - crlf, crlf) {
            (0, 0) => Self::None,
            (_, 0) => Self::Lf,
            (0, _) => Self::CrLf,
            (_, _) => Self::Mixed,
        }
    }
}

/// A difference that is in no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Lines end in another way. The same on both sides when only single lines of texts with
    /// mixed endings differ.
    LineEndings { old: LineEnding, new: LineEnding },
    /// One text ends with a newline and the other does not.
    FinalNewline {
        /// Whether the new text ends with one.
        new: bool,
    },
}

/// The notes on two texts whose lines differ by `counts`.
pub(super) fn notes(old: &str, new: &str, counts: Counts) -> Vec<Note> {
    let mut notes = Vec::new();
    let (a, b) = (LineEnding::new(old), LineEnding::new(new));
    let unchanged = counts.added == 0 && counts.removed == 0;
    if a != LineEnding::None && b != LineEnding::None && a != b {
        notes.push(Note::LineEndings { old: a, new: b });
    }
    let (c, d) = (old.ends_with('\n'), new.ends_with('\n'));
    if c != d && !old.is_empty() && !new.is_empty() {
        notes.push(Note::FinalNewline { new: d });
    }
    if notes.is_empty() && unchanged && old != new {
        notes.push(Note::LineEndings { old: a, new: b });
    }
    notes
}
