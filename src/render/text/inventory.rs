//! What a workspace holds, as text for a terminal and as JSON for programs.

use std::collections::BTreeMap;

use crate::language::Language;
use crate::model::{Ignored, Iteration, Problem, Tally, Totals, Workspace};
use crate::render::context::columns;
use crate::render::data::json::{Json, list, object};
use crate::render::text::recorded;
use crate::text::{bytes, count, printable, printable_json};

/// Version of the JSON object; it grows when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

pub fn text(workspace: &Workspace) -> String {
    let mut text = String::new();
    let skill = workspace.skill.as_ref().map(|skill| format!(" of the skill `{skill}`"));
    push(&mut text, &format!("workspace `{}`{}", workspace.path, skill.unwrap_or_default()));
    let totals = workspace.totals();
    let Tally { passed, failed, ungraded } = totals.tally;
    let runs = format!(
        "{} ({} graded, {} ungraded)",
        count(totals.runs, "run"),
        totals.graded_runs,
        totals.runs - totals.graded_runs
    );
    let sizes = [
        count(totals.iterations, "iteration"),
        count(totals.cases, "case"),
        count(totals.configurations, "configuration"),
        runs,
    ];
    let expectations = count(totals.tally.total(), "expectation");
    let (outputs, size) = (count(totals.outputs, "output"), bytes(totals.output_bytes));
    let (found, ignored) = (count(workspace.files, "file"), workspace.ignored_files());
    let lines = [
        sizes.join(", "),
        format!("{expectations}: {passed} passed, {failed} failed, {ungraded} without a verdict"),
        format!("{outputs} ({size}), {found} found, {ignored} ignored"),
    ];
    let others = recorded::other_row(workspace, &Language::default());
    for line in lines.into_iter().chain(others).chain(snapshots(workspace)) {
        push(&mut text, &format!("  {line}"));
    }
    text.push('\n');
    text.push_str(&iteration_table(workspace));
    text.push_str(&by_reason("ignored", &workspace.ignored));
    text
}

fn push(text: &mut String, line: &str) {
    text.push_str(&printable(line));
    text.push('\n');
}

fn snapshots(workspace: &Workspace) -> Option<String> {
    let copies = match workspace.snapshots.len() {
        0 => return None,
        1 => "1 copy".to_owned(),
        number => format!("{number} copies"),
    };
    let number = workspace.snapshots.iter().map(|snapshot| snapshot.files.len()).sum();
    Some(format!("{copies} of the skill ({})", count(number, "file")))
}

fn iteration_table(workspace: &Workspace) -> String {
    let heads = ["iteration", "cases", "runs", "graded", "passed"].map(str::to_owned);
    let rows: Vec<[String; 5]> =
        std::iter::once(heads).chain(workspace.iterations.iter().map(row)).collect();
    let configurations =
        workspace.iterations.iter().map(|iteration| iteration.configurations.join(", "));
    let configurations = std::iter::once("configurations".to_owned()).chain(configurations);
    let mut text = String::new();
    for (line, names) in columns(&rows).iter().zip(configurations) {
        push(&mut text, format!("  {line}  {names}").trim_end());
    }
    text.push('\n');
    text
}

fn row(iteration: &Iteration) -> [String; 5] {
    let totals = iteration.totals();
    let passed = match totals.tally.graded() {
        0 => "-".to_owned(),
        graded => format!("{}/{graded}", totals.tally.passed),
    };
    let remark = if iteration.implicit { " (no iteration folder)" } else { "" };
    [
        format!("{}{remark}", iteration.name),
        totals.cases.to_string(),
        totals.runs.to_string(),
        totals.graded_runs.to_string(),
        passed,
    ]
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
    let mut fields = vec![
        ("schema_version", SCHEMA_VERSION.into()),
        ("workspaces", list(workspaces, |workspace| workspace_json(workspace))),
    ];
    if !outside.is_empty() {
        let file = |ignored: &'_ Ignored| {
            object([("path", ignored.path.clone().into()), ("reason", ignored.reason.into())])
        };
        fields.push(("outside", list(outside, file)));
    }
    printable_json(&Json::Object(fields).pretty()) + "\n"
}

fn workspace_json<'w>(workspace: &'w Workspace) -> Json<'w> {
    // An iteration whose runs are in no iteration folder is implicit, and not counted as one.
    let iteration = |iteration: &'w Iteration| {
        let totals = totals(&iteration.totals(), []);
        object([
            ("name", (&iteration.name).into()),
            ("implicit", iteration.implicit.into()),
            ("totals", totals),
        ])
    };
    let problem = |found: &'w Problem| {
        object([
            ("severity", found.severity().word().into()),
            ("code", found.code.word().into()),
            ("path", (&found.path).into()),
            ("line", found.place.map(|place| place.line).into()),
            ("column", found.place.map(|place| place.column).into()),
            ("message", found.sentence().into()),
            ("help", found.help.as_ref().into()),
        ])
    };
    let files = [("files", workspace.files), ("ignored_files", workspace.ignored_files())];
    object([
        ("path", (&workspace.path).into()),
        ("skill", workspace.skill.as_ref().into()),
        ("totals", totals(&workspace.totals(), files)),
        ("iterations", list(&workspace.iterations, iteration)),
        ("problems", list(&workspace.problems, problem)),
    ])
}

fn totals<const N: usize>(totals: &Totals, more: [(&'static str, usize); N]) -> Json<'static> {
    let numbers = [
        ("iterations", totals.iterations),
        ("cases", totals.cases),
        ("configurations", totals.configurations),
        ("runs", totals.runs),
        ("graded_runs", totals.graded_runs),
        ("expectations", totals.tally.total()),
        ("passed", totals.tally.passed),
        ("failed", totals.tally.failed),
        ("ungraded", totals.tally.ungraded),
        ("outputs", totals.outputs),
        ("output_bytes", totals.output_bytes as usize),
        ("comparisons", totals.comparisons),
        ("analyses", totals.analyses),
        ("comments", totals.comments),
    ];
    let all = numbers.into_iter().chain(more);
    Json::Object(all.map(|(name, number)| (name, number.into())).collect())
}
