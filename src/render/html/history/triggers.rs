//! The rounds of trigger loops: the descriptions tried, and how often each triggered rightly.

use std::fmt::Display;

use serde::Serialize;

use crate::model::{TriggerQuery, TriggerRound};
use crate::render::pages::Site;
use crate::render::view::DASH;
use crate::text::fixed;

/// All rounds of one file.
#[derive(Serialize)]
pub(super) struct Loop {
    path: String,
    total: String,
    rounds: Vec<Round>,
}

#[derive(Serialize)]
struct Round {
    title: String,
    description: String,
    figures: Vec<String>,
    summary: String,
    queries: Vec<Query>,
}

#[derive(Serialize)]
struct Query {
    text: String,
    wanted: String,
    triggered: String,
    verdict: String,
    outcome: &'static str,
    part: String,
}

/// The loops of the workspace, in the order of their files.
pub(super) fn loops(site: Site<'_>) -> Vec<Loop> {
    let all = &site.part.workspace.trigger_rounds;
    let of_file = all.chunk_by(|a, b| a.path == b.path);
    of_file
        .map(|rounds| Loop {
            path: rounds[0].path.clone(),
            total: total(site, rounds),
            rounds: rounds.iter().enumerate().map(|(at, found)| round(site, at, found)).collect(),
        })
        .collect()
}

/// How many rounds there are, and which had the largest share of queries right; the earliest of
/// equals.
fn total(site: Site<'_>, rounds: &[TriggerRound]) -> String {
    let number = site.language.count(rounds.len(), "round");
    let share = |found: &TriggerRound| {
        let (passed, total) = (found.passed?, found.total?);
        (total > 0.0).then(|| passed / total)
    };
    let known = rounds.iter().enumerate().filter_map(|(at, found)| Some((at, share(found)?)));
    let best = known.reduce(|a, b| if b.1 > a.1 { b } else { a });
    let Some((at, _)) = best.filter(|_| rounds.len() > 1) else {
        return number;
    };
    let values: [(&str, &dyn Display); 3] = [
        ("number", &number),
        ("round", &title(site, at, &rounds[at])),
        ("counts", &counts(rounds[at].passed, rounds[at].total)),
    ];
    site.language.fill("triggers.total", &values)
}

fn title(site: Site<'_>, at: usize, found: &TriggerRound) -> String {
    let number = found.number.map_or_else(|| (at + 1).to_string(), |number| fixed(number, 0));
    site.language.fill("triggers.round", &[("number", &number)])
}

fn round(site: Site<'_>, at: usize, found: &TriggerRound) -> Round {
    let fill = |key: &str, value: &str| site.language.fill(key, &[("value", &value)]);
    let figures = [
        found.total.map(|_| fill("triggers.right", &counts(found.passed, found.total))),
        held_out(found).map(|counts| fill("triggers.held_out_right", &counts)),
        found.precision.map(|value| fill("triggers.precision", &site.language.percent(value))),
        found.recall.map(|value| fill("triggers.recall", &site.language.percent(value))),
    ];
    Round {
        title: title(site, at, found),
        description: found.description.clone().unwrap_or_default(),
        figures: figures.into_iter().flatten().collect(),
        summary: site.language.count(found.queries.len(), "query"),
        queries: found.queries.iter().map(|it| query(site, it)).collect(),
    }
}

/// Queries right of the held-out part, counted; `None` without that part.
fn held_out(found: &TriggerRound) -> Option<String> {
    let judged = found.queries.iter().filter(|it| it.held_out).filter_map(|it| it.passed);
    let judged: Vec<bool> = judged.collect();
    let passed = judged.iter().filter(|passed| **passed).count();
    (!judged.is_empty()).then(|| format!("{passed}/{}", judged.len()))
}

fn query(site: Site<'_>, found: &TriggerQuery) -> Query {
    let text = |key: &str| site.language.text(key).to_owned();
    let (verdict, outcome) = match found.passed {
        Some(true) => (text("triggers.is_right"), "passed"),
        Some(false) => (text("triggers.is_wrong"), "failed"),
        None => (DASH.to_owned(), "ungraded"),
    };
    Query {
        text: found.query.clone(),
        wanted: text(if found.should_trigger { "triggers.yes" } else { "triggers.no" }),
        triggered: counts(found.triggers, found.runs),
        verdict,
        outcome,
        part: text(if found.held_out { "triggers.held_out" } else { "triggers.tuned" }),
    }
}

/// `3/5`, or a dash for what is not recorded.
fn counts(part: Option<f64>, whole: Option<f64>) -> String {
    let number = |value: Option<f64>| value.map_or(DASH.to_owned(), |value| fixed(value, 0));
    if part.is_none() && whole.is_none() {
        return DASH.to_owned();
    }
    format!("{}/{}", number(part), number(whole))
}
