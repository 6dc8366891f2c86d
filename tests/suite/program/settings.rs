//! `evalbook.toml` and its flags, from the outside.

use std::path::Path;

use crate::support;
use crate::support::{Workspace, read_text, words};

const GRADING: &str = r#"{"expectations": [{"text": "a", "passed": true}]}"#;

/// A workspace of two configurations whose names say nothing, with `settings`.
fn workspace(settings: &str) -> Workspace {
    Workspace::new()
        .file("evalbook.toml", settings)
        .file("iteration-1/one/alpha/grading.json", GRADING)
        .file("iteration-1/one/beta/grading.json", GRADING)
        .file("drafts/iteration-9/one/alpha/grading.json", GRADING)
}

fn overview(folder: &Path) -> String {
    read_text(folder.join("report/index.html"))
}

#[test]
fn settings_are_printed_with_their_origin() {
    let workspace = workspace("title = \"T\"\n\norder = [\"beta\"]\n");
    let ran = workspace.run(["settings", "../workspace", "--title", "U \"x\""]).assert_code(0);
    assert!(ran.stdout.contains("title = \"U \\\"x\\\"\"  # flag\n"), "{ran:?}");
    assert!(ran.stdout.contains("order = [\"beta\"]  # evalbook.toml:3\n"), "{ran:?}");
    assert!(ran.stdout.lines().any(|line| line.starts_with("# baseline ")), "{ran:?}");
}

#[test]
fn each_of_two_files_is_an_origin_of_its_own() {
    let workspace = Workspace::new()
        .file("evalbook.toml", "title = \"outer\"\noutputs = \"failed\"\n")
        .file("one-workspace/evalbook.toml", "title = \"inner\"\n")
        .file("one-workspace/iteration-1/a/alpha/grading.json", GRADING)
        .file("two-workspace/iteration-1/a/alpha/grading.json", GRADING);
    let ran = workspace.run(["settings", "../workspace"]).assert_code(0);
    let (one, two) = ran.stdout.split_once("# two-workspace\n").expect("both workspaces");
    assert!(one.contains("title = \"inner\"  # one-workspace/evalbook.toml:1\n"), "{ran:?}");
    assert!(one.contains("outputs = \"failed\"  # evalbook.toml:2\n"), "{ran:?}");
    assert!(two.contains("title = \"outer\"  # evalbook.toml:1\n"), "{ran:?}");
}

#[test]
fn a_file_that_makes_no_sense_is_named_with_its_place() {
    let ran =
        workspace("titel = \"T\"\n").run(["build", "../workspace", "-o", "report"]).assert_code(2);
    assert!(ran.stderr.contains("evalbook.toml:1:1: "), "{ran:?}");
    assert!(ran.stderr.contains("`titel`") && ran.stderr.contains("`title`"), "{ran:?}");
    let ran = workspace("")
        .run(["build", "../workspace", "-o", "report", "--leave-out", "a/***"])
        .assert_code(2);
    assert!(ran.stderr.contains("--leave-out"), "{ran:?}");
}

#[test]
fn title_baseline_and_order_reach_the_pages() {
    let workspace = workspace("title = \"My <title>\"\nbaseline = \"beta\"\n");
    workspace.run(["build", "../workspace", "-o", "report"]).assert_code(0);
    let page = overview(&workspace.elsewhere());
    assert!(page.contains(">My &lt;title&gt;</a>"), "{page}");
    assert!(page.contains("<i class=\"dot baseline\"></i>beta<"), "{page}");
    workspace.run(["build", "../workspace", "-o", "report", "--baseline", "alpha"]).assert_code(0);
    let page = overview(&workspace.elsewhere());
    assert!(page.contains("<i class=\"dot baseline\"></i>alpha<"), "{page}");
}

