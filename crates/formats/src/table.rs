//! Rows and columns: separated values, and the sheets of workbooks.

use text::records;

/// Rows and columns that are kept of a table: more than a page shows, so that differences further down
/// are found. A sheet may name the last of 16,384 columns in every row.
pub(crate) const KEPT_ROWS: usize = 1_000;
/// Cells that are kept of each row; see [`KEPT_ROWS`].
pub(crate) const KEPT_COLUMNS: usize = 100;

/// The beginning of a table, and its full size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// At most `KEPT_ROWS` of at most `KEPT_COLUMNS` cells each, without empty cells at the end.
    pub rows: Vec<Vec<String>>,
    /// Rows in total.
    pub all_rows: usize,
    /// Cells in the longest row.
    pub all_columns: usize,
    /// Whether rows differ in length where the format expects the same.
    pub is_ragged: bool,
}

impl Table {
    /// Adds the rows to `text`, one a line, their cells separated by tabs.
    pub(crate) fn write_text(&self, text: &mut String) {
        for row in &self.rows {
            let line = row.join("\t");
            if !line.trim_end().is_empty() {
                text.extend([line.trim_end(), "\n"]);
            }
        }
    }
}

/// Reads separated values.
pub fn delimited(text: &str, separator: u8) -> Table {
    let separator = if separator == b',' { likely_separator(text) } else { separator };
    let mut table = Table::default();
    let mut width = None;
    for mut record in records(text, separator) {
        table.all_rows += 1;
        table.all_columns = table.all_columns.max(record.len());
        table.is_ragged |= *width.get_or_insert(record.len()) != record.len();
        if table.rows.len() < KEPT_ROWS {
            record.truncate(KEPT_COLUMNS);
            table.rows.push(record);
        }
    }
    table
}

/// The most frequent separator in the first line. Where a comma marks decimals, programs write `.csv`
/// files with semicolons.
fn likely_separator(text: &str) -> u8 {
    let first_line = text.lines().next().unwrap_or_default();
    let (mut likely, mut most) = (b',', 0);
    // Of equally many, the comma wins: it is what the name of the file says.
    for separator in *b"\t;," {
        let count = first_line.bytes().filter(|byte| *byte == separator).count();
        if count >= most {
            (likely, most) = (separator, count);
        }
    }
    likely
}

#[cfg(test)]
mod tests {
    use super::{Table, delimited};

    #[test]
    fn quotes_breaks_and_ragged_rows() {
        let table = delimited("a,b\n\"x,\ny\",\"q\"\"q\"\n1\n2,3,4\n", b',');
        assert_eq!(table.rows[1], ["x,\ny", "q\"q"]);
        assert_eq!((table.all_rows, table.all_columns, table.is_ragged), (4, 3, true));
        assert_eq!(delimited("a;b;c,d\n1;2;3", b',').rows[1], ["1", "2", "3"]);
        assert_eq!(delimited("a\tb", b'\t').rows[0], ["a", "b"]);
        assert_eq!(delimited("", b','), Table::default());
    }

    #[test]
    fn large_tables_are_cut_and_counted() {
        let line = "1,".repeat(120) + "1\n";
        let table = delimited(&line.repeat(3_000), b',');
        assert_eq!((table.rows.len(), table.rows[0].len()), (1_000, 100));
        assert_eq!((table.all_rows, table.all_columns), (3_000, 121));
    }
}
