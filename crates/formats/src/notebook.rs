//! Notebooks: cells in order with their saved outputs. Nothing is executed.

use crate::blocks::write_lines;
use crate::encoding::without_colors;
use crate::limits::MAX_PARTS;
use crate::picture;
use json::{Node, Spanned, parse_strict};

/// Forms of pictures that an output may have.
const PICTURES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A Jupyter notebook, as it was saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notebook {
    /// The language of its code, in lower case.
    pub language: String,
    /// The cells in order; at most the first [`MAX_PARTS`].
    pub cells: Vec<Cell>,
    /// Whether cells or outputs are left out.
    pub is_cut: bool,
}

/// A cell of a notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Prose in Markdown.
    Markdown(String),
    /// Code, with what it printed when it was run.
    Code {
        /// The code, in the language of the notebook.
        source: String,
        /// How many cells had been run when this one was; absent if it was not run.
        number: Option<String>,
        /// Its saved outputs in order; at most the first [`MAX_PARTS`].
        outputs: Vec<CellOutput>,
    },
    /// The text of a cell of any other type.
    Raw(String),
}

/// A saved output, in the first of these forms that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellOutput {
    /// Plain text or a formula in LaTeX, without the colors of a terminal.
    Text(String),
    /// The exception that ended the cell.
    Error {
        /// Its class, such as `ValueError`; empty if it was not saved.
        name: String,
        /// Its message; empty if it was not saved.
        value: String,
        /// The lines of its traceback, without the colors of a terminal; empty if it was not saved.
        trace: String,
    },
    /// The bytes of a picture that browsers show: PNG, JPEG, GIF or WebP.
    Picture(Vec<u8>),
    /// HTML, such as a table of pandas.
    Html {
        /// The markup as it was saved: nobody has cleaned it.
        html: String,
        /// The same as plain text; empty if it was not saved.
        plain: String,
    },
    /// Markdown that the code displayed.
    Markdown(String),
    /// A script or a widget.
    Unknown,
}

/// The notebook in `text`; `None` if it is not one.
pub fn read(text: &str) -> Option<Notebook> {
    let document = parse_strict(text).ok()?;
    let nodes = document.get("cells")?.as_list()?;
    let language = document["metadata"]["language_info"]["name"].as_text();
    let mut notebook = Notebook {
        language: language.unwrap_or("python").to_ascii_lowercase(),
        cells: Vec::new(),
        is_cut: nodes.len() > MAX_PARTS,
    };
    for node in nodes.iter().take(MAX_PARTS) {
        let source = joined(&node["source"]);
        let cell = match node["cell_type"].as_text() {
            Some("markdown") => Cell::Markdown(source),
            Some("code") => {
                let outputs = node["outputs"].as_list().unwrap_or_default();
                notebook.is_cut |= outputs.len() > MAX_PARTS;
                code_cell(node, source, outputs)
            }
            _ => Cell::Raw(source),
        };
        notebook.cells.push(cell);
    }
    Some(notebook)
}

