//! Figures of recorded benchmarks that differ from those of the runs beyond rounding, and why.
//!
//! A cause is only given when its rule yields the recorded number. Only those that people look for are
//! here: a sign that is turned, runs without a verdict that count as 0, and other cases.

mod causes;
mod measure;
mod runs;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use crate::analyze::discrepancies::measure::RecordedMeasure;

use crate::analyze::IterationAnalysis;
use crate::analyze::discrepancies::causes::{cause_of, cause_of_counts};
use crate::analyze::discrepancies::runs::{ConfigurationRuns, RunFigures, runs_by_configuration};
use input::model::{Iteration, RecordedBenchmark, RecordedConfiguration, Run};
use statistics::{Spread, mean};
use text::folded_name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedFigure {
    Mean(RecordedMeasure),
    /// The standard deviation.
    Spread(RecordedMeasure),
    Least(RecordedMeasure),
    Most(RecordedMeasure),
    /// Candidate minus baseline.
    Delta(RecordedMeasure),
    Passed,
    Total,
    /// Recorded runs per case of each configuration.
    RunsEach,
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
    differing.extend(compare_runs_listed(iteration, benchmark));
    differing.extend(compare_runs_each(iteration, benchmark));
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

/// The number of runs listed, if it is not that of the graded runs.
fn compare_runs_listed(
    iteration: &Iteration,
    benchmark: &RecordedBenchmark,
) -> Option<Discrepancy> {
    let graded = iteration.runs().filter(|run| run.is_graded()).count();
    // An entry of the list may hold the runs of several configurations.
    let listed = benchmark.runs?.max(benchmark.listed.len());
    if graded == 0 || listed == graded {
        return None;
    }
    Some(Discrepancy::new(RecordedFigure::RunsListed, listed as f64, graded as f64, None))
}

/// Recorded runs per case of each configuration, if no case has as many.
fn compare_runs_each(iteration: &Iteration, benchmark: &RecordedBenchmark) -> Option<Discrepancy> {
    let stated = benchmark.runs_per_configuration?;
    let mut most = 0;
    for case in &iteration.cases {
        let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
        for run in case.runs.iter().filter(|run| Run::is_graded(run)) {
            *runs.entry(&run.configuration).or_default() += 1;
        }
        most = most.max(runs.into_values().max().unwrap_or(0));
    }
    // Only the benchmark may be left, and then there is nothing to compare with.
    if most == 0 || stated == most as f64 {
        return None;
    }
    Some(Discrepancy::new(RecordedFigure::RunsEach, stated, most as f64, None))
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
        differing.extend(compare_measure(&found, measure, recorded));
    }
    differing.extend(compare_counts(&found, recorded));
    for discrepancy in &mut differing {
        discrepancy.configuration = Some(recorded.name.clone());
        discrepancy.is_of_list = is_of_list;
    }
    differing
}

/// Mean, spread, minimum and maximum of one measure, each where it differs.
fn compare_measure(
    found: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    recorded: &RecordedConfiguration,
) -> Vec<Discrepancy> {
    let stated = measure.recorded(recorded);
    let Some(ours) = Spread::new(&found.values(measure)) else { return Vec::new() };
    let mut differing = Vec::new();
    for (figure, recorded, ours) in [
        (RecordedFigure::Mean(measure), stated.mean, Some(ours.mean)),
        (RecordedFigure::Spread(measure), stated.stddev, ours.stddev),
        (RecordedFigure::Least(measure), stated.min, Some(ours.min)),
        (RecordedFigure::Most(measure), stated.max, Some(ours.max)),
    ] {
        let (Some(recorded), Some(ours)) = (recorded, ours) else { continue };
        if measure.differs(recorded, ours) {
            let cause = cause_of(found, measure, figure, recorded);
            differing.push(Discrepancy::new(figure, recorded, ours, cause));
        }
    }
    differing
}

/// Checks passed and checks in all, each where it differs.
fn compare_counts(
    found: &ConfigurationRuns<'_>,
    recorded: &RecordedConfiguration,
) -> Vec<Discrepancy> {
    let (Some(passed), Some(total)) = (recorded.passed, recorded.total) else { return Vec::new() };
    let tally = found.tally();
    if tally.graded() == 0 {
        return Vec::new();
    }
    let mut differing = Vec::new();
    for (figure, recorded, ours) in [
        (RecordedFigure::Passed, passed, tally.passed as f64),
        (RecordedFigure::Total, total, tally.graded() as f64),
    ] {
        if recorded != ours {
            let cause = cause_of_counts(found, (passed, total));
            differing.push(Discrepancy::new(figure, recorded, ours, cause));
        }
    }
    differing
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
    let mean = measure.recorded(recorded).mean;
    if measure == RecordedMeasure::PassRate { mean } else { Some(mean.unwrap_or(0.0)) }
}
