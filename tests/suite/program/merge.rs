//! Parts of one workspace, joined from their folders or from reports made elsewhere, give the bytes
//! of the whole; what they disagree on and what is missing in them is told.

#![allow(clippy::disallowed_methods, reason = "tests split folders and damage reports")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support;
use crate::support::{Ran, Workspace, assert_same, evalbook, examples, grading, name_of, project};
use rayon::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

/// How a workspace is split: files that share so many first names of their paths stay together.
const WAYS: &[(&str, usize)] =
    &[("iteration", 1), ("case", 2), ("configuration", 3), ("run", 4), ("file", usize::MAX)];

/// Splits `workspace` over three folders of its name below `place`.
fn split(workspace: &Path, depth: usize, place: &Path) -> Vec<PathBuf> {
    let mut groups: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut used: BTreeSet<PathBuf> = BTreeSet::new();
    for file in support::files(workspace) {
        let below = file.strip_prefix(workspace).expect("a file below the folder");
        let names: Vec<String> =
            below.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let group = if names.len() > depth { names[..depth].to_vec() } else { names };
        let next = groups.len() % 3;
        let part = *groups.entry(group).or_insert(next);
        let part = place.join(format!("part-{part}")).join(name_of(workspace));
        let target = part.join(below);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder of the part");
        std::fs::copy(&file, target).expect("a copied file");
        used.insert(part);
    }
    used.into_iter().collect()
}

/// Runs the program in `place`; it must succeed.
fn run(place: &Path, args: &[&str], paths: &[PathBuf], target: &str) -> Ran {
    let mut command = evalbook(place);
    let ran = Ran::of(command.args(args).args(paths).args(["-o", target]));
    assert_eq!(ran.code, Some(0), "{args:?} {paths:?}: {ran:?}");
    ran
}

fn tree(place: &Path, report: &str) -> BTreeMap<String, Vec<u8>> {
    support::tree(&place.join(report))
}

/// Reports of parts, each made alone; a part that holds no result alone has none.
fn reports(place: &Path, parts: &[PathBuf]) -> Vec<PathBuf> {
    let made = parts.iter().enumerate().map(|(index, part)| {
        let report = format!("made-{index}");
        run(place, &["build", "--part"], std::slice::from_ref(part), &report);
        place.join(report)
    });
    made.collect()
}

fn place() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn folders_with_parts_of_an_example_give_the_report_of_the_whole() {
    join_folders(&[WAYS[4]]);
}

#[test]
#[ignore = "slow: `tests/run --all`"]
fn folders_split_in_any_way_give_the_report_of_the_whole() {
    join_folders(WAYS);
}

fn join_folders(ways: &[(&str, usize)]) {
    examples().par_iter().for_each(|example| {
        let place = place();
        run(place.path(), &["build"], std::slice::from_ref(example), "whole");
        let whole = tree(place.path(), "whole");
        for (way, depth) in ways {
            let mut parts = split(example, *depth, &place.path().join(way));
            parts.reverse();
            let target = format!("joined-{way}");
            run(place.path(), &["build", "--merge"], &parts, &target);
            let what = format!("{} by {way}", name_of(example));
            assert_same(&what, &whole, &tree(place.path(), &target));
        }
    });
}

#[test]
fn reports_of_parts_of_an_example_give_the_report_of_the_whole() {
    join_reports(&[WAYS[1]]);
}

#[test]
#[ignore = "slow: `tests/run --all`"]
fn reports_of_parts_split_at_two_depths_give_the_report_of_the_whole() {
    join_reports(&[WAYS[1], WAYS[4]]);
}

fn join_reports(ways: &[(&str, usize)]) {
    examples().par_iter().for_each(|example| {
        let whole = place();
        run(whole.path(), &["build", "--part"], std::slice::from_ref(example), "whole");
        for (way, depth) in ways {
            let place = place();
            let parts = split(example, *depth, place.path());
            let mut made = reports(place.path(), &parts);
            // In no order of the names, and named by the file in one case.
            made.reverse();
            made[0] = made[0].join("report.json");
            run(place.path(), &["merge", "--part"], &made, "joined");
            let what = format!("{} by {way}", name_of(example));
            assert_same(&what, &tree(whole.path(), "whole"), &tree(place.path(), "joined"));
        }
    });
}

