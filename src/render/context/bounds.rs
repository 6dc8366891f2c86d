//! Limits the size of a page, whatever the input.
//!
//! The data of a page is measured before it is rendered. If it would exceed [`PAGE`], its lists and
//! texts are shortened, and the page says how much is missing and where to find it. Typical pages
//! stay far below.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Deref;

use serde::{Serialize, Serializer};
use tera::Map;
use tera::value::Key;

use crate::budget::{DATA_COLUMNS, LIST_ROWS, PAGE};
use crate::language::{Language, say};
use crate::render::context::View;

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

/// `&quot;`, for one byte.
const LONGEST_ESCAPE: usize = 6;

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

/// A page's data, cut so that the page stays below its bytes, and what was cut. Fields named in `markup`
/// stay whole: a tag may be cut in them. They have limits of their own.
pub(crate) fn fit(view: View, markup: &BTreeSet<String>) -> (View, CutReport) {
    let mut cutter = Cutter { limits: WHOLE, markup, report: CutReport::default() };
    if most_bytes(&view).is_some_and(|bytes| bytes <= ESTIMATED_PAGE) {
        return (view, cutter.report);
    }
    let mut smaller = LIMITS.into_iter();
    // Rendering a page to learn its size would cost as much as the page.
    while cutter.size("", &view) > ESTIMATED_PAGE {
        let Some(limits) = smaller.next() else { break };
        cutter.limits = limits;
    }
    (cutter.cut("", &view), cutter.report)
}

/// More bytes than a view takes on the page, known at a fraction of the cost of [`Cutter::size`]; `None`
/// where [`Rows`] left something out.
fn most_bytes(view: &View) -> Option<usize> {
    if let Some(text) = view.as_str() {
        Some(text.len() * LONGEST_ESCAPE + AROUND_TEXT)
    } else if let Some(list) = view.as_array() {
        list.iter().map(most_bytes).sum()
    } else if let Some(map) = view.as_map() {
        if left_out(map).is_some() { None } else { map.values().map(most_bytes).sum() }
    } else {
        Some(0)
    }
}

/// What [`Rows`] kept of a list, and the number of others.
fn left_out(map: &Map) -> Option<(&View, usize)> {
    if map.len() != 2 {
        return None;
    }
    let more = map.get(&Key::Str(MORE))?.as_u64()?;
    Some((map.get(&Key::Str(KEPT))?, more as usize))
}

struct Cutter<'m> {
    limits: CutLimits,
    markup: &'m BTreeSet<String>,
    report: CutReport,
}

impl Cutter<'_> {
    /// The estimated bytes that a field takes on the page.
    fn size(&self, name: &str, view: &View) -> usize {
        if let Some(text) = view.as_str() {
            if self.is_too_large(name, text) {
                0
            } else if self.markup.contains(name) {
                text.len()
            } else {
                escaped_len(self.beginning(text)) + AROUND_TEXT
            }
        } else if let Some(list) = view.as_array() {
            list.iter().take(self.limits.entries).map(|entry| self.size("", entry)).sum()
        } else if let Some(map) = view.as_map() {
            map.iter().map(|(name, field)| self.size(name.as_str().unwrap_or(""), field)).sum()
        } else {
            0
        }
    }

    fn cut(&mut self, name: &str, view: &View) -> View {
        if let Some(text) = view.as_str() {
            self.cut_text(name, text).unwrap_or_else(|| view.clone())
        } else if let Some(list) = view.as_array() {
            self.report.entries += list.len().saturating_sub(self.limits.entries);
            let kept = list.iter().take(self.limits.entries);
            kept.map(|entry| self.cut("", entry)).collect::<Vec<_>>().into()
        } else if let Some(map) = view.as_map() {
            if let Some((kept, more)) = left_out(map) {
                self.report.entries += more;
                return self.cut(name, kept);
            }
            self.cut_fields(map)
        } else {
            view.clone()
        }
    }

    /// What is left of a text; `None` if it stays whole.
    fn cut_text(&mut self, name: &str, text: &str) -> Option<View> {
        let is_too_large = self.is_too_large(name, text);
        if !is_too_large && (self.markup.contains(name) || text.len() <= self.limits.bytes) {
            return None;
        }
        self.report.texts += 1;
        let left =
            if is_too_large { String::new() } else { format!("{}…", self.beginning(text)) };
        Some(left.into())
    }

    fn cut_fields(&mut self, map: &Map) -> View {
        let texts_before = self.report.texts;
        let mut cut: Map = map
            .iter()
            .map(|(name, field)| (name.clone(), self.cut(name.as_str().unwrap_or(""), field)))
            .collect();
        // Scripts must not take the beginning of a comment for the whole.
        if let Some(is_cut) = cut.get_mut(&Key::Str("is_cut")) {
            *is_cut = (self.report.texts > texts_before).into();
        }
        cut.into()
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
    text.len() + (LONGEST_ESCAPE - 1) * special.count()
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
    use super::{CutReport, LIST_ROWS, PAGE, Rows, View, fit, markdown, markup_fields, share};
    use crate::language::theme::Theme;
    use crate::language::{Language, say};
    use crate::render::context::view;

    #[test]
    fn lists_and_texts_are_cut_and_counted_but_markup_is_not() {
        let markup = markup_fields(&Theme::default().templates());
        let rows: Rows<usize> = (0..5_000).collect();
        let whole = view!({ "rows": rows, "text": "é", "is_cut": false });
        let (whole, report) = fit(whole, &markup);
        assert_eq!(report, CutReport { entries: 5_000 - LIST_ROWS, texts: 0 });
        assert_eq!(whole.get_from_path("rows").and_then(View::len), Some(LIST_ROWS));
        assert_eq!(whole.get_from_path("is_cut"), Some(&View::from(false)));

        let long = "é".repeat(100_000);
        let rows = vec!["a".repeat(200); 2_000];
        let view = view!({ "rows": rows, "html": long, "text": long, "is_cut": false });
        let (view, report) = fit(view, &markup);
        assert_eq!(report, CutReport { entries: 1_400, texts: 1 });
        let text = |name| view.get_from_path(name).and_then(View::as_str);
        assert_eq!(text("html"), Some(long.as_str()));
        assert_eq!(text("text"), Some(format!("{}…", "é".repeat(3_000)).as_str()));
        assert_eq!(view.get_from_path("is_cut"), Some(&View::from(true)));
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
