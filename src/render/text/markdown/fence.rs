//! Text of the data between fences that it cannot end.

use std::fmt::Write;

/// Adds `body` as a block of code in the language `info`. The fence is longer than any run of
/// backticks in it, and no character of it ends a line but a line feed.
pub(super) fn block(info: &'static str, body: &str, out: &mut String) {
    let body: String = body.chars().map(visible).collect();
    let fence = "`".repeat(longest_run(&body).max(2) + 1);
    let end = if body.ends_with('\n') || body.is_empty() { "" } else { "\n" };
    let _ = write!(out, "{fence}{info}\n{body}{end}{fence}\n\n");
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A character that shows itself: no control character, none that reorders the text around it.
fn visible(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(' '),
        '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' => '\u{fffd}',
        '\u{2066}'..='\u{2069}' | '\u{feff}' => '\u{fffd}',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser};

    use super::block;

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        let mut out = String::new();
        block("diff", "+a\n ````\n-b\r# x", &mut out);
        assert_eq!(out, "`````diff\n+a\n ````\n-b\u{240d}# x\n`````\n\n");
    }

    proptest! {
        #[test]
        fn nothing_leaves_its_fence(text in "([`~ \n\r\t#<>a-c]|\\PC){0,40}") {
            let mut out = String::new();
            block("text", &text, &mut out);
            out.push_str("after\n");
            let mut depth = 0;
            for event in Parser::new(&out) {
                match event {
                    Event::Start(_) => depth += 1,
                    Event::End(_) => depth -= 1,
                    Event::Text(text) => prop_assert!(depth == 1, "{text}"),
                    other => prop_assert!(false, "{other:?}"),
                }
            }
            prop_assert!(out.ends_with("\n\nafter\n"));
        }
    }
}
