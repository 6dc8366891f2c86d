//! Fills the shapes of changes in `report.json` and `benchmark.json`.

use crate::analyze::{Change, Cost, Gain, Side};
use crate::digest;
use crate::model::{Tally, Workspace};
use crate::report_json::{ChangeJson, CostJson, GainJson, SideJson};
use crate::statistics::Interval;

/// The shape of `change`; `lines` are the names of the cases.
pub(super) fn change(workspace: &Workspace, change: &Change, lines: &[&str]) -> ChangeJson {
    let names = |found: &[usize]| found.iter().map(|at| lines[*at].to_owned()).collect();
    let gain = &change.gain;
    ChangeJson {
        against: change.against.iter().map(|it| it.word().to_owned()).collect(),
        before: side(workspace, &change.before, gain.before),
        after: side(workspace, &change.after, gain.after),
        verdict: gain.verdict().word().to_owned(),
        gain: self::gain(gain),
        time: cost(&change.costs.time),
        tokens: cost(&change.costs.tokens),
        dollars: cost(&change.costs.dollars),
        only_before: names(&gain.only_before),
        only_after: names(&gain.only_after),
        unlike: names(&gain.unlike),
    }
}

/// The shape of `gain`; `None` without a case in common.
pub(crate) fn gain(gain: &Gain) -> Option<GainJson> {
    let paired = gain.paired.as_ref()?;
    let (low, high) = ends(digest::interval(gain));
    Some(GainJson {
        mean: paired.mean,
        low,
        high,
        cases: paired.cases,
        better: paired.better,
        worse: paired.worse,
        same: paired.same,
        single_run: gain.single,
        ungraded_runs: gain.ungraded,
        ungraded_checks: gain.unjudged,
        p: paired.p(),
        at_once: gain.at_once,
        adjusted_p: gain.adjusted_p.unwrap_or_else(|| paired.p()),
        smallest_detectable: gain.detection.as_ref().map(|found| found.smallest_gain),
    })
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
