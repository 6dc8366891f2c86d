//! Markup written by this program.
//!
//! [`Safe`] is the only type that a template may insert without escaping. It comes only from a
//! [`Markup`], which takes markup only as literals of this program; everything else is inserted as
//! text. So nothing from the data can become a tag or an attribute.

use std::borrow::Cow;
use std::fmt::Display;

use crate::budget::PREVIEW;
use crate::language::Language;
use crate::preview::evidence::{self, FirstMark};
use text::{hides, unusual};

/// Finished markup: literals of this program around escaped text.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub(crate) struct Safe(String);

impl Safe {
    /// Pieces of finished markup in another arrangement.
    pub(super) fn rearranged(html: String) -> Self {
        Self(html)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The same with the words of `quotations` marked, and the first mark of each. `prefix` and
    /// `attributes` are literals of this program, or made of letters and digits.
    pub(super) fn mark(
        &mut self,
        quotations: &[&str],
        prefix: &str,
        attributes: &str,
    ) -> Vec<Option<FirstMark>> {
        if quotations.is_empty() {
            return Vec::new();
        }
        let (html, first) = evidence::mark(&self.0, quotations, prefix, attributes);
        self.0 = html;
        first
    }
}

/// Markup under construction, within a number of bytes.
///
/// Literals always fit, so that open elements are closed; text is cut at the limit. Callers that
/// add many things check [`Markup::is_full`] in between.
#[derive(Debug)]
pub(crate) struct Markup {
    html: String,
    max_bytes: usize,
    is_cut: bool,
    language: Language,
}

impl Default for Markup {
    /// Empty, for markup without words of its own.
    fn default() -> Self {
        Self::new(&Language::default())
    }
}

impl Markup {
    /// Empty, with words in `language` and the limit for one file.
    pub(crate) fn new(language: &Language) -> Self {
        Self::within(language, PREVIEW)
    }

    /// Empty, limited to `max_bytes` bytes.
    pub(crate) fn within(language: &Language, max_bytes: usize) -> Self {
        let max_bytes = max_bytes.min(PREVIEW);
        Self { html: String::new(), max_bytes, is_cut: false, language: language.clone() }
    }

    pub(crate) fn language(&self) -> &Language {
        &self.language
    }

    /// Adds the word of this program under `key`.
    pub(crate) fn word(&mut self, key: &str) -> &mut Self {
        let word = self.language.text(key).to_owned();
        self.text(&word)
    }

    /// Adds the words of this program under `key` with its placeholders filled.
    pub(crate) fn words(&mut self, key: &str, places: &[(&str, &dyn Display)]) -> &mut Self {
        let words = self.language.fill(key, places);
        self.text(&words)
    }

    /// Adds a number of things in words of this program.
    pub(crate) fn count(&mut self, number: usize, thing: &str) -> &mut Self {
        let words = self.language.count(number, thing);
        self.text(&words)
    }

    /// The bytes that still fit; none after a cut, so that nothing is missing in between.
    pub(crate) fn left(&self) -> usize {
        if self.is_cut { 0 } else { self.max_bytes.saturating_sub(self.html.len()) }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.left() == 0
    }

    /// Writes items one by one while they fit; returns how many.
    pub(super) fn each<T>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        mut write: impl FnMut(T, &mut Self),
    ) -> usize {
        let mut written = 0;
        for thing in things {
            if self.is_full() {
                break;
            }
            write(thing, self);
            written += 1;
        }
        written
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Adds a literal of this program unescaped.
    pub(crate) fn raw(&mut self, literal: &'static str) -> &mut Self {
        self.html.push_str(literal);
        self
    }

    /// Adds `text` as text, as much of it as fits.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        // No byte becomes more than the six of `&quot;`, unless characters hide.
        let fits = text.len().saturating_mul(6) <= self.left();
        let end = if fits { text.len() } else { fitting(text, self.left()) };
        self.value(&text[..end]);
        if end < text.len() {
            self.is_cut = true;
        }
        self
    }

    /// Adds all of `text`: escaped for content and for quoted attributes alike, with characters
    /// that hide or reorder text made visible.
    pub(crate) fn value(&mut self, text: &str) -> &mut Self {
        let mut done = 0;
        for (at, c) in unusual(text) {
            if is_plain(c) {
                continue;
            }
            self.html.push_str(&text[done..at]);
            done = at + c.len_utf8();
            match c {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                // Files of Windows end their lines with both; a single one can hide a line.
                '\r' if text[done..].starts_with('\n') => {}
                '\u{7f}' => self.html.push('\u{2421}'),
                '\0'..='\u{1f}' => self.html.extend(char::from_u32(0x2400 + u32::from(c))),
                _ => self.html.push_str(&code_point(c)),
            }
        }
        self.html.push_str(&text[done..]);
        self
    }

