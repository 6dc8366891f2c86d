//! The first screen: what changed, in one sentence, and the flips behind it.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Against, ConfigurationSummary, Fate, Flip, IterationAnalysis, Side, between};
use crate::model::{Expectation, Outcome, Run};
use crate::render::addresses::{anchor, link};
use crate::render::html::{Site, wording};
use crate::render::language::Language;
use crate::render::verdict;
use crate::render::view::{DASH, Link, Rate};
use crate::text::{signed, tokens};

/// How many flips of each kind are listed; the rest are counted.
const LISTED: usize = 12;

/// Of so many losses the evidence stands open.
const OPEN: usize = 5;

/// So many bytes of each wording of a reworded expectation are shown.
const WORDING: usize = 2_000;

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

/// The candidate against one other side.
#[derive(Serialize)]
struct Comparison {
    /// Its anchor on the page.
    id: &'static str,
    title: String,
    /// Title and counts in one line.
    short: String,
    /// What is listed and what is not, in one sentence.
    summary: String,
    groups: Vec<FlipGroup>,
}

#[derive(Serialize)]
struct FlipGroup {
    title: String,
    kind: &'static str,
    rows: Vec<FlipRow>,
    more: String,
}

#[derive(Serialize)]
struct FlipRow {
    case: Link,
    run: Option<Link>,
    text: String,
    before: String,
    after: String,
    /// Whether only some runs changed.
    is_partial: bool,
    /// Both wordings in one text, or empty.
    wording: String,
    evidence: String,
    is_open: bool,
}

/// The headline of the newest iteration that has verdicts; `None` when none has.
pub(super) fn headline(site: Site<'_>, path: &str) -> Option<Headline> {
    let analysis = site.part.analysis;
    let after = analysis.newest_candidate()?;
    let of = &analysis.iterations[after.iteration];
    let candidate = of.candidate()?;
    let others = analysis.previous(&after).into_iter().chain(analysis.opposite(&after));
    let comparisons: Vec<Comparison> =
        others.map(|before| comparison(site, path, &before, &after)).collect();
    let short =
        |found: &Comparison| Link { href: format!("#{}", found.id), text: found.short.clone() };
    Some(Headline {
        sentence: sentence(site, of, &after, candidate),
        caution: caution(site, &after, candidate),
        cards: cards(site.language, candidate, of.baseline()),
        flips: comparisons.iter().map(short).collect(),
        comparisons,
    })
}

/// The verdict with its size and interval, both sides named with k/n.
fn sentence(
    site: Site<'_>,
    of: &IterationAnalysis,
    after: &Side,
    candidate: &ConfigurationSummary,
) -> String {
    let iteration = &site.part.workspace.iterations[after.iteration].name;
    let rate = Rate::of(candidate.tally, site.language);
    let baseline = of.baseline().filter(|baseline| baseline.tally.graded() > 0);
    let change = site.part.analysis.change(after, Against::Baseline);
    let Some((baseline, change)) = baseline.zip(change) else {
        return site.language.fill(
            "overview.sentence_alone",
            &[
                ("iteration", iteration),
                ("candidate", &candidate.name),
                ("rate", &rate.percent),
                ("counts", &rate.counts),
            ],
        );
    };
    let other = Rate::of(baseline.tally, site.language);
    let counts: [(&str, &dyn Display); 7] = [
        ("iteration", iteration),
        ("candidate", &candidate.name),
        ("rate", &rate.percent),
        ("counts", &rate.counts),
        ("baseline", &baseline.name),
        ("baseline_rate", &other.percent),
        ("baseline_counts", &other.counts),
    ];
    let verdict = verdict::words(&change.gain, site.language);
    let cost = verdict::costs(change, site.language);
    let sentence = site.language.fill("overview.sentence", &counts);
    site.language.sentences([Some(verdict), Some(sentence), cost].into_iter().flatten())
}

/// What keeps the verdict from being more: cases, runs, and how often chance does the same.
fn caution(site: Site<'_>, after: &Side, candidate: &ConfigurationSummary) -> String {
    let language = site.language;
    let cases = language.count(candidate.cases, "case");
    let runs = language.count(candidate.runs_per_case, "run");
    let key = match candidate.runs_per_case {
        0 | 1 => "overview.caution_single",
        _ => "overview.caution",
    };
    let first = language.fill(key, &[("cases", &cases), ("runs", &runs)]);
    let Some(change) = site.part.analysis.change(after, Against::Baseline) else {
        return first;
    };
    let mut sentences = vec![first];
    sentences.extend(verdict::chance(&change.gain, language));
    sentences.extend(verdict::caveats(change, language));
    sentences.extend(verdict::outlook(&change.gain, language));
    language.sentences(sentences)
}

