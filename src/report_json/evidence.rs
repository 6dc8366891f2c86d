//! What was found in the evidence of graders.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::{Inconsistent, QuoteCounts};

/// What graders quote as evidence, held against the files of the runs.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct EvidenceJson<'a> {
    /// Where the quotations of each grader are.
    pub graders: Vec<QuotationsJson>,
    /// The checks with quotations that are nowhere, those that passed first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingJson>,
    /// The checks that passed for one run and failed for another with the same outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inconsistent: Vec<&'a Inconsistent>,
}

/// How many quotations of a grader are where.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct QuotationsJson {
    /// Who graded; null where nobody says.
    pub grader: Option<String>,
    #[serde(flatten)]
    pub counts: QuoteCounts,
}

/// A check with quotations that are nowhere.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct MissingJson {
    /// Name of the case.
    pub case: String,
    /// Configuration of the run.
    pub configuration: String,
    /// Its number, from 1.
    pub run: u32,
    /// The statement.
    pub check: String,
    /// Whether it passed; null without a verdict.
    pub passed: Option<bool>,
    /// The quotations.
    pub quotations: Vec<String>,
}
