//! Notebooks: cells in order with their saved outputs.
//!
//! Nothing is executed. Of the saved forms of an output, pictures come first, then HTML as text and
//! structure, then plain text; scripts and widgets are not shown.

use crate::json::{Node, parse_strict};
use crate::preview::markup::Markup;
use crate::preview::text::head;
use crate::preview::{code, kind, markdown, page, picture};

const MAX_CELLS: usize = 300;
const MAX_OUTPUTS: usize = 50;

/// The most bytes of one source or output.
const MAX_TEXT: usize = 32 * 1024;

/// Stores a picture under its extension; returns its address from the page.
pub(super) type StorePicture<'s> = &'s dyn Fn(&[u8], &str) -> Option<String>;

/// Adds the notebook in `text` to `out`; returns whether all of it was shown, or why it is not one.
pub(super) fn write(text: &str, store: StorePicture<'_>, out: &mut Markup) -> Result<bool, String> {
    let notebook = parse_strict(text)
        .map_err(|error| out.language().fill("preview.not_valid", &[("reason", &error)]))?;
    let cells = notebook
        .get("cells")
        .and_then(Node::as_list)
        .ok_or_else(|| out.language().text("preview.no_cells").to_owned())?;
    let language = notebook.get("metadata").and_then(|metadata| metadata.get("language_info"));
    let name = language.and_then(|language| language.get("name")).and_then(Node::as_text);
    let language = name.unwrap_or("python").to_ascii_lowercase();
    out.raw("<div class=\"notebook\">");
    let first = cells.iter().take(MAX_CELLS);
    let shown = out.each(first, |cell, out| write_cell(cell, &language, store, out));
    out.raw("</div>");
    Ok(shown == cells.len())
}

fn write_cell(cell: &Node<'_>, language: &str, store: StorePicture<'_>, out: &mut Markup) {
    let source = joined(cell.get("source"));
    let source = head(&source, MAX_TEXT);
    match cell.get("cell_type").and_then(Node::as_text) {
        Some("markdown") => drop(markdown::write(source, usize::MAX, out)),
        Some("code") => {
            if let Some(Node::Number(number)) = cell.get("execution_count") {
                out.raw("<p class=\"counts\">").words("preview.cell", &[("n", number)]).raw("</p>");
            }
            code::block(source, language, usize::MAX, out);
            let outputs = cell.get("outputs").and_then(Node::as_list).unwrap_or_default();
            for output in outputs.iter().take(MAX_OUTPUTS) {
                write_output(output, store, out);
            }
        }
        _ => drop(out.wrap("<pre>\n", source, "</pre>")),
    }
}

fn write_output(output: &Node<'_>, store: StorePicture<'_>, out: &mut Markup) {
    out.raw("<div class=\"result\">");
    match output.get("output_type").and_then(Node::as_text) {
        Some("stream") => plain(&joined(output.get("text")), out),
        Some("error") => {
            let part = |name: &str| output.get(name).and_then(Node::as_text).unwrap_or_default();
            out.raw("<p class=\"error\"><b>").text(part("ename")).raw("</b> ");
            out.text(part("evalue")).raw("</p>");
            let lines = output.get("traceback").and_then(Node::as_list).unwrap_or_default();
            let lines = lines.iter().filter_map(|line| line.as_text()).map(without_colors);
            plain(&lines.collect::<Vec<_>>().join("\n"), out);
        }
        _ => write_data(output.get("data").unwrap_or(&Node::Null), store, out),
    }
    out.raw("</div>");
}

fn write_data(data: &Node<'_>, store: StorePicture<'_>, out: &mut Markup) {
    let pictures = ["image/png", "image/jpeg", "image/gif", "image/webp"];
    let encoded = pictures.iter().find_map(|form| data.get(form));
    if let Some(bytes) = encoded.and_then(|node| base64(&joined(Some(node)))) {
        let stored = kind::picture(&bytes).and_then(|extension| store(&bytes, extension));
        if let Some(href) = stored {
            let name = out.language().text("preview.output_of_cell").to_owned();
            picture::write(&href, &name, picture::size(&bytes), out);
            return;
        }
    }
    for form in ["text/html", "text/markdown", "text/latex", "text/plain"] {
        let Some(node) = data.get(form) else { continue };
        let text = joined(Some(node));
        let text = head(&text, MAX_TEXT);
        return match form {
            "text/html" => drop(page::outline(text, out)),
            "text/markdown" => drop(markdown::write(text, usize::MAX, out)),
            _ => plain(text, out),
        };
    }
    out.raw("<p class=\"counts\">").word("preview.no_form").raw("</p>");
}

fn plain(text: &str, out: &mut Markup) {
    let text = without_colors(head(text, MAX_TEXT));
    out.wrap("<pre>\n", &text, "</pre>");
}

/// A text, or the lines in a list of texts.
fn joined(node: Option<&Node<'_>>) -> String {
    match node {
        Some(Node::Text(text)) => text.clone().into_owned(),
        Some(Node::List(lines)) => lines.iter().filter_map(|line| line.as_text()).collect(),
        _ => String::new(),
    }
}

/// `text` without terminal color sequences.
pub(super) fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic());
        let codes = |end: usize| part[..end].bytes().all(|b| b.is_ascii_digit() || b == b';');
        match end.filter(|end| codes(*end)) {
            Some(end) => plain.push_str(&part[end + 1..]),
            None => {
                plain.push_str("\u{1b}[");
                plain.push_str(part);
            }
        }
    }
    plain
}

/// The bytes of a base64 text; `None` if it is not one.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let digits =
        text.trim_end_matches(['=', '\n']).bytes().filter(|byte| !byte.is_ascii_whitespace());
    let is_plain = !text.contains(['-', '_']);
    is_plain.then(|| crate::text::base64(digits, |_| true))?
}

#[cfg(test)]
mod tests {
    use super::{base64, without_colors};

    #[test]
    fn encoded_bytes_are_read() {
        assert_eq!(base64("aGVsbG8=\n").as_deref(), Some(&b"hello"[..]));
        assert_eq!(base64("iVBO\nRw0K").as_deref(), Some(&b"\x89PNG\r\n"[..]));
        assert_eq!(base64("a-b"), None);
    }

    #[test]
    fn colors_go_and_nothing_else() {
        assert_eq!(without_colors("\u{1b}[0;31mError\u{1b}[0m: a[1]"), "Error: a[1]");
        assert_eq!(without_colors("\u{1b}[?x"), "\u{1b}[?x");
    }
}
