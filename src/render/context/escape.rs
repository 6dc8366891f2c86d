//! Escapes text from the data for GitHub Markdown and XML. A leaf.

/// Inserted after `@`, `#` and the like where GitHub would make a mention, a reference or a link.
/// GitHub searches the rendered text for these, so a backslash does not help.
const BREAK: &str = "&#8203;";

/// `text` as one line of GitHub Markdown that renders as the text itself: safe in table cells, list
/// items, headings and paragraphs. No part becomes markup, HTML, a link, a mention, an issue
/// reference or a formula.
///
/// Line breaks and control characters become spaces and the ends are trimmed; characters that
/// reorder the text around them are dropped. Commit ids become code, since forges link them to commits
/// of the repository, and so do commands in backticks. Emoji codes such as `:tada:` stay.
pub fn markdown(text: &str) -> String {
    let line: String = text.chars().filter(|c| !reorders(*c)).map(without_breaks).collect();
    let line = line.trim();
    let mut escaped = String::with_capacity(line.len() + line.len() / 8);
    let mut before = None;
    let mut code_end = 0;
    for (at, c) in line.char_indices() {
        if at < code_end {
            continue;
        }
        if !before.is_some_and(char::is_alphanumeric)
            && let Some(id) = commit_id(&line[at..])
        {
            escaped.extend(["<code>", id, "</code>"]);
            code_end = at + id.len();
            before = id.chars().last();
            continue;
        }
        if before != Some('`')
            && let Some(code) = code_span(&line[at..])
        {
            escaped.push_str(code);
            code_end = at + code.len();
            before = Some('`');
            continue;
        }
        let (start, after) = (&line[..at], &line[at + c.len_utf8()..]);
        let starts_word = after.starts_with(char::is_alphanumeric);
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Table parsers disagree on what `\\|` means, so a backslash is never escaped with
            // another.
            '\\' => escaped.push_str("&#92;"),
            '$' => escaped.push_str("<span>\\$</span>"),
            '@' | '#' if starts_word => escaped.extend([&line[at..=at], BREAK]),
            '@' if after.starts_with(['-', '_', '.']) => escaped.extend(["@", BREAK]),
            ':' if after.starts_with("//") => escaped.extend([":", BREAK]),
            '-' if ends_with(start, "gh") && starts_word => escaped.extend(["-", BREAK]),
            '.' if ends_with(start, "www") => escaped.extend([BREAK, "."]),
            '_' if before.is_some_and(char::is_alphanumeric) && starts_word => escaped.push('_'),
            '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => escaped.extend(['\\', c]),
            '-' | '+' | '=' if at == 0 => escaped.extend(['\\', c]),
            // After digits alone, either would start a list.
            '.' | ')' if at > 0 && start.bytes().all(|byte| byte.is_ascii_digit()) => {
                escaped.extend(['\\', c]);
            }
            _ => escaped.push(c),
        }
        before = Some(c);
    }
    escaped
}

/// Whether `text` ends with `word`, in any case.
fn ends_with(text: &str, word: &str) -> bool {
    let end = text.len().checked_sub(word.len()).and_then(|from| text.get(from..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(word))
}

/// The full id of a commit that `text` begins with: a word of 40 hexadecimal digits.
fn commit_id(text: &str) -> Option<&str> {
    let id = text.get(..40)?;
    let is_word = !text[id.len()..].starts_with(char::is_alphanumeric);
    if is_word && id.bytes().all(|byte| byte.is_ascii_hexdigit()) { Some(id) } else { None }
}

/// The command in backticks that `text` begins with, such as `` `evalbook build` ``: of letters that mean
/// nothing to a forge.
fn code_span(text: &str) -> Option<&str> {
    let (code, rest) = text.strip_prefix('`')?.split_once('`')?;
    let is_plain = code.bytes().all(|c| c.is_ascii_alphanumeric() || b" -_./=,\"'()".contains(&c));
    let is_code = is_plain && !code.is_empty() && code.trim() == code && !rest.starts_with('`');
    if is_code { Some(&text[..code.len() + 2]) } else { None }
}

fn without_breaks(c: char) -> char {
    if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }
}

fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` for element content. No `>` remains, and so no `]]>`; characters that XML forbids become
/// U+FFFD.
pub(crate) fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\n' | '\t' => safe.push(c),
            // Parsers of XML read a bare carriage return as a line feed.
            '\r' => safe.push_str("&#13;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

pub(crate) fn xml_attribute(text: &str) -> String {
    xml(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, TagEnd};
    use roxmltree::Document;

    use super::{markdown, reorders, without_breaks, xml, xml_attribute};

    #[test]
    fn every_danger_is_inert_and_readable() {
        let table = [
            ("with_skill 53/77", "with_skill 53/77"),
            ("_with_ __it__", r"\_with\_ \_\_it\_\_"),
            ("a|b", r"a\|b"),
            (r"a\|b\", r"a&#92;\|b&#92;"),
            ("`code` and ```fence", r"`code` and \`\`\`fence"),
            ("``a` `@b` ` c` `d", r"\`\`a\` \`@&#8203;b\` \` c\` \`d"),
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
            (
                "at 0123456789abcdef0123456789abcdef01234567.",
                "at <code>0123456789abcdef0123456789abcdef01234567</code>.",
            ),
            (
                "0123456789abcdef0123456789abcdef012345678",
                "0123456789abcdef0123456789abcdef012345678",
            ),
            ("品質 — ünïcode 🎯", "品質 — ünïcode 🎯"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(markdown(text), expected, "{text:?}");
        }
    }

    /// The text of `source` as GitHub shows it, or the first event that is not text.
    fn rendered(source: &str) -> Result<String, String> {
        let mut text = String::new();
        for event in Parser::new_ext(source, github()) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::Code(part) => text.extend(["`", &*part, "`"]),
                Event::InlineHtml(tag)
                    if matches!(&*tag, "<span>" | "</span>" | "<code>" | "</code>") => {}
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

    /// The blocks that the test itself puts around a text; a second one would contain a part of it.
    fn is_frame(end: TagEnd) -> bool {
        use TagEnd::{Heading, Item, List, Paragraph, Table, TableCell, TableHead, TableRow};
        matches!(
            end,
            Heading(_) | Paragraph | List(_) | Item | Table | TableHead | TableRow | TableCell
        )
    }

    /// The part of `text` that a reader should see.
    fn seen(text: &str) -> String {
        let chars = text.chars().filter(|c| !reorders(*c)).map(without_breaks);
        chars.collect::<String>().trim().replace('\u{200b}', "")
    }

    proptest! {
        #[test]
        fn renders_as_itself(
            text in r"([-+=_*~`|#@$:&<>\[\]()!.\\/ \t\n]|[a-c1-3]|[0-9a-f]{40}|www|GH|http|&lt;|\PC){0,24}",
        ) {
            let escaped = markdown(&text);
            let frames = [("", ""), ("x ", "x "), ("- ", ""), ("# ", ""), ("|a|\n|-|\n|", "a")];
            for (before, lead) in frames {
                let close = if before.starts_with('|') { "|" } else { "" };
                let text_shown = rendered(&format!("{before}{escaped}{close}"));
                let text_shown = text_shown.map(|shown| shown.replace('\u{200b}', "").trim().to_owned());
                let expected = format!("{lead}{}", seen(&text)).trim().to_owned();
                prop_assert_eq!(text_shown, Ok(expected), "{}", before);
            }
        }
    }

    proptest! {
        #[test]
        fn every_text_is_xml(text in r#"([\]<>&"'\x00-\x1f]|\PC|\u{fffe}|\]\]>|--|<!\[CDATA\[){0,30}"#) {
            let document = format!("<a b=\"{}\">{}</a>", xml_attribute(&text), xml(&text));
            let document = Document::parse(&document).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let root = document.root_element();
            prop_assert_eq!(root.descendants().filter(|node| node.is_element()).count(), 1);
            let plain = |c: char| match c {
                '\n' | '\t' | '\r' => c,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
                c => c,
            };
            let expected: String = text.chars().map(plain).collect();
            prop_assert_eq!(root.text().unwrap_or_default(), expected);
        }
    }
}
