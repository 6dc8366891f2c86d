//! The rounds of trigger loops: the descriptions tried, and how often each triggered correctly.

use std::collections::BTreeMap;

use crate::budget::SHORT_LIST;
use crate::chart::{Figure, Point, Unit};
use crate::digest::{
    RoundShare, best_round, held_out, never_fires, precision_and_recall, query_order, shown_round,
};
use crate::language::{DASH, say};
use crate::render::context::{Page, RenderContext, Rows, View, view};
use crate::render::html::history::{recorded_chart, recorded_series};
use crate::render::html::reworded;
use input::model::{TriggerQuery, TriggerRound};
use serde_json::json;
use text::fixed;

/// The file of the page; the anchor of each file with rounds is its position.
pub(super) const FILE: &str = "triggers.html";

pub(super) fn view(page: &Page<'_>) -> View {
    view!({
        "frame": page.frame(page.language.text("page.triggers"), None),
        "loops": loops(page.context),
    })
}

/// One view for each file with rounds.
fn loops(context: RenderContext<'_>) -> Vec<View> {
    let mut loops = Vec::new();
    let files = context.part.workspace.trigger_rounds.chunk_by(|a, b| a.path == b.path);
    for (index, rounds) in files.enumerate() {
        let shown = shown_round(rounds);
        let mut round_views = Vec::new();
        for (at, round) in rounds.iter().enumerate().filter(|(at, _)| Some(*at) != shown) {
            round_views.push(round_view(context, at, round));
        }
        let confusion = confusion(context, rounds);
        let title =
            confusion.as_ref().map_or(context.language.text("triggers.title"), |(title, _)| title);
        loops.push(view!({
            "anchor": format!("triggers-{index}"),
            "title": title,
            "path": rounds[0].path,
            "shown": shown.map(|at| round_view(context, at, &rounds[at])),
            "description": shown.map(|at| description(context, rounds, at)),
            "total": total(context, rounds),
            "is_broken": never_fires(rounds),
            "groups": shown.map(|at| groups(context, &rounds[at])),
            "confusion": confusion.as_ref().map(|(_, confusion)| confusion),
            "matrix": matrix(context, rounds),
            "figure": figure(context, index, rounds),
            "rounds": round_views,
        }));
    }
    loops
}

/// What was changed in the description that the round at `at` tried, since the round before it with another one.
fn description(context: RenderContext<'_>, rounds: &[TriggerRound], at: usize) -> View {
    let language = context.language;
    let Some(new) = &rounds[at].description else { return View::none() };
    let mut earlier = rounds[..at].iter().enumerate().rev();
    let differs = |round: &TriggerRound| round.description.as_ref().is_some_and(|old| old != new);
    if let Some((before, round)) = earlier.find(|(_, round)| differs(round))
        && let Some(old) = &round.description
    {
        let [before, after] = [before, at].map(|at| title(context, at, &rounds[at]));
        let title = say!(language, "triggers.description_change", before, after);
        // Where hardly a word is left, both stand one above the other.
        return view!({ "title": title, "change": reworded::change(old, new), "old": old, "text": new });
    }
    view!({ "title": language.text("triggers.description"), "text": new })
}

/// What should have happened and what did, of the queries of the round that counts, with the sentence that says so;
/// `None` where not every query says both.
fn confusion(context: RenderContext<'_>, rounds: &[TriggerRound]) -> Option<(String, View)> {
    let at = shown_round(rounds)?;
    let queries = &rounds[at].queries;
    // Of each kind the right ones and the wrong ones.
    let (mut loads, mut stays) = ([0, 0], [0, 0]);
    for query in queries {
        let counts = if query.should_trigger? { &mut loads } else { &mut stays };
        counts[usize::from(!query.passed?)] += 1;
    }
    if queries.is_empty() {
        return None;
    }
    let cell = |number: usize, key: &str, is_wrong: bool| {
        view!({
            "number": number,
            "word": context.language.text(key),
            "is_wrong": is_wrong && number > 0,
        })
    };
    let row = |key: &str, counts: [usize; 2], cells: [View; 2]| {
        let number = context.language.count(counts.iter().sum(), "query");
        view!({ "title": context.language.text(key), "number": number, "cells": cells })
    };
    let counted = json!({
        "kind": "queries",
        "missed": loads[1],
        "loads": loads[0] + loads[1],
        "alarms": stays[1],
        "stays": stays[0] + stays[1],
    });
    let sentence = context.language.tell("triggers_told", &counted)?;
    let table = view!({
        "round": title(context, at, &rounds[at]),
        "is_judged_only": queries.iter().all(|query| query.runs.is_none()),
        "rows": [
            row("triggers.should_load", loads, [
                cell(loads[1], "triggers.missed", true),
                cell(loads[0], "triggers.right_word", false),
            ]),
            row("triggers.should_stay", stays, [
                cell(stays[0], "triggers.right_word", false),
                cell(stays[1], "triggers.false_alarm", true),
            ]),
        ],
    });
    Some((sentence, table))
}

