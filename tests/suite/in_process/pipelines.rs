//! What must hold for the action and the example pipelines without running them: what they may do, that
//! nothing is put into a script, and what linters say where they are installed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support;
use crate::support::pipeline::{steps, yaml};
use crate::support::{children, name_of, project, read_text};
use serde_json::Value;

/// Where workflows are: the examples, and those of the project itself.
const FOLDERS: [&str; 2] = ["examples/github", ".github/workflows"];

/// The workflows, with their names.
fn workflows() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for file in children(&project().join(folder)) {
            let name = name_of(&file);
            let content = yaml(&format!("{folder}/{name}"));
            found.push((name, content));
        }
    }
    assert!(found.len() >= 6, "{}", found.len());
    found
}

/// The jobs of a workflow that have steps; others call a workflow.
fn jobs(file: &Value) -> Vec<(String, Value)> {
    let jobs = file["jobs"].as_object().expect("jobs").clone();
    jobs.into_iter().filter(|(_, job)| job["uses"].is_null()).collect()
}

/// Every step of the action and the workflows, with the name of its file.
fn all_steps() -> Vec<(String, Value)> {
    let mut all = vec![("action.yml".to_owned(), yaml("action.yml")["runs"]["steps"].clone())];
    for (name, file) in workflows() {
        all.extend(jobs(&file).into_iter().map(|(_, job)| (name.clone(), job["steps"].clone())));
    }
    let of = |(name, list): (String, Value)| {
        steps(&list).into_iter().map(move |step| (name.clone(), step)).collect::<Vec<_>>()
    };
    all.into_iter().flat_map(of).collect()
}

#[test]
fn no_expression_is_put_into_a_script() {
    for (file, step) in all_steps() {
        if let Some(script) = step["run"].as_str() {
            assert!(!script.contains("${{"), "{file}: {script}");
        }
        assert_eq!(
            file == "action.yml" && step["run"].is_string(),
            step["shell"] == "bash",
            "{step}"
        );
    }
}

/// Every value that a script of the action takes is in the environment of its step.
#[test]
fn the_scripts_of_the_action_find_what_they_take_in_their_environment() {
    let read = |path: &Path| read_text(path);
    let common = project().join("action/common.sh");
    let mut scripts: BTreeSet<PathBuf> = children(&project().join("action")).into_iter().collect();
    assert!(scripts.remove(&common), "what all of them share");
    let given_by_runner =
        |name: &str| ["GITHUB_", "RUNNER_", "BASH_"].iter().any(|start| name.starts_with(start));
    for step in steps(&yaml("action.yml")["runs"]["steps"]) {
        let run = step["run"].as_str().unwrap_or_default();
        let Some(name) = run.strip_prefix("bash \"$GITHUB_ACTION_PATH/action/") else { continue };
        let script = project().join("action").join(name.trim_end_matches('"'));
        assert!(scripts.remove(&script), "{run}");
        let text = read(&script) + &read(&common);
        for used in text.split('$').skip(1) {
            let used = used.trim_start_matches('{');
            let end =
                used.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_');
            let used = &used[..end.unwrap_or(used.len())];
            let is_variable = used.starts_with(|c: char| c.is_ascii_uppercase());
            if is_variable && !given_by_runner(used) {
                assert!(step["env"][used].is_string(), "{name}: {used}");
            }
        }
    }
    assert_eq!(scripts, BTreeSet::new(), "no step runs them");
}

/// What `.github/home` says.
fn home(name: &str) -> String {
    let text = read_text(project().join(".github/home"));
    let start = format!("{name}=");
    let found = text.lines().find_map(|line| line.strip_prefix(&start)).expect("a line");
    found.to_owned()
}

