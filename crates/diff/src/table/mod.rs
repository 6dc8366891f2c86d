//! Two tables (CSV, TSV) compared cell by cell.
//!
//! The first record names the columns, which correspond by name in any order. Rows correspond if
//! their cells in common columns are equal, in the order of both tables. The rest is matched by the
//! first column if its values are distinct, else by equal cells.

mod columns;
mod rows;
#[cfg(test)]
mod tests;

use crate::limits::{LimitHit, Limits, Work, check_bytes, check_items};
use text::records;

/// Two tables compared by columns and records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDiff {
    /// The columns in the order of the new table, with removed ones at their old position.
    pub columns: Vec<Column>,
    /// The rows below the header.
    pub rows: Vec<TableRow>,
    /// All changes, shown or not.
    pub counts: TableCounts,
    /// Limits that made the result coarser or shorter, each once; empty if there are none.
    pub reached: Vec<LimitHit>,
}

/// A column of either table or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Position in the old table; `None` if added.
    pub old: Option<ColumnAt>,
    /// Position in the new table; `None` if removed.
    pub new: Option<ColumnAt>,
}

/// A column of one of the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnAt {
    /// Its position, from 0.
    pub index: usize,
    /// `None` if the first record is shorter than others.
    pub name: Option<String>,
}

/// One row of a [`TableDiff`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRow {
    /// A record of one table, or two records that correspond.
    Record {
        /// What became of it.
        change: RowChange,
        /// A cell for each of [`TableDiff::columns`], in their order.
        cells: Vec<DiffCell>,
    },
    /// Hidden unchanged records.
    Fold {
        /// How many records are hidden; at least 2.
        rows: usize,
    },
    /// The middle of a result with too many rows.
    Omitted {
        /// How many records are left out, with those in folds among them.
        rows: usize,
    },
}

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// Both tables have it, with equal cells in all columns.
    Equal,
    /// Both tables have it, and at least one cell differs.
    Changed,
    /// Only the new table has it.
    Added,
    /// Only the old table has it.
    Removed,
}

/// A cell on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffCell {
    /// Both sides have this text.
    Equal(String),
    /// Both sides have the cell, with different texts.
    Changed {
        /// The text in the old table.
        old: String,
        /// The text in the new table.
        new: String,
    },
    /// Only the new table has the cell, with this text.
    Added(String),
    /// Only the old table has the cell, with this text.
    Removed(String),
    /// Absent on both sides: the record is too short.
    Absent,
}

impl DiffCell {
    /// Whether the sides differ.
    pub fn differs(&self) -> bool {
        !matches!(self, Self::Equal(_) | Self::Absent)
    }
}

/// Records that only one table has, and cells that changed in the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// Records that only the new table has.
    pub added: usize,
    /// Records that only the old table has.
    pub removed: usize,
    /// Cells that differ in records of both tables.
    pub cells: usize,
}

/// The records of a table, the header first.
struct ParsedTable {
    records: Vec<Vec<String>>,
    width: usize,
}

impl ParsedTable {
    /// Reads a table within the limits.
    fn read(text: &str, delimiter: u8) -> Result<Self, LimitHit> {
        let mut table = Self { records: Vec::new(), width: 0 };
        for record in records(text, delimiter) {
            table.width = table.width.max(record.len());
            table.records.push(record);
            // Every row is compared in every column, so one wide record makes all rows wide.
            check_items(table.width * table.records.len())?;
        }
        Ok(table)
    }

    /// Whether a record has at least two fields, or the text is empty.
    fn is_table(&self) -> bool {
        self.width != 1
    }

    /// Number of records below the header.
    fn rows(&self) -> usize {
        self.records.len().saturating_sub(1)
    }

    /// The name of a column; `None` if the first record is too short.
    fn name(&self, column: usize) -> Option<&str> {
        Some(self.records.first()?.get(column)?)
    }

    /// A cell below the header, with rows counted from 0; `None` if the record is too short.
    fn cell(&self, row: usize, column: usize) -> Option<&str> {
        Some(self.records.get(row + 1)?.get(column)?)
    }

    /// The cells of these columns in each row below the header.
    fn rows_of(&self, columns: &[usize]) -> Vec<Vec<Option<&str>>> {
        (0..self.rows())
            .map(|row| columns.iter().map(|column| self.cell(row, *column)).collect())
            .collect()
    }
}

/// Compares two tables with fields separated by `delimiter`; `None` if one is not a table: it has
/// text, but never two fields in a record.
pub fn table(
    old: &str,
    new: &str,
    delimiter: u8,
    limits: &Limits,
) -> Result<Option<TableDiff>, LimitHit> {
    check_bytes(old.len().max(new.len()), limits)?;
    let (a, b) = (ParsedTable::read(old, delimiter)?, ParsedTable::read(new, delimiter)?);
    // A file with one column is a list of lines, whatever it is called.
    if !a.is_table() || !b.is_table() {
        return Ok(None);
    }
    let mut work = Work::new(old, new, limits);
    let columns = columns::columns(&a, &b);
    let (rows, counts) = rows::rows(&a, &b, &columns, &mut work);
    Ok(Some(TableDiff { columns, rows, counts, reached: work.into_reached() }))
}
