//! Texts that a text holds in base64 or in hexadecimal digits, one level deep and as a whole value.

use std::ops::Range;

use text::base64;

/// No token is shorter in base64.
const SHORTEST_RUN: usize = 24;

/// Every whole run of letters, digits, `-`, `_`, `+` and `/` that is long enough, with the signs that
/// fill up base64.
pub fn runs(text: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(window) = text.get(at..at + SHORTEST_RUN) {
        // No run this long begins before the last foreign byte of a window.
        if let Some(other) = window.iter().rposition(|byte| !is_of_run(*byte)) {
            at += other + 1;
            continue;
        }
        let digits = text[at..].iter().take_while(|byte| is_of_run(**byte)).count();
        let signs = text[at + digits..].iter().take(2).take_while(|byte| **byte == b'=').count();
        runs.push(at..at + digits + signs);
        at += digits;
    }
    runs
}

/// Whether a byte is a digit of either base64 alphabet.
fn is_of_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The text that a run stands for.
pub fn text_of(run: &[u8]) -> Option<Vec<u8>> {
    hex_text(run).or_else(|| base64_text(run))
}

/// The bytes that a run of base64 stands for, if it is one and `allows` all of them.
pub fn bytes_of(run: &[u8], allows: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
    base64(run.iter().copied().take_while(|byte| *byte != b'='), allows)
}

/// The text that is encoded by `run`, in either alphabet; `None` if it is not base64 of a text.
pub fn base64_text(run: &[u8]) -> Option<Vec<u8>> {
    let plain = bytes_of(run, |byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())?;
    if std::str::from_utf8(&plain).is_ok() { Some(plain) } else { None }
}

/// The visible text of pairs of hexadecimal digits. Digests are as long; their bytes are no text.
fn hex_text(run: &[u8]) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = run.iter().map(|byte| char::from(*byte).to_digit(16)).collect();
    let (pairs, []) = digits.as_ref()?.as_chunks::<2>() else { return None };
    let text: Vec<u8> = pairs.iter().map(|[high, low]| (high << 4 | low) as u8).collect();
    let is_text = text.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n'));
    if is_text { Some(text) } else { None }
}
