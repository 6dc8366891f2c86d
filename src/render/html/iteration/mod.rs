//! One iteration: the benchmark table, every case by configuration, what was recorded beside it.

mod listed;
mod matrix;
mod noted;
mod recorded;
mod repeated;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::digest::shown_statistics as how;
use crate::model::{Case, Tally};
use crate::render::context::{
    Frame, Link, Rate, Rows, Site, Task,
    bounds::{COLUMNS, Cells},
    link,
    view::{self, ConfigurationRow},
};
use crate::render::html::comparisons;
use crate::render::html::feedback;
use crate::render::html::flipped::Flipped;
use crate::render::html::iteration::listed::{ListedRuns, listed};
use crate::render::html::iteration::matrix::{Matrix, matrix};
use crate::render::html::iteration::noted::{Noted, noted};
use crate::render::html::iteration::recorded::{BenchmarkView, benchmark};
use crate::render::html::iteration::repeated::{Graded, Repeated, graded, repeated};
use crate::render::html::overview::configuration_rows;
use crate::render::html::skill;
use crate::render::text::recorded as left;
use crate::render::text::{
    brief,
    change::{self, ChangeRow},
    statistics, verdict,
};

/// Bytes of markup that the expectations that changed may take.
const FLIPS: usize = 32 * 1024;

#[derive(Serialize)]
struct IterationView {
    frame: Frame,
    name: String,
    /// What is recorded where nothing was graded.
    left: Option<String>,
    configurations: Rows<ConfigurationRow>,
    changes: Rows<ChangeRow>,
    roles: String,
    /// What several runs of a case show.
    repeated: Vec<Repeated>,
    /// How many writing conventions each configuration met.
    conventions: Vec<String>,
    /// How far graders agree.
    graded: Vec<Graded>,
    /// What was found in the data.
    notes: Vec<Noted>,
    cases: Rows<CaseRow>,
    matrix: Matrix,
    changed: Option<Changed>,
    feedback: Option<Link>,
    feedback_href: String,
    comparisons: Rows<comparisons::Line>,
    benchmarks: Vec<BenchmarkView>,
    listed: Vec<ListedRuns>,
    brief: String,
    /// What is to be read about configurations, changes, notes and recorded figures.
    how: Vec<&'static str>,
    how_repeated: Vec<&'static str>,
    how_graded: Vec<&'static str>,
    how_changes: Vec<&'static str>,
    how_notes: Vec<&'static str>,
    how_recorded: Vec<&'static str>,
    skill: Vec<Link>,
    files: Vec<Link>,
}

#[derive(Serialize)]
struct CaseRow {
    link: Link,
    status: &'static str,
    configurations: String,
    cells: Rows<CaseCell>,
}

#[derive(Serialize)]
struct CaseCell {
    rate: Rate,
    runs: Rows<RunCell>,
}

#[derive(Serialize)]
struct RunCell {
    link: Link,
    id: String,
    is_commented: bool,
    counts: String,
}

/// What changed since the iteration before.
#[derive(Serialize)]
struct Changed {
    title: String,
    /// That another model or grader was at work; empty where none was.
    differs: String,
    /// List items; empty where no expectation changed its outcome.
    flips: String,
    /// What fails on both sides, folded; empty where nothing does.
    still_failing: String,
}

