//! Views for the templates: texts and links, ready to show. Numbers become text here.

use serde_json::{Value, json};

use crate::analyze::{RunCost, spent};
use crate::language::Language;
use crate::model::{Claim, Expectation, Grading, Metrics, Notes, Outcome};
use crate::render::context::Rows;
use crate::settings::Settings;
use crate::text::{fixed, tokens};

/// A check as every list shows it.
pub(crate) fn check_row(check: &Expectation) -> Value {
    json!({ "text": check.text, "outcome": check.outcome.word(), "evidence": check.evidence })
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
    let row = |claim: &Claim| {
        let state = language.text(match claim.verified {
            Some(true) => "claim.verified",
            Some(false) => "claim.not_verified",
            None => "claim.not_checked",
        });
        let state = language.list([state].into_iter().chain(claim.kind.as_deref()));
        [claim.text.clone(), state, claim.evidence.clone().unwrap_or_default()]
    };
    grading.claims.iter().map(row).collect()
}

/// Remarks with their headings, without those that are Markdown in the records of a run.
pub(crate) fn notes(notes: &Notes, language: &Language) -> Vec<[String; 2]> {
    let groups = [
        ("note.uncertain", &notes.uncertainties),
        ("note.needs_review", &notes.needs_review),
        ("note.workaround", &notes.workarounds),
    ];
    groups.into_iter().flat_map(|(key, texts)| headed(key, texts, language)).collect()
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
    let seconds = |value| language.seconds(value);
    let called = metrics.tool_calls_by_name.iter().filter(|(_, calls)| **calls > 0.0);
    let by_name = called.map(|(name, calls)| format!("{name} {}", short(*calls)));
    let listed = |names: Vec<String>| (!names.is_empty()).then(|| language.list(names));
    let (cost_key, cost) = match spent(metrics, settings) {
        Some(RunCost::Computed(amount)) => ("cost.computed", Some(language.dollars(amount))),
        Some(RunCost::Recorded(amount)) => ("cost.cost", Some(language.dollars(amount))),
        None => ("cost.cost", None),
    };
    let rows = [
        ("cost.time", metrics.duration_s.map(seconds)),
        ("cost.executor", metrics.executor_s.map(seconds)),
        ("cost.grader", metrics.grader_s.map(seconds)),
        ("cost.tokens", metrics.tokens.map(tokens)),
        ("cost.input_tokens", metrics.input_tokens.map(tokens)),
        ("cost.output_tokens", metrics.output_tokens.map(tokens)),
        ("cost.cached_tokens", metrics.cached_tokens.map(tokens)),
        ("cost.cache_written_tokens", metrics.cache_written_tokens.map(tokens)),
        (cost_key, cost),
        ("cost.model", metrics.model.clone()),
        ("cost.tool_calls", metrics.tool_calls.map(short)),
        ("cost.by_tool", listed(by_name.collect())),
        ("cost.steps", metrics.steps.map(short)),
        ("cost.errors", metrics.errors.map(short)),
        ("cost.output_chars", metrics.output_chars.map(tokens)),
        ("cost.transcript_chars", metrics.transcript_chars.map(tokens)),
        ("cost.files_created", listed(metrics.files_created.clone())),
        ("cost.started", metrics.started.clone()),
        ("cost.ended", metrics.ended.clone()),
    ];
    let recorded =
        |(key, value): (&str, Option<String>)| Some([language.text(key).to_owned(), value?]);
    rows.into_iter().filter_map(recorded).collect()
}
