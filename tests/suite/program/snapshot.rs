//! `evalbook snapshot`: the skill as the next version, and the history that records it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support;
use crate::support::{
    CommandOutput, Workspace, evalbook, git, grading, hashes, project, read_json, read_text,
};
use serde_json::{Value, json};

fn skill() -> Workspace {
    Workspace::new()
        .file("SKILL.md", "# a skill\n")
        .file("scripts/tool.sh", "#!/bin/sh\n")
        .file("node_modules/x/index.js", "x")
}

fn snapshot(place: &Workspace, more: &[&str]) -> CommandOutput {
    let args = [&["snapshot", "../workspace", "made"], more].concat();
    CommandOutput::of(
        evalbook(&place.elsewhere()).args(args).env("SOURCE_DATE_EPOCH", "1767323045"),
    )
}

/// Adds a line to the skill: one that is unchanged gets no version.
fn edit(place: &Workspace) {
    let file = place.path().join("SKILL.md");
    std::fs::write(&file, read_text(&file) + "One more.\n").expect("written");
}

#[test]
fn a_skill_that_is_unchanged_gets_no_version() {
    let place = skill();
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    let before = hashes(&made(&place));
    let ran = snapshot(&place, &["-m", "again"]).assert_code(0);
    assert!(ran.stdout.contains("v0"), "{ran:?}");
    assert_eq!(hashes(&made(&place)), before);
    std::fs::remove_file(place.path().join("scripts/tool.sh")).expect("removed");
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    assert!(made(&place).join("v1/skill/SKILL.md").is_file());
    // The version before is the same again, but not the newest.
    std::fs::write(place.path().join("scripts/tool.sh"), "#!/bin/sh\n").expect("written");
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    assert!(made(&place).join("v2").is_dir());
}

fn made(place: &Workspace) -> PathBuf {
    place.elsewhere().join("made")
}

/// How many copies of the skill `report.json` lists.
fn copies(place: &Workspace) -> usize {
    report(place)["snapshots"].as_array().map_or(0, Vec::len)
}

/// What `report.json` holds of the workspace that was made.
fn report(place: &Workspace) -> Value {
    place.run(["build", "made", "-o", "report"]).assert_code(0);
    let report = read_json(place.elsewhere().join("report/report.json"));
    report["workspaces"][0].clone()
}

