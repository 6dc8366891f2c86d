//! A comparison for a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::render::context::Language;
use crate::render::text::{
    compare::Comparison,
    compare::view::{Group, Item, View},
    gate::{Line, Mark},
};
use crate::text::printable;

const BOLD: Style = Style::new().bold();

/// The comparison in lines, with colors that whoever prints it takes out where they are not
/// wanted.
pub fn text(comparison: Comparison<'_>, language: &Language) -> String {
    let view = View::of(comparison, language);
    let mut text = String::new();
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}\n", printable(&view.title));
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}", printable(&view.verdict));
    for sentence in &view.sentences {
        let _ = writeln!(text, "{}", printable(sentence));
    }
    table(&mut text, &view, language);
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", printable(&view.on_baseline));
    }
    for group in &view.groups {
        list(&mut text, group);
    }
    if !view.gate.is_empty() {
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", language.text("compare.gate"));
        view.gate.iter().for_each(|line| rule(&mut text, line, language));
    }
    text
}

/// Columns as wide as their widest cell, numbers to the right.
fn table(text: &mut String, view: &View, language: &Language) {
    let heads = view.heads.map(|head| language.text(head).to_owned());
    let rows: Vec<[String; 5]> = std::iter::once(heads)
        .chain(view.rows.iter().cloned())
        .map(|row| row.map(|cell| printable(&cell)))
        .collect();
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths = [0, 1, 2, 3, 4].map(width);
    text.push('\n');
    for row in &rows {
        let cells = row.iter().zip(widths).enumerate().map(|(at, (cell, width))| {
            if at == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let _ = writeln!(text, "  {}", cells.collect::<Vec<_>>().join("  "));
    }
}

fn list(text: &mut String, group: &Group) {
    let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", printable(&group.title));
    for Item { case, text: statement, counts, evidence } in &group.items {
        let parts = [case, statement].into_iter().filter(|part| !part.is_empty());
        let name = parts.map(|part| printable(part)).collect::<Vec<_>>().join(": ");
        let _ = writeln!(text, "{}", format!("  {} {name}  {counts}", group.sign).trim_end());
        if !evidence.is_empty() {
            let _ = writeln!(text, "      {}", one_line(evidence));
        }
    }
    if !group.more.is_empty() {
        let _ = writeln!(text, "  {}", group.more);
    }
}

fn rule(text: &mut String, line: &Line, language: &Language) {
    let style = match line.mark {
        Mark::Passed => Style::new().fg_color(Some(AnsiColor::Green.into())),
        Mark::Failed => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        Mark::Known | Mark::Remark => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
    };
    let word = language.text(line.mark.key());
    let _ = writeln!(text, "  {style}{word:<6}{style:#} {}", one_line(&line.text));
}

/// Line breaks of the data are spaces: a line stays one.
pub(super) fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
