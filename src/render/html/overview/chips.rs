//! The chips below both sides: costs, cases × runs, and the file that recorded the verdicts.

use serde_json::{Value, json};

use crate::analyze::{ConfigurationSummary, CostKind, Costs, Side, costs_before_grading};
use crate::language::{Language, say};
use crate::render::context::RenderContext;
use crate::wording::costs;
use input::model::Implausible;
use statistics::Spread;
use text::tokens;

/// The file that the verdicts come from, where it is a recorded benchmark: no grading is left.
pub(super) fn recorded_chip(context: RenderContext<'_>, after: &Side) -> Option<Value> {
    let mut runs = context.part.workspace.iterations[after.iteration].runs();
    let run = runs.find(|run| run.configuration == after.configuration && run.is_graded())?;
    let grading = run.grading().filter(|grading| grading.is_recorded)?;
    let file = grading.path.rsplit('/').next().unwrap_or_default();
    Some(json!({ "strong": "", "rest": say!(context.language, "answer.from_file", file) }))
}

/// The costs of two sides without a verdict, the cases, and their runs.
pub(super) fn chips_before_grading(context: RenderContext<'_>, after: &Side) -> Vec<Value> {
    let (language, analysis) = (context.language, context.part.analysis);
    let Some(candidate) = analysis.summary(after) else { return Vec::new() };
    let mut chips = Vec::new();
    let roles = &analysis.iterations[after.iteration].roles;
    if let Some(baseline) = roles.baseline_of(&after.configuration) {
        let before = Side::new(after.iteration, baseline);
        if let Some(other) = analysis.summary(&before) {
            let (workspace, settings) = (context.part.workspace, context.part.settings);
            let costs =
                costs_before_grading(workspace, &analysis.cases, [&before, after], settings);
            chips = cost_chips(&costs, [candidate, other], language);
        }
    }
    chips.push(cases_chip(candidate.cases, candidate, language));
    chips
}

/// What the candidate costs compared with the other side.
pub(super) fn cost_chips(
    costs: &Costs,
    [candidate, other]: [&ConfigurationSummary; 2],
    language: &Language,
) -> Vec<Value> {
    let time = means_per_run(candidate.duration_s, other.duration_s, language, |mean| {
        language.seconds(mean)
    });
    let used = means_per_run(candidate.tokens, other.tokens, language, |mean| {
        language.counted(&tokens(mean), mean.round() == 1.0, "token")
    });
    let mut chips = Vec::new();
    chips.extend(cost_chip(costs, CostKind::Time, time, language));
    chips.extend(cost_chip(costs, CostKind::Tokens, used, language));
    chips.extend(cost_chip(costs, CostKind::Dollars, String::new(), language));
    if let Some(reason) = costs::implausible(costs, language) {
        let is_apart = costs.tokens.implausible == Some(Implausible::CacheOfOneSide);
        let key = if is_apart && costs.time.implausible.is_none() {
            "costs.apart"
        } else {
            "costs.implausible"
        };
        let rest = language.text(key);
        chips.push(json!({ "strong": "", "rest": rest, "title": reason }));
    }
    chips
}

/// `5 cases × 3 runs`.
pub(super) fn cases_chip(
    cases: usize,
    candidate: &ConfigurationSummary,
    language: &Language,
) -> Value {
    let runs = times_runs(candidate, language);
    json!({ "strong": language.count(cases, "case"), "rest": runs })
}

/// `× 3 runs`.
pub(super) fn times_runs(candidate: &ConfigurationSummary, language: &Language) -> String {
    match candidate.runs_per_case {
        0 | 1 => language.text("answer.one_run").to_owned(),
        runs => say!(language, "answer.times_runs", runs = language.count(runs, "run")),
    }
}

fn cost_chip(costs: &Costs, kind: CostKind, per_run: String, language: &Language) -> Option<Value> {
    let cost = kind.of(costs);
    let strong = costs::short_ratio(cost, kind, language)?;
    let ratio = costs::ratio(cost, kind, language).unwrap_or_default();
    let typical = say!(language, "answer.typical_ratio", ratio);
    let total = costs::total(cost, kind, language).unwrap_or_default();
    let title = language.sentences([per_run, typical, total]);
    let rest = language.text(kind.name());
    let is_raised = cost.raised().is_some();
    Some(json!({ "strong": strong, "rest": rest, "title": title, "is_raised": is_raised }))
}

/// Both means as text; empty unless both sides recorded the figure.
fn means_per_run(
    own: Option<Spread>,
    other: Option<Spread>,
    language: &Language,
    text: impl Fn(f64) -> String,
) -> String {
    let (Some(own), Some(other)) = (own, other) else { return String::new() };
    say!(language, "answer.per_run", own = text(own.mean), other = text(other.mean))
}
