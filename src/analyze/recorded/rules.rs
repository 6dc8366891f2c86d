//! The rules by which writers arrive at another figure than the mean of the graded runs.

use std::collections::BTreeMap;

use crate::analyze::recorded::entry::{ConfigurationRuns, RunEntry, graded};
use crate::analyze::{Cause, RecordedMeasure};
use crate::model::{RATE_ROUNDING, Tally};
use crate::statistics::{Spread, mean};

struct Explanation {
    reasons: Vec<Cause>,
    values: Vec<f64>,
}

fn add<const N: usize>(
    found: &mut Vec<Explanation>,
    reasons: [Cause; N],
    values: impl IntoIterator<Item = f64>,
) {
    found.push(Explanation { reasons: reasons.into(), values: values.into_iter().collect() });
}

/// The values behind our mean: one per graded run.
pub(super) fn own_values(runs: &[RunEntry<'_>], measure: RecordedMeasure) -> Vec<f64> {
    graded(runs).filter_map(|run| measure.value(run)).collect()
}

/// Why the mean is recorded as `stated`, where the runs give `ours`; the first matching rule.
pub(super) fn explain_mean(
    target: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    stated: f64,
    ours: Option<f64>,
) -> Vec<Cause> {
    let mut candidates = candidates(target, measure).into_iter();
    let gives = |values: &[f64]| mean(values).is_some_and(|mean| measure.gives(stated, mean));
    if let Some(candidate) = candidates.find(|candidate| gives(&candidate.values)) {
        return candidate.reasons;
    }
    // Where no rule yields the figure, its own list of runs may still agree with ours.
    match mean(&own_values(&target.list, measure)).zip(ours) {
        Some((listed, ours)) if measure.gives(listed, ours) => vec![Cause::NotOfItsList],
        _ => Vec::new(),
    }
}

/// Why the minimum or maximum, the `figure` of a spread, is recorded as `stated`, next to a
/// recorded `mean`.
pub(super) fn explain_extreme(
    target: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    figure: fn(&Spread) -> f64,
    stated: f64,
    mean: Option<f64>,
) -> Vec<Cause> {
    let mut candidates = candidates_with_mean(target, measure, mean).into_iter();
    let found = candidates.find(|candidate| {
        Spread::new(&candidate.values).is_some_and(|spread| measure.gives(stated, figure(&spread)))
    });
    found.map(|candidate| candidate.reasons).unwrap_or_default()
}

pub(super) fn explain_deviation(
    target: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    stated: f64,
    mean: Option<f64>,
) -> Vec<Cause> {
    for candidate in candidates_with_mean(target, measure, mean) {
        let Some(spread) = Spread::new(&candidate.values) else { continue };
        let Some(sample) = spread.stddev else { continue };
        let population = sample * ((spread.count - 1) as f64 / spread.count as f64).sqrt();
        let mut reasons = candidate.reasons;
        if measure.gives(stated, sample) {
            return reasons;
        }
        let is_exact = measure.gives(stated, population);
        if is_exact || measure.is_coarse(stated, population) {
            reasons.push(Cause::Population);
            reasons.extend((!is_exact).then_some(Cause::Rounded));
            return reasons;
        }
    }
    Vec::new()
}

/// The rules that may explain a figure next to a recorded mean. Writers compute all four figures
/// from the same values, so if a rule yields the mean, only such rules count; unchanged values come
/// first. Pooled or added values leave only one, whose minimum nobody writes. Means of cases count
/// only where they yield the mean, since one of few rates fits by chance.
fn candidates_with_mean(
    target: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    stated: Option<f64>,
) -> Vec<Explanation> {
    let mut all =
        vec![Explanation { reasons: Vec::new(), values: own_values(&target.runs, measure) }];
    all.extend(candidates(target, measure));
    let is_single = |reason: &Cause| matches!(reason, Cause::Pooled | Cause::Total);
    all.retain(|candidate| !candidate.reasons.iter().any(is_single));
    let gives_mean = |candidate: &Explanation| {
        let both = stated.zip(mean(&candidate.values));
        both.is_some_and(|(stated, ours)| {
            measure.gives(stated, ours) || measure.is_coarse(stated, ours)
        })
    };
    let (fitting, mut others): (Vec<Explanation>, Vec<Explanation>) =
        all.into_iter().partition(gives_mean);
    others.retain(|candidate| !candidate.reasons.contains(&Cause::ByCase));
    if fitting.is_empty() { others } else { fitting }
}

/// The value of every rule, the plainest first: for the runs found, then for those listed.
fn candidates(target: &ConfigurationRuns<'_>, measure: RecordedMeasure) -> Vec<Explanation> {
    let ConfigurationRuns { runs, list } = target;
    let mut found = candidates_of(runs, measure);
    if list.is_empty() {
        return found;
    }
    let why = list_cause(target);
    if measure == RecordedMeasure::PassRate {
        let contradicts = |run: &&RunEntry<'_>| {
            let both = run.stated.zip(run.tally.pass_rate());
            both.is_some_and(|(stated, counted)| (stated - counted).abs() > RATE_ROUNDING)
        };
        let runs = list.iter().filter(contradicts).count();
        if runs > 0 {
            let stated = list.iter().filter_map(|run| run.stated);
            add(&mut found, [Cause::ListContradicts { runs }], stated);
        }
        add(&mut found, [why.clone()], list.iter().filter_map(|run| run.stated.or(run.rate)));
    } else {
        add(&mut found, [why.clone()], list.iter().filter_map(|run| measure.value(run)));
    }
    for mut candidate in candidates_of(list, measure) {
        candidate.reasons.insert(0, why.clone());
        found.push(candidate);
    }
    found
}

