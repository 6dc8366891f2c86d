//! What was found in the data, as it stands in the file: notes of an iteration, the health of the
//! expectations. It is counted from the rest of the file and left aside on the way back.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// One note of an iteration.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct NoteJson<'a> {
    /// What was found, such as `saturated`.
    pub kind: &'static str,
    /// The note in one English sentence.
    pub message: String,
    /// Names of the cases it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<&'a str>,
    /// The runs it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunPlaceJson<'a>>,
    /// The expectations it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expectations: Vec<ExpectationPlaceJson<'a>>,
}

/// Where a run is found.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RunPlaceJson<'a> {
    /// Name of its case.
    pub case: &'a str,
    /// Its configuration.
    pub configuration: &'a str,
    /// Its number.
    pub number: u32,
}

/// Where an expectation is found.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct ExpectationPlaceJson<'a> {
    /// Name of its case.
    pub case: &'a str,
    /// The statement.
    pub text: &'a str,
}

/// What the expectations can show together.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct HealthJson {
    /// The iteration that decides.
    pub iteration: String,
    /// Expectations checked in it.
    pub expectations: usize,
    /// Those with verdicts on both sides.
    pub compared: usize,
    /// How many are good for what.
    pub uses: BTreeMap<&'static str, usize>,
    /// Those on which runs of one configuration disagree; counted in `uses` as well.
    pub flaky: usize,
    /// The number of runs that one most often has verdicts of on one side; of those with several
    /// where one side has several and another has one.
    pub runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in that many,
    /// in 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pub looks_stable: Option<f64>,
    /// Passed over passed and failed of the candidate, all its verdicts in that iteration, in
    /// 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pub candidate_pass_rate: Option<f64>,
    /// The same without those that are saturated; null where nothing else is left.
    #[schemars(range(min = 0, max = 1))]
    pub candidate_pass_rate_unsaturated: Option<f64>,
}
