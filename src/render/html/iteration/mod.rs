//! One iteration: the benchmark table, every case by configuration, what was recorded beside it.

pub(super) mod found;
mod grading;
mod recorded;

use serde_json::{Value, json};

use crate::render::context::{
    Frame, Link, Rows, Site,
    bounds::COLUMNS,
    view::{self},
};

use crate::render::html::comparisons;
use crate::render::html::feedback;
use crate::render::html::iteration::found::{again, loaded, noted};
use crate::render::html::iteration::grading::{evidence, graded, repeated};
use crate::render::html::iteration::recorded::{benchmark, listed};
use crate::render::html::joined;
use crate::render::html::overview::{self, configuration_rows};
use crate::render::text::recorded as left;
use crate::render::text::statistics;

pub(super) fn view(site: Site<'_>, index: usize, path: &str) -> Value {
    let iteration = &site.part.workspace.iterations[index];
    let analysis = &site.part.analysis.iterations[index];

    let (comparison, comparisons) = overview::leading_comparison(site, path, index);
    let frame = site.frame(path, &iteration.name, Some(index));
    let rows = configuration_rows(analysis, site.language).into_iter();
    let recorded = iteration.benchmarks.iter().zip(&analysis.discrepancies);
    let files = ["benchmark.json", "benchmark.md", "brief.md"].map(|name| Link::new(name, name));
    let page = json!({
        "frame": Frame { comparisons, ..frame },
        "name": iteration.name,
        "left": left::sentence(iteration, site.language),
        "configurations": Rows::first(COLUMNS, rows, |row| row),
        "roles": view::roles(&analysis.roles, site.language),
        "repeated": repeated(site, index),
        "conventions": statistics::conventions(iteration, analysis, site.language),
        "graded": graded(site, index, path),
        "evidence": evidence(site, index, path),
        "loaded": loaded(site, index, path),
        "again": again(site, index, path),
        "notes": noted(site, index, path),
        "feedback": feedback::line(site, path, index),
        "comparisons": comparisons::lines(site, path, index),
        "benchmarks": recorded
            .map(|(recorded, found)| benchmark(site, analysis, (recorded, found)))
            .collect::<Vec<_>>(),
        "listed": listed(site, iteration),
        "files": files,
    });
    joined(page, comparison)
}
