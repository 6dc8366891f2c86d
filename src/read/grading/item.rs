//! One graded expectation: its statement, its verdict and what else was written to it.

use crate::json::Node;
use crate::model::{Code, Expectation, Outcome};
use crate::read::alias::expectation;
use crate::read::cursor::Cursor;
use crate::read::rules;
use crate::read::verdict;

/// Every graded expectation of a list or of an object by statement, in the order written.
pub(in crate::read) fn read_all(items: &Cursor<'_>, is_scored: bool) -> Vec<Expectation> {
    let mut found = Vec::new();
    add_all(items, is_scored, &mut found);
    found
}

fn add_all(items: &Cursor<'_>, is_scored: bool, found: &mut Vec<Expectation>) {
    for item in items.items() {
        if item.is_list() {
            let message = "a list of expectations stands in the list".to_owned();
            let help = "put all expectations into one list";
            item.problem(Code::WrongType, message, "read as part of it", help);
            add_all(&item, is_scored, found);
        } else {
            found.extend(read_item(&item, None, is_scored));
        }
    }
    let named = items.entries();
    found.extend(named.filter_map(|(name, item)| read_item(&item, Some(name), is_scored)));
}

/// One graded expectation; `name` is its key, where the expectations are an object.
fn read_item(item: &Cursor<'_>, name: Option<&str>, is_scored: bool) -> Option<Expectation> {
    match (item.node(), name) {
        (Node::Bool(_) | Node::Text(_), Some(name)) => {
            return ungraded(name).map(|e| Expectation { outcome: verdict::read(item), ..e });
        }
        (Node::Text(text), None) => return ungraded(text),
        _ => {}
    }
    if !item.is_object() {
        let message =
            format!("`{}` should be an expectation, not {}", item.name(), item.node().kind());
        let help = "write an object with `text`, `passed` and `evidence`";
        item.problem(Code::WrongType, message, "left out", help);
        return None;
    }
    let text = statement(item, name);
    let score = rules::score(item);
    let description = item.key("description").and_then(|found| found.as_words());
    Some(Expectation {
        id: item.label(&expectation::ID),
        description: description.filter(|description| *description != text),
        outcome: outcome(item, score, is_scored),
        evidence: item.words(&expectation::EVIDENCE).or_else(|| evidence_in_verdict(item)),
        score,
        required: item.flag(&expectation::REQUIRED),
        text,
    })
}

/// What was checked: the statement, the key, the id, or, with a problem, only the item's place.
fn statement(item: &Cursor<'_>, name: Option<&str>) -> String {
    let stated = item.words(&expectation::TEXT).or_else(|| name.map(str::to_owned));
    stated.or_else(|| item.words(&expectation::ID)).unwrap_or_else(|| {
        let message = "the expectation does not say what was checked".to_owned();
        item.problem(Code::WrongType, message, "shown by its place in the list", "add `text`");
        item.name()
    })
}

/// A bare statement has no verdict.
fn ungraded(text: &str) -> Option<Expectation> {
    (!text.trim().is_empty()).then(|| Expectation {
        id: None,
        text: text.to_owned(),
        description: None,
        outcome: Outcome::Ungraded,
        evidence: None,
        score: None,
        required: None,
    })
}

/// What follows the verdict in its own text: `PASS: the table has 3 rows`.
fn evidence_in_verdict(item: &Cursor<'_>) -> Option<String> {
    let found = item.get_where(&expectation::VERDICT, verdict::is_verdict)?;
    let (_, rest) = verdict::split(found.node().as_text()?)?;
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The verdict of an item; on the rubric of 1 to 5 the score decides, as the dialect says.
pub(super) fn outcome(item: &Cursor<'_>, score: Option<f64>, is_scored: bool) -> Outcome {
    let stated = item
        .get_where(&expectation::VERDICT, |found| !found.is_null() && verdict::is_verdict(found))
        .or_else(|| item.get(&expectation::VERDICT));
    let stated = stated.map(|found| (verdict::read(&found), found));
    if let Some((outcome, found)) = &stated {
        check_contradiction(item, found, *outcome);
    }
    let stated = stated.map(|(outcome, _)| outcome);
    match (score, stated) {
        (Some(score), _) if is_scored => rules::outcome_of_score(item, score, stated),
        (Some(score), None) if !item.has(&expectation::VERDICT) => {
            rules::score_alone(item, score);
            Outcome::Ungraded
        }
        _ => stated.unwrap_or(Outcome::Ungraded),
    }
}

/// Another field of the item may not give the opposite verdict.
fn check_contradiction(item: &Cursor<'_>, stated: &Cursor<'_>, outcome: Outcome) {
    let opposite = match outcome {
        Outcome::Passed => Outcome::Failed,
        Outcome::Failed => Outcome::Passed,
        Outcome::Ungraded => return,
    };
    let is_opposite = |found: &Cursor<'_>| match found.node() {
        Node::Bool(flag) => *flag == (opposite == Outcome::Passed),
        Node::Text(text) => verdict::of_word(text) == Some(opposite),
        _ => false,
    };
    if let Some(other) = item.get_where(&expectation::VERDICT, is_opposite) {
        let message = format!("`{}` says {}", other.name(), opposite.word());
        let assumed = format!("`{}` says {} and was taken", stated.name(), outcome.word());
        other.problem(Code::VerdictsContradict, message, &assumed, "write one verdict");
    }
}
