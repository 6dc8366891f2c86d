//! Limits the size of a page, whatever the input.
//!
//! The data of a page is measured before it is rendered. If it would exceed [`PAGE`], its lists and
//! texts are shortened, and the page says how much is missing and where to find it. Typical pages
//! stay far below.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Deref;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::budget::{DATA_COLUMNS, LIST_ROWS, PAGE};
use crate::language::{Language, say};

/// Entries per list and bytes per text, from the first that may be enough to the last. No list of
/// fixed length is longer than the last allows.
const LIMITS: [CutLimits; 9] = [
    CutLimits { entries: 1_500, bytes: 24_000 },
    CutLimits { entries: 1_000, bytes: 12_000 },
    CutLimits { entries: 600, bytes: 6_000 },
    CutLimits { entries: 400, bytes: 3_000 },
    CutLimits { entries: 200, bytes: 1_500 },
    CutLimits { entries: 100, bytes: 800 },
    CutLimits { entries: 50, bytes: 400 },
    CutLimits { entries: 20, bytes: 200 },
    LAST,
];
const LAST: CutLimits = CutLimits { entries: 8, bytes: 120 };

/// Bytes of markup around a text, as tables and lists have them.
const AROUND_TEXT: usize = 40;

/// The estimate of a page is up to a tenth too small.
const ESTIMATED_PAGE: usize = PAGE / 10 * 9;

/// A drawing may be this many times as large as a text. A larger one is left out, as its table has the
/// same numbers.
const DRAWN: usize = 8;

/// The keys under which [`Rows`] store what they left out and kept; no view has fields of these
/// names.
const MORE: &str = "entries left out";
const KEPT: &str = "entries kept";

/// The first entries of a list for a page, and the number of others.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    kept: Vec<T>,
    more: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), more: 0 }
    }
}

impl<T> Rows<T> {
    /// Applies `row` to the first `most` entries of a list and counts the others.
    pub(crate) fn first<E>(
        most: usize,
        mut entries: impl ExactSizeIterator<Item = E>,
        row: impl FnMut(E) -> T,
    ) -> Self {
        let kept = entries.by_ref().take(most.min(LIST_ROWS)).map(row).collect();
        Self { kept, more: entries.len() }
    }

    pub(crate) fn and_more(self, more: usize) -> Self {
        Self { more: self.more + more, ..self }
    }

    /// Applies `row` to the entries of a list, up to the limit for any page.
    pub(crate) fn all<E>(
        entries: impl ExactSizeIterator<Item = E>,
        row: impl FnMut(E) -> T,
    ) -> Self {
        Self::first(LIST_ROWS, entries, row)
    }
}

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut entries = entries.into_iter();
        let kept = entries.by_ref().take(LIST_ROWS).collect();
        Self { kept, more: entries.count() }
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.kept
    }
}

impl<T: Serialize> Serialize for Rows<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        if self.more == 0 {
            return self.kept.serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry(KEPT, &self.kept)?;
        map.serialize_entry(MORE, &self.more)?;
        map.end()
    }
}

/// The number of rows that the next table of a page may show, given the cells `left` for tables
/// with rows and columns from the data.
pub(crate) fn take_rows(left: &mut usize, rows: usize, columns: usize) -> usize {
    let columns = columns.clamp(1, DATA_COLUMNS);
    // The last table of a page would otherwise be a heading alone.
    let shown = rows.min((*left / columns).max(LAST.entries));
    *left = left.saturating_sub(shown * columns);
    shown
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CutReport {
    entries: usize,
    /// Number of texts cut to their beginning.
    texts: usize,
}

impl CutReport {
    /// The sentence about it; empty if the page is complete.
    pub(crate) fn sentence(self, language: &Language) -> String {
        if self == Self::default() {
            return String::new();
        }
        say!(language, "page.cut", entries = self.entries, texts = self.texts)
    }
}

/// How much of each list and text a page gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CutLimits {
    entries: usize,
    bytes: usize,
}

const WHOLE: CutLimits = CutLimits { entries: usize::MAX, bytes: usize::MAX };

