//! The review page of a case: two runs with their outputs side by side, failed checks first, and a
//! form for a comment.

mod checks;
pub(super) mod head;
mod outputs;
mod page;
mod rest;

pub(super) use crate::render::html::review::page::RunPages;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::analyze::{Against, Change, Side};
use crate::model::Run;
use crate::preview::Preview;
use crate::render::context::{
    Frame, Page, PageLink, Part, RenderContext, Task, assets::literal, link,
};
use crate::render::html::feedback;
use crate::render::html::review::checks::checks;
use crate::render::html::review::outputs::FileView;
use crate::render::html::review::page::{ReviewPage, pages_of_comparison, pages_of_pair};
use crate::render::html::review::rest::rest;

/// Upper limits for the number of review pages: of newest iterations, and others.
pub(crate) fn count(parts: &[Part<'_>]) -> [usize; 2] {
    let mut counts = [0, 0];
    for Part { workspace, analysis, .. } in parts {
        let newest = analysis.newest_run();
        for (line, pairs) in analysis.cases.iter().zip(&analysis.pairs) {
            for side in pairs.pairs.iter().map(|pair| &pair.after) {
                if Some(side.iteration) == newest {
                    counts[0] += line.runs(workspace, side).count()
                } else {
                    counts[1] += 1
                }
            }
        }
    }
    counts
}

/// The comparisons with review pages.
pub(super) const REVIEWED_AGAINST: [Against; 3] =
    [Against::Baseline, Against::Previous, Against::Pinned];

pub(super) fn order_script(context: RenderContext<'_>, change: &Change) -> Option<String> {
    let against = REVIEWED_AGAINST.into_iter().find(|against| change.against.contains(against))?;
    Some(context.addresses.review_order(&change.after, against))
}

/// Links to the same case and candidate against other sides.
fn comparisons(review: &ReviewPage<'_>, page: &Page<'_>) -> Vec<PageLink> {
    let pairs = &review.context.part.analysis.pairs[review.line];
    let Side { iteration, configuration } = &review.pair.after;
    let mut links: Vec<PageLink> = Vec::new();
    for choice in pairs.for_side(*iteration, configuration) {
        let pair = &pairs.pairs[choice.pair];
        let pages = pages_of_pair(review.context, review.line, choice.pair);
        let Some(first) = pages.first() else { continue };
        let [_, text] = first.names();
        let href = page.link(&first.path());
        if pair.after == review.pair.after && links.iter().all(|known| known.text != text) {
            let is_current = pair == review.pair;
            links.push(PageLink { href, text, is_current, ..PageLink::default() });
        }
    }
    links
}

/// A side, and what it is compared with.
type ComparedWith<'a> = (&'a Side, Against);

/// Adds the review pages, and the scripts with their order.
pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    // The cases of each comparison in reading order, which is that of the overview.
    let mut sequences: BTreeMap<ComparedWith<'a>, Vec<usize>> = BTreeMap::new();
    for line in &context.shared.order {
        for choice in &context.part.analysis.pairs[*line].choices {
            sequences.entry((&choice.side, choice.against)).or_default().push(*line);
        }
    }
    let mut scripts: BTreeMap<ComparedWith<'a>, Arc<[usize]>> = BTreeMap::new();
    for (line, pairs) in context.part.analysis.pairs.iter().enumerate() {
        for review in (0..pairs.pairs.len()).flat_map(|pair| pages_of_pair(context, line, pair)) {
            let Some(comparison) = review.comparison() else { continue };
            let Some(lines) = sequences.get(&comparison) else { continue };
            let lines = scripts.entry(comparison).or_insert_with(|| lines.as_slice().into());
            let lines = Arc::clone(lines);
            let view = move |page: &Page<'_>| view(page, review, comparison, &lines);
            tasks.push(context.page("review.html", review.path(), view));
        }
    }
    for (comparison @ (side, against), lines) in scripts {
        let path = context.addresses.review_order(side, against);
        tasks.push(Task::infallible(path, move || script(context, &lines, comparison)));
    }
}

/// `[[page, [iteration, run, is commented], [iteration, run, is commented]], …]`, with addresses
/// relative to the overview, in reading order.
fn script(context: RenderContext<'_>, lines: &[usize], comparison: ComparedWith<'_>) -> String {
    let reviews_in_order =
        lines.iter().flat_map(|line| pages_of_comparison(context, *line, comparison));
    let run = |review: &ReviewPage<'_>, side: &Side, run: &Run| {
        let (at, number) = review.index(side, run)?;
        let reviews = &context.shared.reviews[side.iteration];
        let iteration = &context.part.workspace.iterations[side.iteration].name;
        let is_commented = reviews.on_run(at, number).next().is_some();
        Some(json!([iteration, reviews.run_name(at, number), is_commented]))
    };
    let entry = |review: ReviewPage<'_>| {
        let page = link(&context.addresses.report_file("index.html"), &review.path());
        let runs = review.sides().into_iter().filter_map(|(side, shown)| run(&review, side, shown));
        Value::Array([json!(page)].into_iter().chain(runs).collect())
    };
    let entries: Vec<Value> = reviews_in_order.map(entry).collect();
    format!("window.evalbook.reviewOrder({});\n", literal(&Value::Array(entries)))
}

fn view(
    page: &Page<'_>,
    review: ReviewPage<'_>,
    comparison: ComparedWith<'_>,
    lines: &[usize],
) -> Value {
    let context = review.context;
    let names = review.names();
    // The pages of its own case and of the cases before and after it in `lines`.
    let at = lines.iter().position(|line| *line == review.line).unwrap_or(0);
    let near = lines.iter().skip(at.saturating_sub(1)).take(if at == 0 { 2 } else { 3 });
    let sequence: Vec<ReviewPage<'_>> =
        near.flat_map(|line| pages_of_comparison(context, *line, comparison)).collect();
    let at = sequence.iter().position(|sequence| sequence.path() == page.path);
    let to = |at: Option<usize>| at.and_then(|at| sequence.get(at)).map(|to| page.link(&to.path()));
    let after = to(at.map(|at| at + 1));
    let (files, more) = outputs::files(&review, page, &names);
    let any =
        |predicate: fn(&Preview) -> bool| files.iter().flat_map(FileView::previews).any(predicate);
    let has_document = any(|output| output.is_document);
    let has_frame = any(|output| output.has_frame);
    let title = context.language.fill(
        "review.title",
        &[
            ("case", &review.case().name),
            ("run", &review.runs.after.number),
            ("a", &names[0]),
            ("b", &names[1]),
        ],
    );
    let frame = page.frame(&title, Some(review.pair.after.iteration));
    let comparisons = comparisons(&review, page);
    json!({
        "frame": Frame { has_document, has_frame, comparisons, ..frame },
        "files": files,
        "head": head::head(&review, lines),
        "sides": head::sides(&review, page, &names),
        "more_files": context.language.counts([(more, "file_unlisted")]),
        "checks": checks(&review, &names),
        "rest": rest(&review, page, &names),
        "order": page.link(&context.addresses.review_order(comparison.0, comparison.1)),
        "before": to(at.and_then(|at| at.checked_sub(1))),
        "is_last": after.is_none(),
        "after": after.unwrap_or_else(|| feedback::href(page, review.pair.after.iteration)),
    })
}
