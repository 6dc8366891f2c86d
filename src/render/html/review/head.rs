//! The head of a review page: the result of the case, its task, and the two sides.

use std::cmp::Ordering;
use std::fmt::Display;

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::Side;
use crate::digest::CaseResult;
use crate::model::Run;
use crate::render::context::{Page, Rate, RenderContext, link};
use crate::render::html::files::task_view;
use crate::render::html::review::page::{ReviewPage, pages_of_pair};

/// The head of a page; `lines` are the cases of its comparison.
pub(super) fn head(review: &ReviewPage<'_>, lines: &[usize]) -> Value {
    let context = review.context;
    let at = lines.iter().position(|line| *line == review.line).unwrap_or(0) + 1;
    let case = review.case().case(context.part.workspace, review.pair.after.iteration);
    json!({
        "case": review.case().name,
        "result": case_verdict(context, review.line, [&review.pair.after, &review.pair.before]),
        // `Case 2 of 5`.
        "position": context.language.fill("review.position", &[("n", &at), ("all", &lines.len())]),
        "asked": task_view(case.into_iter(), None),
    })
}

#[derive(Default, Serialize)]
pub(crate) struct CaseVerdict {
    pub(crate) verdict: String,
    /// `better` or `worse` where no two runs of the sides overlap, else empty.
    pub(crate) class: &'static str,
    pub(crate) rates: String,
}

pub(crate) fn case_verdict(
    context: RenderContext<'_>,
    line: usize,
    [after, before]: [&Side; 2],
) -> CaseVerdict {
    let words = context.language;
    let [ours, theirs] = [after, before]
        .map(|side| context.part.analysis.cases[line].runs(context.part.workspace, side));
    let Some(result) = CaseResult::new(ours, theirs) else {
        let verdict = words.text("review.no_comparison").to_owned();
        return CaseVerdict { verdict, ..CaseVerdict::default() };
    };
    let (key, class) = match (result.order, result.is_clear) {
        (Ordering::Greater, true) => ("review.better_always", "better"),
        (Ordering::Greater, false) => ("review.better_mean", ""),
        (Ordering::Less, true) => ("review.worse_always", "worse"),
        (Ordering::Less, false) => ("review.worse_mean", ""),
        (Ordering::Equal, _) => ("review.same", ""),
    };
    let verdict = words.fill(key, &[("points", &words.points(result.means[0] - result.means[1]))]);
    let [ours, theirs] = result.means.map(|mean| words.percent(mean));
    let number = |at: usize| words.count(result.runs[at], "run");
    let number = if result.runs[0] == result.runs[1] {
        words.fill("review.runs_each", &[("runs", &number(0))])
    } else {
        words.fill("review.runs_apart", &[("a", &number(0)), ("b", &number(1))])
    };
    let rates = words.fill("review.rates", &[("a", &ours), ("b", &theirs), ("runs", &number)]);
    CaseVerdict { verdict, class, rates }
}

pub(super) fn sides(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2]) -> [Value; 2] {
    let context = review.context;
    let shown = pages_of_pair(context, review.line, review.pair_index);
    [0, 1].map(|at| {
        let (side, run) = review.sides()[at];
        // Links to the review page with a run of the side, else to the page of the run.
        let button = |other: &Run| {
            let shown_page = shown.iter().find(|shown| shown.sides()[at].1.number == other.number);
            let href = shown_page.map(|shown| page.link(&shown.path()));
            let counts = Rate::counts_of(other.tally());
            let values: [(&str, &dyn Display); 2] =
                [("number", &other.number), ("counts", &counts)];
            json!({
                "href": href.unwrap_or_else(|| page.to_run(side.iteration, review.line, other)),
                "number": other.number,
                "counts": counts,
                "label": context.language.fill("review.run_button", &values),
                "is_current": other.number == run.number,
            })
        };
        let run_page = context.addresses.run(side.iteration, review.line, run);
        let runs = review.case().runs(context.part.workspace, side);
        json!({
            // By position: the newer one is the candidate here.
            "class": if at == 0 { "candidate" } else { "baseline" },
            "name": names[at],
            "counts": Rate::counts_of(run.tally()),
            "run": context.language.fill("diff.run", &[("number", &run.number)]),
            "href": page.link(&run_page),
            "runs": runs.map(button).collect::<Vec<_>>(),
            "iteration": context.part.workspace.iterations[side.iteration].name,
            "run_id": review.run_id(side, run),
            "place": link(&context.addresses.report_file("index.html"), &run_page),
        })
    })
}
