//! `report.md`: all about a workspace, for readers without a browser.

use std::fmt::Write;

use crate::analyze::{Flip, FlipKind, Side, tally_of};
use crate::digest::Questions;
use crate::language::{Language, Rate, say};
use crate::render::context::{Part, RenderContext, Task, bounds, escape::markdown, link};
use crate::render::markdown_table::{head as table_head, row};
use crate::render::questions_table;
use crate::wording::Answer;
use crate::wording::blind::matchups;
use crate::wording::changes::{ChangeRow, key_against};
use crate::wording::configurations::ConfigurationRow;
use crate::wording::{checks, news, recorded_differences, recorded_results, reliability, sides};
use input::model::Severity;

pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = context.addresses.report_file("report.md");
    tasks.push(Task::infallible(path, move || bounds::markdown(report(context), context.language)));
}

fn report(context: RenderContext<'_>) -> String {
    let RenderContext { part, shared, language, .. } = context;
    let expectations = &shared.expectations;
    let mut health = Vec::from_iter(checks::health_counts(expectations, language));
    health.extend(checks::health_sentences(expectations, language));

    let answer = Answer::new(&part.comparisons, language);
    let mut out = head(context, &answer);
    // What answers first comes first: agents often read only the beginning of a file.
    out += &iterations(context);
    out += &section(context, "change.titles", changes(context));
    out += &section(context, "reliability.title", repeated_runs(context));
    out += &section(context, "graders.title", graders(context));
    out += &section(context, "matchups.title", blind_comparisons(context));
    out += &section(context, "diff.flips", flips_of_newest(part, language));
    out += &section(context, "health.title", paragraphs(&health));
    out += &news_of_newest(context, &answer);
    out += &cases(context);
    out += &section(context, "recorded.differing", recorded_differences(context));
    out += &problems(context);
    let _ = writeln!(out, "\n[{}](guide.html)", language.text("page.guide"));
    out
}

/// The title, the totals, and what is recorded instead of verdicts.
fn head(context: RenderContext<'_>, answer: &Answer) -> String {
    let RenderContext { part, language, .. } = context;
    let totals = part.workspace.totals();
    let cases = part.analysis.cases.len();
    let counts = [(totals.iterations, "iteration"), (cases, "case"), (totals.runs, "run")];
    let verdicts = totals.verdicts();
    let sum = say!(
        language,
        if verdicts.graded() > 0 { "markdown.sum" } else { "markdown.sum_open" },
        counts = language.counts(counts),
        graded = totals.graded_runs + totals.recorded_runs,
        passed = verdicts.passed,
        expectations = verdicts.graded(),
    );
    let mut sentences = vec![answer.line(language)];
    sentences.extend(recorded_results::instead(part.workspace, language));
    let mut rows = String::new();
    if let Some(after) = part.analysis.newest_candidate() {
        rows = questions_table::table(
            part.facts(language),
            &Questions::new(&part.comparisons, &after),
        );
    }
    let (title, first) = (markdown(part.title()), paragraphs(&sentences));
    format!("# {title}\n\n{sum}\n\n{first}{rows}{}", paragraphs(&answer.last_lines(language)))
}

/// `text` under the heading `key`; empty if the text is.
fn section(context: RenderContext<'_>, key: &str, text: String) -> String {
    if text.is_empty() { text } else { format!("## {}\n\n{text}", context.language.text(key)) }
}

fn paragraphs(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("{}\n\n", markdown(sentence))).collect()
}

/// Lines, which are Markdown, as a list under the heading `about`; empty without any.
fn list(about: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    format!("### {}\n\n{lines}\n", markdown(about))
}

fn iterations(context: RenderContext<'_>) -> String {
    let RenderContext { part, language, .. } = context;
    let heads = [
        "configurations.iteration",
        "configurations.configuration",
        "configurations.passed",
        "configurations.range",
        "configurations.mean",
        "configurations.time",
        "configurations.tokens",
        "configurations.runs",
    ];
    let mut out = format!("## {}\n\n", language.text("overview.iterations"));
    out += &table_head(heads, "|---|---|--:|--:|--:|--:|--:|---|", language);
    for (iteration, analysis) in part.workspace.iterations.iter().zip(&part.analysis.iterations) {
        for configuration in ConfigurationRow::all(analysis, language) {
            let role = match configuration.role {
                "baseline" => language.text("markdown.baseline"),
                "candidate" => language.text("markdown.candidate"),
                _ => "",
            };
            let name = markdown(&configuration.name) + role;
            let rate = configuration.rate.whole(language);
            let ConfigurationRow { range, spread, time, tokens, runs, .. } = configuration;
            let iteration = markdown(&iteration.name);
            out += &row(&[iteration, name, rate, range, spread, time, tokens, runs]);
        }
    }
    out + "\n"
}

