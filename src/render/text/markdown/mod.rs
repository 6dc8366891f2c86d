//! `report.md` and the benchmark files of each iteration: the report where there is no browser.

mod case;
mod compared;

use std::fmt::{Display, Write};

use crate::analyze::{Expectations, tally_of};
use crate::language::Language;
use crate::model::Severity;
use crate::render::context::{
    Part, PartAddresses, Rate, Site, Task, bounds, escape::markdown, link, view::ConfigurationRow,
};
use crate::render::data::benchmark::{self, Heading, Subject};
use crate::render::html::{configuration_rows, problem_counts};
use crate::render::text::change::{self, ChangeRow};
use crate::render::text::markdown::compared::section;
use crate::render::text::{flips, health, mismatch, notes, recorded, statistics};

/// Adds the Markdown report and the benchmark files, each headed by what was recorded beside its
/// iteration. Those of the newest graded iteration are at the top too, to be found and attached.
pub(crate) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let Site { part, addresses, language, .. } = site;
    let path = addresses.report_file("report.md");
    tasks.push(Task::of(path, move || bounds::markdown(report(site), language)));
    case::pages(site, tasks);
    for (index, iteration) in part.workspace.iterations.iter().enumerate() {
        let write = move |form: fn(Subject<'_>) -> String| {
            let heading = Heading::recorded(part.workspace, iteration);
            form(Subject::new(part.workspace, part.analysis, index, &heading))
        };
        let json = move || write(benchmark::json_line);
        let markdown = move || bounds::markdown(write(benchmark::markdown), language);
        let path = |name| addresses.iteration_file(index, name);
        tasks.push(Task::of(path("benchmark.json"), json));
        tasks.push(Task::of(path("benchmark.md"), markdown));
        if part.analysis.newest() == Some(index) {
            tasks.push(Task::of(addresses.report_file("benchmark.json"), json));
            tasks.push(Task::of(addresses.report_file("benchmark.md"), markdown));
        }
    }
}

fn report(site: Site<'_>) -> String {
    let Site { part, addresses, expectations: found, language, .. } = site;
    let workspace = part.workspace;
    let name = part.title();
    let mut text = format!("# {}\n\n", markdown(name));
    let totals = workspace.totals();
    let places: [(&str, &dyn Display); 6] = [
        ("iterations", &language.count(totals.iterations, "iteration")),
        ("cases", &language.count(part.analysis.lines.len(), "case")),
        ("runs", &language.count(totals.runs, "run")),
        ("graded", &totals.graded_runs),
        ("passed", &totals.tally.passed),
        ("expectations", &totals.tally.graded()),
    ];
    let _ = writeln!(text, "{}\n", language.fill("markdown.sum", &places));
    if let Some(instead) = recorded::instead(workspace, language) {
        let _ = writeln!(text, "{}\n", markdown(&instead));
    }
    let sections = [
        iterations(part, language),
        changes(part, language),
        compared::trend(part, language),
        repeated(part, language),
        compared::graders(part, language),
        compared::comparisons(part, language),
        flips::section(part, language),
        expectations(found, language),
        noted(part, language),
        cases(part, addresses, language),
        differing(part, language),
        problems(part, language),
        format!("\n[{}](guide.html)\n", language.text("page.guide")),
    ];
    text + &sections.concat()
}

/// What stands out in the newest iteration that has verdicts, or in the last one.
fn noted(part: &Part<'_>, language: &Language) -> String {
    let last = part.workspace.iterations.len().checked_sub(1);
    let Some(index) = part.analysis.newest().or(last) else { return String::new() };
    let iteration = &part.workspace.iterations[index];
    let notes = notes::write_notes(iteration, &part.analysis.iterations[index], language);
    let lines: String =
        notes.iter().map(|note| format!("- {}\n", markdown(&note.line(language)))).collect();
    let title = format!("{} ({})", language.text("notes.title"), markdown(&iteration.name));
    let text = section(&title, &lines);
    if text.is_empty() { text } else { text + "\n" }
}

/// Recorded figures that differ from ours, the newest iteration first.
fn differing(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    let iterations = part.workspace.iterations.iter().zip(&part.analysis.iterations);
    for (iteration, analysis) in iterations.rev() {
        for (benchmark, found) in iteration.benchmarks.iter().zip(&analysis.discrepancies) {
            let lines = found.iter().map(|found| mismatch::sentence(found, language));
            text.push_str(&list(&benchmark.path, lines));
        }
    }
    section(language.text("recorded.differing"), &text)
}

/// Lines as a list under the name of what they are about; empty without any.
fn list(about: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.map(|line| format!("- {}\n", markdown(&line))).collect();
    if lines.is_empty() { lines } else { format!("### {}\n\n{lines}\n", markdown(about)) }
}

