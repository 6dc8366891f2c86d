//! Lines side by side.
//!
//! One markup serves both views. A block of changed lines holds the removed ones in `del` and the
//! added ones in `ins`, each a list that starts with the number of its first line. The style sheet
//! puts the lists under each other or side by side. Within a block, both versions of a line have
//! the same position in their lists.

use crate::diff_view::fit::{self, FitPiece};
use crate::diff_view::room;
use crate::language::Language;
use crate::preview::markup::{Markup, Safe};
use diff::{Counts, DiffNote, LineDiff, LineEnding, Row, Span};

/// Lines per side in one block, so that some of several blocks can be shown.
const BLOCK_LINES: usize = 24;

/// Adds the rows of `diff` that fit into `room` bytes; returns whether all did. Folded lines can be
/// opened if there is room to spare; their text is that of `new`.
pub(super) fn write(diff: &LineDiff<'_>, new: &str, room: usize, out: &mut Markup) -> bool {
    let words = &out.language().clone();
    let mut builder = LineBuilder {
        words,
        waiting: (new.lines(), 1),
        unchanged: room::unchanged(room),
        line: (room / 4).clamp(120, 16 * 1024),
        block: (room / 6).max(240),
        pieces: Vec::new(),
        context: LineList::new(words),
        removed: LineList::new(words),
        added: LineList::new(words),
    };
    diff.rows.iter().for_each(|row| builder.add(row));
    builder.flush();
    fit::write(&builder.pieces, room, out, |counts, out| {
        out.wrap("<p class=\"f\">", &left_out(counts, words), "</p>");
    })
}

fn left_out(counts: Counts, words: &Language) -> String {
    fit::changed(counts, "diff.lines_left_out", "line", words)
}

struct LineBuilder<'w> {
    words: &'w Language,
    /// The lines of the newer side not yet passed, and the number of the first.
    waiting: (std::str::Lines<'w>, usize),
    /// Remaining bytes of folded lines that can be opened.
    unchanged: usize,
    line: usize,
    /// Most bytes of one block, so that some of several fit.
    block: usize,
    pieces: Vec<FitPiece>,
    context: LineList,
    removed: LineList,
    added: LineList,
}

/// A list of lines under construction.
struct LineList {
    html: Markup,
    lines: usize,
}

impl LineList {
    fn new(words: &Language) -> Self {
        Self { html: Markup::new(words), lines: 0 }
    }

    /// Returns the list so far and starts another.
    fn take(&mut self) -> Self {
        let next = Self::new(self.html.language());
        std::mem::replace(self, next)
    }

    /// Adds the line with this number, cut to `most` bytes.
    fn add(&mut self, number: usize, spans: &[Span<'_>], most: usize) {
        if self.lines == 0 {
            self.html.raw("<ol start=\"").number(number).raw("\">");
        }
        self.lines += 1;
        self.html.raw("<li>");
        let (mut left, mut left_out) = (most, 0);
        for span in spans {
            let (text, rest) = fit::head(span.text, left);
            left -= text.len();
            left_out += rest;
            match (span.changed, text) {
                (_, "") => {}
                (true, text) => drop(self.html.wrap("<b>", text, "</b>")),
                (false, text) => drop(self.html.text(text)),
            }
        }
        fit::cut("", left_out, 0, &mut self.html);
    }

    fn finish(mut self) -> Safe {
        self.html.raw("</ol>");
        self.html.finish()
    }
}

/// A line without marked changes.
fn whole(text: &str) -> [Span<'_>; 1] {
    [Span { text, changed: false }]
}

impl<'w> LineBuilder<'w> {
    fn add(&mut self, row: &Row<'_>) {
        match row {
            Row::Equal { new, text, .. } => {
                self.flush_change();
                self.context.add(*new, &whole(text), self.line);
                // A line of minified code is kilobytes long.
                if self.context.html.len() > self.block {
                    self.flush();
                }
            }
            Row::Removed { old, text } => {
                self.begin_change(true);
                self.removed.add(*old, &whole(text), self.line);
            }
            Row::Added { new, text } => {
                self.begin_change(true);
                self.added.add(*new, &whole(text), self.line);
            }
            Row::Changed(line) => {
                self.begin_change(false);
                self.removed.add(line.old, &line.removed, self.line);
                self.added.add(line.new, &line.added, self.line);
            }
            Row::Fold { new, lines, .. } => {
                self.flush();
                let text = self.folded(*new, *lines);
                self.pieces.push(fit::fold(&self.words.count(*lines, "unchanged_line"), text));
            }
            Row::Omitted(counts) => {
                self.flush();
                let piece = fit::fold(&left_out(*counts, self.words), None);
                let counts = Counts::changed(counts.removed, counts.added);
                self.pieces.push(FitPiece { counts, ..piece });
            }
        }
    }

    /// The folded lines from `number` on, if few enough to be opened.
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
        let mut list = LineList::new(self.words);
        for (at, text) in texts.into_iter().enumerate() {
            list.add(number + at, &whole(text), self.line);
        }
        Some(list.finish())
    }

