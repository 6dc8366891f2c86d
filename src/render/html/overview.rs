//! The overview of a workspace: its iterations in numbers, its cases, its problems.

use serde::Serialize;

use crate::analyze::IterationAnalysis;
use crate::model::{Case, Iteration, Problem, Severity, Tally, Workspace};
use crate::render::Task;
use crate::render::addresses::link;
use crate::render::chart::Figure;
use crate::render::html::Site;
use crate::render::html::headline::{Headline, headline};
use crate::render::html::history::pass_rates;
use crate::render::language::Language;
use crate::render::view::{self, ChangeRow, ConfigurationRow, Frame, Link, Rate};
use crate::text::bytes;

#[derive(Serialize)]
struct Overview {
    frame: Frame,
    headline: Option<Headline>,
    inventory: Vec<String>,
    problems: Link,
    history: Link,
    chart: Option<Figure>,
    iterations: Vec<IterationRow>,
    heads: Vec<Link>,
    cases: Vec<CaseRow>,
    files: Vec<Link>,
}

#[derive(Serialize)]
struct IterationRow {
    link: Link,
    implicit: bool,
    configurations: Vec<ConfigurationRow>,
    changes: Vec<ChangeRow>,
    roles: String,
}

#[derive(Serialize)]
struct CaseRow {
    link: Link,
    cells: Vec<Vec<Cell>>,
}

#[derive(Serialize)]
struct Cell {
    configuration: String,
    rate: Rate,
}

/// Adds the page.
pub(super) fn page<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.overview();
    let render = {
        let path = path.clone();
        move || site.templates.fill("overview.html", &path, &view(site, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, path: &str) -> Overview {
    let workspace = site.part.workspace;
    let heads = workspace.iterations.iter().enumerate().map(|(index, iteration)| Link {
        href: link(path, &site.addresses.iteration(index)),
        text: iteration.name.clone(),
    });
    Overview {
        frame: site.frame(path, site.title(), &[]),
        headline: headline(site, path),
        inventory: inventory(site.language, workspace),
        problems: Link {
            href: link(path, &site.addresses.problems()),
            text: problem_counts(site.language, &workspace.problems),
        },
        history: Link {
            href: link(path, &site.addresses.history()),
            text: site.language.text("overview.more_history").to_owned(),
        },
        chart: (workspace.iterations.len() > 1).then(|| pass_rates(site, path)),
        iterations: (0..workspace.iterations.len())
            .map(|index| iteration(site, path, index))
            .collect(),
        heads: heads.collect(),
        cases: (0..site.part.analysis.lines.len()).map(|line| case(site, path, line)).collect(),
        files: files(site, path),
    }
}

fn inventory(language: &Language, workspace: &Workspace) -> Vec<String> {
    let totals = workspace.totals();
    let Tally { passed, failed, ungraded } = totals.tally;
    let (runs, outputs) =
        (language.count(totals.runs, "run"), language.count(totals.outputs, "output"));
    vec![
        language.count(totals.iterations, "iteration"),
        language.count(totals.cases, "case"),
        language.count(totals.configurations, "configuration"),
        language.fill("inventory.runs", &[("runs", &runs), ("graded", &totals.graded_runs)]),
        language.fill(
            "inventory.verdicts",
            &[("passed", &passed), ("failed", &failed), ("ungraded", &ungraded)],
        ),
        language.fill(
            "inventory.outputs",
            &[("outputs", &outputs), ("size", &bytes(totals.output_bytes))],
        ),
    ]
}

/// How many problems of each severity, in one line.
pub(in crate::render) fn problem_counts(language: &Language, problems: &[Problem]) -> String {
    let of = |severity| problems.iter().filter(|p| p.severity() == severity).count();
    let count = |severity| language.problems(of(severity), severity);
    [Severity::Error, Severity::Warning, Severity::Note]
        .map(count)
        .join(language.text("list.comma"))
}

fn iteration(site: Site<'_>, path: &str, index: usize) -> IterationRow {
    let iteration = &site.part.workspace.iterations[index];
    let analysis = &site.part.analysis.iterations[index];
    IterationRow {
        link: Link {
            href: link(path, &site.addresses.iteration(index)),
            text: iteration.name.clone(),
        },
        implicit: iteration.implicit,
        configurations: configuration_rows(analysis, site.language),
        changes: change_rows(analysis, site.language),
        roles: view::roles(&analysis.roles, site.language),
    }
}

/// The configurations in numbers, candidates first.
pub(in crate::render) fn configuration_rows(
    analysis: &IterationAnalysis,
    language: &Language,
) -> Vec<ConfigurationRow> {
    let summaries = analysis.configurations.iter();
    summaries.map(|summary| ConfigurationRow::of(summary, analysis, language)).collect()
}

/// Every candidate against the baseline; empty without one.
pub(in crate::render) fn change_rows(
    analysis: &IterationAnalysis,
    language: &Language,
) -> Vec<ChangeRow> {
    let Some(baseline) = analysis.baseline() else {
        return Vec::new();
    };
    let candidates = analysis.configurations.iter().filter(|summary| summary.name != baseline.name);
    candidates.map(|candidate| ChangeRow::of(candidate, baseline, language)).collect()
}

fn case(site: Site<'_>, path: &str, index: usize) -> CaseRow {
    let iterations = &site.part.workspace.iterations;
    let line = &site.part.analysis.lines[index];
    let of = |(at, (iteration, analysis)): (usize, (&Iteration, &IterationAnalysis))| {
        let met = line.meeting(at);
        met.map(|met| cells(site.language, &iteration.cases[met.case], analysis))
            .unwrap_or_default()
    };
    let cells = iterations.iter().zip(&site.part.analysis.iterations).enumerate().map(of);
    let href = link(path, &site.addresses.case(index));
    CaseRow { link: Link { href, text: line.name.clone() }, cells: cells.collect() }
}

fn cells(language: &Language, case: &Case, analysis: &IterationAnalysis) -> Vec<Cell> {
    analysis
        .roles
        .order()
        .filter(|name| case.runs.iter().any(|run| run.configuration == *name))
        .map(|name| {
            let rate = Rate::of(tally(case, name), language);
            Cell { configuration: name.to_owned(), rate }
        })
        .collect()
}

/// The verdicts of one configuration of a case.
pub(in crate::render) fn tally(case: &Case, configuration: &str) -> Tally {
    let mut tally = Tally::default();
    let runs = case.runs.iter().filter(|run| run.configuration == configuration);
    runs.for_each(|run| tally.add(run.tally()));
    tally
}

fn files(site: Site<'_>, path: &str) -> Vec<Link> {
    let beside =
        |name: &str| Link { href: link(path, &site.addresses.beside(name)), text: name.to_owned() };
    let data = Link { href: link(path, "report.json"), text: "report.json".to_owned() };
    vec![beside("report.md"), data]
}
