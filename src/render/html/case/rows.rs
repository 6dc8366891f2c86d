//! The rows of the matrix: each check through the iterations, also where a grader began to write ids, or says it in
//! other words.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analyze::{Statement, matched};
use crate::budget::LIST_ROWS;
use crate::render::html::case::matrix::Column;

/// A check with the columns that have it.
pub(super) struct Row<'a> {
    /// Its key in the newest column.
    pub(super) key: Cow<'a, str>,
    /// Its newest wording.
    pub(super) text: &'a str,
    pub(super) first: usize,
    pub(super) last: usize,
    /// Its key on a side of a column.
    keys: BTreeMap<(usize, usize), Cow<'a, str>>,
}

impl Row<'_> {
    /// What the check is called on a side of a column; `None` where nobody asked it.
    pub(super) fn key_in(&self, column: usize, side: usize) -> Option<&str> {
        self.keys.get(&(column, side)).map(|key| &**key)
    }
}

/// The first checks of a case, and how many it has.
pub(super) struct FirstRows<'a> {
    pub(super) rows: Vec<Row<'a>>,
    pub(super) number: usize,
}

/// The checks in their newest wording: those of the newest iteration first, in their order there.
/// A grading may have a million, and no page shows more than [`LIST_ROWS`].
pub(super) fn first_rows<'a>(columns: &[Column<'a>]) -> FirstRows<'a> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    // Each check as the oldest column so far has it, with which older ones are compared.
    let mut oldest: Vec<Statement<'a>> = Vec::new();
    for (at, column) in columns.iter().enumerate().rev() {
        for (side, statements) in column.sides.iter().map(|side| &side.statements).enumerate() {
            let mut row_of: Vec<Option<usize>> = vec![None; statements.len()];
            for (statement, row) in matched(statements, &oldest) {
                row_of[statement] = Some(row);
            }
            for (statement, known) in statements.iter().zip(row_of) {
                let light = Statement {
                    key: statement.key.clone(),
                    has_id: statement.has_id,
                    text: statement.text,
                    ..Statement::default()
                };
                let position = known.unwrap_or(oldest.len());
                if known.is_some() {
                    oldest[position] = light;
                } else {
                    oldest.push(light);
                    if position < LIST_ROWS {
                        let (key, text) = (statement.key.clone(), statement.text);
                        rows.push(Row { key, text, first: at, last: at, keys: BTreeMap::new() });
                    }
                }
                if let Some(row) = rows.get_mut(position) {
                    row.first = at;
                    row.keys.insert((at, side), statement.key.clone());
                }
            }
        }
    }
    FirstRows { rows, number: oldest.len() }
}
