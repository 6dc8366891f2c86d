use super::{Blind, blind};
use crate::analyze::analysis;
use crate::model::{BlindComparison, Case, Dimension, Iteration, JudgedSide, Winner, Workspace};
use crate::settings::Settings;

/// `1 v2 v1 A 4 5` is case 1, v2 behind A, v1 behind B, A won, scores 4 and 5. `-` is unknown.
fn comparison(line: &str) -> BlindComparison {
    let parts: Vec<&str> = line.split(' ').collect();
    let known = |at: usize| Some(parts[at].to_owned()).filter(|part| part != "-");
    let side = |at: usize| JudgedSide { version: known(at), ..JudgedSide::default() };
    let score = |at: usize| parts.get(at).and_then(|text| text.parse().ok());
    BlindComparison {
        path: "x/comparison.json".to_owned(),
        case: known(0),
        winner: match parts[3] {
            "A" => Some(Winner::A),
            "B" => Some(Winner::B),
            "T" => Some(Winner::Tie),
            _ => None,
        },
        dimensions: vec![Dimension { name: "craft".to_owned(), a: score(4), b: score(5) }],
        a: side(1),
        b: side(2),
        ..BlindComparison::default()
    }
}

fn blind_from(lines: &[&str]) -> Blind {
    let iteration = Iteration {
        configurations: vec!["with_skill".to_owned(), "without_skill".to_owned()],
        cases: (1..4).map(|at| Case { name: at.to_string(), ..Case::default() }).collect(),
        comparisons: lines.iter().map(|line| comparison(line)).collect(),
        ..Iteration::default()
    };
    let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
    blind(&workspace, &analysis(&workspace, &Settings::default()))
}

#[test]
fn verdicts_count_by_case_for_the_later_version() {
    let actual =
        blind_from(&["1 v10 v9 A", "1 v9 v10 A", "2 v9 v10 B", "3 v10 v9 T", "- v10 v9 A"]);
    let [contest] = &actual.contests[..] else { panic!("{:?}", actual.contests) };
    assert_eq!((contest.first.as_str(), contest.second.as_str()), ("v10", "v9"));
    assert_eq!((contest.comparisons, contest.without_case, contest.undecided), (5, 1, 0));
    let verdicts = contest.verdicts.as_ref().unwrap();
    assert_eq!((verdicts.wins, verdicts.losses, verdicts.ties), (2, 1, 1));
    assert_eq!(contest.by_case(), [1, 0, 2], "what flips with the order is a tie");
    let swapped = contest.swapped.unwrap();
    assert_eq!((swapped.passed(), swapped.total()), (0, 1));
    let letters = actual.letters.unwrap();
    assert_eq!((letters.a, letters.b, letters.later_is_a), (3, 1, (2, 4)));
}

#[test]
fn a_candidate_precedes_its_baseline_and_belongs_to_its_iteration() {
    let actual = blind_from(&["1 without_skill with_skill B"]);
    let contest = &actual.contests[0];
    assert_eq!((contest.iteration, contest.first.as_str()), (Some(0), "with_skill"));
    assert_eq!(contest.by_case(), [1, 0, 0]);
    let contest = &blind_from(&["1 control alpha B"]).contests[0];
    assert_eq!((contest.first.as_str(), contest.by_case()), ("alpha", [1, 0, 0]), "by name alone");
}

#[test]
fn scores_are_compared_by_case_without_means() {
    let actual = blind_from(&[
        "1 v2 v1 A 9 2",
        "1 v1 v2 B 4 7",
        "2 v2 v1 A 5 5",
        "3 v2 v1 B -40 1e300",
        "3 v2 v1 B NaN 3",
    ]);
    let respect = &actual.contests[0].respects[0];
    let signs = respect.signs;
    assert_eq!((signs.better, signs.worse, signs.same), (1, 1, 1));
    assert_eq!(respect.first.counts, [(-40.0, 1), (5.0, 1), (8.0, 1)]);
    assert!((respect.second.median - 5.0).abs() < 1e-12);
}

#[test]
fn three_versions_have_strengths_and_two_have_none() {
    let pair = ["1 v2 v1 A", "2 v2 v1 A"];
    assert!(blind_from(&pair).rankings.is_empty());
    let actual = blind_from(&["1 v2 v1 A", "2 v3 v2 A", "3 v3 v1 A", "1 v3 v1 B"]);
    let ranking = &actual.rankings[0];
    let versions = ranking.versions.as_ref().unwrap();
    let names: Vec<(&str, [usize; 3])> =
        versions.iter().map(|version| (version.name.as_str(), version.record)).collect();
    assert_eq!(names, [("v3", [2, 1, 0]), ("v2", [1, 1, 0]), ("v1", [1, 2, 0])]);
    assert_eq!((ranking.reference.as_str(), versions[2].interval), ("v1", None));
    let apart = blind_from(&["1 v2 v1 A", "2 v4 v3 A"]);
    assert!(apart.rankings[0].versions.is_err(), "they never met");
}

#[test]
fn undecided_or_blinded_comparisons_are_not_about_versions() {
    let actual = blind_from(&["1 - - A", "2 v1 - B", "3 v1 v1 A"]);
    assert!(actual.contests.is_empty() && actual.rankings.is_empty());
    assert_eq!(actual.letters.unwrap().later_is_a, (0, 0));
    let open = blind_from(&["1 v2 v1 -"]);
    assert_eq!((open.letters, open.contests[0].undecided), (None, 1));
    assert!(open.contests[0].verdicts.is_none());
}
