//! The head of a review page: the result of the case, its task, and the two sides.

use std::cmp::Ordering;

use serde::Serialize;

use crate::analyze::{Measure, is_earlier_version};
use crate::budget::linked;
use crate::digest::CaseResult;
use crate::language::{Language, Rate, say};
use crate::render::context::{Link, Page, View, link, view};
use crate::render::html::files::task_view;
use crate::render::html::review::page::{ReviewPage, pages_of_pair};
use crate::wording::verdict::{self, Difference};
use crate::wording::{measured, run_end};
use input::model::Run;

/// The head of a page; `lines` are the cases of its comparison.
pub(super) fn head(review: &ReviewPage<'_>, lines: &[usize]) -> View {
    let context = review.context;
    let n = lines.iter().position(|case_index| *case_index == review.case_index).unwrap_or(0) + 1;
    let case = review.case().case(context.part.workspace, review.pair.after.iteration);
    let result = if review.is_alone() {
        let run = review.runs.after;
        let mut verdict = String::new();
        if run.is_graded() {
            verdict = Rate::new(run.tally(), context.language).whole(context.language);
        }
        CaseVerdict { verdict, ..CaseVerdict::default() }
    } else if [review.runs.after, review.runs.before].iter().all(|run| !run.is_graded()) {
        // The list of checks says so.
        CaseVerdict::default()
    } else if context.part.is_unmeasured(review.pair.after.iteration) {
        let verdict = context.language.text("headline.no_measurement").to_owned();
        CaseVerdict { verdict, ..CaseVerdict::default() }
    } else {
        let reviewed = &context.shared.reviewed[review.case_index][review.pair_index];
        if is_between_peers(review) {
            peer_verdict(reviewed.result, context.language)
        } else {
            case_verdict(reviewed.result, context.language)
        }
    };
    view!({
        "case": review.case().name,
        "result": result,
        // `Case 2 of 5`.
        "position": say!(context.language, "review.position", n, all = lines.len()),
        "asked": task_view(case.as_slice(), None),
    })
}

#[derive(Default, Serialize)]
pub(crate) struct CaseVerdict {
    pub(crate) verdict: String,
    /// `better` or `worse` where no two runs of the sides overlap, else empty.
    pub(crate) class: &'static str,
    pub(crate) rates: String,
}

/// The sentence about the `result` of a case; there is none if a side has no graded run.
pub(crate) fn case_verdict(result: Option<CaseResult>, language: &Language) -> CaseVerdict {
    let Some(result) = result else {
        let verdict = language.text("review.no_comparison").to_owned();
        return CaseVerdict { verdict, ..CaseVerdict::default() };
    };
    let has_one_run = result.runs.contains(&1);
    let (key, class) = match (result.order, result.is_clear) {
        // One run shows what it did, and nothing of what others would do.
        (Ordering::Equal, _) if has_one_run => ("review.same_one_run", ""),
        _ if result.runs == [1, 1] => ("review.one_run", ""),
        _ if has_one_run => ("review.one_run_of_one", ""),
        (Ordering::Greater, true) => ("review.better_always", "better"),
        (Ordering::Greater, false) => ("review.better_mean", ""),
        (Ordering::Less, true) => ("review.worse_always", "worse"),
        (Ordering::Less, false) => ("review.worse_mean", ""),
        (Ordering::Equal, _) => ("review.same", ""),
    };
    let gain = difference(&result, language).gain;
    let points = verdict::with_unit(Measure::PassRate, &gain, language);
    CaseVerdict { verdict: say!(language, key, points), class, rates: rates(&result, language) }
}

/// The same where either side may be the baseline: then nothing is better or worse.
pub(crate) fn peer_verdict(result: Option<CaseResult>, language: &Language) -> CaseVerdict {
    let Some(result) = result.filter(|result| result.order != Ordering::Equal) else {
        return case_verdict(result, language);
    };
    let gain = difference(&result, language).gain;
    let gain = gain.trim_start_matches(['+', '\u{2212}']);
    let points = verdict::with_unit(Measure::PassRate, gain, language);
    let verdict = say!(language, "review.apart", points);
    CaseVerdict { verdict, class: "", rates: rates(&result, language) }
}

/// Whether nobody knows which of the two sides is the baseline.
pub(super) fn is_between_peers(review: &ReviewPage<'_>) -> bool {
    let [after, before] = [&review.pair.after, &review.pair.before];
    let peers = &review.context.part.analysis.iterations[after.iteration].peers;
    peers.iter().any(|change| change.sides() == [before, after])
}

/// Whether the other side is an earlier state of the skill.
pub(super) fn has_earlier_side(review: &ReviewPage<'_>) -> bool {
    is_earlier_version(&review.pair.before, &review.pair.after)
}

fn difference(result: &CaseResult, language: &Language) -> Difference {
    let [after, before] = result.means;
    verdict::difference(Measure::PassRate, [before, after], language)
}

/// `83 % → 89 % of checks, 3 runs each`.
fn rates(result: &CaseResult, language: &Language) -> String {
    let shown = difference(result, language);
    let [b, a] = result.runs.map(|number| language.count(number, "run"));
    let runs = if a == b {
        say!(language, "review.runs_each", runs = a)
    } else {
        say!(language, "review.runs_apart", a, b)
    };
    say!(language, "review.rates", before = shown.before, after = shown.after, runs)
}

