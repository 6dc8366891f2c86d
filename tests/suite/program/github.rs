//! The action, and the example pipelines for GitHub and GitLab: every shell step is run against a stand-in
//! for the forge, with values that try to become commands.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "tests prepare folders and look at what was written")]

use std::path::Path;
use std::process::Command;

use crate::support;
use crate::support::forge::{BOT, Comment, Failing, Forge};
use crate::support::pipeline::{Machine, has_tools, step, steps, yaml};
use crate::support::{Ran, Workspace, evalbook, grading, project, tree};
use serde_json::{Value, json};

/// A value that would become a command, an output or a line of the runner where it is not kept apart.
const HOSTILE: &str = "\"'`touch pwned`$(touch pwned);touch pwned\n::error::x\nverdict=x\n%0A";

fn action() -> Value {
    yaml("action.yml")
}

fn action_steps() -> Vec<Value> {
    steps(&action()["runs"]["steps"])
}

/// A machine about to run the action on the workspace `ws`, in which `regressed` of three
/// expectations regressed.
fn machine(regressed: usize) -> Machine {
    let machine = Machine::new()
        .with_inputs(&action())
        .knowing("inputs.workspace", "ws")
        .knowing("inputs.token", "secret-token")
        .knowing("github.repository", "me/skills")
        .knowing("github.server_url", "http://127.0.0.1:9")
        .knowing("github.api_url", "http://127.0.0.1:9")
        .knowing("github.action_repository", "maker/evalbook")
        .knowing("github.action_path", &project().display().to_string());
    workspace(&machine.work().join("ws"), regressed);
    machine
}

/// Three expectations in two iterations, the first `regressed` of which passed before only.
fn workspace(folder: &Path, regressed: usize) {
    for (iteration, lost) in [(1, 0), (2, regressed)] {
        let texts = ["100% of it, \"all\"", "second", "third"];
        let evidence = format!("seen {iteration}\n::error::y\n##[error]z");
        let verdicts: Vec<(&str, bool, &str)> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| (*text, at >= lost, evidence.as_str()))
            .collect();
        let file = folder.join(format!("iteration-{iteration}/one/with_skill/grading.json"));
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(file, grading(&verdicts)).expect("a grading");
    }
}

/// Runs the steps of the action that build, annotate, summarize, comment and judge.
fn act(machine: &mut Machine) -> Vec<Ran> {
    let names = ["Build the report", "Annotate", "Summarize", "Comment", "Judge"];
    let all = action_steps();
    let chosen: Vec<Value> = names.iter().map(|name| step(&all, name)).collect();
    machine.run_all(&chosen)
}

/// Runs the step that comments, after the one that builds.
fn comment(machine: &mut Machine) -> Ran {
    let all = action_steps();
    let built = machine.run(&step(&all, "Build the report"));
    assert_eq!(built.code, Some(0), "{built:?}");
    machine.run(&step(&all, "Comment"))
}

/// A machine that comments on pull request 12 of `forge`.
fn commenting(forge: &Forge, regressed: usize) -> Machine {
    machine(regressed)
        .knowing("github.api_url", &forge.url())
        .knowing("github.event.pull_request.number", "12")
}

fn nothing_ran(machine: &Machine) {
    let pwned = tree(&machine.work()).into_keys().find(|path| path.ends_with("pwned"));
    assert_eq!(pwned, None, "a value became a command");
}

