//! What carries the gain, what is left to mend, and parity.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::analyze::{Flip, FlipKind, Measure, Verdict, asks_for_skill, between, makes_skills};
use crate::digest::news::alike::{groups_of, one_word, text_of};
use crate::digest::news::benchmark_only;
use crate::digest::news::costs;
use crate::digest::news::floor::has_answers;
use crate::digest::news::gained_checks;
use crate::digest::news::unreliable_runs::evidence;
use crate::digest::news::{CheckOfCase, FEWEST_CHECKS, Finding, GradedCounts, Scene};
use crate::expression::expression;
use input::model::Outcome;
use statistics::{TIE, mean};

/// One check, or one case, with this share of the gain carries it.
const CARRIES: f64 = 0.6;
/// So much of a gain is all of it, where the checks are several.
const WHOLE: f64 = 0.8;
/// This share of checks that fail on both sides is news beside a gain.
const FAILS_ON_BOTH: f64 = 0.25;
/// An unchanged skill flips checks both ways, so as many that all moved one way are no chance.
const CHECKS_OF_ONE_WAY: usize = 8;
/// Runs of a case that tell a habit from chance.
const REPEATED: usize = 3;
/// This share of passes on both sides leaves no room for a difference, with at least so many checks.
const CEILING: f64 = 0.9;
const CHECKS_OF_A_CEILING: usize = 10;

/// A grader says that the side without the skill had no access to it. That its answer lacks something is the
/// ordinary failure.
static NO_ACCESS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)without[_ -]?(the )?skill[^.]{0,70}\b(no access|cannot (call|use|access))|\b(does|do|did|would) not have access to|skill (is |was )?not (available|loaded|installed)|(script|tool|command)s? (is |are |was |were )?not available",
    )
});

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.lead.is_none() {
        add_alone(scene, found);
        return;
    }
    found.extend(better_candidate(scene));
    found.extend(stay_out(scene));
    found.extend(benchmark_only::differs(scene));
    // What is there may be all that is good.
    if scene.lead.is_some_and(|lead| lead.gain.undecided().is_some()) {
        found.extend(graded_pairs(scene));
        return;
    }
    let checks = scene.checks();
    let is_down = found.iter().any(|finding| matches!(finding, Finding::Worse { .. }));
    let is_rerun = found.iter().any(|finding| matches!(finding, Finding::Rerun { .. }));
    // Scores may differ where every check passes.
    let gain = scene.lead.map(|lead| &lead.gain);
    let has_scores = gain.is_some_and(|gain| gain.measure() == Measure::Score);
    let moved = has_scores || checks.iter().any(|flip| flip.has_moved());
    if !moved && !is_rerun && !checks.is_empty() {
        found.extend(parity(scene, &checks));
    } else if !is_down && scene.is_earlier() && !is_rerun && !has_scores {
        found.extend(no_regression(scene, &checks));
    }
    let gained = scene.gained();
    let mean = scene.lead.and_then(|lead| lead.gain.paired()).map_or(0.0, |paired| paired.mean);
    if mean > TIE && !gained.is_empty() {
        add_carriers(scene, &checks, &gained, mean, found);
    }
    match too_easy(scene, &checks) {
        Some(easy) => found.push(easy),
        None => found.extend(rest_passes(scene, &checks, &gained)),
    }
    found.extend(fails_on_both(scene, &checks, &gained));
}

