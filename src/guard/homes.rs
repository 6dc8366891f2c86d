//! Folders of a machine: a user's home, and where the workspace lay.

use std::ops::Range;

use crate::guard::rule::Ranges;
use crate::guard::values::{among, before, is_word, leading, piece};

/// The longest name of a user, in bytes.
const LONGEST_NAME: usize = 64;

/// A user's home, without the `/` after it.
pub(super) fn home(text: &[u8], keyword: Range<usize>) -> Option<Range<usize>> {
    let start = begin(text, keyword.start)?;
    // The keyword of Windows ends in a separator.
    let end = keyword.end - usize::from(text[keyword.end - 1] == b'\\');
    // One separator, or several that are escaped.
    let slashes = leading(piece(text, end, 4), among(b"/\\"));
    let name_at = end + slashes;
    let name = leading(piece(text, name_at, LONGEST_NAME + 1), is_of_name);
    if slashes == 0 || name == 0 {
        return None;
    }
    // Alone, the name of the administrator's home says nothing, and it is a home without one.
    if text[keyword] == *b"/root" {
        return Some(start..end);
    }
    let is_name = name <= LONGEST_NAME && text[name_at..name_at + name] != *b"Shared";
    // A full stop after a name ends the sentence.
    let stop = usize::from(text[name_at + name - 1] == b'.');
    is_name.then(|| start..name_at + name - stop)
}

fn is_of_name(byte: u8) -> bool {
    is_word(byte) || b"-.@+".contains(&byte) || byte >= 0x80
}

/// Where a path begins whose separator stands at `at`; `None` within a longer path.
fn begin(text: &[u8], at: usize) -> Option<usize> {
    let head = &text[..at];
    let slashes = head.iter().rev().take(3).take_while(|byte| **byte == b'\\').count();
    let drive = at - slashes;
    let has_drive = drive >= 2
        && text[drive - 1] == b':'
        && text[drive - 2].is_ascii_alphabetic()
        && before(text, drive - 2).is_none_or(|byte| !is_word(byte) || escapes(text, drive - 2));
    match before(text, at) {
        _ if has_drive => Some(drive - 2),
        _ if text[at] == b'\\' => None,
        _ if head.ends_with(b"file://") => Some(at),
        _ if head.ends_with(b"/mnt/c") => Some(at - 6),
        _ if is_within(text, at) => None,
        Some(b'\\') => Some(at - 1),
        _ => Some(at),
    }
}

/// Whether the byte before `at` is of a path, an address or a name.
fn is_within(text: &[u8], at: usize) -> bool {
    let is_of_path = |byte| is_word(byte) || b"-./~})]$".contains(&byte);
    before(text, at).is_some_and(is_of_path) && !escapes(text, at)
}

/// Whether the byte before `at` is the letter of an escape such as `\n`.
fn escapes(text: &[u8], at: usize) -> bool {
    matches!(text[..at], [.., b'\\', b'n' | b't' | b'r'])
}

/// Adds the folder of the workspace, where it stands at `place`; up to where it need not look again.
pub(super) fn workspace(text: &[u8], place: Range<usize>, found: &mut Ranges) -> usize {
    let end = place.end;
    let goes_on = text.get(end).is_some_and(|byte| is_of_name(*byte) && *byte != b'.');
    let is_begin = text[..place.start].ends_with(b"file://") || !is_within(text, place.start);
    found.extend((is_begin && !goes_on).then_some(place));
    end
}
