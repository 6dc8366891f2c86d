//! Recorded benchmarks held against the runs: which figures differ beyond rounding, and why.
//!
//! A reason is only told when its rule gives the recorded number again, within the decimals it was
//! written with. The rules are what writers of such files do: they take characters for tokens and
//! 0 for what is missing, round, trust summaries, pool checks, write a constant, subtract the wrong
//! way round, or wrote the file before the last runs.

mod counts;
mod difference;
mod entry;
mod rounding;
mod rules;

#[cfg(test)]
mod tests;

use crate::analyze::recorded::entry::{Entries, Entry};
use crate::analyze::recorded::rounding::differs;
use crate::analyze::recorded::rules::{Measure, Summary, Target};
use crate::model::{Iteration, RecordedBenchmark, RecordedConfiguration, RecordedSpread};
use crate::statistics::Spread;
use crate::text::folded_name;

/// Which recorded figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Mean pass rate.
    PassRate,
    /// Its spread.
    PassRateSpread,
    /// The lowest of them.
    PassRateLeast,
    /// The highest.
    PassRateMost,
    /// Mean seconds.
    Time,
    /// Their spread.
    TimeSpread,
    /// The fewest.
    TimeLeast,
    /// The most.
    TimeMost,
    /// Mean tokens.
    Tokens,
    /// Their spread.
    TokensSpread,
    /// The fewest.
    TokensLeast,
    /// The most.
    TokensMost,
    /// Checks passed.
    Passed,
    /// Checks in all.
    Total,
    /// Difference of the pass rates.
    RateDelta,
    /// Difference of the seconds.
    TimeDelta,
    /// Difference of the tokens.
    TokensDelta,
    /// Runs that each configuration is said to have had of a case.
    RunsEach,
    /// Runs listed.
    RunsListed,
}

/// Why a recorded figure is not what the runs give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Characters were taken for tokens, in so many of all runs.
    Characters {
        /// Runs without tokens.
        runs: usize,
        /// All runs.
        of: usize,
    },
    /// So many of all runs have no such figure and were taken as 0.
    ZerosForMissing {
        /// Runs without it.
        runs: usize,
        /// All runs.
        of: usize,
    },
    /// It was written with fewer decimals.
    Rounded,
    /// The figure of each run was rounded before the mean was taken.
    RunsRounded,
    /// The rates that gradings state were taken; so many contradict their own verdicts.
    SummariesContradict {
        /// Gradings whose rate is not that of their verdicts.
        runs: usize,
    },
    /// What has no verdict counts as failed.
    UngradedAsFailed,
    /// Runs without a verdict count as well.
    UngradedRuns {
        /// How many.
        runs: usize,
    },
    /// All checks are counted together; the runs do not weigh the same.
    Pooled,
    /// The mean of cases, not of runs.
    ByCase,
    /// Runs that passed everything, not checks.
    WholeRuns,
    /// The sum over the runs, not their mean.
    Total,
    /// The grader's time is in it.
    WithGrader,
    /// Only the executor's time is in it.
    ExecutorOnly,
    /// It is over other runs: the file lists so many, so many with verdicts were found.
    OtherRuns {
        /// Runs in the list.
        listed: usize,
        /// Graded runs of the workspace.
        found: usize,
    },
    /// It follows from the file's own list of runs, whose figures are not those of the runs today.
    OtherFigures,
    /// So many runs in the file's list state a pass rate that their own verdicts contradict.
    ListContradicts {
        /// How many.
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
    /// In shares of the other side, not as a difference.
    Relative,
    /// The difference of two other configurations.
    OtherPair {
        /// The minuend.
        first: String,
        /// The subtrahend.
        second: String,
    },
    /// The aggregator of the skill-creator writes 3, whatever there is.
    Constant,
    /// The list was left empty.
    EmptyList,
    /// The runs of all cases together.
    RunsInAll,
    /// So many runs were found that the list does not have.
    Unlisted {
        /// How many.
        runs: usize,
    },
    /// So many runs in the list were not found.
    Gone {
        /// How many.
        runs: usize,
    },
}

/// One recorded figure that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrepancy {
    /// Which figure.
    pub figure: Figure,
    /// Of which configuration, as the file names it; `None` where it is about all.
    pub configuration: Option<String>,
    /// What the file says.
    pub recorded: f64,
    /// What it is held against; `None` where no run has such a figure, and what is recorded was made
    /// from something else.
    pub ours: Option<f64>,
    /// Whether that is the file's own list of runs, since no graded run was found.
    pub is_of_list: bool,
    /// Why, all of them together; empty where the files give no reason.
    pub reasons: Vec<Cause>,
}