    /// Ends the context, and a block that has grown large or in which both versions of a line would
    /// not have the same position.
    fn begin_change(&mut self, is_single: bool) {
        self.flush_context();
        let (removed, added) = (self.removed.lines, self.added.lines);
        let is_large = removed.max(added) >= BLOCK_LINES
            || self.removed.html.len() + self.added.html.len() > self.block;
        // The style sheet puts lines of the same position side by side.
        if is_large || (!is_single && removed != added) {
            self.flush_change();
        }
    }

    fn flush_context(&mut self) {
        let context = self.context.take();
        if context.lines > 0 {
            self.pieces.push(FitPiece::new(context.finish(), Counts::default()));
        }
    }

    fn flush_change(&mut self) {
        let (removed, added) = (self.removed.take(), self.added.take());
        let counts = Counts::changed(removed.lines, added.lines);
        if counts == Counts::default() {
            return;
        }
        let mut html = Markup::new(self.words);
        html.raw("<div class=\"b\">");
        for (list, (open, close)) in [(removed, fit::REMOVED), (added, fit::ADDED)] {
            if list.lines > 0 {
                html.raw(open).safe(&list.finish()).raw(close);
            }
        }
        html.raw("</div>");
        self.pieces.push(FitPiece::new(html.finish(), counts));
    }

    fn flush(&mut self) {
        self.flush_context();
        self.flush_change();
    }
}

/// Describes a difference besides the lines.
pub(super) fn note(note: DiffNote, words: &Language) -> String {
    match note {
        DiffNote::LineEndings { old, new } => {
            let [old, new] = [old, new].map(|ending| match ending {
                LineEnding::None => words.text("diff.no_line_ending"),
                LineEnding::Lf => "LF",
                LineEnding::CrLf => "CRLF",
                LineEnding::Mixed => words.text("diff.mixed_line_endings"),
            });
            words.fill("diff.line_endings", &[("old", &old), ("new", &new)])
        }
        DiffNote::FinalNewline { new } => {
            let key = if new { "diff.newline_added" } else { "diff.newline_removed" };
            words.text(key).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::language::Language;
    use crate::preview::markup::Markup;
    use diff::{Limits, lines};

    fn html(old: &str, new: &str, room: usize) -> String {
        let diff = lines(old, new, &Limits::default()).ok().unwrap();
        let mut out = Markup::default();
        write(&diff, new, room, &mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn pairs_have_the_same_position_in_both_lists() {
        let html_text = html("a\nx = 1 # <b>\nz", "a\nx = 2 # <b>\nnew\nz", 10_000);
        let expected = "<ol start=\"1\"><li>a</ol>\
            <div class=\"b\"><del><ol start=\"2\"><li>x = <b>1</b> # &lt;b&gt;</ol></del>\
            <ins><ol start=\"2\"><li>x = <b>2</b> # &lt;b&gt;<li>new</ol></ins></div>\
            <ol start=\"4\"><li>z</ol>";
        assert_eq!(html_text, expected);
    }

    #[test]
    fn unchanged_lines_fold_and_long_ones_are_cut() {
        let common = "same\n".repeat(20);
        let old = format!("{common}{}", "x".repeat(1_000));
        let html_text = html(&old, &format!("{common}y"), 800);
        let english = Language::default();
        assert!(html_text.contains(&english.count(17, "unchanged_line")), "{html_text}");
        assert!(html_text.contains(&english.count(800, "more_byte")), "{html_text}");
    }

    #[test]
    fn folded_lines_open_where_there_is_plenty_of_room() {
        let common: String = (1..30).map(|at| format!("{at}\r\n")).collect();
        let html_text =
            html(&format!("{common}x\n{common}x"), &format!("{common}y\n{common}y"), 40_000);
        let folded = |lines: usize| {
            let lines = Language::default().count(lines, "unchanged_line");
            format!("<details class=\"f\"><summary>{lines}</summary>")
        };
        let first = folded(26) + "<ol start=\"1\"><li>1<li>2<li>3<li>4";
        assert!(html_text.starts_with(&first), "{html_text}");
        let second = folded(23) + "<ol start=\"34\"><li>4<li>5<li>6";
        assert!(html_text.contains(&second), "{html_text}");
    }

    #[test]
    fn the_middle_is_left_out_when_there_is_no_room() {
        let text = |mark: &str| (0..400).map(|at| format!("{mark}{at}\n")).collect::<String>();
        let html_text = html(&text("old "), &text("new "), 2_000);
        assert!(html_text.len() < 2_200, "{}", html_text.len());
        let left_out = Language::default();
        let (_, left_out) = left_out.text("diff.lines_left_out").rsplit_once('}').expect("a place");
        assert!(html_text.contains(left_out), "{html_text}");
        assert!(html_text.contains("old 0") && html_text.contains("new 399"));
    }
}
