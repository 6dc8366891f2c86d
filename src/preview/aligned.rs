//! Finished markup taken apart and put together again, so that two versions of an output are shown side by side:
//! each block beside the one that it was, with changed words marked.
//!
//! As with quotations, only text is wrapped, and every tag comes from the markup itself. So one way serves
//! Markdown, tables, office files, slides and the text of pages.

use std::ops::Range;

use crate::preview::evidence::segments;
use crate::preview::markup::Safe;
use crate::preview::plain::{INLINE, PlainText, Tag, tag_name, tags_of};

/// What stands for a row that only the other side has.
const HOLE: &str = "<tr class=\"hole\"><td colspan=\"";

/// The markup of a side in parts that can be aligned with those of the other side.
pub(crate) struct Blocks<'m> {
    html: &'m str,
    plain: PlainText,
    tags: Vec<Tag<'m>>,
    parts: Vec<Part>,
}

impl Tag<'_> {
    /// Whether it has no end tag in our markup: elements without content, those whose end tags it leaves
    /// out, and those around them that hold nothing else.
    fn is_open(&self) -> bool {
        matches!(self.name, "br" | "hr" | "img" | "wbr")
            || matches!(self.name, "li" | "tr" | "td" | "th" | "thead" | "tbody" | "caption")
    }
}

/// A block, an item of a list or a table.
struct Part {
    html: Range<usize>,
    /// Its place in the text.
    text: Range<usize>,
    /// The start tags of the elements around it, from the outside.
    around: Vec<Range<usize>>,
    /// Its position among the items of its list.
    item: usize,
    /// The rows of a table below its head.
    rows: Vec<TableRow>,
    columns: usize,
}

struct TableRow {
    html: Range<usize>,
    text: Range<usize>,
}

/// Which element marks the changed words of a side, and the class of rows that only it has.
#[derive(Clone, Copy)]
struct SideMark {
    element: &'static str,
    row: &'static str,
}

/// Of the old and the new side.
const MARKS: [SideMark; 2] =
    [SideMark { element: "del", row: "gone" }, SideMark { element: "ins", row: "new" }];

/// A part to be written, with what changed in it.
pub(crate) struct AlignedPart<'c> {
    pub(crate) part: usize,
    /// Places in the text.
    pub(crate) changed: Vec<Range<usize>>,
    /// The rows of a table on this side, and whether the other side has each.
    pub(crate) rows: &'c [(Option<usize>, bool)],
}

impl<'m> Blocks<'m> {
    pub(crate) fn new(html: &'m Safe) -> Self {
        let html = html.as_str();
        let tags = tags_of(html);
        let mut blocks =
            Self { html, plain: PlainText::between(html, &tags), tags, parts: Vec::new() };
        blocks.split(0..blocks.tags.len(), 0..html.len(), &[]);
        blocks
    }

    pub(crate) fn text(&self) -> &str {
        &self.plain.text
    }

    /// The places of the parts in the text.
    pub(crate) fn places(&self) -> Vec<Range<usize>> {
        self.parts.iter().map(|part| part.text.clone()).collect()
    }

    /// The places of the rows of a part in the text; empty unless it is a table.
    pub(crate) fn rows(&self, part: usize) -> Vec<Range<usize>> {
        self.parts[part].rows.iter().map(|row| row.text.clone()).collect()
    }

