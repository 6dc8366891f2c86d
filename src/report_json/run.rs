//! A run with its cost, its gradings and its files, as it stands in the file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{Expectation, Grading, Metrics, Notes, Outcome, Output, Run};
use crate::report_json::shape::{Text, borrowed};

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunJson<'a> {
    configuration: Text<'a>,
    number: u32,
    path: Text<'a>,
    #[serde(default)]
    passed: usize,
    #[serde(default)]
    failed: usize,
    #[serde(default)]
    ungraded: usize,
    #[serde(default)]
    pass_rate: Option<f64>,
    metrics: MetricsJson<'a>,
    /// US dollars at the prices of the settings, where the run recorded none.
    #[serde(skip_serializing_if = "Option::is_none")]
    computed_cost_usd: Option<f64>,
    gradings: Vec<GradingJson<'a>>,
    outputs: Vec<OutputJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<OutputJson<'a>>,
    #[serde(default, skip_serializing_if = "NotesJson::is_empty")]
    notes: NotesJson<'a>,
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
            metrics: MetricsJson::of(&run.metrics),
            computed_cost_usd,
            gradings: gradings.map(|(at, it)| GradingJson::of(it, with_evidence(at))).collect(),
            outputs: run.outputs.iter().map(OutputJson::of).collect(),
            transcript: run.transcript.as_ref().map(OutputJson::of),
            notes: NotesJson::of(&run.notes),
        }
    }

    /// The run it is the shape of.
    pub(super) fn back(self) -> Run {
        Run {
            configuration: self.configuration.into_owned(),
            number: self.number,
            path: self.path.into_owned(),
            gradings: self.gradings.into_iter().map(GradingJson::back).collect(),
            metrics: self.metrics.back(),
            outputs: self.outputs.into_iter().map(OutputJson::back).collect(),
            transcript: self.transcript.map(OutputJson::back),
            notes: self.notes.back(),
        }
    }
}

/// A file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OutputJson<'a> {
    name: Text<'a>,
    path: Text<'a>,
    bytes: u64,
}

impl<'a> OutputJson<'a> {
    /// The shape of `output`.
    pub(super) fn of(output: &'a Output) -> Self {
        Self {
            name: Cow::Borrowed(&output.name),
            path: Cow::Borrowed(&output.path),
            bytes: output.bytes,
        }
    }

    /// The file it is the shape of.
    pub(super) fn back(self) -> Output {
        let (name, path) = (self.name.into_owned(), self.path.into_owned());
        Output { path, name, bytes: self.bytes }
    }
}

/// What was remarked, by heading.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct NotesJson<'a> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    uncertainties: Cow<'a, [String]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    needs_review: Cow<'a, [String]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    workarounds: Cow<'a, [String]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    other: Cow<'a, [String]>,
}

impl<'a> NotesJson<'a> {
    fn of(notes: &'a Notes) -> Self {
        Self {
            uncertainties: Cow::Borrowed(&notes.uncertainties),
            needs_review: Cow::Borrowed(&notes.needs_review),
            workarounds: Cow::Borrowed(&notes.workarounds),
            other: Cow::Borrowed(&notes.other),
        }
    }

    fn is_empty(&self) -> bool {
        let all = [&self.uncertainties, &self.needs_review, &self.workarounds, &self.other];
        all.into_iter().all(|remarks| remarks.is_empty())
    }

    fn back(self) -> Notes {
        Notes {
            uncertainties: self.uncertainties.into_owned(),
            needs_review: self.needs_review.into_owned(),
            workarounds: self.workarounds.into_owned(),
            other: self.other.into_owned(),
        }
    }
}

/// What a run cost. The first figures are null where nobody recorded them, the others are left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct MetricsJson<'a> {
    duration_s: Option<f64>,
    executor_s: Option<f64>,
    grader_s: Option<f64>,
    tokens: Option<f64>,
    cost_usd: Option<f64>,
    model: Option<Text<'a>>,
    tool_calls: Option<f64>,
    errors: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cached_tokens: Option<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tool_calls_by_name: Cow<'a, BTreeMap<String, f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_chars: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript_chars: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    files_created: Cow<'a, [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Text<'a>>,
}

impl<'a> MetricsJson<'a> {
    fn of(metrics: &'a Metrics) -> Self {
        Self {
            duration_s: metrics.duration_s,
            executor_s: metrics.executor_s,
            grader_s: metrics.grader_s,
            tokens: metrics.tokens,
            cost_usd: metrics.cost_usd,
            model: borrowed(metrics.model.as_ref()),
            tool_calls: metrics.tool_calls,
            errors: metrics.errors,
            input_tokens: metrics.input_tokens,
            output_tokens: metrics.output_tokens,
            cached_tokens: metrics.cached_tokens,
            tool_calls_by_name: Cow::Borrowed(&metrics.tool_calls_by_name),
            steps: metrics.steps,
            output_chars: metrics.output_chars,
            transcript_chars: metrics.transcript_chars,
            files_created: Cow::Borrowed(&metrics.files_created),
            started: borrowed(metrics.started.as_ref()),
            ended: borrowed(metrics.ended.as_ref()),
        }
    }

    fn back(self) -> Metrics {
        Metrics {
            duration_s: self.duration_s,
            executor_s: self.executor_s,
            grader_s: self.grader_s,
            started: self.started.map(Text::into_owned),
            ended: self.ended.map(Text::into_owned),
            tokens: self.tokens,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_tokens: self.cached_tokens,
            cost_usd: self.cost_usd,
            model: self.model.map(Text::into_owned),
            tool_calls: self.tool_calls,
            tool_calls_by_name: self.tool_calls_by_name.into_owned(),
            steps: self.steps,
            errors: self.errors,
            output_chars: self.output_chars,
            transcript_chars: self.transcript_chars,
            files_created: self.files_created.into_owned(),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct GradingJson<'a> {
    path: Text<'a>,
    grader: Option<Text<'a>>,
    /// The recorded overall verdict: `true`, `false`, or null where it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    overall: Option<bool>,
    expectations: Vec<ExpectationJson<'a>>,
    #[serde(default, skip_serializing_if = "NotesJson::is_empty")]
    notes: NotesJson<'a>,
}

impl<'a> GradingJson<'a> {
    fn of(grading: &'a Grading, with_evidence: bool) -> Self {
        let expectations = grading.expectations.iter();
        Self {
            path: Cow::Borrowed(&grading.path),
            grader: borrowed(grading.grader.as_ref()),
            overall: grading.overall.and_then(passed),
            expectations: expectations.map(|it| ExpectationJson::of(it, with_evidence)).collect(),
            notes: NotesJson::of(&grading.notes),
        }
    }

    fn back(self) -> Grading {
        Grading {
            path: self.path.into_owned(),
            grader: self.grader.map(Text::into_owned),
            overall: self.overall.map(|passed| outcome(Some(passed))),
            expectations: self.expectations.into_iter().map(ExpectationJson::back).collect(),
            notes: self.notes.back(),
            ..Grading::default()
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ExpectationJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Text<'a>>,
    text: Text<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Text<'a>>,
    /// `true`, `false`, or null without a verdict.
    passed: Option<bool>,
    /// Left out where the iteration's benchmark has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
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
