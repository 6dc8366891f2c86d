//! Lines beside each other.
//!
//! One markup serves both views. A block of changed lines holds the removed ones in `del` and the
//! added ones in `ins`, each a list that begins with the number of its first line; the style sheet
//! puts the two lists under each other or side by side. Within a block the lines that became each
//! other stand at the same place of both lists.

use crate::diff::{LineDiff, LineEnding, Note, Row, Span};
use crate::render::difference::budget;
use crate::render::difference::fit::{self, Counts, Piece};
use crate::render::language::Language;
use crate::render::preview::markup::{Markup, Safe};
use crate::text::tokens;

/// Lines of one side in one block at most, so that a part of many can be shown.
const MAX_BLOCK: usize = 24;

/// Adds the rows of `diff` that find room in `room` bytes; whether all did. Folded lines can be
/// opened where there is room to spare; their text is that of `new`.
pub(super) fn write(
    diff: &LineDiff<'_>,
    new: &str,
    words: &Language,
    room: usize,
    out: &mut Markup,
) -> bool {
    let mut builder = Builder::new(new, words, room);
    diff.rows.iter().for_each(|row| builder.add(row));
    let pieces = builder.finish();
    fit::write(&pieces, room, out, |counts, out| {
        out.wrap("<p class=\"f\">", &left_out(counts, words), "</p>");
    })
}

fn left_out(counts: Counts, words: &Language) -> String {
    let removed = words.count(counts.removed, "line");
    let added = tokens(counts.added as f64);
    words.fill("diff.lines_left_out", &[("removed", &removed), ("added", &added)])
}

/// The pieces of a comparison under construction.
struct Builder<'w> {
    words: &'w Language,
    /// The lines of the newer side that were not yet passed, and the number of the first.
    waiting: (std::str::Lines<'w>, usize),
    /// Bytes of folded lines that can still be opened.
    unchanged: usize,
    /// Bytes of one line at most.
    line: usize,
    /// Bytes of one block at most, so that some of several find room.
    block: usize,
    pieces: Vec<Piece>,
    context: Option<List>,
    removed: Option<List>,
    added: Option<List>,
}

/// A list of lines under construction.
struct List {
    html: Markup,
    lines: usize,
}

impl List {
    fn from(number: usize) -> Self {
        let mut html = Markup::default();
        html.raw("<ol start=\"").number(number).raw("\">");
        Self { html, lines: 0 }
    }

    fn line(&mut self) -> &mut Markup {
        self.lines += 1;
        self.html.raw("<li>")
    }
}

impl<'w> Builder<'w> {
    fn new(new: &'w str, words: &'w Language, room: usize) -> Self {
        Self {
            words,
            waiting: (new.lines(), 1),
            unchanged: budget::unchanged(room),
            line: (room / 4).clamp(120, 16 * 1024),
            block: (room / 6).max(240),
            pieces: Vec::new(),
            context: None,
            removed: None,
            added: None,
        }
    }

    fn add(&mut self, row: &Row<'_>) {
        match row {
            Row::Equal { new, text, .. } => self.equal(*new, text),
            Row::Removed { old, text } => {
                self.begin_change(true);
                self.removed(*old, &[Span { text, changed: false }]);
            }
            Row::Added { new, text } => {
                self.begin_change(true);
                self.added(*new, &[Span { text, changed: false }]);
            }
            Row::Changed(line) => {
                self.begin_change(false);
                self.removed(line.old, &line.removed);
                self.added(line.new, &line.added);
            }
            Row::Fold { new, lines, .. } => {
                self.flush();
                let label = self.words.count(*lines, "unchanged_line");
                let text = self.folded(*new, *lines);
                self.pieces.push(fit::fold(&label, text));
            }
            Row::Omitted(counts) => {
                self.flush();
                let counts = Counts { removed: counts.removed, added: counts.added };
                self.note(&left_out(counts, self.words), counts);
            }
        }
    }

