//! Fills the types of `report.json`: the workspace and its analysis, for programs.
//!
//! The evidence of first gradings is in the `benchmark` of each iteration; only other evidence is
//! here.

pub(crate) mod computed;

use crate::analyze::{ConfigurationSummary, Reliability, RunCost, spent};
use crate::digest::State;
use crate::digest::news::{self, Finding};
use crate::language::Language;
use crate::render::context::{Part, RenderContext};
use crate::render::data::questions;
use crate::report_json::{
    CaseJson, ConfigurationJson, GateLineJson, IterationJson, LevelJson, ProblemJson,
    ReliabilityJson, ReportJson, RunJson, SCHEMA_VERSION, VersionJson, WorkspaceJson,
};
use crate::wording::gate::GateLine;
use input::model::{Run, Tally};
use input::settings::Settings;
use statistics::{CaseWilson, Interval};

pub(crate) fn report(contexts: &[RenderContext<'_>]) -> String {
    let workspaces = contexts.iter().map(|context| workspace(*context)).collect();
    let report = ReportJson { schema_version: SCHEMA_VERSION, workspaces };
    // The structs have only strings, integers and finite fractions, which always serialize.
    serde_json::to_string(&report).unwrap_or_default() + "\n"
}

fn workspace(context: RenderContext<'_>) -> WorkspaceJson<'_> {
    let RenderContext { part, addresses, shared, .. } = context;
    let workspace = part.workspace;
    let iterations = workspace.iterations.iter().enumerate();
    let mut versions = Vec::new();
    for version in workspace.histories.iter().flat_map(|history| &history.versions) {
        versions.push(VersionJson { name: version.name.clone(), parent: version.parent.clone() });
    }
    WorkspaceJson {
        name: &workspace.name,
        skill: workspace.skill.as_deref(),
        page: addresses.report_file("index.html"),
        state: State::new(workspace, part.analysis).name(),
        questions: questions::rows(part),
        iterations: iterations.map(|(index, _)| iteration(context, index)).collect(),
        snapshots: &workspace.snapshots,
        edits: part.edits(),
        versions,
        histories: &workspace.histories,
        trigger_rounds: &workspace.trigger_rounds,
        news: news(part),
        gate: part.gate.iter().map(gate_line).collect(),
        outcomes: part.outcomes().iter().map(|found| computed::outcome(part, found)).collect(),
        matchups: computed::matchups(part),
        health: computed::health(part, &shared.expectations),
        problems: workspace.problems.iter().map(ProblemJson::new).collect(),
    }
}

fn news(part: &Part<'_>) -> Vec<Finding> {
    let Some(after) = part.analysis.newest_candidate() else { return Vec::new() };
    part.comparisons.news(&after, news::led_by(part.analysis, &after)).to_vec()
}

fn gate_line(line: &GateLine) -> GateLineJson {
    let outcome = Language::default().text(line.mark.key()).to_owned();
    GateLineJson { outcome, text: line.text.clone() }
}

fn iteration(context: RenderContext<'_>, index: usize) -> IterationJson<'_> {
    let part = context.part;
    let (iteration, analysis) =
        (&part.workspace.iterations[index], &part.analysis.iterations[index]);
    let models =
        iteration.benchmarks.iter().filter_map(|benchmark| benchmark.executor_model.as_deref());
    let changes = part.analysis.changes_in(index);
    let mut cases = Vec::new();
    for case in &iteration.cases {
        let runs = case.runs.iter();
        let runs = runs.map(|run| RunJson::new(run, computed_cost(run, part.settings)));
        cases.push(CaseJson { case, runs: runs.collect() });
    }
    IterationJson {
        name: &iteration.name,
        path: &iteration.path,
        implicit: iteration.implicit,
        benchmark: context.addresses.iteration_file(index, "benchmark.json"),
        baseline: analysis.roles.baseline.as_deref(),
        executor_models: models.collect(),
        configurations: analysis.configurations.iter().map(configuration).collect(),
        changes: changes
            .map(|change| computed::change(part.workspace, part.analysis, change))
            .collect(),
        graders: analysis.graders.iter().map(computed::graders).collect(),
        evidence: computed::evidence(part, index),
        recorded: computed::recorded(iteration, analysis),
        feedback: &iteration.feedback,
        comparisons: &iteration.comparisons,
        analyses: &iteration.analyses,
        cases,
    }
}

fn configuration(summary: &ConfigurationSummary) -> ConfigurationJson<'_> {
    let Tally { passed, failed, ungraded } = summary.tally;
    let loads = summary.loads;
    ConfigurationJson {
        name: &summary.name,
        cases: summary.cases,
        runs: summary.runs,
        graded_runs: summary.graded_runs,
        passed,
        failed,
        ungraded,
        pass_rate: summary.tally.pass_rate(),
        level: summary.range.as_ref().map(level),
        run_pass_rate: summary.pass_rate,
        duration_s: summary.duration_s,
        tokens: summary.tokens,
        reliability: summary.reliability.as_ref().map(reliability),
        loading: if loads.known() > 0 { Some(loads) } else { None },
    }
}

fn reliability(repeated: &Reliability) -> ReliabilityJson {
    ReliabilityJson {
        tries: repeated.tries,
        cases: repeated.cases,
        single_run_cases: repeated.single,
        runs: repeated.runs.total(),
        runs_passed: repeated.runs.passed(),
        level: repeated.range.as_ref().map(level),
        pass_at_k: repeated.once,
        pass_hat_k: repeated.always,
        repeated_expectations: repeated.repeated,
        flaky_expectations: repeated.flaky,
    }
}

pub(crate) fn level(range: &CaseWilson) -> LevelJson {
    let Interval { low, high } = range.shown();
    LevelJson { mean: range.estimate, low, high, cases: range.cases }
}

/// US dollars at the prices of the settings, if the run recorded none.
pub(super) fn computed_cost(run: &Run, settings: &Settings) -> Option<f64> {
    match spent(&run.metrics, settings)? {
        RunCost::Computed(amount) => Some(amount),
        RunCost::Recorded(_) => None,
    }
}
