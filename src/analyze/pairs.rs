//! Which sides of a case are compared with each other.
//!
//! Per case and iteration: each candidate with the baseline; each configuration with itself in the
//! last iteration before that ran the case, and with what the settings pin. The older side always
//! comes first, of one iteration the baseline.

use crate::analyze::IterationAnalysis;
use crate::analyze::change::Change;
use crate::analyze::flips::Side;
use crate::analyze::lines::CaseLine;
use crate::model::{Run, Workspace};

/// What a side is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    /// The baseline of the same iteration.
    Baseline,
    /// The same configuration in the last iteration before that ran the case.
    Previous,
    /// The same configuration in the first iteration that graded it.
    First,
    /// The same configuration in its best iteration.
    Best,
    /// The iteration that the settings name.
    Pinned,
}

impl Against {
    /// All of them, in the order they are shown in.
    pub const ALL: [Self; 5] =
        [Self::Baseline, Self::Previous, Self::First, Self::Best, Self::Pinned];

    /// The word for it, also its key in the tables of words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Previous => "previous",
            Self::First => "first",
            Self::Best => "best",
            Self::Pinned => "pinned",
        }
    }
}

/// Two sides of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The older side, or the baseline.
    pub before: Side,
    /// The newer side, or the candidate.
    pub after: Side,
}

/// Why there is a pair: what one side is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The side.
    pub side: Side,
    /// What it is compared with.
    pub against: Against,
    /// Index of the pair among those of the case.
    pub pair: usize,
}

/// All pairs of one case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePairs {
    /// Each pair once.
    pub pairs: Vec<Pair>,
    /// What each side is compared with, by iteration, configuration and kind.
    pub choices: Vec<Choice>,
}

impl CasePairs {
    /// What the sides of one iteration are compared with.
    pub fn in_iteration(&self, iteration: usize) -> impl Iterator<Item = &Choice> {
        self.choices.iter().filter(move |choice| choice.side.iteration == iteration)
    }

    /// What one side is compared with.
    pub fn of_side(&self, iteration: usize, configuration: &str) -> impl Iterator<Item = &Choice> {
        self.in_iteration(iteration)
            .filter(move |choice| choice.side.configuration == configuration)
    }

    fn add(&mut self, iteration: usize, name: &str, against: Against, pair: Pair) {
        let known = self.pairs.iter().position(|known| *known == pair);
        let pair = known.unwrap_or_else(|| {
            self.pairs.push(pair);
            self.pairs.len() - 1
        });
        self.choices.push(Choice { side: Side::new(iteration, name), against, pair });
    }
}

/// A run of each side.
#[derive(Clone, Copy, Debug)]
pub struct RunPair<'w> {
    /// The run of the older side.
    pub before: &'w Run,
    /// The run of the newer side.
    pub after: &'w Run,
}

/// The pairs of every line, in the order of the lines.
pub(super) fn find_pairs(
    workspace: &Workspace,
    lines: &[CaseLine],
    analyses: &[IterationAnalysis],
    changes: &[Change],
) -> Vec<CasePairs> {
    lines.iter().map(|line| pairs_of_line(workspace, line, analyses, changes)).collect()
}

fn pairs_of_line(
    workspace: &Workspace,
    line: &CaseLine,
    analyses: &[IterationAnalysis],
    changes: &[Change],
) -> CasePairs {
    let mut found = CasePairs::default();
    let has_run = |iteration: usize, name: &str| {
        let case = line.case(workspace, iteration);
        case.is_some_and(|case| case.runs_of(name).next().is_some())
    };
    for met in &line.appearances {
        let (here, roles) = (met.iteration, &analyses[met.iteration].roles);
        for name in roles.candidates.iter().chain(&roles.baseline) {
            if !has_run(here, name) {
                continue;
            }
            let side = |iteration| Side::new(iteration, name);
            let baseline = roles.baseline_of(name).filter(|baseline| has_run(here, baseline));
            if let Some(baseline) = baseline {
                let pair = Pair { before: Side::new(here, baseline), after: side(here) };
                found.add(here, name, Against::Baseline, pair);
            }
            let earlier = line.appearances.iter().rev().map(|met| met.iteration);
            let previous = earlier.skip_while(|at| *at >= here).find(|at| has_run(*at, name));
            if let Some(previous) = previous {
                let pair = Pair { before: side(previous), after: side(here) };
                found.add(here, name, Against::Previous, pair);
            }
            let pinned = changes.iter().filter(|change| change.against.contains(&Against::Pinned));
            for change in pinned.filter(|change| change.after == side(here)) {
                let before = &change.before;
                if has_run(before.iteration, &before.configuration) {
                    let pair = Pair { before: before.clone(), after: side(here) };
                    found.add(here, name, Against::Pinned, pair);
                }
            }
        }
    }
    found
}

