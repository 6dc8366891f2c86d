//! What changed between two sides: expectation by expectation, on the cases both sides have.
//!
//! A side is one configuration of one iteration. Several runs of a case count together, so that an
//! expectation has a tally on each side; it *regressed* when its share of passes fell, and was
//! *fixed* when it rose. Expectations are the same when their ids are, else when their statements
//! are, white space and case aside.

use std::collections::BTreeMap;

use crate::analyze::lines::CaseLine;
use crate::model::{Case, Expectation, Tally, Workspace};
use crate::text::folded;

/// One configuration of one iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Index of the iteration in the workspace.
    pub iteration: usize,
    /// The configuration.
    pub configuration: String,
}

/// How an expectation fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Its share of passes fell.
    Regressed,
    /// Its share of passes rose.
    Fixed,
    /// It failed on both sides, at least sometimes and equally often.
    StillFailing,
    /// It passed everywhere on both sides.
    StillPassing,
    /// It is only on the later side.
    New,
    /// It is only on the earlier side.
    Removed,
    /// One of the sides has no verdict on it.
    Unknown,
}

/// One expectation on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// Index of the case's line in the analysis.
    pub line: usize,
    /// The statement, as the later side words it where it has it.
    pub text: String,
    /// Verdicts on the earlier side.
    pub before: Tally,
    /// Verdicts on the later side.
    pub after: Tally,
    /// How it fared.
    pub fate: Fate,
}

impl Flip {
    /// By how much the share of passes changed, in -1..=1; `None` without verdicts on both sides.
    pub fn change(&self) -> Option<f64> {
        Some(self.after.pass_rate()? - self.before.pass_rate()?)
    }
}

/// Everything that both sides say of the cases they share, the largest losses first.
pub fn between(
    workspace: &Workspace,
    lines: &[CaseLine],
    before: &Side,
    after: &Side,
) -> Vec<Flip> {
    let mut flips = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (Some(old), Some(new)) = (side(workspace, line, before), side(workspace, line, after))
        else {
            continue;
        };
        flips.extend(of_case(index, &old, &new));
    }
    flips.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal));
    flips
}

/// Losses from the largest down, then gains from the largest down, then the rest; ties keep the
/// order of cases and statements.
fn order(flip: &Flip) -> (Fate, f64) {
    (flip.fate, -flip.change().unwrap_or(0.0).abs())
}

/// The expectations of one case on one side, in the order first met.
#[derive(Default)]
struct Statements {
    order: Vec<String>,
    by_key: BTreeMap<String, (String, Tally)>,
}

/// `None` when the side has no graded run of the case.
fn side(workspace: &Workspace, line: &CaseLine, side: &Side) -> Option<Statements> {
    let meeting = line.meeting(side.iteration)?;
    let case = &workspace.iterations[side.iteration].cases[meeting.case];
    let statements = statements(case, &side.configuration);
    (!statements.order.is_empty()).then_some(statements)
}

fn statements(case: &Case, configuration: &str) -> Statements {
    let mut found = Statements::default();
    let runs = case.runs.iter().filter(|run| run.configuration == configuration);
    for expectation in runs.filter_map(|run| run.grading()).flat_map(|g| &g.expectations) {
        let key = key(expectation);
        let entry = found.by_key.entry(key.clone()).or_insert_with(|| {
            found.order.push(key);
            (expectation.text.clone(), Tally::default())
        });
        entry.1.count(expectation.outcome);
    }
    found
}

/// What is the same for an expectation on both sides.
pub(super) fn key(expectation: &Expectation) -> String {
    match &expectation.id {
        Some(id) => format!("id {id}"),
        None => folded(&expectation.text),
    }
}

fn of_case(line: usize, old: &Statements, new: &Statements) -> Vec<Flip> {
    let mut flips: Vec<Flip> = new
        .order
        .iter()
        .filter_map(|key| {
            let (text, after) = new.by_key.get(key)?;
            let before = old.by_key.get(key).map(|(_, tally)| *tally);
            let fate = before.map_or(Fate::New, |before| fate(before, *after));
            let before = before.unwrap_or_default();
            Some(Flip { line, text: text.clone(), before, after: *after, fate })
        })
        .collect();
    let removed = old.order.iter().filter(|key| !new.by_key.contains_key(*key));
    flips.extend(removed.filter_map(|key| {
        let (text, before) = old.by_key.get(key)?;
        let after = Tally::default();
        Some(Flip { line, text: text.clone(), before: *before, after, fate: Fate::Removed })
    }));
    flips
}

fn fate(before: Tally, after: Tally) -> Fate {
    let (Some(old), Some(new)) = (before.pass_rate(), after.pass_rate()) else {
        return Fate::Unknown;
    };
    // Both are quotients of small whole numbers, so equal shares are equal to the last bit only
    // where the counts are proportional: compare those.
    let (left, right) = (after.passed * before.graded(), before.passed * after.graded());
    match left.cmp(&right) {
        std::cmp::Ordering::Less => Fate::Regressed,
        std::cmp::Ordering::Greater => Fate::Fixed,
        std::cmp::Ordering::Equal if old == 1.0 && new == 1.0 => Fate::StillPassing,
        std::cmp::Ordering::Equal => Fate::StillFailing,
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Side, between};
    use crate::analyze::lines;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};

    fn run(configuration: &str, number: u32, verdicts: &[(&str, bool)]) -> Run {
        let expectations = verdicts.iter().map(|(text, passed)| Expectation {
            id: None,
            text: (*text).to_owned(),
            description: None,
            outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
            evidence: None,
            score: None,
            required: None,
        });
        let grading = Grading { expectations: expectations.collect(), ..Grading::default() };
        Run {
            configuration: configuration.to_owned(),
            number,
            gradings: vec![grading],
            ..Run::default()
        }
    }

    fn workspace(iterations: Vec<Vec<Run>>) -> Workspace {
        let iterations = iterations.into_iter().map(|runs| Iteration {
            cases: vec![Case { name: "a".to_owned(), runs, ..Case::default() }],
            ..Iteration::default()
        });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    #[test]
    fn shares_of_several_runs_are_compared() {
        let workspace = workspace(vec![
            vec![run("s", 1, &[("x", true), ("y", false), ("z", true), ("gone", true)])],
            vec![
                run("s", 1, &[("X ", true), ("y", true), ("z", true), ("new", false)]),
                run("s", 2, &[("x", false), ("y", true), ("z", true), ("new", false)]),
            ],
        ]);
        let lines = lines::of(&workspace);
        let side = |iteration| Side { iteration, configuration: "s".to_owned() };
        let flips = between(&workspace, &lines, &side(0), &side(1));
        let fates: Vec<(&str, Fate)> =
            flips.iter().map(|flip| (flip.text.as_str(), flip.fate)).collect();
        let expected = [
            ("X ", Fate::Regressed),
            ("y", Fate::Fixed),
            ("z", Fate::StillPassing),
            ("new", Fate::New),
            ("gone", Fate::Removed),
        ];
        assert_eq!(fates, expected);
        assert_eq!(flips[0].change(), Some(-0.5));
    }

    #[test]
    fn cases_without_verdicts_on_one_side_are_left_out() {
        let workspace = workspace(vec![vec![run("a", 1, &[("x", true)])], vec![]]);
        let lines = lines::of(&workspace);
        let (a, b) = (
            Side { iteration: 0, configuration: "a".into() },
            Side { iteration: 1, configuration: "a".into() },
        );
        assert!(between(&workspace, &lines, &a, &b).is_empty());
    }
}
