//! The cost of one side as a multiple of the other's, by case like the gain. Runs of a case do the
//! same work, so runs that record seconds or tokens count for those that do not. Not so dollars:
//! whether an amount is known depends on the run's model, and models differ in cost.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::{CaseHistory, Side};
use input::model::{
    Implausible, Metrics, Run, Workspace, cache_of_one_side, implausible_times, implausible_tokens,
};
use input::settings::Settings;
use statistics::{CostRatio, Interval, least_ratio, mean, ratio_of_totals, usual_cost};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Mean of the earlier side's case means, over the cases that count.
    pub before: Option<f64>,
    pub after: Option<f64>,
    /// The cases with the cost on both sides.
    pub cases: usize,
    /// Typical ratio of later to earlier by case; `None` where no case has the cost on both sides.
    /// Counts the cases, and those left out because a side has 0.
    pub ratio: Option<CostRatio>,
    /// The lower end of the ratio, given the noise of runs, for limits.
    pub at_least: Option<f64>,
    /// Ratio of later to earlier sums of the case means, as on the bill.
    pub of_totals: Option<f64>,
    /// Cases left out because only some of their graded runs have a known cost.
    pub incomplete: usize,
    /// Why the figure cannot be that of a model, or of the same thing on both sides; then it has no
    /// ratio.
    pub implausible: Option<Implausible>,
}

/// From this ratio on a cost is news.
const RAISED: f64 = 1.5;

/// So many cases with one and the same ratio are no chance: all of them moved one way, which has a
/// p of 1/32.
const CASES_BEYOND_CHANCE: usize = 6;

impl Cost {
    /// Whether the ratio may be chance, so that it is shown with ≈ and is no news: its interval holds 1, or
    /// it has none and the costs are not surely raised.
    pub fn may_be_chance(&self) -> bool {
        let interval = self.ratio.and_then(|ratio| ratio.interval);
        interval.is_none_or(|interval| interval.contains(1.0)) && self.raised().is_none()
    }

    /// Whether some cases cost clearly more and others clearly less, and the mean is between them by chance:
    /// then no ratio is true of a case. Repeated runs may show that both sides cost the same all the same.
    pub fn points_both_ways(&self) -> bool {
        const SAME: Interval = Interval { low: 1.0 / 1.15, high: 1.15 };
        let Some(ratio) = self.ratio else { return false };
        let is_near = ratio
            .interval
            .is_some_and(|interval| SAME.contains(interval.low) && SAME.contains(interval.high));
        ratio.dearer > 0 && ratio.cheaper > 0 && self.may_be_chance() && !is_near
    }

    /// The ratio, if the later side costs at least half as much again, and not by chance.
    pub fn raised(&self) -> Option<f64> {
        let ratio = self.ratio?;
        let is_beyond_chance = match ratio.interval {
            Some(interval) => interval.low > 1.0,
            None => ratio.cases >= CASES_BEYOND_CHANCE,
        };
        if ratio.geometric_mean >= RAISED && is_beyond_chance {
            Some(ratio.geometric_mean)
        } else {
            None
        }
    }

    fn unless(self, implausible: Option<Implausible>) -> Self {
        if implausible.is_none() {
            return self;
        }
        Self { ratio: None, at_least: None, of_totals: None, implausible, ..self }
    }
}

/// Why the tokens and why the times of these runs of both sides have no ratio.
fn why_no_ratio(sides: [&[&Run]; 2]) -> [Option<Implausible>; 2] {
    let [before, after] = sides;
    let tokens = implausible_tokens(before).or(implausible_tokens(after));
    let times = implausible_times(before).or(implausible_times(after));
    [tokens.or(cache_of_one_side(sides)), times]
}

/// What costs are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostKind {
    /// Seconds of a run.
    Time,
    /// Tokens of a run.
    Tokens,
    /// US dollars of a run.
    Dollars,
}

impl CostKind {
    pub const ALL: [Self; 3] = [Self::Time, Self::Tokens, Self::Dollars];

