//! A comparison as lines for a terminal, and as Markdown.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::language::Language;
use crate::render::context::columns;
use crate::render::context::escape::markdown as escaped;
use crate::render::text::compare::{Comparison, HEADS, Item, View};
use crate::render::text::gate::Mark;
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
    let heads = HEADS.map(|head| language.text(head).to_owned());
    let rows = std::iter::once(heads).chain(view.rows);
    let rows: Vec<[String; 5]> = rows.map(|row| row.map(|cell| printable(&cell))).collect();
    text.push('\n');
    columns(&rows).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", printable(&view.on_baseline));
    }
    for group in &view.groups {
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
    if !view.gate.is_empty() {
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", language.text("compare.gate"));
    }
    for line in &view.gate {
        let style = match line.mark {
            Mark::Passed => Style::new().fg_color(Some(AnsiColor::Green.into())),
            Mark::Failed => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
            Mark::Known | Mark::Remark => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
        };
        let word = language.text(line.mark.key());
        let _ = writeln!(text, "  {style}{word:<6}{style:#} {}", one_line(&line.text));
    }
    text
}

/// Line breaks of the data are spaces: a line stays one.
fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The comparison in GitHub Markdown, with a newline at its end.
pub fn markdown(comparison: Comparison<'_>, language: &Language) -> String {
    let view = View::of(comparison, language);
    let mut text = String::new();
    let _ = writeln!(text, "## {}\n", escaped(&view.title));
    let _ = writeln!(text, "**{}**\n", escaped(&view.verdict));
    let sentences = view.sentences.iter().map(|it| escaped(it));
    let _ = writeln!(text, "{}\n", language.sentences(sentences));
    let heads = HEADS.map(|head| language.text(head)).join(" | ");
    let _ = writeln!(text, "| {heads} |\n|---|--:|--:|--:|--:|");
    for row in &view.rows {
        let _ = writeln!(text, "| {} |", row.each_ref().map(|cell| escaped(cell)).join(" | "));
    }
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", escaped(&view.on_baseline));
    }
    for group in &view.groups {
        let _ = writeln!(text, "\n### {}\n", escaped(&group.title));
        for Item { case, text: statement, counts, evidence } in &group.items {
            let case = escaped(case);
            let _ = match statement.is_empty() {
                true => writeln!(text, "- {case}"),
                false => writeln!(text, "- {case}: {} ({counts})", escaped(statement)),
            };
            if !evidence.is_empty() {
                let _ = writeln!(text, "  - {}", escaped(evidence));
            }
        }
        if !group.more.is_empty() {
            let _ = writeln!(text, "- {}", group.more);
        }
    }
    if !view.gate.is_empty() {
        let _ = writeln!(text, "\n### {}\n", language.text("compare.gate"));
    }
    for line in &view.gate {
        let word = language.text(line.mark.key());
        let _ = writeln!(text, "- **{word}** {}", escaped(&line.text));
    }
    text
}
