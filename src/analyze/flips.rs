//! What changed between two sides: expectation by expectation, on the cases both sides have.
//! Several runs of a case count together: an expectation *regressed* when every run passed it before and
//! none does now, *improved* the other way round. What passes in some runs of a side only is *unsteady*:
//! of 26 expectations that pass in 80 % of all runs, three runs of the same skill show a drop of two
//! passes in 78 of 100 rounds, and a whole loss in 10.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::case_history::has_another_prompt;
use crate::analyze::rewording::GoneChecks;
use crate::analyze::statements::{failed_as_a_whole, have_one_plan, is_only_reworded, matched};
use crate::analyze::{CaseHistory, Side, Statement, statements};
use input::model::{Case, Iteration, Tally, Workspace};
use statistics::TIE;
use text::folded;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FlipKind {
    /// It passed in every run of the earlier side, and in none of the later one.
    Regressed,
    /// It passed in no run of the earlier side, and in every one of the later one.
    Improved,
    /// It passed in some runs of a side and failed in others.
    Unsteady,
    /// Its verdict turned, and so did its wording: it is neither lost nor repaired.
    Reworded,
    /// It failed in every run of both sides.
    StillFailing,
    /// It passed in every run of both sides.
    StillPassing,
    New,
    Removed,
    /// One of the sides has no verdict on it.
    Unknown,
    /// The case asks for something else on the later side, so that nothing is compared.
    OtherTask,
}

impl FlipKind {
    /// The kind of a statement with these verdicts on the earlier and on the later side.
    fn new(before: Tally, after: Tally) -> Self {
        if before.graded() == 0 || after.graded() == 0 {
            return Self::Unknown;
        }
        if [before, after].iter().any(|side| side.passed > 0 && side.failed > 0) {
            return Self::Unsteady;
        }
        match (before.passed > 0, after.passed > 0) {
            (true, false) => Self::Regressed,
            (false, true) => Self::Improved,
            (true, true) => Self::StillPassing,
            (false, false) => Self::StillFailing,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip<'w> {
    /// Index of the case in [`Analysis::cases`](crate::analyze::Analysis::cases).
    pub case: usize,
    /// The statement, in the later side's wording if it has it.
    pub text: &'w str,
    /// The earlier side's wording, where it has another text.
    pub earlier_text: Option<&'w str>,
    /// For a new statement, the similar one that is gone: probably an earlier wording. Nothing is
    /// counted by it.
    pub probably_earlier: Option<&'w str>,
    pub before: Tally,
    pub after: Tally,
    pub kind: FlipKind,
}

impl<'w> Flip<'w> {
    fn new(case: usize, text: &'w str, before: Tally, after: Tally) -> Self {
        Self {
            case,
            text,
            earlier_text: None,
            probably_earlier: None,
            before,
            after,
            kind: FlipKind::new(before, after),
        }
    }

    /// By how much the share of passes changed, in -1..=1, and exactly 0 where only rounding differs;
    /// `None` without verdicts on both sides, or with another task.
    pub fn change(&self) -> Option<f64> {
        if self.kind == FlipKind::OtherTask {
            return None;
        }
        let change = self.after.pass_rate()? - self.before.pass_rate()?;
        if change.abs() > TIE { Some(change) } else { Some(0.0) }
    }

    /// Whether its share of passes is another one on the later side.
    pub fn has_moved(&self) -> bool {
        self.change().is_some_and(|change| change != 0.0)
    }

    /// Whether both sides checked it in several runs: a single run may fall by chance.
    pub fn is_repeated(&self) -> bool {
        self.before.graded().min(self.after.graded()) > 1
    }
}

#[derive(Debug, Default)]
pub struct Flips<'w> {
    rows: Vec<Flip<'w>>,
    /// Their indices, the worst first over all cases.
    order: Vec<usize>,
}

impl<'w> Flips<'w> {
    /// All of them: losses from the largest down, then gains from the largest down, then the rest;
    /// ties keep the order of cases and statements.
    pub fn iter(&self) -> impl Iterator<Item = &Flip<'w>> + Clone {
        self.order.iter().map(|at| &self.rows[*at])
    }

    /// The flips of one skill that was run twice: nothing regressed or improved, as chance alone moved
    /// its checks.
    pub fn of_one_skill(mut self) -> Self {
        for flip in &mut self.rows {
            if matches!(flip.kind, FlipKind::Regressed | FlipKind::Improved) {
                flip.kind = FlipKind::Unsteady;
            }
        }
        self.order = worst_first_order(&self.rows);
        self
    }

