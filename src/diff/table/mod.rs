//! Two tables (CSV, TSV) compared cell by cell.
//!
//! The first record names the columns, which correspond by name in any order. Rows correspond if
//! their cells in common columns are equal, in the order of both tables. The rest is matched by the
//! first column if its values are distinct, else by equal cells.

mod columns;
mod rows;
#[cfg(test)]
mod tests;

use crate::diff::limits::{LimitHit, Limits, Work, check_bytes, check_items};
use crate::text::records;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDiff {
    /// The columns in the order of the new table, with removed ones at their old position.
    pub columns: Vec<Column>,
    /// The rows below the header.
    pub rows: Vec<TableRow>,
    /// All changes, shown or not.
    pub counts: TableCounts,
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnAt {
    pub index: usize,
    /// `None` if the first record is shorter than others.
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRow {
    Record {
        change: RowChange,
        cells: Vec<DiffCell>,
    },
    Fold {
        rows: usize,
    },
    /// The middle of a result with too many rows.
    Omitted {
        rows: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    Equal,
    Changed,
    Added,
    Removed,
}

/// A cell on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffCell {
    Equal(String),
    Changed {
        old: String,
        new: String,
    },
    Added(String),
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
    pub added: usize,
    pub removed: usize,
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
