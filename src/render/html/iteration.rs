//! One iteration: the benchmark table, every case by configuration, what was recorded beside it.

use serde::Serialize;

use crate::model::{
    BlindComparison, Case, Iteration, PostHocAnalysis, RecordedBenchmark, RecordedSpread, Winner,
};
use crate::render::Task;
use crate::render::addresses::link;
use crate::render::html::Site;
use crate::render::html::overview::{change_rows, configuration_rows, tally};
use crate::render::language::Language;
use crate::render::view::{self, ChangeRow, ConfigurationRow, DASH, Frame, Link, Rate};
use crate::text::fixed;

#[derive(Serialize)]
struct IterationView {
    frame: Frame,
    name: String,
    configurations: Vec<ConfigurationRow>,
    changes: Vec<ChangeRow>,
    roles: String,
    cases: Vec<CaseRow>,
    benchmarks: Vec<BenchmarkView>,
    feedback: Vec<[String; 3]>,
    comparisons: Vec<ComparisonView>,
    analyses: Vec<AnalysisView>,
    files: Vec<Link>,
}

#[derive(Serialize)]
struct CaseRow {
    link: Link,
    cells: Vec<CaseCell>,
}

#[derive(Serialize)]
struct CaseCell {
    rate: Rate,
    runs: Vec<RunCell>,
}

#[derive(Serialize)]
struct RunCell {
    link: Link,
    counts: String,
}

