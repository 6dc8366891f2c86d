//! The overview of a workspace: the answer, what changed, its cases, its iterations.

use serde::Serialize;

use crate::analyze::{
    self, Against, CaseStanding, Change, ConfigurationSummary, Cost, IterationAnalysis, Side,
    Status,
};
use crate::chart::{Figure, MOST_CELLS};
use crate::digest::shown_statistics as how;
use crate::model::{Problem, Severity, Tally};
use crate::render::context::{
    DASH, Frame, Language, Link, Rate, Rows, Site, Task,
    bounds::Cells,
    link,
    view::{ConfigurationRow, Heat},
};
use crate::render::data::{badge, feed, summary};
use crate::render::html::headline::{Headline, headline};
use crate::render::html::history::pass_rates;
use crate::render::text::{
    costs, health,
    recorded::{self, Shown},
    verdict,
};
use crate::text::{bytes, tokens};

#[derive(Serialize)]
struct Overview {
    frame: Frame,
    headline: Option<Headline>,
    /// What is said in its place.
    nothing: String,
    /// What is recorded where nothing was graded, each beside its iteration.
    left: Vec<Link>,
    left_more: String,
    /// What the expectations are good for, in one line.
    health: Option<Link>,
    chart: Option<Figure>,
    history: Link,
    has_baseline: bool,
    has_heat: bool,
    cases: Rows<CaseRow>,
    iterations: Rows<IterationRow>,
    /// What is to be read about the cards, the line on the expectations, the chart and the tables.
    how: Vec<&'static str>,
    how_health: Vec<&'static str>,
    how_chart: Vec<&'static str>,
    how_cases: Vec<&'static str>,
    how_iterations: Vec<&'static str>,
    inventory: Vec<String>,
    /// What was read beside runs, each with the page that shows it.
    beside: Vec<Link>,
    problems: Link,
    files: Vec<Link>,
}

#[derive(Serialize)]
struct CaseRow {
    link: Link,
    /// Whose numbers stand in the row, each on a line of its own.
    configurations: String,
    status: &'static str,
    status_word: String,
    flips: String,
    candidate: Rate,
    baseline: Option<Rate>,
    lead: String,
    heat: Heat,
}

#[derive(Serialize)]
struct IterationRow {
    link: Link,
    implicit: bool,
    rows: Vec<SideRow>,
}

#[derive(Serialize)]
struct SideRow {
    name: String,
    role: &'static str,
    rate: Rate,
    change: String,
    time: String,
    time_change: String,
    tokens: String,
    tokens_change: String,
}

