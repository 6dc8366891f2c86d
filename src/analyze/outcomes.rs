//! Does the skill still earn its place? What became of its gain over no skill, under each condition.
//!
//! Only a side without any skill is a yardstick: an earlier version changes with the skill. A side has
//! risen or fallen if the permutation of runs within cases says so at the p of the scale, on the
//! cases that both iterations share. Everything that is looked at together is adjusted.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::change::gain::gain;
use crate::analyze::{
    Against, Analysis, Change, Gain, Measure, Side, adjust_together, is_earlier_version,
};
use input::model::{Run, Workspace};
use statistics::{Moves, NamedOutcome, Shift, Verdict, mean};

/// The outcome under one condition of the newest round.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeOverTime {
    /// The name of the condition; `None` where the round has a single one.
    pub condition: Option<String>,
    pub outcome: NamedOutcome,
    /// The side with the skill, in the newest round.
    pub after: Side,
    pub measure: Measure,
    /// Its mean gain over the side without the skill, in shares of 1.
    pub gain: f64,
    /// `None` if no earlier iteration of this condition was better and shares cases.
    pub before: Option<EarlierGain>,
}

/// The last iteration of the same condition in which the skill was better.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierGain {
    pub iteration: usize,
    /// The mean gain then.
    pub gain: f64,
    pub with_skill: SideMove,
    pub without_skill: SideMove,
    /// How certain the change of the gain by case is; its p is adjusted like those of the sides.
    pub change: Shift,
}

/// How one side moved since an earlier iteration, on the cases that both share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideMove {
    /// The means then and now: pass rates in 0..=1, or scores from 1 to 5 where these are counted.
    pub means: [f64; 2],
    /// How certain the move is; its p is adjusted for conditions and earlier iterations.
    pub shift: Shift,
}

impl SideMove {
    /// `None` if the iterations share no case.
    fn new(gain: &Gain, looks: usize) -> Option<Self> {
        let comparison = gain.comparison.as_ref()?;
        Some(Self {
            means: comparison.scores.unwrap_or(comparison.means),
            shift: Shift::new(&comparison.evidence).among(looks),
        })
    }
}

/// The outcome under each condition of the newest round, in its order; without those that have none.
pub(super) fn outcomes_over_time(
    workspace: &Workspace,
    analysis: &Analysis,
) -> Vec<OutcomeOverTime> {
    let mut rounds = newest_rounds(workspace, analysis);
    // A round may be several iterations, one for each model.
    adjust_together(rounds.iter_mut().map(|round| &mut round.now.gain));
    let conditions = rounds.len();
    let mut outcomes = Vec::new();
    for round in rounds {
        let before = last_better(workspace, analysis, &round.now, conditions);
        let Some(paired) = round.now.gain.paired() else { continue };
        let moves = before.as_ref().map(|before| Moves {
            with_skill: before.with_skill.shift,
            without_skill: before.without_skill.shift,
            gain: before.change,
        });
        let Some(outcome) = NamedOutcome::new(round.now.gain.verdict(), moves) else { continue };
        outcomes.push(OutcomeOverTime {
            condition: round.condition,
            outcome,
            measure: round.now.gain.measure(),
            after: round.now.after,
            gain: paired.mean,
            before,
        });
    }
    outcomes
}

/// The newest comparison with no skill under one condition.
struct Round {
    condition: Option<String>,
    now: Change,
}

fn newest_rounds(workspace: &Workspace, analysis: &Analysis) -> Vec<Round> {
    let mut rounds = Vec::new();
    let Some(newest) = analysis.newest_candidate() else { return rounds };
    for (condition, change) in analysis.by_condition(workspace, &newest) {
        rounds.push(Round { condition: Some(condition.to_owned()), now: change.clone() });
    }
    // One condition needs no name in a sentence.
    if rounds.len() < 2 {
        rounds.clear();
        let change = analysis.change(&newest, Against::Baseline).cloned();
        rounds.extend(change.map(|now| Round { condition: None, now }));
    }
    rounds.retain(|round| !is_earlier_version(&round.now.before, &round.now.after));
    rounds
}

