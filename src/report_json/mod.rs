//! `report.json`: the shapes of the file, and the way back from it to a workspace.
//!
//! `render` fills [`ReportJson`]; [`read`] gives workspaces whose analysis is that of what was
//! written. What takes no part in an analysis is not read back. Evidence that stands in an iteration's
//! `benchmark.json` is taken from there by [`add_evidence`].

use std::borrow::Cow;

mod back;
mod counted;
mod found;
mod run;
mod shape;

#[cfg(test)]
mod tests;

pub use crate::report_json::back::{ReadBack, add_evidence, read};
pub use crate::report_json::counted::{
    BlindJson, ChangeJson, ContestJson, CostJson, CourseJson, ExpectationPlaceJson, GainJson,
    GradersJson, HealthJson, NoteJson, RankedJson, RankingJson, RecordedJson, RunPlaceJson,
    ShareJson, SideJson,
};
pub use crate::report_json::found::{EvidenceJson, MissingJson, QuotationsJson};
pub use crate::report_json::run::{CaseJson, RunJson};
pub use crate::report_json::shape::{
    ConfigurationJson, GateLineJson, IterationJson, LevelJson, ProblemJson, ReliabilityJson,
    ReportJson, SpreadJson, VersionJson, WorkspaceJson,
};

/// Version of the schema; it grows when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 2;

/// The oldest version that is read: its verdicts had other words.
pub const OLDEST_VERSION: u32 = 1;

/// A text of a shape: borrowed from the model to be written, owned when it was read.
type Text<'a> = Cow<'a, str>;

fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}