#[test]
fn what_makes_a_report_a_part_changes_nothing_else_of_it() {
    let example = &examples()[0];
    let place = place();
    run(place.path(), &["build"], std::slice::from_ref(example), "plain");
    run(place.path(), &["build", "--part"], std::slice::from_ref(example), "part");
    let mut part = tree(place.path(), "part");
    part.retain(|path, _| !path.starts_with("part/") && !path.ends_with("manifest.json"));
    let mut plain = tree(place.path(), "plain");
    plain.retain(|path, _| !path.ends_with("manifest.json"));
    assert_same("part", &plain, &part);
}

/// The problems of the one workspace in a report.
fn problems(report: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(report.join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    report["workspaces"][0]["problems"].as_array().expect("problems").clone()
}

fn with_code(report: &Path, code: &str) -> Vec<Value> {
    problems(report).into_iter().filter(|problem| problem["code"] == code).collect()
}

const RUN: &str = "iteration-1/sum/with_skill";

/// Two parts that share a case and disagree on its verdicts, what a person said and the evals.
fn quarrel() -> Workspace {
    let part = |workspace: Workspace, name: &str, passed: bool, word: &str| {
        let evals = format!(r#"{{"skill_name": "s", "evals": [{{"id": 1, "prompt": "{word}"}}]}}"#);
        let review = format!(
            r#"{{"reviews": [{{"run_id": "sum-with_skill", "feedback": "{word}"}}], "status": "complete"}}"#
        );
        workspace
            .file(&format!("{name}/ws/{RUN}/grading.json"), grading(&[("adds", passed, word)]))
            .file(&format!("{name}/ws/{RUN}/outputs/same.txt"), "the same in both")
            .file(&format!("{name}/ws/{RUN}/outputs/{name}.txt"), name)
            .file(&format!("{name}/ws/iteration-1/feedback.json"), review)
            .file(&format!("{name}/ws/README.md"), word)
            .file(&format!("{name}/ws/evals.json"), evals)
    };
    part(part(Workspace::new(), "b", true, "second"), "a", false, "first")
}

#[test]
fn contradictions_name_both_parts_and_what_was_taken_whatever_the_order() {
    let workspace = quarrel();
    let here = workspace.elsewhere();
    let folders = ["a", "b"].map(|name| workspace.path().join(name).join("ws"));
    let backwards: Vec<PathBuf> = folders.iter().rev().cloned().collect();
    run(&here, &["build", "--merge"], &folders, "one");
    run(&here, &["build", "--merge"], &backwards, "other");
    assert_same("folders", &tree(&here, "one"), &tree(&here, "other"));
    let shown = with_code(&here.join("one"), "parts-contradict");
    let paths: Vec<&str> = shown.iter().filter_map(|it| it["path"].as_str()).collect();
    let grading = format!("{RUN}/grading.json");
    assert_eq!(paths, ["evals.json", "iteration-1/feedback.json", grading.as_str()]);
    for problem in &shown {
        let message = problem["message"].as_str().expect("a message");
        // Both parts, and the one that is taken.
        assert!(message.contains("`b/ws`"), "{message}");
        assert_eq!(message.matches("`a/ws`").count(), 2, "{message}");
        assert_eq!(problem["severity"], "error");
    }
    // Verdicts of `a`; outputs of both, the one that is the same once.
    let text = std::fs::read_to_string(here.join("one/report.json")).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let run_of = &report["workspaces"][0]["iterations"][0]["cases"][0]["runs"][0];
    assert_eq!((&run_of["passed"], &run_of["failed"]), (&Value::from(0), &Value::from(1)));
    assert_eq!(run_of["outputs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn reports_contradict_each_other_as_their_folders_do() {
    let workspace = quarrel();
    let here = workspace.elsewhere();
    for name in ["a", "b"] {
        let folder = workspace.path().join(name).join("ws");
        run(&here, &["build", "--part"], &[folder], name);
    }
    let parts = ["b", "a"].map(|name| here.join(name));
    run(&here, &["merge"], &parts, "one");
    let shown = with_code(&here.join("one"), "parts-contradict");
    assert_eq!(shown.len(), 3, "{shown:?}");
    let message = shown[0]["message"].as_str().expect("a message");
    let named = ["`a`", "`b`"].map(|part| message.matches(part).count());
    assert_eq!(named, [2, 1], "{message}");
}

/// A workspace of one graded case for each configuration, split into a report for each, with the
/// report that a sound merge gives.
fn two_reports() -> Workspace {
    let run_of = |configuration: &str| format!("iteration-1/sum/{configuration}");
    let mut workspace = Workspace::new();
    for (part, configuration) in [("a", "with_skill"), ("b", "without_skill")] {
        let folder = format!("{part}/ws/{}", run_of(configuration));
        workspace = workspace
            .file(&format!("{folder}/grading.json"), grading(&[("adds", true, configuration)]))
            .file(&format!("{folder}/outputs/answer.md"), format!("# {configuration}\n"))
            .file(&format!("{folder}/outputs/data.bin"), [0, 1, 2, part.as_bytes()[0]]);
        let folder = workspace.path().join(part).join("ws");
        run(&workspace.elsewhere(), &["build", "--part"], &[folder], part);
    }
    workspace
}

#[test]
fn a_file_that_is_missing_in_a_part_is_told_and_the_rest_stands() {
    let workspace = two_reports();
    let here = workspace.elsewhere();
    let files = support::files(&here.join("b/files"));
    let answer = files.iter().find(|file| file.extension().is_some_and(|it| it == "txt"));
    std::fs::remove_file(answer.expect("the stored answer")).expect("a removed file");
    run(&here, &["merge"], &[here.join("a"), here.join("b")], "one");
    let shown = with_code(&here.join("one"), "part-incomplete");
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!(shown[0]["path"], "iteration-1/sum/without_skill/outputs/answer.md");
    assert!(shown[0]["message"].as_str().expect("a message").contains("`b`"));
    // A file cut short is as good as missing.
    let data = files.iter().find(|file| file.extension().is_some_and(|it| it == "bin"));
    std::fs::write(data.expect("the stored data"), [0]).expect("a cut file");
    run(&here, &["merge"], &[here.join("a"), here.join("b")], "one");
    assert_eq!(with_code(&here.join("one"), "part-incomplete").len(), 2);
}

#[test]
fn what_one_part_lost_another_may_have() {
    let workspace = quarrel();
    let here = workspace.elsewhere();
    for name in ["a", "b"] {
        let folder = workspace.path().join(name).join("ws");
        run(&here, &["build", "--part"], &[folder], name);
    }
    let index = std::fs::read_to_string(here.join("a/part/index.jsonl")).expect("the list");
    let line = index.lines().find(|line| line.contains("outputs/same.txt")).expect("the file");
    let line: Value = serde_json::from_str(line).expect("JSON");
    let stored = here.join("a").join(line["at"].as_str().expect("its place"));
    std::fs::remove_file(stored).expect("a removed file");
    run(&here, &["merge"], &[here.join("a"), here.join("b")], "one");
    assert_eq!(with_code(&here.join("one"), "part-incomplete"), Vec::<Value>::new());
}

/// What `merge` says of the parts when the list of `b` is what `damage` makes of it.
fn damaged(damage: impl Fn(String) -> String) -> Ran {
    let workspace = two_reports();
    let here = workspace.elsewhere();
    let list = here.join("b/part/index.jsonl");
    let text = std::fs::read_to_string(&list).expect("the list");
    std::fs::write(&list, damage(text)).expect("a damaged list");
    Ran::of(evalbook(&here).args(["merge", "a", "b", "-o", "one"]))
}

#[test]
fn a_part_that_cannot_be_read_ends_the_merge() {
    let cut = damaged(|text| text[..text.len() - 5].to_owned());
    assert_eq!(cut.code, Some(3), "{cut:?}");
    assert!(cut.stderr.contains("`b`: part/index.jsonl: "), "{cut:?}");
    let without_end = damaged(|text| text.replace("{\"entries\":", "{\"entry\":"));
    assert_eq!(without_end.code, Some(3), "{without_end:?}");
    let other = damaged(|text| text.replacen("\"part_version\":1", "\"part_version\":9", 1));
    assert_eq!(other.code, Some(3), "{other:?}");
    assert!(
        other.stderr.contains("part/index.jsonl:1: ") && other.stderr.contains('9'),
        "{other:?}"
    );
    let twice = damaged(|text| {
        let line = text.lines().nth(1).expect("an entry").to_owned();
        let entries = text.lines().count() - 2;
        let end = format!("{{\"entries\":{entries}}}");
        let more = format!("{line}\n{{\"entries\":{}}}", entries + 1);
        text.replace(&end, &more)
    });
    assert_eq!(twice.code, Some(3), "{twice:?}");
    let junk = damaged(|_| "no JSON\n".to_owned());
    assert_eq!(junk.code, Some(3), "{junk:?}");
}

#[test]
fn the_whole_takes_the_place_of_no_part() {
    let workspace = two_reports();
    let before = tree(&workspace.elsewhere(), "a");
    for target in [&["-o", "a"][..], &["-o", "./a/"], &["--into", ".", "--name", "a"]] {
        let ran = workspace.run(["merge", "a/report.json", "b"].iter().chain(target));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("a`") || ran.stderr.contains("a/`"), "{ran:?}");
    }
    assert_same("the part", &before, &tree(&workspace.elsewhere(), "a"));
}

#[test]
fn a_report_that_is_no_part_says_how_to_make_one() {
    let workspace = Workspace::good();
    let report = workspace.build();
    let ran = workspace.run(["merge", "report/report.json", "-o", "one"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("`evalbook build --part`"), "{ran:?}");
    let ran = workspace.run(["merge", "nowhere", "-o", "one"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let path = report.to_string_lossy().into_owned();
    let ran = workspace.run(["merge", "report", path.as_str(), "-o", "one"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_part_leads_to_no_file_outside_of_it() {
    let workspace = two_reports();
    let here = workspace.elsewhere();
    std::fs::write(here.join("outside.txt"), "4711").expect("a file");
    let out = damaged(|text| text.replacen("\"at\":\"files/", "\"at\":\"../files/", 1));
    assert_eq!(out.code, Some(3), "{out:?}");
    let above = damaged(|text| text.replacen("\"path\":\"iteration-1", "\"path\":\"../x", 1));
    assert_eq!(above.code, Some(3), "{above:?}");
    #[cfg(unix)]
    {
        let files = support::files(&here.join("b/files"));
        std::fs::remove_file(&files[0]).expect("a removed file");
        std::os::unix::fs::symlink(here.join("outside.txt"), &files[0]).expect("a link");
        run(&here, &["merge"], &[here.join("a"), here.join("b")], "one");
        assert_eq!(with_code(&here.join("one"), "part-incomplete").len(), 1);
        assert!(tree(&here, "one").values().all(|bytes| bytes != b"4711"));
    }
}

#[test]
fn what_a_guard_found_on_another_machine_is_told_by_the_merge() {
    let token = format!("gh{}_{}", 'p', "k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeX");
    let workspace = Workspace::new();
    let mut folders = Vec::new();
    let mut all = workspace;
    for (part, configuration) in [("a", "with_skill"), ("b", "without_skill")] {
        let folder = format!("{part}/ws/iteration-1/sum/{configuration}");
        let evidence = format!("used {token}");
        all = all
            .file(&format!("{folder}/grading.json"), grading(&[("adds", true, &evidence)]))
            .file(&format!("{folder}/outputs/log.txt"), format!("a\nkey {token}\nat /home/zoe/x\n"))
            .file(&format!("{folder}/outputs/big.txt"), format!("{token} ").repeat(40))
            .file(&format!("{folder}/outputs/{token}.txt"), "named")
            .file(&format!("{folder}/outputs/secret.bin"), format!("\0 {token} "))
            .file(&format!("{folder}/outputs/kept.log"), "kept back")
            .file(&format!("{part}/ws/notes.txt"), format!("ignored {token}"))
            .file(&format!("{part}/ws/private.json"), format!("left out {token}"));
        folders.push(all.path().join(part).join("ws"));
    }
    let here = all.elsewhere();
    let flags = ["--exclude", "*.log", "--leave-out", "private.json"];
    let with = |command: &[&'static str]| [command, &flags].concat();
    for (folder, name) in folders.iter().zip(["a", "b"]) {
        support::copy(folder, &here.join("ws"));
        run(&here, &with(&["build", "--part"]), std::slice::from_ref(folder), name);
    }
    run(&here, &with(&["build"]), &[here.join("ws")], "whole");
    run(&here, &with(&["merge"]), &[here.join("a"), here.join("b")], "one");
    assert_same("secrets", &tree(&here, "whole"), &tree(&here, "one"));
    for report in ["a", "b", "one"] {
        let held = tree(&here, report);
        let holds = |bytes: &[u8]| bytes.windows(token.len()).any(|it| it == token.as_bytes());
        let found: Vec<&String> =
            held.iter().filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path).collect();
        assert!(found.is_empty(), "{report}: {found:?}");
    }
    // What was kept back stays so without the flag.
    run(&here, &["merge"], &[here.join("a"), here.join("b")], "plain");
    let manifest =
        String::from_utf8_lossy(&tree(&here, "plain")["publish-manifest.json"]).into_owned();
    assert!(manifest.contains("outputs/kept.log"), "{manifest}");
    assert!(tree(&here, "plain").values().all(|bytes| bytes != b"kept back"));
}

#[test]
fn the_whole_is_called_as_its_parts_or_as_asked() {
    let workspace = Workspace::good();
    let here = workspace.elsewhere();
    let other = Workspace::new()
        .file("iteration-1/other/with_skill/grading.json", grading(&[("x", true, "y")]));
    let folders = [workspace.path(), other.path()];
    run(&here, &["build", "--merge", "--workspace-name", "both"], &folders, "one");
    let report = std::fs::read_to_string(here.join("one/report.json")).expect("a report");
    assert!(report.contains("\"name\":\"both\""), "{report}");
    let ran = workspace.run(["build", "../workspace", "--workspace-name", "x"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = workspace.run(["check", "--merge", "../workspace"]);
    assert!(ran.stdout.starts_with("workspace `workspace`"), "{ran:?}");
}

#[test]
fn a_missing_folder_ends_the_build_before_anything_is_written() {
    let workspace = Workspace::good();
    let ran = workspace.run(["build", "--merge", "../workspace", "../gone", "-o", "one"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(!workspace.elsewhere().join("one").exists());
}

/// Real workspaces that are split, where they are at hand.
const REAL: usize = 3;

#[test]
fn real_workspaces_split_two_ways_give_the_same_bytes() {
    let beside = || project().join("../shared/corpus");
    let corpus = std::env::var_os("EVALBOOK_CORPUS").map_or_else(beside, PathBuf::from);
    let Ok(text) = std::fs::read(corpus.join("expected.json")) else {
        println!("skipped: there are no real workspaces in `../shared/corpus`");
        return;
    };
    let expected: Value = serde_json::from_slice(&text).expect("a list of counts");
    let mut listed = expected.as_array().expect("a list").clone();
    listed.sort_by_key(|entry| std::cmp::Reverse(entry["iterations"].as_u64()));
    listed.par_iter().take(REAL).for_each(|entry| {
        let workspace = corpus.join(entry["workspace"].as_str().expect("a name"));
        let place = place();
        run(place.path(), &["build"], std::slice::from_ref(&workspace), "whole");
        let whole = tree(place.path(), "whole");
        for (way, depth) in [WAYS[1], WAYS[4]] {
            let parts = split(&workspace, depth, &place.path().join(way));
            run(place.path(), &["build", "--merge"], &parts, "joined");
            assert_same(&name_of(&workspace), &whole, &tree(place.path(), "joined"));
        }
    });
}
