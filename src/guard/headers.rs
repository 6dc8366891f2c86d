//! Credentials in the header `Authorization`, and after `Bearer` wherever it stands.

use std::ops::Range;

use crate::guard::chars::{Chars, before, begins, is_mixed, is_placeholder, is_random, is_uuid};
use crate::guard::prefixes::is_told;

const NAME: &str = "authorization";

/// Bytes of a header that are looked at.
const MOST: usize = 1024;

/// Whether `text` has `what` at `at`, in whatever case.
fn stands_in_any_case(text: &[u8], at: usize, what: &str) -> bool {
    text.get(at..at + what.len()).is_some_and(|part| part.eq_ignore_ascii_case(what.as_bytes()))
}

/// The token after `Bearer`.
pub(super) fn bearer(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_word = stands_in_any_case(text, at, "bearer") && begins(text, at);
    let start = is_word.then(|| after_space(text, at + 6)).flatten()?;
    let is_of_it =
        |byte: &&u8| Chars::Base64.has(**byte) || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'|');
    let length = text[start..].iter().take(4096).take_while(is_of_it).count();
    let body = &text[start..start + length];
    let least = if is_header(&text[..at]) { 12 } else { 16 };
    let is_one = is_drawn(body);
    (length >= least && is_one && !is_told(text, start)).then_some(start..start + length)
}

/// Whether a word is a credential where one is given.
fn is_drawn(word: &[u8]) -> bool {
    is_random(word) || is_uuid(word) || is_mixed(word)
}

/// Where a word begins after one that ends at `at`.
fn after_space(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let spaces = match rest {
        [b'\\', b't', ..] => 2,
        _ => rest.iter().take(5).take_while(is_space).count(),
    };
    (1..=4).contains(&spaces).then_some(at + spaces)
}

/// The credentials after `Authorization: Basic`.
pub(super) fn basic(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_word = stands_in_any_case(text, at, "basic") && is_header(&text[..at]);
    let start = is_word.then(|| after_space(text, at + 5)).flatten()?;
    let length = Chars::Base64.run(&text[start..], 2000);
    let body = &text[start..start + length];
    let is_mixed = body.iter().any(|byte| byte.is_ascii_digit() || *byte == b'=')
        && body.iter().any(u8::is_ascii_uppercase);
    ((8..=2000).contains(&length) && is_mixed && !is_placeholder(body))
        .then_some(start..start + length)
}

/// Whether a text ends with the name of the header and what may stand between it and its value.
fn is_header(text: &[u8]) -> bool {
    let is_between =
        |byte: &u8| !matches!(byte, b' ' | b'\t' | b':' | b'"' | b'\'' | b'\\' | b'=' | b',');
    let tail = &text[text.len().saturating_sub(32)..];
    let end = tail.iter().rposition(is_between).map_or(0, |at| at + 1);
    end < tail.len()
        && end.checked_sub(NAME.len()).is_some_and(|at| stands_in_any_case(tail, at, NAME))
}

/// What `Authorization` gives in any other scheme, or in none.
pub(super) fn authorization(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at.checked_sub("author".len())?;
    let is_name = stands_in_any_case(text, start, NAME);
    let value = is_name.then(|| value(text, start + NAME.len(), before(text, start))).flatten()?;
    let has_own =
        ["bearer", "basic"].iter().any(|word| stands_in_any_case(text, value.start, word));
    let parts = if has_own { Vec::new() } else { parts(text, value) };
    let is_secret = |part: &&Range<usize>| {
        let body = &text[(*part).clone()];
        is_drawn(body) && !is_told(text, part.start)
    };
    let first = parts.iter().find(is_secret)?;
    let last = parts.iter().rfind(is_secret)?;
    Some(first.start..last.end)
}

/// Where the value stands of a header whose name ends at `at`, with `opening` before it.
fn value(text: &[u8], at: usize, opening: Option<u8>) -> Option<Range<usize>> {
    let rest = &text[at..text.len().min(at + MOST)];
    let is_between = |byte: &&u8| b" \t:\"'\\=,>".contains(byte);
    let between = rest.iter().take(12).take_while(is_between).count();
    let (between, value) = rest.split_at(between);
    let is_given = between.iter().any(|byte| matches!(byte, b':' | b'=' | b','));
    // A name in quotes has a value in others; else one pair may be around both.
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let quote = between.iter().copied().rfind(is_quote).or(opening.filter(is_quote));
    let ends = |(at, byte): (usize, &u8)| match byte {
        b'\n' | b'\r' | b'<' | b'`' => true,
        b'\\' => matches!(value.get(at + 1), Some(b'n' | b'r')),
        b'a' | b'A' => stands_in_any_case(value, at, NAME),
        byte => Some(*byte) == quote,
    };
    let length = || value.iter().enumerate().position(ends).unwrap_or(value.len());
    let start = at + between.len();
    is_given.then(|| start..start + length())
}

/// Whether `text` ends with a word and the space after it.
fn follows_word(text: &[u8]) -> bool {
    let word = text.trim_ascii_end();
    word.len() < text.len() && word.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// The parts of a value that may be secret: the word after the scheme, a long one without a scheme,
/// and those that are given to a name.
fn parts(text: &[u8], value: Range<usize>) -> Vec<Range<usize>> {
    let is_of_part = |byte: &u8| Chars::Url.has(*byte) || b".~+/".contains(byte);
    let mut parts = Vec::new();
    let (mut at, mut words) = (value.start, 0);
    while at < value.end {
        let run = text[at..value.end].iter().take_while(|byte| is_of_part(byte)).count();
        let rest = &text[at + run..value.end];
        let filled = rest.iter().take_while(|byte| **byte == b'=').count();
        let is_name =
            filled > 0 && rest.get(filled).is_some_and(|it| is_of_part(it) || b"\"\\".contains(it));
        let is_given = matches!(
            &text[value.start..at],
            [.., b'='] | [.., b'=', b'"'] | [.., b'=', b'\\', b'"']
        );
        let is_word = match words {
            0 => run >= 20,
            1 => follows_word(&text[value.start..at]),
            _ => false,
        };
        if !is_name && run >= 12 && (is_word || is_given) {
            parts.push(at..at + run + filled);
        }
        words += usize::from(run > 0);
        at += (run + filled).max(1);
    }
    parts
}
