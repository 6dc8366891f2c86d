//! What became of the files of two sides, one after the other.

use std::cell::Cell;

use crate::diff::{self, Compared, Counts, Cut, Limit, Reached};
use crate::difference::budget;
use crate::difference::{
    Changes, FileChange, FileState, Summary, apart, fit, json, lines, picture, prose, table,
};
use crate::files::Source;
use crate::language::Language;
use crate::preview::compared::{Comparable, Form, Picture, Stored, comparable};
use crate::preview::markup::{Markup, Safe};
use crate::text::{bytes, printable, tokens};

pub(crate) struct Tools<'t> {
    pub(crate) words: &'t Language,
    /// What the sides are called, the older one first.
    pub(crate) sides: [&'t str; 2],
    /// The address of a stored file from the page, given its content.
    pub(crate) href: &'t dyn Fn(&Stored, &[u8]) -> String,
    /// Choices of pictures so far on the page.
    pub(crate) pictures: &'t Cell<usize>,
}

/// Writes what became of the files, within `room` bytes.
pub(crate) fn files(changes: Changes<'_, '_>, tools: &Tools<'_>, room: usize) -> Safe {
    let (source, mut changes, mut out) = (changes.source(), changes, Markup::default());
    let (mut summary, mut unlisted, mut same) = (Summary::default(), 0, Vec::new());
    // What stands at the end needs room whatever came before.
    let mut left = room.saturating_sub(budget::FILE_HEAD.min(room / 4));
    while let Some(mut change) = changes.next() {
        summary.count(change.state);
        if change.state == FileState::Same {
            same.push(fit::head(&printable(change.name()), budget::FILE_NAME).0.to_owned());
            continue;
        }
        if unlisted > 0 {
            unlisted += 1;
            continue;
        }
        changes.read_alone(&mut change);
        let part = budget::part(left, changes.waiting() + 1);
        let mut html = section(&change, tools, source, part);
        if html.as_str().len() > left {
            html = section(&change, tools, source, 0);
        }
        if html.as_str().len() > left {
            unlisted += 1;
            continue;
        }
        left -= html.as_str().len();
        out.safe(&html);
    }
    end(&summary, unlisted, &same, tools.words, room.saturating_sub(out.len()), &mut out);
    out.finish()
}

/// Which files are the same, and how many found no room.
fn end(
    summary: &Summary,
    unlisted: usize,
    same: &[String],
    words: &Language,
    room: usize,
    out: &mut Markup,
) {
    let mut lines = Vec::new();
    if unlisted > 0 {
        lines.push(words.count(unlisted, "file_unlisted"));
    }
    if !same.is_empty() {
        let names =
            words.fill("diff.same_bytes", &[("names", &same.join(words.text("list.comma")))]);
        let short = words.count(summary.same, "file_same");
        lines.push(if names.len() < room / 2 { names } else { short });
    }
    if *summary == Summary::default() {
        lines.push(words.text("diff.no_files").to_owned());
    }
    for line in lines {
        out.wrap("<p class=\"counts\">", &line, "</p>");
    }
}

pub(crate) struct Outcome {
    /// In short, such as how much changed.
    pub(crate) remarks: Vec<String>,
    pub(crate) html: Safe,
}

/// What became of one file, within `room` bytes.
pub(crate) fn outcome(
    change: &FileChange<'_>,
    tools: &Tools<'_>,
    source: &dyn Source,
    room: usize,
) -> Outcome {
    let (body, _) = body(change, tools, source, room);
    Outcome { remarks: body.remarks, html: body.html.finish().clean(source) }
}

