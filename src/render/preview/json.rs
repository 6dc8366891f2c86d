//! JSON as a tree that folds, each value as the document spells it.

use std::fmt::Display;

use crate::render::language::Language;
use crate::render::preview::markup::Markup;

/// Values shown; what follows is only in the exact text.
const MAX_NODES: usize = 2_000;

/// Levels shown; what lies deeper is one line of text.
const MAX_DEPTH: usize = 24;

/// Lines of JSON lines shown.
const MAX_LINES: usize = 200;

/// Characters of one value shown.
const MAX_VALUE: usize = 4_000;

/// Entries up to which a list or object below the first level begins unfolded.
const FEW: usize = 12;

/// Adds `text` as a tree to `out`; whether all of it was shown.
///
/// # Errors
/// Why it is no JSON.
pub(super) fn document(text: &str, out: &mut Markup) -> Result<bool, String> {
    check(text, out.language())?;
    out.raw("<ul class=\"json\">");
    let mut tree = Tree::new(text, out);
    tree.value("", 0);
    let is_whole = tree.is_whole;
    out.raw("</ul>");
    Ok(is_whole)
}

/// Adds each line of `text` as a tree of its own; whether all of them were shown.
///
/// # Errors
/// The first line that is no JSON and why.
pub(super) fn lines(text: &str, out: &mut Markup) -> Result<bool, String> {
    let mut is_whole = true;
    let numbered = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let mut tree = Markup::within(out.language(), out.left());
    tree.raw("<ul class=\"json\">");
    for (index, (number, line)) in numbered.enumerate() {
        if index >= MAX_LINES || tree.is_full() {
            is_whole = false;
            break;
        }
        check(line, out.language()).map_err(|reason| {
            let places: [(&str, &dyn Display); 2] = [("n", &number), ("reason", &reason)];
            out.language().fill("preview.bad_line", &places)
        })?;
        let mut line = Tree::new(line, &mut tree);
        line.value(&number.to_string(), 1);
        is_whole &= line.is_whole;
    }
    tree.raw("</ul>");
    is_whole &= !tree.is_cut();
    out.safe(&tree.finish());
    Ok(is_whole)
}

fn check(text: &str, language: &Language) -> Result<(), String> {
    let checked = serde_json::from_str::<serde::de::IgnoredAny>(text);
    checked.map(drop).map_err(|error| language.fill("preview.no_json", &[("reason", &error)]))
}

/// Goes over a text that is known to be JSON, once, from left to right.
struct Tree<'t, 'm> {
    rest: &'t str,
    out: &'m mut Markup,
    nodes: usize,
    is_whole: bool,
}

impl<'t, 'm> Tree<'t, 'm> {
    fn new(text: &'t str, out: &'m mut Markup) -> Self {
        Self { rest: text, out, nodes: 0, is_whole: true }
    }

    /// Adds the next value as an item named `name`.
    fn value(&mut self, name: &str, depth: usize) {
        self.rest = self.rest.trim_start();
        let all = self.rest;
        let (length, entries) = extent(all);
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.out.is_full() {
            self.rest = &all[length..];
            self.is_whole = false;
            return;
        }
        self.out.raw("<li>");
        let nests = entries > 0 && depth < MAX_DEPTH;
        if nests {
            self.nested(name, depth, entries);
        } else {
            self.name(name);
            self.scalar(&all[..length]);
        }
        self.rest = &all[length..];
        self.out.raw("</li>");
    }

    fn nested(&mut self, name: &str, depth: usize, entries: usize) {
        let is_object = self.rest.starts_with('{');
        let is_open = depth == 0 || (depth < 3 && entries <= FEW);
        self.out.raw(if is_open { "<details open><summary>" } else { "<details><summary>" });
        self.name(name);
        let word = if is_object {
            self.out.language().count(entries, "field")
        } else {
            self.out.language().count(entries, "item")
        };
        self.out.wrap("<span class=\"counts\">", &word, "</span></summary><ul>");
        self.rest = &self.rest[1..];
        for index in 0..entries {
            self.skip(',');
            if is_object {
                self.rest = self.rest.trim_start();
                let (length, _) = extent(self.rest);
                let (key, rest) = self.rest.split_at(length);
                self.rest = rest;
                self.skip(':');
                self.value(&unquoted(key), depth + 1);
            } else {
                self.value(&index.to_string(), depth + 1);
            }
            if self.nodes > MAX_NODES {
                break;
            }
        }
        self.out.raw("</ul></details>");
    }

