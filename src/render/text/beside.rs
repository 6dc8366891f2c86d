//! What was read beside runs and their verdicts: who won blindly, what people said, trigger loops.

use crate::model::Workspace;
use crate::render::context::Language;

/// The page that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Blind comparisons and analyses.
    Comparisons,
    /// Comments.
    Feedback,
    /// Rounds of trigger loops.
    History,
}

/// How many of each there are, in words; nothing of what there is none of.
pub(crate) fn beside(workspace: &Workspace, language: &Language) -> Vec<(Shown, String)> {
    let totals = workspace.totals();
    let found = [
        (Shown::Comparisons, totals.comparisons, "comparison"),
        (Shown::Comparisons, totals.analyses, "analysis"),
        (Shown::Feedback, totals.comments, "comment"),
        (Shown::History, workspace.trigger_rounds.len(), "trigger_round"),
    ];
    let found = found.into_iter().filter(|(_, number, _)| *number > 0);
    found.map(|(shown, number, kind)| (shown, language.count(number, kind))).collect()
}

/// All of it in a row; `None` where there is none.
pub(crate) fn row(workspace: &Workspace, language: &Language) -> Option<String> {
    let found: Vec<String> = beside(workspace, language).into_iter().map(|(_, it)| it).collect();
    (!found.is_empty()).then(|| found.join(language.text("list.comma")))
}

/// The same as a sentence.
pub(crate) fn sentence(workspace: &Workspace, language: &Language) -> Option<String> {
    row(workspace, language).map(|row| language.fill("overview.beside_told", &[("what", &row)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BlindComparison, Feedback, Iteration, Review, TriggerRound};

    #[test]
    fn what_there_is_none_of_is_not_told() {
        let language = Language::default();
        let row = |workspace: &Workspace| row(workspace, &language);
        assert_eq!(row(&Workspace::default()), None);
        let said = |text: &str| Review {
            run_id: "eval-1".to_owned(),
            about: crate::model::About::Unknown,
            text: text.to_owned(),
            timestamp: None,
        };
        let feedback = Feedback { reviews: vec![said("a"), said("b")], ..Feedback::default() };
        let comparisons = vec![BlindComparison::default()];
        let iteration = Iteration { feedback: vec![feedback], comparisons, ..Iteration::default() };
        let workspace = Workspace {
            iterations: vec![iteration],
            trigger_rounds: vec![TriggerRound::default()],
            ..Workspace::default()
        };
        let english = Language::default();
        let told = [(1, "comparison"), (2, "comment"), (1, "trigger_round")]
            .map(|(number, thing)| english.count(number, thing));
        assert_eq!(row(&workspace), Some(told.join(english.text("list.comma"))));
    }
}
