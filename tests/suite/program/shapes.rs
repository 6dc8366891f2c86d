//! Workspaces of our own in the shapes of real ones, for machines that have no real ones: what is read, and the
//! word of each question.
//!
//! A block of the table is a shape, its files as in [`Workspace::lines`], then `count` with the iterations,
//! checks, passed checks and checks without a verdict, counted by hand, and `words` with those of the rows.

use crate::support::{Workspace, read_json};
use serde_json::Value;
use testing::table::blocks;

#[test]
fn shapes_of_real_workspaces_are_read_whole() {
    let mut breaches = Vec::new();
    for (shape, lines) in blocks(include_str!("places/shapes.txt")) {
        let is_expected = |line: &&str| line.starts_with("count ") || line.starts_with("words ");
        let (expected, files): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| is_expected(line));
        assert_eq!(expected.len(), 2, "{shape}");
        let workspace = Workspace::new().lines(&files);
        let found = [count(&workspace), words(&workspace)];
        if found != expected[..] {
            breaches.push(format!("{shape}: found {found:?}, expected {expected:?}"));
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

fn count(workspace: &Workspace) -> String {
    let inventory = workspace.run(["check", "../workspace", "--format", "json"]).json();
    let workspaces = inventory["workspaces"].as_array().expect("workspaces");
    let mut count = "count".to_owned();
    for key in ["iterations", "expectations", "passed", "ungraded"] {
        let totals = workspaces.iter().map(|found| found["totals"][key].as_u64().expect("a total"));
        count += &format!(" {}", totals.sum::<u64>());
    }
    count
}

fn words(workspace: &Workspace) -> String {
    let report = read_json(workspace.build().join("report.json"));
    let rows = report["workspaces"][0]["questions"].as_array().map(Vec::as_slice);
    let words: Vec<&str> =
        rows.unwrap_or_default().iter().filter_map(|row: &Value| row["word"].as_str()).collect();
    format!("words {}", if words.is_empty() { "none".to_owned() } else { words.join(" / ") })
}
