//! All iterations side by side: levels, gains, costs, edits of the skill, and the recorded versions.

mod breaks;
mod charts;
mod costs;
mod heat;
mod models;
mod rows;
mod versions;

use crate::language::say;
use crate::render::context::{Link, Page, Rows, View, view};
pub(super) use crate::render::html::history::charts::{pass_rates, recorded_rates};
use crate::render::html::history::models::models;
use crate::render::html::history::rows::rows;
pub(super) use crate::render::html::history::versions::{recorded_chart, recorded_series};
use crate::render::html::history::versions::{recorded_scores, total, version_view};
use crate::render::html::triggers;
use crate::wording::{measured, outcomes};
use input::model::Version;

/// Whether a row links the edit of the skill before it.
fn has_edit(row: &View) -> bool {
    row.get_from_path("edit").is_some_and(|edit| !edit.is_none())
}

pub(super) fn view(page: &Page<'_>) -> View {
    let (language, part) = (page.language, page.part);
    let histories = &part.workspace.histories;
    let versions: Vec<&Version> = histories.iter().flat_map(|history| &history.versions).collect();
    let figures = [
        charts::scores(page),
        pass_rates(page),
        recorded_rates(page),
        recorded_scores(page.context, &versions),
    ];
    let rows = rows(page);
    view!({
        "trade": costs::costs(page),
        "heat": heat::heat(page),
        "frame": page.frame(language.text("page.history"), None),
        "title": say!(language, "history.of", skill = part.title()),
        "outcomes": part.outcomes().iter()
            .filter_map(|found| outcomes::sentence(part.facts(language), found))
            .collect::<Vec<_>>(),
        "triggers": (!part.workspace.trigger_rounds.is_empty()).then(|| {
            Link::new(page.to_file(triggers::FILE), language.text("triggers.title"))
        }),
        "shared": part.workspace.last_round().map(|index| {
            measured::shared_rounds(part.facts(language), index)
        }).unwrap_or_default(),
        "figures": figures.into_iter().flatten().collect::<Vec<_>>(),
        "models": models(page),
        "has_edits": rows.iter().any(has_edit),
        "rows": rows,
        "has_breaks": !part.analysis.breaks.is_empty(),
        "totals": histories.iter().map(|history| total(language, history)).collect::<Vec<_>>(),
        "versions": Rows::all(versions.into_iter(), |version| version_view(page, version)),
    })
}
