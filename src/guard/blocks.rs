//! Private keys: blocks of base64 between two lines that say what they are.
//!
//! Blocks are rarely met as they were made. A listing puts a number before each line, a difference
//! a sign, a page its tags, a terminal its colors and frames. So where the last line of a block
//! follows, everything between is replaced, whatever bytes stand there.

use std::ops::Range;

use memchr::memmem;

use crate::guard::rule::LONGEST;
use crate::guard::values::{has_at, is_mixed, is_of_base64, is_placeholder, leading, piece};

/// Letters of base64 of which a block has at least so many.
const LEAST: usize = 40;

/// Bytes between two lines of a key that are none of it.
const GAP: usize = 400;

/// A PEM, PGP or SSH2 block with a private key, from its first line to its last; up to the last line
/// that could be of it where the end is missing.
pub(super) fn private_key(text: &[u8], begin: Range<usize>) -> Option<Range<usize>> {
    let (foot, close) = match text[begin.start + 4] {
        b'-' => ("-----END ", "-----"),
        _ => ("---- END ", "----"),
    };
    let title = piece(text, begin.end, 64);
    let title = &title[..memmem::find(title, close.as_bytes())?];
    let is_key = ["PRIVATE KEY", "Static key"];
    if !is_key.iter().any(|name| memmem::find(title, name.as_bytes()).is_some()) {
        return None;
    }
    let head = begin.end + title.len() + close.len();
    let (body, is_ended) = body(text, head, &text[begin.clone()], foot);
    let (plain, key) = (plain_run(body), key_run(body));
    if !is_ended || (plain != Some(body.len()) && key.is_none()) {
        return Some(begin.start..head + plain.max(key)?);
    }
    let end = head + body.len() + foot.len();
    let rest = memmem::find(piece(text, end, 64), close.as_bytes());
    Some(begin.start..end + rest.map_or(0, |length| length + close.len()))
}

/// A key of PuTTY: what stands between the number of its lines and its signature.
pub(super) fn putty_key(text: &[u8], begin: Range<usize>) -> Option<Range<usize>> {
    let (body, is_ended) = body(text, begin.end, &text[begin.clone()], "Private-MAC: ");
    let key = key_run(body)?;
    Some(begin.start..begin.end + if is_ended { body.len() } else { key })
}

/// What a block holds at most from `at` on, and whether its `foot` follows.
fn body<'t>(text: &'t [u8], at: usize, begin: &[u8], foot: &str) -> (&'t [u8], bool) {
    let rest = piece(text, at, LONGEST - 256);
    for at in memchr::memchr_iter(foot.as_bytes()[0], rest) {
        let is_foot = has_at(rest, at, foot);
        if is_foot || rest[at..].starts_with(begin) {
            return (&rest[..at], is_foot);
        }
    }
    (rest, false)
}

/// How far nothing stands that cannot be of a key, where that is one.
fn plain_run(body: &[u8]) -> Option<usize> {
    let is_of_key = |at: &usize| match body[*at] {
        b'-' => !has_at(body, *at, "-----"),
        byte => {
            is_of_base64(byte) || byte.is_ascii_whitespace() || b"\\\"',:>|#*.()".contains(&byte)
        }
    };
    let length = (0..body.len()).take_while(is_of_key).count();
    let letters = body[..length].iter().filter(|byte| is_of_base64(**byte)).count();
    (letters >= LEAST && !is_placeholder(&body[..length.min(200)])).then_some(length)
}

/// How far lines of a key follow each other, whatever stands between them.
fn key_run(body: &[u8]) -> Option<usize> {
    let (mut at, mut end, mut letters) = (0, 0, 0);
    while at < body.len() && at - end <= GAP {
        let run = leading(&body[at..], is_of_base64);
        if is_mixed(&body[at..at + run]) {
            (end, letters) = (at + run, letters + run);
        }
        at += run.max(1);
    }
    (letters >= LEAST).then_some(end)
}
