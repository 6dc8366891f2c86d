//! JSON as a foldable tree, each value as spelled in the document.

use crate::budget::{TREE_VALUES, VALUE};
use crate::language::Language;
use crate::preview::markup::Markup;
use formats::limits::MAX_NESTING;
use json::{Node, Spanned, parse};

/// The most entries with which a list or object below the first level begins unfolded.
const FEW: usize = 12;

/// Adds `text` as a tree to `out`; returns whether all of it was shown, or why it is not JSON.
pub(super) fn document(text: &str, out: &mut Markup) -> Result<bool, String> {
    let document = read(text, out.language())?;
    out.raw("<ul class=\"json\">");
    let is_whole = JsonTree::add(text, "", &document, 0, out);
    out.raw("</ul>");
    Ok(is_whole)
}

/// Adds each line of `text` as a tree; returns whether all were shown, or the first that is not
/// JSON, and why.
pub(super) fn lines(text: &str, out: &mut Markup) -> Result<bool, String> {
    let mut is_whole = true;
    // On an error nothing is added: the text is shown instead.
    let mut tree = Markup::within(out.language(), out.left());
    tree.raw("<ul class=\"json\">");
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if tree.is_full() {
            is_whole = false;
            break;
        }
        let document = read(line, out.language()).map_err(|reason| {
            out.language().fill("preview.bad_line", &[("n", &number), ("reason", &reason)])
        })?;
        is_whole &= JsonTree::add(line, &number.to_string(), &document, 1, &mut tree);
    }
    tree.raw("</ul>");
    is_whole &= !tree.is_cut();
    out.safe(&tree.finish());
    Ok(is_whole)
}

/// Reads strictly valid JSON.
fn read<'t>(text: &'t str, language: &Language) -> Result<Spanned<'t>, String> {
    // Our reader repairs mistakes, but an output with a mistake is shown as it is, with the reason.
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return Err(language.fill("preview.no_json", &[("reason", &error)]));
    }
    match parse(text) {
        Ok(parsed) => Ok(parsed.root),
        Err(error) => Err(language.fill("preview.no_json", &[("reason", &error)])),
    }
}

struct JsonTree<'t, 'm> {
    text: &'t str,
    out: &'m mut Markup,
    nodes: usize,
    is_whole: bool,
}

impl JsonTree<'_, '_> {
    /// Adds `value` of the document `text` as an item named `name`; returns whether all of it was
    /// shown.
    fn add(text: &str, name: &str, value: &Spanned<'_>, depth: usize, out: &mut Markup) -> bool {
        let mut tree = JsonTree { text, out, nodes: 0, is_whole: true };
        tree.value(name, value, depth);
        tree.is_whole
    }

    fn value(&mut self, name: &str, value: &Spanned<'_>, depth: usize) {
        self.nodes += 1;
        if self.nodes > TREE_VALUES || self.out.is_full() {
            self.is_whole = false;
            return;
        }
        let (number, thing) = match &value.node {
            Node::List(items) if depth < MAX_NESTING => (items.len(), "item"),
            Node::Object(fields) if depth < MAX_NESTING => (fields.len(), "field"),
            _ => (0, ""),
        };
        self.out.raw("<li>");
        if number == 0 {
            self.name(name);
            self.scalar(value);
            self.out.raw("</li>");
            return;
        }
        // Two levels of short lists are read at once; a list of a hundred records is an overview first.
        let is_open = depth == 0 || (depth < 3 && number <= FEW);
        self.out.raw(if is_open { "<details open><summary>" } else { "<details><summary>" });
        self.name(name);
        self.out.raw("<span class=\"counts\">").count(number, thing);
        self.out.raw("</span></summary><ul>");
        // One more than are shown, so that missing ones are noticed.
        let items = value.node.as_list().unwrap_or_default().iter().take(TREE_VALUES + 1);
        for (at, item) in items.enumerate() {
            self.value(&at.to_string(), item, depth + 1);
        }
        let fields = value.node.as_object().unwrap_or_default().iter().take(TREE_VALUES + 1);
        for (key, field) in fields {
            self.value(key, field, depth + 1);
        }
        self.out.raw("</ul></details></li>");
    }

    fn name(&mut self, name: &str) {
        if !name.is_empty() {
            self.out.wrap("<span class=\"key\">", name, "</span> ");
        }
    }

    fn scalar(&mut self, value: &Spanned<'_>) {
        let literal = &self.text[value.span()];
        let (open, text) = match &value.node {
            Node::Text(text) => ("<span class=\"text\">", text.as_ref()),
            // Below the deepest level a list is shown as it is written.
            Node::List(_) | Node::Object(_) => ("<span class=\"counts\">", literal),
            _ => ("<span class=\"n\">", literal),
        };
        let shown = &text[..text.floor_char_boundary(VALUE)];
        self.out.wrap(open, shown, "</span>");
        if shown.len() < text.len() {
            self.is_whole = false;
            self.out.raw(" <span class=\"counts\">").word("preview.and_more").raw("</span>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{document, lines};
    use crate::language::Language;
    use crate::preview::markup::Markup;

    fn html(text: &str) -> Result<String, String> {
        let mut out = Markup::default();
        document(text, &mut out)?;
        Ok(out.finish().as_str().to_owned())
    }

    #[test]
    fn values_keep_their_spelling() {
        let actual =
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
            assert!(actual.contains(part), "{part} in {actual}");
        }
    }

    #[test]
    fn limits_hold() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(html(&deep).is_err());
        let deep = "[".repeat(100) + &"]".repeat(100);
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
