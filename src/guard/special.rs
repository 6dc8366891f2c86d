//! Secrets whose shape is more than a prefix.
//!
//! Each finder gets the whole text at hand and the place of its anchor, and gives the bytes to
//! replace. None looks at more than a bounded number of bytes, or past the next anchor of its own.

use std::ops::Range;

use crate::guard::chars::{Chars, before, begins, begins_alone, is_placeholder, is_random, stands};
use crate::guard::prefixes::{is_told, part};

/// `hooks.slack.com/services/T…/B…/…`, or of a workflow: whoever has it can post.
pub(super) fn slack_webhook(text: &[u8], at: usize) -> Option<Range<usize>> {
    let folder = after(text, at, "hooks.slack.com/")?;
    let start = ["services/", "workflows/", "triggers/"]
        .iter()
        .find_map(|kind| after(text, folder, kind))?;
    path_of_secret(text, start, 30)
}

/// `….webhook.office.com/webhookb2/…`, of a channel of Teams.
pub(super) fn teams_webhook(text: &[u8], at: usize) -> Option<Range<usize>> {
    let host = at.checked_sub("webhoo".len())?;
    let folder = after(text, host, "webhook.office.com/webhook")?;
    let length = text[folder..].iter().take(3).take_while(|byte| **byte != b'/').count();
    path_of_secret(text, folder + length + 1, 60)
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
    let is_of_path = |byte: &&u8| Chars::Url.has(**byte) || matches!(byte, b'/' | b'@');
    let length = text.get(start..)?.iter().take(250).take_while(is_of_path).count();
    let body = &text[start..start + length];
    let has_digit = body.iter().any(u8::is_ascii_digit);
    (length >= least && has_digit && !is_placeholder(body)).then_some(start..start + length)
}

/// The number of the account in base64, a time stamp and a signature.
pub(super) fn discord_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let id = begins(text, at).then(|| part(text, at, 23..=28)).flatten()?;
    let is_number = text[at..id].chunks_exact(4).all(is_of_digits);
    let time = (text.get(id) == Some(&b'.')).then(|| part(text, id + 1, 6..=6)).flatten()?;
    let end = (text.get(time) == Some(&b'.')).then(|| part(text, time + 1, 27..=38)).flatten()?;
    (is_number && is_random(&text[time + 1..end])).then_some(at..end)
}

/// Whether four bytes of base64 stand for three digits.
fn is_of_digits(four: &[u8]) -> bool {
    matches!(four[0], b'M'..=b'O')
        && matches!(four[1], b'D' | b'T' | b'j' | b'z')
        && matches!(four[2], b'A' | b'E' | b'I' | b'M' | b'Q' | b'U' | b'Y' | b'c' | b'g' | b'k')
        && matches!(four[3], b'w'..=b'z' | b'0'..=b'5')
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

/// The password in `scheme://user:password@host`, or a token in the place of the user.
pub(super) fn url_password(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_scheme = at >= 2 && text[at - 1] == b':' && text[at - 2].is_ascii_alphanumeric();
    let start = is_scheme.then_some(at + 2)?;
    let length = authority(&text[start..]);
    let authority = &text[start..start + length];
    let host = authority.iter().rposition(|byte| *byte == b'@').filter(|at| at + 1 < length)?;
    let user = authority[..host].iter().position(|byte| *byte == b':').unwrap_or(host);
    let (name, password) = (&authority[..user], &authority[host.min(user + 1)..host]);
    let own = start + user + 1;
    let is_password = password.len() >= 3
        && password != name
        && !is_port(password)
        && !is_stand_in(password)
        && !is_told(text, own);
    let is_token = name.len() >= 20 && is_random(name) && !is_told(text, start);
    match (is_token, is_password) {
        (true, true) => Some(start..start + host),
        (true, false) => Some(start..start + user),
        (false, is_password) => is_password.then_some(own..start + host),
    }
}

/// How many bytes may be of a user, a password and a host. A bracket that closes none of them ends
/// a text around the address.
fn authority(text: &[u8]) -> usize {
    let mut open = 0_usize;
    let is_of_it = |byte: &&u8| {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => return false,
            b')' => open -= 1,
            _ => {}
        }
        !byte.is_ascii_whitespace()
            && !byte.is_ascii_control()
            && !br#"/?#"'<>`\{}[]|"#.contains(byte)
    };
    text.iter().take(512).take_while(is_of_it).count()
}

/// Whether a port stands where a password could, and a list goes on behind it.
fn is_port(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=5).contains(&digits) && text.get(digits) == Some(&b',')
}

/// A secret of an application in Azure: three bytes, a digit, `Q~` and 31 to 34 more.
pub(super) fn azure_client_secret(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at.checked_sub(4)?;
    let is_of_it = |byte: &u8| Chars::Dotted.has(*byte) || *byte == b'~';
    let is_head = stands(text, at, "Q~")
        && text[at - 1].is_ascii_digit()
        && text[start..at].iter().all(|byte| is_of_it(byte) && *byte != b'-')
        && begins(text, start);
    let rest = is_head.then(|| &text[at + 2..])?;
    let length = rest.iter().take(35).take_while(|byte| is_of_it(byte)).count();
    ((31..=34).contains(&length) && is_random(&rest[..length])).then_some(start..at + 2 + length)
}

/// A token of Azure DevOps: 84 letters and digits, `AZDO` at the 77th.
pub(super) fn azure_devops_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at.checked_sub(76).filter(|_| stands(text, at, "AZDO"))?;
    let body = text.get(start..start + 84)?;
    let is_whole = Chars::Alnum.run(body, 84) == 84
        && begins_alone(text, start)
        && !text.get(start + 84).is_some_and(|byte| Chars::Base64.has(*byte));
    (is_whole && is_random(body)).then_some(start..start + 84)
}

/// A token of Terraform: 14 letters and digits, `.atlasv1.` and 60 to 70 bytes.
pub(super) fn terraform_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let dot = at.checked_sub(".atla".len()).filter(|dot| stands(text, *dot, ".atlasv1."))?;
    let start = dot.checked_sub(14)?;
    let end = part(text, dot + ".atlasv1.".len(), 60..=70)?;
    let is_head = Chars::Alnum.run(&text[start..dot], 14) == 14 && begins(text, start);
    (is_head && is_random(&text[dot..end])).then_some(start..end)
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
