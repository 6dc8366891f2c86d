//! The example pipelines for GitHub and GitLab: every shell step is run against a stand-in for the
//! forge.

#![cfg(unix)]
use std::path::Path;
use std::process::Command;

use super::github::{act, action_steps, forge, machine, nothing_ran, workspace};
use crate::support;
use crate::support::forge::Forge;
use crate::support::pipeline::{Machine, step, steps, yaml};
use crate::support::{CommandOutput, evalbook, git, grading, read_text, tree};
use serde_json::{Value, json};

/// One run of `pages.yml` against a repository on disk, stopped by the first step that fails.
fn published(remote: &Path, number: usize) -> (Machine, Vec<CommandOutput>) {
    let all = steps(&yaml("examples/github/pages.yml")["jobs"]["report"]["steps"]);
    let mut machine = Machine::new()
        .knowing("github.server_url", &remote.parent().expect("a folder").display().to_string())
        .knowing("github.repository", "skills.git")
        .knowing("github.run_number", &number.to_string())
        .knowing("github.token", "secret-token");
    workspace(&machine.work().join("ws"), 0);
    let mut ran = vec![machine.run(&step(&all, "Fetch the site"))];
    if ran[0].code == Some(0) {
        let name = format!("run-{number}");
        let args = ["build", "ws", "--into", "site", "--name", &name];
        ran.push(CommandOutput::of(evalbook(&machine.work()).args(args)));
        ran.push(machine.run(&step(&all, "Keep the site")));
    }
    (machine, ran)
}

#[test]
fn a_site_keeps_earlier_reports_on_a_branch_of_one_commit() {
    let Some(_) = forge() else { return };
    let place = tempfile::tempdir().expect("a temporary folder");
    let remote = place.path().join("skills.git");
    git(place.path(), &["init", "--quiet", "--bare", "skills.git"]);
    for number in 1..=3 {
        let (machine, ran) = published(&remote, number);
        assert!(ran.iter().all(|ran| ran.code == Some(0)), "{ran:?}");
        assert!(!machine.work().join("site/.git").exists());
    }
    let files = git(&remote, &["ls-tree", "--name-only", "evalbook-site"]);
    let names: Vec<&str> = files.lines().filter(|name| name.starts_with("run-")).collect();
    assert_eq!(names, ["run-1", "run-2", "run-3"]);
    assert!(files.lines().any(|name| name == ".nojekyll"), "{files}");
    assert_eq!(git(&remote, &["rev-list", "--count", "evalbook-site"]), "1");
    std::fs::remove_dir_all(&remote).expect("it can be removed");
    let (_, ran) = published(&remote, 4);
    assert_ne!(ran[0].code, Some(0), "a host that does not answer has no empty site");
    assert_eq!(ran.len(), 1);
}

#[test]
fn a_site_that_somebody_changed_meanwhile_is_not_overwritten() {
    let Some(_) = forge() else { return };
    let place = tempfile::tempdir().expect("a temporary folder");
    let remote = place.path().join("skills.git");
    git(place.path(), &["init", "--quiet", "--bare", "skills.git"]);
    published(&remote, 1);
    let first = git(&remote, &["rev-parse", "evalbook-site"]);
    let (mut late, ran) = published(&remote, 2);
    assert!(ran.iter().all(|ran| ran.code == Some(0)), "{ran:?}");
    let second = git(&remote, &["rev-parse", "evalbook-site"]);
    late.known.insert("steps.site.outputs.commit".to_owned(), first);
    std::fs::write(late.work().join("site/more.txt"), "more").expect("a file");
    let all = steps(&yaml("examples/github/pages.yml")["jobs"]["report"]["steps"]);
    assert_ne!(late.run(&step(&all, "Keep the site")).code, Some(0));
    late.known.insert("steps.site.outputs.commit".to_owned(), String::new());
    assert_ne!(late.run(&step(&all, "Keep the site")).code, Some(0), "nor where there was none");
    assert_eq!(git(&remote, &["rev-parse", "evalbook-site"]), second);
}

