//! What changed from one side to another, as it stands in the file. It is counted from the rest of
//! the file and left aside on the way back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One side against another.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangeJson {
    /// Why they are compared: `baseline`, `previous`, `first`, `best`, `pinned`.
    pub against: Vec<String>,
    /// The earlier side, or the baseline.
    pub before: SideJson,
    /// The later side, or the candidate.
    pub after: SideJson,
    /// The verdict in words, such as `better, leaning`.
    pub verdict: String,
    /// The gain by case; null without a case in common.
    pub gain: Option<GainJson>,
    /// Seconds, later in times of earlier; null where one side records none.
    pub time: Option<CostJson>,
    /// Tokens, likewise.
    pub tokens: Option<CostJson>,
    /// US dollars, likewise.
    pub dollars: Option<CostJson>,
    /// Names of cases that only the earlier side has.
    pub only_before: Vec<String>,
    /// Names of cases that only the later side has.
    pub only_after: Vec<String>,
    /// Names of cases whose prompt changed, or that share too few statements.
    pub unlike: Vec<String>,
}

/// One side of a change.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct SideJson {
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration.
    pub configuration: String,
    /// Checks passed, of those compared.
    pub passed: usize,
    /// Checks failed, of those compared.
    pub failed: usize,
}

/// The mean of the differences by case.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct GainJson {
    /// Later minus earlier, in -1..=1.
    #[schemars(range(min = -1, max = 1))]
    pub mean: f64,
    /// Lower end of the 95 % interval; null where there is none.
    pub low: Option<f64>,
    /// Upper end; null likewise.
    pub high: Option<f64>,
    /// Cases compared.
    pub cases: usize,
    /// Cases in which the later side is ahead.
    pub better: usize,
    /// Cases in which it is behind.
    pub worse: usize,
    /// Cases without a difference.
    pub same: usize,
    /// Cases of which a side has a single graded run: how much their runs differ is not known.
    pub single_run: usize,
    /// Runs of these cases without a verdict, of the earlier and of the later side.
    pub ungraded_runs: [usize; 2],
    /// Checks of these cases without a verdict in runs that have others, likewise.
    pub ungraded_checks: [usize; 2],
    /// Two-sided p of the exact sign-flip test, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub p: f64,
    /// How many candidates of the iteration are held against such a side at once, this one included.
    pub at_once: usize,
    /// p adjusted for all of them (Holm), in 0..=1; the verdict goes by it.
    #[schemars(range(min = 0, max = 1))]
    pub adjusted_p: f64,
    /// The smallest gain that so many cases show in 4 of 5 evaluations; null where it cannot be told.
    pub smallest_detectable: Option<f64>,
}

/// One cost.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct CostJson {
    /// Later over earlier, geometric mean over cases.
    pub ratio: f64,
    /// Lower end of its 95 % interval; null for one case.
    pub low: Option<f64>,
    /// Upper end; null likewise.
    pub high: Option<f64>,
    /// Later over earlier of the totals; null where the earlier total is 0.
    pub of_totals: Option<f64>,
    /// Mean of the case means, earlier side, in the unit of the cost; null where it is unknown.
    pub before: Option<f64>,
    /// Mean of the case means, later side; null likewise.
    pub after: Option<f64>,
    /// Cases with the cost on both sides.
    pub cases: usize,
}
