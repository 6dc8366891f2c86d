//! Cases: prompts and plans at every level, required marks, order.

use super::{GRADING, only_case, only_run, problems, workspace};

#[test]
fn a_prompt_is_found_at_every_level() {
    let metadata = r#"{"eval_id": 1, "eval_name": "rows", "prompt": "P", "assertions": ["a"]}"#;
    let evals = r#"{"skill_name": "pdf", "evals": [{"id": 1, "name": "eval-1", "prompt": "P"}]}"#;
    let transcript = "# Run\n\n## Eval Prompt\n\nP\n\n## Steps\n\nmore\n";
    let places = [
        ("iteration-1/eval-1/eval_metadata.json", metadata),
        ("iteration-1/eval-1/with_skill/eval_metadata.json", metadata),
        ("iteration-1/eval-1/with_skill/run-1/eval_metadata.json", metadata),
        ("iteration-1/eval-1/with_skill/prompt.md", "P"),
        ("iteration-1/eval_metadata.json", metadata),
        ("eval_metadata.json", metadata),
        ("evals.json", evals),
        ("evals/evals.json", evals),
        ("iteration-1/evals.json", evals),
        ("iteration-1/eval-1/with_skill/run-1/transcript.md", transcript),
    ];
    for (path, text) in places {
        let actual = workspace(&[
            ("iteration-1/eval-1/with_skill/run-1/grading.json", GRADING),
            (path, text),
        ]);
        assert_eq!(only_case(&actual).prompt.as_deref(), Some("P"), "{path}");
        assert_eq!(problems(&actual), [""; 0], "{path}");
    }
}

