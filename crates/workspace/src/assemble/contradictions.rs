//! Rules across documents: a plan and a grading, a benchmark and the runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::draft::copies::{have_equal_reasons, have_other_figures};
use input::model::{
    Case, Code, Expectation, Grading, Implausible, Iteration, Outcome, Problem, RecordedBenchmark,
    RecordedConfiguration, Run, Tally, Workspace, implausible_times, implausible_tokens,
    is_other_rate, mean,
};
use input::names;
use text::{cut_line, fixed, folded_name, mistyped};

/// Characters of a check in a message.
const CHECK: usize = 60;

/// Adds a problem for each contradiction between documents of `workspace`.
pub(super) fn find(workspace: &mut Workspace) {
    let mut problems = misspelt_configurations(workspace);
    problems.extend(misnamed_iterations(workspace));
    for iteration in &workspace.iterations {
        let benchmarks = iteration.benchmarks.iter();
        problems.extend(benchmarks.filter_map(|benchmark| check_benchmark(iteration, benchmark)));
        problems.extend(iteration.cases.iter().flat_map(equal_gradings));
        problems.extend(implausible_figures(iteration));
        for grading in iteration.runs().flat_map(|run| &run.gradings) {
            problems.extend(graded_twice(grading));
            problems.extend(check_overall(grading));
        }
    }
    workspace.problems.append(&mut problems);
}

/// Configurations that are likely to be a usual one with a typing error, which the workspace has too.
fn misspelt_configurations(workspace: &Workspace) -> Vec<Problem> {
    const USUAL: [&str; 6] =
        ["with_skill", "without_skill", "old_skill", "new_skill", "baseline", "candidate"];
    let iterations = workspace.iterations.iter();
    let names: BTreeSet<&String> = iterations.flat_map(|found| &found.configurations).collect();
    let mut meant = BTreeMap::new();
    for name in &names {
        let known = USUAL.iter().copied().filter(|usual| names.iter().any(|name| *name == usual));
        if names::given_skill(name).is_some() {
            continue;
        }
        if let Some(near) = mistyped(name, known) {
            meant.insert(*name, near);
        }
    }
    let mut problems = Vec::new();
    for run in workspace.iterations.iter().flat_map(Iteration::runs) {
        if let Some(near) = meant.get(&run.configuration) {
            let message = format!("`{}` is a configuration of its own", run.configuration);
            let problem = Problem::new(Code::NearMiss, &run.path, message);
            problems.push(problem.help(format!("did you mean `{near}`?")));
        }
    }
    problems
}

/// Iterations whose name is nearly one with a number: such a round has no place in the order.
fn misnamed_iterations(workspace: &Workspace) -> Vec<Problem> {
    let mut problems = Vec::new();
    for iteration in &workspace.iterations {
        let name = names::file_name(&iteration.path);
        let number: String = name.chars().filter(char::is_ascii_digit).collect();
        let is_near = mistyped(name, std::iter::once("iteration")).is_some();
        if is_near && !number.is_empty() && !names::is_iteration(name) {
            let message = format!("`{name}` is no number of a round, so its place is not known");
            let problem = Problem::new(Code::NearMiss, &iteration.path, message);
            problems.push(problem.help(format!("did you mean `iteration-{number}`?")));
        }
    }
    problems
}

/// Times and tokens of a configuration that no model has.
fn implausible_figures(iteration: &Iteration) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in &iteration.configurations {
        let cases = iteration.cases.iter();
        let runs: Vec<&Run> = cases.flat_map(|case| case.graded_runs_of(name)).collect();
        for found in [implausible_tokens(&runs), implausible_times(&runs)].into_iter().flatten() {
            let figure = match found {
                Implausible::TooFewTokens => "fewer tokens than their own answers take",
                Implausible::UnderASecond => "times under a second",
                Implausible::EqualTimes => "mostly the same time to the millisecond",
                // It takes two sides.
                Implausible::CacheOfOneSide => continue,
            };
            let message = format!("the runs of `{name}` have {figure}, which no model has");
            let mut problem = Problem::new(Code::ImplausibleFigures, &iteration.path, message)
                .assuming("no ratio of this figure is shown");
            if let Some(run) = runs.first().filter(|_| found == Implausible::UnderASecond) {
                let help = format!("`duration_ms` is in milliseconds: look at `{}`", run.path);
                problem = problem.help(help);
            }
            problems.push(problem);
        }
    }
    problems
}

