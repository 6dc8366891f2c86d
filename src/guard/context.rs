//! Secrets that need more than a pattern: those known by their context, private keys, and the
//! folders of a machine.

use std::ops::Range;

use memchr::memmem;

use crate::guard::given::is_drawn;
use crate::guard::rule::{BEHIND, LONGEST, Ranges};
use crate::guard::values::{
    Pattern, among, before, has_at, is_made_up, is_mixed, is_of_base64, is_placeholder,
    is_stand_in, is_word, leading, piece, trailing,
};
use crate::text::is_listed;

/// Attributes of a cookie, and parts of an authorization, that are not secret.
const PLAIN: &str = "path domain expires max-age samesite version comment priority username \
    realm nonce uri algorithm opaque qop nc cnonce signedheaders headers keyid credential";

/// Parts of names of a session or an authorization.
const SESSION: &str = "sess sid auth token jwt csrf xsrf remember signature response key";

/// The values of the pairs in a header: cookies, or parts of an authorization.
pub(super) fn pairs(text: &[u8], keyword: Range<usize>, ranges: &mut Ranges) -> usize {
    let at = keyword.start;
    let head = piece(text, at, 2048);
    let is_flag = head.starts_with(b" -b ");
    let name = if is_flag { 3 } else { leading(head, is_word) };
    let between = &head[name..];
    let between = &between[..leading(piece(between, 0, 8), among(b"\\\"'`]): \t=,"))];
    let is_given = is_flag
        || between.iter().any(|byte| b":=,".contains(byte))
        || head[..name + between.len()].ends_with(b"\"");
    if !is_given {
        return 0;
    }
    let line = &head[name + between.len()..];
    let line = &line[..leading(line, |byte| !b"\r\n`<>".contains(&byte))];
    let start = at + name + between.len();
    let mut from = 0;
    while let Some(sign) = memchr::memchr(b'=', &line[from..]) {
        let sign = from + sign;
        let name = trailing(&line[..sign], |byte| is_word(byte) || b"-.".contains(&byte));
        let name = String::from_utf8_lossy(&line[sign - name..sign]).to_ascii_lowercase();
        let value = sign + 1 + leading(&line[sign + 1..], among(b"\\\""));
        let end = value + leading(&line[value..], |byte| !b";,\"' \\&)".contains(&byte));
        let is_session = SESSION.split(' ').any(|part| name.contains(part));
        let bytes = &line[value..end];
        let is_short_one = bytes.len() >= 6 && bytes.iter().any(u8::is_ascii_digit);
        let is_one = is_drawn(bytes) || (is_session && is_short_one);
        if !is_listed(PLAIN, &name) && is_one && !is_stand_in(bytes) {
            ranges.push(start + value..start + end);
        }
        from = end.max(sign + 1);
    }
    start + line.len()
}

/// The values of a Kubernetes Secret, whose first `data:` is the keyword.
pub(super) fn kubernetes(text: &[u8], keyword: Range<usize>, ranges: &mut Ranges) -> usize {
    let at = keyword.start;
    let from = at.saturating_sub(BEHIND / 2);
    let around = &text[from..text.len().min(at + BEHIND)];
    if !opens_block(text, at) && !opens_object(text, at) {
        return 0;
    }
    if memmem::find(around, b"Secret").is_none() {
        return from + around.len();
    }
    let (head, rest) = around.split_at(at - from);
    let start = memmem::rfind(head, b"\n---").map_or(0, |start| start + 1);
    let end = at + memmem::find(rest, b"\n---").unwrap_or(rest.len());
    let is_kind = |line: &[u8]| {
        let words = line.split(|byte| b" \t\r:\"',{".contains(byte));
        let mut words = words.filter(|word| !word.is_empty());
        words.any(|word| word == b"kind") && words.next() == Some(b"Secret")
    };
    if text[from + start..end].split(|byte| *byte == b'\n').any(is_kind) {
        for at in at..end {
            if opens_block(text, at) {
                add_block_values(text, at, end, ranges);
            } else if opens_object(text, at) {
                add_object_values(text, at, end, ranges);
            }
        }
    }
    end
}

