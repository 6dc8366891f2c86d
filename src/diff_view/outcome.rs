//! The outcome for the files of two sides, one after another.

use std::cell::Cell;
use std::fmt::Display;

use crate::diff_view::{
    FileChange, FileChanges, FileState, apart, fit, lines, picture, prose, rendered, room, table,
};
use crate::language::Language;
use crate::preview::compared::{Comparable, Form, Picture, StoredName, comparable};
use crate::preview::markup::{Markup, Safe};
use diff::{self, Counts, LimitHit, LimitKind};
use text::{bytes, printable, tokens};

pub(crate) struct DiffContext<'t> {
    pub(crate) words: &'t Language,
    /// The names of the sides, the older one first.
    pub(crate) sides: [&'t str; 2],
    /// Returns the address of a stored file from the page.
    pub(crate) href: &'t dyn Fn(&StoredName, &[u8]) -> String,
    /// Number of picture choices on the page so far.
    pub(crate) pictures: &'t Cell<usize>,
}

/// Writes the outcome of all files, within `room` bytes.
pub(crate) fn files(
    mut changes: FileChanges<'_, '_>,
    context: &DiffContext<'_>,
    room: usize,
) -> Safe {
    let mut out = Markup::new(context.words);
    let (mut files, mut equal, mut unlisted, mut same) = (0, 0, 0, Vec::new());
    // The lines at the end need room in any case.
    let mut left = room.saturating_sub(room::FILE_HEAD.min(room / 4));
    while let Some(mut change) = changes.next() {
        files += 1;
        equal += usize::from(matches!(change.state, FileState::Same | FileState::Renamed));
        if change.state == FileState::Same {
            same.push(fit::head(&printable(change.name()), room::FILE_NAME).0.to_owned());
            continue;
        }
        // A small file after one that found no room would break the order.
        if unlisted > 0 {
            unlisted += 1;
            continue;
        }
        changes.read_alone(&mut change);
        let share = room::share(left, changes.waiting() + 1);
        let mut html = section(&change, context, share);
        // Escaped text may be longer than its share; then only the name and the links are kept.
        if html.as_str().len() > left {
            html = section(&change, context, 0);
        }
        if html.as_str().len() > left {
            unlisted += 1;
            continue;
        }
        left -= html.as_str().len();
        out.safe(&html);
    }
    let left = room.saturating_sub(out.len());
    if unlisted > 0 {
        add_line(&context.words.count(unlisted, "file_unlisted"), &mut out);
    }
    if !same.is_empty() {
        let names = context.words.list(same);
        let mut line = context.words.fill("diff.same_bytes", &[("names", &names)]);
        if line.len() >= left / 2 {
            line = context.words.count(equal, "file_same");
        }
        add_line(&line, &mut out);
    }
    if files == 0 {
        add_line(context.words.text("diff.no_files"), &mut out);
    }
    out.finish()
}

fn add_line(text: &str, out: &mut Markup) {
    out.wrap("<p class=\"counts\">", text, "</p>");
}

pub(crate) struct ComparedFile {
    /// Short remarks, such as how much changed.
    pub(crate) remarks: Vec<String>,
    pub(crate) html: Safe,
}

/// The outcome of one file, within `room` bytes.
pub(crate) fn outcome(
    change: &FileChange<'_>,
    context: &DiffContext<'_>,
    room: usize,
) -> ComparedFile {
    let (body, _) = Body::new(change, context, room);
    ComparedFile { remarks: body.remarks, html: body.html.finish() }
}

/// One file: its name, remarks, links to the whole file, and its changes.
fn section(change: &FileChange<'_>, context: &DiffContext<'_>, room: usize) -> Safe {
    let room = room.saturating_sub(room::FILE_HEAD);
    let (body, files) = Body::new(change, context, room);
    let mut out = Markup::new(context.words);
    out.wrap(
        "<section class=\"x\"><h3>",
        fit::head(&printable(change.name()), room::FILE_NAME).0,
        "</h3><p class=\"counts\">",
    );
    out.text(&body.remarks.join(context.words.text("list.semicolon")));
    if change.state != FileState::Unread && change.state != FileState::Renamed {
        let contents = [&change.old_content, &change.new_content];
        let keys = ["diff.whole_before", "diff.whole_after"];
        for ((file, content), key) in files.iter().zip(contents).zip(keys) {
            let Some(file) = file else { continue };
            out.raw(" <a href=\"").text(&(context.href)(&file.stored, content)).raw("\">");
            out.words(key, &[("size", &bytes(content.len() as u64))]).raw("</a>");
        }
    }
    out.raw("</p>").safe(&body.html.finish()).raw("</section>");
    out.finish()
}

/// The remarks and the markup of one file.
struct Body<'t> {
    context: &'t DiffContext<'t>,
    words: &'t Language,
    /// Limit for the markup in bytes.
    room: usize,
    remarks: Vec<String>,
    html: Markup,
    is_cut: bool,
}