/// The last iteration before `now`, of the same configuration and condition, that was better and
/// shares cases with it on both sides. `conditions` are looked at together.
fn last_better(
    workspace: &Workspace,
    analysis: &Analysis,
    now: &Change,
    conditions: usize,
) -> Option<EarlierGain> {
    let Side { iteration, configuration } = &now.after;
    // Where nothing tells the order, "was" and "is" mean nothing.
    if analysis.iterations[*iteration].is_unordered {
        return None;
    }
    let mut earlier: Vec<Change> = Vec::new();
    for index in 0..*iteration {
        let side = Side::new(index, configuration);
        // `iteration-main` ran another branch, so it is no earlier state of this skill.
        let found = &analysis.iterations[index];
        let is_state = !found.is_reference
            && !found.is_unordered
            && analysis.are_under_one_condition([&side, &now.after]);
        if is_state
            && let Some(change) = analysis.change(&side, Against::Baseline)
            && !is_earlier_version(&change.before, &change.after)
        {
            earlier.push(change.clone());
        }
    }
    let mut earlier = one_of_each_baseline(workspace, earlier);
    // Of many iterations that do nothing one looks better by chance, and the last is looked for.
    adjust_together(earlier.iter_mut().map(|change| &mut change.gain));
    let looks = earlier.len() * conditions;
    let better = earlier.iter().rev();
    let mut better = better.filter(|change| matches!(change.gain.verdict(), Verdict::Better(_)));
    better.find_map(|change| {
        let [without, with] = [(&change.before, &now.before), (&change.after, &now.after)]
            .map(|(then, now)| gain(workspace, &analysis.cases, then, now));
        let by_case = changes_of_gain(workspace, analysis, &now.after, [&without, &with]);
        Some(EarlierGain {
            iteration: change.after.iteration,
            gain: change.gain.paired()?.mean,
            with_skill: SideMove::new(&with, looks)?,
            without_skill: SideMove::new(&without, looks)?,
            change: Shift::of_gain(&by_case)?.among(looks),
        })
    })
}

/// The last of those comparisons whose other sides share runs: they are one piece of evidence.
fn one_of_each_baseline(workspace: &Workspace, changes: Vec<Change>) -> Vec<Change> {
    let mut kept: Vec<(BTreeSet<&str>, Change)> = Vec::new();
    for change in changes.into_iter().rev() {
        let Side { iteration, configuration } = &change.before;
        let runs = workspace.iterations[*iteration].runs();
        let of_side = runs.filter(|run| run.configuration == *configuration);
        let mut origins: BTreeSet<&str> = of_side.map(Run::origin).collect();
        // Where runs were made is not known of every report.
        origins.remove("");
        if kept.iter().all(|(known, _)| known.is_disjoint(&origins)) {
            kept.push((origins, change));
        }
    }
    kept.into_iter().rev().map(|(_, change)| change).collect()
}

/// By how much the gain changed in each case that both moves have: what the side with the skill gained,
/// minus what the side without it did. Cases with one prompt are one task. Empty where the moves are
/// counted by other measures.
fn changes_of_gain(
    workspace: &Workspace,
    analysis: &Analysis,
    side: &Side,
    [without, with]: [&Gain; 2],
) -> Vec<f64> {
    let mut by_task: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    if without.measure() != with.measure() {
        return Vec::new();
    }
    for (case, runs) in with.shared.iter().zip(&with.runs) {
        let Some(at) = without.shared.iter().position(|other| other == case) else { continue };
        let Some(task) = analysis.cases[*case].case(workspace, side.iteration) else { continue };
        if let (Some(with), Some(without)) = (moved(runs), moved(&without.runs[at])) {
            let task = task.same_prompt_as.as_deref().unwrap_or(&task.name);
            by_task.entry(task).or_default().push(with - without);
        }
    }
    by_task.values().filter_map(|changes| mean(changes)).collect()
}

/// The mean of the later runs minus that of the earlier ones.
fn moved([before, after]: &[Vec<f64>; 2]) -> Option<f64> {
    Some(mean(after)? - mean(before)?)
}

#[cfg(test)]
mod tests {
    use super::{NamedOutcome, OutcomeOverTime};
    use crate::analyze::analysis;
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::{Case, Reuse, Workspace};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// Six cases with one run a side, all alike: as few as can settle anything.
    fn round(names: [&str; 2], letters: [&str; 2]) -> Vec<Case> {
        let runs = [0, 1].map(|side| run(names[side], 1, verdicts(letters[side])));
        (0..6).map(|at| case(&format!("case {at}"), runs.to_vec())).collect()
    }

