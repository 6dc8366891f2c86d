//! What missing verdicts could undo. A verdict is missing if it cannot be read, was cut off with its
//! file, or was never given: to a check of the plan, or by the candidate's grader to a check that the
//! other side of the round has beside the same ones. A run that stopped has none to give and drops out.
//!
//! Nobody knows what such a verdict would say, so no good news may rest on its absence: a word in
//! favor of the later side has to be the same with its missing verdicts as failures and those of the
//! earlier side as passes.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::statements::{matched, planned, statements};
use crate::analyze::{Gain, Side, Statement, VerdictWord, key};
use input::model::{Case, Expectation, Outcome, Run, Tally, Workspace};
use text::folded;

/// Missing verdicts of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "MissingVerdictsJson")]
pub struct MissingVerdicts {
    /// Verdicts that cannot be read, or were never given.
    pub missing: usize,
    /// All verdicts that there should be in the cases compared.
    pub total: usize,
}

impl MissingVerdicts {
    pub(super) fn add(&mut self, other: Self) {
        self.missing += other.missing;
        self.total += other.total;
    }
}

impl Gain {
    /// The missing verdicts of the earlier and of the later side, where these could undo the good news;
    /// `None` where the word holds without them. Everything that shows or judges a comparison asks
    /// this, through [`Gain::word`], [`Gain::verdict`] or itself.
    pub fn undecided(&self) -> Option<[MissingVerdicts; 2]> {
        let worst = self.worst.as_deref()?;
        // A case that is compared no more may have been the only good one.
        let has_all_cases = self.shared.iter().all(|case| worst.shared.contains(case));
        let claim = self.counted_claim();
        let holds = match claim {
            Claim::Nothing => return None,
            // That nothing changed is also wrong where much was gained.
            Claim::AboutTheSame => {
                let ends = [Some(worst), self.best.as_deref()];
                ends.into_iter().flatten().all(|end| end.counted_claim() == claim)
            }
            _ => worst.counted_claim() >= claim,
        };
        if holds && has_all_cases { None } else { Some(self.missing) }
    }

    /// What is claimed in favor of the later side by the verdicts that are there.
    fn counted_claim(&self) -> Claim {
        match self.counted_word() {
            VerdictWord::Better => Claim::Better,
            VerdictWord::BetterOnTheseCases => Claim::BetterOnTheseCases,
            VerdictWord::ProbablyBetter => Claim::ProbablyBetter,
            VerdictWord::UpInAll { .. } => Claim::UpInAll,
            VerdictWord::UpInSome { .. } => Claim::UpInSome,
            VerdictWord::AboutTheSame { .. } => Claim::AboutTheSame,
            // "+67 points" is good news, whatever word it has.
            VerdictWord::Mixed | VerdictWord::NoClearDifference
                if self.paired().is_some_and(|paired| paired.mean > 0.0) =>
            {
                Claim::Ahead
            }
            _ => Claim::Nothing,
        }
    }
}

/// Good news about the later side, the weakest first. Bad news needs no second look: what the later side
/// lacks cannot have made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    Nothing,
    AboutTheSame,
    Ahead,
    UpInSome,
    UpInAll,
    ProbablyBetter,
    BetterOnTheseCases,
    Better,
}

/// Whether a verdict may be missing on one of two sides.
pub(super) fn are_some_missing(workspace: &Workspace, [before, after]: [&Side; 2]) -> bool {
    let is_within = before.is_within_iteration(after);
    [(before, !is_within), (after, true)].into_iter().any(|(side, is_candidate)| {
        let iteration = &workspace.iterations[side.iteration];
        let mut runs = iteration.runs().filter(|run| run.configuration == side.configuration);
        runs.any(lacks_verdicts)
            || is_candidate && iteration.cases.iter().any(|case| has_fewer_checks(case, side))
    })
}

/// Whether a run of a side has fewer checks than one of another side of its round.
fn has_fewer_checks(case: &Case, side: &Side) -> bool {
    // A candidate that was graded by a part of the checks won by what it lacked.
    let (own, others): (Vec<&Run>, Vec<&Run>) =
        case.runs.iter().partition(|run| run.configuration == side.configuration);
    let fewest = own.iter().map(|run| run.expectations().len()).min();
    fewest < others.iter().map(|run| run.expectations().len()).max()
}

fn lacks_verdicts(run: &Run) -> bool {
    !run.is_lost() && (run.unjudged() > 0 || lacks_checks(run))
}

