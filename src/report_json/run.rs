//! A run with its cost, its gradings and its files, as it stands in the file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::model::{Expectation, Grading, Metrics, Notes, Outcome, Output, Run};
use crate::report_json::{Text, borrowed};

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
    #[serde(serialize_with = "MetricsJson::serialize", deserialize_with = "read_metrics")]
    #[schemars(with = "MetricsJson")]
    metrics: Cow<'a, Metrics>,
    /// US dollars at the prices of the settings, where the run recorded none.
    #[serde(skip_serializing_if = "Option::is_none")]
    computed_cost_usd: Option<f64>,
    /// Its gradings; the first is its own, others are second opinions.
    gradings: Vec<GradingJson<'a>>,
    /// The files it produced.
    outputs: Vec<OutputJson<'a>>,
    /// The file of its conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<OutputJson<'a>>,
    /// What the executor remarked.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    #[serde(serialize_with = "NotesJson::serialize", deserialize_with = "read_notes")]
    #[schemars(with = "NotesJson", !default)]
    notes: Cow<'a, Notes>,
}

impl<'a> RunJson<'a> {
    /// The shape of `run`, with what it cost where that is computed. The evidence of the first
    /// grading is left to the iteration's benchmark, which holds the graded runs.
    pub fn of(run: &'a Run, computed_cost_usd: Option<f64>) -> Self {
        let tally = run.tally();
        let with_evidence = |index: usize| index > 0 || tally.graded() == 0;
        let gradings = run.gradings.iter().enumerate();
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
            gradings: gradings.map(|(at, it)| GradingJson::of(it, with_evidence(at))).collect(),
            outputs: run.outputs.iter().map(OutputJson::of).collect(),
            transcript: run.transcript.as_ref().map(OutputJson::of),
            notes: Cow::Borrowed(&run.notes),
        }
    }

    pub(super) fn back(self) -> Run {
        Run {
            configuration: self.configuration.into_owned(),
            number: self.number,
            path: self.path.into_owned(),
            gradings: self.gradings.into_iter().map(GradingJson::back).collect(),
            metrics: self.metrics.into_owned(),
            outputs: self.outputs.into_iter().map(OutputJson::back).collect(),
            transcript: self.transcript.map(OutputJson::back),
            notes: self.notes.into_owned(),
        }
    }
}

/// A file.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub(super) struct OutputJson<'a> {
    /// Its name below the folder it was found in.
    name: Text<'a>,
    /// Its path relative to the workspace.
    path: Text<'a>,
    /// Its size in bytes.
    bytes: u64,
}

impl<'a> OutputJson<'a> {
    pub(super) fn of(output: &'a Output) -> Self {
        Self {
            name: Cow::Borrowed(&output.name),
            path: Cow::Borrowed(&output.path),
            bytes: output.bytes,
        }
    }

    pub(super) fn back(self) -> Output {
        let (name, path) = (self.name.into_owned(), self.path.into_owned());
        Output { path, name, bytes: self.bytes }
    }
}

/// What was remarked, by heading.
#[derive(Default, JsonSchema, Serialize, Deserialize)]
#[serde(default, remote = "Notes")]
struct NotesJson {
    /// What was not certain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    uncertainties: Vec<String>,
    /// What somebody should look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needs_review: Vec<String>,
    /// What was done in another way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workarounds: Vec<String>,
    /// Anything else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other: Vec<String>,
}

/// What a run cost. The first figures are null where nobody recorded them, the others are left out.
#[derive(Default, JsonSchema, Serialize, Deserialize)]
#[serde(default, remote = "Metrics")]
struct MetricsJson {
    /// Seconds in total; null where nobody recorded them.
    duration_s: Option<f64>,
    /// Seconds of the executor alone; null likewise.
    executor_s: Option<f64>,
    /// Seconds of the grader alone; null likewise.
    grader_s: Option<f64>,
    /// All tokens of the run, as recorded in total, else the sum of its recorded parts with those of
    /// a cache; null likewise.
    tokens: Option<f64>,
    /// US dollars as recorded; null likewise.
    cost_usd: Option<f64>,
    /// The model that executed; null likewise.
    model: Option<String>,
    /// Calls of tools in total; null likewise.
    tool_calls: Option<f64>,
    /// Errors met on the way; null likewise.
    errors: Option<f64>,
    /// Tokens read.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<f64>,
    /// Tokens written.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<f64>,
    /// Tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    cached_tokens: Option<f64>,
    /// Tokens written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_written_tokens: Option<f64>,
    /// Calls by the name of the tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tool_calls_by_name: BTreeMap<String, f64>,
    /// Steps or turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<f64>,
    /// Characters of the outputs; they are never tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_chars: Option<f64>,
    /// Characters of the transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript_chars: Option<f64>,
    /// Names of the files that the executor says it made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files_created: Vec<String>,
    /// When it began, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<String>,
    /// When it ended, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

fn read_notes<'de, D: Deserializer<'de>>(from: D) -> Result<Cow<'static, Notes>, D::Error> {
    NotesJson::deserialize(from).map(Cow::Owned)
}

