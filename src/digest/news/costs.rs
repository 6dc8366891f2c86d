//! What the skill costs, where that is news.

use crate::analyze::{Change, Cost, CostKind, Costs, Side};
use crate::digest::headline_figures::{far_total, recorded_costs, turned_total};
use crate::digest::news::{CostMove, Finding, Scene};
use input::model::{Case, Code, Metrics, RecordedBenchmark, Run};
use input::names;

/// A ratio closer to 1 is no news.
const NOTED: f64 = 0.1;
/// Beyond these ratios one side is probably counted in another way.
const ODD: [f64; 2] = [0.2, 10.0];

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(lead) = scene.lead else { return };
    if let Some(benchmark) = recorded_costs(scene.iteration(), lead) {
        found.extend(recorded(scene, benchmark, [&lead.before, &lead.after]));
        return;
    }
    if let Some(doubtful) = two_figures(scene) {
        found.push(doubtful);
        return;
    }
    let costs = &lead.costs;
    let mut runs = scene.runs(&lead.after).into_iter();
    let is_given_checks = runs.any(|(_, run)| run.loading.is_given_checks);
    for resource in CostKind::ALL {
        let Some(ratio) = typical(resource.of(costs)) else { continue };
        let is_in_prompt = ratio > 1.0 && is_given_checks;
        if is_odd(costs, resource, ratio) || is_in_prompt && !is_plausible(resource, ratio) {
            let factor = ratio.max(1.0 / ratio);
            found.push(Finding::OddCost { resource, factor, is_in_prompt });
        }
    }
    let mut moves = moves(lead);
    moves.retain(|moved| !moved.is_rough);
    // What is doubted is not praised in the next sentence.
    if let Some(doubtful) = round_figures(scene) {
        found.push(doubtful);
    } else if !moves.is_empty() {
        found.push(Finding::Costs { costs: moves });
    }
    for (resource, cost) in [(CostKind::Tokens, &costs.tokens), (CostKind::Time, &costs.time)] {
        found.extend(cost.implausible.map(|reason| Finding::NoRatio { resource, reason }));
        // What is far from typical on the bill is often one run.
        if far_total(cost).or(turned_total(cost)).is_some() {
            found.extend(runaway(scene, resource, true));
        }
    }
}

/// The typical costs that moved by more than a tenth: beyond chance, or all cases of several one way.
pub(super) fn moves(change: &Change) -> Vec<CostMove> {
    const CASES: usize = 3;
    let mut moves = Vec::new();
    for resource in CostKind::ALL {
        let cost = resource.of(&change.costs);
        let (Some(ratio), Some(found)) = (typical(cost), cost.ratio) else { continue };
        let is_rough = cost.may_be_chance();
        let is_one_way = found.dearer.min(found.cheaper) == 0 && found.cases >= CASES;
        // What most cases do not record is no typical cost; the gate asks for as many.
        if found.cases * 2 >= change.gain.shared.len()
            && (ratio - 1.0).abs() > NOTED
            && !is_odd(&change.costs, resource, ratio)
            && (!is_rough || is_one_way)
        {
            moves.push(CostMove { resource, ratio, is_rough });
        }
    }
    moves
}

/// What the candidate costs more than the other side, by a fifth and more: a change that gains nothing has
/// to be worth it.
pub(super) fn dearer(scene: &Scene<'_>) -> Vec<CostMove> {
    const DEARER: f64 = 1.2;
    let mut moves = scene.lead.map_or_else(Vec::new, moves);
    moves.retain(|moved| moved.resource != CostKind::Time && moved.ratio >= DEARER);
    moves.truncate(1);
    moves
}

/// Whether a ratio can be that of one way of counting. Dollars may well be a tenth, since models differ in
/// price.
fn is_plausible(resource: CostKind, ratio: f64) -> bool {
    resource == CostKind::Dollars || (ODD[0]..ODD[1]).contains(&ratio)
}

/// Whether one side is probably counted in another way: what takes a tenth of the tokens and a fifth of the
/// time is a tenth of the work.
fn is_odd(costs: &Costs, resource: CostKind, ratio: f64) -> bool {
    const AGREES: f64 = 2.0;
    let other = if resource == CostKind::Time { &costs.tokens } else { &costs.time };
    let agrees = typical(other)
        .is_some_and(|other| if ratio > 1.0 { other >= AGREES } else { other <= 1.0 / AGREES });
    !is_plausible(resource, ratio) && !agrees
}

/// That two files contradict each other on what most runs of the round took.
fn two_figures(scene: &Scene<'_>) -> Option<Finding> {
    let of = scene.iteration().runs().count();
    let folder = format!("{}/", scene.iteration().path);
    let such = scene.workspace.problems.iter().filter(|problem| {
        problem.code == Code::TimingMismatch && problem.path.starts_with(&folder)
    });
    let runs = such.count().min(of);
    (runs * 2 >= of && runs > 0).then_some(Finding::TwoFigures { runs, of })
}

