//! The rules by which writers come to another figure than the mean of the graded runs.

use std::collections::BTreeMap;

use crate::analyze::recorded::Cause;
use crate::analyze::recorded::entry::Entry;
use crate::analyze::recorded::rounding::{gives, is_coarse};
use crate::model::Tally;
use crate::statistics::{Spread, mean};

/// Rates of a run may be rounded to two decimals.
const ROUNDED_RATE: f64 = 0.00501;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    PassRate,
    Time,
    Tokens,
}

impl Measure {
    /// Decimals that such a figure is written with at least.
    pub(super) fn decimals(self) -> i32 {
        if self == Self::PassRate { 2 } else { 0 }
    }

    fn of(self, entry: &Entry<'_>) -> Option<f64> {
        match self {
            Self::PassRate => entry.rate,
            Self::Time => entry.metrics.duration_s,
            Self::Tokens => entry.metrics.tokens,
        }
    }
}

/// What a recorded figure is held against.
#[derive(Clone, Copy)]
pub(super) struct Target<'e> {
    /// The runs found; those listed where none was found.
    pub(super) runs: &'e [Entry<'e>],
    /// The runs that the file lists, beside those found.
    pub(super) list: &'e [Entry<'e>],
}

/// What a rule makes of the runs.
struct Candidate {
    reasons: Vec<Cause>,
    values: Vec<f64>,
}

/// The values that ours is the mean of: each graded run's.
pub(super) fn own(runs: &[Entry<'_>], measure: Measure) -> Vec<f64> {
    let graded = runs.iter().filter(|run| run.is_graded());
    graded.filter_map(|run| measure.of(run)).collect()
}

/// A figure of several values, such as the least; `None` where there are none.
pub(super) type Summary = fn(&[f64]) -> Option<f64>;

/// Why the mean is recorded as `stated`, where the runs give `ours`.
pub(super) fn of_mean(
    target: Target<'_>,
    measure: Measure,
    (stated, ours): (f64, f64),
) -> Vec<Cause> {
    if is_coarse(stated, ours, measure.decimals()) {
        return vec![Cause::Rounded];
    }
    let off_its_list = || {
        let listed = mean(&own(target.list, measure));
        let agrees = listed.is_some_and(|listed| gives(listed, ours, measure.decimals()));
        // Where no rule gives the figure, its own list of runs may still agree with ours.
        if agrees { vec![Cause::NotOfItsList] } else { Vec::new() }
    };
    candidate(target, measure, stated).map_or_else(off_its_list, |found| found.reasons)
}

/// What gives `stated` as a mean where no run has the figure; empty where no rule does.
pub(super) fn of_recorded(target: Target<'_>, measure: Measure, stated: f64) -> Vec<Cause> {
    candidate(target, measure, stated).map(|it| it.reasons).unwrap_or_default()
}

/// The first rule by which the mean of the runs is `stated`.
fn candidate(target: Target<'_>, measure: Measure, stated: f64) -> Option<Candidate> {
    let gives = |it: &Candidate| {
        mean(&it.values).is_some_and(|figure| gives(stated, figure, measure.decimals()))
    };
    candidates(target, measure).into_iter().find(gives)
}

/// Why the least or the most is recorded as `stated`, beside a recorded `mean`.
pub(super) fn of_extreme(
    target: Target<'_>,
    measure: Measure,
    summary: Summary,
    (stated, ours): (f64, f64),
    mean: Option<f64>,
) -> Vec<Cause> {
    if is_coarse(stated, ours, measure.decimals()) {
        return vec![Cause::Rounded];
    }
    let is_it = |it: &Candidate| {
        summary(&it.values).is_some_and(|figure| gives(stated, figure, measure.decimals()))
    };
    let found = beside(target, measure, mean).into_iter().find(is_it);
    found.map(|it| it.reasons).unwrap_or_default()
}

/// Why the deviation is recorded as `stated`, beside a recorded `mean`.
pub(super) fn of_deviation(
    target: Target<'_>,
    measure: Measure,
    (stated, ours): (f64, f64),
    mean: Option<f64>,
) -> Vec<Cause> {
    if is_coarse(stated, ours, measure.decimals()) {
        return vec![Cause::Rounded];
    }
    for candidate in beside(target, measure, mean) {
        let Some(spread) = Spread::of(&candidate.values) else { continue };
        let Some(sample) = spread.stddev else { continue };
        let population = sample * ((spread.count - 1) as f64 / spread.count as f64).sqrt();
        let mut reasons = candidate.reasons;
        if gives(stated, sample, measure.decimals()) {
            return reasons;
        }
        let is_exact = gives(stated, population, measure.decimals());
        if is_exact || is_coarse(stated, population, measure.decimals()) {
            reasons.push(Cause::Population);
            reasons.extend((!is_exact).then_some(Cause::Rounded));
            return reasons;
        }
    }
    Vec::new()
}

/// The rules that may explain what stands beside a recorded mean: a writer takes the four figures
/// from the same values, so where a rule gives the mean, only such rules count; the values as they
/// are come first. What pools or adds up leaves a single value, whose least and most nobody writes;
/// means of cases only count where they give the mean, as one of few rates fits by chance.
fn beside(target: Target<'_>, measure: Measure, stated: Option<f64>) -> Vec<Candidate> {
    let unchanged = Candidate { reasons: Vec::new(), values: own(target.runs, measure) };
    let is_one = |it: &Cause| matches!(it, Cause::Pooled | Cause::Total);
    let is_many = |it: &Candidate| !it.reasons.iter().any(is_one);
    let gives_mean = |it: &Candidate| {
        stated.zip(mean(&it.values)).is_some_and(|(stated, figure)| {
            let decimals = measure.decimals();
            gives(stated, figure, decimals) || is_coarse(stated, figure, decimals)
        })
    };
    let all = std::iter::once(unchanged).chain(candidates(target, measure)).filter(is_many);
    let (fitting, mut others): (Vec<Candidate>, Vec<Candidate>) = all.partition(gives_mean);
    others.retain(|it| !it.reasons.contains(&Cause::ByCase));
    if fitting.is_empty() { others } else { fitting }
}

/// What every rule gives, the plainest first: on the runs found, then on those listed.
fn candidates(target: Target<'_>, measure: Measure) -> Vec<Candidate> {
    let mut found = on(target.runs, measure);
    if target.list.is_empty() {
        return found;
    }
    found.extend(contradicting_list(target, measure));
    let graded = target.runs.iter().filter(|run| run.is_graded()).count();
    let why = match target.list.len() == graded {
        true => Cause::OtherFigures,
        false => Cause::OtherRuns { listed: target.list.len(), found: graded },
    };
    let all: Vec<f64> = target.list.iter().filter_map(|run| listed_value(run, measure)).collect();
    let plain = Candidate { reasons: Vec::new(), values: all };
    let listed = std::iter::once(plain).chain(on(target.list, measure));
    found.extend(listed.map(|mut it| {
        it.reasons.insert(0, why.clone());
        it
    }));
    found
}

/// What a listed run states of itself.
fn listed_value(run: &Entry<'_>, measure: Measure) -> Option<f64> {
    match measure {
        Measure::PassRate => run.stated.or(run.rate),
        _ => measure.of(run),
    }
}

/// The rates stated in the list, where the verdicts beside them say otherwise.
fn contradicting_list(target: Target<'_>, measure: Measure) -> Option<Candidate> {
    let differ = |run: &&Entry<'_>| {
        run.stated.zip(run.tally.pass_rate()).is_some_and(|(a, b)| (a - b).abs() > ROUNDED_RATE)
    };
    let runs = target.list.iter().filter(differ).count();
    let values = target.list.iter().filter_map(|run| run.stated).collect();
    let is_told = measure == Measure::PassRate && runs > 0;
    is_told.then(|| Candidate { reasons: vec![Cause::ListContradicts { runs }], values })
}

