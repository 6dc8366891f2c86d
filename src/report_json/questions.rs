//! The two questions about the newest candidate, a row for each; under several conditions a row for
//! each of these. `summary.json` has the same rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyze::Measure;

/// The answer to one question.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct RowJson {
    /// `helps`: the candidate with the side without the skill, of the same round. `changed`: with the
    /// old skill, else with the iteration before.
    pub question: String,
    /// The harness or model; null in a round under one condition.
    pub condition: Option<String>,
    /// The candidate.
    pub candidate: RowSideJson,
    /// What it is compared with; null without data.
    pub other: Option<RowSideJson>,
    /// The word of the comparison as in `changes`, or of its checks: `lost`, `repaired`, `no
    /// regression`, `rerun`. Without data what is missing: `not asked`, `recorded`, `not graded`,
    /// `first iteration`, `other model`, `same runs`, `no order` or `which baseline`.
    pub word: String,
    /// `better` or `worse` where the row is, by its points or since repeated runs lost a check; else
    /// `open`.
    pub tone: String,
    /// What both sides are compared by; null without data.
    pub measure: Option<Measure>,
    /// The gain in shares of 1 with its range; null without data, and where missing verdicts could
    /// undo it.
    pub mean: Option<f64>,
    /// Lower end of the range.
    pub low: Option<f64>,
    /// Upper end of the range.
    pub high: Option<f64>,
    /// Mean pass rates in 0..=1 of the other side and of the candidate, on the compared cases; mean
    /// scores where these are the measure.
    pub levels: Option<[f64; 2]>,
    /// Cases compared.
    pub cases: usize,
    /// Those of them with one run on a side.
    pub single_run: usize,
    /// The checks of both sides; null without data.
    pub checks: Option<RowChecksJson>,
    /// Typical ratio of the tokens by case, candidate over other side; null where unknown.
    pub tokens: Option<f64>,
    /// Typical ratio of the time, likewise.
    pub time: Option<f64>,
    /// Typical ratio of the dollars, likewise.
    pub dollars: Option<f64>,
    /// The iteration in which the question was last answered, and the gain then; null with data.
    pub last: Option<LastKnownJson>,
}

/// One side of a row.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct RowSideJson {
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration.
    pub configuration: String,
}

/// Checks that have verdicts on both sides.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct RowChecksJson {
    /// Passed in every run of the other side and in none of the candidate: lost, or worse.
    pub down: usize,
    /// The other way round: repaired, or better.
    pub up: usize,
    /// Those of `down` with several runs on each side.
    pub down_repeated: usize,
    /// Those of `up` with several runs on each side.
    pub up_repeated: usize,
    /// Passed in some runs of a side only.
    pub unsteady: usize,
    /// Passed in no run of either side.
    pub failing: usize,
    /// Passed in every run of both sides.
    pub passing: usize,
    /// All of them.
    pub shared: usize,
}

/// An earlier answer.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct LastKnownJson {
    /// Name of the iteration.
    pub iteration: String,
    /// The gain in shares of 1.
    pub mean: f64,
}
