//! The rounds of trigger loops: the descriptions tried, and how often each triggered correctly.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::budget::SHORT_LIST;
use crate::chart::{Figure, Point, Unit};
use crate::model::{TriggerQuery, TriggerRound};
use crate::render::context::{DASH, RenderContext, Rows};
use crate::render::html::history::recorded_chart;
use crate::text::fixed;

pub(super) fn loops(context: RenderContext<'_>) -> Vec<Value> {
    let trigger_rounds = &context.part.workspace.trigger_rounds;
    let mut loops = Vec::new();
    for (at, rounds) in trigger_rounds.chunk_by(|a, b| a.path == b.path).enumerate() {
        let round_views = rounds.iter().enumerate().map(|(at, found)| round(context, at, found));
        loops.push(json!({
            "path": rounds[0].path,
            "total": total(context, rounds),
            // The trigger never fired, so its rounds are meaningless.
            "is_broken": never_fires(rounds),
            "matrix": matrix(context, rounds),
            "figure": figure(context, at, rounds),
            "rounds": round_views.collect::<Vec<_>>(),
        }));
    }
    loops
}

/// Whether no query triggered in any round although some should: the test is broken.
fn never_fires(rounds: &[TriggerRound]) -> bool {
    let queries = rounds.iter().flat_map(|round| &round.queries);
    let tried: Vec<&TriggerQuery> =
        queries.filter(|query| query.runs.is_some_and(|runs| runs > 0.0)).collect();
    tried.iter().any(|query| query.should_trigger == Some(true))
        && tried.iter().all(|query| query.triggers == Some(0.0))
}

/// The queries of the newest rounds side by side; empty for fewer than two rounds with queries.
fn matrix(context: RenderContext<'_>, rounds: &[TriggerRound]) -> Value {
    let shown: Vec<(usize, &TriggerRound)> =
        rounds.iter().enumerate().filter(|(_, round)| !round.queries.is_empty()).collect();
    if shown.len() < 2 {
        return json!({ "rounds": [], "rows": [] });
    }
    let shown = &shown[shown.len().saturating_sub(SHORT_LIST)..];
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut query_rows: Vec<(&TriggerQuery, Vec<[String; 2]>)> = Vec::new();
    for (at, (_, round)) in shown.iter().enumerate() {
        for query in &round.queries {
            let row = *rows.entry(&query.query).or_insert_with(|| {
                query_rows.push((query, vec![<[String; 2]>::default(); shown.len()]));
                query_rows.len() - 1
            });
            query_rows[row].1[at] = [counts(query.triggers, query.runs), outcome(query).to_owned()];
        }
    }
    json!({
        "rounds": shown.iter().map(|(at, round)| title(context, *at, round)).collect::<Vec<_>>(),
        "rows": Rows::all(query_rows.into_iter(), |(query, cells)| json!({
            "text": query.query,
            "wanted": wanted(context, query),
            "cells": cells,
        })),
    })
}

fn figure(context: RenderContext<'_>, at: usize, rounds: &[TriggerRound]) -> Option<Figure> {
    let (precisions, recalls): (Vec<_>, Vec<_>) = rounds.iter().map(precision_and_recall).unzip();
    let known_rounds =
        precisions.iter().zip(&recalls).filter(|(a, b)| a.0.or(b.0).is_some()).count();
    let names = rounds.iter().enumerate().map(|(at, found)| title(context, at, found)).collect();
    let points = |shares: Vec<RoundShare>| {
        let point = |(value, label): RoundShare| {
            Some(Point { value: value?, label: label.unwrap_or_default(), ..Point::default() })
        };
        shares.into_iter().map(point).collect()
    };
    let series = vec![("chart.precision", points(precisions)), ("chart.recall", points(recalls))];
    let title = ("chart.triggering", Unit::Fraction);
    (known_rounds > 1)
        .then(|| recorded_chart(context, &format!("rounds-{at}"), title, names, series))
}

/// How often it triggered, how often of these rightly, and how often it should have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TriggerCounts {
    right: f64,
    triggered: f64,
    wanted: f64,
}

impl TriggerCounts {
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
        (whole > 0.0).then(|| self.right / whole)
    }
}

/// The counts behind precision and recall of a round: of all queries, else of those not held out;
/// `None` if neither matches the recorded shares.
fn counted(round: &TriggerRound) -> Option<TriggerCounts> {
    const ROUNDED: f64 = 0.0051;
    let tuned = || TriggerCounts::sum(round.queries.iter().filter(|query| !query.held_out));
    // Checks each share that is recorded.
    let fits = |sums: &TriggerCounts| {
        let is_near = |share: f64, whole: f64| {
            sums.share_of(whole).is_some_and(|computed| (share - computed).abs() < ROUNDED)
        };
        round.precision.is_none_or(|share| is_near(share, sums.triggered))
            && round.recall.is_none_or(|share| is_near(share, sums.wanted))
    };
    TriggerCounts::sum(round.queries.iter()).filter(fits).or_else(|| tuned().filter(fits))
}

/// A fraction in 0..=1 and the counts behind it; `None` if unknown.
type RoundShare = (Option<f64>, Option<String>);

