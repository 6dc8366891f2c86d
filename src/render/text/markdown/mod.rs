//! `report.md` and the pages of cases, for readers without a browser.

mod case;

use std::fmt::{Display, Write};

use crate::analyze::{GraderPair, grader_pairs, tally_of};
use crate::language::Language;
use crate::model::Severity;
use crate::render::context::{
    Part, PartAddresses, Rate, RenderContext, Task, bounds, escape::markdown, link,
};
use crate::render::markdown_table::{head, row};
use crate::render::text::flips::flip_section;
use crate::wording::blind::{ContestView, contests};
use crate::wording::changes::{self, ChangeRow};
use crate::wording::configurations::ConfigurationRow;
use crate::wording::problems::problem_counts;
use crate::wording::{notes, recorded_differences, recorded_results, reliability};

pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let RenderContext { addresses, language, .. } = context;
    let path = addresses.report_file("report.md");
    tasks.push(Task::infallible(path, move || bounds::markdown(report(context), language)));
    case::pages(context, tasks);
}

fn report(context: RenderContext<'_>) -> String {
    let RenderContext { part, addresses, shared, language, .. } = context;
    let expectations = &shared.expectations;
    let workspace = part.workspace;
    let totals = workspace.totals();
    let places: [(&str, &dyn Display); 6] = [
        ("iterations", &language.count(totals.iterations, "iteration")),
        ("cases", &language.count(part.analysis.cases.len(), "case")),
        ("runs", &language.count(totals.runs, "run")),
        ("graded", &totals.graded_runs),
        ("passed", &totals.tally.passed),
        ("expectations", &totals.tally.graded()),
    ];
    let sum = language.fill("markdown.sum", &places);
    let mut text = format!("# {}\n\n{sum}\n\n", markdown(part.title()));
    text += &paragraphs(recorded_results::instead(workspace, language).as_slice());
    let mut health = Vec::from_iter(reliability::health_counts(expectations, language));
    health.extend(reliability::health_sentences(expectations, language));
    let section = |key: &str, text: String| match text.is_empty() {
        true => text,
        false => format!("## {}\n\n{text}", language.text(key)),
    };
    let sections = [
        iterations(part, language),
        section("change.titles", changes(part, language)),
        section("history.best_title", paragraphs(&reliability::best_of(part.facts(language)))),
        section("reliability.title", repeated(part, language)),
        section("graders.title", graders(part, language)),
        section("contests.title", contests(part.facts(language)).iter().map(contest).collect()),
        flip_section(part, language),
        section("health.title", paragraphs(&health)),
        noted(part, language),
        cases(part, addresses, language),
        section("recorded.differing", differing(part, language)),
        problems(part, language),
        format!("\n[{}](guide.html)\n", language.text("page.guide")),
    ];
    text + &sections.concat()
}

/// The notable findings of the newest iteration with verdicts, else of the last one.
fn noted(part: &Part<'_>, language: &Language) -> String {
    let last = part.workspace.iterations.len().checked_sub(1);
    let Some(index) = part.analysis.newest().or(last) else { return String::new() };
    let iteration = &part.workspace.iterations[index];
    let notes = notes::write_notes(iteration, &part.analysis.iterations[index], language);
    let lines: String =
        notes.iter().map(|note| format!("- {}\n", markdown(&note.line(language)))).collect();
    let (title, name) = (language.text("notes.title"), markdown(&iteration.name));
    if lines.is_empty() { lines } else { format!("## {title} ({name})\n\n{lines}\n") }
}

fn differing(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    let iterations = part.workspace.iterations.iter().zip(&part.analysis.iterations);
    for (iteration, analysis) in iterations.rev() {
        for (benchmark, discrepancies) in iteration.benchmarks.iter().zip(&analysis.discrepancies) {
            let lines = discrepancies
                .iter()
                .map(|one| markdown(&recorded_differences::sentence(one, language)));
            text += &list(&benchmark.path, lines);
        }
    }
    text
}

/// Lines as a list under the heading `about`; empty without any.
fn list(about: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.map(|line| format!("- {line}\n")).collect();
    if lines.is_empty() { lines } else { format!("### {}\n\n{lines}\n", markdown(about)) }
}

