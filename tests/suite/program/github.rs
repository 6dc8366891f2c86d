//! The action: every shell step is run against a stand-in
//! for the forge, with values that try to become commands.

#![cfg(unix)]
use std::path::Path;

use crate::support::forge::{BOT, Comment, Failing, Forge};
use crate::support::pipeline::{Machine, has_tools, step, steps, yaml};
use crate::support::{CommandOutput, Workspace, evalbook, git, grading, project, tree};
use serde_json::Value;

/// A value that would become a command, an output or a line of the runner where it is not kept apart.
const HOSTILE: &str = "\"'`touch pwned`$(touch pwned);touch pwned\n::error::x\nverdict=x\n%0A";

/// A stand-in for the forge; `None` where the programs that the steps use are missing.
pub(super) fn forge() -> Option<Forge> {
    if has_tools() { Some(Forge::start()) } else { None }
}

fn action() -> Value {
    yaml("action.yml")
}

pub(super) fn action_steps() -> Vec<Value> {
    steps(&action()["runs"]["steps"])
}

/// A machine about to run the action on the workspace `ws`, in which `regressed` of three
/// expectations regressed.
pub(super) fn machine(regressed: usize) -> Machine {
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
pub(super) fn workspace(folder: &Path, regressed: usize) {
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
pub(super) fn act(machine: &mut Machine) -> Vec<CommandOutput> {
    let names = ["Build the report", "Annotate", "Summarize", "Comment", "Judge"];
    let all = action_steps();
    let chosen: Vec<Value> = names.iter().map(|name| step(&all, name)).collect();
    machine.run_all(&chosen)
}

/// Runs the step that comments, after the one that builds.
fn comment(machine: &mut Machine) -> CommandOutput {
    let all = action_steps();
    machine.run(&step(&all, "Build the report")).assert_code(0);
    machine.run(&step(&all, "Comment"))
}

/// A machine that comments on pull request 12 of `forge`.
fn commenting(forge: &Forge, regressed: usize) -> Machine {
    machine(regressed)
        .knowing("github.api_url", &forge.url())
        .knowing("github.event.pull_request.number", "12")
}

pub(super) fn nothing_ran(machine: &Machine) {
    let pwned = tree(&machine.work()).into_keys().find(|path| path.ends_with("pwned"));
    assert_eq!(pwned, None, "a value became a command");
}

#[test]
fn a_run_reports_annotates_summarizes_comments_and_judges() {
    let Some(forge) = forge() else { return };
    let mut machine = commenting(&forge, 1).knowing("inputs.gate", "--fail-on=loss");
    let ran = act(&mut machine);
    assert_eq!(ran.len(), 5, "{ran:?}");
    assert_eq!(ran.last().and_then(|ran| ran.code), Some(1), "the gate fails last: {ran:?}");
    let last = &ran[4].stdout;
    assert!(last.starts_with("::error title=evalbook::FAIL: fail-on loss: "), "{last}");
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
        let ran = CommandOutput::of(command.args(["check", ".", "--format", "github"]));
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
    let Some(forge) = forge() else { return };
    for name in ["workspace", "output", "into", "name", "url", "baseline", "against"] {
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
    let Some(_) = forge() else { return };
    let build = step(&action_steps(), "Build the report");
    for input in ["merge", "output", "into", "name", "url", "baseline", "against", "export"] {
        for line_break in ["\n", "\r\n"] {
            let value = format!("x{line_break}--no-redact");
            let mut machine = machine(1).knowing(&format!("inputs.{input}"), &value);
            let ran = machine.run(&build);
            assert_eq!(ran.code, Some(2), "{input}: {ran:?}");
            assert!(ran.stdout.contains(&format!("the input {input} is one value")), "{ran:?}");
        }
    }
    // A report without a folder is nowhere.
    let mut nowhere = machine(1).knowing("inputs.output", "");
    let ran = nowhere.run(&build);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("::error"), "{ran:?}");
    // The name of a folder is one path, whatever is in it.
    let mut machine = machine(1).knowing("inputs.workspace", "w*");
    workspace(&machine.work().join("w\n.."), 1);
    let ran = machine.run(&build).assert_code(0);
    assert!(ran.stdout.contains("from 4 runs"), "{ran:?}");
}

#[test]
fn what_the_program_prints_is_no_command() {
    let Some(_) = forge() else { return };
    let mut machine = machine(0).knowing("inputs.settings", "--title=::error::x ##[error]y");
    let ran = machine.run(&step(&action_steps(), "Build the report")).assert_code(0);
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
    let Some(_) = forge() else { return };
    let mut machine = machine(0)
        .knowing("inputs.into", "site")
        .knowing("inputs.name", "feature/x $(touch pwned)");
    machine.run(&step(&action_steps(), "Build the report")).assert_code(0);
    let report = machine.output("report", "report").to_owned();
    assert!(report.starts_with("site/feature-x-"), "{report}");
    assert!(machine.work().join(report).join("summary.json").is_file());
    nothing_ran(&machine);
}

#[test]
fn a_wrong_flag_ends_the_action_with_its_exit_code() {
    let Some(_) = forge() else { return };
    let mut machine = machine(0).knowing("inputs.args", "--no-such-flag");
    let ran = act(&mut machine);
    assert_eq!(ran.len(), 1, "{ran:?}");
    assert_eq!(ran[0].code, Some(2), "{ran:?}");
}

#[test]
fn a_gate_that_is_no_flag_is_an_error_of_its_own() {
    let Some(_) = forge() else { return };
    for gate in ["yes", "worse", "true\nx"] {
        let mut machine = machine(0).knowing("inputs.gate", gate);
        let ran = machine.run(&step(&action_steps(), "Build the report"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stdout.starts_with("::error title=evalbook::gate is true"), "{ran:?}");
    }
    for gate in ["", "false", "true", "\n--fail-on=worse\n"] {
        let mut machine = machine(0).knowing("inputs.gate", gate);
        machine.run(&step(&action_steps(), "Build the report")).assert_code(0);
    }
}

#[test]
fn with_a_base_comment_outputs_and_gate_are_about_one_comparison() {
    let Some(_) = forge() else { return };
    let printed = |base: &str, regressed: usize| {
        let forge = Forge::start();
        let mut machine = commenting(&forge, regressed)
            .knowing("inputs.base", base)
            .knowing("inputs.gate", "--fail-on=loss")
            .knowing("github.event.pull_request.head.sha", &"a1".repeat(20))
            .knowing("github.event.pull_request.base.sha", &"b2".repeat(20));
        workspace(&machine.work().join("main"), 0);
        let built = evalbook(&machine.work()).args(["build", "main", "-o", "published"]).output();
        assert!(built.is_ok_and(|built| built.status.success()));
        let ran = act(&mut machine);
        let last = &ran.last().expect("a step").stdout;
        assert!(last.starts_with("::error title=evalbook::FAIL: fail-on loss: "), "{ran:?}");
        nothing_ran(&machine);
        let outputs = ["exit-code", "regressed", "improved"];
        let outputs = outputs.map(|name| machine.output("report", name).to_owned());
        (forge.comments()[0].clone(), outputs)
    };
    let (text, outputs) = printed("published", 2);
    assert!(text.starts_with("<!-- evalbook:"), "{text}");
    assert_eq!(text.matches("\n## ").count(), 1, "one comparison: {text}");
    assert_eq!(outputs, ["1", "2", "0"], "{text}");
    assert!(text.contains("<sub>a1a1a1a on b2b2b2b</sub>"), "{text}");
    // A slip in the path must not open the gate.
    for base in ["not-there", HOSTILE] {
        let mut machine = machine(1).knowing("inputs.base", base);
        let ran = machine.run(&step(&action_steps(), "Build the report"));
        assert_eq!(ran.code, Some(2), "{base}: {ran:?}");
        assert!(ran.stdout.starts_with("::error "), "{ran:?}");
        nothing_ran(&machine);
    }
}

#[test]
fn where_nothing_new_ran_outputs_are_empty_and_the_log_says_that_the_gate_passed() {
    let Some(forge) = forge() else { return };
    let mut machine = commenting(&forge, 1)
        .knowing("inputs.base", "b.json")
        .knowing("inputs.base-name", "the baseline of main")
        .knowing("inputs.gate", "--fail-on=worse");
    let made = evalbook(&machine.work()).args(["baseline", "ws", "-o", "b.json"]).status();
    assert!(made.is_ok_and(|made| made.success()));
    let ran = act(&mut machine);
    assert!(ran.iter().all(|ran| ran.code == Some(0)), "{ran:?}");
    assert!(ran[0].stdout.contains("\ngate: pass: "), "{ran:?}");
    for name in ["verdict", "gain", "regressed", "improved"] {
        assert_eq!(machine.output("report", name), "", "{name}");
    }
    assert!(forge.comments()[0].contains("of the baseline of main\n"), "{:?}", forge.comments());
}

#[test]
fn a_base_judges_one_workspace_and_never_opens_the_gate() {
    let Some(forge) = forge() else { return };
    let build = |machine: &mut Machine| {
        let ran = machine.run(&step(&action_steps(), "Build the report"));
        (ran.code, ran.stdout.lines().filter(|line| line.starts_with("::error ")).count())
    };
    let with_baseline = |text: Option<&str>| {
        let machine = commenting(&forge, 2)
            .knowing("inputs.base", "auto")
            .knowing("inputs.gate", "--fail-on=worse");
        let work = machine.work();
        workspace(&work.join("main"), 0);
        git(&work, &["init", "--quiet"]);
        let args = ["baseline", "main", "-o", "baseline.json"];
        assert!(evalbook(&work).args(args).status().is_ok_and(|code| code.success()));
        if let Some(text) = text {
            let whole = std::fs::read_to_string(work.join("baseline.json")).expect("a file");
            std::fs::write(work.join("baseline.json"), format!("{text}\n{whole}")).expect("a file");
        }
        git(&work, &["add", "baseline.json"]);
        git(&work, &["commit", "--quiet", "-m", "a baseline"]);
        let base = git(&work, &["rev-parse", "HEAD"]);
        machine.knowing("github.event.pull_request.base.sha", &base)
    };
    // What is damaged counts as there.
    let mut machine = with_baseline(Some("<<<<<<< HEAD"));
    assert_eq!(build(&mut machine), (Some(3), 1));
    let mut machine = with_baseline(None).knowing("inputs.workspace", "ws\nmain");
    assert_eq!(build(&mut machine), (Some(2), 1));
    // A flag with a slip is no fault of the target branch.
    let mut machine = with_baseline(None).knowing("inputs.gate", "--fail-on=wors");
    let ran = machine.run(&step(&action_steps(), "Build the report"));
    assert!(ran.code == Some(2) && !ran.stdout.contains("the target branch cannot"), "{ran:?}");
    assert!(ran.stdout.contains("[possible values: worse, loss]"), "{ran:?}");
}

/// Whether log, summary and comment say that the target branch went on since its baseline; all of them do, or none.
fn warns_of_old_baseline(forge: &Forge, work: &Path, base: &str) -> bool {
    let mut machine = commenting(forge, 0)
        .knowing("inputs.base", "auto")
        .knowing("github.event.pull_request.base.sha", base);
    git(&machine.work(), &["clone", "--quiet", &work.display().to_string(), "cloned"]);
    std::fs::rename(machine.work().join("cloned/.git"), machine.work().join(".git"))
        .expect("a repository");
    let warns = |text: &str| text.contains("aseline is of iteration-");
    let is_logged = warns(&machine.run(&step(&action_steps(), "Build the report")).stdout);
    machine.run(&step(&action_steps(), "Summarize")).assert_code(0);
    machine.run(&step(&action_steps(), "Comment")).assert_code(0);
    let comments = forge.comments();
    assert_eq!(is_logged, warns(&machine.summary()));
    assert_eq!(is_logged, comments.last().is_some_and(|text| warns(text)), "{comments:?}");
    is_logged
}

#[test]
fn a_baseline_is_read_from_the_base_commit() {
    let Some(forge) = forge() else { return };
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
        git(&work, &["commit", "--quiet", "-m", message]);
        git(&work, &["rev-parse", "HEAD"])
    };
    let base = commit("a baseline");
    assert!(!warns_of_old_baseline(&forge, &work, &base));
    let newer = work.join("ws/iteration-3/one/with_skill/grading.json");
    std::fs::create_dir_all(newer.parent().expect("a folder")).expect("a folder");
    std::fs::write(&newer, grading(&[("second", true, "seen")])).expect("a grading");
    assert!(warns_of_old_baseline(&forge, &work, &commit("a round without its baseline")));
    std::fs::remove_dir_all(work.join("ws/iteration-3")).expect("a round");
    // The change brings one that would let it pass.
    std::fs::remove_file(work.join("baseline.json")).expect("a baseline");
    assert!(run(&["baseline", "ws", "-o", "baseline.json"]));
    commit("its own baseline");
    machine = machine.knowing("github.event.pull_request.base.sha", &base);
    assert_eq!(comment(&mut machine).code, Some(0));
    assert_eq!(machine.output("report", "regressed"), "2");
    // The names of the target branch and of the day say more than a hash.
    machine = machine.knowing("inputs.base", "auto").knowing("github.base_ref", "main");
    assert_eq!(comment(&mut machine).code, Some(0));
    assert_eq!(machine.output("report", "regressed"), "2");
    let text = forge.comments()[0].clone();
    assert!(text.contains("the baseline of") && !text.contains(&base[..7]), "{text}");
    // Where the base commit has none, that of the change is not taken either.
    machine = machine.knowing("inputs.base", "other.json");
    assert!(run(&["baseline", "ws", "-o", "other.json"]));
    commit("a first baseline");
    assert_eq!(comment(&mut machine).code, Some(0));
    assert!(forge.comments()[0].contains("which counts after the merge"));
    // So it is said where the target branch has none.
    git(&work, &["rm", "--quiet", "baseline.json"]);
    git(&work, &["rm", "--quiet", "other.json"]);
    let bare = commit("no baseline");
    let auto =
        machine.knowing("inputs.base", "auto").knowing("github.event.pull_request.base.sha", &bare);
    machine = auto;
    assert_eq!(comment(&mut machine).code, Some(0));
    assert!(forge.comments()[0].contains("has no baseline yet"), "{:?}", forge.comments());
    // A base commit that is not there says nothing about the base.
    machine = machine.knowing("github.event.pull_request.base.sha", &"b2".repeat(20));
    let ran = machine.run(&step(&action_steps(), "Build the report"));
    assert!(ran.code == Some(2) && ran.stdout.contains("::error "), "{ran:?}");
}

#[test]
fn a_base_folder_of_another_commit_is_named_as_the_user_does() {
    let Some(forge) = forge() else { return };
    let mut machine = commenting(&forge, 2).knowing("inputs.base", "ws");
    let work = machine.work();
    let changed = work.join("changed");
    std::fs::rename(work.join("ws"), &changed).expect("a workspace");
    workspace(&work.join("ws"), 0);
    git(&work, &["init", "--quiet"]);
    git(&work, &["add", "ws"]);
    git(&work, &["commit", "--quiet", "-m", "the workspace"]);
    let base = git(&work, &["rev-parse", "HEAD"]);
    std::fs::remove_dir_all(work.join("ws")).expect("a workspace");
    std::fs::rename(changed, work.join("ws")).expect("a workspace");
    machine = machine.knowing("github.event.pull_request.base.sha", &base);
    assert_eq!(comment(&mut machine).code, Some(0));
    let text = &forge.comments()[0];
    assert!(text.contains("ws of the target branch") && !text.contains(&base[..9]), "{text}");
    assert!(!text.contains("evalbook-args"), "{text}");
}

#[test]
fn an_earlier_comment_is_brought_up_to_date_on_whatever_page_it_is() {
    let Some(forge) = forge() else { return };
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
    comment(&mut second).assert_code(0);
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
    let Some(forge) = forge() else { return };
    assert_eq!(comment(&mut commenting(&forge, 1)).code, Some(0));
    forge.fail("PATCH", 404);
    let mut machine = commenting(&forge, 2);
    comment(&mut machine).assert_code(0);
    assert!(forge.methods().iter().filter(|method| *method == "POST").count() == 2);
    assert!(forge.comments()[0].contains("second"), "{:?}", forge.comments());
    assert_eq!(forge.comments().len(), 1);
}

#[test]
fn of_two_made_at_once_one_stays_with_the_later_text() {
    let Some(forge) = forge() else { return };
    assert_eq!(comment(&mut commenting(&forge, 1)).code, Some(0));
    let body = forge.comments().remove(0);
    forge.state().comments.clear();
    forge.state().rival = Some(Comment { id: 5, author: BOT.to_owned(), body });
    let mut machine = commenting(&forge, 2);
    comment(&mut machine).assert_code(0);
    assert_eq!(forge.comments().len(), 1);
    assert!(forge.comments()[0].contains("second"), "{:?}", forge.comments());
    assert_eq!(forge.state().comments[0].id, 5);
    assert_eq!(machine.output("comment", "comment-url"), "https://forge.example/comment-5");
}

#[test]
fn nothing_new_makes_no_comment_and_brings_an_earlier_one_up_to_date() {
    let Some(forge) = forge() else { return };
    let quiet = |regressed| commenting(&forge, regressed).knowing("inputs.changes-only", "true");
    let mut machine = quiet(0);
    comment(&mut machine).assert_code(0);
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
    let Some(forge) = forge() else { return };
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
    let Some(forge) = forge() else { return };
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
    let Some(forge) = forge() else { return };
    forge.fail("GET", 502);
    let wait = |headers| Failing { method: "POST", status: 403, headers };
    forge.state().failing.push_back(wait(&[("Retry-After", "1")]));
    forge
        .state()
        .failing
        .push_back(wait(&[("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1")]));
    let mut machine = commenting(&forge, 1);
    comment(&mut machine).assert_code(0);
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
