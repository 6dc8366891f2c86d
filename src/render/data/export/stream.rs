//! A file that is made piece by piece while it is written.

use std::io::{self, Read};

use crate::render::context::RenderError;
use crate::write::Sink;

/// The pieces of a file in their order.
type Pieces<'a> = Box<dyn Iterator<Item = Vec<u8>> + 'a>;

/// A file of a report that is never held as a whole.
pub(crate) struct Stream<'a> {
    path: String,
    open: Box<dyn Fn() -> Pieces<'a> + Send + Sync + 'a>,
}

impl<'a> Stream<'a> {
    /// The file at `path`, made of what `open` gives.
    pub(super) fn of<I: Iterator<Item = Vec<u8>> + 'a>(
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
        let pieces = || ["a,b\n", "", "", "1,2\n"].into_iter().map(|it| it.as_bytes().to_vec());
        Stream::of("x.csv".to_owned(), pieces).write(&sink as &dyn Sink).unwrap();
        assert_eq!(sink.into_pages()["x.csv"], b"a,b\n1,2\n");
    }
}
