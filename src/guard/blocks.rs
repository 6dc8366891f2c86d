//! Secrets that span lines: private keys, and the values of a Kubernetes Secret.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use crate::guard::scan::{Needle, among, leading, piece, trailing};
use crate::guard::secret::Secret;
use crate::guard::value::{is_base62, is_placeholder};

/// The longest block, in bytes.
const LONGEST: usize = 16 * 1024;

/// The fewest base64 letters of a key.
const MIN_LETTERS: usize = 40;

/// The most bytes between two lines of a key, such as line numbers or quotes.
const GAP: usize = 400;

/// How a block with a key begins and ends.
struct KeyFormat {
    begin: Needle,
    /// After the title of the first and of the last line.
    close: &'static str,
    foot: &'static str,
    /// One of these is in the title.
    titles: &'static [&'static str],
}

static KEY_FORMATS: [KeyFormat; 3] = [
    // PEM, PGP, OpenSSH and OpenVPN.
    KeyFormat {
        begin: Needle::new("-----BEGIN "),
        close: "-----",
        foot: "-----END ",
        titles: &["PRIVATE KEY", "Static key"],
    },
    // The format of SSH2.
    KeyFormat {
        begin: Needle::new("---- BEGIN "),
        close: "----",
        foot: "---- END ",
        titles: &["PRIVATE KEY"],
    },
    // PuTTY writes a number of lines as the title.
    KeyFormat {
        begin: Needle::new("Private-Lines: "),
        close: "",
        foot: "Private-MAC: ",
        titles: &[""],
    },
];

/// Adds each private key, from its first line to its last; if the end is missing, to the last line
/// that could belong to it.
pub(super) fn find_private_keys(text: &[u8], secrets: &mut Vec<Secret>) {
    for format in &KEY_FORMATS {
        let mut resume = 0;
        for start in format.begin.find_in(text) {
            if start < resume {
                continue;
            }
            if let Some(range) = private_key(text, start, format) {
                resume = range.end;
                secrets.push(Secret { range, label: Arc::from("private key"), rank: 0 });
            }
        }
    }
}

fn private_key(text: &[u8], start: usize, format: &KeyFormat) -> Option<Range<usize>> {
    let title_start = start + format.begin.text().len();
    let title = piece(text, title_start, 64);
    let title = &title[..memmem::find(title, format.close.as_bytes())?];
    if !format.titles.iter().any(|name| memmem::find(title, name.as_bytes()).is_some()) {
        return None;
    }
    let body_start = title_start + title.len() + format.close.len();
    let rest = piece(text, body_start, LONGEST - 256);
    let next = memmem::find(rest, format.begin.text().as_bytes()).unwrap_or(rest.len());
    let foot = memmem::find(&rest[..next], format.foot.as_bytes());
    let body = &rest[..foot.unwrap_or(next)];
    // Lines of base64 make a key; quotes, numbers and signs of a difference may be around them.
    let plain = plain_key(body);
    let key = plain.max(key_lines(body))?;
    if foot.is_none() {
        return Some(start..body_start + key);
    }
    if plain.is_some_and(|length| length < body.len()) && key_lines(body).is_none() {
        return Some(start..body_start + key);
    }
    let foot_end = body_start + body.len() + format.foot.len();
    if format.close.is_empty() {
        return Some(start..body_start + body.len());
    }
    let close = memmem::find(piece(text, foot_end, 64), format.close.as_bytes());
    Some(start..close.map_or(foot_end, |length| foot_end + length + format.close.len()))
}

/// How far all bytes can belong to a key; `None` if these are too few or a placeholder.
fn plain_key(body: &[u8]) -> Option<usize> {
    let mut length = 0;
    let mut letters = 0;
    for (at, byte) in body.iter().enumerate() {
        let is_letter = is_of_base64(*byte);
        let is_around = byte.is_ascii_whitespace() || b"\\\"',:>|#*.()-".contains(byte);
        if !(is_letter || is_around) || body[at..].starts_with(b"-----") {
            break;
        }
        letters += usize::from(is_letter);
        length = at + 1;
    }
    let is_key = letters >= MIN_LETTERS && !is_placeholder(&body[..length.min(200)]);
    if is_key { Some(length) } else { None }
}

