//! What changed from one side to another, as it stands in the file. It is counted from the rest of
//! the file and left aside on the way back.

use serde::{Deserialize, Serialize};

use crate::analyze::{Change, Cost, Gain, Side};
use crate::model::{Tally, Workspace};
use crate::statistics::Interval;

/// One side against another.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangeJson {
    /// Why they are compared: `baseline`, `previous`, `first`, `best`, `pinned`.
    pub against: Vec<String>,
    /// The earlier side, or the baseline.
    pub before: SideJson,
    /// The later side, or the candidate.
    pub after: SideJson,
    /// The verdict in words, such as `better, leaning`.
    pub verdict: String,
    /// The gain by case; null without a case in common.
    pub gain: Option<GainJson>,
    /// Seconds, later in times of earlier; null where one side records none.
    pub time: Option<CostJson>,
    /// Tokens, likewise.
    pub tokens: Option<CostJson>,
    /// US dollars, likewise.
    pub dollars: Option<CostJson>,
    /// Names of cases that only the earlier side has.
    pub only_before: Vec<String>,
    /// Names of cases that only the later side has.
    pub only_after: Vec<String>,
    /// Names of cases whose prompt changed, or that share too few statements.
    pub unlike: Vec<String>,
}

/// One side of a change.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SideJson {
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration.
    pub configuration: String,
    /// Checks passed, of those compared.
    pub passed: usize,
    /// Checks failed, of those compared.
    pub failed: usize,
}

/// The mean of the differences by case.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GainJson {
    /// Later minus earlier, in -1..=1.
    pub mean: f64,
    /// Lower end of the 95 % interval; null where there is none.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Cases compared.
    pub cases: usize,
    /// Cases in which the later side is ahead.
    pub better: usize,
    /// Cases in which it is behind.
    pub worse: usize,
    /// Cases without a difference.
    pub same: usize,
    /// Two-sided p of the exact sign-flip test.
    pub p: f64,
    /// The smallest gain that so many cases show in 4 of 5 evaluations; null where it cannot be told.
    pub smallest_detectable: Option<f64>,
}

/// One cost.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CostJson {
    /// Later over earlier, geometric mean over cases.
    pub ratio: f64,
    /// Lower end of its 95 % interval; null for one case.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Later over earlier of the totals.
    pub of_totals: Option<f64>,
    /// Mean of the case means, earlier side.
    pub before: Option<f64>,
    /// Mean of the case means, later side.
    pub after: Option<f64>,
    /// Cases with the cost on both sides.
    pub cases: usize,
}

impl ChangeJson {
    /// The shape of `change`; `lines` are the names of the cases.
    pub fn of(workspace: &Workspace, change: &Change, lines: &[&str]) -> Self {
        let names = |found: &[usize]| found.iter().map(|at| lines[*at].to_owned()).collect();
        let gain = &change.gain;
        Self {
            against: change.against.iter().map(|it| it.word().to_owned()).collect(),
            before: side(workspace, &change.before, gain.before),
            after: side(workspace, &change.after, gain.after),
            verdict: gain.verdict().word().to_owned(),
            gain: GainJson::of(gain),
            time: cost(&change.costs.time),
            tokens: cost(&change.costs.tokens),
            dollars: cost(&change.costs.dollars),
            only_before: names(&gain.only_before),
            only_after: names(&gain.only_after),
            unlike: names(&gain.unlike),
        }
    }
}

impl GainJson {
    /// The shape of `gain`; `None` without a case in common.
    pub fn of(gain: &Gain) -> Option<Self> {
        let paired = gain.paired.as_ref()?;
        let (low, high) = ends(paired.interval.map(|interval| interval.clip(-1.0, 1.0)));
        Some(Self {
            mean: paired.mean,
            low,
            high,
            cases: paired.cases,
            better: paired.better,
            worse: paired.worse,
            same: paired.same,
            p: paired.p(),
            smallest_detectable: gain.detection.as_ref().map(|found| found.smallest_gain),
        })
    }
}

fn side(workspace: &Workspace, side: &Side, tally: Tally) -> SideJson {
    SideJson {
        iteration: workspace.iterations[side.iteration].name.clone(),
        configuration: side.configuration.clone(),
        passed: tally.passed,
        failed: tally.failed,
    }
}

/// The ends of an interval.
fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    (interval.map(|it| it.low), interval.map(|it| it.high))
}

fn cost(cost: &Cost) -> Option<CostJson> {
    let ratio = cost.ratio.as_ref()?;
    let (low, high) = ends(ratio.interval);
    Some(CostJson {
        ratio: ratio.geometric_mean,
        low,
        high,
        of_totals: cost.of_totals,
        before: cost.before,
        after: cost.after,
        cases: ratio.cases,
    })
}
