//! The report, its workspaces, iterations and cases, in the shape of the file.
//!
//! Each type borrows from the model. The types that are read back are next to
//! [`read`](crate::report_json::read).

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::analyze::{SkillEdits, SkillLoadCounts};
use crate::digest::news::Finding;
use crate::report_json::computed::{
    ChangeJson, GradersJson, HealthJson, MatchupJson, OutcomeJson, RecordedJson,
};
use crate::report_json::evidence::EvidenceJson;
use crate::report_json::questions::RowJson;
use input::model::{
    BlindComparison, Case, Feedback, Grading, History, Loading, Metrics, Notes, Output,
    PostHocAnalysis, Problem, Reuse, Run, Snapshot, TriggerRound,
};
use statistics::Spread;

/// The whole file.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ReportJson<'a> {
    /// Version of this schema, increased when a field changes its meaning.
    pub schema_version: u32,
    /// The workspaces, in the report's order.
    pub workspaces: Vec<WorkspaceJson<'a>>,
}

/// One workspace.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct WorkspaceJson<'a> {
    /// The displayed name.
    pub name: &'a str,
    /// The skill under test; null where nothing names it.
    pub skill: Option<&'a str>,
    /// Its page, relative to this file.
    pub page: String,
    /// What its first page is about: `compared`, `one side`, `unknown baseline`, `not graded`, `only
    /// scores`, `only recorded`, `only triggers` or `nothing`.
    pub state: &'static str,
    /// Both questions about the newest candidate; absent where none has a verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<RowJson>,
    /// Rounds in natural order.
    pub iterations: Vec<IterationJson<'a>>,
    /// Copies of the skill, the oldest first.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub snapshots: &'a [Snapshot],
    /// Words that the edits between copies of the skill share with the checks.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub edits: &'a [SkillEdits],
    /// The recorded versions, with what they were made from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<VersionJson>,
    /// The files that record versions, with everything they say about them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub histories: &'a [History],
    /// The rounds of a trigger loop, with precision, recall and queries.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub trigger_rounds: &'a [TriggerRound],
    /// What a person should hear about the newest result, most important first.
    pub news: Vec<Finding>,
    /// The result of each rule of the gate; absent without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gate: Vec<GateLineJson>,
    /// What became of the gain over no skill, by condition; absent where the newest candidate has no
    /// such side, or nothing can be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<OutcomeJson>,
    /// The blind comparisons added up, by the two versions compared.
    pub matchups: Vec<MatchupJson>,
    /// How informative its expectations are; null where no candidate has a verdict.
    pub health: Option<HealthJson>,
    /// Problems with the input.
    pub problems: Vec<ProblemJson<'a>>,
}

/// One rule of the gate, or a remark about it.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct GateLineJson {
    /// `pass`, `FAIL`, `known` or `note`.
    pub outcome: String,
    /// The rule with its finding, in words.
    pub text: String,
}

/// One iteration.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct IterationJson<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its folder relative to the workspace; empty for the workspace itself.
    pub path: &'a str,
    /// Whether its runs were found outside any iteration folder.
    pub implicit: bool,
    /// Its `benchmark.json`, relative to this file.
    pub benchmark: String,
    /// The configuration the others are compared against; null where there is none.
    pub baseline: Option<&'a str>,
    /// The models that its benchmarks record, for runs that name none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub executor_models: Vec<&'a str>,
    /// Its configurations, candidates before the baseline.
    pub configurations: Vec<ConfigurationJson<'a>>,
    /// What its candidates are compared with.
    pub changes: Vec<ChangeJson>,
    /// How far graders of the same runs agree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graders: Vec<GradersJson>,
    /// Quotations in graders' evidence; absent where nothing quoted can be looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceJson<'a>>,
    /// Recorded figures that differ from those computed from the runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<RecordedJson>,
    /// Feedback on its runs.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub feedback: &'a [Feedback],
    /// Its blind comparisons.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub comparisons: &'a [BlindComparison],
    /// The analyses written after them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub analyses: &'a [PostHocAnalysis],
    /// Its cases in natural order.
    pub cases: Vec<CaseJson<'a>>,
}

