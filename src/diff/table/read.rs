//! Tables as records of fields.

use csv::{ReaderBuilder, StringRecord};

use crate::diff::limits::{Limit, Limits, Reached, exceeded};

/// The records of a table, the names of the columns first.
pub(super) struct Table {
    records: Vec<StringRecord>,
    pub(super) width: usize,
}

impl Table {
    /// Reads a table as far as the limits allow. Blank lines are no records; an open quote runs
    /// to the end.
    pub(super) fn read(text: &str, delimiter: u8, limits: &Limits) -> Result<Self, Reached> {
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut table = Self { records: Vec::new(), width: 0 };
        let mut cells = 0;
        // Reading from memory fails only on text that is not UTF-8, and this is.
        for record in reader.records().map_while(Result::ok) {
            cells += record.len();
            table.width = table.width.max(record.len());
            let reached = exceeded(Limit::Columns, table.width, limits.columns)
                .or_else(|| exceeded(Limit::Cells, cells, limits.cells))
                .or_else(|| exceeded(Limit::Items, table.records.len() + 1, limits.items));
            match reached {
                Some(reached) => return Err(reached),
                None => table.records.push(record),
            }
        }
        Ok(table)
    }

    /// Whether there is a record of at least two fields, or nothing at all.
    pub(super) fn is_table(&self) -> bool {
        self.width != 1
    }

    /// How many records there are below the names.
    pub(super) fn rows(&self) -> usize {
        self.records.len().saturating_sub(1)
    }

    /// The name of a column; `None` when the first record is too short.
    pub(super) fn name(&self, column: usize) -> Option<&str> {
        self.records.first()?.get(column)
    }

    /// A cell below the names, rows counted from 0; `None` when the record is too short.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<&str> {
        self.records.get(row + 1)?.get(column)
    }
}
