//! Reads JSON documents, also those that people and language models wrote nearly as JSON.
//!
//! Every value knows its *span*, its bytes in the text. [`LineIndex`] turns a position in the text
//! into a line and column.

mod node;
mod parser;
mod repair_kind;
mod source;
mod string;
mod word;

pub use node::{Node, Spanned, number_text};
pub use parser::{parse, parse_strict};
pub use repair_kind::RepairKind;
pub use source::{LineIndex, decode, place_in_source, without_fence};
