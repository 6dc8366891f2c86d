//! What was found in the evidence of graders.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::QuoteCounts;

/// What graders quote as evidence, held against the files of the runs.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct EvidenceJson {
    /// Where the quotations of each grader are.
    pub graders: Vec<QuotationsJson>,
    /// The checks with quotations that are nowhere, those that passed first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingJson>,
    /// The checks that passed for one run and failed for another with the same outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inconsistent: Vec<InconsistentJson>,
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

/// A check that passed for one run and failed for another with the same outputs.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct InconsistentJson {
    /// Name of the case.
    pub case: String,
    /// The statement.
    pub check: String,
    /// Folder of the run in which it passed, relative to the workspace.
    pub passed: String,
    /// Folder of the run in which it failed.
    pub failed: String,
}
