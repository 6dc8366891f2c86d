//! Spellings of one text or name that compare equal.

use std::borrow::Cow;

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
    if !is_joined(text) {
        let words: Vec<&str> = text.split_whitespace().collect();
        return Cow::Owned(words.join(" ").to_lowercase());
    }
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    Cow::Borrowed(text)
}

/// A statement without what does not change it: a number before it, quotation marks, marks of Markdown and
/// its end, folded. So `2. Uses "jq".` is `uses jq`; signs such as `<` and `-` stay.
pub fn undecorated(text: &str) -> String {
    let text = text.trim();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let unnumbered = rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' '));
    let text = unnumbered.unwrap_or(text);
    let marks = ['`', '*', '"', '\'', '“', '”', '‘', '’', '「', '」'];
    let bare: String = text.chars().filter(|c| !marks.contains(c)).collect();
    folded(bare.trim_end_matches(['.', ';', ':', '!', '。'])).into_owned()
}

/// Whether a text is ASCII with single spaces between its words, as most are.
fn is_joined(text: &str) -> bool {
    let mut before = b' ';
    for byte in text.bytes() {
        if !byte.is_ascii_graphic() && (byte != b' ' || before == b' ') {
            return false;
        }
        before = byte;
    }
    text.is_empty() || before != b' '
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
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' | '.' | ' ' => folded.push('_'),
            // Nearly all are, and every path of a workspace is folded.
            _ if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            _ => folded.extend(c.to_lowercase()),
        }
    }
    folded
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
    use super::{folded, undecorated};

    #[test]
    fn decorations_of_a_statement_go_and_its_signs_stay() {
        for text in ["2. Uses \"jq\".", "uses `jq`", "**Uses jq**", " 12) uses  'jq'; "] {
            assert_eq!(undecorated(text), "uses jq", "{text}");
        }
        for text in ["a < b", "a > b", "2.5 units", "-5", "3 files", "snake_case"] {
            assert_eq!(undecorated(text), text);
        }
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
}