/// The summary of the runs of a configuration.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct ConfigurationJson<'a> {
    /// Its name.
    pub name: &'a str,
    /// Cases it was run on.
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
    pub run_pass_rate: Option<Spread>,
    /// Seconds of its runs; null where none recorded them.
    pub duration_s: Option<Spread>,
    /// Tokens of its runs; null where none recorded them.
    pub tokens: Option<Spread>,
    /// How reliable repeated runs are; null where no case has two graded runs.
    pub reliability: Option<ReliabilityJson>,
    /// In how many runs the skill was loaded; left out where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loading: Option<SkillLoadCounts>,
}

/// The reliability of repeated runs.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub struct ReliabilityJson {
    /// The number of tries that the shares are for.
    pub tries: usize,
    /// Cases with at least two graded runs.
    pub cases: usize,
    /// Cases left out, with one graded run.
    pub single_run_cases: usize,
    /// Graded runs of the counted cases.
    pub runs: u64,
    /// Runs that passed every expectation with a verdict.
    pub runs_passed: u64,
    /// The share of such runs by case with its 95 % interval; null for fewer than two cases.
    pub level: Option<LevelJson>,
    /// pass@k: the share of cases in which at least one of this many tries succeeds, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub pass_at_k: f64,
    /// pass^k: the share of cases in which all of these tries succeed, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub pass_hat_k: f64,
    /// Expectations with verdicts from several runs.
    pub repeated_expectations: usize,
    /// Those that passed in some runs and failed in others.
    pub flaky_expectations: usize,
}

/// The level to expect on cases like these.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
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

/// A recorded version.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct VersionJson {
    /// Its name.
    pub name: String,
    /// The version it was made from; null for the first.
    pub parent: Option<String>,
}

/// One problem, in the form used wherever problems are JSON.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ProblemJson<'a> {
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// The kind of problem, such as `near-json`.
    code: &'static str,
    /// The file or folder, relative to the workspace.
    path: &'a str,
    /// Line in the file, from 1; null where there is no location.
    line: Option<usize>,
    /// Column in the file, from 1; null where there is no location.
    column: Option<usize>,
    /// The problem in one English sentence.
    message: String,
    /// How to fix it; null where there is no advice.
    help: Option<&'a str>,
}

impl<'a> ProblemJson<'a> {
    pub fn new(problem: &'a Problem) -> Self {
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
    /// Its folder, relative to the workspace; the file of its grading if it has no folder.
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
    #[serde(rename = "gradings", serialize_with = "write_gradings")]
    #[schemars(with = "Vec<Grading>")]
    run: &'a Run,
    /// The files it produced.
    outputs: &'a [Output],
    /// The file of its conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<&'a Output>,
    /// Remarks of the executor.
    #[serde(skip_serializing_if = "Notes::is_empty")]
    notes: &'a Notes,
    /// The run of an earlier iteration that it reuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    reused_from: Option<&'a str>,
    /// That it was planned as a run of an earlier iteration, which counts in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    reuse: Option<&'a Reuse>,
    /// The error that its files report.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// Whether its agent loaded the skill; left out where it is unknown.
    #[serde(skip_serializing_if = "Loading::is_empty")]
    loading: &'a Loading,
}

impl<'a> RunJson<'a> {
    /// Converts `run`, with its computed cost if there is one.
    pub fn new(run: &'a Run, computed_cost_usd: Option<f64>) -> Self {
        let tally = run.tally();
        Self {
            configuration: &run.configuration,
            number: run.number,
            path: &run.path,
            // Counted once here, so that no reader has to know which grading decides.
            passed: tally.passed,
            failed: tally.failed,
            ungraded: tally.ungraded,
            pass_rate: tally.pass_rate(),
            metrics: &run.metrics,
            computed_cost_usd,
            run,
            outputs: &run.outputs,
            transcript: run.transcript.as_ref(),
            notes: &run.notes,
            reused_from: run.reused_from.as_deref(),
            reuse: run.reuse.as_deref(),
            error: run.error.as_deref(),
            loading: &run.loading,
        }
    }
}

/// The gradings of a run. The evidence of the first is in the iteration's benchmark, which has the
/// graded runs.
fn write_gradings<S: Serializer>(run: &Run, to: S) -> Result<S::Ok, S::Error> {
    let mut gradings: Vec<Cow<'_, Grading>> = run.gradings.iter().map(Cow::Borrowed).collect();
    // The evidence is half of all bytes, and `benchmark.json` has it for graded runs.
    if let Some(first) = gradings.first_mut()
        && run.tally().graded() > 0
    {
        for check in &mut first.to_mut().expectations {
            check.evidence = None;
        }
    }
    gradings.serialize(to)
}