/// Cuts a page's data so that the page stays below its bytes, and reports what was cut. Fields named in
/// `markup` stay whole: a tag may be cut in them. They have limits of their own.
pub(crate) fn fit(view: &mut Value, markup: &BTreeSet<String>) -> CutReport {
    let mut cutter = Cutter { limits: WHOLE, markup, report: CutReport::default() };
    let mut smaller = LIMITS.into_iter();
    // Rendering a page to learn its size would cost as much as the page.
    while cutter.size("", view) > ESTIMATED_PAGE {
        let Some(limits) = smaller.next() else { break };
        cutter.limits = limits;
    }
    cutter.cut("", view);
    cutter.report
}

struct Cutter<'m> {
    limits: CutLimits,
    markup: &'m BTreeSet<String>,
    report: CutReport,
}

impl Cutter<'_> {
    /// The estimated bytes that a field takes on the page.
    fn size(&self, name: &str, value: &Value) -> usize {
        match value {
            Value::String(svg) if self.is_too_large(name, svg) => 0,
            Value::String(markup) if self.markup.contains(name) => markup.len(),
            Value::String(text) => escaped_len(self.beginning(text)) + AROUND_TEXT,
            Value::Array(list) => {
                list.iter().take(self.limits.entries).map(|entry| self.size("", entry)).sum()
            }
            Value::Object(map) => map.iter().map(|(name, field)| self.size(name, field)).sum(),
            _ => 0,
        }
    }

    fn cut(&mut self, name: &str, value: &mut Value) {
        if let Value::Object(map) = value
            && let Some(more) = map.get(MORE).and_then(Value::as_u64)
            && let Some(kept) = map.get_mut(KEPT)
        {
            self.report.entries += more as usize;
            *value = kept.take();
        }
        match value {
            Value::String(svg) if self.is_too_large(name, svg) => {
                self.report.texts += 1;
                svg.clear();
            }
            Value::String(_) if self.markup.contains(name) => {}
            Value::String(text) if text.len() > self.limits.bytes => {
                self.report.texts += 1;
                *text = format!("{}…", self.beginning(text));
            }
            Value::Array(list) => {
                self.report.entries += list.len().saturating_sub(self.limits.entries);
                list.truncate(self.limits.entries);
                list.iter_mut().for_each(|entry| self.cut("", entry));
            }
            Value::Object(map) => self.cut_fields(map),
            _ => {}
        }
    }

    fn cut_fields(&mut self, map: &mut Map<String, Value>) {
        let texts_before = self.report.texts;
        for (name, field) in map.iter_mut() {
            self.cut(name, field);
        }
        // Scripts must not take the beginning of a comment for the whole.
        if let Some(is_cut) = map.get_mut("is_cut") {
            *is_cut = Value::from(self.report.texts > texts_before);
        }
    }

    fn is_too_large(&self, name: &str, svg: &str) -> bool {
        name == "svg" && svg.len() / DRAWN > self.limits.bytes
    }

    fn beginning<'t>(&self, text: &'t str) -> &'t str {
        &text[..text.floor_char_boundary(self.limits.bytes)]
    }
}

/// The bytes of `text` on a page.
fn escaped_len(text: &str) -> usize {
    let special = text.bytes().filter(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\''));
    // `&quot;` is the longest.
    text.len() + 5 * special.count()
}

/// The names of fields that `templates` place as markup, and of documents for scripts.
pub(crate) fn markup_fields(templates: &[(String, String)]) -> BTreeSet<String> {
    let mut fields = BTreeSet::from(["document".to_owned()]);
    for (_, template) in templates {
        for place in template.split("{{").skip(1) {
            let Some((value, _)) =
                place.split("}}").next().unwrap_or_default().split_once("| safe")
            else {
                continue;
            };
            let field = value.trim().rsplit('.').next().unwrap_or_default();
            fields.insert(field.to_owned());
        }
    }
    fields
}

/// Limits a Markdown page: if it is too long, each section under a second-level heading gets the
/// same share, and longer sections say how many lines are missing.
pub(crate) fn markdown(text: String, language: &Language) -> String {
    if text.len() <= PAGE {
        return text;
    }
    let sections = sections(&text);
    // The lines on what is missing need the rest.
    let share = share(sections.iter().map(|section| section.len()).collect(), PAGE * 9 / 10);
    let mut page = String::with_capacity(PAGE);
    for section in sections {
        if section.len() <= share {
            page.push_str(section);
        } else {
            push_beginning(section, share, language, &mut page);
        }
    }
    page
}

