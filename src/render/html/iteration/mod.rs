//! One iteration: the benchmark table, all cases by configuration, and other recorded data.

pub(super) mod findings;
mod grading;
mod recorded;

use serde_json::{Value, json};

use crate::budget::DATA_COLUMNS;
use crate::render::context::{Frame, Link, Page, Rows};
use crate::render::html::comparisons;
use crate::render::html::feedback;
use crate::render::html::iteration::findings::{loaded, noted, repeats_view};
use crate::render::html::iteration::grading::{evidence, graded, repeated};
use crate::render::html::iteration::recorded::{benchmark, listed};
use crate::render::html::joined;
use crate::render::html::overview;
use crate::wording::configurations::ConfigurationRow;
use crate::wording::{configurations, recorded_results as left, reliability};

pub(super) fn view(page: &Page<'_>, index: usize) -> Value {
    let iteration = &page.part.workspace.iterations[index];
    let analysis = &page.part.analysis.iterations[index];

    let (comparison, comparisons) = overview::leading_comparison(page, index);
    let frame = page.frame(&iteration.name, Some(index));
    let rows = ConfigurationRow::all(analysis, page.language).into_iter();
    let recorded = iteration.benchmarks.iter().zip(&analysis.discrepancies);
    let files = ["benchmark.json", "benchmark.md", "brief.md"].map(|name| Link::new(name, name));
    let view = json!({
        "frame": Frame { comparisons, ..frame },
        "name": iteration.name,
        "left": left::sentence(iteration, page.language),
        "configurations": Rows::first(DATA_COLUMNS, rows, |row| row),
        "roles": configurations::roles(&analysis.roles, page.language),
        "repeated": repeated(page.context, index),
        "conventions": reliability::conventions(iteration, analysis, page.language),
        "graded": graded(page, index),
        "evidence": evidence(page, index),
        "loaded": loaded(page, index),
        "again": repeats_view(page, index),
        "notes": noted(page, index),
        "feedback": feedback::line(page, index),
        "comparisons": comparisons::lines(page, index),
        "benchmarks": recorded
            .map(|(recorded, found)| benchmark(page.context, analysis, (recorded, found)))
            .collect::<Vec<_>>(),
        "listed": listed(page.context, iteration),
        "files": files,
    });
    joined(view, comparison)
}
