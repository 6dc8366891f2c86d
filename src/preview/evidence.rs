//! Quotations of graders, marked where an output is shown.
//!
//! Words are found in the text of finished markup, so one way serves every kind of output: text,
//! tables, office files, PDF text, and copies of HTML. Only text is wrapped, never a tag.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::budget::QUOTATION_MARKS;
use crate::preview::plain::{PlainText, is_tag};
use text::WordIndex;

/// The quotations to be marked on a page.
#[derive(Debug, Default)]
pub(crate) struct Quotations<'q> {
    /// By the name of their output.
    pub(crate) by_output: BTreeMap<&'q str, Vec<&'q str>>,
    /// Those that are looked for in every output.
    pub(crate) anywhere: Vec<&'q str>,
    /// What the ids of marks begin with. It is unique on the page.
    pub(crate) prefix: String,
    /// How many outputs were shown so far.
    outputs: Cell<usize>,
}

impl<'q> Quotations<'q> {
    pub(crate) fn new(by_output: BTreeMap<&'q str, Vec<&'q str>>, prefix: String) -> Self {
        Self { by_output, prefix, ..Self::default() }
    }

    /// The quotations to be marked in the output called `name`.
    pub(crate) fn in_output(&self, name: &str) -> Vec<&'q str> {
        let mut texts = self.by_output.get(name).cloned().unwrap_or_default();
        texts.extend(&self.anywhere);
        texts
    }

    /// The beginning of the ids in the next output.
    pub(super) fn next_prefix(&self) -> String {
        self.outputs.set(self.outputs.get() + 1);
        format!("{}{}-", self.prefix, self.outputs.get())
    }
}

/// Where a quotation is marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuotationMark {
    /// A fragment of the page, or the address of a copy with a fragment of it.
    pub(crate) href: String,
    /// The name of the frame that shows the copy; empty for a fragment of the page.
    pub(crate) frame: String,
    /// How often the quotation is in the output.
    pub(crate) times: usize,
}

impl QuotationMark {
    /// The mark that is `first`, in the file at `address` or, if that is empty, on the page.
    pub(super) fn new(first: &FirstMark, address: &str, frame: &str) -> Self {
        let href = format!("{address}#{}", first.id);
        Self { href, frame: frame.to_owned(), times: first.times }
    }
}

/// The first mark of a quotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FirstMark {
    pub(super) id: String,
    /// In how many places the quotation was found, marked or not.
    pub(super) times: usize,
}

/// A place of a quotation in the text of some markup.
struct Place {
    range: Range<usize>,
    /// Index of the quotation.
    quotation: usize,
    /// From 1.
    number: usize,
}

/// `html` with each place of the `quotations` in a `<mark>` with these `attributes`, and the first mark
/// of each quotation. Ids are `prefix`, the number of the quotation and, from its second place on, that
/// of the place.
pub(super) fn mark(
    html: &str,
    quotations: &[&str],
    prefix: &str,
    attributes: &str,
) -> (String, Vec<Option<FirstMark>>) {
    let plain = PlainText::new(html);
    let index = WordIndex::new(&plain.text);
    let (mut places, mut first) = (Vec::new(), vec![None; quotations.len()]);
    let mut times = vec![0; quotations.len()];
    for (quotation, text) in quotations.iter().enumerate() {
        let found = index.find(text);
        times[quotation] = found.len();
        for (range, number) in found.into_iter().zip(1..).take(QUOTATION_MARKS) {
            places.push(Place { range, quotation, number });
        }
    }
    // Graders quote a sentence, and a part of it again: the outer one is marked.
    places.sort_by_key(|place| (place.range.start, Reverse(place.range.end)));
    let mut out = String::with_capacity(html.len());
    let (mut done, mut end, mut marks, mut id) = (0, 0, 0, String::new());
    for Place { range, quotation, number } in places {
        if range.start >= end {
            // A quotation of three common words can be in every row of a table.
            if marks == QUOTATION_MARKS {
                break;
            }
            let mut segments = segments(html, &plain, &range);
            segments.retain(|segment| !is_option(html, segment));
            if segments.is_empty() {
                continue;
            }
            id = format!("{prefix}{}", quotation + 1);
            if number > 1 {
                id += &format!("-{number}");
            }
            for (at, segment) in segments.into_iter().enumerate() {
                out.push_str(&html[done..segment.start]);
                let id = if at == 0 { format!(" id=\"{id}\"") } else { String::new() };
                out.extend(["<mark", &id, attributes, ">", &html[segment.clone()], "</mark>"]);
                done = segment.end;
            }
            marks += 1;
            end = range.end;
        }
        let times = times[quotation];
        first[quotation].get_or_insert_with(|| FirstMark { id: id.clone(), times });
    }
    out.push_str(&html[done..]);
    (out, first)
}

