//! Secrets told by the name they are given to: `api_key = "…"`.

use std::ops::Range;

use crate::guard::chars::{Chars, begins, is_placeholder, is_random, is_uuid};
use crate::guard::prefixes::is_told;

/// Pairs of bytes inside the names, so rare that looking at each costs little.
pub(super) const ANCHORS: &[&str] =
    &["sw", "SW", "ok", "OK", "cr", "CR", "Cr", "ke", "KE", "Ke", "wd", "WD"];

/// A word that ends a name, how far in it its anchor lies, and what must stand before it.
struct Word {
    text: &'static str,
    anchor: usize,
    after: &'static [&'static str],
}

const WORDS: &[Word] = &[
    Word { text: "password", anchor: 3, after: &[] },
    Word { text: "passwd", anchor: 3, after: &[] },
    Word { text: "pwd", anchor: 1, after: &[] },
    Word { text: "token", anchor: 1, after: &[] },
    Word { text: "secret", anchor: 2, after: &[] },
    Word { text: "credentials", anchor: 0, after: &[] },
    Word { text: "credential", anchor: 0, after: &[] },
    Word {
        text: "key",
        anchor: 0,
        after: &[
            "api",
            "access",
            "secret",
            "private",
            "auth",
            "encryption",
            "signing",
            "account",
            "master",
        ],
    },
];

/// Bytes of a value; more are no secret.
const MOST: usize = 512;

/// The secret key of an AWS account.
pub(super) fn aws_secret(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (name, value) = assignment(text, at)?;
    (is_aws_name(&text[name]) && value.len() == 40).then_some(value)
}

fn is_aws_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let has = |word: &str| name.windows(word.len()).any(|part| part == word.as_bytes());
    has("aws") || has("secretaccess") || has("secret_access")
}

/// Whether it is as long as such a key and has letters of both cases: of those drawn at random one in
/// a hundred has too few digits to look so.
fn is_of_aws(name: &[u8], value: &[u8]) -> bool {
    let number = |is_one: fn(&u8) -> bool| value.iter().filter(|byte| is_one(byte)).count();
    value.len() == 40
        && value.iter().all(|byte| Chars::Base64.has(*byte))
        && number(u8::is_ascii_uppercase) >= 6
        && number(u8::is_ascii_lowercase) >= 6
        && !is_placeholder(value)
        && is_aws_name(name)
}

/// A value that looks drawn at random, given to a name that says it is secret.
pub(super) fn secret(text: &[u8], at: usize) -> Option<Range<usize>> {
    assignment(text, at).map(|(_, value)| value)
}

/// The name whose anchor stands at `at`, and the value it is given.
fn assignment(text: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let word = WORDS.iter().find_map(|word| word.at(text, at))?;
    let start = word.start - name_before(&text[..word.start]);
    let name = start..word.end;
    let start = value_start(text, word.end)?;
    let value = match start.after {
        After::Quote(quote) => quoted(text, start.at, quote, &text[name.clone()]),
        After::Sign(sign) => bare(text, start.at, sign, &text[name.clone()]),
    }?;
    (!is_told(text, start.at)).then_some((name, value))
}

impl Word {
    /// Where the word stands when its anchor is at `at`.
    fn at(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(self.anchor)?;
        let part = text.get(start..start + self.text.len())?;
        let is_here = part.eq_ignore_ascii_case(self.text.as_bytes());
        (is_here && self.is_after(&text[..start])).then(|| start..start + self.text.len())
    }

    fn is_after(&self, text: &[u8]) -> bool {
        let text = text.strip_suffix(b"_").or_else(|| text.strip_suffix(b"-")).unwrap_or(text);
        let ends = |word: &&str| {
            let tail = text.len().checked_sub(word.len()).map(|at| &text[at..]);
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(word.as_bytes()))
        };
        self.after.is_empty() || self.after.iter().any(ends)
    }
}

/// How many bytes of the name stand before its last word.
fn name_before(text: &[u8]) -> usize {
    text.iter().rev().take(40).take_while(|byte| Chars::Url.has(**byte)).count()
}

/// Where a value begins, and what stands before it.
struct Start {
    at: usize,
    after: After,
}

enum After {
    Quote(u8),
    /// `=` or `:`, without a quote.
    Sign(u8),
}

/// Where the value begins that a name ending at `at` is given.
fn value_start(text: &[u8], at: usize) -> Option<Start> {
    let rest = &text[at..text.len().min(at + 32)];
    let skip = |from: usize, set: &[u8]| {
        from + rest[from..].iter().take_while(|byte| set.contains(byte)).count()
    };
    let after_name = skip(0, br#"\"'`]"#);
    let sign = skip(after_name, b" \t");
    let after_sign = skip(sign, b":=>");
    let quote = skip(skip(after_sign, b" \t"), b"\\");
    let found = *rest.get(quote)?;
    let is_quote = matches!(found, b'"' | b'\'' | b'`');
    let start = |length: usize, after: After| Some(Start { at: at + length, after });
    match (after_sign - sign, rest[sign]) {
        (1..=2, _) if is_quote => start(quote + 1, After::Quote(found)),
        (1, sign @ (b'=' | b':')) => start(quote, After::Sign(sign)),
        _ => None,
    }
}

fn is_of_value(byte: u8) -> bool {
    Chars::Base64.has(byte) || b"_-.~!@#$%^&*".contains(&byte)
}

/// A value up to its quote.
fn quoted(text: &[u8], at: usize, quote: u8, name: &[u8]) -> Option<Range<usize>> {
    let length = text[at..].iter().take(MOST).take_while(|byte| is_of_value(**byte)).count();
    let value = &text[at..at + length];
    let end = *text.get(at + length)?;
    let is_closed = end == quote || end == b'\\';
    let is_drawn = is_random(value) || is_of_aws(name, value);
    (is_closed && length >= 16 && is_drawn).then_some(at..at + length)
}

/// A value without quotes: longer, of fewer bytes, and nothing of a program's text.
fn bare(text: &[u8], at: usize, sign: u8, name: &[u8]) -> Option<Range<usize>> {
    let is_of_it = |byte: &&u8| Chars::Url.has(**byte) || matches!(byte, b'+' | b'/');
    let body = text[at..].iter().take(MOST).take_while(is_of_it).count();
    // Base64 may end in these; elsewhere they begin another value.
    let filled = text[at + body..].iter().take(2).take_while(|byte| **byte == b'=').count();
    let length = body + filled;
    let value = &text[at..at + length];
    let ends = text
        .get(at + length)
        .is_none_or(|byte| byte.is_ascii_whitespace() || b"\\\"'&<`,;".contains(byte));
    let least = if name.iter().any(u8::is_ascii_lowercase) { 24 } else { 16 };
    let is_drawn =
        (length >= least && has_digits(value, sign) && is_random(value)) || is_of_aws(name, value);
    // The token of a registry of packages may be an identifier.
    let is_registry = name.ends_with(b"_authToken") && is_uuid(value);
    (ends && begins(text, at) && (is_drawn || is_registry)).then_some(at..at + length)
}

/// Whether a value has three digits, and after `:`, where a program may name a type or a variable,
/// not all of them in one place.
fn has_digits(value: &[u8], sign: u8) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let parts = value.split(|byte| !byte.is_ascii_digit()).filter(|part| !part.is_empty()).count();
    digits >= 3 && (sign == b'=' || parts >= 2)
}