fn body<'c>(
    change: &'c FileChange<'_>,
    tools: &Tools<'_>,
    source: &dyn Source,
    room: usize,
) -> (Body, [Option<Comparable<'c>>; 2]) {
    let words = tools.words;
    let old = change.old.map(|_| comparable(change.name(), &change.old_content, source));
    let new = change.new.map(|_| comparable(change.name(), &change.new_content, source));
    let mut body = Body::default();
    match (change.state, &old, &new) {
        (FileState::Renamed, ..) => {
            let from = printable(change.old.map_or("", |output| &output.name));
            let from = fit::head(&from, budget::FILE_NAME).0;
            body.say(words.fill("diff.renamed", &[("from", &from)]));
        }
        (FileState::Unread, ..) => body.say(words.text("diff.unread").to_owned()),
        (_, Some(old), Some(new)) => {
            Pair { change, old, new, tools, room }.compare(&mut body);
        }
        (_, Some(only), None) | (_, None, Some(only)) => {
            one_side(change, only, words, room, &mut body);
        }
        _ => {}
    }
    if body.is_cut {
        body.say(words.text("diff.shown_in_part").to_owned());
    }
    (body, [old, new])
}

/// One file: its name, what became of it, links to the whole, and what changed in it.
fn section(change: &FileChange<'_>, tools: &Tools<'_>, source: &dyn Source, room: usize) -> Safe {
    let room = room.saturating_sub(budget::FILE_HEAD);
    let (body, [old, new]) = body(change, tools, source, room);
    let mut out = Markup::default();
    out.wrap(
        "<section class=\"x\"><h3>",
        fit::head(&printable(change.name()), budget::FILE_NAME).0,
        "</h3><p class=\"counts\">",
    );
    out.text(&body.remarks.join(tools.words.text("list.comma")));
    if change.state != FileState::Unread && change.state != FileState::Renamed {
        link(change.old_content.as_slice(), old.as_ref(), "diff.whole_before", tools, &mut out);
        link(change.new_content.as_slice(), new.as_ref(), "diff.whole_after", tools, &mut out);
    }
    out.raw("</p>").safe(&body.html.finish()).raw("</section>");
    out.finish()
}

fn link(
    content: &[u8],
    file: Option<&Comparable<'_>>,
    key: &'static str,
    tools: &Tools<'_>,
    out: &mut Markup,
) {
    let Some(file) = file else { return };
    let size = bytes(content.len() as u64);
    out.raw(" <a href=\"").text(&(tools.href)(&file.stored, content)).raw("\">");
    out.text(&tools.words.fill(key, &[("size", &size)])).raw("</a>");
}

/// A file that only one side has: its beginning.
fn one_side(
    change: &FileChange<'_>,
    file: &Comparable<'_>,
    words: &Language,
    room: usize,
    body: &mut Body,
) {
    let is_new = change.state == FileState::Added;
    body.say(words.text(if is_new { "diff.added" } else { "diff.removed" }).to_owned());
    let has_room = room >= budget::FILE_LEAST && file.form != Form::Picture;
    if let Some(text) = file.text.as_deref().filter(|text| has_room && !text.is_empty()) {
        let (old, new) = if is_new { (None, Some(text)) } else { (Some(text), None) };
        body.is_cut = !apart::write(old, new, words, room, &mut body.html);
    }
}

/// What is said and shown of one file.
#[derive(Default)]
struct Body {
    remarks: Vec<String>,
    html: Markup,
    is_cut: bool,
}

impl Body {
    fn say(&mut self, text: String) {
        self.remarks.push(text);
    }

    /// Says which limits made the comparison coarser.
    fn reached(&mut self, reached: &[Reached], words: &Language) {
        self.remarks.extend(reached.iter().map(|reached| limit(reached, words)));
    }
}

struct Pair<'p> {
    change: &'p FileChange<'p>,
    old: &'p Comparable<'p>,
    new: &'p Comparable<'p>,
    tools: &'p Tools<'p>,
    room: usize,
}

