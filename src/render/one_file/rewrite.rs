//! Makes the markup of a page part of a larger one: own ids, links within the page, and pictures and
//! frames that hold what they show.
//!
//! The markup is from our templates: every attribute is quoted, and `<` and `"` of a text are escaped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use formats::picture::media_type;
use text::to_base64;

/// The files that pages show, while there is room.
pub(super) struct Embedded<'p> {
    files: &'p BTreeMap<String, Vec<u8>>,
    room: usize,
    left_out: BTreeSet<String>,
}

impl<'p> Embedded<'p> {
    pub(super) fn new(files: &'p BTreeMap<String, Vec<u8>>, room: usize) -> Self {
        Self { files, room, left_out: BTreeSet::new() }
    }

    /// The names of the files without room.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(String::as_str)
    }

    /// The file at `path` as `encode` puts it into the page; `None` without room.
    fn take(
        &mut self,
        path: &str,
        name: &str,
        encode: impl Fn(&[u8]) -> Option<String>,
    ) -> Option<String> {
        let encoded = self.files.get(path).and_then(|bytes| encode(bytes));
        match encoded {
            Some(encoded) if encoded.len() <= self.room => {
                self.room -= encoded.len();
                Some(encoded)
            }
            _ => {
                self.left_out.insert(name.to_owned());
                None
            }
        }
    }
}

/// The place of a page in the file.
pub(super) struct Rewriter<'p> {
    pub(super) at: usize,
    pub(super) path: &'p str,
    /// The pages of the file by their paths in the report.
    pub(super) places: &'p BTreeMap<&'p str, usize>,
    /// The pages of cases among them, by the name in their address.
    pub(super) cases: &'p BTreeMap<&'p str, usize>,
}

impl Rewriter<'_> {
    pub(super) fn rewrite(&self, html: &str, embedded: &mut Embedded<'_>) -> String {
        let mut result = String::with_capacity(html.len());
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            result.push_str(&rest[..start]);
            rest = &rest[start..];
            // A form for comments and its steps do nothing without scripts.
            if rest.starts_with("<section class=\"comment-bar\"") {
                rest = rest.split_once("</section>").map_or("", |(_, after)| after);
                continue;
            }
            let Some(end) = tag_end(rest) else { break };
            let (tag, after) = rest.split_at(end);
            self.tag(tag, embedded, &mut result);
            rest = after;
        }
        result.push_str(rest);
        result
    }

    fn tag(&self, tag: &str, embedded: &mut Embedded<'_>, result: &mut String) {
        let inner = tag.trim_start_matches('<').trim_end_matches('>');
        let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        if name.starts_with('/') || name.starts_with('!') || attributes.is_empty() {
            result.push_str(tag);
            return;
        }
        let attributes = split_attributes(attributes);
        let value = |wanted: &str| {
            attributes.iter().find(|(name, _)| *name == wanted).and_then(|(_, value)| *value)
        };
        let label = value("alt").or_else(|| value("title")).unwrap_or_default();
        let _ = write!(result, "<{name}");
        for (attribute, value) in &attributes {
            let Some(value) = value else {
                let _ = write!(result, " {attribute}");
                continue;
            };
            match (name, *attribute) {
                // Ids that a style sheet names; only one page has them.
                (_, "id" | "for") if value.starts_with("only-") => put(attribute, value, result),
                (_, "id" | "for" | "aria-labelledby" | "aria-describedby") => {
                    put(attribute, &format!("p{}-{value}", self.at), result);
                }
                ("input" | "details", "name") => {
                    put("name", &format!("p{}-{value}", self.at), result);
                }
                ("a", "href") => {
                    if let Some(to) = self.target(value) {
                        put("href", &to, result);
                    }
                }
                ("img", "src") => {
                    let path = resolved(self.path, value);
                    let encode = |bytes: &[u8]| data_address(&path, bytes);
                    if let Some(data) = embedded.take(&path, label, encode) {
                        put("src", &data, result);
                    }
                }
                ("iframe", "src") => {
                    let path = resolved(self.path, value);
                    if let Some(content) = embedded.take(&path, label, as_attribute) {
                        put("srcdoc", &content, result);
                    }
                }
                // What the script of the file reads.
                (_, "data-side" | "data-text") => put(attribute, value, result),
                // Addresses of files, and what only other scripts read.
                (_, "src" | "href" | "data" | "target" | "srcset" | "poster") => {}
                ("iframe" | "object", "name") => {}
                (_, data) if data.starts_with("data-") => {}
                _ => put(attribute, value, result),
            }
        }
        result.push('>');
    }

    /// Where a link leads in the file; `None` for what is not in it.
    fn target(&self, href: &str) -> Option<String> {
        let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
        let path = resolved(self.path, path);
        let at = if href.starts_with('#') {
            self.at
        } else if let Some(at) = self.places.get(path.as_str()) {
            *at
        } else {
            // An earlier review of a case: its page over all iterations is here.
            let case =
                path.strip_suffix(".html")?.rsplit('/').find_map(|part| self.cases.get(part))?;
            return Some(format!("#p{case}"));
        };
        // Only scripts know where a review goes on.
        if fragment.is_empty() || fragment == "resume" {
            return Some(format!("#p{at}"));
        }
        Some(format!("#p{at}-{fragment}"))
    }
}