/// The queries of a round: those that went wrong first, under a title of their own.
fn groups(context: RenderContext<'_>, round: &TriggerRound) -> Vec<View> {
    let mut ordered: Vec<&TriggerQuery> = round.queries.iter().collect();
    ordered.sort_by_key(|query| query_order(query));
    let (wrong, others): (Vec<_>, Vec<_>) =
        ordered.into_iter().partition(|query| query.passed == Some(false));
    let mut groups = Vec::new();
    let others_key = if wrong.is_empty() { "screen.queries" } else { "triggers.others" };
    for (key, queries) in [("triggers.wrong", wrong), (others_key, others)] {
        if !queries.is_empty() {
            let queries = queries.into_iter().map(|query| query_view(context, query));
            let title = context.language.text(key);
            groups.push(view!({ "title": title, "queries": queries.collect::<Vec<_>>() }));
        }
    }
    groups
}

/// The queries of the newest rounds side by side; empty for fewer than two rounds with queries.
fn matrix(context: RenderContext<'_>, rounds: &[TriggerRound]) -> View {
    let mut shown: Vec<(usize, &TriggerRound)> = rounds.iter().enumerate().collect();
    shown.retain(|(_, round)| !round.queries.is_empty());
    if shown.len() < 2 {
        return view!({ "rounds": [""; 0], "rows": [""; 0] });
    }
    let shown = &shown[shown.len().saturating_sub(SHORT_LIST)..];

    let mut row_of_text: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rows: Vec<(&TriggerQuery, Vec<[String; 2]>)> = Vec::new();
    for (column, (_, round)) in shown.iter().enumerate() {
        for query in &round.queries {
            let row = *row_of_text.entry(&query.query).or_insert(rows.len());
            if row == rows.len() {
                rows.push((query, vec![<[String; 2]>::default(); shown.len()]));
            }
            rows[row].1[column] = [counts(query.triggers, query.runs), outcome(query).to_owned()];
        }
    }
    rows.sort_by_key(|(query, _)| query_order(query));
    view!({
        "rounds": shown.iter().map(|(at, round)| title(context, *at, round)).collect::<Vec<_>>(),
        "rows": Rows::all(rows.into_iter(), |(query, cells)| view!({
            "text": query.query,
            "wanted": wanted(context, query),
            "cells": cells,
        })),
    })
}

/// Precision and recall over the rounds; `None` unless two rounds have either.
fn figure(context: RenderContext<'_>, index: usize, rounds: &[TriggerRound]) -> Option<Figure> {
    let (mut names, mut precisions, mut recalls) = (Vec::new(), Vec::new(), Vec::new());
    let mut known_rounds = 0;
    for (at, round) in rounds.iter().enumerate() {
        let (precision, recall) = precision_and_recall(round);
        known_rounds += usize::from(precision.value.or(recall.value).is_some());
        names.push(title(context, at, round));
        precisions.push(point(precision));
        recalls.push(point(recall));
    }
    if known_rounds < 2 {
        return None;
    }
    let series = vec![
        recorded_series(context, "chart.precision", precisions),
        recorded_series(context, "chart.recall", recalls),
    ];
    let prefix = format!("rounds-{index}");
    Some(recorded_chart(context, &prefix, "chart.triggering", Unit::Fraction, names, series))
}

fn point(share: RoundShare) -> Option<Point> {
    Some(Point { value: share.value?, label: share_counts(&share), ..Point::default() })
}

/// `5/6`, or empty.
fn share_counts(share: &RoundShare) -> String {
    share.counts.map_or(String::new(), |[right, whole]| counts(Some(right), Some(whole)))
}