/// Each run of the newer side with the run of the older one that has its number, else the nearest,
/// of equally near ones the lower.
pub fn run_pairs<'w>(workspace: &'w Workspace, line: &CaseLine, pair: &Pair) -> Vec<RunPair<'w>> {
    let [before, after] = [&pair.before, &pair.after].map(|side| -> Vec<&'w Run> {
        let case = line.case(workspace, side.iteration);
        case.into_iter().flat_map(|case| case.runs_of(&side.configuration)).collect()
    });
    let nearest = |runs: &[&'w Run], number: u32| {
        runs.iter().min_by_key(|run| (run.number.abs_diff(number), run.number)).copied()
    };
    let pair = |after: &'w Run| Some(RunPair { before: nearest(&before, after.number)?, after });
    after.iter().filter_map(|run| pair(run)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Against, run_pairs};
    use crate::analyze::analysis;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    fn run(configuration: &str, number: u32, passed: usize) -> Run {
        let verdict = |at: usize| Expectation {
            text: format!("x{at}"),
            outcome: if at < passed { Outcome::Passed } else { Outcome::Failed },
            ..Expectation::default()
        };
        let grading = Grading { expectations: (0..4).map(verdict).collect(), ..Grading::default() };
        Run {
            configuration: configuration.to_owned(),
            number,
            gradings: vec![grading],
            ..Run::default()
        }
    }

    fn workspace(iterations: Vec<Vec<Run>>) -> Workspace {
        let iterations = iterations.into_iter().map(|runs| {
            let mut configurations: Vec<String> =
                runs.iter().map(|run| run.configuration.clone()).collect();
            configurations.dedup();
            let cases = vec![Case { name: "a".to_owned(), runs, ..Case::default() }];
            Iteration { cases, configurations, ..Iteration::default() }
        });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    /// `2 with previous: 1 → 2` for each choice.
    fn written(workspace: &Workspace) -> Vec<String> {
        let pairs = analysis(workspace, &Settings::default()).pairs.remove(0);
        let write = |choice: &super::Choice| {
            let pair = &pairs.pairs[choice.pair];
            format!(
                "{} {} {}: {} {} → {} {}",
                choice.side.iteration,
                choice.side.configuration,
                choice.against.word(),
                pair.before.iteration,
                pair.before.configuration,
                pair.after.iteration,
                pair.after.configuration,
            )
        };
        pairs.choices.iter().map(write).collect()
    }

    #[test]
    fn every_side_with_its_baseline_and_its_previous() {
        let workspace = workspace(vec![
            vec![run("with_skill", 1, 2), run("without_skill", 1, 1)],
            vec![run("with_skill", 1, 4)],
            vec![run("without_skill", 1, 1)],
            vec![run("with_skill", 1, 4)],
            vec![run("with_skill", 1, 3)],
        ]);
        let expected = [
            "0 with_skill baseline: 0 without_skill → 0 with_skill",
            "1 with_skill previous: 0 with_skill → 1 with_skill",
            "2 without_skill previous: 0 without_skill → 2 without_skill",
            "3 with_skill previous: 1 with_skill → 3 with_skill",
            "4 with_skill previous: 3 with_skill → 4 with_skill",
        ];
        assert_eq!(written(&workspace), expected);
        let pairs = &analysis(&workspace, &Settings::default()).pairs[0];
        assert_eq!(pairs.of_side(4, "with_skill").count(), 1);
        assert_eq!(pairs.choices[4].against, Against::Previous);
    }

    #[test]
    fn runs_are_paired_with_the_run_of_their_number_or_the_nearest() {
        let workspace = workspace(vec![vec![run("s", 1, 1), run("s", 4, 1)], vec![run("s", 2, 1)]]);
        let analysis = analysis(&workspace, &Settings::default());
        let pair = &analysis.pairs[0].pairs[0];
        let found = run_pairs(&workspace, &analysis.lines[0], pair);
        let numbers: Vec<(u32, u32)> =
            found.iter().map(|found| (found.before.number, found.after.number)).collect();
        assert_eq!(numbers, [(1, 2)], "run 4 of the older side is nobody's nearest");
    }
}