fn read_metrics<'de, D: Deserializer<'de>>(from: D) -> Result<Cow<'static, Metrics>, D::Error> {
    MetricsJson::deserialize(from).map(Cow::Owned)
}

/// What one grader found in one run.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
struct GradingJson<'a> {
    /// Its file relative to the workspace.
    path: Text<'a>,
    /// Who graded; null where nobody says.
    grader: Option<Text<'a>>,
    /// The recorded overall verdict, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    overall: Option<bool>,
    /// Every expectation it lists.
    expectations: Vec<ExpectationJson<'a>>,
    /// What the grader remarked.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    #[serde(serialize_with = "NotesJson::serialize", deserialize_with = "read_notes")]
    #[schemars(with = "NotesJson", !default)]
    notes: Cow<'a, Notes>,
}

impl<'a> GradingJson<'a> {
    fn of(grading: &'a Grading, with_evidence: bool) -> Self {
        let expectations = grading.expectations.iter();
        Self {
            path: Cow::Borrowed(&grading.path),
            grader: borrowed(grading.grader.as_ref()),
            overall: grading.overall.and_then(passed),
            expectations: expectations.map(|it| ExpectationJson::of(it, with_evidence)).collect(),
            notes: Cow::Borrowed(&grading.notes),
        }
    }

    fn back(self) -> Grading {
        Grading {
            path: self.path.into_owned(),
            grader: self.grader.map(Text::into_owned),
            overall: self.overall.map(|passed| outcome(Some(passed))),
            expectations: self.expectations.into_iter().map(ExpectationJson::back).collect(),
            notes: self.notes.into_owned(),
            ..Grading::default()
        }
    }
}

/// One expectation with its verdict.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
struct ExpectationJson<'a> {
    /// The author's or the grader's id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Text<'a>>,
    /// The statement that was checked.
    text: Text<'a>,
    /// What is said about it besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Text<'a>>,
    /// The verdict; null without one.
    passed: Option<bool>,
    /// Why, in the grader's words. That of a graded run's own grading stands in the iteration's
    /// `benchmark.json` instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Text<'a>>,
    /// The score on the grader's rubric.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// A score that the rubric of 1 to 5 does not have: used for nothing, and `score` is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_outside: Option<f64>,
    /// Whether the case fails with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
}

impl<'a> ExpectationJson<'a> {
    fn of(expectation: &'a Expectation, with_evidence: bool) -> Self {
        Self {
            id: borrowed(expectation.id.as_ref()),
            text: Cow::Borrowed(&expectation.text),
            description: borrowed(expectation.description.as_ref()),
            passed: passed(expectation.outcome),
            evidence: borrowed(expectation.evidence.as_ref().filter(|_| with_evidence)),
            score: expectation.score,
            score_outside: expectation.score_outside,
            required: expectation.required,
        }
    }

    fn back(self) -> Expectation {
        Expectation {
            id: self.id.map(Text::into_owned),
            text: self.text.into_owned(),
            description: self.description.map(Text::into_owned),
            outcome: outcome(self.passed),
            evidence: self.evidence.map(Text::into_owned),
            score: self.score,
            score_outside: self.score_outside,
            required: self.required,
        }
    }
}

fn passed(outcome: Outcome) -> Option<bool> {
    match outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed => Some(false),
        Outcome::Ungraded => None,
    }
}

fn outcome(passed: Option<bool>) -> Outcome {
    match passed {
        Some(true) => Outcome::Passed,
        Some(false) => Outcome::Failed,
        None => Outcome::Ungraded,
    }
}
