//! A comparison for a comment on a change.

use std::fmt::Write;

use crate::render::context::{Language, escape};
use crate::render::text::{
    compare::Comparison,
    compare::view::{Group, Item, View},
};

/// The comparison in GitHub Markdown, with a newline at its end.
pub fn markdown(comparison: Comparison<'_>, language: &Language) -> String {
    let view = View::of(comparison, language);
    let mut text = String::new();
    let _ = writeln!(text, "## {}\n", escape::markdown(&view.title));
    let _ = writeln!(text, "**{}**\n", escape::markdown(&view.verdict));
    let sentences = view.sentences.iter().map(|it| escape::markdown(it));
    let _ = writeln!(text, "{}\n", language.sentences(sentences));
    table(&mut text, &view, language);
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", escape::markdown(&view.on_baseline));
    }
    view.groups.iter().for_each(|group| list(&mut text, group));
    if !view.gate.is_empty() {
        let _ = writeln!(text, "\n### {}\n", language.text("compare.gate"));
    }
    for line in &view.gate {
        let word = language.text(line.mark.key());
        let _ = writeln!(text, "- **{word}** {}", escape::markdown(&line.text));
    }
    text
}

fn table(text: &mut String, view: &View, language: &Language) {
    let heads = view.heads.map(|head| language.text(head)).join(" | ");
    let _ = writeln!(text, "| {heads} |\n|---|--:|--:|--:|--:|");
    for row in &view.rows {
        let cells: Vec<String> = row.iter().map(|cell| escape::markdown(cell)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

fn list(text: &mut String, group: &Group) {
    let _ = writeln!(text, "\n### {}\n", escape::markdown(&group.title));
    for Item { case, text: statement, counts, evidence } in &group.items {
        let case = escape::markdown(case);
        let _ = match statement.is_empty() {
            true => writeln!(text, "- {case}"),
            false => writeln!(text, "- {case}: {} ({counts})", escape::markdown(statement)),
        };
        if !evidence.is_empty() {
            let _ = writeln!(text, "  - {}", escape::markdown(evidence));
        }
    }
    if !group.more.is_empty() {
        let _ = writeln!(text, "- {}", group.more);
    }
}
