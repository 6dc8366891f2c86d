//! Secrets whose shape is more than a prefix.
//!
//! Each finder gets the whole text at hand and the place of its anchor, and gives the bytes to
//! replace. None looks at more than a bounded number of bytes, or past the next anchor of its own.

use std::ops::Range;

use crate::guard::chars::{Chars, before, begins, is_placeholder, is_random, stands};
use crate::guard::prefixes::{LONGEST, is_told, part};

/// Whether `text` has `what` at `at`, in whatever case.
fn stands_in_any_case(text: &[u8], at: usize, what: &str) -> bool {
    text.get(at..at + what.len()).is_some_and(|part| part.eq_ignore_ascii_case(what.as_bytes()))
}

const END: &str = "-----END ";

/// A PEM or PGP block with a private key, from `-----BEGIN` to its end; up to the last line that
/// could be of it where the end is missing.
pub(super) fn private_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at.checked_sub(5)?;
    let is_head = stands(text, start, "-----BEGIN ");
    let head = is_head.then(|| head_end(text, start + 11)).flatten()?;
    let limit = text.len().min(head + LONGEST - 256);
    let (end, body) = match body_end(&text[head..limit]) {
        Body::Ended(length) => (foot_end(text, head + length), &text[head..head + length]),
        Body::Cut(length) => (head + length, &text[head..head + length]),
    };
    let letters = body.iter().filter(|byte| Chars::Base64.has(**byte)).count();
    (letters >= 40 && !is_placeholder(&body[..body.len().min(200)])).then_some(start..end)
}

/// The end of the first line of a block, where it is of a private key.
fn head_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..text.len().min(start + 64)];
    let length = rest.windows(5).position(|part| part == b"-----")?;
    let title = &rest[..length];
    let is_key = title.windows(11).any(|part| part == b"PRIVATE KEY");
    is_key.then_some(start + length + 5)
}

enum Body {
    Ended(usize),
    Cut(usize),
}

/// How far the key reaches: to the line of its end, else to the first byte that cannot be of it.
fn body_end(text: &[u8]) -> Body {
    for (at, byte) in text.iter().enumerate() {
        let is_of_key = Chars::Base64.has(*byte)
            || byte.is_ascii_whitespace()
            || matches!(
                byte,
                b'\\' | b'"' | b'\'' | b',' | b':' | b'>' | b'|' | b'#' | b'*' | b'.' | b'(' | b')'
            );
        match byte {
            b'-' if stands(text, at, END) => return Body::Ended(at),
            b'-' if stands(text, at, "-----") => return Body::Cut(at),
            b'-' => {}
            _ if is_of_key => {}
            _ => return Body::Cut(at),
        }
    }
    Body::Cut(text.len())
}

/// The end of the last line of a block that begins at `at`.
fn foot_end(text: &[u8], at: usize) -> usize {
    let start = at + END.len();
    let rest = &text[start..text.len().min(start + 64)];
    let length = rest.windows(5).position(|part| part == b"-----");
    length.map_or(start, |length| start + length + 5)
}

/// `hooks.slack.com/services/T…/B…/…`: whoever has it can post.
pub(super) fn slack_webhook(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = after(text, at, "hooks.slack.com/services/")?;
    path_of_secret(text, start, 30)
}

/// `discord.com/api/webhooks/<number>/…`.
pub(super) fn discord_webhook(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_discord =
        text[..at].ends_with(b"discord.com/") || text[..at].ends_with(b"discordapp.com/");
    let start = is_discord.then(|| after(text, at, "api/webhooks/")).flatten()?;
    path_of_secret(text, start, 60)
}

fn after(text: &[u8], at: usize, what: &str) -> Option<usize> {
    stands(text, at, what).then(|| at + what.len())
}

/// At least `least` bytes of names and `/`, with digits among them.
fn path_of_secret(text: &[u8], start: usize, least: usize) -> Option<Range<usize>> {
    let is_of_path = |byte: &&u8| Chars::Url.has(**byte) || **byte == b'/';
    let length = text[start..].iter().take(200).take_while(is_of_path).count();
    let body = &text[start..start + length];
    let has_digit = body.iter().any(u8::is_ascii_digit);
    (length >= least && has_digit && !is_placeholder(body)).then_some(start..start + length)
}

/// The number of the account in base64, a time stamp and a signature.
pub(super) fn discord_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let id = begins(text, at).then(|| part(text, at, 23..=28)).flatten()?;
    let time = (text.get(id) == Some(&b'.')).then(|| part(text, id + 1, 6..=6)).flatten()?;
    let end = (text.get(time) == Some(&b'.')).then(|| part(text, time + 1, 27..=38)).flatten()?;
    is_random(&text[time + 1..end]).then_some(at..end)
}

