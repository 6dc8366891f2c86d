//! `report.json`: the types of the file, and the way back from it to a workspace.
//!
//! `render` fills [`ReportJson`]; [`read`] returns workspaces with the same analysis as those
//! written. What no analysis uses is not read back. [`add_evidence`] takes evidence from an
//! iteration's `benchmark.json`.

mod computed;
mod evidence;
mod questions;
mod workspace;

pub use crate::report_json::computed::*;
pub use crate::report_json::evidence::*;
pub use crate::report_json::questions::*;
pub use crate::report_json::workspace::*;

use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;

use input::model::{Case, History, Iteration, RecordedBenchmark, Snapshot, Version, Workspace};

/// Version of the schema, increased when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadBack {
    pub workspace: Workspace,
    /// The `benchmark.json` of each iteration, relative to the file.
    pub benchmarks: Vec<String>,
    /// The baseline of the last iteration that has one.
    pub baseline: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    pub message: String,
}

pub fn read(text: &str) -> Result<Vec<ReadBack>, ReadError> {
    #[derive(Deserialize)]
    struct VersionHead {
        schema_version: u64,
    }
    // Editors on Windows add a byte order mark when a report is looked at and saved.
    let text = text.trim_start_matches('\u{feff}');
    // The version first: a report of a later version may have any shape, and deserves its own words.
    let head: VersionHead = parse(text)?;
    if head.schema_version != u64::from(SCHEMA_VERSION) {
        let version = head.schema_version;
        // Serde gives a position with its own errors only.
        let before = &text[..text.find("\"schema_version\"").unwrap_or(0)];
        let message = format!(
            "the schema has version {version}; this program reads version {SCHEMA_VERSION}"
        );
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        return Err(ReadError { line: before.matches('\n').count() + 1, column, message });
    }
    let report: ReportBack = parse(text)?;
    Ok(report.workspaces.into_iter().map(WorkspaceBack::into_read).collect())
}

fn parse<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|error| {
        let whole = error.to_string();
        // The position has its own fields.
        let position = format!(" at line {} column {}", error.line(), error.column());
        let mut message = whole.strip_suffix(&position).unwrap_or(&whole).to_owned();
        // It follows a file and a position, as in the messages of compilers.
        if !message.starts_with("EOF ") {
            message.get_mut(..1).map(str::make_ascii_lowercase);
        }
        ReadError { line: error.line().max(1), column: error.column().max(1), message }
    })
}

#[derive(Deserialize)]
struct ReportBack {
    workspaces: Vec<WorkspaceBack>,
}

#[derive(Deserialize)]
struct WorkspaceBack {
    name: String,
    skill: Option<String>,
    iterations: Vec<IterationBack>,
    #[serde(default)]
    snapshots: Vec<Snapshot>,
    #[serde(default)]
    versions: Vec<VersionJson>,
}

#[derive(Deserialize)]
struct IterationBack {
    name: String,
    path: String,
    implicit: bool,
    benchmark: String,
    baseline: Option<String>,
    #[serde(default)]
    executor_models: Vec<String>,
    configurations: Vec<ConfigurationBack>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct ConfigurationBack {
    name: String,
}

impl WorkspaceBack {
    fn into_read(self) -> ReadBack {
        let mut read = ReadBack::default();
        let count = self.iterations.len();
        for iteration in self.iterations {
            read.benchmarks.push(iteration.benchmark);
            // Rounds without a baseline of their own are compared with the last one named.
            read.baseline = iteration.baseline.or(read.baseline);
            let mut benchmarks = Vec::new();
            for model in iteration.executor_models {
                let executor_model = Some(model);
                benchmarks
                    .push(RecordedBenchmark { executor_model, ..RecordedBenchmark::default() });
            }
            read.workspace.iterations.push(Iteration {
                name: iteration.name,
                path: iteration.path,
                implicit: iteration.implicit,
                configurations: iteration.configurations.into_iter().map(|one| one.name).collect(),
                cases: iteration.cases,
                // Runs that name no model take that of their benchmark, nothing else of it.
                benchmarks,
                ..Iteration::default()
            });
        }
        let versions = self.versions.into_iter().map(|VersionJson { name, parent }| Version {
            name,
            parent,
            ..Version::default()
        });
        let history = History { versions: versions.collect(), ..History::default() };
        if !history.versions.is_empty() {
            read.workspace.histories.push(history);
        }
        read.workspace.snapshots = self.snapshots;
        for snapshot in &mut read.workspace.snapshots {
            // The file may have been edited, and an index beyond the iterations would panic later.
            snapshot.iteration = snapshot.iteration.filter(|index| *index < count);
        }
        (read.workspace.name, read.workspace.skill) = (self.name, self.skill);
        read
    }
}

#[derive(Deserialize)]
struct BenchmarkJson {
    runs: Vec<ListedRun>,
}

#[derive(Deserialize)]
struct ListedRun {
    eval_name: String,
    configuration: String,
    run_number: u32,
    expectations: Vec<ListedExpectation>,
}

#[derive(Deserialize)]
struct ListedExpectation {
    text: String,
    evidence: Option<String>,
}

/// Adds the evidence in `text`, a `benchmark.json`, to the runs of `iteration`. A file that is not
/// ours or disagrees with a run adds nothing.
pub fn add_evidence(iteration: &mut Iteration, text: &str) {
    let Ok(benchmark) = serde_json::from_str::<BenchmarkJson>(text) else { return };
    let mut listed: BTreeMap<(String, String, u32), VecDeque<Vec<ListedExpectation>>> =
        BTreeMap::new();
    for run in benchmark.runs {
        let key = (run.eval_name, run.configuration, run.run_number);
        listed.entry(key).or_default().push_back(run.expectations);
    }
    for case in &mut iteration.cases {
        // A `benchmark.json` lists no run without a verdict.
        for run in case.runs.iter_mut().filter(|run| run.is_graded()) {
            let key = (case.name.clone(), run.configuration.clone(), run.number);
            // Copies of a run have the same number, and are listed in the order of the runs.
            let recorded = listed.get_mut(&key).and_then(VecDeque::pop_front).unwrap_or_default();
            // Second opinions have their evidence in the report itself.
            let Some(grading) = run.gradings.first_mut() else { continue };
            for (check, listed) in grading.expectations.iter_mut().zip(recorded) {
                // A file that was edited by hand must not give one check the evidence of another.
                if check.text == listed.text && check.evidence.is_none() {
                    check.evidence = listed.evidence;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
