//! The report, its workspaces, iterations and cases as they stand in the file.
//!
//! Each shape borrows from the model to be written and owns its texts when it was read. Fields that
//! are counted from others, or lead to pages, are for programs that read the file; on the way back
//! they are left aside.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Case, Gates, PlannedExpectation, Problem, Snapshot};
use crate::report_json::counted::{
    BlindJson, ChangeJson, CourseJson, GradersJson, HealthJson, NoteJson, RecordedJson,
};
use crate::report_json::run::{OutputJson, RunJson};
use crate::report_json::{Text, borrowed};

/// The whole file.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ReportJson<'a> {
    /// Version of this schema; it grows when a field changes its meaning.
    pub schema_version: u32,
    /// The workspaces, in the report's order.
    pub workspaces: Vec<WorkspaceJson<'a>>,
}

/// One workspace.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct WorkspaceJson<'a> {
    /// The name shown.
    pub name: Text<'a>,
    /// The skill under test; null where nothing names it.
    pub skill: Option<Text<'a>>,
    /// Its page, relative to this file.
    #[serde(default)]
    pub page: String,
    /// Rounds in natural order.
    pub iterations: Vec<IterationJson<'a>>,
    /// Copies of the skill, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snapshots: Vec<SnapshotJson<'a>>,
    /// The recorded versions, with what they were made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<VersionJson<'a>>,
    /// The recorded regression gates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gates: Option<GatesJson<'a>>,
    /// How its newest candidate fared from iteration to iteration; null where fewer than two can be
    /// held against each other.
    #[serde(skip_deserializing)]
    pub course: Option<CourseJson>,
    /// What its blind comparisons add up to; null without any.
    #[serde(skip_deserializing)]
    pub blind: Option<BlindJson>,
    /// What its expectations can show; null where no candidate has a verdict.
    #[serde(skip_deserializing)]
    pub health: Option<HealthJson>,
    /// What is wrong with the input.
    #[serde(skip_deserializing)]
    pub problems: Vec<ProblemJson<'a>>,
}

/// One iteration.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct IterationJson<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Its folder relative to the workspace; empty for the workspace itself.
    pub path: Text<'a>,
    /// Whether its runs were found outside any iteration folder.
    pub implicit: bool,
    /// Its `benchmark.json`, relative to this file.
    pub benchmark: String,
    /// The configuration the others are compared against; null where there is none.
    pub baseline: Option<Text<'a>>,
    /// The models that its benchmarks record, for runs that name none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub executor_models: Vec<Text<'a>>,
    /// Its configurations, candidates before the baseline.
    pub configurations: Vec<ConfigurationJson<'a>>,
    /// What its candidates are compared with.
    #[serde(default, skip_deserializing)]
    pub changes: Vec<ChangeJson>,
    /// What stands out in it, the most severe first.
    #[serde(skip_deserializing)]
    pub notes: Vec<NoteJson<'a>>,
    /// How far graders of the same runs agree.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub graders: Vec<GradersJson>,
    /// Recorded figures that differ from what the runs give.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<RecordedJson>,
    /// Its cases in natural order.
    pub cases: Vec<CaseJson<'a>>,
}

/// What the runs of a configuration add up to.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfigurationJson<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Cases it was tried on.
    pub cases: usize,
    /// Its runs.
    pub runs: usize,
    /// Its runs with at least one verdict.
    pub graded_runs: usize,
    /// Expectations passed.
    pub passed: usize,
    /// Expectations failed.
    pub failed: usize,
    /// Expectations without a verdict.
    pub ungraded: usize,
    /// Passed over passed and failed, in 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pub pass_rate: Option<f64>,
    /// The pass rate by case with its 95 % interval; null for fewer than two cases.
    pub level: Option<LevelJson>,
    /// Pass rates of its runs, in 0..=1; null without a verdict.
    pub run_pass_rate: Option<SpreadJson>,
    /// Seconds of its runs; null where none recorded them.
    pub duration_s: Option<SpreadJson>,
    /// Tokens of its runs; null where none recorded them.
    pub tokens: Option<SpreadJson>,
    /// What several runs of a case show; null where no case has two graded runs.
    pub reliability: Option<ReliabilityJson>,
}

/// How far repeated runs can be relied on.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct ReliabilityJson {
    /// So many tries the shares are for.
    pub tries: usize,
    /// Cases with at least two graded runs.
    pub cases: usize,
    /// Cases left out, with one graded run.
    pub single_run_cases: usize,
    /// Graded runs of the cases that count.
    pub runs: u64,
    /// Those that passed every expectation with a verdict.
    pub runs_passed: u64,
    /// The share of such runs by case with its 95 % interval; null for fewer than two cases.
    pub level: Option<LevelJson>,
    /// pass@k: the share of cases in which at least one of so many tries succeeds, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub pass_at_k: f64,
    /// pass^k: the share of cases in which all of them do, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub pass_hat_k: f64,
    /// Expectations with verdicts of several runs.
    pub repeated_expectations: usize,
    /// Those that passed in some runs and failed in others.
    pub flaky_expectations: usize,
}

/// What to expect on cases like these.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelJson {
    /// Mean of the pass rates by case, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub mean: f64,
    /// Lower end of the interval.
    #[schemars(range(min = 0, max = 1))]
    pub low: f64,
    /// Upper end of the interval.
    #[schemars(range(min = 0, max = 1))]
    pub high: f64,
    /// Graded cases.
    pub cases: usize,
}

/// Mean and dispersion of a figure.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct SpreadJson {
    /// How many runs recorded it.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation; null for a single value.
    pub stddev: Option<f64>,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<Text<'a>>,
    /// The expectations that the author planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    planned: Vec<PlannedJson<'a>>,
    /// Its runs, by configuration and number.
    runs: Vec<RunJson<'a>>,
}

