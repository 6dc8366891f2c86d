//! Recorded benchmarks compared with the runs: which figures differ beyond rounding, and why. A
//! reason is only given when its rule, taken from actual writers of benchmarks, yields the recorded
//! number.

mod counts;
mod difference;
mod entry;
mod rules;

#[cfg(test)]
mod tests;

use crate::analyze::IterationAnalysis;
pub use crate::analyze::recorded::entry::RecordedMeasure;

use crate::analyze::recorded::entry::{ConfigurationRuns, RunEntry, targets};
use crate::model::{Iteration, RecordedBenchmark, RecordedConfiguration};
use crate::statistics::Spread;
use crate::text::folded_name;

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Characters were taken for tokens, in this many of all runs.
    Characters {
        runs: usize,
        of: usize,
    },
    /// This many of all runs have no such figure and were counted as 0.
    ZerosForMissing {
        runs: usize,
        of: usize,
    },
    Rounded,
    /// The figure of each run was rounded before the mean was taken.
    RunsRounded,
    /// The rates stated by gradings were used; this many contradict their own verdicts.
    SummariesContradict {
        runs: usize,
    },
    /// Checks without a verdict count as failed.
    UngradedAsFailed,
    /// Runs without a verdict count as well.
    UngradedRuns {
        runs: usize,
    },
    /// All checks are counted together, so runs do not weigh the same.
    Pooled,
    /// The mean of cases, not of runs.
    ByCase,
    /// Runs that passed everything, not checks.
    WholeRuns,
    /// The sum over the runs, not their mean.
    Total,
    /// The grader's time is included.
    WithGrader,
    ExecutorOnly,
    /// It is over other runs: this many are listed in the file, this many with verdicts were found.
    OtherRuns {
        listed: usize,
        found: usize,
    },
    /// It follows from the file's own list of runs, whose figures are not those of the runs today.
    OtherFigures,
    /// This many runs in the file's list state a pass rate that their own verdicts contradict.
    ListContradicts {
        runs: usize,
    },
    /// It does not follow from the file's own list of runs, which agrees with ours.
    NotOfItsList,
    /// The population's deviation, divided by n instead of n − 1.
    Population,
    /// The baseline minus the candidate.
    Inverted,
    /// It is the difference of the recorded means, which are not ours.
    OfRecordedMeans,
    /// It is not the difference of the recorded means, which agree with ours.
    NotOfItsMeans,
    /// As a share of the other side, not as a difference.
    Relative,
    /// The difference of two other configurations.
    OtherPair {
        first: String,
        second: String,
    },
    /// The aggregator of the skill-creator always writes 3.
    Constant,
    EmptyList,
    /// The runs of all cases together.
    RunsInAll,
    /// This many runs were found that are not in the list.
    Unlisted {
        runs: usize,
    },
    /// This many runs in the list were not found.
    Gone {
        runs: usize,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Discrepancy {
    pub figure: RecordedFigure,
    /// The configuration, as the file names it; `None` where it is about all.
    pub configuration: Option<String>,
    pub recorded: f64,
    /// Our value; `None` where no run has this figure, so that the recorded one has another source.
    pub ours: Option<f64>,
    /// Whether ours is from the file's own list of runs, since no graded run was found.
    pub is_of_list: bool,
    /// All the reasons together; empty where the files do not tell.
    pub reasons: Vec<Cause>,
}

impl Discrepancy {
    fn new(figure: RecordedFigure, recorded: f64, ours: Option<f64>, reasons: Vec<Cause>) -> Self {
        Self { figure, configuration: None, recorded, ours, is_of_list: false, reasons }
    }
}

/// For each recorded benchmark of `iteration` the figures that differ.
pub(super) fn find_discrepancies(
    iteration: &Iteration,
    analysis: &IterationAnalysis,
) -> Vec<Vec<Discrepancy>> {
    let sides = analysis.candidate().zip(analysis.baseline());
    let sides = sides.map(|(candidate, baseline)| [&*candidate.name, &*baseline.name]);
    iteration
        .benchmarks
        .iter()
        .map(|benchmark| discrepancies(iteration, sides, benchmark))
        .collect()
}

/// The figures of `benchmark` that differ from the runs of `iteration`; `sides` are its candidate
/// and its baseline.
fn discrepancies(
    iteration: &Iteration,
    sides: Option<[&str; 2]>,
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let mut differing: Vec<Discrepancy> = Vec::new();
    differing.extend(counts::runs_listed(iteration, benchmark));
    differing.extend(counts::runs_each(iteration, benchmark));
    let targets = targets(iteration, benchmark);
    for recorded in &benchmark.configurations {
        let target = targets.get(&folded_name(&recorded.name)).cloned().unwrap_or_default();
        differing.extend(configuration_discrepancies(target, recorded));
    }
    if let Some(sides) = sides {
        differing.extend(difference::compare_differences(&targets, sides, benchmark));
    }
    differing
}

fn configuration_discrepancies(
    target: ConfigurationRuns<'_>,
    recorded: &RecordedConfiguration,
) -> Vec<Discrepancy> {
    let is_of_list = !target.runs.iter().any(RunEntry::is_graded);
    let target = match is_of_list {
        true => ConfigurationRuns { runs: target.list, list: Vec::new() },
        false => target,
    };
    let measured =
        RecordedMeasure::ALL.map(|measure| measure_discrepancies(&target, measure, recorded));
    let mut discrepancies = measured.concat();
    discrepancies.extend(counts::configuration_counts(&target, recorded));
    for discrepancy in &mut discrepancies {
        discrepancy.configuration = Some(recorded.name.clone());
        discrepancy.is_of_list = is_of_list;
    }
    discrepancies
}

/// Mean, spread, minimum and maximum of one measure, each where it differs.
fn measure_discrepancies(
    target: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    recorded: &RecordedConfiguration,
) -> Vec<Discrepancy> {
    let stated = measure.recorded(recorded);
    let mean = stated.mean;
    let Some(ours) = Spread::new(&rules::own_values(&target.runs, measure)) else {
        // A mean may be recorded although no run has this figure; it counts where a rule yields it.
        let explained = mean.map(|mean| (mean, rules::explain_mean(target, measure, mean, None)));
        let explained = explained.filter(|(_, reasons)| !reasons.is_empty());
        let figure = RecordedFigure::Mean(measure);
        let new = |(mean, reasons)| Discrepancy::new(figure, mean, None, reasons);
        return explained.map(new).into_iter().collect();
    };
    let figures = [
        (RecordedFigure::Mean(measure), mean, Some(ours.mean)),
        (RecordedFigure::Spread(measure), stated.stddev, ours.stddev),
        (RecordedFigure::Least(measure), stated.min, Some(ours.min)),
        (RecordedFigure::Most(measure), stated.max, Some(ours.max)),
    ];
    let mut explained = Vec::new();
    for (figure, stated, ours) in figures {
        let Some((stated, ours)) = stated.zip(ours) else { continue };
        if !measure.differs(stated, ours) {
            continue;
        }
        let extreme = |of| rules::explain_extreme(target, measure, of, stated, mean);
        let reasons = match figure {
            _ if measure.is_coarse(stated, ours) => vec![Cause::Rounded],
            RecordedFigure::Mean(_) => rules::explain_mean(target, measure, stated, Some(ours)),
            RecordedFigure::Spread(_) => rules::explain_deviation(target, measure, stated, mean),
            RecordedFigure::Least(_) => extreme(|spread| spread.min),
            _ => extreme(|spread| spread.max),
        };
        explained.push(Discrepancy::new(figure, stated, Some(ours), reasons));
    }
    explained
}