/// `.github/write-home` moves the whole project, and is run: nothing but `.github/home` decides.
#[test]
fn one_file_says_where_the_project_lives() {
    let place = tempfile::tempdir().expect("a folder");
    let tracked = Command::new("git").args(["ls-files", "-z"]).current_dir(project()).output();
    let Ok(tracked) = tracked else { return };
    let mut named = Vec::new();
    for path in String::from_utf8_lossy(&tracked.stdout).split_terminator('\0') {
        let (from, to) = (project().join(path), place.path().join(path));
        let Ok(bytes) = std::fs::read(&from) else { continue };
        if String::from_utf8_lossy(&bytes).contains("not-published-yet") {
            named.push(path.to_owned());
        }
        let needed = ["README", "CONTRIB", "SECURITY", "docs/", "examples/git", "npm/", ".github/"];
        if path.ends_with(".toml") || needed.iter().any(|start| path.starts_with(start)) {
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            std::fs::copy(&from, &to).expect("a copy");
        }
    }
    let run = || {
        let script = place.path().join(".github/write-home");
        let ran = Command::new("bash").arg(script).output().expect("bash");
        assert!(ran.status.success(), "{ran:?}");
    };
    run();
    for path in &named {
        let [before, after] = [project(), place.path().to_path_buf()]
            .map(|root| std::fs::read(root.join(path)).unwrap_or_default());
        let is_copied = place.path().join(path).is_file();
        assert!(!is_copied || before == after, "run .github/write-home: {path} is stale");
    }
    let home = place.path().join(".github/home");
    let text = read_text(&home);
    std::fs::write(&home, text.replace("not-published-yet", "moved-to")).expect("a home");
    run();
    // Also from a home with a domain of its own.
    let moved =
        read_text(&home).replace("https://moved-to.github.io/evalbook", "https://book.example");
    std::fs::write(&home, moved).expect("a home");
    run();
    assert!(read_text(place.path().join("README.md")).contains("(https://book.example/demo/)"));
    std::fs::write(&home, text.replace("not-published-yet", "moved-to")).expect("a home");
    run();
    for path in named {
        // This test names it, and the record of changes keeps what was.
        if path.ends_with("pipelines.rs") || path == "CHANGELOG.md" {
            continue;
        }
        let text = std::fs::read_to_string(place.path().join(&path)).unwrap_or_default();
        assert!(text.contains("moved-to"), "{path} is not written by .github/write-home");
        assert!(!text.contains("not-published-yet"), "{path} keeps an address of its own");
    }
}

#[test]
fn every_action_used_is_pinned_to_a_commit() {
    let mut seen = BTreeSet::new();
    for (file, step) in all_steps() {
        let Some(used) = step["uses"].as_str() else { continue };
        let (name, commit) = used.split_once('@').expect("a commit");
        let is_commit = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
        assert!(is_commit, "{file}: {used}");
        let is_known = name.starts_with("actions/") || name == home("slug");
        assert!(is_known || name == "rust-lang/crates-io-auth-action", "{file}: {used}");
        seen.insert((name.to_owned(), commit.to_owned()));
    }
    let names: BTreeSet<&str> = seen.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), seen.len(), "one commit of each: {seen:?}");
}

#[test]
fn the_examples_give_only_inputs_that_the_action_has_and_the_names_that_programs_use() {
    let action = yaml("action.yml");
    let mut number = 0;
    for (file, step) in all_steps() {
        let action_itself = format!("{}@", home("slug"));
        if !step["uses"].as_str().is_some_and(|used| used.starts_with(&action_itself)) {
            continue;
        }
        number += 1;
        for name in step["with"].as_object().expect("inputs").keys() {
            assert!(action["inputs"].get(name).is_some(), "{file}: `{name}` is no input");
        }
    }
    assert_eq!(number, 6);
    for (name, output) in action["outputs"].as_object().expect("outputs") {
        let value = output["value"].as_str().expect("a value");
        assert!(value.ends_with(&format!(".outputs.{name} }}}}")), "{name}: {value}");
    }
}

/// The targets that the release workflow makes an archive of.
fn targets() -> BTreeSet<String> {
    let release = yaml(".github/workflows/release.yml");
    let matrix = &release["jobs"]["archive"]["strategy"]["matrix"]["include"];
    let targets = matrix.as_array().expect("a matrix").iter();
    targets.map(|one| one["target"].as_str().expect("a target").to_owned()).collect()
}

#[test]
fn whoever_fetches_or_repacks_archives_knows_the_targets_of_the_release() {
    let read = |path: &str| read_text(project().join(path));
    let [install, packages, cargo] = ["action/install.sh", "npm/build.js", "Cargo.toml"].map(read);
    for target in targets() {
        assert!(install.contains(&format!("target={target} ;;")), "install.sh: {target}");
        assert!(packages.contains(&format!("\"{target}\": [")), "npm/build.js: {target}");
    }
    assert_eq!(targets().len(), packages.matches("\": [\"").count(), "npm/build.js");
    // All of them spell the name of an archive alike.
    let workflow = read(".github/workflows/release.yml");
    assert!(workflow.contains("name=evalbook-$version-$TARGET.tar.gz"));
    assert!(install.contains("releases/download/v$version/$name"));
    assert!(install.contains("name=evalbook-$version-$target.tar.gz"));
    assert!(packages.contains("`evalbook-${version}-${target}.tar.gz`"));
    let address = "/releases/download/v{ version }/evalbook-{ version }-{ target }.tar.gz\"";
    assert!(cargo.contains(address), "Cargo.toml");
}

