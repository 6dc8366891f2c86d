//! Which of several checks is the example: the one that says most to the author.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::analyze::Flip;
use crate::digest::news::Scene;
use crate::digest::news::alike::words_of;
use crate::digest::news::unreliable_runs::evidence;
use crate::expression::expression;

/// A grader that doubts its own verdict.
static DOUBTS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b(ambiguous(ly)?|ambiguity|borderline|debatable|arguabl[ey]|strictly speaking|partially|manual review|(patterns?|guidance) (from|of) (the )?skill)\b|keywords?[^.]{0,12}: \[\]",
    )
});

/// The check of `flips` to name: of the case with most of them, one whose verdict its grader does not
/// doubt, and which the author's remarks speak of. `None` without any.
///
/// `stock-screen` of a real workspace lost a threshold and the figure that its author wrote about.
pub(super) fn telling<'f, 'w>(scene: &Scene<'_>, flips: &[&'f Flip<'w>]) -> Option<&'f Flip<'w>> {
    let mut by_case: BTreeMap<usize, usize> = BTreeMap::new();
    for flip in flips {
        *by_case.entry(flip.case).or_default() += 1;
    }
    let noted: BTreeSet<String> =
        scene.remarks.iter().flat_map(|remark| words_of(remark.text)).collect();
    // The first of equal ones.
    let heaviest = flips.iter().rev().max_by_key(|flip| {
        let words = words_of(flip.text);
        let named = words.iter().filter(|word| noted.contains(*word)).count();
        (by_case[&flip.case], !is_doubted(scene, flip), named * 100 / words.len().max(1))
    });
    heaviest.copied()
}

/// Whether the grader of a run of either side doubts its verdict on a check, or measures against the skill.
fn is_doubted(scene: &Scene<'_>, flip: &Flip<'_>) -> bool {
    let history = &scene.analysis.cases[flip.case];
    let sides = std::iter::once(scene.after).chain(scene.lead.map(|lead| &lead.before));
    let mut runs = sides.flat_map(|side| history.runs(scene.workspace, side));
    runs.any(|run| {
        run.counted_expectations().iter().any(|check| {
            check.text == flip.text && evidence(check).is_some_and(|text| DOUBTS.is_match(text))
        })
    })
}
