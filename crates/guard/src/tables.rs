//! Tables in text, of Markdown or CSV, with a column whose head names passwords or keys.

use std::ops::Range;

use crate::finder::{Kind, Reading};
use crate::judge::Match;
use crate::scan::{among, is_word, leading, piece, trailing};
use crate::secret::Secret;
use crate::value::{Characters, is_drawn, is_uuid, looks_like};

/// The longest line of a table that is examined.
const LONGEST_LINE: usize = 4096;

/// The longest name of a column, in bytes.
const LONGEST_NAME: usize = 40;

/// Adds the secrets of the tables whose heads are in a line with one of `names`, which are in order.
pub(super) fn find(text: &[u8], names: &[usize], secrets: &mut Vec<Secret>) {
    let mut resume = 0;
    for &name in names {
        if name < resume {
            continue;
        }
        let head = line_at(text, name);
        resume = head.end + 1;
        if let Some(table) = Table::with_head(&text[head]) {
            resume = table.find_in_rows(text, resume, secrets);
        }
    }
}

struct Table {
    separator: u8,
    /// The number of cells in each row.
    width: usize,
    /// The columns of secrets, and whether these are passwords.
    columns: Vec<(usize, bool)>,
}

impl Table {
    /// The table below a line, if the line is the head of one with such a column.
    fn with_head(line: &[u8]) -> Option<Self> {
        // A dump of PostgreSQL names the columns in a command.
        let copied = line.strip_prefix(b"COPY ").and_then(|line| {
            let open = memchr::memchr(b'(', line)?;
            line.get(open + 1..memchr::memchr(b')', line)?)
        });
        let line = copied.unwrap_or(line);
        let separator = *b"|\t;,".iter().find(|sign| line.contains(sign))?;
        let cells = cells(line, separator);
        let mut columns = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            let cell = &line[cell.clone()];
            if !can_be_head(cell) {
                return None;
            }
            let is_password = looks_like("column_of_words", cell);
            if is_password || looks_like("column_of_keys", cell) {
                columns.push((at, is_password));
            }
        }
        // Lines of Markdown begin and end with a separator, so with an empty cell.
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        let is_whole = filled >= 2 && (separator == b'|' || filled == cells.len());
        if !is_whole || columns.is_empty() {
            return None;
        }
        let separator = if copied.is_some() { b'\t' } else { separator };
        Some(Self { separator, width: cells.len(), columns })
    }

    /// Adds the secrets of the rows from `start` on; returns where the table ends.
    fn find_in_rows(&self, text: &[u8], mut start: usize, secrets: &mut Vec<Secret>) -> usize {
        while start < text.len() {
            let row = line_at(text, start);
            let line = &text[row.clone()];
            let cells = cells(line, self.separator);
            if cells.len() != self.width {
                break;
            }
            for (column, is_password) in &self.columns {
                let cell = cells[*column].clone();
                if is_secret_cell(&line[cell.clone()], *is_password) {
                    let range = row.start + cell.start..row.start + cell.end;
                    secrets.push(Secret::new(range, &"column of secrets".into(), usize::MAX / 4));
                }
            }
            start = row.end + 1;
        }
        start
    }
}

/// Whether a cell below the name of a password or of a key holds a secret.
fn is_secret_cell(cell: &[u8], is_password: bool) -> bool {
    let is_one = if is_password {
        is_password_cell(cell)
    } else {
        (is_drawn(cell) && !cell.contains(&b' ')) || is_uuid(cell)
    };
    let reading = Reading::of(Kind::Text);
    let quoted = Match { text: cell, keyword: 0..0, value: 0..cell.len(), reading };
    is_one && !looks_like("made_up", cell) && !quoted.is_none()
}

fn is_password_cell(cell: &[u8]) -> bool {
    let characters = Characters::new(cell);
    let is_name = looks_like("name", cell) || characters.spaces > 0;
    let is_one = characters.are_mixed() || (characters.has_inner_capital && !is_name);
    is_one && !cell.ends_with(b")")
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