fn code_cell(node: &Node<'_>, source: String, outputs: &[Spanned<'_>]) -> Cell {
    let number = match &node["execution_count"] {
        Node::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let outputs = outputs.iter().take(MAX_PARTS).map(|node| output(node)).collect();
    Cell::Code { source, number, outputs }
}

fn output(node: &Node<'_>) -> CellOutput {
    match node["output_type"].as_text() {
        Some("stream") => CellOutput::Text(without_colors(&joined(&node["text"]))),
        Some("error") => {
            let lines = node["traceback"].as_list().unwrap_or_default();
            let lines = lines.iter().filter_map(|line| line.as_text()).map(without_colors);
            CellOutput::Error {
                name: node["ename"].as_text().unwrap_or_default().to_owned(),
                value: node["evalue"].as_text().unwrap_or_default().to_owned(),
                trace: lines.collect::<Vec<_>>().join("\n"),
            }
        }
        _ => data(&node["data"]),
    }
}

/// One of several forms of the same output: a picture says most, then HTML and Markdown.
fn data(data: &Node<'_>) -> CellOutput {
    let encoded = PICTURES.iter().find_map(|form| data.get(form));
    // What is called a picture may be anything, so its bytes decide.
    if let Some(bytes) = encoded.and_then(|node| picture::from_base64(&joined(node)))
        && picture::extension(&bytes).is_some()
    {
        return CellOutput::Picture(bytes);
    }
    let plain = without_colors(&joined(&data["text/plain"]));
    if let Some(html) = data.get("text/html") {
        CellOutput::Html { html: joined(html), plain }
    } else if let Some(markdown) = data.get("text/markdown") {
        CellOutput::Markdown(joined(markdown))
    } else if let Some(formula) = data.get("text/latex") {
        CellOutput::Text(without_colors(&joined(formula)))
    } else if data.get("text/plain").is_some() {
        CellOutput::Text(plain)
    } else {
        CellOutput::Unknown
    }
}

/// A text, or the lines in a list of texts.
fn joined(node: &Node<'_>) -> String {
    match node {
        Node::Text(text) => text.clone().into_owned(),
        Node::List(lines) => lines.iter().filter_map(|line| line.as_text()).collect(),
        _ => String::new(),
    }
}

impl Notebook {
    /// Adds the words of all cells and outputs to `text`.
    pub(crate) fn write_text(&self, text: &mut String) {
        for cell in &self.cells {
            match cell {
                Cell::Markdown(source) | Cell::Raw(source) => write_lines(source, text),
                Cell::Code { source, outputs, .. } => {
                    write_lines(source, text);
                    outputs.iter().for_each(|output| output.write_text(text));
                }
            }
        }
    }
}

impl CellOutput {
    fn write_text(&self, text: &mut String) {
        match self {
            Self::Text(words) | Self::Markdown(words) => write_lines(words, text),
            Self::Error { name, value, trace } => {
                write_lines(&format!("{name} {value}"), text);
                write_lines(trace, text);
            }
            // pandas and others write the same as plain text, which has no tags between its words.
            Self::Html { html, plain } if plain.is_empty() => write_lines(html, text),
            Self::Html { plain, .. } => write_lines(plain, text),
            Self::Picture(_) | Self::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, CellOutput, read};

    fn outputs(data: &str) -> Vec<CellOutput> {
        let text = format!(
            r#"{{"cells": [{{"cell_type": "code", "source": ["a\n", "b"], "execution_count": 3,
            "outputs": [{data}]}}]}}"#
        );
        let notebook = read(&text).unwrap();
        let [Cell::Code { source, number, outputs }] = &notebook.cells[..] else { panic!("code") };
        assert_eq!((&source[..], number.as_deref()), ("a\nb", Some("3")));
        outputs.clone()
    }

    #[test]
    fn outputs_have_the_form_that_says_most() {
        let data = |form: &str| format!(r#"{{"data": {{{form}}}}}"#);
        let text = |text: &str| CellOutput::Text(text.to_owned());
        let html = CellOutput::Html { html: "<b>x</b>".to_owned(), plain: "x".to_owned() };
        let table = [
            (data(r#""text/plain": "x", "text/html": "<b>x</b>""#), html),
            (data(r#""text/plain": ["x", "y"]"#), text("xy")),
            (
                data(r#""image/png": "iVBORw0KGgo=""#),
                CellOutput::Picture(b"\x89PNG\r\n\x1a\n".to_vec()),
            ),
            (data(r#""image/png": "PHNjcmlwdD4=", "text/plain": "x""#), text("x")),
            (data(r#""application/javascript": "x""#), CellOutput::Unknown),
            (r#"{"output_type": "stream", "text": "\u001b[1mx"}"#.to_owned(), text("x")),
        ];
        for (output, expected) in table {
            assert_eq!(outputs(&output), [expected], "{output}");
        }
    }

    #[test]
    fn other_documents_are_none() {
        assert_eq!(read("{}"), None);
        assert_eq!(read("{\"cells\": 1}"), None);
    }
}
