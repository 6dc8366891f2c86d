//! What to look at before an answer is trusted: one row for each thing, with a link.

use serde_json::{Value, json};

use crate::analyze::as_people_say;
use crate::digest::Questions;
use crate::render::context::{Link, Page};
use crate::render::html::deciding;
use crate::render::html::iteration::answers_of_graders;
use crate::wording::{audit, judged, reliability};

/// Pairs of graders that the first page names; the page of the iteration has all.
const PAIRS: usize = 2;

/// The rows of the first page.
pub(super) fn trust(page: &Page<'_>) -> Vec<Value> {
    let is_first = page.path == page.addresses.report_file("index.html");
    if !is_first {
        return Vec::new();
    }
    let mut rows: Vec<Value> = verdicts(page).into_iter().collect();
    rows.extend(graders(page));
    rows.extend(cases(page));
    rows
}

/// The verdicts that decide, and what a person said of them.
fn verdicts(page: &Page<'_>) -> Option<Value> {
    let (language, shared) = (page.language, page.shared);
    if shared.deciding.is_empty() {
        return None;
    }
    let mut lines = vec![judged::agreement(&shared.judged, language)];
    lines.extend(answers(page));
    lines.retain(|line| !line.is_empty());
    if lines.is_empty() {
        lines.push(language.count(shared.deciding.len(), "deciding"));
    }
    Some(json!({
        "name": language.text("deciding.verdicts"),
        "lines": lines,
        "link": Link::new(page.to_file(deciding::FILE), language.text("deciding.title")),
    }))
}

/// The words of the answers with a person's verdicts; empty where nobody overrules one.
fn answers(page: &Page<'_>) -> Vec<String> {
    let part = page.part;
    let (Some(after), Some(changed)) = (part.analysis.shown_side(), as_people_say(part.workspace))
    else {
        return Vec::new();
    };
    let questions = Questions::new(&part.comparisons, &after);
    let mut lines = vec![page.language.text("deciding.with_yours").to_owned()];
    let answers =
        judged::answers(&part.comparisons, &questions, &changed, part.settings, page.language);
    lines.extend(answers);
    lines
}

/// How far two graders of the newest runs agree, and the answers under each.
fn graders(page: &Page<'_>) -> Vec<Value> {
    let analysis = page.part.analysis;
    let Some(side) = analysis.shown_side() else { return Vec::new() };
    let mut rows = Vec::new();
    for pair in analysis.iterations[side.iteration].graders.iter().take(PAIRS) {
        let mut lines = vec![reliability::agreement_of_graders(pair, page.language)];
        for found in answers_of_graders(page, side.iteration, pair) {
            let grader = found["grader"].as_str().unwrap_or_default();
            let answers = found["lines"].as_array().into_iter().flatten();
            let answers = answers.filter_map(Value::as_str);
            let separator = page.language.text("list.semicolon");
            let answers = answers.collect::<Vec<_>>().join(separator);
            lines.push(page.language.labelled(grader, &answers));
        }
        let Link { href, .. } = page.iteration_link(side.iteration);
        let title = reliability::graders_title(pair, page.language);
        rows.push(json!({
            "name": page.language.text("graders.name"),
            "lines": lines,
            "link": Link::new(format!("{href}#graders"), title),
        }));
    }
    rows
}

/// What the cases cannot show.
fn cases(page: &Page<'_>) -> Option<Value> {
    let line = audit::first_line(&page.shared.audit, page.language);
    if line.is_empty() {
        return None;
    }
    Some(json!({
        "name": page.language.text("page.cases"),
        "lines": [line],
        "link": Link::new(
            format!("{}#audit", page.to_file("expectations.html")),
            page.language.text("audit.title"),
        ),
    }))
}
