//! Part: what one machine read, in a form that another can join with the parts of others.
//!
//! A report that is a part holds a folder [`FOLDER`] with [`INDEX`], a line for each file and folder
//! of the workspace as the guard shows them: short texts stand in the line, everything else lies in
//! the report once, under the hash of its content. [`Carry`] writes it; [`Archive`] is such a
//! folder as a source. So joined parts go through the same pipeline as the whole workspace would,
//! and nothing that was decided from an incomplete part is left in what they make.

mod archive;
mod carry;
mod shape;

pub use crate::part::archive::{Archive, PartError};
pub use crate::part::carry::Carry;

/// The folder in a report.
pub const FOLDER: &str = "part";

/// The list of everything the part holds, below the report.
pub const INDEX: &str = "part/index.jsonl";

/// Version of the list; it grows when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;
