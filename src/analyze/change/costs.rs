//! What one side costs in times of the other: seconds, tokens and dollars.
//!
//! Like the gain it goes by case: the mean of a case's graded runs on either side. A run that broke
//! off before it could be graded says nothing of what an answer costs.

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
}

impl Cost {
    /// After minus before; `None` without both.
    pub fn increase(&self) -> Option<f64> {
        Some(self.after? - self.before?)
    }
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
    let cost = |figure: &dyn Fn(&Metrics) -> Option<f64>| {
        let on = |line: usize, side: &Side| of_case(workspace, &lines[line], side, figure);
        let pairs = shared.iter().filter_map(|line| Some((on(*line, after)?, on(*line, before)?)));
        between(&pairs.collect::<Vec<_>>())
    };
    Costs {
        time: cost(&|metrics| metrics.duration_s),
        tokens: cost(&|metrics| metrics.tokens),
        dollars: cost(&|metrics| spent(metrics, settings).map(Spent::amount)),
    }
}

/// The mean of a case's graded runs; `None` where none records it.
fn of_case(
    workspace: &Workspace,
    line: &CaseLine,
    side: &Side,
    figure: &dyn Fn(&Metrics) -> Option<f64>,
) -> Option<f64> {
    let met = line.meeting(side.iteration)?;
    let runs = &workspace.iterations[side.iteration].cases[met.case].runs;
    let ours = runs.iter().filter(|run| run.configuration == side.configuration);
    let graded = ours.filter(|run| run.is_graded());
    mean(&graded.filter_map(|run| figure(&run.metrics)).collect::<Vec<_>>())
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
    }
}
