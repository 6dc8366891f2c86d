//! `report.md` and the benchmark files of each iteration: the report where there is no browser.

use std::fmt::Write;

use crate::model::Severity;
use crate::render::addresses::PartAddresses;
use crate::render::benchmark::{self, Heading};
use crate::render::escape::markdown;
use crate::render::html::{change_rows, configuration_rows, tally};
use crate::render::view::{DASH, Rate};
use crate::render::{Part, Task};
use crate::text::count;

/// Adds the Markdown report and the benchmark files.
pub(super) fn pages<'a>(
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    tasks: &mut Vec<Task<'a>>,
) {
    tasks.push(Task {
        path: addresses.beside("report.md"),
        render: Box::new(move || Ok(report(part).into_bytes())),
    });
    for index in 0..part.workspace.iterations.len() {
        let iteration = &part.workspace.iterations[index];
        let analysis = &part.analysis.iterations[index];
        tasks.push(Task {
            path: addresses.beside_iteration(index, "benchmark.json"),
            render: Box::new(move || {
                Ok(benchmark::json_line(iteration, analysis, &heading(part, index)).into_bytes())
            }),
        });
        tasks.push(Task {
            path: addresses.beside_iteration(index, "benchmark.md"),
            render: Box::new(move || {
                Ok(benchmark::markdown(iteration, analysis, &heading(part, index)).into_bytes())
            }),
        });
    }
}

/// The heading of an iteration's benchmark: what was recorded beside the iteration.
fn heading(part: &Part<'_>, index: usize) -> Heading {
    Heading::recorded(part.workspace, &part.workspace.iterations[index])
}

fn report(part: &Part<'_>) -> String {
    let workspace = part.workspace;
    let name = workspace.skill.as_deref().unwrap_or(&workspace.name);
    let mut text = format!("# {}\n\n", markdown(name));
    let totals = workspace.totals();
    let _ = writeln!(
        text,
        "{}, {}, {} ({} graded), {} of {} expectations passed.\n",
        count(totals.iterations, "iteration"),
        count(totals.cases, "case"),
        count(totals.runs, "run"),
        totals.graded_runs,
        totals.tally.passed,
        totals.tally.graded(),
    );
    text.push_str(&iterations(part));
    text.push_str(&cases(part));
    text.push_str(&problems(part));
    text
}

fn iterations(part: &Part<'_>) -> String {
    let mut text = "## Iterations\n\n".to_owned();
    text.push_str("| iteration | configuration | passed | mean of runs | time | tokens | runs |\n");
    text.push_str("|---|---|--:|--:|--:|--:|---|\n");
    for (iteration, analysis) in part.workspace.iterations.iter().zip(&part.analysis.iterations) {
        for row in configuration_rows(analysis) {
            let role = if row.role.is_empty() { String::new() } else { format!(" ({})", row.role) };
            let _ = writeln!(
                text,
                "| {} | {}{role} | {} | {} | {} | {} | {} |",
                markdown(&iteration.name),
                markdown(&row.name),
                rate(&row.rate),
                row.mean_rate,
                row.time,
                row.tokens,
                row.runs,
            );
        }
        for row in change_rows(analysis) {
            let _ = writeln!(
                text,
                "| {} | {} |  | {} | {} | {} |  |",
                markdown(&iteration.name),
                markdown(&row.name),
                row.rate,
                row.time,
                row.tokens
            );
        }
    }
    text.push('\n');
    text
}

fn rate(rate: &Rate) -> String {
    if rate.counts == DASH {
        DASH.to_owned()
    } else {
        format!("{} ({})", rate.percent, rate.counts)
    }
}

/// Every case with the counts of each configuration in each iteration.
fn cases(part: &Part<'_>) -> String {
    let workspace = part.workspace;
    let mut text = "## Cases\n\n| case |".to_owned();
    for iteration in &workspace.iterations {
        let _ = write!(text, " {} |", markdown(&iteration.name));
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(workspace.iterations.len()));
    text.push('\n');
    for line in &part.analysis.lines {
        let _ = write!(text, "| {} |", markdown(&line.name));
        let analyses = part.analysis.iterations.iter();
        for (index, (iteration, analysis)) in workspace.iterations.iter().zip(analyses).enumerate()
        {
            let cells = line.meeting(index).map(|met| {
                let case = &iteration.cases[met.case];
                let configurations = analysis.roles.order();
                let cell = |configuration: &str| {
                    let counts = Rate::of(tally(case, configuration)).counts;
                    format!("{} {counts}", markdown(configuration))
                };
                configurations.map(cell).collect::<Vec<_>>().join("<br>")
            });
            let _ = write!(text, " {} |", cells.unwrap_or_default());
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

fn problems(part: &Part<'_>) -> String {
    let found = &part.workspace.problems;
    let loud: Vec<_> = found.iter().filter(|problem| problem.severity() < Severity::Note).collect();
    let mut text =
        format!("## Problems\n\n{}.\n", crate::render::diagnostic::summary(found).trim());
    if !loud.is_empty() {
        text.push('\n');
    }
    for problem in loud {
        let place = problem.place.map(|place| format!(":{}:{}", place.line, place.column));
        let _ = writeln!(
            text,
            "- {}[{}] {}{}: {}",
            problem.severity().word(),
            problem.code.word(),
            markdown(&problem.path),
            place.unwrap_or_default(),
            markdown(&problem.sentence()),
        );
    }
    text
}
