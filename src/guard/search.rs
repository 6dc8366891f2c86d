//! One rule on one text: where its expression matches, and which part of a match is the value.

use std::ops::Range;
use std::sync::Arc;

use regex::bytes::Captures;

use crate::guard::judge::{Judge, Match, may_hold_strong};
use crate::guard::rules::Rule;
use crate::guard::scan::{before, leading, piece, trailing};
use crate::guard::secret::Secret;
use crate::guard::token_start::begins;

/// How many bytes before a keyword are searched.
pub(super) const BEFORE: usize = 100;

/// The longest value, in bytes: tokens of a session have more than a thousand.
pub(super) const LONGEST_VALUE: usize = 4096;

/// Which rules are tried on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// All of them.
    Text,
    /// All, but names of secrets are words among others: evidence, a check, a prompt.
    Prose,
    /// Those that know a secret by its own shape, wherever it begins.
    Bytes,
}

/// One rule on one text.
pub(super) struct Search<'t> {
    pub(super) text: &'t [u8],
    pub(super) rule: &'t Rule,
    pub(super) depth: Depth,
}

impl Search<'_> {
    pub(super) fn secret(&self, range: Range<usize>, number: usize) -> Secret {
        Secret { range, label: Arc::clone(&self.rule.label), rank: number }
    }

    /// The secret that the keyword begins or names.
    pub(super) fn at_keyword(&self, keyword: Range<usize>) -> Option<Range<usize>> {
        let start = keyword.start;
        let head = &self.text[start.saturating_sub(BEFORE)..start];
        if !self.rule.fits_before(head) {
            return None;
        }
        let reach = piece(self.text, start, keyword.len() + self.rule.reach);
        // Words such as `password` are often repeated, and seldom with such a value nearby.
        if self.rule.judge == Judge::Nearby && !may_hold_strong(reach) {
            return None;
        }
        let found = self.rule.regex()?.captures(reach)?;
        self.judge(&found, start, keyword)
    }

    /// All secrets in a part of the text.
    pub(super) fn within(&self, window: Range<usize>) -> Vec<Range<usize>> {
        let mut secrets = Vec::new();
        let Some(regex) = self.rule.regex() else { return secrets };
        let text = &self.text[..window.end];
        let mut at = window.start;
        while at < text.len() {
            let Some(found) = regex.captures_at(text, at) else { break };
            let Some(whole) = found.get(0) else { break };
            at = whole.start() + 1;
            // A token that continues a word is a part of it, but in bytes a letter may be a length.
            if self.depth != Depth::Bytes
                && text[whole.start()].is_ascii_alphanumeric()
                && !begins(text, whole.start())
            {
                continue;
            }
            let keyword = whole.start()..whole.start() + self.rule.prefix_length(whole.as_bytes());
            if let Some(range) = self.judge(&found, 0, keyword) {
                at = at.max(range.end);
                secrets.push(range);
            }
        }
        secrets
    }

    /// The secret in a match, whose places count from `offset`.
    fn judge(
        &self,
        found: &Captures<'_>,
        offset: usize,
        keyword: Range<usize>,
    ) -> Option<Range<usize>> {
        let whole = found.get(0)?;
        let value = match found.iter().skip(1).flatten().next() {
            None => offset + whole.start()..offset + whole.end(),
            Some(group) if group.is_empty() => {
                let start = offset + group.start();
                start..value_end(self.text, start)?
            }
            Some(group) => offset + group.start()..offset + group.end(),
        };
        let is_prose = self.depth == Depth::Prose;
        let place = Match { text: self.text, keyword, value, is_prose };
        let secret = place.secret(self.rule.judge)?;
        let is_allowed = self.rule.allows(&self.text[secret.clone()], whole.as_bytes());
        if is_allowed { None } else { Some(secret) }
    }
}

/// The end of a value that begins at `at`: at its closing quote, or at the end of a word.
fn value_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = piece(text, at, LONGEST_VALUE);
    let Some(quote @ (b'"' | b'\'' | b'`')) = before(text, at) else {
        let length = leading(rest, |byte| {
            !byte.is_ascii_whitespace()
                // Of punctuation beyond ASCII none is in a password.
                && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' | 0xe2..=0xef)
        });
        let is_element = before(text, at) == Some(b'>');
        return if is_element && rest.get(length) != Some(&b'<') {
            None
        } else {
            Some(at + length)
        };
    };
    // The closing quote follows as many backslashes as the opening one.
    let escapes = backslashes_before(text, at - 1);
    let line = leading(rest, |byte| byte != b'\n');
    for end in at..at + line {
        if text[end] == quote && backslashes_before(text, end) == escapes {
            return Some(end - escapes);
        }
    }
    None
}

fn backslashes_before(text: &[u8], at: usize) -> usize {
    trailing(&text[..at], |byte| byte == b'\\')
}
