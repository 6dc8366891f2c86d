//! The runs behind a gain, each with the verdicts that count: what [`CaseTallies`] holds as numbers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::change::side_rates::{GradedSide, Missing, both_sides, compared_statements};
use crate::analyze::{CaseHistory, Change, CheckAt, Side, key};
use input::model::{Outcome, Workspace};
#[cfg(doc)]
use statistics::CaseTallies;

/// A run that counts for a side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedRun {
    /// Index of its case in [`Analysis::cases`](crate::analyze::Analysis::cases).
    pub case_index: usize,
    /// Its verdicts that count, in the order written.
    pub verdicts: Vec<CheckAt>,
    /// How many verdicts its rate is made of: those, and missing ones that count all the same.
    pub counted: usize,
}

/// The runs of the compared cases in the order of the tallies of the comparison: by task, those of the later
/// side first.
pub fn compared_runs(
    workspace: &Workspace,
    cases: &[CaseHistory],
    change: &Change,
    missing: Missing,
) -> Vec<[Vec<ComparedRun>; 2]> {
    let gain = match missing {
        Missing::LeftOut => &change.gain,
        Missing::CountedAgainst => change.gain.worst.as_deref().unwrap_or(&change.gain),
        Missing::CountedInFavor => change.gain.best.as_deref().unwrap_or(&change.gain),
    };
    let mut tasks: Vec<[Vec<ComparedRun>; 2]> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for &case_index in &gain.shared {
        let history = &cases[case_index];
        let [Some(old), Some(new)] = both_sides(workspace, history, change.sides(), missing) else {
            continue;
        };
        let is_within = change.is_within_iteration();
        let Some([of_old, of_new]) = compared_statements(&old, &new, is_within) else { continue };
        // As in the gain: cases with one prompt are one task.
        let task = new.case.same_prompt_as.as_deref().unwrap_or(&new.case.name);
        let place = *places.entry(task).or_insert(tasks.len());
        if place == tasks.len() {
            tasks.push(Default::default());
        }
        let [of_later, of_earlier] = &mut tasks[place];
        of_later.extend(runs(case_index, history, &change.after, &new, of_new));
        of_earlier.extend(runs(case_index, history, &change.before, &old, of_old));
    }
    tasks
}

fn runs(
    case_index: usize,
    history: &CaseHistory,
    side: &Side,
    graded: &GradedSide<'_>,
    statements: Vec<usize>,
) -> Vec<ComparedRun> {
    let mut counted = vec![0; graded.case.runs.len()];
    let mut keys: BTreeSet<Cow<'_, str>> = BTreeSet::new();
    for at in statements {
        let statement = &graded.statements[at];
        keys.insert(statement.key.clone());
        for (run, tally) in &statement.by_run {
            counted[*run] += tally.graded();
        }
    }
    let Some(appearance) = history.appearance(side.iteration) else { return Vec::new() };
    let mut found = Vec::new();
    for (run, counted) in counted.into_iter().enumerate().filter(|(_, counted)| *counted > 0) {
        let mut verdicts = Vec::new();
        for (check, judged) in graded.case.runs[run].counted_expectations().iter().enumerate() {
            if judged.outcome != Outcome::Ungraded && keys.contains(&key(judged)) {
                let (iteration, case) = (side.iteration, appearance.case);
                verdicts.push(CheckAt { iteration, case, run, grading: 0, check });
            }
        }
        found.push(ComparedRun { case_index, verdicts, counted });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::compared_runs;
    use crate::analyze::analysis;
    use crate::analyze::change::side_rates::Missing;
    use crate::tests::workspaces::{case, run, workspace};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    #[test]
    fn the_runs_are_those_of_the_tallies() {
        let runs = |new: [&str; 2], old: &str| {
            let mut runs = vec![run("without_skill", 1, verdicts(old))];
            for (at, letters) in new.into_iter().enumerate() {
                runs.push(run("with_skill", at as u32 + 1, verdicts(letters)));
            }
            runs
        };
        let mut cases = vec![
            case("a", runs(["ppf", "pp?"], "pff")),
            case("b", runs(["pp", "??"], "ff")),
            case("c", runs(["fp", "pp"], "pf")),
        ];
        cases[2].same_prompt_as = Some("a".to_owned());
        let workspace = workspace(vec![cases]);
        let analysis = analysis(&workspace, &Settings::default());
        let change = &analysis.changes[0];
        for missing in [Missing::LeftOut, Missing::CountedAgainst] {
            let found = compared_runs(&workspace, &analysis.cases, change, missing);
            let gain = match missing {
                Missing::LeftOut => &change.gain,
                _ => change.gain.worst.as_deref().unwrap(),
            };
            let tallies = &gain.comparison.as_ref().unwrap().tallies;
            assert_eq!(found.len(), tallies.len());
            for (runs, tallies) in found.iter().zip(tallies) {
                for (runs, tallies) in runs.iter().zip(&tallies.sides) {
                    let counted: Vec<usize> = runs.iter().map(|run| run.counted).collect();
                    let graded: Vec<usize> = tallies.iter().map(|tally| tally.graded).collect();
                    assert_eq!(counted, graded, "{missing:?}");
                }
            }
        }
        let found = compared_runs(&workspace, &analysis.cases, change, Missing::LeftOut);
        let lines: Vec<usize> = found[0][0].iter().map(|run| run.case_index).collect();
        assert_eq!(lines, [0, 0, 2, 2], "one task");
        assert_eq!(found[0][0][1].verdicts.len(), 2);
    }
}
