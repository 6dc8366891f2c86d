//! The overview of a workspace: its iterations in numbers, its cases, its problems.

use serde::Serialize;

use crate::analyze::IterationAnalysis;
use crate::model::{Case, Iteration, Severity, Tally, Workspace};
use crate::render::Task;
use crate::render::addresses::link;
use crate::render::chart::Figure;
use crate::render::html::Site;
use crate::render::html::headline::{Headline, headline};
use crate::render::html::history::pass_rates;
use crate::render::view::{ChangeRow, ConfigurationRow, Frame, Link, Rate};
use crate::text::{bytes, count};

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
        inventory: inventory(workspace),
        problems: Link {
            href: link(path, &site.addresses.problems()),
            text: problem_counts(workspace),
        },
        history: Link {
            href: link(path, &site.addresses.history()),
            text: "time, tokens and versions over all iterations".to_owned(),
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

fn inventory(workspace: &Workspace) -> Vec<String> {
    let totals = workspace.totals();
    let Tally { passed, failed, ungraded } = totals.tally;
    vec![
        count(totals.iterations, "iteration"),
        count(totals.cases, "case"),
        count(totals.configurations, "configuration"),
        format!("{}, {} of them graded", count(totals.runs, "run"), totals.graded_runs),
        format!("{passed} passed, {failed} failed, {ungraded} without a verdict"),
        format!("{} ({})", count(totals.outputs, "output"), bytes(totals.output_bytes)),
    ]
}

fn problem_counts(workspace: &Workspace) -> String {
    let of = |severity| workspace.problems.iter().filter(|p| p.severity() == severity).count();
    format!(
        "{}, {}, {}",
        count(of(Severity::Error), "error"),
        count(of(Severity::Warning), "warning"),
        count(of(Severity::Note), "note")
    )
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
        configurations: configuration_rows(analysis),
        changes: change_rows(analysis),
        roles: analysis.roles.reason.clone(),
    }
}

/// The configurations in numbers, candidates first.
pub(in crate::render) fn configuration_rows(analysis: &IterationAnalysis) -> Vec<ConfigurationRow> {
    let summaries = analysis.configurations.iter();
    summaries.map(|summary| ConfigurationRow::of(summary, analysis)).collect()
}

/// Every candidate against the baseline; empty without one.
pub(in crate::render) fn change_rows(analysis: &IterationAnalysis) -> Vec<ChangeRow> {
    let Some(baseline) = analysis.baseline() else {
        return Vec::new();
    };
    let candidates = analysis.configurations.iter().filter(|summary| summary.name != baseline.name);
    candidates.map(|candidate| ChangeRow::of(candidate, baseline)).collect()
}

fn case(site: Site<'_>, path: &str, index: usize) -> CaseRow {
    let iterations = &site.part.workspace.iterations;
    let line = &site.part.analysis.lines[index];
    let of = |(at, (iteration, analysis)): (usize, (&Iteration, &IterationAnalysis))| {
        let met = line.meeting(at);
        met.map(|met| cells(&iteration.cases[met.case], analysis)).unwrap_or_default()
    };
    let cells = iterations.iter().zip(&site.part.analysis.iterations).enumerate().map(of);
    let href = link(path, &site.addresses.case(index));
    CaseRow { link: Link { href, text: line.name.clone() }, cells: cells.collect() }
}

fn cells(case: &Case, analysis: &IterationAnalysis) -> Vec<Cell> {
    analysis
        .roles
        .order()
        .filter(|name| case.runs.iter().any(|run| run.configuration == *name))
        .map(|name| Cell { configuration: name.to_owned(), rate: Rate::of(tally(case, name)) })
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
