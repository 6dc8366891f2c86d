use super::{Gain, Measure, Verdict, gain};
use crate::analyze::ClaimScope;
use crate::analyze::Side;
use crate::analyze::case_history::case_histories;
use crate::tests::workspaces::{case, run, workspace};
use input::model::{Case, Run, Workspace};
use testing::gradings::{checks, verdicts};

fn gain_of(workspace: &Workspace, before: &Side, after: &Side) -> Gain {
    gain(workspace, &case_histories(workspace), before, after)
}

/// The gain of `new` over `old` in one iteration.
fn within(cases: Vec<Case>) -> Gain {
    gain_of(&workspace(vec![cases]), &Side::new(0, "old"), &Side::new(0, "new"))
}

/// A run with so many passes out of ten.
fn out_of_ten(configuration: &str, passed: usize) -> Run {
    let letters = "p".repeat(passed) + &"f".repeat(10 - passed);
    run(configuration, 1, verdicts(&letters))
}

/// One case per pair of passes out of ten; `None` means that the side is missing.
fn verdict(cases: &[(Option<usize>, Option<usize>)]) -> (Verdict, usize) {
    let mut found = Vec::new();
    for (at, (old, new)) in cases.iter().enumerate() {
        let old = old.map(|passed| out_of_ten("old", passed));
        let new = new.map(|passed| out_of_ten("new", passed));
        found.push(case(&format!("case {at}"), old.into_iter().chain(new).collect()));
    }
    let gain = within(found);
    (gain.verdict(), gain.shared.len())
}

#[test]
fn verdicts_are_as_sure_as_the_cases_allow() {
    let both = |(old, new)| (Some(old), Some(new));
    let gained: Vec<_> = (0..8).map(|at| both((3, 6 + at % 3))).collect();
    let lost: Vec<_> = gained.iter().map(|(old, new)| (*new, *old)).collect();
    let much: Vec<_> = (0..4).map(|at| both((1, 8 + at % 3))).collect();
    let mixed = [(3, 6), (6, 3), (5, 6), (7, 6), (2, 3), (9, 8)].map(both);
    let table: [(&[(Option<usize>, Option<usize>)], Verdict, usize); 9] = [
        (&gained, Verdict::Better(ClaimScope::CasesLikeThese), 8),
        (&lost, Verdict::Worse(ClaimScope::CasesLikeThese), 8),
        (&much, Verdict::ProbablyBetter, 4),
        (&mixed, Verdict::Unclear, 6),
        (&mixed[..4], Verdict::Unclear, 4),
        (&[both((3, 3)), both((5, 5))], Verdict::AboutTheSame(ClaimScope::TheseCases), 2),
        (&[both((1, 9))], Verdict::Unclear, 1),
        (&[(Some(3), None), (None, Some(3))], Verdict::NoComparison, 0),
        (&[both((1, 9)), (None, Some(0)), (Some(10), None)], Verdict::Unclear, 1),
    ];
    for (cases, expected, shared) in table {
        assert_eq!(verdict(cases), (expected, shared), "{cases:?}");
    }
}

#[test]
fn cases_with_one_prompt_are_one_task() {
    let mut cases = Vec::new();
    for (name, same, passed) in [("a", None, 6), ("b", Some("a"), 10), ("c", None, 2)] {
        let runs = vec![out_of_ten("old", 2), out_of_ten("new", passed)];
        cases.push(Case { same_prompt_as: same.map(str::to_owned), ..case(name, runs) });
    }
    let actual = within(cases);
    let paired = actual.paired().unwrap();
    assert_eq!((actual.shared.len(), paired.cases), (3, 2));
    assert!((paired.mean - 0.3).abs() < 1e-12, "{}", paired.mean);
}

/// The gain from an iteration to the next on one case with these prompts and checks.
fn between(prompts: [&str; 2], found: [&[(&str, char)]; 2]) -> Gain {
    let cases = [0, 1].map(|at| {
        let prompt = Some(prompts[at].to_owned());
        vec![Case { prompt, ..case("a", vec![run("s", 1, checks(found[at]))]) }]
    });
    gain_of(&workspace(cases.to_vec()), &Side::new(0, "s"), &Side::new(1, "s"))
}

#[test]
fn another_prompt_is_another_task() {
    let same = between(["Do it", "do  it"], [&[("x", 'f')], &[("x", 'p')]]);
    assert_eq!((same.shared.len(), same.unlike.len()), (1, 0));
    let other = between(["Do it", "Do this"], [&[("x", 'f')], &[("x", 'p')]]);
    assert_eq!((other.shared.len(), other.unlike.len()), (0, 1));
    assert_eq!(other.verdict(), Verdict::NoComparison);
}

