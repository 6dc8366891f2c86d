//! The review page of a case: two runs with their outputs side by side, the checks that failed
//! first, and room for a comment.

mod checks;
pub(super) mod head;
mod outputs;
mod place;
mod rest;

pub(super) use crate::render::html::review::place::RunPages;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::analyze::{Against, Change, Side};
use crate::model::Run;
use crate::preview::Preview;
use crate::render::context::{Frame, Page, PageLink, Part, Site, Task, assets::literal, link};
use crate::render::html::feedback;
use crate::render::html::review::checks::checks;
use crate::render::html::review::outputs::FileView;
use crate::render::html::review::place::{ReviewPlace, of_comparison, places};
use crate::render::html::review::rest::rest;

/// At most how many review pages a report of `parts` has: those of newest iterations, and the others.
pub(crate) fn count(parts: &[Part<'_>]) -> [usize; 2] {
    let mut counts = [0, 0];
    for Part { workspace, analysis, .. } in parts {
        let newest = analysis.newest_run();
        for (line, pairs) in analysis.lines.iter().zip(&analysis.pairs) {
            for side in pairs.pairs.iter().map(|pair| &pair.after) {
                match Some(side.iteration) == newest {
                    true => counts[0] += line.runs(workspace, side).count(),
                    false => counts[1] += 1,
                }
            }
        }
    }
    counts
}

/// What a side is compared with on review pages.
pub(super) const ASKED: [Against; 3] = [Against::Baseline, Against::Previous, Against::Pinned];

pub(super) fn order_of(site: Site<'_>, change: &Change) -> Option<String> {
    let against = ASKED.into_iter().find(|against| change.against.contains(against))?;
    Some(site.addresses.review_order(&change.after, against))
}

/// The same case and candidate against other sides.
fn comparisons(place: &ReviewPlace<'_>, page: &Page<'_>) -> Vec<PageLink> {
    let pairs = &place.site.part.analysis.pairs[place.line];
    let Side { iteration, configuration } = &place.pair.after;
    let mut found: Vec<PageLink> = Vec::new();
    for choice in pairs.for_side(*iteration, configuration) {
        let pair = &pairs.pairs[choice.pair];
        let places = places(place.site, place.line, choice.pair);
        let Some(first) = places.first() else { continue };
        let [_, text] = first.names();
        let href = page.link(&first.path());
        if pair.after == place.pair.after && found.iter().all(|known| known.text != text) {
            let is_current = pair == place.pair;
            found.push(PageLink { href, text, is_current, ..PageLink::default() });
        }
    }
    found
}

/// A side, and with what it is compared.
type ComparedWith<'a> = (&'a Side, Against);

/// Adds the review pages, and the scripts that know the way from one to the next.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    // The cases of each comparison in the order they are read in, which is that of the overview.
    let mut sequences: BTreeMap<ComparedWith<'a>, Vec<usize>> = BTreeMap::new();
    for line in &site.facts.order {
        for choice in &site.part.analysis.pairs[*line].choices {
            sequences.entry((&choice.side, choice.against)).or_default().push(*line);
        }
    }
    let mut scripts: BTreeMap<ComparedWith<'a>, Arc<[usize]>> = BTreeMap::new();
    for (line, pairs) in site.part.analysis.pairs.iter().enumerate() {
        for place in (0..pairs.pairs.len()).flat_map(|pair| places(site, line, pair)) {
            let Some(comparison) = place.comparison() else { continue };
            let Some(lines) = sequences.get(&comparison) else { continue };
            let lines = scripts.entry(comparison).or_insert_with(|| lines.as_slice().into());
            let lines = Arc::clone(lines);
            let view = move |page: &Page<'_>| view(page, place, comparison, &lines);
            tasks.push(site.page("review.html", place.path(), view));
        }
    }
    for (comparison @ (side, against), lines) in scripts {
        let path = site.addresses.review_order(side, against);
        tasks.push(Task::of(path, move || script(site, &lines, comparison)));
    }
}

/// `[[page, [iteration, run, is commented], [iteration, run, is commented]], …]`, pages as seen from
/// the overview, in the order they are read in.
fn script(site: Site<'_>, lines: &[usize], comparison: ComparedWith<'_>) -> String {
    let places = lines.iter().flat_map(|line| of_comparison(site, *line, comparison));
    let run = |place: &ReviewPlace<'_>, side: &Side, run: &Run| {
        let (at, number) = place.index(side, run)?;
        let reviews = &site.facts.reviews[side.iteration];
        let iteration = &site.part.workspace.iterations[side.iteration].name;
        let is_commented = reviews.on_run(at, number).next().is_some();
        Some(json!([iteration, reviews.name_of(at, number), is_commented]))
    };
    let entry = |place: ReviewPlace<'_>| {
        let page = link(&site.addresses.report_file("index.html"), &place.path());
        let runs = place.sides().into_iter().filter_map(|(side, shown)| run(&place, side, shown));
        Value::Array([json!(page)].into_iter().chain(runs).collect())
    };
    let all: Vec<Value> = places.map(entry).collect();
    format!("window.evalbook.reviewOrder({});\n", literal(&Value::Array(all)))
}

fn view(
    page: &Page<'_>,
    place: ReviewPlace<'_>,
    comparison: ComparedWith<'_>,
    lines: &[usize],
) -> Value {
    let site = place.site;
    let names = place.names();
    // The pages of the cases before and after its own in `lines`, and those of its own.
    let at = lines.iter().position(|line| *line == place.line).unwrap_or(0);
    let near = lines.iter().skip(at.saturating_sub(1)).take(if at == 0 { 2 } else { 3 });
    let sequence: Vec<ReviewPlace<'_>> =
        near.flat_map(|line| of_comparison(site, *line, comparison)).collect();
    let at = sequence.iter().position(|sequence| sequence.path() == page.path);
    let to = |at: Option<usize>| at.and_then(|at| sequence.get(at)).map(|to| page.link(&to.path()));
    let after = to(at.map(|at| at + 1));
    let (files, more) = outputs::files(&place, page, &names);
    let any =
        |is_such: fn(&Preview) -> bool| files.iter().flat_map(FileView::previews).any(is_such);
    let has_document = any(|output| output.is_document);
    let has_frame = any(|output| output.has_frame);
    let title = site.language.fill(
        "review.title",
        &[
            ("case", &place.case().name),
            ("run", &place.runs.after.number),
            ("a", &names[0]),
            ("b", &names[1]),
        ],
    );
    let frame = page.frame(&title, Some(place.pair.after.iteration));
    let comparisons = comparisons(&place, page);
    json!({
        "frame": Frame { has_document, has_frame, comparisons, ..frame },
        "files": files,
        "head": head::head(&place, lines),
        "sides": head::sides(&place, page, &names),
        "more_files": site.language.counts([(more, "file_unlisted")]),
        "checks": checks(&place, &names),
        "rest": rest(&place, page, &names),
        "order": page.link(&site.addresses.review_order(comparison.0, comparison.1)),
        "before": to(at.and_then(|at| at.checked_sub(1))),
        "is_last": after.is_none(),
        "after": after.unwrap_or_else(|| feedback::href(page, place.pair.after.iteration)),
    })
}
