//! ASCII characters written as escapes: `\u0026`, `&#38;`, `&amp;` or `%26` for `&`, `\/` for `/`,
//! `\_` for `_`, `""` for a quote within a cell of CSV. And texts in base64, one level deep.

use std::ops::Range;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::guard::scan::{among, leading, piece};
use crate::text::base64;

pub(super) struct Unescaped {
    pub(super) text: Vec<u8>,
    /// The offsets of each byte, and of the end, in the text with escapes.
    starts: Vec<u32>,
}

/// How far before an escape a secret that contains it may begin.
const BEFORE: usize = 1024;

/// Bytes after an escape that are examined with it.
const BEHIND: usize = 4096;

/// The parts of `text` with escapes.
pub(super) fn parts(text: &[u8]) -> Vec<Unescaped> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut places: Vec<usize> = memchr::memchr3_iter(b'\\', b'&', b'%', text).collect();
    let number = places.len();
    places.extend(memchr::memmem::find_iter(text, b"\"\""));
    places.extend(memchr::memmem::find_iter(text, b"=3D"));
    if places.len() > number {
        places.sort_unstable();
    }
    for at in places {
        if !is_worth_a_look(text, at) {
            continue;
        }
        let end = text.len().min(at + BEHIND);
        match ranges.last_mut() {
            Some(last) if at < last.end => last.end = end,
            _ => ranges.push(at.saturating_sub(BEFORE)..end),
        }
    }
    ranges.into_iter().map(|range| Unescaped::new(text, range)).collect()
}

/// Whether an escape at `at` may hide something. Most strings of JSON have escaped newlines; these
/// matter only before the values of a Kubernetes Secret.
fn is_worth_a_look(text: &[u8], at: usize) -> bool {
    match escape(text, at) {
        Some((b'\n', _)) => text[..at].ends_with(b"data:") || text[..at].ends_with(b"Data:"),
        Some(_) => true,
        None => false,
    }
}

/// The character of the escape at `at`, and the length of the escape.
fn escape(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match &text[at..] {
        [b'\\', byte @ (b'/' | b'_' | b'-'), ..] => Some((*byte, 2)),
        [b'\\', b'n', ..] => Some((b'\n', 2)),
        // Markdown within JSON.
        [b'\\', b'\\', byte @ (b'_' | b'-'), ..] => Some((*byte, 3)),
        // Addresses within addresses are escaped again.
        [b'%', b'2', b'5', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 5),
        [b'%', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 3),
        // Mails.
        [b'=', b'3', b'D', ..] => Some((b'=', 3)),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => Some((b'"', 6)),
        [b'&', b'a', b'm', b'p', b';', ..] => Some((b'&', 5)),
        [b'&', b'#', b'x' | b'X', rest @ ..] => numbered(rest, 16, 3),
        [b'&', b'#', rest @ ..] => numbered(rest, 10, 2),
        [b'\\', b'u', b'0', b'0', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 6),
        // Strings of programs, and of programs within JSON.
        [b'\\', b'x', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 4),
        [b'\\', b'\\', b'x', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 5),
        // RTF.
        [b'\\', b'\'', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 4),
        [b'\\', b'\\', b'\'', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 5),
        [b'\\', b'0' | b'1', b'0'..=b'7', b'0'..=b'7', ..] => octal(&text[at + 1..], 4),
        [b'\\', b'\\', b'0' | b'1', b'0'..=b'7', b'0'..=b'7', ..] => octal(&text[at + 2..], 5),
        // JSON within JSON.
        [b'\\', b'\\', b'u', b'0', b'0', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 7),
        [b'"', b'"', ..] if is_quote_in_cell(text, at) => Some((b'"', 2)),
        _ => None,
    }
}

/// Whether two quotes are one of a cell, not an empty text: a word is right beside them.
fn is_quote_in_cell(text: &[u8], at: usize) -> bool {
    let after = text.get(at + 2).is_some_and(u8::is_ascii_alphanumeric);
    let before = at.checked_sub(1).is_some_and(|before| text[before].is_ascii_alphanumeric());
    after || before
}

/// The visible ASCII character of three octal digits.
fn octal(digits: &[u8], length: usize) -> Option<(u8, usize)> {
    let byte = digits[..3].iter().fold(0, |byte, digit| byte * 8 + (digit - b'0'));
    if byte.is_ascii_graphic() { Some((byte, length)) } else { None }
}

fn hex(high: u8, low: u8, length: usize) -> Option<(u8, usize)> {
    let low = u8::try_from(char::from(low).to_digit(16)?).ok()?;
    Some((((high - b'0') << 4) | low, length))
}

/// The visible ASCII character whose number `text` begins with, after `head` bytes of its escape.
fn numbered(text: &[u8], base: u32, head: usize) -> Option<(u8, usize)> {
    let length = text.iter().take(8).position(|byte| *byte == b';')?;
    let digits = std::str::from_utf8(&text[..length]).ok()?;
    let number = u32::from_str_radix(digits, base).ok()?;
    let byte = u8::try_from(number).ok().filter(u8::is_ascii_graphic)?;
    Some((byte, head + length + 1))
}

