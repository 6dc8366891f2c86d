//! Where iterations stop being comparable, in words.

use crate::analyze::Break;
use crate::chart::ChartBreak;
use crate::language::{Language, say};
use crate::render::context::{RenderContext, View, view};

/// Cases of each kind that are named; the others are counted.
const NAMED: usize = 6;

/// What differs from the iteration before, for its row.
pub(super) fn break_view(context: RenderContext<'_>, found: &Break) -> View {
    let language = context.language;
    let mut parts = Vec::new();
    for (key, lines) in [
        ("history.new", &found.new),
        ("history.gone", &found.gone),
        ("history.ungraded", &found.ungraded),
        ("history.prompts", &found.prompts),
        ("history.checks", &found.expectations),
    ] {
        if !lines.is_empty() {
            let names = lines
                .iter()
                .map(|case_index| context.part.analysis.cases[*case_index].name.clone());
            let cases = language.first_few(names.collect(), NAMED, "list.comma");
            parts.push(say!(language, key, cases));
        }
    }
    for (key, names) in [
        ("history.models", &found.conditions.models),
        ("history.graders", &found.conditions.graders),
    ] {
        if let Some([before, after]) = names {
            let (before, after) = (language.list(before), language.list(after));
            parts.push(say!(language, key, before, after));
        }
    }
    let kinds = say!(language, "history.break_kinds", what = kinds(language, found));
    view!({ "kinds": kinds, "parts": parts })
}

pub(super) fn chart_breaks(language: &Language, breaks: &[Break]) -> Vec<ChartBreak> {
    let mut chart_breaks = Vec::new();
    for found in breaks {
        let reason = say!(language, "history.break_other", what = kinds(language, found));
        chart_breaks.push(ChartBreak { index: found.iteration, reason });
    }
    chart_breaks
}

/// The kinds of differences, in a row.
fn kinds(language: &Language, found: &Break) -> String {
    let has_other_cases = !found.new.is_empty() || !found.gone.is_empty();
    let mut kinds = Vec::new();
    if has_other_cases {
        kinds.push("history.break_cases");
    }
    // Cases without a verdict are not worth a mention where the cases differ anyway.
    if !found.ungraded.is_empty() && !has_other_cases {
        kinds.push("history.break_ungraded");
    }
    if !found.prompts.is_empty() {
        kinds.push("history.break_prompts");
    }
    if !found.expectations.is_empty() {
        kinds.push("history.break_checks");
    }
    if found.conditions.models.is_some() {
        kinds.push("history.break_models");
    }
    if found.conditions.graders.is_some() {
        kinds.push("history.break_graders");
    }
    language.list(kinds.into_iter().map(|key| language.text(key)))
}
