use super::{Break, ConditionDifferences};
use crate::analyze::{Side, analysis};
use crate::tests::workspaces::{self, run, workspace};
use input::model::Case;
use input::settings::Settings;
use testing::gradings::verdicts;

fn case(name: &str, prompt: &str, letters: &str) -> Case {
    let prompt = Some(prompt.to_owned());
    Case { prompt, ..workspaces::case(name, vec![run("s", 1, verdicts(letters))]) }
}

fn breaks(iterations: Vec<Vec<Case>>) -> Vec<Break> {
    analysis(&workspace(iterations), &Settings::default()).breaks
}

#[test]
fn other_cases_prompts_and_expectations_break_the_line() {
    let found = breaks(vec![
        vec![case("a", "x", "p"), case("b", "y", "p")],
        vec![],
        vec![case("a", "x", "p"), case("b", "y", "f")],
        vec![case("a", "z", "p"), case("c", "w", "pp")],
        vec![case("a", "z", "pp"), case("c", "w", "pp")],
        vec![case("a", "z", "pp"), case("c", "w", "??")],
    ]);
    let expected = [
        Break { iteration: 3, new: vec![2], gone: vec![1], prompts: vec![0], ..Break::default() },
        Break { iteration: 4, expectations: vec![0], ..Break::default() },
        Break { iteration: 5, ungraded: vec![2], ..Break::default() },
    ];
    assert_eq!(found, expected);
}

#[test]
fn another_model_or_grader_breaks_the_line_where_both_are_known() {
    let with = |model: Option<&str>, grader: &str| {
        let mut case = case("a", "x", "p");
        case.runs[0].metrics.model = model.map(str::to_owned);
        case.runs[0].gradings[0].grader = Some(grader.to_owned());
        vec![case]
    };
    let found = breaks(vec![
        with(Some("m1"), "g1"),
        with(None, "g1"),
        with(Some("m1"), "g2"),
        with(Some("m2"), "g2"),
    ]);
    let names = |names: [&str; 2]| Some(names.map(|name| [name.to_owned()].into()));
    let expected = [
        (2, ConditionDifferences { models: None, graders: names(["g1", "g2"]) }),
        (3, ConditionDifferences { models: names(["m1", "m2"]), graders: None }),
    ];
    let found: Vec<_> = found.into_iter().map(|gap| (gap.iteration, gap.conditions)).collect();
    assert_eq!(found, expected);
}

#[test]
fn iterations_named_for_their_models_are_one_round() {
    let mut workspace = workspace(Vec::new());
    for (name, model, letters) in [
        ("iteration-1-gpt-a", "gpt-a", "fp"),
        ("iteration-1-gpt-b", "maker/gpt-b-v1:0", "fp"),
        ("iteration-2-gpt-a", "gpt-a", "pp"),
        ("iteration-2-again", "gpt-b", "pp"),
    ] {
        let names = ["old_skill", "with_skill"].into_iter();
        let runs = names.zip(letters.chars()).map(|(side, letter)| {
            let mut run = run(side, 1, verdicts(&letter.to_string()));
            run.metrics.model = Some(model.to_owned());
            run
        });
        let cases = vec![workspaces::case("a", runs.collect())];
        workspace.iterations.push(workspaces::iteration(name, cases));
    }
    let analysis = analysis(&workspace, &Settings::default());
    let models = |iteration| -> Vec<&str> {
        let side = Side::new(iteration, "with_skill");
        analysis.by_condition(&workspace, &side).into_iter().map(|(model, _)| model).collect()
    };
    assert_eq!(models(1), ["gpt-a", "gpt-b"]);
    assert_eq!((models(2), models(3)), (vec!["gpt-a"], vec![]));
}

#[test]
fn each_condition_has_its_own_baseline() {
    let table: [(&[(&str, &str)], &[(&str, &str, Option<f64>)]); 3] = [
        (
            &[
                ("gpt/with_skill", "p"),
                ("gpt/without_skill", "f"),
                ("opus/with_skill", "p"),
                ("opus/without_skill", "p"),
            ],
            &[("gpt", "gpt/with_skill", Some(1.0)), ("opus", "opus/with_skill", Some(0.0))],
        ),
        (&[("gpt/with_skill", "p")], &[("gpt", "gpt/with_skill", None)]),
        (&[("with_skill", "p"), ("old_skill", "f")], &[]),
    ];
    for (runs, expected) in table {
        let runs = runs.iter().map(|(name, letters)| run(name, 1, verdicts(letters)));
        let workspace = workspace(vec![vec![workspaces::case("a", runs.collect())]]);
        let found = analysis(&workspace, &Settings::default()).iterations.remove(0);
        let mut actual = Vec::new();
        for under in &found.under_conditions {
            let paired = under.change.as_ref().and_then(|change| change.gain.paired());
            let after = under.after.configuration.as_str();
            actual.push((under.condition.as_str(), after, paired.map(|paired| paired.mean)));
        }
        assert_eq!(actual, expected);
    }
}