/// What every rule gives on `runs`.
fn on(runs: &[Entry<'_>], measure: Measure) -> Vec<Candidate> {
    match measure {
        Measure::PassRate => rates(runs),
        Measure::Tokens => {
            let mut found = characters(runs);
            found.extend(costs(runs, measure));
            found
        }
        Measure::Time => {
            let mut found = costs(runs, measure);
            found.extend(parts_of_time(runs));
            found
        }
    }
}

fn rates(runs: &[Entry<'_>]) -> Vec<Candidate> {
    let mut tally = Tally::default();
    runs.iter().for_each(|run| tally.add(run.tally));
    let graded = || runs.iter().filter(|run| run.is_graded());
    let missing = runs.len() - graded().count();
    let by_tally = |share: fn(Tally) -> f64| -> Vec<f64> {
        graded().filter(|run| run.tally.total() > 0).map(|run| share(run.tally)).collect()
    };
    let mut found = vec![
        with(Cause::Pooled, tally.pass_rate().into_iter().collect()),
        with(Cause::ByCase, by_case(runs, Measure::PassRate)),
    ];
    found.extend(summaries(runs));
    if tally.ungraded > 0 {
        let share = |tally: Tally| tally.passed as f64 / tally.total() as f64;
        found.push(with(Cause::UngradedAsFailed, by_tally(share)));
    }
    if missing > 0 {
        let reason = Cause::ZerosForMissing { runs: missing, of: runs.len() };
        found.push(with(reason, runs.iter().map(|run| run.rate.unwrap_or(0.0)).collect()));
    }
    let rounded = graded().filter_map(|run| run.rate).map(|rate| (rate * 100.0).round() / 100.0);
    found.push(with(Cause::RunsRounded, rounded.collect()));
    let whole = |tally: Tally| f64::from(u8::from(tally.passed == tally.total()));
    found.push(with(Cause::WholeRuns, by_tally(whole)));
    found
}

fn with(reason: Cause, values: Vec<f64>) -> Candidate {
    Candidate { reasons: vec![reason], values }
}

/// The rates that gradings state of themselves.
fn summaries(runs: &[Entry<'_>]) -> Option<Candidate> {
    let graded = runs.iter().filter(|run| run.is_graded());
    let differences =
        graded.clone().filter_map(|run| Some((run.stated? - run.tally.pass_rate()?).abs()));
    let wrong = differences.clone().filter(|apart| *apart > ROUNDED_RATE).count();
    let is_any = differences.clone().any(|apart| apart > 1e-9);
    let reason = match wrong {
        0 => Cause::RunsRounded,
        runs => Cause::SummariesContradict { runs },
    };
    is_any.then(|| with(reason, graded.filter_map(|run| run.stated.or(run.rate)).collect()))
}

/// The mean of each case's graded runs.
fn by_case(runs: &[Entry<'_>], measure: Measure) -> Vec<f64> {
    let mut cases: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.is_graded()) {
        cases.entry(run.case).or_default().extend(measure.of(run));
    }
    cases.values().filter_map(|values| mean(values)).collect()
}

/// Characters of the outputs in place of tokens: of every run, or of those without tokens.
fn characters(runs: &[Entry<'_>]) -> Vec<Candidate> {
    let graded = || runs.iter().filter(|run| run.is_graded());
    let of = graded().count();
    let written = |run: &Entry<'_>| run.metrics.output_chars;
    let all: Vec<f64> = graded().filter_map(written).collect();
    let zeros: Vec<f64> = graded().map(|run| written(run).unwrap_or(0.0)).collect();
    let mixed: Vec<&Entry<'_>> = graded().filter(|run| run.metrics.tokens.is_none()).collect();
    let either = |run: &Entry<'_>| run.metrics.tokens.or(written(run));
    let in_place = mixed.iter().filter(|run| written(run).is_some()).count();
    let mut found = Vec::new();
    if !all.is_empty() {
        let reason = Cause::Characters { runs: all.len(), of };
        let missing = Cause::ZerosForMissing { runs: of - all.len(), of };
        let few = all.len() < of;
        found.push(with(reason.clone(), all));
        if few {
            found.push(Candidate { reasons: vec![reason, missing], values: zeros });
        }
    }
    if in_place > 0 {
        let reason = Cause::Characters { runs: in_place, of };
        found.push(with(reason.clone(), graded().filter_map(either).collect()));
        let missing = Cause::ZerosForMissing { runs: mixed.len() - in_place, of };
        let values = graded().map(|run| either(run).unwrap_or(0.0)).collect();
        found.push(Candidate { reasons: vec![reason, missing], values });
    }
    found
}

fn costs(runs: &[Entry<'_>], measure: Measure) -> Vec<Candidate> {
    let graded = || runs.iter().filter(|run| run.is_graded());
    let (all, known) = (graded().count(), own(runs, measure));
    let every: Vec<f64> = runs.iter().filter_map(|run| measure.of(run)).collect();
    let mut found = Vec::new();
    if known.len() < all {
        let reason = Cause::ZerosForMissing { runs: all - known.len(), of: all };
        let values = graded().map(|run| measure.of(run).unwrap_or(0.0)).collect();
        found.push(with(reason, values));
    }
    if every.len() > known.len() {
        found.push(with(Cause::UngradedRuns { runs: every.len() - known.len() }, every));
    }
    found.push(with(Cause::ByCase, by_case(runs, measure)));
    if known.len() > 1 {
        found.push(with(Cause::Total, vec![known.iter().sum()]));
    }
    if measure == Measure::Time {
        let rounded = known.iter().map(|seconds| seconds.round()).collect();
        found.push(with(Cause::RunsRounded, rounded));
    }
    found
}

/// The time with the grader's or without it.
fn parts_of_time(runs: &[Entry<'_>]) -> Vec<Candidate> {
    let graded = || runs.iter().filter(|run| run.is_graded()).map(|run| run.metrics);
    let has_grader = graded().any(|metrics| metrics.grader_s.is_some());
    let with_grader =
        graded().filter_map(|it| Some(it.duration_s? + it.grader_s.unwrap_or(0.0))).collect();
    let without = graded().filter_map(|it| {
        it.executor_s.or_else(|| Some(it.duration_s? - it.grader_s.unwrap_or(0.0)))
    });
    let is_apart = has_grader || graded().any(|metrics| metrics.executor_s.is_some());
    let mut found = Vec::new();
    if is_apart {
        found.push(with(Cause::ExecutorOnly, without.collect()));
        found.push(with(Cause::WithGrader, with_grader));
    }
    found
}
