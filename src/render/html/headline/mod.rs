//! The first screen: what changed, in one sentence, and the flips behind it.

mod cards;
mod flips;

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Against, Analysis, Change, ConfigurationSummary, Side};
use crate::model::Tally;
use crate::render::html::Site;
use crate::render::html::headline::cards::{Card, cards};
use crate::render::html::headline::flips::{Comparison, comparison};
use crate::render::verdict;
use crate::render::view::{Link, Rate};

/// Sentence, cards and flips.
#[derive(Serialize)]
pub(super) struct Headline {
    sentence: String,
    caution: String,
    cards: Vec<Card>,
    /// In short what `comparisons` say, each with a link to it.
    flips: Vec<Link>,
    comparisons: Vec<Comparison>,
}

/// The headline of the newest iteration that has verdicts; `None` when none has.
pub(super) fn headline(site: Site<'_>, path: &str) -> Option<Headline> {
    let analysis = site.part.analysis;
    let after = analysis.newest_candidate()?;
    let of = &analysis.iterations[after.iteration];
    let candidate = of.candidate()?;
    let lead = lead(analysis, &after);
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
        sentence: sentence(site, &after, candidate, lead),
        caution: caution(site, candidate, lead),
        cards: cards(site, candidate, lead),
        flips: comparisons.iter().map(short).collect(),
        comparisons,
    })
}

/// The change that the first sentence tells: against the baseline, else against what the settings
/// name, else against the iteration before.
fn lead<'a>(analysis: &'a Analysis, after: &Side) -> Option<&'a Change> {
    let order = [Against::Baseline, Against::Pinned, Against::Previous];
    order.into_iter().find_map(|against| analysis.change(after, against))
}

/// The verdict with its size, interval and cost, both sides named with k/n.
fn sentence(
    site: Site<'_>,
    after: &Side,
    candidate: &ConfigurationSummary,
    lead: Option<&Change>,
) -> String {
    let iteration = &site.part.workspace.iterations[after.iteration].name;
    let rate = Rate::of(candidate.tally, site.language);
    let mut places: Vec<(&str, &dyn Display)> = vec![
        ("iteration", iteration),
        ("candidate", &candidate.name),
        ("rate", &rate.percent),
        ("counts", &rate.counts),
    ];
    let Some(change) = lead else {
        return site.language.fill("overview.sentence_alone", &places);
    };
    let other = Rate::of(whole(site, &change.before), site.language);
    let within = change.before.iteration == change.after.iteration;
    let name = match within {
        true => change.before.configuration.clone(),
        false => site.side_name(&change.before),
    };
    places.extend([
        ("baseline", &name as &dyn Display),
        ("baseline_rate", &other.percent),
        ("baseline_counts", &other.counts),
    ]);
    let verdict = verdict::words(&change.gain, site.language);
    let sentence = site.language.fill("overview.sentence", &places);
    let cost = verdict::costs(change, site.language);
    site.language.sentences([Some(verdict), Some(sentence), cost].into_iter().flatten())
}

/// All verdicts of a side.
fn whole(site: Site<'_>, side: &Side) -> Tally {
    let of = &site.part.analysis.iterations[side.iteration];
    of.configuration(&side.configuration).map(|found| found.tally).unwrap_or_default()
}

/// What keeps the verdict from being more: cases, runs, how often chance does the same, what was
/// left out and what could be seen.
fn caution(site: Site<'_>, candidate: &ConfigurationSummary, lead: Option<&Change>) -> String {
    let language = site.language;
    let cases = language.count(candidate.cases, "case");
    let runs = language.count(candidate.runs_per_case, "run");
    let key = match candidate.runs_per_case {
        0 | 1 => "overview.caution_single",
        _ => "overview.caution",
    };
    let mut sentences = vec![language.fill(key, &[("cases", &cases), ("runs", &runs)])];
    let Some(change) = lead else {
        return language.sentences(sentences);
    };
    let gain = &change.gain;
    sentences.extend(verdict::chance(gain, language));
    let all = [whole(site, &change.before), whole(site, &change.after)];
    let is_part = gain.paired.is_some() && [gain.before, gain.after] != all;
    sentences.extend(is_part.then(|| {
        let [before, after] = [gain.before, gain.after].map(|it| Rate::of(it, language).counts);
        language.fill("verdict.in_common", &[("before", &before), ("after", &after)])
    }));
    sentences.extend(verdict::caveats(change, language));
    sentences.extend(verdict::outlook(gain, language));
    language.sentences(sentences)
}