    /// Adds the rules of a style sheet within `<style>`, where nothing is escaped and only `</`
    /// ends the element. Leaves out `<`, and characters that hide.
    pub(crate) fn sheet(&mut self, css: &str) -> &mut Self {
        for c in css.chars() {
            if is_plain(c) || matches!(c, '&' | '>' | '"' | '\'') {
                self.html.push(c);
            }
        }
        self
    }

    pub(crate) fn wrap(
        &mut self,
        open: &'static str,
        text: &str,
        close: &'static str,
    ) -> &mut Self {
        self.raw(open).text(text).raw(close)
    }

    pub(crate) fn number(&mut self, number: usize) -> &mut Self {
        self.html.push_str(&number.to_string());
        self
    }

    pub(crate) fn safe(&mut self, markup: &Safe) -> &mut Self {
        self.html.push_str(&markup.0);
        self
    }

    pub(crate) fn len(&self) -> usize {
        self.html.len()
    }

    pub(super) fn as_str(&self) -> &str {
        &self.html
    }

    pub(crate) fn finish(self) -> Safe {
        Safe(self.html)
    }
}

/// `⟨U+202E⟩` for a character that is named instead of shown.
pub(crate) fn code_point(c: char) -> String {
    format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(c))
}

/// The beginning of `text` that takes at most `max_bytes` bytes when escaped.
pub(super) fn fitting(text: &str, max_bytes: usize) -> usize {
    let mut end = text.len();
    loop {
        let needed = escaped_bytes(&text[..end]);
        if needed <= max_bytes {
            return end;
        }
        // Escapes are spread evenly in most texts, so the first guess is nearly right.
        let kept = (end as u128 * max_bytes as u128 / needed as u128) as usize;
        end = text.floor_char_boundary(kept.min(end - 1));
    }
}

/// The least number of bytes that `text` takes when escaped.
pub(crate) fn escaped_bytes(text: &str) -> usize {
    let mut bytes = text.len();
    for byte in text.bytes() {
        bytes += match byte {
            b'<' | b'>' => 3,
            b'&' | b'\'' => 4,
            b'"' => 5,
            _ => 0,
        };
    }
    bytes
}

fn is_plain(c: char) -> bool {
    match c {
        '&' | '<' | '>' | '"' | '\'' | '\u{7f}' => false,
        '\n' | '\t' => true,
        '\0'..='\u{1f}' | '\u{80}'..='\u{9f}' => false,
        _ => !hides(c),
    }
}

/// `text` with hidden characters shown by their numbers, as on every page.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hides(c) {
            shown.push_str(&code_point(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::Markup;
    use crate::language::Language;

    fn text(text: &str) -> String {
        let mut markup = Markup::default();
        markup.text(text);
        markup.finish().as_str().to_owned()
    }

    #[test]
    fn text_is_never_markup() {
        assert_eq!(text("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
        assert_eq!(text("結果 ✓ ünï"), "結果 ✓ ünï");
    }

    #[test]
    fn text_ends_where_the_room_does() {
        let mut markup = Markup::within(&Language::default(), 12);
        markup.raw("<p>").text("aäb<c").raw("</p>");
        assert!(!markup.is_cut());
        let html = markup.finish().as_str().to_owned();
        assert_eq!(html, "<p>aäb&lt;c</p>");
        let mut markup = Markup::within(&Language::default(), 6);
        markup.raw("<p>").text("aäb<c").raw("</p>");
        assert!(markup.is_full() && markup.is_cut());
        assert_eq!(markup.finish().as_str(), "<p>a</p>");
    }

    #[test]
    fn a_sheet_ends_no_element() {
        let mut markup = Markup::default();
        markup.sheet("a>b{c:\"d\"}</style><script>\0\u{202e}&\r\n");
        assert_eq!(markup.finish().as_str(), "a>b{c:\"d\"}/style>script>&\n");
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(text("a\u{1b}[31m\0b\r\nc\rd\te"), "a␛[31m␀b\nc␍d\te");
        assert_eq!(text("x\u{202e}y\u{e0041}"), "x⟨U+202E⟩y⟨U+E0041⟩");
        assert_eq!(text("\u{85}\u{7f}"), "⟨U+0085⟩␡");
    }
}