#[test]
fn a_baseline_follows_the_branch_and_is_committed_only_where_it_differs() {
    let Some(_) = forge() else { return };
    let place = tempfile::tempdir().expect("a temporary folder");
    let remote = place.path().join("skills.git");
    git(place.path(), &["init", "--quiet", "--bare", "skills.git"]);
    let mut machine = Machine::new()
        .knowing("github.server_url", &place.path().display().to_string())
        .knowing("github.repository", "skills.git")
        .knowing("github.ref_name", "main")
        .knowing("github.token", "secret-token");
    let work = machine.work();
    git(&work, &["init", "--quiet", "--initial-branch", "main"]);
    workspace(&work.join("my-skill-workspace"), 0);
    git(&work, &["add", "--all"]);
    git(&work, &["commit", "--quiet", "-m", "two rounds"]);
    let all = steps(&yaml("examples/github/baseline.yml")["jobs"]["baseline"]["steps"]);
    let update = step(&all, "Update the baseline");
    for _ in 0..2 {
        machine.run(&update).assert_code(0);
        assert_eq!(git(&remote, &["rev-list", "--count", "main"]), "2");
    }
    let one = |round: usize| {
        work.join(format!("my-skill-workspace/iteration-{round}/one/with_skill/grading.json"))
    };
    std::fs::create_dir_all(one(3).parent().expect("a folder")).expect("a folder");
    std::fs::write(one(3), grading(&[("second", true, "seen 3")])).expect("a grading");
    machine.run(&update).assert_code(0);
    let kept = git(&remote, &["show", "main:evals/baseline.json"]);
    assert!(kept.contains("\"iteration\":\"iteration-3\""), "{kept}");
}

#[test]
fn stage_two_compares_with_the_baseline_of_the_default_branch() {
    let Some(forge) = forge() else { return };
    let all = steps(&yaml("examples/github/pull-request-comment.yml")["jobs"]["comment"]["steps"]);
    let mut machine = Machine::new()
        .knowing("github.api_url", &forge.url())
        .knowing("github.repository", "me/skills")
        .knowing("github.sha", &"a1".repeat(20))
        .knowing("github.token", "secret-token");
    let fetch = step(&all, "Fetch the baseline");
    machine.run(&fetch).assert_code(0);
    assert_eq!(machine.output("baseline", "path"), "", "there is none");
    let path = "/repos/me/skills/contents/evals/baseline.json".to_owned();
    forge.state().files.insert(path, b"{}".to_vec());
    forge.fail("GET", 403);
    assert_eq!(machine.run(&fetch).code, Some(1));
    machine.run(&fetch).assert_code(0);
    assert_eq!(read_text(machine.work().join(machine.output("baseline", "path"))), "{}");
}

/// An edit that nobody ran is seen only beside the skill, so stage one hands it over too.
#[test]
fn stage_two_sees_that_the_skill_was_edited_and_not_run() {
    let Some(_) = forge() else { return };
    let stage = |file: &str, job: &str, name: &str| {
        step(&steps(&yaml(&format!("examples/github/{file}"))["jobs"][job]["steps"]), name)
    };
    let handed = stage("pull-request.yml", "evaluation", "Hand over the workspace");
    let fetched = stage("pull-request-comment.yml", "comment", "Fetch the workspace");
    let with = stage("pull-request-comment.yml", "comment", "Comment")["with"].clone();
    let skill = handed["with"]["path"].as_str().and_then(|paths| paths.lines().next());
    let into = fetched["with"]["path"].as_str().expect("a folder");
    let mut machine = machine(0)
        .knowing("inputs.workspace", with["workspace"].as_str().expect("a workspace"))
        .knowing("inputs.base", "baseline.json")
        .knowing("inputs.gate", with["gate"].as_str().expect("a gate"));
    let at = machine.work().join(into);
    let skill = at.join(skill.expect("the skill"));
    std::fs::create_dir_all(skill.join("evals")).expect("a folder");
    std::fs::write(skill.join("SKILL.md"), "first").expect("a skill");
    let evals = r#"{"evals": [{"id": "one", "prompt": "Do it", "expectations": ["x"]}]}"#;
    std::fs::write(skill.join("evals/evals.json"), evals).expect("evals");
    let run = |args: &[&str]| evalbook(&at).args(args).status().is_ok_and(|code| code.success());
    assert!(run(&["init", "my-skill", "--configurations", "with_skill"]));
    let graded = at.join("my-skill-workspace/iteration-1/one/with_skill/run-1/grading.json");
    std::fs::write(graded, grading(&[("x", true, "seen")])).expect("a grading");
    assert!(run(&["baseline", "my-skill-workspace", "-o", "../baseline.json"]));
    for (text, code) in [("first", "0"), ("edited", "1")] {
        std::fs::write(skill.join("SKILL.md"), text).expect("a skill");
        machine.run(&step(&action_steps(), "Build the report")).assert_code(0);
        assert_eq!(machine.output("report", "exit-code"), code, "{text}");
    }
}

