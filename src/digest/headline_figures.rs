//! The headline figures of a workspace and of a change, with the rules for what is worth showing.

use crate::analyze::{Analysis, Change, Cost, FurtherRuns, Gain};
use input::model::{Iteration, RecordedBenchmark, Tally, Workspace};
use statistics::Interval;

/// The last iteration if it is newer than the newest graded one.
pub(crate) fn newer_iteration<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
) -> Option<&'a Iteration> {
    newer_iterations(workspace, analysis).pop()
}

/// The iterations after the newest graded one, in their order.
pub(crate) fn newer_iterations<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
) -> Vec<&'a Iteration> {
    let Some(newest) = analysis.newest() else { return Vec::new() };
    let mut newer = Vec::new();
    for (iteration, found) in workspace.iterations.iter().zip(&analysis.iterations).skip(newest + 1)
    {
        // A recorded benchmark alone is no round, and `iteration-main` is only compared with.
        if iteration.is_round() && !found.is_reference && !found.is_unordered {
            newer.push(iteration);
        }
    }
    newer
}

/// The newest iteration, if it is prepared for the next round and has no run of its own yet.
pub(crate) fn prepared_round<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
) -> Option<&'a Iteration> {
    let newer = newer_iteration(workspace, analysis)?;
    let is_prepared = !newer.cases.is_empty() && newer.runs().all(|run| run.reuse.is_some());
    if is_prepared { Some(newer) } else { None }
}

/// The round whose gradings an iteration has, run for run: it was not graded anew.
pub(crate) fn graded_before<'a>(
    workspace: &'a Workspace,
    iteration: &Iteration,
) -> Option<&'a Iteration> {
    let mut graded = iteration.runs().filter(|run| run.is_graded());
    let first = graded.next()?.reused_from.as_deref()?;
    if graded.any(|run| run.reused_from.is_none()) {
        return None;
    }
    let mut earlier = workspace.iterations.iter();
    earlier.find(|earlier| earlier.runs().any(|run| run.path == first))
}

/// The cases of an iteration that only one side of `change` ran, with the side that did not.
pub(crate) fn one_sided<'a>(
    workspace: &'a Workspace,
    change: &'a Change,
) -> [(&'a str, Vec<&'a str>); 2] {
    let cases = &workspace.iterations[change.after.iteration].cases;
    let is_within = change.is_within_iteration();
    let only = |one: &'a str, other: &'a str| {
        let of_one = cases.iter().filter(|case| {
            is_within
                && case.graded_runs_of(one).next().is_some()
                && case.runs_of(other).next().is_none()
        });
        (other, of_one.map(|case| case.name.as_str()).collect())
    };
    let [before, after] = change.sides().map(|side| side.configuration.as_str());
    [only(after, before), only(before, after)]
}

/// The cases of an iteration that were prepared and have no run on any side, in its order; none unless
/// it is the last, as nobody runs an older one again.
pub(crate) fn prepared_cases(workspace: &Workspace, iteration: usize) -> Vec<&str> {
    let rounds = &workspace.iterations;
    // A recorded benchmark alone, or what `main` had, is no later round.
    if rounds[iteration + 1..].iter().any(|later| later.is_round()) {
        return Vec::new();
    }
    let cases = rounds[iteration].cases.iter().filter(|case| case.runs.is_empty());
    cases.map(|case| case.name.as_str()).collect()
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

/// A total on the other side of 1 than the typical ratio is news from this factor between them on:
/// closer ones look equal.
const TURNED: f64 = 1.02;

/// The interval that is drawn with the verdict.
pub(crate) fn interval(gain: &Gain) -> Option<Interval> {
    gain.range().map(|range| range.interval)
}

/// What to do about an open comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NextStep {
    More(FurtherRuns),
    /// Nothing that a person would do is likely to settle it.
    StaysOpen,
}

/// Of ten evaluations so many have to be settled for a plan to be chosen before those that follow.
const MOSTLY: usize = 5;

/// With fewer of ten it is no advice.
const SOMETIMES: usize = 3;

/// The first plan that settles most results like these, else the one that settles the most; `None` if the
/// comparison is not open, or nothing is known of it.
pub(crate) fn next_step(analysis: &Analysis, change: &Change) -> Option<NextStep> {
    let plans = change.what_more_runs_buy(analysis.run_noise)?;
    let first = plans.iter().find(|plan| plan.settled_in_ten >= MOSTLY);
    let best = first.or(plans.iter().max_by_key(|plan| plan.settled_in_ten))?;
    if best.settled_in_ten < SOMETIMES {
        return Some(NextStep::StaysOpen);
    }
    Some(NextStep::More(*best))
}

/// The ratio of total costs, later over earlier, if it lies on the other side of 1 than the typical
/// ratio: cheaper in most cases and dearer on the bill.
pub(crate) fn turned_total(cost: &Cost) -> Option<f64> {
    let (typical, total) = (cost.ratio.as_ref()?.geometric_mean, cost.of_totals?);
    let factor = (total / typical).max(typical / total);
    if (typical - 1.0) * (total - 1.0) < 0.0 && factor >= TURNED { Some(total) } else { None }
}

/// The ratio of total costs, later over earlier, if it is far from the typical ratio: by a factor
/// of 2, or outside its interval and not near it. One that is turned stands beside the typical one.
pub(crate) fn far_total(cost: &Cost) -> Option<f64> {
    let (ratio, total) = (cost.ratio.as_ref()?, cost.of_totals?);
    let typical = ratio.geometric_mean;
    let factor = (total / typical).max(typical / total);
    // One long case outweighs all others in a total, as a research task among lookups.
    let is_far = match ratio.interval {
        Some(interval) if !interval.contains(total) => factor >= NEAR,
        _ => factor >= FAR,
    };
    if is_far && turned_total(cost).is_none() { Some(total) } else { None }
}

/// The compared verdicts, earlier and later, if they are not all verdicts of both sides.
pub(crate) fn compared_in_part(change: &Change, analysis: &Analysis) -> Option<[Tally; 2]> {
    change.gain.paired()?;
    let compared = [change.gain.before, change.gain.after];
    let total = change.sides().map(|side| analysis.tally_of(side));
    let judged = [compared, total].map(|both| both.map(|tally| (tally.passed, tally.failed)));
    if judged[0] == judged[1] { None } else { Some(compared) }
}

#[cfg(test)]
mod tests {
    use super::{far_total, turned_total};
    use crate::analyze::Cost;
    use statistics::{CostRatio, ratio_of_totals};

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
        let turned = [(0.9, 1.0), (0.9, 1.0), (11.0, 10.0)];
        assert_eq!(total(&turned), None, "it stands beside the typical ratio");
        let (after, before): (Vec<f64>, Vec<f64>) = turned.iter().copied().unzip();
        let of_totals = ratio_of_totals(&after, &before);
        let cost = Cost { ratio: CostRatio::new(&turned), of_totals, ..Cost::default() };
        assert_eq!(turned_total(&cost), of_totals, "cheaper by case, dearer in all");
        assert_eq!(total(&[(9.0, 1.0)]), None, "one case is its own total");
        assert_eq!(total(&[]), None);
    }
}
