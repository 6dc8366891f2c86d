//! One graded expectation: its statement, its verdict and what else was written to it.

use crate::json::Node;
use crate::model::{Code, Expectation, Outcome};
use crate::read::alias::{Field, expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::lost;
use crate::read::grading::shape::{Verdicts, is_nested, is_sentence};
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

/// The graded expectations of every form but a list of items, each with a problem.
pub(super) fn read_other(verdicts: &Verdicts<'_>) -> Vec<Expectation> {
    match verdicts {
        Verdicts::Items(items) => read_all(items, false),
        Verdicts::Statements(root) => {
            let entries = root.entries().filter(|(key, _)| is_sentence(key));
            entries.filter_map(|(key, item)| read_item(&item, Some(key), false)).collect()
        }
        Verdicts::Single(item) => {
            odd(item, "one expectation stands in no list");
            read_item(item, None, false).into_iter().collect()
        }
        Verdicts::Told(list) => list.items().filter_map(|item| told(&item)).collect(),
        Verdicts::Bare(list) => {
            odd(list, "the verdicts have no statements");
            list.items()
                .map(|item| Expectation { outcome: verdict::read(&item), ..unnamed(&item) })
                .collect()
        }
        Verdicts::Parallel(statements, verdicts) => {
            odd(verdicts, "statements and verdicts stand in two lists");
            let pairs = statements.items().zip(verdicts.items());
            pairs
                .filter_map(|(item, stated)| told_elsewhere(&item, verdict::read(&stated)))
                .collect()
        }
        Verdicts::Sorted(passed, failed) => {
            odd(passed, "the statements stand in two lists by their verdict");
            let of = |list: &Cursor<'_>, outcome| -> Vec<_> {
                list.items().filter_map(|item| told_elsewhere(&item, outcome)).collect()
            };
            [of(passed, Outcome::Passed), of(failed, Outcome::Failed)].concat()
        }
        Verdicts::Crossed(_) => Vec::new(),
    }
}

/// A verdict that only its place in the list stands for.
fn unnamed(item: &Cursor<'_>) -> Expectation {
    ungraded(&item.name()).unwrap_or_default()
}

fn odd(cursor: &Cursor<'_>, message: &str) {
    let help = "write a list of objects with `text`, `passed` and `evidence`";
    cursor.problem(Code::WrongType, message.to_owned(), "read as such a list", help);
}

/// A text that begins with its verdict.
fn told(item: &Cursor<'_>) -> Option<Expectation> {
    let text = item.node().as_text()?;
    let statement = verdict::split(text).map_or(text, |(_, rest)| rest);
    let outcome = verdict::read(item);
    Some(Expectation { outcome, ..ungraded(statement)? })
}

/// An expectation whose verdict stands elsewhere.
fn told_elsewhere(item: &Cursor<'_>, outcome: Outcome) -> Option<Expectation> {
    if let Some(text) = item.node().as_text() {
        return Some(Expectation { outcome, ..ungraded(text)? });
    }
    let read = read_item(item, None, false)?;
    if read.outcome == Outcome::Ungraded || read.outcome == outcome {
        return Some(Expectation { outcome, ..read });
    }
    let message = format!("the expectation says {}", read.outcome.word());
    let assumed = format!("read as ungraded, because the list says {}", outcome.word());
    item.problem(Code::VerdictsContradict, message, &assumed, "write one verdict");
    Some(Expectation { outcome: Outcome::Ungraded, ..read })
}

/// The verdicts on one configuration, where each item has them for several.
pub(super) fn read_column(items: &Cursor<'_>, configuration: &str) -> Vec<Expectation> {
    let mut found = Vec::new();
    for item in items.items() {
        let Some(cell) = item.key(configuration) else { continue };
        let text = statement(&item, None);
        let own = if cell.is_object() {
            read_item(&cell, Some(&text), false)
        } else {
            ungraded(&text).map(|read| Expectation { outcome: verdict::read(&cell), ..read })
        };
        let id = item.label(&expectation::ID);
        found.extend(own.map(|read| Expectation {
            id: read.id.or(id),
            text: text.clone(),
            ..read
        }));
    }
    found
}

