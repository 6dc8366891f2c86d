//! The text of our own markup, with the position of each piece in it.
//!
//! Words are found in the text, not in the markup: a quote is `&quot;` there, and an element may begin
//! within a line.

use std::ops::Range;

use crate::preview::references::unescaped;

/// Inline elements; all others separate the text before them from the text after.
pub(super) const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var", "wbr",
];

/// The tags of our own markup, where `<` begins nothing else.
pub(super) fn tags_of(html: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + html[at..].find('<')?;
        at = html[start..].find('>').map_or(html.len(), |end| start + end + 1);
        Some(start..at)
    })
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
        let mut plain = Self { text: String::with_capacity(html.len()), pieces: Vec::new() };
        let mut done = 0;
        for tag in tags_of(html) {
            plain.add_text(html, done..tag.start);
            let is_inline = INLINE.contains(&tag_name(&html[tag.clone()]));
            plain.add(tag.clone(), if is_inline { "" } else { "\n" });
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
