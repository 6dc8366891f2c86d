//! The benchmark of one iteration: `benchmark.json` and `benchmark.md` in the shape that the
//! skill-creator's viewer and the regression gates of the advanced dialect read.
//!
//! Entry points: [`json`] or [`json_line`], and [`markdown`]. Both say the same, put together from
//!
//! - `sheet`: the runs in order, the ids of the cases, what was counted;
//! - `measure`: pass rate, time and tokens of a configuration, and their change;
//! - `notes`: sentences generated from the figures.
//!
//! `shape` is the JSON as it is written; the model is never serialized itself.
//!
//! The candidate stands before the baseline, and the baseline is the named one: a change is the
//! candidate minus the baseline, never the first folder minus the second.

mod json;
mod markdown;
mod measure;
mod notes;
mod shape;
mod sheet;

pub use json::{json, json_line};
pub use markdown::markdown;

use crate::model::{Iteration, Workspace};

/// What the caller knows of the iteration beyond its runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The skill under test; `None` where nobody named it.
    pub skill_name: Option<String>,
    /// Where the skill lies, as the data or the user wrote it.
    pub skill_path: Option<String>,
    /// When the benchmark was made, from the data or `SOURCE_DATE_EPOCH`, never from the clock.
    pub timestamp: Option<String>,
}

impl Heading {
    /// What was recorded beside the iteration: the workspace's skill, and path and time of the
    /// newest benchmark that names them.
    pub fn recorded(workspace: &Workspace, iteration: &Iteration) -> Self {
        let mut benchmarks = iteration.benchmarks.iter().rev();
        Self {
            skill_name: workspace.skill.clone(),
            skill_path: benchmarks.clone().find_map(|found| found.skill_path.clone()),
            timestamp: benchmarks.find_map(|found| found.timestamp.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
