//! Texts and files that a text holds in base64 or in hexadecimal digits, one level deep.

use std::ops::Range;

use crate::scan::{among, leading, piece};
use text::base64;

/// No token is shorter in base64.
const SHORTEST_RUN: usize = 24;

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

/// Every whole run of letters, digits, `-`, `_`, `+` and `/` that is long enough, with the signs that
/// fill up base64.
pub(super) fn runs(text: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(window) = text.get(at..at + SHORTEST_RUN) {
        // No run this long begins before the last foreign byte of a window.
        if let Some(other) = window.iter().rposition(|byte| !is_of_run(*byte)) {
            at += other + 1;
            continue;
        }
        let end = at + leading(&text[at..], is_of_run);
        runs.push(at..end + leading(piece(text, end, 2), among(b"=")));
        at = end;
    }
    runs
}

/// Whether a byte is a digit of either base64 alphabet.
fn is_of_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The text that a run stands for.
pub(super) fn text_of(run: &[u8]) -> Option<Vec<u8>> {
    hex_text(run).or_else(|| base64_text(run))
}

/// The picture, PDF or archive that a run stands for.
pub(super) fn file_of(run: &[u8]) -> Option<Vec<u8>> {
    if !PACKED.iter().any(|start| run.starts_with(start)) {
        return None;
    }
    base64(run.iter().copied().take_while(|byte| *byte != b'='), |_| true)
}

/// The text that is encoded by `run`, in either alphabet; `None` if it is not base64 of a text.
pub(super) fn base64_text(run: &[u8]) -> Option<Vec<u8>> {
    let digits = run.iter().copied().take_while(|byte| *byte != b'=');
    let plain = base64(digits, |byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())?;
    if std::str::from_utf8(&plain).is_ok() { Some(plain) } else { None }
}

/// The visible text of pairs of hexadecimal digits. Digests are as long; their bytes are no text.
pub(super) fn hex_text(run: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for pair in run.chunks(2) {
        let [high, low] = pair else { return None };
        let [high, low] = [*high, *low].map(|digit| char::from(digit).to_digit(16));
        let byte = (high? << 4 | low?) as u8;
        if !matches!(byte, b' '..=b'~' | b'\t' | b'\n') {
            return None;
        }
        text.push(byte);
    }
    Some(text)
}
