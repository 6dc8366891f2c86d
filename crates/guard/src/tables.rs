//! Tables in text, of Markdown or CSV, with a column whose head names passwords or keys.

use std::ops::Range;

use crate::scan::{among, is_word, leading, piece, trailing};
use crate::value::looks_like;

/// The longest line of a table that is examined.
const LONGEST_LINE: usize = 4096;

/// The longest name of a column, in bytes.
const LONGEST_NAME: usize = 40;

/// A cell below a head that names a secret.
pub(super) struct Cell<'t> {
    pub(super) head: &'t [u8],
    pub(super) range: Range<usize>,
}

/// The cells of the tables whose heads are in a line with one of `names`, which are in order.
pub(super) fn cells_of_secrets<'t>(text: &'t [u8], names: &[usize]) -> Vec<Cell<'t>> {
    let mut found = Vec::new();
    let mut resume = 0;
    for &name in names {
        if name < resume {
            continue;
        }
        let head = line_at(text, name);
        resume = head.end + 1;
        if let Some(table) = Table::with_head(&text[head]) {
            resume = table.add_rows(text, resume, &mut found);
        }
    }
    found
}

struct Table<'t> {
    separator: u8,
    /// The number of cells in each row.
    width: usize,
    /// The columns of secrets, and their heads.
    columns: Vec<(usize, &'t [u8])>,
}

impl<'t> Table<'t> {
    /// The table below a line, if the line is the head of one with such a column.
    fn with_head(line: &'t [u8]) -> Option<Self> {
        // A dump of PostgreSQL names the columns in a command.
        let copied = line.strip_prefix(b"COPY ").and_then(|line| {
            let open = memchr::memchr(b'(', line)?;
            line.get(open + 1..memchr::memchr(b')', line)?)
        });
        let line = copied.unwrap_or(line);
        let separator = *b"|\t;,".iter().find(|sign| line.contains(sign))?;
        let cells = cells(line, separator);
        let heads = cells.iter().map(|cell| &line[cell.clone()]);
        if !heads.clone().all(can_be_head) {
            return None;
        }
        // Lines of Markdown begin and end with a separator, so with an empty cell.
        let filled = heads.clone().filter(|head| !head.is_empty()).count();
        let is_whole = filled >= 2 && (separator == b'|' || filled == cells.len());
        let columns: Vec<(usize, &[u8])> =
            heads.enumerate().filter(|(_, head)| looks_like("column", head)).collect();
        if !is_whole || columns.is_empty() {
            return None;
        }
        let separator = if copied.is_some() { b'\t' } else { separator };
        Some(Self { separator, width: cells.len(), columns })
    }

    /// Adds the cells of the rows from `start` on; returns where the table ends.
    fn add_rows(&self, text: &[u8], mut start: usize, found: &mut Vec<Cell<'t>>) -> usize {
        while start < text.len() {
            let row = line_at(text, start);
            let cells = cells(&text[row.clone()], self.separator);
            if cells.len() != self.width {
                break;
            }
            for &(column, head) in &self.columns {
                let range = row.start + cells[column].start..row.start + cells[column].end;
                found.push(Cell { head, range });
            }
            start = row.end + 1;
        }
        start
    }
}

fn can_be_head(cell: &[u8]) -> bool {
    let is_of_name = |byte: &u8| is_word(*byte) || b" -./#".contains(byte) || *byte >= 0x80;
    let is_number = cell.first().is_some_and(u8::is_ascii_digit);
    cell.len() <= LONGEST_NAME && !is_number && cell.iter().all(is_of_name)
}

/// The line around `at`, up to the longest length of a table's line on each side.
fn line_at(text: &[u8], at: usize) -> Range<usize> {
    let start = at - trailing(&text[at.saturating_sub(LONGEST_LINE)..at], |byte| byte != b'\n');
    start..at + leading(piece(text, at, LONGEST_LINE), |byte| byte != b'\n')
}

/// The cells of a line, without the quotes, marks and spaces around them.
fn cells(line: &[u8], separator: u8) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for at in 0..=line.len() {
        let byte = line.get(at).copied();
        if byte == Some(b'"') && separator != b'|' {
            is_quoted = !is_quoted;
        }
        if byte.is_none() || (byte == Some(separator) && !is_quoted) {
            let is_around = among(b" \t\r\"'`*");
            let skipped = start + leading(&line[start..at], &is_around);
            cells.push(skipped..at - trailing(&line[skipped..at], &is_around));
            start = at + 1;
        }
    }
    cells
}
