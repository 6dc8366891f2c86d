//! Runs as they are found and runs as a benchmark lists them, in one shape.

use crate::analyze::recorded::fold;
use crate::model::{Iteration, Metrics, RecordedBenchmark, RecordedRun, Run, Tally};

/// One run.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    /// What its case is called.
    pub(super) case: String,
    /// Its verdicts.
    pub(super) tally: Tally,
    /// Its pass rate: by its verdicts, else as stated.
    pub(super) rate: Option<f64>,
    /// The pass rate that is stated beside the verdicts.
    pub(super) stated: Option<f64>,
    /// Passed and total as stated.
    pub(super) stated_counts: Option<[f64; 2]>,
    /// What it cost.
    pub(super) metrics: Metrics,
}

impl Entry {
    /// Whether anything is known of how much it passed.
    pub(super) fn is_graded(&self) -> bool {
        self.rate.is_some()
    }

    fn of_run(case: &str, run: &Run) -> Self {
        let recorded = run.grading().map(|grading| grading.recorded).unwrap_or_default();
        Self {
            case: case.to_owned(),
            tally: run.tally(),
            rate: run.tally().pass_rate(),
            stated: recorded.pass_rate,
            stated_counts: pair(recorded.passed, recorded.total),
            metrics: run.metrics.clone(),
        }
    }

    fn of_listed(run: &RecordedRun) -> Self {
        let counts = pair(run.counts.passed, run.counts.total);
        let counted =
            counts.filter(|[_, total]| *total > 0.0).map(|[passed, total]| passed / total);
        let stated = run.counts.pass_rate.or(counted);
        Self {
            case: run.case_id.clone().or_else(|| run.case_name.clone()).unwrap_or_default(),
            tally: run.tally,
            rate: run.tally.pass_rate().or(stated),
            stated,
            stated_counts: counts,
            metrics: run.metrics.clone(),
        }
    }
}

fn pair(a: Option<f64>, b: Option<f64>) -> Option<[f64; 2]> {
    Some([a?, b?])
}

/// The runs of the configuration whose folded name is `name`.
pub(super) fn of_runs(iteration: &Iteration, name: &str) -> Vec<Entry> {
    let of_case = |case: &crate::model::Case| {
        let runs = case.runs.iter().filter(|run| fold(&run.configuration) == name);
        runs.map(|run| Entry::of_run(&case.name, run)).collect::<Vec<_>>()
    };
    iteration.cases.iter().flat_map(of_case).collect()
}

/// What the file lists of that configuration.
pub(super) fn of_list(benchmark: &RecordedBenchmark, name: &str) -> Vec<Entry> {
    let is_it =
        |run: &&RecordedRun| run.configuration.as_deref().is_some_and(|it| fold(it) == name);
    benchmark.listed.iter().filter(is_it).map(Entry::of_listed).collect()
}
