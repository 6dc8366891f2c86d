//! Runs found and runs listed in a benchmark, in one shape; and the precision with which a recorded
//! number was written.

use std::collections::BTreeMap;

use crate::model::{
    Iteration, Metrics, RecordedBenchmark, RecordedConfiguration, RecordedRun, RecordedSpread, Run,
    Tally,
};
use crate::text::folded_name;

#[derive(Clone, Copy, Debug)]
pub(super) struct RunEntry<'r> {
    pub(super) case: &'r str,
    pub(super) tally: Tally,
    /// Its pass rate: by its verdicts, else as stated.
    pub(super) rate: Option<f64>,
    /// The pass rate stated next to the verdicts.
    pub(super) stated: Option<f64>,
    pub(super) stated_counts: Option<(f64, f64)>,
    pub(super) metrics: &'r Metrics,
}

impl<'r> RunEntry<'r> {
    pub(super) fn is_graded(&self) -> bool {
        self.rate.is_some()
    }

    fn from_run(case: &'r str, run: &'r Run) -> Self {
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

    fn from_listed(run: &'r RecordedRun) -> Self {
        let stated_counts = run.counts.passed.zip(run.counts.total);
        let counted = stated_counts.filter(|(_, total)| *total > 0.0);
        let stated = run.counts.pass_rate.or(counted.map(|(passed, total)| passed / total));
        Self {
            case: run.case_id.as_deref().or(run.case_name.as_deref()).unwrap_or_default(),
            tally: run.tally,
            rate: run.tally.pass_rate().or(stated),
            stated,
            stated_counts,
            metrics: &run.metrics,
        }
    }
}

pub(super) fn graded<'a, 'r>(
    runs: &'a [RunEntry<'r>],
) -> impl Iterator<Item = &'a RunEntry<'r>> + Clone {
    runs.iter().filter(|run| run.is_graded())
}

#[derive(Clone, Default)]
pub(super) struct ConfigurationRuns<'r> {
    pub(super) runs: Vec<RunEntry<'r>>,
    pub(super) list: Vec<RunEntry<'r>>,
}

/// The runs of an iteration and those that a benchmark lists, by the folded names of their
/// configurations.
pub(super) fn targets<'r>(
    iteration: &'r Iteration,
    benchmark: &'r RecordedBenchmark,
) -> BTreeMap<String, ConfigurationRuns<'r>> {
    let mut by_name: BTreeMap<String, ConfigurationRuns<'r>> = BTreeMap::new();
    for case in &iteration.cases {
        for run in &case.runs {
            let target = by_name.entry(folded_name(&run.configuration)).or_default();
            target.runs.push(RunEntry::from_run(&case.name, run));
        }
    }
    for run in &benchmark.listed {
        if let Some(configuration) = &run.configuration {
            let target = by_name.entry(folded_name(configuration)).or_default();
            target.list.push(RunEntry::from_listed(run));
        }
    }
    by_name
}

/// Smaller differences are noise of binary numbers.
const NOISE: f64 = 1e-9;

/// Beyond this share of its value, a number of seconds or tokens is not merely rounded.
const MAX_ROUNDED_SHARE: f64 = 0.02;

/// A measure that a benchmark records for every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedMeasure {
    PassRate,
    Time,
    Tokens,
}

impl RecordedMeasure {
    pub(super) const ALL: [Self; 3] = [Self::PassRate, Self::Time, Self::Tokens];

    pub(super) fn recorded(self, configuration: &RecordedConfiguration) -> &RecordedSpread {
        match self {
            Self::PassRate => &configuration.pass_rate,
            Self::Time => &configuration.time_s,
            Self::Tokens => &configuration.tokens,
        }
    }

    /// The recorded difference of the means.
    pub(super) fn delta(self, benchmark: &RecordedBenchmark) -> Option<f64> {
        match self {
            Self::PassRate => benchmark.delta_pass_rate,
            Self::Time => benchmark.delta_seconds,
            Self::Tokens => benchmark.delta_tokens,
        }
    }

    /// The fewest decimals that this measure is written with.
    fn decimals(self) -> i32 {
        if self == Self::PassRate { 2 } else { 0 }
    }

    pub(super) fn value(self, run: &RunEntry<'_>) -> Option<f64> {
        match self {
            Self::PassRate => run.rate,
            Self::Time => run.metrics.duration_s,
            Self::Tokens => run.metrics.tokens,
        }
    }

    pub(super) fn differs(self, recorded: f64, ours: f64) -> bool {
        let half = half_unit(recorded, self.decimals());
        let least = 0.5e-4 + NOISE;
        let largest = match self {
            Self::PassRate => half,
            _ => (recorded.abs() * MAX_ROUNDED_SHARE).max(least),
        };
        (recorded - ours).abs() > half.min(largest) || !ours.is_finite()
    }

    /// Whether `recorded` is `value` rounded to the decimals it was written with.
    pub(super) fn gives(self, recorded: f64, value: f64) -> bool {
        gives(recorded, value, self.decimals())
    }

    /// Whether `recorded` is `ours` rounded more coarsely than usual for this measure: to one
    /// decimal, or to whole hundreds.
    pub(super) fn is_coarse(self, recorded: f64, ours: f64) -> bool {
        let coarsest = if self == Self::PassRate { 1 } else { -4 };
        let apart = (recorded - ours).abs();
        let is_near = apart <= recorded.abs() * 0.05;
        is_near && recorded != 0.0 && apart <= half_unit(recorded, coarsest)
    }
}

/// Whether `recorded` is `value` rounded to the decimals it was written with, at least `decimals`.
pub(super) fn gives(recorded: f64, value: f64, decimals: i32) -> bool {
    (recorded - value).abs() <= half_unit(recorded, decimals)
}

/// Half a unit of the last decimal that `value` was written with, at least of `least` decimals.
fn half_unit(value: f64, least: i32) -> f64 {
    let is_whole = |decimals: &i32| {
        let scaled = value * libm::exp10(f64::from(*decimals));
        (scaled - scaled.round()).abs() <= NOISE * scaled.abs().max(1.0)
    };
    let decimals = (least..=9).find(is_whole).unwrap_or(9);
    0.5 * libm::exp10(f64::from(-decimals)) + NOISE * value.abs().max(1.0)
}
