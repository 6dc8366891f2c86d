//! The overview of a comparison: the answer, the changes, the next steps and the cases. The newest
//! one is the first page of the report; every iteration and every other comparison has its own.

mod answer;
pub(super) mod cases;
pub(super) mod changes;
mod findings;
mod next;

use serde_json::{Value, json};

use crate::analyze::{Against, Change, Side};
use crate::budget::{COMPARISON_CHOICES, OVERVIEW_CASES};
use crate::digest::{ComparedCase, compared_cases};
use crate::model::Tally;
use crate::render::context::{DASH, Frame, Link, Page, PageLink, Rate, RenderContext, Rows, Task};
use crate::render::data::{badge, summary};
use crate::render::html::comparison_links;
use crate::render::html::history::{models, pass_rates};
use crate::render::html::joined;
use crate::render::html::overview::answer::answer_view;
use crate::render::html::overview::cases::cases_view;
use crate::render::html::overview::changes::{counters, groups};
use crate::render::html::overview::findings::findings;
use crate::render::html::overview::next::next_view;
use crate::render::html::review::REVIEWED_AGAINST;
use crate::text::bytes;
use crate::wording::recorded_results::ShownPage;
use crate::wording::{checks, costs, headline, recorded_results, verdict};

/// Adds the first page, the page of all cases, and a page for each comparison that leads no
/// iteration.
pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let first = context.addresses.report_file("index.html");
    tasks.push(context.page("overview.html", first, |page| {
        let newest = page.part.analysis.newest();
        let leading = newest.map(|newest| leading_comparison(page, newest));
        overview(page, newest, leading.unwrap_or_default())
    }));
    tasks.push(context.single_page("cases.html", cases_page));
    for change in
        context.part.analysis.changes.iter().filter(|change| has_own_page(context, change))
    {
        let path = context.addresses.comparison(&change.before, &change.after);
        let view = move |page: &Page<'_>| {
            let comparison = comparison(page, (&change.after, Some(change)), Rows::default());
            let choices = choices(page, Some(change));
            overview(page, Some(change.after.iteration), (comparison, choices))
        };
        tasks.push(context.page("overview.html", path, view));
    }
}

fn has_review_pages(change: &Change) -> bool {
    change.against.iter().any(|against| REVIEWED_AGAINST.contains(against))
}

fn has_own_page(context: RenderContext<'_>, change: &Change) -> bool {
    let analysis = context.part.analysis;
    let candidate = analysis.candidate_of(change.after.iteration);
    has_review_pages(change) && candidate.and_then(|side| analysis.lead(&side)) != Some(change)
}

fn address(context: RenderContext<'_>, change: &Change) -> String {
    if has_own_page(context, change) {
        context.addresses.comparison(&change.before, &change.after)
    } else {
        context.addresses.iteration(change.after.iteration)
    }
}

/// The comparisons of an iteration to choose from, on the page of `current`.
pub(super) fn choices(page: &Page<'_>, current: Option<&Change>) -> Vec<PageLink> {
    let Some(current) = current else { return Vec::new() };
    let changes = page.part.analysis.changes_in(current.after.iteration);
    let changes: Vec<&Change> = changes.filter(|change| has_review_pages(change)).collect();
    let has_candidates = changes.iter().any(|change| change.after != current.after);
    let choice = |change: &&Change| PageLink {
        href: page.link(&address(page.context, change)),
        text: if has_candidates {
            candidate_vs_other(page.context, change)
        } else {
            comparison_links::other_name(page.context, change)
        },
        is_current: *change == current,
        ..PageLink::default()
    };
    let at = changes.iter().position(|change| *change == current).unwrap_or(0);
    let start = at.saturating_sub(COMPARISON_CHOICES - 1);
    changes.iter().skip(start).take(COMPARISON_CHOICES).map(choice).collect()
}

