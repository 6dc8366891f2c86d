//! The first screen: what changed, in one sentence, and the flips behind it.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{
    Analysis, ConfigurationSummary, Fate, Flip, IterationAnalysis, Side, between,
};
use crate::model::Workspace;
use crate::render::addresses::link;
use crate::render::html::Site;
use crate::render::language::Language;
use crate::render::view::{DASH, Link, Rate};
use crate::text::{signed, tokens};

/// How many flips of each kind are listed; the rest are counted.
const LISTED: usize = 12;

/// Sentence, cards and flips.
#[derive(Serialize)]
pub(super) struct Headline {
    sentence: String,
    caution: String,
    cards: Vec<Card>,
    flips: Vec<FlipGroup>,
}

#[derive(Serialize)]
struct Card {
    title: String,
    sides: Vec<CardSide>,
    change: String,
}

#[derive(Serialize)]
struct CardSide {
    name: String,
    role: &'static str,
    value: String,
    counts: String,
}

#[derive(Serialize)]
struct FlipGroup {
    title: String,
    remark: String,
    kind: &'static str,
    rows: Vec<FlipRow>,
    more: String,
}

#[derive(Serialize)]
struct FlipRow {
    case: Link,
    text: String,
    change: String,
    evidence: String,
}

/// The headline of the newest iteration that has verdicts; `None` when none has.
pub(super) fn headline(site: Site<'_>, path: &str) -> Option<Headline> {
    let (workspace, analysis) = (site.part.workspace, site.part.analysis);
    let newest = newest(analysis)?;
    let of = &analysis.iterations[newest];
    let candidate = of.candidate()?;
    let after = Side { iteration: newest, configuration: candidate.name.clone() };
    let mut flips = Vec::new();
    if let Some(before) = previous(analysis, &after) {
        flips.extend(flip_groups(site, path, &before, &after));
    }
    if let Some(baseline) = of.baseline() {
        let before = Side { iteration: newest, configuration: baseline.name.clone() };
        flips.extend(flip_groups(site, path, &before, &after));
    }
    Some(Headline {
        sentence: sentence(site.language, workspace, of, newest, candidate),
        caution: caution(site.language, candidate),
        cards: cards(site.language, candidate, of.baseline()),
        flips,
    })
}

/// The newest iteration whose candidate has verdicts.
pub(super) fn newest(analysis: &Analysis) -> Option<usize> {
    analysis.iterations.iter().rposition(|it| it.candidate().is_some_and(|c| c.tally.graded() > 0))
}

/// The last earlier iteration in which the same configuration was graded.
fn previous(analysis: &Analysis, after: &Side) -> Option<Side> {
    let is_graded = |it: &IterationAnalysis| {
        let same = it.configurations.iter().find(|c| c.name == after.configuration);
        same.is_some_and(|c| c.tally.graded() > 0)
    };
    let iteration = analysis.iterations[..after.iteration].iter().rposition(is_graded)?;
    Some(Side { iteration, configuration: after.configuration.clone() })
}

/// What the counts say and no more: both sides named, with k/n.
fn sentence(
    language: &Language,
    workspace: &Workspace,
    of: &IterationAnalysis,
    newest: usize,
    candidate: &ConfigurationSummary,
) -> String {
    let rate = Rate::of(candidate.tally, language);
    let mut places: Vec<(&str, &dyn Display)> = vec![
        ("iteration", &workspace.iterations[newest].name),
        ("candidate", &candidate.name),
        ("percent", &rate.percent),
        ("counts", &rate.counts),
    ];
    let Some(baseline) = of.baseline().filter(|baseline| baseline.tally.graded() > 0) else {
        return language.fill("headline.alone", &places);
    };
    let base = Rate::of(baseline.tally, language);
    places.push(("baseline", &baseline.name));
    places.push(("base_percent", &base.percent));
    places.push(("base_counts", &base.counts));
    let Some((after, before)) = candidate.pass_rate.zip(baseline.pass_rate) else {
        return language.fill("headline.both", &places);
    };
    let points = language.points(after.mean - before.mean);
    places.push(("points", &points));
    language.fill("headline.change", &places)
}

/// What keeps the sentence from being a verdict.
fn caution(language: &Language, candidate: &ConfigurationSummary) -> String {
    let cases = language.count(candidate.cases, "case");
    if candidate.runs_per_case <= 1 {
        return language.fill("headline.one_run_each", &[("cases", &cases)]);
    }
    let runs = language.count(candidate.runs_per_case, "run");
    language.fill("headline.no_test", &[("cases", &cases), ("runs", &runs)])
}

/// A card's value and what it rests on.
type CardValue = (String, String);

