//! In which runs of an iteration the skill was loaded.

use serde::Serialize;

use crate::analyze::Loads;
use crate::model::{Loading, LoadingState};
use crate::render::context::{Link, Rows, Site};
use crate::render::text::loading;

/// So many runs are named for each configuration.
const MOST_RUNS: usize = 12;

/// One configuration.
#[derive(Serialize)]
pub(super) struct Loaded {
    name: String,
    counts: String,
    remarks: Vec<String>,
    /// The runs that did not load it, or loaded it without doing anything.
    runs: Vec<(Link, String)>,
    more: usize,
}

/// The configurations of the iteration at `index` of which something is known.
pub(super) fn loaded(site: Site<'_>, index: usize, path: &str) -> Rows<Loaded> {
    let all = &site.part.analysis.iterations[index].configurations;
    let known: Vec<_> = all.iter().filter(|it| it.loads.known() > 0).collect();
    Rows::of(known.into_iter(), |it| configuration(site, index, path, (&it.name, &it.loads)))
}

fn configuration(
    site: Site<'_>,
    index: usize,
    path: &str,
    (name, loads): (&str, &Loads),
) -> Loaded {
    let iteration = &site.part.workspace.iterations[index];
    let is_told = |loading: &Loading| loading.state == LoadingState::NotLoaded || loading.idle;
    let cases = iteration.cases.iter().enumerate();
    let runs = cases.flat_map(|(at, case)| {
        let runs = case.runs_of(name).filter(|run| is_told(&run.loading));
        runs.map(move |run| (at, case, run))
    });
    let runs: Vec<_> = runs.collect();
    let link = |(at, case, run): &(usize, &crate::model::Case, &crate::model::Run)| {
        let link = site.run_link(path, index, site.addresses.line(index, *at), run);
        let text = format!("{}: {}", case.name, link.text);
        (Link { text, ..link }, loading::state(&run.loading, site.language))
    };
    let is_candidate = site.part.analysis.iterations[index]
        .roles
        .candidates
        .iter()
        .any(|candidate| candidate == name);
    let diluted = loading::diluted(loads, site.language).filter(|_| is_candidate);
    let remarks = loading::remarks(loads, site.language);
    Loaded {
        name: name.to_owned(),
        counts: loading::counts(loads, site.language).unwrap_or_default(),
        remarks: diluted.into_iter().chain(remarks).collect(),
        more: runs.len().saturating_sub(MOST_RUNS),
        runs: runs.iter().take(MOST_RUNS).map(link).collect(),
    }
}