fn expectations(found: &Expectations<'_>, language: &Language) -> String {
    let Some(short) = health::short(found, language) else { return String::new() };
    let title = language.text("health.title");
    let sentences = std::iter::once(short).chain(health::sentences(found, language));
    let paragraphs: String =
        sentences.map(|sentence| format!("{}\n\n", markdown(&sentence))).collect();
    section(title, &paragraphs)
}

fn iterations(part: &Part<'_>, language: &Language) -> String {
    let heads = [
        "configurations.iteration",
        "configurations.configuration",
        "configurations.passed",
        "configurations.level",
        "configurations.mean",
        "configurations.time",
        "configurations.tokens",
        "configurations.runs",
    ];
    let heads = heads.map(|head| language.text(head)).join(" | ");
    let mut text = format!("## {}\n\n| {heads} |\n", language.text("overview.iterations"));
    text.push_str("|---|---|--:|--:|--:|--:|--:|---|\n");
    for (iteration, analysis) in part.workspace.iterations.iter().zip(&part.analysis.iterations) {
        for row in configuration_rows(analysis, language) {
            let role = match row.role {
                "baseline" => language.text("markdown.baseline"),
                "candidate" => language.text("markdown.candidate"),
                _ => "",
            };
            let (iteration, name) = (markdown(&iteration.name), markdown(&row.name));
            let rate = row.rate.whole(language);
            let ConfigurationRow { level, mean_rate, time, tokens, runs, .. } = row;
            let cells = [rate, level, mean_rate, time, tokens, runs].join(" | ");
            let _ = writeln!(text, "| {iteration} | {name}{role} | {cells} |");
        }
    }
    text.push('\n');
    text
}

/// What became of the candidates of every iteration, the newest first.
fn changes(part: &Part<'_>, language: &Language) -> String {
    let heads = ["change.title", "change.gain", "change.checks", "change.time", "change.tokens"];
    let heads = heads.map(|head| language.text(head)).join(" | ");
    let mut text = String::new();
    for (index, iteration) in part.workspace.iterations.iter().enumerate().rev() {
        let rows = change::rows(part, index, language);
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "### {}\n\n| {heads} |", markdown(&iteration.name));
        text.push_str("|---|--:|--:|--:|--:|\n");
        for row in &rows {
            let ChangeRow { name, gain, checks, time, tokens, .. } = row;
            let name = markdown(name);
            let _ = writeln!(text, "| {name} | {gain} | {checks} | {time} | {tokens} |");
        }
        text.push('\n');
        for row in rows {
            let sentences =
                language.sentences(row.sentences.iter().map(|sentence| markdown(sentence)));
            let _ = writeln!(text, "- {}: {sentences}", markdown(&row.name));
        }
        text.push('\n');
    }
    section(language.text("change.titles"), &text)
}

/// What several runs of a case show in every iteration, the newest first.
fn repeated(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    let iterations = part.workspace.iterations.iter().zip(&part.analysis.iterations);
    for (iteration, analysis) in iterations.rev() {
        let found = analysis.configurations.iter();
        let found = found.filter_map(|found| Some((&found.name, found.reliability.as_ref()?)));
        let lines =
            found.map(|(name, found)| language.sentences(statistics::runs(name, found, language)));
        text.push_str(&list(&iteration.name, lines));
    }
    section(language.text("reliability.title"), &text)
}

/// Every case with the counts of each configuration in each iteration.
fn cases(part: &Part<'_>, addresses: &PartAddresses, language: &Language) -> String {
    let workspace = part.workspace;
    let (title, case) = (language.text("iteration.cases"), language.text("iteration.case"));
    let mut text = format!("## {title}\n\n| {case} |");
    for iteration in &workspace.iterations {
        let _ = write!(text, " {} |", markdown(&iteration.name));
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(workspace.iterations.len()));
    text.push('\n');
    for (at, line) in part.analysis.lines.iter().enumerate() {
        let to = link(&addresses.report_file("report.md"), &addresses.case_markdown(at));
        let _ = write!(text, "| [{}]({to}) |", markdown(&line.name));
        let analyses = part.analysis.iterations.iter();
        for (index, (iteration, analysis)) in workspace.iterations.iter().zip(analyses).enumerate()
        {
            let cells = line.appearance(index).map(|met| {
                let case = &iteration.cases[met.case];
                let cell = |configuration: &str| {
                    let counts = Rate::counts_of(tally_of(case, configuration));
                    format!("{} {counts}", markdown(configuration))
                };
                analysis.roles.order().map(cell).collect::<Vec<_>>().join("<br>")
            });
            let _ = write!(text, " {} |", cells.unwrap_or_default());
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

fn problems(part: &Part<'_>, language: &Language) -> String {
    let found = &part.workspace.problems;
    let loud: Vec<_> = found.iter().filter(|problem| problem.severity() < Severity::Note).collect();
    let mut text = format!(
        "## {}\n\n{}\n",
        language.text("page.problems"),
        language.fill("markdown.problems", &[("problems", &problem_counts(language, found))])
    );
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
