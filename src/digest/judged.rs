//! How a person's verdicts compare with the grader's, and what both answers would be with them.

use std::collections::BTreeSet;

use crate::analyze::{CheckAt, change_with, judged_by_people, key};
use crate::digest::{ComparedRow, Comparisons, Questions, Row};
use input::model::{Outcome, Workspace};
use input::settings::Settings;
use statistics::Share;

/// What a person said of verdicts that are compared, one of each check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JudgedVerdicts {
    /// Those on which the grader says the same.
    pub(crate) agreed: usize,
    /// Those on which the grader says otherwise.
    pub(crate) overruled: Vec<CheckAt>,
    /// Those on which the person could not tell.
    pub(crate) unknown: usize,
}

impl JudgedVerdicts {
    /// The verdicts of both sides of all rows.
    pub(crate) fn new(comparisons: &Comparisons<'_>, questions: &Questions<'_>) -> Self {
        let Comparisons { workspace, analysis, .. } = *comparisons;
        let mut judged = Self::default();
        let mut seen = BTreeSet::new();
        // Of one check the newest round.
        for (at, said) in judged_by_people(workspace).into_iter().rev() {
            let configuration = &at.run(workspace).configuration;
            let rows = questions.rows().filter_map(Row::compared);
            let mut sides = rows.flat_map(|row| row.change.sides());
            let is_shown = sides
                .any(|side| side.iteration == at.iteration && side.configuration == *configuration);
            let case_index = analysis.cases.iter().position(|history| {
                history.appearance(at.iteration).is_some_and(|found| found.case == at.case)
            });
            let check = at.check(workspace);
            if !is_shown || !seen.insert((case_index, key(check))) {
                continue;
            }
            if said == Outcome::Ungraded {
                judged.unknown += 1;
            } else if said == check.outcome {
                judged.agreed += 1;
            } else {
                judged.overruled.push(at);
            }
        }
        judged
    }

    /// On how many of the verdicts that the person could tell both agree; `None` without one.
    pub(crate) fn share(&self) -> Option<Share> {
        let total = self.agreed + self.overruled.len();
        Share::new(self.agreed as u64, total as u64)
    }
}

/// Calls `each` with every row that has data, and the same row in `changed`, the workspace with other verdicts.
pub(crate) fn rows_with<'a>(
    comparisons: &Comparisons<'a>,
    questions: &Questions<'a>,
    changed: &Workspace,
    settings: &Settings,
    mut each: impl FnMut(&Row<'a>, &ComparedRow<'_>),
) {
    let analysis = comparisons.analysis;
    for row in questions.rows() {
        let Some(found) = row.compared().filter(|found| found.is_measured()) else { continue };
        let sides = found.change.sides();
        if let Some(change) = change_with(changed, analysis, sides, settings) {
            let again = Comparisons::empty(changed, analysis);
            each(row, &ComparedRow::new(&again, &change));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JudgedVerdicts, rows_with};
    use crate::analyze::{Verdict, VerdictWord, analysis, as_people_say};
    use crate::digest::{Comparisons, Questions, RowWord};
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::{About, Feedback, JudgedCheck, Outcome, Review, Workspace};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// Six cases with one check, which the skill passes and the baseline fails.
    fn judged(said: &[(usize, usize, Outcome)]) -> Workspace {
        let mut cases = Vec::new();
        for at in 0..6 {
            let runs = [("with_skill", "p"), ("without_skill", "f")]
                .map(|(name, letters)| run(name, 1, verdicts(letters)));
            cases.push(case(&format!("case {at}"), runs.to_vec()));
        }
        let mut workspace = workspace(vec![cases]);
        let mut feedback = Feedback::default();
        for &(case, run, outcome) in said {
            let check =
                workspace.iterations[0].cases[case].runs[run].expectations()[0].text.clone();
            feedback.reviews.push(Review {
                run_id: String::new(),
                about: About::Run { case, run },
                text: String::new(),
                disputed: Vec::new(),
                judged: vec![JudgedCheck { check, outcome }],
                timestamp: None,
                place: None,
            });
        }
        workspace.iterations[0].feedback.push(feedback);
        workspace
    }

    /// What is judged, and the verdict as the person says.
    fn found(workspace: &Workspace) -> (JudgedVerdicts, Option<RowWord>) {
        let settings = Settings::default();
        let analysis = analysis(workspace, &settings);
        let comparisons = Comparisons::empty(workspace, &analysis);
        let questions = Questions::new(&comparisons, &analysis.newest_candidate().unwrap());
        let mut word = None;
        if let Some(changed) = as_people_say(workspace) {
            rows_with(&comparisons, &questions, &changed, &settings, |_, row| {
                word = Some(row.word)
            });
        }
        (JudgedVerdicts::new(&comparisons, &questions), word)
    }

    #[test]
    fn one_verdict_of_each_check_is_counted() {
        let (passed, failed) = (Outcome::Passed, Outcome::Failed);
        let (judged, word) = found(&judged(&[
            (0, 0, passed),
            (0, 1, failed),
            (1, 0, failed),
            (2, 1, Outcome::Ungraded),
            (3, 0, failed),
            (3, 0, passed),
        ]));
        assert_eq!((judged.agreed, judged.overruled.len(), judged.unknown), (2, 1, 1));
        let range = judged.share().unwrap().exact();
        assert!(range.low < 2.0 / 3.0 && range.high > 2.0 / 3.0);
        let firm = RowWord::Verdict(VerdictWord::Better);
        assert!(word.is_some_and(|word| word != firm), "{word:?}");
    }

    #[test]
    fn who_agrees_changes_no_word() {
        let workspace = judged(&[(0, 0, Outcome::Passed)]);
        assert_eq!(found(&workspace).1, None);
        let analysis = analysis(&workspace, &Settings::default());
        assert!(matches!(analysis.changes[0].gain.verdict(), Verdict::Better(_)));
    }
}
