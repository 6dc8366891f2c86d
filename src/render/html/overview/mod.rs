//! The overview of a comparison: the answer, what changed, what to do next, the cases. The newest one
//! is the first page of the report; every iteration and every other comparison has its own.

mod answer;
pub(super) mod cases;
pub(super) mod changes;
mod findings;
mod next;

use serde::Serialize;

use crate::analyze::{Against, Analysis, Change, IterationAnalysis, Side};
use crate::chart::Figure;
use crate::digest::{ComparedCase, cases_of, compared_cases};
use crate::model::{Problem, Severity, Tally};
use crate::render::context::{
    DASH, Frame, Language, Link, PageLink, Rate, Rows, Site, Task, link, view::ConfigurationRow,
};
use crate::render::data::{badge, feed, summary};
use crate::render::html::compared;
use crate::render::html::history::{Models, models, pass_rates};
use crate::render::html::overview::answer::{AnswerView, answer_view};
use crate::render::html::overview::cases::{CasesView, cases_view};
use crate::render::html::overview::changes::{Counter, Group, counters, groups};
use crate::render::html::overview::findings::findings;
use crate::render::html::overview::next::{NextView, next_view};
use crate::render::html::review::ASKED;
use crate::render::text::{
    costs,
    recorded::{self, Shown},
    statistics, verdict,
};
use crate::text::bytes;

/// So many cases are on an overview, the worst.
const MOST_CASES: usize = 20;

/// So many comparisons can be chosen on a page.
const MOST_COMPARISONS: usize = 8;

/// What every overview has.
#[derive(Default, Serialize)]
pub(super) struct Comparison {
    answer: Option<AnswerView>,
    counters: Vec<Counter>,
    next: NextView,
    /// Every candidate of the iteration, where there are several.
    candidates: Rows<CandidateRow>,
    cases: CasesView,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct CandidateRow {
    link: Link,
    sign: &'static str,
    tone: &'static str,
    gain: String,
    passed: String,
    time: String,
    tokens: String,
}

/// The first page of the report, or that of a comparison which leads no iteration.
#[derive(Serialize)]
struct Overview {
    frame: Frame,
    #[serde(flatten)]
    comparison: Comparison,
    nothing: String,
    /// What is recorded where nothing was graded, each with its iteration.
    left: Vec<(Link, String)>,
    left_more: String,
    health: Option<Link>,
    findings: Vec<Link>,
    models: Option<Models>,
    chart: Option<Figure>,
    history: Link,
    inventory: Vec<String>,
    /// What was read besides runs, each with the page that shows it.
    besides: Vec<Link>,
    problems: Link,
    files: Vec<Link>,
}

#[derive(Serialize)]
struct CasesPage {
    frame: Frame,
    title: String,
    counters: Vec<Counter>,
    cases: CasesView,
    /// Cases that the newest comparison does not have.
    others: Rows<Link>,
}

/// Adds the first page, that of all cases, and one for each comparison that leads no iteration.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let first = site.addresses.report_file("index.html");
    tasks.push(site.page("overview.html", first, move |path| first_page(site, path)));
    tasks.push(site.single_page("cases.html", cases_page));
    for change in site.part.analysis.changes.iter().filter(|change| has_own_page(site, change)) {
        let path = site.addresses.comparison(&change.before, &change.after);
        let view = move |path: &str| comparison_page(site, path, change);
        tasks.push(site.page("overview.html", path, view));
    }
}

fn is_asked_for(change: &Change) -> bool {
    change.against.iter().any(|against| ASKED.contains(against))
}

fn has_own_page(site: Site<'_>, change: &Change) -> bool {
    let analysis = site.part.analysis;
    is_asked_for(change) && lead_of(analysis, change.after.iteration) != Some(change)
}

fn lead_of(analysis: &Analysis, iteration: usize) -> Option<&Change> {
    analysis.lead(&analysis.candidate_of(iteration)?)
}

fn address(site: Site<'_>, change: &Change) -> String {
    match has_own_page(site, change) {
        true => site.addresses.comparison(&change.before, &change.after),
        false => site.addresses.iteration(change.after.iteration),
    }
}