fn candidate_vs_other(context: RenderContext<'_>, change: &Change) -> String {
    let (candidate, other) =
        (&change.after.configuration, comparison_links::other_name(context, change));
    context.language.fill("page.candidate_vs", &[("candidate", candidate), ("other", &other)])
}

/// The leading comparison of an iteration, and those to choose from.
pub(super) fn leading_comparison(page: &Page<'_>, iteration: usize) -> (Value, Vec<PageLink>) {
    let Some(after) = page.part.analysis.candidate_of(iteration) else {
        return Default::default();
    };
    let change = page.part.analysis.lead(&after);
    // There may be many candidates, so their table is on one page only.
    let candidates = candidates(page, iteration);
    let comparison = comparison(page, (&after, change), candidates);
    (comparison, choices(page, change))
}

/// The content of every overview, with the candidates of the iteration if there are several; null
/// without a verdict.
fn comparison(
    page: &Page<'_>,
    (after, change): (&Side, Option<&Change>),
    candidates: Rows<Value>,
) -> Value {
    let analysis = page.part.analysis;
    let is_newest = analysis.newest_candidate().as_ref() == Some(after);
    let Some(answer) = answer_view(page.context, after, change, is_newest) else {
        return Value::Null;
    };
    let (cases, other) = cases_and_other(page.context, after, change);
    let groups = change.map(|change| groups(page, [&change.before, &change.after]));
    json!({
        "answer": answer,
        "counters": counters(page.context, &cases, &other),
        "next": next_view(page, (after, change), &cases),
        "candidates": candidates,
        "cases": cases_view(page, (after, change), &cases, OVERVIEW_CASES),
        "groups": groups.unwrap_or_default(),
    })
}

/// The cases of a candidate, the worst first, and the name of the other side.
fn cases_and_other(
    context: RenderContext<'_>,
    after: &Side,
    change: Option<&Change>,
) -> (Vec<ComparedCase>, String) {
    let other = change.map(|change| comparison_links::other_name(context, change));
    (compared_cases(&context.part.flips, after, change), other.unwrap_or_default())
}

/// The candidates of an iteration, if several, against its baseline, else the previous iteration.
fn candidates(page: &Page<'_>, iteration: usize) -> Rows<Value> {
    let analysis = page.part.analysis;
    let leading = |side: Side| {
        let order = [Against::Baseline, Against::Previous];
        order.into_iter().find_map(|against| analysis.change(&side, against))
    };
    let changes: Vec<&Change> = analysis.candidates_of(iteration).filter_map(leading).collect();
    if changes.len() < 2 || changes.iter().all(|change| change.gain.paired().is_none()) {
        return Rows::default();
    }
    Rows::all(changes.into_iter(), |change| {
        let verdict = change.gain.verdict();
        let to = page.link(&address(page.context, change));
        let ratio = |cost| costs::ratio(cost, page.language).unwrap_or_else(|| DASH.to_owned());
        json!({
            "link": Link::new(to, candidate_vs_other(page.context, change)),
            "sign": headline::sign(verdict),
            "tone": comparison_links::tone(verdict).class(),
            "gain": verdict::cell(&change.gain, page.language).unwrap_or_else(|| DASH.to_owned()),
            "passed": Rate::counts_of_both(change.gain.before, change.gain.after),
            "time": ratio(&change.costs.time),
            "tokens": ratio(&change.costs.tokens),
        })
    })
}

