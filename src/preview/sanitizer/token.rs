//! HTML tokens, read as tolerantly as by a browser.
//!
//! Every byte is visited once: anything unclosed extends to the end of the text.

use crate::preview::references::unescaped;
use formats::limits::MAX_PARTS;
use text::listed;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum HtmlToken<'t> {
    /// Text, with its character references unresolved.
    Text(&'t str),
    Start(Tag<'t>),
    /// An end tag, by its name in lower case.
    End(String),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    /// Its name in lower case; empty if no element has it.
    pub(super) name: String,
    attributes: &'t str,
    /// Whether it ends with `/>`.
    pub(super) is_closed: bool,
    /// The raw content of the element, if it is not markup; its end tag is skipped.
    pub(super) content: &'t str,
}

/// Elements whose content is not markup.
const RAW: &str = "iframe noembed noframes plaintext script style textarea title xmp";

/// The tokens outside of elements that are left out with their content. Their start tags remain, so
/// that they can be counted.
pub(super) struct Tokens<'t> {
    rest: &'t str,
    dropped: &'static str,
    /// The element left out, and how many of that name are open.
    within: Option<(String, usize)>,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, dropped: &'static str) -> Self {
        Self { rest: text, dropped, within: None }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The tag at the start of the rest; `None` if it never ends.
    fn start_tag(&mut self) -> Option<HtmlToken<'t>> {
        let name = name(&self.rest[1..]);
        let inner = &self.rest[1 + self.rest[1..].find(ends_name).unwrap_or(0)..];
        let mut left = inner;
        while let Some((.., after)) = attribute(left) {
            left = after;
        }
        let attributes = &inner[..inner.len() - left.len()];
        // Most templates write `<meta … />`; the slash belongs to no attribute.
        let end = left.trim_start_matches(is_space_or_slash);
        let is_closed = left[..left.len() - end.len()].ends_with('/');
        self.rest = end.strip_prefix('>')?;
        let content = if listed(RAW, &name).is_some() { self.content(&name) } else { "" };
        Some(HtmlToken::Start(Tag { name, attributes, is_closed, content }))
    }

    /// The text before the end tag of `wanted`, which is skipped.
    fn content(&mut self, wanted: &str) -> &'t str {
        let text = self.rest;
        for (at, _) in text.match_indices("</") {
            // Nothing ends `<plaintext>`.
            if wanted != "plaintext" && is_end_tag(&text[at..], wanted) {
                self.rest = after(&text[at..], ">");
                return &text[..at];
            }
        }
        self.rest = "";
        text
    }

    /// The next token, including those in omitted elements.
    fn any(&mut self) -> Option<HtmlToken<'t>> {
        while !self.rest.is_empty() {
            let Some(inner) = self.rest.strip_prefix('<') else {
                return Some(HtmlToken::Text(self.text(0)));
            };
            // As in browsers, `<` and `</` begin a tag only before a letter.
            let bare = inner.strip_prefix('/').unwrap_or(inner);
            let is_name = bare.starts_with(|c: char| c.is_ascii_alphabetic());
            match inner.as_bytes().first() {
                Some(b'!' | b'?') => {
                    let comment = inner.strip_prefix("!--");
                    self.rest = comment.map_or_else(|| after(inner, ">"), after_comment);
                }
                Some(b'/') if is_name => {
                    self.rest = after(inner, ">");
                    return Some(HtmlToken::End(name(&inner[1..])));
                }
                Some(b'/') if !inner[1..].is_empty() => self.rest = after(self.rest, ">"),
                Some(_) if is_name => match self.start_tag() {
                    Some(tag) => return Some(tag),
                    None => self.rest = "",
                },
                Some(_) => return Some(HtmlToken::Text(self.text(1))),
                None => self.rest = "",
            }
        }
        None
    }

    /// The text up to the next tag after `from` bytes.
    fn text(&mut self, from: usize) -> &'t str {
        let end = self.rest[from..].find('<').map_or(self.rest.len(), |at| from + at);
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        text
    }

    /// Whether `token` is outside; tracks the open elements.
    fn is_outside(&mut self, token: &HtmlToken<'_>) -> bool {
        let Some((name, open)) = &mut self.within else {
            if let HtmlToken::Start(tag) = token
                && !tag.is_closed
                && listed(RAW, &tag.name).is_none()
                && listed(self.dropped, &tag.name).is_some()
            {
                self.within = Some((tag.name.clone(), 1));
            }
            return true;
        };
        match token {
            HtmlToken::Start(tag) if tag.name == *name && !tag.is_closed => *open += 1,
            HtmlToken::End(ended) if ended == name => *open -= 1,
            _ => {}
        }
        if *open == 0 {
            self.within = None;
        }
        false
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = HtmlToken<'t>;

    fn next(&mut self) -> Option<HtmlToken<'t>> {
        loop {
            let token = self.any()?;
            if self.is_outside(&token) {
                return Some(token);
            }
        }
    }
}

