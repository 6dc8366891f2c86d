use std::collections::BTreeMap;

use super::{DecidingVerdict, deciding_verdicts};
use crate::analyze::{CheckAt, Verdict, analysis, with_verdicts};
use crate::digest::{Comparisons, Questions, RowWord};
use crate::tests::workspaces::{case, run, workspace};
use input::model::{Case, Outcome, Workspace};
use input::settings::Settings;
use statistics::Random;
use testing::gradings::verdicts;

fn deciding(workspace: &Workspace) -> Vec<DecidingVerdict> {
    let analysis = analysis(workspace, &Settings::default());
    let comparisons = Comparisons::empty(workspace, &analysis);
    let questions = Questions::new(&comparisons, &analysis.newest_candidate().unwrap());
    deciding_verdicts(&comparisons, &questions)
}

/// The verdict of the comparison with the baseline.
fn verdict(workspace: &Workspace) -> Verdict {
    analysis(workspace, &Settings::default()).changes[0].gain.verdict()
}

fn firmness(verdict: Verdict) -> i32 {
    use crate::analyze::ClaimScope::{CasesLikeThese, TheseCases};
    match verdict {
        Verdict::Better(CasesLikeThese) => 3,
        Verdict::Better(TheseCases) => 2,
        Verdict::ProbablyBetter => 1,
        Verdict::ProbablyWorse => -1,
        Verdict::Worse(TheseCases) => -2,
        Verdict::Worse(CasesLikeThese) => -3,
        _ => 0,
    }
}

fn flipped(workspace: &Workspace, places: &[CheckAt]) -> Workspace {
    let mut others = BTreeMap::new();
    for at in places {
        let is_passed = at.check(workspace).outcome == Outcome::Passed;
        others.insert(*at, Outcome::from(!is_passed));
    }
    with_verdicts(workspace, &others)
}

/// Whether the word is weaker with these verdicts decided the other way.
fn is_undone(workspace: &Workspace, places: &[CheckAt]) -> bool {
    let before = firmness(verdict(workspace));
    firmness(verdict(&flipped(workspace, places))) * before.signum() < before.abs()
}

fn places(workspace: &Workspace) -> Vec<CheckAt> {
    let mut places = Vec::new();
    for (case, found) in workspace.iterations[0].cases.iter().enumerate() {
        for (run, graded) in found.runs.iter().enumerate() {
            for check in 0..graded.expectations().len() {
                places.push(CheckAt { iteration: 0, case, run, grading: 0, check });
            }
        }
    }
    places
}

/// Whether some choice of so many verdicts undoes the word.
fn is_undone_by(workspace: &Workspace, number: usize) -> bool {
    fn search(workspace: &Workspace, rest: &[CheckAt], number: usize, of: &[CheckAt]) -> bool {
        if number == 0 {
            return is_undone(workspace, of);
        }
        (0..rest.len()).any(|at| {
            let chosen = [of, &rest[at..=at]].concat();
            search(workspace, &rest[at + 1..], number - 1, &chosen)
        })
    }
    search(workspace, &places(workspace), number, &[])
}

fn sides(new: &[&str], old: &str) -> Vec<input::model::Run> {
    let mut runs = vec![run("without_skill", 1, verdicts(old))];
    for (at, letters) in new.iter().enumerate() {
        runs.push(run("with_skill", at as u32 + 1, verdicts(letters)));
    }
    runs
}

#[test]
fn the_first_ones_are_the_fewest_that_undo_the_word() {
    let mut random = Random::new(5);
    let mut seen = 0;
    // Twelve verdicts each.
    for (number, checks) in [(6, 1), (3, 2), (2, 3)] {
        for _ in 0..40 {
            let mut side = |share: f64| -> String {
                (0..checks).map(|_| if random.unit() < share { 'p' } else { 'f' }).collect()
            };
            let mut cases: Vec<Case> = Vec::new();
            for at in 0..number {
                let (new, old) = (side(0.95), side(0.1));
                cases.push(case(&format!("case {at}"), sides(&[&new], &old)));
            }
            let made = workspace(vec![cases]);
            if firmness(verdict(&made)) == 0 {
                continue;
            }
            let found = deciding(&made);
            let first: Vec<CheckAt> =
                found.iter().filter(|one| one.undoes).map(|one| one.at).collect();
            let fewest = (1..=3).find(|number| is_undone_by(&made, *number));
            if let Some(fewest) = fewest.filter(|fewest| *fewest == first.len()) {
                seen += 1;
                assert!(is_undone(&made, &first), "{fewest}: {first:?}");
                assert!(found.iter().take(fewest).all(|one| one.undoes), "they come first");
            } else {
                // Two of one check are looked at once.
                assert!(fewest.is_none_or(|fewest| fewest > first.len()) && first.len() < 3);
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn at_most_twelve_of_different_checks_in_one_order() {
    let runs = || sides(&["ppppp", "ppppf", "pppff"], "pffff");
    let cases = (0..8).map(|at| case(&format!("case {at}"), runs())).collect();
    let made = workspace(vec![cases]);
    let found = deciding(&made);
    assert_eq!(found.len(), 12);
    assert_eq!(found, deciding(&made));
    let mut checks: Vec<_> = found.iter().map(|one| (one.case_index, one.at.check)).collect();
    checks.sort_unstable();
    checks.dedup();
    assert_eq!(checks.len(), 12);
    // The baseline has one run, so each of its verdicts weighs three times as much.
    let rest: Vec<_> = found.iter().filter(|one| !one.undoes).collect();
    assert!(rest.iter().all(|one| one.sides[0].configuration == "without_skill"));
}

#[test]
fn lost_checks_come_before_the_others() {
    let round = |letters: [&str; 3]| vec![case("a", sides(&letters, "ffff"))];
    let mut made = workspace(vec![round(["pppp"; 3]), round(["pppf"; 3])]);
    for iteration in &mut made.iterations {
        iteration.cases[0].runs.remove(0);
    }
    let analysis = analysis(&made, &Settings::default());
    let comparisons = Comparisons::empty(&made, &analysis);
    let questions = Questions::new(&comparisons, &analysis.newest_candidate().unwrap());
    assert_eq!(questions.changed[0].compared().unwrap().word, RowWord::Lost(1));
    let found = deciding_verdicts(&comparisons, &questions);
    assert!(found[0].undoes && !found[1].undoes);
    assert_eq!((found[0].at.iteration, found[0].at.check), (1, 3));
}