#[test]
fn a_case_name_loses_the_configuration_of_its_folder() {
    let name_of = |name: &dyn Fn(&str) -> String| {
        let metadata = |own| format!(r#"{{"eval_name": "{}", "prompt": "P"}}"#, name(own));
        let actual = workspace(&[
            ("iteration-1/a/with_skill/grading.json", GRADING),
            ("iteration-1/a/without_skill/grading.json", GRADING),
            ("iteration-1/a/with_skill/eval_metadata.json", &metadata("with_skill")),
            ("iteration-1/a/without_skill/eval_metadata.json", &metadata("without_skill")),
        ]);
        (only_case(&actual).name.clone(), problems(&actual).len())
    };
    let named = |name: &str, reported: usize| (name.to_owned(), reported);
    assert_eq!(name_of(&|own| format!("c64-cia ({own})")), named("c64-cia", 0));
    assert_eq!(name_of(&|own| format!("c64 CIA — {}", own.replace('_', " "))), named("c64 CIA", 0));
    assert_eq!(name_of(&|own| format!("c64-{own}")), named("c64", 0));
    assert_eq!(name_of(&|own| format!("({own})")), named("(with_skill)", 1));
    assert_eq!(name_of(&|own| format!("c64 ({own} x)")), named("c64 (with_skill x)", 1));
}

#[test]
fn a_name_that_ends_in_a_configuration_by_chance_is_kept() {
    let name_of = |metadata: &[(&str, &str)]| {
        let at = |side: &str, file: &str| format!("iteration-1/eval-1/{side}/{file}.json");
        let name = |(side, name): &(&str, &str)| {
            (at(side, "eval_metadata"), format!(r#"{{"eval_name": "{name}", "prompt": "P"}}"#))
        };
        let mut files: Vec<_> = metadata.iter().map(name).collect();
        let sides = ["python", "rust", "with_skill"];
        files.extend(sides.map(|side| (at(side, "grading"), GRADING.to_owned())));
        let files: Vec<_> = files.iter().map(|(path, text)| (&path[..], &text[..])).collect();
        let actual = workspace(&files);
        (only_case(&actual).name.clone(), problems(&actual).len())
    };
    let named = |name: &str| (name.to_owned(), 0);
    let port = "port-to-rust";
    assert_eq!(name_of(&[("python", port), ("rust", port)]), named(port));
    assert_eq!(name_of(&[("rust", port)]), named(port));
    assert_eq!(name_of(&[("python", "port"), ("rust", "port - rust")]), named("port"));
    assert_eq!(name_of(&[("rust", "port (rust)")]), named("port"));
    assert_eq!(name_of(&[("rust", "port -rust")]), named("port -rust"));
}

#[test]
fn a_case_has_one_name_where_one_side_alone_runs_again() {
    for joint in [" ({})", " - {}"] {
        let metadata = |own: &str| format!(r#"{{"eval_name": "z{}"}}"#, joint.replace("{}", own));
        let mut files = Vec::new();
        for (iteration, side) in [(1, "haiku"), (1, "opus"), (2, "opus")] {
            let at = format!("iteration-{iteration}/eval-1/{side}");
            files.push((format!("{at}/grading.json"), GRADING.to_owned()));
            files.push((format!("{at}/eval_metadata.json"), metadata(side)));
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (&path[..], &text[..])).collect();
        let actual = workspace(&files);
        let cases = actual.iterations.iter().flat_map(|iteration| &iteration.cases);
        let names: Vec<&str> = cases.map(|case| case.name.as_str()).collect();
        assert_eq!((names, problems(&actual)), (vec!["z", "z"], vec![]), "{joint}");
    }
}

#[test]
fn a_document_in_the_folder_of_a_case_describes_it() {
    let plan = r#"{"prompt": "P", "assertions": ["a", "b"]}"#;
    for name in ["eval.json", "case.json"] {
        let path = format!("evals/case-01/{name}");
        let actual = workspace(&[("evals/case-01/grading.json", GRADING), (&path, plan)]);
        let case = only_case(&actual);
        assert_eq!((case.prompt.as_deref(), case.planned.len()), (Some("P"), 2), "{name}");
        assert_eq!((actual.ignored.len(), problems(&actual)), (0, vec![]), "{name}");
        let other = r#"{"name": "other", "score": 3}"#;
        let actual = workspace(&[("evals/case-01/grading.json", GRADING), (&path, other)]);
        assert_eq!(only_case(&actual).name, "case-01", "{name}");
        assert_eq!((only_run(&actual).outputs.len(), problems(&actual)), (1, vec![]), "{name}");
    }
}

#[test]
fn the_plan_is_joined_by_id_then_by_name_then_by_folder() {
    let evals = r#"{"evals": [{"id": 1, "name": "other", "prompt": "by id"},
        {"id": 2, "name": "The Rows", "prompt": "by name"}, {"id": 3, "prompt": "by folder"}]}"#;
    let actual = workspace(&[
        ("evals.json", evals),
        ("iteration-1/x/eval_metadata.json", r#"{"eval_id": 1}"#),
        ("iteration-1/x/with_skill/grading.json", GRADING),
        ("iteration-1/the-rows/with_skill/grading.json", GRADING),
        ("iteration-1/eval-3/with_skill/grading.json", GRADING),
        ("iteration-1/none/with_skill/grading.json", GRADING),
    ]);
    let prompts: Vec<_> = actual.iterations[0]
        .cases
        .iter()
        .map(|case| (case.folder.as_str(), case.prompt.as_deref()))
        .collect();
    let expected = [
        ("eval-3", Some("by folder")),
        ("none", None),
        ("the-rows", Some("by name")),
        ("x", Some("by id")),
    ];
    assert_eq!(prompts, expected);
}

#[test]
fn metadata_that_contradicts_itself_is_a_problem() {
    let actual = workspace(&[
        ("iteration-1/a/eval_metadata.json", r#"{"eval_id": 1, "prompt": "P"}"#),
        ("iteration-1/a/baseline/eval_metadata.json", r#"{"eval_id": 2, "prompt": "Q"}"#),
        ("iteration-1/a/baseline/grading.json", GRADING),
    ]);
    let case = only_case(&actual);
    assert_eq!((case.id.as_deref(), case.prompt.as_deref()), (Some("1"), Some("P")));
    assert_eq!(problems(&actual), ["case-contradicts iteration-1/a/baseline/eval_metadata.json"]);
}

#[test]
fn required_marks_come_from_the_plan() {
    let evals = r#"{"skill": "s", "cases": [{"id": "a", "prompt": "p", "expectations": [
        {"criterion": "one", "description": "first", "required": true},
        {"criterion": "two", "description": "second", "required": false}]}]}"#;
    let grading = r#"{"case_id": "a", "results": [
        {"criterion": "one", "score": 4, "passed": true},
        {"criterion": "Two ", "score": 2, "passed": false}]}"#;
    let actual =
        workspace(&[("evals.json", evals), ("iteration-1/a/with_skill/grading.json", grading)]);
    let expectations = &only_case(&actual).runs[0].gradings[0].expectations;
    let marks: Vec<_> =
        expectations.iter().map(|e| (e.required, e.description.as_deref())).collect();
    assert_eq!(marks, [(Some(true), Some("first")), (Some(false), Some("second"))]);
}