fn cards(
    language: &Language,
    candidate: &ConfigurationSummary,
    baseline: Option<&ConfigurationSummary>,
) -> Vec<Card> {
    let sides = |value: &dyn Fn(&ConfigurationSummary) -> (String, String)| -> Vec<CardSide> {
        let role = if baseline.is_some() { "candidate" } else { "" };
        let first = std::iter::once((candidate, role));
        let second = baseline.into_iter().map(|baseline| (baseline, "baseline"));
        let side = |(summary, role): (&ConfigurationSummary, &'static str)| {
            let (value, counts) = value(summary);
            CardSide { name: summary.name.clone(), role, value, counts }
        };
        first.chain(second).map(side).collect()
    };
    let change = |value: fn(&ConfigurationSummary) -> Option<f64>, text: &dyn Fn(f64) -> String| {
        let pair = value(candidate).zip(baseline.and_then(value));
        pair.map(|(a, b)| text(a - b)).unwrap_or_default()
    };
    let of = |recorded: usize, summary: &ConfigurationSummary| {
        let runs = language.count(summary.graded_runs, "run");
        language.fill("overview.recorded_of", &[("n", &recorded), ("runs", &runs)])
    };
    let absent = || (DASH.to_owned(), language.text("overview.not_recorded").to_owned());
    let title = |key: &'static str| language.text(key).to_owned();
    vec![
        Card {
            title: title("overview.pass_rate"),
            sides: sides(&|summary| {
                let rate = Rate::of(summary.tally, language);
                (rate.percent, rate.counts)
            }),
            change: change(|summary| Some(summary.pass_rate?.mean), &|value| {
                language.fill("overview.on_average", &[("change", &language.points(value))])
            }),
        },
        Card {
            title: title("overview.time_per_run"),
            sides: sides(&|summary| match summary.duration_s {
                Some(spread) => (language.seconds(spread.mean), of(spread.count, summary)),
                None => absent(),
            }),
            change: change(|summary| Some(summary.duration_s?.mean), &|value| {
                language.signed_seconds(value)
            }),
        },
        Card {
            title: title("overview.tokens_per_run"),
            sides: sides(&|summary| match summary.tokens {
                Some(spread) => (tokens(spread.mean), of(spread.count, summary)),
                None => absent(),
            }),
            change: change(|summary| Some(summary.tokens?.mean), &|value| signed(value, 0)),
        },
    ]
}

/// Losses, then gains, against one other side.
fn comparison(site: Site<'_>, path: &str, before: &Side, after: &Side) -> Comparison {
    let flips = between(site.part.workspace, &site.part.analysis.lines, before, after);
    // Between two configurations of one iteration nothing was broken or mended.
    let same = before.iteration == after.iteration;
    let keys = if same {
        ["overview.worse", "overview.better"]
    } else {
        ["overview.regressed", "overview.fixed"]
    };
    let fates = [Fate::Regressed, Fate::Fixed];
    let of = |fate: Fate| flips.iter().filter(|flip| flip.fate == fate).collect::<Vec<_>>();
    let groups = fates.into_iter().zip(keys).map(|(fate, key)| {
        let kind = if fate == Fate::Regressed { "regressed" } else { "fixed" };
        group(site, path, after, &of(fate), (key, kind))
    });
    let compared = flips.iter().filter(|flip| flip.change().is_some()).count();
    let other = site.side_name(before);
    let (id, key) = match same {
        true => ("against-baseline", "overview.against_baseline"),
        false => ("since-previous", "overview.against_previous"),
    };
    let key_none = if of(Fate::Regressed).is_empty() {
        "overview.compared_none_lost"
    } else {
        "overview.compared"
    };
    let language = site.language;
    let title = language.fill(key, &[("side", &other)]);
    let [lost, gained] = fates.map(|fate| of(fate).len());
    let key = if same { "overview.short_baseline" } else { "overview.short_previous" };
    Comparison {
        id,
        short: language.fill(key, &[("side", &other), ("lost", &lost), ("gained", &gained)]),
        title,
        summary: language.fill(
            key_none,
            &[
                ("expectations", &language.count(compared, "expectation")),
                ("side", &site.side_name(after)),
                ("other", &other),
            ],
        ),
        groups: groups.filter(|group| !group.rows.is_empty()).collect(),
    }
}

fn group(
    site: Site<'_>,
    path: &str,
    after: &Side,
    found: &[&Flip],
    (key, kind): (&str, &'static str),
) -> FlipGroup {
    let language = site.language;
    let expectations = language.count(found.len(), "expectation");
    let more = found.len().saturating_sub(LISTED);
    let row = |(at, flip): (usize, &&Flip)| {
        let is_open = kind == "regressed" && at < OPEN;
        flip_row(site, path, flip, after, is_open)
    };
    FlipGroup {
        title: language.fill(key, &[("expectations", &expectations)]),
        kind,
        rows: found.iter().take(LISTED).enumerate().map(row).collect(),
        more: match more {
            0 => String::new(),
            more => language.fill("overview.more_flips", &[("n", &more)]),
        },
    }
}

fn flip_row(site: Site<'_>, path: &str, flip: &Flip, after: &Side, is_open: bool) -> FlipRow {
    let line = &site.part.analysis.lines[flip.line];
    let found = evidence(site, flip, after);
    FlipRow {
        case: Link { href: link(path, &site.addresses.case(flip.line)), text: line.name.clone() },
        run: found.map(|(run, said)| {
            let link = site.run_link(path, after.iteration, flip.line, run);
            Link { href: format!("{}#{}", link.href, anchor(said)), ..link }
        }),
        text: flip.text.clone(),
        before: Rate::of(flip.before, site.language).counts,
        after: Rate::of(flip.after, site.language).counts,
        is_partial: flip.is_partial(),
        wording: wording::reworded(flip, WORDING)
            .map_or(String::new(), |it| it.as_str().to_owned()),
        evidence: found.and_then(|(_, said)| said.evidence.clone()).unwrap_or_default(),
        is_open,
    }
}

/// Why, in the grader's words: of the first run in which the expectation did not pass, else of the
/// first in which it did.
fn evidence<'a>(site: Site<'a>, flip: &Flip, after: &Side) -> Option<(&'a Run, &'a Expectation)> {
    let met = site.part.analysis.lines[flip.line].meeting(after.iteration)?;
    let case = &site.part.workspace.iterations[after.iteration].cases[met.case];
    let runs = case.runs.iter().filter(|run| run.configuration == after.configuration);
    let said = |run: &'a Run| {
        let said = run.grading()?.expectations.iter().find(|said| said.text == flip.text)?;
        Some((run, said))
    };
    let mut found: Vec<_> = runs.filter_map(said).collect();
    found.sort_by_key(|(_, said)| said.outcome == Outcome::Passed);
    found.first().copied()
}