/// What scripts keep and export about a pair of runs.
#[derive(Serialize)]
struct ShownPair<'a> {
    /// The address of the page, relative to the overview.
    place: String,
    iteration: &'a str,
    case: &'a str,
    runs: ShownRuns<'a>,
    /// The side of which the grader passed more, or `tie`; absent without verdicts on both.
    #[serde(skip_serializing_if = "Option::is_none")]
    graded: Option<&'static str>,
}

#[derive(Serialize)]
struct ShownRuns<'a> {
    candidate: ShownRun<'a>,
    /// Absent where one side alone is reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<ShownRun<'a>>,
}

#[derive(Serialize)]
struct ShownRun<'a> {
    /// The configuration, or the iteration where it is the same on both sides.
    name: &'a str,
    /// The folder of the run in the workspace.
    path: &'a str,
    /// The name of the run in feedback files.
    run_id: String,
    /// The address of its page, relative to the overview.
    page: String,
}

/// The pair in JSON.
pub(super) fn shown_pair(review: &ReviewPage<'_>, page: &Page<'_>) -> String {
    let context = review.context;
    let overview = context.addresses.report_file("index.html");
    let iterations = &context.part.workspace.iterations;
    let [candidate, baseline] = review.sides().map(|(side, run)| ShownRun {
        name: if review.pair.after.configuration == review.pair.before.configuration {
            &iterations[side.iteration].name
        } else {
            &side.configuration
        },
        path: &run.path,
        run_id: review.run_id(side, run),
        page: link(&overview, &context.addresses.run(side.iteration, review.case_index, run)),
    });
    let graded = review.sides().map(|(_, run)| run.tally().pass_rate());
    let pair = ShownPair {
        graded: graded[0].zip(graded[1]).map(|(after, before)| match after.total_cmp(&before) {
            Ordering::Greater => "candidate",
            Ordering::Less => "baseline",
            Ordering::Equal => "tie",
        }),
        place: link(&overview, &page.path),
        iteration: &iterations[review.pair.after.iteration].name,
        case: &review.case().name,
        runs: ShownRuns { candidate, baseline: Some(baseline).filter(|_| !review.is_alone()) },
    };
    serde_json::to_string(&pair).unwrap_or_default()
}

pub(super) fn sides(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2]) -> Vec<View> {
    review.shown_sides().iter().map(|&at| side_view(review, page, names, at)).collect()
}

fn side_view(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2], at: usize) -> View {
    let context = review.context;
    let (side, run) = review.sides()[at];
    let run_page = context.addresses.run(side.iteration, review.case_index, run);
    let all: Vec<&Run> = review.case().runs(context.part.workspace, side).collect();
    let at_run = all.iter().position(|other| other.number == run.number).unwrap_or(0);
    // Each page of a case with hundreds of runs would link them all.
    let mut runs = Vec::new();
    for &other in &all[linked(at_run, all.len())] {
        // The review page with that run; a run that was paired with none has only its own page.
        let mut shown = pages_of_pair(context, review.case_index, review.pair_index);
        let reviewed = shown.find(|shown| shown.sides()[at].1.number == other.number);
        let href = match reviewed {
            Some(reviewed) => page.link(&reviewed.path()),
            None => page.to_run(side.iteration, review.case_index, other),
        };
        runs.push(run_button(review, other, href, other.number == run.number));
    }
    let mut all_runs = None;
    if runs.len() < all.len() {
        let text = say!(context.language, "review.all_runs", n = all.len());
        all_runs = Some(Link::new(page.link(&context.addresses.case(review.case_index)), text));
    }
    view!({
        // By position: the newer one is the candidate here.
        "class": if at == 0 { "candidate" } else { "baseline" },
        "name": names[at],
        "counts": counts(run, context.language),
        "run": say!(context.language, "diff.run", number = run.number),
        "ended": run_end::sentence(run, context.language),
        "href": page.link(&run_page),
        "runs": runs,
        "all_runs": all_runs,
        "iteration": context.part.workspace.iterations[side.iteration].name,
        "run_id": review.run_id(side, run),
        "place": link(&context.addresses.report_file("index.html"), &run_page),
    })
}

/// The counts of the checks of `run`, and how it ended where they alone would mislead.
fn counts(run: &Run, language: &Language) -> String {
    let mut counts = String::new();
    if run.is_graded() {
        counts = Rate::counts_of(run.tally());
    }
    let ended = run_end::word(run, language).map(str::to_owned);
    let parts = [Some(counts), ended, measured::origin(run, language)];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn run_button(review: &ReviewPage<'_>, run: &Run, href: String, is_current: bool) -> View {
    let number = run.number;
    let mut counts = String::new();
    if run.is_graded() {
        counts = Rate::counts_of(run.tally());
    }
    view!({
        "href": href,
        "number": number,
        "counts": counts,
        "label": say!(review.context.language, "review.run_button", number, counts),
        "is_current": is_current,
    })
}
