//! Figures of recorded benchmarks that differ from those of the runs beyond rounding, and why.
//!
//! A cause is only given when its rule yields the recorded number. Only those that people look for are
//! here: a sign that is turned, runs without a verdict that count as 0, and other cases.

mod listed_runs;
mod measure;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use crate::analyze::discrepancies::measure::RecordedMeasure;

use crate::analyze::IterationAnalysis;
use crate::analyze::discrepancies::listed_runs::{
    ConfigurationRuns, RunFigures, runs_by_configuration,
};
use input::model::{Iteration, RecordedBenchmark, RecordedConfiguration, Tally, is_other_rate};
use statistics::mean;
use text::folded_name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedFigure {
    Mean(RecordedMeasure),
    /// Candidate minus baseline.
    Delta(RecordedMeasure),
    RunsListed,
}

/// Why a recorded figure differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The recorded difference is `first` minus `second`, the baseline minus the candidate. The
    /// aggregator of the skill-creator takes the first folder as the candidate.
    SignTurned { first: String, second: String },
    /// Runs or checks without a verdict count as failed.
    UngradedAsZero,
    /// It follows from the file's own list of runs, which is of other cases: this many are listed, this
    /// many with verdicts were found.
    OtherCases { listed: usize, found: usize },
}

/// A recorded figure that differs from ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrepancy {
    pub figure: RecordedFigure,
    /// The configuration, as the file names it; `None` where it is about all.
    pub configuration: Option<String>,
    pub recorded: f64,
    pub ours: f64,
    /// Whether ours is from the file's own list of runs, since no graded run was found.
    pub is_of_list: bool,
    /// `None` where no rule yields the recorded figure.
    pub cause: Option<Cause>,
}

impl Discrepancy {
    fn new(figure: RecordedFigure, recorded: f64, ours: f64, cause: Option<Cause>) -> Self {
        Self { figure, configuration: None, recorded, ours, is_of_list: false, cause }
    }
}

/// For each recorded benchmark of `iteration` the figures that differ.
pub(super) fn find_discrepancies(
    iteration: &Iteration,
    analysis: &IterationAnalysis,
) -> Vec<Vec<Discrepancy>> {
    let sides = match (analysis.candidate(), analysis.baseline()) {
        (Some(candidate), Some(baseline)) => Some([&*candidate.name, &*baseline.name]),
        _ => None,
    };
    let benchmarks = iteration.benchmarks.iter();
    benchmarks.map(|benchmark| compare_benchmark(iteration, sides, benchmark)).collect()
}

/// The figures of `benchmark` that differ from the runs of `iteration`; `sides` are its candidate
/// and its baseline.
fn compare_benchmark(
    iteration: &Iteration,
    sides: Option<[&str; 2]>,
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let mut differing = Vec::new();
    if let Some([listed, graded]) = benchmark.other_number_of_runs(iteration) {
        let [listed, graded] = [listed, graded].map(|runs| runs as f64);
        differing.push(Discrepancy::new(RecordedFigure::RunsListed, listed, graded, None));
    }
    let runs = runs_by_configuration(iteration, benchmark);
    for recorded in &benchmark.configurations {
        let found = runs.get(&folded_name(&recorded.name)).cloned().unwrap_or_default();
        differing.extend(compare_configuration(found, recorded));
    }
    if let Some(sides) = sides {
        differing.extend(compare_deltas(&runs, sides, benchmark));
    }
    differing
}

fn compare_configuration(
    found: ConfigurationRuns<'_>,
    recorded: &RecordedConfiguration,
) -> Vec<Discrepancy> {
    // Of many old iterations only the benchmark was kept. It should at least agree with itself.
    let is_of_list = !found.runs.iter().any(RunFigures::is_graded);
    let found = if is_of_list {
        ConfigurationRuns { runs: found.list, ..Default::default() }
    } else {
        found
    };
    let mut differing = Vec::new();
    for measure in RecordedMeasure::ALL {
        differing.extend(compare_mean(&found, measure, recorded));
    }
    for discrepancy in &mut differing {
        discrepancy.configuration = Some(recorded.name.clone());
        discrepancy.is_of_list = is_of_list;
    }
    differing
}

