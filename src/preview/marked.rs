//! Our own markup without the secrets in its text.
//!
//! A secret is found in the text, not in the markup: a quote is `&quot;` there, and an element may
//! begin within a line. So the text is extracted with the position of each of its bytes and
//! scanned, and marks replace the secrets. Every tag stays.

use std::ops::Range;

use crate::files::{Hidden, Source};
use crate::preview::references::unescaped;
use crate::text::is_listed;

/// Inline elements; all others separate the text before them from the text after.
const INLINE: &str = "a abbr b bdi bdo cite code dfn em font i kbd mark q s samp small span strong \
    sub sup u var wbr";

/// `html` with its text cleaned by `source`; `None` if it may be shown unchanged.
pub(super) fn clean(html: &str, source: &dyn Source) -> Option<String> {
    let plain = PlainText::new(html);
    let hidden = source.hidden(&plain.text);
    let with_marks = (!hidden.is_empty()).then(|| plain.marked(html, &hidden));
    let tags = tags(with_marks.as_deref().unwrap_or(html), source);
    tags.or(with_marks)
}

/// `html` with the secrets in its attributes replaced by marks.
fn tags(html: &str, source: &dyn Source) -> Option<String> {
    let (mut out, mut done) = (String::new(), 0);
    for tag in tags_of(html).filter(|tag| html[tag.clone()].contains('=')) {
        if let Some(clean) = source.clean(&html[tag.clone()]) {
            out.push_str(&html[done..tag.start]);
            out.push_str(&clean);
            done = tag.end;
        }
    }
    (done > 0).then(|| out + &html[done..])
}

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
            let is_inline = is_listed(INLINE, tag_name(&html[tag.clone()]));
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

    /// The position of a byte in the markup; for a reference or a tag all of it.
    fn place(&self, at: usize) -> Range<usize> {
        let piece = &self.pieces[self.pieces.partition_point(|piece| piece.text.end <= at)];
        let start = piece.html.start + (at - piece.text.start);
        if piece.html.len() == piece.text.len() { start..start + 1 } else { piece.html.clone() }
    }

    /// `html` with marks in place of the hidden parts.
    fn marked(&self, html: &str, hidden: &[Hidden]) -> String {
        let (mut out, mut done) = (String::with_capacity(html.len()), 0);
        for Hidden { range, mark } in hidden {
            let end = self.place(range.end - 1).end;
            let start = self.place(range.start).start;
            out.extend([&html[done..start], mark]);
            out.extend(tags_of(&html[start..end]).map(|tag| &html[start..end][tag]));
            done = end;
        }
        out + &html[done..]
    }
}

pub(super) fn tag_name(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())]
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::clean;
    use crate::files::{Entry, Hidden, Source};

    /// Hides `k="v w"` and every `x1`.
    struct Words;

    impl Source for Words {
        fn list(&self, _: &dyn Fn(&str) -> bool) -> Vec<Entry> {
            Vec::new()
        }

        fn read(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
            Ok(Vec::new())
        }

        fn open<'s>(&'s self, _: &str) -> io::Result<Box<dyn Read + 's>> {
            Ok(Box::new(io::empty()))
        }

        fn hidden(&self, text: &str) -> Vec<Hidden> {
            let actual = ["k=\"v\nw\"", "x1"].into_iter().flat_map(|word| {
                text.match_indices(word).map(|(at, word)| at..at + word.len()).collect::<Vec<_>>()
            });
            let mut actual: Vec<Hidden> =
                actual.map(|range| Hidden { range, mark: "[-]".to_owned() }).collect();
            actual.sort_by_key(|found| found.range.start);
            actual
        }
    }

    #[test]
    fn secrets_of_the_text_go_and_every_tag_stays() {
        let table = [
            ("<p>a x1 b x1</p>", Some("<p>a [-] b [-]</p>")),
            ("<p>x<b>1</b></p>", Some("<p>[-]<b></b></p>")),
            ("<p>x</p><p>1</p>", None),
            ("<p>k=&quot;v</p>w&quot; &amp;", Some("<p>[-]</p> &amp;")),
            ("<p>é k=&quot;v<br>w&quot;&amp;", Some("<p>é [-]<br>&amp;")),
            ("&amp;x&#49;&lt;", Some("&amp;[-]&lt;")),
            ("<a href=\"x1\">x</a>", Some("<a href=\"[-]\">x</a>")),
            ("<i>x</i>1<img alt=\"x1\">", Some("<i>[-]</i><img alt=\"[-]\">")),
            ("a < b & c", None),
        ];
        for (html, wanted) in table {
            assert_eq!(clean(html, &Words).as_deref(), wanted, "{html}");
        }
    }
}
