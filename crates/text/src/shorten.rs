//! Shortens texts.

use crate::is_cut_off;

/// The first `most` characters; a cut text ends in `…`.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The start and the end of a name of more than `most` characters: names that are alike differ at either.
pub fn cut_middle(name: &str, most: usize) -> String {
    let all: Vec<char> = name.chars().collect();
    if all.len() <= most {
        return name.to_owned();
    }
    let start = most / 2;
    let end = all.len() - (most - start - 1);
    all[..start].iter().chain(&['…']).chain(&all[end..]).collect()
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
        let whole = without_open_part(&shown);
        return format!("{} …", whole.trim_end_matches([' ', ',', ';', ':', '(']));
    }
    shown.trim_end_matches('.').to_owned()
}

/// `cut` up to the bracket or quotation that its end is in, if that leaves half of it: a reader of half a
/// quotation takes the words around it for a part of it.
fn without_open_part(cut: &str) -> &str {
    let mut open = None;
    for (at, c) in cut.char_indices() {
        match (c, open) {
            ('(' | '“' | '"', None) => open = Some(at),
            (')' | '”' | '"', Some(_)) => open = None,
            _ => {}
        }
    }
    match open {
        Some(at) if at * 2 >= cut.len() => &cut[..at],
        _ => cut,
    }
}