#[test]
fn a_run_reports_annotates_summarizes_comments_and_judges() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let mut machine = commenting(&forge, 1).knowing("inputs.gate", "--fail-on=regression-strict");
    let ran = act(&mut machine);
    assert_eq!(ran.len(), 5, "{ran:?}");
    assert_eq!(ran.last().and_then(|ran| ran.code), Some(1), "the gate fails last: {ran:?}");
    assert!(ran[..4].iter().all(|ran| ran.code == Some(0)), "{ran:?}");
    assert!(machine.work().join("evalbook-report/index.html").is_file());
    let file = "file=ws/iteration-2/one/with_skill/grading.json,line=1,col=";
    let annotation = &ran[1].stdout;
    assert!(annotation.starts_with("::error title=regressed%3A one,"), "{annotation}");
    assert!(annotation.contains(file), "{annotation}");
    assert!(
        annotation.contains("::100%25 of it, \"all\"%0Aiteration-1 with_skill 1/1"),
        "{annotation}"
    );
    assert_eq!(annotation.lines().count(), 1, "{annotation}");
    assert!(machine.summary().starts_with("<!-- evalbook:"), "{}", machine.summary());
    let outputs = ["exit-code", "report", "regressed", "improved", "problems"];
    let outputs = outputs.map(|name| machine.output("report", name));
    assert_eq!(outputs, ["1", "evalbook-report", "1", "0", "0"]);
    let summary: Value = serde_json::from_str(machine.output("report", "summary")).expect("JSON");
    assert_eq!(summary["workspaces"][0]["flips"]["regressed"], 1);
    assert_eq!(machine.output("comment", "comment"), "created");
    assert_eq!(machine.output("comment", "comment-url"), "https://forge.example/comment-10");
    let printed = forge.comments();
    assert_eq!(printed.len(), 1);
    assert!(printed[0].starts_with("<!-- evalbook:"), "{}", printed[0]);
}

#[test]
fn a_loss_is_an_error_at_its_line_and_a_notice_where_it_is_known() {
    let workspace = Workspace::new();
    self::workspace(&workspace.path(), 2);
    let check = |workspace: &Workspace| {
        let mut command = evalbook(&workspace.path());
        let ran = Ran::of(command.args(["check", ".", "--format", "github"]));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        ran.stdout
    };
    let file = "file=iteration-2/one/with_skill/grading.json,line=1,col=";
    let printed = check(&workspace);
    let levels =
        |printed: &str, level: &str| printed.matches(&format!("::{level} title=regressed")).count();
    assert_eq!((levels(&printed, "error"), printed.matches(file).count()), (2, 2), "{printed}");
    let known = "[[known_issues]]\ncase = 'one'\nexpectation = 'sec*'\nreason = 'later'\nexpires = 2026-01-02\n";
    let workspace = workspace.file("evalbook.toml", known);
    let printed = check(&workspace);
    assert_eq!((levels(&printed, "error"), levels(&printed, "notice")), (1, 1), "{printed}");
    assert!(printed.contains("%0Aknown until 2026-01-02: later\n"), "{printed}");
}

#[test]
fn an_annotation_of_a_file_elsewhere_names_no_file() {
    let workspace = Workspace::good().file("iteration-1/good-case/with_skill/timing.json", "{");
    let printed = workspace.run(["check", "../workspace", "--format", "github"]).stdout;
    let line = printed.lines().find(|line| line.contains("timing.json")).expect("a problem");
    assert!(line.starts_with("::") && !line.contains("file="), "{line}");
    assert!(line.contains("::iteration-1/good-case/with_skill/timing.json: "), "{line}");
}

#[test]
fn hostile_inputs_stay_texts() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    for name in ["workspace", "output", "into", "name", "keep", "url", "baseline", "against"] {
        let mut machine = commenting(&forge, 1).knowing(&format!("inputs.{name}"), HOSTILE);
        act(&mut machine);
        nothing_ran(&machine);
        assert_ne!(machine.output("report", "verdict"), "x", "{name}");
    }
    for name in ["gate", "export", "settings", "args", "command", "pull-request", "comment-author"]
    {
        let mut machine = commenting(&forge, 1).knowing(&format!("inputs.{name}"), HOSTILE);
        act(&mut machine);
        nothing_ran(&machine);
        assert_ne!(machine.output("comment", "verdict"), "x", "{name}");
    }
    let mut machine = machine(1);
    machine.known.insert("steps.report.outputs.exit-code".to_owned(), "1; touch pwned".to_owned());
    machine.run(&step(&action_steps(), "Judge"));
    nothing_ran(&machine);
}