fn overview(
    page: &Page<'_>,
    iteration: Option<usize>,
    (comparison, comparisons): (Value, Vec<PageLink>),
) -> Value {
    let language = page.language;
    // Recorded results of iterations without verdicts, and the number of others.
    let (mut recorded_results, mut recorded_more) = Default::default();
    if comparison.is_null() {
        (recorded_results, recorded_more) =
            recorded_results::newest_results(page.part.workspace, language);
    }
    let recorded_results =
        recorded_results.into_iter().map(|(index, what)| (page.iteration_link(index), what));
    let to = |name: &str, text: &str| Link::new(page.to_file(name), text);
    let has_history = page.part.workspace.iterations.len() > 1;
    let chart = has_history.then(|| pass_rates(page)).flatten();
    let health = checks::health_counts(&page.shared.expectations, language);
    let besides = recorded_results::others(page.part.workspace, language).into_iter();
    let besides = besides.map(|(shown, text)| match shown {
        ShownPage::Comparisons => to("comparisons.html", &text),
        ShownPage::Feedback => to("feedback.html", &text),
        ShownPage::History => to("history.html", &text),
    });
    let view = json!({
        "frame": Frame { comparisons, ..page.frame(page.part.title(), iteration) },
        "nothing": recorded_results::nothing(page.part.workspace, language),
        "left": recorded_results.collect::<Vec<_>>(),
        "left_more": recorded_more,
        "health": health.map(|text| to("expectations.html", &text)),
        "findings": findings(page),
        "models": models(page),
        "chart": chart,
        "history": to("history.html", language.text("overview.all_iterations")),
        "inventory": inventory(page.context),
        "besides": besides.collect::<Vec<_>>(),
        "problems": to("problems.html", &language.problem_counts(&page.part.workspace.problems)),
        "files": files(page),
    });
    joined(view, comparison)
}

fn cases_page(page: &Page<'_>) -> Value {
    let analysis = page.part.analysis;
    let newest = analysis.newest_candidate();
    let lead = newest.as_ref().map(|after| (after, analysis.lead(after)));
    let (cases, other) = lead.map_or_else(Default::default, |(after, change)| {
        cases_and_other(page.context, after, change)
    });
    let rest = &page.shared.order[cases.len()..];
    json!({
        "frame": page.frame(
            page.language.text("page.cases"),
            newest.as_ref().map(|after| after.iteration),
        ),
        "counters": counters(page.context, &cases, &other),
        "cases": lead.map(|lead| cases_view(page, lead, &cases, usize::MAX)),
        "others": Rows::all(rest.iter(), |line| page.case_link(*line)),
    })
}

fn inventory(context: RenderContext<'_>) -> Vec<String> {
    let language = context.language;
    let totals = context.part.workspace.totals();
    let Tally { passed, failed, ungraded } = totals.verdicts();
    let named = (totals.iterations > 0).then(|| language.count(totals.iterations, "iteration"));
    let others = [
        language.count(context.part.analysis.cases.len(), "case"),
        language.count(totals.configurations, "configuration"),
        language.fill(
            "overview.runs_graded",
            &[
                ("runs", &language.count(totals.runs, "run")),
                ("n", &(totals.graded_runs + totals.recorded_runs)),
            ],
        ),
        language.fill(
            "overview.verdicts",
            &[("passed", &passed), ("failed", &failed), ("ungraded", &ungraded)],
        ),
        language.fill(
            "overview.outputs",
            &[
                ("outputs", &language.count(totals.outputs, "output")),
                ("size", &bytes(totals.output_bytes)),
            ],
        ),
    ];
    named.into_iter().chain(others).collect()
}

fn files(page: &Page<'_>) -> Vec<Link> {
    let workspace_file = |name: &str| Link::new(page.to_file(name), name);
    let data = ["report.json", summary::FILE].map(|name| Link::new(page.link(name), name));
    let published = [badge::DRAWING, badge::ENDPOINT].map(&workspace_file);
    let exports = page.part.settings.publish.export.iter().flat_map(|export| export.files());
    let is_graded = page.part.analysis.newest().is_some();
    let benchmark =
        ["benchmark.md", "benchmark.json"].map(workspace_file).into_iter().filter(|_| is_graded);
    let generated = [workspace_file("report.md")].into_iter().chain(data).chain(benchmark);
    generated.chain(exports.map(|name| workspace_file(name))).chain(published).collect()
}