/// Whether checks are missing that it does not even name.
fn lacks_checks(run: &Run) -> bool {
    let Some(grading) = run.grading() else { return true };
    grading.expectations.is_empty() || grading.is_cut_off || grading.never_graded > 0
}

/// One side of a comparison in a case.
#[derive(Clone, Copy)]
pub(super) struct SideOfCase<'s, 'w> {
    pub(super) case: &'w Case,
    pub(super) configuration: &'s str,
    /// Whether it should have all checks of its round. A baseline may well lack what can be asked of the
    /// skill alone.
    pub(super) is_candidate: bool,
}

/// The statements of a side as if all its missing verdicts were `outcome`, and how many these are. `other` is
/// the other side of the comparison in this case.
pub(super) fn completed<'w>(
    side: SideOfCase<'_, 'w>,
    other: Option<SideOfCase<'_, 'w>>,
    outcome: Outcome,
) -> (Vec<Statement<'w>>, MissingVerdicts) {
    let SideOfCase { case, configuration, is_candidate } = side;
    let mut own = statements(case, configuration);
    let expected = expected_checks(case, &own, other);
    let of_round = if is_candidate { lists_of_others(case, configuration) } else { Vec::new() };
    let mut missing = MissingVerdicts::default();
    for statement in &mut own {
        statement.by_run.retain(|(run, _)| {
            let run = &case.runs[*run];
            !run.is_lost() && half_a_check(run).is_none_or(|half| key(half) != statement.key)
        });
        for (_, tally) in &mut statement.by_run {
            for _ in 0..std::mem::take(&mut tally.ungraded) {
                tally.count(outcome);
                missing.missing += 1;
            }
        }
    }
    for (at, run) in case.runs.iter().enumerate() {
        if run.configuration != configuration || run.is_lost() {
            continue;
        }
        let expected = if lacks_checks(run) { Some(&expected) } else { whole(&of_round, &own, at) };
        for check in expected.map_or_else(Vec::new, |checks| unnamed_checks(&own, checks, at)) {
            let statement = place_for(&mut own, check);
            let mut tally = Tally::default();
            tally.count(outcome);
            statement.by_run.push((at, tally));
            missing.missing += 1;
        }
    }
    for statement in &mut own {
        statement.tally = statement.by_run.iter().map(|(_, tally)| *tally).sum();
        missing.total += statement.tally.total();
    }
    own.retain(|statement| statement.tally.graded() > 0);
    (own, missing)
}

/// The checks of each other configuration in a case.
fn lists_of_others<'w>(case: &'w Case, configuration: &str) -> Vec<Vec<Statement<'w>>> {
    let others: BTreeSet<&str> = case.runs.iter().map(|run| run.configuration.as_str()).collect();
    let others = others.into_iter().filter(|other| *other != configuration);
    others.map(|other| statements(case, other)).collect()
}

/// The list of which the run at `run` has a part and nothing else.
fn whole<'l, 'w>(
    lists: &'l [Vec<Statement<'w>>],
    own: &[Statement<'w>],
    run: usize,
) -> Option<&'l Vec<Statement<'w>>> {
    let named = named_by(own, run);
    lists.iter().find(|list| named.len() < list.len() && matched(list, &named).len() == named.len())
}

/// The last check of a grading that breaks off within it. Its statement may be cut as well.
fn half_a_check(run: &Run) -> Option<&Expectation> {
    let grading = run.grading().filter(|grading| grading.is_cut_off)?;
    // Some write the verdict before the text; evidence comes after both.
    let has_evidence = grading.expectations.iter().any(|check| check.evidence.is_some());
    let last = grading.expectations.last()?;
    let is_half = last.outcome == Outcome::Ungraded || has_evidence && last.evidence.is_none();
    if is_half { Some(last) } else { None }
}

/// The checks that each run of a side should have: of its own runs, of the other side or of the plan,
/// whichever has the most.
fn expected_checks<'w>(
    case: &'w Case,
    own: &[Statement<'w>],
    other: Option<SideOfCase<'_, 'w>>,
) -> Vec<Statement<'w>> {
    let mut expected = own.to_vec();
    // Half a text stands for a check that another list has whole.
    let halves: BTreeSet<_> = case.runs.iter().filter_map(half_a_check).map(key).collect();
    expected.retain(|check| check.by_run.len() > 1 || !halves.contains(&check.key));
    let own_checks = expected.len();
    let of_other = other.map(|other| statements(other.case, other.configuration));
    for more in [of_other.unwrap_or_default(), planned(case)] {
        if more.len() > expected.len() {
            expected = more;
        }
    }
    if expected.len() == own_checks { own.to_vec() } else { expected }
}

