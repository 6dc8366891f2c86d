//! Can the runs be believed? What went wrong in them, so that their verdicts say little about the skill.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::analyze::Side;
use crate::digest::news::reading::{ReadingRuns, reading_runs};
use crate::digest::news::{Finding, GradedCounts, Means, Scene, author, copies, floor};
use crate::expression::expression;
use input::model::{Expectation, Iteration, LoadingState, Outcome, Run, UNNAMED};
use statistics::mean;
use text::{folded, signed_points};

/// Failed checks of a run that say together what happened to it.
pub(super) const FAILURES_OF_A_RUN: usize = 3;
/// This share of its checks fails in a run without an answer.
pub(super) const MOST_CHECKS: f64 = 0.7;
/// This share of its failures says so where they are not all the same.
const NEARLY_ALL: f64 = 0.9;
/// Failed checks that a refused tool explains, and their share of all failed ones.
const DENIED_CHECKS: usize = 3;
const DENIED_SHARE: f64 = 0.2;
/// Fewer equal times may be chance.
const RUNS_WITH_TIMES: usize = 4;
/// No agent answers within this number of seconds, and none starts within the other.
const NO_AGENT_S: f64 = 0.1;
const TOO_FAST_S: f64 = 1.0;
/// Characters of evidence by which two are the same.
const COMPARED_EVIDENCE: usize = 160;
/// Words of evidence that are quoted in a next step.
const EVIDENCE_WORDS: usize = 7;
/// Characters of evidence that are looked at: a grader says first what happened to a run, and some put a whole log there.
const READ_EVIDENCE: usize = 1_000;

/// A tool that was refused.
static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b(bash|write|edit|tools?|permissions?|sandbox|shell)\b[^.]{0,25}\b(denied|blocked|not permitted|not allowed|refused)|permission denied|\b(does|did|do|could) not execute (any )?(tools?|commands?)\b|권한[^.]{0,10}(거부|미허용)",
    )
});

/// The tools that a grader names as an agent does.
static DENIED_TOOL: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b(Bash|Write|Edit|Read|WebFetch|WebSearch)\b"));

/// What a grader writes of a run that did not answer. Mechanical graders put one excerpt into all evidence, so
/// equal evidence alone says nothing.
static NO_ANSWER: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)refus|declin|no (output|answer|response|file)s? (was|were|is|are|produced|found|generated|created|exist)|nothing (was )?(produced|written)|wrote nothing|did not (produce|generate|create|write|respond|answer)|permission|denied|timed? ?out|crash|empty (output|answer|response|file)|could not (run|access|read|execute)|unable to|not (available|invocable)|rate limit|quota|api error|no transcript|agent (failed|stopped)|cancel|missing output|asked for|asks (what|for)|clarif|권한|미생성|produced no",
    )
});

/// The same where the wording of each failure differs.
static CLEARLY_NO_ANSWER: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)agent refused|\[timeout\]|refused to (answer|do|run)|no (output|answer|response)( file)?s?\b|empty (output|answer|response)|(write|bash|tool) permission|permissions? denied|timed out|crashed|produced no|wrote nothing",
    )
});

/// From this share of disputed checks on, it matters which of two graders counts.
const DISAGREED: f64 = 0.1;

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    found.extend(voided(scene));
    let floor = floor::nothing_passes(scene);
    if floor.is_some() {
        found.extend(floor::prompts_cut(scene));
    }
    let is_floor = floor.is_some();
    found.extend(floor);
    found.extend(loading(scene));
    found.extend(stopped(scene));
    found.extend(empty_answers(scene));
    for reading in reading_runs(scene.workspace, scene.after, scene.lead) {
        let ReadingRuns { side, runs, total: of, read_checks, had_skill, were_given } = reading;
        let side = side.configuration;
        found.push(Finding::ReadAnswers { runs, of, side, read_checks, had_skill, were_given });
    }
    found.extend(tool_denied(scene));
    if !is_floor {
        found.extend(no_answer(scene));
    }
    found.extend(impossible_times(scene));
    copies::add(scene, found);
    found.extend(no_verdict(scene));
    found.extend(graders_disagree(scene));
}

fn voided(scene: &Scene<'_>) -> Option<Finding> {
    let iteration = scene.iteration();
    let note = author::voiding(&scene.remarks, iteration.cases.len())?;
    let graded = scene.lead.filter(|lead| lead.gain.paired().is_some()).map(|lead| GradedCounts {
        passed: lead.gain.after.passed,
        other_passed: lead.gain.before.passed,
        checks: lead.gain.after.graded(),
    });
    let side = scene.after.configuration.clone();
    let runs = iteration.runs().count();
    Some(Finding::Voided { graded, side, other: scene.other_name(), runs, note })
}

