//! The columns of a table and the values in them.

use std::borrow::Cow;

/// So many characters of a text are written; the rest is `…`.
const LONGEST: usize = 500;

/// What a column is called, its unit, and what it holds.
pub type Documented = [&'static str; 3];

/// A column of a table with rows `R`.
pub(super) struct Column<R> {
    pub(super) name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    pub(super) value: fn(&R) -> Cell<'_>,
}

/// The column `name` in `unit`, which may be empty.
pub(super) fn column<R>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&R) -> Cell<'_>,
) -> Column<R> {
    Column { name, unit, meaning, value }
}

pub(super) fn documented<R>(columns: &[Column<R>]) -> Vec<Documented> {
    columns.iter().map(|column| [column.name, column.unit, column.meaning]).collect()
}

/// One value. Absent is not zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'r> {
    Absent,
    Text(Cow<'r, str>),
    Number(f64),
    Flag(bool),
}

impl<'r> Cell<'r> {
    /// A text, cut where it is very long.
    pub(super) fn text(text: &'r str) -> Self {
        Self::Text(match text.char_indices().nth(LONGEST) {
            Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
            None => Cow::Borrowed(text),
        })
    }

    pub(super) fn count(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

impl From<Option<f64>> for Cell<'_> {
    fn from(number: Option<f64>) -> Self {
        number.filter(|number| number.is_finite()).map_or(Self::Absent, Self::Number)
    }
}

impl From<Option<bool>> for Cell<'_> {
    fn from(flag: Option<bool>) -> Self {
        flag.map_or(Self::Absent, Self::Flag)
    }
}

impl<'r> From<Option<&'r String>> for Cell<'r> {
    fn from(text: Option<&'r String>) -> Self {
        text.map_or(Self::Absent, |text| Self::text(text))
    }
}