/// Adds the page of one iteration.
pub(super) fn page<'a>(site: Site<'a>, index: usize, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.iteration(index);
    let render = {
        let path = path.clone();
        move || site.templates.fill("iteration.html", &path, &view(site, index, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, index: usize, path: &str) -> IterationView {
    let iteration = &site.part.workspace.iterations[index];
    let analysis = &site.part.analysis.iterations[index];
    let crumbs = [(site.addresses.overview(), site.title())];
    let file = |name: &str| Link { href: name.to_owned(), text: name.to_owned() };
    IterationView {
        frame: site.frame(path, &iteration.name, &crumbs),
        name: iteration.name.clone(),
        left: left::sentence(iteration, site.language),
        configurations: Rows::first(
            COLUMNS,
            configuration_rows(analysis, site.language).into_iter(),
            |row| row,
        ),
        changes: change::rows(site.part, index, site.language).into_iter().collect(),
        roles: view::roles(&analysis.roles, site.language),
        repeated: repeated(site, index),
        conventions: statistics::conventions(iteration, analysis, site.language),
        graded: graded(site, index, path),
        notes: noted(site, index, path),
        cases: cases(site, index, path),
        matrix: matrix(site, index, path),
        changed: changed(site, index, path),
        feedback: feedback::line(site, path, index),
        feedback_href: feedback::href(site, path, index),
        comparisons: comparisons::lines(site, path, index),
        benchmarks: iteration
            .benchmarks
            .iter()
            .map(|it| benchmark(site, iteration, analysis, it))
            .collect(),
        listed: listed(site, iteration),
        brief: brief::iteration(site, index),
        how: how::of_configurations(analysis),
        how_repeated: how::of_repeated(analysis),
        how_graded: how::of_graders(&site.part.workspace.iterations[index]),
        how_changes: how::of_changes(site.part.analysis.changes_in(index)),
        how_notes: how::of_notes(&analysis.notes),
        how_recorded: vec!["recorded"],
        skill: skill::links(site, path, |snapshot| snapshot.iteration == Some(index)),
        files: vec![file("benchmark.json"), file("benchmark.md"), file("brief.md")],
    }
}

/// What the candidate lost and gained since the iteration before; `None` where there is none.
fn changed(site: Site<'_>, index: usize, path: &str) -> Option<Changed> {
    let standings = &site.standings[index];
    let (before, after) = standings.before.as_ref().zip(standings.after.as_ref())?;
    let lines = &site.part.analysis.lines;
    let flipped = Flipped { site, path, lines, sides: [before, after], name_case: true };
    let side = site.side_name(before);
    Some(Changed {
        title: site.language.fill("overview.against_previous", &[("side", &side)]),
        differs: verdict::sides_differ(site.part.analysis, [before, after], site.language),
        flips: flipped.write(&standings.flips, FLIPS).as_str().to_owned(),
        still_failing: flipped.still_failing(&standings.flips, FLIPS).as_str().to_owned(),
    })
}

fn cases(site: Site<'_>, index: usize, path: &str) -> Rows<CaseRow> {
    let iteration = &site.part.workspace.iterations[index];
    let order: Vec<&str> = site.part.analysis.iterations[index].roles.order().collect();
    let row = |(at, case): (usize, &Case)| {
        let line = site.addresses.line(index, at);
        let mut runs: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, run) in case.runs.iter().enumerate() {
            runs.entry(&run.configuration).or_default().push(number);
        }
        let cell = |name: &&str| {
            let runs = runs.get(name).map(Vec::as_slice).unwrap_or_default();
            let mut tally = Tally::default();
            runs.iter().for_each(|number| tally.add(case.runs[*number].tally()));
            let run = |number: &usize| run_cell(site, path, [index, at, *number]);
            CaseCell { rate: Rate::of(tally, site.language), runs: Rows::of(runs.iter(), run) }
        };
        let here = order.iter().copied().filter(|name| runs.contains_key(name));
        CaseRow {
            link: Link { href: link(path, &site.addresses.case(line)), text: case.name.clone() },
            status: site.standings[index].of_line(line),
            configurations: here.collect::<Vec<_>>().join("\n"),
            cells: Rows::first(COLUMNS, order.iter(), cell),
        }
    };
    let most = Cells::default().rows(iteration.cases.len(), order.len());
    Rows::first(most, iteration.cases.iter().enumerate(), row)
}

fn run_cell(site: Site<'_>, path: &str, [index, at, number]: [usize; 3]) -> RunCell {
    let run = &site.part.workspace.iterations[index].cases[at].runs[number];
    let line = site.addresses.line(index, at);
    let reviews = &site.reviews[index];
    RunCell {
        link: Link {
            text: site.language.fill("run.short", &[("number", &run.number)]),
            ..site.run_link(path, index, line, run)
        },
        id: reviews.name_of(at, number),
        is_commented: reviews.on_run(at, number).next().is_some(),
        counts: Rate::of(run.tally(), site.language).counts,
    }
}
