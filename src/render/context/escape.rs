//! Text from the data made inert for GitHub Markdown. A leaf.

/// Follows `@`, `#` and the like where GitHub would make a mention, a reference or a link of them.
/// GitHub looks for those in the rendered text, so that a backslash does not stop it.
const BREAK: &str = "&#8203;";

/// `text` as one line of GitHub Markdown that renders as the text itself: safe in a table cell, a
/// list item, a heading and a paragraph. No part of it becomes markup, HTML, a link, a mention of
/// a person, a reference to an issue or a formula.
///
/// Line breaks and control characters become spaces and the ends are trimmed; characters that
/// reorder the text around them are dropped. Emoji codes such as `:tada:` and commit hashes are
/// left as they are.
pub fn markdown(text: &str) -> String {
    let line: String = text.chars().filter(|c| !reorders(*c)).map(without_breaks).collect();
    let line = line.trim();
    let mut escaped = String::with_capacity(line.len() + line.len() / 8);
    let mut before = None;
    for (at, c) in line.char_indices() {
        push(&mut escaped, c, Around { line, at, before });
        before = Some(c);
    }
    escaped
}

/// Where a character stands.
struct Around<'t> {
    line: &'t str,
    at: usize,
    before: Option<char>,
}

impl Around<'_> {
    fn after(&self, c: char) -> &str {
        &self.line[self.at + c.len_utf8()..]
    }

    fn is_in_word(&self, c: char) -> bool {
        self.before.is_some_and(char::is_alphanumeric) && starts_word(self.after(c))
    }

    /// Whether only digits stand before: a `.` or `)` here would make a list of the line.
    fn ends_number(&self) -> bool {
        self.at > 0 && self.line[..self.at].bytes().all(|byte| byte.is_ascii_digit())
    }

    fn ends_with(&self, word: &str) -> bool {
        let start = self.at.checked_sub(word.len());
        let found = start.and_then(|start| self.line.get(start..self.at));
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
    }
}

fn push(escaped: &mut String, c: char, around: Around<'_>) {
    let after = around.after(c);
    match c {
        '&' => escaped.push_str("&amp;"),
        '<' => escaped.push_str("&lt;"),
        '>' => escaped.push_str("&gt;"),
        // Readers of tables disagree on what `\\|` means, so a backslash is never escaped by one.
        '\\' => escaped.push_str("&#92;"),
        '$' => escaped.push_str("<span>\\$</span>"),
        '@' | '#' if starts_word(after) => push_broken(escaped, c),
        '@' if after.starts_with(['-', '_', '.']) => push_broken(escaped, c),
        ':' if after.starts_with("//") => push_broken(escaped, c),
        '-' if around.ends_with("gh") && starts_word(after) => push_broken(escaped, c),
        '.' if around.ends_with("www") => {
            escaped.push_str(BREAK);
            escaped.push('.');
        }
        '_' if around.is_in_word(c) => escaped.push('_'),
        '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => push_literal(escaped, c),
        '-' | '+' | '=' if around.at == 0 => push_literal(escaped, c),
        '.' | ')' if around.ends_number() => push_literal(escaped, c),
        _ => escaped.push(c),
    }
}

fn push_broken(escaped: &mut String, c: char) {
    escaped.push(c);
    escaped.push_str(BREAK);
}

fn push_literal(escaped: &mut String, c: char) {
    escaped.push('\\');
    escaped.push(c);
}

fn starts_word(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
}

fn without_breaks(c: char) -> char {
    if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }
}

/// Whether the character changes the direction of the text around it.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, TagEnd};

    use super::{markdown, reorders, without_breaks};

    #[test]
    fn every_danger_is_inert_and_readable() {
        let table = [
            ("with_skill 53/77", "with_skill 53/77"),
            ("_with_ __it__", r"\_with\_ \_\_it\_\_"),
            ("a|b", r"a\|b"),
            (r"a\|b\", r"a&#92;\|b&#92;"),
            ("`code` and ```fence", r"\`code\` and \`\`\`fence"),
            ("**bold** ~~gone~~", r"\*\*bold\*\* \~\~gone\~\~"),
            ("two\r\nlines\tand a tab", "two  lines and a tab"),
            ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
            ("<!-- -->", "&lt;!-- --&gt;"),
            ("[x](javascript:alert(1))", r"\[x\](javascript:alert(1))"),
            ("![x](y.png)", r"!\[x\](y.png)"),
            ("@octocat, a@b.example", "@&#8203;octocat, a@&#8203;b.example"),
            ("a@-b.co, a@_b.c", r"a@&#8203;-b.co, a@&#8203;\_b.c"),
            ("see #123, C#", r"see #&#8203;123, C\#"),
            ("GH-12 gh-pages", "GH-&#8203;12 gh-&#8203;pages"),
            ("https://a.example", "https:&#8203;//a.example"),
            ("WWW.a.example", "WWW&#8203;.a.example"),
            ("$5 or $6", r"<span>\$</span>5 or <span>\$</span>6"),
            ("# heading", r"\# heading"),
            ("- item", r"\- item"),
            ("-1 point", r"\-1 point"),
            ("1. item", r"1\. item"),
            ("12) item", r"12\) item"),
            ("version 1.5", "version 1.5"),
            ("- [ ] task", r"\- \[ \] task"),
            ("    indented", "indented"),
            ("a\u{202e}b", "ab"),
            ("品質 — ünïcode 🎯", "品質 — ünïcode 🎯"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(markdown(text), expected, "{text:?}");
        }
    }

    /// The text of `source` as GitHub would show it, or the first thing in it that is not text.
    fn rendered(source: &str) -> Result<String, String> {
        let mut text = String::new();
        for event in Parser::new_ext(source, github()) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::InlineHtml(tag) if matches!(&*tag, "<span>" | "</span>") => {}
                Event::Start(tag) if is_frame(tag.to_end()) => {}
                Event::End(end) if is_frame(end) => {}
                other => return Err(format!("{other:?}")),
            }
        }
        Ok(text)
    }

    fn github() -> Options {
        Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH
            | Options::ENABLE_GFM
    }

    /// The blocks that the test itself puts around a text; a second one of them would have eaten
    /// a part of it.
    fn is_frame(end: TagEnd) -> bool {
        use TagEnd::{Heading, Item, List, Paragraph, Table, TableCell, TableHead, TableRow};
        matches!(
            end,
            Heading(_) | Paragraph | List(_) | Item | Table | TableHead | TableRow | TableCell
        )
    }

    /// What a reader should see of `text`.
    fn seen(text: &str) -> String {
        let chars = text.chars().filter(|c| !reorders(*c)).map(without_breaks);
        chars.collect::<String>().trim().replace('\u{200b}', "")
    }

    proptest! {
        #[test]
        fn renders_as_itself(
            text in r"([-+=_*~`|#@$:&<>\[\]()!.\\/ \t\n]|[a-c1-3]|www|GH|http|&lt;|\PC){0,24}",
        ) {
            let escaped = markdown(&text);
            let frames = [("", ""), ("x ", "x "), ("- ", ""), ("# ", ""), ("|a|\n|-|\n|", "a")];
            for (before, lead) in frames {
                let close = if before.starts_with('|') { "|" } else { "" };
                let found = rendered(&format!("{before}{escaped}{close}"));
                let found = found.map(|found| found.replace('\u{200b}', "").trim().to_owned());
                let expected = format!("{lead}{}", seen(&text)).trim().to_owned();
                prop_assert_eq!(found, Ok(expected), "{}", before);
            }
        }
    }
}
