//! Recorded counts: runs listed, runs of each configuration, checks passed.

use std::collections::BTreeMap;

use crate::analyze::recorded::entry::{ConfigurationRuns, RunEntry, graded};
use crate::analyze::recorded::rules::list_cause;
use crate::analyze::{Cause, Discrepancy, RecordedFigure};
use crate::model::{Case, Iteration, RecordedBenchmark, RecordedConfiguration, RecordedRun, Run};
use crate::text::folded_name;

/// The count that the aggregator of the skill-creator writes for every configuration.
const CONSTANT_RUNS: f64 = 3.0;

fn graded_runs(iteration: &Iteration) -> impl Iterator<Item = (&Case, &Run)> + Clone {
    let all = iteration.cases.iter().flat_map(|case| case.runs.iter().map(move |run| (case, run)));
    all.filter(|(_, run)| run.is_graded())
}

/// The number of runs listed, if it is not that of the graded runs.
pub(super) fn runs_listed(
    iteration: &Iteration,
    benchmark: &RecordedBenchmark,
) -> Option<Discrepancy> {
    let (graded, total) = (graded_runs(iteration).count(), iteration.runs().count());
    // An entry of the list may hold the runs of several configurations.
    let listed = benchmark.runs?.max(benchmark.listed.len());
    let reasons = match listed {
        _ if graded == 0 || listed == graded => return None,
        0 => vec![Cause::EmptyList],
        _ if listed == total => vec![Cause::UngradedRuns { runs: total - graded }],
        _ => other_runs(iteration, &benchmark.listed),
    };
    Some(Discrepancy::new(RecordedFigure::RunsListed, listed as f64, Some(graded as f64), reasons))
}

/// Graded runs that are not listed, and listed ones that were not found; empty where the list does
/// not name its runs.
fn other_runs(iteration: &Iteration, list: &[RecordedRun]) -> Vec<Cause> {
    let is_named = |run: &RecordedRun| {
        run.configuration.is_some() && (run.case_id.is_some() || run.case_name.is_some())
    };
    if !list.iter().all(is_named) {
        return Vec::new();
    }
    // Only these places are indexed: a list may be much longer than the runs found.
    let mut places: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (case, run) in graded_runs(iteration) {
        places.extend(keys(case, run).map(|key| (key, Vec::new())));
    }
    for (at, run) in list.iter().enumerate() {
        let configuration = run.configuration.as_deref().map(folded_name).unwrap_or_default();
        for name in [&run.case_id, &run.case_name].into_iter().flatten() {
            if let Some(listed) = places.get_mut(&(folded_name(name), configuration.clone())) {
                listed.push(at);
            }
        }
    }
    let mut is_left = vec![true; list.len()];
    let mut unlisted = 0;
    for (case, run) in graded_runs(iteration) {
        let mut listed = keys(case, run).filter_map(|key| places.get(&key)).flatten();
        match listed.find(|at| {
            is_left[**at] && list[**at].run.is_none_or(|recorded| recorded == run.number)
        }) {
            Some(at) => is_left[*at] = false,
            None => unlisted += 1,
        }
    }
    let gone = is_left.iter().filter(|is_left| **is_left).count();
    let unlisted = (unlisted > 0).then_some(Cause::Unlisted { runs: unlisted });
    let gone = (gone > 0).then_some(Cause::Gone { runs: gone });
    unlisted.into_iter().chain(gone).collect()
}

/// The names that a run may be listed by: those of its case, with its configuration.
fn keys(case: &Case, run: &Run) -> impl Iterator<Item = (String, String)> {
    let names = [case.id.as_deref(), Some(case.name.as_str()), Some(case.folder.as_str())];
    let configuration = folded_name(&run.configuration);
    names.into_iter().flatten().map(move |name| (folded_name(name), configuration.clone()))
}

/// Recorded runs per case of each configuration.
pub(super) fn runs_each(
    iteration: &Iteration,
    benchmark: &RecordedBenchmark,
) -> Option<Discrepancy> {
    let stated = benchmark.runs_per_configuration?;
    let mut in_all: BTreeMap<&str, usize> = BTreeMap::new();
    let mut most = 0;
    for case in &iteration.cases {
        let mut runs_in_case: BTreeMap<&str, usize> = BTreeMap::new();
        for run in case.runs.iter().filter(|run| run.is_graded()) {
            *runs_in_case.entry(&run.configuration).or_default() += 1;
            *in_all.entry(&run.configuration).or_default() += 1;
        }
        most = most.max(runs_in_case.into_values().max().unwrap_or(0));
    }
    let reasons = match stated {
        _ if most == 0 || stated == most as f64 => return None,
        CONSTANT_RUNS => vec![Cause::Constant],
        _ if in_all.values().any(|runs| *runs as f64 == stated) => vec![Cause::RunsInAll],
        _ => Vec::new(),
    };
    Some(Discrepancy::new(RecordedFigure::RunsEach, stated, Some(most as f64), reasons))
}

pub(super) fn configuration_counts(
    target: &ConfigurationRuns<'_>,
    recorded: &RecordedConfiguration,
) -> Vec<Discrepancy> {
    let stated = recorded.passed.zip(recorded.total);
    let Some((stated, ours)) = stated.zip(verdicts(&target.runs, false)) else {
        return Vec::new();
    };
    let figures =
        [(RecordedFigure::Passed, stated.0, ours.0), (RecordedFigure::Total, stated.1, ours.1)];
    let differing = figures.into_iter().filter(|(_, stated, ours)| stated != ours);
    differing
        .map(|(figure, recorded, ours)| {
            Discrepancy::new(figure, recorded, Some(ours), explain_counts(target, stated))
        })
        .collect()
}

/// Passed and graded verdicts, or passed and all; `None` without any.
fn verdicts(runs: &[RunEntry<'_>], with_ungraded: bool) -> Option<(f64, f64)> {
    let total =
        |run: &RunEntry<'_>| if with_ungraded { run.tally.total() } else { run.tally.graded() };
    let counts = runs.iter().map(|run| (run.tally.passed as f64, total(run) as f64));
    sum(counts).filter(|(_, total)| *total > 0.0)
}

fn sum(counts: impl Iterator<Item = (f64, f64)>) -> Option<(f64, f64)> {
    counts.reduce(|a, b| (a.0 + b.0, a.1 + b.1))
}

fn explain_counts(target: &ConfigurationRuns<'_>, stated: (f64, f64)) -> Vec<Cause> {
    let ConfigurationRuns { runs, list } = target;
    let whole = graded(runs).filter(|run| run.tally.passed == run.tally.total()).count();
    let stated_sum = |runs: &[RunEntry<'_>]| sum(runs.iter().filter_map(|run| run.stated_counts));
    let own_counts = |run: &RunEntry<'_>| (run.tally.passed as f64, run.tally.graded() as f64);
    let is_wrong =
        |run: &&RunEntry<'_>| run.stated_counts.is_some_and(|count| count != own_counts(run));
    let wrong = runs.iter().filter(is_wrong).count();
    let rules = [
        (Cause::UngradedAsFailed, verdicts(runs, true)),
        (Cause::WholeRuns, Some((whole as f64, graded(runs).count() as f64))),
        (Cause::SummariesContradict { runs: wrong }, stated_sum(runs)),
        (list_cause(target), stated_sum(list)),
        (list_cause(target), verdicts(list, false)),
    ];
    let rule = rules.into_iter().find(|(_, counts)| *counts == Some(stated));
    rule.map(|(reason, _)| reason).into_iter().collect()
}
