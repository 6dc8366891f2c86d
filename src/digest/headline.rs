//! The headline figures of a workspace and of a change, with the rules for what is worth showing.

use crate::analyze::{Analysis, Change, ConfigurationSummary, Cost, Gain};
use crate::model::{Iteration, RecordedBenchmark, Tally, Workspace};
use crate::statistics::Interval;

/// The last iteration if it is newer than the newest graded one.
pub(crate) fn newer_iteration<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
) -> Option<&'a Iteration> {
    let first_ungraded = analysis.newest()? + 1;
    let iterations = workspace.iterations.iter().zip(&analysis.iterations);
    for (iteration, analysis) in iterations.skip(first_ungraded).rev() {
        // A recorded benchmark alone is no round, and `iteration-main` is only compared with.
        if iteration.is_round() && !analysis.is_reference {
            return Some(iteration);
        }
    }
    None
}

/// The benchmark that records the costs if the runs do not. We never adopt its numbers, as writers
/// of such files confuse characters with tokens and write 0 for what is missing.
pub(crate) fn recorded_costs<'a>(
    iteration: &'a Iteration,
    lead: &Change,
) -> Option<&'a RecordedBenchmark> {
    let costs = [&lead.costs.time, &lead.costs.tokens, &lead.costs.dollars];
    if lead.gain.paired().is_none() || costs.iter().any(|cost| cost.ratio.is_some()) {
        return None;
    }
    iteration.benchmarks.iter().find(|benchmark| records_costs(benchmark))
}

/// Whether a run or a configuration of `benchmark` has a time or a number of tokens.
fn records_costs(benchmark: &RecordedBenchmark) -> bool {
    let mut runs = benchmark.listed.iter().map(|run| &run.metrics);
    let mut summaries = benchmark.configurations.iter();
    runs.any(|metrics| is_measured(metrics.duration_s) || is_measured(metrics.tokens))
        || summaries
            .any(|summary| is_measured(summary.time_s.mean) || is_measured(summary.tokens.mean))
}

/// Writers of benchmarks put 0 where nothing was measured, so 0 counts as absent.
fn is_measured(value: Option<f64>) -> bool {
    value.is_some_and(|value| value > 0.0)
}

/// A ratio of totals that differs from the typical ratio by this factor is far from it.
const FAR: f64 = 2.0;

/// Within this factor it is near, however narrow the interval.
const NEAR: f64 = 1.1;

pub(crate) fn interval(gain: &Gain) -> Option<Interval> {
    Some(gain.comparison.as_ref()?.evidence.interval)
}

/// The cheapest way to decide an open comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NextStep {
    /// Further runs of each case and side, or further cases.
    pub(crate) more: MoreNeeded,
    /// Total number of further runs, of both sides.
    pub(crate) runs: usize,
    /// Their tokens; `None` unless both sides recorded tokens.
    pub(crate) tokens: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoreNeeded {
    Runs(usize),
    Cases(usize),
}

/// The cheaper of more runs and more cases; `None` if the verdict is settled, if nothing moved, or
/// if neither 20 runs per case nor 200 cases would decide.
pub(crate) fn next_step(change: &Change) -> Option<NextStep> {
    let gain = &change.gain;
    if gain.verdict().is_settled() {
        return None;
    }
    let plan = gain.comparison.as_ref()?.plan.as_ref()?;
    let cases = gain.shared.len();
    let mut options = Vec::new();
    if let Some(needed) = plan.runs_to_decide(gain.at_once()) {
        let more = needed - plan.runs;
        options.push((MoreNeeded::Runs(more), more * cases * 2));
    }
    if let Some(needed) = plan.cases_to_settle(gain.at_once()) {
        let more = needed - cases;
        options.push((MoreNeeded::Cases(more), more * plan.runs * 2));
    }
    let (more, runs) = options.into_iter().min_by_key(|(_, runs)| *runs)?;
    let mut tokens = None;
    if let (Some(before), Some(after)) = (change.costs.tokens.before, change.costs.tokens.after) {
        // Half of the further runs are of each side.
        tokens = Some((before + after) * runs as f64 / 2.0);
    }
    Some(NextStep { more, runs, tokens })
}

/// The ratio of total costs, later over earlier, if it is far from the typical ratio: by a factor
/// of 2, or outside its interval and not near it.
pub(crate) fn far_total(cost: &Cost) -> Option<f64> {
    let (ratio, total) = (cost.ratio.as_ref()?, cost.of_totals?);
    let typical = ratio.geometric_mean;
    let factor = (total / typical).max(typical / total);
    // One long case outweighs all others in a total, as a research task among lookups.
    let is_far = match ratio.interval {
        Some(interval) if !interval.contains(total) => factor >= NEAR,
        _ => factor >= FAR,
    };
    if is_far { Some(total) } else { None }
}

/// The means of the compared cases, if the counts of a side suggest other values.
pub(crate) fn unlike_means(change: &Change, analysis: &Analysis) -> Option<[f64; 2]> {
    let means = change.gain.comparison.as_ref()?.means;
    for (side, mean) in change.sides().into_iter().zip(means) {
        let pooled = analysis.tally_of(side).pass_rate();
        if pooled.is_some_and(|pooled| differ(pooled, mean)) {
            return Some(means);
        }
    }
    None
}

/// The compared verdicts, earlier and later, if they are not all verdicts of both sides.
pub(crate) fn compared_in_part(change: &Change, analysis: &Analysis) -> Option<[Tally; 2]> {
    change.gain.paired()?;
    let compared = [change.gain.before, change.gain.after];
    let total = change.sides().map(|side| analysis.tally_of(side));
    if compared == total { None } else { Some(compared) }
}

/// Whether a pooled rate and a mean of cases differ by at least 2 points.
pub(crate) fn differ(pooled: f64, mean: f64) -> bool {
    (pooled - mean).abs() >= 0.02
}

/// The pass rate as a mean of cases, if the counts suggest another value: there, a case weighs by
/// its checks; in levels and gains all cases weigh the same.
pub(crate) fn case_mean(summary: &ConfigurationSummary) -> Option<f64> {
    let (pooled, mean) = (summary.tally.pass_rate()?, summary.by_case?);
    let is_outside = summary.level.is_some_and(|level| !level.shown().contains(pooled));
    if is_outside || differ(pooled, mean) { Some(mean) } else { None }
}

#[cfg(test)]
mod tests {
    use super::far_total;
    use crate::analyze::Cost;
    use crate::statistics::{CostRatio, ratio_of_totals};

    #[test]
    fn totals_are_shown_where_they_are_far_from_the_typical_ratio() {
        let total = |pairs: &[(f64, f64)]| {
            let (after, before): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let of_totals = ratio_of_totals(&after, &before);
            let cost = Cost { ratio: CostRatio::new(pairs), of_totals, ..Cost::default() };
            far_total(&cost).map(|total| format!("{total:.1}"))
        };
        assert_eq!(total(&[(1.0, 1.0), (1.0, 1.0), (60.0, 10.0)]).as_deref(), Some("5.2"));
        assert_eq!(total(&[(1.4, 1.0), (1.5, 1.0), (1.6, 1.0)]), None);
        // 1.5 to 1.6 by case, and one case that is much larger than the others.
        let outside = [(1.5, 1.0), (1.55, 1.0), (1.6, 1.0), (1.55, 1.0), (1250.0, 1000.0)];
        assert_eq!(total(&outside).as_deref(), Some("1.3"));
        assert_eq!(total(&[(9.0, 1.0)]), None, "one case is its own total");
        assert_eq!(total(&[]), None);
    }
}
