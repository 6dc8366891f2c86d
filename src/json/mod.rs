//! Reads JSON documents, also those that people and language models wrote nearly as JSON.
//!
//! The steps, in the order a caller takes them:
//!
//! 1. [`decode`] makes text of bytes, whatever their encoding.
//! 2. [`parse`] reads the text. It repairs what real files get wrong and lists each repair; for
//!    anything else it says where the document stops to be JSON and what was expected there.
//!    [`parse_strict`] repairs nothing.
//!
//! Every value knows its *span*, the bytes of the text that spell it. [`LineIndex`] turns a position
//! in the text into a line and column.

mod node;
mod parser;
mod repair;
mod scalar;
mod string;
mod text;

pub use node::{Node, Spanned, number_text};
pub use parser::{parse, parse_strict};
pub use repair::RepairKind;
pub use text::{LineIndex, decode};