    fn note(&mut self, text: &str, counts: Counts) {
        let mut html = Markup::default();
        html.wrap("<p class=\"f\">", text, "</p>");
        self.pieces.push(Piece::new(html.finish(), counts));
    }

    /// The folded lines from `number` on, where they are few enough to be opened.
    fn folded(&mut self, number: usize, lines: usize) -> Option<Safe> {
        if self.unchanged == 0 {
            return None;
        }
        let (waiting, at) = &mut self.waiting;
        let skipped = number.checked_sub(*at)?;
        let texts: Vec<&str> = waiting.skip(skipped).take(lines).collect();
        *at = number + lines;
        let bytes: usize = texts.iter().map(|text| text.len() + "<li>".len()).sum();
        self.unchanged = self.unchanged.checked_sub(bytes)?;
        let mut list = List::from(number);
        texts.into_iter().for_each(|text| self.text(text, list.line()));
        list.html.raw("</ol>");
        Some(list.html.finish())
    }

    fn equal(&mut self, number: usize, text: &str) {
        self.flush_change();
        let mut list = self.context.take().unwrap_or_else(|| List::from(number));
        self.text(text, list.line());
        let is_full = list.html.len() > self.block;
        self.context = Some(list);
        if is_full {
            self.flush();
        }
    }

    /// Ends what cannot go on: the context, and a block in which a pair would not stand at the
    /// same place of both lists, or that has grown large.
    fn begin_change(&mut self, is_single: bool) {
        self.flush_context();
        let lines = |list: &Option<List>| list.as_ref().map_or(0, |list| list.lines);
        let bytes = |list: &Option<List>| list.as_ref().map_or(0, |list| list.html.len());
        let (removed, added) = (lines(&self.removed), lines(&self.added));
        let is_large = removed.max(added) >= MAX_BLOCK
            || bytes(&self.removed) + bytes(&self.added) > self.block;
        if is_large || (!is_single && removed != added) {
            self.flush_change();
        }
    }