fn put(attribute: &str, value: &str, result: &mut String) {
    let _ = write!(result, " {attribute}=\"{value}\"");
}

/// The length of the tag that `html` begins with.
fn tag_end(html: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (at, byte) in html.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Names and values, as they are escaped; `None` for an attribute without a value.
fn split_attributes(mut text: &str) -> Vec<(&str, Option<&str>)> {
    let mut attributes = Vec::new();
    loop {
        text = text.trim_start();
        let end = text.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.is_empty() {
            return attributes;
        }
        match rest.strip_prefix("=\"").and_then(|value| value.split_once('"')) {
            Some((value, rest)) => {
                attributes.push((name, Some(value)));
                text = rest;
            }
            None => {
                attributes.push((name, None));
                text = rest.strip_prefix('=').unwrap_or(rest);
            }
        }
    }
}

/// The path in the report of an address on the page at `page`.
fn resolved(page: &str, address: &str) -> String {
    let mut folders: Vec<&str> = page.split('/').collect();
    folders.pop();
    for step in address.split('/') {
        match step {
            ".." => {
                folders.pop();
            }
            "." => {}
            _ => folders.push(step),
        }
    }
    folders.join("/")
}

/// A text as the value of an attribute; `None` for other bytes.
fn as_attribute(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.replace('&', "&amp;").replace('"', "&quot;"))
}

/// A picture as an address that holds it; `None` for a format that no page shows.
fn data_address(path: &str, bytes: &[u8]) -> Option<String> {
    let media = media_type(path.rsplit('.').next()?)?;
    Some(format!("data:{media};base64,{}", to_base64(bytes)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Embedded, Rewriter, resolved};

    #[test]
    fn links_lead_within_the_file_and_nothing_is_loaded() {
        let files: BTreeMap<String, Vec<u8>> = [
            ("files/a.png".to_owned(), vec![1, 2]),
            ("files/b.html".to_owned(), b"<p class=\"x\">1 < 2</p>".to_vec()),
        ]
        .into();
        let places = BTreeMap::from([("index.html", 0), ("diffs/a/b.html", 1)]);
        let page =
            Rewriter { at: 1, path: "diffs/a/b.html", places: &places, cases: &BTreeMap::new() };
        for (html, expected) in [
            (r#"<li id="e-1" data-x="y">a</li>"#, r#"<li id="p1-e-1">a</li>"#),
            (r##"<a href="#e-1">x</a>"##, r##"<a href="#p1-e-1">x</a>"##),
            (r#"<a href="../../index.html">x</a>"#, r##"<a href="#p0">x</a>"##),
            (r#"<a class="b" href="../../run.html#e">x</a>"#, r#"<a class="b">x</a>"#),
            (r#"<a href="https://example.org/">x</a>"#, "<a>x</a>"),
            (
                r#"<img src="../../files/a.png" alt="A > B">"#,
                r#"<img src="data:image/png;base64,AQI=" alt="A > B">"#,
            ),
            (r#"<img src="../../files/none.png" alt="B">"#, r#"<img alt="B">"#),
            (
                r#"<iframe sandbox name="f" title="b" src="../../files/b.html"></iframe>"#,
                r#"<iframe sandbox title="b" srcdoc="<p class=&quot;x&quot;>1 < 2</p>"></iframe>"#,
            ),
            (r#"<section class="comment-bar">form</section><p>x</p>"#, "<p>x</p>"),
            (
                r#"<input type="radio" name="view" checked>"#,
                r#"<input type="radio" name="p1-view" checked>"#,
            ),
        ] {
            let mut embedded = Embedded::new(&files, 1_000);
            assert_eq!(page.rewrite(html, &mut embedded), expected);
            let names: Vec<&str> = embedded.left_out().collect();
            assert_eq!(names, if html.contains("none.png") { vec!["B"] } else { vec![] });
        }
    }

    #[test]
    fn what_has_no_room_is_named() {
        let files: BTreeMap<String, Vec<u8>> = [("a.png".to_owned(), vec![0; 900])].into();
        let places = BTreeMap::new();
        let page = Rewriter { at: 0, path: "index.html", places: &places, cases: &BTreeMap::new() };
        let mut embedded = Embedded::new(&files, 1_000);
        let html = r#"<img src="a.png" alt="first">"#;
        assert_eq!(page.rewrite(html, &mut embedded), r#"<img alt="first">"#);
        assert_eq!(embedded.left_out().collect::<Vec<_>>(), ["first"]);
        assert_eq!(resolved("a/b/c.html", "../x.html"), "a/x.html");
    }
}
