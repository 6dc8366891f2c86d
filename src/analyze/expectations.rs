//! What every statement of every case is good for, from counts alone.
//!
//! One iteration decides: the newest whose candidate has verdicts. There the candidate that stands
//! for it is held against the baseline; earlier iterations are history.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::lines::{CaseLine, Meeting};
use crate::analyze::statements::{planned_key, statements};
use crate::analyze::{Analysis, IterationAnalysis};
use crate::model::{Case, Tally, Workspace};

/// What a statement tells about the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usefulness {
    /// The candidate passes more often than the baseline.
    Discriminating,
    /// The baseline passes more often than the candidate.
    FavorsBaseline,
    /// It passed in every run of both.
    Saturated,
    /// It failed in every run of both.
    Dead,
    /// Both pass equally often, neither always nor never.
    Even,
    /// Only one of both has a verdict on it.
    OneSided,
    /// It was checked or planned, without a verdict on either side.
    NoVerdict,
    /// It is in earlier iterations only.
    Earlier,
}

impl Usefulness {
    /// All of them, in the order they are shown.
    pub const ALL: [Self; 8] = [
        Self::Discriminating,
        Self::FavorsBaseline,
        Self::Saturated,
        Self::Dead,
        Self::Even,
        Self::OneSided,
        Self::NoVerdict,
        Self::Earlier,
    ];

    /// Its name in attributes and word tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Discriminating => "discriminating",
            Self::FavorsBaseline => "favors-baseline",
            Self::Saturated => "saturated",
            Self::Dead => "dead",
            Self::Even => "even",
            Self::OneSided => "one-sided",
            Self::NoVerdict => "no-verdict",
            Self::Earlier => "earlier",
        }
    }

    fn of(candidate: Tally, baseline: Tally) -> Self {
        let (ours, theirs) = (candidate.graded(), baseline.graded());
        match (ours, theirs) {
            (0, 0) => return Self::NoVerdict,
            (0, _) | (_, 0) => return Self::OneSided,
            _ => {}
        }
        match (candidate.passed * theirs).cmp(&(baseline.passed * ours)) {
            std::cmp::Ordering::Greater => Self::Discriminating,
            std::cmp::Ordering::Less => Self::FavorsBaseline,
            std::cmp::Ordering::Equal if candidate.failed == 0 => Self::Saturated,
            std::cmp::Ordering::Equal if candidate.passed == 0 => Self::Dead,
            std::cmp::Ordering::Equal => Self::Even,
        }
    }
}

/// The verdicts on a statement in one iteration under one configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<'w> {
    /// Index of the iteration in the workspace.
    pub iteration: usize,
    /// The configuration.
    pub configuration: &'w str,
    /// The verdicts of its runs.
    pub tally: Tally,
    /// Index in the case of the run to look at: the first in which it failed, else the first.
    pub run: usize,
}

/// One statement of one case through all iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectationLine<'w> {
    /// Index of the case's line in the analysis.
    pub line: usize,
    /// What makes it the same statement everywhere.
    pub key: String,
    /// The statement in its newest words.
    pub text: String,
    /// Its verdicts, newest iteration first.
    pub counted: Vec<Counted<'w>>,
    /// What it is good for in the iteration that decides.
    pub usefulness: Usefulness,
    /// Whether runs of one configuration disagree on it in that iteration.
    pub is_flaky: bool,
}

impl ExpectationLine<'_> {
    /// What was counted in one iteration under one configuration.
    pub fn counted(&self, iteration: usize, configuration: &str) -> Option<&Counted<'_>> {
        let is_it =
            |it: &&Counted<'_>| it.iteration == iteration && it.configuration == configuration;
        self.counted.iter().find(is_it)
    }

    fn tally(&self, iteration: usize, configuration: Option<&str>) -> Tally {
        let found = configuration.and_then(|name| self.counted(iteration, name));
        found.map(|found| found.tally).unwrap_or_default()
    }
}

/// Every statement of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations<'w> {
    /// The iteration that decides; `None` when no candidate has a verdict.
    pub iteration: Option<usize>,
    /// The statements by case, in the order of the analysis' lines.
    pub lines: Vec<ExpectationLine<'w>>,
    /// All verdicts of the candidate in that iteration.
    pub candidate: Tally,
    /// The same without those on saturated statements.
    pub candidate_unsaturated: Tally,
}

impl Expectations<'_> {
    /// How many statements are of this use.
    pub fn number(&self, usefulness: Usefulness) -> usize {
        self.lines.iter().filter(|line| line.usefulness == usefulness).count()
    }
}

/// The statements of `workspace` and what each is good for.
pub fn expectations<'w>(workspace: &'w Workspace, analysis: &Analysis) -> Expectations<'w> {
    let newest = analysis.newest();
    let mut found = Expectations { iteration: newest, ..Expectations::default() };
    for (index, line) in analysis.lines.iter().enumerate() {
        found.lines.extend(of_line(workspace, analysis, index, line));
    }
    let Some((newest, of)) = newest.map(|at| (at, &analysis.iterations[at])) else {
        return found;
    };
    for line in &mut found.lines {
        let tally = judge(line, newest, of);
        found.candidate.add(tally);
        if line.usefulness != Usefulness::Saturated {
            found.candidate_unsaturated.add(tally);
        }
    }
    found
}

