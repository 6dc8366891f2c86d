//! Blind comparisons added up: which of two versions is ahead, by case.
//!
//! Only comparisons count whose letters are unblinded. The case is the unit: a case that was judged
//! several times counts once, for the version with more verdicts.

mod unblinding;

pub use crate::analyze::blind::unblinding::{ComparedCases, LabelMapping};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analyze::CaseHistory;
use crate::analyze::roles::find_baseline;
use crate::model::{BlindComparison, Iteration, Winner, Workspace};
use crate::settings::Settings;
use crate::statistics::sign_test_p;
use crate::text::{folded, folded_name, natural_order};

/// All unblinded comparisons of two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matchup {
    pub versions: Versions,
    pub comparisons: usize,
    /// Comparisons without a readable verdict.
    pub undecided: usize,
    /// Comparisons that name no case. They are not counted.
    pub without_case: usize,
    /// Verdicts for the first version, against it and for neither.
    pub verdicts: WinsAndLosses,
    /// Cases in which the first version has more verdicts, fewer and as many.
    pub cases: WinsAndLosses,
}

impl Matchup {
    /// Two-sided p of the sign test over cases, in 0..=1; `None` where no case has a winner.
    pub fn p(&self) -> Option<f64> {
        sign_test_p(self.cases.won as u64, self.cases.lost as u64)
    }
}

/// The two versions compared.
///
/// `with_skill` of two iterations is two different versions, so configurations go with their iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Versions {
    /// Index of the iteration whose configurations the names are; `None` for other names.
    pub iteration: Option<usize>,
    /// The later version, or the candidate.
    pub first: String,
    pub second: String,
}

/// Counts from the view of the first of two versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinsAndLosses {
    pub won: usize,
    pub lost: usize,
    pub tied: usize,
}

impl WinsAndLosses {
    pub fn total(self) -> usize {
        self.won + self.lost + self.tied
    }

    /// Counts one result; [`Ordering::Greater`] is a win of the first version.
    fn count(&mut self, result: Ordering) {
        match result {
            Ordering::Greater => self.won += 1,
            Ordering::Less => self.lost += 1,
            Ordering::Equal => self.tied += 1,
        }
    }
}

/// Adds up the comparisons of each two versions, ordered by iteration and name.
pub(super) fn matchups(workspace: &Workspace, cases: &[CaseHistory]) -> Vec<Matchup> {
    let histories = histories_by_place(cases);
    let mut matchups: BTreeMap<Versions, Matchup> = BTreeMap::new();
    let mut verdicts_by_case: BTreeMap<(Versions, JudgedCase), WinsAndLosses> = BTreeMap::new();
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let compared_cases = ComparedCases::new(iteration);
        for comparison in &iteration.comparisons {
            let Some(unblinded) = Unblinded::new(comparison, index, iteration) else { continue };
            let matchup = matchups.entry(unblinded.versions.clone()).or_default();
            matchup.comparisons += 1;
            if unblinded.verdict.is_none() {
                matchup.undecided += 1;
            }
            let history = compared_cases
                .find(comparison)
                .and_then(|case| histories.get(&(index, case)).copied());
            let Some(case) = JudgedCase::new(comparison, history) else {
                matchup.without_case += 1;
                continue;
            };
            if let Some(verdict) = unblinded.verdict {
                matchup.verdicts.count(verdict);
                verdicts_by_case.entry((unblinded.versions, case)).or_default().count(verdict);
            }
        }
    }
    for ((versions, _), verdicts) in verdicts_by_case {
        if let Some(matchup) = matchups.get_mut(&versions) {
            // A verdict that flips with the order of the outputs leaves its case even.
            matchup.cases.count(verdicts.won.cmp(&verdicts.lost));
        }
    }
    let named = matchups.into_iter().map(|(versions, matchup)| Matchup { versions, ..matchup });
    named.collect()
}

/// The index of the history of each case, by iteration and case.
fn histories_by_place(cases: &[CaseHistory]) -> BTreeMap<(usize, usize), usize> {
    let mut histories = BTreeMap::new();
    for (index, history) in cases.iter().enumerate() {
        for appearance in &history.appearances {
            histories.insert((appearance.iteration, appearance.case), index);
        }
    }
    histories
}

/// What identifies the case of a comparison over all iterations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum JudgedCase {
    /// Index of the history of a case that has runs.
    WithRuns(usize),
    Name(String),
    Prompt(String),
}

impl JudgedCase {
    /// `None` if the comparison names no case. Some judges compare cases that have no runs here, so
    /// name and prompt count as well.
    fn new(comparison: &BlindComparison, history: Option<usize>) -> Option<Self> {
        if let Some(history) = history {
            return Some(Self::WithRuns(history));
        }
        if let Some(name) = &comparison.case {
            return Some(Self::Name(folded_name(name)));
        }
        let prompt = comparison.prompt.as_deref()?;
        Some(Self::Prompt(folded(prompt).into_owned()))
    }
}

