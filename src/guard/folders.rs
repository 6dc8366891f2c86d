//! Folders of the machine, which are made relative: homes of users, and the workspace itself.

use memchr::memmem;

use crate::guard::scan::{Needle, among, before, is_word, leading, piece};
use crate::guard::secret::Secret;

/// The longest name of a user, in bytes.
const LONGEST_NAME: usize = 64;

/// How the homes of users begin.
static HOMES: [Needle; 4] =
    [Needle::new("/home"), Needle::new("/Users"), Needle::new("\\Users\\"), Needle::new("/root")];

/// Whether a root says more than where every machine has folders: two names, four letters.
pub(super) fn tells_a_machine(root: &str) -> bool {
    let names = root.split(['/', '\\']).filter(|name| !name.is_empty()).count();
    root.len() >= 4 && names >= 2
}

/// Adds every home, without the `/` after it, and every root of the workspace.
pub(super) fn find(text: &[u8], roots: &[memmem::Finder<'_>], secrets: &mut Vec<Secret>) {
    for root in roots {
        for start in root.find_iter(text) {
            let end = start + root.needle().len();
            let goes_on = text.get(end).is_some_and(|byte| is_of_name(*byte) && *byte != b'.');
            let begins = text[..start].ends_with(b"file://") || !is_within(text, start);
            if begins && !goes_on {
                secrets.push(Secret::workspace(start..end));
            }
        }
    }
    for folder in &HOMES {
        for at in folder.find_in(text) {
            add_home(text, at, folder.text(), secrets);
        }
    }
}

fn add_home(text: &[u8], at: usize, folder: &str, secrets: &mut Vec<Secret>) {
    let Some(start) = path_start(text, at) else { return };
    // The Windows folder ends in a separator.
    let end = at + folder.trim_end_matches('\\').len();
    // One separator, or several that are escaped.
    let slashes = leading(piece(text, end, 4), among(b"/\\"));
    let name_start = end + slashes;
    let name =
        piece(text, name_start, leading(piece(text, name_start, LONGEST_NAME + 1), is_of_name));
    if slashes == 0 || name.is_empty() {
        return;
    }
    // The administrator's home alone tells nothing, and has no name of a user.
    if folder == "/root" {
        secrets.push(Secret::home(start..end));
        return;
    }
    if name.len() > LONGEST_NAME || name == b"Shared" {
        return;
    }
    // A full stop after a name ends the sentence.
    let stop = usize::from(name.ends_with(b"."));
    secrets.push(Secret::home(start..name_start + name.len() - stop));
}

fn is_of_name(byte: u8) -> bool {
    is_word(byte) || b"-.@+".contains(&byte) || byte >= 0x80
}

/// The start of a path whose first separator is at `at`; `None` within a longer path.
fn path_start(text: &[u8], at: usize) -> Option<usize> {
    let head = &text[..at];
    if let Some(drive) = drive_start(text, at) {
        return Some(drive);
    }
    if text[at] == b'\\' {
        return None;
    }
    if head.ends_with(b"file://") {
        return Some(at);
    }
    if head.ends_with(b"/mnt/c") {
        return Some(at - "/mnt/c".len());
    }
    if is_within(text, at) {
        return None;
    }
    // JSON may write `\/`.
    if head.ends_with(b"\\") { Some(at - 1) } else { Some(at) }
}

/// Where `C:` begins, if it precedes the separators at `at`.
fn drive_start(text: &[u8], at: usize) -> Option<usize> {
    let slashes = text[..at].iter().rev().take(3).take_while(|byte| **byte == b'\\').count();
    let colon = (at - slashes).checked_sub(1)?;
    let drive = colon.checked_sub(1)?;
    let begins = before(text, drive).is_none_or(|byte| !is_word(byte) || ends_escape(text, drive));
    if text[colon] == b':' && text[drive].is_ascii_alphabetic() && begins {
        Some(drive)
    } else {
        None
    }
}

/// Whether the byte before `at` belongs to a path, an address or a name.
fn is_within(text: &[u8], at: usize) -> bool {
    let Some(byte) = before(text, at) else { return false };
    (is_word(byte) || b"-./~})]$".contains(&byte)) && !ends_escape(text, at)
}

/// Whether the byte before `at` is the letter of an escape such as `\n`.
fn ends_escape(text: &[u8], at: usize) -> bool {
    matches!(text[..at], [.., b'\\', b'n' | b't' | b'r'])
}
