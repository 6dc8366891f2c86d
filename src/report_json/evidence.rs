//! Findings in the evidence of graders.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::{QuoteCounts, UnequalVerdicts};

/// Quotations in graders' evidence, checked against the files of the runs.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct EvidenceJson<'a> {
    /// Counts of each grader's quotations by where they were found.
    pub graders: Vec<QuotationsJson>,
    /// The checks with quotations that were not found, passed ones first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingJson>,
    /// The checks that passed for one run and failed for another with the same outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inconsistent: Vec<&'a UnequalVerdicts>,
}

/// A grader's quotations by where they were found.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct QuotationsJson {
    /// The grader; null where it is not recorded.
    pub grader: Option<String>,
    #[serde(flatten)]
    pub counts: QuoteCounts,
}

/// A check with quotations that were not found.
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
