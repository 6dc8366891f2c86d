//! Rules across documents: a plan and a grading, a benchmark and the runs.

use std::collections::BTreeMap;

use crate::assemble::draft::copies::{have_equal_reasons, have_other_figures};
use crate::model::{
    Case, Code, Grading, Iteration, Outcome, Problem, RATE_ROUNDING, RecordedBenchmark,
    RecordedConfiguration, Run, SCORE_ROUNDING, ScoredStatement, Tally, Workspace, mean,
};
use crate::text::{fixed, folded_name};

/// Adds a problem for each contradiction between documents of `workspace`.
pub(super) fn find(workspace: &mut Workspace) {
    let mut problems = check_history(workspace);
    for iteration in &workspace.iterations {
        let benchmarks = iteration.benchmarks.iter();
        problems.extend(benchmarks.filter_map(|benchmark| check_benchmark(iteration, benchmark)));
        problems.extend(iteration.cases.iter().flat_map(equal_gradings));
        let gradings = iteration.runs().flat_map(|run| &run.gradings);
        let scored = gradings.filter_map(|grading| Some((grading, grading.scored?)));
        problems.extend(scored.flat_map(|(grading, stated)| check_scored(grading, stated)));
    }
    workspace.problems.append(&mut problems);
}

/// Gradings of two configurations of a case that are equal word for word, without differing
/// figures.
fn equal_gradings(case: &Case) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, run) in case.runs.iter().enumerate() {
        let Some(grading) = run.grading() else { continue };
        let original = case.runs[..at].iter().find_map(|other| {
            let other_grading = other.grading()?;
            let is_equal = other.configuration != run.configuration
                && !have_other_figures(&other.metrics, &run.metrics)
                && other_grading.same_verdicts(grading)
                && have_equal_reasons(other_grading, grading);
            is_equal.then_some(other_grading)
        });
        if let Some(original) = original {
            let message = format!("word for word the grading of another run, `{}`", original.path);
            problems.push(
                Problem::new(Code::EqualGradings, &grading.path, message)
                    .assuming("both are counted")
                    .help("check that neither was copied into the place of the other"),
            );
        }
    }
    problems
}

fn check_scored(grading: &Grading, stated: ScoredStatement) -> Vec<Problem> {
    let required: Vec<_> =
        grading.expectations.iter().filter(|e| e.required == Some(true)).collect();
    let mut problems = Vec::new();
    let mut problem = |code, place, message: String, assumed: String, help: &str| {
        let problem = Problem::new(code, &grading.path, message).at(Some(place));
        problems.push(problem.assuming(assumed).help(help));
    };
    let scores: Option<Vec<f64>> = required.iter().map(|e| e.score).collect();
    if let Some(((stated, place), mean)) = stated.required_score.zip(scores.and_then(mean))
        && (mean - stated).abs() > SCORE_ROUNDING
    {
        let message = format!("`required_score` is {}", fixed(stated, 2));
        let assumed = format!("the mean of the required scores is {}", fixed(mean, 2));
        problem(Code::ScoreMean, place, message, assumed, "write the mean with one decimal");
    }
    let derived = Outcome::from(required.iter().all(|e| e.outcome == Outcome::Passed));
    let overall = stated.overall.filter(|(stated, _)| *stated != derived && !required.is_empty());
    if let Some((stated, place)) = overall {
        let message = format!("`overall` says {}", stated.word());
        let assumed = format!("the required expectations say {}", derived.word());
        problem(Code::OverallContradicts, place, message, assumed, "let it follow from them");
    }
    problems
}

/// Compares a recorded benchmark with the runs: their number, and each mean pass rate.
fn check_benchmark(iteration: &Iteration, benchmark: &RecordedBenchmark) -> Option<Problem> {
    let graded = iteration.runs().filter(|run| run.is_graded()).count();
    let other = benchmark.runs.filter(|runs| graded > 0 && *runs != graded);
    let other = other.map(|runs| (format!("{runs} runs ({graded} found)"), benchmark.runs_place));
    let rates = benchmark
        .configurations
        .iter()
        .filter_map(|recorded| Some((rate_difference(iteration, recorded)?, recorded.place)));
    let (differences, places): (Vec<String>, Vec<_>) = other.into_iter().chain(rates).unzip();
    let message = format!("the recorded benchmark says {}", differences.join("; "));
    (!differences.is_empty()).then(|| {
        Problem::new(Code::BenchmarkMismatch, &benchmark.path, message)
            .at(places.into_iter().flatten().next())
            .assuming("the verdicts on disk were taken")
            .help("write it again with `evalbook benchmark`")
    })
}

fn rate_difference(iteration: &Iteration, recorded: &RecordedConfiguration) -> Option<String> {
    let name = folded_name(&recorded.name);
    let runs = iteration.runs().filter(|run| folded_name(&run.configuration) == name);
    let tallies: Vec<Tally> = runs.map(Run::tally).collect();
    let mean = mean(tallies.iter().filter_map(|tally| tally.pass_rate()))?;
    let stated = recorded.pass_rate.mean.or_else(|| Some(recorded.passed? / recorded.total?))?;
    let pooled = tallies.into_iter().sum::<Tally>().pass_rate();
    let is_same = |rate: f64| (rate - stated).abs() <= RATE_ROUNDING;
    (!is_same(mean) && !pooled.is_some_and(is_same)).then(|| {
        let (name, stated, mean) = (&recorded.name, fixed(stated, 4), fixed(mean, 4));
        format!("a pass rate of {stated} for `{name}`, where the verdicts give {mean}")
    })
}

/// Compares recorded average scores with the gradings of their versions.
fn check_history(workspace: &Workspace) -> Vec<Problem> {
    // Of several iterations with one name the first counts.
    let iterations = workspace.iterations.iter().rev();
    let named: BTreeMap<&str, &Iteration> =
        iterations.map(|iteration| (iteration.name.as_str(), iteration)).collect();
    let histories = workspace.histories.iter();
    let versions = histories
        .flat_map(|history| history.versions.iter().map(move |version| (history, version)));
    let other = versions.filter_map(|(history, version)| {
        let stated = version.average_score?;
        let mean = named.get(version.name.as_str())?.average_score()?;
        let message = format!("`average_score` of {} is {}", version.name, fixed(stated, 2));
        ((mean - stated).abs() > SCORE_ROUNDING).then(|| {
            Problem::new(Code::ScoreMean, &history.path, message)
                .at(version.score_place)
                .assuming(format!("the mean of its gradings is {}", fixed(mean, 2)))
                .help("write the mean of the overall scores")
        })
    });
    other.collect()
}
