//! The comparisons of a round: its candidates, and what each is compared with.

use serde_json::{Value, json};

use crate::analyze::{Against, Change, CostKind};
use crate::budget::linked;
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Link, Page, PageLink, RenderContext, Rows};
use crate::render::html::comparison_links::{self, address, has_review_pages};
use crate::wording::costs;
use crate::wording::headline;

/// The candidates of an iteration, if several, against its baseline, else the previous iteration.
pub(super) fn candidates(page: &Page<'_>, iteration: usize) -> Rows<Value> {
    let analysis = page.part.analysis;
    let mut changes = Vec::new();
    for side in analysis.candidates_of(iteration) {
        let against_baseline = analysis.change(&side, Against::Baseline);
        changes.extend(against_baseline.or_else(|| analysis.change(&side, Against::Previous)));
    }
    if changes.len() < 2 || changes.iter().all(|change| change.gain.paired().is_none()) {
        return Rows::default();
    }
    Rows::all(changes.into_iter(), |change| candidate_row(page, change))
}

fn candidate_row(page: &Page<'_>, change: &Change) -> Value {
    let verdict = change.gain.verdict();
    let to = page.link(&address(page.context, change));
    json!({
        "link": Link::new(to, candidate_vs_other(page.context, change)),
        "sign": headline::sign(&change.gain),
        "tone": comparison_links::tone(verdict).class(),
        "gain": headline::cell(&change.gain, page.language).unwrap_or_else(|| DASH.to_owned()),
        "passed": Rate::counts_of_both(change.gain.before, change.gain.after),
        "time": ratio(change, CostKind::Time, page.language),
        "tokens": ratio(change, CostKind::Tokens, page.language),
    })
}

fn ratio(change: &Change, kind: CostKind, language: &Language) -> String {
    costs::ratio(kind.of(&change.costs), kind, language).unwrap_or_else(|| DASH.to_owned())
}

/// The comparisons of an iteration to choose from, on the page of `current`.
pub(super) fn choices(page: &Page<'_>, current: Option<&Change>) -> Vec<PageLink> {
    let Some(current) = current else { return Vec::new() };
    let changes = page.part.analysis.changes_in(current.after.iteration);
    let changes: Vec<&Change> = changes.filter(|change| has_review_pages(change)).collect();
    let has_candidates = changes.iter().any(|change| change.after != current.after);
    let conditions = page.part.analysis.by_condition(page.part.workspace, &current.after);
    // A model is no other side.
    let is_named_alone = conditions.is_empty() && !has_candidates;
    let vs = if is_named_alone { page.language.text("page.vs") } else { "" };
    let at = changes.iter().position(|change| *change == current).unwrap_or(0);
    let mut choices = Vec::new();
    for &change in &changes[linked(at, changes.len())] {
        // Sides under the same harness and model are called by that alone, which fits into the bar.
        let condition = conditions.iter().find(|(_, known)| known.sides() == change.sides());
        choices.push(PageLink {
            href: page.link(&address(page.context, change)),
            text: match condition {
                Some((name, _)) => (*name).to_owned(),
                None if has_candidates => candidate_vs_other(page.context, change),
                None => {
                    let other = comparison_links::other_name(page.context, change);
                    if conditions.is_empty() {
                        other
                    } else {
                        say!(page.language, "page.vs_other", other)
                    }
                }
            },
            note: vs.to_owned(),
            is_current: change == current,
        });
    }
    choices
}

fn candidate_vs_other(context: RenderContext<'_>, change: &Change) -> String {
    let candidate = &change.after.configuration;
    let other = comparison_links::other_name(context, change);
    say!(context.language, "page.candidate_vs", candidate, other)
}
