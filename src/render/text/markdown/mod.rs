//! `report.md` and the benchmark files of each iteration: the report where there is no browser.

mod case;
mod compared;
mod fence;
mod flips;

use std::fmt::{Display, Write};

use crate::analyze::Expectations;
use crate::model::Severity;
use crate::render::context::{
    Language, Part, PartAddresses, Rate, Task, bounds, escape::markdown, link,
};
use crate::render::data::benchmark::{self, Heading, Subject};
use crate::render::html::{configuration_rows, problem_counts, tally};
use crate::render::text::{
    change::{self, ChangeRow},
    health, how, left, notes, recorded, reliability,
};

/// Adds the Markdown report and the benchmark files.
pub(crate) fn pages<'a>(
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    found: &'a Expectations<'a>,
    language: &'a Language,
    tasks: &mut Vec<Task<'a>>,
) {
    tasks.push(Task {
        path: addresses.beside("report.md"),
        render: Box::new(move || {
            let text = report(part, addresses, found, language);
            Ok(bounds::markdown(text, language).into_bytes())
        }),
    });
    case::pages(part, addresses, language, tasks);
    for index in 0..part.workspace.iterations.len() {
        let subject = |form| benchmark_of(part, addresses, (index, form), language);
        tasks.extend([subject(Form::Json), subject(Form::Markdown)]);
    }
}

/// In which form an iteration's benchmark is written.
#[derive(Clone, Copy)]
enum Form {
    /// Whole, for programs.
    Json,
    /// As far as a page goes.
    Markdown,
}

/// One form of an iteration's benchmark, headed by what was recorded beside the iteration.
fn benchmark_of<'a>(
    part: &'a Part<'a>,
    addresses: &PartAddresses,
    (index, form): (usize, Form),
    language: &'a Language,
) -> Task<'a> {
    let render = move || {
        let heading = Heading::recorded(part.workspace, &part.workspace.iterations[index]);
        let subject = Subject::of(part.workspace, part.analysis, index, &heading);
        let text = match form {
            Form::Json => benchmark::json_line(subject),
            Form::Markdown => bounds::markdown(benchmark::markdown(subject), language),
        };
        Ok(text.into_bytes())
    };
    let name = match form {
        Form::Json => "benchmark.json",
        Form::Markdown => "benchmark.md",
    };
    Task { path: addresses.beside_iteration(index, name), render: Box::new(render) }
}

fn report(
    part: &Part<'_>,
    addresses: &PartAddresses,
    found: &Expectations<'_>,
    language: &Language,
) -> String {
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
    if let Some(instead) = left::instead(workspace, language) {
        let _ = writeln!(text, "{}\n", markdown(&instead));
    }
    text.push_str(&iterations(part, language));
    text.push_str(&changes(part, language));
    text.push_str(&compared::trend(part, language));
    text.push_str(&repeated(part, language));
    text.push_str(&compared::graders(part, language));
    text.push_str(&compared::comparisons(part, language));
    text.push_str(&flips::section(part, language));
    text.push_str(&expectations(found, language));
    text.push_str(&noted(part, language));
    text.push_str(&cases(part, addresses, language));
    text.push_str(&differing(part, language));
    text.push_str(&problems(part, language));
    text.push_str(&how(part, found, language));
    text
}

/// What stands out in the newest iteration that has verdicts, or in the last one.
fn noted(part: &Part<'_>, language: &Language) -> String {
    let last = part.workspace.iterations.len().checked_sub(1);
    let Some(index) = part.analysis.newest().or(last) else {
        return String::new();
    };
    let iteration = &part.workspace.iterations[index];
    let told = notes::told(iteration, &part.analysis.iterations[index], language);
    if told.is_empty() {
        return String::new();
    }
    let title = language.text("notes.title");
    let mut text = format!("## {title} ({})\n\n", markdown(&iteration.name));
    for note in told {
        let _ = writeln!(text, "- {}", markdown(&note.line(language)));
    }
    text.push('\n');
    text
}

