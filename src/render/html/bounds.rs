//! How much of its gradings a run's page shows, so that no page grows without end.
//!
//! Real gradings stay far below; only what goes beyond is cut, and the page says so.

use crate::render::view::GradingView;

/// Rows of all gradings of a run together: expectations, claims, notes and the like.
const MAX_ROWS: usize = 500;

/// Bytes of markup that their texts may take together.
const MAX_TEXT: usize = 100 * 1024;

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    /// Rows that are not shown.
    pub(super) rows: usize,
    /// Texts of which only the beginning is shown.
    pub(super) texts: usize,
}

/// Cuts `gradings` to what a page holds.
pub(super) fn keep(gradings: &mut Vec<GradingView>) -> Cut {
    let mut left = MAX_ROWS;
    let mut cut = Cut::default();
    let kept = gradings.len().min(MAX_ROWS);
    cut.rows += gradings.drain(kept..).map(|grading| 1 + grading.expectations.len()).sum::<usize>();
    for grading in gradings.iter_mut() {
        cut.rows += shorten(&mut grading.expectations, &mut left);
        cut.rows += shorten(&mut grading.conventions, &mut left);
        cut.rows += shorten(&mut grading.claims, &mut left);
        cut.rows += shorten(&mut grading.notes, &mut left);
        cut.rows += shorten(&mut grading.suggestions, &mut left);
    }
    let mut texts: Vec<&mut String> = gradings.iter_mut().flat_map(texts).collect();
    cut.texts = cut_to_share(&mut texts, MAX_TEXT);
    cut
}

/// Cuts `text` to what a page holds of a text of its own; whether that took anything away.
pub(super) fn keep_text(text: &mut String) -> bool {
    cut_to_share(&mut [text], MAX_TEXT / 2) > 0
}

/// Leaves as many rows as are left; how many went.
fn shorten<R>(rows: &mut Vec<R>, left: &mut usize) -> usize {
    let kept = rows.len().min(*left);
    *left -= kept;
    rows.drain(kept..).count()
}

fn texts(grading: &mut GradingView) -> Vec<&mut String> {
    let mut texts: Vec<&mut String> = vec![&mut grading.critique];
    for row in &mut grading.expectations {
        texts.extend([&mut row.text, &mut row.description, &mut row.evidence]);
    }
    texts.extend(grading.claims.iter_mut().flatten());
    texts.extend(grading.suggestions.iter_mut().flatten());
    texts.extend(grading.notes.iter_mut().flatten());
    texts.extend(grading.conventions.iter_mut().flatten());
    texts
}

/// Cuts the longest of `texts` until all take at most `room` bytes; how many were cut.
fn cut_to_share(texts: &mut [&mut String], room: usize) -> usize {
    let mut weights: Vec<usize> = texts.iter().map(|text| weight(text)).collect();
    if weights.iter().sum::<usize>() <= room {
        return 0;
    }
    weights.sort_unstable();
    let mut left = room;
    let mut share = 0;
    for (index, weight) in weights.iter().enumerate() {
        share = left / (weights.len() - index);
        left = left.saturating_sub(*weight.min(&share));
        if *weight > share {
            break;
        }
    }
    let mut cut = 0;
    for text in texts.iter_mut().filter(|text| weight(text) > share) {
        cut_to(text, share);
        cut += 1;
    }
    cut
}

fn cut_to(text: &mut String, share: usize) {
    while weight(text) > share {
        let kept = text.len() as u128 * share as u128 / weight(text) as u128;
        let kept = (kept as usize).min(text.len() - 1);
        text.truncate(text.floor_char_boundary(kept));
    }
    text.push('…');
}

/// The bytes of a text on a page.
fn weight(text: &str) -> usize {
    let special = |byte: &u8| matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\'');
    text.len() + 5 * text.bytes().filter(special).count()
}

#[cfg(test)]
mod tests {
    use super::{MAX_ROWS, MAX_TEXT, cut_to_share, shorten, weight};

    fn cut(texts: &[&str], room: usize) -> (usize, Vec<String>) {
        let mut texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let count = cut_to_share(&mut texts.iter_mut().collect::<Vec<_>>(), room);
        (count, texts)
    }

    #[test]
    fn only_the_longest_are_cut() {
        let long = "x".repeat(1_000);
        assert_eq!(cut(&["short", &long], 2_000).0, 0);
        let (count, texts) = cut(&["short", &long, &long], 205);
        assert_eq!((count, texts[0].as_str()), (2, "short"));
        assert_eq!(texts[1], format!("{}…", "x".repeat(100)));
        let quotes = "\"".repeat(1_000);
        let (_, texts) = cut(&[&quotes], 60);
        assert_eq!(texts[0], format!("{}…", "\"".repeat(10)));
        assert_eq!(cut(&["結果結果"], 5).1, ["結…"]);
    }

    #[test]
    fn rows_and_texts_have_an_end() {
        let mut left = MAX_ROWS;
        let mut rows = vec![0; 10_000];
        assert_eq!(shorten(&mut rows, &mut left), 10_000 - MAX_ROWS);
        assert_eq!((rows.len(), left), (MAX_ROWS, 0));
        let texts = vec!["<".repeat(5_000); MAX_ROWS];
        let (_, texts) = cut(&texts.iter().map(String::as_str).collect::<Vec<_>>(), MAX_TEXT);
        assert!(texts.iter().map(|text| weight(text)).sum::<usize>() < MAX_TEXT + 3 * MAX_ROWS);
    }
}
