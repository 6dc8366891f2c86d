//! `evalbook init`: the next iteration from the skill's evals, of every dialect.

use std::path::{Path, PathBuf};

use crate::support;
use crate::support::{CommandOutput, Workspace, hashes, project, read_text};
use serde_json::{Value, json};
use testing::gradings::verdicts;

/// A folder with a skill whose `evals.json` has this text.
fn skill(evals: impl AsRef<[u8]>) -> Workspace {
    Workspace::new().file("evals/evals.json", evals).file("SKILL.md", "# a skill\n")
}

fn init(place: &Workspace, more: &[&str]) -> CommandOutput {
    place.run([&["init", "../workspace", "-o", "made"], more].concat())
}

fn made(place: &Workspace) -> PathBuf {
    place.elsewhere().join("made")
}

/// What `check` says of what was made: nothing is wrong.
fn assert_good(place: &Workspace) {
    place.run(["check", "made"]).assert_code(0);
    let found = place.run(["check", "made", "--format", "json"]).json();
    let problems = found["workspaces"][0]["problems"].as_array().expect("a list");
    assert!(problems.iter().all(|problem| problem["severity"] == "note"), "{found}");
}

/// Leaves an output in each folder of outputs, as executors do.
fn work_in(folder: &Path) {
    for entry in walkdir::WalkDir::new(folder) {
        let path = entry.expect("a readable entry").into_path();
        if path.ends_with("outputs") {
            std::fs::write(path.join("answer.md"), "done").expect("an output");
        }
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    support::children(folder).iter().map(|path| support::name_of(path)).collect()
}

#[test]
fn evals_of_every_dialect_become_an_iteration_without_a_problem() {
    for (example, evals, is_scored) in [
        ("skill-creator", "evals/evals.json", false),
        ("scored", "evals/evals.json", true),
        ("compact", "evals/evals.json", false),
        ("advanced", "assets/evals/evals.json", false),
    ] {
        let text = std::fs::read(project().join("examples").join(example).join(evals));
        let text = text.expect("the evals of an example");
        let place = skill(&text);
        let ran = init(&place, &["--runs", "2"]);
        assert_eq!(ran.code, Some(0), "{example}: {ran:?}");
        assert_good(&place);
        assert_eq!(made(&place).join("history.json").is_file(), is_scored, "{example}");
        work_in(&made(&place));
        let found = place.run(["check", "made", "--format", "json"]).json();
        let totals = &found["workspaces"][0]["totals"];
        let evals: Value = serde_json::from_slice(&text).expect("JSON");
        let cases = evals.get("evals").or(evals.get("cases")).and_then(Value::as_array);
        let cases = cases.expect("cases").len();
        assert_eq!(totals["cases"], cases, "{example}: {found}");
        assert_eq!(totals["runs"], cases * 4, "{example}: {found}");
        assert_eq!(totals["configurations"], 2, "{example}: {found}");
    }
}

#[test]
fn a_case_is_read_back_as_it_was_planned() {
    let planned = json!({"evals": [{
        "id": 4, "name": "Board slides", "prompt": "make\n\"slides\"", "expected_output": "slides",
        "files": ["evals/files/a.csv"],
        "expectations": ["a plain one", {"id": "x", "text": "one with an id", "required": true}],
    }]});
    let place = skill(planned.to_string());
    assert_eq!(init(&place, &[]).code, Some(0));
    let file = made(&place).join("iteration-1/board-slides/eval_metadata.json");
    let text = read_text(file);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        metadata,
        json!({
            "eval_id": 4, "eval_name": "Board slides", "prompt": "make\n\"slides\"",
            "expected_output": "slides", "files": ["evals/files/a.csv"],
            "assertions": ["a plain one", {"id": "x", "text": "one with an id", "required": true}],
        })
    );
    assert!(
        text.find("eval_id") < text.find("prompt") && text.find("prompt") < text.find("assert")
    );
}

