//! The review page of a case: two runs with their outputs side by side, failed checks first, and a
//! form for a comment.

mod checks;
pub(super) mod head;
mod outputs;
mod page;
mod rest;

pub(super) use crate::render::html::review::page::{RunPages, shown_outcomes};

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::analyze::{Against, Side};
use crate::budget::linked;
use crate::language::say;
use crate::preview::Preview;
use crate::render::context::{
    Frame, Page, PageLink, Part, RenderContext, Task, View, assets::literal, link, view,
};
use crate::render::html::feedback;
use crate::render::html::review::checks::checks;
use crate::render::html::review::outputs::{FileView, ReviewFiles};
use crate::render::html::review::page::{
    ComparedWith, ReviewPage, pages_of_comparison, pages_of_pair,
};
use crate::render::html::review::rest::rest;
use input::model::Run;

/// Upper limits for the number of review pages: of newest iterations, and others.
pub(crate) fn count(parts: &[Part<'_>]) -> [usize; 2] {
    let (mut newest_pages, mut other_pages) = (0, 0);
    for Part { workspace, analysis, .. } in parts {
        let newest = analysis.newest_run();
        for (history, pairs) in analysis.cases.iter().zip(&analysis.pairs) {
            for side in pairs.pairs.iter().map(|pair| &pair.after) {
                if Some(side.iteration) == newest {
                    newest_pages += history.runs(workspace, side).count();
                } else {
                    other_pages += 1;
                }
            }
        }
    }
    [newest_pages, other_pages]
}

/// The comparisons with review pages.
pub(super) const REVIEWED_AGAINST: [Against; 5] =
    [Against::Baseline, Against::OtherBaseline, Against::Previous, Against::Pinned, Against::Peer];

/// The case and address of each page of the newest comparison, in reading order; of the side that the
/// first page is about where nothing is compared.
pub(crate) fn newest_pages(context: RenderContext<'_>) -> Vec<(String, String)> {
    let analysis = context.part.analysis;
    let Some(side) = analysis.shown_side() else { return Vec::new() };
    let lead = analysis.lead(&side);
    let mut found = Vec::new();
    for &case_index in &context.shared.order {
        let Some(choice) = context.reviewed_choice(case_index, &side, lead) else { continue };
        for review in pages_of_pair(context, case_index, choice.pair) {
            found.push((review.case().name.clone(), review.path()));
        }
    }
    found
}

/// Links to the same case and candidate against other sides.
fn comparisons(review: &ReviewPage<'_>, page: &Page<'_>) -> Vec<PageLink> {
    let pairs = &review.context.part.analysis.pairs[review.case_index];
    let Side { iteration, configuration } = &review.pair.after;
    let mut links: Vec<PageLink> = Vec::new();
    if review.is_alone() {
        return links;
    }
    let mut shown: Vec<usize> = Vec::new();
    for choice in pairs.for_side(*iteration, configuration) {
        // The baseline may be the pinned side as well.
        let is_of_side = pairs.pairs[choice.pair].after == review.pair.after;
        if is_of_side && !shown.contains(&choice.pair) {
            shown.push(choice.pair);
        }
    }
    let at = shown.iter().position(|pair| *pair == review.pair_index).unwrap_or(0);
    for &pair in &shown[linked(at, shown.len())] {
        let Some(first) = pages_of_pair(review.context, review.case_index, pair).next() else {
            continue;
        };
        let [_, text] = first.names();
        let (href, is_current) = (page.link(&first.path()), pair == review.pair_index);
        let note = page.language.text("page.vs").to_owned();
        links.push(PageLink { href, text, note, is_current });
    }
    links
}

/// Adds the review pages, and the scripts with their order.
pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    // The cases of each comparison in reading order, which is that of the overview.
    let mut sequences: BTreeMap<ComparedWith<'a>, Vec<usize>> = BTreeMap::new();
    for case_index in &context.shared.order {
        for choice in &context.part.analysis.pairs[*case_index].choices {
            let comparison = ComparedWith { side: &choice.side, against: choice.against };
            sequences.entry(comparison).or_default().push(*case_index);
        }
    }
    let mut scripts: BTreeMap<ComparedWith<'a>, Arc<[usize]>> = BTreeMap::new();
    for (case_index, pairs) in context.part.analysis.pairs.iter().enumerate() {
        for review in
            (0..pairs.pairs.len()).flat_map(|pair| pages_of_pair(context, case_index, pair))
        {
            let Some(comparison) = review.comparison() else { continue };
            let Some(lines) = sequences.get(&comparison) else { continue };
            let lines = scripts.entry(comparison).or_insert_with(|| lines.as_slice().into());
            let lines = Arc::clone(lines);
            let view = move |page: &Page<'_>| view(page, review, comparison, &lines);
            tasks.push(context.page("review.html", review.path(), view));
        }
    }
    for (comparison, lines) in scripts {
        let path = context.addresses.review_order(comparison.side, comparison.against);
        tasks.push(Task::infallible(path, move || script(context, &lines, comparison)));
    }
}

