//! What the runs of both sides say of one expectation.

use crate::analyze::flips::{Flip, Side};
use crate::analyze::lines::CaseLine;
use crate::analyze::statements::key;
use crate::model::{Case, Expectation, Outcome, Workspace};
use crate::text::folded;

/// The verdict of one run on an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'w> {
    /// Number of the run.
    pub run: u32,
    /// The verdict.
    pub outcome: Outcome,
    /// Why, where the grader said so.
    pub evidence: Option<&'w str>,
}

/// What the runs of each side say of the expectation of `flip`, in the order of the runs.
pub fn said<'w>(
    workspace: &'w Workspace,
    line: &CaseLine,
    sides: [&Side; 2],
    flip: &Flip,
) -> [Vec<Said<'w>>; 2] {
    let verdicts = sides.map(|side| verdicts(workspace, line, side));
    // Each side is asked in its own words: they may have another key on the earlier side.
    let texts = [flip.earlier_text.as_ref().unwrap_or(&flip.text), &flip.text];
    let mut texts = texts.into_iter().map(|text| folded(text));
    verdicts.map(|side| {
        let text = texts.next().unwrap_or_default();
        let wanted = side.iter().find(|(_, found)| folded(&found.text) == text);
        let wanted = wanted.map(|(_, found)| key(found));
        let same = side.into_iter().filter(|(_, found)| Some(key(found)) == wanted);
        same.map(|(run, found)| Said {
            run,
            outcome: found.outcome,
            evidence: found.evidence.as_deref().filter(|text| !text.trim().is_empty()),
        })
        .collect()
    })
}

/// Every verdict of one side with the number of its run.
fn verdicts<'w>(
    workspace: &'w Workspace,
    line: &CaseLine,
    side: &Side,
) -> Vec<(u32, &'w Expectation)> {
    let Some(met) = line.meeting(side.iteration) else { return Vec::new() };
    let case: &Case = &workspace.iterations[side.iteration].cases[met.case];
    let runs = case.runs.iter().filter(|run| run.configuration == side.configuration);
    let graded = runs.filter_map(|run| Some((run.number, run.grading()?)));
    graded
        .flat_map(|(number, grading)| grading.expectations.iter().map(move |it| (number, it)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::said;
    use crate::analyze::{Side, analysis, between};
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    #[test]
    fn both_sides_are_asked_by_the_same_key() {
        let run = |configuration: &str, text: &str, outcome: Outcome| Run {
            configuration: configuration.to_owned(),
            number: 2,
            gradings: vec![Grading {
                expectations: vec![Expectation {
                    text: text.to_owned(),
                    outcome,
                    evidence: Some(format!("because of {configuration}")),
                    ..Expectation::default()
                }],
                ..Grading::default()
            }],
            ..Run::default()
        };
        let runs = vec![
            run("old", "Has a  table", Outcome::Failed),
            run("new", "has a table", Outcome::Passed),
        ];
        let case = Case { name: "a".to_owned(), runs, ..Case::default() };
        let iteration = Iteration { cases: vec![case], ..Iteration::default() };
        let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        let lines = analysis(&workspace, &Settings::default()).lines;
        let side = |name: &str| Side { iteration: 0, configuration: name.to_owned() };
        let (old, new) = (side("old"), side("new"));
        let flips = between(&workspace, &lines, &old, &new);
        let [before, after] = said(&workspace, &lines[0], [&old, &new], &flips[0]);
        assert_eq!((before[0].run, before[0].outcome), (2, Outcome::Failed));
        assert_eq!(before[0].evidence, Some("because of old"));
        assert_eq!(after[0].evidence, Some("because of new"));
    }
}
