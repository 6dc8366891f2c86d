//! Files for other programs, in English: tables of runs and expectations, and verdicts for CI.
//!
//! Files are made case by case, so that memory does not grow with the number of runs.

mod junit;
mod rows;
mod table;

use std::collections::VecDeque;
use std::io::{self, Read};

pub use crate::render::data::export::table::Documented;

use crate::render::context::{RenderContext, RenderError};
use crate::render::data::export::rows::{expectations, runs};
use crate::render::data::export::table::{csv_pieces, jsonl_pieces};
use crate::render::unwritten;
use crate::write::Sink;

/// The columns of `runs.csv` and the keys of `runs.jsonl`, for the documentation.
pub fn run_columns() -> Vec<Documented> {
    rows::run_columns().iter().map(|column| column.documented).collect()
}

/// The columns of `expectations.csv`, for the documentation.
pub fn expectation_columns() -> Vec<Documented> {
    rows::expectation_columns().iter().map(|column| column.documented).collect()
}

pub(crate) fn streams<'a>(context: RenderContext<'a>, streams: &mut Vec<Stream<'a>>) {
    for name in context.part.settings.export.iter().flat_map(|export| export.files()) {
        streams.push(Stream {
            path: context.addresses.report_file(name),
            open: Box::new(move || match *name {
                "runs.csv" => Box::new(csv_pieces(rows::run_columns(), runs(context))),
                "runs.jsonl" => Box::new(jsonl_pieces(rows::run_columns(), runs(context))),
                "expectations.csv" => {
                    Box::new(csv_pieces(rows::expectation_columns(), expectations(context)))
                }
                _ => Box::new(junit::pieces(context)),
            }),
        });
    }
}

type ByteStream<'a> = Box<dyn Iterator<Item = Vec<u8>> + 'a>;

pub(crate) struct Stream<'a> {
    path: String,
    open: Box<dyn Fn() -> ByteStream<'a> + Send + Sync + 'a>,
}

impl Stream<'_> {
    pub(crate) fn write(&self, sink: &dyn Sink) -> Result<(), RenderError> {
        let mut reader = PieceReader { pieces: (self.open)(), piece: VecDeque::new() };
        let stored = sink.store(&mut reader, &|_| self.path.clone());
        stored.map(|_| ()).map_err(|error| unwritten(&self.path, &error))
    }
}

struct PieceReader<'a> {
    pieces: ByteStream<'a>,
    piece: VecDeque<u8>,
}

impl Read for PieceReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
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
