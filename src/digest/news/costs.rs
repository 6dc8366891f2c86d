//! What the skill costs, where that is news.

use crate::analyze::{self, Change, Cost, Costs, Note, Runaway, Side};
use crate::digest::headline::{far_total, recorded_costs, turned_total};
use crate::digest::news::{CostMove, Finding, NoRatioReason, Resource, Scene};
use input::model::{Code, Implausible, RecordedBenchmark};
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
    for (resource, cost) in kinds(costs) {
        let Some(ratio) = typical(cost) else { continue };
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
    for (resource, cost) in [(Resource::Tokens, &costs.tokens), (Resource::Time, &costs.time)] {
        if let Some(implausible) = cost.implausible {
            found.push(Finding::NoRatio { resource, reason: reason(implausible) });
        }
        // What is far from typical on the bill is often one run.
        if far_total(cost).or(turned_total(cost)).is_some() {
            found.extend(runaway(scene, resource));
        }
    }
}

fn kinds(costs: &Costs) -> [(Resource, &Cost); 3] {
    [
        (Resource::Time, &costs.time),
        (Resource::Tokens, &costs.tokens),
        (Resource::Dollars, &costs.dollars),
    ]
}

/// The typical costs that moved by more than a tenth: beyond chance, or all cases of several one way.
pub(super) fn moves(change: &Change) -> Vec<CostMove> {
    const CASES: usize = 3;
    let mut moves = Vec::new();
    for (resource, cost) in kinds(&change.costs) {
        let (Some(ratio), Some(found)) = (typical(cost), cost.ratio) else { continue };
        let is_rough = cost.may_be_chance();
        let is_one_way = found.dearer.min(found.cheaper) == 0 && found.cases >= CASES;
        if (ratio - 1.0).abs() > NOTED
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
    moves.retain(|moved| moved.resource != Resource::Time && moved.ratio >= DEARER);
    moves.truncate(1);
    moves
}

/// Whether a ratio can be that of one way of counting. Dollars may well be a tenth, since models differ in
/// price.
fn is_plausible(resource: Resource, ratio: f64) -> bool {
    resource == Resource::Dollars || (ODD[0]..ODD[1]).contains(&ratio)
}

/// Whether one side is probably counted in another way: what takes a tenth of the tokens and a fifth of the
/// time is a tenth of the work.
fn is_odd(costs: &Costs, resource: Resource, ratio: f64) -> bool {
    const AGREES: f64 = 2.0;
    let other = if resource == Resource::Time { &costs.tokens } else { &costs.time };
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

fn reason(implausible: Implausible) -> NoRatioReason {
    match implausible {
        Implausible::TooFewTokens => NoRatioReason::TooFewTokens,
        Implausible::UnderASecond => NoRatioReason::UnderASecond,
        Implausible::EqualTimes => NoRatioReason::EqualTimes,
        Implausible::CacheOfOneSide => NoRatioReason::CacheOfOneSide,
    }
}

/// The worst runaway run of the compared sides, the candidate's first.
fn runaway(scene: &Scene<'_>, resource: Resource) -> Option<Finding> {
    let other = scene.lead.map(|lead| &lead.before);
    std::iter::once(scene.after).chain(other).find_map(|side| runaway_of(scene, side, resource))
}

fn runaway_of(scene: &Scene<'_>, side: &Side, resource: Resource) -> Option<Finding> {
    for note in &scene.analysis.iterations[side.iteration].notes {
        let Note::Runaways { resource: of, runs } = note else { continue };
        let is_same = matches!(
            (of, resource),
            (analyze::Resource::Tokens, Resource::Tokens)
                | (analyze::Resource::Time, Resource::Time)
        );
        for Runaway { at, factor, .. } in runs.iter().filter(|_| is_same) {
            let case = &scene.workspace.iterations[side.iteration].cases[at.case];
            let run = &case.runs[at.run];
            if run.configuration == side.configuration {
                return Some(Finding::Runaway {
                    resource,
                    case: case.name.clone(),
                    run: run.number,
                    side: side.configuration.clone(),
                    factor: *factor,
                });
            }
        }
    }
    None
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
    let mut kinds = vec![(Resource::Time, before.time_s.mean, after.time_s.mean)];
    // The aggregator of the skill-creator writes characters where it has no tokens.
    if !recorded.iter().any(|(side, found)| are_characters(scene, side, found.tokens.mean)) {
        kinds.push((Resource::Tokens, before.tokens.mean, after.tokens.mean));
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
