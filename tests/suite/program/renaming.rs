//! Names decide nothing: with every folder renamed, every file laid down in another order and at
//! other times, the numbers, the signs and the verdicts are the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::support::{html, project, shared_report, tree};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Everything but names that `report.json` says of changes and configurations, to the last bit.
fn numbers(report: &Value) -> Vec<String> {
    let iterations = iterations(report);
    let place = |side: &Value| iterations.iter().position(|it| it["name"] == side["iteration"]);
    let counts = |side: &Value| json!([place(side), side["passed"], side["failed"]]);
    let change = |change: &Value| {
        let sides = [&change["before"], &change["after"]].map(counts);
        let rest = ["against", "verdict", "gain", "time", "tokens"].map(|key| &change[key]);
        json!([sides, rest]).to_string()
    };
    let configuration = |configuration: &Value| {
        let mut configuration = configuration.clone();
        configuration["name"].take();
        configuration.to_string()
    };
    let changes = iterations.iter().flat_map(|it| all(&it["changes"])).map(change);
    let configurations = iterations.iter().flat_map(|it| all(&it["configurations"]));
    let mut found: Vec<String> = changes.chain(configurations.map(configuration)).collect();
    found.sort();
    found
}

fn iterations(report: &Value) -> &[Value] {
    all(&report["workspaces"][0]["iterations"])
}

fn all(list: &Value) -> &[Value] {
    list.as_array().expect("a list")
}

fn report_json(workspace: &Path) -> Value {
    let text = fs::read(shared_report(workspace).join("report.json")).expect("a report");
    serde_json::from_slice(&text).expect("JSON")
}

/// Another name for every folder of an evaluation; runs change their numbers' order too.
fn renamed(name: &str) -> String {
    match name {
        "with_skill" => "new_skill".to_owned(),
        "without_skill" => "no_skill".to_owned(),
        "old_skill" => "a-baseline".to_owned(),
        "run-1" => "run-3".to_owned(),
        "run-2" => "run-1".to_owned(),
        "run-3" => "run-2".to_owned(),
        name if name.starts_with("iteration-") => name.replace("iteration-", "iter_0"),
        name => format!("case-{}", name.chars().rev().collect::<String>()),
    }
}

/// Where a file of the example lies in the copy: folders of iterations are renamed down to the
/// outputs; the plan and the copies of the skill stay.
fn place(path: &str, renamed: fn(&str) -> String) -> String {
    if !path.starts_with("iteration-") {
        return path.to_owned();
    }
    let (above, below) = match path.split_once("/outputs/") {
        Some((above, below)) => (above, format!("/outputs/{below}")),
        None => path.rsplit_once('/').map(|(a, b)| (a, format!("/{b}"))).expect("a folder"),
    };
    above.split('/').map(renamed).collect::<Vec<_>>().join("/") + &below
}

/// The name of a case counts before its folder's, so it is taken out of its metadata.
fn unnamed(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).expect("metadata is text");
    let lines = text.lines().filter(|line| !line.contains("\"eval_name\""));
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

/// A copy of the example with folders renamed, metadata changed and files laid down backwards.
fn relaid(example: &Path, renamed: fn(&str) -> String, metadata: fn(&[u8]) -> Vec<u8>) -> TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    for (at, (path, bytes)) in tree(example).iter().rev().enumerate() {
        let target = copy.path().join("workspace").join(place(path, renamed));
        fs::create_dir_all(target.parent().expect("it lies in the copy")).expect("made");
        let is_metadata = path.ends_with("eval_metadata.json");
        let bytes = if is_metadata { metadata(bytes) } else { bytes.clone() };
        fs::write(&target, bytes).expect("written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + at as u64 * 86_400);
        let file = fs::File::options().write(true).open(&target).expect("opened");
        file.set_modified(time).expect("its time is set");
    }
    copy
}

#[test]
fn no_name_and_no_time_changes_a_number() {
    let example = project().join("examples/skill-creator");
    let copy = relaid(&example, renamed, unnamed);
    let (known, other) = (report_json(&example), report_json(&copy.path().join("workspace")));
    let names = |report: &Value| iterations(report)[0]["cases"][0]["name"].clone();
    assert_ne!(names(&known), names(&other), "the cases have other names");
    let (known, other) = (numbers(&known), numbers(&other));
    assert!(known.len() > 15, "there is something to compare: {}", known.len());
    assert_eq!(known, other);
}

/// Other names for the folders of iterations, cases and configurations; runs keep their numbers.
fn moved(name: &str) -> String {
    if name.starts_with("run-") { name.to_owned() } else { renamed(name) }
}

/// The addresses of a report's pages and the anchors on them.
fn addresses(workspace: &Path) -> BTreeSet<String> {
    let report = shared_report(workspace);
    let pages = tree(&report).into_iter().filter(|(path, _)| path.ends_with(".html"));
    let addresses = pages.flat_map(|(path, bytes)| {
        let page = html::tags(&String::from_utf8_lossy(&bytes));
        let anchors: Vec<String> =
            page.iter().filter_map(|tag| tag.get("id")).map(str::to_owned).collect();
        let below = anchors.into_iter().filter(|id| id.starts_with("e-"));
        let below: Vec<String> = below.map(|id| format!("{path}#{id}")).collect();
        [vec![path], below].concat()
    });
    addresses.collect()
}

#[test]
fn no_address_changes_with_the_names_of_folders() {
    let example = project().join("examples/skill-creator");
    let copy = relaid(&example, moved, <[u8]>::to_vec);
    let workspace = copy.path().join("workspace");
    let labels = "[labels]\nnew_skill = \"with_skill\"\nno_skill = \"without_skill\"\na-baseline = \"old_skill\"\n";
    let settings = fs::read_to_string(example.join("evalbook.toml")).unwrap_or_default();
    fs::write(workspace.join("evalbook.toml"), settings + "\n" + labels).expect("settings");
    let (known, other) = (addresses(&example), addresses(&workspace));
    assert!(known.iter().any(|address| address.contains("iterations/iteration-2/")));
    assert!(known.iter().any(|address| address.contains("#e-")), "there are anchors");
    assert_eq!(known, other);
}