/// The comparisons of an iteration to choose from, for the page of `current`.
pub(super) fn choices(site: Site<'_>, path: &str, current: Option<&Change>) -> Vec<PageLink> {
    let Some(current) = current else { return Vec::new() };
    let changes = site.part.analysis.changes_in(current.after.iteration);
    let changes: Vec<&Change> = changes.filter(|change| is_asked_for(change)).collect();
    let has_candidates = changes.iter().any(|change| change.after != current.after);
    let choice = |change: &&Change| PageLink {
        href: link(path, &address(site, change)),
        text: match has_candidates {
            true => candidate_vs_other(site, change),
            false => compared::other_name(site, change),
        },
        is_current: *change == current,
        ..PageLink::default()
    };
    let at = changes.iter().position(|change| *change == current).unwrap_or(0);
    let start = at.saturating_sub(MOST_COMPARISONS - 1);
    changes.iter().skip(start).take(MOST_COMPARISONS).map(choice).collect()
}

fn candidate_vs_other(site: Site<'_>, change: &Change) -> String {
    let (candidate, other) = (&change.after.configuration, compared::other_name(site, change));
    site.language.fill("page.candidate_vs", &[("candidate", candidate), ("other", &other)])
}

/// The comparison of one iteration that leads it.
pub(super) fn leading_comparison(
    site: Site<'_>,
    path: &str,
    iteration: usize,
) -> (Comparison, Vec<PageLink>) {
    let Some(after) = site.part.analysis.candidate_of(iteration) else {
        return Default::default();
    };
    let change = site.part.analysis.lead(&after);
    // With so many candidates as there may be, their table is on one page only.
    let candidates = candidates(site, path, iteration);
    let comparison = Comparison { candidates, ..comparison(site, path, &after, change) };
    (comparison, choices(site, path, change))
}

fn comparison(site: Site<'_>, path: &str, after: &Side, change: Option<&Change>) -> Comparison {
    let analysis = site.part.analysis;
    let is_newest = analysis.newest_candidate().as_ref() == Some(after);
    let Some(answer) = answer_view(site, after, change, is_newest) else {
        return Comparison::default();
    };
    let (cases, other) = cases_and_other(site, after, change);
    Comparison {
        answer: Some(answer),
        counters: counters(site, &cases, &other),
        next: next_view(site, path, (after, change), &cases),
        candidates: Rows::default(),
        cases: cases_view(site, path, (after, change), &cases, MOST_CASES),
        groups: change
            .map(|change| groups(site, path, [&change.before, &change.after]))
            .unwrap_or_default(),
    }
}

/// The cases of a candidate, the worst first, and the name of what they are compared with.
fn cases_and_other(
    site: Site<'_>,
    after: &Side,
    change: Option<&Change>,
) -> (Vec<ComparedCase>, String) {
    let part = site.part;
    match change {
        Some(change) => (compared_cases(&part.flips, change), compared::other_name(site, change)),
        None => (cases_of(part.workspace, part.analysis, after), String::new()),
    }
}

/// Several candidates of an iteration against its baseline, else the iteration before.
fn candidates(site: Site<'_>, path: &str, iteration: usize) -> Rows<CandidateRow> {
    let analysis = site.part.analysis;
    let leading = |side: Side| {
        let order = [Against::Baseline, Against::Previous];
        order.into_iter().find_map(|against| analysis.change(&side, against))
    };
    let changes: Vec<&Change> = analysis.candidates_of(iteration).filter_map(leading).collect();
    if changes.len() < 2 {
        return Rows::default();
    }
    Rows::all(changes.into_iter(), |change| {
        let verdict = change.gain.verdict();
        let ratio = |cost| costs::ratio(cost, site.language).unwrap_or_else(|| DASH.to_owned());
        CandidateRow {
            link: Link::new(link(path, &address(site, change)), candidate_vs_other(site, change)),
            sign: verdict::sign(verdict),
            tone: compared::tone(verdict).class(),
            gain: verdict::cell(&change.gain, site.language).unwrap_or_else(|| DASH.to_owned()),
            passed: Rate::counts_of_both(change.gain.before, change.gain.after),
            time: ratio(&change.costs.time),
            tokens: ratio(&change.costs.tokens),
        }
    })
}

fn first_page(site: Site<'_>, path: &str) -> Overview {
    let newest = site.part.analysis.newest();
    let (comparison, choices) =
        newest.map(|newest| leading_comparison(site, path, newest)).unwrap_or_default();
    let feed = feed::FILE.to_owned();
    let frame = Frame { feed, comparisons: choices, ..site.frame(path, site.title(), newest) };
    overview(site, path, frame, comparison)
}

fn comparison_page(site: Site<'_>, path: &str, change: &Change) -> Overview {
    let found = comparison(site, path, &change.after, Some(change));
    let comparisons = choices(site, path, Some(change));
    let frame = site.frame(path, site.title(), Some(change.after.iteration));
    overview(site, path, Frame { comparisons, ..frame }, found)
}

