//! The runs found and the runs that a benchmark lists, in one shape.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::RecordedMeasure;
use input::model::{Iteration, Metrics, RecordedBenchmark, RecordedRun, Run, Tally};
use text::folded_name;

#[derive(Clone, Copy, Debug)]
pub(super) struct RunFigures<'r> {
    pub(super) tally: Tally,
    /// Its pass rate: by its verdicts, else as stated.
    pub(super) rate: Option<f64>,
    pub(super) metrics: &'r Metrics,
}

impl<'r> RunFigures<'r> {
    pub(super) fn is_graded(&self) -> bool {
        self.rate.is_some()
    }

    /// Its value of `measure`, if it has one.
    pub(super) fn value(&self, measure: RecordedMeasure) -> Option<f64> {
        match measure {
            RecordedMeasure::PassRate => self.rate,
            RecordedMeasure::Time => self.metrics.duration_s,
            RecordedMeasure::Tokens => self.metrics.tokens,
        }
    }

    fn from_run(run: &'r Run) -> Self {
        Self { tally: run.tally(), rate: run.tally().pass_rate(), metrics: &run.metrics }
    }

    fn from_listed(run: &'r RecordedRun) -> Self {
        let counts = run.counts.passed.zip(run.counts.total);
        let counted = counts.filter(|(_, total)| *total > 0.0);
        let stated = run.counts.pass_rate.or(counted.map(|(passed, total)| passed / total));
        Self { tally: run.tally, rate: run.tally.pass_rate().or(stated), metrics: &run.metrics }
    }
}

/// The runs of one configuration.
#[derive(Clone, Default)]
pub(super) struct ConfigurationRuns<'r> {
    /// The runs found.
    pub(super) runs: Vec<RunFigures<'r>>,
    /// The runs listed in the benchmark.
    pub(super) list: Vec<RunFigures<'r>>,
    /// Whether the list is of other cases than the graded runs found.
    pub(super) has_other_cases: bool,
}

impl<'r> ConfigurationRuns<'r> {
    pub(super) fn graded(&self) -> impl Iterator<Item = &RunFigures<'r>> {
        self.runs.iter().filter(|run| run.is_graded())
    }

    /// The values behind our mean: one per graded run.
    pub(super) fn values(&self, measure: RecordedMeasure) -> Vec<f64> {
        self.graded().filter_map(|run| run.value(measure)).collect()
    }
}

/// The runs of an iteration and those that a benchmark lists, by the folded names of their
/// configurations.
pub(super) fn runs_by_configuration<'r>(
    iteration: &'r Iteration,
    benchmark: &'r RecordedBenchmark,
) -> BTreeMap<String, ConfigurationRuns<'r>> {
    let mut by_name: BTreeMap<String, ConfigurationRuns<'r>> = BTreeMap::new();
    for run in iteration.runs() {
        let found = by_name.entry(folded_name(&run.configuration)).or_default();
        found.runs.push(RunFigures::from_run(run));
    }
    for run in &benchmark.listed {
        if let Some(configuration) = &run.configuration {
            let found = by_name.entry(folded_name(configuration)).or_default();
            found.list.push(RunFigures::from_listed(run));
        }
    }
    for (name, found) in &mut by_name {
        found.has_other_cases = found.list.len() != found.graded().count()
            || lists_other_case(iteration, benchmark, name);
    }
    by_name
}

/// Whether a run is listed under the configuration of this folded name for a case that has no graded run
/// of it.
fn lists_other_case(iteration: &Iteration, benchmark: &RecordedBenchmark, name: &str) -> bool {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for case in &iteration.cases {
        let mut runs = case.runs.iter().filter(|run| folded_name(&run.configuration) == name);
        if runs.any(Run::is_graded) {
            known.extend([case.name.as_str(), case.folder.as_str()]);
            known.extend(case.id.as_deref());
        }
    }
    let mut listed = benchmark
        .listed
        .iter()
        .filter(|run| run.configuration.as_deref().is_some_and(|other| folded_name(other) == name));
    listed.any(|run| {
        let mut named = run.case_name.iter().chain(&run.case_id).peekable();
        named.peek().is_some() && !named.any(|case| known.contains(case.as_str()))
    })
}