#[test]
fn a_value_of_one_line_is_never_two_flags() {
    if !has_tools() {
        return;
    }
    let build = step(&action_steps(), "Build the report");
    for input in ["merge", "output", "into", "name", "keep", "url", "baseline", "against", "export"]
    {
        for line_break in ["\n", "\r\n"] {
            let value = format!("x{line_break}--no-redact");
            let mut machine = machine(1).knowing(&format!("inputs.{input}"), &value);
            let ran = machine.run(&build);
            assert_eq!(ran.code, Some(2), "{input}: {ran:?}");
            assert!(ran.stdout.contains(&format!("the input {input} is one value")), "{ran:?}");
        }
    }
    // The name of a folder is one path, whatever is in it.
    let mut machine = machine(1).knowing("inputs.workspace", "w*");
    workspace(&machine.work().join("w\n.."), 1);
    let ran = machine.run(&build);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("from 4 runs"), "{ran:?}");
}

#[test]
fn what_the_program_prints_is_no_command() {
    if !has_tools() {
        return;
    }
    let mut machine = machine(0).knowing("inputs.settings", "--title=::error::x ##[error]y");
    let ran = machine.run(&step(&action_steps(), "Build the report"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, "", "one stream keeps the order");
    let mut lines = ran.stdout.lines();
    let first = lines.next().expect("a line");
    let mark = first.strip_prefix("::stop-commands::").expect("commands are stopped first");
    assert!(mark.len() == 32, "{mark}");
    assert_eq!(lines.next_back(), Some(format!("::{mark}::").as_str()));
    assert!(ran.stdout.contains("::error::x"), "the test shows the title: {}", ran.stdout);
}

#[test]
fn a_report_goes_into_a_site_under_the_name_it_gets() {
    if !has_tools() {
        return;
    }
    let mut machine = machine(0)
        .knowing("inputs.into", "site")
        .knowing("inputs.name", "feature/x $(touch pwned)")
        .knowing("inputs.keep", "2");
    let ran = machine.run(&step(&action_steps(), "Build the report"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = machine.output("report", "report").to_owned();
    assert!(report.starts_with("site/feature-x-"), "{report}");
    assert!(machine.work().join(report).join("summary.json").is_file());
    nothing_ran(&machine);
}

#[test]
fn a_wrong_flag_ends_the_action_with_its_exit_code() {
    if !has_tools() {
        return;
    }
    let mut machine = machine(0).knowing("inputs.args", "--no-such-flag");
    let ran = act(&mut machine);
    assert_eq!(ran.len(), 1, "{ran:?}");
    assert_eq!(ran[0].code, Some(2), "{ran:?}");
}

#[test]
fn with_a_base_comment_outputs_and_gate_are_about_one_comparison() {
    if !has_tools() {
        return;
    }
    let printed = |base: &str, regressed: usize| {
        let forge = Forge::start();
        let mut machine = commenting(&forge, regressed)
            .knowing("inputs.base", base)
            .knowing("inputs.gate", "--fail-on=regression-strict")
            .knowing("github.event.pull_request.head.sha", &"a1".repeat(20))
            .knowing("github.event.pull_request.base.sha", &"b2".repeat(20));
        workspace(&machine.work().join("main"), 0);
        let built = evalbook(&machine.work()).args(["build", "main", "-o", "published"]).output();
        assert!(built.is_ok_and(|built| built.status.success()));
        assert_eq!(comment(&mut machine).code, Some(0));
        nothing_ran(&machine);
        let outputs = ["exit-code", "regressed", "improved"];
        let outputs = outputs.map(|name| machine.output("report", name).to_owned());
        (forge.comments()[0].clone(), outputs)
    };
    let (text, outputs) = printed("published", 2);
    assert!(text.starts_with("<!-- evalbook:"), "{text}");
    assert_eq!(text.matches("\n## ").count(), 1, "one comparison: {text}");
    assert_eq!(outputs, ["1", "2", "0"], "{text}");
    assert!(text.contains("<sub>a1a1a1a1a on b2b2b2b2b</sub>"), "{text}");
    for base in ["not-there", HOSTILE] {
        let (text, outputs) = printed(base, 1);
        assert!(text.contains("no report of the target branch"), "{text}");
        assert_eq!(outputs, ["1", "1", "0"], "{base}");
    }
}

#[test]
fn a_baseline_is_read_from_the_base_commit() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let mut machine = commenting(&forge, 2)
        .knowing("inputs.base", "baseline.json")
        .knowing("inputs.gate", "true");
    let work = machine.work();
    workspace(&work.join("main"), 0);
    git(&work, &["init", "--quiet"]);
    let run = |args: &[&str]| evalbook(&work).args(args).status().is_ok_and(|code| code.success());
    assert!(run(&["baseline", "main", "-o", "baseline.json"]));
    let commit = |message: &str| {
        git(&work, &["add", "--all"]);
        let who = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
        git(&work, &[&who[..], &["commit", "--quiet", "-m", message]].concat());
        git(&work, &["rev-parse", "HEAD"]).trim().to_owned()
    };
    let base = commit("a baseline");
    // The change brings one that would let it pass.
    std::fs::remove_file(work.join("baseline.json")).expect("a baseline");
    assert!(run(&["baseline", "ws", "-o", "baseline.json"]));
    commit("its own baseline");
    machine = machine.knowing("github.event.pull_request.base.sha", &base);
    assert_eq!(comment(&mut machine).code, Some(0));
    assert_eq!(machine.output("report", "regressed"), "2");
    // Where the base commit has none, that of the change is not taken either.
    machine = machine.knowing("inputs.base", "other.json");
    assert!(run(&["baseline", "ws", "-o", "other.json"]));
    commit("a first baseline");
    assert_eq!(comment(&mut machine).code, Some(0));
    assert!(forge.comments()[0].contains("no report of the target branch"));
}

#[test]
fn an_earlier_comment_is_brought_up_to_date_on_whatever_page_it_is() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let mut first = commenting(&forge, 1);
    assert_eq!(comment(&mut first).code, Some(0));
    let mark = forge.comments()[0].lines().next().expect("a mark").to_owned();
    forge.state().comments.clear();
    for number in 0..130 {
        forge.say("somebody", &format!("{number}"));
    }
    forge.say("somebody", &format!("{mark}\ncopied"));
    forge.say(BOT, "no mark");
    forge.say(BOT, &format!("> {mark}"));
    for number in 0..100 {
        forge.say("somebody", &format!("{number}"));
    }
    forge.say(BOT, &format!("{mark}\r\nearlier"));
    forge.say(BOT, &format!("{mark}\nlater"));
    let mut second = commenting(&forge, 2);
    let ran = comment(&mut second);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(second.output("comment", "comment"), "updated");
    let printed = forge.comments();
    assert_eq!(printed.len(), 4);
    assert!(printed[2].starts_with(&mark) && printed[2].contains("second"), "{}", printed[2]);
    assert_eq!(printed[3], format!("{mark}\nlater"));
    let state = forge.state();
    assert_eq!(state.comments[130].body, format!("{mark}\ncopied"));
    assert!(state.asked.iter().any(|asked| asked.path.ends_with("per_page=100&page=3")));
    let is_signed = |name: &str, value: &str| {
        state.asked.iter().all(|it| it.headers.get(name).is_some_and(|it| it == value))
    };
    assert!(is_signed("authorization", "Bearer secret-token"));
}

#[test]
fn a_comment_deleted_meanwhile_is_made_anew() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    assert_eq!(comment(&mut commenting(&forge, 1)).code, Some(0));
    forge.fail("PATCH", 404);
    let mut machine = commenting(&forge, 2);
    let ran = comment(&mut machine);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(forge.methods().iter().filter(|method| *method == "POST").count() == 2);
    assert!(forge.comments()[0].contains("second"), "{:?}", forge.comments());
    assert_eq!(forge.comments().len(), 1);
}

