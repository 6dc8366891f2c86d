//! Blind comparisons added up: which of two versions is ahead, by case.
//!
//! Only comparisons count whose letters are unblinded. The case is the unit: a case that was judged
//! several times counts once, for the version with more verdicts.

mod unblinding;

pub use crate::analyze::blind::unblinding::{BlindCases, UnblindedLabels};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analyze::CaseHistory;
use crate::analyze::roles::find_baseline;
use input::model::{BlindComparison, Iteration, PersonalJudgement, Winner, Workspace};
use input::settings::Settings;
use statistics::sign_test_p;
use text::{folded, folded_name, natural_order};

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
    /// Judgements of people who saw the names. They are not counted.
    pub not_blind: usize,
    /// How often people and the grader prefer the same of two runs; only for judgements of people,
    /// blind or not.
    pub agreement: Agreement,
}

/// Pairs of runs of which both a person and the grader prefer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    pub pairs: usize,
    /// Those in which both prefer the same run.
    pub same: usize,
}

/// Fewer cases than this cannot reach the p at which a sign test settles anything.
const LEAST_JUDGED_CASES: usize = 6;

impl Matchup {
    /// Two-sided p of the sign test over cases, in 0..=1; `None` where no case has a winner.
    ///
    /// People judge few cases and go on while it looks good, so their test begins with six of them.
    pub fn p(&self) -> Option<f64> {
        if self.versions.by_people && self.cases.won + self.cases.lost < LEAST_JUDGED_CASES {
            return None;
        }
        sign_test_p(self.cases.won as u64, self.cases.lost as u64)
    }
}

/// The two versions compared, and by whom.
///
/// `with_skill` of two iterations is two different versions, so configurations go with their iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Versions {
    /// Index of the iteration whose configurations the names are; `None` for other names.
    pub iteration: Option<usize>,
    /// The later version, or the candidate.
    pub first: String,
    pub second: String,
    /// Whether people judged on review pages, not an agent.
    pub by_people: bool,
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
    pub(crate) fn count(&mut self, result: Ordering) {
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
    let rates = rates_by_run(workspace);
    let mut matchups: BTreeMap<Versions, Matchup> = BTreeMap::new();
    let mut verdicts_by_case: BTreeMap<(Versions, JudgedCase), WinsAndLosses> = BTreeMap::new();
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let compared_cases = BlindCases::new(iteration);
        for comparison in &iteration.comparisons {
            let Some(unblinded) = Unblinded::new(comparison, index, iteration) else { continue };
            let matchup = matchups.entry(unblinded.versions.clone()).or_default();
            matchup.comparisons += 1;
            if let Some(person) = &comparison.person {
                matchup.agreement.count(comparison.winner, person, &rates);
                if !person.blind {
                    matchup.not_blind += 1;
                    continue;
                }
            }
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

/// The pass rate of each graded run by its folder; empty where nobody judged pairs of runs.
fn rates_by_run(workspace: &Workspace) -> BTreeMap<&str, f64> {
    let mut comparisons = workspace.iterations.iter().flat_map(|iteration| &iteration.comparisons);
    if !comparisons.any(|comparison| comparison.person.is_some()) {
        return BTreeMap::new();
    }
    let mut rates = BTreeMap::new();
    for run in workspace.iterations.iter().flat_map(Iteration::runs) {
        if let Some(rate) = run.tally().pass_rate() {
            rates.insert(&*run.path, rate);
        }
    }
    rates
}

impl Agreement {
    /// Counts a pair of which a person and the grader both prefer one run.
    fn count(
        &mut self,
        winner: Option<Winner>,
        judgement: &PersonalJudgement,
        rates: &BTreeMap<&str, f64>,
    ) {
        let [Some(a), Some(b)] = judgement.runs.each_ref().map(|run| rates.get(&**run)) else {
            return;
        };
        let preferred = winner.map_or(Ordering::Equal, Winner::for_a);
        let graded = a.total_cmp(b);
        if graded != Ordering::Equal && preferred != Ordering::Equal {
            self.pairs += 1;
            self.same += usize::from(graded == preferred);
        }
    }
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
        let labels = UnblindedLabels::new(comparison);
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
        let of_a = comparison.winner.map(Winner::for_a);
        let verdict = if first_is_a { of_a } else { of_a.map(Ordering::reverse) };
        let by_people = comparison.person.is_some();
        Some(Self { versions: Versions { iteration, first, second, by_people }, verdict })
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
    use super::{Agreement, Matchup, WinsAndLosses};
    use crate::analyze::analysis;
    use input::model::{
        BlindComparison, Case, Expectation, Grading, Iteration, JudgedSide, Outcome,
        PersonalJudgement, Run, Winner, Workspace,
    };
    use input::settings::Settings;

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

    /// What people judged of the first case on, each `winner blind`; the grader prefers A throughout.
    fn judged(lines: &[&str]) -> Matchup {
        let mut iteration = Iteration {
            configurations: vec!["with_skill".to_owned(), "without_skill".to_owned()],
            ..Iteration::default()
        };
        for (at, line) in lines.iter().enumerate() {
            let (winner, blind) = line.split_once(' ').expect("two words");
            let name = format!("case-{at}");
            let runs = ["with_skill", "without_skill"].map(|side| format!("{name}/{side}"));
            let graded = |path: &String, outcome| Run {
                path: path.clone(),
                gradings: vec![Grading {
                    expectations: vec![Expectation { outcome, ..Expectation::default() }],
                    ..Grading::default()
                }],
                ..Run::default()
            };
            iteration.cases.push(Case {
                name: name.clone(),
                runs: vec![graded(&runs[0], Outcome::Passed), graded(&runs[1], Outcome::Failed)],
                ..Case::default()
            });
            let line = format!("{name} with_skill without_skill {winner}");
            let person =
                PersonalJudgement { blind: blind == "blind", runs, ..PersonalJudgement::default() };
            iteration
                .comparisons
                .push(BlindComparison { person: Some(person), ..comparison(&line) });
        }
        let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        analysis(&workspace, &Settings::default()).matchups.remove(0)
    }

    #[test]
    fn blind_judgements_of_people_are_tested_from_six_cases_on() {
        let five = judged(&["A blind", "A blind", "A blind", "A blind", "A blind", "T blind"]);
        assert!(five.versions.by_people);
        assert_eq!((five.cases.won, five.cases.tied, five.p()), (5, 1, None));
        let six = judged(&["A blind"; 6]);
        assert!(six.p().is_some_and(|p| (p - 1.0 / 32.0).abs() < 1e-9), "{:?}", six.p());
    }

    #[test]
    fn what_was_judged_with_names_in_sight_counts_for_the_agreement_alone() {
        let found = judged(&["A blind", "B open", "A open", "T blind"]);
        assert_eq!((found.not_blind, found.verdicts.total()), (2, 2));
        assert_eq!(found.agreement, Agreement { pairs: 3, same: 2 });
    }

    #[test]
    fn blinded_comparisons_are_not_about_versions() {
        assert!(matchups(&["1 - - A", "2 v1 - B", "3 v1 v1 A"]).is_empty());
        let open = &matchups(&["1 v2 v1 -"])[0];
        assert_eq!((open.undecided, open.p()), (1, None));
    }
}