/// Says what a statement is good for and gives the candidate's verdicts on it.
fn judge(line: &mut ExpectationLine<'_>, newest: usize, of: &IterationAnalysis) -> Tally {
    let candidate = of.roles.candidates.first().map(String::as_str);
    let ours = line.tally(newest, candidate);
    let theirs = line.tally(newest, of.roles.baseline.as_deref());
    let is_there = line.counted.iter().any(|it| it.iteration == newest);
    if is_there || line.counted.is_empty() {
        line.usefulness = Usefulness::of(ours, theirs);
    } else {
        line.usefulness = Usefulness::Earlier;
        line.is_flaky = false;
    }
    ours
}

/// The statements of one case: those of its newest iteration first, in their order there.
fn of_line<'w>(
    workspace: &'w Workspace,
    analysis: &Analysis,
    index: usize,
    line: &CaseLine,
) -> Vec<ExpectationLine<'w>> {
    let newest = analysis.newest();
    let mut found: Vec<ExpectationLine<'w>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let case_of = |met: &Meeting| &workspace.iterations[met.iteration].cases[met.case];
    for met in line.meetings.iter().rev() {
        for name in &workspace.iterations[met.iteration].configurations {
            for statement in statements(case_of(met), name) {
                let is_flaky = newest == Some(met.iteration) && statement.is_flaky();
                let counted = Counted {
                    iteration: met.iteration,
                    configuration: name,
                    tally: statement.tally,
                    run: statement.run,
                };
                let place = *places.entry(statement.key.clone()).or_insert(found.len());
                if place == found.len() {
                    found.push(unjudged(index, statement.key, statement.text));
                }
                found[place].counted.push(counted);
                found[place].is_flaky |= is_flaky;
            }
        }
    }
    if found.is_empty() {
        found = line.meetings.last().map(|met| planned(index, case_of(met))).unwrap_or_default();
    }
    found
}

/// The statements of a case that was never graded.
fn planned<'w>(line: usize, case: &Case) -> Vec<ExpectationLine<'w>> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let planned = case.planned.iter().map(|planned| (planned_key(planned), planned));
    let new = planned.filter(|(key, _)| seen.insert(key.clone()));
    new.map(|(key, planned)| unjudged(line, key, planned.text.clone())).collect()
}

fn unjudged<'w>(line: usize, key: String, text: String) -> ExpectationLine<'w> {
    let (counted, usefulness) = (Vec::new(), Usefulness::NoVerdict);
    ExpectationLine { line, key, text, counted, usefulness, is_flaky: false }
}

#[cfg(test)]
mod tests {
    use super::{Usefulness, expectations};
    use crate::analyze::analysis;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Tally, Workspace};
    use crate::settings::Settings;

    /// A run whose verdicts are written `+` passed, `-` failed and `?` open, by statement.
    fn run(configuration: &str, verdicts: &[(&str, char)]) -> Run {
        let expectation = |(text, verdict): &(&str, char)| Expectation {
            id: None,
            text: (*text).to_owned(),
            description: None,
            outcome: match verdict {
                '+' => Outcome::Passed,
                '-' => Outcome::Failed,
                _ => Outcome::Ungraded,
            },
            evidence: None,
            score: None,
            required: None,
        };
        let expectations = verdicts.iter().map(expectation).collect();
        let gradings = vec![Grading { expectations, ..Grading::default() }];
        Run { configuration: configuration.to_owned(), gradings, ..Run::default() }
    }

    fn iteration(runs: Vec<Run>) -> Iteration {
        let mut configurations: Vec<String> =
            runs.iter().map(|run| run.configuration.clone()).collect();
        configurations.dedup();
        let cases = vec![Case { name: "a".to_owned(), runs, ..Case::default() }];
        Iteration { configurations, cases, ..Iteration::default() }
    }

    #[test]
    fn counts_alone_say_what_a_statement_is_good_for() {
        let with = |verdicts: &[(&str, char)]| run("with_skill", verdicts);
        let without = |verdicts: &[(&str, char)]| run("without_skill", verdicts);
        let newest = iteration(vec![
            with(&[("gain", '+'), ("all", '+'), ("none", '-'), ("loss", '+'), ("one", '+')]),
            with(&[("gain", '-'), ("all", '+'), ("none", '-'), ("loss", '-'), ("open", '?')]),
            without(&[("gain", '-'), ("all", '+'), ("none", '-'), ("loss", '+')]),
        ]);
        let iterations = vec![iteration(vec![with(&[("gone", '+')])]), newest];
        let workspace = Workspace { iterations, ..Workspace::default() };
        let found = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let facts: Vec<_> = found
            .lines
            .iter()
            .map(|line| (line.text.as_str(), line.usefulness, line.is_flaky))
            .collect();
        let expected = [
            ("gain", Usefulness::Discriminating, true),
            ("all", Usefulness::Saturated, false),
            ("none", Usefulness::Dead, false),
            ("loss", Usefulness::FavorsBaseline, true),
            ("one", Usefulness::OneSided, false),
            ("open", Usefulness::NoVerdict, false),
            ("gone", Usefulness::Earlier, false),
        ];
        assert_eq!(facts, expected);
        assert_eq!(found.candidate, Tally { passed: 5, failed: 4, ungraded: 1 });
        assert_eq!(found.candidate_unsaturated, Tally { passed: 3, failed: 4, ungraded: 1 });
        assert_eq!(found.number(Usefulness::Dead), 1);
    }

    #[test]
    fn equal_shares_that_are_neither_all_nor_none_are_even() {
        let tally = |passed, failed| Tally { passed, failed, ungraded: 0 };
        assert_eq!(Usefulness::of(tally(2, 2), tally(1, 1)), Usefulness::Even);
        assert_eq!(Usefulness::of(tally(2, 1), tally(1, 1)), Usefulness::Discriminating);
        assert_eq!(Usefulness::of(tally(0, 0), tally(1, 1)), Usefulness::OneSided);
    }
}