/// Why the list has other figures than the runs.
pub(super) fn list_cause(target: &ConfigurationRuns<'_>) -> Cause {
    let (listed, found) = (target.list.len(), graded(&target.runs).count());
    if listed == found { Cause::OtherFigures } else { Cause::OtherRuns { listed, found } }
}

fn candidates_of(runs: &[RunEntry<'_>], measure: RecordedMeasure) -> Vec<Explanation> {
    let mut found = Vec::new();
    match measure {
        RecordedMeasure::PassRate => rates(runs, &mut found),
        RecordedMeasure::Tokens => {
            characters(runs, &mut found);
            costs(runs, measure, &mut found);
        }
        RecordedMeasure::Time => {
            costs(runs, measure, &mut found);
            parts_of_time(runs, &mut found);
        }
    }
    found
}

fn rates(runs: &[RunEntry<'_>], found: &mut Vec<Explanation>) {
    let tally: Tally = runs.iter().map(|run| run.tally).sum();
    let tallies = || graded(runs).map(|run| run.tally).filter(|tally| tally.total() > 0);
    add(found, [Cause::Pooled], tally.pass_rate());
    add(found, [Cause::ByCase], by_case(runs, RecordedMeasure::PassRate));
    found.extend(summaries(runs));
    if tally.ungraded > 0 {
        let rates = tallies().map(|tally| tally.passed as f64 / tally.total() as f64);
        add(found, [Cause::UngradedAsFailed], rates);
    }
    let missing = runs.len() - graded(runs).count();
    if missing > 0 {
        let reason = Cause::ZerosForMissing { runs: missing, of: runs.len() };
        add(found, [reason], runs.iter().map(|run| run.rate.unwrap_or(0.0)));
    }
    let rounded = graded(runs).filter_map(|run| Some((run.rate? * 100.0).round() / 100.0));
    add(found, [Cause::RunsRounded], rounded);
    let whole = tallies().map(|tally| f64::from(u8::from(tally.passed == tally.total())));
    add(found, [Cause::WholeRuns], whole);
}

/// The rates that gradings state themselves.
fn summaries(runs: &[RunEntry<'_>]) -> Option<Explanation> {
    let differences: Vec<f64> = graded(runs)
        .filter_map(|run| Some((run.stated? - run.tally.pass_rate()?).abs()))
        .filter(|apart| *apart > 1e-9)
        .collect();
    let reason = match differences.iter().filter(|apart| **apart > RATE_ROUNDING).count() {
        0 => Cause::RunsRounded,
        runs => Cause::SummariesContradict { runs },
    };
    let values = graded(runs).filter_map(|run| run.stated.or(run.rate)).collect();
    (!differences.is_empty()).then(|| Explanation { reasons: vec![reason], values })
}

fn by_case(runs: &[RunEntry<'_>], measure: RecordedMeasure) -> Vec<f64> {
    let mut cases: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for run in graded(runs) {
        cases.entry(run.case).or_default().extend(measure.value(run));
    }
    cases.values().filter_map(|values| mean(values)).collect()
}

/// Characters of the outputs instead of tokens: for every run, or for those without tokens.
fn characters(runs: &[RunEntry<'_>], found: &mut Vec<Explanation>) {
    let of = graded(runs).count();
    let written = |run: &RunEntry<'_>| run.metrics.output_chars;
    let either = |run: &RunEntry<'_>| run.metrics.tokens.or(written(run));
    let known = graded(runs).filter_map(written).count();
    if known > 0 {
        let reason = Cause::Characters { runs: known, of };
        add(found, [reason.clone()], graded(runs).filter_map(written));
        if known < of {
            let missing = Cause::ZerosForMissing { runs: of - known, of };
            let values = graded(runs).map(|run| written(run).unwrap_or(0.0));
            add(found, [reason, missing], values);
        }
    }
    let without_tokens = || graded(runs).filter(|run| run.metrics.tokens.is_none());
    let replaced = without_tokens().filter_map(written).count();
    if replaced > 0 {
        let reason = Cause::Characters { runs: replaced, of };
        add(found, [reason.clone()], graded(runs).filter_map(either));
        let missing = Cause::ZerosForMissing { runs: without_tokens().count() - replaced, of };
        add(found, [reason, missing], graded(runs).map(|run| either(run).unwrap_or(0.0)));
    }
}

fn costs(runs: &[RunEntry<'_>], measure: RecordedMeasure, found: &mut Vec<Explanation>) {
    let (of, known) = (graded(runs).count(), own_values(runs, measure));
    if known.len() < of {
        let reason = Cause::ZerosForMissing { runs: of - known.len(), of };
        add(found, [reason], graded(runs).map(|run| measure.value(run).unwrap_or(0.0)));
    }
    let every: Vec<f64> = runs.iter().filter_map(|run| measure.value(run)).collect();
    if every.len() > known.len() {
        add(found, [Cause::UngradedRuns { runs: every.len() - known.len() }], every);
    }
    add(found, [Cause::ByCase], by_case(runs, measure));
    if known.len() > 1 {
        add(found, [Cause::Total], [known.iter().sum()]);
    }
    if measure == RecordedMeasure::Time {
        add(found, [Cause::RunsRounded], known.iter().map(|seconds| seconds.round()));
    }
}

/// The time with the grader's or without it.
fn parts_of_time(runs: &[RunEntry<'_>], found: &mut Vec<Explanation>) {
    let metrics = || graded(runs).map(|run| run.metrics);
    if !metrics().any(|metric| metric.grader_s.is_some() || metric.executor_s.is_some()) {
        return;
    }
    let without = metrics().filter_map(|metric| {
        metric.executor_s.or_else(|| Some(metric.duration_s? - metric.grader_s.unwrap_or(0.0)))
    });
    let with =
        metrics().filter_map(|metric| Some(metric.duration_s? + metric.grader_s.unwrap_or(0.0)));
    add(found, [Cause::ExecutorOnly], without);
    add(found, [Cause::WithGrader], with);
}
