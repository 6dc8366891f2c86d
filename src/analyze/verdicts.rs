//! What the runs of both sides say of one expectation.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analyze::flips::{Flip, Side};
use crate::analyze::lines::CaseLine;
use crate::analyze::statements::key;
use crate::model::{Outcome, Workspace};
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

/// Every verdict of both sides on one case.
pub struct Verdicts<'w>([SideVerdicts<'w>; 2]);

/// Every verdict of one side, to be found by statement.
#[derive(Default)]
struct SideVerdicts<'w> {
    /// The key of each folded statement, as the first run has it.
    keys: BTreeMap<Cow<'w, str>, Cow<'w, str>>,
    /// The verdicts under each key, in the order of the runs.
    by_key: BTreeMap<Cow<'w, str>, Vec<Said<'w>>>,
}

impl<'w> Verdicts<'w> {
    /// What the runs of `sides` say of the case at `line`; nothing where a side does not have it.
    pub fn of(workspace: &'w Workspace, line: &CaseLine, sides: [&Side; 2]) -> Self {
        Self(sides.map(|side| {
            let mut found = SideVerdicts::default();
            let case = line.case(workspace, side.iteration);
            for run in case.into_iter().flat_map(|case| case.runs_of(&side.configuration)) {
                for expectation in run.expectations() {
                    let key = key(expectation);
                    found.keys.entry(folded(&expectation.text)).or_insert_with(|| key.clone());
                    let evidence = expectation.evidence.as_deref();
                    let evidence = evidence.filter(|text| !text.trim().is_empty());
                    let verdict = Said { run: run.number, outcome: expectation.outcome, evidence };
                    found.by_key.entry(key).or_default().push(verdict);
                }
            }
            found
        }))
    }

    /// What the runs of each side say of the expectation of `flip`, in the order of the runs. Each
    /// side is asked in its own words: they may have another key on the earlier side.
    pub fn on(&self, flip: &Flip) -> [&[Said<'w>]; 2] {
        let earlier = flip.earlier_text.as_ref().unwrap_or(&flip.text);
        [(&self.0[0], earlier), (&self.0[1], &flip.text)].map(|(side, text)| {
            let found = side.keys.get(&*folded(text)).and_then(|key| side.by_key.get(key));
            found.map(Vec::as_slice).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Verdicts;
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
        let verdicts = Verdicts::of(&workspace, &lines[0], [&old, &new]);
        let [before, after] = verdicts.on(&flips[0]);
        assert_eq!((before[0].run, before[0].outcome), (2, Outcome::Failed));
        assert_eq!(before[0].evidence, Some("because of old"));
        assert_eq!(after[0].evidence, Some("because of new"));
    }
}
