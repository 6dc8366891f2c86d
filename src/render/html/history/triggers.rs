//! The rounds of trigger loops: the descriptions tried, and how often each triggered correctly.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::budget::SHORT_LIST;
use crate::chart::{Figure, Point, Unit};
use crate::language::{DASH, say};
use crate::model::{TriggerQuery, TriggerRound};
use crate::render::context::{RenderContext, Rows};
use crate::render::html::history::versions::{recorded_chart, recorded_series};
use crate::text::fixed;

/// One view for each file with rounds.
pub(super) fn loops(context: RenderContext<'_>) -> Vec<Value> {
    let mut loops = Vec::new();
    let files = context.part.workspace.trigger_rounds.chunk_by(|a, b| a.path == b.path);
    for (index, rounds) in files.enumerate() {
        let mut round_views = Vec::new();
        for (at, round) in rounds.iter().enumerate() {
            round_views.push(round_view(context, at, round));
        }
        loops.push(json!({
            "path": rounds[0].path,
            "total": total(context, rounds),
            "is_broken": never_fires(rounds),
            "matrix": matrix(context, rounds),
            "figure": figure(context, index, rounds),
            "rounds": round_views,
        }));
    }
    loops
}

/// Whether no query triggered in any round although some should have: the test is broken, so its rounds
/// are meaningless.
fn never_fires(rounds: &[TriggerRound]) -> bool {
    let mut should_fire = false;
    for query in rounds.iter().flat_map(|round| &round.queries) {
        if !query.runs.is_some_and(|runs| runs > 0.0) {
            continue;
        }
        if query.triggers != Some(0.0) {
            return false;
        }
        should_fire |= query.should_trigger == Some(true);
    }
    should_fire
}