#[test]
fn only_statements_of_both_sides_count() {
    let old: &[(&str, char)] = &[("x", 'p'), ("y", 'f'), ("z", 'p')];
    let new: &[(&str, char)] = &[("x", 'p'), ("y", 'p'), ("v", 'f'), ("w", 'f')];
    let actual = between(["", ""], [old, new]);
    assert_eq!((actual.before.passed, actual.before.graded()), (1, 2));
    assert_eq!((actual.after.passed, actual.after.graded()), (2, 2));
    assert_eq!(actual.paired().unwrap().mean, 0.5);
    let few: &[(&str, char)] = &[("x", 'p'), ("v", 'p'), ("w", 'p')];
    assert_eq!(between(["", ""], [old, few]).unlike, [0], "one of three is too few");
}

#[test]
fn checks_of_two_sides_of_one_iteration() {
    // Cases compared and left out, checks without a verdict, and mean pass rates.
    let table: [([&[(&str, char)]; 2], [usize; 2], [usize; 2], Option<[f64; 2]>); 4] = [
        // Sides that were checked by something else are not compared.
        ([&[("Names a date", 'p')], &[("Adds up", 'p'), ("Has rows", 'f')]], [0, 1], [0, 0], None),
        // Worded anew, as many.
        ([&[("Names a date", 'f')], &[("It says when", 'p')]], [1, 0], [0, 0], Some([0.0, 1.0])),
        ([&[("a", 'p'), ("b", 'p')], &[("a", 'p'), ("b", '?')]], [1, 0], [0, 1], Some([1.0; 2])),
        ([&[("a", '?')], &[("a", '?')]], [0, 0], [0, 0], None),
    ];
    for ([old, new], compared, unjudged, means) in table {
        let runs = vec![run("old", 1, checks(old)), run("new", 1, checks(new))];
        let actual = within(vec![case("a", runs)]);
        assert_eq!([actual.shared.len(), actual.unlike.len()], compared, "{old:?} {new:?}");
        assert_eq!(actual.unjudged, unjudged);
        assert_eq!(actual.comparison.map(|comparison| comparison.means), means);
    }
}

/// Cases with the same passing checks on both sides and these scores.
fn scored(cases: &[[&[Option<f64>]; 2]]) -> Gain {
    let mut found = Vec::new();
    for (at, sides) in cases.iter().enumerate() {
        let mut runs = Vec::new();
        for (name, scores) in ["old", "new"].into_iter().zip(sides) {
            let mut run = run(name, 1, verdicts(&"p".repeat(scores.len())));
            run.gradings[0].is_scored = true;
            for (check, score) in run.gradings[0].expectations.iter_mut().zip(*scores) {
                check.score = *score;
            }
            runs.push(run);
        }
        found.push(case(&format!("case {at}"), runs));
    }
    within(found)
}

#[test]
fn scores_are_compared_where_every_verdict_has_one() {
    let (three, five, none) = (Some(3.0), Some(5.0), None);
    let gained: [&[Option<f64>]; 2] = [&[three, three], &[five, five]];
    let actual = scored(&[gained; 8]);
    assert_eq!((actual.measure(), actual.scores()), (Measure::Score, Some([3.0, 5.0])));
    assert_eq!(actual.verdict(), Verdict::Better(ClaimScope::CasesLikeThese));
    assert_eq!(
        (actual.paired().unwrap().mean, actual.comparison.map(|comparison| comparison.means)),
        (0.5, Some([1.0, 1.0]))
    );
    // A verdict of one case lacks a score: nothing is compared by scores.
    let mut cases = [gained; 8];
    let lacking = [three, none];
    cases[7][0] = &lacking;
    let actual = scored(&cases);
    assert_eq!((actual.measure(), actual.scores()), (Measure::PassRate, None));
    assert_eq!(actual.verdict(), Verdict::AboutTheSame(ClaimScope::TheseCases));
    let alike = scored(&[[gained[0]; 2]; 8]);
    assert_eq!(alike.verdict(), Verdict::AboutTheSame(ClaimScope::TheseCases));
    assert!(!alike.is_saturated(), "scores may rise although every check passes");
    assert!(scored(&[[gained[1]; 2]; 2]).is_saturated());
}

#[test]
fn fallen_cases_are_found_the_worst_first() {
    let mut cases = Vec::new();
    for (name, old, new) in [("a", 8, 4), ("b", 10, 0), ("c", 8, 5), ("d", 0, 10)] {
        cases.push(case(name, vec![out_of_ten("old", old), out_of_ten("new", new)]));
    }
    let mut stopped = case("e", vec![out_of_ten("old", 10), out_of_ten("new", 0)]);
    stopped.runs[1].error = Some("timeout".to_owned());
    cases.push(stopped);
    let fallen = within(cases).fallen;
    let facts: Vec<_> = fallen.iter().map(|fall| (fall.case, fall.before, fall.after)).collect();
    assert_eq!(facts, [(1, 1.0, 0.0), (0, 0.8, 0.4)]);
    assert!(fallen[0].is_single_run);
}

#[test]
fn more_candidates_need_more_cases() {
    let mut gain = scored(&[[&[Some(3.0)], &[Some(4.0)]]]);
    for (at_once, fewest) in [(1, 6), (2, 7), (3, 8), (100, 13)] {
        gain.comparison.as_mut().unwrap().at_once = at_once;
        assert_eq!(gain.cases_to_settle(), fewest);
    }
}