/// That every time and every number of tokens is round, as nobody measures them: in
/// `fetcher-cosec-auth` of a real workspace three runs took 25.0 s and 12 000 tokens each.
fn round_figures(scene: &Scene<'_>) -> Option<Finding> {
    const FEWEST: usize = 6;
    let other = scene.lead.map(|lead| &lead.before);
    let runs = std::iter::once(scene.after).chain(other).flat_map(|side| scene.runs(side));
    let mut number = 0;
    for (_, run) in runs {
        let (Some(seconds), Some(tokens)) = (run.metrics.duration_s, run.metrics.tokens) else {
            continue;
        };
        if (seconds * 1000.0).round() % 100.0 != 0.0 || tokens % 10.0 != 0.0 {
            return None;
        }
        number += 1;
    }
    (number >= FEWEST).then_some(Finding::RoundFigures { runs: number })
}

/// The runs far above the others of their case that turn no totals.
pub(super) fn add_runaways(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for resource in [CostKind::Tokens, CostKind::Time] {
        let is_known = found
            .iter()
            .any(|known| matches!(known, Finding::Runaway { resource: of, .. } if *of == resource));
        if !is_known {
            found.extend(runaway(scene, resource, false));
        }
    }
}

/// The worst runaway run of the compared sides, the candidate's first.
fn runaway(scene: &Scene<'_>, resource: CostKind, turns_totals: bool) -> Option<Finding> {
    let other = scene.lead.map(|lead| &lead.before);
    let side = std::iter::once(scene.after).chain(other);
    let (side, worst) =
        side.filter_map(|side| Some((side, worst(scene, side, resource)?))).next()?;
    let RunawayRun { case, run, factor } = worst;
    let (case, side) = (case.name.clone(), side.configuration.clone());
    Some(Finding::Runaway { resource, case, run: run.number, side, factor, turns_totals })
}

struct RunawayRun<'a> {
    case: &'a Case,
    run: &'a Run,
    /// Its cost as a multiple of their median, or of the other run where there are two.
    factor: f64,
}

fn worst<'a>(scene: &Scene<'a>, side: &Side, resource: CostKind) -> Option<RunawayRun<'a>> {
    let mut worst: Option<RunawayRun<'a>> = None;
    for case in &scene.workspace.iterations[side.iteration].cases {
        let (mut runs, mut costs) = (Vec::new(), Vec::new());
        for run in case.graded_runs_of(&side.configuration) {
            let Metrics { tokens, duration_s, .. } = run.metrics;
            let cost = if resource == CostKind::Tokens { tokens } else { duration_s };
            if let Some(cost) = cost.filter(|cost| cost.is_finite() && *cost > 0.0) {
                runs.push(run);
                costs.push(cost);
            }
        }
        for at in statistics::runaways(&costs) {
            // The median of two runs lies between them, so it is no usual cost.
            let usual = if costs.len() == 2 { costs[1 - at] } else { statistics::median(&costs)? };
            let factor = costs[at] / usual;
            if worst.as_ref().is_none_or(|worst| factor > worst.factor) {
                worst = Some(RunawayRun { case, run: runs[at], factor });
            }
        }
    }
    worst
}

/// The typical ratio, if the bill agrees with its direction.
fn typical(cost: &Cost) -> Option<f64> {
    let ratio = cost.ratio?.geometric_mean;
    turned_total(cost).is_none().then_some(ratio)
}

fn recorded(
    scene: &Scene<'_>,
    benchmark: &RecordedBenchmark,
    sides: [&Side; 2],
) -> Option<Finding> {
    let mut recorded = Vec::new();
    for side in sides {
        let found = &benchmark.configurations;
        recorded.push((side, found.iter().find(|found| found.name == side.configuration)?));
    }
    let [(_, before), (_, after)] = *recorded else { return None };
    let mut costs = Vec::new();
    let mut kinds = vec![(CostKind::Time, before.time_s.mean, after.time_s.mean)];
    // The aggregator of the skill-creator writes characters where it has no tokens.
    if !recorded.iter().any(|(side, found)| are_characters(scene, side, found.tokens.mean)) {
        kinds.push((CostKind::Tokens, before.tokens.mean, after.tokens.mean));
    }
    for (resource, old, new) in kinds {
        let (Some(old), Some(new)) = (old, new) else { continue };
        if old > 0.0 && new > 0.0 && (new / old - 1.0).abs() > NOTED {
            costs.push(CostMove { resource, ratio: new / old, is_rough: false });
        }
    }
    let file = names::file_name(&benchmark.path).to_owned();
    (!costs.is_empty()).then_some(Finding::RecordedCosts { file, costs })
}

/// Whether a mean of tokens is that of the characters which the runs of a side wrote.
fn are_characters(scene: &Scene<'_>, side: &Side, tokens: Option<f64>) -> bool {
    let runs = scene.runs(side);
    let characters: Vec<f64> =
        runs.iter().filter_map(|(_, run)| run.metrics.output_chars).collect();
    match (tokens, statistics::mean(&characters)) {
        (Some(tokens), Some(characters)) => (tokens - characters).abs() < 1.0,
        _ => false,
    }
}