/// Whether the line around `at` has nothing but `data:` or `stringData:`.
fn opens_block(text: &[u8], at: usize) -> bool {
    let is_key = has_at(text, at, "data:") || has_at(text, at, "Data:");
    let before = text[..at].strip_suffix(b"string").unwrap_or(&text[..at]);
    let mut line = before.iter().rev().take_while(|byte| **byte != b'\n');
    is_key
        && matches!(text[at + "data:".len()..], [] | [b'\n' | b'\r', ..])
        && line.all(|byte| *byte == b' ')
}

/// Whether `"data": {` or `"stringData": {` is at `at`.
fn opens_object(text: &[u8], at: usize) -> bool {
    let is_key = has_at(text, at, "data\"") || has_at(text, at, "Data\"");
    let mut rest = text[at..].iter().skip(5).take(12).skip_while(|byte| b" :\t\n".contains(byte));
    is_key && rest.next() == Some(&b'{')
}

/// The values in the lines below `data:`, as far as they are indented.
fn add_block_values(text: &[u8], at: usize, end: usize, ranges: &mut Ranges) {
    let indent = |line: &[u8]| leading(line, among(b" -"));
    let own_indent = indent(&text[at - trailing(&text[..at], |byte| byte != b'\n')..]);
    let Some(first) = memchr::memchr(b'\n', &text[at..end]) else { return };
    let mut start = at + first + 1;
    let names = indent(&text[start..end]);
    for line in text[start..end].split(|byte| *byte == b'\n') {
        if !line.trim_ascii().is_empty() && indent(line) <= own_indent {
            break;
        }
        // Deeper lines belong to a multi-line text.
        let colon = memchr::memchr(b':', line).filter(|_| indent(line) <= names);
        let after_name = colon.map_or(0, |colon| colon + 1);
        let skipped = after_name + leading(&line[after_name..], among(b" \t\"'"));
        let value = line[skipped..].trim_ascii_end();
        let value = value.strip_suffix(b"\"").or(value.strip_suffix(b"'")).unwrap_or(value);
        if value.len() > 1 && !is_placeholder(value) {
            ranges.push(start + skipped..start + skipped + value.len());
        }
        start += line.len() + 1;
    }
}

fn add_object_values(text: &[u8], at: usize, end: usize, ranges: &mut Ranges) {
    let Some(open) = memchr::memchr(b'{', piece(&text[..end], at, 18)) else { return };
    let open = at + open;
    let length = memchr::memchr(b'}', &text[open..end]).unwrap_or(end - open);
    let quotes: Vec<usize> = memchr::memchr_iter(b'"', &text[open..open + length]).collect();
    // Names and values alternate.
    for quotes in quotes.chunks_exact(2).skip(1).step_by(2) {
        let range = open + quotes[0] + 1..open + quotes[1];
        let value = &text[range.clone()];
        let value = value.strip_suffix(b"\\").unwrap_or(value);
        if value.len() > 1 && !is_placeholder(value) {
            ranges.push(range);
        }
    }
}

/// The longest line of a table that is examined.
const LINE: usize = 4096;

/// The name of a column of secrets, with optional decoration.
static COLUMN: Pattern = Pattern::new(
    "(?i-u)\\A[ \"'`*]*(?:passw(?:or[dt]|d)|passphrase|pass|pwd|secret|token|credentials?|(?:secret|client|api|access|auth|private)[ _.-]?(?:key|token|secret))[ \"'`*\r]*\\z",
);

pub(super) struct TextTable {
    separator: u8,
    cells: usize,
    columns: Vec<usize>,
}