impl Pair<'_> {
    fn compare(&self, body: &mut Body) {
        let (old, new) = (self.old.text.as_deref(), self.new.text.as_deref());
        let form = if self.old.form == self.new.form { self.old.form } else { Form::Lines };
        let texts = old.zip(new);
        // Where only the beginnings find room, a comparison of unrelated texts is work for nothing.
        let is_narrow = self.room < budget::NARROW && !matches!(form, Form::Picture | Form::Bytes);
        if let Some((old, new)) = texts.filter(|_| is_narrow)
            && apart::are_unrelated(old, new)
        {
            body.say(self.tools.words.text("diff.unrelated").to_owned());
            return self.shown_apart(old, new, body);
        }
        match (form, texts) {
            (Form::Picture, _) => self.pictures(body),
            (Form::Bytes, _) | (_, None) => self.bytes(body),
            (Form::Prose, Some((old, new))) => self.prose(old, new, body),
            (Form::Json, Some((old, new))) => self.json(old, new, body),
            (Form::Table(separator), Some((old, new))) => self.table(old, new, separator, body),
            (Form::Lines, Some((old, new))) => self.lines(old, new, body),
        }
    }

    fn lines(&self, old: &str, new: &str, body: &mut Body) {
        let words = self.tools.words;
        let Some(diff) = self.full(diff::lines(old, new, &budget::limits(self.room)), body) else {
            return;
        };
        let counts = diff.counts;
        body.say(fit::changed(counts, "diff.lines_changed", "line", words));
        diff.notes.iter().for_each(|note| body.say(lines::note(*note, words)));
        body.reached(&diff.reached, words);
        if apart::is_little(counts) {
            self.apart(old, new, counts, "diff.lines_in_common", body);
        } else if counts.removed + counts.added > 0 {
            self.shown(body, |room, out| lines::write(&diff, new, words, room, out));
        }
    }

    fn prose(&self, old: &str, new: &str, body: &mut Body) {
        let words = self.tools.words;
        let Some(diff) = self.full(diff::words(old, new, &budget::limits(self.room)), body) else {
            return;
        };
        if diff.only_spacing {
            return body.say(words.text("diff.only_spacing").to_owned());
        }
        body.say(fit::changed(diff.counts, "diff.words_changed", "word", words));
        body.reached(&diff.reached, words);
        if apart::is_little(diff.counts) {
            self.apart(old, new, diff.counts, "diff.words_in_common", body);
        } else {
            self.shown(body, |room, out| prose::write(&diff, words, room, out));
        }
    }

    fn json(&self, old: &str, new: &str, body: &mut Body) {
        let words = self.tools.words;
        let Some(compared) = diff::json(old, new, &budget::limits(self.room)) else {
            return self.lines(old, new, body);
        };
        let Some(diff) = self.full(compared, body) else { return };
        if diff.changes.is_empty() {
            return body.say(words.text("diff.only_spelling").to_owned());
        }
        body.say(words.count(diff.changes.len() + diff.omitted, "changed_value"));
        body.reached(&diff.reached, words);
        self.shown(body, |room, out| json::write(&diff, words, room, out));
    }

    fn table(&self, old: &str, new: &str, separator: u8, body: &mut Body) {
        let words = self.tools.words;
        let Some(compared) = diff::table(old, new, separator, &budget::limits(self.room)) else {
            return self.lines(old, new, body);
        };
        let Some(diff) = self.full(compared, body) else { return };
        let removed = words.count(diff.counts.removed, "row");
        let added = tokens(diff.counts.added as f64);
        let cells = words.count(diff.counts.cells, "cell");
        body.say(words.fill(
            "diff.rows_changed",
            &[("removed", &removed), ("added", &added), ("cells", &cells)],
        ));
        body.reached(&diff.reached, words);
        self.shown(body, |room, out| table::write(&diff, words, room, out));
    }

    /// The comparison; without one the ends of both texts are shown.
    fn full<T>(&self, compared: Compared<'_, T>, body: &mut Body) -> Option<T> {
        let say_limit = |cut: &Cut<'_>| {
            let words = self.tools.words;
            body.say(limit(&cut.reason, words));
            self.shown(body, |room, out| {
                apart::write_ends(cut.old, cut.new, words, room, out);
                false
            });
        };
        compared.inspect_err(say_limit).ok()
    }

    fn pictures(&self, body: &mut Body) {
        let words = self.tools.words;
        let (Some(old), Some(new)) = (&self.old.picture, &self.new.picture) else {
            return self.bytes(body);
        };
        let (from, to) = (picture::size(old), picture::size(new));
        if from != to {
            body.say(format!("{from} → {to}"));
        }
        let number = self.tools.pictures.get();
        self.tools.pictures.set(number + 1);
        let at = |picture: &Picture, content: &[u8]| {
            (self.tools.href)(&picture.stored, picture.cleaned.as_deref().unwrap_or(content))
        };
        let hrefs = [at(old, &self.change.old_content), at(new, &self.change.new_content)];
        self.shown(body, |room, out| {
            let mut html = Markup::default();
            let name = printable(self.change.name());
            picture::write(&name, [old, new], &hrefs, (number, self.tools.sides), words, &mut html);
            let fits = html.len() <= room;
            if fits {
                out.safe(&html.finish());
            }
            fits
        });
    }

    /// Neither text nor picture: what tells the files apart.
    fn bytes(&self, body: &mut Body) {
        let (old, new) = (&self.old.stored.hash, &self.new.stored.hash);
        body.say(self.tools.words.fill("diff.other_bytes", &[("old", old), ("new", new)]));
    }

    /// Shows what finds room, where there is any to speak of.
    fn shown(&self, body: &mut Body, write: impl FnOnce(usize, &mut Markup) -> bool) {
        body.is_cut = self.room < budget::FILE_LEAST
            || !write(self.room - budget::FILE_LEAST / 2, &mut body.html);
    }

    fn apart(&self, old: &str, new: &str, counts: Counts, key: &str, body: &mut Body) {
        let share = self.tools.words.percent(counts.share_in_common());
        body.say(self.tools.words.fill(key, &[("share", &share)]));
        self.shown_apart(old, new, body);
    }

    fn shown_apart(&self, old: &str, new: &str, body: &mut Body) {
        self.shown(body, |room, out| {
            apart::write(Some(old), Some(new), self.tools.words, room, out)
        });
    }
}

