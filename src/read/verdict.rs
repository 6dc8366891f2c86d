//! Reads one verdict in every spelling: flags, words, marks, scores.

use crate::model::{Code, Outcome};
use crate::read::cursor::Cursor;
use crate::read::json::Node;

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
    "✓",
    "✔",
    "✅",
    "通過",
    "通过",
    "合格",
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
    "✗",
    "✘",
    "❌",
    "未通過",
    "未通过",
    "不合格",
    "失敗",
    "失败",
];

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

/// The outcome a word stands for; `None` for a word that stands for none.
pub(super) fn of_word(word: &str) -> Option<Outcome> {
    let word = word.trim().to_lowercase();
    let word = word.as_str();
    match () {
        () if PASSED.contains(&word) => Some(Outcome::Passed),
        () if FAILED.contains(&word) => Some(Outcome::Failed),
        () if UNGRADED.contains(&word) => Some(Outcome::Ungraded),
        () => None,
    }
}

/// Whether the value can be a verdict: a flag, null, a known word, or 0 or 1.
pub(super) fn is_verdict(cursor: &Cursor<'_>) -> bool {
    match cursor.node() {
        Node::Bool(_) | Node::Null => true,
        Node::Text(text) => text.len() <= 40,
        Node::Integer(number) => matches!(number, 0 | 1),
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
        Node::Integer(number @ (0 | 1)) => {
            let outcome = if *number == 1 { Outcome::Passed } else { Outcome::Failed };
            let instead = if *number == 1 { "true" } else { "false" };
            odd(cursor, &number.to_string(), outcome, instead);
            outcome
        }
        _ => {
            unknown(cursor, cursor.node().kind());
            Outcome::Ungraded
        }
    }
}

/// Keys that should hold a flag; the others hold words by their nature.
const FLAG_KEYS: &[&str] = &["passed", "pass", "met", "success", "satisfied", "is_met"];

fn of_text(cursor: &Cursor<'_>, text: &str) -> Outcome {
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