/// The changes of the candidates of every iteration, the newest first.
fn changes(context: RenderContext<'_>) -> String {
    let RenderContext { part, language, .. } = context;
    let heads = ["change.title", "change.gain", "change.checks", "change.time", "change.tokens"];
    let head = table_head(heads, "|---|--:|--:|--:|--:|", language);
    let mut out = String::new();
    // An agent that reads only the beginning should see the newest.
    for (index, iteration) in part.workspace.iterations.iter().enumerate().rev() {
        let rows = ChangeRow::all(part.facts(language), index);
        if rows.is_empty() {
            continue;
        }
        let _ = write!(out, "### {}\n\n{head}", markdown(&iteration.name));
        for ChangeRow { name, gain, checks, time, tokens, .. } in &rows {
            out += &row(&[&*markdown(name), gain, checks, time, tokens]);
        }
        out.push('\n');
        for ChangeRow { name, sentences, .. } in &rows {
            let sentences = language.sentences(sentences.iter().map(|text| markdown(text)));
            let _ = writeln!(out, "- {}", language.labelled(&markdown(name), &sentences));
        }
        out.push('\n');
    }
    out
}

fn repeated_runs(context: RenderContext<'_>) -> String {
    let RenderContext { part, language, .. } = context;
    let mut out = String::new();
    let iterations = part.workspace.iterations.iter().zip(&part.analysis.iterations);
    for (iteration, analysis) in iterations.rev() {
        let mut lines = Vec::new();
        for summary in &analysis.configurations {
            if let Some(found) = &summary.reliability {
                let sentences = reliability::runs(&summary.name, found, language);
                lines.push(markdown(&language.sentences(sentences)));
            }
        }
        out += &list(&iteration.name, &lines);
    }
    out
}

fn graders(context: RenderContext<'_>) -> String {
    let RenderContext { part, language, .. } = context;
    let mut out = String::new();
    for (index, iteration) in part.workspace.iterations.iter().enumerate().rev() {
        let mut lines = Vec::new();
        for pair in &part.analysis.iterations[index].graders {
            let title = markdown(&reliability::graders_title(pair, language));
            let agreement = reliability::agreement_of_graders(pair, language);
            lines.push(format!("**{title}**: {}", markdown(&agreement)));
        }
        out += &list(&iteration.name, &lines);
    }
    out
}

fn blind_comparisons(context: RenderContext<'_>) -> String {
    let mut out = String::new();
    for matchup in matchups(context.part.facts(context.language)) {
        let (title, lead) = (markdown(&matchup.title), markdown(&matchup.lead));
        let _ = write!(out, "### {title}\n\n{lead}\n\n{}", paragraphs(&matchup.more));
    }
    out
}

/// The news of the iteration that the answer is about, without what the answer says.
fn news_of_newest(context: RenderContext<'_>, answer: &Answer) -> String {
    let RenderContext { part, language, .. } = context;
    let Some(side) = part.analysis.shown_side() else { return String::new() };
    let name = markdown(&part.workspace.iterations[side.iteration].name);
    let news = news::listed(&part.comparisons, side.iteration, &answer.reason, language);
    let news: String = news.iter().map(|text| format!("- {}\n", markdown(text))).collect();
    if news.is_empty() {
        return news;
    }
    format!("## {}\n\n{news}\n", language.detailed(language.text("notes.title"), &name))
}

/// The counts of every case in every iteration.
fn cases(context: RenderContext<'_>) -> String {
    let RenderContext { part, addresses, language, .. } = context;
    let iterations = &part.workspace.iterations;
    let mut heads = vec![language.text("iteration.case").to_owned()];
    heads.extend(iterations.iter().map(|iteration| markdown(&iteration.name)));
    let (title, rule) = (language.text("iteration.cases"), "---|".repeat(heads.len()));
    let mut out = format!("## {title}\n\n{}|{rule}\n", row(&heads));
    for (at, history) in part.analysis.cases.iter().enumerate() {
        let to = link(&addresses.report_file("report.md"), &addresses.case(at));
        let mut cells = vec![format!("[{}]({to})", markdown(&history.name))];
        for (index, iteration) in iterations.iter().enumerate() {
            let mut counts = Vec::new();
            if let Some(place) = history.appearance(index) {
                let case = &iteration.cases[place.case];
                for name in part.analysis.iterations[index].roles.order() {
                    let rate = Rate::counts_of(tally_of(case, name));
                    counts.push(format!("{} {rate}", markdown(name)));
                }
            }
            cells.push(counts.join("<br>"));
        }
        out += &row(&cells);
    }
    out + "\n"
}

fn recorded_differences(context: RenderContext<'_>) -> String {
    let RenderContext { part, language, .. } = context;
    let mut out = String::new();
    let iterations = part.workspace.iterations.iter().zip(&part.analysis.iterations);
    for (iteration, analysis) in iterations.rev() {
        for (benchmark, discrepancies) in iteration.benchmarks.iter().zip(&analysis.discrepancies) {
            let mut lines = Vec::new();
            for discrepancy in discrepancies {
                lines.push(markdown(&recorded_differences::sentence(discrepancy, language)));
            }
            out += &list(&benchmark.path, &lines);
        }
    }
    out
}

