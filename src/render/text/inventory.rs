//! What a workspace holds, as text for a terminal and as JSON for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::model::{Ignored, Iteration, Tally, Totals, Workspace};
use crate::render::context::Language;
use crate::render::text::beside;
use crate::report_json::ProblemJson;
use crate::text::{bytes, count, printable, printable_json};

/// Version of the JSON object; it grows when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// The inventory in lines for people.
pub fn text(workspace: &Workspace) -> String {
    let mut text = String::new();
    let skill = workspace.skill.as_ref().map(|skill| format!(" of the skill `{skill}`"));
    push(&mut text, &format!("workspace `{}`{}", workspace.path, skill.unwrap_or_default()));
    let totals = workspace.totals();
    push(&mut text, &format!("  {}", sizes(&totals)));
    push(&mut text, &format!("  {}", verdicts(totals.tally)));
    push(&mut text, &format!("  {}", files(workspace, &totals)));
    let beside = beside::row(workspace, &Language::default());
    for line in beside.into_iter().chain(snapshots(workspace)) {
        push(&mut text, &format!("  {line}"));
    }
    text.push('\n');
    text.push_str(&iteration_table(workspace));
    text.push_str(&ignored(workspace));
    text
}

fn push(text: &mut String, line: &str) {
    text.push_str(&printable(line));
    text.push('\n');
}

fn sizes(totals: &Totals) -> String {
    let ungraded = totals.runs - totals.graded_runs;
    [
        count(totals.iterations, "iteration"),
        count(totals.cases, "case"),
        count(totals.configurations, "configuration"),
        format!(
            "{} ({} graded, {ungraded} ungraded)",
            count(totals.runs, "run"),
            totals.graded_runs
        ),
    ]
    .join(", ")
}

fn verdicts(tally: Tally) -> String {
    let Tally { passed, failed, ungraded } = tally;
    let all = count(tally.total(), "expectation");
    format!("{all}: {passed} passed, {failed} failed, {ungraded} without a verdict")
}

fn files(workspace: &Workspace, totals: &Totals) -> String {
    let outputs = count(totals.outputs, "output");
    let found = count(workspace.files, "file");
    let size = bytes(totals.output_bytes);
    format!("{outputs} ({size}), {found} found, {} ignored", workspace.ignored_files())
}

/// How many copies of the skill there are.
fn snapshots(workspace: &Workspace) -> Option<String> {
    let copies = match workspace.snapshots.len() {
        0 => return None,
        1 => "1 copy".to_owned(),
        number => format!("{number} copies"),
    };
    let number = workspace.snapshots.iter().map(|snapshot| snapshot.files.len()).sum();
    Some(format!("{copies} of the skill ({})", count(number, "file")))
}

/// One row per iteration; columns as wide as their widest cell.
fn iteration_table(workspace: &Workspace) -> String {
    let head = ["iteration", "cases", "runs", "graded", "passed", "configurations"];
    let mut rows: Vec<[String; 6]> = vec![head.map(str::to_owned)];
    rows.extend(workspace.iterations.iter().map(row));
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = format!("  {:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1).take(4) {
            let _ = write!(line, "  {cell:>width$}");
        }
        let _ = write!(line, "  {}", row[5]);
        push(&mut text, line.trim_end());
    }
    text.push('\n');
    text
}

fn row(iteration: &Iteration) -> [String; 6] {
    let totals = iteration.totals();
    let tally = totals.tally;
    let passed = match tally.graded() {
        0 => "-".to_owned(),
        graded => format!("{}/{graded}", tally.passed),
    };
    let name = if iteration.implicit {
        format!("{} (no iteration folder)", iteration.name)
    } else {
        iteration.name.clone()
    };
    [
        name,
        totals.cases.to_string(),
        totals.runs.to_string(),
        totals.graded_runs.to_string(),
        passed,
        iteration.configurations.join(", "),
    ]
}

fn ignored(workspace: &Workspace) -> String {
    by_reason("ignored", &workspace.ignored)
}

