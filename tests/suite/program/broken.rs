//! Workspaces in which something is wrong: each gives exactly one clear problem, `check` ends
//! without a crash, and `build` still writes a report with the good run beside the bad file.
//!
//! `tests/broken/<name>/` holds what is wrong; what is too large or too unusual to be kept is made
//! here. Each is laid over `tests/good-case/`, which has no problem.

use std::collections::BTreeSet;

use crate::support;
use crate::support::{GOOD_EVIDENCE, Workspace, hostile, project, site};
use serde_json::Value;

/// Where the grading of the bad case lies.
const BAD: &str = "iteration-1/bad-case/with_skill/run-1/grading.json";

/// A grading without any problem.
const GRADING: &str = r#"{"expectations": [{"text": "The file is there", "passed": true}]}"#;

/// One test per folder of `tests/broken/`, with the code of its one problem.
macro_rules! folders {
    ($($test:ident: $folder:literal, $code:literal;)+) => {
        $(#[test] fn $test() { assert_one_problem($folder, kept($folder), $code); })+

        const FOLDERS: &[&str] = &[$($folder),+];
    };
}

folders! {
    a_document_that_ends_too_early_is_read_up_to_there: "truncated", "cut-off";
    a_document_that_ends_in_a_key_has_one_problem: "truncated-in-a-key", "cut-off";
    an_empty_document: "empty", "not-json";
    a_binary_document: "binary", "not-json";
    a_page_of_a_proxy_in_the_place_of_a_document: "a-page-of-a-proxy", "not-json";
    a_key_that_is_there_twice: "duplicate-key", "near-json";
    a_case_id_that_is_there_twice: "duplicate-case-id", "duplicate-case-id";
    case_ids_of_several_types: "mixed-case-ids", "mixed-ids";
    a_negative_duration: "negative-duration", "out-of-range";
    a_number_beyond_all_numbers: "a-number-beyond-all-numbers", "near-json";
    an_enormous_number: "an-enormous-number", "out-of-range";
    a_number_that_is_none: "not-a-number", "near-json";
    a_number_with_a_plus: "a-number-with-a-plus", "near-json";
    a_word_for_a_number: "a-word-for-a-number", "wrong-type";
    a_score_out_of_range: "score-out-of-range", "out-of-range";
    a_byte_order_mark: "byte-order-mark", "encoding";
    a_document_in_utf_16: "utf-16", "encoding";
    a_document_that_is_not_utf_8: "not-utf-8", "encoding";
    a_comma_after_the_last_value: "trailing-comma", "near-json";
    a_comment: "comment", "near-json";
    a_raw_control_character: "control-character", "near-json";
    a_grading_without_verdicts: "no-verdicts", "unknown-shape";
    a_grading_with_an_empty_list: "empty-list", "unknown-shape";
    a_verdict_in_no_known_word: "unknown-verdict", "lost-verdicts";
    a_folder_in_the_place_of_a_document: "a-folder-for-a-document", "not-a-file";
    a_run_whose_grading_cannot_be_read: "unreadable-with-outputs", "not-json";
}

#[test]
fn every_folder_has_a_test() {
    let folders = support::folders(&project().join("tests/broken"));
    let kept: BTreeSet<String> = folders.iter().map(|path| support::name_of(path)).collect();
    let tested: BTreeSet<String> = FOLDERS.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(kept, tested);
}

#[test]
fn the_good_case_alone_has_no_problem() {
    let workspace = Workspace::good();
    assert_eq!(problems(&workspace), [] as [Value; 0]);
    assert_good_run_is_shown(&workspace);
}

#[test]
fn a_hundred_thousand_nested_brackets() {
    let workspace = Workspace::good().file(BAD, "[".repeat(100_000));
    assert_one_problem("nested", workspace, "not-json");
}

#[test]
fn a_hundred_thousand_nested_brackets_that_are_closed() {
    let nested = format!("{{\"expectations\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let workspace = Workspace::good().file(BAD, nested);
    assert_one_problem("nested-and-closed", workspace, "not-json");
}

#[test]
fn a_document_of_a_gigabyte_is_not_read() {
    let workspace = Workspace::good().file(BAD, "");
    let file = std::fs::File::options().write(true).open(workspace.path().join(BAD)).unwrap();
    file.set_len(1 << 30).unwrap();
    assert_one_problem("a-gigabyte", workspace, "too-large");
}

#[test]
fn markup_in_every_text_and_name_stays_text() {
    for example in support::examples() {
        let workspace = hostile::workspace(&example);
        workspace.check();
        let report = workspace.build();
        let mut found = site::breaches(&report);
        let mut shown = 0;
        for (path, bytes) in support::tree(&report) {
            // A program reads the brief, so it has texts as they are; pages escape it.
            if path.ends_with(".md") && !path.ends_with("brief.md") {
                let page = String::from_utf8(bytes).expect("a page is UTF-8");
                found.extend(hostile::in_markdown(&page).map(|what| format!("{path}: {what}")));
            } else if path.ends_with(".html") {
                let page = String::from_utf8(bytes).expect("a page is UTF-8");
                let escaped = hostile::escaped(&support::html::tags(&page));
                found.extend(escaped.iter().map(|tag| format!("{path}: {tag}")));
                shown += page.matches("alert(2)").count();
            }
        }
        assert!(found.is_empty(), "{found:#?}");
        assert!(shown > 0, "the payload is shown as text");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;

    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    #[test]
    fn a_document_that_may_not_be_read() {
        if support::permissions_do_not_bind() {
            println!("skipped: permissions do not bind the user that runs the tests");
            return;
        }
        let workspace = Workspace::good().file(BAD, GRADING);
        support::set_mode(&workspace.path().join(BAD), 0o000);
        assert_one_problem("no-permission", workspace, "unreadable-file");
    }

    #[test]
    fn a_folder_that_may_not_be_entered() {
        if support::permissions_do_not_bind() {
            println!("skipped: permissions do not bind the user that runs the tests");
            return;
        }
        let workspace = Workspace::good().file(BAD, GRADING);
        let folder = workspace.path().join("iteration-1/bad-case");
        support::set_mode(&folder, 0o000);
        // The workspace is removed at its end, for which the folder must be entered.
        let _workspace = assert_one_problem("no-permission-folder", workspace, "unreadable-file");
        support::set_mode(&folder, 0o755);
    }

    /// A path below the workspace with a name that is not UTF-8.
    fn odd(workspace: &Workspace, name: &[u8]) -> PathBuf {
        let iteration = workspace.path().join("iteration-1");
        iteration.join(OsStr::from_bytes(name))
    }

    fn write(folder: PathBuf, content: &str) {
        let run = folder.join("with_skill/run-1");
        std::fs::create_dir_all(&run).expect("a folder");
        std::fs::write(run.join("grading.json"), content).expect("a written file");
    }

    #[test]
    fn a_folder_whose_name_is_not_utf_8_has_one_problem() {
        let workspace = Workspace::good();
        write(odd(&workspace, b"bad-\xff-case"), GRADING);
        assert_one_problem("odd-name", workspace, "odd-name");
    }

    #[test]
    fn two_names_that_are_not_utf_8_are_told_apart() {
        let workspace = Workspace::good();
        write(odd(&workspace, b"bad-\xfe-case"), GRADING);
        let failed = GRADING.replace("true", "false");
        write(odd(&workspace, b"bad-\xff-case"), &failed);
        let totals = &workspace.check()["workspaces"][0]["totals"];
        let counts = ["cases", "passed", "failed"].map(|key| totals[key].as_u64());
        assert_eq!(counts, [Some(3), Some(2), Some(2)], "{totals}");
    }

    #[test]
    fn an_output_whose_name_is_not_utf_8_is_kept() {
        let workspace = Workspace::good();
        let outputs = "iteration-1/good-case/with_skill/run-1/outputs";
        let name = OsStr::from_bytes(b"caf\xe9.txt");
        std::fs::write(workspace.path().join(outputs).join(name), "one small coffee").unwrap();
        let report = assert_one_problem("odd-output-name", workspace, "odd-name");
        assert!(pages_with(&report, "one small coffee") > 0);
    }

    /// A workspace with a symbolic link at `path` to `target`.
    fn linked(path: &str, target: &str) -> Workspace {
        let workspace = Workspace::good().folder("iteration-1/bad-case");
        symlink(target, workspace.path().join(path)).expect("a link");
        workspace
    }

    #[test]
    fn a_link_out_of_the_workspace_is_not_followed() {
        let workspace = linked("iteration-1/bad-case/with_skill", "../../../elsewhere/run");
        let outside = workspace.elsewhere().join("run/run-1");
        std::fs::create_dir_all(&outside).unwrap();
        let secret = GRADING.replace("The file", "The secret");
        std::fs::write(outside.join("grading.json"), secret).unwrap();
        let report = assert_one_problem("link-out", workspace, "link-not-followed");
        assert_eq!(pages_with(&report, "The secret"), 0);
    }

    #[test]
    fn an_output_that_is_a_link_out_of_the_workspace_is_not_shown() {
        let output = "iteration-1/good-case/with_skill/run-1/outputs/copy.txt";
        let workspace = linked(output, "../../../../../../elsewhere/secret.txt");
        std::fs::write(workspace.elsewhere().join("secret.txt"), "the secret").unwrap();
        let report = assert_one_problem("link-out-output", workspace, "link-not-followed");
        assert_eq!(pages_with(&report, "the secret"), 0);
    }

    #[test]
    fn a_link_to_a_folder_above_is_no_endless_way() {
        let workspace = linked("iteration-1/bad-case/again", "..");
        assert_one_problem("link-loop", workspace, "link-not-followed");
    }

    #[test]
    fn a_link_to_itself_is_not_said_to_lead_out() {
        let workspace = linked("iteration-1/bad-case/itself", "itself");
        assert_one_problem("link-to-itself", workspace, "link-not-followed");
    }

    #[test]
    fn a_link_to_nothing_is_not_said_to_lead_out() {
        let workspace = linked("iteration-1/bad-case/with_skill", "gone");
        assert_one_problem("link-to-nothing", workspace, "link-not-followed");
    }

    #[test]
    fn a_pipe_in_the_place_of_a_document_is_not_waited_for() {
        let workspace = Workspace::good().folder("iteration-1/bad-case/with_skill/run-1");
        let pipe = workspace.path().join(BAD);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert_eq!(problems(&workspace), [] as [Value; 0]);
        let listed = workspace.run(["check", "../workspace"]);
        assert!(listed.stdout.contains(BAD), "{listed:?}");
        assert_good_run_is_shown(&workspace);
    }
}

/// The good case with the folder `tests/broken/<name>` laid over it.
fn kept(name: &str) -> Workspace {
    Workspace::good().with(&project().join("tests/broken").join(name))
}

/// Asserts that there is one problem, of this code, as in its snapshot, and that the report shows
/// the good run; gives the workspace back, with its report beside it.
fn assert_one_problem(name: &str, workspace: Workspace, code: &str) -> Workspace {
    let problems = problems(&workspace);
    let lines: Vec<String> = problems.iter().map(line).collect();
    assert_eq!(problems.len(), 1, "one problem:\n{}", lines.join("\n"));
    assert_eq!(problems[0]["code"], code, "{}", lines[0]);
    insta::assert_snapshot!(name, lines[0]);
    assert_good_run_is_shown(&workspace);
    workspace
}

/// The problems of `check --format json`; the exit code fits them.
fn problems(workspace: &Workspace) -> Vec<Value> {
    let ran = workspace.run(["check", "../workspace", "--format", "json"]);
    let inventory = ran.json();
    let list = inventory["workspaces"][0]["problems"].as_array();
    let problems = list.expect("a list of problems").clone();
    let has_error = problems.iter().any(|problem| problem["severity"] == "error");
    assert_eq!(ran.code, Some(i32::from(has_error)), "{problems:#?}");
    let text = workspace.run(["check", "../workspace"]);
    assert_eq!(text.code, ran.code, "{text:?}");
    problems
}

/// A problem in the lines of its snapshot.
fn line(problem: &Value) -> String {
    let text = |key: &str| match &problem[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    format!(
        "{}[{}] {}:{}:{}\n{}\nhelp: {}",
        text("severity"),
        text("code"),
        text("path"),
        text("line"),
        text("column"),
        text("message"),
        text("help"),
    )
}

/// Builds the report: it is sound, and it shows the run beside the bad file.
fn assert_good_run_is_shown(workspace: &Workspace) {
    workspace.build();
    assert!(pages_with(workspace, GOOD_EVIDENCE) > 0, "the good run");
    site::assert_sound(&workspace.elsewhere().join("report"));
}

/// How many pages of the workspace's report hold `text`.
fn pages_with(workspace: &Workspace, text: &str) -> usize {
    let files = support::tree(&workspace.elsewhere().join("report"));
    let holds = |(path, bytes): &(&String, &Vec<u8>)| {
        path.ends_with(".html") && String::from_utf8_lossy(bytes).contains(text)
    };
    files.iter().filter(holds).count()
}
