//! Recorded results of iterations without verdicts of their own.

use std::collections::BTreeMap;

use crate::analyze::find_baseline;
use input::model::{
    Case, Iteration, RecordedBenchmark, RecordedCounts, RecordedRun, Run, Tally, Workspace,
};
use input::names;
use input::settings::Settings;
use statistics::mean;
use text::folded_name;

/// The results in one file for an iteration without verdicts of its own.
pub(crate) struct RecordedFile<'a> {
    /// The file name, or the path if several files share the name.
    pub(crate) name: &'a str,
    pub(crate) runs: usize,
    pub(crate) verdicts: usize,
    /// The verdicts by configuration, else the stated rates, in the order written.
    pub(crate) rates: Vec<(Option<&'a str>, RecordedRate)>,
}

pub(crate) enum RecordedRate {
    /// Passed and total, by the verdicts of the listed runs, else as stated.
    Counts(f64, f64),
    Share(f64),
}

impl RecordedRate {
    /// In 0..=1; `None` of no check.
    pub(crate) fn share(&self) -> Option<f64> {
        match *self {
            Self::Counts(passed, total) if total > 0.0 => Some(passed / total),
            Self::Counts(..) => None,
            Self::Share(share) => Some(share),
        }
    }
}

/// The files with results for an iteration in which no run has a verdict.
pub(crate) fn recorded_files(iteration: &Iteration) -> Vec<RecordedFile<'_>> {
    if iteration.runs().any(Run::is_graded) {
        return Vec::new();
    }
    let mut name_counts: BTreeMap<&str, usize> = BTreeMap::new();
    for benchmark in &iteration.benchmarks {
        *name_counts.entry(names::file_name(&benchmark.path)).or_default() += 1;
    }
    let mut files = Vec::new();
    for benchmark in &iteration.benchmarks {
        let RecordedBenchmark { path, listed, .. } = benchmark;
        let verdicts: usize = listed.iter().map(|run| run.tally.graded()).sum();
        // Summaries are often copied from an earlier file, so the verdicts themselves come first.
        let rates = if verdicts > 0 {
            verdicts_by_configuration(benchmark)
        } else {
            stated_rates(benchmark)
        };
        if listed.is_empty() && rates.is_empty() {
            continue;
        }
        let mut name = names::file_name(path);
        if name_counts[name] > 1 {
            name = path;
        }
        files.push(RecordedFile { name, runs: listed.len(), verdicts, rates });
    }
    files
}

fn stated_rates(benchmark: &RecordedBenchmark) -> Vec<(Option<&str>, RecordedRate)> {
    let mut rates = Vec::new();
    for configuration in &benchmark.configurations {
        let rate = match (configuration.passed, configuration.total) {
            (Some(passed), Some(total)) => RecordedRate::Counts(passed, total),
            _ => match configuration.pass_rate.mean {
                Some(share) => RecordedRate::Share(share),
                None => continue,
            },
        };
        // The only side of a benchmark may have no name.
        let name = Some(configuration.name.as_str()).filter(|name| !name.is_empty());
        rates.push((name, rate));
    }
    rates
}

fn verdicts_by_configuration(benchmark: &RecordedBenchmark) -> Vec<(Option<&str>, RecordedRate)> {
    let mut tallies: Vec<(Option<&str>, Tally)> = Vec::new();
    let mut indices = BTreeMap::new();
    for run in benchmark.listed.iter().filter(|run| run.tally.graded() > 0) {
        let name = run.configuration.as_deref();
        let at = *indices.entry(name).or_insert(tallies.len());
        if at == tallies.len() {
            tallies.push((name, Tally::default()));
        }
        tallies[at].1.add(run.tally);
    }
    let mut rates = Vec::new();
    for (name, tally) in tallies {
        rates.push((name, RecordedRate::Counts(tally.passed as f64, tally.graded() as f64)));
    }
    rates
}

/// The recorded rates of an iteration without verdicts of its own.
pub(crate) struct RecordedRound<'a> {
    pub(crate) iteration: usize,
    pub(crate) candidate: RecordedSide<'a>,
    /// The side with a usual name of a baseline; `None` without one.
    pub(crate) baseline: Option<RecordedSide<'a>>,
}

impl RecordedRound<'_> {
    /// The recorded gain in -1..=1; `None` for a single side.
    pub(crate) fn gain(&self) -> Option<f64> {
        Some(self.candidate.rate.share()? - self.baseline.as_ref()?.rate.share()?)
    }
}

pub(crate) struct RecordedSide<'a> {
    pub(crate) name: &'a str,
    pub(crate) rate: RecordedRate,
}

/// The iterations with recorded rates, by the first file that has some.
pub(crate) fn recorded_rounds(workspace: &Workspace) -> Vec<RecordedRound<'_>> {
    let mut rounds = Vec::new();
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let mut files = recorded_files(iteration).into_iter();
        if let Some(file) = files.find(|file| !file.rates.is_empty()) {
            rounds.extend(recorded_round(index, file.rates));
        }
    }
    rounds
}

fn recorded_round<'a>(
    iteration: usize,
    rates: Vec<(Option<&'a str>, RecordedRate)>,
) -> Option<RecordedRound<'a>> {
    let names: Vec<String> = rates.iter().filter_map(|(name, _)| Some((*name)?.into())).collect();
    let known = find_baseline(&names, &Settings::default());
    let (mut candidate, mut baseline) = (None, None);
    for (name, rate) in rates {
        let side = RecordedSide { name: name.unwrap_or_default(), rate };
        if known.as_deref() == Some(side.name) {
            baseline = Some(side);
        } else if candidate.is_none() {
            candidate = Some(side);
        }
    }
    Some(RecordedRound { iteration, candidate: candidate?, baseline })
}

