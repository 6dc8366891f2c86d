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
    let explanation = candidates.find(|candidate| {
        Spread::new(&candidate.values).is_some_and(|spread| measure.gives(stated, figure(&spread)))
    });
    explanation.map(|candidate| candidate.reasons).unwrap_or_default()
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
/// first. Pooled or added values leave only one, and nobody writes its minimum and maximum. Means of cases count
/// only where they yield the mean, since one of few rates fits by chance.
fn candidates_with_mean(
    target: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    stated: Option<f64>,
) -> Vec<Explanation> {
    let mut explanations =
        vec![Explanation { reasons: Vec::new(), values: own_values(&target.runs, measure) }];
    explanations.extend(candidates(target, measure));
    let is_single = |reason: &Cause| matches!(reason, Cause::Pooled | Cause::Total);
    explanations.retain(|candidate| !candidate.reasons.iter().any(is_single));
    let gives_mean = |candidate: &Explanation| {
        let both = stated.zip(mean(&candidate.values));
        both.is_some_and(|(stated, ours)| {
            measure.gives(stated, ours) || measure.is_coarse(stated, ours)
        })
    };
    let (fitting, mut others): (Vec<Explanation>, Vec<Explanation>) =
        explanations.into_iter().partition(gives_mean);
    others.retain(|candidate| !candidate.reasons.contains(&Cause::ByCase));
    if fitting.is_empty() { others } else { fitting }
}

/// The value of every rule, the plainest first: for the runs found, then for those listed.
fn candidates(target: &ConfigurationRuns<'_>, measure: RecordedMeasure) -> Vec<Explanation> {
    let ConfigurationRuns { runs, list } = target;
    let mut explanations = candidates_of(runs, measure);
    if list.is_empty() {
        return explanations;
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
            add(&mut explanations, [Cause::ListContradicts { runs }], stated);
        }
        add(
            &mut explanations,
            [why.clone()],
            list.iter().filter_map(|run| run.stated.or(run.rate)),
        );
    } else {
        add(&mut explanations, [why.clone()], list.iter().filter_map(|run| measure.value(run)));
    }
    for mut candidate in candidates_of(list, measure) {
        candidate.reasons.insert(0, why.clone());
        explanations.push(candidate);
    }
    explanations
}

/// Why the list has other figures than the runs.
pub(super) fn list_cause(target: &ConfigurationRuns<'_>) -> Cause {
    let (listed, found) = (target.list.len(), graded(&target.runs).count());
    if listed == found { Cause::OtherFigures } else { Cause::OtherRuns { listed, found } }
}

fn candidates_of(runs: &[RunEntry<'_>], measure: RecordedMeasure) -> Vec<Explanation> {
    let mut explanations = Vec::new();
    match measure {
        RecordedMeasure::PassRate => rates(runs, &mut explanations),
        RecordedMeasure::Tokens => {
            characters(runs, &mut explanations);
            costs(runs, measure, &mut explanations);
        }
        RecordedMeasure::Time => {
            costs(runs, measure, &mut explanations);
            parts_of_time(runs, &mut explanations);
        }
    }
    explanations
}

fn rates(runs: &[RunEntry<'_>], explanations: &mut Vec<Explanation>) {
    let tally: Tally = runs.iter().map(|run| run.tally).sum();
    let tallies = || graded(runs).map(|run| run.tally).filter(|tally| tally.total() > 0);
    add(explanations, [Cause::Pooled], tally.pass_rate());
    add(explanations, [Cause::ByCase], by_case(runs, RecordedMeasure::PassRate));
    explanations.extend(summaries(runs));
    if tally.ungraded > 0 {
        let rates = tallies().map(|tally| tally.passed as f64 / tally.total() as f64);
        add(explanations, [Cause::UngradedAsFailed], rates);
    }
    let missing = runs.len() - graded(runs).count();
    if missing > 0 {
        let reason = Cause::ZerosForMissing { runs: missing, of: runs.len() };
        add(explanations, [reason], runs.iter().map(|run| run.rate.unwrap_or(0.0)));
    }
    let rounded = graded(runs).filter_map(|run| Some((run.rate? * 100.0).round() / 100.0));
    add(explanations, [Cause::RunsRounded], rounded);
    let whole = tallies().map(|tally| f64::from(u8::from(tally.passed == tally.total())));
    add(explanations, [Cause::WholeRuns], whole);
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
fn characters(runs: &[RunEntry<'_>], explanations: &mut Vec<Explanation>) {
    let graded_runs = graded(runs).count();
    let written = |run: &RunEntry<'_>| run.metrics.output_chars;
    let either = |run: &RunEntry<'_>| run.metrics.tokens.or(written(run));
    let written_runs = graded(runs).filter_map(written).count();
    if written_runs > 0 {
        let reason = Cause::Characters { runs: written_runs, of: graded_runs };
        add(explanations, [reason.clone()], graded(runs).filter_map(written));
        if written_runs < graded_runs {
            let missing =
                Cause::ZerosForMissing { runs: graded_runs - written_runs, of: graded_runs };
            let values = graded(runs).map(|run| written(run).unwrap_or(0.0));
            add(explanations, [reason, missing], values);
        }
    }
    let without_tokens = || graded(runs).filter(|run| run.metrics.tokens.is_none());
    let replaced = without_tokens().filter_map(written).count();
    if replaced > 0 {
        let reason = Cause::Characters { runs: replaced, of: graded_runs };
        add(explanations, [reason.clone()], graded(runs).filter_map(either));
        let missing =
            Cause::ZerosForMissing { runs: without_tokens().count() - replaced, of: graded_runs };
        add(explanations, [reason, missing], graded(runs).map(|run| either(run).unwrap_or(0.0)));
    }
}

fn costs(runs: &[RunEntry<'_>], measure: RecordedMeasure, explanations: &mut Vec<Explanation>) {
    let (graded_runs, values) = (graded(runs).count(), own_values(runs, measure));
    if values.len() < graded_runs {
        let reason = Cause::ZerosForMissing { runs: graded_runs - values.len(), of: graded_runs };
        add(explanations, [reason], graded(runs).map(|run| measure.value(run).unwrap_or(0.0)));
    }
    let every: Vec<f64> = runs.iter().filter_map(|run| measure.value(run)).collect();
    if every.len() > values.len() {
        add(explanations, [Cause::UngradedRuns { runs: every.len() - values.len() }], every);
    }
    add(explanations, [Cause::ByCase], by_case(runs, measure));
    if values.len() > 1 {
        add(explanations, [Cause::Total], [values.iter().sum()]);
    }
    if measure == RecordedMeasure::Time {
        add(explanations, [Cause::RunsRounded], values.iter().map(|seconds| seconds.round()));
    }
}

/// The time with the grader's or without it.
fn parts_of_time(runs: &[RunEntry<'_>], explanations: &mut Vec<Explanation>) {
    let metrics = || graded(runs).map(|run| run.metrics);
    if !metrics().any(|metric| metric.grader_s.is_some() || metric.executor_s.is_some()) {
        return;
    }
    let without = metrics().filter_map(|metric| {
        metric.executor_s.or_else(|| Some(metric.duration_s? - metric.grader_s.unwrap_or(0.0)))
    });
    let with =
        metrics().filter_map(|metric| Some(metric.duration_s? + metric.grader_s.unwrap_or(0.0)));
    add(explanations, [Cause::ExecutorOnly], without);
    add(explanations, [Cause::WithGrader], with);
}