/// The parts of a page at each second-level heading, and the part before the first.
fn sections(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let (mut at, mut fence) = (0, None);
    for line in text.split_inclusive('\n') {
        track_fence(line, &mut fence);
        if fence.is_none() && line.starts_with("## ") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

/// Tracks which fence is open after `line`.
fn track_fence<'t>(line: &'t str, fence: &mut Option<&'t str>) {
    // A heading within a block of code is none.
    let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
    match fence {
        None if ticks.len() >= 3 => *fence = Some(ticks),
        Some(open) if ticks == *open && line.trim_end() == ticks => *fence = None,
        _ => {}
    }
}

/// The first lines of a section that fit into `room`, and the number of others.
fn push_beginning(section: &str, room: usize, language: &Language, page: &mut String) {
    let (mut taken, mut fence) = (0, None);
    for line in section.split_inclusive('\n') {
        if taken + line.len() > room {
            break;
        }
        track_fence(line, &mut fence);
        taken += line.len();
    }
    page.push_str(&section[..taken]);
    if let Some(fence) = fence {
        let _ = writeln!(page, "{fence}");
    }
    let lines = section[taken..].lines().filter(|line| !line.is_empty()).count();
    let _ = writeln!(page, "\n{}\n", say!(language, "page.cut_lines", lines));
}

/// The largest size such that `sizes` capped to it take at most `room` in total.
fn share(mut sizes: Vec<usize>, room: usize) -> usize {
    sizes.sort_unstable();
    let mut left = room;
    for (index, size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - index);
        if *size > share {
            return share;
        }
        left -= size;
    }
    room
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CutReport, LIST_ROWS, PAGE, Rows, fit, markdown, markup_fields, share};
    use crate::language::theme::Theme;
    use crate::language::{Language, say};

    #[test]
    fn lists_and_texts_are_cut_and_counted_but_markup_is_not() {
        let markup = markup_fields(&Theme::default().templates());
        let rows: Rows<usize> = (0..5_000).collect();
        let mut whole = json!({ "rows": rows, "text": "é", "is_cut": false });
        let report = fit(&mut whole, &markup);
        assert_eq!(report, CutReport { entries: 5_000 - LIST_ROWS, texts: 0 });
        assert_eq!(whole["rows"].as_array().map(Vec::len), Some(LIST_ROWS));
        assert_eq!(whole["is_cut"], Value::from(false));

        let long = "é".repeat(100_000);
        let rows = vec!["a".repeat(200); 2_000];
        let mut view = json!({ "rows": rows, "html": long, "text": long, "is_cut": false });
        let report = fit(&mut view, &markup);
        assert_eq!(report, CutReport { entries: 1_400, texts: 1 });
        assert_eq!(view["html"].as_str(), Some(long.as_str()));
        assert_eq!(view["text"].as_str(), Some(format!("{}…", "é".repeat(3_000)).as_str()));
        assert_eq!(view["is_cut"], Value::from(true));
    }

    #[test]
    fn fields_with_markup_are_found_in_the_templates() {
        let fields = markup_fields(&Theme::default().templates());
        for name in ["change", "document", "files", "html", "source", "svg", "wording"] {
            assert!(fields.contains(name), "{name}");
        }
    }

    #[test]
    fn a_long_section_leaves_room_for_the_others_and_its_fence_is_closed() {
        let language = Language::default();
        let rows = "- a line of a list\n".repeat(60_000);
        let text = format!("# a\n\n## b\n\n```text\n## no heading\n{rows}```\n\n## c\n\nlast\n");
        let page = markdown(text, &language);
        assert!(page.len() < PAGE, "{}", page.len());
        let (long, last) = page.split_once("\n## c\n").unwrap();
        assert_eq!(last, "\nlast\n");
        assert_eq!(long.lines().filter(|line| line.starts_with("```")).count(), 2);
        let shown = long.lines().filter(|line| *line == "- a line of a list").count();
        // Only the end of the fence is missing.
        let more = say!(language, "page.cut_lines", lines = 60_000 - shown + 1);
        assert!(shown > 10_000 && long.contains(&more), "{shown}");
        let short = "# a\n".to_owned();
        assert_eq!(markdown(short.clone(), &language), short);
    }

    #[test]
    fn small_sections_leave_their_room_to_large_ones() {
        assert_eq!(share(vec![10, 500, 1_000], 1_000), 495);
        assert_eq!(share(vec![10, 20], 1_000), 1_000);
        assert_eq!(share(vec![2_000], 1_000), 1_000);
    }
}