impl Unescaped {
    fn new(text: &[u8], range: Range<usize>) -> Self {
        let (mut bytes, mut starts) = (Vec::with_capacity(range.len()), Vec::new());
        let mut at = range.start;
        while at < range.end {
            let (byte, length) = escape(text, at).unwrap_or((text[at], 1));
            bytes.push(byte);
            starts.push(at as u32);
            at += length;
        }
        starts.push(at as u32);
        Self { text: bytes, starts }
    }

    /// The range of bytes in the text with escapes.
    pub(super) fn raw(&self, range: &Range<usize>) -> Range<usize> {
        self.starts[range.start] as usize..self.starts[range.end] as usize
    }
}

/// The shortest run examined, in bytes; no token is shorter in base64.
const MIN_RUN: usize = 24;

/// The longest run that is examined as a whole.
const MAX_RUN: usize = 16 * 1024;

/// Every long run of letters, digits, `-`, `_`, `+` and `/`, with the signs that fill up base64.
pub(super) fn long_runs(text: &[u8]) -> Vec<Range<usize>> {
    let mut runs = runs(text, MIN_RUN, is_of_run);
    for run in &mut runs {
        // The letter of an escape such as `\n` is no digit.
        if run.start > 0 && text[run.start - 1] == b'\\' && b"nrt".contains(&text[run.start]) {
            run.start += 1;
        }
        run.end += leading(piece(text, run.end, 2), among(b"="));
    }
    runs
}

/// Every run of at least `least` bytes for which `is_one` holds, in parts of at most [`MAX_RUN`] bytes.
pub(super) fn runs(text: &[u8], least: usize, is_one: fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(window) = text.get(at..at + least) {
        // No run this long begins before the last foreign byte of a window.
        if let Some(other) = window.iter().rposition(|byte| !is_one(*byte)) {
            at += other + 1;
            continue;
        }
        let length = leading(piece(text, at, MAX_RUN), is_one);
        runs.push(at..at + length);
        at += length;
    }
    runs
}

/// How base64 of a picture, a PDF or an archive begins.
const PACKED: [&[u8]; 9] = [
    b"iVBORw0KGgo",
    b"/9j/",
    b"R0lGOD",
    b"UklGR",
    b"JVBERi0",
    b"UEsDB",
    b"H4sI",
    b"QlpoO",
    b"/Td6WFo",
];

/// Every run of base64, whole and however long, that is a picture, a PDF or an archive.
pub(super) fn packed_runs(text: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for run in long_runs(text) {
        let is_behind = runs.last().is_none_or(|last| run.start >= last.end);
        if is_behind && PACKED.iter().any(|start| text[run.start..].starts_with(start)) {
            let mut end = run.start;
            loop {
                end += leading(&text[end..], |byte| is_of_run(byte) || byte == b'=');
                // Mails wrap it, also in the strings of a document.
                let line_end = line_end(&text[end..]);
                if line_end == 0 || !text.get(end + line_end).copied().is_some_and(is_of_run) {
                    break;
                }
                end += line_end;
            }
            runs.push(run.start..end);
        }
    }
    runs
}

/// The length of the end of a line, which may be escaped; 0 if none is here.
fn line_end(text: &[u8]) -> usize {
    const LINE_ENDS: [&[u8]; 4] = [b"\n", b"\r\n", br"\n", br"\r\n"];
    let end = LINE_ENDS.iter().find(|end| text.starts_with(end));
    end.map_or(0, |end| end.len())
}

/// The bytes of a packed run, over all its lines.
pub(super) fn packed_bytes(run: &[u8]) -> Option<Vec<u8>> {
    let mut digits = Vec::with_capacity(run.len());
    let mut at = 0;
    while at < run.len() {
        let line_end = line_end(&run[at..]);
        if line_end == 0 {
            digits.push(run[at]);
        }
        at += line_end.max(1);
    }
    decoded_bytes(&digits)
}

/// The text that a run of base64 holds packed, as files of diagrams do.
pub(super) fn inflated(run: &[u8]) -> Option<Vec<u8>> {
    const MIN_PACKED_RUN: usize = 100;
    const MAX_INFLATED_BYTES: usize = 1024 * 1024;
    if run.len() < MIN_PACKED_RUN || run.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let plain = decompress_to_vec_with_limit(&decoded_bytes(run)?, MAX_INFLATED_BYTES).ok()?;
    if std::str::from_utf8(&plain).is_ok() { Some(plain) } else { None }
}

/// The bytes that are encoded by `run`; `None` if it is not base64.
fn decoded_bytes(run: &[u8]) -> Option<Vec<u8>> {
    base64(run.iter().copied().take_while(|byte| *byte != b'='), |_| true)
}

/// Whether a byte is a digit of either base64 alphabet.
fn is_of_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The text that is encoded by `run`, in either alphabet; `None` if it is not base64 of a text.
pub(super) fn decoded(run: &[u8]) -> Option<Vec<u8>> {
    // PowerShell takes commands as base64 of UTF-16.
    let head = base64(run.iter().copied().take(8), |_| true)?;
    if matches!(head[..], [first, 0, second, 0, ..] if first > 0 && second > 0) {
        let mut plain = decoded_bytes(run)?;
        plain.retain(|byte| *byte != 0);
        return Some(plain);
    }
    let digits = run.iter().copied().take_while(|byte| *byte != b'=');
    let plain = base64(digits, |byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())?;
    if std::str::from_utf8(&plain).is_ok() { Some(plain) } else { None }
}
