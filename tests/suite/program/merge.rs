//! Folders with parts of one workspace give the bytes of the whole; what they disagree on is a
//! problem, and a missing folder is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support;
use crate::support::{
    CommandOutput, Workspace, assert_same, evalbook, examples, grading, name_of, project,
};
use rayon::prelude::*;
use serde_json::Value;

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
        let job = *groups.entry(group).or_insert(next);
        let folder = place.join(format!("job-{job}")).join(name_of(workspace));
        let target = folder.join(below);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder of the job");
        std::fs::copy(&file, target).expect("a copied file");
        used.insert(folder);
    }
    used.into_iter().collect()
}

/// Builds `folders` into `target`, which must succeed; returns the files of the report.
fn built(
    place: &Path,
    flags: &[&str],
    folders: &[PathBuf],
    target: &str,
) -> BTreeMap<String, Vec<u8>> {
    let mut command = evalbook(place);
    let ran =
        CommandOutput::of(command.arg("build").args(flags).args(folders).args(["-o", target]));
    assert_eq!(ran.code, Some(0), "{flags:?} {folders:?}: {ran:?}");
    support::tree(&place.join(target))
}

/// Checks that `workspace`, split in each of the ways, gives the report of the whole.
fn join(workspace: &Path, ways: &[(&str, usize)]) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let whole = built(place.path(), &[], &[workspace.to_path_buf()], "whole");
    for (way, depth) in ways {
        let mut folders = split(workspace, *depth, &place.path().join(way));
        folders.reverse();
        let joined = built(place.path(), &["--merge"], &folders, &format!("joined-{way}"));
        assert_same(&format!("{} by {way}", name_of(workspace)), &whole, &joined);
    }
}

#[test]
fn folders_with_parts_of_an_example_give_the_report_of_the_whole() {
    examples().par_iter().for_each(|example| join(example, &[WAYS[4]]));
}

#[test]
#[ignore = "slow: `tests/run --all`"]
fn folders_split_in_any_way_give_the_report_of_the_whole() {
    examples().par_iter().for_each(|example| join(example, WAYS));
}