/// The sentence under `key` with the percent and the counts.
fn share_sentence(context: RenderContext<'_>, key: &str, share: RoundShare) -> Option<String> {
    let mut value = context.language.percent(share.value?);
    if share.counts.is_some() {
        value = context.language.detailed(&value, &share_counts(&share));
    }
    Some(say!(context.language, key, value))
}

/// The number of rounds and, if they compete, the earliest with the most correct queries.
fn total(context: RenderContext<'_>, rounds: &[TriggerRound]) -> String {
    let number = context.language.count(rounds.len(), "round");
    let Some(best) = best_round(rounds) else { return number };
    let round = title(context, best, &rounds[best]);
    let counts = counts(rounds[best].passed, rounds[best].total);
    say!(context.language, "triggers.total", number, round, counts)
}

fn title(context: RenderContext<'_>, at: usize, round: &TriggerRound) -> String {
    if let Some(name) = &round.name {
        return name.clone();
    }
    let number = round.number.map_or_else(|| (at + 1).to_string(), |number| fixed(number, 0));
    say!(context.language, "triggers.round", number)
}

fn round_view(context: RenderContext<'_>, at: usize, round: &TriggerRound) -> View {
    let language = context.language;
    let mut figures = Vec::new();
    if round.total.is_some() {
        let value = counts(round.passed, round.total);
        figures.push(say!(language, "triggers.right", value));
    }
    if let Some([passed, judged]) = held_out(round) {
        let value = format!("{passed}/{judged}");
        figures.push(say!(language, "triggers.held_out_right", value));
    }
    let (precision, recall) = precision_and_recall(round);
    figures.extend(share_sentence(context, "triggers.precision", precision));
    figures.extend(share_sentence(context, "triggers.recall", recall));

    let mut queries: Vec<&TriggerQuery> = round.queries.iter().collect();
    queries.sort_by_key(|query| query_order(query));
    let has_parts = round.queries.iter().any(|query| query.held_out);
    let mut heads = vec!["triggers.verdict", "triggers.query", "triggers.triggered"];
    if has_parts {
        heads.push("triggers.part");
    }
    view!({
        "title": title(context, at, round),
        "description": round.description,
        "has_parts": has_parts,
        "heads": heads.into_iter().map(|key| language.text(key)).collect::<Vec<_>>(),
        "figures": figures,
        "summary": language.count(round.queries.len(), "query"),
        "queries": queries.into_iter().map(|query| query_view(context, query)).collect::<Vec<_>>(),
    })
}

fn query_view(context: RenderContext<'_>, query: &TriggerQuery) -> View {
    view!({
        "text": query.query,
        "triggered": counts(query.triggers, query.runs),
        "outcome": outcome(query),
        "word": word(context, query),
        "is_held_out": query.held_out,
    })
}

/// Whether the round counts a query as right.
fn outcome(query: &TriggerQuery) -> &'static str {
    match query.passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "ungraded",
    }
}

/// What came of it: `missed`, `false alarm`, or what it rightly did; without a verdict what it should do.
fn word<'a>(context: RenderContext<'a>, query: &TriggerQuery) -> &'a str {
    let key = match (query.passed, query.should_trigger) {
        (Some(true), Some(true)) => "triggers.loaded",
        (Some(true), Some(false)) => "triggers.stayed_out",
        (Some(true), None) => "triggers.is_right",
        (Some(false), Some(true)) => "triggers.missed",
        (Some(false), Some(false)) => "triggers.false_alarm",
        (Some(false), None) => "triggers.is_wrong",
        (None, _) => return wanted(context, query),
    };
    context.language.text(key)
}

fn wanted<'a>(context: RenderContext<'a>, query: &TriggerQuery) -> &'a str {
    match query.should_trigger {
        Some(true) => context.language.text("triggers.should_load"),
        Some(false) => context.language.text("triggers.should_stay"),
        None => DASH,
    }
}

/// `3/5`, or a dash for what is not recorded.
fn counts(part: Option<f64>, whole: Option<f64>) -> String {
    if part.is_none() && whole.is_none() {
        return DASH.to_owned();
    }
    format!("{}/{}", number(part), number(whole))
}

fn number(value: Option<f64>) -> String {
    value.map_or(DASH.to_owned(), |value| fixed(value, 0))
}
