//! Configurations spelled in several ways: one if nothing contradicts, else each its own.

use super::{GRADING, check, problems, runs, workspace};
use crate::assemble::relabel;

#[test]
fn the_newest_spelling_names_the_configuration() {
    check(
        "in any order of files
        iteration-10/a/With_Skill/run-1/grading.json
        iteration-1/a/with-skill/grading.json
        iteration-1/b/With-Skill/grading.json
        iteration-2/a/without_skill/grading.json
        iteration-2/a/with_skill/grading.json
        > iteration-1/a/With_Skill/1 1:1
        > iteration-1/b/With_Skill/1 1:1
        > iteration-2/a/With_Skill/1 1:1
        > iteration-2/a/without_skill/1 1:1
        > iteration-10/a/With_Skill/1 1:1",
    );
}

#[test]
fn the_spelling_of_a_folder_wins_over_labels_and_files() {
    let outputs = [
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
        ("iteration-1/a/without_skill/outputs/x.md", "x"),
    ];
    let text = format!("{{\"With Skill\": {GRADING}, \"without-skill\": {GRADING}}}");
    let graded = [
        vec![("iteration-1/a/grading.json", text.as_str())],
        vec![
            ("iteration-1/a/grading_with-skill.json", GRADING),
            ("iteration-1/a/grading_without-skill.json", GRADING),
        ],
    ];
    for graded in graded {
        let actual = workspace(&[&outputs[..], &graded].concat());
        let expected = ["iteration-1/a/with_skill/1 1:1", "iteration-1/a/without_skill/1 1:1"];
        assert_eq!(runs(&actual), expected, "{graded:?}");
        assert_eq!(problems(&actual), [""; 0], "{graded:?}");
    }
}

#[test]
fn two_spellings_next_to_each_other_are_two_everywhere() {
    check(
        "in folders
        iteration-1/a/gpt-4.1/grading.json
        iteration-1/a/gpt-4-1/grading.json
        iteration-2/a/gpt-4.1/grading.json
        iteration-2/a/other/grading.json
        > iteration-1/a/gpt-4-1/1 1:1
        > iteration-1/a/gpt-4.1/1 1:1
        > iteration-2/a/gpt-4.1/1 1:1
        > iteration-2/a/other/1 1:1

        in a document
        iteration-1/a/grading.json {\"with-skill\": {ITEMS}, \"with_skill\": {ITEMS}}
        > iteration-1/a/with-skill/1 1:0
        > iteration-1/a/with_skill/1 1:0",
    );
}

#[test]
fn a_label_of_the_settings_follows_its_configuration() {
    let mut actual = workspace(&[
        ("iteration-1/a/with-skill/grading.json", GRADING),
        ("iteration-2/a/with_skill/grading.json", GRADING),
    ]);
    let labels = std::collections::BTreeMap::from([("with-skill".to_owned(), "new".to_owned())]);
    relabel(&mut actual, &labels).unwrap();
    assert_eq!(runs(&actual), ["iteration-1/a/new/1 1:1", "iteration-2/a/new/1 1:1"]);
}
