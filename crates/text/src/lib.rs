//! Text for people: comparing texts, safe output for terminals, counts and numbers. A leaf.

mod number;
mod quoted;
mod records;
mod shorten;
mod similar;
mod slug;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write;

pub use number::{
    Duration, bytes, count, factor, fixed, percent, seconds, signed, signed_points, tokens,
};
pub use quoted::{WordIndex, quotation_parts, words};
pub use records::records;
pub use shorten::{cut, cut_line, first_words};
pub use similar::{mistyped, most_similar};
pub use slug::{Slugs, fnv, is_device};

/// Whether somebody cut the end off, so that an equal text may stand for another one.
pub fn is_cut_off(text: &str) -> bool {
    whole_part(text).len() < text.trim_end().len()
}

/// A text without the dots that stand for its missing end.
pub fn whole_part(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix('…').or_else(|| text.strip_suffix("...")).unwrap_or(text)
}

/// Text folded in case and white space, to compare statements and prompts.
pub fn folded(text: &str) -> Cow<'_, str> {
    // Most keys are folded already, so nothing has to be copied.
    let is_kept = text
        .bytes()
        .all(|byte| byte == b' ' || (byte.is_ascii_graphic() && !byte.is_ascii_uppercase()));
    if is_kept && text.trim_matches(' ') == text && !text.contains("  ") {
        return Cow::Borrowed(text);
    }
    let mut words = String::with_capacity(text.len());
    if text.is_ascii() {
        for byte in text.bytes() {
            if !matches!(byte, b'\t'..=b'\r' | b' ') {
                words.push(char::from(byte.to_ascii_lowercase()));
            } else if !words.is_empty() && !words.ends_with(' ') {
                words.push(' ');
            }
        }
        words.truncate(words.trim_end().len());
        return Cow::Owned(words);
    }
    for word in text.split_whitespace() {
        words.push_str(if words.is_empty() { "" } else { " " });
        words.push_str(word);
    }
    Cow::Owned(words.to_lowercase())
}

/// The name among `names`, which are separated by spaces.
pub fn listed(names: &'static str, name: &str) -> Option<&'static str> {
    names.split_ascii_whitespace().find(|known| *known == name)
}

/// Whether `name` is among `names`, which are separated by spaces.
pub fn is_listed(names: &'static str, name: &str) -> bool {
    listed(names, name).is_some()
}

/// A name in lower case, with `_` for `-`, `.` and spaces, so that spellings compare equal.
pub fn folded_name(name: &str) -> String {
    // Nearly all names are, and every path of a workspace is folded.
    if name.is_ascii() {
        return name.to_ascii_lowercase().replace(['-', '.', ' '], "_");
    }
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if matches!(c, '-' | '.' | ' ') { '_' } else { c })
        .collect()
}

/// Compares names the way people number things: runs of digits by value, the rest by character,
/// ignoring case. Names that differ only in case or leading zeros are ordered by their bytes, so
/// the order is total.
pub fn natural_order(left: &str, right: &str) -> Ordering {
    // Paths in one folder begin alike. The number in which they may differ is compared whole.
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let same = &left[..left.floor_char_boundary(same)];
    let start = same.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (mut a, mut b) = (&left[start..], &right[start..]);
    loop {
        let (piece, other) = (take_piece(&mut a), take_piece(&mut b));
        match piece.cmp(&other) {
            Ordering::Equal if piece.is_none() => return left.cmp(right),
            Ordering::Equal => {}
            order => return order,
        }
    }
}

/// A run of digits, as `0`, their number, and the digits without leading zeros; or one other
/// character in lower case.
fn take_piece<'a>(text: &mut &'a str) -> Option<(char, usize, &'a str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let (head, tail) = text.split_at(digits);
        *text = tail;
        let head = head.trim_start_matches('0');
        return Some(('0', head.len(), head));
    }
    let letter = text.chars().next()?;
    *text = &text[letter.len_utf8()..];
    Some((letter.to_lowercase().next().unwrap_or(letter), 0, ""))
}

/// `text` with every control character and every character that [`hides`] replaced by U+FFFD, so
/// that a terminal shows the data as it is. Tabs and line ends become spaces.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            _ if c.is_control() || hides(c) => char::REPLACEMENT_CHARACTER,
            _ => c,
        })
        .collect()
}