fn cards(
    language: &Language,
    candidate: &ConfigurationSummary,
    baseline: Option<&ConfigurationSummary>,
) -> Vec<Card> {
    let sides = |value: &dyn Fn(&ConfigurationSummary) -> CardValue| -> Vec<CardSide> {
        let role = if baseline.is_some() { "candidate" } else { "" };
        let first = std::iter::once((candidate, role));
        let second = baseline.into_iter().map(|baseline| (baseline, "baseline"));
        let side = |(summary, role): (&ConfigurationSummary, &'static str)| {
            let (value, counts) = value(summary);
            CardSide { name: summary.name.clone(), role, value, counts }
        };
        first.chain(second).map(side).collect()
    };
    let of = |number: usize| {
        let runs = language.count(candidate.graded_runs, "run");
        language.fill("cards.of_runs", &[("n", &number), ("runs", &runs)])
    };
    let missing = || (DASH.to_owned(), language.text("cards.not_recorded").to_owned());
    let change = |value: fn(&ConfigurationSummary) -> Option<f64>, text: &dyn Fn(f64) -> String| {
        let pair = value(candidate).zip(baseline.and_then(value));
        pair.map(|(a, b)| text(a - b)).unwrap_or_default()
    };
    let card =
        |title: &str, sides, change| Card { title: language.text(title).to_owned(), sides, change };
    let rate = |summary: &ConfigurationSummary| {
        let rate = Rate::of(summary.tally, language);
        (rate.percent, rate.counts)
    };
    let time = |summary: &ConfigurationSummary| match summary.duration_s {
        Some(spread) => (language.seconds(spread.mean), of(spread.count)),
        None => missing(),
    };
    let used = |summary: &ConfigurationSummary| match summary.tokens {
        Some(spread) => (tokens(spread.mean), of(spread.count)),
        None => missing(),
    };
    let per_run = |value| language.fill("cards.per_run", &[("points", &language.points(value))]);
    vec![
        card("cards.pass_rate", sides(&rate), change(|it| Some(it.pass_rate?.mean), &per_run)),
        card(
            "cards.time",
            sides(&time),
            change(|it| Some(it.duration_s?.mean), &|value| language.signed_seconds(value)),
        ),
        card(
            "cards.tokens",
            sides(&used),
            change(|it| Some(it.tokens?.mean), &|value| signed(value, 0)),
        ),
    ]
}

/// Losses, then gains, of one comparison.
fn flip_groups(site: Site<'_>, path: &str, before: &Side, after: &Side) -> Vec<FlipGroup> {
    let (workspace, language) = (site.part.workspace, site.language);
    let flips = between(workspace, &site.part.analysis.lines, before, after);
    let names = (name_of(site, after, before), name_of(site, before, after));
    let group = |fate: Fate, title: &str, kind: &'static str| {
        let found: Vec<&Flip> = flips.iter().filter(|flip| flip.fate == fate).collect();
        let more = found.len().saturating_sub(LISTED);
        FlipGroup {
            title: language
                .fill(title, &[("expectations", &language.count(found.len(), "expectation"))]),
            remark: language.fill("flips.against", &[("after", &names.0), ("before", &names.1)]),
            kind,
            rows: found.iter().take(LISTED).map(|flip| flip_row(site, path, flip, after)).collect(),
            more: if more > 0 {
                language.fill("flips.more", &[("n", &more)])
            } else {
                String::new()
            },
        }
    };
    // Between two configurations of one iteration nothing was broken or mended.
    let same = before.iteration == after.iteration;
    let [loss, gain] =
        if same { ["flips.worse", "flips.better"] } else { ["flips.regressed", "flips.fixed"] };
    let groups = [group(Fate::Regressed, loss, "regressed"), group(Fate::Fixed, gain, "fixed")];
    groups.into_iter().filter(|group| !group.rows.is_empty()).collect()
}

/// The side, by whatever tells it from the other.
fn name_of(site: Site<'_>, side: &Side, other: &Side) -> String {
    let iteration = &site.part.workspace.iterations[side.iteration].name;
    let is_same = side.iteration == other.iteration;
    let key = if is_same { "side.in_iteration" } else { "side.of_iteration" };
    site.language.fill(key, &[("configuration", &side.configuration), ("iteration", iteration)])
}

fn flip_row(site: Site<'_>, path: &str, flip: &Flip, after: &Side) -> FlipRow {
    let line = &site.part.analysis.lines[flip.line];
    FlipRow {
        case: Link { href: link(path, &site.addresses.case(flip.line)), text: line.name.clone() },
        text: flip.text.clone(),
        change: site.language.fill(
            "flips.change",
            &[
                ("before", &Rate::of(flip.before, site.language).counts),
                ("after", &Rate::of(flip.after, site.language).counts),
            ],
        ),
        evidence: evidence(site, flip, after).unwrap_or_default(),
    }
}

/// Why, in the grader's words: of the first run in which the expectation did not pass, else of the
/// first in which it did.
fn evidence(site: Site<'_>, flip: &Flip, after: &Side) -> Option<String> {
    let met = site.part.analysis.lines[flip.line].meeting(after.iteration)?;
    let case = &site.part.workspace.iterations[after.iteration].cases[met.case];
    let runs = case.runs.iter().filter(|run| run.configuration == after.configuration);
    let gradings = runs.filter_map(|run| run.grading());
    let mut found: Vec<_> = gradings
        .flat_map(|grading| &grading.expectations)
        .filter(|expectation| expectation.text == flip.text)
        .collect();
    found.sort_by_key(|expectation| expectation.outcome == crate::model::Outcome::Passed);
    found.first()?.evidence.clone()
}