#[test]
fn of_two_made_at_once_one_stays_with_the_later_text() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    assert_eq!(comment(&mut commenting(&forge, 1)).code, Some(0));
    let body = forge.comments().remove(0);
    forge.state().comments.clear();
    forge.state().rival = Some(Comment { id: 5, author: BOT.to_owned(), body });
    let mut machine = commenting(&forge, 2);
    let ran = comment(&mut machine);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(forge.comments().len(), 1);
    assert!(forge.comments()[0].contains("second"), "{:?}", forge.comments());
    assert_eq!(forge.state().comments[0].id, 5);
    assert_eq!(machine.output("comment", "comment-url"), "https://forge.example/comment-5");
}

#[test]
fn nothing_new_makes_no_comment_and_brings_an_earlier_one_up_to_date() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let quiet = |regressed| commenting(&forge, regressed).knowing("inputs.changes-only", "true");
    let mut machine = quiet(0);
    let ran = comment(&mut machine);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(machine.output("comment", "comment"), "unchanged");
    assert!(forge.comments().is_empty());
    assert_eq!(comment(&mut quiet(1)).code, Some(0));
    let before = forge.comments();
    assert_eq!(comment(&mut quiet(0)).code, Some(0));
    assert_eq!(forge.comments().len(), 1);
    assert_ne!(forge.comments(), before, "what it said holds no longer");
}

