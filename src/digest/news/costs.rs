//! What the skill costs, where that is news.

use crate::analyze::{self, Cost, Note, Runaway, Side};
use crate::digest::headline::{far_total, recorded_costs, turned_total};
use crate::digest::news::{CostMove, Finding, NoRatioReason, Resource, Scene};
use input::model::{Code, Implausible, Problem, RecordedBenchmark};
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
    let kinds = [
        (Resource::Time, &costs.time),
        (Resource::Tokens, &costs.tokens),
        (Resource::Dollars, &costs.dollars),
    ];
    let mut moves = Vec::new();
    for (resource, cost) in kinds {
        let Some(ratio) = typical(cost) else { continue };
        // Dollars may well be a tenth, since models differ in price.
        if resource != Resource::Dollars && !(ODD[0]..ODD[1]).contains(&ratio) {
            let mut runs = scene.runs(&lead.after).into_iter();
            let is_in_prompt = ratio > 1.0 && runs.any(|(_, run)| run.loading.is_given_checks);
            let factor = ratio.max(1.0 / ratio);
            found.push(Finding::OddCost { resource, factor, is_in_prompt });
        } else if (ratio - 1.0).abs() > NOTED && !cost.may_be_chance() {
            moves.push(CostMove { resource, ratio });
        }
    }
    if !moves.is_empty() {
        found.push(Finding::Costs { costs: moves });
    }
    for (resource, cost) in [(Resource::Time, &costs.time), (Resource::Tokens, &costs.tokens)] {
        if let Some(implausible) = cost.implausible {
            found.push(Finding::NoRatio { resource, reason: reason(implausible) });
        }
        // What is far from typical on the bill is often one run.
        if far_total(cost).or(turned_total(cost)).is_some() {
            found.extend(runaway(scene, resource));
        }
    }
}

/// What the candidate costs more than the other side, by a fifth and more and beyond chance: a change that
/// gains nothing has to be worth it.
pub(super) fn dearer(scene: &Scene<'_>) -> Vec<CostMove> {
    const DEARER: f64 = 1.2;
    let Some(lead) = scene.lead else { return Vec::new() };
    let kinds = [(Resource::Tokens, &lead.costs.tokens), (Resource::Dollars, &lead.costs.dollars)];
    let mut moves = Vec::new();
    for (resource, cost) in kinds {
        if let Some(ratio) = typical(cost).filter(|ratio| *ratio >= DEARER)
            && !cost.may_be_chance()
        {
            moves.push(CostMove { resource, ratio });
        }
    }
    moves.truncate(1);
    moves
}

/// That two files contradict each other on what most runs of the round took.
fn two_figures(scene: &Scene<'_>) -> Option<Finding> {
    let of = scene.iteration().runs().count();
    let folder = format!("{}/", scene.iteration().path);
    let is_such = |problem: &&Problem| {
        problem.code == Code::TimingMismatch && problem.path.starts_with(&folder)
    };
    let runs = scene.workspace.problems.iter().filter(is_such).count().min(of);
    (runs * 2 >= of && runs > 0).then_some(Finding::TwoFigures { runs, of })
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
            costs.push(CostMove { resource, ratio: new / old });
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