    /// Whether two parts are elements of the same name, so that one can take the place of the other.
    pub(crate) fn is_like(&self, part: usize, other: &Blocks<'_>, of_other: usize) -> bool {
        let name = |side: &Blocks<'_>, part: usize| {
            let tag = &side.html[side.parts[part].html.clone()];
            if tag.starts_with('<') { tag_name(tag).to_owned() } else { String::new() }
        };
        name(self, part) == name(other, of_other)
    }

    /// Whether there is nothing to read in a part, such as in a rule.
    pub(crate) fn is_blank(&self, part: usize) -> bool {
        self.plain.text[self.parts[part].text.clone()].trim().is_empty()
    }

    fn name(&self, tag: usize) -> &'m str {
        self.tags[tag].name
    }

    /// Takes the content at `html` apart, which has these `tags`.
    fn split(&mut self, tags: Range<usize>, html: Range<usize>, around: &[Range<usize>]) {
        let (mut at, mut loose) = (tags.start, html.start);
        while at < tags.end {
            let name = self.name(at);
            if INLINE.contains(&name) || name == "br" || name == "img" || self.tags[at].is_end {
                at += 1;
                continue;
            }
            let last = self.end_of(at, tags.end);
            let (start, end) = (self.tags[at].html.start, self.tags[last].html.end);
            self.add(loose..start, around);
            self.element(at, last, around);
            (at, loose) = (last + 1, end);
        }
        self.add(loose..html.end, around);
    }

    /// The index of the end tag of the element that begins at a tag; the tag itself if it has none.
    fn end_of(&self, start: usize, limit: usize) -> usize {
        let mut depth = 0;
        for at in start..limit {
            if self.tags[at].is_open() {
                if at == start {
                    return start;
                }
                continue;
            }
            if !self.tags[at].is_end {
                depth += 1;
                continue;
            }
            depth -= 1;
            if depth <= 0 {
                return at;
            }
        }
        limit - 1
    }

    fn element(&mut self, first: usize, last: usize, around: &[Range<usize>]) {
        let (tag, end) = (self.tags[first].html.clone(), self.tags[last].html.clone());
        let is_list =
            matches!(self.name(first), "ul" | "ol") && !self.html[tag.clone()].contains("json");
        let is_wide = self.html[tag.clone()].starts_with("<div class=\"wide\"");
        if first == last {
            self.add(tag.start..end.end, around);
        } else if is_list {
            let within = [around, std::slice::from_ref(&tag)].concat();
            self.items(first + 1..last, tag.end..end.start, &within);
        } else if is_wide || self.name(first) == "table" {
            self.add(tag.start..end.end, around);
            self.table(first, last);
        } else if self.name(first) == "div" {
            let within = [around, std::slice::from_ref(&tag)].concat();
            self.split(first + 1..last, tag.end..end.start, &within);
        } else {
            self.add(tag.start..end.end, around);
        }
    }

    /// The items of a list, each with its tag.
    fn items(&mut self, tags: Range<usize>, html: Range<usize>, around: &[Range<usize>]) {
        let starts = self.starts("li", tags);
        for (item, start) in starts.iter().enumerate() {
            let end = starts.get(item + 1).copied().unwrap_or(html.end);
            let known = self.parts.len();
            self.add(*start..end, around);
            if let Some(part) = self.parts.get_mut(known) {
                part.item = item;
            }
        }
    }

    /// Where the elements of this name begin that are not in another list or table.
    fn starts(&self, wanted: &str, tags: Range<usize>) -> Vec<usize> {
        let (mut depth, mut starts) = (0, Vec::new());
        for at in tags {
            match self.name(at) {
                name if name == wanted && depth == 0 && !self.tags[at].is_end => {
                    starts.push(self.tags[at].html.start);
                }
                "ul" | "ol" | "table" if self.tags[at].is_end => depth -= 1,
                "ul" | "ol" | "table" => depth += 1,
                _ => {}
            }
        }
        starts
    }

    /// Finds the rows of the table that was added last, which has these tags.
    fn table(&mut self, first: usize, last: usize) {
        let Some(table) = (first..last).find(|at| self.name(*at) == "table") else { return };
        let end = self.end_of(table, last + 1);
        let body = (table..end).find(|at| self.name(*at) == "thead" && self.tags[*at].is_end);
        let mut starts = self.starts("tr", body.unwrap_or(table + 1)..end);
        let closing =
            (table..=end).rev().take_while(|at| matches!(self.name(*at), "table" | "tbody"));
        let Some(closing) = closing.last() else { return };
        let cells = (table..end).filter(|at| !self.tags[*at].is_end);
        let rows_before = cells.clone().filter(|at| self.name(*at) == "tr").count().max(1);
        let cells = cells.filter(|at| matches!(self.name(*at), "td" | "th")).count();
        starts.push(self.tags[closing].html.start);
        let rows = starts.windows(2).map(|two| two[0]..two[1]);
        let rows = rows.map(|html| TableRow { text: self.text_of(&html), html }).collect();
        if let Some(part) = self.parts.last_mut() {
            (part.rows, part.columns) = (rows, (cells / rows_before).max(1));
        }
    }

    /// Adds a part unless it is only white space.
    fn add(&mut self, html: Range<usize>, around: &[Range<usize>]) {
        if self.html[html.clone()].trim().is_empty() {
            return;
        }
        let text = self.text_of(&html);
        let around = around.to_vec();
        self.parts.push(Part { html, text, around, item: 0, rows: Vec::new(), columns: 0 });
    }

    /// The place of the text of this markup.
    fn text_of(&self, html: &Range<usize>) -> Range<usize> {
        let pieces = &self.plain.pieces;
        let first = pieces.partition_point(|piece| piece.html.start < html.start);
        let end = pieces.partition_point(|piece| piece.html.start < html.end);
        let at = |piece: usize| pieces.get(piece).map_or(self.plain.text.len(), |at| at.text.start);
        at(first)..at(end)
    }

    /// The markup of these parts of the old side (0) or the new one (1), with their changes marked.
    pub(crate) fn write(&self, side: usize, parts: &[AlignedPart<'_>]) -> Safe {
        let (mut out, mut open): (String, &[Range<usize>]) = (String::new(), &[]);
        for shown in parts {
            let part = &self.parts[shown.part];
            let common = open.iter().zip(&part.around).take_while(|(a, b)| a == b).count();
            self.close(&open[common..], &mut out);
            for tag in &part.around[common..] {
                self.open(tag, part, &mut out);
            }
            open = &part.around;
            self.write_part(part, shown, MARKS[side], &mut out);
        }
        self.close(open, &mut out);
        Safe::rearranged(out)
    }

    fn open(&self, tag: &Range<usize>, part: &Part, out: &mut String) {
        let tag = &self.html[tag.clone()];
        if part.item == 0 || !tag.starts_with("<ol") {
            out.push_str(tag);
            return;
        }
        // A list goes on where the row before left it.
        let (rest, first) = match tag.split_once(" start=\"") {
            Some((rest, number)) => {
                (rest, number.trim_end_matches(['"', '>']).parse().unwrap_or(1))
            }
            None => (tag.trim_end_matches('>'), 1),
        };
        out.push_str(&format!("{rest} start=\"{}\">", first + part.item));
    }

    fn close(&self, open: &[Range<usize>], out: &mut String) {
        for tag in open.iter().rev() {
            out.extend(["</", tag_name(&self.html[tag.clone()]), ">"]);
        }
    }

    fn write_part(&self, part: &Part, shown: &AlignedPart<'_>, mark: SideMark, out: &mut String) {
        let (Some(first), Some(last)) = (part.rows.first(), part.rows.last()) else {
            return self.write_marked(part.html.clone(), &shown.changed, mark, out);
        };
        self.write_marked(part.html.start..first.html.start, &shown.changed, mark, out);
        for (row, has_other) in shown.rows {
            let Some(row) = row.map(|row| &part.rows[row]) else {
                out.push_str(&format!("{HOLE}{}\"></td></tr>", part.columns));
                continue;
            };
            let mut html = row.html.clone();
            let differs = !overlapping(&shown.changed, &row.text).is_empty();
            if (!has_other || differs) && self.html[html.clone()].starts_with("<tr>") {
                let class = if *has_other { "changed" } else { mark.row };
                out.extend(["<tr class=\"", class, "\">"]);
                html.start += "<tr>".len();
            }
            self.write_marked(html, &shown.changed, mark, out);
        }
        self.write_marked(last.html.end..part.html.end, &shown.changed, mark, out);
    }

    /// The markup at `html` with the changed words in it marked.
    fn write_marked(
        &self,
        html: Range<usize>,
        changed: &[Range<usize>],
        mark: SideMark,
        out: &mut String,
    ) {
        let mut done = html.start;
        for place in overlapping(changed, &self.text_of(&html)) {
            for segment in segments(self.html, &self.plain, place) {
                if segment.start < done || segment.end > html.end {
                    continue;
                }
                out.push_str(&self.html[done..segment.start]);
                let text = &self.html[segment.clone()];
                out.extend(["<", mark.element, ">", text, "</", mark.element, ">"]);
                done = segment.end;
            }
        }
        out.push_str(&self.html[done..html.end]);
    }
}

/// Those of `places`, which are in order and apart, that have some of the text at `range`.
pub(crate) fn overlapping<'p>(
    places: &'p [Range<usize>],
    range: &Range<usize>,
) -> &'p [Range<usize>] {
    let first = places.partition_point(|place| place.end <= range.start);
    let past = places.partition_point(|place| place.start < range.end);
    places.get(first..past).unwrap_or_default()
}
