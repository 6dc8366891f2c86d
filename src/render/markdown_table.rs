//! Tables in Markdown. Cells are escaped by the caller.

use std::borrow::Borrow;

use crate::language::Language;

/// One row.
pub(crate) fn row<T: Borrow<str>>(cells: &[T]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a table with the texts of `keys`; `rule` aligns its columns.
pub(crate) fn head<const N: usize>(keys: [&str; N], rule: &str, language: &Language) -> String {
    row(&keys.map(|key| language.text(key))) + rule + "\n"
}