    fn found(workspace: &Workspace) -> Vec<(NamedOutcome, Option<usize>)> {
        let outcomes = analysis(workspace, &Settings::default()).outcomes;
        let facts = outcomes
            .iter()
            .map(|found| (found.outcome, found.before.as_ref().map(|before| before.iteration)));
        facts.collect()
    }

    const SIDES: [&str; 2] = ["with_skill", "without_skill"];

    #[test]
    fn the_first_rule_that_holds_names_the_outcome() {
        use NamedOutcome::{BaselineCaughtUp, LostIt, SignFlip, StillEarns};
        for (now, expected) in [
            (["pppp", "ffff"], Some(StillEarns)),
            (["pppp", "pppp"], Some(BaselineCaughtUp)),
            (["ffff", "ffff"], Some(LostIt)),
            (["ppff", "ppff"], Some(LostIt)),
            (["ffff", "pppp"], Some(SignFlip)),
        ] {
            let then = round(SIDES, ["pppp", "ffff"]);
            let workspace = workspace(vec![then, round(SIDES, now)]);
            let expected: Vec<_> = expected.map(|outcome| (outcome, Some(0))).into_iter().collect();
            assert_eq!(found(&workspace), expected, "{now:?}");
        }
    }

    #[test]
    fn a_baseline_that_rose_as_much_as_the_skill_took_nothing() {
        let then = round(SIDES, ["ppff", "pfff"]);
        let mut now = round(SIDES, ["pppp", "ppff"]);
        for case in now.iter_mut().step_by(2) {
            case.runs[0] = run(SIDES[0], 1, verdicts("ppff"));
        }
        assert_eq!(found(&workspace(vec![then, now])), []);
    }

    #[test]
    fn what_never_was_better_lost_nothing() {
        let alike = round(SIDES, ["ppff", "ppff"]);
        let behind = round(SIDES, ["ffff", "pppp"]);
        assert_eq!(found(&workspace(vec![alike.clone(), behind.clone()])), []);
        let first = round(SIDES, ["pppp", "ffff"]);
        assert_eq!(found(&workspace(vec![first])), [(NamedOutcome::StillEarns, None)]);
        // An earlier version of the skill is no yardstick, since it changes.
        let versions = ["new_skill", "old_skill"];
        let rounds = vec![round(versions, ["pppp", "ffff"]), round(versions, ["ffff", "ffff"])];
        assert_eq!(found(&workspace(rounds)), []);
    }

    #[test]
    fn rounds_on_one_baseline_count_once() {
        let mut rounds = vec![round(SIDES, ["pppp", "ffff"]); 3];
        rounds.push(round(SIDES, ["pppp", "pppp"]));
        let mut workspace = workspace(rounds);
        for (at, iteration) in workspace.iterations.iter_mut().enumerate() {
            for case in &mut iteration.cases {
                for run in &mut case.runs {
                    run.path = format!("{at}/{}/{}", case.name, run.configuration);
                }
            }
        }
        // The second and the third round have the runs without the skill of the first.
        for at in 1..3 {
            let first = workspace.iterations[0].clone();
            for (case, source) in workspace.iterations[at].cases.iter_mut().zip(&first.cases) {
                let source = source.runs[1].path.clone();
                case.runs[1].reuse = Some(Box::new(Reuse { source, ..Reuse::default() }));
            }
        }
        let outcomes = analysis(&workspace, &Settings::default()).outcomes;
        let alone = workspace_of_two();
        let once = analysis(&alone, &Settings::default()).outcomes;
        let p = |found: &[OutcomeOverTime]| found[0].before.as_ref().map(|before| before.change);
        assert_eq!(p(&outcomes), p(&once), "three such rounds are one look");
    }

    fn workspace_of_two() -> Workspace {
        workspace(vec![round(SIDES, ["pppp", "ffff"]), round(SIDES, ["pppp", "pppp"])])
    }

    #[test]
    fn another_model_is_another_history() {
        let mut workspace =
            workspace(vec![round(SIDES, ["pppp", "ffff"]), round(SIDES, ["pppp", "pppp"])]);
        for (iteration, model) in workspace.iterations.iter_mut().zip(["a", "b"]) {
            for run in iteration.cases.iter_mut().flat_map(|case| &mut case.runs) {
                run.metrics.model = Some(model.to_owned());
            }
        }
        assert_eq!(found(&workspace), []);
    }
}
