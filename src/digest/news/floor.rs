//! Where nearly nothing passes, on both sides or on the only one: what that may be.

use std::collections::BTreeMap;

use crate::digest::news::unreliable_runs::{compared, evidence, failures, sides};
use crate::digest::news::{Finding, Scene};
use statistics::mean;
use text::is_cut_off;

/// Fewer checks may all fail for a good reason.
const CHECKS_OF_A_FLOOR: usize = 8;
/// This share of checks passes where nothing works.
const FLOOR: f64 = 0.1;
/// Words of evidence that are quoted in a sentence.
const QUOTED_WORDS: usize = 12;

pub(super) fn nothing_passes(scene: &Scene<'_>) -> Option<Finding> {
    // What the candidate passed in the round before it lost, whoever is at fault.
    let since = scene.analysis.since_previous(scene.after);
    if since.is_some_and(|since| since.gain.verdict().is_worse()) {
        return None;
    }
    let checks = scene.checks();
    if let Some(first) = checks.first() {
        let rate =
            |rates: &[Option<f64>]| mean(&rates.iter().flatten().copied().collect::<Vec<_>>());
        let before: Vec<_> = checks.iter().map(|flip| flip.before.pass_rate()).collect();
        let after: Vec<_> = checks.iter().map(|flip| flip.after.pass_rate()).collect();
        if checks.len() < CHECKS_OF_A_FLOOR || rate(&before)? > FLOOR || rate(&after)? > FLOOR {
            return None;
        }
        let failed =
            checks.iter().filter(|flip| flip.before.passed + flip.after.passed == 0).count();
        let (checks, case) = (checks.len(), scene.case_name(first));
        let evidence = common_evidence(scene);
        let has_answers = has_answers(scene);
        return Some(Finding::NothingPasses {
            failed,
            checks,
            is_of_both: true,
            case,
            evidence,
            has_answers,
        });
    }
    let tally = scene.analysis.tally_of(scene.after);
    let is_floor = scene.lead.is_none()
        && tally.graded() >= CHECKS_OF_A_FLOOR
        && tally.pass_rate() <= Some(FLOOR);
    let case = scene
        .iteration()
        .cases
        .iter()
        .find(|case| case.graded_runs_of(&scene.after.configuration).next().is_some())?;
    is_floor.then(|| Finding::NothingPasses {
        failed: tally.failed,
        checks: tally.graded(),
        is_of_both: false,
        case: case.name.clone(),
        evidence: common_evidence(scene),
        has_answers: has_answers(scene),
    })
}

/// Whether a run of the round left an output that somebody can read.
pub(super) fn has_answers(scene: &Scene<'_>) -> bool {
    scene.iteration().runs().any(|run| !run.outputs.is_empty())
}

/// What the graders wrote of at least half of the failed checks, the first words of it.
fn common_evidence(scene: &Scene<'_>) -> Option<String> {
    let mut failed = 0;
    let mut by_text: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for (_, run) in sides(scene).into_iter().flat_map(|side| scene.runs(side)) {
        for check in failures(run) {
            failed += 1;
            if let Some(text) = evidence(check).filter(|text| !text.trim().is_empty()) {
                by_text.entry(compared(text)).or_insert((0, text)).0 += 1;
            }
        }
    }
    let (number, text) = by_text.into_values().max_by_key(|(number, _)| *number)?;
    (number >= 2 && number * 2 >= failed).then(|| text::first_words(text, QUOTED_WORDS))
}

/// Recorded prompts are often shortened, so this says something only where nothing passes.
pub(super) fn prompts_cut(scene: &Scene<'_>) -> Option<Finding> {
    let (mut runs, mut of) = (0, 0);
    for case in &scene.iteration().cases {
        let is_plan_cut = case.prompt.as_deref().is_some_and(is_cut_off);
        for run in &case.runs {
            of += 1;
            runs += usize::from(is_plan_cut || run.loading.is_prompt_cut);
        }
    }
    (runs >= 2 && runs * 2 >= of).then_some(Finding::PromptsCut { runs, of })
}
