//! Text that cannot move a terminal's cursor or color it.

/// `text` with every control character replaced by U+FFFD, and every invisible character that
/// reorders text too, so that what data says is what a terminal shows. Tabs become spaces.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            _ if c.is_control() || is_reordering(c) => char::REPLACEMENT_CHARACTER,
            _ => c,
        })
        .collect()
}

/// Marks that change the direction of text: they can make a name look like another.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escapes_do_not_act() {
        assert_eq!(printable("a\u{1b}[31mb\tc"), "a\u{fffd}[31mb c");
        assert_eq!(printable("x\u{202e}y"), "x\u{fffd}y");
        assert_eq!(printable("結果 ✓"), "結果 ✓");
    }
}
