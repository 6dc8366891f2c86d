//! Whether the runs of an iteration loaded the skill.

use crate::analyze::ConfigurationSummary;
use crate::budget::SHORT_LIST;
use crate::language::say;
use crate::render::context::{Page, View, view};
use crate::wording::loading;
use input::model::LoadingState;

/// Whether the runs of each configuration loaded the skill, if that is known of any.
pub(super) fn loaded(page: &Page<'_>, index: usize) -> Vec<View> {
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
