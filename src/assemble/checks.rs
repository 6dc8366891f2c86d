//! Rules that need more than one document: the plan beside a grading, a benchmark beside the runs.

use std::collections::BTreeMap;

use crate::assemble::draft::same::{contradict, has_many_words, is_repeated};
use crate::model::{
    Case, Code, Grading, Iteration, Outcome, Problem, RecordedBenchmark, RecordedConfiguration,
    Run, Tally, Workspace, mean,
};
use crate::read::ScoredStatement;
use crate::text::{fixed, folded_name};

/// Recorded rates may be rounded to two decimals.
const ROUNDING: f64 = 0.00501;

/// Mean scores are written with one decimal.
const SCORE_ROUNDING: f64 = 0.0501;

pub(super) fn run(workspace: &mut Workspace, scored: &[(String, ScoredStatement)]) {
    let mut problems = Vec::new();
    for iteration in &workspace.iterations {
        for benchmark in &iteration.benchmarks {
            problems.extend(check_benchmark(iteration, benchmark));
        }
        problems.extend(iteration.cases.iter().flat_map(equal_gradings));
    }
    let mut stated: BTreeMap<&str, Vec<&ScoredStatement>> = BTreeMap::new();
    scored.iter().for_each(|(path, found)| stated.entry(path).or_default().push(found));
    let gradings =
        workspace.iterations.iter().flat_map(Iteration::runs).flat_map(|run| &run.gradings);
    for grading in gradings {
        if let Some([found]) = stated.get(grading.path.as_str()).map(Vec::as_slice) {
            problems.extend(check_scored(grading, found));
        }
    }
    problems.extend(check_history(workspace));
    workspace.problems.append(&mut problems);
}

/// Gradings of two configurations of a case that are equal word for word, without a figure that
/// differs.
fn equal_gradings(case: &Case) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, run) in case.runs.iter().enumerate() {
        let Some(own) = run.grading().filter(|grading| has_many_words(grading)) else { continue };
        let is_equal = |other: &&Run| {
            other.configuration != run.configuration
                && !contradict(&other.metrics, &run.metrics)
                && other.grading().is_some_and(|grading| is_repeated(grading, own))
        };
        if let Some(first) = case.runs[..at].iter().find(is_equal).and_then(Run::grading) {
            let message = format!("word for word the grading of another run, `{}`", first.path);
            problems.push(
                Problem::new(Code::EqualGradings, &own.path, message)
                    .assuming("both are counted")
                    .help("check that neither was copied into the place of the other"),
            );
        }
    }
    problems
}

fn check_scored(grading: &Grading, stated: &ScoredStatement) -> Vec<Problem> {
    let required: Vec<_> =
        grading.expectations.iter().filter(|e| e.required == Some(true)).collect();
    if required.is_empty() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let scores: Option<Vec<f64>> = required.iter().map(|e| e.score).collect();
    if let Some(((stated, place), mean)) = stated.required_score.zip(scores.and_then(mean))
        && (mean - stated).abs() > SCORE_ROUNDING
    {
        let message = format!("`required_score` is {}", fixed(stated, 2));
        let problem = Problem::new(Code::ScoreMean, &grading.path, message).at(Some(place));
        let assumed = format!("the mean of the required scores is {}", fixed(mean, 2));
        problems.push(problem.assuming(assumed).help("write the mean with one decimal"));
    }
    if let Some((stated, place)) = stated.overall {
        let derived = Outcome::from(required.iter().all(|e| e.outcome == Outcome::Passed));
        if stated != derived {
            let message = format!("`overall` says {}", stated.word());
            let assumed = format!("the required expectations say {}", derived.word());
            let problem =
                Problem::new(Code::OverallContradicts, &grading.path, message).at(Some(place));
            problems.push(problem.assuming(assumed).help("let it follow from them"));
        }
    }
    problems
}

/// A recorded benchmark against the runs on disk: number of runs, and each mean pass rate.
fn check_benchmark(iteration: &Iteration, benchmark: &RecordedBenchmark) -> Option<Problem> {
    let mut differences = Vec::new();
    let mut place = None;
    let graded = iteration.runs().filter(|run| run.is_graded()).count();
    if graded == 0 {
        return None;
    }
    if let Some(runs) = benchmark.runs.filter(|runs| *runs != graded) {
        differences.push(format!("{runs} runs ({graded} found)"));
        place = benchmark.runs_place;
    }
    for recorded in &benchmark.configurations {
        let difference = rate_difference(iteration, recorded);
        place = place.or(recorded.place.filter(|_| difference.is_some()));
        differences.extend(difference);
    }
    if differences.is_empty() {
        return None;
    }
    let message = format!("the recorded benchmark says {}", differences.join("; "));
    let problem = Problem::new(Code::BenchmarkMismatch, &benchmark.path, message)
        .at(place)
        .assuming("the verdicts on disk were taken")
        .help("write it again with `evalbook benchmark`");
    Some(problem)
}

fn rate_difference(iteration: &Iteration, recorded: &RecordedConfiguration) -> Option<String> {
    let name = folded_name(&recorded.name);
    let runs = iteration.runs().filter(|run| folded_name(&run.configuration) == name);
    let tallies: Vec<Tally> = runs.map(Run::tally).collect();
    let rates = tallies.iter().filter_map(|tally| tally.pass_rate());
    let mean = mean(rates)?;
    let stated = recorded.pass_rate.mean.or_else(|| Some(recorded.passed? / recorded.total?))?;
    let pooled: Tally = tallies.into_iter().sum();
    let is_pooled = pooled.pass_rate().is_some_and(|rate| (rate - stated).abs() <= ROUNDING);
    if (mean - stated).abs() <= ROUNDING || is_pooled {
        return None;
    }
    Some(format!(
        "a pass rate of {} for `{}`, where the verdicts give {}",
        fixed(stated, 4),
        recorded.name,
        fixed(mean, 4)
    ))
}

/// A recorded average score against the gradings of its version.
fn check_history(workspace: &Workspace) -> Vec<Problem> {
    let mut problems = Vec::new();
    // Of several iterations with one name the first is meant.
    let iterations = workspace.iterations.iter().rev();
    let named: BTreeMap<&str, &Iteration> =
        iterations.map(|iteration| (iteration.name.as_str(), iteration)).collect();
    for history in &workspace.histories {
        for version in &history.versions {
            let Some(stated) = version.average_score else { continue };
            let iteration = named.get(version.name.as_str());
            let mean = iteration.and_then(|iteration| iteration.average_score());
            let Some(mean) = mean else { continue };
            if (mean - stated).abs() > SCORE_ROUNDING {
                let message =
                    format!("`average_score` of {} is {}", version.name, fixed(stated, 2));
                let assumed = format!("the mean of its gradings is {}", fixed(mean, 2));
                problems.push(
                    Problem::new(Code::ScoreMean, &history.path, message)
                        .at(version.score_place)
                        .assuming(assumed)
                        .help("write the mean of the overall scores"),
                );
            }
        }
    }
    problems
}