impl<'a> CaseJson<'a> {
    /// The shape of `case` with these `runs`.
    pub fn of(case: &'a Case, runs: Vec<RunJson<'a>>) -> Self {
        Self {
            name: Cow::Borrowed(&case.name),
            folder: Cow::Borrowed(&case.folder),
            id: borrowed(case.id.as_ref()),
            prompt: borrowed(case.prompt.as_ref()),
            expected_output: borrowed(case.expected_output.as_ref()),
            files: case.files.iter().map(|file| Cow::Borrowed(file.as_str())).collect(),
            planned: case.planned.iter().map(PlannedJson::of).collect(),
            runs,
        }
    }

    pub(super) fn back(self) -> Case {
        Case {
            id: self.id.map(Text::into_owned),
            name: self.name.into_owned(),
            folder: self.folder.into_owned(),
            prompt: self.prompt.map(Text::into_owned),
            expected_output: self.expected_output.map(Text::into_owned),
            files: self.files.into_iter().map(Text::into_owned).collect(),
            planned: self.planned.into_iter().map(PlannedJson::back).collect(),
            runs: self.runs.into_iter().map(RunJson::back).collect(),
        }
    }
}

/// An expectation as planned.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
struct PlannedJson<'a> {
    /// The author's id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Text<'a>>,
    /// The statement to be checked.
    text: Text<'a>,
    /// What the author says besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Text<'a>>,
    /// Whether the case fails with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
}

impl<'a> PlannedJson<'a> {
    fn of(planned: &'a PlannedExpectation) -> Self {
        Self {
            id: borrowed(planned.id.as_ref()),
            text: Cow::Borrowed(&planned.text),
            description: borrowed(planned.description.as_ref()),
            required: planned.required,
        }
    }

    fn back(self) -> PlannedExpectation {
        PlannedExpectation {
            id: self.id.map(Text::into_owned),
            text: self.text.into_owned(),
            description: self.description.map(Text::into_owned),
            required: self.required,
        }
    }
}

/// A copy of the skill.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct SnapshotJson<'a> {
    /// Its name.
    name: Text<'a>,
    /// Its folder relative to the workspace.
    path: Text<'a>,
    /// Index of the iteration it belongs to, from 0; null where it belongs to none.
    iteration: Option<usize>,
    /// Its files.
    files: Vec<OutputJson<'a>>,
}

impl<'a> SnapshotJson<'a> {
    /// The shape of `snapshot`.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        Self {
            name: Cow::Borrowed(&snapshot.name),
            path: Cow::Borrowed(&snapshot.path),
            iteration: snapshot.iteration,
            files: snapshot.files.iter().map(OutputJson::of).collect(),
        }
    }

    /// The copy it is the shape of, in a workspace of `iterations`.
    pub(super) fn back(self, iterations: usize) -> Snapshot {
        Snapshot {
            name: self.name.into_owned(),
            path: self.path.into_owned(),
            iteration: self.iteration.filter(|index| *index < iterations),
            files: self.files.into_iter().map(OutputJson::back).collect(),
        }
    }
}

/// A recorded version.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct VersionJson<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// The version it was made from; null for the first.
    pub parent: Option<Text<'a>>,
}

/// The recorded regression gates.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct GatesJson<'a> {
    /// Their file, relative to the workspace.
    path: Text<'a>,
    /// By how much the pass rate must be greater, in -1..=1; null where there is no such rule.
    min_pass_rate_delta: Option<f64>,
    /// How many seconds longer a run may take; null where there is no such rule.
    max_time_increase_seconds: Option<f64>,
    /// How many more tokens a run may use; null where there is no such rule.
    max_token_increase: Option<f64>,
    /// Whether the pass rate may not be smaller; null where nothing is said.
    require_non_negative_pass_rate: Option<bool>,
    /// Whether a part of the file could not be read, so that not all its rules are known.
    #[serde(default)]
    is_damaged: bool,
}

impl<'a> GatesJson<'a> {
    /// The shape of `gates`.
    pub fn of(gates: &'a Gates) -> Self {
        Self {
            path: Cow::Borrowed(&gates.path),
            min_pass_rate_delta: gates.min_pass_rate_delta,
            max_time_increase_seconds: gates.max_time_increase_s,
            max_token_increase: gates.max_token_increase,
            require_non_negative_pass_rate: gates.require_non_negative_pass_rate,
            is_damaged: gates.is_damaged,
        }
    }

    pub(super) fn back(self) -> Gates {
        Gates {
            path: self.path.into_owned(),
            min_pass_rate_delta: self.min_pass_rate_delta,
            max_time_increase_s: self.max_time_increase_seconds,
            max_token_increase: self.max_token_increase,
            require_non_negative_pass_rate: self.require_non_negative_pass_rate,
            is_damaged: self.is_damaged,
        }
    }
}

/// One problem as written wherever problems are JSON.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ProblemJson<'a> {
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// What is wrong, such as `near-json`.
    code: &'static str,
    /// The file or folder, relative to the workspace.
    path: &'a str,
    /// Line in it, from 1; null where there is no place.
    line: Option<usize>,
    /// Column in it, from 1; null where there is no place.
    column: Option<usize>,
    /// The problem in one English sentence.
    message: String,
    /// What to do about it; null where there is nothing to say.
    help: Option<&'a str>,
}

impl<'a> ProblemJson<'a> {
    /// The shape of `problem`.
    pub fn of(problem: &'a Problem) -> Self {
        Self {
            severity: problem.severity().word(),
            code: problem.code.word(),
            path: &problem.path,
            line: problem.place.map(|place| place.line),
            column: problem.place.map(|place| place.column),
            message: problem.sentence(),
            help: problem.help.as_deref(),
        }
    }
}