fn paragraphs(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("{}\n\n", markdown(sentence))).collect()
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
    let head = head(heads, "|---|---|--:|--:|--:|--:|--:|---|", language);
    let mut text = format!("## {}\n\n{head}", language.text("overview.iterations"));
    for (iteration, analysis) in part.workspace.iterations.iter().zip(&part.analysis.iterations) {
        for configuration in ConfigurationRow::all(analysis, language) {
            let role = match configuration.role {
                "baseline" => language.text("markdown.baseline"),
                "candidate" => language.text("markdown.candidate"),
                _ => "",
            };
            let (name, rate) =
                (markdown(&configuration.name) + role, configuration.rate.whole(language));
            let ConfigurationRow { level, mean_rate, time, tokens, runs, .. } = configuration;
            let iteration = markdown(&iteration.name);
            text += &row(&[iteration, name, rate, level, mean_rate, time, tokens, runs]);
        }
    }
    text + "\n"
}

/// The changes of the candidates of every iteration, the newest first.
fn changes(part: &Part<'_>, language: &Language) -> String {
    let heads = ["change.title", "change.gain", "change.checks", "change.time", "change.tokens"];
    let head = head(heads, "|---|--:|--:|--:|--:|", language);
    let mut text = String::new();
    for (index, iteration) in part.workspace.iterations.iter().enumerate().rev() {
        let rows = changes::rows(part.facts(language), index);
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "### {}\n\n{head}", markdown(&iteration.name));
        for ChangeRow { name, gain, checks, time, tokens, .. } in &rows {
            text += &row(&[&*markdown(name), gain, checks, time, tokens]);
        }
        text.push('\n');
        for ChangeRow { name, sentences, .. } in &rows {
            let sentences = language.sentences(sentences.iter().map(|text| markdown(text)));
            let _ = writeln!(text, "- {}: {sentences}", markdown(name));
        }
        text.push('\n');
    }
    text
}

fn repeated(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    let iterations = part.workspace.iterations.iter().zip(&part.analysis.iterations);
    for (iteration, analysis) in iterations.rev() {
        let lines = analysis.configurations.iter().filter_map(|summary| {
            let runs = reliability::runs(&summary.name, summary.reliability.as_ref()?, language);
            Some(markdown(&language.sentences(runs)))
        });
        text += &list(&iteration.name, lines);
    }
    text
}

fn graders(part: &Part<'_>, language: &Language) -> String {
    let line = |pair: GraderPair| {
        let title = markdown(&reliability::graders_title(&pair, language));
        let agreement = language.sentences(reliability::graders(&pair, language));
        format!("**{title}**: {}", markdown(&agreement))
    };
    let iterations = part.workspace.iterations.iter().rev();
    iterations
        .map(|iteration| list(&iteration.name, grader_pairs(iteration).into_iter().map(line)))
        .collect()
}

fn contest(view: &ContestView) -> String {
    format!("### {}\n\n{}\n\n", markdown(&view.title), markdown(&view.lead))
        + &paragraphs(&view.more)
}

fn cases(part: &Part<'_>, addresses: &PartAddresses, language: &Language) -> String {
    let iterations = &part.workspace.iterations;
    let mut heads = vec![language.text("iteration.case").to_owned()];
    heads.extend(iterations.iter().map(|iteration| markdown(&iteration.name)));
    let (title, rule) = (language.text("iteration.cases"), "---|".repeat(heads.len()));
    let mut text = format!("## {title}\n\n{}|{rule}\n", row(&heads));
    for (at, line) in part.analysis.cases.iter().enumerate() {
        let to = link(&addresses.report_file("report.md"), &addresses.case_markdown(at));
        let mut cells = vec![format!("[{}]({to})", markdown(&line.name))];
        for (index, iteration) in iterations.iter().enumerate() {
            let counts = line.appearance(index).map(|place| {
                let case = &iteration.cases[place.case];
                let cell = |configuration: &str| {
                    let counts = Rate::counts_of(tally_of(case, configuration));
                    format!("{} {counts}", markdown(configuration))
                };
                let names = part.analysis.iterations[index].roles.order();
                names.map(cell).collect::<Vec<_>>().join("<br>")
            });
            cells.push(counts.unwrap_or_default());
        }
        text += &row(&cells);
    }
    text + "\n"
}

fn problems(part: &Part<'_>, language: &Language) -> String {
    let problems = &part.workspace.problems;
    let counts =
        language.fill("markdown.problems", &[("problems", &problem_counts(language, problems))]);
    let serious = problems.iter().filter(|problem| problem.severity() < Severity::Note);
    let items = serious.map(|problem| {
        let place = problem.place.map(|place| format!(":{}:{}", place.line, place.column));
        format!(
            "- {}[{}] {}{}: {}\n",
            problem.severity().word(),
            problem.code.word(),
            markdown(&problem.path),
            place.unwrap_or_default(),
            markdown(&problem.sentence()),
        )
    });
    let items: String = items.collect();
    let gap = if items.is_empty() { "" } else { "\n" };
    format!("## {}\n\n{counts}\n{gap}{items}", language.text("page.problems"))
}
