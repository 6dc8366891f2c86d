//! Folders of a machine: a user's home, and where the workspace lay.

use std::ops::Range;

use crate::guard::values::{before, has_at, is_word};

/// What a home is called in counts.
pub(super) const HOME: &str = "home folder";

/// What the workspace's folder is called in counts.
pub(super) const WORKSPACE: &str = "workspace folder";

/// The longest name of a user, in bytes.
const LONGEST_NAME: usize = 64;

/// A user's home, without the `/` after it, for an anchor at `at`.
pub(super) fn home(text: &[u8], at: usize) -> Option<Range<usize>> {
    if has_at(text, at, "/root") {
        return root(text, at);
    }
    let is_windows = text[at] == b'\\';
    let word = if has_at(text, at, "/home") { 5 } else { 6 };
    let start = begin(text, at, is_windows)?;
    let name_at = separator(text, at + word)?;
    let length =
        text[name_at..].iter().take(LONGEST_NAME + 1).take_while(|byte| is_of_name(**byte)).count();
    let is_name =
        (1..=LONGEST_NAME).contains(&length) && text[name_at..name_at + length] != *b"Shared";
    is_name.then(|| start..without_stop(text, name_at + length))
}

/// The home of the administrator; alone the name says nothing.
fn root(text: &[u8], at: usize) -> Option<Range<usize>> {
    let end = at + 5;
    let inside = separator(text, end)?;
    let has_name = text.get(inside).is_some_and(|byte| is_of_name(*byte));
    let start = begin(text, at, false)?;
    has_name.then_some(start..end)
}

/// A full stop after a name ends the sentence.
fn without_stop(text: &[u8], end: usize) -> usize {
    if text[end - 1] == b'.' { end - 1 } else { end }
}

/// Where what follows a separator begins: `/`, `\`, or either of them escaped.
fn separator(text: &[u8], at: usize) -> Option<usize> {
    let length =
        text.get(at..)?.iter().take(4).take_while(|byte| matches!(byte, b'/' | b'\\')).count();
    (1..=4).contains(&length).then_some(at + length)
}

fn is_of_name(byte: u8) -> bool {
    is_word(byte) || b"-.@+".contains(&byte) || byte >= 0x80
}

/// Where a path begins whose separator stands at `at`; `None` within a longer path.
fn begin(text: &[u8], at: usize, is_windows: bool) -> Option<usize> {
    let slashes = text[..at].iter().rev().take(3).take_while(|byte| **byte == b'\\').count();
    let drive = at - slashes;
    let has_drive = drive >= 2
        && text[drive - 1] == b':'
        && text[drive - 2].is_ascii_alphabetic()
        && before(text, drive - 2).is_none_or(|byte| !is_word(byte) || escapes(text, drive - 2));
    match before(text, at) {
        _ if has_drive => Some(drive - 2),
        _ if is_windows => None,
        _ if text[..at].ends_with(b"file://") => Some(at),
        _ if text[..at].ends_with(b"/mnt/c") => Some(at - 6),
        _ if is_within(text, at) => None,
        Some(b'\\') => Some(at - 1),
        _ => Some(at),
    }
}

/// Whether the byte before `at` is of a path, an address or a name.
fn is_within(text: &[u8], at: usize) -> bool {
    match before(text, at) {
        Some(b'n' | b't' | b'r') => !escapes(text, at),
        Some(byte) => is_word(byte) || b"-./~})]$".contains(&byte),
        None => false,
    }
}

/// Whether the byte before `at` is the letter of an escape such as `\n`.
fn escapes(text: &[u8], at: usize) -> bool {
    matches!(before(text, at), Some(b'n' | b't' | b'r')) && before(text, at - 1) == Some(b'\\')
}

/// Adds the folder of the workspace, where it stands at `place`; up to where it need not look again.
pub(super) fn workspace(text: &[u8], place: Range<usize>, found: &mut Vec<Range<usize>>) -> usize {
    let end = place.end;
    let goes_on = text.get(end).is_some_and(|byte| is_of_name(*byte) && *byte != b'.');
    let is_begin = text[..place.start].ends_with(b"file://") || !is_within(text, place.start);
    found.extend((is_begin && !goes_on).then_some(place));
    end
}