    /// Those of all cases but the ones that `is_left_out` names.
    pub fn without_cases(mut self, is_left_out: impl Fn(usize) -> bool) -> Self {
        self.rows.retain(|flip| !is_left_out(flip.case));
        self.order = worst_first_order(&self.rows);
        self
    }

    pub fn on(&self, case_index: usize) -> &[Flip<'w>] {
        let start = self.rows.partition_point(|flip| flip.case < case_index);
        let end = self.rows.partition_point(|flip| flip.case <= case_index);
        &self.rows[start..end]
    }
}

/// The statements of `before` and `after`, on the cases that both sides have.
pub fn between<'w>(
    workspace: &'w Workspace,
    cases: &[CaseHistory],
    before: &Side,
    after: &Side,
) -> Flips<'w> {
    let mut rows = Vec::new();
    let planned = OnceCell::new();
    for (index, history) in cases.iter().enumerate() {
        let old_case = history.case(workspace, before.iteration);
        let new_case = history.case(workspace, after.iteration);
        let (Some(old_case), Some(new_case)) = (old_case, new_case) else { continue };
        let old = statements(old_case, &before.configuration);
        let new = statements(new_case, &after.configuration);
        // A side that did not run the case lost nothing in it.
        if old.is_empty() || new.is_empty() {
            continue;
        }
        let is_one_task = before.is_within_iteration(after) || have_one_plan(old_case, new_case);
        // Graders of some runners write one line "the run crashed" instead of the checks.
        let failed = if is_one_task { failed_side(index, &old, &new) } else { None };
        let mut flips = failed.unwrap_or_else(|| compare_case(index, &old, &new));
        let runs = new_case.runs_of(&after.configuration).count();
        if flips.iter().any(|flip| flip.kind == FlipKind::Removed) {
            let iteration = &workspace.iterations[after.iteration];
            let planned = planned.get_or_init(|| planned_checks(iteration));
            miss_planned(&mut flips, new_case, runs, planned);
        }
        if has_another_prompt(old_case, new_case) {
            for flip in &mut flips {
                flip.kind = FlipKind::OtherTask;
            }
        }
        flips.sort_by(worst_first);
        rows.append(&mut flips);
    }
    let order = worst_first_order(&rows);
    Flips { rows, order }
}

fn worst_first_order(rows: &[Flip<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| worst_first(&rows[*a], &rows[*b]));
    order
}

/// Kinds in their order, larger changes first.
fn worst_first(a: &Flip<'_>, b: &Flip<'_>) -> Ordering {
    let [a_size, b_size] = [a, b].map(|flip| flip.change().unwrap_or(0.0).abs());
    a.kind.cmp(&b.kind).then(b_size.total_cmp(&a_size))
}

fn compare_case<'w>(case: usize, old: &[Statement<'w>], new: &[Statement<'w>]) -> Vec<Flip<'w>> {
    let mut partners: Vec<Option<&Statement<'w>>> = vec![None; new.len()];
    let mut is_gone = vec![true; old.len()];
    for (from, to) in matched(old, new) {
        partners[to] = Some(&old[from]);
        is_gone[from] = false;
    }
    let gone: Vec<&Statement<'w>> =
        old.iter().zip(is_gone).filter(|(_, is_gone)| *is_gone).map(|(old, _)| old).collect();
    let gone_checks = GoneChecks::new(gone.iter().map(|statement| statement.text));
    let mut flips: Vec<Flip<'w>> = Vec::new();
    for (statement, partner) in new.iter().zip(partners) {
        let before = partner.map(|partner| partner.tally).unwrap_or_default();
        let mut flip = Flip::new(case, statement.text, before, statement.tally);
        match partner {
            None => {
                flip.kind = FlipKind::New;
                flip.probably_earlier = gone_checks.probably_earlier(statement.text);
            }
            Some(partner) if folded(partner.text) != folded(statement.text) => {
                flip.earlier_text = Some(partner.text);
                // Another wording may have moved it.
                let has_turned = matches!(flip.kind, FlipKind::Regressed | FlipKind::Improved);
                if has_turned && is_only_reworded(partner.text, statement.text) {
                    flip.kind = FlipKind::Reworded;
                }
            }
            Some(_) => {}
        }
        flips.push(flip);
    }
    for statement in gone {
        let flip = Flip::new(case, statement.text, statement.tally, Tally::default());
        flips.push(Flip { kind: FlipKind::Removed, ..flip });
    }
    flips
}

/// All checks that are planned in an iteration.
fn planned_checks(iteration: &Iteration) -> BTreeSet<Cow<'_, str>> {
    let planned = iteration.cases.iter().flat_map(|case| &case.planned);
    planned.map(|plan| folded(&plan.text)).collect()
}

