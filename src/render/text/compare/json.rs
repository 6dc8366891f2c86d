//! A comparison for programs.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::{Change, Cost, Fate, Flip, Side, between};
use crate::gate::{Decision, Loss, Question, Ruling};
use crate::model::Tally;
use crate::render::context::Language;
use crate::render::data::report;
use crate::render::text::{
    compare::{Candidate, Comparison, SCHEMA_VERSION},
    gate::{Line, Mark},
};
use crate::report_json::LevelJson;
use crate::statistics::Interval;
use crate::text::printable_json;

/// The comparison as JSON, indented, with a newline at its end. The lines of the gate are in
/// English, like every diagnostic that programs read.
pub fn json(comparison: Comparison<'_>) -> String {
    let Candidate { question, change, .. } = comparison.shown;
    let workspace = question.workspace;
    let lines = &question.analysis.lines;
    let flips = between(workspace, lines, &change.before, &change.after);
    let of = |fate: Fate| -> Vec<ExpectationJson<'_>> {
        let found = flips.iter().filter(|flip| flip.fate == fate);
        found.map(|flip| expectation(comparison.shown, flip)).collect()
    };
    let baseline = question.on_baseline;
    let document = ComparisonJson {
        schema_version: SCHEMA_VERSION,
        after: side(question, &change.after),
        before: side(question, &change.before),
        baseline: baseline.map(|change| side(question, &change.before)),
        change: of_change(question, change),
        on_baseline: baseline.map(|change| of_change(question, change)),
        regressed: of(Fate::Regressed),
        fixed: of(Fate::Fixed),
        still_failing: of(Fate::StillFailing),
        new: of(Fate::New),
        removed: of(Fate::Removed),
        others: comparison.others.iter().map(other).collect(),
        gate: gate_of(comparison),
    };
    // The structs hold only texts, whole numbers and fractions, which always serialize.
    printable_json(&serde_json::to_string_pretty(&document).unwrap_or_default()) + "\n"
}

#[derive(Serialize)]
struct ComparisonJson<'a> {
    schema_version: u32,
    /// The candidate.
    after: SideJson<'a>,
    /// The earlier side.
    before: SideJson<'a>,
    /// The candidate's baseline.
    baseline: Option<SideJson<'a>>,
    /// After against before.
    change: ChangeJson<'a>,
    /// After against baseline.
    on_baseline: Option<ChangeJson<'a>>,
    regressed: Vec<ExpectationJson<'a>>,
    fixed: Vec<ExpectationJson<'a>>,
    /// Failed on both sides, equally often.
    still_failing: Vec<ExpectationJson<'a>>,
    new: Vec<ExpectationJson<'a>>,
    removed: Vec<ExpectationJson<'a>>,
    /// The other candidates of the later side.
    others: Vec<OtherJson<'a>>,
    /// Null where no rule is set.
    gate: Option<GateJson>,
}

#[derive(Serialize)]
struct OtherJson<'a> {
    after: SideJson<'a>,
    before: SideJson<'a>,
    change: ChangeJson<'a>,
}

fn other<'a>(candidate: &Candidate<'a>) -> OtherJson<'a> {
    let Candidate { question, change, .. } = *candidate;
    OtherJson {
        after: side(question, &change.after),
        before: side(question, &change.before),
        change: of_change(question, change),
    }
}

#[derive(Serialize)]
struct SideJson<'a> {
    iteration: &'a str,
    configuration: &'a str,
    passed: usize,
    failed: usize,
    ungraded: usize,
    pass_rate: Option<f64>,
    /// The mean over cases with its interval at 95 %.
    level: Option<LevelJson>,
    runs: usize,
    graded_runs: usize,
    /// Means over graded runs that recorded them.
    duration_s: Option<f64>,
    tokens: Option<f64>,
}

