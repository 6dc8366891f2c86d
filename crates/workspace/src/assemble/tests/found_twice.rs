//! Runs found twice: in another iteration, case, group or number.

use super::{content, problems, runs, workspace};
use input::model::Workspace;

/// A run: its folder, the grader's evidence, seconds.
type RunSpec<'a> = (&'a str, &'a str, u32);

/// The name of a copy's folder.
type Rename = Box<dyn Fn(&str) -> String>;

const ROUND: [RunSpec<'_>; 4] = [
    ("iteration-1/eval-1-rows/with_skill", "one", 11),
    ("iteration-1/eval-1-rows/without_skill", "two", 12),
    ("iteration-1/eval-2-cols/with_skill", "three", 13),
    ("iteration-1/eval-2-cols/without_skill", "four", 14),
];

/// The round beside a copy with every folder renamed.
fn twice(rename: impl Fn(&str) -> String) -> Workspace {
    let mut files: Vec<(String, String)> = Vec::new();
    for (folder, seen, seconds) in ROUND {
        for folder in [folder.to_owned(), rename(folder)] {
            files.push((format!("{folder}/grading.json"), content("", &format!("seen {seen}"))));
            files.push((format!("{folder}/timing.json"), content("", &format!("{seconds} s"))));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    workspace(&files)
}

#[test]
fn copies_of_an_iteration_in_any_shape_are_not_iterations() {
    let config_first = |folder: &str| {
        let parts: Vec<&str> = folder.split('/').collect();
        format!("iteration-1-flat/{}/{}", parts[2], parts[1])
    };
    let run_above = |folder: &str| {
        let parts: Vec<&str> = folder.split('/').collect();
        format!("results/{}/run-1/{}", parts[1], parts[2])
    };
    let shapes: [(&str, Rename); 7] = [
        ("a view", Box::new(|folder| folder.replace("iteration-1", "iteration-1-view"))),
        ("a nested workspace", Box::new(|folder| format!("foo-workspace/{folder}"))),
        ("the configuration first", Box::new(config_first)),
        ("the run above", Box::new(run_above)),
        ("a group in it", Box::new(|folder| folder.replace("iteration-1", "iteration-1/raw"))),
        ("a group beside it", Box::new(|folder| folder.replace("iteration-1", "raw"))),
        (
            "other names of cases",
            Box::new(|folder| folder.replace("eval-1-", "").replace("eval-2-", "")),
        ),
    ];
    for (shape, rename) in shapes {
        let actual = twice(rename);
        assert_eq!(runs(&actual).len(), 4, "{shape}: {:?}", runs(&actual));
        assert_eq!(actual.iterations.len(), 1, "{shape}");
        let reported = problems(&actual);
        let is_reported = |line: &String| line.starts_with("duplicate-grading ");
        assert!(!reported.is_empty() && reported.iter().all(is_reported), "{shape}: {reported:?}");
    }
}
