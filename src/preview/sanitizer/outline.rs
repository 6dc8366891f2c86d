//! HTML as its text and structure: headings, paragraphs, lists, tables, links.
//!
//! Every element is rewritten from a short list, without attributes except a link's target;
//! scripts, styles, forms, frames and pictures are left out, and so is everything that could run or
//! load.

use crate::preview::markup::Markup;
use crate::preview::references::unescaped;
use crate::preview::sanitizer::token::{HtmlToken, Tag, Tokens};
use formats::limits::MAX_NESTING;
use text::{is_listed, listed};

/// Elements that are left out with their content.
const DROPPED: &str = "template object noscript svg math canvas audio video select";

/// Elements that are kept as they are.
const KEPT: &str = "p div ul ol li dl dt dd table caption thead tbody tr th td pre code blockquote \
    em strong s sub sup";

/// Elements that are written under another name. Headings are below those of the page.
const RENAMED: &[(&str, &str)] = &[
    ("h1", "h4"),
    ("h2", "h5"),
    ("h3 h4 h5 h6", "h6"),
    ("figcaption", "p"),
    ("section article main header footer nav aside figure", "div"),
    ("tfoot", "tbody"),
    ("i", "em"),
    ("b", "strong"),
    ("del", "s"),
];

const WIDE: &str = "<div class=\"wide\" tabindex=\"0\">";

/// A new element, and the element on top of the open ones that it ends.
const ENDS: &[(&str, &str)] = &[
    ("li", "li"),
    ("dt", "dd"),
    ("dd", "dt"),
    ("tr", "tr"),
    ("td th", "td th"),
    ("p div ul ol table h1 h2 h3 pre blockquote", "p"),
];

/// Adds the structure of the page in `text` to `out`; returns whether all of it fit.
pub(crate) fn write(text: &str, out: &mut Markup) -> bool {
    out.raw("<div class=\"page\">");
    let mut tokens = Tokens::new(text, DROPPED);
    let mut writer = OutlineWriter { out, open: Vec::new() };
    while !writer.out.is_full()
        && let Some(token) = tokens.next()
    {
        writer.token(token);
    }
    writer.close_to(0);
    out.raw("</div>");
    tokens.is_at_end()
}

/// An element in the data, and the name under which it is written.
struct Kept {
    name: &'static str,
    written: &'static str,
}

/// The element called `name`, if it is kept.
fn kept(name: &str) -> Option<Kept> {
    if let Some(name) = listed(KEPT, name) {
        return Some(Kept { name, written: name });
    }
    RENAMED.iter().find_map(|(names, written)| Some(Kept { name: listed(names, name)?, written }))
}

struct OutlineWriter<'m> {
    out: &'m mut Markup,
    open: Vec<Kept>,
}

impl OutlineWriter<'_> {
    fn token(&mut self, token: HtmlToken<'_>) {
        match token {
            HtmlToken::Text(text) => drop(self.out.text(&unescaped(text))),
            HtmlToken::Start(tag) => match tag.name.as_str() {
                "br" => drop(self.out.raw("<br>")),
                "hr" => drop(self.out.raw("<hr>")),
                "img" => {
                    self.out.raw("<span class=\"picture\">");
                    match tag.attribute("alt").filter(|alt| !alt.is_empty()) {
                        Some(alt) => self.out.word("preview.picture_before").text(&alt),
                        None => self.out.word("preview.picture"),
                    };
                    self.out.raw("</span>");
                }
                "a" => self.link(&tag),
                name => self.element(name),
            },
            HtmlToken::End(name) => {
                if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
                    self.close_to(at);
                }
            }
        }
    }

    fn element(&mut self, name: &str) {
        let Some(element) = kept(name) else { return };
        let top = self.open.last().map_or("", |open| open.name);
        if ENDS.iter().any(|(begun, ended)| is_listed(begun, name) && is_listed(ended, top)) {
            self.close_to(self.open.len() - 1);
        }
        if self.open.len() < MAX_NESTING {
            // A wide table scrolls by itself, also by the keys.
            self.out.raw(if name == "table" { WIDE } else { "" });
            self.out.raw("<").raw(element.written).raw(">");
            self.open.push(element);
        }
    }

    fn link(&mut self, tag: &Tag<'_>) {
        // Links within the page lead nowhere here, and files next to it are not part of the report.
        let target = tag.attribute("href").unwrap_or_default();
        let lower = target.get(..8).unwrap_or_default().to_ascii_lowercase();
        let may_follow = lower.starts_with("http://") || lower.starts_with("https://");
        if may_follow && self.open.len() < MAX_NESTING {
            self.out.raw("<a rel=\"noreferrer noopener\" href=\"").value(&target).raw("\">");
            self.open.push(Kept { name: "a", written: "a" });
        }
    }

    fn close_to(&mut self, length: usize) {
        for Kept { name, written } in self.open.drain(length..).rev() {
            self.out.raw("</").raw(written).raw(">");
            self.out.raw(if name == "table" { "</div>" } else { "" });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NESTING, write};
    use crate::preview::markup::Markup;

    fn html(text: &str) -> String {
        let mut out = Markup::default();
        write(text, &mut out);
        let html = out.finish().as_str().to_owned();
        html["<div class=\"page\">".len()..html.len() - 6].to_owned()
    }

    #[test]
    fn structure_without_anything_live() {
        let table = [
            ("<!doctype html><title>t</title><h1 onclick=x>A</h1>", "<h4>A</h4>"),
            ("<p>a<p>b", "<p>a</p><p>b</p>"),
            ("<ul><li>a<li>b</ul>c", "<ul><li>a</li><li>b</li></ul>c"),
            ("<script>alert('</p>')</script>x<style>a{}</style>", "x"),
            ("<script>never closed", ""),
            (
                "<img src=x onerror=alert(1) alt=\"a'b\">",
                "<span class=\"picture\">picture: a&#39;b</span>",
            ),
            ("<a href=\"javascript:x\">a</a>", "a"),
            ("<a href='java&#115;cript:x'>a</a>", "a"),
            (
                "<a title='>' href=' https://a.example/?b=1&amp;c'>a</a>",
                "<a rel=\"noreferrer noopener\" href=\"https://a.example/?b=1&amp;c\">a</a>",
            ),
            ("<form action=//x><input name=a><button>b</button></form>", "b"),
            (
                "a < b & c &lt;d&gt; &#x3c;script&#62; &bogus;",
                "a &lt; b &amp; c &lt;d&gt; &lt;script&gt; &amp;bogus;",
            ),
            ("</div></body>a", "a"),
            ("<!-- <b> -->a<!-- open", "a"),
            ("<td>a", "<td>a</td>"),
            ("<", ""),
            ("<a href=\"", ""),
        ];
        for (text, expected) in table {
            assert_eq!(html(text), expected, "{text:?}");
        }
    }

    #[test]
    fn depth_is_limited() {
        let found = html(&"<div>".repeat(100_000));
        assert_eq!(found.matches("<div>").count(), MAX_NESTING);
        assert_eq!(found.matches("</div>").count(), MAX_NESTING);
    }
}