/// Adds the page.
pub(super) fn page<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.overview();
    let render = {
        let path = path.clone();
        move || site.templates.fill("overview.html", &path, &view(site, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, path: &str) -> Overview {
    let iterations = site.part.workspace.iterations.len();
    let cases = cases(site, path);
    let headline = headline(site, path);
    let is_graded = headline.is_some();
    let (left, left_more) = if is_graded { (Vec::new(), String::new()) } else { left(site, path) };
    Overview {
        frame: Frame { feed: feed::FILE.to_owned(), ..site.frame(path, site.title(), &[]) },
        headline,
        nothing: recorded::nothing(site.part.workspace, site.language).to_owned(),
        left,
        left_more,
        health: health(site, path),
        chart: (iterations > 1).then(|| pass_rates(site, path)).flatten(),
        history: Link {
            href: link(path, &site.addresses.history()),
            text: site.language.text("overview.more_history").to_owned(),
        },
        has_baseline: cases.iter().any(|case| case.baseline.is_some()),
        has_heat: iterations > 1,
        cases,
        iterations: Rows::of((0..iterations).rev(), |index| iteration(site, path, index)),
        how: how(site),
        how_chart: how::of_chart(site.part.analysis),
        how_health: how::of_health(site.expectations),
        how_iterations: how_iterations(site),
        how_cases: if iterations > 1 { vec!["strip"] } else { Vec::new() },
        inventory: inventory(site),
        beside: beside(site, path),
        problems: Link {
            href: link(path, &site.addresses.problems()),
            text: problem_counts(site.language, &site.part.workspace.problems),
        },
        files: files(site, path),
    }
}

/// What is recorded of iterations without verdicts, and how many more there are.
fn left(site: Site<'_>, path: &str) -> (Vec<Link>, String) {
    let (told, more) = recorded::left(site.part.workspace, site.language);
    let links = told.into_iter().map(|(iteration, text)| Link {
        href: link(path, &site.addresses.iteration(iteration)),
        text,
    });
    (links.collect(), more)
}

/// What the cards and sentences show: the levels of both sides and what became of the newest one.
fn how(site: Site<'_>) -> Vec<&'static str> {
    let analysis = site.part.analysis;
    let Some(after) = analysis.newest_candidate() else {
        return Vec::new();
    };
    let changes = analysis.changes_in(after.iteration).filter(|change| change.after == after);
    let levels = how::of_configurations(&analysis.iterations[after.iteration]);
    let levels = levels.into_iter().filter(|kind| *kind != "spread");
    levels.chain(how::of_changes(changes)).collect()
}

/// What the table of iterations shows and the first screen does not.
fn how_iterations(site: Site<'_>) -> Vec<&'static str> {
    let (told, mut found) = (how(site), how::of_baselines(site.part.analysis));
    found.retain(|kind| !told.contains(kind));
    found
}

fn health(site: Site<'_>, path: &str) -> Option<Link> {
    let text = health::short(site.expectations, site.language)?;
    Some(Link { href: link(path, &site.addresses.expectations()), text })
}

fn cases(site: Site<'_>, path: &str) -> Rows<CaseRow> {
    let standings = standings(site);
    let cells = site.part.workspace.iterations.len().min(MOST_CELLS);
    let most = Cells::default().rows(standings.len(), cells);
    Rows::first(most, standings.iter(), |standing| case(site, path, standing))
}

/// The lines of the cases in the order of the page.
pub(super) fn order(site: Site<'_>) -> Vec<usize> {
    standings(site).iter().map(|standing| standing.line).collect()
}

/// Every case, the worst first; in the order of names where nothing was graded.
fn standings(site: Site<'_>) -> Vec<CaseStanding> {
    let of = |newest| analyze::standings(site.part.workspace, site.part.analysis, newest);
    let mut standings = site.part.analysis.newest().map(of).unwrap_or_default();
    if standings.is_empty() {
        let absent = |line| CaseStanding {
            line,
            candidate: Tally::default(),
            baseline: None,
            regressed: 0,
            fixed: 0,
            status: Status::Absent,
        };
        standings = (0..site.part.analysis.lines.len()).map(absent).collect();
    }
    standings
}

fn case(site: Site<'_>, path: &str, standing: &CaseStanding) -> CaseRow {
    let line = &site.part.analysis.lines[standing.line];
    let lead = standing.candidate.pass_rate().zip(standing.baseline.and_then(Tally::pass_rate));
    let status = standing.status.word();
    CaseRow {
        link: Link {
            href: link(path, &site.addresses.case(standing.line)),
            text: line.name.clone(),
        },
        configurations: configurations(site, standing),
        status,
        status_word: site.language.text(&format!("status.{status}")).to_owned(),
        flips: flips(standing),
        candidate: Rate::of(standing.candidate, site.language),
        baseline: standing.baseline.map(|tally| Rate::of(tally, site.language)),
        lead: lead.map_or(DASH.to_owned(), |(a, b)| site.language.points(a - b)),
        heat: heat(site, standing.line),
    }
}

/// The configurations of the newest iteration whose numbers stand in the row of a case.
fn configurations(site: Site<'_>, standing: &CaseStanding) -> String {
    let newest = site.part.analysis.newest().map(|at| &site.part.analysis.iterations[at].roles);
    let candidate = newest.and_then(|roles| roles.candidates.first());
    let baseline = newest.and_then(|roles| roles.baseline.as_ref());
    let is_there = |tally: Tally| tally != Tally::default();
    let candidate = candidate.filter(|_| is_there(standing.candidate));
    let baseline = baseline.filter(|_| standing.baseline.is_some_and(is_there));
    candidate.into_iter().chain(baseline).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// `−1 +2`: expectations lost and gained.
fn flips(standing: &CaseStanding) -> String {
    let lost = (standing.regressed > 0).then(|| format!("\u{2212}{}", standing.regressed));
    let gained = (standing.fixed > 0).then(|| format!("+{}", standing.fixed));
    lost.into_iter().chain(gained).collect::<Vec<_>>().join(" ")
}

/// The candidate of each iteration on one case.
fn heat(site: Site<'_>, line: usize) -> Heat {
    let line = &site.part.analysis.lines[line];
    let iterations = site.part.workspace.iterations.iter().zip(&site.part.analysis.iterations);
    let start = iterations.len().saturating_sub(MOST_CELLS);
    let cells = iterations.enumerate().skip(start).map(|(index, (iteration, of))| {
        let side = of
            .candidate()
            .map(|candidate| Side { iteration: index, configuration: candidate.name.clone() });
        let tally = side.map(|side| analyze::tally(site.part.workspace, line, &side));
        (iteration.name.as_str(), tally.unwrap_or_default())
    });
    Heat::of(cells, site.language)
}

/// One iteration in a few lines: its candidates, each against the baseline, then the baseline.
fn iteration(site: Site<'_>, path: &str, index: usize) -> IterationRow {
    let iteration = &site.part.workspace.iterations[index];
    let analysis = &site.part.analysis.iterations[index];
    let rows = analysis.configurations.iter().map(|summary| {
        let side = Side { iteration: index, configuration: summary.name.clone() };
        let change = site.part.analysis.change(&side, Against::Baseline);
        side_row(site.language, summary, analysis, change)
    });
    IterationRow {
        link: Link {
            href: link(path, &site.addresses.iteration(index)),
            text: iteration.name.clone(),
        },
        implicit: iteration.implicit,
        rows: rows.collect(),
    }
}

fn side_row(
    language: &Language,
    summary: &ConfigurationSummary,
    analysis: &IterationAnalysis,
    change: Option<&Change>,
) -> SideRow {
    let ratio = |cost: fn(&Change) -> &Cost| {
        let found = change.and_then(|change| costs::ratio(cost(change), language));
        found.map(|it| language.fill("verdict.times", &[("ratio", &it)])).unwrap_or_default()
    };
    SideRow {
        name: summary.name.clone(),
        role: match analysis.baseline() {
            Some(baseline) if baseline.name == summary.name => "baseline",
            Some(_) => "candidate",
            None => "",
        },
        rate: Rate::of(summary.tally, language),
        change: change.and_then(|it| verdict::cell(&it.gain, language)).unwrap_or_default(),
        time: summary.duration_s.map_or(DASH.to_owned(), |time| language.seconds(time.mean)),
        time_change: ratio(|change| &change.costs.time),
        tokens: summary.tokens.map_or(DASH.to_owned(), |used| tokens(used.mean)),
        tokens_change: ratio(|change| &change.costs.tokens),
    }
}

fn inventory(site: Site<'_>) -> Vec<String> {
    let language = site.language;
    let totals = site.part.workspace.totals();
    let Tally { passed, failed, ungraded } = totals.tally;
    vec![
        language.count(totals.iterations, "iteration"),
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
    ]
}

fn beside(site: Site<'_>, path: &str) -> Vec<Link> {
    let found = recorded::others(site.part.workspace, site.language).into_iter();
    let address = |shown| match shown {
        Shown::Comparisons => site.addresses.comparisons(),
        Shown::Feedback => site.addresses.feedback(),
        Shown::History => site.addresses.history(),
    };
    found.map(|(shown, text)| Link { href: link(path, &address(shown)), text }).collect()
}

/// How many problems of each severity, in one line.
pub(in crate::render) fn problem_counts(language: &Language, problems: &[Problem]) -> String {
    let of = |severity| problems.iter().filter(|problem| problem.severity() == severity).count();
    let count = |severity| language.problems(of(severity), severity);
    [Severity::Error, Severity::Warning, Severity::Note]
        .map(count)
        .join(language.text("list.comma"))
}

fn files(site: Site<'_>, path: &str) -> Vec<Link> {
    let beside =
        |name: &str| Link { href: link(path, &site.addresses.beside(name)), text: name.to_owned() };
    let data = ["report.json", summary::FILE]
        .map(|name| Link { href: link(path, name), text: name.to_owned() });
    let published = [feed::FILE, badge::DRAWING, badge::ENDPOINT].map(&beside);
    let exports = site.part.settings.export.iter().flat_map(|export| export.files());
    let all = [beside("report.md")].into_iter().chain(data);
    all.chain(exports.map(|name| beside(name))).chain(published).collect()
}

/// The configurations in numbers, candidates first.
pub(in crate::render) fn configuration_rows(
    analysis: &IterationAnalysis,
    language: &Language,
) -> Vec<ConfigurationRow> {
    let summaries = analysis.configurations.iter();
    summaries.map(|summary| ConfigurationRow::of(summary, analysis, language)).collect()
}