    fn removed(&mut self, number: usize, spans: &[Span<'_>]) {
        let mut list = self.removed.take().unwrap_or_else(|| List::from(number));
        self.spans(spans, list.line());
        self.removed = Some(list);
    }

    fn added(&mut self, number: usize, spans: &[Span<'_>]) {
        let mut list = self.added.take().unwrap_or_else(|| List::from(number));
        self.spans(spans, list.line());
        self.added = Some(list);
    }

    fn text(&self, text: &str, out: &mut Markup) {
        self.spans(&[Span { text, changed: false }], out);
    }

    /// A line in pieces, cut where it is longer than a line may be.
    fn spans(&self, spans: &[Span<'_>], out: &mut Markup) {
        let mut left = self.line;
        let mut left_out = 0;
        for span in spans {
            let (text, rest) = fit::head(span.text, left);
            left -= text.len();
            left_out += rest;
            match (span.changed, text) {
                (_, "") => {}
                (true, text) => drop(out.wrap("<b>", text, "</b>")),
                (false, text) => drop(out.text(text)),
            }
        }
        if left_out > 0 {
            let text = self.words.count(left_out, "more_byte");
            out.wrap(" <i>", &text, "</i>");
        }
    }

    fn flush_context(&mut self) {
        if let Some(mut list) = self.context.take() {
            list.html.raw("</ol>");
            let html = list.html.finish();
            self.pieces.push(Piece::new(html, Counts::default()));
        }
    }

    fn flush_change(&mut self) {
        let (removed, added) = (self.removed.take(), self.added.take());
        let lines = |list: &Option<List>| list.as_ref().map_or(0, |list| list.lines);
        let counts = Counts { removed: lines(&removed), added: lines(&added) };
        if counts == Counts::default() {
            return;
        }
        let mut html = Markup::default();
        html.raw("<div class=\"b\">");
        if let Some(list) = removed {
            html.raw("<del>").safe(&list.html.finish()).raw("</ol></del>");
        }
        if let Some(list) = added {
            html.raw("<ins>").safe(&list.html.finish()).raw("</ol></ins>");
        }
        html.raw("</div>");
        self.pieces.push(Piece::new(html.finish(), counts));
    }

    fn flush(&mut self) {
        self.flush_context();
        self.flush_change();
    }

    fn finish(mut self) -> Vec<Piece> {
        self.flush();
        self.pieces
    }
}

/// What differs besides the lines, in words.
pub(super) fn note(note: Note, words: &Language) -> String {
    match note {
        Note::LineEndings { old, new } => {
            let (old, new) = (ending(old, words), ending(new, words));
            words.fill("diff.line_endings", &[("old", &old), ("new", &new)])
        }
        Note::FinalNewline { new } => {
            let key = if new { "diff.newline_added" } else { "diff.newline_removed" };
            words.text(key).to_owned()
        }
    }
}

fn ending(ending: LineEnding, words: &Language) -> String {
    match ending {
        LineEnding::None => words.text("diff.no_line_ending").to_owned(),
        LineEnding::Lf => "LF".to_owned(),
        LineEnding::CrLf => "CRLF".to_owned(),
        LineEnding::Mixed => words.text("diff.mixed_line_endings").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::diff::{Limits, lines};
    use crate::render::language::Language;
    use crate::render::preview::markup::Markup;

    fn html(old: &str, new: &str, room: usize) -> String {
        let diff = lines(old, new, &Limits::default()).full().unwrap();
        let mut out = Markup::default();
        write(&diff, new, &Language::default(), room, &mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn pairs_stand_at_the_same_place_of_both_lists() {
        let found = html("a\nx = 1 # <b>\nz", "a\nx = 2 # <b>\nnew\nz", 10_000);
        let expected = "<ol start=\"1\"><li>a</ol>\
            <div class=\"b\"><del><ol start=\"2\"><li>x = <b>1</b> # &lt;b&gt;</ol></del>\
            <ins><ol start=\"2\"><li>x = <b>2</b> # &lt;b&gt;<li>new</ol></ins></div>\
            <ol start=\"4\"><li>z</ol>";
        assert_eq!(found, expected);
    }

    #[test]
    fn unchanged_lines_fold_and_long_ones_are_cut() {
        let common = "same\n".repeat(20);
        let old = format!("{common}{}", "x".repeat(1_000));
        let found = html(&old, &format!("{common}y"), 800);
        let english = Language::default();
        assert!(found.contains(&english.count(17, "unchanged_line")), "{found}");
        assert!(found.contains(&english.count(800, "more_byte")), "{found}");
    }

    #[test]
    fn folded_lines_open_where_there_is_plenty_of_room() {
        let common: String = (1..30).map(|at| format!("{at}\r\n")).collect();
        let found =
            html(&format!("{common}x\n{common}x"), &format!("{common}y\n{common}y"), 40_000);
        let folded = |lines: usize| {
            let lines = Language::default().count(lines, "unchanged_line");
            format!("<details class=\"f\"><summary>{lines}</summary>")
        };
        let first = folded(26) + "<ol start=\"1\"><li>1<li>2<li>3<li>4";
        assert!(found.starts_with(&first), "{found}");
        let second = folded(23) + "<ol start=\"34\"><li>4<li>5<li>6";
        assert!(found.contains(&second), "{found}");
    }

    #[test]
    fn the_middle_is_left_out_when_there_is_no_room() {
        let text = |mark: &str| (0..400).map(|at| format!("{mark}{at}\n")).collect::<String>();
        let found = html(&text("old "), &text("new "), 2_000);
        assert!(found.len() < 2_200, "{}", found.len());
        let left_out = Language::default();
        let (_, left_out) = left_out.text("diff.lines_left_out").rsplit_once('}').expect("a place");
        assert!(found.contains(left_out), "{found}");
        assert!(found.contains("old 0") && found.contains("new 399"));
    }
}