/// What lies beside the workspaces of a folder of many, for people.
pub fn outside(outside: &[Ignored]) -> String {
    by_reason("beside the workspaces", outside)
}

/// Ignored files by reason, each with one example.
fn by_reason(title: &str, ignored: &[Ignored]) -> String {
    if ignored.is_empty() {
        return String::new();
    }
    let mut reasons: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for ignored in ignored {
        let (files, _) = reasons.entry(ignored.reason).or_insert((0, &ignored.path));
        *files += ignored.files.unwrap_or(0);
    }
    let mut text = format!("  {title}\n");
    for (reason, (files, example)) in reasons {
        push(&mut text, &format!("    {}: {reason}, such as `{example}`", count(files, "file")));
    }
    text.push('\n');
    text
}

/// The inventory as one JSON object with a newline at its end.
pub fn json(workspaces: &[&Workspace], outside: &[Ignored]) -> String {
    let inventory = Inventory {
        schema_version: SCHEMA_VERSION,
        workspaces: workspaces.iter().map(|workspace| WorkspaceJson::of(workspace)).collect(),
        outside: outside
            .iter()
            .map(|ignored| OutsideJson { path: &ignored.path, reason: ignored.reason })
            .collect(),
    };
    // The structs hold only texts and whole numbers, which always serialize.
    let text = serde_json::to_string_pretty(&inventory).unwrap_or_default();
    printable_json(&text) + "\n"
}

#[derive(Serialize)]
struct Inventory<'w> {
    schema_version: u32,
    workspaces: Vec<WorkspaceJson<'w>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outside: Vec<OutsideJson<'w>>,
}

/// A file beside the workspaces of a folder of many.
#[derive(Serialize)]
struct OutsideJson<'w> {
    path: &'w str,
    reason: &'static str,
}

#[derive(Serialize)]
struct WorkspaceJson<'w> {
    path: &'w str,
    skill: Option<&'w str>,
    totals: TotalsJson,
    iterations: Vec<IterationJson<'w>>,
    problems: Vec<ProblemJson<'w>>,
}

impl<'w> WorkspaceJson<'w> {
    fn of(workspace: &'w Workspace) -> Self {
        let files = (workspace.files, workspace.ignored_files());
        Self {
            path: &workspace.path,
            skill: workspace.skill.as_deref(),
            totals: TotalsJson::of(&workspace.totals(), Some(files)),
            iterations: workspace.iterations.iter().map(IterationJson::of).collect(),
            problems: workspace.problems.iter().map(ProblemJson::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct IterationJson<'w> {
    name: &'w str,
    /// Whether its runs lie in no iteration folder; such an iteration is not counted as one.
    implicit: bool,
    totals: TotalsJson,
}

impl<'w> IterationJson<'w> {
    fn of(iteration: &'w Iteration) -> Self {
        let totals = TotalsJson::of(&iteration.totals(), None);
        Self { name: &iteration.name, implicit: iteration.implicit, totals }
    }
}

#[derive(Serialize)]
struct TotalsJson {
    iterations: usize,
    cases: usize,
    configurations: usize,
    runs: usize,
    graded_runs: usize,
    expectations: usize,
    passed: usize,
    failed: usize,
    ungraded: usize,
    outputs: usize,
    output_bytes: u64,
    comparisons: usize,
    analyses: usize,
    comments: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored_files: Option<usize>,
}

impl TotalsJson {
    fn of(totals: &Totals, files: Option<(usize, usize)>) -> Self {
        Self {
            iterations: totals.iterations,
            cases: totals.cases,
            configurations: totals.configurations,
            runs: totals.runs,
            graded_runs: totals.graded_runs,
            expectations: totals.tally.total(),
            passed: totals.tally.passed,
            failed: totals.tally.failed,
            ungraded: totals.tally.ungraded,
            outputs: totals.outputs,
            output_bytes: totals.output_bytes,
            comparisons: totals.comparisons,
            analyses: totals.analyses,
            comments: totals.comments,
            files: files.map(|(found, _)| found),
            ignored_files: files.map(|(_, ignored)| ignored),
        }
    }
}