/// A case of a recorded round, with what is recorded of the runs of both sides.
pub(crate) struct RecordedCase<'a> {
    pub(crate) name: &'a str,
    /// Its place in the iteration; `None` where only a benchmark names it.
    pub(crate) case: Option<usize>,
    pub(crate) candidate: Option<RecordedRate>,
    pub(crate) baseline: Option<RecordedRate>,
}

impl RecordedCase<'_> {
    /// The recorded gain in -1..=1; `None` without both sides.
    pub(crate) fn gain(&self) -> Option<f64> {
        Some(self.candidate.as_ref()?.share()? - self.baseline.as_ref()?.share()?)
    }
}

/// The cases of a recorded round, the largest fall first: those of runs whose gradings have only counts,
/// else those that a benchmark lists; empty without any.
pub(crate) fn recorded_cases<'a>(
    workspace: &'a Workspace,
    round: &RecordedRound<'_>,
) -> Vec<RecordedCase<'a>> {
    let iteration = &workspace.iterations[round.iteration];
    let candidate = round.candidate.name;
    let baseline = round.baseline.as_ref().map(|side| side.name);
    let mut cases = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        cases.push(RecordedCase {
            name: &case.name,
            case: Some(at),
            candidate: recorded_rate(case, candidate),
            baseline: baseline.and_then(|name| recorded_rate(case, name)),
        });
    }
    cases.retain(has_rate);
    if cases.is_empty() {
        cases = listed_cases(&iteration.benchmarks, candidate, baseline);
    }
    cases.sort_by(|a, b| {
        let [a, b] = [a, b].map(|case| case.gain().unwrap_or(f64::INFINITY));
        a.total_cmp(&b)
    });
    cases
}

/// What gradings without verdicts say of the runs of a configuration; `None` where they say nothing.
pub(crate) fn recorded_rate(case: &Case, configuration: &str) -> Option<RecordedRate> {
    // Benchmarks spell `with_skill` as `with-skill` and `With Skill` too.
    let wanted = folded_name(configuration);
    let runs = case.runs.iter().filter(|run| folded_name(&run.configuration) == wanted);
    rate(runs.filter(|run| !run.is_graded()).filter_map(|run| Some(run.grading()?.recorded)))
}

/// The cases that the first benchmark with any lists, in its order.
fn listed_cases<'a>(
    benchmarks: &'a [RecordedBenchmark],
    candidate: &str,
    baseline: Option<&str>,
) -> Vec<RecordedCase<'a>> {
    for RecordedBenchmark { listed, .. } in benchmarks {
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        let mut sides: Vec<(&str, [Vec<RecordedCounts>; 2])> = Vec::new();
        for run in listed {
            let Some(name) = case_name(run) else { continue };
            let at = *positions.entry(name).or_insert(sides.len());
            if at == sides.len() {
                sides.push((name, Default::default()));
            }
            let configuration = run.configuration.as_deref();
            if configuration == Some(candidate) {
                sides[at].1[0].push(run.counts);
            } else if configuration.is_some() && configuration == baseline {
                sides[at].1[1].push(run.counts);
            }
        }
        let mut cases = Vec::new();
        for (name, runs) in sides {
            let [candidate, baseline] = runs.map(|runs| rate(runs.into_iter()));
            cases.push(RecordedCase { name, case: None, candidate, baseline });
        }
        cases.retain(has_rate);
        if !cases.is_empty() {
            return cases;
        }
    }
    Vec::new()
}

fn has_rate(case: &RecordedCase<'_>) -> bool {
    case.candidate.is_some() || case.baseline.is_some()
}

fn case_name(run: &RecordedRun) -> Option<&str> {
    run.case_name.as_deref().or(run.case_id.as_deref())
}

/// The counts of several runs together, else the mean of their rates.
fn rate(counts: impl Iterator<Item = RecordedCounts>) -> Option<RecordedRate> {
    let (mut passed, mut total) = (0.0, 0.0);
    let mut shares = Vec::new();
    for counts in counts {
        if let (Some(own), Some(all)) = (counts.passed, counts.total) {
            passed += own;
            total += all;
        } else {
            shares.extend(counts.pass_rate);
        }
    }
    if total > 0.0 {
        return Some(RecordedRate::Counts(passed, total));
    }
    mean(&shares).map(RecordedRate::Share)
}

/// The number of runs whose gradings have only counts, if no run of the iteration has a verdict.
pub(crate) fn recorded_counts(iteration: &Iteration) -> usize {
    if iteration.runs().any(Run::is_graded) {
        return 0;
    }
    // The verdicts of a run that was lost are none, and no counts either.
    let gradings = iteration.runs().filter_map(Run::grading);
    let without_verdicts = gradings.filter(|grading| grading.expectations.is_empty());
    let counted = without_verdicts.filter_map(|grading| grading.recorded.total);
    counted.filter(|total| *total > 0.0).count()
}

/// Whether nothing in the workspace has a verdict, but figures are recorded.
pub(crate) fn is_only_recorded(workspace: &Workspace) -> bool {
    if workspace.iterations.iter().flat_map(Iteration::runs).any(Run::is_graded) {
        return false;
    }
    workspace.iterations.iter().any(has_recorded_results)
}

fn has_recorded_results(iteration: &Iteration) -> bool {
    !recorded_files(iteration).is_empty() || recorded_counts(iteration) > 0
}
