//! Shortens texts.

use crate::is_cut_off;

/// The first `most` characters; a cut text ends in `…`.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// As [`cut`], with white space in a row as one space.
pub fn cut_line(text: &str, most: usize) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Characters of words that a sentence shows, each on average.
const WORD_LENGTH: usize = 9;

/// The first `most` words of `text`, with a mark where some are left out; without the dot at its end, which
/// belongs to the sentence around it.
pub fn first_words(text: &str, most: usize) -> String {
    let mut words = text.split_whitespace();
    let first: Vec<&str> = words.by_ref().take(most).collect();
    let shown = cut_line(&first.join(" "), most * WORD_LENGTH);
    if words.next().is_some() && !is_cut_off(&shown) {
        return format!("{} …", shown.trim_end_matches([',', ';', ':', '(']));
    }
    shown.trim_end_matches('.').to_owned()
}