/// `[[page, [iteration, run, is commented], [iteration, run, is commented]], …]`, with addresses
/// relative to the overview, in reading order; one run each where there is no other side.
fn script(context: RenderContext<'_>, lines: &[usize], comparison: ComparedWith<'_>) -> String {
    let overview = context.addresses.report_file("index.html");
    let mut entries = Vec::new();
    for case_index in lines {
        for review in pages_of_comparison(context, *case_index, comparison) {
            let mut entry = vec![json!(link(&overview, &review.path()))];
            for (side, run) in review.sides().into_iter().take(review.shown_sides().len()) {
                entry.extend(reviewed_run(&review, side, run));
            }
            entries.push(Value::Array(entry));
        }
    }
    format!("window.evalbook.reviewOrder({});\n", literal(&Value::Array(entries)))
}

fn reviewed_run(review: &ReviewPage<'_>, side: &Side, run: &Run) -> Option<Value> {
    let (case, run) = review.index(side, run)?;
    let reviews = &review.context.shared.reviews[side.iteration];
    let iteration = &review.context.part.workspace.iterations[side.iteration].name;
    let is_commented = reviews.on_run(case, run).next().is_some();
    Some(json!([iteration, reviews.run_name(case, run), is_commented]))
}

fn view(
    page: &Page<'_>,
    review: ReviewPage<'_>,
    comparison: ComparedWith<'_>,
    lines: &[usize],
) -> View {
    let context = review.context;
    let names = review.names();
    let frame = page.frame(&title(&review, &names), Some(review.pair.after.iteration));
    let ReviewFiles { files, equal, more, marks } = outputs::files(&review, page, &names);
    let previews = || files.iter().chain(&equal).flat_map(FileView::previews);
    let has_document = previews().any(|preview: &Preview| preview.is_document);
    let has_frame = previews().any(|preview| preview.has_frame);
    let comparisons = comparisons(&review, page);
    let Neighbors { before, after } = neighbors(page, &review, comparison, lines);
    view!({
        "frame": Frame { has_document, has_frame, ..frame.with_comparisons(comparisons) },
        "is_alone": review.is_alone(),
        "is_peer": head::is_between_peers(&review),
        "has_earlier_side": head::has_earlier_side(&review),
        "has_marks": files.iter().any(FileView::has_marks),
        "has_changes": files.iter().any(FileView::has_lines),
        "equal_names": context.language.list(equal.iter().map(FileView::name)),
        "equal_title": context.language.count(equal.len(), "file_equal"),
        "files": files,
        "equal": equal,
        "head": head::head(&review, lines),
        "pair": head::shown_pair(&review, page),
        "sides": head::sides(&review, page, &names),
        "more_files": context.language.counts([(more, "file_unlisted")]),
        "checks": checks(&review, &names, &marks),
        "rest": rest(&review, page, &names),
        "order": page.link(&context.addresses.review_order(comparison.side, comparison.against)),
        "before": before,
        "is_last": after.is_none(),
        // After the last pair, what was written about all of them.
        "after": after.unwrap_or_else(|| feedback::href(page, review.pair.after.iteration)),
    })
}

fn title(review: &ReviewPage<'_>, names: &[String; 2]) -> String {
    let (case, run) = (&review.case().name, review.runs.after.number);
    let [a, b] = names;
    let key = if review.is_alone() { "review.title_alone" } else { "review.title" };
    say!(review.context.language, key, case, run, a, b)
}

/// The review pages before and after a page, in reading order.
struct Neighbors {
    before: Option<String>,
    after: Option<String>,
}

fn neighbors(
    page: &Page<'_>,
    review: &ReviewPage<'_>,
    comparison: ComparedWith<'_>,
    lines: &[usize],
) -> Neighbors {
    // The pages of its own case and of the cases around it are enough to know both.
    let at = lines.iter().position(|case_index| *case_index == review.case_index).unwrap_or(0);
    let nearby = &lines[at.saturating_sub(1)..lines.len().min(at + 2)];
    let mut pages = nearby
        .iter()
        .flat_map(|case_index| pages_of_comparison(review.context, *case_index, comparison));
    let mut before = None;
    while let Some(other) = pages.next() {
        if other.is_same(review) {
            let [before, after] = [before, pages.next()]
                .map(|next| next.map(|next: ReviewPage<'_>| page.link(&next.path())));
            return Neighbors { before, after };
        }
        before = Some(other);
    }
    Neighbors { before: None, after: None }
}
