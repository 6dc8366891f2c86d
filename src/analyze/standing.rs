//! Where every case stands in an iteration, the worst first.

use std::cmp::Ordering;

use crate::analyze::IterationAnalysis;
use crate::analyze::flips::{FlipKind, Flips, Side};
use crate::analyze::{Analysis, CaseLine};
use crate::model::{Case, Run, Tally, Workspace};
use crate::statistics::mean;

/// How a case fared, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// At least one expectation lost passes.
    Regressed,
    /// None did, and at least one gained passes.
    Fixed,
    /// Nothing changed, and a run did not succeed.
    Failing,
    /// Nothing changed, and every run succeeded.
    Passing,
    /// The iteration has no verdict on it.
    Absent,
}

impl Status {
    /// The status in one lower-case word, as filters spell it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Regressed => "regressed",
            Self::Fixed => "fixed",
            Self::Failing => "failing",
            Self::Passing => "passing",
            Self::Absent => "absent",
        }
    }
}

/// One case in an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseStanding {
    /// Index of the case's line in the analysis.
    pub line: usize,
    /// The candidate's verdicts; nothing counted where the case was not graded.
    pub candidate: Tally,
    /// The baseline's verdicts; `None` without a baseline.
    pub baseline: Option<Tally>,
    /// Expectations that lost passes since the iteration before; between two configurations of one
    /// iteration nothing is broken or mended.
    pub regressed: usize,
    /// Expectations that gained passes.
    pub fixed: usize,
    /// The case in one word.
    pub status: Status,
}

impl Analysis {
    /// The newest iteration whose candidate has verdicts; `None` when nothing was graded.
    pub fn newest(&self) -> Option<usize> {
        self.last(|iteration| iteration.candidate().is_some_and(|found| found.tally.graded() > 0))
    }

    /// The last iteration that is `meant`, before those that are references.
    fn last(&self, meant: impl Fn(&IterationAnalysis) -> bool) -> Option<usize> {
        let mut iterations = self.iterations.iter();
        let own = iterations.rposition(|iteration| !iteration.is_reference && meant(iteration));
        own.or_else(|| self.iterations.iter().rposition(meant))
    }

    /// The newest iteration that a candidate has runs of, with verdicts or without; `None` when
    /// nothing was run. It is later than [`Self::newest`] where its runs have no verdict yet.
    pub fn newest_run(&self) -> Option<usize> {
        self.last(|iteration| iteration.candidates().any(|found| found.runs > 0))
    }

    /// The candidate of the newest iteration.
    pub fn newest_candidate(&self) -> Option<Side> {
        self.candidate_of(self.newest()?)
    }

    /// The candidate of one iteration; `None` where nothing is a candidate.
    pub fn candidate_of(&self, iteration: usize) -> Option<Side> {
        Some(Side::new(iteration, &self.iterations[iteration].candidate()?.name))
    }

    /// Every candidate of one iteration that has runs, the one that stands for it first.
    pub fn candidates_of(&self, iteration: usize) -> impl Iterator<Item = Side> {
        let ran = self.iterations[iteration].candidates().filter(|found| found.runs > 0);
        ran.map(move |found| Side::new(iteration, &found.name))
    }

    /// The same configuration in the iteration before: see [`previous_iteration`].
    pub fn previous(&self, side: &Side) -> Option<Side> {
        let iteration = previous_iteration(&self.iterations, side)?;
        Some(Side::new(iteration, &side.configuration))
    }

    /// The baseline of the same iteration; `None` for the baseline itself.
    pub fn opposite(&self, side: &Side) -> Option<Side> {
        let baseline = &self.iterations[side.iteration].baseline()?.name;
        (*baseline != side.configuration).then(|| Side::new(side.iteration, baseline))
    }
}

