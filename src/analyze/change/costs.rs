//! What one side costs in times of the other: seconds, tokens and dollars.
//!
//! Like the gain it goes by case: the mean of a case's graded runs on either side. A run that broke
//! off before it could be graded says nothing of what an answer costs. The runs of a case do the same
//! work, so those that record seconds or tokens stand for those that do not. Not so with dollars:
//! whether an amount is known goes by the run's model, and models differ in what they cost.

use crate::analyze::flips::Side;
use crate::analyze::lines::CaseLine;
use crate::analyze::spent::{Spent, spent};
use crate::model::{Metrics, Workspace};
use crate::settings::Settings;
use crate::statistics::{CostRatio, mean, ratio_of_totals};

/// One cost on both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Mean of the case means of the earlier side, over the cases that count.
    pub before: Option<f64>,
    /// The same of the later side.
    pub after: Option<f64>,
    /// Later over earlier, typical by case; `None` where no case has the cost on both sides. Counts
    /// the cases, and those left out because a side has 0.
    pub ratio: Option<CostRatio>,
    /// Later over earlier of the sums of the case means: what the bill follows.
    pub of_totals: Option<f64>,
    /// Cases left out because the cost is known of some of their graded runs, but must be of all.
    pub incomplete: usize,
}

/// Every cost on both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// Seconds.
    pub time: Cost,
    /// Tokens.
    pub tokens: Cost,
    /// US dollars, as recorded, else by the prices of the settings.
    pub dollars: Cost,
}

/// The costs of `after` and `before` on the cases that both have.
pub(super) fn of(
    workspace: &Workspace,
    lines: &[CaseLine],
    shared: &[usize],
    [before, after]: [&Side; 2],
    settings: &Settings,
) -> Costs {
    let on = |figure: &dyn Fn(&Metrics) -> Option<f64>| -> Vec<[Amounts; 2]> {
        let of = |line: usize, side: &Side| of_case(workspace, &lines[line], side, figure);
        shared.iter().map(|line| [of(*line, after), of(*line, before)]).collect()
    };
    Costs {
        time: of_any(&on(&|metrics| metrics.duration_s)),
        tokens: of_any(&on(&|metrics| metrics.tokens)),
        dollars: of_all(&on(&|metrics| spent(metrics, settings).map(Spent::amount))),
    }
}

/// What the graded runs of a case cost on one side: `None` for each that does not tell.
type Amounts = Vec<Option<f64>>;

fn of_case(
    workspace: &Workspace,
    line: &CaseLine,
    side: &Side,
    figure: &dyn Fn(&Metrics) -> Option<f64>,
) -> Amounts {
    let Some(met) = line.meeting(side.iteration) else {
        return Vec::new();
    };
    let runs = &workspace.iterations[side.iteration].cases[met.case].runs;
    let ours = runs.iter().filter(|run| run.configuration == side.configuration);
    ours.filter(|run| run.is_graded()).map(|run| figure(&run.metrics)).collect()
}

/// The cost over the cases of which any run tells it, on both sides.
fn of_any(cases: &[[Amounts; 2]]) -> Cost {
    let known = |amounts: &Amounts| mean(&amounts.iter().flatten().copied().collect::<Vec<_>>());
    let pairs = cases.iter().filter_map(|[after, before]| Some((known(after)?, known(before)?)));
    between(&pairs.collect::<Vec<_>>())
}

/// The cost over the cases of which every run tells it, on both sides.
fn of_all(cases: &[[Amounts; 2]]) -> Cost {
    let all = |both: &&[Amounts; 2]| both.iter().flatten().all(Option::is_some);
    let some = |both: &&[Amounts; 2]| both.iter().flatten().any(Option::is_some);
    let whole: Vec<[Amounts; 2]> = cases.iter().filter(all).cloned().collect();
    let incomplete = cases.iter().filter(some).filter(|both| !all(both)).count();
    Cost { incomplete, ..of_any(&whole) }
}

/// The cost over pairs of a case's mean, later side first.
fn between(pairs: &[(f64, f64)]) -> Cost {
    let is_cost = |cost: f64| cost.is_finite() && cost > 0.0;
    let counted = pairs.iter().filter(|(after, before)| is_cost(*after) && is_cost(*before));
    let (after, before): (Vec<f64>, Vec<f64>) = counted.copied().unzip();
    Cost {
        before: mean(&before),
        after: mean(&after),
        ratio: CostRatio::of(pairs),
        of_totals: ratio_of_totals(&after, &before),
        incomplete: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{of_all, of_any};

    #[test]
    fn dollars_need_every_run_and_seconds_do_not() {
        let whole = [vec![Some(3.0), Some(1.0)], vec![Some(1.0), Some(1.0)]];
        let half = [vec![Some(2.0), None], vec![Some(2.0)]];
        let one_side = [vec![Some(2.0)], vec![None]];
        let none = [vec![None], vec![None]];
        let cases = [whole, half.clone(), one_side.clone(), none];
        let any = of_any(&cases);
        assert_eq!((any.ratio.unwrap().cases, any.incomplete), (2, 0));
        let all = of_all(&cases);
        assert_eq!((all.ratio.unwrap().cases, all.incomplete), (1, 2));
        assert_eq!((all.after, all.before, all.of_totals), (Some(2.0), Some(1.0), Some(2.0)));
        let left = of_all(&[half, one_side]);
        assert_eq!((left.ratio, left.after, left.incomplete), (None, None, 2));
    }
}