#[test]
fn a_configuration_that_is_nowhere_is_named_with_the_nearest_and_its_place() {
    let cases = [
        ("", &["--baseline", "bet"][..], ["`--baseline`: ", "`bet`"], "`beta`"),
        ("", &["--order", "beta,gama"], ["`--order`: ", "`gama`"], "`alpha`"),
        ("", &["--label", "xyz=A"], ["`--label`: ", "`xyz`"], "`alpha`, `beta`"),
        (
            "title = 'T'\nbaseline = 'betta'\n",
            &[],
            ["evalbook.toml:2: `baseline`: ", "`betta`"],
            "`beta`",
        ),
        ("order = ['q']", &[], ["evalbook.toml:1: `order`: ", "`q`"], "`alpha`, `beta`"),
        ("[labels]\nq = 'x'", &[], ["evalbook.toml:1: `labels`: ", "`q`"], "`alpha`, `beta`"),
    ];
    for (settings, flags, [place_of, name], help) in cases {
        let place = workspace(settings);
        for command in ["build", "check", "brief", "settings", "benchmark"] {
            let ran = place.run([&[command, "../workspace"], flags].concat());
            assert_eq!(ran.code, Some(2), "{command}: {ran:?}");
            for part in [place_of, name, help] {
                assert!(ran.stderr.contains(part), "{part}: {ran:?}");
            }
        }
        assert!(!place.elsewhere().join("report").exists());
    }
}

#[test]
fn a_configuration_of_any_iteration_and_a_label_are_known_names() {
    let place = workspace("").file("iteration-2/one/gamma/grading.json", GRADING);
    for flags in [
        &["--baseline", "gamma"][..],
        &["--baseline", "Alpha", "--order", "beta,alpha"],
        &["--label", "alpha=A", "--baseline", "A"],
    ] {
        place.run([&["check", "../workspace"], flags].concat()).assert_code(0);
    }
    let planned = Workspace::new().file("evals.json", r#"{"evals": [{"id": 1, "prompt": "p"}]}"#);
    planned.run(["check", "../workspace", "--baseline", "old_skill"]).assert_code(0);
}

#[test]
fn what_is_left_out_is_listed_as_ignored() {
    let workspace = workspace("leave_out = [\"drafts/**\"]\n");
    let ran = workspace.run(["check", "../workspace"]);
    assert!(ran.stdout.contains("`drafts/"), "{ran:?}");
    let totals = |flags: &[&str]| {
        let check = ["check", "../workspace", "--format", "json"];
        let found = workspace.run(check.iter().chain(flags)).json();
        found["workspaces"][0]["totals"].clone()
    };
    assert_eq!(totals(&[])["iterations"], 1);
    assert_eq!(totals(&["--leave-out", "iteration-1/one/beta/*"])["runs"], 1);
}

#[test]
fn prices_give_a_cost_that_says_it_is_computed() {
    let timing = r#"{"model": "m", "input_tokens": 100000, "output_tokens": 20000}"#;
    let workspace = workspace("[prices.m]\ninput = 3\noutput = 15\n")
        .file("iteration-1/one/alpha/timing.json", timing);
    let report = workspace.build();
    let pages = support::tree(&report);
    let holds = |text: &str| {
        pages.values().filter(|page| String::from_utf8_lossy(page).contains(text)).count()
    };
    // On the page of the run, and on its review pages against the other side and the other iteration.
    assert_eq!(holds(words::raw("cost.computed")), 3);
    assert!(holds("$0.6000") + holds("0.6000") > 0);
}

#[test]
fn keys_of_a_gate_are_flags_too() {
    let ran = workspace("[gate]\nfail_on = \"worse\"\n")
        .run([
            "settings",
            "../workspace",
            "--min-pass-rate",
            "80%",
            "--max-time-increase",
            "30",
            "--price",
            "m = { input = 1, output = 2 }",
            "--known-issue",
            "{ case = 'a', expectation = 'b', reason = 'c', expires = 2026-12-31 }",
        ])
        .assert_code(0);
    for line in [
        "gate.fail_on = [\"worse\"]  # evalbook.toml:2\n",
        "gate.min_pass_rate = 0.8  # flag\n",
        "gate.max_time_increase = 30  # flag\n",
        "prices = { m = { input = 1, output = 2 } }  # flag\n",
        "known_issues = [{ case = \"a\", expectation = \"b\", expires = \"2026-12-31\", reason = \"c\" }]",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {ran:?}");
    }
    let ran = workspace("")
        .run(["settings", "../workspace", "--max-token-increase", "lots"])
        .assert_code(2);
    assert!(ran.stderr.contains("--max-token-increase"), "{ran:?}");
}