impl<'t> Body<'t> {
    /// The body for a file, and the file on both sides.
    fn new<'c>(
        change: &'c FileChange<'_>,
        context: &'t DiffContext<'t>,
        room: usize,
    ) -> (Self, [Option<Comparable<'c>>; 2]) {
        let (words, html) = (context.words, Markup::new(context.words));
        let mut body = Self { context, words, room, remarks: Vec::new(), html, is_cut: false };
        let name = change.name();
        let old = change.old.map(|_| comparable(name, &change.old_content));
        let new = change.new.map(|_| comparable(name, &change.new_content));
        match (change.state, &old, &new) {
            (FileState::Renamed, ..) => {
                let from = printable(change.old.map_or("", |output| &output.name));
                let from = fit::head(&from, room::FILE_NAME).0;
                body.say(words.fill("diff.renamed", &[("from", &from)]));
            }
            (FileState::Unread, ..) => body.say_word("diff.unread"),
            (_, Some(old), Some(new)) => body.compare(change, old, new),
            (_, Some(file), None) | (_, None, Some(file)) => body.one_side(file, old.is_none()),
            _ => {}
        }
        if body.is_cut {
            body.say_word("diff.shown_in_part");
        }
        (body, [old, new])
    }

    fn say(&mut self, text: String) {
        self.remarks.push(text);
    }

    fn say_word(&mut self, key: &str) {
        self.say(self.words.text(key).to_owned());
    }

    /// Adds a remark for each limit that made the comparison coarser.
    fn say_limits(&mut self, reached: &[LimitHit]) {
        self.remarks.extend(reached.iter().map(|reached| limit(reached, self.words)));
    }

    /// A file that only one side has: its beginning.
    fn one_side(&mut self, file: &Comparable<'_>, is_new: bool) {
        self.say_word(if is_new { "diff.added" } else { "diff.removed" });
        let has_room = self.room >= room::LEAST && file.form != Form::Picture;
        if let Some(text) = file.text.as_deref().filter(|text| has_room && !text.is_empty()) {
            let (old, new) = if is_new { (None, Some(text)) } else { (Some(text), None) };
            self.is_cut = !apart::write(old, new, self.room, &mut self.html);
        }
    }

    fn compare(&mut self, change: &FileChange<'_>, old: &Comparable<'_>, new: &Comparable<'_>) {
        // The same name may hold a list in one run and JSON in the next.
        let form = if old.form == new.form { old.form } else { Form::Lines };
        let texts = old.text.as_deref().zip(new.text.as_deref());
        // Where only beginnings fit, comparing unrelated texts is wasted work.
        let is_narrow = self.room < room::NARROW && !matches!(form, Form::Picture | Form::Bytes);
        if let Some((old, new)) = texts.filter(|_| is_narrow)
            && apart::are_unrelated(old, new)
        {
            self.say_word("diff.unrelated");
            return self.show(|room, out| apart::write(Some(old), Some(new), room, out));
        }
        match (form, texts, old.picture.as_ref().zip(new.picture.as_ref())) {
            (Form::Picture, _, Some((old, new))) => self.pictures(change, old, new),
            // Neither text nor picture: show what tells the files apart.
            (Form::Picture | Form::Bytes, ..) | (_, None, _) => {
                let (old, new) = (&old.stored.hash, &new.stored.hash);
                self.say(self.words.fill("diff.other_bytes", &[("old", old), ("new", new)]));
            }
            (Form::Prose | Form::Markdown, Some((old, new)), _) => self.prose(old, new, form),
            (Form::Json, Some((old, new)), _) => self.json(old, new),
            (Form::Table(separator), Some((old, new)), _) => self.table(old, new, separator),
            (Form::Lines, Some((old, new)), _) => self.lines(old, new),
        }
    }

    fn lines(&mut self, old: &str, new: &str) {
        let diff = match diff::lines(old, new, &room::limits(self.room)) {
            Ok(diff) => diff,
            Err(reason) => return self.show_beginnings(old, new, reason),
        };
        let counts = diff.counts;
        self.say(fit::changed(counts, "diff.lines_changed", "line", self.words));
        diff.notes.iter().for_each(|note| self.say(lines::note(*note, self.words)));
        self.say_limits(&diff.reached);
        // Two versions written from scratch share a few braces; pairing them shows nothing.
        if apart::is_little(counts) {
            self.show_apart(old, new, counts, "diff.lines_in_common");
        } else if counts.removed + counts.added > 0 {
            self.show(|room, out| lines::write(&diff, new, room, out));
        }
    }

    fn prose(&mut self, old: &str, new: &str, form: Form) {
        let diff = match diff::words(old, new, &room::limits(self.room)) {
            Ok(diff) => diff,
            Err(reason) => return self.show_beginnings(old, new, reason),
        };
        if diff.only_spacing {
            return self.say_word("diff.only_spacing");
        }
        self.say(fit::changed(diff.counts, "diff.words_changed", "word", self.words));
        self.say_limits(&diff.reached);
        if apart::is_little(diff.counts) {
            self.show_apart(old, new, diff.counts, "diff.words_in_common");
        } else {
            self.show(|room, out| {
                if form == Form::Markdown
                    && let Some(aligned) = rendered::markdown(old, new, room, out.language())
                {
                    out.safe(&aligned);
                    return true;
                }
                prose::write(&diff, room, out)
            });
        }
    }

    /// JSON by lines of its canonical form, so that neither the order of keys nor indentation is a
    /// change.
    fn json(&mut self, old: &str, new: &str) {
        let limits = room::limits(self.room);
        let canonical = [old, new].map(|text| diff::canonical_json(text, &limits));
        match canonical {
            [Some(old), Some(new)] if old == new => self.say_word("diff.only_spelling"),
            [Some(old), Some(new)] => self.lines(&old, &new),
            _ => self.lines(old, new),
        }
    }

    fn table(&mut self, old: &str, new: &str, separator: u8) {
        let diff = match diff::table(old, new, separator, &room::limits(self.room)) {
            Ok(Some(diff)) => diff,
            Ok(None) => return self.lines(old, new),
            Err(reason) => return self.show_beginnings(old, new, reason),
        };
        let removed = self.words.count(diff.counts.removed, "row");
        let added = tokens(diff.counts.added as f64);
        let cells = self.words.count(diff.counts.cells, "cell");
        let places: [(&str, &dyn Display); 3] =
            [("removed", &removed), ("added", &added), ("cells", &cells)];
        self.say(self.words.fill("diff.rows_changed", &places));
        self.say_limits(&diff.reached);
        self.show(|room, out| table::write(&diff, room, out));
    }

    /// Shows two texts that are too large to compare, from the first line in which they differ.
    fn show_beginnings(&mut self, old: &str, new: &str, reason: LimitHit) {
        self.say(limit(&reason, self.words));
        let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let same = &old.as_bytes()[..same];
        let start = same.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (old, new) = (&old[start..], &new[start..]);
        self.show(|room, out| apart::write(Some(old), Some(new), room, out));
    }

    fn pictures(&mut self, change: &FileChange<'_>, old: &Picture, new: &Picture) {
        let (from, to) = (picture::size(old), picture::size(new));
        if from != to {
            self.say(format!("{from} → {to}"));
        }
        let DiffContext { href, pictures, sides, .. } = self.context;
        let number = pictures.replace(pictures.get() + 1);
        let pictures = [(old, &change.old_content, 0), (new, &change.new_content, 1)].map(
            |(picture, content, side)| picture::PictureSide {
                picture,
                href: href(&picture.stored, picture.cleaned.as_deref().unwrap_or(content)),
                side: sides[side],
            },
        );
        self.show(|room, out| {
            let mut html = Markup::new(out.language());
            picture::write(&printable(change.name()), &pictures, number, &mut html);
            let fits = html.len() <= room;
            if fits {
                out.safe(&html.finish());
            }
            fits
        });
    }

    /// Shows what fits, if there is enough room to show anything.
    fn show(&mut self, write: impl FnOnce(usize, &mut Markup) -> bool) {
        self.is_cut =
            self.room < room::LEAST || !write(self.room - room::LEAST / 2, &mut self.html);
    }

    /// Shows the beginnings of two texts that have little in common.
    fn show_apart(&mut self, old: &str, new: &str, counts: Counts, key: &str) {
        let share = self.words.percent(counts.share_in_common());
        self.say(self.words.fill(key, &[("share", &share)]));
        self.show(|room, out| apart::write(Some(old), Some(new), room, out));
    }
}

