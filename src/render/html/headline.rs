//! The first screen: what changed, in one sentence, and the flips behind it.

use serde::Serialize;

use crate::analyze::{
    Analysis, ConfigurationSummary, Fate, Flip, IterationAnalysis, Side, between,
};
use crate::model::Workspace;
use crate::render::addresses::link;
use crate::render::html::Site;
use crate::render::view::{DASH, Link, Rate};
use crate::text::{count, points, seconds, signed, tokens};

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
    title: &'static str,
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
    before: String,
    after: String,
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
        sentence: sentence(workspace, of, newest, candidate),
        caution: caution(candidate),
        cards: cards(candidate, of.baseline()),
        flips,
    })
}

/// The newest iteration whose candidate has verdicts.
pub(super) fn newest(analysis: &Analysis) -> Option<usize> {
    analysis.iterations.iter().rposition(|it| it.candidate().is_some_and(|c| c.tally.graded() > 0))
}

/// The last earlier iteration in which the same configuration was graded.
pub(in crate::render) fn previous(analysis: &Analysis, after: &Side) -> Option<Side> {
    let is_graded = |it: &IterationAnalysis| {
        let same = it.configurations.iter().find(|c| c.name == after.configuration);
        same.is_some_and(|c| c.tally.graded() > 0)
    };
    let iteration = analysis.iterations[..after.iteration].iter().rposition(is_graded)?;
    Some(Side { iteration, configuration: after.configuration.clone() })
}

/// What the counts say and no more: both sides named, with k/n.
fn sentence(
    workspace: &Workspace,
    of: &IterationAnalysis,
    newest: usize,
    candidate: &ConfigurationSummary,
) -> String {
    let name = &workspace.iterations[newest].name;
    let says = |summary: &ConfigurationSummary| {
        let rate = Rate::of(summary.tally);
        format!("{} passed {} of its checks ({})", summary.name, rate.percent, rate.counts)
    };
    let first = format!("In {name}, {}", says(candidate));
    let Some(baseline) = of.baseline().filter(|baseline| baseline.tally.graded() > 0) else {
        return format!("{first}; there is no baseline to compare it with.");
    };
    let change = candidate.pass_rate.zip(baseline.pass_rate).map(|(a, b)| a.mean - b.mean);
    let change = change.map(|change| format!(": {} on average per run", points(change)));
    format!("{first}, {}{}.", says(baseline), change.unwrap_or_default())
}

/// What keeps the sentence from being a verdict.
fn caution(candidate: &ConfigurationSummary) -> String {
    if candidate.runs_per_case <= 1 {
        let cases = count(candidate.cases, "case");
        return format!(
            "One run per case and {cases}: directional only, since chance is not measured."
        );
    }
    format!(
        "{}, up to {} each; the difference is of means, without a test whether it is chance.",
        count(candidate.cases, "case"),
        count(candidate.runs_per_case, "run")
    )
}

fn cards(candidate: &ConfigurationSummary, baseline: Option<&ConfigurationSummary>) -> Vec<Card> {
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
    let of = |number: usize| format!("{} of {}", number, count(candidate.graded_runs, "run"));
    let change = |value: fn(&ConfigurationSummary) -> Option<f64>, text: &dyn Fn(f64) -> String| {
        let pair = value(candidate).zip(baseline.and_then(value));
        pair.map(|(a, b)| text(a - b)).unwrap_or_default()
    };
    vec![
        Card {
            title: "pass rate",
            sides: sides(&|summary| {
                let rate = Rate::of(summary.tally);
                (rate.percent, rate.counts)
            }),
            change: change(|summary| Some(summary.pass_rate?.mean), &|value| {
                format!("{} on average per run", points(value))
            }),
        },
        Card {
            title: "time per run",
            sides: sides(&|summary| match summary.duration_s {
                Some(spread) => (seconds(spread.mean), of(spread.count)),
                None => (DASH.to_owned(), "not recorded".to_owned()),
            }),
            change: change(|summary| Some(summary.duration_s?.mean), &|value| {
                format!("{} s", signed(value, 1))
            }),
        },
        Card {
            title: "tokens per run",
            sides: sides(&|summary| match summary.tokens {
                Some(spread) => (tokens(spread.mean), of(spread.count)),
                None => (DASH.to_owned(), "not recorded".to_owned()),
            }),
            change: change(|summary| Some(summary.tokens?.mean), &|value| signed(value, 0)),
        },
    ]
}

/// Losses, then gains, of one comparison.
fn flip_groups(site: Site<'_>, path: &str, before: &Side, after: &Side) -> Vec<FlipGroup> {
    let workspace = site.part.workspace;
    let flips = between(workspace, &site.part.analysis.lines, before, after);
    let against = name_of(workspace, before, after);
    let group = |fate: Fate, word: &str, kind: &'static str| {
        let found: Vec<&Flip> = flips.iter().filter(|flip| flip.fate == fate).collect();
        let more = found.len().saturating_sub(LISTED);
        FlipGroup {
            title: format!("{} {word}", count(found.len(), "expectation")),
            remark: format!("{}, against {against}", name_of(workspace, after, before)),
            kind,
            rows: found.iter().take(LISTED).map(|flip| flip_row(site, path, flip, after)).collect(),
            more: if more > 0 {
                format!("and {more} more on the pages of the cases")
            } else {
                String::new()
            },
        }
    };
    // Between two configurations of one iteration nothing was broken or mended.
    let same = before.iteration == after.iteration;
    let [loss, gain] = if same { ["worse", "better"] } else { ["regressed", "fixed"] };
    let groups = [group(Fate::Regressed, loss, "regressed"), group(Fate::Fixed, gain, "fixed")];
    groups.into_iter().filter(|group| !group.rows.is_empty()).collect()
}

/// The side, by whatever tells it from the other.
fn name_of(workspace: &Workspace, side: &Side, other: &Side) -> String {
    let iteration = &workspace.iterations[side.iteration].name;
    if side.iteration == other.iteration {
        format!("{} in {iteration}", side.configuration)
    } else {
        format!("{} of {iteration}", side.configuration)
    }
}

fn flip_row(site: Site<'_>, path: &str, flip: &Flip, after: &Side) -> FlipRow {
    let line = &site.part.analysis.lines[flip.line];
    FlipRow {
        case: Link { href: link(path, &site.addresses.case(flip.line)), text: line.name.clone() },
        text: flip.text.clone(),
        before: Rate::of(flip.before).counts,
        after: Rate::of(flip.after).counts,
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
