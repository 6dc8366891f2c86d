//! The rounds of trigger loops: the descriptions tried, and how often each triggered rightly.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::chart::{Figure, Point, Unit};
use crate::model::{TriggerQuery, TriggerRound};
use crate::render::context::{DASH, Rows, Site};
use crate::render::html::history::of_rounds;
use crate::text::fixed;

pub(super) fn loops(site: Site<'_>) -> Vec<Value> {
    let all = &site.part.workspace.trigger_rounds;
    let mut loops = Vec::new();
    for (at, rounds) in all.chunk_by(|a, b| a.path == b.path).enumerate() {
        let each = rounds.iter().enumerate().map(|(at, found)| round(site, at, found));
        loops.push(json!({
            "path": rounds[0].path,
            "total": total(site, rounds),
            // The test never fired, so that its rounds say nothing.
            "is_broken": never_fires(rounds),
            "matrix": matrix(site, rounds),
            "figure": figure(site, at, rounds),
            "rounds": each.collect::<Vec<_>>(),
        }));
    }
    loops
}

/// The most rounds that have a column in the table of queries; the newest have one.
const MOST_ROUNDS: usize = 10;

/// Whether no query triggered in any round although some should, so that the test is broken.
fn never_fires(rounds: &[TriggerRound]) -> bool {
    let queries = rounds.iter().flat_map(|round| &round.queries);
    let tried: Vec<&TriggerQuery> =
        queries.filter(|query| query.runs.is_some_and(|runs| runs > 0.0)).collect();
    tried.iter().any(|query| query.should_trigger == Some(true))
        && tried.iter().all(|query| query.triggers == Some(0.0))
}

/// The queries of the newest rounds side by side; empty for fewer than two rounds with queries.
fn matrix(site: Site<'_>, rounds: &[TriggerRound]) -> Value {
    let shown: Vec<(usize, &TriggerRound)> =
        rounds.iter().enumerate().filter(|(_, round)| !round.queries.is_empty()).collect();
    if shown.len() < 2 {
        return json!({ "rounds": [], "rows": [] });
    }
    let shown = &shown[shown.len().saturating_sub(MOST_ROUNDS)..];
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: Vec<(&TriggerQuery, Vec<[String; 2]>)> = Vec::new();
    for (at, (_, round)) in shown.iter().enumerate() {
        for query in &round.queries {
            let row = *rows.entry(&query.query).or_insert_with(|| {
                found.push((query, vec![<[String; 2]>::default(); shown.len()]));
                found.len() - 1
            });
            found[row].1[at] = [counts(query.triggers, query.runs), outcome(query).to_owned()];
        }
    }
    json!({
        "rounds": shown.iter().map(|(at, round)| title(site, *at, round)).collect::<Vec<_>>(),
        "rows": Rows::all(found.into_iter(), |(query, cells)| json!({
            "text": query.query,
            "wanted": wanted(site, query),
            "cells": cells,
        })),
    })
}

fn figure(site: Site<'_>, at: usize, rounds: &[TriggerRound]) -> Option<Figure> {
    let (precisions, recalls): (Vec<_>, Vec<_>) = rounds.iter().map(precision_and_recall).unzip();
    let known = precisions.iter().zip(&recalls).filter(|(a, b)| a.0.or(b.0).is_some()).count();
    let names = rounds.iter().enumerate().map(|(at, found)| title(site, at, found)).collect();
    let points = |shares: Vec<RoundShare>| {
        let point = |(value, label): RoundShare| {
            Some(Point { value: value?, label: label.unwrap_or_default(), ..Point::default() })
        };
        shares.into_iter().map(point).collect()
    };
    let series = vec![("chart.precision", points(precisions)), ("chart.recall", points(recalls))];
    let title = ("chart.triggering", Unit::Fraction);
    (known > 1).then(|| of_rounds(site, &format!("rounds-{at}"), title, names, series))
}

/// Times it triggered, and of them where it ought to; times it ought to.
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

    /// The share that triggered rightly of a `whole`.
    fn share_of(&self, whole: f64) -> Option<f64> {
        (whole > 0.0).then(|| self.right / whole)
    }
}

/// What precision and recall of a round are shares of: all its queries, else those tuned for; `None`
/// where neither comes to what is recorded.
fn counted(found: &TriggerRound) -> Option<TriggerCounts> {
    const ROUNDED: f64 = 0.0051;
    let tuned = || TriggerCounts::sum(found.queries.iter().filter(|query| !query.held_out));
    // Both recorded shares, where both are recorded.
    let fits = |sums: &TriggerCounts| {
        let is_near = |share: f64, whole: f64| {
            sums.share_of(whole).is_some_and(|own| (share - own).abs() < ROUNDED)
        };
        found.precision.is_none_or(|share| is_near(share, sums.triggered))
            && found.recall.is_none_or(|share| is_near(share, sums.wanted))
    };
    TriggerCounts::sum(found.queries.iter()).filter(fits).or_else(|| tuned().filter(fits))
}

/// A fraction in 0..=1, and the counts it is the share of; absent where not known.
type RoundShare = (Option<f64>, Option<String>);