#[test]
fn a_refused_comment_is_a_warning_or_an_error_as_asked() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    for (mode, code, level) in [("auto", 0, "::warning "), ("true", 1, "::error ")] {
        for method in ["GET", "POST"] {
            forge.fail(method, 403);
            let mut machine = commenting(&forge, 1).knowing("inputs.comment", mode);
            let ran = comment(&mut machine);
            assert_eq!(ran.code, Some(code), "{mode} {method}: {ran:?}");
            assert!(ran.stdout.starts_with(level), "{}", ran.stdout);
            assert!(ran.stdout.contains("status 403"), "{}", ran.stdout);
            assert!(ran.stdout.contains("no  ::error::100%25"), "{}", ran.stdout);
            assert!(ran.stdout.contains("\"pull-requests: write\""), "{}", ran.stdout);
            assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
            assert_eq!(machine.output("comment", "comment"), "refused");
        }
    }
    assert!(forge.comments().is_empty());
}

#[test]
fn without_a_pull_request_there_is_no_comment() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let silent = |mode| {
        let mut machine =
            machine(1).knowing("github.api_url", &forge.url()).knowing("inputs.comment", mode);
        comment(&mut machine)
    };
    let ran = silent("auto");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(silent("true").code, Some(1));
    for number in ["0", "12/../13", "12 ", "-1", "1e3", "$(touch pwned)"] {
        let mut machine = commenting(&forge, 1).knowing("inputs.pull-request", number);
        let ran = comment(&mut machine);
        assert_eq!(machine.output("comment", "comment"), "refused", "{number}: {ran:?}");
        nothing_ran(&machine);
    }
    assert!(forge.methods().is_empty());
}

#[test]
fn a_failing_server_and_a_spent_limit_are_asked_again() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    forge.fail("GET", 502);
    let wait = |headers| Failing { method: "POST", status: 403, headers };
    forge.state().failing.push_back(wait(&[("Retry-After", "1")]));
    forge
        .state()
        .failing
        .push_back(wait(&[("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1")]));
    let mut machine = commenting(&forge, 1);
    let ran = comment(&mut machine);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(forge.methods(), ["GET", "GET", "POST", "POST", "POST", "GET"]);
    assert_eq!(forge.comments().len(), 1);
    forge.state().failing.push_back(Failing {
        method: "GET",
        status: 429,
        headers: &[("Retry-After", "3600")],
    });
    let ran = comment(&mut commenting(&forge, 1));
    assert!(ran.stdout.contains("status 429"), "an hour is not waited for: {ran:?}");
}

