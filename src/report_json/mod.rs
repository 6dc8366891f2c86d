//! `report.json`: the shapes of the file, and the way back from it to a workspace.
//!
//! `render` fills [`ReportJson`]; [`read`] gives workspaces whose analysis is that of what was
//! written. What takes no part in an analysis is not read back. Evidence that stands in an iteration's
//! `benchmark.json` is taken from there by [`add_evidence`].

mod back;
mod counted;
mod found;
mod shape;

#[cfg(test)]
mod tests;

pub use crate::report_json::back::{ReadBack, add_evidence, read};
pub use crate::report_json::counted::*;
pub use crate::report_json::found::*;
pub use crate::report_json::shape::*;

/// Version of the schema; it grows when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 2;

/// The oldest version that is read: its verdicts had other words.
pub const OLDEST_VERSION: u32 = 1;