/// One graded expectation; `name` is its key, where the expectations are an object.
fn read_item(item: &Cursor<'_>, name: Option<&str>, is_scored: bool) -> Option<Expectation> {
    let is_remark = || name.is_some_and(is_remark) && !is_word(item);
    match (item.node(), name) {
        (Node::Object(_), _) => {}
        (_, Some(name)) if !is_remark() => {
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
    let (score_outside, kept) = match score {
        Some(score) if is_scored && !rules::is_on_rubric(score) => (Some(score), None),
        score => (None, score),
    };
    let description = item.key("description").and_then(|found| found.as_words());
    Some(Expectation {
        id: item.label(&expectation::ID),
        description: description.filter(|description| *description != text),
        outcome: outcome(item, score, is_scored),
        evidence: evidence(item),
        score: kept,
        score_outside,
        required: item.flag(&expectation::REQUIRED),
        text,
    })
}

/// Whether the key of an entry among verdicts by statement is that of a remark on all of them.
fn is_remark(key: &str) -> bool {
    const REMARKS: &[&Field] = &[&expectation::EVIDENCE, &grading::NOTES, &grading::SUMMARY];
    REMARKS.iter().any(|field| field.is(key))
}

fn is_word(item: &Cursor<'_>) -> bool {
    match item.node() {
        Node::Text(text) => verdict::of_word(text).is_some(),
        Node::Bool(_) | Node::Null => true,
        _ => false,
    }
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
        text: text.to_owned(),
        outcome: Outcome::Ungraded,
        ..Expectation::default()
    })
}

/// Why the verdict is what it is: in a field of its own, beside a verdict within, or in its text.
fn evidence(item: &Cursor<'_>) -> Option<String> {
    let within = || {
        let found = item.get_where(&expectation::VERDICT, is_nested)?;
        found.words(&expectation::EVIDENCE)
    };
    item.words(&expectation::EVIDENCE).or_else(within).or_else(|| evidence_in_verdict(item))
}

/// What follows the verdict in its own text: `PASS: the table has 3 rows`.
fn evidence_in_verdict(item: &Cursor<'_>) -> Option<String> {
    let found = item.get_where(&expectation::VERDICT, verdict::is_verdict)?;
    let (_, rest) = verdict::split(found.node().as_text()?)?;
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The verdict of an item; on the rubric of 1 to 5 the score decides, as the dialect says.
pub(super) fn outcome(item: &Cursor<'_>, score: Option<f64>, is_scored: bool) -> Outcome {
    let stated = stated(item);
    match (score, stated) {
        (Some(score), _) if is_scored => rules::outcome_of_score(item, score, stated),
        (Some(score), None) if !item.has(&expectation::VERDICT) => {
            rules::score_alone(item, score);
            Outcome::Ungraded
        }
        (None, None) => {
            check_other_keys(item);
            Outcome::Ungraded
        }
        _ => stated.unwrap_or(Outcome::Ungraded),
    }
}

/// The verdict under the keys for one, alone or within an object of its own.
fn stated(item: &Cursor<'_>) -> Option<Outcome> {
    let is_stated = |found: &Cursor<'_>| !found.is_null() && verdict::is_verdict(found);
    if let Some(found) = item.get_where(&expectation::VERDICT, is_stated) {
        let outcome = verdict::read(&found);
        check_contradiction(item, &found, outcome);
        return Some(outcome);
    }
    if let Some(found) = item.get_where(&expectation::VERDICT, is_nested) {
        let message = format!("`{}` should be true or false, not an object", found.name());
        let help = "write the verdict and its `evidence` beside the statement";
        found.problem(Code::WrongType, message, "read from within it", help);
        return stated(&found);
    }
    item.get(&expectation::VERDICT).map(|found| verdict::read(&found))
}

/// A flag or a word for a verdict under a key that nobody knows is a verdict that got lost.
fn check_other_keys(item: &Cursor<'_>) {
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
    if let Some((key, found)) = others.find(|(_, found)| lost::is_verdict_like(found)) {
        let message = format!("`{key}` may be the verdict, but is no key of one");
        found.problem(Code::UnknownVerdict, message, "read as ungraded", "call it `passed`");
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
