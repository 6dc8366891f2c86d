//! What the expectations of a workspace can show together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{ConfigurationTally, Expectations, Roles, Usefulness};
use crate::statistics::{Share, fisher_p, holm, looks_stable, may_show_p};

/// The pass rate assumed to show what few runs hide.
const UNSTABLE_PASS_RATE: f64 = 0.8;

#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Statements of that iteration, and those that were never graded.
    pub statements: usize,
    pub compared: usize,
    /// The number of runs with a verdict that a statement most often has on one side; the smaller of two
    /// equally frequent ones, as that hides more. Where sides are uneven, only of those with
    /// several runs.
    pub runs: usize,
    /// Which configurations most often have several runs and which one, where both exist.
    pub uneven: Option<Uneven>,
    pub most_runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in this many.
    pub hidden: Option<f64>,
    pub has_p: bool,
}

/// Configurations by the number of runs with a verdict that a statement most often has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uneven {
    pub several: Vec<String>,
    pub single: Vec<String>,
}

/// The most frequent number of runs; the smaller of two equally frequent ones; 0 without any.
fn most_frequent<'a>(tallies: impl Iterator<Item = &'a ConfigurationTally<'a>>) -> usize {
    let mut frequency: BTreeMap<usize, usize> = BTreeMap::new();
    for tally in tallies {
        *frequency.entry(tally.runs).or_default() += 1;
    }
    let frequent = frequency.iter().max_by_key(|(runs, times)| (**times, Reverse(**runs)));
    frequent.map_or(0, |(runs, _)| *runs)
}

/// The configurations of `tallies` by their runs; `None` where all have several, or all one.
fn uneven(tallies: &[&ConfigurationTally<'_>]) -> Option<Uneven> {
    let names: BTreeSet<&str> = tallies.iter().map(|tally| tally.configuration).collect();
    let mut uneven = Uneven { several: Vec::new(), single: Vec::new() };
    for name in names {
        let own = tallies.iter().copied().filter(|tally| tally.configuration == name);
        if most_frequent(own) < 2 {
            uneven.single.push(name.to_owned());
        } else {
            uneven.several.push(name.to_owned());
        }
    }
    if uneven.single.is_empty() || uneven.several.is_empty() { None } else { Some(uneven) }
}

impl Expectations<'_> {
    /// What the statements can show together; `None` when no candidate has a verdict.
    pub fn health(&self) -> Option<Health> {
        let newest = self.iteration?;
        let tallies = self.histories.iter().flat_map(|history| &history.counted);
        let tallies: Vec<&ConfigurationTally<'_>> =
            tallies.filter(|tally| tally.iteration == newest).collect();
        let uneven = uneven(&tallies);
        let mut counted = tallies.clone();
        if let Some(uneven) = &uneven {
            // A side with one run each does not speak for the one whose runs were repeated.
            counted.retain(|tally| {
                tally.runs > 1 && uneven.several.iter().any(|name| name == tally.configuration)
            });
        }
        let runs = most_frequent(counted.into_iter());
        Some(Health {
            statements: self.histories.len() - self.number(Usefulness::Earlier),
            compared: self.histories.iter().filter(|history| history.is_compared()).count(),
            runs,
            uneven,
            most_runs: tallies.iter().map(|tally| tally.runs).max().unwrap_or(0),
            hidden: looks_stable(UNSTABLE_PASS_RATE, runs as u64),
            has_p: self.histories.iter().any(|history| history.p.is_some()),
        })
    }

    pub fn flaky(&self) -> usize {
        self.histories.iter().filter(|line| line.is_flaky).count()
    }
}

/// Sets the p-value of each compared statement where there are enough runs: with few, not even a
/// perfect difference would survive the correction for the number of statements.
pub(super) fn add_p_values(expectations: &mut Expectations<'_>, newest: usize, roles: &Roles) {
    let Some((candidate, baseline)) = roles.candidates.first().zip(roles.baseline.as_ref()) else {
        return;
    };
    let mut shares: Vec<(usize, [Share; 2])> = Vec::new();
    for (at, line) in
        expectations.histories.iter().enumerate().filter(|(_, line)| line.is_compared())
    {
        let both = [candidate, baseline].map(|name| share(line.counted(newest, name)?));
        let [Some(ours), Some(theirs)] = both else { return };
        shares.push((at, [ours, theirs]));
    }
    let [ours, theirs] =
        [0, 1].map(|side| shares.iter().map(|(_, both)| both[side].total()).min().unwrap_or(0));
    if !may_show_p(shares.len() as u64, ours, theirs) {
        return;
    }
    let p: Vec<f64> = shares.iter().map(|(_, [a, b])| fisher_p(*a, *b)).collect();
    for ((at, _), p) in shares.iter().zip(holm(&p).unwrap_or_default()) {
        expectations.histories[*at].p = Some(p);
    }
}

/// Passed of graded runs; `None` where a run has several verdicts on the statement, since these are
/// not independent.
fn share(counted: &ConfigurationTally<'_>) -> Option<Share> {
    let graded = counted.tally.graded();
    if graded != counted.runs {
        return None;
    }
    Share::new(counted.tally.passed as u64, graded as u64)
}

#[cfg(test)]
mod tests {
    use super::Health;
    use crate::analyze::{analysis, expectations};
    use crate::model::Workspace;
    use crate::settings::Settings;
    use crate::tests::gradings::verdicts;
    use crate::tests::workspaces::{self, case, run};

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
    fn few_runs_have_no_p_value_and_hide_flaky_checks() {
        for (runs, checks, has_p) in [(3, 1, false), (6, 36, false), (7, 36, true)] {
            let workspace = workspace(runs, checks);
            let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
            let health = actual.health().unwrap();
            assert_eq!((health.has_p, health.compared), (has_p, checks), "{runs}");
            assert!(actual.histories.iter().all(|check| check.p.is_none_or(|p| p <= 0.05)));
        }
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
        assert_eq!((health.runs, health.most_runs, health.hidden), (1, 2, Some(1.0)));
    }

    #[test]
    fn a_side_with_one_run_does_not_speak_for_one_with_several() {
        let mut workspace = workspace(3, 2);
        let runs = &mut workspace.iterations[0].cases[0].runs;
        runs.retain(|run| run.configuration == "with_skill" || run.number == 1);
        let health = health(&workspace).unwrap();
        let uneven = health.uneven.unwrap();
        assert_eq!((health.runs, health.most_runs), (3, 3));
        assert_eq!((&*uneven.several[0], &*uneven.single[0]), ("with_skill", "without_skill"));
    }
}
