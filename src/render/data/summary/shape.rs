//! The shape of `summary.json`.

use serde::{Deserialize, Serialize};

/// A report in a few lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub generator: String,
    pub schema_version: u32,
    /// Whether search engines are asked not to list its pages.
    pub noindex: bool,
    /// Its workspaces in the report's order.
    pub workspaces: Vec<WorkspaceSummary>,
}

/// One workspace of a report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkspaceSummary {
    pub title: String,
    pub name: String,
    /// Its overview, relative to the report, as every page here.
    pub page: String,
    pub problems_page: String,
    pub problems: usize,
    pub iterations_total: usize,
    /// Its newest iterations, in their order.
    pub iterations: Vec<IterationSummary>,
    pub candidate: Option<SideSummary>,
    /// Whether nothing has a verdict and figures are only recorded.
    #[serde(default)]
    pub recorded_only: bool,
    pub other: Option<SideSummary>,
    /// The gain of the one on the other.
    pub gain: Option<GainSummary>,
    /// Expectations that lost and gained passes since the iteration before; `None` where none has
    /// verdicts on both sides.
    pub flips: Option<FlipsSummary>,
}

/// One iteration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IterationSummary {
    pub name: String,
    pub page: String,
    /// The latest time its files recorded, in UTC.
    pub updated: Option<String>,
    /// What it says in one sentence; absent where no candidate has a verdict.
    pub verdict: Option<String>,
    /// What is only recorded of it; absent where a run has a verdict.
    #[serde(default)]
    pub recorded: Option<String>,
    /// Both sides named with k/n, and the cost.
    pub sides: String,
}

/// The verdicts of one side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SideSummary {
    pub configuration: String,
    pub iteration: String,
    pub page: String,
    pub passed: usize,
    pub failed: usize,
    pub ungraded: usize,
    /// The pass rate as a mean of cases, in 0..=1; null where the counts say the same.
    #[serde(default)]
    pub by_case: Option<f64>,
}

/// A gain in shares of 1, by case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GainSummary {
    /// The verdict in the words of `report.json`.
    pub verdict: String,
    /// What it is counted by: `pass rate` or `score`; empty in older files, which knew only the
    /// former.
    #[serde(default)]
    pub measure: String,
    /// Mean scores of the earlier and of the later side, 1 to 5; null where they are not the measure.
    #[serde(default)]
    pub scores: Option<[f64; 2]>,
    pub cases: usize,
    /// Those of which a side has a single graded run: how much their runs differ is not known.
    #[serde(default)]
    pub single_run: usize,
    /// Runs of these cases without a verdict, of the earlier and of the later side.
    #[serde(default)]
    pub ungraded_runs: [usize; 2],
    /// Mean of the differences; absent without a shared case.
    pub mean: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// What changed since the iteration before.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FlipsSummary {
    pub regressed: usize,
    pub fixed: usize,
}