/// The last earlier iteration that graded the configuration of `side` on the same models, as far as
/// they are recorded; else the last one that graded it.
pub(super) fn previous_iteration(iterations: &[IterationAnalysis], side: &Side) -> Option<usize> {
    let name = &side.configuration;
    let earlier = &iterations[..side.iteration];
    let own = iterations[side.iteration].configuration(name)?;
    let is_alike = |analysis: &IterationAnalysis| {
        analysis
            .configuration(name)
            .is_some_and(|configuration| configuration.conditions.has_same_models(&own.conditions))
    };
    let alike = earlier.iter().rposition(|earlier| earlier.is_graded(name) && is_alike(earlier));
    alike.or_else(|| earlier.iter().rposition(|earlier| earlier.is_graded(name)))
}

/// Every line of `analysis` in one iteration, the worst first: by the candidate's pass rate, then by
/// what it is ahead of the baseline, then as the lines are ordered. Empty without a candidate.
/// `flips` is what changed for the candidate since the iteration before, where there is one.
pub fn standings(
    workspace: &Workspace,
    analysis: &Analysis,
    iteration: usize,
    flips: Option<&Flips<'_>>,
) -> Vec<CaseStanding> {
    let Some(side) = analysis.candidate_of(iteration) else {
        return Vec::new();
    };
    let opposite = analysis.opposite(&side);
    let mut standings: Vec<CaseStanding> = Vec::new();
    for (index, line) in analysis.lines.iter().enumerate() {
        standings.push(CaseStanding {
            line: index,
            candidate: tally(workspace, line, &side),
            baseline: opposite.as_ref().map(|opposite| tally(workspace, line, opposite)),
            regressed: 0,
            fixed: 0,
            status: Status::Absent,
        });
    }
    for flip in flips.into_iter().flat_map(Flips::iter) {
        let standing = &mut standings[flip.line];
        standing.regressed += usize::from(flip.kind == FlipKind::Regressed);
        standing.fixed += usize::from(flip.kind == FlipKind::Fixed);
    }
    for standing in &mut standings {
        let case = analysis.lines[standing.line].case(workspace, iteration);
        let mut runs = case.into_iter().flat_map(|case| case.graded_runs_of(&side.configuration));
        standing.status = status(standing, runs.all(Run::succeeds));
    }
    standings.sort_by(worst_first);
    standings
}

/// The verdicts of `side` on one case.
pub fn tally(workspace: &Workspace, line: &CaseLine, side: &Side) -> Tally {
    let case = line.case(workspace, side.iteration);
    case.map(|case| tally_of(case, &side.configuration)).unwrap_or_default()
}

/// The verdicts of one configuration of a case.
pub fn tally_of(case: &Case, configuration: &str) -> Tally {
    case.runs_of(configuration).map(Run::tally).sum()
}

/// What a case counts for in every level and gain: the mean pass rate of the graded runs of one
/// configuration, in 0..=1, however many checks each has. `None` without a verdict.
pub(super) fn case_rate(case: &Case, configuration: &str) -> Option<f64> {
    let rates = case.runs_of(configuration).filter_map(|run| run.tally().pass_rate());
    mean(&rates.collect::<Vec<_>>())
}

fn status(standing: &CaseStanding, succeeds: bool) -> Status {
    match standing {
        standing if standing.candidate.graded() == 0 => Status::Absent,
        standing if standing.regressed > 0 => Status::Regressed,
        standing if standing.fixed > 0 => Status::Fixed,
        _ if succeeds => Status::Passing,
        _ => Status::Failing,
    }
}

fn worst_first(a: &CaseStanding, b: &CaseStanding) -> Ordering {
    // A case without a verdict stands last: it is neither bad nor good.
    let rate = |standing: &CaseStanding| standing.candidate.pass_rate().unwrap_or(2.0);
    let lead = |standing: &CaseStanding| {
        let baseline = standing.baseline.and_then(Tally::pass_rate);
        let both = standing.candidate.pass_rate().zip(baseline);
        both.map_or(0.0, |(candidate, baseline)| candidate - baseline)
    };
    rate(a).total_cmp(&rate(b)).then_with(|| lead(a).total_cmp(&lead(b)))
}

