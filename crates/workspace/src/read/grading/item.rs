//! One graded expectation: its statement, its verdict and its other fields.

use crate::read::alias::{Field, expectation, grading, is_any};
use crate::read::cursor::{Cursor, report_mistyped};
use crate::read::grading::scale::{self, Scale};
use crate::read::grading::{reason, score, uncounted};
use crate::read::verdict;
use input::model::{Code, Expectation, Outcome};
use json::Node;
use text::{folded_name, is_listed};

/// Every graded expectation of a list, or of an object by statement, in the order written.
pub(in crate::read) fn read_all(items: Cursor<'_>, scale: Scale<'_>) -> Vec<Expectation> {
    // A verdict under an unknown key is a lost one, see `check_other_keys`.
    report_mistyped(items, &[&expectation::TEXT, &expectation::EVIDENCE], "an expectation");
    scale::report_unexplained(items, scale);
    let mut found = Vec::with_capacity(items.items().count().max(items.entries().count()));
    found.extend(items.items().filter_map(|item| read_item(item, None, scale)));
    found.extend(items.entries().filter_map(|(name, item)| read_item(item, Some(name), scale)));
    found
}

/// One graded expectation; `name` is its key if the expectations are an object.
fn read_item(item: Cursor<'_>, name: Option<&str>, scale: Scale<'_>) -> Option<Expectation> {
    if item.is_object() {
        return Some(read_object(item, name, scale));
    }
    // A verdict by its statement, or a statement without a verdict.
    let (text, outcome) = match (item.node(), name) {
        (_, Some(name)) if !is_remark(item, name) => (name, verdict::read(item)),
        (Node::Text(text), None) => (&**text, Outcome::Ungraded),
        (node, _) => {
            let message =
                format!("`{}` should be an expectation, not {}", item.name(), node.kind());
            let help = "write an object with `text`, `passed` and `evidence`";
            item.problem(Code::WrongType, message, "left out", help);
            return None;
        }
    };
    if text.trim().is_empty() {
        return None;
    }
    Some(Expectation { text: text.to_owned(), outcome, ..Expectation::default() })
}

/// Whether a key among verdicts by statement belongs to a remark on all of them.
fn is_remark(item: Cursor<'_>, name: &str) -> bool {
    const REMARKS: &[&Field] = &[&expectation::EVIDENCE, &grading::NOTES, &grading::SUMMARY];
    let is_verdict = match item.node() {
        Node::Text(text) => verdict::parse_text(text).is_some(),
        node => matches!(node, Node::Bool(_) | Node::Null),
    };
    !is_verdict && is_any(REMARKS, name)
}

fn read_object(item: Cursor<'_>, name: Option<&str>, scale: Scale<'_>) -> Expectation {
    let stated = item.text(&expectation::TEXT).or_else(|| name.map(str::to_owned));
    let text = match stated.or_else(|| item.text(&expectation::ID)) {
        Some(text) => text,
        None => {
            let message = "the expectation does not say what was checked";
            let assumed = "shown by its place in the list";
            item.problem(Code::WrongType, message, assumed, "add `text`");
            item.name()
        }
    };
    let description = item.key("description").and_then(|value| value.as_text());
    let mut found = Expectation {
        id: item.label(&expectation::ID),
        description: description.filter(|description| *description != text),
        evidence: item.text(&expectation::EVIDENCE),
        score: if scale.is_rubric { score::read(item) } else { scale::score(item) },
        required: item.flag(&expectation::REQUIRED),
        is_grader_failure: item.flag(&expectation::GRADER_FAILED) == Some(true),
        says_met: verdict_of_statement(item).is_some(),
        text,
        ..Expectation::default()
    };
    found.outcome = outcome(item, found.score, scale);
    // What is to be avoided, and does not occur, is no pass in everyone's words.
    if !is_to_avoid(item) {
        reason::check(item, found.outcome);
    }
    if scale.is_rubric && found.score.is_some_and(|score| !score::is_on_rubric(score)) {
        found.score_outside = found.score.take();
    }
    found
}

