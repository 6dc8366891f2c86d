//! The figures of a change that texts and pages show, with the rules for what is worth showing.

use crate::analyze::{Analysis, Change, ConfigurationSummary, Cost, Gain, Side, Verdict};
use crate::model::Tally;
use crate::statistics::{Interval, Standing};

/// The gain for which the number of cases to plan is computed.
pub(crate) const PLANNED: f64 = 0.2;

/// By this factor of the typical ratio a ratio of totals is far from it, and within the other it is
/// not, be the interval ever so narrow.
const FAR: f64 = 2.0;
const NEAR: f64 = 1.1;

/// The interval of a gain, within what is possible.
pub(crate) fn interval(gain: &Gain) -> Option<Interval> {
    Some(gain.paired.as_ref()?.interval?.clip(-1.0, 1.0))
}

/// Whether a verdict is settled as better or worse.
pub(crate) fn is_settled(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better(Standing::Settled) | Verdict::Worse(Standing::Settled))
}

/// What so few cases can show.
pub(crate) struct Outlook {
    pub(crate) cases: usize,
    /// The smallest gain that is seen; none where nothing can be settled, and where the size is not
    /// known because several candidates are compared at once.
    pub(crate) smallest_gain: Option<f64>,
    /// How many cases would settle a gain of [`PLANNED`].
    pub(crate) needed: Option<usize>,
}

/// What could be seen with so many cases; `None` where the verdict is settled or nothing is known.
pub(crate) fn outlook(gain: &Gain) -> Option<Outlook> {
    let found = gain.detection.as_ref().filter(|_| !is_settled(gain.verdict()))?;
    let can_settle = gain.can_settle();
    let is_open = !can_settle || found.smallest_gain > PLANNED;
    let needed = is_open.then(|| found.cases_to_settle(PLANNED, gain.at_once)).flatten();
    let outlook = Outlook {
        cases: found.cases,
        smallest_gain: (can_settle && gain.at_once == 1).then_some(found.smallest_gain),
        needed: needed.map(|needed| (needed.ceil() as usize).max(gain.cases_to_settle())),
    };
    (outlook.smallest_gain.is_some() || outlook.needed.is_some()).then_some(outlook)
}

/// What all cases cost together in times of the earlier side, where that is far from the typical
/// ratio: by a factor of 2, or outside its interval and not near it.
pub(crate) fn far_total(cost: &Cost) -> Option<f64> {
    let (found, total) = (cost.ratio.as_ref()?, cost.of_totals?);
    let typical = found.geometric_mean;
    let apart = (total / typical).max(typical / total);
    let is_outside = found.interval.is_some_and(|it| total < it.low || total > it.high);
    (apart >= FAR || is_outside && apart >= NEAR).then_some(total)
}

/// Whether any cost is known of both sides.
pub(crate) fn has_costs(change: &Change) -> bool {
    let costs = &change.costs;
    [&costs.time, &costs.tokens, &costs.dollars].iter().any(|cost| cost.ratio.is_some())
}

/// All verdicts of a side, compared or not.
pub(crate) fn tally_of_side(analysis: &Analysis, side: &Side) -> Tally {
    let of_iteration = &analysis.iterations[side.iteration];
    of_iteration.configuration(&side.configuration).map(|it| it.tally).unwrap_or_default()
}

/// Both sides as means of the compared cases, where the counts of a side say something else.
pub(crate) fn unlike_means(change: &Change, analysis: &Analysis) -> Option<[f64; 2]> {
    let means = change.gain.means?;
    let sides = [&change.before, &change.after].into_iter().zip(means);
    let mut pooled = sides.map(|(side, mean)| (tally_of_side(analysis, side).pass_rate(), mean));
    let is_apart = pooled.any(|(rate, mean)| rate.is_some_and(|rate| are_apart(rate, mean)));
    is_apart.then_some(means)
}

/// The verdicts that are compared, earlier and later, where those are not all of both sides.
pub(crate) fn compared_in_part(change: &Change, analysis: &Analysis) -> Option<[Tally; 2]> {
    let compared = [change.gain.before, change.gain.after];
    let all = [&change.before, &change.after].map(|side| tally_of_side(analysis, side));
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
    let is_outside = interval.is_some_and(|it| !(it.low..=it.high).contains(&pooled));
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
            let cost = Cost { ratio: CostRatio::of(pairs), of_totals, ..Cost::default() };
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