fn loading(scene: &Scene<'_>) -> Option<Finding> {
    // Some cases test that the skill stays out.
    let cases = scene.iteration().cases.iter().filter(|case| case.should_load != Some(false));
    let runs: Vec<&Run> = cases.flat_map(|case| case.runs_of(&scene.after.configuration)).collect();
    let missing = runs.iter().filter(|run| run.loading.state == LoadingState::NotLoaded).count();
    if missing == 0 {
        return None;
    }
    if missing == runs.len() {
        return Some(Finding::NeverLoaded { runs: missing });
    }
    let others = scene.lead.and_then(|lead| lead.gain.means_with_skill);
    let others = others.map(|[other, candidate]| Means { candidate, other });
    Some(Finding::NotLoaded { runs: missing, of: runs.len(), others })
}

/// The compared sides of the round, the candidate first.
pub(super) fn sides<'a>(scene: &Scene<'a>) -> Vec<&'a Side> {
    let mut sides = vec![scene.after];
    sides.extend(scene.other());
    sides
}

/// What happened to some runs of one side, or of both.
pub(super) struct Affected<'a> {
    /// The runs, with their cases.
    pub(super) runs: Vec<(&'a str, &'a Run)>,
    pub(super) of: usize,
    /// `None` for both.
    pub(super) side: Option<String>,
}

/// The runs of the compared sides of which `is_affected` holds; `None` without any.
pub(super) fn affected<'a>(
    scene: &Scene<'a>,
    is_counted: impl Fn(&Run) -> bool,
    is_affected: impl Fn(&Run) -> bool,
) -> Option<Affected<'a>> {
    let mut affected = Affected { runs: Vec::new(), of: 0, side: None };
    let mut number_of_sides = 0;
    for side in sides(scene) {
        let runs = scene.runs(side).into_iter().filter(|(_, run)| is_counted(run));
        let runs: Vec<(&str, &Run)> = runs.collect();
        let of_side: Vec<(&str, &Run)> =
            runs.iter().copied().filter(|(_, run)| is_affected(run)).collect();
        if !of_side.is_empty() {
            number_of_sides += 1;
            affected.side = Some(side.configuration.clone());
            affected.of += runs.len();
            affected.runs.extend(of_side);
        }
    }
    if number_of_sides > 1 || affected.side.as_deref() == Some(UNNAMED) {
        affected.side = None;
    }
    (number_of_sides > 0).then_some(affected)
}

