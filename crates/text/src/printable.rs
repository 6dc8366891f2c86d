//! Characters that terminals obey, that pages must escape, or that nobody sees.

use std::fmt::Write;

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

/// The characters of `text` that pages may have to escape, with their positions. Bytes that begin none are
/// skipped without decoding.
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
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte as u8 {
            b'\n' | b'\t' => false,
            0..0x20 | 0x7f | b'&' | b'<' | b'>' | b'"' | b'\'' => true,
            // Where control characters beyond ASCII begin, and those that hide.
            0xc2 | 0xd8 | 0xe2 | 0xef | 0xf3 => true,
            _ => false,
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::{hides, printable, printable_json, unusual};

    #[test]
    fn plain_texts_are_usual_and_nothing_that_hides_is() {
        let text = "a<b\u{202e}\n\r\té結~\u{7f}";
        let unusual_chars: Vec<(usize, char)> = unusual(text).collect();
        assert_eq!(unusual_chars, [(1, '<'), (3, '\u{202e}'), (7, '\r'), (15, '\u{7f}')]);
        for c in ('\0'..=char::MAX).filter(|c| c.is_control() || hides(*c)) {
            assert!(matches!(c, '\n' | '\t') || unusual(&c.to_string()).next() == Some((0, c)));
        }
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
