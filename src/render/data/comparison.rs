//! A comparison for programs.

use serde_json::json;

use crate::analyze::{Change, ClaimScope, ConditionDifferences, Cost, Flip, FlipKind, Side};
use crate::digest::{self, Comparisons};
use crate::gate::{Question, RuleResult};
use crate::language::Language;
use crate::render::data::ordered_json::{Json, counts, for_terminal, list, object};
use crate::render::data::report::level;
use crate::render::text::compare::{Candidate, Comparison};
use crate::wording::gate::{GateLine, lines_apart};
use input::model::Tally;

/// Increased when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

pub fn json(comparison: Comparison<'_>) -> String {
    let Candidate { question, change, .. } = comparison.shown;
    let changes = Comparisons::empty(question.workspace, question.analysis).for_change(change);
    let [regressed, improved, unsteady, still_failing, new, removed] = [
        FlipKind::Regressed,
        FlipKind::Improved,
        FlipKind::Unsteady,
        FlipKind::StillFailing,
        FlipKind::New,
        FlipKind::Removed,
    ]
    .map(|kind| list(changes.of_kind(kind), |flip| expectation(comparison.shown, flip)));
    let baseline = question.on_baseline();
    let document = object([
        ("schema_version", SCHEMA_VERSION.into()),
        ("after", side(question, &change.after)),
        ("before", side(question, &change.before)),
        ("baseline", baseline.map_or(Json::NULL, |change| side(question, &change.before))),
        ("change", change_json(question, change)),
        ("on_baseline", baseline.map_or(Json::NULL, |change| change_json(question, change))),
        ("regressed", regressed),
        ("improved", improved),
        // Passed in some runs of a side, and failed in others.
        ("unsteady", unsteady),
        // Failed in every run of both sides.
        ("still_failing", still_failing),
        ("new", new),
        ("removed", removed),
        ("others", list(comparison.others, other)),
        ("gate", gate(comparison)),
    ]);
    for_terminal(&document)
}

fn other<'a>(candidate: &Candidate<'a>) -> Json<'a> {
    let Candidate { question, change, .. } = *candidate;
    object([
        ("after", side(question, &change.after)),
        ("before", side(question, &change.before)),
        ("change", change_json(question, change)),
    ])
}

fn side<'a>(question: &Question<'a>, side: &'a Side) -> Json<'a> {
    let summary = question.analysis.summary(side);
    let tally = summary.map(|summary| summary.tally).unwrap_or_default();
    let duration = summary.and_then(|summary| summary.duration_s);
    let tokens = summary.and_then(|summary| summary.tokens);
    let level = summary.and_then(|summary| summary.level.as_ref()).map(level);
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

fn change_json<'a>(question: &Question<'a>, change: &'a Change) -> Json<'a> {
    let gain = &change.gain;
    let paired = gain.paired();
    let missing = gain.undecided().map(|sides| sides.map(|side| [side.missing, side.total]));
    let adjusted_p = gain.comparison.as_ref().map(|comparison| comparison.adjusted_p);
    let (low, high) = digest::interval(gain).map(|interval| (interval.low, interval.high)).unzip();
    let ConditionDifferences { models, graders } =
        question.analysis.other_conditions(change.sides());
    object([
        ("verdict", gain.verdict().word().into()),
        ("word", gain.word().name().into()),
        ("claim", gain.verdict().claim().map(ClaimScope::word).into()),
        // The measure of the gain: `pass rate` or `score`.
        ("measure", gain.measure().word().into()),
        // Mean scores of the earlier and the later side, 1 to 5; null if they are not the measure.
        ("scores", gain.scores().into()),
        // Shares of 1, by case; for scores, shares of the range from 1 to 5; null without a shared
        // case.
        ("gain", gain.shown().map(|paired| paired.mean).into()),
        ("gain_low", low.into()),
        ("gain_high", high.into()),
        // Share of such ranges that hold the true gain, such as 0.95; null without a range.
        ("level", gain.range().map(|range| range.level).into()),
        // Of the exact sign-flip test.
        ("p", paired.map(|paired| paired.p).into()),
        // Number of candidates compared at once, including this one; 0 without a shared case.
        ("at_once", gain.at_once().into()),
        // Adjusted for all of them (Holm), one per rule of the verdict.
        ("adjusted_p", adjusted_p.map(|p| p.sign_flip).into()),
        ("permutation_p", adjusted_p.map(|p| p.permutation).into()),
        ("moderated_p", adjusted_p.map(|p| p.moderated).into()),
        // Cases with a single graded run on one side.
        ("single_run", gain.single.into()),
        // Runs without a verdict, and checks without one in graded runs, of the earlier and the
        // later side.
        ("ungraded_runs", gain.ungraded.into()),
        ("ungraded_checks", gain.unjudged.into()),
        // Missing verdicts and all that there should be, of the earlier and the later side; null unless
        // they leave it undecided.
        ("undecided", json!(missing).into()),
        // Of the earlier and the later side; null if equal or not recorded.
        ("models", json!(models).into()),
        ("graders", json!(graders).into()),
        ("cases", paired.map_or(0, |paired| paired.cases).into()),
        ("cases_better", paired.map_or(0, |paired| paired.better).into()),
        ("cases_worse", paired.map_or(0, |paired| paired.worse).into()),
        ("cases_same", paired.map_or(0, |paired| paired.same).into()),
        // The compared verdicts.
        ("before", graded(gain.before)),
        ("after", graded(gain.after)),
        // Cases that are not compared.
        ("only_before", case_names(question, &gain.only_before)),
        ("only_after", case_names(question, &gain.only_after)),
        ("unlike", case_names(question, &gain.unlike)),
        ("negative", case_names(question, &gain.negative)),
        ("time", cost(&change.costs.time)),
        ("tokens", cost(&change.costs.tokens)),
        ("dollars", cost(&change.costs.dollars)),
    ])
}

fn case_names<'a>(question: &Question<'a>, cases: &[usize]) -> Json<'a> {
    list(cases, |case| question.analysis.cases[*case].name.as_str().into())
}

fn graded(tally: Tally) -> Json<'static> {
    object([("passed", tally.passed.into()), ("graded", tally.graded().into())])
}

fn cost(cost: &Cost) -> Json<'static> {
    let ratio = cost.ratio.as_ref();
    let interval = ratio.and_then(|ratio| ratio.interval.as_ref());
    object([
        ("cases", ratio.map_or(0, |ratio| ratio.cases).into()),
        ("before", cost.before.into()),
        ("after", cost.after.into()),
        // After over before, typical by case.
        ("ratio", ratio.map(|ratio| ratio.geometric_mean).into()),
        ("ratio_low", interval.map(|interval| interval.low).into()),
        ("ratio_high", interval.map(|interval| interval.high).into()),
    ])
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