#[cfg(test)]
mod tests {
    use super::{Status, standings};
    use crate::analyze::analysis;
    use crate::analyze::{Side, between};
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    fn run(configuration: &str, verdicts: &str) -> Run {
        let expectations = verdicts.chars().enumerate().map(|(at, verdict)| Expectation {
            text: format!("statement {at}"),
            outcome: if verdict == '+' { Outcome::Passed } else { Outcome::Failed },
            ..Expectation::default()
        });
        let grading = Grading { expectations: expectations.collect(), ..Grading::default() };
        Run {
            configuration: configuration.to_owned(),
            number: 1,
            gradings: vec![grading],
            ..Run::default()
        }
    }

    /// Cases with the verdicts of candidate and baseline.
    fn iteration(cases: &[(&str, &str, &str)]) -> Iteration {
        let cases = cases.iter().map(|(name, with, without)| Case {
            name: (*name).to_owned(),
            runs: vec![run("with_skill", with), run("without_skill", without)],
            ..Case::default()
        });
        Iteration {
            cases: cases.collect(),
            configurations: vec!["with_skill".to_owned(), "without_skill".to_owned()],
            ..Iteration::default()
        }
    }

    #[test]
    fn the_worst_case_comes_first_and_the_ungraded_last() {
        let workspace = Workspace {
            iterations: vec![
                iteration(&[("a", "++", "--"), ("b", "+-", "--"), ("c", "--", "--")]),
                iteration(&[
                    ("a", "+-", "--"),
                    ("b", "++", "++"),
                    ("c", "+-", "++"),
                    ("d", "", ""),
                    ("e", "--", "--"),
                ]),
            ],
            ..Workspace::default()
        };
        let analysis = analysis(&workspace, &Settings::default());
        let [before, after] = [0, 1].map(|iteration| Side::new(iteration, "with_skill"));
        let flips = between(&workspace, &analysis.lines, &before, &after);
        let found = standings(&workspace, &analysis, 1, Some(&flips));
        let found: Vec<(&str, Status)> = found
            .iter()
            .map(|standing| (analysis.lines[standing.line].name.as_str(), standing.status))
            .collect();
        let expected = [
            ("e", Status::Failing),
            ("c", Status::Fixed),
            ("a", Status::Regressed),
            ("b", Status::Fixed),
            ("d", Status::Absent),
        ];
        assert_eq!(found, expected);
    }

    /// The status of a case with one run, whose checks have these verdicts and are required or not.
    fn status(checks: &[(bool, Option<bool>)], overall: Option<Outcome>) -> Status {
        let mut run = run("with_skill", "");
        run.gradings[0].overall = overall;
        for (at, (passed, required)) in checks.iter().enumerate() {
            run.gradings[0].expectations.push(Expectation {
                text: format!("statement {at}"),
                outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
                required: *required,
                ..Expectation::default()
            });
        }
        let mut iteration = iteration(&[("a", "", "")]);
        iteration.cases[0].runs = vec![run];
        let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        let analysis = analysis(&workspace, &Settings::default());
        standings(&workspace, &analysis, 0, None)[0].status
    }

    #[test]
    fn a_case_fails_with_its_overall_verdict_else_with_what_is_not_optional() {
        let optional = [(true, Some(true)), (false, Some(false))];
        assert_eq!(status(&optional, None), Status::Passing);
        assert_eq!(status(&[(true, Some(true)), (false, Some(true))], None), Status::Failing);
        assert_eq!(status(&[(true, None), (false, None)], None), Status::Failing);
        assert_eq!(status(&optional, Some(Outcome::Failed)), Status::Failing);
        assert_eq!(status(&[(true, None), (false, None)], Some(Outcome::Passed)), Status::Passing);
        assert_eq!(status(&optional, Some(Outcome::Ungraded)), Status::Passing);
    }

    #[test]
    fn without_an_iteration_before_nothing_is_fixed() {
        let workspace =
            Workspace { iterations: vec![iteration(&[("a", "+-", "--")])], ..Workspace::default() };
        let analysis = analysis(&workspace, &Settings::default());
        let found = standings(&workspace, &analysis, 0, None);
        assert_eq!((found[0].status, found[0].fixed), (Status::Failing, 0));
    }
}
