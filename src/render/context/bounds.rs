//! Limits the size of a page, whatever the input.
//!
//! A page first gets all its content. If that exceeds [`PAGE`], it is rendered again in ever
//! smaller steps, with fewer entries per list and shorter texts, until it fits. It then says how
//! much is missing and where to find it. Typical pages stay far below.

use std::fmt::Write;
use std::ops::Deref;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::language::Language;

/// Most bytes of a page.
pub(crate) const PAGE: usize = 480 * 1024;

/// Most entries of one list that are kept for a page.
const MOST: usize = 2_000;

pub(crate) const COLUMNS: usize = 400;

pub(crate) const CELLS: usize = 20_000;

/// Entries per list and bytes per text in a step. No list of fixed length is longer than the last
/// step allows.
const FIRST: (usize, usize) = (1_500, 24_000);
const LAST: (usize, usize) = (8, 120);

/// The keys under which [`Rows`] store what they left out and kept; no view has fields of these
/// names.
const MORE: &str = "entries left out";
const KEPT: &str = "entries kept";

/// Fields with markup or documents for scripts, which have limits of their own; a cut would break
/// them.
const WHOLE: [&str; 10] = [
    "change",
    "document",
    "files",
    "flips",
    "html",
    "outputs",
    "source",
    "still_failing",
    "svg",
    "wording",
];

/// The field of a drawing, which may be [`DRAWN`] times as large as a text. A larger one is left
/// out, as its table has the same numbers.
const DRAWING: &str = "svg";
const DRAWN: usize = 8;

/// A field with a list of such texts.
const WHOLE_LIST: &str = "user_notes";

/// The field that tells whether a text next to it is cut.
const IS_CUT: &str = "is_cut";

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
        let kept = entries.by_ref().take(most.min(MOST)).map(row).collect();
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
        Self::first(MOST, entries, row)
    }
}

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut entries = entries.into_iter();
        let kept = entries.by_ref().take(MOST).collect();
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
    let columns = columns.clamp(1, COLUMNS);
    let shown = rows.min((*left / columns).max(LAST.0));
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

#[derive(Clone, Copy, Debug)]
pub(crate) struct CutStep {
    entries: usize,
    bytes: usize,
}

impl CutStep {
    pub(crate) const WHOLE: Self = Self { entries: usize::MAX, bytes: usize::MAX };

    /// The next smaller step; `None` after the last.
    pub(crate) fn next(self) -> Option<Self> {
        let smaller = |now: usize, first: usize, last: usize| match now {
            usize::MAX => first,
            now => (now / 4 * 3).max(last),
        };
        let entries = smaller(self.entries, FIRST.0, LAST.0);
        let bytes = smaller(self.bytes, FIRST.1, LAST.1);
        let is_last = (self.entries, self.bytes) == (entries, bytes);
        (!is_last).then_some(Self { entries, bytes })
    }

    /// Cuts a page's values to this step, and reports what was cut.
    pub(crate) fn apply(self, page: &Value) -> (Value, CutReport) {
        let mut cut = CutReport::default();
        let kept = self.value(page, &mut cut);
        (kept, cut)
    }

    fn value(self, value: &Value, cut: &mut CutReport) -> Value {
        match value {
            Value::Array(list) => {
                let kept = list.len().min(self.entries);
                cut.entries += list.len() - kept;
                list[..kept].iter().map(|item| self.value(item, cut)).collect()
            }
            Value::Object(map) => self.map(map, cut),
            Value::String(text) if text.len() > self.bytes => {
                cut.texts += 1;
                Value::from(format!("{}…", &text[..text.floor_char_boundary(self.bytes)]))
            }
            value => value.clone(),
        }
    }

    fn map(self, map: &Map<String, Value>, cut: &mut CutReport) -> Value {
        if let (Some(kept), Some(more)) = (map.get(KEPT), map.get(MORE)) {
            cut.entries += more.as_u64().unwrap_or_default() as usize;
            return self.value(kept, cut);
        }
        let before = cut.texts;
        let mut fields = Map::new();
        for (name, field) in map {
            let is_whole =
                name == WHOLE_LIST || field.is_string() && WHOLE.contains(&name.as_str());
            let step = if is_whole { Self { bytes: usize::MAX, ..self } } else { self };
            let drawing = field.as_str().filter(|_| name == DRAWING);
            let is_too_large = drawing.is_some_and(|svg| svg.len() / DRAWN > self.bytes);
            cut.texts += usize::from(is_too_large);
            let value = if is_too_large { Value::from("") } else { step.value(field, cut) };
            fields.insert(name.clone(), value);
        }
        if let Some(is_cut) = fields.get_mut(IS_CUT) {
            *is_cut = Value::from(cut.texts > before);
        }
        Value::Object(fields)
    }
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

    use super::{CutReport, CutStep, MOST, PAGE, Rows, WHOLE, markdown, share};
    use crate::language::Language;
    use crate::language::theme::Theme;

    #[test]
    fn lists_and_texts_are_cut_and_counted_but_markup_is_not() {
        let long = "é".repeat(20_000);
        let rows: Rows<usize> = (0..5_000).collect();
        let view = json!({ "rows": rows, "html": long, "text": long, "is_cut": false });
        let (whole, cut) = CutStep::WHOLE.apply(&view);
        assert_eq!(cut, CutReport { entries: 5_000 - MOST, texts: 0 });
        assert_eq!(whole["rows"].as_array().map(Vec::len), Some(MOST));
        let step = CutStep { entries: 10, bytes: 301 };
        let (part, cut) = step.apply(&view);
        assert_eq!(cut, CutReport { entries: 4_990, texts: 1 });
        assert_eq!(part["rows"].as_array().map(Vec::len), Some(10));
        assert_eq!(part["html"].as_str(), Some(long.as_str()));
        let text = format!("{}…", "é".repeat(150));
        assert_eq!(part["text"].as_str(), Some(text.as_str()));
        let is_cut = |view: &Value| view["is_cut"].as_bool();
        assert_eq!((is_cut(&whole), is_cut(&part)), (Some(false), Some(true)));
    }

    #[test]
    fn the_steps_have_an_end() {
        let steps: Vec<CutStep> =
            std::iter::successors(Some(CutStep::WHOLE), |step| step.next()).collect();
        assert!(steps.len() < 30, "{}", steps.len());
        let last = steps.last().unwrap();
        assert_eq!((last.entries, last.bytes), super::LAST);
    }

    /// Unescaped text must be whole, or a tag in it may be cut.
    #[test]
    fn every_field_that_templates_place_as_markup_is_left_whole() {
        let mut number = 0;
        for (name, template) in Theme::default().templates() {
            for place in template.split("{{").skip(1).filter_map(|rest| rest.split("}}").next()) {
                let Some((field, _)) = place.split_once("| safe") else { continue };
                let field = field.trim().rsplit('.').next().unwrap_or_default();
                assert!(WHOLE.contains(&field), "{name}: {place}");
                number += 1;
            }
        }
        assert!(number > 10, "{number}");
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
