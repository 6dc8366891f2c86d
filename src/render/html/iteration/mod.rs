//! One iteration: the benchmark table, all cases by configuration, and other recorded data.

mod benchmarks;
mod grading;

pub(in crate::render::html) use crate::render::html::iteration::grading::answers_of_graders;

use crate::analyze::ConfigurationSummary;
use crate::budget::{DATA_COLUMNS, SHORT_LIST};
use crate::language::say;
use crate::render::context::{Link, Page, Rows, View, view};
use crate::render::html::comparisons;
use crate::render::html::feedback;
use crate::render::html::iteration::benchmarks::{benchmark_view, listed_runs};
use crate::render::html::iteration::grading::{evidence, graders, repeated};
use crate::render::html::overview::{self, Leading};
use crate::wording::configurations::ConfigurationRow;
use crate::wording::{configurations, loading, news, recorded_results, reliability};
use input::model::LoadingState;

pub(super) fn view(page: &Page<'_>, index: usize) -> View {
    let iteration = &page.part.workspace.iterations[index];
    let analysis = &page.part.analysis.iterations[index];
    let mut leading = Leading::default();
    let mut summary = None;
    if page.context.is_on_first_page(index) {
        leading.choices = overview::choices_in(page, index);
        summary = overview::first_page_link(page);
    } else {
        leading = overview::leading_comparison(page, index);
    }
    let shown = leading.comparison["answer"]["sentence"].as_str().unwrap_or_default();
    let notes = news::listed(&page.part.comparisons, index, shown, page.language);
    let rows = ConfigurationRow::all(analysis, page.language).into_iter();
    let mut benchmarks = Vec::new();
    for (recorded, discrepancies) in iteration.benchmarks.iter().zip(&analysis.discrepancies) {
        benchmarks.push(benchmark_view(page.language, analysis, recorded, discrepancies));
    }
    let files = ["benchmark.json", "benchmark.md", "brief.md"].map(|name| Link::new(name, name));
    view!({
        "frame": page.frame(&iteration.name, Some(index)).with_comparisons(leading.choices),
        "comparison": leading.comparison,
        "summary": summary,
        "name": iteration.name,
        "recorded": recorded_results::sentence(iteration, page.language),
        "configurations": Rows::first(DATA_COLUMNS, rows, |row| row),
        "roles": configurations::roles(&analysis.roles, page.language),
        "repeated": repeated(page.context, index),
        "conventions": reliability::conventions(iteration, analysis, page.language),
        "graders": graders(page, index),
        "evidence": evidence(page, index),
        "loaded": loaded(page, index),
        "notes": notes,
        "feedback": feedback::comments_link(page, index),
        "blind": comparisons::results(page, index),
        "benchmarks": benchmarks,
        "listed": listed_runs(page.language, iteration),
        "files": files,
    })
}

/// Whether the runs of each configuration loaded the skill, if that is known of any.
fn loaded(page: &Page<'_>, index: usize) -> Vec<View> {
    let analysis = &page.part.analysis.iterations[index];
    let known = analysis.configurations.iter().filter(|summary| summary.loads.known() > 0);
    known.map(|summary| loaded_by(page, index, summary)).collect()
}

fn loaded_by(page: &Page<'_>, index: usize, summary: &ConfigurationSummary) -> View {
    let mut remarks = Vec::new();
    let candidates = &page.part.analysis.iterations[index].roles.candidates;
    // A side without the skill is not expected to load it.
    if candidates.contains(&summary.name) {
        remarks.extend(loading::diluted(&summary.loads, page.language));
    }
    remarks.extend(loading::remarks(&summary.loads, page.language));

    let mut runs = Vec::new();
    for (at, case) in page.part.workspace.iterations[index].cases.iter().enumerate() {
        for (number, run) in case.runs.iter().enumerate() {
            let is_idle = run.loading.state == LoadingState::NotLoaded || run.loading.idle;
            if is_idle && run.configuration == summary.name {
                let state = loading::state(&run.loading, page.language);
                runs.push((page.run_of_case(index, at, number), state));
            }
        }
    }
    let more = runs.len().saturating_sub(SHORT_LIST);
    runs.truncate(SHORT_LIST);
    let counts = loading::counts(&summary.loads, page.language);
    view!({
        "name": summary.name,
        "counts": counts.map(|word| say!(page.language, "verdict.headline_alone", word)),
        "remarks": page.language.sentences(remarks),
        "more": more,
        "runs": runs,
    })
}