fn limit(reached: &Reached, words: &Language) -> String {
    let key = match reached.limit {
        Limit::Bytes => "diff.limit_bytes",
        Limit::Items => "diff.limit_items",
        Limit::Cells => "diff.limit_cells",
        Limit::Columns => "diff.limit_columns",
        Limit::Depth => "diff.limit_depth",
        Limit::Pairs => "diff.limit_pairs",
        Limit::Block | Limit::BlockBytes | Limit::Words => "diff.limit_words",
        Limit::Rows => "diff.limit_rows",
    };
    let (found, allowed) = (tokens(reached.found as f64), tokens(reached.allowed as f64));
    words.fill(key, &[("found", &found), ("allowed", &allowed)])
}

#[cfg(test)]
mod tests {
    use super::limit;
    use crate::diff::{Limit, Reached};
    use crate::language::Language;

    #[test]
    fn a_limit_says_whether_anything_was_compared() {
        let english = Language::default();
        let remarks = |limit_: Limit| {
            let reached = Reached { limit: limit_, found: 3_868_890, allowed: 2_097_152 };
            limit(&reached, &english)
        };
        let (nothing, _) = english.text("diff.limit_bytes").split_once('{').expect("a place");
        for none in [Limit::Bytes, Limit::Items, Limit::Cells, Limit::Columns, Limit::Depth] {
            assert!(remarks(none).starts_with(nothing), "{}", remarks(none));
        }
        for some in [Limit::Pairs, Limit::Block, Limit::Words, Limit::Rows] {
            assert!(!remarks(some).contains(nothing), "{}", remarks(some));
        }
        let apart = crate::text::tokens(3_868_890.0);
        assert_ne!(apart, "3868890");
        assert!(remarks(Limit::Bytes).contains(&apart), "{}", remarks(Limit::Bytes));
    }
}