/// The parts of `html` without tags that make up `range` of its text. White space alone is none: between
/// the cells of a table a browser would move its mark out of the table.
pub(super) fn segments(html: &str, plain: &PlainText, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut segments: Vec<Range<usize>> = Vec::new();
    let first = plain.pieces.partition_point(|piece| piece.text.end <= range.start);
    let mut is_continued = false;
    for piece in &plain.pieces[first..] {
        if piece.text.start >= range.end {
            break;
        }
        if is_tag(html, piece) {
            is_continued = false;
            continue;
        }
        let mut part = piece.html.clone();
        // A reference such as `&amp;` is one character, and marked whole.
        if piece.html.len() == piece.text.len() {
            part.start += range.start.saturating_sub(piece.text.start);
            part.end -= piece.text.end.saturating_sub(range.end);
        }
        match segments.last_mut() {
            Some(last) if is_continued => last.end = part.end,
            _ => segments.push(part),
        }
        is_continued = true;
    }
    segments.retain(|segment| !html[segment.clone()].trim().is_empty());
    segments
}

/// Whether a text is in a list to choose from, where browsers drop every other element.
fn is_option(html: &str, segment: &Range<usize>) -> bool {
    let before = &html[..segment.start];
    before.rfind("<select") > before.rfind("</select")
}

#[cfg(test)]
mod tests {
    use super::{FirstMark, mark};

    fn marked(html: &str, quotations: &[&str]) -> (String, Vec<Option<FirstMark>>) {
        mark(html, quotations, "q-", "")
    }

    #[test]
    fn text_is_marked_and_every_tag_stays() {
        let table = [
            (
                "<p>We look <em>forward to your</em> feedback.</p>",
                "look forward to your feedback",
                "<p>We <mark id=\"q-1\">look </mark><em><mark>forward to your</mark></em><mark> feedback</mark>.</p>",
            ),
            (
                "<pre>\nfirst line\nthe R&amp;D budget of May\n</pre>",
                "R&D budget of May",
                "<pre>\nfirst line\nthe <mark id=\"q-1\">R&amp;D budget of May</mark>\n</pre>",
            ),
            (
                "<table><tr><td>North<td>1,204 orders</table>",
                "North 1,204 orders",
                "<table><tr><td><mark id=\"q-1\">North</mark><td><mark>1,204 orders</mark></table>",
            ),
            (
                "<select disabled><option>one two three four</select>",
                "one two three four",
                "<select disabled><option>one two three four</select>",
            ),
            (
                "<p id=\"three words here\">no</p>",
                "three words here",
                "<p id=\"three words here\">no</p>",
            ),
        ];
        for (html, quotation, expected) in table {
            assert_eq!(marked(html, &[quotation]).0, expected, "{quotation}");
        }
    }

    #[test]
    fn repeated_and_overlapping_quotations() {
        let html = "<p>the same words again, the same words again</p>";
        let (out, first) =
            marked(html, &["the same words again", "same words again", "not there at all"]);
        let expected = "<p><mark id=\"q-1\">the same words again</mark>, <mark id=\"q-1-2\">the same \
            words again</mark></p>";
        assert_eq!(out, expected);
        let twice = || Some(FirstMark { id: "q-1".to_owned(), times: 2 });
        assert_eq!(first, [twice(), twice(), None]);
    }
}