/// The queries of the newest rounds side by side; empty for fewer than two rounds with queries.
fn matrix(context: RenderContext<'_>, rounds: &[TriggerRound]) -> Value {
    let mut shown: Vec<(usize, &TriggerRound)> = rounds.iter().enumerate().collect();
    shown.retain(|(_, round)| !round.queries.is_empty());
    if shown.len() < 2 {
        return json!({ "rounds": [], "rows": [] });
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
    json!({
        "rounds": shown.iter().map(|(at, round)| title(context, *at, round)).collect::<Vec<_>>(),
        "rows": Rows::all(rows.into_iter(), |(query, cells)| json!({
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
        precisions.push(precision.into_point());
        recalls.push(recall.into_point());
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

/// How often it triggered, how often of these rightly, and how often it should have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TriggerCounts {
    right: f64,
    triggered: f64,
    wanted: f64,
}

impl TriggerCounts {
    /// `None` if a query does not say one of them.
    fn sum<'q>(queries: impl Iterator<Item = &'q TriggerQuery>) -> Option<Self> {
        let mut sums = Self::default();
        for query in queries {
            let (triggers, runs) = (query.triggers?, query.runs?);
            sums.triggered += triggers;
            if query.should_trigger? {
                sums.right += triggers;
                sums.wanted += runs;
            }
        }
        Some(sums)
    }

    /// The right triggers as a share of `whole`.
    fn share_of(&self, whole: f64) -> Option<f64> {
        if whole > 0.0 { Some(self.right / whole) } else { None }
    }

    /// Whether the counts give the shares that the round recorded.
    fn fit(&self, round: &TriggerRound) -> bool {
        self.is_near(round.precision, self.triggered) && self.is_near(round.recall, self.wanted)
    }

    fn is_near(&self, recorded: Option<f64>, whole: f64) -> bool {
        // Shares are recorded with two digits.
        const ROUNDED: f64 = 0.0051;
        let Some(recorded) = recorded else { return true };
        self.share_of(whole).is_some_and(|computed| (recorded - computed).abs() < ROUNDED)
    }
}

/// The counts behind precision and recall of a round: of all queries, else of those not held out;
/// `None` if neither matches the recorded shares.
fn counted(round: &TriggerRound) -> Option<TriggerCounts> {
    let all = TriggerCounts::sum(round.queries.iter());
    if let Some(all) = all.filter(|all| all.fit(round)) {
        return Some(all);
    }
    TriggerCounts::sum(round.queries.iter().filter(|query| !query.held_out))
        .filter(|tuned| tuned.fit(round))
}

/// Precision or recall of a round.
#[derive(Clone, Debug, Default)]
struct RoundShare {
    /// A fraction in 0..=1; `None` if unknown.
    value: Option<f64>,
    /// The counts behind it, `5/6`.
    counts: Option<String>,
}

impl RoundShare {
    fn new(recorded: Option<f64>, counted: Option<(TriggerCounts, f64)>) -> Self {
        let Some((sums, whole)) = counted else { return Self { value: recorded, counts: None } };
        Self {
            value: recorded.or_else(|| sums.share_of(whole)),
            counts: Some(counts(Some(sums.right), Some(whole))),
        }
    }

    fn into_point(self) -> Option<Point> {
        let label = self.counts.unwrap_or_default();
        Some(Point { value: self.value?, label, ..Point::default() })
    }

    /// The sentence under `key` with the percent and the counts.
    fn sentence(self, key: &str, context: RenderContext<'_>) -> Option<String> {
        let percent = context.language.percent(self.value?);
        let counts = self.counts.map(|counts| format!(" ({counts})")).unwrap_or_default();
        Some(say!(context.language, key, value = percent + &counts))
    }
}

/// The recorded precision and recall of a round, else those of its queries.
fn precision_and_recall(round: &TriggerRound) -> (RoundShare, RoundShare) {
    let sums = counted(round);
    (
        RoundShare::new(round.precision, sums.map(|sums| (sums, sums.triggered))),
        RoundShare::new(round.recall, sums.map(|sums| (sums, sums.wanted))),
    )
}

/// The number of rounds and, if they compete, the earliest with the most correct queries.
fn total(context: RenderContext<'_>, rounds: &[TriggerRound]) -> String {
    let number = context.language.count(rounds.len(), "round");
    let Some(best) = best_round(rounds) else { return number };
    let round = title(context, best, &rounds[best]);
    let counts = counts(rounds[best].passed, rounds[best].total);
    say!(context.language, "triggers.total", number, round, counts)
}

fn best_round(rounds: &[TriggerRound]) -> Option<usize> {
    // A total does not compete with its named parts, nor do the parts of one set of queries with
    // each other.
    let are_alike = rounds.windows(2).all(|pair| pair[0].name.is_some() == pair[1].name.is_some());
    let are_parts = rounds.iter().any(|round| round.split().is_some());
    if rounds.len() < 2 || !are_alike || are_parts || never_fires(rounds) {
        return None;
    }
    let mut best: Option<(usize, f64)> = None;
    for (at, round) in rounds.iter().enumerate() {
        let (Some(passed), Some(total)) = (round.passed, round.total) else { continue };
        if total > 0.0 && best.is_none_or(|(_, share)| passed / total > share) {
            best = Some((at, passed / total));
        }
    }
    best.map(|(at, _)| at)
}

fn title(context: RenderContext<'_>, at: usize, round: &TriggerRound) -> String {
    if let Some(name) = &round.name {
        return name.clone();
    }
    let number = round.number.map_or_else(|| (at + 1).to_string(), |number| fixed(number, 0));
    say!(context.language, "triggers.round", number)
}

fn round_view(context: RenderContext<'_>, at: usize, round: &TriggerRound) -> Value {
    let language = context.language;
    let mut figures = Vec::new();
    if round.total.is_some() {
        let value = counts(round.passed, round.total);
        figures.push(say!(language, "triggers.right", value));
    }
    if let Some(value) = held_out(round) {
        figures.push(say!(language, "triggers.held_out_right", value));
    }
    let (precision, recall) = precision_and_recall(round);
    figures.extend(precision.sentence("triggers.precision", context));
    figures.extend(recall.sentence("triggers.recall", context));

    let mut queries = Vec::new();
    for query in &round.queries {
        queries.push(json!({
            "text": query.query,
            "wanted": wanted(context, query),
            "triggered": counts(query.triggers, query.runs),
            "outcome": outcome(query),
            "is_held_out": query.held_out,
        }));
    }
    json!({
        "title": title(context, at, round),
        "description": round.description,
        "figures": figures,
        "summary": language.count(round.queries.len(), "query"),
        "queries": queries,
    })
}

/// Correct queries in the held-out part; `None` without that part.
fn held_out(round: &TriggerRound) -> Option<String> {
    let held_out = round.queries.iter().filter(|query| query.held_out);
    let judged: Vec<bool> = held_out.filter_map(|query| query.passed).collect();
    if judged.is_empty() {
        return None;
    }
    let passed = judged.iter().filter(|passed| **passed).count();
    Some(format!("{passed}/{}", judged.len()))
}

/// Whether the round counts a query as right.
fn outcome(query: &TriggerQuery) -> &'static str {
    match query.passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "ungraded",
    }
}

fn wanted<'a>(context: RenderContext<'a>, query: &TriggerQuery) -> &'a str {
    match query.should_trigger {
        Some(true) => context.language.text("triggers.yes"),
        Some(false) => context.language.text("triggers.no"),
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

#[cfg(test)]
mod tests {
    use super::{never_fires, precision_and_recall};
    use crate::model::{TriggerQuery, TriggerRound};

    fn query(should_trigger: bool, triggers: f64, held_out: bool) -> TriggerQuery {
        let (triggers, runs) = (Some(triggers), Some(3.0));
        let (query, should_trigger) = ("q".to_owned(), Some(should_trigger));
        TriggerQuery { query, should_trigger, triggers, runs, passed: None, held_out }
    }

    #[test]
    fn a_test_that_never_fires_is_broken() {
        let round = |queries: &[TriggerQuery]| {
            [TriggerRound { queries: queries.to_vec(), ..TriggerRound::default() }]
        };
        let (dead, quiet) = (query(true, 0.0, false), query(false, 0.0, false));
        assert!(never_fires(&round(&[dead.clone(), quiet.clone()])));
        assert!(!never_fires(&round(std::slice::from_ref(&quiet))), "nothing should have fired");
        assert!(!never_fires(&round(&[dead.clone(), query(true, 1.0, false)])));
        let untried = TriggerQuery { runs: None, triggers: None, ..dead };
        assert!(!never_fires(&round(&[untried])), "nothing was tried");
    }

    #[test]
    fn shares_that_are_not_recorded_are_those_of_the_queries() {
        let queries =
            vec![query(true, 2.0, false), query(true, 1.0, false), query(false, 1.0, false)];
        let round = TriggerRound { queries, ..TriggerRound::default() };
        let (precision, recall) = precision_and_recall(&round);
        assert_eq!((precision.value, recall.value), (Some(0.75), Some(0.5)));
    }

    #[test]
    fn shares_have_counts_if_the_queries_match() {
        let tuned = [query(true, 2.0, false), query(true, 0.0, false), query(false, 1.0, false)];
        let queries = [&tuned[..], &[query(true, 3.0, true)]].concat();
        let round_with = |precision, recall| TriggerRound {
            precision: Some(precision),
            recall: Some(recall),
            queries: queries.clone(),
            ..TriggerRound::default()
        };
        let rates = |round: &TriggerRound| {
            let (precision, recall) = precision_and_recall(round);
            [precision.counts, recall.counts]
        };
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned()));
        assert_eq!(rates(&round_with(0.83, 5.0 / 9.0)), some(["5/6", "5/9"]));
        assert_eq!(rates(&round_with(0.67, 1.0 / 3.0)), some(["2/3", "2/6"]));
        // A match by chance does not count.
        assert_eq!(rates(&round_with(0.67, 0.9)), [None, None]);
    }
}
