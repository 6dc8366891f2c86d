//! Files for other programs: tables of runs and expectations, and verdicts for a CI system.
//!
//! Entry point: `streams`. A file is made piece by piece, case by case, so that memory does not
//! grow with the runs. Like `report.json` they are in English. Evidence stands in the
//! `benchmark.json` of each iteration; only `junit.xml`, which holds one iteration, repeats it.

mod cell;
mod csv;
mod expectations;
mod jsonl;
mod junit;
mod runs;

use std::io::{self, Read};

pub use crate::render::data::export::cell::Documented;

use crate::render::context::{RenderError, Site};
use crate::settings::Export;
use crate::write::Sink;

/// The columns of `runs.csv` and the keys of `runs.jsonl`, for the documentation.
pub fn run_columns() -> Vec<Documented> {
    cell::documented(&runs::columns())
}

/// The columns of `expectations.csv`, for the documentation.
pub fn expectation_columns() -> Vec<Documented> {
    cell::documented(&expectations::columns())
}

/// Adds the files that the settings of `site` ask for.
pub(crate) fn streams<'a>(site: Site<'a>, streams: &mut Vec<Stream<'a>>) {
    let files = site.part.settings.export.iter();
    for (export, name) in files.flat_map(|file| file.files().iter().map(move |name| (file, *name)))
    {
        let path = site.addresses.report_file(name);
        streams.push(match (export, name) {
            (Export::Csv, "runs.csv") => {
                Stream::of(path, move || csv::pieces(runs::columns(), runs::by_case(site)))
            }
            (Export::Csv, _) => Stream::of(path, move || {
                csv::pieces(expectations::columns(), expectations::by_case(site))
            }),
            (Export::Jsonl, _) => {
                Stream::of(path, move || jsonl::pieces(runs::columns(), runs::by_case(site)))
            }
            (Export::Junit, _) => Stream::of(path, move || junit::pieces(site)),
        });
    }
}

/// The pieces of a file in their order.
type Pieces<'a> = Box<dyn Iterator<Item = Vec<u8>> + 'a>;

/// A file of a report that is never held as a whole.
pub(crate) struct Stream<'a> {
    path: String,
    open: Box<dyn Fn() -> Pieces<'a> + Send + Sync + 'a>,
}

impl<'a> Stream<'a> {
    /// The file at `path`, made of what `open` gives.
    fn of<I: Iterator<Item = Vec<u8>> + 'a>(
        path: String,
        open: impl Fn() -> I + Send + Sync + 'a,
    ) -> Self {
        Self { path, open: Box::new(move || Box::new(open())) }
    }

    /// Puts the file into `sink`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, sink: &dyn Sink) -> Result<(), RenderError> {
        let mut reader = Reader { pieces: (self.open)(), piece: Vec::new(), at: 0 };
        let stored = sink.store(&mut reader, &|_| self.path.clone());
        stored.map(|_| ()).map_err(|error| RenderError::Sink {
            page: self.path.clone(),
            reason: crate::files::reason(&error),
        })
    }
}

/// Reads one piece after the other.
struct Reader<'a> {
    pieces: Pieces<'a>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            let Some(piece) = self.pieces.next() else { return Ok(0) };
            (self.piece, self.at) = (piece, 0);
        }
        let length = buffer.len().min(self.piece.len() - self.at);
        buffer[..length].copy_from_slice(&self.piece[self.at..self.at + length]);
        self.at += length;
        Ok(length)
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
        Stream::of("x.csv".to_owned(), pieces).write(&sink as &dyn Sink).unwrap();
        assert_eq!(sink.into_pages()["x.csv"], b"a,b\n1,2\n");
    }
}
