//! The first screen: what changed, in one sentence, and the flips behind it.

mod cards;
mod flips;

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Against, Change};
use crate::language::Language;
use crate::render::context::{Link, Site};
use crate::render::html::headline::cards::{Card, cards};
use crate::render::html::headline::flips::{Comparison, comparison};
use crate::render::text::answer::answer;
use crate::render::text::gate::Line;

/// Sentence, cards and flips.
#[derive(Serialize)]
pub(super) struct Headline {
    verdict: String,
    reason: String,
    sides: String,
    caution: String,
    /// Each rule of the gate with its outcome.
    gate: Vec<String>,
    cards: Vec<Card>,
    /// In short what `comparisons` say, each with a link to it.
    flips: Vec<Link>,
    comparisons: Vec<Comparison>,
}

/// The headline of the newest iteration that has verdicts; `None` when none has.
pub(super) fn headline(site: Site<'_>, path: &str) -> Option<Headline> {
    let analysis = site.part.analysis;
    let after = analysis.newest_candidate()?;
    let candidate = analysis.iterations[after.iteration].candidate()?;
    let lead = analysis.lead(&after);
    let answer = answer(site.part.workspace, analysis, site.language)?;
    let shown = [Against::Previous, Against::Pinned, Against::Baseline];
    let mut changes: Vec<&Change> = Vec::new();
    for change in shown.into_iter().filter_map(|against| analysis.change(&after, against)) {
        if changes.iter().all(|known| known.before != change.before) {
            changes.push(change);
        }
    }
    let comparisons = changes.into_iter().map(|change| {
        let is_lead = lead.is_some_and(|lead| lead.before == change.before);
        comparison(site, path, change, is_lead)
    });
    let comparisons: Vec<Comparison> = comparisons.collect();
    let short =
        |found: &Comparison| Link { href: format!("#{}", found.id), text: found.short.clone() };
    Some(Headline {
        verdict: answer.verdict,
        reason: answer.reason,
        sides: answer.sides,
        caution: answer.caution,
        gate: site.part.gate.iter().map(|line| gate_line(line, site.language)).collect(),
        cards: cards(site, candidate, lead),
        flips: comparisons.iter().map(short).collect(),
        comparisons,
    })
}

fn gate_line(line: &Line, language: &Language) -> String {
    let places: [(&str, &dyn Display); 2] =
        [("outcome", &language.text(line.mark.key())), ("text", &line.text)];
    language.fill("overview.gate", &places)
}