/// Recorded figures that differ from ours, the newest iteration first.
fn differing(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    for (iteration, analysis) in
        part.workspace.iterations.iter().zip(&part.analysis.iterations).rev()
    {
        for benchmark in &iteration.benchmarks {
            let found = recorded::differing(iteration, analysis, benchmark);
            if found.is_empty() {
                continue;
            }
            let _ = writeln!(text, "### {}\n", markdown(&benchmark.path));
            for found in found {
                let _ = writeln!(text, "- {}", markdown(&recorded::sentence(&found, language)));
            }
            text.push('\n');
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("## {}\n\n{text}", language.text("recorded.differing")),
    }
}

/// How to read the statistics that the report shows, each once.
fn how(part: &Part<'_>, found: &Expectations<'_>, language: &Language) -> String {
    let kinds = how::of_report(part, found, language);
    let line = |kind: &&str| {
        let [name, text] = how::told(kind, language);
        format!("- **{}**: {}\n", markdown(name), markdown(text))
    };
    match kinds.is_empty() {
        true => String::new(),
        false => {
            let lines: String = kinds.iter().map(line).collect();
            format!("\n## {}\n\n{lines}", language.text("how.title"))
        }
    }
}

/// What the expectations can show.
fn expectations(found: &Expectations<'_>, language: &Language) -> String {
    let Some(short) = health::short(found, language) else {
        return String::new();
    };
    let title = language.text("health.title");
    let sentences = health::sentences(found, language);
    let mut text = format!("## {title}\n\n{}\n\n", markdown(&short));
    sentences.iter().for_each(|sentence| {
        let _ = writeln!(text, "{}\n", markdown(sentence));
    });
    text
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
            let role = role(row.role, language);
            let _ = writeln!(
                text,
                "| {} | {}{role} | {} | {} | {} | {} | {} | {} |",
                markdown(&iteration.name),
                markdown(&row.name),
                row.rate.whole(language),
                row.level,
                row.mean_rate,
                row.time,
                row.tokens,
                row.runs,
            );
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
            let said = language.sentences(row.sentences.iter().map(|it| markdown(it)));
            let _ = writeln!(text, "- {}: {said}", markdown(&row.name));
        }
        text.push('\n');
    }
    match text.is_empty() {
        true => text,
        false => format!("## {}\n\n{text}", language.text("change.titles")),
    }
}

/// What several runs of a case show in every iteration, the newest first.
fn repeated(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    for (index, iteration) in part.workspace.iterations.iter().enumerate().rev() {
        let summaries = &part.analysis.iterations[index].configurations;
        let found = summaries.iter().filter_map(|it| Some((&it.name, it.reliability.as_ref()?)));
        let told = found.map(|(name, found)| reliability::sentences(name, found, language));
        let told: Vec<String> =
            told.map(|it| markdown(&language.sentences(it)).to_string()).collect();
        if !told.is_empty() {
            let _ = writeln!(text, "### {}\n", markdown(&iteration.name));
            told.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
            text.push('\n');
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("## {}\n\n{text}", language.text("reliability.title")),
    }
}

/// The role in brackets, or nothing.
fn role(role: &str, language: &Language) -> String {
    match role {
        "baseline" => language.text("markdown.baseline").to_owned(),
        "candidate" => language.text("markdown.candidate").to_owned(),
        _ => String::new(),
    }
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
        let to = link(&addresses.beside("report.md"), &addresses.case_markdown(at));
        let _ = write!(text, "| [{}]({to}) |", markdown(&line.name));
        let analyses = part.analysis.iterations.iter();
        for (index, (iteration, analysis)) in workspace.iterations.iter().zip(analyses).enumerate()
        {
            let cells = line.meeting(index).map(|met| {
                let case = &iteration.cases[met.case];
                let configurations = analysis.roles.order();
                let cell = |configuration: &str| {
                    let counts = Rate::of(tally(case, configuration), language).counts;
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