/// How far lines of a key follow each other, whatever is between them.
fn key_lines(body: &[u8]) -> Option<usize> {
    let (mut at, mut end, mut letters) = (0, 0, 0);
    while at < body.len() && at - end <= GAP {
        let run = leading(&body[at..], is_of_base64);
        if is_base62(&body[at..at + run]) {
            (end, letters) = (at + run, letters + run);
        }
        at += run.max(1);
    }
    if letters >= MIN_LETTERS { Some(end) } else { None }
}

fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Adds the values of every Kubernetes Secret: all that its `data` and `stringData` hold.
pub(super) fn find_kubernetes_secrets(text: &[u8], secrets: &mut Vec<Secret>) {
    if memmem::find(text, b"Secret").is_none() || memmem::find(text, b"kind").is_none() {
        return;
    }
    let mut start = 0;
    while start < text.len() {
        let end = memmem::find(&text[start..], b"\n---").map_or(text.len(), |at| start + at);
        let document = &text[start..end];
        if document.split(|byte| *byte == b'\n').any(is_kind_secret) {
            let mut ranges = Vec::new();
            add_values(document, &mut ranges);
            for range in ranges {
                let range = start + range.start..start + range.end;
                secrets.push(Secret { range, label: Arc::from("kubernetes secret"), rank: 1 });
            }
        }
        start = end + 1;
    }
}

fn is_kind_secret(line: &[u8]) -> bool {
    if memmem::find(line, b"Secret").is_none() {
        return false;
    }
    let words = line.split(|byte| b" \t\r:\"',{}".contains(byte));
    let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| pair[0] == b"kind" && pair[1] == b"Secret")
}

fn add_values(document: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for line in document.split(|byte| *byte == b'\n') {
        let key = line.trim_ascii().strip_suffix(b":").unwrap_or_default();
        if matches!(key, b"data" | b"stringData") {
            add_block_values(document, start, ranges);
        }
        for key in [&b"data\""[..], b"Data\""] {
            for at in memmem::find_iter(line, key) {
                add_object_values(document, start + at + key.len(), ranges);
            }
        }
        start += line.len() + 1;
    }
}

/// The values in the lines below the one at `start`, as far as they are indented.
fn add_block_values(document: &[u8], start: usize, ranges: &mut Vec<Range<usize>>) {
    let mut lines = document[start..].split(|byte| *byte == b'\n');
    let Some(first) = lines.next() else { return };
    let mut at = start + first.len() + 1;
    let mut name_indent = None;
    for line in lines {
        let is_blank = line.trim_ascii().is_empty();
        if !is_blank && indent(line) <= indent(first) {
            break;
        }
        let name_indent = *name_indent.get_or_insert(indent(line));
        // Deeper lines belong to a text of several lines.
        let colon = memchr::memchr(b':', line).filter(|_| indent(line) <= name_indent);
        let after_name = colon.map_or(0, |colon| colon + 1);
        let skipped = after_name + leading(&line[after_name..], among(b" \t\"'"));
        let end = line.len() - trailing(&line[skipped..], among(b" \t\r\"'"));
        if end > skipped + 1 && !is_placeholder(&line[skipped..end]) {
            ranges.push(at + skipped..at + end);
        }
        at += line.len() + 1;
    }
}

fn indent(line: &[u8]) -> usize {
    leading(line, among(b" -"))
}

/// The values of the object that begins right after `start`.
fn add_object_values(document: &[u8], start: usize, ranges: &mut Vec<Range<usize>>) {
    let skipped = leading(piece(document, start, 16), among(b"\\ :\t\n"));
    let open = start + skipped;
    if document.get(open) != Some(&b'{') {
        return;
    }
    let rest = piece(document, open, LONGEST);
    let length = memchr::memchr(b'}', rest).unwrap_or(rest.len());
    let quotes: Vec<usize> = memchr::memchr_iter(b'"', &rest[..length]).collect();
    // Names and values alternate.
    for quotes in quotes.chunks_exact(2).skip(1).step_by(2) {
        let range = open + quotes[0] + 1..open + quotes[1];
        let length = range.len() - trailing(&document[range.clone()], |byte| byte == b'\\');
        let range = range.start..range.start + length;
        if range.len() > 1 && !is_placeholder(&document[range.clone()]) {
            ranges.push(range);
        }
    }
}
