//! HTML as its text and structure: headings, paragraphs, lists, tables, links.
//!
//! Every element is rewritten from a short list, without attributes except a link's target;
//! scripts, styles, forms, frames and pictures are left out, and so is everything that could run or
//! load.

use crate::formats::limits::MAX_NESTING;
use crate::preview::markup::Markup;
use crate::preview::references::unescaped;
use crate::preview::sanitizer::token::{HtmlToken, Tag, Tokens};
use crate::text::{is_listed, listed};

/// Elements that are left out with their content.
const DROPPED: &str = "template object noscript svg math canvas audio video select";

/// Names in the data, with the start and end of the element here.
const KEPT: &[(&str, &str, &str)] = &[
    ("h1", "<h4>", "</h4>"),
    ("h2", "<h5>", "</h5>"),
    ("h3 h4 h5 h6", "<h6>", "</h6>"),
    ("p figcaption", "<p>", "</p>"),
    ("div section article main header footer nav aside figure", "<div>", "</div>"),
    ("ul", "<ul>", "</ul>"),
    ("ol", "<ol>", "</ol>"),
    ("li", "<li>", "</li>"),
    ("dl", "<dl>", "</dl>"),
    ("dt", "<dt>", "</dt>"),
    ("dd", "<dd>", "</dd>"),
    ("table", "<div class=\"wide\" tabindex=\"0\"><table>", "</table></div>"),
    ("caption", "<caption>", "</caption>"),
    ("thead", "<thead>", "</thead>"),
    ("tbody tfoot", "<tbody>", "</tbody>"),
    ("tr", "<tr>", "</tr>"),
    ("th", "<th>", "</th>"),
    ("td", "<td>", "</td>"),
    ("pre", "<pre>", "</pre>"),
    ("code", "<code>", "</code>"),
    ("blockquote", "<blockquote>", "</blockquote>"),
    ("em i", "<em>", "</em>"),
    ("strong b", "<strong>", "</strong>"),
    ("del s", "<del>", "</del>"),
    ("sub", "<sub>", "</sub>"),
    ("sup", "<sup>", "</sup>"),
];

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

/// The element called `name` with its start and end, if it is kept.
fn kept(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    KEPT.iter().find_map(|(names, open, close)| Some((listed(names, name)?, *open, *close)))
}

struct OutlineWriter<'m> {
    out: &'m mut Markup,
    /// Name and end of each open element.
    open: Vec<(&'static str, &'static str)>,
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
                if let Some(at) = self.open.iter().rposition(|(open, _)| *open == name) {
                    self.close_to(at);
                }
            }
        }
    }

    fn element(&mut self, name: &str) {
        let Some((name, open, close)) = kept(name) else { return };
        let top = self.open.last().map_or("", |(top, _)| top);
        if ENDS.iter().any(|(begun, ended)| is_listed(begun, name) && is_listed(ended, top)) {
            self.close_to(self.open.len() - 1);
        }
        if self.open.len() < MAX_NESTING {
            self.open.push((name, close));
            self.out.raw(open);
        }
    }

    fn link(&mut self, tag: &Tag<'_>) {
        // Links within the page lead nowhere here, and files next to it are not part of the report.
        let target = tag.attribute("href").unwrap_or_default();
        let lower = target.get(..8).unwrap_or_default().to_ascii_lowercase();
        let may_follow = lower.starts_with("http://") || lower.starts_with("https://");
        if may_follow && self.open.len() < MAX_NESTING {
            self.out.raw("<a rel=\"noreferrer noopener\" href=\"").value(&target).raw("\">");
            self.open.push(("a", "</a>"));
        }
    }

    fn close_to(&mut self, length: usize) {
        for (_, close) in self.open.drain(length..).rev() {
            self.out.raw(close);
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