fn limit(reached: &LimitHit, words: &Language) -> String {
    let key = match reached.limit {
        LimitKind::Bytes => "diff.limit_bytes",
        LimitKind::Items => "diff.limit_items",
        LimitKind::Work => return words.text("diff.limit_work").to_owned(),
        LimitKind::Rows => "diff.limit_rows",
    };
    let (found, allowed) = (tokens(reached.found as f64), tokens(reached.allowed as f64));
    words.fill(key, &[("found", &found), ("allowed", &allowed)])
}

#[cfg(test)]
mod tests {
    use super::limit;
    use crate::language::Language;
    use diff::{LimitHit, LimitKind};

    #[test]
    fn a_limit_says_whether_anything_was_compared() {
        let english = Language::default();
        let remarks = |limit_: LimitKind| {
            let reached = LimitHit { limit: limit_, found: 3_868_890, allowed: 2_097_152 };
            limit(&reached, &english)
        };
        let (nothing, _) = english.text("diff.limit_bytes").split_once('{').expect("a place");
        assert!(remarks(LimitKind::Items).starts_with(nothing));
        assert!(!remarks(LimitKind::Work).contains(nothing));
        assert!(!remarks(LimitKind::Rows).contains(nothing));
        let apart = text::tokens(3_868_890.0);
        assert_ne!(apart, "3868890");
        assert!(remarks(LimitKind::Bytes).contains(&apart), "{}", remarks(LimitKind::Bytes));
    }
}