fn compare_mean(
    found: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    recorded: &RecordedConfiguration,
) -> Option<Discrepancy> {
    let (stated, ours) = (measure.recorded(recorded)?, mean(&found.values(measure))?);
    let pooled = found.runs.iter().map(|run| run.tally).sum::<Tally>().pass_rate();
    let is_pooled = measure == RecordedMeasure::PassRate && !is_other_rate(stated, ours, pooled);
    if is_pooled || !measure.differs(stated, ours) {
        return None;
    }
    let cause = cause_of(found, measure, stated);
    Some(Discrepancy::new(RecordedFigure::Mean(measure), stated, ours, cause))
}

/// The recorded differences that are not candidate minus baseline of the runs.
fn compare_deltas(
    runs: &BTreeMap<String, ConfigurationRuns<'_>>,
    sides: [&str; 2],
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let mut differing = Vec::new();
    for measure in RecordedMeasure::ALL {
        // Many writers record the means and no difference.
        let Some(stated) = measure.delta(benchmark) else { continue };
        let means = sides.map(|name| mean(&runs.get(&folded_name(name))?.values(measure)));
        let [Some(candidate), Some(baseline)] = means else { continue };
        let ours = candidate - baseline;
        if measure.yields(stated, ours) {
            continue;
        }
        let recorded = sides.map(|name| recorded_mean(benchmark, measure, name));
        let mut is_turned = measure.yields(stated, -ours);
        if let [Some(recorded_candidate), Some(recorded_baseline)] = recorded {
            // Means that were rounded before the subtraction still agree with ours.
            let agree = !measure.differs(recorded_candidate, candidate)
                && !measure.differs(recorded_baseline, baseline);
            let difference = recorded_candidate - recorded_baseline;
            if agree && measure.yields(stated, difference) {
                continue;
            }
            is_turned |= measure.yields(stated, -difference);
        }
        let [second, first] = sides.map(str::to_owned);
        let cause = if is_turned { Some(Cause::SignTurned { first, second }) } else { None };
        differing.push(Discrepancy::new(RecordedFigure::Delta(measure), stated, ours, cause));
    }
    differing
}

/// The recorded mean of a configuration; 0 for a cost that was left at its default.
fn recorded_mean(
    benchmark: &RecordedBenchmark,
    measure: RecordedMeasure,
    name: &str,
) -> Option<f64> {
    let mut configurations = benchmark.configurations.iter();
    let recorded = configurations.find(|other| folded_name(&other.name) == folded_name(name))?;
    let mean = measure.recorded(recorded);
    if measure == RecordedMeasure::PassRate { mean } else { Some(mean.unwrap_or(0.0)) }
}

/// Why the mean of a measure is recorded as `stated`, as far as anybody would look for it: the first cause that
/// yields it.
fn cause_of(found: &ConfigurationRuns<'_>, measure: RecordedMeasure, stated: f64) -> Option<Cause> {
    let yields = |values: &[f64]| mean(values).is_some_and(|value| measure.yields(stated, value));
    if measure == RecordedMeasure::PassRate {
        let runs = &found.runs;
        let of_runs: Vec<f64> = runs.iter().map(|run| run.rate.unwrap_or(0.0)).collect();
        let of_checks: Vec<f64> = runs.iter().map(rate_if_failed).collect();
        let is_any_ungraded = runs.iter().any(|run| run.rate.is_none() || run.tally.ungraded > 0);
        if is_any_ungraded && (yields(&of_runs) || yields(&of_checks)) {
            return Some(Cause::UngradedAsZero);
        }
    }
    let listed: Vec<f64> = found.list.iter().filter_map(|run| run.value(measure)).collect();
    let (listed_runs, found_runs) = (found.list.len(), found.graded().count());
    let is_of_list = found.has_other_cases && yields(&listed);
    is_of_list.then_some(Cause::OtherCases { listed: listed_runs, found: found_runs })
}

/// The pass rate of a run whose missing verdicts are failures; 0 without any.
fn rate_if_failed(run: &RunFigures<'_>) -> f64 {
    match run.tally.total() {
        0 => run.rate.unwrap_or(0.0),
        total => run.tally.passed as f64 / total as f64,
    }
}
