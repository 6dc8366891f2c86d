//! `report.json`: the workspace and its analysis for programs, with a schema of its own.
//!
//! It repeats nothing that stands in another file of the report for programs: the evidence of a
//! run's first grading is in the `benchmark` of its iteration. Further gradings and runs that no
//! benchmark holds have theirs here.

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, IterationAnalysis};
use crate::model::{Case, Expectation, Grading, Iteration, Metrics, Outcome, Problem, Run, Tally};
use crate::render::Part;
use crate::render::addresses::{Addresses, PartAddresses};
use crate::statistics::Spread;

/// Version of the schema; it grows when a field changes its meaning.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// The report of `parts` as JSON with a newline at its end.
pub(super) fn report(parts: &[Part<'_>], addresses: &Addresses) -> String {
    let report = ReportJson {
        schema_version: SCHEMA_VERSION,
        workspaces: parts
            .iter()
            .enumerate()
            .map(|(index, part)| workspace(part, addresses.part(index)))
            .collect(),
    };
    // The structs hold only texts, whole numbers and finite fractions, which always serialize.
    let mut text = serde_json::to_string(&report).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct ReportJson<'a> {
    schema_version: u32,
    workspaces: Vec<WorkspaceJson<'a>>,
}

#[derive(Serialize)]
struct WorkspaceJson<'a> {
    name: &'a str,
    skill: Option<&'a str>,
    page: String,
    iterations: Vec<IterationJson<'a>>,
    problems: Vec<ProblemJson<'a>>,
}

fn workspace<'a>(part: &Part<'a>, addresses: &PartAddresses) -> WorkspaceJson<'a> {
    let workspace = part.workspace;
    let iterations = workspace.iterations.iter().zip(&part.analysis.iterations).enumerate();
    let benchmark = |index| addresses.beside_iteration(index, "benchmark.json");
    WorkspaceJson {
        name: &workspace.name,
        skill: workspace.skill.as_deref(),
        page: addresses.overview(),
        iterations: iterations
            .map(|(index, (it, analysis))| iteration(it, analysis, benchmark(index)))
            .collect(),
        problems: workspace.problems.iter().map(problem).collect(),
    }
}

#[derive(Serialize)]
struct IterationJson<'a> {
    name: &'a str,
    implicit: bool,
    benchmark: String,
    baseline: Option<&'a str>,
    configurations: Vec<ConfigurationJson<'a>>,
    cases: Vec<CaseJson<'a>>,
}

fn iteration<'a>(
    iteration: &'a Iteration,
    analysis: &'a IterationAnalysis,
    benchmark: String,
) -> IterationJson<'a> {
    IterationJson {
        name: &iteration.name,
        implicit: iteration.implicit,
        benchmark,
        baseline: analysis.roles.baseline.as_deref(),
        configurations: analysis.configurations.iter().map(configuration).collect(),
        cases: iteration.cases.iter().map(case).collect(),
    }
}

#[derive(Serialize)]
struct ConfigurationJson<'a> {
    name: &'a str,
    cases: usize,
    runs: usize,
    graded_runs: usize,
    passed: usize,
    failed: usize,
    ungraded: usize,
    pass_rate: Option<f64>,
    run_pass_rate: Option<SpreadJson>,
    duration_s: Option<SpreadJson>,
    tokens: Option<SpreadJson>,
}

fn configuration(summary: &ConfigurationSummary) -> ConfigurationJson<'_> {
    let Tally { passed, failed, ungraded } = summary.tally;
    ConfigurationJson {
        name: &summary.name,
        cases: summary.cases,
        runs: summary.runs,
        graded_runs: summary.graded_runs,
        passed,
        failed,
        ungraded,
        pass_rate: summary.tally.pass_rate(),
        run_pass_rate: summary.pass_rate.map(spread),
        duration_s: summary.duration_s.map(spread),
        tokens: summary.tokens.map(spread),
    }
}

#[derive(Serialize)]
struct SpreadJson {
    n: usize,
    mean: f64,
    stddev: Option<f64>,
    min: f64,
    max: f64,
}

fn spread(spread: Spread) -> SpreadJson {
    let Spread { count, mean, stddev, min, max } = spread;
    SpreadJson { n: count, mean, stddev, min, max }
}

