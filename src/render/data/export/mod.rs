//! Files for other programs, in English: tables of runs and expectations, and verdicts for CI.
//!
//! Files are made case by case, so that memory does not grow with the number of runs.

mod cell;
mod columns;
mod junit;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::iter;

use crate::render::context::RenderContext;
use crate::render::data::export::cell::{ExportCell, csv_rows, json_line};
use crate::render::data::export::columns::{
    Column, EXPECTATION_COLUMNS, ExportRow, RUN_COLUMNS, expectation_rows, run_rows,
};
use crate::write::Sink;
use input::settings::{Export, Settings};

/// Name, unit and meaning of a column.
pub type Documented = [&'static str; 3];

/// The columns of `runs.csv` and the keys of `runs.jsonl`, for the documentation.
pub fn run_columns() -> Vec<Documented> {
    RUN_COLUMNS.iter().map(|column| [column.name, column.unit, column.meaning]).collect()
}

/// The columns of `expectations.csv`, for the documentation.
pub fn expectation_columns() -> Vec<Documented> {
    EXPECTATION_COLUMNS.iter().map(|column| [column.name, column.unit, column.meaning]).collect()
}

/// The files: tables that every reader of numbers can open, and what the settings ask for.
pub(crate) fn names(settings: &Settings) -> Vec<&'static str> {
    let mut names = Export::Csv.files().to_vec();
    for export in settings.publish.export.iter().filter(|export| **export != Export::Csv) {
        names.extend(export.files());
    }
    names
}

/// Adds the files.
pub(crate) fn streams<'a>(context: RenderContext<'a>, streams: &mut Vec<Stream<'a>>) {
    for name in names(context.part.settings) {
        let open: Box<dyn Fn() -> ByteStream<'a> + Send + Sync + 'a> = match name {
            "runs.csv" => Box::new(move || csv_pieces(RUN_COLUMNS, run_rows(context))),
            "runs.jsonl" => Box::new(move || json_pieces(RUN_COLUMNS, run_rows(context))),
            "expectations.csv" => {
                Box::new(move || csv_pieces(EXPECTATION_COLUMNS, expectation_rows(context)))
            }
            _ => Box::new(move || Box::new(junit::pieces(context))),
        };
        streams.push(Stream { path: context.addresses.report_file(name), open });
    }
}

type ByteStream<'a> = Box<dyn Iterator<Item = Vec<u8>> + 'a>;

/// The head of a table, then the rows of each case.
fn csv_pieces<'a>(
    columns: &'static [Column],
    cases: impl Iterator<Item = Vec<ExportRow<'a>>> + 'a,
) -> ByteStream<'a> {
    let head = columns.iter().map(|column| ExportCell::text(column.name)).collect();
    let rows = cases.map(|rows| csv_rows(rows.iter().map(|row| cells(columns, row))));
    Box::new(iter::once(csv_rows(iter::once(head))).chain(rows))
}

/// One object per line: the lines of each case.
fn json_pieces<'a>(
    columns: &'static [Column],
    cases: impl Iterator<Item = Vec<ExportRow<'a>>> + 'a,
) -> ByteStream<'a> {
    Box::new(cases.map(|rows| {
        let mut lines = String::new();
        for row in &rows {
            let keys = columns.iter().map(|column| column.name);
            lines += &json_line(keys, &cells(columns, row));
        }
        lines.into_bytes()
    }))
}

fn cells(columns: &[Column], row: &ExportRow<'_>) -> Vec<ExportCell> {
    columns.iter().map(|column| (column.value)(row)).collect()
}

/// A file that is written piece by piece.
pub(crate) struct Stream<'a> {
    pub(crate) path: String,
    open: Box<dyn Fn() -> ByteStream<'a> + Send + Sync + 'a>,
}

impl Stream<'_> {
    pub(crate) fn write(&self, sink: &dyn Sink) -> io::Result<()> {
        let mut reader = PieceReader { pieces: (self.open)(), piece: VecDeque::new() };
        sink.store(&mut reader, &|_| self.path.clone())?;
        Ok(())
    }
}

struct PieceReader<'a> {
    pieces: ByteStream<'a>,
    piece: VecDeque<u8>,
}

impl Read for PieceReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // An empty piece is not the end.
        while self.piece.is_empty() {
            let Some(piece) = self.pieces.next() else { return Ok(0) };
            self.piece = piece.into();
        }
        self.piece.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::Stream;
    use crate::write::{MemorySink, Sink};

    #[test]
    fn pieces_become_one_file_and_empty_ones_end_nothing() {
        let sink = MemorySink::default();
        let pieces =
            || ["a,b\n", "", "", "1,2\n"].into_iter().map(|piece| piece.as_bytes().to_vec());
        let stream =
            Stream { path: "x.csv".to_owned(), open: Box::new(move || Box::new(pieces())) };
        stream.write(&sink as &dyn Sink).unwrap();
        assert_eq!(sink.into_pages()["x.csv"], b"a,b\n1,2\n");
    }
}
