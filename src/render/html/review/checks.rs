//! The checks of two runs: failed ones first, with the reasons of the graders.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::key;
use crate::model::{Expectation, Outcome, Run};
use crate::render::context::{Anchors, Rows, view::mark};
use crate::render::html::review::page::ReviewPage;
use crate::wording::quotations;

#[derive(Serialize)]
struct CheckReason {
    of: Vec<&'static str>,
    names: String,
    text: String,
    quotes: Vec<String>,
}

/// A check in both runs, with its indices in their gradings.
type CheckPair<'a> = [Option<(usize, &'a Expectation)>; 2];

/// The group of a pair, as an index into [`GROUPS`].
fn group(pair: &CheckPair<'_>) -> usize {
    match pair.map(|side| side.map(|(_, check)| check.outcome)) {
        [Some(Outcome::Failed), _] => 0,
        [_, Some(Outcome::Failed)] => 1,
        [Some(Outcome::Passed), Some(Outcome::Passed)] => 3,
        _ => 2,
    }
}

pub(super) fn checks(review: &ReviewPage<'_>, names: &[String; 2]) -> Value {
    let words = review.context.language;
    let pairs = pairs(review.sides().map(|(_, run)| run));
    let (mut groups, mut anchors) = (Vec::new(), Anchors::default());
    for (at, (word, name)) in GROUPS.into_iter().enumerate() {
        let group_pairs: Vec<&CheckPair<'_>> =
            pairs.iter().filter(|pair| group(pair) == at).collect();
        if group_pairs.is_empty() {
            continue;
        }
        let name = name.map_or("", |at| names[at].as_str());
        let checks = Rows::all(group_pairs.iter(), |pair| check(pair, review, names, &mut anchors));
        groups.push(json!({
            "title": words.fill(word, &[("n", &group_pairs.len()), ("side", &name)]),
            "is_folded": at > 1,
            "checks": checks,
        }));
    }
    json!({ "groups": groups })
}

/// The titles of the groups, and the index of the side that they name.
const GROUPS: [(&str, Option<usize>); 4] = [
    ("review.failed", Some(0)),
    ("review.failed_only", Some(1)),
    ("review.unclear", None),
    ("review.passed_both", None),
];

/// The checks of both runs in the order of the candidate's, then those of the other run only.
fn pairs<'a>([ours, theirs]: [&'a Run; 2]) -> Vec<CheckPair<'a>> {
    let theirs = theirs.expectations();
    let mut by_key: BTreeMap<Cow<'_, str>, VecDeque<usize>> = BTreeMap::new();
    for (at, check) in theirs.iter().enumerate() {
        by_key.entry(key(check)).or_default().push_back(at);
    }
    let mut check_pairs = Vec::new();
    for (index, check) in ours.expectations().iter().enumerate() {
        let at = by_key.get_mut(&key(check)).and_then(VecDeque::pop_front);
        check_pairs.push([Some((index, check)), at.map(|at| (at, &theirs[at]))]);
    }
    let unmatched: BTreeSet<usize> = by_key.into_values().flatten().collect();
    check_pairs.extend(unmatched.into_iter().map(|at| [None, Some((at, &theirs[at]))]));
    check_pairs
}

fn check(
    pair: &CheckPair<'_>,
    review: &ReviewPage<'_>,
    names: &[String; 2],
    anchors: &mut Anchors,
) -> Value {
    let (runs, words) = (review.sides().map(|(_, run)| run), review.context.language);
    let present = pair.iter().flatten().next();
    let text = present.map_or("", |(_, check)| check.text.as_str());
    let anchor =
        present.map(|(_, check)| review.context.addresses.expectation(review.line, &key(check)));
    let gradings = runs.into_iter().filter_map(Run::grading);
    let mut remarks: Vec<String> = gradings
        .flat_map(|grading| &grading.suggestions)
        .filter(|remark| remark.expectation.as_deref() == Some(text))
        .map(|remark| remark.text.clone())
        .collect();
    remarks.dedup();
    let marks = [0, 1].map(|at| {
        let outcome = pair[at].map(|(_, check)| check.outcome);
        let word =
            outcome.map_or("review.absent".to_owned(), |found| format!("outcome.{}", found.word()));
        json!({
            "sign": outcome.map_or("–", mark),
            "outcome": outcome.map_or("absent", Outcome::word),
            "text": format!("{} {}", names[at], words.text(&word)),
        })
    });
    json!({
        "anchor": anchors.take(anchor.unwrap_or_default()),
        "text": text,
        "marks": marks,
        "reasons": reasons(pair, review, names),
        "remarks": remarks,
    })
}

/// The reasons of the sides that determine the group; equal ones once.
fn reasons(pair: &CheckPair<'_>, review: &ReviewPage<'_>, names: &[String; 2]) -> Vec<CheckReason> {
    let words = review.context.language;
    let wanted: &[usize] = if group(pair) == 1 { &[1] } else { &[0, 1] };
    let mut reasons: Vec<CheckReason> = Vec::new();
    for at in wanted.iter().copied() {
        let Some((index, check)) = pair[at] else { continue };
        let no_reason = || match check.outcome {
            Outcome::Passed => String::new(),
            _ => words.text("review.no_evidence").to_owned(),
        };
        let text = check.evidence.clone().unwrap_or_else(no_reason);
        if text.is_empty() {
            continue;
        }
        let class = ["candidate", "baseline"][at];
        let quotes =
            review.check_at(at, index).map(|at| review.context.part.quotes().in_check(&at));
        let quotes = quotations::remarks(quotes.unwrap_or_default(), words);
        match reasons.iter_mut().find(|known| known.text == text && known.quotes == quotes) {
            Some(known) => {
                known.of.push(class);
                known.names += &format!("{}{}", words.text("list.comma"), names[at]);
            }
            None => reasons.push(CheckReason {
                of: vec![class],
                names: names[at].clone(),
                text,
                quotes,
            }),
        }
    }
    reasons
}
