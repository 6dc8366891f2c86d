//! Texts that are not compared in detail: too large, on one side only, or with almost nothing in
//! common. The beginning of each is shown.

use crate::diff_view::fit;
use crate::language::Language;
use crate::preview::markup::{Markup, Safe};
use diff::{Counts, in_both};
use text::fnv;

/// Each text needs this many sequences of three words to be judged by them.
const ENOUGH_TRIPLES: usize = 60;

/// Whether two texts have so little in common that they are better shown separately.
pub(super) fn is_little(counts: Counts) -> bool {
    let Counts { removed, added, .. } = counts;
    let is_enough_to_judge = removed > 0 && added > 0 && removed + added >= 20;
    is_enough_to_judge && counts.share_in_common() < 0.1
}

/// Whether two texts share less than one in fifty of their sequences of three words. Texts with few
/// spaces, such as Chinese, are never judged this way.
pub(super) fn are_unrelated(old: &str, new: &str) -> bool {
    let (old, new) = (word_triples(old), word_triples(new));
    if old.len().min(new.len()) < ENOUGH_TRIPLES {
        return false;
    }
    let common = in_both(&old, &new, |triple| *triple).count();
    // Two answers to one prompt share words and headings, but hardly any phrase.
    common * 50 < old.len().max(new.len())
}

/// Sorted hashes of every three consecutive words.
fn word_triples(text: &str) -> Vec<u64> {
    let words: Vec<u64> = text.split_whitespace().map(|word| fnv(0, word.bytes())).collect();
    let mut triples: Vec<u64> = Vec::with_capacity(words.len());
    for triple in words.windows(3) {
        triples.push(fnv(0, triple.iter().flat_map(|word| word.to_le_bytes())));
    }
    triples.sort_unstable();
    triples
}

/// Adds the beginning of each text; returns whether both are shown whole.
pub(super) fn write(old: Option<&str>, new: Option<&str>, room: usize, out: &mut Markup) -> bool {
    let mut most = room / 2;
    // Escaped text takes up to six times its bytes.
    while most > 0 {
        let (html, is_whole) = block([old, new], most, out.language());
        if html.as_str().len() <= room {
            out.safe(&html);
            return is_whole;
        }
        most = most * 2 / 3;
    }
    false
}

/// At most `most` bytes of each text, and whether that is everything.
fn block(sides: [Option<&str>; 2], most: usize, words: &Language) -> (Safe, bool) {
    let (mut html, mut is_whole) = (Markup::new(words), true);
    html.raw("<div class=\"b t\">");
    for (text, (open, close)) in sides.into_iter().zip([fit::REMOVED, fit::ADDED]) {
        let Some(text) = text else { continue };
        let (shown, left_out) = fit::head(text, most);
        html.wrap(open, shown, "");
        if left_out > 0 {
            html.raw("\n<i>").count(left_out, "more_byte").raw("</i>\n");
        }
        html.raw(close);
        is_whole &= left_out == 0;
    }
    html.raw("</div>");
    (html.finish(), is_whole)
}

#[cfg(test)]
mod tests {
    use super::{are_unrelated, is_little, write};
    use crate::preview::markup::Markup;
    use diff::Counts;

    #[test]
    fn little_in_common_needs_enough_to_judge() {
        let counts = |unchanged, removed, added| Counts { added, removed, unchanged };
        assert_eq!(counts(5, 5, 5).share_in_common(), 0.5);
        assert!(is_little(counts(1, 50, 50)));
        assert!(!is_little(counts(1, 5, 5)), "ten lines in all");
        assert!(!is_little(counts(0, 0, 100)), "nothing went");
    }

    #[test]
    fn unrelated_texts_share_hardly_three_words_in_a_row() {
        let text = |salt: usize| {
            let word = |at: usize| format!("w{} ", (at * 7_919 + salt * at * at) % 1_009);
            (0..400).map(word).collect::<String>()
        };
        assert!(are_unrelated(&text(1), &text(2)));
        assert!(!are_unrelated(&text(1), &format!("new beginning {}", text(1))));
        assert!(!are_unrelated("two words", "other words"), "too few to judge");
    }

    #[test]
    fn both_beginnings_stay_within_their_room_however_much_is_escaped() {
        for room in [100, 400, 3_000] {
            let text = "<&'>".repeat(2_000);
            let mut out = Markup::default();
            let is_whole = write(Some(&text), Some(&text), room, &mut out);
            assert!(!is_whole && out.len() <= room, "{room}: {}", out.len());
        }
        let mut out = Markup::default();
        assert!(write(None, Some("<b>"), 100, &mut out));
        assert_eq!(out.finish().as_str(), "<div class=\"b t\"><ins>&lt;b&gt;</ins></div>");
    }
}
