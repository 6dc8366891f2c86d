//! Reads one verdict in every spelling: flags, words, marks, scores.

use crate::json::Node;
use crate::model::{Code, Outcome};
use crate::read::cursor::Cursor;

/// Words for a pass, in lower case.
const PASSED: &[&str] = &[
    "pass",
    "passed",
    "true",
    "yes",
    "y",
    "met",
    "ok",
    "success",
    "succeeded",
    "satisfied",
    "correct",
    "passing",
    "successful",
    "fulfilled",
    "fully met",
    "通過",
    "通过",
    "合格",
    "成功",
    "符合",
    "達成",
    "达成",
];

/// Words for a failure.
const FAILED: &[&str] = &[
    "fail",
    "failed",
    "false",
    "no",
    "n",
    "unmet",
    "not met",
    "not_met",
    "failure",
    "unsatisfied",
    "incorrect",
    "failing",
    "not satisfied",
    "未通過",
    "未通过",
    "不合格",
    "不通過",
    "不通过",
    "失敗",
    "失败",
    "不符合",
    "未達成",
    "未达成",
];

/// Marks for a pass, alone or beside a word.
const PASS_MARKS: &[char] = &['✓', '✔', '✅', '☑', '🟢'];

/// Marks for a failure, alone or beside a word.
const FAIL_MARKS: &[char] = &['✗', '✘', '❌', '✖', '🔴'];

/// Words for the lack of a verdict.
const UNGRADED: &[&str] = &[
    "",
    "n/a",
    "na",
    "none",
    "null",
    "skip",
    "skipped",
    "ungraded",
    "pending",
    "unknown",
    "unclear",
    "inconclusive",
    "not graded",
    "not_graded",
    "not applicable",
    "not_applicable",
    "cannot_determine",
    "-",
    "?",
];

/// The outcome a word stands for, alone, emphasized or with a mark that agrees; `None` for a word
/// that stands for none.
pub(super) fn of_word(word: &str) -> Option<Outcome> {
    let word = word.trim().to_lowercase();
    if UNGRADED.contains(&word.as_str()) {
        return Some(Outcome::Ungraded);
    }
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let named = match () {
        () if PASSED.contains(&bare) => Some(Outcome::Passed),
        () if FAILED.contains(&bare) => Some(Outcome::Failed),
        () if UNGRADED.contains(&bare) && !bare.is_empty() => Some(Outcome::Ungraded),
        () if bare.is_empty() => None,
        () => return None,
    };
    let marked = of_marks(&word);
    match (named, marked) {
        (Some(named), Some(marked)) if named != marked => None,
        _ => named.or(marked),
    }
}

/// The outcome of the marks in a text; `None` for none and for both kinds.
fn of_marks(text: &str) -> Option<Outcome> {
    match (text.contains(PASS_MARKS), text.contains(FAIL_MARKS)) {
        (true, false) => Some(Outcome::Passed),
        (false, true) => Some(Outcome::Failed),
        _ => None,
    }
}

/// Splits `PASS: the table has 3 rows` into its verdict and the rest. A rest that takes something
/// back makes it no verdict.
pub(super) fn split(text: &str) -> Option<(Outcome, &str)> {
    const JOINTS: &[&str] = &[":", " - ", " – ", " — ", "—", " (", ", ", "; ", ". ", "\n"];
    const DOUBTS: &[&str] = &["partial", "except", "but ", "however", "caveat", "mostly", "almost"];
    let (at, joint) = JOINTS
        .iter()
        .filter_map(|joint| Some((text.find(joint)?, joint.len())))
        .min_by_key(|(at, _)| *at)?;
    let outcome = of_word(&text[..at]).filter(|outcome| *outcome != Outcome::Ungraded)?;
    let rest = text[at + joint..].trim().trim_end_matches(')');
    let lower = rest.to_lowercase();
    let is_doubtful = DOUBTS.iter().any(|doubt| lower.contains(doubt));
    (!is_doubtful && !text[..at].trim().is_empty()).then_some((outcome, rest))
}

/// Whether the value can be a verdict: a flag, null, a short text or one that begins with a
/// verdict, or 0 or 1.
pub(super) fn is_verdict(cursor: &Cursor<'_>) -> bool {
    match cursor.node() {
        Node::Bool(_) | Node::Null => true,
        Node::Text(text) => text.chars().count() <= 40 || split(text).is_some(),
        Node::Integer(_) | Node::Float(_) => as_flag(cursor.node()).is_some(),
        _ => false,
    }
}

/// The outcome at `cursor`. An unknown word is a problem and counts as ungraded.
pub(super) fn read(cursor: &Cursor<'_>) -> Outcome {
    match cursor.node() {
        Node::Bool(true) => Outcome::Passed,
        Node::Bool(false) => Outcome::Failed,
        Node::Null => Outcome::Ungraded,
        Node::Text(text) => of_text(cursor, text),
        node => match as_flag(node) {
            Some(flag) => of_flag_number(cursor, flag),
            None => {
                unknown(cursor, cursor.node().kind());
                Outcome::Ungraded
            }
        },
    }
}

/// A number that can only mean true or false.
fn as_flag(node: &Node<'_>) -> Option<bool> {
    match node.as_f64() {
        Some(1.0) => Some(true),
        Some(0.0) => Some(false),
        _ => None,
    }
}

fn of_flag_number(cursor: &Cursor<'_>, flag: bool) -> Outcome {
    let outcome = if flag { Outcome::Passed } else { Outcome::Failed };
    odd(cursor, if flag { "1" } else { "0" }, outcome, if flag { "true" } else { "false" });
    outcome
}

/// Keys that should hold a flag; the others hold words by their nature.
const FLAG_KEYS: &[&str] = &["passed", "pass", "met", "success", "satisfied", "is_met"];

fn of_text(cursor: &Cursor<'_>, text: &str) -> Outcome {
    if let (Some((outcome, _)), None) = (split(text), of_word(text)) {
        let message = format!("`{}` says more than a verdict", cursor.name());
        let assumed = format!("read as {}", outcome.word());
        let help = "write true or false, and the rest as `evidence`";
        cursor.problem(Code::WrongType, message, &assumed, help);
        return outcome;
    }
    let Some(outcome) = of_word(text) else {
        unknown(cursor, &format!("`{}`", shorten(text)));
        return Outcome::Ungraded;
    };
    let instead = match outcome {
        Outcome::Passed => "true",
        Outcome::Failed => "false",
        Outcome::Ungraded => "null",
    };
    if FLAG_KEYS.contains(&cursor.name().as_str()) {
        odd(cursor, &format!("\"{}\"", shorten(text)), outcome, instead);
    }
    outcome
}

fn odd(cursor: &Cursor<'_>, written: &str, outcome: Outcome, instead: &str) {
    let message = format!("`{}` should be true or false", cursor.name());
    let assumed = format!("read as {}", outcome.word());
    let help = format!("write {instead} instead of {written}");
    cursor.problem(Code::WrongType, message, &assumed, &help);
}

fn unknown(cursor: &Cursor<'_>, written: &str) {
    let message = format!("`{}` is {written}, which is no verdict", cursor.name());
    let help = "write true or false, or null where there is no verdict";
    cursor.problem(Code::UnknownVerdict, message, "read as ungraded", help);
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
