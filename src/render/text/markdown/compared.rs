//! What blind comparisons, several graders and the course of the iterations say, as Markdown.

use std::fmt::Write;

use crate::analyze::{blind, grader_pairs};
use crate::language::Language;
use crate::render::context::{Part, escape::markdown};
use crate::render::text::{
    contests::{ContestView, RankingView, Sums, sums},
    statistics,
};

/// Whether the iterations have a trend; empty for too few of them.
pub(super) fn trend(part: &Part<'_>, language: &Language) -> String {
    section(language.text("history.course"), &paragraphs(&statistics::course(part, language)))
}

/// How far the graders of the same runs agree, the newest iteration first.
pub(super) fn graders(part: &Part<'_>, language: &Language) -> String {
    let mut text = String::new();
    for iteration in part.workspace.iterations.iter().rev() {
        let pairs = grader_pairs(iteration);
        if !pairs.is_empty() {
            let _ = writeln!(text, "### {}\n", markdown(&iteration.name));
        }
        for pair in &pairs {
            let title = statistics::graders_title(pair, language);
            let agreement = language.sentences(statistics::graders(pair, language));
            let _ = writeln!(text, "- **{}**: {}", markdown(&title), markdown(&agreement));
        }
        text.push_str(if pairs.is_empty() { "" } else { "\n" });
    }
    section(language.text("graders.title"), &text)
}

pub(super) fn comparisons(part: &Part<'_>, language: &Language) -> String {
    let Sums { contests, rankings, letters, .. } =
        sums(part, &blind(part.workspace, part.analysis), language);
    let contests: String = contests.iter().map(|found| contest(found, language)).collect();
    let rankings: String = rankings.iter().map(|found| ranking(found, language)).collect();
    [
        section(language.text("contests.title"), &(contests + &rankings)),
        section(language.text("contests.letters_title"), &paragraphs(&letters)),
    ]
    .concat()
}

fn contest(found: &ContestView, language: &Language) -> String {
    let mut text = format!("### {}\n\n{}\n\n", markdown(&found.title), markdown(&found.lead));
    text.push_str(&paragraphs(&found.more));
    if found.rows.is_empty() {
        return text;
    }
    let heads = ["contests.respect", "contests.by_cases", "contests.chance", "contests.beats"];
    let [respect, by_cases, chance, beats] = heads.map(|head| language.text(head));
    let (first, second) = (markdown(&found.first), markdown(&found.second));
    let _ = writeln!(text, "| {respect} | {first} | {second} | {by_cases} | {chance} | {beats} |");
    text.push_str("|---|--:|--:|---|--:|--:|\n");
    for row in &found.rows {
        let (name, [first, _], [second, _]) = (markdown(&row.name), &row.first, &row.second);
        let (counts, chance, beats) = (&row.counts, &row.chance, &row.beats);
        let _ = writeln!(text, "| {name} | {first} | {second} | {counts} | {chance} | {beats} |");
    }
    let unshown = Some(&found.unshown).filter(|list| !list.is_empty());
    text + "\n" + &paragraphs(unshown.map(std::slice::from_ref).unwrap_or_default())
}

fn ranking(found: &RankingView, language: &Language) -> String {
    let mut text = format!("### {}\n\n", markdown(&found.title));
    if !found.rows.is_empty() {
        let heads = [
            "contests.version",
            "contests.record_head",
            "contests.rating_head",
            "contests.chance_head",
        ];
        let heads = heads.map(|head| language.text(head)).join(" | ");
        let _ = writeln!(text, "| {heads} |\n|---|---|--:|--:|");
        for [name, record, rating, chance] in &found.rows {
            let _ = writeln!(text, "| {} | {record} | {rating} | {chance} |", markdown(name));
        }
        text.push('\n');
    }
    text + &paragraphs(std::slice::from_ref(&found.reason))
}

fn paragraphs(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("{}\n\n", markdown(sentence))).collect()
}

/// What was said under its title, where anything was.
pub(super) fn section(title: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("## {title}\n\n{text}") }
}
