//! Reads one verdict: a flag, 0 or 1, or a word or mark of `input::model::verdict_words`.

use crate::read::cursor::Cursor;
pub(super) use input::model::verdict_words::{
    begins_with_verdict, parse_text, parse_word, says_not_judged,
};
use input::model::{Code, Outcome};
use json::Node;
use text::{folded_name, is_listed};

/// Keys that should hold a flag; the others naturally hold words.
const FLAG_KEYS: &[&str] = &["passed", "pass", "met", "success", "is_met", "is_passed", "ok"];

/// The longest text, in characters, that counts as a verdict whatever it says.
const LONGEST_VERDICT: usize = 40;

/// Whether the value can be a verdict: a flag, null, 0 or 1, a short text, or one that begins with
/// a verdict.
pub(super) fn is_verdict(cursor: Cursor<'_>) -> bool {
    match cursor.node() {
        Node::Bool(_) | Node::Null => true,
        Node::Text(text) => text.chars().count() <= LONGEST_VERDICT || begins_with_verdict(text),
        node => matches!(node.as_f64(), Some(0.0 | 1.0)),
    }
}

/// The outcome at `cursor`. Anything but a verdict is a problem and counts as ungraded.
pub(super) fn read(cursor: Cursor<'_>) -> Outcome {
    let is_flag = FLAG_KEYS.contains(&cursor.name().as_str());
    let outcome = match cursor.node() {
        Node::Bool(flag) => return Outcome::from(*flag),
        Node::Null => return Outcome::Ungraded,
        Node::Text(text) => match text.trim() {
            "1" if is_flag => Some(Outcome::Passed),
            "0" if is_flag => Some(Outcome::Failed),
            _ => parse_text(text),
        },
        node => match node.as_f64() {
            Some(1.0) => Some(Outcome::Passed),
            Some(0.0) => Some(Outcome::Failed),
            _ => None,
        },
    };
    let Some(outcome) = outcome else {
        let written = match cursor.node() {
            Node::Text(text) => format!("`{}`", head(text)),
            node => node.kind().to_owned(),
        };
        let message = format!("`{}` is {written}, which is not a verdict", cursor.name());
        let help = "write true or false, or null where there is no verdict";
        cursor.problem(Code::LostVerdicts, message, "read as ungraded", help);
        return Outcome::Ungraded;
    };
    if cursor.node().as_text().is_none() || is_flag {
        let message = format!("`{}` should be true or false", cursor.name());
        let assumed = format!("read as {}", outcome.word());
        cursor.problem(Code::WrongType, message, &assumed, "write true, false or null");
    }
    outcome
}

/// The beginning of a text, as quoted in a message.
fn head(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VERDICT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The outcome of a flag, or of a text by [`parse_text`].
pub(super) fn parse_flag_or_text(cursor: Cursor<'_>) -> Option<Outcome> {
    match cursor.node() {
        Node::Bool(flag) => Some(Outcome::from(*flag)),
        node => parse_text(node.as_text()?),
    }
}

/// Whether [`read`] understands the value.
pub(super) fn is_understood(cursor: Cursor<'_>) -> bool {
    cursor.node().as_text().is_none_or(|text| parse_text(text).is_some())
}

/// Whether a kind of check says what the output should not do.
pub(in crate::read) fn is_kind_to_avoid(kind: &str) -> bool {
    const KINDS: &str = "avoid must_not mustnot should_not shouldnt do_not dont never forbidden prohibited \
        negative unwanted anti_pattern";
    is_listed(KINDS, &folded_name(kind))
}