    /// Its word, also in keys of texts.
    pub fn word(self) -> &'static str {
        ["time", "tokens", "dollars"][self as usize]
    }

    pub fn of(self, costs: &Costs) -> &Cost {
        match self {
            Self::Time => &costs.time,
            Self::Tokens => &costs.tokens,
            Self::Dollars => &costs.dollars,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    pub time: Cost,
    pub tokens: Cost,
    /// US dollars, as recorded, else computed from the prices in the settings.
    pub dollars: Cost,
}

pub(super) fn compare_costs(
    workspace: &Workspace,
    cases: &[CaseHistory],
    shared: &[usize],
    sides: [&Side; 2],
    settings: &Settings,
) -> Costs {
    costs_of_runs(workspace, cases, shared, sides, settings, Run::is_graded)
}

/// The costs of sides without a verdict, over the cases that both ran. What an answer takes is known
/// before anybody grades it; a run that stopped gave none.
pub fn costs_before_grading(
    workspace: &Workspace,
    cases: &[CaseHistory],
    sides: [&Side; 2],
    settings: &Settings,
) -> Costs {
    let mut shared = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        if sides.iter().all(|side| case.runs(workspace, side).any(has_ended)) {
            shared.push(index);
        }
    }
    costs_of_runs(workspace, cases, &shared, sides, settings, has_ended)
}

fn has_ended(run: &Run) -> bool {
    run.error.is_none()
}

/// The costs over the `shared` cases, of the runs that count.
fn costs_of_runs(
    workspace: &Workspace,
    cases: &[CaseHistory],
    shared: &[usize],
    sides: [&Side; 2],
    settings: &Settings,
    counts: fn(&Run) -> bool,
) -> Costs {
    let amounts = |figure: &dyn Fn(&Metrics) -> Option<f64>| -> Vec<[Amounts; 2]> {
        let mut by_case = Vec::new();
        for index in shared {
            by_case.push(sides.map(|side| {
                let runs = cases[*index].runs(workspace, side).filter(|run| counts(run));
                runs.map(|run| figure(&run.metrics)).collect()
            }));
        }
        by_case
    };
    let [before, after] = sides.map(|side| {
        let cases = shared.iter().map(|index| &cases[*index]);
        cases
            .flat_map(|history| history.runs(workspace, side))
            .filter(|run| counts(run))
            .collect::<Vec<&Run>>()
    });
    let [tokens, times] = why_no_ratio([&before, &after]);
    Costs {
        time: compare(&amounts(&|metrics| metrics.duration_s)).unless(times),
        tokens: compare(&amounts(&|metrics| metrics.tokens)).unless(tokens),
        dollars: compare_whole(&amounts(&|metrics| spent(metrics, settings).map(RunCost::amount))),
    }
}

/// The cost of each graded run of a case on one side; `None` where not recorded. Pairs have the
/// earlier side first.
type Amounts = Vec<Option<f64>>;

/// The cost over the cases in which every run of both sides has one. A case without any amount is
/// not incomplete: it has no cost.
// Claude Code states dollars and most other agents none, so a side may have them for some runs.
fn compare_whole(cases: &[[Amounts; 2]]) -> Cost {
    let mut cases = cases.to_vec();
    cases.retain(|both| both.iter().flatten().any(Option::is_some));
    let known = cases.len();
    cases.retain(|both| both.iter().flatten().all(Option::is_some));
    Cost { incomplete: known - cases.len(), ..compare(&cases) }
}

/// The cost over the cases in which some run of each side has one.
fn compare(cases: &[[Amounts; 2]]) -> Cost {
    let (mut pairs, mut usual): (Vec<(f64, f64)>, Vec<(f64, f64)>) = Default::default();
    for [before, after] in cases {
        pairs.extend(known(mean, after).zip(known(mean, before)));
        // One runaway run is not what a case typically costs.
        usual.extend(known(usual_cost, after).zip(known(usual_cost, before)));
    }
    // 0 stands for a figure that was not measured.
    let mut counted = pairs.clone();
    counted.retain(|pair| [pair.0, pair.1].iter().all(|cost| cost.is_finite() && *cost > 0.0));
    let (after, before): (Vec<f64>, Vec<f64>) = counted.into_iter().unzip();
    let runs: Vec<[Vec<f64>; 2]> =
        cases.iter().map(|[before, after]| [after, before].map(known_runs)).collect();
    Cost {
        before: mean(&before),
        after: mean(&after),
        cases: after.len(),
        ratio: CostRatio::new(&usual),
        at_least: least_ratio(&runs),
        of_totals: ratio_of_totals(&after, &before),
        incomplete: 0,
        implausible: None,
    }
}

fn known(center: fn(&[f64]) -> Option<f64>, amounts: &Amounts) -> Option<f64> {
    center(&known_runs(amounts))
}

fn known_runs(amounts: &Amounts) -> Vec<f64> {
    amounts.iter().flatten().copied().collect()
}

/// Number of tokens a price applies to.
const TOKENS_PER_PRICE: f64 = 1_000_000.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunCost {
    /// Recorded by the run itself.
    Recorded(f64),
    /// From the tokens read and written, at the settings' prices for the run's model.
    Computed(f64),
}

