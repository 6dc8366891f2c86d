//! The text of our own markup, with the position of each piece in it.
//!
//! Words are found in the text, not in the markup: a quote is `&quot;` there, and an element may begin
//! within a line.

use std::ops::Range;

use memchr::memchr;

use crate::preview::references::unescaped;

/// Inline elements; all others separate the text before them from the text after.
pub(super) const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var", "wbr",
];

pub(super) struct Tag<'m> {
    pub(super) html: Range<usize>,
    pub(super) name: &'m str,
    pub(super) is_end: bool,
}

/// The tags of our own markup, where `<` begins nothing else.
pub(super) fn tags_of(html: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr(b'<', &html.as_bytes()[at..]) {
        let start = at + start;
        at = memchr(b'>', &html.as_bytes()[start..]).map_or(html.len(), |end| start + end + 1);
        let tag = &html[start..at];
        tags.push(Tag { html: start..at, name: tag_name(tag), is_end: tag.starts_with("</") });
    }
    tags
}

/// The text of markup, and the position of each piece there.
pub(super) struct PlainText {
    pub(super) text: String,
    pub(super) pieces: Vec<MarkedPiece>,
}

/// A piece of the text: literal text in the markup, a character written as a reference, or the line
/// break for a tag.
pub(super) struct MarkedPiece {
    pub(super) html: Range<usize>,
    pub(super) text: Range<usize>,
}

/// Whether a piece of `html` is a tag.
pub(super) fn is_tag(html: &str, piece: &MarkedPiece) -> bool {
    html[piece.html.clone()].starts_with('<')
}

impl PlainText {
    pub(super) fn new(html: &str) -> Self {
        Self::between(html, &tags_of(html))
    }

    /// The same for markup with these tags.
    pub(super) fn between(html: &str, tags: &[Tag<'_>]) -> Self {
        let mut plain = Self { text: String::with_capacity(html.len()), pieces: Vec::new() };
        let mut done = 0;
        for Tag { html: tag, name, .. } in tags {
            plain.add_text(html, done..tag.start);
            plain.add(tag.clone(), if INLINE.contains(name) { "" } else { "\n" });
            done = tag.end;
        }
        plain.add_text(html, done..html.len());
        plain
    }

    fn add(&mut self, html: Range<usize>, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(MarkedPiece { html, text: start..self.text.len() });
    }

    fn add_text(&mut self, html: &str, range: Range<usize>) {
        let mut at = range.start;
        while let Some(next) = html[at..range.end].find('&').map(|found| at + found) {
            let length = html[next..range.end].bytes().take(12).position(|byte| byte == b';');
            let end = length.map_or(next + 1, |length| next + length + 1);
            self.add(at..next, &html[at..next]);
            self.add(next..end, &unescaped(&html[next..end]));
            at = end;
        }
        self.add(at..range.end, &html[at..range.end]);
    }
}

pub(super) fn tag_name(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())]
}
