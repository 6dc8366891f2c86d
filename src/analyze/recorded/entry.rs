//! Runs as they are found and runs as a benchmark lists them, in one shape.

use std::collections::BTreeMap;

use crate::model::{Iteration, Metrics, RecordedBenchmark, RecordedRun, Run, Tally};
use crate::text::folded_name;

/// One run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'r> {
    /// What its case is called.
    pub(super) case: &'r str,
    pub(super) tally: Tally,
    /// Its pass rate: by its verdicts, else as stated.
    pub(super) rate: Option<f64>,
    /// The pass rate that is stated beside the verdicts.
    pub(super) stated: Option<f64>,
    /// Passed and total as stated.
    pub(super) stated_counts: Option<(f64, f64)>,
    pub(super) metrics: &'r Metrics,
}

impl<'r> Entry<'r> {
    /// Whether anything is known of how much it passed.
    pub(super) fn is_graded(&self) -> bool {
        self.rate.is_some()
    }

    fn of_run(case: &'r str, run: &'r Run) -> Self {
        let recorded = run.grading().map(|grading| grading.recorded).unwrap_or_default();
        Self {
            case,
            tally: run.tally(),
            rate: run.tally().pass_rate(),
            stated: recorded.pass_rate,
            stated_counts: recorded.passed.zip(recorded.total),
            metrics: &run.metrics,
        }
    }

    fn of_listed(run: &'r RecordedRun) -> Self {
        let stated_counts = run.counts.passed.zip(run.counts.total);
        let counted = stated_counts.filter(|(_, total)| *total > 0.0);
        let stated = run.counts.pass_rate.or(counted.map(|(passed, total)| passed / total));
        Self {
            case: run.case_id.as_deref().or(run.case_name.as_deref()).unwrap_or_default(),
            tally: run.tally,
            rate: run.tally.pass_rate().or(stated),
            stated,
            stated_counts,
            metrics: run.metrics(),
        }
    }
}

/// The graded ones of `runs`.
pub(super) fn graded<'a, 'r>(runs: &'a [Entry<'r>]) -> impl Iterator<Item = &'a Entry<'r>> + Clone {
    runs.iter().filter(|run| run.is_graded())
}

/// What a recorded figure of a configuration is held against.
#[derive(Clone, Default)]
pub(super) struct Target<'r> {
    /// The runs found.
    pub(super) runs: Vec<Entry<'r>>,
    /// The runs that the file lists.
    pub(super) list: Vec<Entry<'r>>,
}

/// The runs of an iteration and those that a benchmark lists, by the folded names of their
/// configurations.
pub(super) fn targets<'r>(
    iteration: &'r Iteration,
    benchmark: &'r RecordedBenchmark,
) -> BTreeMap<String, Target<'r>> {
    let mut found: BTreeMap<String, Target<'r>> = BTreeMap::new();
    for case in &iteration.cases {
        for run in &case.runs {
            let target = found.entry(folded_name(&run.configuration)).or_default();
            target.runs.push(Entry::of_run(&case.name, run));
        }
    }
    for run in &benchmark.listed {
        if let Some(configuration) = &run.configuration {
            let target = found.entry(folded_name(configuration)).or_default();
            target.list.push(Entry::of_listed(run));
        }
    }
    found
}
