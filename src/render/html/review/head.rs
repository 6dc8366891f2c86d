//! The head of a review page: how the case did, what was asked, and the two sides.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::analyze::Side;
use crate::digest::CaseResult;
use crate::model::Run;
use crate::render::context::{Page, Rate, Site, link};
use crate::render::html::files::asked;
use crate::render::html::review::place::{Place, places};

/// The head of a page; `lines` are the cases of its comparison.
pub(super) fn head(place: &Place<'_>, lines: &[usize]) -> Value {
    let site = place.site;
    let at = lines.iter().position(|line| *line == place.line).unwrap_or(0) + 1;
    let case = place.case().case(site.part.workspace, place.pair.after.iteration);
    let result = result(site, place.line, [&place.pair.after, &place.pair.before]);
    json!({
        "case": place.case().name,
        "verdict": result.verdict,
        "class": result.class,
        "rates": result.rates,
        // `Case 2 of 5`.
        "position": site.language.fill("review.position", &[("n", &at), ("all", &lines.len())]),
        "asked": asked(case.into_iter(), None),
    })
}

#[derive(Default)]
pub(crate) struct CaseVerdict {
    pub(crate) verdict: String,
    /// `better` or `worse` where no two runs of the sides overlap, else empty.
    pub(crate) class: &'static str,
    pub(crate) rates: String,
}

fn runs<'a>(site: Site<'a>, line: usize, side: &'a Side) -> impl Iterator<Item = &'a Run> {
    let case = site.part.analysis.lines[line].case(site.part.workspace, side.iteration);
    case.into_iter().flat_map(|case| case.runs_of(&side.configuration))
}

pub(crate) fn result(site: Site<'_>, line: usize, [after, before]: [&Side; 2]) -> CaseVerdict {
    let words = site.language;
    let Some(result) = CaseResult::of(runs(site, line, after), runs(site, line, before)) else {
        let verdict = words.text("review.no_comparison").to_owned();
        return CaseVerdict { verdict, ..CaseVerdict::default() };
    };
    let (key, class) = match (result.order, result.is_apart) {
        (Ordering::Greater, true) => ("review.better_always", "better"),
        (Ordering::Greater, false) => ("review.better_mean", ""),
        (Ordering::Less, true) => ("review.worse_always", "worse"),
        (Ordering::Less, false) => ("review.worse_mean", ""),
        (Ordering::Equal, _) => ("review.same", ""),
    };
    let verdict = words.fill(key, &[("points", &words.points(result.means[0] - result.means[1]))]);
    let [ours, theirs] = result.means.map(|mean| words.percent(mean));
    let number = |at: usize| words.count(result.runs[at], "run");
    let number = match result.runs[0] == result.runs[1] {
        true => words.fill("review.runs_each", &[("runs", &number(0))]),
        false => words.fill("review.runs_apart", &[("a", &number(0)), ("b", &number(1))]),
    };
    let rates = words.fill("review.rates", &[("a", &ours), ("b", &theirs), ("runs", &number)]);
    CaseVerdict { verdict, class, rates }
}

pub(super) fn sides(place: &Place<'_>, page: &Page<'_>, names: &[String; 2]) -> [Value; 2] {
    let [ours, theirs] = place.sides();
    let shown = places(place.site, place.line, place.pair);
    [(0, ours), (1, theirs)].map(|(at, (side, run))| {
        let site = place.site;
        let button = |other: &Run| {
            let to = href(place, &shown, at, (side, other));
            button(site, page.link(&to), other, other.number == run.number)
        };
        let run_page = site.addresses.run(side.iteration, place.line, run);

        json!({
            // By its place: the newer one is the candidate here.
            "class": if at == 0 { "candidate" } else { "baseline" },
            "name": names[at],
            "counts": Rate::counts_of(run.tally()),
            "run": site.language.fill("diff.run", &[("number", &run.number)]),
            "href": page.link(&run_page),
            "runs": runs(site, place.line, side).map(button).collect::<Vec<_>>(),
            "iteration": site.part.workspace.iterations[side.iteration].name,
            "run_id": place.run_id(side, run),
            "place": link(&site.addresses.report_file("index.html"), &run_page),
        })
    })
}

/// The review page that shows a run of the side at `at`, else its run page.
fn href(place: &Place<'_>, shown: &[Place<'_>], at: usize, (side, run): (&Side, &Run)) -> String {
    let of_side = |place: &Place<'_>| place.sides()[at].1.number;
    let shown = shown.iter().find(|shown| of_side(shown) == run.number);
    shown.map_or_else(|| place.site.addresses.run(side.iteration, place.line, run), Place::path)
}

fn button(site: Site<'_>, href: String, run: &Run, is_current: bool) -> Value {
    let counts = Rate::counts_of(run.tally());
    let label =
        site.language.fill("review.run_button", &[("number", &run.number), ("counts", &counts)]);
    json!({
        "href": href,
        "number": run.number,
        "counts": counts,
        "label": label,
        "is_current": is_current,
    })
}