#[test]
fn a_static_program_is_built_with_a_compiler_for_its_library() {
    let release = yaml(".github/workflows/release.yml");
    let build = steps(&release["jobs"]["archive"]["steps"]);
    let build = build.iter().find(|step| step["name"] == "Build").expect("a step");
    let script = build["run"].as_str().expect("a script");
    assert!(
        script.find("musl-tools").expect("musl-tools") < script.find("cargo build").expect("cargo")
    );
}

#[test]
fn a_build_is_kept_before_anything_can_fail_the_action() {
    let names: Vec<String> = steps(&yaml("action.yml")["runs"]["steps"])
        .iter()
        .map(|step| step["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    let at = |name: &str| names.iter().position(|found| found == name).expect(name);
    assert_eq!(at("Keep the build of evalbook"), at("Build evalbook") + 1);
    assert!(at("Keep the build of evalbook") < at("Build the report"));
}

/// What each job may do; everything else is closed.
const PERMISSIONS: &[(&str, &str, &[&str])] = &[
    ("pages.yml", "report", &["contents: write"]),
    ("pages.yml", "deploy", &["id-token: write", "pages: write"]),
    ("same-repository.yml", "evaluation", &["contents: read", "pull-requests: write"]),
    ("pull-request.yml", "evaluation", &["contents: read"]),
    (
        "pull-request-comment.yml",
        "comment",
        &["actions: read", "contents: read", "pull-requests: write"],
    ),
    ("baseline.yml", "baseline", &["contents: write"]),
    ("shards.yml", "run", &["contents: read"]),
    ("shards.yml", "report", &[]),
    ("release.yml", "npm", &["contents: read"]),
    ("ci.yml", "tests", &["contents: read"]),
    ("ci.yml", "other-systems", &["contents: read"]),
    ("ci.yml", "dependencies", &["contents: read"]),
    ("ci.yml", "oldest-compiler", &["contents: read"]),
    ("ci.yml", "everything", &["contents: read"]),
    ("ci.yml", "systems", &["contents: read"]),
    ("ci.yml", "same-bytes", &[]),
    ("demo.yml", "pages", &["contents: read", "id-token: write", "pages: write"]),
    ("release.yml", "archive", &["contents: read"]),
    ("release.yml", "release", &["contents: write"]),
    ("release.yml", "publish", &["contents: read", "id-token: write"]),
];

#[test]
fn jobs_may_do_only_what_they_need() {
    let mut number = 0;
    for (name, file) in workflows() {
        assert_eq!(file["permissions"], serde_json::json!({}), "{name}");
        for (job, it) in &jobs(&file) {
            number += 1;
            let given = it["permissions"].as_object().expect("permissions");
            let mut given: Vec<String> = given
                .iter()
                .map(|(what, how)| format!("{what}: {}", how.as_str().expect("a word")))
                .collect();
            given.sort();
            let known = PERMISSIONS.iter().find(|known| (known.0, known.1) == (&name, job));
            let (_, _, expected) = known.unwrap_or_else(|| panic!("{name}: `{job}` is not listed"));
            assert_eq!(given, *expected, "{name}: {job}");
            assert!(it["timeout-minutes"].is_u64(), "{name}: {job}");
        }
    }
    assert_eq!(number, PERMISSIONS.len());
}

#[test]
fn the_stage_that_may_comment_takes_no_code_of_the_pull_request() {
    let file = yaml("examples/github/pull-request-comment.yml");
    assert_eq!(
        file["on"]["workflow_run"]["workflows"][0],
        yaml("examples/github/pull-request.yml")["name"]
    );
    for step in steps(&file["jobs"]["comment"]["steps"]) {
        let used = step["uses"].as_str().unwrap_or_default();
        assert!(!used.starts_with("actions/checkout@"), "{step}");
        assert!(step["name"] == "Find the pull request" || step["if"].is_string(), "{step}");
    }
    for (name, file) in workflows() {
        assert!(file["on"].get("pull_request_target").is_none(), "{name}");
        let checkouts = all_steps().into_iter().filter(|(of, step)| {
            *of == name
                && step["uses"].as_str().is_some_and(|it| it.starts_with("actions/checkout@"))
        });
        for (_, step) in checkouts {
            assert_eq!(step["with"]["persist-credentials"], false, "{name}");
        }
    }
}

/// The steps of the action as a workflow, so that a linter of workflows looks at them.
fn as_workflow() -> String {
    let text = read_text(project().join("action.yml"));
    let (_, list) = text.split_once("\n  steps:\n").expect("its steps");
    let mut workflow = "on:\n  workflow_call:\n    inputs:\n".to_owned();
    for name in yaml("action.yml")["inputs"].as_object().expect("inputs").keys() {
        let _ = writeln!(workflow, "      {name}:\n        type: string");
    }
    workflow.push_str("jobs:\n  action:\n    runs-on: ubuntu-24.04\n    steps:\n");
    workflow + list
}

/// A command that lints workflows: `actionlint`, or a script for node that does what it does, which
/// `EVALBOOK_ACTIONLINT` names.
fn actionlint() -> Option<Command> {
    let script = std::env::var_os("EVALBOOK_ACTIONLINT").map(PathBuf::from);
    let mut command = match script.filter(|script| script.is_file()) {
        Some(script) => {
            let mut node = Command::new("node");
            node.arg(script);
            node
        }
        None => Command::new("actionlint"),
    };
    let mut version = Command::new(command.get_program());
    let starts = version.arg("--version").output().is_ok();
    command.stdin(Stdio::null());
    starts.then_some(command)
}

/// What the linter says of workflows in `folder`; nothing where all is well.
fn lint(mut command: Command, folder: &Path) -> String {
    let output =
        command.current_dir(folder).args(names(folder)).output().expect("the linter starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        String::new()
    } else {
        printed + &String::from_utf8_lossy(&output.stderr)
    }
}

fn names(folder: &Path) -> Vec<String> {
    children(folder).iter().map(|file| name_of(file)).collect()
}

#[test]
fn a_linter_of_workflows_finds_nothing() {
    let Some(command) = actionlint() else {
        println!("skipped: there is no actionlint");
        return;
    };
    let place = tempfile::tempdir().expect("a temporary folder");
    for folder in FOLDERS {
        support::copy(&project().join(folder), place.path());
    }
    std::fs::write(place.path().join("action.yml"), as_workflow()).expect("a workflow");
    assert_eq!(lint(command, place.path()), "");
    let wrong = as_workflow().replace("steps.install.outputs", "steps.instal.outputs");
    std::fs::write(place.path().join("action.yml"), wrong).expect("a workflow");
    let printed = lint(actionlint().expect("it was there"), place.path());
    assert!(printed.contains("instal"), "it looks at the action: {printed}");
}

#[test]
fn a_linter_of_shell_scripts_finds_nothing() {
    let mut version = Command::new("shellcheck");
    if !version.arg("--version").output().is_ok_and(|it| it.status.success()) {
        println!("skipped: there is no shellcheck");
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let gitlab = yaml("examples/gitlab/.gitlab-ci.yml");
    let jobs = gitlab.as_object().expect("jobs").values();
    let of_job = |job: &Value| job["script"][0].as_str().map(str::to_owned);
    let scripts =
        all_steps().into_iter().filter_map(|(_, it)| it["run"].as_str().map(str::to_owned));
    let scripts: Vec<String> = scripts.chain(jobs.filter_map(of_job)).collect();
    assert!(scripts.len() >= 8, "{}", scripts.len());
    for (index, script) in scripts.iter().enumerate() {
        let file = place.path().join(format!("{index}.sh"));
        std::fs::write(file, format!("set -e\n{script}")).expect("a script");
    }
    let mut command = Command::new("shellcheck");
    let output = command.current_dir(place.path()).arg("--shell=bash").args(names(place.path()));
    let output = output.output().expect("the linter starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let files = children(&project().join("action"));
    let mut command = Command::new("shellcheck");
    let output = command.current_dir(project()).arg("--external-sources").args(files).output();
    let output = output.expect("the linter starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