fn add_carriers(
    scene: &Scene<'_>,
    checks: &[&Flip<'_>],
    gained: &[&Flip<'_>],
    mean: f64,
    found: &mut Vec<Finding>,
) {
    // One that turned with its wording moves the points too, so no other is the whole gain.
    if scene.is_earlier() && gained_checks::reworded(checks) > 0 {
        found.extend(gained_checks::told(scene, gained));
        return;
    }
    let cannot_pass = cannot_pass(scene, checks, gained, mean);
    let is_explained = cannot_pass.is_some();
    found.extend(cannot_pass);
    let cases: BTreeSet<usize> = checks.iter().map(|flip| flip.case).collect();
    let number = gained.len();
    let is_repeated =
        gained.iter().all(|flip| flip.before.graded().min(flip.after.graded()) >= REPEATED);
    let groups = groups_of(gained);
    let group = &groups[0];
    let group_cases: BTreeSet<usize> = group.iter().map(|flip| flip.case).collect();
    if group.len() >= 2 && group_cases.len() >= 2 && group.len() as f64 >= number as f64 * CARRIES {
        found.push(Finding::OneCheck {
            checks: group.len(),
            gained: number,
            cases: group_cases.len(),
            of: cases.len(),
            check: text_of(group),
            second: None,
            is_earlier: scene.is_earlier(),
        });
        return;
    }
    if let Some(two) = two_checks(scene, gained, &groups, cases.len()) {
        found.push(two);
        return;
    }
    if let Some(word) = one_word(checks, gained)
        && !is_asked_for(scene, gained, &word)
    {
        found.push(word);
        return;
    }
    let first = scene.check(gained[0]);
    if number == 1 && cases.len() >= 2 {
        let (is_earlier, is_easy) = (scene.is_earlier(), too_easy(scene, checks).is_some());
        found.push(Finding::OneStep { first, is_repeated, is_earlier, is_easy });
        return;
    }
    let cases_up = gained.iter().map(|flip| flip.case).collect::<BTreeSet<usize>>().len();
    if let Some((case, checks)) = most_gained(gained)
        && number >= 2
        && cases_up < cases.len()
        && checks as f64 >= number as f64 * CARRIES
    {
        let case = scene.analysis.cases[case].name.clone();
        let is_earlier = scene.is_earlier();
        found.push(Finding::OneCase { case, checks, gained: number, is_repeated, is_earlier });
    } else if !is_explained {
        found.extend(gained_checks::told(scene, gained));
    }
}

/// Whether a prompt names what these checks are about: then they ask for what the user asked for.
fn is_asked_for(scene: &Scene<'_>, gained: &[&Flip<'_>], finding: &Finding) -> bool {
    let Finding::OneWord { word, .. } = finding else { return false };
    gained.iter().any(|flip| {
        let case = scene.analysis.cases[flip.case].case(scene.workspace, scene.after.iteration);
        case.and_then(|case| case.prompt.as_deref()).is_some_and(|prompt| prompt.contains(&**word))
    })
}

/// The case with most of the gained checks, and how many.
fn most_gained(gained: &[&Flip<'_>]) -> Option<(usize, usize)> {
    let mut by_case: BTreeMap<usize, usize> = BTreeMap::new();
    for flip in gained {
        *by_case.entry(flip.case).or_default() += 1;
    }
    by_case.into_iter().rev().max_by_key(|(_, checks)| *checks)
}

/// Two checks, each in several cases, that are nearly all of the gain.
fn two_checks(
    scene: &Scene<'_>,
    gained: &[&Flip<'_>],
    groups: &[Vec<&Flip<'_>>],
    of: usize,
) -> Option<Finding> {
    let [first, second, ..] = groups else { return None };
    let cases_of =
        |group: &[&Flip<'_>]| -> BTreeSet<usize> { group.iter().map(|flip| flip.case).collect() };
    let checks = first.len() + second.len();
    let cases = cases_of(first).union(&cases_of(second)).count();
    let is_repeated = cases_of(second).len() >= 2;
    if !is_repeated || (checks as f64) < gained.len() as f64 * WHOLE {
        return None;
    }
    Some(Finding::OneCheck {
        checks,
        gained: gained.len(),
        cases,
        of,
        check: text_of(first),
        second: Some(text_of(second)),
        is_earlier: scene.is_earlier(),
    })
}

/// What both sides passed in the cases that have all verdicts, where other verdicts are missing.
fn graded_pairs(scene: &Scene<'_>) -> Option<Finding> {
    let lead = scene.lead?;
    let gain = &lead.gain;
    let checks = gain.after.graded();
    // Where verdicts of these cases are missing as well, those that are left may be all that is good.
    let is_whole = gain.unjudged == [0; 2] && gain.ungraded == [0; 2];
    let are_others_missing = !gain.only_before.is_empty() || !gain.only_after.is_empty();
    let is_even = checks > 0 && checks == gain.before.graded();
    if !is_even || !is_whole || !are_others_missing || !lead.is_within_iteration() {
        return None;
    }
    let counts =
        GradedCounts { passed: gain.after.passed, other_passed: gain.before.passed, checks };
    let [other, side] = lead.sides().map(|side| side.configuration.clone());
    Some(Finding::GradedPairs { cases: gain.shared.len(), counts, side, other })
}

/// That the skill side passes all checks, and the other side all but those that were gained: these may
/// ask for nothing but the steps and headings of the skill, as graders of `raddue/crucible` write.
fn rest_passes(scene: &Scene<'_>, checks: &[&Flip<'_>], gained: &[&Flip<'_>]) -> Option<Finding> {
    let passing = checks.iter().filter(|flip| flip.kind == FlipKind::StillPassing).count();
    let is_rest = passing + gained.len() == checks.len();
    let is_sure = gained.iter().all(|flip| flip.kind == FlipKind::Improved);
    if scene.is_earlier() || !is_rest || !is_sure || passing.min(gained.len()) < FEWEST_CHECKS {
        return None;
    }
    let (case, most) = most_gained(gained)?;
    Some(Finding::RestPasses {
        checks: passing,
        gained: gained.len(),
        is_one_way: gained.len() >= CHECKS_OF_ONE_WAY,
        case: scene.analysis.cases[case].name.clone(),
        most: if most * 2 >= gained.len() { most } else { 0 },
        has_answers: has_answers(scene),
    })
}

/// That nearly all checks pass on both sides where no word is settled.
fn too_easy(scene: &Scene<'_>, checks: &[&Flip<'_>]) -> Option<Finding> {
    let passing = checks.iter().filter(|flip| flip.kind == FlipKind::StillPassing).count();
    let is_open = scene.lead?.gain.verdict() == Verdict::Unclear;
    let is_ceiling = checks.len() >= CHECKS_OF_A_CEILING
        && passing < checks.len()
        && passing as f64 >= checks.len() as f64 * CEILING;
    (is_open && is_ceiling && !scene.is_earlier())
        .then_some(Finding::TooEasy { passing, checks: checks.len() })
}

/// Checks of the gain that only a side with the skill can pass.
fn cannot_pass(
    scene: &Scene<'_>,
    checks: &[&Flip<'_>],
    gained: &[&Flip<'_>],
    mean: f64,
) -> Option<Finding> {
    if scene.is_earlier() {
        return None;
    }
    let such: Vec<&&Flip<'_>> =
        gained.iter().filter(|flip| flip.before.passed == 0 && needs_skill(scene, flip)).collect();
    let first = scene.check(such.first()?);
    let rest: Vec<&Flip<'_>> =
        checks.iter().filter(|flip| !such.iter().any(|one| one == flip)).copied().collect();
    let gain = gain_of(&rest).unwrap_or(0.0);
    let (number, all) = (such.len(), gained.len());
    Some(Finding::CannotPass {
        checks: number,
        gained: all,
        gain,
        is_whole_gain: number == all
            || number >= 2 && number as f64 >= all as f64 * WHOLE && gain < mean / 2.0,
        first,
    })
}

fn needs_skill(scene: &Scene<'_>, flip: &Flip<'_>) -> bool {
    let Some(lead) = scene.lead else { return false };
    let history = &scene.analysis.cases[flip.case];
    let prompt = history.case(scene.workspace, scene.after.iteration);
    let prompt = prompt.and_then(|case| case.prompt.as_deref()).unwrap_or_default();
    // The name of the skill itself is often an ordinary word, such as `commit`.
    if asks_for_skill(flip.text) && !makes_skills(prompt) {
        return true;
    }
    let mut others = history.runs(scene.workspace, &lead.before);
    others.any(|run| {
        run.counted_expectations().iter().any(|check| {
            check.outcome == Outcome::Failed
                && check.text == flip.text
                && evidence(check).is_some_and(|evidence| NO_ACCESS.is_match(evidence))
        })
    })
}

/// The mean over cases of what these checks gained.
pub(super) fn gain_of(checks: &[&Flip<'_>]) -> Option<f64> {
    let cases: BTreeSet<usize> = checks.iter().map(|flip| flip.case).collect();
    let mut gains = Vec::new();
    for case in cases {
        let changes = checks.iter().filter(|flip| flip.case == case);
        let changes: Vec<f64> = changes.filter_map(|flip| flip.change()).collect();
        gains.extend(mean(&changes));
    }
    mean(&gains)
}

/// Both sides have the same result on every check.
fn parity(scene: &Scene<'_>, checks: &[&Flip<'_>]) -> Option<Finding> {
    let failing: Vec<&&Flip<'_>> =
        checks.iter().filter(|flip| flip.kind == FlipKind::StillFailing).collect();
    if failing.len() == checks.len() {
        return None;
    }
    if !scene.is_earlier() {
        return Some(Finding::NoDifference { checks: checks.len(), failing: failing.len() });
    }
    no_regression(scene, checks)
}

/// A changed skill lost none of the checks that it passed.
fn no_regression(scene: &Scene<'_>, checks: &[&Flip<'_>]) -> Option<Finding> {
    let is_worse = scene.lead.is_some_and(|lead| lead.gain.verdict().is_worse());
    let has_fallen = checks.iter().any(|flip| flip.change() < Some(0.0));
    let is_part = scene.lead.is_some_and(|lead| lead.gain.missing[1].missing > 0);
    if checks.len() < FEWEST_CHECKS || is_worse || has_fallen || is_part {
        return None;
    }
    let failing = checks.iter().filter(|flip| flip.after.failed > 0);
    let case = failing.clone().next().map(|flip| scene.case_name(flip)).unwrap_or_default();
    let repaired = checks.iter().filter(|flip| flip.change() > Some(0.0)).count();
    Some(Finding::NoRegression {
        checks: checks.len(),
        failing: failing.count(),
        repaired,
        case,
        dearer: costs::dearer(scene),
    })
}

fn fails_on_both(scene: &Scene<'_>, checks: &[&Flip<'_>], gained: &[&Flip<'_>]) -> Option<Finding> {
    let failing: Vec<&Flip<'_>> =
        checks.iter().filter(|flip| flip.kind == FlipKind::StillFailing).copied().collect();
    let is_news = failing.len() as f64 >= checks.len() as f64 * FAILS_ON_BOTH || gained.is_empty();
    if failing.is_empty() || !is_news && failing.len() < 2 && !scene.is_earlier() {
        return None;
    }
    let groups = groups_of(&failing);
    let group = &groups[0];
    let cases: BTreeSet<usize> = group.iter().map(|flip| flip.case).collect();
    Some(Finding::FailsOnBoth {
        checks: failing.len(),
        check: group[0].text.to_owned(),
        cases: cases.len(),
        is_minor: !is_news,
        never_passes: cases.len() > 1 && !passes_somewhere(checks, group[0].text),
    })
}

fn passes_somewhere(checks: &[&Flip<'_>], text: &str) -> bool {
    let mut same = checks.iter().filter(|flip| flip.text == text);
    same.any(|flip| flip.before.passed + flip.after.passed > 0)
}

/// The cases that the skill is not for and that it made worse.
fn stay_out(scene: &Scene<'_>) -> Option<Finding> {
    let lead = scene.lead.filter(|_| !scene.is_earlier())?;
    if lead.gain.negative.is_empty() {
        return None;
    }
    let flips = between(scene.workspace, &scene.analysis.cases, &lead.before, &lead.after);
    let lost: Vec<&Flip<'_>> = flips
        .iter()
        .filter(|flip| flip.kind == FlipKind::Regressed && lead.gain.negative.contains(&flip.case))
        .collect();
    let mut cases: Vec<String> =
        lost.iter().map(|flip| scene.analysis.cases[flip.case].name.clone()).collect();
    cases.dedup();
    if cases.is_empty() { None } else { Some(Finding::StayOut { cases, checks: lost.len() }) }
}

/// Another candidate that gained more on the same other side: roles choose who leads, not results.
fn better_candidate(scene: &Scene<'_>) -> Option<Finding> {
    let lead = scene.lead?;
    let own = lead.gain.shown()?;
    let mut best: Option<(&str, f64)> = None;
    for change in scene.analysis.changes_in(lead.after.iteration) {
        let Some(paired) = change.gain.shown() else { continue };
        // A larger gain on fewer cases may be that of the easier ones.
        let is_rival = change.before == lead.before && paired.cases >= own.cases;
        let most = best.map_or(own.mean, |(_, mean)| mean);
        if is_rival && change.gain.measure().direction(paired.mean - most).is_gt() {
            best = Some((&change.after.configuration, paired.mean));
        }
    }
    let (side, mean) = best?;
    let candidate = lead.after.configuration.clone();
    Some(Finding::BetterCandidate { side: side.to_owned(), gain: mean - own.mean, candidate })
}

/// News of a candidate with nothing to compare with.
fn add_alone(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let mut failed = Vec::new();
    for (case, run) in scene.runs(scene.after) {
        for check in run.counted_expectations() {
            if check.outcome == Outcome::Failed {
                failed.push(CheckOfCase { check: check.text.clone(), case: case.to_owned() });
            }
        }
    }
    let is_floor = found.iter().any(|finding| matches!(finding, Finding::NothingPasses { .. }));
    let roles = &scene.analysis.iterations[scene.after.iteration].roles;
    // Of two sides neither of which is the baseline, the failures of one say nothing.
    if !is_floor
        && !roles.has_peers()
        && let Some(first) = failed.first().cloned()
    {
        found.push(Finding::Fails { checks: failed.len(), first });
    }
    let tally = scene.analysis.tally_of(scene.after);
    if roles.baseline.is_none() && !roles.has_peers() && tally.graded() > 0 {
        let other = benchmark_only::other_recorded(scene);
        let cases = scene.iteration().cases.len();
        found.push(other.unwrap_or(Finding::NoOther { cases }));
    }
}

#[cfg(test)]
mod tests {
    use super::NO_ACCESS;

    #[test]
    fn a_grader_names_what_the_other_side_had_no_access_to() {
        assert!(NO_ACCESS.is_match("The agent does not have access to the tool."));
        assert!(!NO_ACCESS.is_match("The agent did not use the tool."));
    }
}
