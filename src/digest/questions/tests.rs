use super::{MissingRow, Question, Questions, RowAnswer, RowTone, RowWord};
use crate::analyze::{VerdictWord, analysis};
use crate::digest::Comparisons;
use crate::tests::workspaces::{case, run, workspace};
use input::model::{Case, Workspace};
use input::settings::Settings;
use testing::gradings::verdicts;

/// Cases `a`, `b` and so on; a run for each configuration and each of its verdicts, such as `ppf ppf`.
fn cases(sides: &[(&str, &[&str])]) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for at in 0..sides[0].1.len() {
        let mut runs = Vec::new();
        for (name, by_case) in sides {
            let letters = by_case[at].split(' ').filter(|letters| !letters.is_empty());
            for (number, letters) in letters.enumerate() {
                runs.push(run(name, number as u32 + 1, verdicts(letters)));
            }
        }
        cases.push(case(&format!("case {at}"), runs));
    }
    cases
}

/// `helps 0 with_skill / 0 without_skill: …` for each row of the newest candidate.
fn rows(workspace: &Workspace) -> Vec<String> {
    let analysis = analysis(workspace, &Settings::default());
    let comparisons = Comparisons::empty(workspace, &analysis);
    let questions = Questions::new(&comparisons, &analysis.newest_candidate().unwrap());
    let mut lines = Vec::new();
    for row in questions.rows() {
        let what = match &row.answer {
            RowAnswer::Missing(missing) => format!("{} {:?}", missing.name(), missing.last()),
            RowAnswer::Compared(found) => format!(
                "{} {}: {:?}",
                found.change.before.iteration, found.change.before.configuration, found.word
            ),
        };
        let condition = row.condition.unwrap_or_default();
        lines.push(format!("{} {condition} {what}", row.question.name()));
    }
    lines
}

#[test]
fn three_arms_fill_both_rows() {
    let sides: [(&str, &[&str]); 3] = [
        ("with_skill", &["ppp", "ppp"]),
        ("old_skill", &["ppf", "ppp"]),
        ("without_skill", &["pff", "fff"]),
    ];
    let found = rows(&workspace(vec![cases(&sides)]));
    assert!(found[0].starts_with("helps  0 without_skill: "), "{found:?}");
    assert!(found[1].starts_with("changed  0 old_skill: "), "{found:?}");
}

#[test]
fn a_row_without_data_says_what_is_missing_and_when_it_was_known() {
    let first = cases(&[("with_skill", &["pp"]), ("without_skill", &["pf"])]);
    assert_eq!(rows(&workspace(vec![first.clone()]))[1], "changed  first iteration None");
    let second = cases(&[("with_skill", &["pp"]), ("old_skill", &["pf"])]);
    let found = rows(&workspace(vec![first, second]));
    assert_eq!(found[0], "helps  not asked Some((0, 0.5))");
    let open = cases(&[("with_skill", &["pp"]), ("without_skill", &["??"])]);
    assert_eq!(rows(&workspace(vec![open]))[0], "helps  not graded None");
}

#[test]
fn what_repeated_runs_lost_is_the_word_of_an_open_row() {
    let now = |letters| cases(&[("with_skill", &[letters, "pppp pppp pppp"])]);
    for (before, after, expected) in [
        ("pppp pppp pppp", "pppf pppf pppf", RowWord::Lost(1)),
        ("pppf pppf pppf", "pppp pppp pppp", RowWord::Repaired(1)),
        ("pppp pppp pppp", "pppp pppp pppf", RowWord::NoRegression),
        ("pppp", "pppf", RowWord::Verdict(VerdictWord::DownInSome { down: 1, cases: 2 })),
    ] {
        let workspace = workspace(vec![now(before), now(after)]);
        let analysis = analysis(&workspace, &Settings::default());
        let comparisons = Comparisons::empty(&workspace, &analysis);
        let questions = Questions::new(&comparisons, &analysis.newest_candidate().unwrap());
        let row = questions.changed[0].compared().unwrap();
        assert_eq!(row.word, expected, "{before} {after}");
        let is_worse = matches!(expected, RowWord::Lost(_));
        assert_eq!(row.tone() == RowTone::Worse, is_worse, "{before} {after}");
        assert_eq!(row.question(), Question::Changed);
    }
}

#[test]
fn three_arms_under_each_condition_fill_all_rows() {
    let mut sides: Vec<(&str, &[&str])> = Vec::new();
    for name in ["opus/with_skill", "gpt/with_skill"] {
        sides.push((name, &["pp", "pp"]));
    }
    for name in ["opus/old_skill", "gpt/old_skill", "opus/without_skill", "gpt/without_skill"] {
        sides.push((name, &["pf", "pf"]));
    }
    let found = rows(&workspace(vec![cases(&sides)]));
    for (row, before) in found.iter().zip([
        "gpt/without_skill",
        "opus/without_skill",
        "gpt/old_skill",
        "opus/old_skill",
    ]) {
        assert!(row.contains(&format!(" 0 {before}: ")), "{found:?}");
    }
}

#[test]
fn conditions_that_are_not_up_come_first() {
    let sides: [(&str, &[&str]); 4] = [
        ("opus/with_skill", &["pp", "pp"]),
        ("opus/without_skill", &["pf", "ff"]),
        ("gpt/with_skill", &["pf", "pf"]),
        ("gpt/without_skill", &["pf", "pf"]),
    ];
    let found = rows(&workspace(vec![cases(&sides)]));
    assert_eq!(found.len(), 4);
    assert!(found[0].starts_with("helps gpt 0 gpt/without_skill: "), "{found:?}");
    assert!(found[1].starts_with("helps opus "), "{found:?}");
    assert!(found[2].contains(MissingRow::FirstIteration.name()), "{found:?}");
}
