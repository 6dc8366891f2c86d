//! The landing page of a site as a catalogue of skills: what needs attention, what each was before.

use std::path::Path;

use super::publishing::{built, listed, root, workspace};
use crate::support;
use crate::support::{Workspace, read_text, site, words};
use serde_json::Value;

fn visible(page: &str) -> String {
    support::html::lines(page).join("\n")
}

/// The classes of the rows of skills of the landing page, with the text of each.
fn skills(site: &Path) -> Vec<(String, String)> {
    let page = read_text(site.join("index.html"));
    let rows = page.split("<tr class=\"s-").skip(1);
    let rows = rows.map(|row| {
        let (standing, row) = row.split_once('"').expect("a class");
        let row = row.split("</tr>").next().unwrap_or_default();
        (standing.to_owned(), visible(row))
    });
    rows.collect()
}

/// Adds a workspace of eight cases, of which a side passes as many as given; `None` leaves it out.
fn skill(place: Workspace, name: &str, passed: [Option<usize>; 2]) -> Workspace {
    ["with_skill", "without_skill"].into_iter().zip(passed).fold(place, |place, (side, passed)| {
        (0..passed.map_or(0, |_| 8)).fold(place, |place, case| {
            let verdict = if Some(case) < passed { '+' } else { '-' };
            place.runs(&format!("{name}/iteration-1/case-{case}/{side} {verdict}"))
        })
    })
}

/// A folder of skills, one of each kind, built into a site.
fn catalogue() -> Workspace {
    let mut workspace = Workspace::new();
    for (name, passed) in [
        ("a-better", [Some(8), Some(0)]),
        ("b-same", [Some(8), Some(8)]),
        ("c-alone", [Some(8), None]),
        ("d-worse", [Some(0), Some(8)]),
        ("e-mixed", [Some(5), Some(4)]),
    ] {
        workspace = skill(workspace, name, passed);
    }
    let ungraded = "f-ungraded/iteration-1/case-1/with_skill/outputs/a.txt";
    workspace = workspace.file(ungraded, "written");
    let folders = ["a-better", "b-same", "c-alone", "d-worse", "e-mixed", "f-ungraded"];
    let paths = folders.map(|name| format!("../workspace/{name}"));
    let args = ["build"].into_iter().chain(paths.iter().map(String::as_str));
    workspace.run(args.chain(["--into", "site", "--name", "all"])).assert_code(0);
    workspace
}

#[test]
fn a_catalogue_begins_with_what_needs_attention_and_says_what_is_missing() {
    let workspace = catalogue();
    let rows = skills(&root(&workspace));
    let order: Vec<_> = rows.iter().map(|(standing, _)| standing.as_str()).collect();
    assert_eq!(order, ["worse", "same", "open", "open", "open", "earns"], "{rows:?}");
    for (at, name, missing) in [
        (0, "d-worse", None),
        (1, "b-same", None),
        (2, "e-mixed", None),
        (3, "c-alone", Some("catalogue.run_other")),
        (4, "f-ungraded", None),
        (5, "a-better", None),
    ] {
        assert!(rows[at].1.contains(name), "{name}: {rows:?}");
        if let Some(key) = missing {
            assert!(words::says(&rows[at].1, key, &[]), "{key}: {rows:?}");
        }
    }
    assert!(words::says(&rows[4].1, "catalogue.grade", &[("runs", "1 run")]), "{rows:?}");
    site::assert_sound(&root(&workspace));
}

#[test]
fn recorded_figures_are_shown_and_decide_nothing() {
    let workspace = catalogue();
    let sides = r#"{"with_skill": {"pass_rate": 0.8}, "without_skill": {"pass_rate": 0.5}}"#;
    let workspace = workspace
        .file("g-recorded/iteration-1/benchmark.json", format!("{{\"run_summary\": {sides}}}"));
    workspace
        .run(["build", "../workspace/g-recorded", "--into", "site", "--name", "new"])
        .assert_code(0);
    let rows = skills(&root(&workspace));
    let row = rows.iter().find(|(_, text)| text.contains("g-recorded")).expect("the skill");
    assert_eq!(row.0, "open");
    for shown in ["+30", "80 %", "50 %"] {
        assert!(row.1.contains(shown), "{shown}: {row:?}");
    }
}

#[test]
fn two_skills_of_one_name_are_told_apart() {
    let mut workspace = Workspace::new();
    for name in ["one/ws", "two/ws"] {
        workspace = workspace.file(&format!("{name}/evalbook.toml"), "title = \"Twin\"\n");
        workspace = skill(workspace, name, [Some(8), Some(0)]);
    }
    let workspaces = ["build", "../workspace/one/ws", "../workspace/two/ws"];
    workspace.run(workspaces.into_iter().chain(["--into", "site", "--name", "a"])).assert_code(0);
    let rows = skills(&root(&workspace));
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_ne!(rows[0].1, rows[1].1);
    assert!(rows.iter().all(|(_, text)| text.contains("Twin") && text.contains("ws")), "{rows:?}");
}

/// Commits everything in the workspace at a time.
fn commit(workspace: &Workspace, date: &str) {
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "x", "--allow-empty"]]
    {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(args);
        git.current_dir(workspace.path()).env("GIT_COMMITTER_DATE", date);
        assert!(git.status().expect("git runs").success(), "{args:?}");
    }
}

#[test]
fn reports_have_the_commit_and_its_day_and_keep_their_order_where_a_clock_ran_back() {
    let workspace = workspace(4);
    built(&workspace, &["--name", "none"]);
    commit(&workspace, "2026-07-21T10:00:00Z");
    built(&workspace, &["--name", "later"]);
    commit(&workspace, "2025-01-02T10:00:00Z");
    built(&workspace, &["--name", "earlier"]);
    let site = root(&workspace);
    assert_eq!(listed(&site), ["earlier", "later", "none"]);
    let summary = |name: &str| {
        serde_json::from_str::<Value>(&read_text(site.join(name).join("summary.json")))
            .expect("JSON")
    };
    assert_eq!(summary("none")["commit"], Value::Null);
    assert_eq!(summary("later")["date"], "2026-07-21T10:00:00Z");
    assert_eq!(summary("earlier")["commit"].as_str().map(str::len), Some(40));
    let page = visible(&read_text(site.join("index.html")));
    assert!(page.contains("2026-07-21") && page.contains("2025-01-02"), "{page}");
    assert!(words::says(&page, "catalogue.clock", &[]), "{page}");
}