    fn skip(&mut self, mark: char) {
        let rest = self.rest.trim_start();
        self.rest = rest.strip_prefix(mark).unwrap_or(rest);
    }

    fn name(&mut self, name: &str) {
        if !name.is_empty() {
            self.out.wrap("<span class=\"key\">", name, "</span> ");
        }
    }

    fn scalar(&mut self, literal: &str) {
        let is_text = literal.starts_with('"');
        let value = if is_text { unquoted(literal) } else { literal.to_owned() };
        let shown = &value[..value.floor_char_boundary(MAX_VALUE)];
        let open = match literal.as_bytes().first() {
            Some(b'"') => "<span class=\"text\">",
            Some(b'{' | b'[') => "<span class=\"counts\">",
            _ => "<span class=\"n\">",
        };
        self.out.wrap(open, shown, "</span>");
        if shown.len() < value.len() {
            self.is_whole = false;
            self.out.raw(" <span class=\"counts\">").word("preview.and_more").raw("</span>");
        }
    }
}

fn unquoted(literal: &str) -> String {
    serde_json::from_str(literal).unwrap_or_else(|_| literal.to_owned())
}

/// The length of the value that `text` begins with, and how many entries it holds directly.
fn extent(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'"') => (string_end(bytes, 0) + 1, 0),
        Some(b'{' | b'[') => nested_extent(bytes),
        _ => {
            let end = text.find([',', '}', ']', ':', ' ', '\t', '\n', '\r']);
            (end.unwrap_or(text.len()), 0)
        }
    }
}

fn nested_extent(bytes: &[u8]) -> (usize, usize) {
    let (mut depth, mut commas, mut is_empty, mut at) = (0_usize, 0, true, 0);
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'}' | b']' if depth == 1 => return (at + 1, if is_empty { 0 } else { commas + 1 }),
            b'}' | b']' => depth -= 1,
            mark => {
                is_empty &= depth == 0;
                match mark {
                    b'"' => at = string_end(bytes, at),
                    b'{' | b'[' => depth += 1,
                    b',' if depth == 1 => commas += 1,
                    _ => {}
                }
            }
        }
        at += 1;
    }
    (bytes.len(), 0)
}

/// Where the string that begins at `start` ends: its closing quote.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::{document, extent, lines};
    use crate::render::language::Language;
    use crate::render::preview::markup::Markup;

    fn html(text: &str) -> Result<String, String> {
        let mut out = Markup::default();
        document(text, &mut out)?;
        Ok(out.finish().as_str().to_owned())
    }

    #[test]
    fn extents_are_found() {
        let table = [
            ("1 ", (1, 0)),
            ("\"a\\\"b\",", (6, 0)),
            ("{}}", (2, 0)),
            ("[ ]", (3, 0)),
            ("[[]]", (4, 1)),
            ("{\"a\": [1, 2], \"b,}\": 3} ", (23, 2)),
            ("true}", (4, 0)),
            ("[1,2,3]", (7, 3)),
        ];
        for (text, expected) in table {
            assert_eq!(extent(text), expected, "{text}");
        }
    }

    #[test]
    fn values_stand_as_spelled() {
        let found =
            html(r#"{"n": 1.0, "big": 12345678901234567890123, "t": "a\nb", "e": [], "n": null}"#)
                .unwrap();
        for part in [
            "<span class=\"n\">1.0</span>",
            ">12345678901234567890123<",
            ">a\nb<",
            ">[]<",
            ">null<",
            &Language::default().count(5, "field"),
        ] {
            assert!(found.contains(part), "{part} in {found}");
        }
    }

    #[test]
    fn limits_hold() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(html(&deep).unwrap().len() < 20_000);
        let wide = format!("[{}1]", "1,".repeat(50_000));
        let mut out = Markup::default();
        assert_eq!(document(&wide, &mut out), Ok(false));
        let english = Language::default();
        let (begin, _) = english.text("preview.no_json").split_once('{').unwrap();
        assert!(html("{\"a\": }").unwrap_err().starts_with(begin));
    }

    #[test]
    fn lines_are_numbered() {
        let mut out = Markup::default();
        assert_eq!(lines("{\"a\": 1}\n\n[2]\n", &mut out), Ok(true));
        assert!(out.finish().as_str().contains("<span class=\"key\">3</span>"));
        let error = lines("1\n{", &mut Markup::default()).unwrap_err();
        let english = Language::default();
        let line: [(&str, &dyn std::fmt::Display); 2] = [("n", &2), ("reason", &"")];
        let line = english.fill("preview.bad_line", &line);
        assert!(error.starts_with(&line), "{error}");
    }
}
