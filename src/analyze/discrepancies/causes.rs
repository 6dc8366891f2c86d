//! The rules by which writers of benchmarks arrive at another figure than that of the graded runs.

use crate::analyze::discrepancies::runs::{ConfigurationRuns, RunFigures};
use crate::analyze::{Cause, RecordedFigure, RecordedMeasure};
use crate::model::RATE_ROUNDING;
use crate::statistics::{Spread, mean};

/// Values of the runs that a writer may have used instead of ours.
struct Rule {
    cause: Option<Cause>,
    values: Vec<f64>,
}

impl Rule {
    fn new(cause: Cause, values: impl Iterator<Item = f64>) -> Self {
        Self { cause: Some(cause), values: values.collect() }
    }
}

/// Why `figure` of a measure is recorded as `stated`, next to a recorded `mean`: the first rule that
/// yields it.
pub(super) fn causes(
    found: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    figure: RecordedFigure,
    stated: f64,
    mean: Option<f64>,
) -> Vec<Cause> {
    for rule in rules_with_mean(found, measure, mean) {
        // The mean of the runs as they are is what differs.
        let is_plain_mean = rule.cause.is_none() && figure == RecordedFigure::Mean(measure);
        let Some(spread) = Spread::new(&rule.values).filter(|_| !is_plain_mean) else { continue };
        let value = match figure {
            RecordedFigure::Mean(_) => Some(spread.mean),
            RecordedFigure::Least(_) => Some(spread.min),
            RecordedFigure::Most(_) => Some(spread.max),
            _ => spread.stddev,
        };
        let Some(value) = value else { continue };
        let mut causes: Vec<Cause> = rule.cause.into_iter().collect();
        if measure.yields(stated, value) {
            return causes;
        }
        let count = spread.count as f64;
        let population = value * ((count - 1.0) / count).sqrt();
        if figure == RecordedFigure::Spread(measure) && measure.yields(stated, population) {
            causes.push(Cause::Population);
            return causes;
        }
    }
    Vec::new()
}

/// Why checks passed and checks in all are recorded as `stated`.
pub(super) fn cause_of_counts(found: &ConfigurationRuns<'_>, stated: (f64, f64)) -> Vec<Cause> {
    if stated_counts(&found.runs) == stated {
        let contradicts = |run: &&RunFigures<'_>| {
            let counted = (run.tally.passed as f64, run.tally.graded() as f64);
            run.stated_counts.is_some_and(|stated| stated != counted)
        };
        let runs = found.runs.iter().filter(contradicts).count();
        return vec![Cause::SummariesContradict { runs }];
    }
    let tally = ConfigurationRuns { runs: found.list.clone(), list: Vec::new() }.tally();
    let listed = (tally.passed as f64, tally.graded() as f64);
    if stated_counts(&found.list) == stated || listed == stated {
        return vec![own_list(found)];
    }
    Vec::new()
}

/// Checks passed and checks in all, as the runs state them.
fn stated_counts(runs: &[RunFigures<'_>]) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for (passed, total) in runs.iter().filter_map(|run| run.stated_counts) {
        sum.0 += passed;
        sum.1 += total;
    }
    sum
}

/// The rules that may explain a figure next to a recorded mean; unchanged values come first.
///
/// Writers compute all figures from the same values. So if a rule yields the mean, only such rules
/// count.
fn rules_with_mean(
    found: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    stated: Option<f64>,
) -> Vec<Rule> {
    let mut all = vec![Rule { cause: None, values: found.values(measure) }];
    all.extend(rules(found, measure));
    let yields_mean = |rule: &Rule| match (stated, mean(&rule.values)) {
        (Some(stated), Some(mean)) => measure.yields(stated, mean),
        _ => false,
    };
    let (fitting, others): (Vec<Rule>, Vec<Rule>) = all.into_iter().partition(yields_mean);
    // A mean by no known rule still has a spread that a rule may explain.
    if fitting.is_empty() { others } else { fitting }
}

/// The values of every rule, the plainest first: for the runs found, then for those listed.
fn rules(found: &ConfigurationRuns<'_>, measure: RecordedMeasure) -> Vec<Rule> {
    let mut rules = match measure {
        RecordedMeasure::PassRate => rules_for_rates(found),
        RecordedMeasure::Tokens => rules_for_tokens(found),
        RecordedMeasure::Time => rules_for_times(found),
    };
    if !found.list.is_empty() {
        let listed = |run: &RunFigures<'_>| match measure {
            RecordedMeasure::PassRate => run.stated.or(run.rate),
            _ => run.value(measure),
        };
        rules.push(Rule::new(own_list(found), found.list.iter().filter_map(listed)));
    }
    rules
}

fn own_list(found: &ConfigurationRuns<'_>) -> Cause {
    Cause::OwnList { listed: found.list.len(), found: found.graded().count() }
}

/// The rates that gradings state themselves, and rates rounded to whole percents.
// The aggregator of the skill-creator takes `summary.pass_rate` as it stands, and graders that are
// models contradict their own lists there.
fn rules_for_rates(found: &ConfigurationRuns<'_>) -> Vec<Rule> {
    let stated = found.graded().filter_map(|run| run.stated.or(run.rate));
    let contradicts = |run: &&RunFigures<'_>| match (run.stated, run.tally.pass_rate()) {
        (Some(stated), Some(counted)) => (stated - counted).abs() > RATE_ROUNDING,
        _ => false,
    };
    let contradicting = found.graded().filter(contradicts).count();
    let cause = if contradicting == 0 {
        Cause::RunsRounded
    } else {
        Cause::SummariesContradict { runs: contradicting }
    };
    let rounded = found.graded().filter_map(|run| Some((run.rate? * 100.0).round() / 100.0));
    vec![Rule::new(cause, stated), Rule::new(Cause::RunsRounded, rounded)]
}

/// Characters of the outputs instead of tokens: for every run, or for those without tokens.
fn rules_for_tokens(found: &ConfigurationRuns<'_>) -> Vec<Rule> {
    let of = found.graded().count();
    let characters = |run: &RunFigures<'_>| run.metrics.output_chars;
    let everywhere: Vec<f64> = found.graded().filter_map(characters).collect();
    let without_tokens = found.graded().filter(|run| run.metrics.tokens.is_none());
    let replaced = without_tokens.filter(|run| run.metrics.output_chars.is_some()).count();
    let mut rules = Vec::new();
    if !everywhere.is_empty() {
        let cause = Cause::Characters { runs: everywhere.len(), of };
        rules.push(Rule::new(cause, everywhere.into_iter()));
    }
    if replaced > 0 {
        let either = found.graded().filter_map(|run| run.metrics.tokens.or(characters(run)));
        rules.push(Rule::new(Cause::Characters { runs: replaced, of }, either));
    }
    rules
}

/// Times with the grader's, and times rounded to whole seconds.
// The aggregator of the skill-creator prefers the total in `grading.json`, which has the grader's.
fn rules_for_times(found: &ConfigurationRuns<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    if found.graded().any(|run| run.metrics.grader_s.is_some()) {
        let with_grader = |run: &RunFigures<'_>| {
            Some(run.metrics.duration_s? + run.metrics.grader_s.unwrap_or(0.0))
        };
        rules.push(Rule::new(Cause::WithGrader, found.graded().filter_map(with_grader)));
    }
    let rounded = found.graded().filter_map(|run| Some(run.metrics.duration_s?.round()));
    rules.push(Rule::new(Cause::RunsRounded, rounded));
    rules
}
