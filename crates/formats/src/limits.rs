//! Bounds of every reader of files, so that a hostile file costs little time and memory.
//!
//! What is beyond a bound is left out, or makes the file unreadable; neither costs the report.
//! How much of a file a page shows is another question: see `budget`.

/// The largest document, or result of another evaluator, that is read; larger ones are data.
pub const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The most bytes that are decoded of a text file or of one part of a packed file; of a larger one the
/// beginning counts.
pub const MAX_TEXT_BYTES: usize = 8 * 1024 * 1024;

/// The most bytes that all parts of a packed file may unpack to.
pub(crate) const MAX_UNPACKED_BYTES: usize = 32 * 1024 * 1024;

/// The most bytes that are read of a sheet, and the most text that is taken from a PDF.
pub const MAX_READ_BYTES: usize = 2 * 1024 * 1024;

/// The most elements, objects or codes in one part of a file.
pub const MAX_ITEMS: usize = 400_000;

/// The most slides, sheets and cells of a notebook, since each may refer to the same large part; and
/// attributes of an element, since readers compare each with all before it.
pub const MAX_PARTS: usize = 300;

/// The deepest nesting that a reader enters.
pub const MAX_NESTING: usize = 32;
