//! Reads one verdict in every spelling: flags, words, marks.

mod pattern;
mod words;

use crate::json::Node;
use crate::model::{Code, Outcome};
use crate::read::cursor::Cursor;

pub use pattern::pattern;
pub(super) use words::{is_told, of_word, split};

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

/// Whether [`read`] understands the value.
pub(super) fn is_understood(cursor: &Cursor<'_>) -> bool {
    let is_known = |text: &str| of_word(text).is_some() || split(text).is_some();
    cursor.node().as_text().is_none_or(is_known)
}

/// A number that can only mean true or false.
fn as_flag(node: &Node<'_>) -> Option<bool> {
    match node.as_f64() {
        Some(1.0) => Some(true),
        Some(0.0) => Some(false),
        _ => None,
    }
}

/// A number that can only mean true or false, as a text.
fn flag_in(text: &str) -> Option<bool> {
    match text.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

fn of_flag_number(cursor: &Cursor<'_>, flag: bool) -> Outcome {
    let outcome = if flag { Outcome::Passed } else { Outcome::Failed };
    odd(cursor, if flag { "1" } else { "0" }, outcome, if flag { "true" } else { "false" });
    outcome
}

/// Keys that should hold a flag; the others hold words by their nature.
const FLAG_KEYS: &[&str] = &[
    "passed",
    "pass",
    "met",
    "success",
    "satisfied",
    "is_met",
    "is_passed",
    "passes",
    "ok",
    "correct",
    "is_correct",
    "achieved",
    "fulfilled",
];

fn of_text(cursor: &Cursor<'_>, text: &str) -> Outcome {
    let is_flag = FLAG_KEYS.contains(&cursor.name().as_str());
    if let (true, Some(flag)) = (is_flag, flag_in(text)) {
        return of_flag_number(cursor, flag);
    }
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
    if is_flag {
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
