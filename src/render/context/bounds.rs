//! Limits the size of a page, whatever the input.
//!
//! A page first gets all its content. If that exceeds [`PAGE`], it is rendered again with ever fewer
//! entries per list and shorter texts, until it fits. It then says how
//! much is missing and where to find it. Typical pages stay far below.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Deref;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::budget::{DATA_COLUMNS, LIST_ROWS, PAGE};
use crate::language::Language;

/// Entries per list and bytes per text of the first and the last attempt to make a large page fit. No list
/// of fixed length is longer than the last allows.
const FIRST: CutLimits = CutLimits { entries: 1_500, bytes: 24_000 };
const LAST: CutLimits = CutLimits { entries: 8, bytes: 120 };

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
        language.fill("page.cut", &[("entries", &self.entries), ("texts", &self.texts)])
    }
}

/// How much of each list and text a page gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutLimits {
    entries: usize,
    bytes: usize,
}

impl CutLimits {
    pub(crate) const NONE: Self = Self { entries: usize::MAX, bytes: usize::MAX };

    /// The next smaller limits; `None` after the last.
    pub(crate) fn smaller(self) -> Option<Self> {
        if self == Self::NONE {
            return Some(FIRST);
        }
        if self == LAST {
            return None;
        }
        Some(Self {
            entries: (self.entries / 4 * 3).max(LAST.entries),
            bytes: (self.bytes / 4 * 3).max(LAST.bytes),
        })
    }
}

/// Cuts a page's data to `limits`, and reports what was cut. Fields named in `markup` stay whole: a tag may
/// be cut in them. They have limits of their own.
pub(crate) fn cut(
    page: &Value,
    limits: CutLimits,
    markup: &BTreeSet<String>,
) -> (Value, CutReport) {
    let mut cutter = Cutter { limits, markup, report: CutReport::default() };
    let kept = cutter.value(page);
    (kept, cutter.report)
}

struct Cutter<'m> {
    limits: CutLimits,
    markup: &'m BTreeSet<String>,
    report: CutReport,
}

impl Cutter<'_> {
    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::Array(list) => {
                let kept = list.len().min(self.limits.entries);
                self.report.entries += list.len() - kept;
                list[..kept].iter().map(|item| self.value(item)).collect()
            }
            Value::Object(map) => self.map(map),
            Value::String(text) if text.len() > self.limits.bytes => {
                self.report.texts += 1;
                Value::from(format!("{}…", &text[..text.floor_char_boundary(self.limits.bytes)]))
            }
            value => value.clone(),
        }
    }

    fn map(&mut self, map: &Map<String, Value>) -> Value {
        if let (Some(kept), Some(more)) = (map.get(KEPT), map.get(MORE)) {
            self.report.entries += more.as_u64().unwrap_or_default() as usize;
            return self.value(kept);
        }
        let texts_before = self.report.texts;
        let mut fields = Map::new();
        for (name, field) in map {
            let value = match field {
                Value::String(svg) if name == "svg" && svg.len() / DRAWN > self.limits.bytes => {
                    self.report.texts += 1;
                    Value::from("")
                }
                Value::String(_) if self.markup.contains(name) => field.clone(),
                _ => self.value(field),
            };
            fields.insert(name.clone(), value);
        }
        // Scripts must not take the beginning of a comment for the whole.
        if let Some(is_cut) = fields.get_mut("is_cut") {
            *is_cut = Value::from(self.report.texts > texts_before);
        }
        Value::Object(fields)
    }
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
    let more = section[taken..].lines().filter(|line| !line.is_empty()).count();
    let _ = writeln!(page, "\n{}\n", language.fill("page.cut_lines", &[("lines", &more)]));
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

    use super::{
        CutLimits, CutReport, LAST, LIST_ROWS, PAGE, Rows, cut, markdown, markup_fields, share,
    };
    use crate::language::Language;
    use crate::language::theme::Theme;

    #[test]
    fn lists_and_texts_are_cut_and_counted_but_markup_is_not() {
        let long = "é".repeat(20_000);
        let rows: Rows<usize> = (0..5_000).collect();
        let view = json!({ "rows": rows, "html": long, "text": long, "is_cut": false });
        let markup = markup_fields(&Theme::default().templates());
        let (whole, report) = cut(&view, CutLimits::NONE, &markup);
        assert_eq!(report, CutReport { entries: 5_000 - LIST_ROWS, texts: 0 });
        assert_eq!(whole["rows"].as_array().map(Vec::len), Some(LIST_ROWS));
        let (part, report) = cut(&view, CutLimits { entries: 10, bytes: 301 }, &markup);
        assert_eq!(report, CutReport { entries: 4_990, texts: 1 });
        assert_eq!(part["rows"].as_array().map(Vec::len), Some(10));
        assert_eq!(part["html"].as_str(), Some(long.as_str()));
        let text = format!("{}…", "é".repeat(150));
        assert_eq!(part["text"].as_str(), Some(text.as_str()));
        let is_cut = |view: &Value| view["is_cut"].as_bool();
        assert_eq!((is_cut(&whole), is_cut(&part)), (Some(false), Some(true)));
    }

    #[test]
    fn the_limits_have_an_end() {
        let limits: Vec<CutLimits> =
            std::iter::successors(Some(CutLimits::NONE), |limits| limits.smaller()).collect();
        assert!(limits.len() < 30, "{}", limits.len());
        assert_eq!(limits.last(), Some(&LAST));
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
        let more = language.fill("page.cut_lines", &[("lines", &(60_000 - shown + 1))]);
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