/// The same JSON with those characters escaped, as some terminals obey them.
pub fn printable_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if !matches!(c, '\u{7f}'..='\u{9f}') && !hides(c) {
            safe.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

/// Characters that reorder the text around them or are invisible: direction marks, the byte order
/// mark, and tag characters, which can hide instructions.
pub fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The characters of `text` that pages may have to escape, with their positions: all but plain
/// ASCII, which is skipped without decoding.
pub fn unusual(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let at = next + text[next..].bytes().position(|byte| IS_UNUSUAL[usize::from(byte)])?;
        let c = text[at..].chars().next()?;
        next = at + c.len_utf8();
        Some((at, c))
    })
}

/// By byte. All that pages show goes through it.
static IS_UNUSUAL: [bool; 256] = {
    let mut table = [true; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        table[byte as usize] = matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
        byte += 1;
    }
    (table[b'\n' as usize], table[b'\t' as usize]) = (false, false);
    table
};

/// Bytes in base64, with padding.
pub fn to_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut bits = 0;
        for at in 0..3 {
            bits = bits << 8 | u32::from(group.get(at).copied().unwrap_or_default());
        }
        for at in 0..4 {
            if at <= group.len() {
                text.push(char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// Decodes either base64 alphabet; `None` on an invalid digit or a byte that `allows` rejects.
pub fn base64(text: impl Iterator<Item = u8>, allows: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.size_hint().1.unwrap_or(0) / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(digit)) & 0x00ff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = (bits >> count & 0xff) as u8;
            if !allows(byte) {
                return None;
            }
            bytes.push(byte);
        }
    }
    Some(bytes)
}

/// A name without its last extension, and that extension in lower case.
pub fn split_extension(name: &str) -> (&str, String) {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_lowercase()),
        // `.gitignore` is a name.
        _ => (name, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_ascii_is_usual() {
        let text = "a<b\u{202e}\n\r\té~\u{7f}";
        let unusual_chars: Vec<(usize, char)> = unusual(text).collect();
        assert_eq!(unusual_chars, [(1, '<'), (3, '\u{202e}'), (7, '\r'), (9, 'é'), (12, '\u{7f}')]);
    }

    #[test]
    fn case_and_white_space_make_no_difference() {
        let table = [
            ("names all 3", "names all 3"),
            ("Names  all\n3 ", "names all 3"),
            (" a", "a"),
            ("a\u{a0}ÜB", "a üb"),
            ("İ", "i\u{307}"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(folded(text), expected, "{text:?}");
        }
    }

    #[test]
    fn numbers_count_by_value() {
        let mut names = [
            "iteration-10",
            "iteration-3b",
            "iteration-2",
            "iteration-master",
            "iteration-3",
            "iteration-7-rerun",
            "iteration-7",
            "Iteration-1",
        ];
        names.sort_by(|a, b| natural_order(a, b));
        let expected = [
            "Iteration-1",
            "iteration-2",
            "iteration-3",
            "iteration-3b",
            "iteration-7",
            "iteration-7-rerun",
            "iteration-10",
            "iteration-master",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn long_numbers_and_leading_zeros() {
        assert!(natural_order("a99999999999999999998", "a99999999999999999999").is_lt());
        assert!(natural_order("a01", "a1").is_lt());
        assert!(natural_order("a01", "a2").is_lt());
        assert!(natural_order("評估-2", "評估-10").is_lt());
        assert!(natural_order("a-12/x", "a-1/y").is_gt());
        assert!(natural_order("é", "è").is_gt());
    }

    #[test]
    fn escapes_do_not_act() {
        assert_eq!(printable("a\u{1b}[31mb\tc\nd"), "a\u{fffd}[31mb c d");
        assert_eq!(printable("x\u{202e}y"), "x\u{fffd}y");
        assert_eq!(printable("結果 ✓"), "結果 ✓");
    }

    #[test]
    fn json_means_the_same_and_shows_everything() {
        let json = "{\"a\":\"\u{9b}31m \u{202e}b \u{e0041} 結果\"}";
        let safe = printable_json(json);
        assert_eq!(safe, "{\"a\":\"\\u009b31m \\u202eb \\udb40\\udc41 結果\"}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&safe), read(json));
    }
}