fn history(folder: &Path) -> Value {
    let text = read_text(folder.join("history.json"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn versions_are_numbered_from_0_and_recorded() {
    let place = skill();
    let ran = snapshot(&place, &["-m", "the \"first\" one"]).assert_code(0);
    let first = ran.stdout.lines().next().expect("a line");
    for part in [" made/v0/skill/ ", "2 ", "20 B"] {
        assert!(first.contains(part), "{part}: {ran:?}");
    }
    assert!(ran.stdout.contains("`node_modules`"), "{ran:?}");
    edit(&place);
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    let history = history(&made(&place));
    assert_eq!(history["current_version"], 1);
    let expected = json!({
        "version": 0, "timestamp": "2026-01-02T03:04:05Z", "description": "the \"first\" one",
        "git_hash": null, "path": "v0/skill", "average_score": null,
    });
    for (key, value) in expected.as_object().expect("fields") {
        assert_eq!(&history["versions"][0][key], value, "{key}");
    }
    let text = std::fs::read_to_string(made(&place).join("v1/skill/SKILL.md"));
    assert_eq!(text.expect("a copy"), "# a skill\nOne more.\n");
    place.run(["check", "made", "--strict"]).assert_code(0);
    assert_eq!(copies(&place), 2);
}

#[test]
fn the_loop_says_which_version_each_iteration_had_and_goes_on_as_it_began() {
    let evals = r#"{"evals": [{"id": 1, "prompt": "p", "expectations": ["it names the jar"]}]}"#;
    let place = skill().file("evals/evals.json", evals);
    let init = |more: &[&str]| {
        let args = ["init", "../workspace", "-o", "made", "--list"];
        let ran = place.run([&args, more].concat()).assert_code(0);
        ran.stdout
    };
    let grade = |iteration: &str, passed: bool| {
        for run in [1, 2] {
            for (side, passed) in [("new", passed), ("old", false)] {
                let folder = format!("made/{iteration}/eval-1/{side}/run-{run}");
                let text = grading(&[("it names the jar", passed, "seen")]);
                let file = place.elsewhere().join(folder).join("grading.json");
                std::fs::write(file, text).expect("written");
            }
        }
    };
    let sides = ["--configurations", "old,new", "--runs", "2"];
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    init(&sides);
    // It is still about this iteration while nothing ran.
    edit(&place);
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    grade("iteration-1", false);
    std::fs::write(place.path().join("SKILL.md"), "# a skill\nName each jar.\n").expect("written");
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    let made_paths = init(&[]);
    assert!(made_paths.contains("iteration-2/eval-1/old/run-2/outputs"), "{made_paths}");
    grade("iteration-2", true);
    let added = init(&["--into", "iteration-2", "--runs", "2"]);
    assert!(added.contains("iteration-2/eval-1/new/run-4/outputs"), "{added}");
    assert_eq!(added.lines().count(), 4, "{added}");

    let versions = history(&made(&place))["versions"].clone();
    let iterations = [0, 1, 2].map(|at: usize| versions[at]["iteration"].clone());
    assert_eq!(iterations, ["iteration-1", "iteration-1", "iteration-2"]);
    assert_eq!(copies(&place), 3);
    let snapshots = &report(&place)["snapshots"];
    let iterations = [0, 1, 2].map(|at: usize| snapshots[at]["iteration"].clone());
    assert_eq!(iterations, [0, 0, 1]);
}

#[test]
fn a_version_that_was_not_recorded_is_recorded_by_the_next_snapshot() {
    let place = skill();
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    for (folder, is_version) in [("v1/skill", true), ("v2/notes", false)] {
        let folder = made(&place).join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let name = if is_version { "SKILL.md" } else { "a.md" };
        std::fs::write(folder.join(name), "# a skill\n").expect("written");
    }
    let ran = snapshot(&place, &[]).assert_code(0);
    assert!(ran.stderr.contains("recorded v1"), "{ran:?}");
    let history = history(&made(&place));
    let versions = history["versions"].as_array().expect("a list");
    let numbers: Vec<&Value> = versions.iter().map(|version| &version["version"]).collect();
    assert_eq!(numbers, [0, 1, 3]);
    assert_eq!(versions[1]["timestamp"], Value::Null);
}

#[test]
fn a_history_that_is_there_keeps_everything() {
    let place = skill();
    let scored = project().join("examples/scored");
    support::copy(&scored, &made(&place));
    let path = made(&place).join("history.json");
    let text = read_text(&path);
    let text =
        text.replacen("\"average_score\": 4.22", "\"mine\": [1.50], \"average_score\": null", 1);
    std::fs::write(&path, &text).expect("written");
    snapshot(&place, &[]).assert_code(0);
    let after = read_text(&path);
    let until = text.find("\"average_score\": null").expect("the open score");
    assert_eq!(&after[..until], &text[..until]);
    let history = history(&made(&place));
    assert_eq!(history["versions"][2]["average_score"], 4.22, "what was graded since is recorded");
    assert_eq!(history["versions"][3]["version"], 3);
    assert_eq!(history["current_version"], 3);
    assert_eq!(copies(&place), 4);
}

#[test]
fn the_commit_is_recorded_only_where_everything_is_committed() {
    let place = skill();
    let of = |at: usize| history(&made(&place))["versions"][at]["git_hash"].clone();
    let folder = place.path();
    std::fs::remove_dir_all(folder.join("node_modules")).expect("removed");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "a skill"]);
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    assert_eq!(of(0).as_str().map(str::len), Some(12));
    std::fs::write(folder.join("SKILL.md"), "# another\n").expect("written");
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    assert_eq!(of(1), Value::Null);
    git(&folder, &["checkout", "-q", "SKILL.md"]);
    std::fs::write(folder.join("new.md"), "new\n").expect("written");
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    assert_eq!(of(2), Value::Null);
    std::fs::remove_file(folder.join("new.md")).expect("removed");
    std::fs::remove_file(folder.join("scripts/tool.sh")).expect("removed");
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    assert_eq!(of(3), Value::Null);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = skill();
    symlink("/etc", place.path().join("etc")).expect("a link");
    symlink("/etc/hostname", place.path().join("link.md")).expect("a link");
    let tool = place.path().join("scripts/tool.sh");
    std::fs::set_permissions(tool, std::fs::Permissions::from_mode(0o755)).expect("set");
    let ran = snapshot(&place, &[]);
    assert!(ran.stdout.contains("`etc`"), "{ran:?}");
    let copy = made(&place).join("v0/skill");
    assert!(!copy.join("etc").exists() && copy.join("link.md").symlink_metadata().is_err());
    let mode = copy.join("scripts/tool.sh").metadata().expect("a copy").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn a_workspace_inside_the_skill_is_not_copied_into_itself() {
    let place = skill();
    for version in 0..3 {
        edit(&place);
        place.run(["snapshot", "../workspace", "../workspace/evals-workspace"]).assert_code(0);
        let copy = place.path().join(format!("evals-workspace/v{version}/skill"));
        assert!(copy.join("SKILL.md").is_file() && !copy.join("evals-workspace").exists());
    }
}

#[test]
fn what_cannot_be_recorded_changes_nothing() {
    let table = [
        ("{", "made/history.json:1:2"),
        ("[1,]", "made/history.json:1:3"),
        ("{\"versions\": [], \"versions\": []}", "made/history.json:1:18"),
        ("{\"versions\": \"x\"}", "made/history.json:1:14"),
    ];
    for (text, shown) in table {
        let place = skill();
        std::fs::create_dir_all(made(&place)).expect("a folder");
        std::fs::write(made(&place).join("history.json"), text).expect("written");
        let before = hashes(&made(&place));
        let ran = snapshot(&place, &[]);
        assert_eq!(ran.code, Some(3), "{text}: {ran:?}");
        assert!(ran.stderr.contains(shown), "{text}: {ran:?}");
        assert_eq!(hashes(&made(&place)), before, "{text}");
    }
    let place = skill();
    let ran = place.run(["snapshot", "../workspace", "../workspace"]).assert_code(2);
    assert!(ran.stderr.contains("`../workspace`"), "{ran:?}");
    let no_skill = Workspace::new().file("readme.md", "x");
    let ran = snapshot(&no_skill, &[]).assert_code(3);
    assert!(ran.stderr.contains("`SKILL.md`"), "{ran:?}");
    assert!(!made(&no_skill).exists());
}

#[test]
fn a_history_in_another_spelling_goes_on() {
    for text in ["", "\n\n", "\u{feff}{}", "{\"versions\": null, \"owner\": \"me\"}"] {
        let place = skill();
        std::fs::create_dir_all(made(&place)).expect("a folder");
        std::fs::write(made(&place).join("history.json"), text).expect("written");
        for _ in 0..2 {
            edit(&place);
            let ran = snapshot(&place, &[]);
            assert_eq!(ran.code, Some(0), "{text}: {ran:?}");
        }
        let after = read_text(made(&place).join("history.json"));
        let history: Value =
            serde_json::from_str(after.trim_start_matches('\u{feff}')).expect(&after);
        assert_eq!(history["versions"].as_array().map(Vec::len), Some(2), "{after}");
        assert_eq!(after.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
    }
}

#[cfg(unix)]
#[test]
fn a_history_that_cannot_be_replaced_leaves_no_copy() {
    let place = skill();
    std::fs::create_dir_all(made(&place)).expect("a folder");
    std::fs::write(place.elsewhere().join("real.json"), "{}").expect("written");
    std::os::unix::fs::symlink("../real.json", made(&place).join("history.json")).expect("a link");
    let ran = snapshot(&place, &[]).assert_code(3);
    assert!(ran.stderr.contains("history.json"), "{ran:?}");
    assert!(!made(&place).join("v0").exists());
}

#[test]
fn snapshots_at_the_same_time_lose_nothing() {
    let place = skill();
    let start = |number: usize| {
        let own = place.elsewhere().join(format!("skill-{number}"));
        support::copy(&place.path(), &own);
        std::fs::write(own.join("SKILL.md"), format!("# skill {number}\n")).expect("written");
        let mut command = evalbook(&place.elsewhere());
        command.arg("snapshot").arg(own).arg("made");
        command.stdout(Stdio::null()).spawn().expect("the program starts")
    };
    let children: Vec<_> = (0..6).map(start).collect();
    for mut child in children {
        assert!(child.wait().expect("ended").success());
    }
    let history = history(&made(&place));
    assert_eq!(history["versions"].as_array().map(Vec::len), Some(6));
    assert_eq!(history["current_version"], 5);
}

#[test]
fn a_version_is_no_iteration_beside_numbered_ones() {
    let place = skill();
    support::copy(&project().join("examples/compact"), &made(&place));
    let before = place.run(["check", "made"]).stdout;
    assert_eq!(snapshot(&place, &[]).code, Some(0));
    let check = place.run(["check", "made"]);
    let of = |text: &str| text.lines().filter(|line| line.starts_with("v0")).count();
    assert_eq!((of(&before), of(&check.stdout)), (0, 0), "{check:?}");
    place.run(["build", "made", "-o", "r"]).assert_code(0);
    let summary = std::fs::read_to_string(place.elsewhere().join("r/summary.json"));
    assert!(!summary.expect("a summary").contains("\"v0\""));
}