/// The path of a release for the machine of the tests.
const RELEASE: &str =
    "/maker/evalbook/releases/download/v1.2.3/evalbook-1.2.3-x86_64-unknown-linux-musl.tar.gz";

/// An archive with a program in it, and its checksum.
fn archive() -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let top = folder.path().join("top");
    std::fs::create_dir(&top).expect("a folder");
    std::fs::write(top.join("evalbook"), "#!/bin/sh\necho 1.2.3\n").expect("a program");
    let ran = Ran::of(Command::new("tar").current_dir(folder.path()).args(["-czf", "a", "top"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = Ran::of(Command::new("sha256sum").current_dir(folder.path()).arg("a"));
    let sum = ran.stdout.split(' ').next().expect("a checksum").to_owned();
    (std::fs::read(folder.path().join("a")).expect("an archive"), sum)
}

fn install(forge: &Forge, inputs: &[(&str, &str)]) -> (Machine, Ran) {
    let mut machine = machine(0).knowing("github.server_url", &forge.url());
    for (name, value) in inputs {
        machine.known.insert(format!("inputs.{name}"), (*value).to_owned());
    }
    let ran = machine.run(&step(&action_steps(), "Download evalbook"));
    (machine, ran)
}

#[test]
fn a_release_is_taken_only_with_its_checksum() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let (bytes, sum) = archive();
    let put = |path: &str, bytes: &[u8]| {
        forge.state().files.insert(path.to_owned(), bytes.to_owned());
    };
    put(RELEASE, &bytes);
    let found = |inputs: &[(&str, &str)]| {
        let (machine, ran) = install(&forge, inputs);
        let is_there = machine.temp().join("evalbook/bin/evalbook").is_file();
        assert_eq!(machine.output("install", "found") == "true", is_there, "{ran:?}");
        (ran.code, is_there)
    };
    assert_eq!(found(&[("version", "1.2.3")]), (Some(1), false), "no checksum");
    put(&format!("{RELEASE}.sha256"), format!("{sum}  evalbook.tar.gz\n").as_bytes());
    assert_eq!(found(&[("version", "v1.2.3")]), (Some(0), true));
    let other = "0".repeat(64);
    assert_eq!(found(&[("version", "1.2.3"), ("sha256", &other)]), (Some(1), false));
    assert_eq!(found(&[("version", "1.2.3"), ("sha256", &sum.to_uppercase())]), (Some(0), true));
    put(&format!("{RELEASE}.sha256"), other.as_bytes());
    assert_eq!(found(&[("version", "1.2.3")]), (Some(1), false), "another checksum");
    assert_eq!(found(&[("version", "9.9.9"), ("sha256", &sum)]), (Some(1), false), "no release");
    assert_eq!(found(&[("version", "9.9.9")]), (Some(0), false), "built from source");
    assert_eq!(found(&[("version", "../1.2.3")]), (Some(1), false));
    assert_eq!(found(&[("version", "1.2.3"), ("repository", "a/b/c")]), (Some(1), false));
    assert!(forge.state().asked.iter().all(|asked| !asked.headers.contains_key("authorization")));
}

/// A machine of the release workflow for `target`, on which the program was built.
fn release_machine(target: &str) -> Machine {
    let machine = Machine::new().knowing("matrix.target", target);
    let built = machine.work().join("target").join(target).join("release");
    std::fs::create_dir_all(&built).expect("a folder");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_evalbook"));
    std::fs::write(built.join("evalbook"), script).expect("a program");
    support::set_mode(&built.join("evalbook"), 0o755);
    for name in ["Cargo.toml", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(project().join(name), machine.work().join(name)).expect("a copy");
    }
    let tools = machine.work().join(".github");
    std::fs::create_dir_all(&tools).expect("a folder");
    for name in ["home", "write-home"] {
        std::fs::copy(project().join(".github").join(name), tools.join(name)).expect("a copy");
    }
    let example = "examples/skill-creator/iteration-1";
    support::copy(&project().join(example), &machine.work().join(example));
    machine
}

#[test]
fn the_action_takes_the_archive_that_the_release_workflow_packs() {
    if !has_tools() {
        return;
    }
    let workflow = yaml(".github/workflows/release.yml");
    let mut machine = release_machine("x86_64-unknown-linux-musl");
    let ran = machine.run(&step(&steps(&workflow["jobs"]["archive"]["steps"]), "Pack"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (version, dist) = (env!("CARGO_PKG_VERSION"), machine.work().join("dist"));
    let name = format!("evalbook-{version}-x86_64-unknown-linux-musl.tar.gz");
    let listed = Ran::of(Command::new("tar").current_dir(&dist).args(["-tzf", &name])).stdout;
    for inside in ["README.md", "completions/evalbook.zsh", "man/evalbook-build.1"] {
        let inside = format!("evalbook-{version}-x86_64-unknown-linux-musl/{inside}");
        assert!(listed.lines().any(|line| line == inside), "{inside}: {listed}");
    }

    let forge = Forge::start();
    for suffix in ["", ".sha256"] {
        let bytes = std::fs::read(dist.join(format!("{name}{suffix}"))).expect("a file");
        let path = format!("/maker/evalbook/releases/download/v{version}/{name}{suffix}");
        forge.state().files.insert(path, bytes);
    }
    let (taking, ran) = install(&forge, &[("version", version)]);
    assert_eq!(taking.output("install", "found"), "true", "{ran:?}");

    machine.stand_in("gh");
    machine = machine.knowing("github.ref_name", "v1").knowing("github.token", "t");
    machine = machine.knowing("github.repository", "maker/evalbook");
    let publish = step(&steps(&workflow["jobs"]["release"]["steps"]), "Publish");
    let ran = machine.run(&publish);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let calls = machine.calls("gh");
    assert!(calls.ends_with(&format!(" ./{name} ./{name}.sha256\n")), "{calls}");
    std::fs::write(dist.join(&name), "another").expect("a file");
    assert_eq!(machine.run(&publish).code, Some(1), "the archive has another checksum");
    assert_eq!(machine.calls("gh"), calls, "nothing more was published");
}

#[test]
fn the_release_workflow_makes_npm_packages_of_its_archives() {
    if !has_tools()
        || !Command::new("npm").arg("--version").output().is_ok_and(|ran| ran.status.success())
    {
        return;
    }
    let workflow = yaml(".github/workflows/release.yml");
    let mut machine = release_machine("x86_64-unknown-linux-musl");
    support::copy(&project().join("npm"), &machine.work().join("npm"));
    for (job, name) in [("archive", "Pack"), ("npm", "Make the packages")] {
        let ran = machine.run(&step(&steps(&workflow["jobs"][job]["steps"]), name));
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let packages = machine.work().join("npm-dist");
    let names: Vec<String> = support::tree(&packages).into_keys().collect();
    let expected = ["evalbook", "evalbook-linux-x64"]
        .map(|name| [format!("{name}-{version}.tgz"), format!("{name}-{version}.tgz.sha256")]);
    let mut expected = expected.concat();
    expected.sort();
    assert_eq!(names, expected);
    let contents = |name: &str| {
        let name = format!("{name}-{version}.tgz");
        Ran::of(Command::new("tar").current_dir(&packages).args(["-tzf", &name])).stdout
    };
    assert!(contents("evalbook").contains("package/bin/evalbook.js\n"));
    assert!(contents("evalbook-linux-x64").contains("package/evalbook\n"));
}

#[test]
fn without_a_release_it_is_built_from_the_sources_of_the_action() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
    let (mut machine, ran) = install(&forge, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(forge.methods().is_empty());
    let key = machine.output("install", "key").to_owned();
    assert!(key.starts_with("evalbook-Linux-X64-") && key.len() == 19 + 64, "{key}");
    for name in ["cargo", "rustup"] {
        machine.stand_in(name);
    }
    let ran = machine.run(&step(&action_steps(), "Build evalbook"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let root = machine.output("install", "root");
    let call = format!("install --locked --path {} --root {root}\n", project().display());
    assert_eq!(machine.calls("cargo"), call);
}

/// Runs git in `folder`.
fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    let ran = Ran::of(command.arg("-C").arg(folder).args(args));
    assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    ran.stdout.trim().to_owned()
}

/// One run of `pages.yml` against a repository on disk, stopped by the first step that fails.
fn published(remote: &Path, number: usize) -> (Machine, Vec<Ran>) {
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
        let args = ["build", "ws", "--into", "site", "--name", &name, "--keep", "2"];
        ran.push(Ran::of(evalbook(&machine.work()).args(args)));
        ran.push(machine.run(&step(&all, "Keep the site")));
    }
    (machine, ran)
}

#[test]
fn a_site_keeps_earlier_reports_on_a_branch_of_one_commit() {
    if !has_tools() {
        return;
    }
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
    assert_eq!(names, ["run-2", "run-3"]);
    assert!(files.lines().any(|name| name == ".nojekyll"), "{files}");
    assert_eq!(git(&remote, &["rev-list", "--count", "evalbook-site"]), "1");
    std::fs::remove_dir_all(&remote).expect("it can be removed");
    let (_, ran) = published(&remote, 4);
    assert_ne!(ran[0].code, Some(0), "a host that does not answer has no empty site");
    assert_eq!(ran.len(), 1);
}

#[test]
fn a_site_that_somebody_changed_meanwhile_is_not_overwritten() {
    if !has_tools() {
        return;
    }
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

/// Runs the step of stage two that finds the pull request of `branch`.
fn found(forge: &Forge, branch: &str) -> (Machine, Ran) {
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
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
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
    if !has_tools() {
        return;
    }
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
    let ran = machine.run(&step(&all, "Keep nothing but data"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let left: Vec<String> = tree(&machine.work()).into_keys().collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().all(|path| path.ends_with("grading.json")), "{left:?}");
    assert!(!folder.join("link").is_symlink() && Path::new("/etc/passwd").exists());
    nothing_ran(&machine);
}

#[test]
fn folders_of_parallel_jobs_are_joined_when_all_are_there() {
    if !has_tools() {
        return;
    }
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
fn gitlab(machine: &Machine, job: &str, env: &[(&str, &str)]) -> Ran {
    let file = yaml("examples/gitlab/.gitlab-ci.yml");
    let script = file[job]["script"][0].as_str().expect("a script");
    // One case settles no verdict; the loss of a check is what is judged here.
    let script = script.replace("--fail-on worse", "--fail-on regression-strict");
    let mut command = support::quiet_environment(Command::new("bash"), &machine.work());
    let program = Path::new(env!("CARGO_BIN_EXE_evalbook")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script]);
    command.env("PATH", format!("{}:{path}", program.display())).envs(env.iter().copied());
    Ran::of(&mut command)
}

#[test]
fn the_note_of_a_merge_request_is_kept_up_to_date() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
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
    let text = std::fs::read_to_string(machine.work().join("note.md")).expect("a text");
    forge.say("somebody", &text);
    for _ in 0..2 {
        let ran = gitlab(&machine, "note", &env("secret-token"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(forge.comments(), std::slice::from_ref(&text));
    }
    let methods = forge.methods();
    let number = |method: &str| methods.iter().filter(|it| *it == method).count();
    assert_eq!((number("POST"), number("PUT")), (1, 1));
    forge.fail("PUT", 404);
    let ran = gitlab(&machine, "note", &env("secret-token"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    forge.fail("GET", 401);
    assert_ne!(gitlab(&machine, "note", &env("secret-token")).code, Some(0));
}

#[test]
fn a_site_on_gitlab_begins_only_where_there_is_none() {
    if !has_tools() {
        return;
    }
    let forge = Forge::start();
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
    let ran = gitlab(&machine, "pages", &env);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(machine.work().join("public/run-7/index.html").is_file());
}
