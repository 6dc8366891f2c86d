//! A comparison for programs.

use serde_json::json;

use crate::analyze::{Change, ConditionDifferences, Flip, FlipKind, Side};
use crate::digest::{self, Comparisons};
use crate::gate::{Question, RuleResult};
use crate::language::Language;
use crate::render::data::ordered_json::{Json, counts, for_terminal, list, object};
use crate::render::data::report::{computed, level};
use crate::render::text::compare::{Candidate, Comparison};
use crate::wording::gate::{GateLine, lines_apart};
use input::model::Tally;

/// Increased when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

pub fn json(comparison: Comparison<'_>) -> String {
    let Candidate { question, change, .. } = comparison.shown;
    let changes = Comparisons::empty(question.workspace, question.analysis).for_change(change);
    let [regressed, improved, unsteady, reworded, still_failing, new, removed] = [
        FlipKind::Regressed,
        FlipKind::Improved,
        FlipKind::Unsteady,
        FlipKind::Reworded,
        FlipKind::StillFailing,
        FlipKind::New,
        FlipKind::Removed,
    ]
    .map(|kind| list(changes.of_kind(kind), |flip| expectation(comparison.shown, flip)));
    let baseline = question.on_baseline();
    let mut document = vec![("schema_version", SCHEMA_VERSION.into())];
    document.extend(compared(question, change));
    document.extend([
        ("baseline", baseline.map_or(Json::NULL, |change| side(question, &change.before))),
        ("on_baseline", baseline.map_or(Json::NULL, |change| change_json(question, change))),
        ("regressed", regressed),
        ("improved", improved),
        // Passed in some runs of a side, and failed in others.
        ("unsteady", unsteady),
        // Turned together with their wording.
        ("reworded", reworded),
        // Failed in every run of both sides.
        ("still_failing", still_failing),
        ("new", new),
        ("removed", removed),
        ("others", list(comparison.others, |other| object(compared(other.question, other.change)))),
        // Whether another skill, prompt or check is there now than the newer side was measured on.
        ("is_stale", digest::stale(question.workspace, question.after).is_some().into()),
        ("gate", gate(comparison)),
    ]);
    for_terminal(&Json::Object(document))
}

fn side<'a>(question: &Question<'a>, side: &'a Side) -> Json<'a> {
    let summary = question.analysis.summary(side);
    let tally = summary.map(|summary| summary.tally).unwrap_or_default();
    let duration = summary.and_then(|summary| summary.duration_s);
    let tokens = summary.and_then(|summary| summary.tokens);
    let level = summary.and_then(|summary| summary.range.as_ref()).map(level);
    let [passed, failed, ungraded] = counts(tally);
    object([
        ("iteration", (&*question.workspace.iterations[side.iteration].name).into()),
        ("configuration", (&*side.configuration).into()),
        passed,
        failed,
        ungraded,
        ("pass_rate", tally.pass_rate().into()),
        // The mean over cases with its 95 % interval.
        ("level", level.map_or(Json::NULL, Json::Level)),
        ("runs", summary.map_or(0, |summary| summary.runs).into()),
        ("graded_runs", summary.map_or(0, |summary| summary.graded_runs).into()),
        // Means over graded runs that recorded them.
        ("duration_s", duration.map(|duration| duration.mean).into()),
        ("tokens", tokens.map(|tokens| tokens.mean).into()),
    ])
}

/// A comparison: its sides, the change as in `report.json`, and models and graders of both sides where
/// these differ.
fn compared<'a>(question: &Question<'a>, change: &'a Change) -> [(&'static str, Json<'a>); 5] {
    let ConditionDifferences { models, graders } =
        question.analysis.other_conditions(change.sides());
    [
        ("after", side(question, &change.after)),
        ("before", side(question, &change.before)),
        ("change", change_json(question, change)),
        ("models", json!(models).into()),
        ("graders", json!(graders).into()),
    ]
}

fn change_json<'a>(question: &Question<'a>, change: &Change) -> Json<'a> {
    Json::Change(Box::new(computed::change(question.workspace, question.analysis, change)))
}

fn graded(tally: Tally) -> Json<'static> {
    object([("passed", tally.passed.into()), ("graded", tally.graded().into())])
}

fn expectation<'a>(candidate: &Candidate<'a>, flip: &Flip<'a>) -> Json<'a> {
    let case = &candidate.question.analysis.cases[flip.case].name;
    let mut fields = vec![("case", case.as_str().into()), ("text", flip.text.into())];
    // The earlier wording, if it differs.
    fields.extend(flip.earlier_text.map(|text| ("earlier_text", text.into())));
    fields.extend(flip.probably_earlier.map(|text| ("probably_earlier_text", text.into())));
    fields.extend([("before", graded(flip.before)), ("after", graded(flip.after))]);
    // Whether it is a known issue that has not expired.
    if candidate.judgement.losses.iter().any(|loss| loss.flip == *flip && loss.is_excused()) {
        fields.push(("is_known", true.into()));
    }
    Json::Object(fields)
}

/// The result of the gate; null without rules.
fn gate(comparison: Comparison<'_>) -> Json<'static> {
    if comparison.shown.judgement.rulings.is_empty() {
        return Json::NULL;
    }
    let language = Language::default();
    let (mut rules, mut known) = (Vec::new(), Vec::new());
    for Candidate { question, judgement, .. } in comparison.candidates() {
        let [lines, remarks] = lines_apart(question, judgement, &language);
        rules.extend(judgement.rulings.iter().zip(lines));
        known.extend(remarks);
    }
    let is_passed = rules.iter().all(|(ruling, _)| ruling.is_passed());
    object([
        ("passed", is_passed.into()),
        // Whether no run differs from those of the earlier side, so that nothing new ran.
        ("same_runs", comparison.shown.judgement.is_same_runs.into()),
        ("rules", list(rules, |(ruling, line)| rule(ruling, line))),
        // Known, expired, and unmatched issues.
        ("known_issues", list(known, |line| line.text.into())),
    ])
}

fn rule(ruling: &RuleResult, line: GateLine) -> Json<'static> {
    // Unchecked rules count as failed.
    let decision = match ruling.decision {
        Ok(true) => "passed",
        Ok(false) => "failed",
        Err(_) => "unchecked",
    };
    object([("decision", decision.into()), ("text", line.text.into())])
}
