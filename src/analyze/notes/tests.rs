use super::{Note, Resource, find_notes};
use crate::analyze::roles;
use crate::tests::workspaces::{self, case, iteration};
use input::model::{Metrics, Output, Run};
use input::settings::Settings;
use testing::gradings::verdicts;

fn run(configuration: &str, number: u32, letters: &str) -> Run {
    workspaces::run(configuration, number, verdicts(letters))
}

fn with_tokens(tokens: f64, run: Run) -> Run {
    Run { metrics: Metrics { tokens: Some(tokens), ..run.metrics.clone() }, ..run }
}

fn notes(cases: Vec<Vec<Run>>) -> Vec<Note> {
    let cases = cases.into_iter().enumerate().map(|(at, runs)| case(&format!("case {at}"), runs));
    let iteration = iteration("iteration-1", cases.collect());
    find_notes(&iteration, &roles::assign_roles(&iteration, &Settings::default()))
}

const WITH: &str = "with_skill";
const WITHOUT: &str = "without_skill";

/// The name of each note, without its numbers.
fn kinds(notes: &[Note]) -> Vec<String> {
    let kind = |note: &Note| {
        let text = format!("{note:?}");
        text.split(' ').next().unwrap_or_default().to_owned()
    };
    notes.iter().map(kind).collect()
}

#[test]
fn usefulness_is_noted_with_its_numbers() {
    let actual = notes(vec![vec![
        run(WITH, 1, "ppffp"),
        run(WITH, 2, "ppfpp"),
        run(WITHOUT, 1, "pffpf"),
        run(WITHOUT, 2, "pffpf"),
    ]]);
    assert_eq!(kinds(&actual), ["FavorsBaseline", "Saturated", "Dead", "Flaky"]);
    let [Note::FavorsBaseline { statements, of: 5 }, _, Note::Dead { statements: dead, .. }, flaky] =
        &actual[..]
    else {
        panic!("{actual:?}")
    };
    assert_eq!(statements[0].text, "check 4");
    assert_eq!(dead[0].text, "check 3");
    assert!(matches!(flaky, Note::Flaky { statements, of: 5 } if statements.len() == 1));
}

#[test]
fn doubts_about_the_numbers_come_first() {
    let output = |bytes| vec![Output { path: "a".into(), name: "a".into(), bytes }];
    let mut empty = run(WITH, 1, "pf");
    empty.outputs = output(0);
    empty.metrics.errors = Some(2.0);
    let mut other = run(WITHOUT, 1, "fp");
    other.outputs = output(5);
    let actual = notes(vec![vec![empty, other, run(WITH, 2, "??")], vec![run(WITHOUT, 1, "fp")]]);
    // With one run of a side no check is known to be better without the skill.
    assert_eq!(kinds(&actual), ["Ungraded", "OneSided", "Errors", "NoOutput"], "{actual:?}");
    let sides = Note::OneSided {
        configuration: WITHOUT.to_owned(),
        other: WITH.to_owned(),
        cases: vec![1],
    };
    assert_eq!(actual[1], sides);
    assert!(matches!(&actual[2], Note::Errors { errors: 2.0, runs } if runs.len() == 1));
    assert!(matches!(&actual[3], Note::NoOutput { runs, of: 3 } if runs.len() == 2));
}

#[test]
fn runs_that_disagree_and_runs_far_above_their_siblings() {
    let actual = notes(vec![vec![
        with_tokens(1000.0, run(WITH, 1, "pppp")),
        with_tokens(900.0, run(WITH, 2, "pfff")),
        with_tokens(2700.0, run(WITH, 3, "pppp")),
    ]]);
    let Note::HighVariance { cases } = &actual[0] else { panic!("{actual:?}") };
    assert_eq!((cases[0].least, cases[0].most), (0.25, 1.0));
    let Note::Runaways { resource: Resource::Tokens, runs } = &actual[1] else {
        panic!("{actual:?}")
    };
    assert_eq!((runs.len(), runs[0].at.run, runs[0].factor), (1, 2, 2.7));
}

#[test]
fn similar_costs_get_no_note() {
    let of = |tokens: f64| {
        let actual = notes(vec![vec![
            with_tokens(tokens, run(WITH, 1, "pf")),
            with_tokens(1000.0, run(WITHOUT, 1, "fp")),
        ]]);
        let cost = |note: &Note| match note {
            Note::Cost { ratio, resource: Resource::Tokens } => Some(ratio.geometric_mean),
            _ => None,
        };
        actual.iter().find_map(cost)
    };
    assert_eq!(of(1050.0), None);
    assert!((of(2000.0).unwrap() - 2.0).abs() < 1e-9);
    assert!((of(500.0).unwrap() - 0.5).abs() < 1e-9);
    assert_eq!(of(0.0), None, "0 stands for missing");
}

#[test]
fn costs_with_1_in_their_interval_get_no_note() {
    let is_noted = |ratios: &[f64]| {
        let case = |ratio: &f64| {
            vec![
                with_tokens(1000.0 * ratio, run(WITH, 1, "pf")),
                with_tokens(1000.0, run(WITHOUT, 1, "fp")),
            ]
        };
        let actual = notes(ratios.iter().map(case).collect());
        actual.iter().any(|note| matches!(note, Note::Cost { .. }))
    };
    assert!(is_noted(&[1.4, 1.5, 1.6, 1.5]));
    assert!(is_noted(&[1.5, 1.5]), "the same in every case");
    assert!(!is_noted(&[0.8, 3.0, 1.5, 1.2]));
}

#[test]
fn one_of_two_runs_may_be_far_above_the_other() {
    let runaways_of = |tokens: [f64; 2]| {
        let runs =
            tokens.iter().zip(1..).map(|(amount, at)| with_tokens(*amount, run(WITH, at, "p")));
        notes(vec![runs.collect()])
    };
    let actual = runaways_of([1000.0, 9000.0]);
    let Note::Runaways { runs, .. } = &actual[0] else { panic!("{actual:?}") };
    assert_eq!((runs[0].at.run, runs[0].factor, runs[0].of), (1, 9.0, 2));
    assert_eq!(runaways_of([1000.0, 2900.0]), []);
}

#[test]
fn too_little_evidence_gets_no_note() {
    assert_eq!(notes(vec![]), []);
    assert_eq!(notes(vec![vec![]]), []);
    // One run without a baseline.
    assert_eq!(notes(vec![vec![run(WITH, 1, "pfp")]]), []);
    // Two configurations whose names do not tell their roles.
    assert_eq!(notes(vec![vec![run("one", 1, "pf"), run("two", 1, "fp")]]), []);
}

#[test]
fn all_or_nothing_is_one_note_each() {
    let both =
        |verdicts: &str| notes(vec![vec![run(WITH, 1, verdicts), run(WITHOUT, 1, verdicts)]]);
    assert_eq!(kinds(&both("ppp")), ["Saturated"]);
    assert_eq!(kinds(&both("fff")), ["Dead"]);
    assert_eq!(kinds(&both("???")), ["Ungraded"]);
}

#[test]
fn a_hundred_configurations_get_one_note_per_fact() {
    let names: Vec<String> = (0..100).map(|at| format!("variant_{at}")).collect();
    let mut runs: Vec<Run> = names.iter().map(|name| run(name, 1, "??")).collect();
    runs.push(run(WITHOUT, 1, "pp"));
    let actual = notes(vec![runs]);
    assert_eq!(kinds(&actual), ["Ungraded"]);
    assert!(matches!(&actual[0], Note::Ungraded { runs, of: 101 } if runs.len() == 100));
}