fn overview(site: Site<'_>, path: &str, frame: Frame, comparison: Comparison) -> Overview {
    let language = site.language;
    let is_graded = comparison.answer.is_some();
    let (left, left_more) = if is_graded { (Vec::new(), String::new()) } else { left(site, path) };
    let to =
        |name: &str, text: &str| Link::new(link(path, &site.addresses.report_file(name)), text);
    Overview {
        frame,
        comparison,
        nothing: recorded::nothing(site.part.workspace, language).to_owned(),
        left,
        left_more,
        health: statistics::health_counts(site.expectations, language)
            .map(|text| to("expectations.html", &text)),
        findings: findings(site, path),
        models: models(site, path),
        chart: (site.part.workspace.iterations.len() > 1).then(|| pass_rates(site, path)).flatten(),
        history: to("history.html", language.text("overview.all_iterations")),
        inventory: inventory(site),
        besides: besides(site, path),
        problems: to("problems.html", &problem_counts(language, &site.part.workspace.problems)),
        files: files(site, path),
    }
}

fn cases_page(site: Site<'_>, path: &str) -> CasesPage {
    let analysis = site.part.analysis;
    let newest = analysis.newest_candidate();
    let title = site.language.text("page.cases").to_owned();
    let lead = newest.as_ref().map(|after| (after, analysis.lead(after)));
    let (cases, other) =
        lead.map_or_else(Default::default, |(after, change)| cases_and_other(site, after, change));
    let rest = &site.order[cases.len()..];
    CasesPage {
        frame: site.frame(path, &title, newest.as_ref().map(|after| after.iteration)),
        title,
        counters: counters(site, &cases, &other),
        cases: lead.map_or_else(CasesView::default, |lead| {
            cases_view(site, path, lead, &cases, usize::MAX)
        }),
        others: Rows::all(rest.iter(), |line| site.case_link(path, *line)),
    }
}

/// What is recorded of iterations without verdicts, and how many more there are.
fn left(site: Site<'_>, path: &str) -> (Vec<(Link, String)>, String) {
    let (found, more) = recorded::left(site.part.workspace, site.language);
    let row = |(index, what): (usize, String)| (site.iteration_link(path, index), what);
    (found.into_iter().map(row).collect(), more)
}

fn inventory(site: Site<'_>) -> Vec<String> {
    let language = site.language;
    let totals = site.part.workspace.totals();
    let Tally { passed, failed, ungraded } = totals.tally;
    let named = (totals.iterations > 0).then(|| language.count(totals.iterations, "iteration"));
    let others = [
        language.count(site.part.analysis.lines.len(), "case"),
        language.count(totals.configurations, "configuration"),
        language.fill(
            "overview.runs_graded",
            &[("runs", &language.count(totals.runs, "run")), ("n", &totals.graded_runs)],
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

fn besides(site: Site<'_>, path: &str) -> Vec<Link> {
    let found = recorded::others(site.part.workspace, site.language).into_iter();
    let file = |shown| match shown {
        Shown::Comparisons => "comparisons.html",
        Shown::Feedback => "feedback.html",
        Shown::History => "history.html",
    };
    let to = |shown| link(path, &site.addresses.report_file(file(shown)));
    found.map(|(shown, text)| Link::new(to(shown), text)).collect()
}

/// How many problems of each severity, in one line.
pub(crate) fn problem_counts(language: &Language, problems: &[Problem]) -> String {
    let count = |severity| {
        let number = problems.iter().filter(|problem| problem.severity() == severity).count();
        language.problems(number, severity)
    };
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(count);
    counts.join(language.text("list.comma"))
}

fn files(site: Site<'_>, path: &str) -> Vec<Link> {
    let own = |name: &str| Link::new(link(path, &site.addresses.report_file(name)), name);
    let data = ["report.json", summary::FILE].map(|name| Link::new(link(path, name), name));
    let published = [feed::FILE, badge::DRAWING, badge::ENDPOINT].map(&own);
    let exports = site.part.settings.export.iter().flat_map(|export| export.files());
    let is_graded = site.part.analysis.newest().is_some();
    let benchmark = ["benchmark.md", "benchmark.json"].map(own).into_iter().filter(|_| is_graded);
    let all = [own("report.md")].into_iter().chain(data).chain(benchmark);
    all.chain(exports.map(|name| own(name))).chain(published).collect()
}

pub(crate) fn configuration_rows(
    analysis: &IterationAnalysis,
    language: &Language,
) -> Vec<ConfigurationRow> {
    let summaries = analysis.configurations.iter();
    summaries.map(|summary| ConfigurationRow::new(summary, analysis, language)).collect()
}
