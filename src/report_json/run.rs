//! A case with its runs, their cost, gradings and files, as it stands in the file.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Case, Grading, Loading, Metrics, Notes, Output, Run};

/// One case.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct CaseJson<'a> {
    #[serde(flatten)]
    pub case: &'a Case,
    /// Its runs, by configuration and number.
    pub runs: Vec<RunJson<'a>>,
}

/// One run.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct RunJson<'a> {
    /// The configuration it was executed under.
    configuration: &'a str,
    /// Its number, from 1.
    number: u32,
    /// Its folder relative to the workspace; the file of its grading where it has none.
    path: &'a str,
    /// Expectations passed by its own grading.
    passed: usize,
    /// Expectations failed.
    failed: usize,
    /// Expectations without a verdict.
    ungraded: usize,
    /// Passed over passed and failed, in 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pass_rate: Option<f64>,
    /// What it cost.
    metrics: &'a Metrics,
    /// US dollars at the prices of the settings, where the run recorded none.
    #[serde(skip_serializing_if = "Option::is_none")]
    computed_cost_usd: Option<f64>,
    /// Its gradings; the first is its own, others are second opinions.
    gradings: Vec<Cow<'a, Grading>>,
    /// The files it produced.
    outputs: &'a [Output],
    /// The file of its conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<&'a Output>,
    /// What the executor remarked.
    #[serde(skip_serializing_if = "Notes::is_empty")]
    notes: &'a Notes,
    /// The run of an earlier iteration that it is, used again.
    #[serde(skip_serializing_if = "Option::is_none")]
    reused_from: Option<&'a str>,
    /// What its files report of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// Whether its agent loaded the skill; left out where nothing is known.
    #[serde(skip_serializing_if = "Loading::is_empty")]
    loading: &'a Loading,
}

impl<'a> RunJson<'a> {
    /// The shape of `run`, with what it cost where that is computed. The evidence of the first
    /// grading is left to the iteration's benchmark, which holds the graded runs.
    pub fn new(run: &'a Run, computed_cost_usd: Option<f64>) -> Self {
        let tally = run.tally();
        let grading = |(at, grading): (usize, &'a Grading)| match at == 0 && tally.graded() > 0 {
            true => Cow::Owned(without_evidence(grading)),
            false => Cow::Borrowed(grading),
        };
        Self {
            configuration: &run.configuration,
            number: run.number,
            path: &run.path,
            passed: tally.passed,
            failed: tally.failed,
            ungraded: tally.ungraded,
            pass_rate: tally.pass_rate(),
            metrics: &run.metrics,
            computed_cost_usd,
            gradings: run.gradings.iter().enumerate().map(grading).collect(),
            outputs: &run.outputs,
            transcript: run.transcript.as_ref(),
            notes: &run.notes,
            reused_from: run.reused_from.as_deref(),
            error: run.error.as_deref(),
            loading: &run.loading,
        }
    }
}

fn without_evidence(grading: &Grading) -> Grading {
    let mut grading = grading.clone();
    grading.expectations.iter_mut().for_each(|expectation| expectation.evidence = None);
    grading
}
