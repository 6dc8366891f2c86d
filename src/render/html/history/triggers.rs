//! The rounds of trigger loops: the descriptions tried, and how often each triggered rightly.

use std::fmt::Display;

use serde::Serialize;

use crate::chart::{Figure, Point, Unit};
use crate::model::{TriggerQuery, TriggerRound};
use crate::render::context::{DASH, Site};
use crate::render::html::history::of_rounds;
use crate::text::fixed;

/// All rounds of one file.
#[derive(Serialize)]
pub(super) struct Loop {
    path: String,
    total: String,
    /// Precision and recall from round to round, where there are several.
    figure: Option<Figure>,
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
        .enumerate()
        .map(|(at, rounds)| Loop {
            path: rounds[0].path.clone(),
            total: total(site, rounds),
            figure: figure(site, at, rounds),
            rounds: rounds.iter().enumerate().map(|(at, found)| round(site, at, found)).collect(),
        })
        .collect()
}

/// Precision and recall of two rounds or more.
fn figure(site: Site<'_>, at: usize, rounds: &[TriggerRound]) -> Option<Figure> {
    let point = |value: Option<f64>, label: Option<String>| {
        Some(Point { value: value?, label: label.unwrap_or_default(), ..Point::default() })
    };
    let known =
        rounds.iter().filter(|round| round.precision.is_some() || round.recall.is_some()).count();
    let names = rounds.iter().enumerate().map(|(at, found)| title(site, at, found)).collect();
    let precision =
        rounds.iter().map(|round| point(round.precision, of_precision(round))).collect();
    let recall = rounds.iter().map(|round| point(round.recall, of_recall(round))).collect();
    let series = vec![("chart.precision", precision), ("chart.recall", recall)];
    let title = ("chart.triggering", Unit::Fraction);
    (known > 1).then(|| of_rounds(site, &format!("rounds-{at}"), title, names, series))
}

/// Times it triggered, and of them where it ought to; times it ought to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counted {
    right: f64,
    triggered: f64,
    wanted: f64,
}

impl Counted {
    /// The queries counted; `None` where one of them was not.
    fn of<'q>(queries: impl Iterator<Item = &'q TriggerQuery>) -> Option<Self> {
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

    /// Whether the recorded shares are these: both, where both are recorded.
    fn comes_to(&self, found: &TriggerRound) -> bool {
        const ROUNDED: f64 = 0.0051;
        let is_near = |share: Option<f64>, whole: f64| {
            share.is_none_or(|share| whole > 0.0 && (share - self.right / whole).abs() < ROUNDED)
        };
        is_near(found.precision, self.triggered) && is_near(found.recall, self.wanted)
    }
}

/// What precision and recall of a round are shares of: all its queries, else those tuned for; `None`
/// where neither comes to what is recorded.
fn counted(found: &TriggerRound) -> Option<Counted> {
    let tuned = || Counted::of(found.queries.iter().filter(|query| !query.held_out));
    let is_it = |counted: &Counted| counted.comes_to(found);
    Counted::of(found.queries.iter()).filter(is_it).or_else(|| tuned().filter(is_it))
}

fn of_precision(found: &TriggerRound) -> Option<String> {
    let of = counted(found)?;
    Some(counts(Some(of.right), Some(of.triggered)))
}

fn of_recall(found: &TriggerRound) -> Option<String> {
    let of = counted(found)?;
    Some(counts(Some(of.right), Some(of.wanted)))
}

/// How many rounds there are, and which had the largest share of queries right, where they compete;
/// the earliest of equals.
fn total(site: Site<'_>, rounds: &[TriggerRound]) -> String {
    let number = site.language.count(rounds.len(), "round");
    let share = |found: &TriggerRound| {
        let (passed, total) = (found.passed?, found.total?);
        (total > 0.0).then(|| passed / total)
    };
    let known = rounds.iter().enumerate().filter_map(|(at, found)| Some((at, share(found)?)));
    let best = known.reduce(|a, b| if b.1 > a.1 { b } else { a });
    let Some((at, _)) = best.filter(|_| do_compete(rounds)) else {
        return number;
    };
    let values: [(&str, &dyn Display); 3] = [
        ("number", &number),
        ("round", &title(site, at, &rounds[at])),
        ("counts", &counts(rounds[at].passed, rounds[at].total)),
    ];
    site.language.fill("triggers.total", &values)
}

/// Whether all rounds are of one kind: a whole does not compete with what stands under names beside
/// it, nor do the parts of one set of queries with each other.
fn do_compete(rounds: &[TriggerRound]) -> bool {
    let is_part = |round: &TriggerRound| round.split().is_some();
    let are_alike =
        rounds.windows(2).all(|round| round[0].name.is_some() == round[1].name.is_some());
    rounds.len() > 1 && are_alike && !rounds.iter().any(is_part)
}

fn title(site: Site<'_>, at: usize, found: &TriggerRound) -> String {
    if let Some(name) = &found.name {
        return name.clone();
    }
    let number = found.number.map_or_else(|| (at + 1).to_string(), |number| fixed(number, 0));
    site.language.fill("triggers.round", &[("number", &number)])
}

fn round(site: Site<'_>, at: usize, found: &TriggerRound) -> Round {
    let fill = |key: &str, value: &str| site.language.fill(key, &[("value", &value)]);
    let share = |value: f64, counts: Option<String>| {
        let percent = site.language.percent(value);
        counts.map_or(percent.clone(), |counts| format!("{percent} ({counts})"))
    };
    let figures = [
        found.total.map(|_| fill("triggers.right", &counts(found.passed, found.total))),
        held_out(found).map(|counts| fill("triggers.held_out_right", &counts)),
        found
            .precision
            .map(|precision| fill("triggers.precision", &share(precision, of_precision(found)))),
        found.recall.map(|recall| fill("triggers.recall", &share(recall, of_recall(found)))),
    ];
    Round {
        title: title(site, at, found),
        description: found.description.clone().unwrap_or_default(),
        figures: figures.into_iter().flatten().collect(),
        summary: site.language.count(found.queries.len(), "query"),
        queries: found.queries.iter().map(|found| query(site, found)).collect(),
    }
}

/// Queries right of the held-out part, counted; `None` without that part.
fn held_out(found: &TriggerRound) -> Option<String> {
    let judged =
        found.queries.iter().filter(|query| query.held_out).filter_map(|query| query.passed);
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
    let wanted = match found.should_trigger {
        Some(true) => text("triggers.yes"),
        Some(false) => text("triggers.no"),
        None => DASH.to_owned(),
    };
    Query {
        text: found.query.clone(),
        wanted,
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

#[cfg(test)]
mod tests {
    use super::{of_precision, of_recall};
    use crate::model::{TriggerQuery, TriggerRound};

    fn query(should_trigger: bool, triggers: f64, held_out: bool) -> TriggerQuery {
        let (triggers, runs) = (Some(triggers), Some(3.0));
        let (query, should_trigger) = ("q".to_owned(), Some(should_trigger));
        TriggerQuery { query, should_trigger, triggers, runs, passed: None, held_out }
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
        let rates = |found: &TriggerRound| [of_precision(found), of_recall(found)];
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned()));
        assert_eq!(rates(&of(0.83, 5.0 / 9.0)), some(["5/6", "5/9"]));
        assert_eq!(rates(&of(0.67, 1.0 / 3.0)), some(["2/3", "2/6"]));
        // One that fits by chance is none.
        assert_eq!(rates(&of(0.67, 0.9)), [None, None]);
    }
}
