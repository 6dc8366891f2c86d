//! Runs as they are found and runs as a benchmark lists them, in one shape.

use std::collections::BTreeMap;

use crate::model::{Iteration, Metrics, RecordedBenchmark, RecordedRun, Run, Tally};
use crate::text::folded_name;

/// One run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'r> {
    /// What its case is called.
    pub(super) case: &'r str,
    /// Its verdicts.
    pub(super) tally: Tally,
    /// Its pass rate: by its verdicts, else as stated.
    pub(super) rate: Option<f64>,
    /// The pass rate that is stated beside the verdicts.
    pub(super) stated: Option<f64>,
    /// Passed and total as stated.
    pub(super) stated_counts: Option<[f64; 2]>,
    /// What it cost.
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
            stated_counts: pair(recorded.passed, recorded.total),
            metrics: &run.metrics,
        }
    }

    fn of_listed(run: &'r RecordedRun) -> Self {
        let counts = pair(run.counts.passed, run.counts.total);
        let counted =
            counts.filter(|[_, total]| *total > 0.0).map(|[passed, total]| passed / total);
        let stated = run.counts.pass_rate.or(counted);
        Self {
            case: run.case_id.as_deref().or(run.case_name.as_deref()).unwrap_or_default(),
            tally: run.tally,
            rate: run.tally.pass_rate().or(stated),
            stated,
            stated_counts: counts,
            metrics: run.metrics(),
        }
    }
}

fn pair(a: Option<f64>, b: Option<f64>) -> Option<[f64; 2]> {
    Some([a?, b?])
}

/// The runs of an iteration and those that a benchmark lists, by the folded names of their
/// configurations.
#[derive(Default)]
pub(super) struct Entries<'r> {
    runs: BTreeMap<String, Vec<Entry<'r>>>,
    list: BTreeMap<String, Vec<Entry<'r>>>,
}

impl<'r> Entries<'r> {
    pub(super) fn of(iteration: &'r Iteration, benchmark: &'r RecordedBenchmark) -> Self {
        let mut found = Self::default();
        let mut folded: BTreeMap<&str, String> = BTreeMap::new();
        let mut name =
            |name: &'r str| folded.entry(name).or_insert_with(|| folded_name(name)).clone();
        for case in &iteration.cases {
            for run in &case.runs {
                let of_name = found.runs.entry(name(&run.configuration)).or_default();
                of_name.push(Entry::of_run(&case.name, run));
            }
        }
        for run in &benchmark.listed {
            if let Some(configuration) = &run.configuration {
                let of_name = found.list.entry(name(configuration)).or_default();
                of_name.push(Entry::of_listed(run));
            }
        }
        found
    }

    /// The runs of one configuration.
    pub(super) fn runs(&self, folded: &str) -> &[Entry<'r>] {
        self.runs.get(folded).map(Vec::as_slice).unwrap_or_default()
    }

    /// What the file lists of it.
    pub(super) fn list(&self, folded: &str) -> &[Entry<'r>] {
        self.list.get(folded).map(Vec::as_slice).unwrap_or_default()
    }
}