impl TextTable {
    /// The table whose head has such a column's name at `at`, and where its head ends.
    pub(super) fn at(text: &[u8], at: usize) -> Option<(Self, usize)> {
        // The name must fill its cell.
        let is_end = among(b"|\t;,\r\n");
        let end = at + leading(&text[at..], |byte| byte.is_ascii_alphabetic());
        let after = text[end..].iter().find(|byte| !b" \"'`*".contains(byte));
        let before = trailing(&text[at.saturating_sub(32)..at], |byte| !is_end(byte));
        let is_cell =
            after.is_none_or(|byte| is_end(*byte)) && COLUMN.fits(&text[at - before..end]);
        let head = is_cell.then(|| line_at(text, at))?;
        let line = &text[head.clone()];
        let separator = *b"|\t;,".iter().find(|sign| line.contains(sign))?;
        let cells = cells(line, separator);
        let is_head = |cell: &Range<usize>| {
            let cell = &line[cell.clone()];
            let is_of_it = |byte: &u8| is_word(*byte) || b" -./#".contains(byte) || *byte >= 0x80;
            let is_number = cell.first().is_some_and(u8::is_ascii_digit);
            cell.len() <= 40 && !is_number && cell.iter().all(is_of_it)
        };
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        let is_whole = filled >= 2 && (separator == b'|' || filled == cells.len());
        let is_secret = |at: &usize| COLUMN.fits(&line[cells[*at].clone()]);
        let columns = (0..cells.len()).filter(is_secret).collect();
        let table = Self { separator, cells: cells.len(), columns };
        (is_whole && cells.iter().all(is_head)).then_some((table, head.end + 1))
    }

    /// Adds the secrets of the rows that begin in `within`; returns whether the table continues
    /// after it.
    pub(super) fn rows(&self, text: &[u8], within: Range<usize>, ranges: &mut Ranges) -> bool {
        let mut start = within.start;
        while start < within.end.min(text.len()) {
            let row = line_at(text, start);
            let line = &text[row.clone()];
            let cells = cells(line, self.separator);
            let is_name = |cell: &Range<usize>| COLUMN.fits(&line[cell.clone()]);
            if cells.len() != self.cells || cells.iter().any(is_name) {
                return false;
            }
            for cell in self.columns.iter().map(|column| &cells[*column]) {
                if is_secret_of_cell(&line[cell.clone()]) {
                    ranges.push(row.start + cell.start..row.start + cell.end);
                }
            }
            start = row.end + 1;
        }
        true
    }
}

/// The start of the first line that begins at `at` or later.
pub(super) fn line_from(text: &[u8], at: usize) -> usize {
    match text[..at].last() {
        None | Some(b'\n') => at,
        _ => line_at(text, at).end + 1,
    }
}

fn is_secret_of_cell(cell: &[u8]) -> bool {
    let is_other = |byte: &u8| byte.is_ascii_digit() || b"!@#$%^&*".contains(byte);
    cell.iter().any(u8::is_ascii_alphabetic)
        && cell.iter().any(is_other)
        && cell.len() >= 4
        && !cell.contains(&b' ')
        && !cell.ends_with(b")")
        && !is_stand_in(cell)
        && !is_made_up(cell)
}

/// The line around `at`, up to the longest length of a table's line.
fn line_at(text: &[u8], at: usize) -> Range<usize> {
    let is_of_line = |byte| byte != b'\n';
    let start = at - trailing(&text[at.saturating_sub(LINE)..at], is_of_line);
    start..at + leading(piece(text, at, LINE), is_of_line)
}

/// The cells of a line, without surrounding quotes, marks and spaces.
fn cells(line: &[u8], separator: u8) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for at in 0..=line.len() {
        let byte = line.get(at).copied();
        if byte == Some(b'"') && separator != b'|' {
            is_quoted = !is_quoted;
        }
        if byte.is_none() || (byte == Some(separator) && !is_quoted) {
            let is_around = among(b" \t\r\"'`*");
            let before = start + leading(&line[start..at], &is_around);
            cells.push(before..at - trailing(&line[before..at], &is_around));
            start = at + 1;
        }
    }
    cells
}

/// The fewest base64 letters of a block.
const LEAST: usize = 40;

/// The most foreign bytes between two lines of a key.
const GAP: usize = 400;