/// The verdict of an item; on the rubric of 1 to 5 the score decides, by the rules of the dialect.
pub(super) fn outcome(item: Cursor<'_>, score: Option<f64>, scale: Scale<'_>) -> Outcome {
    // Runners write `"passed": false` beside it; counted, it would be an invented regression.
    if is_not_judged(item) {
        return Outcome::Ungraded;
    }
    if is_to_avoid(item)
        && let Some(unclear) = verdict_of_statement(item)
    {
        let message =
            format!("`{}` of a check to avoid leaves open whether that is good", unclear.name());
        let help = "write `passed`: true if the check is as it should be";
        unclear.problem(Code::LostVerdicts, message, "read as ungraded", help);
        return Outcome::Ungraded;
    }
    let explained = scale.outcome(item);
    if scale::is_unexplained(item, scale) {
        return Outcome::Ungraded;
    }
    // The first verdict key that can be read as one.
    let value = item
        .get_where(&expectation::VERDICT, |value| !value.is_null() && verdict::is_verdict(value))
        .or_else(|| item.get(&expectation::VERDICT));
    let value = value.filter(|value| verdict::is_understood(*value) || explained.is_none());
    let stated = value.map(verdict::read).or(explained);
    if let (Some(value), Some(outcome)) = (value, stated) {
        check_other_verdicts(item, value, outcome);
    }
    match (score, stated) {
        (Some(score), _) if scale.is_rubric => return score::outcome_of_score(item, score, stated),
        (None, None) => check_other_keys(item),
        _ => {}
    }
    stated.unwrap_or(Outcome::Ungraded)
}

fn is_to_avoid(item: Cursor<'_>) -> bool {
    let kind = item.label(&expectation::KIND);
    kind.is_some_and(|kind| verdict::is_kind_to_avoid(&kind))
        || item.all(&expectation::TO_AVOID).any(|flag| flag.as_flag() == Some(true))
}

/// The verdict, unless it is a pass or a failure in so many words: `"met": true` of a check to avoid may
/// say that the output did what it should not, or that it did well.
fn verdict_of_statement(item: Cursor<'_>) -> Option<Cursor<'_>> {
    const PLAIN_KEYS: &str = "passed pass passes success ok correct overall_pass";
    let stated = item.get(&expectation::VERDICT)?;
    let is_plain = is_listed(PLAIN_KEYS, &folded_name(&stated.name()))
        || stated.node().as_text().is_some_and(verdict::begins_with_verdict);
    if is_plain { None } else { Some(stated) }
}

/// Whether the item says that nobody judged it: skipped, not applicable, or its grader broke.
fn is_not_judged(item: Cursor<'_>) -> bool {
    if item.all(&expectation::NOT_JUDGED).any(|flag| flag.as_flag() == Some(true)) {
        return true;
    }
    let mut verdicts = item.all(&expectation::VERDICT).filter_map(|value| value.node().as_text());
    if verdicts.any(verdict::says_not_judged) {
        return true;
    }
    let error = item.all(&expectation::ERROR).find_map(|error| error.as_text());
    error.is_some_and(|error| is_of_grader(&error))
}

/// Whether an error is the grader's. What a test program writes as its error is why it failed.
fn is_of_grader(error: &str) -> bool {
    const WORDS: &str = "grader judge evaluator timeout timed api rate quota overloaded network \
        connection unavailable crashed exception traceback parse unparsable";
    let folded = folded_name(error);
    !folded.contains("assert") && folded.split('_').any(|word| is_listed(WORDS, word))
}

/// Another field of the item may not give the opposite verdict.
fn check_other_verdicts(item: Cursor<'_>, value: Cursor<'_>, outcome: Outcome) {
    if outcome == Outcome::Ungraded {
        return;
    }
    let other = item.get_where(&expectation::VERDICT, |other| {
        let stated = verdict::parse_flag_or_text(other);
        stated.is_some_and(|stated| stated != outcome && stated != Outcome::Ungraded)
    });
    if let Some(other) = other {
        let message = format!("`{}` contradicts `{}`", other.name(), value.name());
        let assumed = format!("read as {}, as the latter says", outcome.word());
        other.problem(Code::LostVerdicts, message, &assumed, "write one verdict");
    }
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
        &expectation::NOT_JUDGED,
        &expectation::ERROR,
        &expectation::CASE,
    ];
    if item.has(&expectation::VERDICT) {
        return;
    }
    let mut others = item.entries().filter(|(key, _)| !is_any(KNOWN, key));
    if let Some((key, value)) = others.find(|(_, found)| uncounted::is_verdict_like(*found)) {
        let message = format!("`{key}` may be the verdict, but is not a known name of one");
        value.problem(Code::LostVerdicts, message, "read as ungraded", "call it `passed`");
    }
}