/// The number of a bot, `:AA` and 33 bytes.
pub(super) fn telegram_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let digits = text[..at].iter().rev().take(12).take_while(|byte| byte.is_ascii_digit()).count();
    let start = at - digits;
    let is_bot = (8..=10).contains(&digits) && stands(text, at, ":AA");
    let is_start = begins(text, start) || text[..start].ends_with(b"bot");
    let end = (is_bot && is_start).then(|| part(text, at + 1, 35..=35)).flatten()?;
    Some(start..end)
}

/// `AccountKey=` or `SharedAccessKey=` of a connection string; only the key.
pub(super) fn azure_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = after(text, at, "AccountKey=").or_else(|| after(text, at, "SharedAccessKey="))?;
    let length = Chars::Base64.run(&text[start..], 100);
    let body = &text[start..start + length.min(100)];
    ((40..=100).contains(&length) && body.ends_with(b"=")).then_some(start..start + length)
}

/// The `sig` of an address with a shared access signature.
pub(super) fn azure_signature(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_field = matches!(before(text, at), Some(b'?' | b'&' | b';'));
    let start = is_field.then(|| after(text, at, "sig=")).flatten()?;
    let is_of_it = |byte: &&u8| Chars::Base64.has(**byte) || **byte == b'%';
    let length = text[start..].iter().take(100).take_while(is_of_it).count();
    let body = &text[start..start + length];
    let is_one = body.ends_with(b"%3D") || body.ends_with(b"%3d") || body.ends_with(b"=");
    ((40..=90).contains(&length) && is_one).then_some(start..start + length)
}

/// The token after `Bearer`.
pub(super) fn bearer(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_word = stands_in_any_case(text, at, "bearer ") && begins(text, at);
    let start = is_word.then_some(at + 7)?;
    let is_of_it =
        |byte: &&u8| Chars::Base64.has(**byte) || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let length = text[start..].iter().take(4096).take_while(is_of_it).count();
    let body = &text[start..start + length];
    (length >= 16 && is_random(body) && !is_told(text, start)).then_some(start..start + length)
}

/// The credentials after `Authorization: Basic`.
pub(super) fn basic(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_word = stands_in_any_case(text, at, "basic ") && is_header(&text[..at]);
    let start = is_word.then_some(at + 6)?;
    let length = Chars::Base64.run(&text[start..], 2000);
    let body = &text[start..start + length];
    let is_mixed = body.iter().any(|byte| byte.is_ascii_digit() || *byte == b'=')
        && body.iter().any(u8::is_ascii_uppercase);
    ((8..=2000).contains(&length) && is_mixed && !is_placeholder(body))
        .then_some(start..start + length)
}

/// Whether a text ends with the name of the header and what may stand between it and its value.
fn is_header(text: &[u8]) -> bool {
    let is_between = |byte: &u8| !matches!(byte, b' ' | b':' | b'"' | b'\'' | b'\\' | b'=' | b',');
    let tail = &text[text.len().saturating_sub(32)..];
    let end = tail.iter().rposition(is_between).map_or(0, |at| at + 1);
    let name = b"authorization";
    end >= name.len() && end < tail.len() && tail[end - name.len()..end].eq_ignore_ascii_case(name)
}

/// The password in `scheme://user:password@host`.
pub(super) fn url_password(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_scheme = at >= 2 && text[at - 1] == b':' && text[at - 2].is_ascii_alphanumeric();
    let start = is_scheme.then_some(at + 2)?;
    let is_of_it = |byte: &&u8| {
        !byte.is_ascii_whitespace()
            && !byte.is_ascii_control()
            && !br#"/?#"'<>`\(){}[]|,"#.contains(byte)
    };
    let length = text[start..].iter().take(512).take_while(is_of_it).count();
    let authority = &text[start..start + length];
    let host = authority.iter().rposition(|byte| *byte == b'@')?;
    let user = authority[..host].iter().position(|byte| *byte == b':')?;
    let (name, password) = (&authority[..user], &authority[user + 1..host]);
    let own = start + user + 1;
    let is_one = password.len() >= 3
        && password != name
        && host + 1 < length
        && !is_stand_in(password)
        && !is_told(text, own);
    is_one.then_some(own..start + host)
}

/// Whether documentation writes this where a password belongs.
fn is_stand_in(password: &[u8]) -> bool {
    const WORDS: [&str; 14] = [
        "password", "passwd", "pass", "pwd", "secret", "token", "pw", "xxx", "changeme", "root",
        "admin", "user", "key", "test",
    ];
    let is_word = WORDS.iter().any(|word| password.eq_ignore_ascii_case(word.as_bytes()));
    let is_place = password.iter().any(|byte| matches!(byte, b'$' | b'%'))
        && password.iter().all(|byte| {
            byte.is_ascii_uppercase() || matches!(byte, b'$' | b'_' | b'%' | b's' | b'd')
        });
    let is_hidden = password.iter().all(|byte| matches!(byte, b'*' | b'.' | b'x' | b'X'));
    is_word || is_place || is_hidden || is_placeholder(password)
}