/// The expected checks that the run at `run` does not name. Graders word checks anew, so there are never
/// more than its number falls short of.
fn unnamed_checks<'w>(
    own: &[Statement<'w>],
    expected: &[Statement<'w>],
    run: usize,
) -> Vec<Statement<'w>> {
    let named = named_by(own, run);
    let mut is_named = vec![false; expected.len()];
    for (at, _) in matched(expected, &named) {
        is_named[at] = true;
    }
    let unnamed = expected.iter().zip(is_named).filter(|(_, is_named)| !is_named);
    let mut unnamed: Vec<Statement<'w>> = unnamed.map(|(check, _)| check.clone()).collect();
    let short = expected.len().saturating_sub(named.len());
    unnamed.drain(..unnamed.len().saturating_sub(short));
    unnamed
}

/// The statements that a run names.
fn named_by<'w>(statements: &[Statement<'w>], run: usize) -> Vec<Statement<'w>> {
    let named = statements.iter().filter(|found| found.by_run.iter().any(|(at, _)| *at == run));
    named.cloned().collect()
}

/// The statement of `own` that is the same as `check`, which is added where there is none.
fn place_for<'o, 'w>(
    own: &'o mut Vec<Statement<'w>>,
    check: Statement<'w>,
) -> &'o mut Statement<'w> {
    let same = own.iter().position(|found| found.key == check.key);
    let same =
        same.or_else(|| own.iter().position(|found| folded(found.text) == folded(check.text)));
    let place = same.unwrap_or(own.len());
    if same.is_none() {
        own.push(Statement { by_run: Vec::new(), ..check });
    }
    &mut own[place]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Claim, MissingVerdicts};
    use crate::analyze::case_history::case_histories;
    use crate::analyze::change::gain::gain;
    use crate::analyze::{Gain, Side, VerdictWord};
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::{Case, PlannedExpectation};
    use testing::gradings::{checks, verdicts};

    /// Each case by the verdicts of the baseline and of the candidate.
    fn cases(found: &[(String, String)]) -> Vec<Case> {
        let mut cases = Vec::new();
        for (at, (old, new)) in found.iter().enumerate() {
            let runs = vec![run("old", 1, verdicts(old)), run("new", 1, verdicts(new))];
            cases.push(case(&format!("case {at}"), runs));
        }
        cases
    }

    fn compared(cases: Vec<Case>) -> Gain {
        let workspace = workspace(vec![cases]);
        let histories = case_histories(&workspace);
        gain(&workspace, &histories, &Side::new(0, "old"), &Side::new(0, "new"))
    }

    fn three_times(old: &str, new: &str) -> Vec<Case> {
        cases(&vec![(old.to_owned(), new.to_owned()); 3])
    }

    fn missing(gain: &Gain) -> Option<[(usize, usize); 2]> {
        let sides = gain.undecided()?;
        Some(sides.map(|MissingVerdicts { missing, total }| (missing, total)))
    }

    #[test]
    fn good_news_must_survive_the_missing_verdicts() {
        for (old, new, expected) in [
            ("fpf", "p??", Some([(0, 9), (6, 9)])),
            // The baseline's may have passed.
            ("f??", "pfp", Some([(6, 9), (0, 9)])),
            ("f??", "p??", Some([(6, 9), (6, 9)])),
            ("p??", "ppp", Some([(6, 9), (0, 9)])),
            ("pff", "p??", Some([(0, 9), (6, 9)])),
            // A small gain in every case is news as well.
            ("ffffp", "pff?p", None),
            ("ffffp", "pf??f", Some([(0, 15), (6, 15)])),
            ("ffffffffff", "ppppppppp?", None),
            ("ppp", "f??", None),
            ("ppp", "fff", None),
        ] {
            let gain = compared(three_times(old, new));
            assert_eq!(missing(&gain), expected, "{old} {new}: {:?}", gain.counted_word());
            assert_eq!(gain.word() == VerdictWord::NotDecided, expected.is_some());
            assert_eq!(gain.shown().is_none(), expected.is_some());
        }
    }

    #[test]
    fn a_candidate_graded_by_a_part_of_the_checks_of_its_round_lacks_the_others() {
        let (whole, part): (&[_], &[_]) =
            (&[("a", 'f'), ("b", 'p'), ("c", 'p')], &[("a", 'p'), ("b", 'p')]);
        let (other, fewer): (&[_], &[_]) = (&[("a", 'p'), ("z", 'p')], &[("a", 'f')]);
        for (old, new, expected) in [
            (whole, part, Some([(0, 9), (3, 9)])),
            // It has a check of its own, so it was graded by another list.
            (whole, other, None),
            (fewer, part, None),
        ] {
            let mut found = Vec::new();
            for name in ["one", "two", "three"] {
                found
                    .push(case(name, vec![run("old", 1, checks(old)), run("new", 1, checks(new))]));
            }
            let gain = compared(found);
            assert_eq!(missing(&gain), expected, "{old:?} {new:?}: {:?}", gain.counted_word());
        }
    }

    #[test]
    fn a_later_round_lacks_the_checks_that_its_baseline_has() {
        let (whole, part): (&[_], &[_]) = (&[("a", 'f'), ("b", 'p')], &[("a", 'p')]);
        let round = |baseline: &[(&str, char)], candidate: &[(&str, char)]| {
            let names = ["one", "two", "three"].iter();
            let runs = || vec![run("old", 1, checks(baseline)), run("new", 1, checks(candidate))];
            names.map(|name| case(name, runs())).collect()
        };
        for (baseline, expected) in [(whole, Some([(0, 6), (3, 6)])), (part, None)] {
            let workspace = workspace(vec![round(whole, whole), round(baseline, part)]);
            let histories = case_histories(&workspace);
            let sides = [0, 1].map(|iteration| Side::new(iteration, "new"));
            let gain = gain(&workspace, &histories, &sides[0], &sides[1]);
            assert_eq!(missing(&gain), expected, "{baseline:?}: {:?}", gain.counted_word());
        }
    }

    #[test]
    fn checks_that_a_grading_does_not_name_are_known_from_elsewhere() {
        // Cut off within its second check; the other side has three.
        let mut cut_off = three_times("fpp", "p?");
        for case in &mut cut_off {
            case.runs[1].gradings[0].is_cut_off = true;
        }
        assert_eq!(missing(&compared(cut_off)), Some([(0, 9), (6, 9)]));
        // A whole file has a part of the checks of its round all the same.
        assert_eq!(missing(&compared(three_times("fpp", "p?"))), Some([(0, 9), (6, 9)]));
        // Not graded at all in one case: the plan says how many checks that are.
        let mut ungraded = three_times("ff", "pp");
        ungraded[0].runs[1].gradings.clear();
        assert_eq!(missing(&compared(ungraded.clone())), Some([(0, 6), (2, 6)]));
        let plan = |text: &str| PlannedExpectation {
            id: None,
            text: text.to_owned(),
            description: None,
            required: None,
            avoid: false,
        };
        ungraded[0].planned = ["a", "b", "c"].map(plan).to_vec();
        assert_eq!(missing(&compared(ungraded.clone())).map(|sides| sides[1]), Some((3, 7)));
        // A run that stopped has no verdict to give.
        ungraded[0].runs[1].error = Some("infra_error: spending cap".to_owned());
        assert_eq!(missing(&compared(ungraded)), None);
    }

    /// What is claimed in favor of the later side, as it is shown.
    fn shown_claim(gain: &Gain) -> Claim {
        if gain.undecided().is_some() { Claim::Nothing } else { gain.counted_claim() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn losing_bad_verdicts_never_makes_the_word_better(
            found in prop::collection::vec(
                prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>()), 1..5),
                1..8,
            ),
        ) {
            // Of each check: whether the baseline and the candidate pass, and whether a failure of the
            // candidate and a pass of the baseline are lost.
            let (mut whole, mut lossy) = (Vec::new(), Vec::new());
            for checks in &found {
                let letter = |passed: bool| if passed { 'p' } else { 'f' };
                let old: String = checks.iter().map(|(old, ..)| letter(*old)).collect();
                let new: String = checks.iter().map(|(_, new, _)| letter(*new)).collect();
                let lost = checks.iter().map(|(old, new, is_lost)| {
                    let old = if *is_lost && *old { '?' } else { letter(*old) };
                    (old, if *is_lost && !*new { '?' } else { letter(*new) })
                });
                lossy.push(lost.unzip());
                whole.push((old, new));
            }
            let [whole, lossy] = [whole, lossy].map(|found| compared(cases(&found)));
            prop_assert!(shown_claim(&lossy) <= shown_claim(&whole), "{found:?}");
        }
    }
}
