//! One iteration: the benchmark table, every case by configuration, what was recorded beside it.

pub(super) mod found;
mod grading;
mod recorded;

use serde::Serialize;

use crate::render::context::{
    Frame, Link, Rows, Site,
    bounds::COLUMNS,
    view::{self, ConfigurationRow},
};

use crate::render::html::comparisons;
use crate::render::html::feedback;
use crate::render::html::iteration::found::{AgainView, Loaded, Noted, again, loaded, noted};
use crate::render::html::iteration::grading::{
    EvidenceView, Graded, Repeated, evidence, graded, repeated,
};
use crate::render::html::iteration::recorded::{BenchmarkView, ListedRuns, benchmark, listed};
use crate::render::html::overview::{self, Comparison, configuration_rows};
use crate::render::text::recorded as left;
use crate::render::text::statistics;

#[derive(Serialize)]
pub(super) struct IterationView {
    frame: Frame,
    #[serde(flatten)]
    comparison: Comparison,
    name: String,
    left: Option<String>,
    configurations: Rows<ConfigurationRow>,
    roles: String,
    repeated: Vec<Repeated>,
    conventions: Vec<String>,
    graded: Vec<Graded>,
    evidence: EvidenceView,
    loaded: Rows<Loaded>,
    again: AgainView,
    notes: Vec<Noted>,
    feedback: Option<Link>,
    comparisons: Rows<comparisons::Line>,
    benchmarks: Vec<BenchmarkView>,
    listed: Vec<ListedRuns>,
    files: Vec<Link>,
}

pub(super) fn view(site: Site<'_>, index: usize, path: &str) -> IterationView {
    let iteration = &site.part.workspace.iterations[index];
    let analysis = &site.part.analysis.iterations[index];

    let (comparison, comparisons) = overview::leading_comparison(site, path, index);
    let frame = site.frame(path, &iteration.name, Some(index));
    let rows = configuration_rows(analysis, site.language).into_iter();
    let recorded = iteration.benchmarks.iter().zip(&analysis.discrepancies);
    IterationView {
        frame: Frame { comparisons, ..frame },
        comparison,
        name: iteration.name.clone(),
        left: left::sentence(iteration, site.language),
        configurations: Rows::first(COLUMNS, rows, |row| row),
        roles: view::roles(&analysis.roles, site.language),
        repeated: repeated(site, index),
        conventions: statistics::conventions(iteration, analysis, site.language),
        graded: graded(site, index, path),
        evidence: evidence(site, index, path),
        loaded: loaded(site, index, path),
        again: again(site, index, path),
        notes: noted(site, index, path),
        feedback: feedback::line(site, path, index),
        comparisons: comparisons::lines(site, path, index),
        benchmarks: recorded
            .map(|(recorded, found)| benchmark(site, analysis, (recorded, found)))
            .collect(),
        listed: listed(site, iteration),
        files: ["benchmark.json", "benchmark.md", "brief.md"]
            .map(|name| Link::new(name, name))
            .into(),
    }
}
