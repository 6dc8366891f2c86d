//! Recorded counts: runs listed, runs of each configuration, checks passed.

use std::collections::BTreeMap;

use crate::analyze::recorded::entry::Entry;
use crate::analyze::recorded::rules::Target;
use crate::analyze::recorded::{Cause, Differing, Discrepancy, Figure};
use crate::model::{Case, Iteration, RecordedBenchmark, RecordedConfiguration, RecordedRun};
use crate::text::folded_name;

/// What the aggregator of the skill-creator writes for the runs of each configuration.
const CONSTANT: f64 = 3.0;

/// Counts that are about all configurations.
pub(super) fn of_benchmark(
    iteration: &Iteration,
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let graded = iteration.runs().filter(|run| run.is_graded()).count();
    if graded == 0 {
        return Vec::new();
    }
    let whole = |figure, (recorded, ours, reasons): Differing| Discrepancy {
        figure,
        configuration: None,
        recorded,
        ours,
        is_of_list: false,
        reasons,
    };
    let listed = runs_listed(iteration, benchmark, graded);
    let each = runs_each(iteration, benchmark);
    let listed = listed.map(|found| whole(Figure::RunsListed, found));
    listed.into_iter().chain(each.map(|found| whole(Figure::RunsEach, found))).collect()
}

fn runs_listed(
    iteration: &Iteration,
    benchmark: &RecordedBenchmark,
    graded: usize,
) -> Option<Differing> {
    // An entry of the list may hold the runs of several configurations.
    let listed = benchmark.runs.map(|entries| entries.max(benchmark.listed.len()))?;
    if listed == graded {
        return None;
    }
    let all = iteration.runs().count();
    let reasons = match listed {
        0 => vec![Cause::EmptyList],
        listed if listed == all => vec![Cause::UngradedRuns { runs: all - graded }],
        _ => unlike(iteration, benchmark),
    };
    Some((listed as f64, Some(graded as f64), reasons))
}

/// Which of the graded runs are not listed, and which of those listed were not found; empty where
/// the list does not name its runs.
fn unlike(iteration: &Iteration, benchmark: &RecordedBenchmark) -> Vec<Cause> {
    let is_named = |run: &RecordedRun| {
        run.configuration.is_some() && (run.case_id.is_some() || run.case_name.is_some())
    };
    if !benchmark.listed.iter().all(is_named) {
        return Vec::new();
    }
    let graded = iteration.cases.iter().flat_map(|case| case.runs.iter().map(move |it| (case, it)));
    let graded = graded.filter(|(_, run)| run.is_graded());
    let named = graded.flat_map(|(case, run)| keys(case, &run.configuration));
    // Only of these places are asked: a list may be much longer than the runs found.
    let mut places: BTreeMap<(String, String), Vec<usize>> =
        named.map(|key| (key, Vec::new())).collect();
    for (at, run) in benchmark.listed.iter().enumerate() {
        let configuration = run.configuration.as_deref().map(folded_name).unwrap_or_default();
        for name in [&run.case_id, &run.case_name].into_iter().flatten() {
            let listed = places.get_mut(&(folded_name(name), configuration.clone()));
            listed.into_iter().for_each(|listed| listed.push(at));
        }
    }
    let mut is_left = vec![true; benchmark.listed.len()];
    let mut unlisted = 0;
    for case in &iteration.cases {
        for run in case.runs.iter().filter(|run| run.is_graded()) {
            let is_it = |at: &usize| {
                is_left[*at] && benchmark.listed[*at].run.is_none_or(|it| it == run.number)
            };
            match of_case(&places, case, &run.configuration).find(is_it) {
                Some(at) => is_left[at] = false,
                None => unlisted += 1,
            }
        }
    }
    let gone = is_left.iter().filter(|is_left| **is_left).count();
    let unlisted = (unlisted > 0).then_some(Cause::Unlisted { runs: unlisted });
    let gone = (gone > 0).then_some(Cause::Gone { runs: gone });
    unlisted.into_iter().chain(gone).collect()
}

/// Where the runs of `case` under `configuration` are listed, by any of its names.
fn of_case(
    places: &BTreeMap<(String, String), Vec<usize>>,
    case: &Case,
    configuration: &str,
) -> impl Iterator<Item = usize> {
    keys(case, configuration).into_iter().filter_map(|key| places.get(&key)).flatten().copied()
}

