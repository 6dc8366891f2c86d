//! Both questions as a table in Markdown, for `report.md`, `benchmark.md` and the comment.

use crate::digest::Questions;
use crate::language::{DASH, Language};
use crate::render::context::escape::markdown;
use crate::render::markdown_table::row as table_row;
use crate::wording::questions::{self, RowText};
use crate::wording::{Answer, Facts};
use text::cut;

/// Characters of a paragraph.
pub(crate) const PARAGRAPH: usize = 2_000;

/// What stands below an answer: its reason, both questions, and its last lines.
pub(crate) fn told(facts: Facts<'_>, answer: &Answer, questions: Option<&Questions<'_>>) -> String {
    let mut text = String::new();
    // That another skill was measured than is there limits all that follows.
    for line in [&answer.stale, &answer.reason].into_iter().filter(|line| !line.is_empty()) {
        text += &paragraph(line);
    }
    text.extend(questions.map(|questions| table(facts, questions)));
    let lines = answer.last_lines(facts.language);
    text.extend(lines.iter().filter(|line| **line != answer.stale).map(|line| paragraph(line)));
    text
}

fn paragraph(line: &str) -> String {
    markdown(&cut(line, PARAGRAPH)) + "\n\n"
}

/// The table; empty where nothing is compared.
pub(crate) fn table(facts: Facts<'_>, questions: &Questions<'_>) -> String {
    if questions.rows().all(|row| row.compared().is_none()) {
        return String::new();
    }
    let language = facts.language;
    let mut heads = vec![String::new()];
    heads.extend(
        ["answer", "points", "checks", "costs"]
            .map(|key| language.entry(&["questions", key]).to_owned()),
    );
    let mut text = table_row(&heads) + "|:--|:--|:--|:--|:--|\n";
    for row in questions::rows(facts, questions) {
        text += &table_row(&cells(&row, language));
    }
    text.push('\n');
    let disputed = questions.disputed();
    if disputed > 0 {
        text += &format!("{}\n\n", language.count(disputed, "disputed"));
    }
    text
}

fn cells(row: &RowText, language: &Language) -> [String; 5] {
    let mut name = format!("**{}**", markdown(&row.question));
    if !row.condition.is_empty() {
        name += &format!(" {}", markdown(&row.condition));
    }
    let answer = format!("{} {}", row.sign, row.word);
    let mut points = vec![DASH.to_owned()];
    if let Some(figures) = &row.figures {
        points = vec![figures.points_with_range(language), figures.both_rates(language)];
    }
    let mut checks = Vec::new();
    for found in &row.checks {
        // A zero has no sign: nothing moved that way.
        let sign = if found.number > 0 { found.sign } else { "" };
        checks.push(format!("{sign} {} {}", found.number, found.label));
    }
    let costs = row.costs.iter().map(|cost| cost.text()).collect();
    [
        lines([name, markdown(&row.pair(language))]),
        lines([answer, row.limit.clone()].map(|text| markdown(text.trim()))),
        lines(points.into_iter().map(|text| markdown(&text))),
        lines(checks.into_iter().map(|text| markdown(text.trim()))),
        lines(Vec::into_iter(costs).map(|text: String| markdown(&text))),
    ]
}

/// Lines of one cell.
fn lines(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.join("<br>")
}