/// The recorded precision and recall of a round, else those of its queries.
fn precision_and_recall(round: &TriggerRound) -> (RoundShare, RoundShare) {
    let sums = counted(round);
    let share = |recorded: Option<f64>, whole: fn(&TriggerCounts) -> f64| {
        let computed = || sums.and_then(|sums| sums.share_of(whole(&sums)));
        let counts = sums.map(|sums| counts(Some(sums.right), Some(whole(&sums))));
        (recorded.or_else(computed), counts)
    };
    (share(round.precision, |sums| sums.triggered), share(round.recall, |sums| sums.wanted))
}

/// The number of rounds and, if they compete, the earliest with the most correct queries.
fn total(context: RenderContext<'_>, rounds: &[TriggerRound]) -> String {
    let number = context.language.count(rounds.len(), "round");
    let share = |round: &TriggerRound| {
        let (passed, total) = (round.passed?, round.total?);
        (total > 0.0).then(|| passed / total)
    };
    let shares = rounds.iter().enumerate().filter_map(|(at, round)| Some((at, share(round)?)));
    let best = shares.reduce(|a, b| if b.1 > a.1 { b } else { a });
    // A total does not compete with its named parts, nor do the parts of one set of queries with
    // each other.
    let mut pairs = rounds.windows(2);
    let do_compete = rounds.len() > 1
        && pairs.all(|round| round[0].name.is_some() == round[1].name.is_some())
        && rounds.iter().all(|round| round.split().is_none());
    let Some((at, _)) = best.filter(|_| do_compete && !never_fires(rounds)) else {
        return number;
    };
    let (round, counts) =
        (title(context, at, &rounds[at]), counts(rounds[at].passed, rounds[at].total));
    context
        .language
        .fill("triggers.total", &[("number", &number), ("round", &round), ("counts", &counts)])
}

fn title(context: RenderContext<'_>, at: usize, round: &TriggerRound) -> String {
    if let Some(name) = &round.name {
        return name.clone();
    }
    let number = round.number.map_or_else(|| (at + 1).to_string(), |number| fixed(number, 0));
    context.language.fill("triggers.round", &[("number", &number)])
}

fn round(context: RenderContext<'_>, at: usize, round: &TriggerRound) -> Value {
    let fill = |key: &str, value: &str| context.language.fill(key, &[("value", &value)]);
    let share = |key: &str, (value, counts): RoundShare| {
        let percent = context.language.percent(value?);
        let counts = counts.map(|counts| format!(" ({counts})")).unwrap_or_default();
        Some(fill(key, &(percent + &counts)))
    };
    let (precision, recall) = precision_and_recall(round);
    let figures = [
        round.total.map(|_| fill("triggers.right", &counts(round.passed, round.total))),
        held_out(round).map(|counts| fill("triggers.held_out_right", &counts)),
        share("triggers.precision", precision),
        share("triggers.recall", recall),
    ];
    let query_view = |query: &TriggerQuery| {
        json!({
            "text": query.query,
            "wanted": wanted(context, query),
            "triggered": counts(query.triggers, query.runs),
            "outcome": outcome(query),
            "is_held_out": query.held_out,
        })
    };
    json!({
        "title": title(context, at, round),
        "description": round.description,
        "figures": figures.into_iter().flatten().collect::<Vec<_>>(),
        "summary": context.language.count(round.queries.len(), "query"),
        "queries": round.queries.iter().map(query_view).collect::<Vec<_>>(),
    })
}

/// Correct queries in the held-out part; `None` without that part.
fn held_out(round: &TriggerRound) -> Option<String> {
    let held_out = round.queries.iter().filter(|query| query.held_out);
    let judged: Vec<bool> = held_out.filter_map(|query| query.passed).collect();
    let passed = judged.iter().filter(|passed| **passed).count();
    (!judged.is_empty()).then(|| format!("{passed}/{}", judged.len()))
}

/// Whether the round counts a query as right.
fn outcome(query: &TriggerQuery) -> &'static str {
    let outcome = |passed| if passed { "passed" } else { "failed" };
    query.passed.map_or("ungraded", outcome)
}

fn wanted(context: RenderContext<'_>, query: &TriggerQuery) -> String {
    let word = |wanted| context.language.text(if wanted { "triggers.yes" } else { "triggers.no" });
    query.should_trigger.map_or(DASH, word).to_owned()
}

/// `3/5`, or a dash for what is not recorded.
fn counts(part: Option<f64>, whole: Option<f64>) -> String {
    let number = |value: Option<f64>| value.map_or(DASH.to_owned(), |value| fixed(value, 0));
    if part.is_none() && whole.is_none() {
        return DASH.to_owned();
    }
    format!("{}/{}", number(part), number(whole))
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
        let ((precision, _), (recall, _)) = precision_and_recall(&round);
        assert_eq!((precision, recall), (Some(0.75), Some(0.5)));
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
            let ((_, precision), (_, recall)) = precision_and_recall(round);
            [precision, recall]
        };
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned()));
        assert_eq!(rates(&round_with(0.83, 5.0 / 9.0)), some(["5/6", "5/9"]));
        assert_eq!(rates(&round_with(0.67, 1.0 / 3.0)), some(["2/3", "2/6"]));
        // A match by chance does not count.
        assert_eq!(rates(&round_with(0.67, 0.9)), [None, None]);
    }
}
