//! Source text with its comments, strings, numbers and keywords marked by class.
//!
//! One tokenizer for all languages of [`syntax`], linear in the text. It has no grammar: a mistake
//! is colored wrong, never lost. Classes: `c` comment, `s` string, `n` number, `k` keyword, in
//! patches `i` inserted, `d` deleted.

use crate::budget::COLORED_CODE;
use crate::preview::markup::Markup;
use formats::syntax::{self, CodeLanguage};

/// Adds a block of code in the language called `name`, folded beyond that many lines.
pub(super) fn block(text: &str, name: &str, fold_beyond: usize, out: &mut Markup) {
    // Transcripts hold whole logs, and nobody unfolds more lines than that.
    let lines = text.lines().take(10_000).count();
    let folded = lines > fold_beyond;
    if folded {
        out.raw("<details class=\"fold\"><summary>");
        match name {
            "" => out.word("preview.text"),
            name => out.text(name),
        };
        out.raw(" <span class=\"counts\">").count(lines, "line").raw("</span></summary>");
    }
    out.raw("<pre class=\"code\">\n");
    match syntax::named(name) {
        Some(language) => highlight(text, language, out),
        None if matches!(name, "diff" | "patch") => patch(text, out),
        None => drop(out.text(text)),
    }
    out.raw(if folded { "</pre></details>" } else { "</pre>" });
}

/// Adds `text` to `out`, colored if it is small enough.
pub(super) fn highlight(text: &str, language: &CodeLanguage, out: &mut Markup) {
    if text.len() > COLORED_CODE {
        out.text(text);
        return;
    }
    let mut lexer = Lexer { text, at: 0, language };
    let mut plain = 0;
    while lexer.at < text.len() && !out.is_full() {
        let start = lexer.at;
        let Some(open) = lexer.token() else { continue };
        out.text(&text[plain..start]).wrap(open, &text[start..lexer.at], "</span>");
        plain = lexer.at;
    }
    out.text(&text[plain..]);
}

pub(super) fn patch(text: &str, out: &mut Markup) {
    for line in text.split_inclusive('\n') {
        if out.is_full() {
            // Adding text to full markup records that some is missing.
            out.text(line);
            return;
        }
        match line.as_bytes() {
            // The names of both files begin like an added and a removed line.
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'@', b'@', ..] => {
                out.wrap("<span class=\"k\">", line, "</span>")
            }
            [b'+', ..] => out.wrap("<span class=\"i\">", line, "</span>"),
            [b'-', ..] => out.wrap("<span class=\"d\">", line, "</span>"),
            _ => out.text(line),
        };
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    language: &'t CodeLanguage,
}

impl<'t> Lexer<'t> {
    /// Passes one token; returns the tag that marks it, or `None` for plain text.
    fn token(&mut self) -> Option<&'static str> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        if let Some(length) = self.comment(rest) {
            self.at += length;
            return Some("<span class=\"c\">");
        }
        if let Some(length) = self.string(rest, first) {
            self.at += length;
            return Some("<span class=\"s\">");
        }
        if !is_word(first) {
            self.at += first.len_utf8();
            return None;
        }
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        self.at += word.len();
        if first.is_ascii_digit() {
            return Some("<span class=\"n\">");
        }
        if self.is_keyword(word) { Some("<span class=\"k\">") } else { None }
    }

    fn is_keyword(&self, word: &str) -> bool {
        let mut keywords = self.language.keywords.split_ascii_whitespace();
        if self.language.any_case {
            keywords.any(|keyword| keyword.eq_ignore_ascii_case(word))
        } else {
            keywords.any(|keyword| keyword == word)
        }
    }

    /// The length of the comment that begins `rest`.
    fn comment(&self, rest: &str) -> Option<usize> {
        let (open, close) = self.language.block;
        if !open.is_empty() && rest.starts_with(open) {
            let end = rest[open.len()..].find(close);
            return Some(end.map_or(rest.len(), |end| open.len() + end + close.len()));
        }
        let mut marks = self.language.line.split_ascii_whitespace();
        let mark = marks.find(|mark| rest.starts_with(mark))?;
        // `${#list}` of a shell and `#fff` after a colon are no comments.
        let is_after_space =
            self.text[..self.at].chars().next_back().is_none_or(char::is_whitespace);
        if mark.starts_with(['#', ';']) && !is_after_space {
            return None;
        }
        Some(rest.find('\n').unwrap_or(rest.len()))
    }

    fn string(&self, rest: &str, first: char) -> Option<usize> {
        let mut long = self.language.long.split_ascii_whitespace();
        if let Some(quote) = long.find(|quote| rest.starts_with(quote)) {
            return Some(string_end(rest, quote, true));
        }
        if !self.language.short.contains(first) {
            return None;
        }
        Some(string_end(rest, &rest[..first.len_utf8()], false))
    }
}

/// The length of the string that begins `rest` with `quote`. If unclosed, it extends to the end of
/// the line, or of the text if it may span lines.
fn string_end(rest: &str, quote: &str, over_lines: bool) -> usize {
    let mut skip = false;
    for (at, c) in rest.char_indices().skip(quote.len()) {
        match c {
            _ if skip => skip = false,
            '\\' => skip = true,
            '\n' if !over_lines => return at,
            _ if rest[at..].starts_with(quote) => return at + quote.len(),
            _ => {}
        }
    }
    rest.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{highlight, patch};
    use crate::preview::markup::Markup;
    use formats::syntax::named;

    fn colored(language: &str, text: &str) -> String {
        let mut out = Markup::default();
        highlight(text, named(language).unwrap(), &mut out);
        let html = out.finish().as_str().to_owned();
        html.replace("<span class=\"", "[").replace("\">", ":").replace("</span>", "]")
    }

    #[test]
    fn tokens_are_marked() {
        let table = [
            ("py", "def f(x): # hi", "[k:def] f(x): [c:# hi]"),
            (
                "py",
                "a = '''x\ny''' + \"\\\"z\"",
                "a = [s:&#39;&#39;&#39;x\ny&#39;&#39;&#39;] + [s:&quot;\\&quot;z&quot;]",
            ),
            ("py", "x = 'open\ny = 1", "x = [s:&#39;open]\ny = [n:1]"),
            (
                "rs",
                "let a: &'a str = \"x\"; // c",
                "[k:let] a: &amp;&#39;a str = [s:&quot;x&quot;]; [c:// c]",
            ),
            ("sh", "echo ${#a} # n", "[k:echo] ${#a} [c:# n]"),
            ("js", "/* <b> */ `a${b}`", "[c:/* &lt;b&gt; */] [s:`a${b}`]"),
            ("sql", "Select 1 -- x", "[k:Select] [n:1] [c:-- x]"),
            ("yaml", "a: true # y\nb: c#d", "a: [k:true] [c:# y]\nb: c#d"),
            ("c", "/* open", "[c:/* open]"),
            ("go", "結果 := \"\u{202e}\"", "結果 := [s:&quot;⟨U+202E⟩&quot;]"),
        ];
        for (language, text, expected) in table {
            assert_eq!(colored(language, text), expected, "{text:?}");
        }
    }

    #[test]
    fn large_texts_stay_plain() {
        assert!(!colored("py", &"x = 1\n".repeat(12_000)).contains('['));
    }

    #[test]
    fn patches_show_both_sides() {
        let mut out = Markup::default();
        patch("@@ -1 +1 @@\n-a\n+b\n c", &mut out);
        let html = out.finish().as_str().to_owned();
        assert!(html.contains("<span class=\"d\">-a\n</span><span class=\"i\">+b\n</span> c"));
    }
}