#[derive(Serialize)]
struct CaseJson<'a> {
    name: &'a str,
    id: Option<&'a str>,
    prompt: Option<&'a str>,
    expected_output: Option<&'a str>,
    runs: Vec<RunJson<'a>>,
}

fn case(case: &Case) -> CaseJson<'_> {
    CaseJson {
        name: &case.name,
        id: case.id.as_deref(),
        prompt: case.prompt.as_deref(),
        expected_output: case.expected_output.as_deref(),
        runs: case.runs.iter().map(run).collect(),
    }
}

#[derive(Serialize)]
struct RunJson<'a> {
    configuration: &'a str,
    number: u32,
    path: &'a str,
    passed: usize,
    failed: usize,
    ungraded: usize,
    pass_rate: Option<f64>,
    metrics: MetricsJson<'a>,
    gradings: Vec<GradingJson<'a>>,
    outputs: Vec<OutputJson<'a>>,
}

fn run(run: &Run) -> RunJson<'_> {
    let tally = run.tally();
    RunJson {
        configuration: &run.configuration,
        number: run.number,
        path: &run.path,
        passed: tally.passed,
        failed: tally.failed,
        ungraded: tally.ungraded,
        pass_rate: tally.pass_rate(),
        metrics: metrics(&run.metrics),
        gradings: run
            .gradings
            .iter()
            .enumerate()
            .map(|(index, it)| grading(it, index > 0 || tally.graded() == 0))
            .collect(),
        outputs: run
            .outputs
            .iter()
            .map(|output| OutputJson {
                name: &output.name,
                path: &output.path,
                bytes: output.bytes,
            })
            .collect(),
    }
}

#[derive(Serialize)]
struct OutputJson<'a> {
    name: &'a str,
    path: &'a str,
    bytes: u64,
}

#[derive(Serialize)]
struct MetricsJson<'a> {
    duration_s: Option<f64>,
    executor_s: Option<f64>,
    grader_s: Option<f64>,
    tokens: Option<f64>,
    cost_usd: Option<f64>,
    model: Option<&'a str>,
    tool_calls: Option<f64>,
    errors: Option<f64>,
}

fn metrics(metrics: &Metrics) -> MetricsJson<'_> {
    MetricsJson {
        duration_s: metrics.duration_s,
        executor_s: metrics.executor_s,
        grader_s: metrics.grader_s,
        tokens: metrics.tokens,
        cost_usd: metrics.cost_usd,
        model: metrics.model.as_deref(),
        tool_calls: metrics.tool_calls,
        errors: metrics.errors,
    }
}

#[derive(Serialize)]
struct GradingJson<'a> {
    path: &'a str,
    grader: Option<&'a str>,
    expectations: Vec<ExpectationJson<'a>>,
}

fn grading(grading: &Grading, with_evidence: bool) -> GradingJson<'_> {
    GradingJson {
        path: &grading.path,
        grader: grading.grader.as_deref(),
        expectations: grading
            .expectations
            .iter()
            .map(|it| expectation(it, with_evidence))
            .collect(),
    }
}

#[derive(Serialize)]
struct ExpectationJson<'a> {
    text: &'a str,
    /// `true`, `false`, or null without a verdict.
    passed: Option<bool>,
    /// Left out where the iteration's benchmark has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
}

fn expectation(expectation: &Expectation, with_evidence: bool) -> ExpectationJson<'_> {
    ExpectationJson {
        text: &expectation.text,
        passed: match expectation.outcome {
            Outcome::Passed => Some(true),
            Outcome::Failed => Some(false),
            Outcome::Ungraded => None,
        },
        evidence: expectation.evidence.as_deref().filter(|_| with_evidence),
        score: expectation.score,
        required: expectation.required,
    }
}

/// One problem as written wherever problems are JSON.
#[derive(Serialize)]
pub(super) struct ProblemJson<'a> {
    severity: &'static str,
    code: &'static str,
    path: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<&'a str>,
}

/// Shapes one problem.
pub(super) fn problem(problem: &Problem) -> ProblemJson<'_> {
    ProblemJson {
        severity: problem.severity().word(),
        code: problem.code.word(),
        path: &problem.path,
        line: problem.place.map(|place| place.line),
        column: problem.place.map(|place| place.column),
        message: problem.sentence(),
        help: problem.help.as_deref(),
    }
}