#[test]
fn what_exists_stays_and_the_next_iteration_comes_after_the_highest() {
    let place = skill(r#"{"evals": [{"id": 1, "prompt": "p", "expectations": ["e"]}]}"#);
    let run = made(&place).join("iteration-9/eval-1/with_skill/run-1");
    std::fs::create_dir_all(&run).expect("a folder");
    std::fs::write(run.join("grading.json"), verdicts("p").json()).expect("a file");
    std::fs::create_dir_all(made(&place).join("iteration-2")).expect("a folder");
    let before = hashes(&made(&place));
    let both = ["--list", "--configurations", "with_skill,without_skill"];
    let ran = init(&place, &both).assert_code(0);
    let paths: Vec<_> = ran.stdout.lines().filter_map(|line| line.split(' ').next_back()).collect();
    let expected = [
        "eval_metadata.json",
        "with_skill/run-1/measured.json",
        "with_skill/run-1/outputs/",
        "without_skill/run-1/measured.json",
        "without_skill/run-1/outputs/",
    ];
    assert_eq!(paths, expected.map(|path| format!("made/iteration-10/eval-1/{path}")));
    let after = hashes(&made(&place));
    assert!(before.iter().all(|file| after.iter().any(|other| other == file)));
    assert_eq!(names_in(&made(&place)), ["iteration-10", "iteration-2", "iteration-9"]);
}

#[test]
fn no_iteration_follows_one_that_has_no_run() {
    let place = skill(r#"{"evals": [{"id": 1, "prompt": "p", "expectations": ["e"]}]}"#);
    init(&place, &[]).assert_code(0);
    let before = support::tree(&made(&place));
    for more in [&[][..], &["--dry-run"], &["--runs", "3"]] {
        let ran = init(&place, more).assert_code(2);
        assert!(ran.stderr.contains("`made/iteration-1`"), "{ran:?}");
    }
    assert_eq!(support::tree(&made(&place)), before);
    work_in(&made(&place));
    init(&place, &[]).assert_code(0);
    std::fs::remove_dir_all(made(&place).join("iteration-2")).expect("a folder less");
    std::fs::create_dir(made(&place).join("iteration-2")).expect("a folder");
    init(&place, &[]).assert_code(2);
}

#[test]
fn the_next_iteration_is_spelled_as_the_newest() {
    let evals = r#"{"evals": [{"id": 7, "prompt": "p", "expectations": ["e"]}]}"#;
    for (newest, runs, next) in [
        (
            "Iteration 2/eval-7/with_skill/Run_01",
            "2",
            "Iteration 3/eval-7/with_skill/Run_02/outputs",
        ),
        ("iter-09/eval-7/with_skill", "1", "iter-10/eval-7/with_skill/outputs"),
        ("iter-09/eval-7/with_skill", "2", "iter-10/eval-7/with_skill/run-2/outputs"),
    ] {
        let place = skill(evals);
        let run = made(&place).join(newest);
        std::fs::create_dir_all(&run).expect("a folder");
        std::fs::write(run.join("grading.json"), verdicts("p").json()).expect("a file");
        init(&place, &["--runs", runs]).assert_code(0);
        assert!(made(&place).join(next).is_dir(), "{next}: {:?}", names_in(&made(&place)));
    }
}

#[test]
fn a_large_iteration_is_one_line_and_the_list_has_every_folder() {
    let case = |id: usize| json!({"id": id, "prompt": "p", "expectations": ["e"]});
    let evals: Vec<Value> = (1..=20).map(case).collect();
    let place = skill(json!({ "evals": evals }).to_string());
    let listed = init(&place, &["--dry-run", "--list", "--runs", "3"]).assert_code(0);
    assert_eq!(listed.stdout.lines().count(), 20 + 240);
    let ran = init(&place, &["--runs", "3"]).assert_code(0);
    assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
    for part in ["made/iteration-1", "20 cases", "120 runs", "without_skill"] {
        assert!(ran.stdout.contains(part), "{part}: {ran:?}");
    }
    work_in(&made(&place));
    let more = init(&place, &["--into", "iteration-1", "--runs", "2"]).assert_code(0);
    assert!(more.stdout.lines().count() == 1 && more.stdout.contains("80 runs"), "{more:?}");
}

#[test]
fn a_dry_run_makes_nothing() {
    let place = skill(r#"{"evals": [{"id": 1, "prompt": "p"}]}"#);
    let ran = init(&place, &["--dry-run"]).assert_code(0);
    assert!(ran.stdout.starts_with("would make made/iteration-1"), "{ran:?}");
    assert!(!made(&place).exists());
}

#[test]
fn hostile_names_stay_inside_and_are_read_as_cases() {
    let long = "long ".repeat(200);
    let names = "../x|../../../tmp/evil|/etc/passwd|CON|nul.txt|com1|案例一|a/b\\c|runs|outputs|run-1|\
        iteration-4|with_skill|merge with skill|baseline|v2|2026-01-02|.git|a|A|\u{202e}gnp|<b>|";
    let names = names.to_owned() + &long;
    let names: Vec<&str> = names.split('|').collect();
    let case = |name: &&str| {
        let prompt = format!("Do {name}");
        json!({"name": name, "prompt": prompt, "expectations": [name]})
    };
    let evals: Vec<Value> = names.iter().map(case).collect();
    let place = skill(json!({ "evals": evals }).to_string());
    let ran = init(&place, &[]).assert_code(0);
    assert!(!ran.stdout.contains('\u{202e}'), "{}", ran.stdout);
    let folders = names_in(&made(&place).join("iteration-1"));
    assert_eq!(folders.len(), names.len(), "{folders:?}");
    let is_safe = |name: &String| {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        !name.is_empty() && name.len() <= 60 && name.chars().all(plain)
    };
    assert!(folders.iter().all(is_safe), "{folders:?}");
    assert_eq!(names_in(&place.elsewhere()), ["made"]);
    assert_good(&place);
    work_in(&made(&place));
    let found = place.run(["check", "made", "--format", "json"]).json();
    assert_eq!(found["workspaces"][0]["totals"]["cases"], names.len(), "{found}");
    assert_eq!(found["workspaces"][0]["totals"]["ignored_files"], 0, "{found}");
    assert_eq!(found["workspaces"][0]["totals"]["runs"], names.len() * 2, "{found}");
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_made() {
    let place = skill(r#"{"evals": [{"id": 1, "prompt": "p"}]}"#);
    for (more, message) in [
        (&["--configurations", "../x"][..], "`../x`"),
        (&["--configurations", "with skill"], "`with_skill`"),
        (&["--configurations", "a,A"], "`A`"),
        (&["--configurations", "run-1"], "`run-1`"),
        (&["--configurations", "con"], "`con`"),
        (&["--runs", "0"], "1..=1000"),
    ] {
        let ran = init(&place, more);
        assert_eq!(ran.code, Some(2), "{more:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{ran:?}");
    }
    assert!(!made(&place).exists());
}

#[test]
fn what_is_no_case_is_told_and_a_prompt_alone_is_one() {
    let evals = r#"{"evals": ["do a", null, 5, " ",
 {"prompt": "b", "expectations": [{"foo": 1}, null, "", "e"]}]}"#;
    let place = skill(evals);
    let ran = init(&place, &[]).assert_code(0);
    for shown in [
        "evals.json:1:20: `evals[1]`",
        "evals.json:1:26: `evals[2]`",
        "evals.json:1:29: `evals[3]`",
        "evals.json:2:35: `expectations[0]`",
        "evals.json:2:47: `expectations[1]`",
        "evals.json:2:53: `expectations[2]`",
    ] {
        assert!(ran.stderr.contains(shown), "{ran:?}");
    }
    let planned = |case: &str| {
        let path = made(&place).join(format!("iteration-1/{case}/eval_metadata.json"));
        let text = read_text(path);
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    assert_eq!(planned("eval-1")["prompt"], "do a");
    assert_eq!(planned("eval-2")["assertions"], json!(["e"]));
    assert!(!made(&place).join("iteration-1/eval-3").exists());
}

#[test]
fn evals_that_cannot_be_read_end_with_3_and_say_where_was_looked() {
    let twice = r#"{"evals": [{"id": 1, "prompt": "a"}, {"id": 1, "prompt": "b"}]}"#;
    let table: [(Option<&str>, &[&str], &[&str]); 7] = [
        (None, &[], &["`assets/evals/evals.json`", "`--evals FILE`"]),
        (Some("not at all"), &[], &[]),
        (Some("not at all"), &["--evals", "no-such.json"], &[]),
        (Some(twice), &[], &["`../workspace/evals/evals.json`", "`1`"]),
        (
            Some(twice),
            &["--evals", "../workspace/evals"],
            &["`../workspace/evals`", "`--evals ../workspace/evals/evals.json`"],
        ),
        (Some(r#"{"evals": []}"#), &[], &["`prompt`"]),
        // Its folders would be in the way of the mended case.
        (Some(r#"{"evals": [{"id": "a", "expectations": ["x"]}]}"#), &[], &["`a` has no `prompt`"]),
    ];
    for (evals, more, parts) in table {
        let place = Workspace::new().file("SKILL.md", "# a skill\n");
        let place = match evals {
            Some(evals) => place.file("evals/evals.json", evals),
            None => place,
        };
        let ran = init(&place, more);
        assert_eq!(ran.code, Some(3), "{evals:?} {more:?}: {ran:?}");
        assert!(parts.iter().all(|part| ran.stderr.contains(part)), "{parts:?}: {ran:?}");
        assert!(!made(&place).exists());
    }
}

#[test]
fn an_iteration_made_beside_versions_is_the_newest() {
    let place = Workspace::new()
        .files("v0,v1/skill/SKILL.md", "# a skill\n")
        .files("grading/a_v0_run1.json,a_v1_run1.json", verdicts("p").json())
        .runs("iteration-1/a/with_skill/run-1 -");
    let ran = place.run(["check", "../workspace"]);
    let first = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let names: Vec<String> = ran.stdout.lines().map(first).collect();
    let at = |name: &str| names.iter().position(|it| it == name);
    assert!(at("v0") < at("v1") && at("v1") < at("iteration-1") && at("v0").is_some(), "{ran:?}");
}

#[test]
fn evals_in_the_workspace_serve_where_the_skill_has_none() {
    let evals = r#"{"evals": [{"id": 1, "prompt": "Do it", "expectations": ["x"]}]}"#;
    let workspace = Workspace::new().file("evals/evals.json", evals);
    let skill = workspace.elsewhere().join("skill");
    std::fs::create_dir(&skill).expect("a folder");
    std::fs::write(skill.join("SKILL.md"), "Do it well.").expect("a skill");
    let ran = workspace.run(["init", "skill", "-o", "../workspace"]).assert_code(0);
    assert!(workspace.path().join("iteration-1/eval-1/eval_metadata.json").is_file(), "{ran:?}");
    workspace.run(["init", "skill", "-o", "other"]).assert_code(3);
}

#[test]
fn what_a_case_lacks_is_said_and_planned_all_the_same() {
    let evals =
        r#"{"evals": [{"id": 1, "prompt": "…", "expectation": ["x"], "files": ["none.csv"]}]}"#;
    let place = Workspace::new().file("SKILL.md", "# a\n").file("evals/evals.json", evals);
    let ran = place.run(["init", "../workspace", "-o", "made"]).assert_code(0);
    for part in ["1:52: `expectation`", "`expectations`", "`prompt` still", "`none.csv`"] {
        assert!(ran.stderr.contains(part), "{part}: {ran:?}");
    }
}

const AGENT_FOLDERS: [&str; 3] = [".agents/skills", ".claude/skills", ".github/skills"];

#[test]
fn agents_get_the_whole_skill_where_they_look_and_a_second_time_nothing() {
    let place = Workspace::new();
    let would = place.run(["init", "--agents", "--dry-run"]);
    assert_eq!((would.code, hashes(&place.elsewhere()).len()), (Some(0), 0), "{would:?}");
    let ran = place.run(["init", "--agents"]).assert_code(0);
    assert_eq!(ran.stdout, would.stdout.replace("would make", "made"));
    let skill = hashes(&project().join("skills/evalbook"));
    assert!(skill.contains_key("SKILL.md") && skill.contains_key("evals/evals.json"));
    for folder in AGENT_FOLDERS {
        assert_eq!(hashes(&place.elsewhere().join(folder).join("evalbook")), skill, "{folder}");
    }
    let again = place.run(["init", "--agents"]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""), "{again:?}");
}

#[test]
fn a_skill_for_agents_that_somebody_changed_stays_and_nothing_is_written() {
    let place = Workspace::new();
    let own = place.elsewhere().join("project/.github/skills/evalbook/SKILL.md");
    std::fs::create_dir_all(own.parent().expect("a folder")).expect("folders");
    std::fs::write(&own, "my own").expect("a file");
    let ran = place.run(["init", "--agents=project"]).assert_code(3);
    assert!(ran.stderr.contains("project/.github/skills/evalbook/SKILL.md"), "{}", ran.stderr);
    assert_eq!(hashes(&place.elsewhere().join("project")).len(), 1);
    assert_eq!(read_text(&own), "my own");
    place.run(["init", "--agents=nowhere"]).assert_code(3);
    for wrong in
        [&["init", "skill", "--agents"][..], &["init", "--agents", "--runs", "2"], &["init"]]
    {
        assert_eq!(place.run(wrong.iter().copied()).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn an_edited_skill_for_agents_is_kept_and_named() {
    let place = Workspace::new();
    place.run(["init", "--agents"]).assert_code(0);
    let at = place.elsewhere();
    for file in [".claude/skills/evalbook/SKILL.md", ".agents/skills/evalbook/evals/evals.json"] {
        let text = read_text(at.join(file)) + "\nmy line\n";
        std::fs::write(at.join(file), text).expect("a file");
    }
    std::fs::remove_dir_all(at.join(".github")).expect("a folder less");
    let before = hashes(&at);
    for more in [&[][..], &["--dry-run"]] {
        let ran = place.run([&["init", "--agents"], more].concat()).assert_code(3);
        for file in [".claude/skills/evalbook/SKILL.md", ".agents/skills/evalbook/evals/evals.json"]
        {
            assert!(ran.stderr.contains(file), "{file}: {ran:?}");
        }
        assert_eq!(hashes(&at), before);
    }
}

#[cfg(unix)]
#[test]
fn folders_of_agents_that_are_one_by_a_link_get_the_skill_once() {
    let place = Workspace::new();
    std::fs::create_dir_all(place.elsewhere().join(".agents")).expect("a folder");
    std::os::unix::fs::symlink(".agents", place.elsewhere().join(".claude")).expect("a link");
    let ran = place.run(["init", "--agents"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 6), "{ran:?}");
}