/// What the runs of `case` under `configuration` may be listed by.
fn keys(case: &Case, configuration: &str) -> Vec<(String, String)> {
    let names = [case.id.as_deref(), Some(case.name.as_str()), Some(case.folder.as_str())];
    names
        .into_iter()
        .flatten()
        .map(|name| (folded_name(name), folded_name(configuration)))
        .collect()
}

fn runs_each(iteration: &Iteration, benchmark: &RecordedBenchmark) -> Option<Differing> {
    let stated = benchmark.runs_per_configuration?;
    let mut by_configuration: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for case in &iteration.cases {
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        for run in case.runs.iter().filter(|run| run.is_graded()) {
            *here.entry(&run.configuration).or_default() += 1;
        }
        here.into_iter()
            .for_each(|(name, runs)| by_configuration.entry(name).or_default().push(runs));
    }
    let most = by_configuration.values().flatten().copied().max()? as f64;
    let in_all = |runs: &Vec<usize>| runs.iter().sum::<usize>() as f64 == stated;
    let reasons = match stated {
        CONSTANT => vec![Cause::Constant],
        _ if by_configuration.values().any(in_all) => vec![Cause::RunsInAll],
        _ => Vec::new(),
    };
    (stated != most).then_some((stated, Some(most), reasons))
}

/// Checks passed, and checks in all, of one configuration.
pub(super) fn of_configuration(
    target: Target<'_>,
    recorded: &RecordedConfiguration,
) -> Vec<(Figure, Differing)> {
    let (Some(passed), Some(total)) = (recorded.passed, recorded.total) else {
        return Vec::new();
    };
    let Some(ours) = verdicts(target.runs, false) else {
        return Vec::new();
    };
    let reasons = reasons_of_counts(target, [passed, total]);
    let both = [(Figure::Passed, passed, ours[0]), (Figure::Total, total, ours[1])];
    let differing = both.into_iter().filter(|(_, stated, ours)| stated != ours);
    differing
        .map(|(figure, stated, ours)| (figure, (stated, Some(ours), reasons.clone())))
        .collect()
}

/// Passed and graded verdicts, or passed and all; `None` without any.
fn verdicts(runs: &[Entry<'_>], with_ungraded: bool) -> Option<[f64; 2]> {
    let total =
        |run: &Entry<'_>| if with_ungraded { run.tally.total() } else { run.tally.graded() };
    let counts = runs.iter().map(|run| [run.tally.passed as f64, total(run) as f64]);
    sum(counts).filter(|[_, total]| *total > 0.0)
}

fn sum(counts: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 2]> {
    counts.reduce(|a, b| [a[0] + b[0], a[1] + b[1]])
}

fn reasons_of_counts(target: Target<'_>, stated: [f64; 2]) -> Vec<Cause> {
    let graded: Vec<&Entry<'_>> = target.runs.iter().filter(|run| run.is_graded()).collect();
    let whole = graded.iter().filter(|run| run.tally.failed + run.tally.ungraded == 0).count();
    let of_summaries = |runs: &[Entry<'_>]| sum(runs.iter().filter_map(|run| run.stated_counts));
    let is_wrong = |run: &&Entry<'_>| {
        run.stated_counts.is_some_and(|[passed, total]| {
            passed != run.tally.passed as f64 || total != run.tally.graded() as f64
        })
    };
    let wrong = target.runs.iter().filter(is_wrong).count();
    let listed = target.list.len();
    let of_list = match listed == graded.len() {
        true => Cause::OtherFigures,
        false => Cause::OtherRuns { listed, found: graded.len() },
    };
    let rules = [
        (Cause::UngradedAsFailed, verdicts(target.runs, true)),
        (Cause::WholeRuns, Some([whole as f64, graded.len() as f64])),
        (Cause::SummariesContradict { runs: wrong }, of_summaries(target.runs)),
        (of_list.clone(), of_summaries(target.list)),
        (of_list, verdicts(target.list, false)),
    ];
    let found = rules.into_iter().find(|(_, counts)| *counts == Some(stated));
    found.map(|(reason, _)| reason).into_iter().collect()
}