/// The recorded precision and recall of a round, else those of its queries.
fn precision_and_recall(found: &TriggerRound) -> (RoundShare, RoundShare) {
    let sums = counted(found);
    let share = |recorded: Option<f64>, whole: fn(&TriggerCounts) -> f64| {
        let own = || sums.and_then(|sums| sums.share_of(whole(&sums)));
        let counts = sums.map(|sums| counts(Some(sums.right), Some(whole(&sums))));
        (recorded.or_else(own), counts)
    };
    (share(found.precision, |sums| sums.triggered), share(found.recall, |sums| sums.wanted))
}

/// How many rounds there are and, where they compete, the earliest with the most queries right.
fn total(site: Site<'_>, rounds: &[TriggerRound]) -> String {
    let number = site.language.count(rounds.len(), "round");
    let share = |found: &TriggerRound| {
        let (passed, total) = (found.passed?, found.total?);
        (total > 0.0).then(|| passed / total)
    };
    let known = rounds.iter().enumerate().filter_map(|(at, found)| Some((at, share(found)?)));
    let best = known.reduce(|a, b| if b.1 > a.1 { b } else { a });
    // A whole does not compete with what stands under names next to it, nor do the parts of one set
    // of queries with each other.
    let mut pairs = rounds.windows(2);
    let do_compete = rounds.len() > 1
        && pairs.all(|round| round[0].name.is_some() == round[1].name.is_some())
        && rounds.iter().all(|round| round.split().is_none());
    let Some((at, _)) = best.filter(|_| do_compete && !never_fires(rounds)) else {
        return number;
    };
    let (round, counts) =
        (title(site, at, &rounds[at]), counts(rounds[at].passed, rounds[at].total));
    site.language
        .fill("triggers.total", &[("number", &number), ("round", &round), ("counts", &counts)])
}

fn title(site: Site<'_>, at: usize, found: &TriggerRound) -> String {
    if let Some(name) = &found.name {
        return name.clone();
    }
    let number = found.number.map_or_else(|| (at + 1).to_string(), |number| fixed(number, 0));
    site.language.fill("triggers.round", &[("number", &number)])
}

fn round(site: Site<'_>, at: usize, found: &TriggerRound) -> Value {
    let fill = |key: &str, value: &str| site.language.fill(key, &[("value", &value)]);
    let share = |key: &str, (value, counts): RoundShare| {
        let percent = site.language.percent(value?);
        let counts = counts.map(|counts| format!(" ({counts})")).unwrap_or_default();
        Some(fill(key, &(percent + &counts)))
    };
    let (precision, recall) = precision_and_recall(found);
    let figures = [
        found.total.map(|_| fill("triggers.right", &counts(found.passed, found.total))),
        held_out(found).map(|counts| fill("triggers.held_out_right", &counts)),
        share("triggers.precision", precision),
        share("triggers.recall", recall),
    ];
    let query = |found: &TriggerQuery| {
        json!({
            "text": found.query,
            "wanted": wanted(site, found),
            "triggered": counts(found.triggers, found.runs),
            "outcome": outcome(found),
            "is_held_out": found.held_out,
        })
    };
    json!({
        "title": title(site, at, found),
        "description": found.description,
        "figures": figures.into_iter().flatten().collect::<Vec<_>>(),
        "summary": site.language.count(found.queries.len(), "query"),
        "queries": found.queries.iter().map(query).collect::<Vec<_>>(),
    })
}

/// Queries right of the held-out part, counted; `None` without that part.
fn held_out(found: &TriggerRound) -> Option<String> {
    let held_out = found.queries.iter().filter(|query| query.held_out);
    let judged: Vec<bool> = held_out.filter_map(|query| query.passed).collect();
    let passed = judged.iter().filter(|passed| **passed).count();
    (!judged.is_empty()).then(|| format!("{passed}/{}", judged.len()))
}

/// Whether the round counts a query as right.
fn outcome(found: &TriggerQuery) -> &'static str {
    let outcome = |passed| if passed { "passed" } else { "failed" };
    found.passed.map_or("ungraded", outcome)
}

fn wanted(site: Site<'_>, found: &TriggerQuery) -> String {
    let word = |wanted| site.language.text(if wanted { "triggers.yes" } else { "triggers.no" });
    found.should_trigger.map_or(DASH, word).to_owned()
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
        let found = TriggerRound { queries, ..TriggerRound::default() };
        let ((precision, _), (recall, _)) = precision_and_recall(&found);
        assert_eq!((precision, recall), (Some(0.75), Some(0.5)));
    }

    #[test]
    fn shares_are_counted_where_the_queries_come_to_them() {
        let tuned = [query(true, 2.0, false), query(true, 0.0, false), query(false, 1.0, false)];
        let queries = [&tuned[..], &[query(true, 3.0, true)]].concat();
        let of = |precision, recall| TriggerRound {
            precision: Some(precision),
            recall: Some(recall),
            queries: queries.clone(),
            ..TriggerRound::default()
        };
        let rates = |found: &TriggerRound| {
            let ((_, precision), (_, recall)) = precision_and_recall(found);
            [precision, recall]
        };
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned()));
        assert_eq!(rates(&of(0.83, 5.0 / 9.0)), some(["5/6", "5/9"]));
        assert_eq!(rates(&of(0.67, 1.0 / 3.0)), some(["2/3", "2/6"]));
        // One that fits by chance is none.
        assert_eq!(rates(&of(0.67, 0.9)), [None, None]);
    }
}
