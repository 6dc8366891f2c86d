//! The checks that were gained, where neither one of them nor one case carries the gain.

use std::collections::BTreeSet;

use crate::analyze::{Flip, FlipKind};
use crate::digest::news::alike::groups_of;
use crate::digest::news::example::telling;
use crate::digest::news::{Finding, Scene};

/// How many checks pass now in other words than those in which they failed.
pub(super) fn reworded(checks: &[&Flip<'_>]) -> usize {
    let reworded = checks.iter().filter(|flip| flip.kind == FlipKind::Reworded);
    reworded.filter(|flip| flip.change() > Some(0.0)).count()
}

/// What was gained where nothing carries it: the checks that only this side passes. One that is unsteady is
/// no news.
pub(super) fn told(scene: &Scene<'_>, gained: &[&Flip<'_>]) -> Option<Finding> {
    let mut surely = gained.to_vec();
    surely.retain(|flip| flip.kind == FlipKind::Improved);
    if surely.is_empty() {
        return steadier(scene, gained);
    }
    // With one run each, nothing else is between all and none.
    let is_single = gained.iter().all(|flip| flip.before.graded() <= 1 && flip.after.graded() <= 1);
    let groups = groups_of(&surely);
    let cases: BTreeSet<usize> = groups[0].iter().map(|flip| flip.case).collect();
    // Where no check is in several cases, the one that says most is the example.
    let first =
        if cases.len() > 1 { telling(scene, &groups[0])? } else { telling(scene, &surely)? };
    let reworded = if scene.is_earlier() {
        reworded(&scene.checks())
    } else if is_single {
        gained.len() - surely.len()
    } else {
        0
    };
    let mut others = surely.iter().filter(|flip| !std::ptr::eq(**flip, first));
    let second = others.next().filter(|_| surely.len() == 2 && reworded == 0 && cases.len() == 1);
    Some(Finding::Gained {
        checks: surely.len(),
        reworded,
        is_earlier: scene.is_earlier(),
        other: scene.other_name()?,
        is_within: scene.lead?.is_within_iteration(),
        first: scene.check(first),
        second: second.map(|flip| scene.check(flip)),
        several: Some(cases.len()).filter(|cases| *cases > 1),
    })
}

/// Checks that the skill makes steady, where the other side passes each of them in some runs.
fn steadier(scene: &Scene<'_>, gained: &[&Flip<'_>]) -> Option<Finding> {
    let mut steady = gained.to_vec();
    steady.retain(|flip| flip.after.failed == 0 && flip.before.passed > 0);
    let worst = steady.iter().rev().max_by_key(|flip| flip.before.failed)?;
    if scene.is_earlier() {
        return None;
    }
    let (first, failed) = (scene.check(worst), worst.before.failed);
    Some(Finding::Steadier { checks: steady.len(), first, failed, of: worst.before.graded() })
}
