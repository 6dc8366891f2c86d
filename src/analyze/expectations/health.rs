//! What the expectations of a workspace can show together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::analyze::{Expectations, Usefulness};
use statistics::looks_stable;

/// The pass rate assumed to show what few runs hide.
const UNSTABLE_PASS_RATE: f64 = 0.8;

#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Statements of that iteration, and those that were never graded.
    pub statements: usize,
    pub compared: usize,
    /// The number of runs with a verdict that a statement most often has on one side; the smaller of two
    /// equally frequent ones, as that hides more.
    pub runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in this many.
    pub hidden: Option<f64>,
}

impl Expectations<'_> {
    /// What the statements can show together; `None` when no candidate has a verdict.
    pub fn health(&self) -> Option<Health> {
        let newest = self.iteration?;
        let mut frequency: BTreeMap<usize, usize> = BTreeMap::new();
        for tally in self.histories.iter().flat_map(|history| &history.counted) {
            if tally.iteration == newest {
                *frequency.entry(tally.runs).or_default() += 1;
            }
        }
        // One case that was run more often must not speak for the others.
        let frequent = frequency.iter().max_by_key(|(runs, times)| (**times, Reverse(**runs)));
        let runs = frequent.map_or(0, |(runs, _)| *runs);
        Some(Health {
            statements: self.histories.len() - self.number(Usefulness::Earlier),
            compared: self
                .histories
                .iter()
                .filter(|history| history.usefulness.is_compared())
                .count(),
            runs,
            hidden: looks_stable(UNSTABLE_PASS_RATE, runs as u64),
        })
    }

    /// How many statements passed in some runs of a side and failed in others. `None` where no side has
    /// several runs of any: then nobody can know.
    pub fn flaky(&self) -> Option<usize> {
        let newest = self.iteration?;
        let counted = self.histories.iter().flat_map(|history| &history.counted);
        let mut of_newest = counted.filter(|found| found.iteration == newest);
        if of_newest.all(|found| found.runs < 2) {
            return None;
        }
        Some(self.histories.iter().filter(|line| line.is_flaky).count())
    }
}

#[cfg(test)]
mod tests {
    use super::Health;
    use crate::analyze::{analysis, expectations};
    use crate::tests::workspaces::{self, case, run};
    use input::model::Workspace;
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// One case with `runs` runs of each side and `checks` checks, all of which the candidate passes
    /// and the baseline fails.
    fn workspace(runs: u32, checks: usize) -> Workspace {
        let mut all = Vec::new();
        for (name, letter) in [("with_skill", "p"), ("without_skill", "f")] {
            all.extend(
                (1..=runs).map(|number| run(name, number, verdicts(&letter.repeat(checks)))),
            );
        }
        workspaces::workspace(vec![vec![case("a", all)]])
    }

    fn health(workspace: &Workspace) -> Option<Health> {
        expectations(workspace, &analysis(workspace, &Settings::default())).health()
    }

    #[test]
    fn few_runs_hide_flaky_checks() {
        assert!((health(&workspace(3, 2)).unwrap().hidden.unwrap() - 0.52).abs() < 1e-9);
        assert_eq!(health(&workspace(1, 2)).unwrap().hidden, Some(1.0));
        assert_eq!(health(&workspace(0, 2)), None);
    }

    #[test]
    fn one_case_with_more_runs_does_not_speak_for_the_others() {
        let mut workspace = workspace(1, 2);
        let cases = &mut workspace.iterations[0].cases;
        cases.extend(["b", "c"].map(|name| case(name, cases[0].runs.clone())));
        cases[0].runs.push(run("with_skill", 2, verdicts("pp")));
        let health = health(&workspace).unwrap();
        assert_eq!((health.runs, health.hidden), (1, Some(1.0)));
    }
}
