//! Reads JSON documents that people and LLM graders wrote by hand.
//!
//! The steps, in the order a caller takes them:
//!
//! 1. [`parse_strict`] reads the bytes as plain JSON. Almost every file ends here.
//! 2. If that fails, [`decode`] makes text of the bytes, whatever their encoding.
//! 3. [`parse_tolerant`] reads that text, repairing what it can and listing each repair.
//!
//! Both readers give the same tree, a [`Node`]. The tolerant reader also knows where each value
//! stands: run it on a strictly valid document to find the position of a value, and turn the
//! position into a line and column with [`LineIndex`].
//!
//! Words used in this module:
//!
//! - *offset*, *span*: a byte position, or a range of them, in the decoded text.
//! - *repair*: one departure from JSON, together with what was assumed in its place.
//! - *unreadable*: there is no document to repair, such as an empty or a binary file.

mod node;
mod strict;
mod text;
mod tolerant;

#[cfg(test)]
mod tests;

pub use node::Node;
pub use strict::parse as parse_strict;
pub use text::Encoding;
pub use text::LineIndex;
pub use text::decode;
pub use tolerant::RepairKind;
pub use tolerant::Spanned;
pub use tolerant::SpannedEntry;
pub use tolerant::SpannedValue;
pub use tolerant::Step;
pub use tolerant::parse as parse_tolerant;
