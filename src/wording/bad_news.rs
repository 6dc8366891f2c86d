//! What a reader must know next to the verdict: cases that fell, costs that rose beyond chance, and
//! costs that cannot be true.

use crate::analyze::{Change, Cost, FallenCase, Note, Resource, Runaway, Side};
use crate::budget::FEW_NAMES;
use crate::digest;
use crate::language::{Language, say};
use crate::wording::costs::CostKind;
use crate::wording::{Facts, costs};

/// The worst first.
pub(crate) fn bad_news(facts: Facts<'_>, change: &Change) -> Vec<String> {
    let mut sentences = Vec::new();
    sentences.extend(fallen_cases(facts, &change.gain.fallen));
    sentences.extend(raised_costs(change, facts.language));
    sentences.extend(costs::implausible(&change.costs, facts.language));
    sentences.extend(runaway(facts, change));
    sentences
}

/// The run that makes the totals another figure than what is typical, if it is one of several of its
/// case.
fn runaway(facts: Facts<'_>, change: &Change) -> Option<String> {
    let costs = [(Resource::Tokens, &change.costs.tokens), (Resource::Time, &change.costs.time)];
    let is_apart = |cost: &Cost| digest::far_total(cost).or(digest::turned_total(cost)).is_some();
    for (resource, _) in costs.into_iter().filter(|(_, cost)| is_apart(cost)) {
        for side in [&change.after, &change.before] {
            if let Some(sentence) = runaway_of(facts, side, resource) {
                return Some(sentence);
            }
        }
    }
    None
}

/// The worst runaway run of a side.
fn runaway_of(facts: Facts<'_>, side: &Side, resource: Resource) -> Option<String> {
    let language = facts.language;
    for note in &facts.analysis.iterations[side.iteration].notes {
        let Note::Runaways { resource: of, runs } = note else { continue };
        for Runaway { at, factor, .. } in runs.iter().filter(|_| *of == resource) {
            let case = &facts.workspace.iterations[side.iteration].cases[at.case];
            let run = &case.runs[at.run];
            if run.configuration != side.configuration {
                continue;
            }
            let (key, amount) = match resource {
                Resource::Tokens => ("verdict.runaway_tokens", text::tokens(run.metrics.tokens?)),
                Resource::Time => {
                    ("verdict.runaway_time", language.seconds(run.metrics.duration_s?))
                }
            };
            return Some(say!(
                language,
                key,
                case = case.name,
                number = run.number,
                name = side.configuration,
                amount,
                factor = text::factor(*factor),
            ));
        }
    }
    None
}

/// `2 cases fell: pack-list 100 % → 0 %, rename-photos 100 % → 0 %.`
fn fallen_cases(facts: Facts<'_>, fallen: &[FallenCase]) -> Option<String> {
    if fallen.is_empty() {
        return None;
    }
    let language = facts.language;
    let mut names = Vec::new();
    for case in fallen {
        names.push(say!(
            language,
            "verdict.fell",
            case = facts.analysis.cases[case.case].name,
            before = language.percent(case.before),
            after = language.percent(case.after),
        ));
    }
    let names = language.first_few(names, FEW_NAMES, "list.comma");
    // A single run may fall by chance, so it does not read as a fact about the case.
    let is_single = fallen.iter().all(|case| case.is_single_run);
    let key = if is_single { "verdict.fallen_once" } else { "verdict.fallen" };
    Some(say!(language, key, cases = language.count(fallen.len(), "fallen_case"), names))
}

/// `Costs more: time 2.4×, tokens +90 %.`
fn raised_costs(change: &Change, language: &Language) -> Option<String> {
    let mut raised = Vec::new();
    for kind in CostKind::ALL {
        let cost = kind.of(&change.costs);
        // What is dearer by case and cheaper on the bill has both figures with the other costs.
        if cost.raised().is_some()
            && digest::turned_total(cost).is_none()
            && let Some(ratio) = costs::short_ratio(cost, kind, language)
        {
            raised.push(kind.labelled(&ratio, language));
        }
    }
    if raised.is_empty() {
        return None;
    }
    // Time and tokens mostly rise together, so one sentence has both.
    let list = raised.join(language.text("verdict.and"));
    Some(say!(language, "verdict.takes", list))
}
