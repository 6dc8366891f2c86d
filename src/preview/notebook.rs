//! Notebooks as markup: cells in order with their saved outputs. Scripts and widgets are not shown.

use crate::budget::TEXT_OF_PART;
use crate::preview::markup::Markup;
use crate::preview::text::head;
use crate::preview::{PreviewContext, code, markdown, picture, sanitizer};
use formats::notebook::{Cell, CellOutput, Notebook};
use formats::picture::{extension, size};

/// Where the pictures of a notebook are stored.
#[derive(Clone, Copy)]
pub(super) struct PictureStore<'a> {
    pub(super) place: &'a PreviewContext<'a>,
    /// The notebook's place in the source.
    pub(super) path: &'a str,
}

/// Adds `notebook` to `out` with its pictures in `store`; returns whether all of it was shown.
pub(super) fn write(notebook: &Notebook, store: PictureStore<'_>, out: &mut Markup) -> bool {
    out.raw("<div class=\"notebook\">");
    let shown = out.each(&notebook.cells, |cell, out| match cell {
        Cell::Markdown(source) => {
            markdown::write(head(source, TEXT_OF_PART), usize::MAX, out);
        }
        Cell::Code { source, number, outputs } => {
            if let Some(number) = number {
                out.raw("<p class=\"counts\">").words("preview.cell", &[("n", number)]).raw("</p>");
            }
            code::block(head(source, TEXT_OF_PART), &notebook.language, usize::MAX, out);
            out.each(outputs, |output, out| write_output(output, store, out));
        }
        Cell::Raw(source) => write_plain(source, out),
    });
    out.raw("</div>");
    shown == notebook.cells.len() && !notebook.is_cut
}

fn write_output(output: &CellOutput, store: PictureStore<'_>, out: &mut Markup) {
    out.raw("<div class=\"result\">");
    match output {
        CellOutput::Text(text) => write_plain(text, out),
        CellOutput::Error { name, value, trace } => {
            out.raw("<p class=\"error\"><b>").text(name).raw("</b> ").text(value).raw("</p>");
            write_plain(trace, out);
        }
        CellOutput::Picture(bytes) => write_picture(bytes, store, out),
        CellOutput::Html { html, .. } => {
            sanitizer::outline(head(html, TEXT_OF_PART), out);
        }
        CellOutput::Markdown(text) => {
            markdown::write(head(text, TEXT_OF_PART), usize::MAX, out);
        }
        CellOutput::Unknown => write_unknown(out),
    }
    out.raw("</div>");
}

fn write_picture(bytes: &[u8], store: PictureStore<'_>, out: &mut Markup) {
    let stored =
        extension(bytes).and_then(|extension| store.place.put(store.path, bytes, extension).ok());
    match stored {
        Some(href) => {
            let name = out.language().text("preview.output_of_cell").to_owned();
            picture::write(&href, &name, size(bytes), out);
        }
        None => write_unknown(out),
    }
}

fn write_plain(text: &str, out: &mut Markup) {
    out.wrap("<pre>\n", head(text, TEXT_OF_PART), "</pre>");
}

fn write_unknown(out: &mut Markup) {
    out.raw("<p class=\"counts\">").word("preview.no_form").raw("</p>");
}