/// The number of problems, then those that are more than notes.
fn problems(context: RenderContext<'_>) -> String {
    let RenderContext { part, language, .. } = context;
    let problems = &part.workspace.problems;
    let counts = say!(language, "markdown.problems", problems = language.problem_counts(problems));
    // Notes are many in real workspaces and change no number; the page of problems has them.
    let mut items = String::new();
    for problem in problems.iter().filter(|problem| problem.severity() < Severity::Note) {
        let mut path = markdown(&problem.path);
        if let Some(place) = problem.place {
            let _ = write!(path, ":{}:{}", place.line, place.column);
        }
        let (severity, code) = (problem.severity().word(), problem.code.word());
        let _ = writeln!(items, "- {severity}[{code}] {path}: {}", markdown(&problem.sentence()));
    }
    let gap = if items.is_empty() { "" } else { "\n" };
    format!("## {}\n\n{counts}\n{gap}{items}", language.text("page.problems"))
}

/// Changes against a side that are listed, and checks that fail on both; the rest are counted.
const LISTED_FLIPS: usize = 20;

/// A Markdown list item; `None` for a check that passes on both sides or is on one only.
fn flip_item(
    flip: &Flip,
    is_disputed: bool,
    case: &str,
    sides: [&Side; 2],
    language: &Language,
) -> Option<String> {
    let key = match flip.kind {
        FlipKind::Regressed => key_against("diff.regressed", sides),
        FlipKind::Improved => key_against("diff.improved", sides),
        FlipKind::Unsteady => "diff.unsteady".into(),
        FlipKind::Reworded => "diff.reworded".into(),
        FlipKind::StillFailing => "diff.still_failing".into(),
        _ => return None,
    };
    let mut counts = Rate::counts_of_both(flip.before, flip.after);
    if is_disputed {
        counts = language.apart([&*counts, language.text("review.disputed")]);
    }
    let text = language.detailed(&markdown(flip.text), &counts);
    let text = language.labelled(&markdown(case), &text);
    let mut item = format!("- {}", language.labelled(language.text(&key), &text));
    if let Some(text) = &flip.earlier_text {
        let reworded = say!(language, "diff.reworded_from", text);
        let _ = write!(item, "{}{}", language.text("list.semicolon"), markdown(&reworded));
    }
    item.push('\n');
    Some(item)
}

/// The changes of the newest candidate since the previous iteration and against the baseline.
fn flips_of_newest(part: &Part<'_>, language: &Language) -> String {
    let Some(after) = part.analysis.newest_candidate() else { return String::new() };
    let mut out = String::new();
    for (key, before) in [
        ("overview.against_previous", part.analysis.previous(&after)),
        ("overview.against_baseline", part.analysis.opposite(&after)),
    ] {
        if let Some(before) = before {
            out += &flips_against(part, language, key, [&before, &after]);
        }
    }
    out
}

/// The changes against one side, then the failures on both; empty if there are neither.
fn flips_against(part: &Part<'_>, language: &Language, key: &str, sides: [&Side; 2]) -> String {
    let changes = part.comparisons.changes(sides);
    let (mut changed, mut failing) = (Vec::new(), Vec::new());
    for flip in changes.flips.iter() {
        let case = &part.analysis.cases[flip.case].name;
        if let Some(item) = flip_item(flip, changes.is_disputed(flip), case, sides, language) {
            // What passes as often on both sides did not change.
            let is_failing = flip.kind == FlipKind::StillFailing || !flip.has_moved();
            if is_failing { failing.push(item) } else { changed.push(item) }
        }
    }
    if changed.is_empty() && failing.is_empty() {
        return String::new();
    }
    let facts = part.facts(language);
    let title = say!(language, key, side = sides::full_name(facts, sides[0]));
    let mut out = format!("### {}\n\n", markdown(&title));
    let differences = sides::differences(facts, sides);
    if !differences.is_empty() {
        let _ = writeln!(out, "{}\n", markdown(&differences));
    }
    if changed.is_empty() {
        let _ = writeln!(out, "{}\n", language.text("diff.no_flips"));
    } else {
        flips_list(&changed, language, &mut out);
    }
    // What fails on both sides is no change, but the next thing to fix.
    if !failing.is_empty() {
        let expectations = language.count(failing.len(), "expectation");
        let title = say!(language, "overview.still_failing", expectations);
        let _ = writeln!(out, "{title}{}\n", language.text("list.colon").trim_end());
        flips_list(&failing, language, &mut out);
    }
    out
}

fn flips_list(items: &[String], language: &Language, out: &mut String) {
    out.extend(items.iter().take(LISTED_FLIPS).map(String::as_str));
    if items.len() > LISTED_FLIPS {
        let _ = writeln!(
            out,
            "- {}",
            say!(language, "overview.more_flips", n = items.len() - LISTED_FLIPS)
        );
    }
    out.push('\n');
}
