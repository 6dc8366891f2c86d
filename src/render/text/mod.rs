//! The documents without a browser: the Markdown report, the comment, the brief, `compare`, what
//! the terminal shows.

pub mod annotations;
pub mod audit;
pub mod brief;
mod comment_layout;
pub mod compare;
mod compared_answer;
pub mod diagnostic;
mod gate_alert;
pub(crate) mod grading_prompt;
pub mod inventory;
pub mod pull_request;
pub(crate) mod report_md;

/// Aligns rows in columns as wide as their widest cell: the first to the left, the others to the
/// right.
fn columns<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            // `format!` pads by characters, so bytes would leave gaps after `é`.
            *width = cell.chars().count().max(*width);
        }
    }
    let mut lines = Vec::new();
    for row in rows {
        let width = widths[0];
        let mut line = format!("{:<width$}", row[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            line += &format!("  {cell:>width$}");
        }
        lines.push(line);
    }
    lines
}
