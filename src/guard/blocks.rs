//! Private keys: blocks of base64 between two lines that say what they are.
//!
//! Blocks are rarely met as they were made. A listing puts a number before each line, a difference
//! a sign, a page its tags, a terminal its colors and frames. So where the last line of a block
//! follows, everything between is replaced, whatever bytes stand there.

use std::ops::Range;

use crate::guard::shapes::LONGEST;
use crate::guard::values::{has_at, is_mixed, is_of_base64, is_placeholder};

/// How a kind of block begins and ends.
struct Style {
    begin: &'static str,
    end: &'static str,
    /// What closes both lines.
    close: &'static str,
}

const STYLES: &[Style] = &[
    Style { begin: "-----BEGIN ", end: "-----END ", close: "-----" },
    Style { begin: "---- BEGIN ", end: "---- END ", close: "----" },
];

/// Letters of base64 of which a block has at least so many.
const LEAST: usize = 40;

/// Bytes between two lines of a key that are none of it.
const GAP: usize = 400;

/// A PEM, PGP or SSH2 block with a private key, from its first line to its last; up to the last line
/// that could be of it where the end is missing.
pub(super) fn private_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    let style = STYLES.iter().find(|style| has_at(text, at, style.begin))?;
    let head = head_end(text, at, style)?;
    let rest = &text[head..text.len().min(head + LONGEST - 256)];
    let (length, is_ended) = extent(rest, style.begin, style.end);
    let end = match (is_ended, plain_run(&rest[..length]), key_run(&rest[..length])) {
        (true, plain, key) if plain == Some(length) || key.is_some() => {
            foot_end(text, head + length, style)
        }
        (_, plain, key) => head + plain.max(key)?,
    };
    Some(at..end)
}

/// A key of PuTTY: what stands between the number of its lines and its signature.
pub(super) fn putty_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    const BEGIN: &str = "Private-Lines: ";
    let head = at + BEGIN.len();
    let rest = &text[head..text.len().min(head + LONGEST - 256)];
    let (length, is_ended) = extent(rest, BEGIN, "Private-MAC: ");
    let key = key_run(&rest[..length])?;
    Some(at..head + if is_ended { length } else { key })
}

/// The end of the first line of a block, where it is of a private key.
fn head_end(text: &[u8], start: usize, style: &Style) -> Option<usize> {
    let title_at = start + style.begin.len();
    let rest = &text[title_at..text.len().min(title_at + 64)];
    let length = position(rest, style.close)?;
    let is_key = ["PRIVATE KEY", "Static key"]
        .iter()
        .any(|title| position(&rest[..length], title).is_some());
    is_key.then_some(title_at + length + style.close.len())
}

/// How far a block reaches at most, and whether its last line stands there.
fn extent(rest: &[u8], begin: &str, end: &str) -> (usize, bool) {
    let first = end.as_bytes()[0];
    for (at, _) in rest.iter().enumerate().filter(|(_, byte)| **byte == first) {
        if has_at(rest, at, end) {
            return (at, true);
        }
        if has_at(rest, at, begin) {
            return (at, false);
        }
    }
    (rest.len(), false)
}

/// The end of the last line of a block that begins at `at`.
fn foot_end(text: &[u8], at: usize, style: &Style) -> usize {
    let start = at + style.end.len();
    let rest = &text[start..text.len().min(start + 64)];
    position(rest, style.close).map_or(start, |length| start + length + style.close.len())
}

fn position(text: &[u8], what: &str) -> Option<usize> {
    text.windows(what.len()).position(|part| part == what.as_bytes())
}

/// How far nothing stands that cannot be of a key, where that is one.
fn plain_run(body: &[u8]) -> Option<usize> {
    let is_of_key = |byte: &u8| {
        is_of_base64(*byte)
            || byte.is_ascii_whitespace()
            || matches!(
                byte,
                b'\\' | b'"' | b'\'' | b',' | b':' | b'>' | b'|' | b'#' | b'*' | b'.' | b'(' | b')'
            )
    };
    let is_next = |at: usize| match body[at] {
        b'-' => !has_at(body, at, "-----"),
        byte => is_of_key(&byte),
    };
    let length = (0..body.len()).take_while(|at| is_next(*at)).count();
    let letters = body[..length].iter().filter(|byte| is_of_base64(**byte)).count();
    (letters >= LEAST && !is_placeholder(&body[..length.min(200)])).then_some(length)
}

/// How far lines of a key follow each other, whatever stands between them.
fn key_run(body: &[u8]) -> Option<usize> {
    let (mut at, mut end, mut letters) = (0, 0, 0);
    while at < body.len() && at - end <= GAP {
        let run = body[at..].iter().take_while(|byte| is_of_base64(**byte)).count();
        if is_mixed(&body[at..at + run]) {
            (end, letters) = (at + run, letters + run);
        }
        at += run.max(1);
    }
    (letters >= LEAST).then_some(end)
}