impl<'t> Tag<'t> {
    /// Its attributes: raw names and values, the first of each name first.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
        let mut rest = self.attributes;
        let attributes = std::iter::from_fn(move || {
            let (name, value, after) = attribute(rest)?;
            rest = after;
            Some((name, value))
        });
        attributes.take(MAX_PARTS).filter(|(name, _)| !name.is_empty())
    }

    /// The value of the first attribute with that name, with its character references resolved.
    pub(super) fn attribute(&self, wanted: &str) -> Option<String> {
        let mut found = self.attributes().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.next().map(|(_, value)| unescaped(value).trim().to_owned())
    }
}

/// Name, value and the rest; `None` at the end of a tag.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(is_space_or_slash);
    if text.is_empty() || text.starts_with('>') {
        return None;
    }
    // A name may begin with `=`, as `<a =b>` has the attribute `=b`.
    let first = text.chars().next().map_or(1, char::len_utf8);
    let end = text[first..].find(|c| ends_name(c) || c == '=');
    let end = end.map_or(text.len(), |at| first + at);
    let (name, after) = text.split_at(end);
    let Some(value) = after.trim_start_matches(is_space).strip_prefix('=') else {
        return Some((name, "", after));
    };
    let value = value.trim_start_matches(is_space);
    if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return Some(match value[1..].split_once(quote) {
            Some((value, after)) => (name, value, after),
            None => (name, "", ""),
        });
    }
    let end = value.find(|c: char| is_space(c) || c == '>').unwrap_or(value.len());
    Some((name, &value[..end], &value[end..]))
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\t' | '\r' | '\u{c}')
}

fn is_space_or_slash(c: char) -> bool {
    is_space(c) || c == '/'
}

/// Whether `text` begins with the end tag of the element called `name`.
fn is_end_tag(text: &str, name: &str) -> bool {
    let start = "</".len();
    let end = start + name.len();
    text.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && text[end..].starts_with(ends_name)
}

fn ends_name(c: char) -> bool {
    is_space(c) || matches!(c, '/' | '>')
}

/// The name at the beginning of `text`, in lower case; empty if it is longer than any element's.
fn name(text: &str) -> String {
    let end = text.find(ends_name).unwrap_or(text.len());
    if end > 40 { String::new() } else { text[..end].to_ascii_lowercase() }
}

fn after<'t>(text: &'t str, mark: &str) -> &'t str {
    text.find(mark).map_or("", |at| &text[at + mark.len()..])
}

/// The text after a comment, by any end that browsers accept.
fn after_comment(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix(">").or_else(|| text.strip_prefix("->")) {
        return rest;
    }
    for (at, _) in text.match_indices('>') {
        if text[..at].ends_with("--") || text[..at].ends_with("--!") {
            return &text[at + 1..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::{HtmlToken, Tokens};

    fn tokens(text: &str) -> String {
        let tokens = Tokens::new(text, "").map(|token| match token {
            HtmlToken::Text(text) => text.to_owned(),
            HtmlToken::End(name) => format!("[/{name}]"),
            HtmlToken::Start(tag) => {
                let attributes: String =
                    tag.attributes().map(|(name, value)| format!(" {name}={value}")).collect();
                let content = if tag.content.is_empty() { "" } else { ": " };
                format!("[{}{attributes}{content}{}]", tag.name, tag.content)
            }
        });
        tokens.collect()
    }

    #[test]
    fn tags_are_read_as_browsers_read_them() {
        let table = [
            ("a<B c=d E='f g' h>i</B >j", "a[b c=d E=f g h=]i[/b]j"),
            ("<a title\">x", "[a title\"=]x"),
            ("<a b='>'>x", "[a b=>]x"),
            ("<a/b/c=d/>x", "[a b= c=d/]x"),
            ("<a =b>x", "[a =b=]x"),
            ("<a/>x<b c=\"d\" />y<e f=g />z<h i / >j", "[a]x[b c=d]y[e f=g]z[h i=]j"),
            ("a < b <3 </3> <", "a < b <3  "),
            ("a<!-- <b> -->c<!-->d<!--->e<!--f--!>g<!h>i<?j>k", "acdegik"),
            ("a<!-- never", "a"),
            ("a<![CDATA[<b>]]>", "a]]>"),
            ("<SCRIPT>a</scripts></Script x>b", "[script: a</scripts>]b"),
            ("<script>never", "[script: never]"),
            ("<title>a<b></title>c", "[title: a<b>]c"),
            ("<plaintext>a</plaintext>b", "[plaintext: a</plaintext>b]"),
            ("<script<x>a", "[script<x]a"),
            ("<a b=\"never>", ""),
            ("<a", ""),
            ("</", "</"),
            ("</>a", "a"),
        ];
        for (text, expected) in table {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }
}