#[test]
fn each_breach_of_a_rule_on_scores_is_one_problem_at_its_place() {
    let evals = r#"{"cases": [{"id": "a", "prompt": "p", "expectations": [
        {"criterion": "one", "description": "d", "required": true},
        {"criterion": "two", "description": "d", "required": false}]}]}"#;
    let results = r#""results": [{"criterion": "one", "score": 2, "passed": false},
        {"criterion": "two", "score": 4, "passed": true}]"#;
    let cases = [
        (r#""overall_score": 3.0, "required_score": 2.0, "overall": "fail""#, ""),
        (r#""overall_score": 4.0, "required_score": 2.0, "overall": "fail""#, "score-mean 1:19"),
        (r#""overall_score": 3.0, "required_score": 3.0, "overall": "fail""#, "score-mean 1:42"),
        (
            r#""overall_score": 3.0, "required_score": 2.0, "overall": "pass""#,
            "overall-contradicts 1:58",
        ),
    ];
    for (stated, expected) in cases {
        let grading = format!("{{{stated}, {results}}}");
        let actual = workspace(&[
            ("evals.json", evals),
            ("iteration-1/a/with_skill/grading.json", &grading),
        ]);
        let reported = actual.problems.iter().map(|problem| {
            let place = problem.place.map(|place| format!("{}:{}", place.line, place.column));
            format!("{} {}", problem.code.word(), place.unwrap_or_default())
        });
        assert_eq!(reported.collect::<Vec<_>>().join(" "), expected, "{stated}");
    }
}

#[test]
fn cases_and_iterations_are_in_natural_order() {
    let actual = workspace(&[
        ("iteration-10/eval-1/with_skill/grading.json", GRADING),
        ("iteration-2/eval-10/with_skill/grading.json", GRADING),
        ("iteration-2/eval-2/with_skill/grading.json", GRADING),
    ]);
    let names: Vec<_> = actual.iterations.iter().map(|iteration| iteration.name.as_str()).collect();
    assert_eq!(names, ["iteration-2", "iteration-10"]);
    let folders: Vec<_> =
        actual.iterations[0].cases.iter().map(|case| case.folder.as_str()).collect();
    assert_eq!(folders, ["eval-2", "eval-10"]);
}

#[test]
fn a_folder_without_metadata_has_the_name_of_other_iterations() {
    let metadata = |name: &str| format!("{{\"eval_id\": 1, \"eval_name\": \"{name}\"}}");
    let files = [
        ("iteration-1/eval-1/eval_metadata.json", metadata("rows")),
        ("iteration-1/eval-1/with_skill/grading.json", GRADING.to_owned()),
        ("iteration-2/eval-1/with_skill/grading.json", GRADING.to_owned()),
        ("iteration-3/eval-1/eval_metadata.json", metadata("columns")),
        ("iteration-3/eval-1/with_skill/grading.json", GRADING.to_owned()),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let named = |found: &crate::model::Workspace| -> Vec<String> {
        found.iterations.iter().map(|iteration| iteration.cases[0].name.clone()).collect()
    };
    let agreeing = workspace(&files[..3]);
    assert_eq!(named(&agreeing), ["rows", "rows"]);
    assert_eq!(agreeing.totals().cases, 1);
    assert_eq!(named(&workspace(&files)), ["rows", "eval-1", "columns"]);
}

#[test]
fn the_plan_is_joined_by_the_number_of_the_folder() {
    let prompt_of = |plan: &str, folders: &[&str]| {
        let paths: Vec<String> = folders
            .iter()
            .map(|folder| format!("iteration-1/{folder}/with_skill/grading.json"))
            .collect();
        let graded = paths.iter().map(|path| (path.as_str(), GRADING));
        let files: Vec<(&str, &str)> = graded.chain([("evals/evals.json", plan)]).collect();
        let actual = workspace(&files);
        let cases = actual.iterations[0].cases.iter();
        cases.map(|case| case.prompt.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    let one = r#"{"evals": [{"id": 1, "prompt": "P"}, {"id": 10, "prompt": "Q"}]}"#;
    for folder in ["eval-1-a", "eval-01", "eval_1", "case-1", "Case 1 rows", "test-001-b"] {
        assert_eq!(prompt_of(one, &[folder]), ["P"], "{folder}");
    }
    for id in [r#""eval-1""#, r#""case_01""#, r#""1""#] {
        let plan = format!("{{\"evals\": [{{\"id\": {id}, \"prompt\": \"P\"}}]}}");
        assert_eq!(prompt_of(&plan, &["eval-1-a"]), ["P"], "{id}");
    }
    for folder in ["eval-2-a", "rows-1", "eval-1st"] {
        let expected = if folder == "eval-1st" { "P" } else { "" };
        assert_eq!(prompt_of(one, &[folder]), [expected], "{folder}");
    }
    assert_eq!(prompt_of(one, &["eval-1-a", "eval-1-b"]), ["", ""], "either could be meant");
    let named = r#"{"evals": [{"id": 1, "name": "rows", "prompt": "P"},
        {"id": 2, "name": "columns", "prompt": "Q"}]}"#;
    assert_eq!(prompt_of(named, &["eval-1-columns", "eval-2-x"]), ["", "Q"], "two could be meant");
    assert_eq!(prompt_of(named, &["eval-1-rows", "eval-2-columns"]), ["P", "Q"]);
}

#[test]
fn two_cases_of_one_name_are_called_by_their_folders() {
    let metadata = |id: usize| {
        format!("{{\"eval_id\": {id}, \"eval_name\": \"descriptive-name\", \"prompt\": \"P{id}\"}}")
    };
    let (first, second) = (metadata(1), metadata(2));
    let named = |x: &str, y: &str| {
        let actual = workspace(&[
            ("iteration-1/x/eval_metadata.json", x),
            ("iteration-1/x/with_skill/grading.json", GRADING),
            ("iteration-1/y/eval_metadata.json", y),
            ("iteration-1/y/with_skill/grading.json", GRADING),
            ("iteration-2/x/eval_metadata.json", x),
            ("iteration-2/x/with_skill/grading.json", GRADING),
        ]);
        let names: Vec<_> =
            actual.iterations.iter().flat_map(|iteration| &iteration.cases).collect();
        let names: Vec<_> = names.iter().map(|case| case.name.clone()).collect();
        (names, problems(&actual))
    };
    let (names, reported) = named(&first, &second);
    assert_eq!(names, ["x", "y", "x"]);
    assert_eq!(reported, ["case-contradicts iteration-1/y/eval_metadata.json"]);
}

#[test]
fn metadata_next_to_the_configurations_is_of_the_iterations_only_case() {
    let metadata = r#"{"eval_id": 4, "eval_name": "rows", "prompt": "P", "expectations": ["a"]}"#;
    let files = [
        ("iteration-2/eval_metadata.json", metadata),
        ("iteration-2/with_skill/grading.json", GRADING),
        ("iteration-2/without_skill/grading.json", GRADING),
    ];
    let actual = workspace(&files);
    let case = only_case(&actual);
    let described = (case.id.as_deref(), case.name.as_str(), case.prompt.as_deref());
    assert_eq!(described, (Some("4"), "rows", Some("P")));
    assert_eq!((case.planned.len(), case.runs.len()), (1, 2));
    let beside = ("iteration-2/rows-2/with_skill/grading.json", GRADING);
    let actual = workspace(&[files[0], files[1], beside]);
    let prompts =
        actual.iterations[0].cases.iter().map(|case| (case.folder.as_str(), &case.prompt));
    let prompts: Vec<_> = prompts.collect();
    assert_eq!(prompts, [("", &Some("P".to_owned())), ("rows-2", &None)]);
}
