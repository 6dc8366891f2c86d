//! The contents of a workspace, as text for a terminal and as JSON for programs.

use std::collections::BTreeMap;

use crate::analyze::Audit;
use crate::language::Language;
use crate::render::data::ordered_json::{Json, for_terminal, list, object};
use crate::render::text::audit::{self, FindingPlace};
use crate::render::text::columns;
use crate::report_json::ProblemJson;
use crate::wording::recorded_results;
use input::model::{Ignored, Iteration, Tally, Totals, Workspace};
use text::{bytes, count, printable};

/// Version of the JSON object, increased when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

pub fn text(workspace: &Workspace) -> String {
    let totals = workspace.totals();
    let Tally { passed, failed, ungraded } = totals.verdicts();
    let mut graded = format!("{} graded", totals.graded_runs);
    if totals.recorded_runs > 0 {
        graded += &format!(", {} recorded", totals.recorded_runs);
    }
    let mut title = format!("workspace `{}`", workspace.path);
    if let Some(skill) = &workspace.skill {
        title += &format!(" of the skill `{skill}`");
    }
    let mut lines = vec![
        title,
        format!(
            "  {}, {}, {}, {} ({graded}, {} ungraded)",
            count(totals.iterations, "iteration"),
            count(totals.cases, "case"),
            count(totals.configurations, "configuration"),
            count(totals.runs, "run"),
            totals.runs - totals.graded_runs - totals.recorded_runs
        ),
        format!(
            "  {}: {passed} passed, {failed} failed, {ungraded} without a verdict",
            count(totals.verdicts().total(), "expectation")
        ),
        format!(
            "  {} ({}), {} found, {} ignored",
            count(totals.outputs, "output"),
            bytes(totals.output_bytes),
            count(workspace.files, "file"),
            workspace.ignored_files()
        ),
    ];
    if let Some(others) = recorded_results::other_row(workspace, &Language::default()) {
        lines.push(format!("  {others}"));
    }
    // Most workspaces keep no copy of their skill, and a line with 0 copies would raise questions.
    let copies = &workspace.snapshots;
    if !copies.is_empty() {
        let word = if copies.len() == 1 { "copy" } else { "copies" };
        let files = count(copies.iter().map(|copy| copy.files.len()).sum(), "file");
        lines.push(format!("  {} {word} of the skill ({files})", copies.len()));
    }
    let text: String = lines.iter().map(|line| printable(line) + "\n").collect();
    text + "\n" + &iteration_table(workspace) + &by_reason("ignored", &workspace.ignored)
}

fn iteration_table(workspace: &Workspace) -> String {
    let mut rows = vec![["iteration", "cases", "runs", "graded", "passed"].map(str::to_owned)];
    let mut configurations = vec!["configurations".to_owned()];
    for iteration in &workspace.iterations {
        let totals = iteration.totals();
        let mut name = iteration.name.clone();
        if iteration.implicit {
            // Its name is the workspace's, which nobody gave to an iteration.
            name += " (no iteration folder)";
        }
        let [cases, runs, graded] =
            [totals.cases, totals.runs, totals.graded_runs].map(|number| number.to_string());
        let (tally, mut passed) = (totals.verdicts(), "-".to_owned());
        if tally.graded() > 0 {
            passed = format!("{}/{}", tally.passed, tally.graded());
        }
        if totals.recorded_runs > 0 {
            passed += " recorded";
        }
        rows.push([name, cases, runs, graded, passed]);
        configurations.push(iteration.configurations.join(", "));
    }
    let mut text = String::new();
    for (line, configurations) in columns(&rows).iter().zip(&configurations) {
        text += &printable(format!("  {line}  {configurations}").trim_end());
        text.push('\n');
    }
    text + "\n"
}

/// The files outside the workspaces in a folder with several, for people.
pub fn outside(outside: &[Ignored]) -> String {
    by_reason("beside the workspaces", outside)
}

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
        let files = count(files, "file");
        text += &(printable(&format!("    {files}: {reason}, such as `{example}`")) + "\n");
    }
    text + "\n"
}

/// An audit with the places of its findings.
pub type PlacedAudit<'a> = (&'a Audit, &'a [FindingPlace]);

/// Workspaces with the audit of each, and of skills whose results lie elsewhere, by path.
pub fn json(
    workspaces: &[&Workspace],
    audits: &[PlacedAudit<'_>],
    of_skills: &[(&str, &Audit, &[FindingPlace])],
    outside: &[Ignored],
) -> String {
    let both: Vec<_> = workspaces.iter().zip(audits).collect();
    let mut fields = vec![
        ("schema_version", SCHEMA_VERSION.into()),
        ("workspaces", list(&both, |(workspace, audit)| workspace_json(workspace, **audit))),
    ];
    if !of_skills.is_empty() {
        let skills = list(of_skills, |(path, found, places)| {
            object([("path", (*path).into()), ("audit", audit::json(found, places))])
        });
        fields.push(("skills", skills));
    }
    if !outside.is_empty() {
        let files = list(outside, |file| {
            object([("path", file.path.clone().into()), ("reason", file.reason.into())])
        });
        fields.push(("outside", files));
    }
    for_terminal(&Json::Object(fields))
}

fn workspace_json<'a>(workspace: &'a Workspace, (found, places): PlacedAudit<'a>) -> Json<'a> {
    let files = [("files", workspace.files), ("ignored_files", workspace.ignored_files())];
    object([
        ("path", (&*workspace.path).into()),
        ("skill", workspace.skill.as_deref().into()),
        ("totals", totals(&workspace.totals(), &files)),
        ("iterations", list(&workspace.iterations, iteration_json)),
        ("audit", audit::json(found, places)),
        ("problems", list(&workspace.problems, |found| Json::Problem(ProblemJson::new(found)))),
    ])
}

fn iteration_json(iteration: &Iteration) -> Json<'_> {
    object([
        ("name", (&*iteration.name).into()),
        // Its runs are not in an iteration folder, so it does not count as an iteration.
        ("implicit", iteration.implicit.into()),
        ("totals", totals(&iteration.totals(), &[])),
    ])
}

fn totals(totals: &Totals, more: &[(&'static str, usize)]) -> Json<'static> {
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
    let number = |(name, number): &(&'static str, usize)| (*name, (*number).into());
    let mut fields: Vec<(&'static str, Json<'static>)> =
        numbers.iter().chain(more).map(number).collect();
    fields.push(("recorded", recorded(totals)));
    Json::Object(fields)
}

/// The verdicts that only recorded benchmarks have; none of them is in the totals above.
fn recorded(totals: &Totals) -> Json<'static> {
    object([
        ("runs", totals.recorded_runs.into()),
        ("expectations", totals.recorded.total().into()),
        ("passed", totals.recorded.passed.into()),
        ("failed", totals.recorded.failed.into()),
        ("ungraded", totals.recorded.ungraded.into()),
    ])
}
