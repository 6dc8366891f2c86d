//! The part below the outputs: costs, claims, notes, comments.

use crate::language::{DASH, say};
use crate::render::context::{
    Link, Page, Rows, View, view,
    view::{claims, figures, notes},
};
use crate::render::html::feedback::{self, comment, comments_on};
use crate::render::html::files::user_notes;
use crate::render::html::review::page::ReviewPage;

pub(super) fn rest(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2]) -> View {
    let language = page.language;
    let costs = costs(review);
    let shown = review.shown_sides().iter();
    let sides: Vec<View> = shown.map(|&at| side_view(review, at, &names[at])).collect();
    let mut costs_short = Vec::new();
    for [name, a, b] in &costs {
        if ["cost.time", "cost.tokens"].iter().any(|key| language.text(key) == name) {
            let both = say!(language, "review.versus", a = b, b = a);
            costs_short.push(if review.is_alone() { a.clone() } else { both });
        }
    }
    let case = &review.context.part.analysis.cases[review.case_index];
    let is_first = case.before(review.pair.after.iteration).is_none();
    view!({
        "costs_short": language.list(costs_short),
        "costs": costs,
        "transcripts": transcripts(review, page, names),
        "is_first": is_first,
        "earlier": feedback::earlier(page, review.case_index, review.pair.after.iteration),
        "has_claims": has(&sides, &["claims"]),
        "has_notes": has(&sides, &["notes", "user_notes"]),
        "has_comments": has(&sides, &["comments"]),
        "sides": sides,
    })
}

/// Whether any side has an entry in one of these lists.
fn has(sides: &[View], lists: &[&str]) -> bool {
    let mut found = sides.iter().flat_map(|side| lists.iter().map(|list| side.get_from_path(list)));
    found.any(|list| list.and_then(View::as_array).is_none_or(|list| !list.is_empty()))
}

/// The recorded figures of either run: name, newer side, other side.
fn costs(review: &ReviewPage<'_>) -> Vec<[String; 3]> {
    let context = review.context;
    let [ours, theirs] = review
        .sides()
        .map(|(_, run)| figures(&run.metrics, context.part.settings, context.language));
    let mut costs = Vec::new();
    for [name, own] in &ours {
        let other = theirs.iter().find(|[other, _]| other == name);
        let other = other.map_or(DASH, |[_, value]| value);
        costs.push([name.clone(), own.clone(), other.to_owned()]);
    }
    for [name, other] in &theirs {
        if ours.iter().all(|[known, _]| known != name) {
            costs.push([name.clone(), DASH.to_owned(), other.clone()]);
        }
    }
    costs
}

fn transcripts(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2]) -> Vec<Link> {
    let mut links = Vec::new();
    for &at in review.shown_sides() {
        let (name, (side, run)) = (&names[at], review.sides()[at]);
        if run.transcript.is_some() {
            let run_page = page.to_run(side.iteration, review.case_index, run);
            let number = say!(page.language, "diff.run", number = run.number);
            let text = page.language.apart([name, &number]);
            links.push(Link::new(format!("{run_page}#transcript"), text));
        }
    }
    links
}

fn side_view(review: &ReviewPage<'_>, at: usize, name: &str) -> View {
    let context = review.context;
    let (side, run) = review.sides()[at];
    let claims = run.grading().map(|grading| claims(grading, context.language));
    view!({
        "name": name,
        "run_id": review.run_id(side, run),
        "notes": notes(&run.notes, context.language),
        "user_notes": user_notes(context, run).0,
        "claims": claims.unwrap_or_default(),
        "comments": comments(review, at),
    })
}

fn comments(review: &ReviewPage<'_>, at: usize) -> Rows<View> {
    let (side, run) = review.sides()[at];
    let Some((case, run)) = review.index(side, run) else { return Rows::default() };
    // A comment on the whole case is shown once.
    if at == 1 && review.pair.before.is_within_iteration(&review.pair.after) {
        let reviews = &review.context.shared.reviews[side.iteration];
        return reviews.on_run(case, run).map(comment).collect();
    }
    comments_on(review.context, side.iteration, case, run)
}
