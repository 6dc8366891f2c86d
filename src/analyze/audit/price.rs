//! What a round costs, and what it can show.

use std::collections::BTreeMap;

use input::model::{Case, Iteration};
use statistics::{PlannedCase, RunNoise, chance_to_show};

/// The true gain that a round is asked to show.
pub const GAIN_TO_SHOW: f64 = 0.25;

/// What one round costs and shows, from the newest one.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundPrice {
    /// The round.
    pub iteration: String,
    /// Its runs on all sides.
    pub runs: usize,
    /// Tokens of all runs, where some are not recorded by the mean of the others; `None` if most are not.
    pub tokens: Option<f64>,
    /// Seconds, likewise, as if the runs ran one after the other.
    pub seconds: Option<f64>,
    /// The share of such rounds that call a skill better which gains [`GAIN_TO_SHOW`]; `None` without two
    /// sides that ran a check.
    pub chance: Option<f64>,
}

impl RoundPrice {
    pub(super) fn new(iteration: &Iteration, noise: RunNoise) -> Option<Self> {
        let runs = iteration.runs().count();
        let tokens = scaled(runs, iteration.runs().filter_map(|run| run.metrics.tokens));
        let seconds = scaled(runs, iteration.runs().filter_map(|run| run.metrics.duration_s));
        let cases: Vec<PlannedCase> = iteration.cases.iter().filter_map(planned_case).collect();
        let chance = chance_to_show(GAIN_TO_SHOW, &cases, noise);
        if tokens.is_none() && seconds.is_none() && chance.is_none() {
            return None;
        }
        Some(Self { iteration: iteration.name.clone(), runs, tokens, seconds, chance })
    }
}

/// The runs of each side of a case, and its checks; `None` unless two sides ran it.
fn planned_case(case: &Case) -> Option<PlannedCase> {
    let mut sides: BTreeMap<&str, u32> = BTreeMap::new();
    let mut checks = 0;
    for run in case.runs.iter().filter(|run| !run.is_lost()) {
        *sides.entry(&run.configuration).or_default() += 1;
        checks = checks.max(run.counted_expectations().len());
    }
    let fewest = sides.values().min().copied().filter(|_| sides.len() > 1 && checks > 0)?;
    Some(PlannedCase { runs: f64::from(fewest), checks: checks as f64 })
}

/// The sum of `known` for all `runs`, if at least half of them are known.
fn scaled(runs: usize, known: impl Iterator<Item = f64>) -> Option<f64> {
    let known: Vec<f64> = known.collect();
    if known.is_empty() || known.len() * 2 < runs {
        return None;
    }
    Some(known.iter().sum::<f64>() / known.len() as f64 * runs as f64)
}