/// The figures of `benchmark` that differ from what the runs of `iteration` give; `sides` are its
/// candidate and its baseline.
pub fn discrepancies(
    iteration: &Iteration,
    sides: Option<[&str; 2]>,
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let mut found = counts::of_benchmark(iteration, benchmark);
    let entries = Entries::of(iteration, benchmark);
    for recorded in &benchmark.configurations {
        found.extend(of_configuration(&entries, recorded));
    }
    found.extend(difference::of(&entries, sides, benchmark));
    found
}

fn of_configuration(entries: &Entries<'_>, recorded: &RecordedConfiguration) -> Vec<Discrepancy> {
    let name = folded_name(&recorded.name);
    let (runs, list) = (entries.runs(&name), entries.list(&name));
    let is_of_list = !runs.iter().any(Entry::is_graded);
    let (runs, list) = if is_of_list { (list, &[][..]) } else { (runs, list) };
    let target = Target { runs, list };
    let measures = [
        (Measure::PassRate, &recorded.pass_rate, RATES),
        (Measure::Time, &recorded.time_s, TIMES),
        (Measure::Tokens, &recorded.tokens, TOKENS),
    ];
    let spreads = measures.into_iter().flat_map(|(measure, stated, figures)| {
        let found = of_measure(target, measure, stated).into_iter().zip(figures);
        found.filter_map(|(found, figure)| Some((figure, found?)))
    });
    let counted = counts::of_configuration(target, recorded);
    let whole = |(figure, (recorded_value, ours, reasons)): (Figure, Differing)| Discrepancy {
        figure,
        configuration: Some(recorded.name.clone()),
        recorded: recorded_value,
        ours,
        is_of_list,
        reasons,
    };
    spreads.chain(counted).map(whole).collect()
}

/// What is recorded, what it is held against, and why they differ.
type Differing = (f64, Option<f64>, Vec<Cause>);

/// The figures of a measure: mean, spread, least and most.
type Figures = [Figure; 4];

const RATES: Figures =
    [Figure::PassRate, Figure::PassRateSpread, Figure::PassRateLeast, Figure::PassRateMost];
const TIMES: Figures = [Figure::Time, Figure::TimeSpread, Figure::TimeLeast, Figure::TimeMost];
const TOKENS: Figures =
    [Figure::Tokens, Figure::TokensSpread, Figure::TokensLeast, Figure::TokensMost];

/// Mean, spread, least and most of one measure, each where it differs.
fn of_measure(
    target: Target<'_>,
    measure: Measure,
    stated: &RecordedSpread,
) -> [Option<Differing>; 4] {
    let mean = stated.mean;
    let Some(ours) = Spread::of(&rules::own(target.runs, measure)) else {
        return [mean.and_then(|mean| of_nothing(target, measure, mean)), None, None, None];
    };
    let both = |stated: Option<f64>, ours: Option<f64>| {
        let both = stated.zip(ours);
        both.filter(|(stated, ours)| differs(*stated, *ours, measure.decimals()))
    };
    let of = |stated: Option<f64>, ours: Option<f64>, why: &dyn Fn((f64, f64)) -> Vec<Cause>| {
        let (stated, ours) = both(stated, ours)?;
        Some((stated, Some(ours), why((stated, ours))))
    };
    let least: Summary = |values| Spread::of(values).map(|spread| spread.min);
    let most: Summary = |values| Spread::of(values).map(|spread| spread.max);
    let extreme = |stated, ours, summary: Summary| {
        let why = |both| rules::of_extreme(target, measure, summary, both, mean);
        of(stated, Some(ours), &why)
    };
    [
        of(mean, Some(ours.mean), &|both| rules::of_mean(target, measure, both)),
        of(stated.stddev, ours.stddev, &|both| rules::of_deviation(target, measure, both, mean)),
        extreme(stated.min, ours.min, least),
        extreme(stated.max, ours.max, most),
    ]
}

/// A mean that is recorded although no run has such a figure, where a rule gives it.
fn of_nothing(target: Target<'_>, measure: Measure, stated: f64) -> Option<Differing> {
    let reasons = rules::of_recorded(target, measure, stated);
    (!reasons.is_empty()).then_some((stated, None, reasons))
}
