//! Fits a comparison into its room: the first and the last pieces, counted in bytes of markup.

use crate::language::Language;
use crate::preview::markup::{Markup, Safe};
use diff::Counts;
use text::tokens;

/// A piece of a comparison that can be left out.
#[derive(Clone, Debug, Default)]
pub(super) struct FitPiece {
    pub(super) html: Safe,
    /// What is left out with this piece.
    pub(super) counts: Counts,
    /// The markup if there is room to spare: folded text can be opened.
    pub(super) open: Option<Safe>,
}

impl FitPiece {
    pub(super) fn new(html: Safe, counts: Counts) -> Self {
        Self { html, counts, open: None }
    }

    /// The markup that takes at most `spare` more bytes than the folded one.
    fn shown(&self, spare: &mut usize) -> &Safe {
        let Some(open) = &self.open else { return &self.html };
        let extra = open.as_str().len().saturating_sub(self.html.as_str().len());
        if extra > *spare {
            return &self.html;
        }
        *spare -= extra;
        open
    }
}

/// The replacement for folded unchanged text: only its `label`, or the `text` below it.
pub(super) fn fold(label: &str, text: Option<Safe>) -> FitPiece {
    let mut html = Markup::default();
    html.wrap("<p class=\"f\">", label, "</p>");
    let open = text.map(|text| {
        let mut open = Markup::default();
        open.wrap("<details class=\"f\"><summary>", label, "</summary>").safe(&text);
        open.raw("</details>");
        open.finish()
    });
    FitPiece { open, ..FitPiece::new(html.finish(), Counts::default()) }
}

/// Adds as many of the first and last pieces as fit into `room` bytes, two thirds of it for the
/// first ones. `gap` writes the replacement for those between. Returns whether all fit.
pub(super) fn write(
    pieces: &[FitPiece],
    room: usize,
    out: &mut Markup,
    gap: impl FnOnce(Counts, &mut Markup),
) -> bool {
    let (head, tail) = ends(pieces, room);
    let between = head..pieces.len() - tail;
    // Unfolded text must not take room from changes.
    let mut spare = if between.is_empty() { room - length(pieces) } else { 0 };
    for piece in &pieces[..between.start] {
        out.safe(piece.shown(&mut spare));
    }
    if !between.is_empty() {
        let mut counts = Counts::default();
        for piece in &pieces[between.clone()] {
            counts.removed += piece.counts.removed;
            counts.added += piece.counts.added;
        }
        gap(counts, out);
    }
    for piece in &pieces[between.end..] {
        out.safe(&piece.html);
    }
    between.is_empty()
}

/// Bytes of all pieces when folded.
fn length(pieces: &[FitPiece]) -> usize {
    pieces.iter().map(|piece| piece.html.as_str().len()).sum()
}

/// How many of the first and of the last pieces fit.
fn ends(pieces: &[FitPiece], room: usize) -> (usize, usize) {
    if length(pieces) <= room {
        return (pieces.len(), 0);
    }
    // Reviewers look at the end of an output as well as at its beginning.
    let (head, left) = fitting(pieces.iter(), room / 3 * 2);
    let (tail, _) = fitting(pieces[head..].iter().rev(), room / 3 + left);
    (head, tail)
}

/// How many of the next pieces fit into `room`, and what is left of it.
fn fitting<'p>(pieces: impl Iterator<Item = &'p FitPiece>, room: usize) -> (usize, usize) {
    let (mut count, mut left) = (0, room);
    for piece in pieces {
        let Some(rest) = left.checked_sub(piece.html.as_str().len()) else { break };
        (count, left) = (count + 1, rest);
    }
    (count, left)
}

/// Adds at most `most` bytes of `text`, and how many are left out, including `more`.
pub(super) fn cut(text: &str, more: usize, most: usize, out: &mut Markup) {
    let (shown, left_out) = head(text, most);
    out.text(shown);
    if left_out + more > 0 {
        out.raw(" <i>").count(left_out + more, "more_byte").raw("</i>");
    }
}

/// The opening and the closing tag around a text.
pub(super) type Mark = (&'static str, &'static str);

/// Around text that only the older or only the newer side has.
pub(super) const REMOVED: Mark = ("<del>", "</del>");
pub(super) const ADDED: Mark = ("<ins>", "</ins>");

/// How many of `thing` were removed and added, in the words under `key`.
pub(super) fn changed(counts: Counts, key: &str, thing: &str, words: &Language) -> String {
    let (removed, added) = (words.count(counts.removed, thing), tokens(counts.added as f64));
    words.fill(key, &[("removed", &removed), ("added", &added)])
}

/// At most `most` bytes of `text`, and how many bytes are left out.
pub(super) fn head(text: &str, most: usize) -> (&str, usize) {
    let cut = &text[..text.floor_char_boundary(most)];
    (cut, text.len() - cut.len())
}

#[cfg(test)]
mod tests {
    use super::{Counts, FitPiece, fold, head, write};
    use crate::preview::markup::Markup;

    fn piece(text: &str) -> FitPiece {
        let mut out = Markup::default();
        out.text(text);
        FitPiece::new(out.finish(), Counts::changed(1, 2))
    }

    fn written(room: usize) -> (String, bool) {
        let pieces: Vec<FitPiece> = ["aaaa", "bbbb", "cccc", "dddd"].map(piece).into();
        let mut out = Markup::default();
        let is_whole = write(&pieces, room, &mut out, |counts, out| {
            out.text(&format!("[{} {}]", counts.removed, counts.added));
        });
        (out.finish().as_str().to_owned(), is_whole)
    }

    #[test]
    fn first_and_last_pieces_stay() {
        assert_eq!(written(16), ("aaaabbbbccccdddd".to_owned(), true));
        assert_eq!(written(12), ("aaaabbbb[1 2]dddd".to_owned(), false));
        assert_eq!(written(6), ("aaaa[3 6]".to_owned(), false));
        assert_eq!(written(0), ("[4 8]".to_owned(), false));
        assert_eq!(head("會議", 4), ("會", 3));
    }

    #[test]
    fn a_fold_opens_only_where_there_is_room_to_spare() {
        let written = |room: usize| {
            let mut text = Markup::default();
            text.text("unchanged");
            let pieces = [piece("aaaa"), fold("1 line", Some(text.finish())), piece("bbbb")];
            let mut out = Markup::default();
            let is_whole = write(&pieces, room, &mut out, |_, out| {
                out.raw("[]");
            });
            (out.finish().as_str().to_owned(), is_whole)
        };
        let closed = "aaaa<p class=\"f\">1 line</p>bbbb";
        let open = "aaaa<details class=\"f\"><summary>1 line</summary>unchanged</details>bbbb";
        assert_eq!(written(open.len()), (open.to_owned(), true));
        assert_eq!(written(open.len() - 1), (closed.to_owned(), true));
        assert!(!written(closed.len() - 1).1);
    }
}