/// A comparison whose letters are known.
struct Unblinded {
    versions: Versions,
    /// [`Ordering::Greater`] is a win of the first version; `None` without a readable verdict.
    verdict: Option<Ordering>,
}

impl Unblinded {
    /// `None` where a letter is unknown, or both stand for the same version.
    fn new(comparison: &BlindComparison, index: usize, iteration: &Iteration) -> Option<Self> {
        let labels = LabelMapping::new(comparison);
        let (a, b) = (labels.a?, labels.b?);
        if a == b {
            return None;
        }
        // Configurations are listed with the candidate first.
        let place_a = iteration.configurations.iter().position(|name| *name == a);
        let place_b = iteration.configurations.iter().position(|name| *name == b);
        let first_is_a = match (place_a, place_b) {
            (Some(place_a), Some(place_b)) => place_a < place_b,
            (None, None) => is_later_version(&a, &b),
            (place_a, _) => place_a.is_some(),
        };
        let is_configuration = place_a.or(place_b).is_some();
        let iteration = if is_configuration { Some(index) } else { None };
        let (first, second) = if first_is_a { (a, b) } else { (b, a) };
        let verdict = comparison.winner.map(|winner| match winner {
            Winner::Tie => Ordering::Equal,
            Winner::A if first_is_a => Ordering::Greater,
            Winner::B if !first_is_a => Ordering::Greater,
            Winner::A | Winner::B => Ordering::Less,
        });
        Some(Self { versions: Versions { iteration, first, second }, verdict })
    }
}

/// Whether `a` is the later of two versions that are no configurations: the one not named like a
/// baseline, else the higher name.
fn is_later_version(a: &str, b: &str) -> bool {
    match find_baseline(&[a.to_owned(), b.to_owned()], &Settings::default()) {
        Some(baseline) => baseline == b,
        None => natural_order(a, b) == Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::{Matchup, WinsAndLosses};
    use crate::analyze::analysis;
    use crate::model::{BlindComparison, Case, Iteration, JudgedSide, Winner, Workspace};
    use crate::settings::Settings;

    /// `1 v2 v1 A` is case 1, v2 behind A, v1 behind B, A won. `-` is unknown.
    fn comparison(line: &str) -> BlindComparison {
        let parts: Vec<&str> = line.split(' ').collect();
        let known = |at: usize| Some(parts[at].to_owned()).filter(|part| part != "-");
        BlindComparison {
            path: "x/comparison.json".to_owned(),
            case: known(0),
            winner: match parts[3] {
                "A" => Some(Winner::A),
                "B" => Some(Winner::B),
                "T" => Some(Winner::Tie),
                _ => None,
            },
            a: JudgedSide { version: known(1), ..JudgedSide::default() },
            b: JudgedSide { version: known(2), ..JudgedSide::default() },
            ..BlindComparison::default()
        }
    }

    fn matchups(lines: &[&str]) -> Vec<Matchup> {
        let iteration = Iteration {
            configurations: vec!["with_skill".to_owned(), "without_skill".to_owned()],
            cases: (1..4).map(|at| Case { name: at.to_string(), ..Case::default() }).collect(),
            comparisons: lines.iter().map(|line| comparison(line)).collect(),
            ..Iteration::default()
        };
        let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        analysis(&workspace, &Settings::default()).matchups
    }

    #[test]
    fn verdicts_count_by_case_for_the_later_version() {
        let lines =
            ["1 v10 v9 A", "1 v9 v10 A", "2 v9 v10 B", "3 v10 v9 T", "- v10 v9 A", "x v10 v9 -"];
        let [found] = &matchups(&lines)[..] else { panic!("one pair of versions") };
        assert_eq!((found.versions.first.as_str(), found.versions.second.as_str()), ("v10", "v9"));
        assert_eq!((found.comparisons, found.without_case, found.undecided), (6, 1, 1));
        assert_eq!(found.verdicts, WinsAndLosses { won: 2, lost: 1, tied: 1 });
        let cases = WinsAndLosses { won: 1, lost: 0, tied: 2 };
        assert_eq!(found.cases, cases, "what flips with the order is even");
        assert_eq!(found.p(), Some(1.0));
    }

    #[test]
    fn the_first_version_is_the_candidate_or_the_later_one() {
        for (line, iteration, first) in [
            ("1 without_skill with_skill B", Some(0), "with_skill"),
            ("1 control alpha B", None, "alpha"),
            ("1 v2 with_skill B", Some(0), "with_skill"),
        ] {
            let found = &matchups(&[line])[0];
            assert_eq!((found.versions.iteration, &*found.versions.first), (iteration, first));
            assert_eq!(found.cases, WinsAndLosses { won: 1, lost: 0, tied: 0 }, "{line}");
        }
    }

    #[test]
    fn blinded_comparisons_are_not_about_versions() {
        assert!(matchups(&["1 - - A", "2 v1 - B", "3 v1 v1 A"]).is_empty());
        let open = &matchups(&["1 v2 v1 -"])[0];
        assert_eq!((open.undecided, open.p()), (1, None));
    }
}