/// Runs the step of stage two that finds the pull request of `branch`.
fn found(forge: &Forge, branch: &str) -> (Machine, CommandOutput) {
    let all = steps(&yaml("examples/github/pull-request-comment.yml")["jobs"]["comment"]["steps"]);
    let mut machine = Machine::new()
        .knowing("github.api_url", &forge.url())
        .knowing("github.repository", "me/skills")
        .knowing("github.event.workflow_run.head_repository.full_name", "fork/skills")
        .knowing("github.event.workflow_run.head_branch", branch)
        .knowing("github.event.workflow_run.head_sha", "abc")
        .knowing("github.token", "secret-token");
    let ran = machine.run(&step(&all, "Find the pull request"));
    (machine, ran)
}

fn pull(number: u64, sha: &str, head: &str, base: &str) -> Value {
    json!({
        "number": number,
        "head": { "sha": sha, "repo": { "full_name": head } },
        "base": { "repo": { "full_name": base } },
    })
}

#[test]
fn stage_two_finds_the_pull_request_without_trusting_stage_one() {
    let Some(forge) = forge() else { return };
    let (machine, ran) = found(&forge, "main");
    assert_eq!((ran.code, machine.output("pull", "number")), (Some(0), ""), "{ran:?}");
    forge.state().pulls = vec![
        pull(3, "older", "fork/skills", "me/skills"),
        pull(4, "abc", "other/skills", "me/skills"),
        pull(5, "abc", "fork/skills", "other/skills"),
        pull(12, "abc", "fork/skills", "me/skills"),
        json!({ "number": 2, "head": { "sha": "abc", "repo": null }, "base": { "repo": null } }),
    ];
    let (machine, ran) = found(&forge, "a&state=all#$(touch pwned)'\"");
    assert_eq!((ran.code, machine.output("pull", "number")), (Some(0), "12"), "{ran:?}");
    nothing_ran(&machine);
    let path = forge.state().asked.last().map(|asked| asked.path.clone()).expect("a request");
    let query = "/repos/me/skills/pulls?head=fork%3aa%26state%3dall%23%24%28touch%20pwned%29%27%22\
                 &state=open&per_page=100";
    // Versions of curl write the same escapes differently.
    assert_eq!(path.replace('+', "%20").to_lowercase(), query.to_lowercase());
    forge.fail("GET", 401);
    assert_ne!(found(&forge, "main").1.code, Some(0));
}

#[test]
fn stage_two_keeps_nothing_but_data() {
    let Some(_) = forge() else { return };
    let all = steps(&yaml("examples/github/pull-request-comment.yml")["jobs"]["comment"]["steps"]);
    let mut machine = Machine::new().knowing("steps.pull.outputs.number", "12");
    let folder = machine.work().join("untrusted/my-skill-workspace");
    workspace(&folder, 1);
    std::fs::create_dir_all(folder.join("iteration-2/$(touch pwned)")).expect("a folder");
    for place in ["evalbook.toml", "iteration-2/$(touch pwned)/evalbook.toml"] {
        std::fs::write(folder.join(place), "title = 'x'").expect("a file");
    }
    for (to, name) in [("/etc/passwd", "link"), ("/etc", "folder"), ("nowhere", "evalbook.toml~")] {
        std::os::unix::fs::symlink(to, folder.join(name)).expect("a link");
    }
    machine.run(&step(&all, "Keep nothing but data")).assert_code(0);
    let left: Vec<String> = tree(&machine.work()).into_keys().collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().all(|path| path.ends_with("grading.json")), "{left:?}");
    assert!(!folder.join("link").is_symlink() && Path::new("/etc/passwd").exists());
    nothing_ran(&machine);
}

