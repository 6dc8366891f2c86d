//! What office documents are made of.

/// A part of a document, in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading, or the title of a document or slide.
    Heading {
        /// From 1.
        level: usize,
        /// Its words.
        text: String,
    },
    /// A paragraph of no special kind.
    Paragraph(String),
    /// A paragraph in a style for quotations.
    Quotation(String),
    /// An item of a list, without its bullet or number.
    ListItem(String),
    /// Cells by row.
    Table(Vec<Vec<Vec<Block>>>),
    /// A picture with its description or name; empty if it has none.
    Picture(String),
}

/// A slide, with the notes for its speaker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slide {
    /// What the slide shows, in reading order.
    pub blocks: Vec<Block>,
    /// The paragraphs of its notes; empty if it has none.
    pub notes: Vec<String>,
}

/// Adds the words of `blocks` to `text`: each block on lines of its own, cells separated by tabs.
pub(crate) fn write_text(blocks: &[Block], text: &mut String) {
    for block in blocks {
        match block {
            Block::Heading { text: words, .. }
            | Block::Paragraph(words)
            | Block::Quotation(words)
            | Block::ListItem(words)
            | Block::Picture(words) => write_lines(words, text),
            Block::Table(rows) => {
                for row in rows {
                    let cells: Vec<String> = row.iter().map(|cell| cell_text(cell)).collect();
                    write_lines(&cells.join("\t"), text);
                }
            }
        }
    }
}

/// The words of a cell in one line.
fn cell_text(blocks: &[Block]) -> String {
    let mut text = String::new();
    write_text(blocks, &mut text);
    text.trim_end().replace('\n', " ")
}

/// Adds `lines` without empty ones and without spaces at their ends.
pub(crate) fn write_lines(lines: &str, text: &mut String) {
    for line in lines.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        text.extend([line, "\n"]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, write_text};

    #[test]
    fn blocks_are_lines_and_cells_are_side_by_side() {
        let paragraph = |text: &str| Block::Paragraph(text.to_owned());
        let blocks = [
            Block::Heading { level: 1, text: "A".to_owned() },
            paragraph("x \n\ny"),
            Block::Table(vec![
                vec![vec![paragraph("1"), paragraph("b")], vec![paragraph("2")]],
                vec![vec![], vec![paragraph("3")]],
            ]),
        ];
        let mut text = String::new();
        write_text(&blocks, &mut text);
        assert_eq!(text, "A\nx\ny\n1 b\t2\n\t3\n");
    }
}