#[test]
fn real_workspaces_split_two_ways_give_the_report_of_the_whole() {
    let named = std::env::var_os("EVALBOOK_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or_else(|| project().join("../shared/corpus"));
    let Ok(text) = std::fs::read(corpus.join("expected.json")) else {
        println!("skipped: there are no real workspaces in `../shared/corpus`");
        return;
    };
    let mut listed: Vec<Value> = serde_json::from_slice(&text).expect("a list of counts");
    listed.sort_by_key(|entry| std::cmp::Reverse(entry["iterations"].as_u64()));
    listed.par_iter().take(3).for_each(|entry| {
        join(&corpus.join(entry["workspace"].as_str().expect("a name")), &[WAYS[1], WAYS[4]]);
    });
}

#[test]
fn a_secret_in_joined_folders_is_in_no_file_of_the_report() {
    let token = format!("gh{}_{}", 'p', "k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeX");
    let mut workspace = Workspace::new();
    for (job, configuration) in [("a", "with_skill"), ("b", "without_skill")] {
        let run = format!("{job}/ws/iteration-1/sum/{configuration}");
        workspace = workspace
            .file(&format!("{run}/grading.json"), grading(&[("adds", true, &token)]))
            .file(&format!("{run}/outputs/log.txt"), format!("key {token}\nat /home/zoe/x\n"))
            .file(&format!("{run}/outputs/{token}.txt"), "named")
            .file(&format!("{run}/outputs/kept.log"), "kept back");
    }
    let folders = ["a", "b"].map(|job| workspace.path().join(job).join("ws"));
    let report = built(&workspace.elsewhere(), &["--merge", "--exclude", "*.log"], &folders, "one");
    for (path, bytes) in &report {
        let text = format!("{path} {}", String::from_utf8_lossy(bytes));
        for hidden in [token.as_str(), "/home/zoe", "kept back"] {
            assert!(!text.contains(hidden), "{hidden}: {path}");
        }
    }
}

const RUN: &str = "iteration-1/sum/with_skill";

/// Two folders that share a case and disagree on its verdicts, what a person said and the evals.
fn quarrel() -> Workspace {
    let mut workspace = Workspace::new();
    for (job, passed, word) in [("b", true, "second"), ("a", false, "first")] {
        let evals = format!(r#"{{"skill_name": "s", "evals": [{{"id": 1, "prompt": "{word}"}}]}}"#);
        let review = format!(
            r#"{{"reviews": [{{"run_id": "sum-with_skill", "feedback": "{word}"}}], "status": "complete"}}"#
        );
        workspace = workspace
            .file(&format!("{job}/ws/{RUN}/grading.json"), grading(&[("adds", passed, word)]))
            .file(&format!("{job}/ws/{RUN}/outputs/same.txt"), "the same in both")
            .file(&format!("{job}/ws/{RUN}/outputs/{job}.txt"), job)
            .file(&format!("{job}/ws/iteration-1/feedback.json"), review)
            .file(&format!("{job}/ws/README.md"), word)
            .file(&format!("{job}/ws/evals.json"), evals);
    }
    workspace
}

#[test]
fn other_content_at_one_path_is_an_error_that_names_both_folders_whatever_the_order() {
    let workspace = quarrel();
    let folders = ["b", "a"].map(|job| workspace.path().join(job).join("ws"));
    let backwards: Vec<PathBuf> = folders.iter().rev().cloned().collect();
    let one = built(&workspace.elsewhere(), &["--merge"], &folders, "one");
    let other = built(&workspace.elsewhere(), &["--merge"], &backwards, "other");
    assert_same("folders", &one, &other);

    let report: Value = serde_json::from_slice(&one["report.json"]).expect("JSON");
    let problems = report["workspaces"][0]["problems"].as_array().expect("problems").iter();
    let conflicts: Vec<&Value> =
        problems.filter(|problem| problem["code"] == "folders-contradict").collect();
    let paths: Vec<&str> = conflicts.iter().filter_map(|it| it["path"].as_str()).collect();
    let grading = format!("{RUN}/grading.json");
    // Not the files that are the same, nor the README that no page shows.
    assert_eq!(paths, ["evals.json", "iteration-1/feedback.json", grading.as_str()]);
    for problem in conflicts {
        let message = problem["message"].as_str().expect("a message");
        let named = ["`a/ws`", "`b/ws`"].map(|folder| message.matches(folder).count());
        assert_eq!(named, [2, 1], "both, and the one that counts: {message}");
        assert_eq!(problem["severity"], "error");
    }
    // Verdicts of `a`; outputs of both, the one that is the same once.
    let run = &report["workspaces"][0]["iterations"][0]["cases"][0]["runs"][0];
    assert_eq!((&run["passed"], &run["failed"]), (&Value::from(0), &Value::from(1)));
    assert_eq!(run["outputs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_missing_or_doubled_folder_ends_the_command_before_anything_is_written() {
    let workspace = quarrel();
    let table: [(&[&str], i32, &str); 9] = [
        (&["--merge", "--expect", "3", "../workspace/a", "../workspace/b"], 3, "2 folders"),
        (&["--merge", "--expect", "1", "../workspace/a", "../workspace/b"], 3, "2 folders"),
        (&["--merge", "../workspace/a", "../workspace/gone"], 3, "gone"),
        (&["--merge", "../workspace/a", "../workspace/b", "../workspace/a"], 2, "given twice"),
        (&["--merge"], 2, "the folders to join"),
        (&["../workspace/a", "--expect", "1"], 2, "--merge"),
        (&["../workspace/a", "--workspace-name", "x"], 2, "--merge"),
        (&["--merge", "--expect", "x", "../workspace/a"], 2, "--expect"),
        (&["--merge", "../workspace/a", "-o", "../workspace/a"], 2, "one of the workspaces"),
    ];
    for (args, code, word) in table {
        let ran = workspace.run([&["build"], args].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(word), "{args:?}: {ran:?}");
        assert!(!workspace.elsewhere().join("report").exists(), "{args:?}");
    }
}

#[test]
fn the_joined_workspace_is_called_as_its_first_folder_or_as_asked() {
    let workspace = quarrel();
    let folders = ["a", "b"].map(|job| format!("../workspace/{job}"));
    for (flags, name) in [(&["--expect", "2"][..], "a"), (&["--workspace-name", "both"], "both")] {
        let folders = folders.iter().map(String::as_str);
        let args = ["check", "--merge"].into_iter().chain(folders).chain(flags.iter().copied());
        let ran = workspace.run(args);
        assert!(ran.stdout.starts_with(&format!("workspace `{name}`")), "{ran:?}");
    }
}