#[derive(Serialize)]
struct BenchmarkView {
    path: String,
    rows: Vec<[String; 4]>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ComparisonView {
    path: String,
    winner: String,
    reasoning: String,
    dimensions: Vec<[String; 3]>,
}

#[derive(Serialize)]
struct AnalysisView {
    path: String,
    lines: Vec<[String; 2]>,
}

/// Adds the page of one iteration.
pub(super) fn page<'a>(site: Site<'a>, index: usize, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.iteration(index);
    let render = {
        let path = path.clone();
        move || site.templates.fill("iteration.html", &path, &view(site, index, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, index: usize, path: &str) -> IterationView {
    let iteration = &site.part.workspace.iterations[index];
    let analysis = &site.part.analysis.iterations[index];
    let language = site.language;
    let crumbs = [(site.addresses.overview(), site.title())];
    let file = |name: &str| Link { href: name.to_owned(), text: name.to_owned() };
    IterationView {
        frame: site.frame(path, &iteration.name, &crumbs),
        name: iteration.name.clone(),
        configurations: configuration_rows(analysis, language),
        changes: change_rows(analysis, language),
        roles: view::roles(&analysis.roles, language),
        cases: cases(site, index, path),
        benchmarks: iteration
            .benchmarks
            .iter()
            .map(|found| benchmark(language, iteration, found))
            .collect(),
        feedback: feedback(iteration),
        comparisons: iteration
            .comparisons
            .iter()
            .map(|found| comparison(language, found))
            .collect(),
        analyses: iteration.analyses.iter().map(|found| analysis_view(language, found)).collect(),
        files: vec![file("benchmark.json"), file("benchmark.md")],
    }
}

fn cases(site: Site<'_>, index: usize, path: &str) -> Vec<CaseRow> {
    let iteration = &site.part.workspace.iterations[index];
    let order: Vec<&str> = site.part.analysis.iterations[index].roles.order().collect();
    let row = |(at, case): (usize, &Case)| {
        let line = site.addresses.line(index, at);
        let cells = order.iter().map(|name| {
            let runs = case.runs.iter().filter(|run| run.configuration == **name);
            let runs = runs.map(|run| RunCell {
                link: site.run_link(path, index, line, run),
                counts: Rate::of(run.tally(), site.language).counts,
            });
            CaseCell { rate: Rate::of(tally(case, name), site.language), runs: runs.collect() }
        });
        let href = link(path, &site.addresses.case(line));
        CaseRow { link: Link { href, text: case.name.clone() }, cells: cells.collect() }
    };
    iteration.cases.iter().enumerate().map(row).collect()
}

/// Recorded figures beside what the verdicts give.
fn benchmark(
    language: &Language,
    iteration: &Iteration,
    found: &RecordedBenchmark,
) -> BenchmarkView {
    let rows = found.configurations.iter().map(|recorded| {
        let runs = iteration.runs().filter(|run| run.configuration == recorded.name);
        let mut counted = crate::model::Tally::default();
        runs.for_each(|run| counted.add(run.tally()));
        [
            recorded.name.clone(),
            recorded_rate(language, &recorded.pass_rate),
            Rate::of(counted, language).whole(language),
            recorded_cost(language, recorded),
        ]
    });
    BenchmarkView { path: found.path.clone(), rows: rows.collect(), notes: found.notes.clone() }
}

fn recorded_rate(language: &Language, spread: &RecordedSpread) -> String {
    spread.mean.map_or(DASH.to_owned(), |mean| language.percent(mean))
}

fn recorded_cost(language: &Language, recorded: &crate::model::RecordedConfiguration) -> String {
    let time = recorded
        .time_s
        .mean
        .map(|value| language.fill("number.seconds", &[("s", &fixed(value, 1))]));
    let tokens = recorded.tokens.mean.map(|value| language.tokens(value));
    let parts: Vec<String> = time.into_iter().chain(tokens).collect();
    if parts.is_empty() { DASH.to_owned() } else { parts.join(language.text("list.comma")) }
}

fn feedback(iteration: &Iteration) -> Vec<[String; 3]> {
    let reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    reviews
        .map(|review| {
            let time = review.timestamp.clone().unwrap_or_default();
            [review.run_id.clone(), review.text.clone(), time]
        })
        .collect()
}

fn comparison(language: &Language, found: &BlindComparison) -> ComparisonView {
    let score = |value: Option<f64>| value.map_or(DASH.to_owned(), |value| fixed(value, 1));
    let winner = match found.winner {
        Some(Winner::A) => "comparison.winner_a",
        Some(Winner::B) => "comparison.winner_b",
        Some(Winner::Tie) => "comparison.tie",
        None => "comparison.undecided",
    };
    ComparisonView {
        path: found.path.clone(),
        winner: language.text(winner).to_owned(),
        reasoning: found.reasoning.clone().unwrap_or_default(),
        dimensions: found
            .dimensions
            .iter()
            .map(|dimension| [dimension.name.clone(), score(dimension.a), score(dimension.b)])
            .collect(),
    }
}

fn analysis_view(language: &Language, found: &PostHocAnalysis) -> AnalysisView {
    let one = |head: &str, text: &Option<String>| -> Vec<[String; 2]> {
        text.iter().map(|text| [language.text(head).to_owned(), text.clone()]).collect()
    };
    let many = |head: &str, texts: &[String]| -> Vec<[String; 2]> {
        texts.iter().map(|text| [language.text(head).to_owned(), text.clone()]).collect()
    };
    let proposals: Vec<String> =
        found.proposals.iter().map(|found| proposal(language, found)).collect();
    let lines = [
        one("analysis.winner", &found.winner),
        one("analysis.loser", &found.loser),
        one("analysis.in_sum", &found.summary),
        many("analysis.strength", &found.strengths),
        many("analysis.weakness", &found.weaknesses),
        many("analysis.proposal", &proposals),
        many("analysis.observation", &found.observations),
    ];
    AnalysisView { path: found.path.clone(), lines: lines.concat() }
}

fn proposal(language: &Language, proposal: &crate::model::Proposal) -> String {
    let part = |key: &str, text: &Option<String>| {
        text.as_ref().map(|text| language.fill(key, &[("text", text)]))
    };
    let parts = [
        proposal.area.clone(),
        part("proposal.before", &proposal.before),
        part("proposal.after", &proposal.after),
        proposal.text.clone(),
        part("proposal.priority", &proposal.priority),
        part("proposal.impact", &proposal.expected_impact),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}