/// Gradings of two configurations of a case that are equal word for word, without differing
/// figures.
fn equal_gradings(case: &Case) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, run) in case.runs.iter().enumerate() {
        let Some(grading) = run.grading() else { continue };
        let others = case.runs[..at].iter().filter(|other| {
            other.configuration != run.configuration
                && !have_other_figures(&other.metrics, &run.metrics)
        });
        let original = others
            .filter_map(Run::grading)
            .find(|other| other.same_verdicts(grading) && have_equal_reasons(other, grading));
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

/// A check that a grading lists twice, with two verdicts.
fn graded_twice(grading: &Grading) -> Option<Problem> {
    let mut verdicts: BTreeMap<&str, Outcome> = BTreeMap::new();
    for check in &grading.expectations {
        let first = *verdicts.entry(&check.text).or_insert(check.outcome);
        if check.id.is_none() && first != check.outcome && !check.text.is_empty() {
            let text = cut_line(&check.text, CHECK);
            let message = format!("`{text}` is graded twice, and the verdicts differ");
            let problem = Problem::new(Code::GradedTwice, &grading.path, message);
            let help = "keep one of them, or give each the text of its own check";
            return Some(problem.assuming("both verdicts are counted").help(help));
        }
    }
    None
}

/// The overall verdict that the expectations contradict. In the scored dialect only the required
/// ones decide.
fn check_overall(grading: &Grading) -> Option<Problem> {
    let tally = grading.tally();
    let is_marked = grading.expectations.iter().any(|check| check.required == Some(true));
    if tally.graded() == 0 || grading.is_scored && !is_marked {
        return None;
    }
    let has_failed = grading.expectations.iter().any(Expectation::fails_run);
    let derived = match grading.overall? {
        Outcome::Passed if has_failed => Outcome::Failed,
        // A check without a verdict may have decided.
        Outcome::Failed if !has_failed && tally.ungraded == 0 => Outcome::Passed,
        _ => return None,
    };
    let stated = grading.overall.unwrap_or_default().word();
    let message = format!("the overall verdict is {stated}");
    Some(
        Problem::new(Code::OverallContradicts, &grading.path, message)
            .assuming(format!("kept, although the expectations say {}", derived.word()))
            .help("let it follow from them"),
    )
}

/// Compares a recorded benchmark with the runs: their number, and each mean pass rate.
fn check_benchmark(iteration: &Iteration, benchmark: &RecordedBenchmark) -> Option<Problem> {
    let (mut differences, mut place) = (Vec::new(), None);
    if let Some([listed, graded]) = benchmark.other_number_of_runs(iteration) {
        differences.push(format!("{listed} runs ({graded} found)"));
        place = place.or(benchmark.runs_place);
    }
    for recorded in &benchmark.configurations {
        if let Some(difference) = rate_difference(iteration, recorded) {
            differences.push(difference);
            place = place.or(recorded.place);
        }
    }
    if differences.is_empty() {
        return None;
    }
    let message = format!("the recorded benchmark says {}", differences.join("; "));
    let problem = Problem::new(Code::BenchmarkMismatch, &benchmark.path, message).at(place);
    let problem = problem.assuming("the verdicts on disk were taken");
    Some(problem.help("write it again with `evalbook benchmark`"))
}

fn rate_difference(iteration: &Iteration, recorded: &RecordedConfiguration) -> Option<String> {
    let name = folded_name(&recorded.name);
    let runs = iteration.runs().filter(|run| folded_name(&run.configuration) == name);
    let tallies: Vec<Tally> = runs.map(Run::tally).collect();
    let mean = mean(tallies.iter().filter_map(|tally| tally.pass_rate()))?;
    let stated = recorded.rate()?;
    if !is_other_rate(stated, mean, tallies.into_iter().sum::<Tally>().pass_rate()) {
        return None;
    }
    let (name, stated, mean) = (&recorded.name, fixed(stated, 4), fixed(mean, 4));
    Some(format!("a pass rate of {stated} for `{name}`, where the verdicts give {mean}"))
}