#[test]
fn folders_of_parallel_jobs_are_joined_when_all_are_there() {
    let Some(_) = forge() else { return };
    let mut machine = machine(1);
    let report = yaml("examples/github/shards.yml")["jobs"]["report"].clone();
    let with = &step(&steps(&report["steps"]), "Build the report")["with"];
    for (name, value) in with.as_object().expect("inputs") {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        machine.known.insert(format!("inputs.{name}"), value);
    }
    machine.known.insert("inputs.gate".to_owned(), String::new());
    for job in 1..=4 {
        if job > 1 {
            let ran = machine.run(&step(&action_steps(), "Build the report"));
            assert_eq!(ran.code, Some(3), "folder {job} is missing: {ran:?}");
        }
        let run = format!("raw/evalbook-raw-{job}/iteration-1/case-{job}/with_skill");
        let folder = machine.work().join(run);
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = grading(&[("it works", job > 1, "seen")]);
        std::fs::write(folder.join("grading.json"), text).expect("a grading");
    }
    let ran = act(&mut machine);
    assert!(ran.iter().all(|ran| ran.code == Some(0)), "{ran:?}");
    let summary: Value = serde_json::from_str(machine.output("report", "summary")).expect("JSON");
    let workspace = &summary["workspaces"][0];
    assert_eq!(workspace["name"], "my-skill-workspace", "{summary}");
    assert_eq!(workspace["candidate"]["passed"], 3, "{summary}");
    assert!(machine.summary().starts_with("<!-- evalbook:"));
}

/// The shell script of a job for GitLab, run in the folder of `machine`.
fn gitlab(machine: &Machine, job: &str, env: &[(&str, &str)]) -> CommandOutput {
    let file = yaml("examples/gitlab/.gitlab-ci.yml");
    let script = file[job]["script"][0].as_str().expect("a script");
    // One case settles no verdict; the loss of a check is what is judged here.
    let script = script.replace("--fail-on worse", "--fail-on loss");
    let mut command = support::quiet_environment(Command::new("bash"), &machine.work());
    let path = std::env::var("PATH").unwrap_or_default();
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script]);
    command
        .env("PATH", format!("{}:{path}", support::program_folder().display()))
        .envs(env.iter().copied());
    CommandOutput::of(&mut command)
}

#[test]
fn the_note_of_a_merge_request_is_kept_up_to_date() {
    let Some(forge) = forge() else { return };
    let machine = machine(1);
    let url = forge.url();
    let env = |token| {
        let project =
            [("CI_API_V4_URL", url.as_str()), ("CI_PROJECT_ID", "5"), ("WORKSPACE", "ws")];
        let merge_request = [("CI_MERGE_REQUEST_IID", "12"), ("EVALBOOK_TOKEN", token)];
        [&project[..], &merge_request[..]].concat()
    };
    let ran = gitlab(&machine, "report", &env(""));
    assert_eq!(ran.code, Some(1), "the gate fails: {ran:?}");
    assert!(machine.work().join("report/junit.xml").is_file());
    assert_eq!(gitlab(&machine, "note", &env("")).code, Some(0));
    assert!(forge.methods().is_empty(), "without a token nobody is asked");
    for number in 0..120 {
        forge.say("somebody", &format!("{number}"));
    }
    let text = read_text(machine.work().join("note.md"));
    forge.say("somebody", &text);
    for _ in 0..2 {
        gitlab(&machine, "note", &env("secret-token")).assert_code(0);
        assert_eq!(forge.comments(), std::slice::from_ref(&text));
    }
    let methods = forge.methods();
    let number = |method: &str| methods.iter().filter(|it| *it == method).count();
    assert_eq!((number("POST"), number("PUT")), (1, 1));
    forge.fail("PUT", 404);
    gitlab(&machine, "note", &env("secret-token")).assert_code(0);
    forge.fail("GET", 401);
    assert_ne!(gitlab(&machine, "note", &env("secret-token")).code, Some(0));
}

#[test]
fn a_site_on_gitlab_begins_only_where_there_is_none() {
    let Some(forge) = forge() else { return };
    let url = forge.url();
    let env = [
        ("CI_API_V4_URL", url.as_str()),
        ("CI_PROJECT_ID", "5"),
        ("CI_JOB_TOKEN", "secret-token"),
        ("CI_DEFAULT_BRANCH", "main"),
        ("CI_PIPELINE_IID", "7"),
        ("CI_PAGES_URL", "https://me.example/skills"),
        ("WORKSPACE", "ws"),
    ];
    let machine = machine(0);
    forge.fail("GET", 403);
    assert_ne!(gitlab(&machine, "pages", &env).code, Some(0), "an earlier site may be there");
    assert!(!machine.work().join("public").exists());
    gitlab(&machine, "pages", &env).assert_code(0);
    assert!(machine.work().join("public/run-7/index.html").is_file());
}