impl RunCost {
    pub fn amount(self) -> f64 {
        match self {
            Self::Recorded(amount) | Self::Computed(amount) => amount,
        }
    }
}

/// The cost of a run with `metrics`. Not computed for tokens from or to a cache: these have their
/// own prices, and writers differ on whether the tokens read include them.
pub fn spent(metrics: &Metrics, settings: &Settings) -> Option<RunCost> {
    if let Some(recorded) = metrics.cost_usd {
        return Some(RunCost::Recorded(recorded));
    }
    let (_, price) =
        settings.prices.iter().rfind(|(name, _)| Some(name) == metrics.model.as_ref())?;
    let (input, output) = (metrics.input_tokens?, metrics.output_tokens?);
    let cached = [metrics.cached_tokens, metrics.cache_written_tokens];
    if cached.into_iter().flatten().any(|tokens| tokens > 0.0) {
        return None;
    }
    Some(RunCost::Computed((input * price.input + output * price.output) / TOKENS_PER_PRICE))
}

#[cfg(test)]
mod tests {
    use super::{Cost, RunCost, compare, compare_whole, spent};
    use input::model::Metrics;
    use input::settings::Settings;
    use statistics::CostRatio;

    #[test]
    fn dollars_need_every_run_and_seconds_do_not() {
        let whole = [vec![Some(1.0), Some(1.0)], vec![Some(3.0), Some(1.0)]];
        let half = [vec![Some(2.0)], vec![Some(2.0), None]];
        let one_side = [vec![None], vec![Some(2.0)]];
        let none = [vec![None], vec![None]];
        let cases = [whole, half.clone(), one_side.clone(), none];
        let any = compare(&cases);
        assert_eq!((any.ratio.unwrap().cases, any.incomplete), (2, 0));
        let all = compare_whole(&cases);
        assert_eq!((all.ratio.unwrap().cases, all.incomplete), (1, 2));
        assert_eq!((all.after, all.before, all.of_totals), (Some(2.0), Some(1.0), Some(2.0)));
        let left = compare_whole(&[half, one_side]);
        assert_eq!((left.ratio, left.after, left.incomplete), (None, None, 2));
    }

    #[test]
    fn one_runaway_run_is_in_the_totals_only() {
        let usual = [vec![Some(10.0); 3], vec![Some(10.0), Some(10.0), Some(280.0)]];
        let cost = compare(&[usual.clone(), usual]);
        assert_eq!(cost.ratio.map(|ratio| ratio.geometric_mean), Some(1.0));
        assert_eq!((cost.after, cost.of_totals), (Some(100.0), Some(10.0)));
    }

    #[test]
    fn a_cost_has_risen_from_half_as_much_again_and_beyond_chance() {
        let raised = |pairs: &[(f64, f64)]| {
            Cost { ratio: CostRatio::new(pairs), ..Cost::default() }.raised().is_some()
        };
        assert!(raised(&[(2.4, 1.0); 6]) && !raised(&[(2.4, 1.0); 5]));
        assert!(raised(&[(2.4, 1.0), (2.5, 1.0), (2.3, 1.0)]));
        assert!(!raised(&[(9.0, 1.0), (0.5, 1.0), (3.0, 1.0)]), "it may be chance");
        assert!(!raised(&[(1.2, 1.0), (1.21, 1.0), (1.19, 1.0)]) && !raised(&[]));
    }

    #[test]
    fn recorded_costs_win_over_computed_ones() {
        let settings =
            Settings::read_file("[prices.m]\ninput = 3\noutput = 15", "evalbook.toml").unwrap();
        let metrics = Metrics {
            model: Some("m".to_owned()),
            input_tokens: Some(100_000.0),
            output_tokens: Some(20_000.0),
            ..Metrics::default()
        };
        assert_eq!(spent(&metrics, &settings), Some(RunCost::Computed(0.6)));
        let recorded = Metrics { cost_usd: Some(0.5), ..metrics.clone() };
        assert_eq!(spent(&recorded, &settings), Some(RunCost::Recorded(0.5)));
        let unknown = [
            Metrics { model: Some("n".to_owned()), ..metrics.clone() },
            Metrics { model: None, ..metrics.clone() },
            Metrics { output_tokens: None, ..metrics.clone() },
            Metrics { cached_tokens: Some(1.0), ..metrics.clone() },
            Metrics { cache_written_tokens: Some(1.0), ..metrics.clone() },
        ];
        assert!(unknown.iter().all(|metrics| spent(metrics, &settings).is_none()));
        assert_eq!(spent(&metrics, &Settings::default()), None);
    }
}