/// Checks that are gone but still planned have no verdict on the later side, in none of its `runs`: a grader
/// that leaves out what fails must open no gate. What it said in other words is no gap, but a check that is
/// `planned` itself is another one: the grading of another case lies here.
fn miss_planned(
    flips: &mut [Flip<'_>],
    case: &Case,
    runs: usize,
    all_planned: &BTreeSet<Cow<'_, str>>,
) {
    let planned: BTreeSet<_> = case.planned.iter().map(|plan| folded(&plan.text)).collect();
    let others = flips.iter().filter(|flip| !all_planned.contains(&folded(flip.text)));
    let reworded: BTreeSet<&str> = others.filter_map(|flip| flip.probably_earlier).collect();
    for flip in flips {
        let is_gone = flip.kind == FlipKind::Removed && !reworded.contains(flip.text);
        if is_gone && planned.contains(&folded(flip.text)) {
            flip.after = Tally { ungraded: runs, ..Tally::default() };
            flip.kind = FlipKind::new(flip.before, flip.after);
        }
    }
}

/// The flips where one side failed as a whole; `None` where none did, or where they share
/// statements.
///
/// A run that crashed is graded by a few labels of its own. Every statement of the other side counts
/// as failed in each of its runs.
fn failed_side<'w>(
    case: usize,
    old: &[Statement<'w>],
    new: &[Statement<'w>],
) -> Option<Vec<Flip<'w>>> {
    let has_old_failed = failed_as_a_whole(old, new);
    if !has_old_failed && !failed_as_a_whole(new, old) || !matched(old, new).is_empty() {
        return None;
    }
    let (failed, whole) = if has_old_failed { (old, new) } else { (new, old) };
    let runs: BTreeSet<usize> =
        failed.iter().flat_map(|failed| &failed.by_run).map(|(at, _)| *at).collect();
    let lost = Tally { failed: runs.len(), ..Tally::default() };
    let mut flips = Vec::new();
    for statement in whole {
        let (before, after) =
            if has_old_failed { (lost, statement.tally) } else { (statement.tally, lost) };
        flips.push(Flip::new(case, statement.text, before, after));
    }
    Some(flips)
}

#[cfg(test)]
mod tests {
    use super::{Flip, FlipKind, Flips, Side, between};
    use crate::analyze::case_history::case_histories;
    use crate::tests::workspaces::{self, case};
    use input::model::{PlannedExpectation, Run, Workspace};
    use testing::gradings::checks;

    /// A workspace of one case; each iteration has a run for each list of checks.
    fn workspace(iterations: &[&[&[(&str, char)]]]) -> Workspace {
        let mut cases = Vec::new();
        for runs in iterations {
            let runs: Vec<Run> = runs
                .iter()
                .enumerate()
                .map(|(at, found)| workspaces::run("s", at as u32 + 1, checks(found)))
                .collect();
            cases.push(if runs.is_empty() { Vec::new() } else { vec![case("a", runs)] });
        }
        workspaces::workspace(cases)
    }

    /// The changes from the first to the second iteration.
    fn flips(workspace: &Workspace) -> Flips<'_> {
        let histories = case_histories(workspace);
        between(workspace, &histories, &Side::new(0, "s"), &Side::new(1, "s"))
    }

    fn facts<T>(workspace: &Workspace, fact: impl Fn(&Flip<'_>) -> T) -> Vec<T> {
        flips(workspace).iter().map(fact).collect()
    }

    #[test]
    fn shares_of_several_runs_are_compared() {
        let workspace = workspace(&[
            &[&[("x", 'p'), ("y", 'f'), ("z", 'p'), ("gone", 'p')]],
            &[
                &[("X ", 'p'), ("y", 'p'), ("z", 'p'), ("new", 'f')],
                &[("x", 'f'), ("y", 'p'), ("z", 'p'), ("new", 'f')],
            ],
        ]);
        let expected = [
            ("y", FlipKind::Improved),
            ("X ", FlipKind::Unsteady),
            ("z", FlipKind::StillPassing),
            ("new", FlipKind::New),
            ("gone", FlipKind::Removed),
        ]
        .map(|(text, kind)| (text.to_owned(), kind));
        assert_eq!(facts(&workspace, |flip| (flip.text.to_owned(), flip.kind)), expected);
        assert_eq!(flips(&workspace).on(0)[1].change(), Some(-0.5));
    }

    #[test]
    fn another_prompt_is_another_task() {
        let mut workspace = workspace(&[&[&[("x", 'p')]], &[&[("x", 'f')]]]);
        for (prompts, expected) in [
            (["Do it", "do  it"], (FlipKind::Regressed, Some(-1.0))),
            (["Do it", "Do that"], (FlipKind::OtherTask, None)),
        ] {
            for (iteration, prompt) in workspace.iterations.iter_mut().zip(prompts) {
                iteration.cases[0].prompt = Some(prompt.to_owned());
            }
            assert_eq!(facts(&workspace, |flip| (flip.kind, flip.change())), [expected]);
        }
    }

    #[test]
    fn a_probable_rewording_moves_no_number() {
        let earlier = "Output is valid JSON";
        let workspace =
            workspace(&[&[&[(earlier, 'p')]], &[&[("The output should be valid JSON", 'f')]]]);
        let actual =
            facts(&workspace, |flip| (flip.kind, flip.probably_earlier.map(str::to_owned)));
        let expected = [(FlipKind::New, Some(earlier.to_owned())), (FlipKind::Removed, None)];
        assert_eq!(actual, expected);
    }

    fn planned(text: &str) -> PlannedExpectation {
        let (id, description, required) = (None, None, None);
        PlannedExpectation { id, text: text.to_owned(), description, required, avoid: false }
    }

    #[test]
    fn what_is_planned_and_left_out_has_no_verdict() {
        let mut workspace = workspace(&[
            &[&[("x", 'p'), ("left out", 'p'), ("dropped", 'p'), ("It is valid JSON", 'p')]],
            &[&[("x", 'p'), ("It should be valid JSON", 'p')], &[("x", 'p')]],
        ]);
        workspace.iterations[1].cases[0].planned =
            ["x", "Left  out", "It is valid JSON"].map(planned).to_vec();
        let expected = [
            ("x", FlipKind::StillPassing, 0),
            ("It should be valid JSON", FlipKind::New, 0),
            ("dropped", FlipKind::Removed, 0),
            ("It is valid JSON", FlipKind::Removed, 0),
            ("left out", FlipKind::Unknown, 2),
        ]
        .map(|(text, kind, ungraded)| (text.to_owned(), kind, ungraded));
        let actual =
            facts(&workspace, |flip| (flip.text.to_owned(), flip.kind, flip.after.ungraded));
        assert_eq!(actual, expected);
    }

    #[test]
    fn only_from_all_to_none_and_back_is_a_change() {
        let table: [(&[char], &[char], FlipKind); 9] = [
            (&['p', 'p', 'p'], &['f', 'f', 'f'], FlipKind::Regressed),
            (&['p'], &['f', 'f'], FlipKind::Regressed),
            (&['f', 'f'], &['p', 'p'], FlipKind::Improved),
            (&['p', 'p', 'p'], &['p', 'f', 'f'], FlipKind::Unsteady),
            (&['p', 'f', 'f'], &['f', 'f', 'f'], FlipKind::Unsteady),
            (&['p', 'f'], &['p', 'f'], FlipKind::Unsteady),
            (&['p', 'p'], &['p'], FlipKind::StillPassing),
            (&['f'], &['f', 'f'], FlipKind::StillFailing),
            (&['p'], &['?'], FlipKind::Unknown),
        ];
        for (before, after, expected) in table {
            let sides = [before, after].map(|letters| -> Vec<[(&str, char); 1]> {
                letters.iter().map(|letter| [("x", *letter)]).collect()
            });
            let rows = sides.each_ref().map(|runs| -> Vec<&[(&str, char)]> {
                runs.iter().map(|run| run.as_slice()).collect()
            });
            let workspace = workspace(&[&rows[0], &rows[1]]);
            assert_eq!(facts(&workspace, |flip| flip.kind), [expected], "{before:?} {after:?}");
        }
        let rerun = workspace(&[&[&[("x", 'p'), ("y", 'p')]], &[&[("x", 'f'), ("y", 'p')]]]);
        let kinds: Vec<FlipKind> =
            flips(&rerun).of_one_skill().iter().map(|flip| flip.kind).collect();
        assert_eq!(kinds, [FlipKind::Unsteady, FlipKind::StillPassing]);
    }

    #[test]
    fn cases_without_verdicts_on_one_side_are_left_out() {
        for second in [&[][..], &[&[("x", '?')][..]]] {
            let workspace = workspace(&[&[&[("x", 'p')]], second]);
            let judged = flips(&workspace).iter().filter(|flip| flip.change().is_some()).count();
            assert_eq!(judged, 0);
        }
    }
}
