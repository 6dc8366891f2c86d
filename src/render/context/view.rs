//! Views for the templates: texts and links, ready to show. Numbers become text here.

use serde::Serialize;

use crate::analyze::{RunCost, spent};
use crate::language::Language;
use crate::render::context::{RenderContext, Rows};
use input::model::{Claim, Expectation, Grading, Metrics, Notes, Outcome};
use input::settings::Settings;
use text::{fixed, tokens};

/// What a template is filled with. A view within another one is shared, not copied.
pub(crate) type View = tera::Value;

/// The view with these fields, each of whatever can be serialized; after `..` those of another view.
macro_rules! view {
    ({ $(..$base:expr,)? $($name:literal: $value:expr),* $(,)? }) => {{
        let mut fields = tera::Map::default();
        $(fields.extend($base.into_map().unwrap_or_default());)?
        fields.reserve([$($name),*].len());
        $(fields.insert(tera::value::Key::Str($name), tera::Value::from_serializable(&$value));)*
        tera::Value::from(fields)
    }};
}
pub(crate) use view;

/// A check as every list shows it.
pub(crate) fn check_row(check: &Expectation) -> View {
    view!({ "text": check.text, "outcome": check.outcome.word(), "evidence": check.evidence })
}

/// A mark for an outcome: shape before color.
pub(crate) fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Ungraded => "?",
    }
}

pub(crate) fn short(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, 2) }
}

/// Claims with their state, kind and evidence.
pub(crate) fn claims(grading: &Grading, language: &Language) -> Rows<[String; 3]> {
    Rows::all(grading.claims.iter(), |claim| claim_row(claim, language))
}

fn claim_row(claim: &Claim, language: &Language) -> [String; 3] {
    let mut state = vec![language.text(match claim.verified {
        Some(true) => "claim.verified",
        Some(false) => "claim.not_verified",
        None => "claim.not_checked",
    })];
    state.extend(claim.kind.as_deref());
    [claim.text.clone(), language.list(state), claim.evidence.clone().unwrap_or_default()]
}

/// Remarks with their headings, without those that are Markdown in the records of a run.
pub(crate) fn notes(notes: &Notes, language: &Language) -> Vec<[String; 2]> {
    let mut rows = headed("note.uncertain", &notes.uncertainties, language);
    rows.extend(headed("note.needs_review", &notes.needs_review, language));
    rows.extend(headed("note.workaround", &notes.workarounds, language));
    rows
}

pub(crate) fn headed(key: &str, texts: &[String], language: &Language) -> Vec<[String; 2]> {
    texts.iter().map(|text| [language.text(key).to_owned(), text.clone()]).collect()
}

/// The costs of a run: name and value of each recorded figure, and dollars at the prices of the
/// settings if none were recorded.
pub(crate) fn figures(
    metrics: &Metrics,
    settings: &Settings,
    language: &Language,
) -> Vec<[String; 2]> {
    let mut tools = Vec::new();
    for (name, calls) in &metrics.tool_calls_by_name {
        // Harnesses list every tool that they have, called or not.
        if *calls > 0.0 {
            tools.push(format!("{name} {}", short(*calls)));
        }
    }
    // A recorded cost knows discounts and caches, which prices do not.
    let (cost_key, cost) = match spent(metrics, settings) {
        Some(RunCost::Computed(amount)) => ("cost.computed", Some(amount)),
        Some(RunCost::Recorded(amount)) => ("cost.cost", Some(amount)),
        None => ("cost.cost", None),
    };
    let rows = [
        ("cost.time", metrics.duration_s.map(|time| language.seconds(time))),
        ("cost.executor", metrics.executor_s.map(|time| language.seconds(time))),
        ("cost.grader", metrics.grader_s.map(|time| language.seconds(time))),
        ("cost.tokens", metrics.tokens.map(tokens)),
        ("cost.input_tokens", metrics.input_tokens.map(tokens)),
        ("cost.output_tokens", metrics.output_tokens.map(tokens)),
        ("cost.cached_tokens", metrics.cached_tokens.map(tokens)),
        ("cost.cache_written_tokens", metrics.cache_written_tokens.map(tokens)),
        (cost_key, cost.map(|amount| language.dollars(amount))),
        ("cost.model", metrics.model.clone()),
        ("cost.tool_calls", metrics.tool_calls.map(short)),
        ("cost.by_tool", Some(language.list(tools))),
        ("cost.steps", metrics.steps.map(short)),
        ("cost.errors", metrics.errors.map(short)),
        ("cost.output_chars", metrics.output_chars.map(tokens)),
        ("cost.transcript_chars", metrics.transcript_chars.map(tokens)),
        ("cost.files_created", Some(language.list(&metrics.files_created))),
        ("cost.started", metrics.started.clone()),
        ("cost.ended", metrics.ended.clone()),
    ];
    let mut figures = Vec::new();
    for (key, value) in rows {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            figures.push([language.text(key).to_owned(), value]);
        }
    }
    figures
}

/// The first `most` of `lines` under the title with the key `title`, and the number of others.
pub(crate) fn titled_list<T: Serialize>(
    context: RenderContext<'_>,
    title: &str,
    mut lines: Vec<T>,
    most: usize,
) -> View {
    let title = context.language.fill(title, &[("n", &lines.len())]);
    let more = context.language.beyond("compare.more", lines.len(), most);
    lines.truncate(most);
    view!({ "title": title, "lines": lines, "more": more })
}
