//! Estimates the width of text, and shortens it.

/// Font size in pixels.
pub(super) const SIZE: f64 = 12.0;

/// The approximate width of `text` in pixels, rather too large, since the reader's font is not
/// known.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum::<f64>() * SIZE
}

/// The width of a character in units of the font size.
fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.33,
        'f' | 'r' | 't' | '-' | '(' | ')' | '[' | ']' | '/' => 0.4,
        'm' | 'M' | 'W' | '%' | '@' | '<' | '>' | '=' | '+' | '~' | '#' | '&' | '…' => 0.96,
        'w' | 'O' | 'Q' | 'G' | 'D' | 'H' | 'N' => 0.8,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{202f}' => 0.2,
        // East Asian characters and emoji take a whole square.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{fffd}'
        | '\u{1f000}'..='\u{3fffd}' => 1.05,
        c if c.is_uppercase() => 0.7,
        _ => 0.62,
    }
}

/// `text` in at most `available` pixels: the middle is left out, since names differ at both ends.
pub(super) fn shorten(text: &str, available: f64) -> String {
    if width(text) <= available {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let rest = available - width("…");
    let (mut head, mut tail) = (0, chars.len());
    while head < tail {
        let grow_head = head <= chars.len() - tail;
        let (next_head, next_tail) = if grow_head { (head + 1, tail) } else { (head, tail - 1) };
        if width_of_chars(&chars[..next_head]) + width_of_chars(&chars[next_tail..]) > rest {
            break;
        }
        (head, tail) = (next_head, next_tail);
    }
    let first: String = chars[..head].iter().collect();
    let last: String = chars[tail..].iter().collect();
    format!("{}…{}", first.trim_end(), last.trim_start())
}

fn width_of_chars(chars: &[char]) -> f64 {
    chars.iter().copied().map(char_width).sum::<f64>() * SIZE
}

/// The common beginning of `names`, up to a separator; empty if it is short or a whole name.
pub(super) fn shared_beginning(names: &[String]) -> &str {
    let [first, rest @ ..] = names else { return "" };
    let mut shared = first.as_str();
    for name in rest {
        let same = shared.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        let length = same.map(|(c, _)| c.len_utf8()).sum();
        shared = &shared[..length];
    }
    let end = shared.rfind(['-', '_', ' ', '/', '.', ':']).map_or(0, |at| at + 1);
    let shared = &shared[..end];
    let loses_all = names.iter().any(|name| name.len() == shared.len());
    if rest.is_empty() || loses_all || shared.chars().count() < 4 { "" } else { shared }
}

#[cfg(test)]
mod tests {
    use super::{shared_beginning, shorten, width};

    #[test]
    fn wide_characters_are_wide() {
        assert!(width("評估結果") > width("abcd") * 1.5);
        assert!(width("a\u{301}") - width("a") < 0.01);
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(shorten("short", 100.0), "short");
        assert_eq!(shorten("a-very-long-name-of-iteration-12", 90.0), "a-very…ion-12");
        assert_eq!(shorten("很長的評估名稱第十二版", 64.0), "很長…二版");
        assert_eq!(shorten("abc", 0.0), "…");
    }

    #[test]
    fn a_shared_beginning_ends_at_a_separator() {
        let names = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        assert_eq!(shared_beginning(&names(&["iteration-1", "iteration-12"])), "iteration-");
        assert_eq!(shared_beginning(&names(&["v1", "v2"])), "");
        assert_eq!(shared_beginning(&names(&["iteration-", "iteration-1"])), "");
        assert_eq!(shared_beginning(&names(&["iteration-1"])), "");
        assert_eq!(shared_beginning(&names(&["評估結果 1", "評估結果 2"])), "評估結果 ");
        assert_eq!(shared_beginning(&[]), "");
    }
}
