//! How far the graders of the same runs agree, where runs have several gradings.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::key;
use input::model::{Grading, Iteration, Outcome, Workspace};
use statistics::{Share, agreement};

#[derive(Clone, Debug, PartialEq)]
pub struct GraderPair {
    /// Their names, else those of their files, in order. Both are the same where one grader graded
    /// runs twice.
    pub names: [String; 2],
    /// Runs in which both gave a verdict on a statement they share.
    pub runs: usize,
    /// How many of their verdicts on shared statements are the same.
    pub agreement: Share,
    pub disputes: Vec<GraderDisagreement>,
    /// The checks on which they disagree, in the order of how often.
    pub checks: Vec<DisputedCheck>,
}

/// A check of any case and run on which two graders disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputedCheck {
    pub text: String,
    /// Runs in which they disagree on it, of those in which both gave a verdict.
    pub differing: usize,
    pub runs: usize,
}

/// A statement on which two graders disagree, with the indices of its case and run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraderDisagreement {
    pub case: usize,
    pub run: usize,
    pub key: String,
    pub text: String,
    /// The verdicts, in the order of the graders.
    pub outcomes: [Outcome; 2],
}

/// So many gradings of a run are compared; nobody reads the pairs of more.
const COMPARED_GRADINGS: usize = 16;

/// Every pair of graders of `iteration` that share a statement with verdicts, by their names.
/// Statements match by key alone: reworded ones are not compared.
pub(super) fn grader_pairs(iteration: &Iteration) -> Vec<GraderPair> {
    let mut pairs: BTreeMap<[String; 2], Shared> = BTreeMap::new();
    for (case_index, case) in iteration.cases.iter().enumerate() {
        for (run_index, run) in case.runs.iter().enumerate() {
            let gradings = &run.gradings[..run.gradings.len().min(COMPARED_GRADINGS)];
            for (at, first) in gradings.iter().enumerate() {
                for second in &gradings[at + 1..] {
                    // By name, so that a pair has the same order in every run.
                    let mut pair = [first, second];
                    pair.sort_by_key(|grading| name(grading));
                    let shared = pairs.entry(pair.map(name)).or_default();
                    shared.add(pair, case_index, run_index);
                }
            }
        }
    }
    let mut found = Vec::new();
    for (names, Shared { runs, verdicts: [first, second], disputes, checks }) in pairs {
        // Two graders that judged different runs share no statement.
        let Some(agreement) = agreement(&first, &second) else { continue };
        let mut checks: Vec<DisputedCheck> = checks.into_values().collect();
        checks.retain(|check| check.differing > 0);
        checks.sort_by(|a, b| b.differing.cmp(&a.differing).then(a.text.cmp(&b.text)));
        found.push(GraderPair { names, runs, agreement, disputes, checks });
    }
    found
}

/// The workspace with the verdicts of one grader wherever it gave one; else the verdicts that count.
pub(crate) fn as_graded_by(workspace: &Workspace, grader: &str) -> Workspace {
    let mut changed = workspace.clone();
    let cases = changed.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for run in cases.flat_map(|case| &mut case.runs) {
        let Some(own) = run.gradings.iter().find(|grading| name(grading) == grader) else {
            continue;
        };
        let said: BTreeMap<String, Outcome> =
            verdicts(own).map(|(key, _, outcome)| (key.into_owned(), outcome)).collect();
        for check in run.gradings.iter_mut().take(1).flat_map(|first| &mut first.expectations) {
            if let Some(outcome) = said.get(&*key(check)) {
                check.outcome = *outcome;
            }
        }
    }
    changed
}

#[derive(Default)]
struct Shared {
    runs: usize,
    verdicts: [Vec<Outcome>; 2],
    disputes: Vec<GraderDisagreement>,
    /// By the key of each statement.
    checks: BTreeMap<String, DisputedCheck>,
}

impl Shared {
    fn add(&mut self, [first, second]: [&Grading; 2], case: usize, run: usize) {
        let other_verdicts = verdicts(second).map(|(key, _, outcome)| (key, outcome));
        let other_verdicts: BTreeMap<Cow<'_, str>, Outcome> = other_verdicts.collect();
        let before = self.verdicts[0].len();
        for (key, text, outcome) in verdicts(first) {
            // A second grader may judge a sample of the checks only.
            let Some(other) = other_verdicts.get(&key) else { continue };
            self.verdicts[0].push(outcome);
            self.verdicts[1].push(*other);
            let check = self
                .checks
                .entry(key.clone().into_owned())
                .or_insert_with(|| DisputedCheck { text: text.to_owned(), differing: 0, runs: 0 });
            check.runs += 1;
            check.differing += usize::from(outcome != *other);
            if outcome != *other {
                let (key, text, outcomes) = (key.into_owned(), text.to_owned(), [outcome, *other]);
                self.disputes.push(GraderDisagreement { case, run, key, text, outcomes });
            }
        }
        self.runs += usize::from(self.verdicts[0].len() > before);
    }
}

