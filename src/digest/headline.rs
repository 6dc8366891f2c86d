//! The figures of the answer of a workspace and of a change, with the rules for what is worth showing.

use crate::analyze::{Analysis, Change, ConfigurationSummary, Cost, Gain};
use crate::model::{Iteration, RecordedBenchmark, Tally, Workspace};
use crate::statistics::Interval;

/// The last iteration, where it is newer than the newest one that is graded.
pub(crate) fn newer_iteration<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
) -> Option<&'a Iteration> {
    let rounds = workspace.iterations.iter().zip(&analysis.iterations);
    let mut newer = rounds.skip(analysis.newest()? + 1).rev();
    newer
        .find(|(iteration, found)| iteration.is_round() && !found.is_reference)
        .map(|(iteration, _)| iteration)
}

/// The benchmark that records what the runs do not: what they cost. Its numbers are none of ours, as
/// writers of such files take characters for tokens and 0 for what is missing.
pub(crate) fn recorded_costs<'a>(
    iteration: &'a Iteration,
    lead: &Change,
) -> Option<&'a RecordedBenchmark> {
    let is_there = |value: Option<f64>| value.is_some_and(|value| value > 0.0);
    let records_costs = |benchmark: &&RecordedBenchmark| {
        let mut runs = benchmark.listed.iter().map(|run| &run.metrics);
        let mut all = benchmark.configurations.iter();
        runs.any(|run| is_there(run.duration_s) || is_there(run.tokens))
            || all.any(|summary| is_there(summary.time_s.mean) || is_there(summary.tokens.mean))
    };
    let costs = [&lead.costs.time, &lead.costs.tokens, &lead.costs.dollars];
    let is_known = lead.gain.paired.is_none() || costs.iter().any(|cost| cost.ratio.is_some());
    iteration.benchmarks.iter().find(records_costs).filter(|_| !is_known)
}

/// By this factor of the typical ratio a ratio of totals is far from it, and within the other it is
/// not, be the interval ever so narrow.
const FAR: f64 = 2.0;
const NEAR: f64 = 1.1;

pub(crate) fn interval(gain: &Gain) -> Option<Interval> {
    Some(gain.evidence.as_ref()?.interval)
}

/// What would decide an open comparison at the least cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NextStep {
    /// So many more runs of each case and side, or so many more cases.
    pub(crate) more: MoreNeeded,
    /// All further runs, of both sides.
    pub(crate) runs: usize,
    /// Their tokens, as far as those of both sides are recorded.
    pub(crate) tokens: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoreNeeded {
    Runs(usize),
    Cases(usize),
}

/// The cheaper of more runs and more cases; `None` where the verdict is settled, where nothing moved,
/// and where neither 20 runs per case nor 200 cases would decide.
pub(crate) fn next_step(change: &Change) -> Option<NextStep> {
    let gain = &change.gain;
    let plan = gain.plan.as_ref().filter(|_| !gain.verdict().is_settled())?;
    let cases = gain.shared.len();
    let by_runs = plan.runs_to_decide(gain.at_once).map(|runs| {
        let more = runs - plan.runs;
        (MoreNeeded::Runs(more), more * cases * 2)
    });
    let by_cases = plan.cases_to_settle(gain.at_once).map(|needed| {
        let more = needed - cases;
        (MoreNeeded::Cases(more), more * plan.runs * 2)
    });
    let (more, runs) = by_runs.into_iter().chain(by_cases).min_by_key(|(_, runs)| *runs)?;
    let tokens = &change.costs.tokens;
    let per_pair = tokens.before.zip(tokens.after).map(|(before, after)| before + after);
    Some(NextStep { more, runs, tokens: per_pair.map(|pair| pair * runs as f64 / 2.0) })
}

/// What all cases cost together in times of the earlier side, where that is far from the typical
/// ratio: by a factor of 2, or outside its interval and not near it.
pub(crate) fn far_total(cost: &Cost) -> Option<f64> {
    let (found, total) = (cost.ratio.as_ref()?, cost.of_totals?);
    let typical = found.geometric_mean;
    let apart = (total / typical).max(typical / total);
    let is_outside =
        found.interval.is_some_and(|interval| total < interval.low || total > interval.high);
    (apart >= FAR || is_outside && apart >= NEAR).then_some(total)
}

/// Both sides as means of the compared cases, where the counts of a side say something else.
pub(crate) fn unlike_means(change: &Change, analysis: &Analysis) -> Option<[f64; 2]> {
    let means = change.gain.means?;
    let sides = change.sides().into_iter().zip(means);
    let mut pooled = sides.map(|(side, mean)| (analysis.tally_of(side).pass_rate(), mean));
    let is_apart = pooled.any(|(rate, mean)| rate.is_some_and(|rate| are_apart(rate, mean)));
    is_apart.then_some(means)
}

/// The verdicts that are compared, earlier and later, where those are not all of both sides.
pub(crate) fn compared_in_part(change: &Change, analysis: &Analysis) -> Option<[Tally; 2]> {
    let compared = [change.gain.before, change.gain.after];
    let all = change.sides().map(|side| analysis.tally_of(side));
    (change.gain.paired.is_some() && compared != all).then_some(compared)
}

/// Whether a pooled rate and a mean of cases are 2 points apart or more: nearer ones say the same.
pub(crate) fn are_apart(pooled: f64, mean: f64) -> bool {
    (pooled - mean).abs() >= 0.02
}

/// The pass rate as a mean of cases, where the counts say something else: in those a case weighs by
/// its checks, in levels and gains all weigh the same.
pub(crate) fn case_mean(summary: &ConfigurationSummary) -> Option<f64> {
    let (pooled, mean) = summary.tally.pass_rate().zip(summary.by_case)?;
    let interval = summary.level.map(|level| level.shown());
    let is_outside =
        interval.is_some_and(|interval| !(interval.low..=interval.high).contains(&pooled));
    (is_outside || are_apart(pooled, mean)).then_some(mean)
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