/// A PEM, PGP or SSH2 block with a private key, from its first line to its last; if the end is
/// missing, to the last line that could belong to it.
pub(super) fn private_key(text: &[u8], begin: Range<usize>) -> Option<Range<usize>> {
    let (foot, close) = match text[begin.start + 4] {
        b'-' => ("-----END ", "-----"),
        _ => ("---- END ", "----"),
    };
    let title = piece(text, begin.end, 64);
    let title = &title[..memmem::find(title, close.as_bytes())?];
    let is_key = ["PRIVATE KEY", "Static key"];
    if !is_key.iter().any(|name| memmem::find(title, name.as_bytes()).is_some()) {
        return None;
    }
    let head = begin.end + title.len() + close.len();
    let (body, is_ended) = body(text, head, &text[begin.clone()], foot);
    // How far all bytes can belong to a key, if there is one.
    let is_of_key = |at: &usize| match body[*at] {
        b'-' => !has_at(body, *at, "-----"),
        byte => {
            is_of_base64(byte) || byte.is_ascii_whitespace() || b"\\\"',:>|#*.()".contains(&byte)
        }
    };
    let length = (0..body.len()).take_while(is_of_key).count();
    let letters = body[..length].iter().filter(|byte| is_of_base64(**byte)).count();
    let is_plain = letters >= LEAST && !is_placeholder(&body[..length.min(200)]);
    let (plain, key) = (is_plain.then_some(length), key_run(body));
    if !is_ended || (plain != Some(body.len()) && key.is_none()) {
        return Some(begin.start..head + plain.max(key)?);
    }
    let end = head + body.len() + foot.len();
    let rest = memmem::find(piece(text, end, 64), close.as_bytes());
    Some(begin.start..end + rest.map_or(0, |length| length + close.len()))
}

/// A PuTTY key: the part between its line count and its signature.
pub(super) fn putty_key(text: &[u8], begin: Range<usize>) -> Option<Range<usize>> {
    let (body, is_ended) = body(text, begin.end, &text[begin.clone()], "Private-MAC: ");
    let key = key_run(body)?;
    Some(begin.start..begin.end + if is_ended { body.len() } else { key })
}

/// The possible body of a block from `at` on, and whether its `foot` follows.
fn body<'t>(text: &'t [u8], at: usize, begin: &[u8], foot: &str) -> (&'t [u8], bool) {
    let rest = piece(text, at, LONGEST - 256);
    for at in memchr::memchr_iter(foot.as_bytes()[0], rest) {
        let is_foot = has_at(rest, at, foot);
        if is_foot || rest[at..].starts_with(begin) {
            return (&rest[..at], is_foot);
        }
    }
    (rest, false)
}

/// How far lines of a key follow each other, whatever is between them.
fn key_run(body: &[u8]) -> Option<usize> {
    let (mut at, mut end, mut letters) = (0, 0, 0);
    while at < body.len() && at - end <= GAP {
        let run = leading(&body[at..], is_of_base64);
        if is_mixed(&body[at..at + run]) {
            (end, letters) = (at + run, letters + run);
        }
        at += run.max(1);
    }
    (letters >= LEAST).then_some(end)
}

/// The longest name of a user, in bytes.
const LONGEST_NAME: usize = 64;

/// A user's home, without the `/` after it.
pub(super) fn home(text: &[u8], keyword: Range<usize>) -> Option<Range<usize>> {
    let start = begin(text, keyword.start)?;
    // The Windows keyword ends in a separator.
    let end = keyword.end - usize::from(text[keyword.end - 1] == b'\\');
    // One separator, or several that are escaped.
    let slashes = leading(piece(text, end, 4), among(b"/\\"));
    let name_at = end + slashes;
    let name = leading(piece(text, name_at, LONGEST_NAME + 1), is_of_name);
    if slashes == 0 || name == 0 {
        return None;
    }
    // Alone, the administrator's home does not tell anything, and has no user name.
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

/// The start of a path whose separator is at `at`; `None` within a longer path.
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

/// Whether the byte before `at` belongs to a path, an address or a name.
fn is_within(text: &[u8], at: usize) -> bool {
    let is_of_path = |byte| is_word(byte) || b"-./~})]$".contains(&byte);
    before(text, at).is_some_and(is_of_path) && !escapes(text, at)
}

/// Whether the byte before `at` is the letter of an escape such as `\n`.
fn escapes(text: &[u8], at: usize) -> bool {
    matches!(text[..at], [.., b'\\', b'n' | b't' | b'r'])
}

/// Adds the folder of the workspace if it is at `place`; returns where to resume.
pub(super) fn workspace(text: &[u8], place: Range<usize>, ranges: &mut Ranges) -> usize {
    let end = place.end;
    let goes_on = text.get(end).is_some_and(|byte| is_of_name(*byte) && *byte != b'.');
    let is_begin = text[..place.start].ends_with(b"file://") || !is_within(text, place.start);
    ranges.extend((is_begin && !goes_on).then_some(place));
    end
}