/// The verdicts of a grading in order, each with its key and statement. The first verdict on a
/// repeated statement counts.
fn verdicts(grading: &Grading) -> impl Iterator<Item = (Cow<'_, str>, &str, Outcome)> {
    let mut known = BTreeSet::new();
    let judged = grading.expectations.iter().filter(|check| check.outcome != Outcome::Ungraded);
    let verdicts = judged.map(|check| (key(check), check.text.as_str(), check.outcome));
    verdicts.filter(move |(key, ..)| known.insert(key.clone()))
}

fn name(grading: &Grading) -> String {
    match &grading.grader {
        Some(grader) => grader.clone(),
        None => grading.path.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{as_graded_by, grader_pairs};
    use crate::tests::workspaces::grading as built;
    use input::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use testing::gradings::verdicts;

    fn grading(grader: &str, letters: &str) -> Grading {
        built(verdicts(letters).grader(grader))
    }

    fn unnamed(path: &str, letters: &str) -> Grading {
        Grading { path: path.to_owned(), ..built(verdicts(letters)) }
    }

    fn iteration(runs: Vec<Vec<Grading>>) -> Iteration {
        let runs = runs.into_iter().map(|gradings| Run { gradings, ..Run::default() }).collect();
        Iteration { cases: vec![Case { runs, ..Case::default() }], ..Iteration::default() }
    }

    #[test]
    fn a_pair_is_the_same_whoever_came_first() {
        let actual = grader_pairs(&iteration(vec![
            vec![grading("ann", "ppf?"), grading("bob", "pfff")],
            vec![grading("bob", "ff"), grading("ann", "pf")],
            vec![grading("ann", "pp")],
        ]));
        let [pair] = &actual[..] else { panic!("{actual:?}") };
        assert_eq!((pair.names.clone(), pair.runs), (["ann".to_owned(), "bob".to_owned()], 2));
        let share = pair.agreement;
        assert_eq!((share.passed(), share.total()), (3, 5), "what one left open is not shared");
        let mut disputes = Vec::new();
        for dispute in &pair.disputes {
            disputes.push((dispute.run, dispute.text.as_str(), dispute.outcomes));
        }
        let sides = [Outcome::Passed, Outcome::Failed];
        assert_eq!(disputes, [(0, "check 2", sides), (1, "check 1", sides)]);
        let mut checks = Vec::new();
        for check in &pair.checks {
            checks.push((check.text.as_str(), check.differing, check.runs));
        }
        assert_eq!(checks, [("check 1", 1, 2), ("check 2", 1, 2)]);
    }

    #[test]
    fn the_verdicts_of_a_grader_count_where_it_gave_one() {
        let iteration = iteration(vec![
            vec![grading("ann", "pp?"), grading("bob", "f?p")],
            vec![grading("ann", "pp")],
        ]);
        let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        let outcomes = |workspace: &Workspace| -> Vec<String> {
            let runs = workspace.iterations[0].cases[0].runs.iter();
            let letters = |check: &Expectation| match check.outcome {
                Outcome::Passed => 'p',
                Outcome::Failed => 'f',
                Outcome::Ungraded => '?',
            };
            runs.map(|run| run.expectations().iter().map(letters).collect()).collect()
        };
        assert_eq!(outcomes(&as_graded_by(&workspace, "bob")), ["fpp", "pp"]);
        assert_eq!(outcomes(&as_graded_by(&workspace, "ann")), ["pp?", "pp"]);
    }

    #[test]
    fn unnamed_graders_are_named_by_file_and_pairs_share_a_statement() {
        let both = vec![unnamed("a/grading.json", "p"), unnamed("a/g2.json", "p")];
        let actual = grader_pairs(&iteration(vec![both]));
        assert_eq!(actual[0].names, ["g2.json".to_owned(), "grading.json".to_owned()]);
        let open = vec![unnamed("a/1.json", "?"), unnamed("a/2.json", "p")];
        assert!(grader_pairs(&iteration(vec![open, vec![]])).is_empty());
    }
}
