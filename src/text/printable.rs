//! Text that cannot move a terminal's cursor or color it, nor look like another.

use std::fmt::Write;

/// `text` with every control character replaced by U+FFFD, and every character that [`hides`], so
/// that what data says is what a terminal shows. Tabs become spaces.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            _ if c.is_control() || hides(c) => char::REPLACEMENT_CHARACTER,
            _ => c,
        })
        .collect()
}

/// The same JSON with these characters escaped: JSON allows them as they are, but some terminals
/// obey them.
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

/// Characters that reorder the text around them, or that nobody sees: marks of direction, the
/// byte order mark, and the tag characters in which instructions can be hidden.
pub fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_json};

    #[test]
    fn escapes_do_not_act() {
        assert_eq!(printable("a\u{1b}[31mb\tc"), "a\u{fffd}[31mb c");
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
