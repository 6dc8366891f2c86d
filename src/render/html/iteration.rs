//! One iteration: the benchmark table, every case by configuration, what was recorded beside it.

use serde::Serialize;

use crate::discover::run_id;
use crate::model::{
    BlindComparison, Case, Iteration, PostHocAnalysis, RecordedBenchmark, RecordedSpread, Winner,
};
use crate::render::Task;
use crate::render::addresses::link;
use crate::render::brief;
use crate::render::html::Site;
use crate::render::html::overview::{change_rows, configuration_rows, tally};
use crate::render::html::review::ReviewList;
use crate::render::standing::Standings;
use crate::render::view::{ChangeRow, ConfigurationRow, DASH, Frame, Link, Rate};
use crate::text::{fixed, percent};

#[derive(Serialize)]
struct IterationView {
    frame: Frame,
    name: String,
    configurations: Vec<ConfigurationRow>,
    changes: Vec<ChangeRow>,
    roles: String,
    cases: Vec<CaseRow>,
    benchmarks: Vec<BenchmarkView>,
    reviews: ReviewList,
    comparisons: Vec<ComparisonView>,
    analyses: Vec<AnalysisView>,
    brief: String,
    files: Vec<Link>,
}

#[derive(Serialize)]
struct CaseRow {
    link: Link,
    status: &'static str,
    configurations: String,
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
    id: String,
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
    winner: &'static str,
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
    let crumbs = [(site.addresses.overview(), site.title())];
    let file = |name: &str| Link { href: name.to_owned(), text: name.to_owned() };
    IterationView {
        frame: site.frame(path, &iteration.name, &crumbs),
        name: iteration.name.clone(),
        configurations: configuration_rows(analysis),
        changes: change_rows(analysis),
        roles: analysis.roles.reason.clone(),
        cases: cases(site, index, path),
        benchmarks: iteration.benchmarks.iter().map(|found| benchmark(iteration, found)).collect(),
        reviews: ReviewList::of(site, index),
        comparisons: iteration.comparisons.iter().map(comparison).collect(),
        analyses: iteration.analyses.iter().map(analysis_view).collect(),
        brief: brief::iteration(site, index),
        files: vec![file("benchmark.json"), file("benchmark.md"), file("brief.md")],
    }
}

fn cases(site: Site<'_>, index: usize, path: &str) -> Vec<CaseRow> {
    let iteration = &site.part.workspace.iterations[index];
    let order: Vec<&str> = site.part.analysis.iterations[index].roles.order().collect();
    let standings = Standings::of(site.part, index);
    let row = |(at, case): (usize, &Case)| {
        let line = site.addresses.line(index, at);
        let cells = order.iter().map(|name| {
            let runs = case.runs.iter().filter(|run| run.configuration == **name);
            let runs = runs.map(|run| RunCell {
                link: site.run_link(path, index, line, run),
                id: run_id(iteration, case, run),
                counts: Rate::of(run.tally()).counts,
            });
            CaseCell { rate: Rate::of(tally(case, name)), runs: runs.collect() }
        });
        let here =
            order.iter().filter(|name| case.runs.iter().any(|run| run.configuration == **name));
        CaseRow {
            link: Link { href: link(path, &site.addresses.case(line)), text: case.name.clone() },
            status: standings.of_line(line),
            configurations: here.copied().collect::<Vec<_>>().join(" "),
            cells: cells.collect(),
        }
    };
    iteration.cases.iter().enumerate().map(row).collect()
}

/// Recorded figures beside what the verdicts give.
fn benchmark(iteration: &Iteration, found: &RecordedBenchmark) -> BenchmarkView {
    let rows = found.configurations.iter().map(|recorded| {
        let runs = iteration.runs().filter(|run| run.configuration == recorded.name);
        let mut counted = crate::model::Tally::default();
        runs.for_each(|run| counted.add(run.tally()));
        let rate = Rate::of(counted);
        let ours = if rate.counts == DASH {
            DASH.to_owned()
        } else {
            format!("{} ({})", rate.percent, rate.counts)
        };
        [recorded.name.clone(), recorded_rate(&recorded.pass_rate), ours, recorded_cost(recorded)]
    });
    BenchmarkView { path: found.path.clone(), rows: rows.collect(), notes: found.notes.clone() }
}

fn recorded_rate(spread: &RecordedSpread) -> String {
    spread.mean.map_or(DASH.to_owned(), percent)
}

fn recorded_cost(recorded: &crate::model::RecordedConfiguration) -> String {
    let time = recorded.time_s.mean.map(|value| format!("{} s", fixed(value, 1)));
    let tokens = recorded.tokens.mean.map(|value| format!("{} tokens", fixed(value, 0)));
    let parts: Vec<String> = time.into_iter().chain(tokens).collect();
    if parts.is_empty() { DASH.to_owned() } else { parts.join(", ") }
}

fn comparison(found: &BlindComparison) -> ComparisonView {
    let score = |value: Option<f64>| value.map_or(DASH.to_owned(), |value| fixed(value, 1));
    ComparisonView {
        path: found.path.clone(),
        winner: match found.winner {
            Some(Winner::A) => "A",
            Some(Winner::B) => "B",
            Some(Winner::Tie) => "tie",
            None => "not decided",
        },
        reasoning: found.reasoning.clone().unwrap_or_default(),
        dimensions: found
            .dimensions
            .iter()
            .map(|dimension| [dimension.name.clone(), score(dimension.a), score(dimension.b)])
            .collect(),
    }
}

fn analysis_view(found: &PostHocAnalysis) -> AnalysisView {
    let one = |head: &str, text: &Option<String>| -> Vec<[String; 2]> {
        text.iter().map(|text| [head.to_owned(), text.clone()]).collect()
    };
    let many = |head: &str, texts: &[String]| -> Vec<[String; 2]> {
        texts.iter().map(|text| [head.to_owned(), text.clone()]).collect()
    };
    let proposals: Vec<String> = found.proposals.iter().map(proposal).collect();
    let lines = [
        one("winner", &found.winner),
        one("loser", &found.loser),
        one("in sum", &found.summary),
        many("strength", &found.strengths),
        many("weakness", &found.weaknesses),
        many("proposal", &proposals),
        many("observation", &found.observations),
    ];
    AnalysisView { path: found.path.clone(), lines: lines.concat() }
}

fn proposal(proposal: &crate::model::Proposal) -> String {
    let part =
        |head: &str, text: &Option<String>| text.as_ref().map(|text| format!("{head}: {text}"));
    let parts = [
        proposal.area.clone(),
        part("before", &proposal.before),
        part("after", &proposal.after),
        proposal.text.clone(),
        part("priority", &proposal.priority),
        part("expected impact", &proposal.expected_impact),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}
