//! Markup that this program wrote.
//!
//! [`Safe`] is the only type a template may place as it is. It comes from a [`Markup`] alone, and a
//! [`Markup`] takes markup only as literals of this program; everything else goes in as text. So
//! nothing from the data can become a tag or an attribute.

/// Finished markup: literals of this program around escaped text.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub(in crate::render) struct Safe(String);

impl Safe {
    /// The markup itself.
    pub(in crate::render) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Markup in the making.
#[derive(Debug, Default)]
pub(in crate::render) struct Markup {
    html: String,
}

impl Markup {
    /// Adds a literal of this program as it is.
    pub(in crate::render) fn raw(&mut self, literal: &'static str) -> &mut Self {
        self.html.push_str(literal);
        self
    }

    /// Adds `text` as text: escaped for content and for quoted attributes alike, with characters
    /// that hide or reorder text made visible.
    pub(in crate::render) fn text(&mut self, text: &str) -> &mut Self {
        let mut done = 0;
        for (at, c) in text.char_indices() {
            if is_plain(c) {
                continue;
            }
            self.html.push_str(&text[done..at]);
            done = at + c.len_utf8();
            self.special(c, &text[done..]);
        }
        self.html.push_str(&text[done..]);
        self
    }

    /// Adds `text` between two literals.
    pub(in crate::render) fn wrap(
        &mut self,
        open: &'static str,
        text: &str,
        close: &'static str,
    ) -> &mut Self {
        self.raw(open).text(text).raw(close)
    }

    /// Adds a whole number.
    pub(in crate::render) fn number(&mut self, number: usize) -> &mut Self {
        self.html.push_str(&number.to_string());
        self
    }

    /// Adds markup that is finished already.
    pub(in crate::render) fn safe(&mut self, markup: &Safe) -> &mut Self {
        self.html.push_str(&markup.0);
        self
    }

    /// Bytes so far.
    pub(in crate::render) fn len(&self) -> usize {
        self.html.len()
    }

    /// The finished markup.
    pub(in crate::render) fn finish(self) -> Safe {
        Safe(self.html)
    }

    fn special(&mut self, c: char, after: &str) {
        match c {
            '&' => self.html.push_str("&amp;"),
            '<' => self.html.push_str("&lt;"),
            '>' => self.html.push_str("&gt;"),
            '"' => self.html.push_str("&quot;"),
            '\'' => self.html.push_str("&#39;"),
            '\r' if after.starts_with('\n') => {}
            '\u{7f}' => self.html.push('\u{2421}'),
            '\0'..='\u{1f}' => self.html.extend(char::from_u32(0x2400 + u32::from(c))),
            _ => self.html.push_str(&format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(c))),
        }
    }
}

/// Whether a character stands for itself.
fn is_plain(c: char) -> bool {
    match c {
        '&' | '<' | '>' | '"' | '\'' | '\u{7f}' => false,
        '\n' | '\t' => true,
        '\0'..='\u{1f}' | '\u{80}'..='\u{9f}' => false,
        _ => !hides(c),
    }
}

/// Characters that reorder the text around them, or that nobody sees: marks of direction, the
/// byte order mark, and the tag characters in which instructions can be hidden.
fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::Markup;

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
    fn what_hides_is_shown() {
        assert_eq!(text("a\u{1b}[31m\0b\r\nc\rd\te"), "a␛[31m␀b\nc␍d\te");
        assert_eq!(text("x\u{202e}y\u{e0041}"), "x⟨U+202E⟩y⟨U+E0041⟩");
        assert_eq!(text("\u{85}\u{7f}"), "⟨U+0085⟩␡");
    }
}
