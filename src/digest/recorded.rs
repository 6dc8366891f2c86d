//! What is only recorded of iterations without a verdict of their own.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::model::{Iteration, RecordedBenchmark, Run, Tally, Workspace};

/// What one file records of an iteration without a verdict of its own.
pub(crate) struct RecordedFile<'a> {
    /// Its name; its path where other files have that name too.
    pub(crate) name: &'a str,
    pub(crate) runs: usize,
    pub(crate) verdicts: usize,
    /// The verdicts by configuration, else the rates it states, in the order written.
    pub(crate) rates: Vec<(Option<&'a str>, RecordedRate)>,
}

pub(crate) enum RecordedRate {
    /// Passed and all, by the verdicts of the runs it lists, else as stated.
    Counts(f64, f64),
    Share(f64),
}

/// The files that record something of an iteration in which no run has a verdict.
pub(crate) fn recorded_files(iteration: &Iteration) -> Vec<RecordedFile<'_>> {
    if iteration.runs().any(Run::is_graded) {
        return Vec::new();
    }
    let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
    for benchmark in &iteration.benchmarks {
        *alike.entry(names::file_name(&benchmark.path)).or_default() += 1;
    }
    let files = iteration.benchmarks.iter().map(|benchmark| {
        let RecordedBenchmark { path, listed, configurations, .. } = benchmark;
        let name = names::file_name(path);
        let verdicts: usize = listed.iter().map(|run| run.tally.graded()).sum();
        let rates = match verdicts {
            0 => configurations
                .iter()
                .filter_map(|of| {
                    let rate = match of.passed.zip(of.total) {
                        Some((passed, total)) => RecordedRate::Counts(passed, total),
                        None => RecordedRate::Share(of.pass_rate.mean?),
                    };
                    Some((Some(&*of.name), rate))
                })
                .collect(),
            _ => verdicts_by_configuration(benchmark),
        };
        let name = if alike[name] > 1 { path.as_str() } else { name };
        RecordedFile { name, runs: listed.len(), verdicts, rates }
    });
    files.filter(|file| file.runs > 0 || !file.rates.is_empty()).collect()
}

fn verdicts_by_configuration(benchmark: &RecordedBenchmark) -> Vec<(Option<&str>, RecordedRate)> {
    let mut found: Vec<(Option<&str>, Tally)> = Vec::new();
    let mut places = BTreeMap::new();
    for run in benchmark.listed.iter().filter(|run| run.tally.graded() > 0) {
        let name = run.configuration.as_deref();
        let at = *places.entry(name).or_insert_with(|| {
            found.push((name, Tally::default()));
            found.len() - 1
        });
        found[at].1.add(run.tally);
    }
    let rate = |tally: Tally| RecordedRate::Counts(tally.passed as f64, tally.graded() as f64);
    found.into_iter().map(|(name, tally)| (name, rate(tally))).collect()
}

/// How many runs of an iteration without a verdict have gradings that hold counts alone.
pub(crate) fn recorded_counts(iteration: &Iteration) -> usize {
    if iteration.runs().any(Run::is_graded) {
        return 0;
    }
    let counted = iteration.runs().filter_map(|run| run.grading()?.recorded.total);
    counted.filter(|total| *total > 0.0).count()
}

/// Whether nothing in the workspace has a verdict, but figures are recorded.
pub(crate) fn is_only_recorded(workspace: &Workspace) -> bool {
    let mut all = workspace.iterations.iter();
    !all.clone().flat_map(Iteration::runs).any(Run::is_graded)
        && all.any(|found| !recorded_files(found).is_empty() || recorded_counts(found) > 0)
}
