//! A case with its runs, their cost, gradings and files, as it stands in the file.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Case, Grading, Loading, Metrics, Notes, Output, PlannedExpectation, Run};
use crate::report_json::{Text, is_empty};

/// One case.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct CaseJson<'a> {
    /// Its name.
    name: Text<'a>,
    /// Name of its folder; empty where it has none.
    folder: Text<'a>,
    /// The author's id of it; null where it has none.
    id: Option<Text<'a>>,
    /// What is to be solved; null where it is not recorded.
    prompt: Option<Text<'a>>,
    /// What the author expects; null where it is not recorded.
    expected_output: Option<Text<'a>>,
    /// Paths of the files that the prompt comes with.
    #[serde(default, skip_serializing_if = "is_empty")]
    files: Cow<'a, [String]>,
    /// The expectations that the author planned.
    #[serde(default, skip_serializing_if = "is_empty")]
    planned: Cow<'a, [PlannedExpectation]>,
    /// The case with the same prompt that comes before it in the iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_prompt_as: Option<Text<'a>>,
    /// Whether the skill should be loaded for it, where the author says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    should_load: Option<bool>,
    /// Its runs, by configuration and number.
    runs: Vec<RunJson<'a>>,
}

impl<'a> CaseJson<'a> {
    pub fn new(case: &'a Case, runs: Vec<RunJson<'a>>) -> Self {
        Self {
            name: Cow::Borrowed(&case.name),
            folder: Cow::Borrowed(&case.folder),
            id: case.id.as_deref().map(Cow::Borrowed),
            prompt: case.prompt.as_deref().map(Cow::Borrowed),
            expected_output: case.expected_output.as_deref().map(Cow::Borrowed),
            files: Cow::Borrowed(&case.files),
            planned: Cow::Borrowed(&case.planned),
            same_prompt_as: case.same_prompt_as.as_deref().map(Cow::Borrowed),
            should_load: case.should_load,
            runs,
        }
    }

    pub(super) fn into_case(self) -> Case {
        Case {
            id: self.id.map(Text::into_owned),
            name: self.name.into_owned(),
            folder: self.folder.into_owned(),
            prompt: self.prompt.map(Text::into_owned),
            expected_output: self.expected_output.map(Text::into_owned),
            files: self.files.into_owned(),
            planned: self.planned.into_owned(),
            same_prompt_as: self.same_prompt_as.map(Text::into_owned),
            should_load: self.should_load,
            runs: self.runs.into_iter().map(RunJson::into_run).collect(),
        }
    }
}

/// One run.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct RunJson<'a> {
    /// The configuration it was executed under.
    configuration: Text<'a>,
    /// Its number, from 1.
    number: u32,
    /// Its folder relative to the workspace; the file of its grading where it has none.
    path: Text<'a>,
    /// Expectations passed by its own grading.
    #[serde(default)]
    passed: usize,
    /// Expectations failed.
    #[serde(default)]
    failed: usize,
    /// Expectations without a verdict.
    #[serde(default)]
    ungraded: usize,
    /// Passed over passed and failed, in 0..=1; null without a verdict.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pass_rate: Option<f64>,
    /// What it cost.
    metrics: Cow<'a, Metrics>,
    /// US dollars at the prices of the settings, where the run recorded none.
    #[serde(skip_serializing_if = "Option::is_none")]
    computed_cost_usd: Option<f64>,
    /// Its gradings; the first is its own, others are second opinions.
    gradings: Vec<Cow<'a, Grading>>,
    /// The files it produced.
    outputs: Cow<'a, [Output]>,
    /// The file of its conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<Cow<'a, Output>>,
    /// What the executor remarked.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    #[schemars(!default)]
    notes: Cow<'a, Notes>,
    /// The run of an earlier iteration that it is, used again.
    #[serde(skip_serializing_if = "Option::is_none")]
    reused_from: Option<Text<'a>>,
    /// What its files report of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Text<'a>>,
    /// Whether its agent loaded the skill; left out where nothing is known.
    #[serde(default, skip_serializing_if = "Loading::is_empty")]
    #[schemars(!default)]
    loading: Cow<'a, Loading>,
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
            configuration: Cow::Borrowed(&run.configuration),
            number: run.number,
            path: Cow::Borrowed(&run.path),
            passed: tally.passed,
            failed: tally.failed,
            ungraded: tally.ungraded,
            pass_rate: tally.pass_rate(),
            metrics: Cow::Borrowed(&run.metrics),
            computed_cost_usd,
            gradings: run.gradings.iter().enumerate().map(grading).collect(),
            outputs: Cow::Borrowed(&run.outputs),
            transcript: run.transcript.as_ref().map(Cow::Borrowed),
            notes: Cow::Borrowed(&run.notes),
            reused_from: run.reused_from.as_deref().map(Cow::Borrowed),
            error: run.error.as_deref().map(Cow::Borrowed),
            loading: Cow::Borrowed(&run.loading),
        }
    }

    fn into_run(self) -> Run {
        Run {
            configuration: self.configuration.into_owned(),
            number: self.number,
            path: self.path.into_owned(),
            gradings: self.gradings.into_iter().map(Cow::into_owned).collect(),
            metrics: self.metrics.into_owned(),
            outputs: self.outputs.into_owned(),
            transcript: self.transcript.map(Cow::into_owned),
            notes: self.notes.into_owned(),
            reused_from: self.reused_from.map(Text::into_owned),
            error: self.error.map(Text::into_owned),
            loading: self.loading.into_owned(),
        }
    }
}

fn without_evidence(grading: &Grading) -> Grading {
    let mut grading = grading.clone();
    grading.expectations.iter_mut().for_each(|expectation| expectation.evidence = None);
    grading
}