fn side<'a>(question: &Question<'a>, side: &'a Side) -> SideJson<'a> {
    let of = &question.analysis.iterations[side.iteration];
    let summary = of.configuration(&side.configuration);
    let Tally { passed, failed, ungraded } = summary.map(|it| it.tally).unwrap_or_default();
    let level = summary.and_then(|it| it.level.as_ref());
    SideJson {
        iteration: &question.workspace.iterations[side.iteration].name,
        configuration: &side.configuration,
        passed,
        failed,
        ungraded,
        pass_rate: summary.and_then(|it| it.tally.pass_rate()),
        level: level.map(report::level),
        runs: summary.map_or(0, |it| it.runs),
        graded_runs: summary.map_or(0, |it| it.graded_runs),
        duration_s: summary.and_then(|it| it.duration_s).map(|spread| spread.mean),
        tokens: summary.and_then(|it| it.tokens).map(|spread| spread.mean),
    }
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    verdict: &'static str,
    /// Shares of 1, by case; null without a shared case.
    gain: Option<f64>,
    gain_low: Option<f64>,
    gain_high: Option<f64>,
    /// Of the exact sign-flip test.
    p: Option<f64>,
    /// How many candidates are compared at once, this one included; 0 without a shared case.
    at_once: usize,
    /// p adjusted for all of them (Holm); the verdict goes by it.
    adjusted_p: Option<f64>,
    /// Cases of which a side has a single graded run.
    single_run: usize,
    /// Runs of the compared cases without a verdict, of the earlier and of the later side.
    ungraded_runs: [usize; 2],
    /// Checks of the compared cases without a verdict in runs that have others, likewise.
    ungraded_checks: [usize; 2],
    /// The models of the earlier and of the later side; null where they are alike or not recorded.
    models: Option<[Vec<&'a str>; 2]>,
    /// The graders, likewise.
    graders: Option<[Vec<&'a str>; 2]>,
    cases: usize,
    cases_better: usize,
    cases_worse: usize,
    cases_same: usize,
    /// The verdicts that are compared.
    before: CountsJson,
    after: CountsJson,
    /// Cases that take no part.
    only_before: Vec<&'a str>,
    only_after: Vec<&'a str>,
    unlike: Vec<&'a str>,
    time: CostJson,
    tokens: CostJson,
    dollars: CostJson,
}

#[derive(Serialize)]
struct CountsJson {
    passed: usize,
    graded: usize,
}

fn counts(tally: Tally) -> CountsJson {
    CountsJson { passed: tally.passed, graded: tally.graded() }
}

/// What a run costs, on the cases that have it on both sides.
#[derive(Serialize)]
struct CostJson {
    cases: usize,
    before: Option<f64>,
    after: Option<f64>,
    /// After in times of before, typical by case.
    ratio: Option<f64>,
    ratio_low: Option<f64>,
    ratio_high: Option<f64>,
}

fn cost(cost: &Cost) -> CostJson {
    let ratio = cost.ratio.as_ref();
    let interval = ratio.and_then(|ratio| ratio.interval.as_ref());
    CostJson {
        cases: ratio.map_or(0, |ratio| ratio.cases),
        before: cost.before,
        after: cost.after,
        ratio: ratio.map(|ratio| ratio.geometric_mean),
        ratio_low: interval.map(|interval| interval.low),
        ratio_high: interval.map(|interval| interval.high),
    }
}

fn differing(names: &Option<[BTreeSet<String>; 2]>) -> Option<[Vec<&str>; 2]> {
    let sides = names.as_ref()?.each_ref();
    Some(sides.map(|side| side.iter().map(String::as_str).collect()))
}

fn of_change<'a>(question: &Question<'a>, change: &'a Change) -> ChangeJson<'a> {
    let lines = &question.analysis.lines;
    let names = |found: &[usize]| found.iter().map(|at| lines[*at].name.as_str()).collect();
    let gain = &change.gain;
    let paired = gain.paired.as_ref();
    let interval: Option<Interval> = paired.and_then(|paired| paired.interval);
    let interval = interval.map(|interval| interval.clip(-1.0, 1.0));
    ChangeJson {
        verdict: gain.verdict().word(),
        gain: paired.map(|paired| paired.mean),
        gain_low: interval.map(|interval| interval.low),
        gain_high: interval.map(|interval| interval.high),
        p: paired.map(|paired| paired.p()),
        at_once: gain.at_once,
        adjusted_p: gain.adjusted_p,
        single_run: gain.single,
        ungraded_runs: gain.ungraded,
        ungraded_checks: gain.unjudged,
        models: differing(&change.comparability.models),
        graders: differing(&change.comparability.graders),
        cases: paired.map_or(0, |paired| paired.cases),
        cases_better: paired.map_or(0, |paired| paired.better),
        cases_worse: paired.map_or(0, |paired| paired.worse),
        cases_same: paired.map_or(0, |paired| paired.same),
        before: counts(gain.before),
        after: counts(gain.after),
        only_before: names(&gain.only_before),
        only_after: names(&gain.only_after),
        unlike: names(&gain.unlike),
        time: cost(&change.costs.time),
        tokens: cost(&change.costs.tokens),
        dollars: cost(&change.costs.dollars),
    }
}

#[derive(Serialize)]
struct ExpectationJson<'a> {
    case: &'a str,
    text: String,
    /// The earlier wording, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier_text: Option<String>,
    before: CountsJson,
    after: CountsJson,
    /// Whether it is a known issue that still counts as one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_known: bool,
}

fn expectation<'a>(candidate: &Candidate<'a>, flip: &Flip) -> ExpectationJson<'a> {
    let losses = &candidate.judgement.losses;
    ExpectationJson {
        case: &candidate.question.analysis.lines[flip.line].name,
        text: flip.text.clone(),
        earlier_text: flip.earlier_text.clone(),
        before: counts(flip.before),
        after: counts(flip.after),
        is_known: losses.iter().any(|loss: &Loss| loss.flip == *flip && loss.is_excused()),
    }
}

#[derive(Serialize)]
struct GateJson {
    passed: bool,
    rules: Vec<RuleJson>,
    /// What is known, what has expired, what matches nothing.
    known_issues: Vec<String>,
}

#[derive(Serialize)]
struct RuleJson {
    /// `passed`, `failed`, or `unchecked`, which counts as failed.
    decision: &'static str,
    text: String,
}

fn gate_of(comparison: Comparison<'_>) -> Option<GateJson> {
    let is_rule = |line: &Line| matches!(line.mark, Mark::Passed | Mark::Failed);
    let (rules, known): (Vec<_>, Vec<_>) =
        comparison.gate(&Language::default()).into_iter().partition(is_rule);
    let rulings = || comparison.candidates().flat_map(|it| &it.judgement.rulings);
    let rules = rulings().zip(rules).map(|(ruling, line)| RuleJson {
        decision: match ruling.decision {
            Decision::Passed => "passed",
            Decision::Failed => "failed",
            Decision::Unchecked(_) => "unchecked",
        },
        text: line.text,
    });
    (!comparison.shown.judgement.rulings.is_empty()).then(|| GateJson {
        passed: rulings().all(Ruling::is_passed),
        rules: rules.collect(),
        known_issues: known.into_iter().map(|line| line.text).collect(),
    })
}