fn stopped(scene: &Scene<'_>) -> Option<Finding> {
    let mut stopped = affected(scene, |_| true, |run| run.error.is_some())?;
    let iteration = scene.iteration();
    stopped.runs.retain(|(name, run)| {
        let mut cases = iteration.cases.iter().filter(|case| case.name == *name);
        !cases.any(|case| iteration.has_repeated(case, &run.configuration))
    });
    let mut errors: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, run) in &stopped.runs {
        *errors.entry(run.error.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let (error, alike) = errors.into_iter().max_by_key(|(_, number)| *number)?;
    let (runs, error) = (stopped.runs.len(), error.to_owned());
    let others = runs - alike;
    Some(Finding::Stopped { runs, of: stopped.of, side: stopped.side, error, others })
}

fn empty_answers(scene: &Scene<'_>) -> Option<Finding> {
    let side = sides(scene)
        .into_iter()
        .find(|side| scene.runs(side).iter().any(|(_, run)| run.answered_nothing()))?;
    let runs = scene.runs(side);
    let empty = runs.iter().filter(|(_, run)| run.answered_nothing()).count();
    Some(Finding::EmptyAnswers { runs: empty, of: runs.len(), side: side.configuration.clone() })
}

pub(super) fn failures(run: &Run) -> impl Iterator<Item = &Expectation> {
    run.counted_expectations().iter().filter(|check| check.outcome == Outcome::Failed)
}

/// The beginning of what a grader wrote of a check.
pub(super) fn evidence(check: &Expectation) -> Option<&str> {
    let evidence = check.evidence.as_deref()?;
    let end = evidence.char_indices().nth(READ_EVIDENCE).map_or(evidence.len(), |(end, _)| end);
    Some(&evidence[..end])
}

/// The side whose failures a refused tool explains best.
fn tool_denied(scene: &Scene<'_>) -> Option<Finding> {
    let found = sides(scene).into_iter().filter_map(|side| tool_denied_to(scene, side));
    found.max_by_key(|(checks, failed, _)| checks * 1000 / failed).map(|(_, _, finding)| finding)
}

/// How many failed checks of a side a refused tool explains, of how many.
fn tool_denied_to(scene: &Scene<'_>, side: &Side) -> Option<(usize, usize, Finding)> {
    let (mut checks, mut failed, mut graded) = (0, 0, 0);
    let mut by_case: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    for (case, run) in scene.runs(side) {
        graded += run.tally().graded();
        let was_denied = failures(run).filter_map(evidence).any(|text| DENIED.is_match(text));
        for tool in failures(run).filter_map(evidence).filter_map(|text| DENIED_TOOL.find(text)) {
            *tools.entry(tool.as_str()).or_default() += 1;
        }
        for check in failures(run) {
            failed += 1;
            // Without its tool a run has no output either.
            let follows = evidence(check)
                .is_some_and(|text| DENIED.is_match(text) || CLEARLY_NO_ANSWER.is_match(text));
            if was_denied && follows {
                checks += 1;
                *by_case.entry(case).or_default() += 1;
            }
        }
    }
    if checks < DENIED_CHECKS || (checks as f64) < failed as f64 * DENIED_SHARE {
        return None;
    }
    let mut cases: Vec<(&str, usize)> = by_case.into_iter().collect();
    cases.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let named: BTreeSet<&str> = cases.iter().map(|(case, _)| *case).collect();
    let gain = gain_without(scene, &named);
    let cases = cases.into_iter().map(|(case, _)| case.to_owned()).collect();
    let tool = tools.into_iter().max_by_key(|(_, number)| *number);
    let tool = tool.map(|(tool, _)| tool.to_owned());
    let side = side.configuration.clone();
    Some((checks, failed, Finding::ToolDenied { checks, failed, graded, side, tool, cases, gain }))
}

/// The evidence by which a run gave no answer, though its grader failed it check by check.
///
/// One reason for all failures is enough where other runs left outputs and this one did not, whatever
/// language it is in. Where all others did, the reasons may differ.
fn evidence_of_no_answer(run: &Run, kept: KeptOutputs) -> Option<&str> {
    let failed: Vec<&Expectation> = failures(run).collect();
    let graded = run.tally().graded();
    if failed.len() < FAILURES_OF_A_RUN || (failed.len() as f64) < graded as f64 * MOST_CHECKS {
        return None;
    }
    let evidence = failed.iter().map(|check| evidence(check)).collect::<Option<Vec<&str>>>()?;
    let first = *evidence.first()?;
    let beginning = compared(first);
    let left_nothing = kept.are_usual && run.outputs.is_empty();
    if left_nothing && kept.lacking == 1 && failed.len() == graded {
        return Some(first);
    }
    if evidence.iter().all(|other| compared(other) == beginning)
        && (left_nothing || NO_ANSWER.is_match(first))
    {
        return Some(first);
    }
    let mut saying = evidence.iter().filter(|text| CLEARLY_NO_ANSWER.is_match(text));
    let number = saying.clone().count();
    if number as f64 >= evidence.len() as f64 * NEARLY_ALL { saying.next().copied() } else { None }
}

/// What of evidence tells it from another.
pub(super) fn compared(evidence: &str) -> String {
    // Two thousand checks with 100 kB of evidence each took six minutes as whole texts.
    folded(&text::cut(evidence, COMPARED_EVIDENCE)).into_owned()
}

fn no_answer(scene: &Scene<'_>) -> Option<Finding> {
    let misfiled = copies::misfiled(scene);
    let is_misfiled = |run: &Run| misfiled.contains(&*run.path);
    let kept = KeptOutputs::new(scene.iteration());
    let is_broken = |run: &Run| {
        run.error.is_none() && (evidence_of_no_answer(run, kept).is_some() || is_misfiled(run))
    };
    let broken = affected(scene, Run::is_graded, is_broken)?;
    // The wrong answer is the surprise.
    let surprise = broken.runs.iter().find(|(_, run)| is_misfiled(run));
    let (case, run) = surprise.or(broken.runs.first())?;
    let written = evidence_of_no_answer(run, kept).or_else(|| failures(run).find_map(evidence))?;
    let evidence = text::first_words(written, EVIDENCE_WORDS);
    let cases: BTreeSet<&str> = broken.runs.iter().map(|(case, _)| *case).collect();
    Some(Finding::NoAnswer {
        runs: broken.runs.len(),
        of: broken.of,
        misfiled: misfiled.len(),
        side: broken.side,
        gain: gain_without(scene, &cases).filter(|gain| is_another_gain(scene, *gain)),
        since: no_answer_since(scene, case, run),
        case: (*case).to_owned(),
        evidence,
    })
}

/// What the graded runs of a round left.
#[derive(Clone, Copy)]
struct KeptOutputs {
    /// Whether most of them left outputs.
    are_usual: bool,
    /// How many left none.
    lacking: usize,
}

impl KeptOutputs {
    fn new(iteration: &Iteration) -> Self {
        let graded: Vec<&Run> = iteration.runs().filter(|run| run.is_graded()).collect();
        let lacking = graded.iter().filter(|run| run.outputs.is_empty()).count();
        Self { are_usual: lacking * 2 < graded.len(), lacking }
    }
}

/// Whether a gain reads differently from that of all cases.
fn is_another_gain(scene: &Scene<'_>, gain: f64) -> bool {
    let shown = scene.lead.and_then(|lead| lead.gain.shown());
    shown.is_none_or(|shown| signed_points(shown.mean) != signed_points(gain))
}

/// The name of the first of the rounds just before in which the case of `run` had no answer either.
fn no_answer_since(scene: &Scene<'_>, case: &str, run: &Run) -> Option<String> {
    let mut since = None;
    for iteration in scene.workspace.iterations[..scene.after.iteration].iter().rev() {
        let Some(earlier) = iteration.cases.iter().find(|earlier| earlier.name == case) else {
            continue;
        };
        let mut runs = earlier.graded_runs_of(&run.configuration).peekable();
        if runs.peek().is_none() {
            continue;
        }
        let kept = KeptOutputs::new(iteration);
        if !runs.all(|run| evidence_of_no_answer(run, kept).is_some()) {
            break;
        }
        since = Some(iteration.name.clone());
    }
    since
}

/// The gain of the compared cases that are not among `left_out`; `None` for fewer than two.
pub(super) fn gain_without(scene: &Scene<'_>, left_out: &BTreeSet<&str>) -> Option<f64> {
    let gain = &scene.lead?.gain;
    let mut gains = Vec::new();
    for (case, [before, after]) in gain.shared.iter().zip(&gain.runs) {
        let history = &scene.analysis.cases[*case];
        let name = history.case(scene.workspace, scene.after.iteration).map(|case| &*case.name);
        if name.is_none_or(|name| !left_out.contains(name)) {
            gains.push(mean(after)? - mean(before)?);
        }
    }
    // The gain of one case is that case.
    if gains.len() < 2 { None } else { mean(&gains) }
}

fn impossible_times(scene: &Scene<'_>) -> Option<Finding> {
    let mut times: Vec<f64> = Vec::new();
    for (_, run) in sides(scene).into_iter().flat_map(|side| scene.runs(side)) {
        // A run that broke off may do so at once, and 0 stands for what was not measured.
        if run.error.is_none() {
            times.extend(run.metrics.duration_s.filter(|seconds| *seconds > 0.0));
        }
    }
    if times.len() < RUNS_WITH_TIMES {
        return None;
    }
    times.sort_by(f64::total_cmp);
    let (first, last, median) = (times[0], times[times.len() - 1], times[times.len() / 2]);
    let limit = if median < NO_AGENT_S { NO_AGENT_S } else { TOO_FAST_S };
    let [least, most] = [first, last].map(|seconds| (seconds * 1000.0).round());
    // A limit ends all runs at one time, on the full minute.
    let is_limit = first % 60.0 == 0.0;
    let are_equal = least == most && !is_limit;
    if !are_equal && median >= TOO_FAST_S {
        return None;
    }
    Some(Finding::ImpossibleTimes {
        runs: times.len(),
        too_fast: times.iter().filter(|seconds| **seconds < limit).count(),
        seconds: are_equal.then_some(first),
        is_impossible: are_equal || median < NO_AGENT_S,
    })
}

/// The two graders of the round that disagree most, where that is more than a slip.
fn graders_disagree(scene: &Scene<'_>) -> Option<Finding> {
    let pairs = &scene.analysis.iterations[scene.after.iteration].graders;
    let worst = pairs.iter().max_by_key(|pair| pair.disputes.len())?;
    let (disputes, checks) = (worst.disputes.len(), worst.agreement.total());
    if (disputes as f64) < checks as f64 * DISAGREED {
        return None;
    }
    Some(Finding::GradersDisagree { runs: worst.runs, disputes, checks })
}

/// The runs of the candidate without a verdict, else its checks without one.
fn no_verdict(scene: &Scene<'_>) -> Option<Finding> {
    let summary = scene.analysis.summary(scene.after)?;
    let runs = scene.runs(scene.after).into_iter();
    // Runs that stopped have a sentence already.
    let runs = runs.filter(|(_, run)| !run.is_graded() && run.error.is_none()).count();
    let (of, mut checks) = (summary.runs, summary.unjudged);
    // Others are missing where the other side was checked by more.
    if let Some(lead) = scene.lead
        && runs == 0
    {
        checks = checks.max(lead.gain.missing[1].missing);
    }
    let is_graded = summary.tally.graded() > 0;
    if !is_graded || runs + checks == 0 {
        return None;
    }
    let gradings = scene.runs(scene.after).into_iter().filter_map(|(_, run)| run.grading());
    let broken = gradings.filter(|grading| grading.is_cut_off).map(|grading| grading.path.clone());
    let (side, broken) = (summary.name.clone(), broken.min());
    Some(Finding::NoVerdict { runs, of, checks, side, broken })
}

#[cfg(test)]
mod tests {
    use super::{CLEARLY_NO_ANSWER, DENIED, KeptOutputs, NO_ANSWER, evidence_of_no_answer};
    use input::model::{Expectation, Grading, Outcome, Run};

    const NONE: KeptOutputs = KeptOutputs { are_usual: false, lacking: 9 };
    const MOST: KeptOutputs = KeptOutputs { are_usual: true, lacking: 2 };

    fn run(evidence: &[(&str, Outcome)]) -> Run {
        let mut expectations = Vec::new();
        for (at, (text, outcome)) in evidence.iter().enumerate() {
            expectations.push(Expectation {
                text: format!("check {at}"),
                evidence: Some((*text).to_owned()),
                outcome: *outcome,
                ..Expectation::default()
            });
        }
        let gradings = vec![Grading { expectations, ..Grading::default() }];
        Run { gradings, ..Run::default() }
    }

    #[test]
    fn one_reason_for_all_failures_is_one_broken_run() {
        let (refused, excerpt) = ("The agent refused to do it.", "# Tides at the harbour");
        let failed = |text| (text, Outcome::Failed);
        let table = [
            (run(&[failed(refused), failed(refused), failed(refused)]), true),
            // Mechanical graders quote the same excerpt everywhere.
            (run(&[failed(excerpt), failed(excerpt), failed(excerpt)]), false),
            (run(&[failed(refused), failed(refused)]), false),
            (run(&[failed(refused), failed(refused), failed("The sum is wrong.")]), false),
            (
                run(&[
                    failed("No output found (1)"),
                    failed("No output (2)"),
                    failed("Empty answer"),
                ]),
                true,
            ),
        ];
        for (run, expected) in table {
            assert_eq!(evidence_of_no_answer(&run, NONE).is_some(), expected, "{run:?}");
        }
        let foreign =
            run(&[failed("Keine Antwort."), failed("Keine Antwort."), failed("Keine Antwort.")]);
        assert!(evidence_of_no_answer(&foreign, MOST).is_some(), "others left outputs");
        assert!(evidence_of_no_answer(&foreign, NONE).is_none());
        let varied = run(&[failed("No hay."), failed("Nada."), failed("La respuesta falta.")]);
        assert!(evidence_of_no_answer(&varied, MOST).is_none());
        let all_others = KeptOutputs { lacking: 1, ..MOST };
        assert!(evidence_of_no_answer(&varied, all_others).is_some());
        let passed = ("The title is there.", Outcome::Passed);
        let mixed = run(&[failed(refused), failed(refused), failed(refused), passed, passed]);
        assert!(evidence_of_no_answer(&mixed, NONE).is_none());
    }

    #[test]
    fn patterns_know_what_they_are_for() {
        assert!(DENIED.is_match("The Bash tool was denied"));
        assert!(!DENIED.is_match("The entry for Bash is missing"));
        assert!(NO_ANSWER.is_match("declined the task and wrote nothing"));
        assert!(!CLEARLY_NO_ANSWER.is_match("the total is missing"));
    }
}
