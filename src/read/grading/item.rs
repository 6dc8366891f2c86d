//! One graded expectation: its statement, its verdict and its other fields.

use crate::json::Node;
use crate::model::{Code, Expectation, Outcome};
use crate::read::alias::{Field, expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::lost;
use crate::read::{rules, verdict};

/// Every graded expectation of a list, or of an object by statement, in the order written.
pub(in crate::read) fn read_all(items: Cursor<'_>, is_scored: bool) -> Vec<Expectation> {
    let listed = items.items().filter_map(|item| read_item(item, None, is_scored));
    let named = items.entries().filter_map(|(name, item)| read_item(item, Some(name), is_scored));
    listed.chain(named).collect()
}

/// One graded expectation; `name` is its key if the expectations are an object.
fn read_item(item: Cursor<'_>, name: Option<&str>, is_scored: bool) -> Option<Expectation> {
    let is_word = match item.node() {
        Node::Text(text) => verdict::parse_text(text).is_some(),
        node => matches!(node, Node::Bool(_) | Node::Null),
    };
    // Among verdicts by statement, a key may belong to a remark on all of them.
    const REMARKS: &[&Field] = &[&expectation::EVIDENCE, &grading::NOTES, &grading::SUMMARY];
    let is_remark = |name: &str| !is_word && REMARKS.iter().any(|field| field.is(name));
    // A bare statement has no verdict.
    let bare = |text: &str, outcome| Expectation {
        text: text.to_owned(),
        outcome,
        ..Expectation::default()
    };
    match (item.node(), name) {
        (Node::Object(_), _) => {}
        (_, Some(name)) if !is_remark(name) => {
            return (!name.trim().is_empty()).then(|| bare(name, verdict::read(item)));
        }
        (Node::Text(text), None) => {
            return (!text.trim().is_empty()).then(|| bare(text, Outcome::Ungraded));
        }
        (node, _) => {
            let message =
                format!("`{}` should be an expectation, not {}", item.name(), node.kind());
            let help = "write an object with `text`, `passed` and `evidence`";
            item.problem(Code::WrongType, message, "left out", help);
            return None;
        }
    }
    // The statement: its own field, the key, the id, or, with a problem, only the item's position.
    let stated = item.words(&expectation::TEXT).or_else(|| name.map(str::to_owned));
    let text = stated.or_else(|| item.words(&expectation::ID)).unwrap_or_else(|| {
        let message = "the expectation does not say what was checked";
        item.problem(Code::WrongType, message, "shown by its place in the list", "add `text`");
        item.name()
    });
    let score = rules::score(item);
    let is_outside = is_scored && score.is_some_and(|score| !rules::is_on_rubric(score));
    let description = item.key("description").and_then(|value| value.as_words());
    Some(Expectation {
        id: item.label(&expectation::ID),
        description: description.filter(|description| *description != text),
        outcome: outcome(item, score, is_scored),
        evidence: item.words(&expectation::EVIDENCE),
        score: score.filter(|_| !is_outside),
        score_outside: score.filter(|_| is_outside),
        required: item.flag(&expectation::REQUIRED),
        text,
    })
}

/// The verdict of an item; on the rubric of 1 to 5 the score decides, by the rules of the dialect.
pub(super) fn outcome(item: Cursor<'_>, score: Option<f64>, is_scored: bool) -> Outcome {
    // The first verdict key that can be read as one.
    let is_stated = |value: Cursor<'_>| !value.is_null() && verdict::is_verdict(value);
    let stated_verdict = item.get_where(&expectation::VERDICT, is_stated);
    let stated_verdict = stated_verdict.or_else(|| item.get(&expectation::VERDICT));
    let stated = stated_verdict.map(verdict::read);
    if let (Some(stated_verdict), Some(outcome)) = (&stated_verdict, stated) {
        // Another field of the item may not give the opposite verdict.
        let is_opposite = |value: Cursor<'_>| {
            let other = verdict::parse_flag_or_text(value).unwrap_or_default();
            other != outcome && ![other, outcome].contains(&Outcome::Ungraded)
        };
        if let Some(other) = item.get_where(&expectation::VERDICT, is_opposite) {
            let message = format!("`{}` contradicts `{}`", other.name(), stated_verdict.name());
            let assumed = format!("read as {}, as the latter says", outcome.word());
            other.problem(Code::LostVerdicts, message, &assumed, "write one verdict");
        }
    }
    match (score, stated) {
        (Some(score), _) if is_scored => return rules::outcome_of_score(item, score, stated),
        (Some(score), None) if !item.has(&expectation::VERDICT) => rules::score_alone(item, score),
        (None, None) => check_other_keys(item),
        _ => {}
    }
    stated.unwrap_or(Outcome::Ungraded)
}

/// A flag or verdict word under an unknown key is a lost verdict.
fn check_other_keys(item: Cursor<'_>) {
    const KNOWN: &[&Field] = &[
        &expectation::TEXT,
        &expectation::VERDICT,
        &expectation::EVIDENCE,
        &expectation::SCORE,
        &expectation::REQUIRED,
        &expectation::ID,
        &expectation::CASE,
    ];
    let is_known = |key: &str| KNOWN.iter().any(|field| field.is(key));
    if item.has(&expectation::VERDICT) {
        return;
    }
    let mut others = item.entries().filter(|(key, _)| !is_known(key));
    if let Some((key, value)) = others.find(|(_, found)| lost::is_verdict_like(*found)) {
        let message = format!("`{key}` may be the verdict, but is not a known name of one");
        value.problem(Code::LostVerdicts, message, "read as ungraded", "call it `passed`");
    }
}
