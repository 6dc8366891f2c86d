//! Files for other programs, read again by strict readers.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support;
use crate::support::{Workspace, evalbook, examples, grading, hostile, read_text};
use evalbook::{expectation_columns, run_columns};
use roxmltree::{Document, Node};
use serde_json::Value;
use testing::table;

/// The files of one report by name, all asked for.
fn exported(workspace: &Workspace) -> BTreeMap<&'static str, String> {
    workspace.run(["build", "../workspace", "--export", "csv,jsonl,junit"]).assert_code(0);
    let names = ["runs.csv", "expectations.csv", "runs.jsonl", "junit.xml", "index.html"];
    let report = workspace.elsewhere().join("report");
    let read = |name| read_text(report.join(name));
    names.map(|name| (name, read(name))).into_iter().collect()
}

/// The rows of a table by column; every row is as long as the head.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    assert!(text.ends_with('\n') && !text.starts_with('\u{feff}') && !text.contains('\r'));
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn workspaces() -> Vec<Workspace> {
    let mut all: Vec<Workspace> =
        examples().iter().map(|example| Workspace::new().with(example)).collect();
    all.extend(examples().first().map(|example| hostile::workspace(example)));
    all
}

#[test]
fn tables_and_lines_hold_every_run_and_verdict() {
    for workspace in workspaces() {
        let files = exported(&workspace);
        let [runs, expectations] = ["runs.csv", "expectations.csv"].map(|name| rows(&files[name]));
        let lines: Vec<Value> = files["runs.jsonl"]
            .lines()
            .map(|line| serde_json::from_str(line).expect("an object"))
            .collect();
        let totals = &workspace.check()["workspaces"][0]["totals"];
        assert_eq!(Value::from(runs.len()), totals["runs"], "{totals}");
        assert_eq!(runs.len(), lines.len());
        let sum = |name: &str| -> usize {
            runs.iter().map(|run| run[name].parse::<usize>().expect("a count")).sum()
        };
        for outcome in ["passed", "failed", "ungraded"] {
            let rows = expectations.iter().filter(|row| row["outcome"] == outcome).count();
            assert_eq!(rows, sum(outcome), "{outcome}");
        }
        for (run, line) in runs.iter().zip(&lines) {
            for [name, _, _] in run_columns() {
                same(&run[name], &line[name]);
            }
            let page = workspace.elsewhere().join("report").join(&run["page"]);
            assert!(page.is_file(), "{}", page.display());
        }
    }
}

/// A field of a table says what the value of an object does.
fn same(field: &str, value: &Value) {
    match value {
        Value::Null => assert_eq!(field, ""),
        Value::Number(number) => assert_eq!(field.parse::<f64>().ok(), number.as_f64()),
        Value::Bool(flag) => assert_eq!(field, flag.to_string()),
        Value::String(text) => {
            let plain = |c: &char| !c.is_control() && *c != '\u{fffd}';
            let read: String = field.trim_start_matches('\'').chars().filter(plain).collect();
            let printed: String = text.trim_start_matches('\'').chars().filter(plain).collect();
            assert_eq!(read, printed);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn verdicts_are_sound_junit() {
    for workspace in workspaces() {
        let files = exported(&workspace);
        let document = Document::parse(&files["junit.xml"]).expect("well-formed XML");
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        let number = |node: &Node<'_, '_>, name: &str| -> usize {
            node.attribute(name).and_then(|it| it.parse().ok()).expect("a number")
        };
        let count = |node: &Node<'_, '_>, name: &str| {
            node.descendants().filter(|it| it.has_tag_name(name)).count()
        };
        let suites = root.children().filter(Node::is_element);
        for node in std::iter::once(root).chain(suites) {
            let counted = [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")];
            for (attribute, tag) in &counted[..if node == root { 2 } else { 3 }] {
                assert_eq!(number(&node, attribute), count(&node, tag), "{attribute}");
            }
            let tests = node.children().filter(|it| it.has_tag_name("testcase"));
            let names: Vec<_> = tests.map(|it| it.attribute("name")).collect();
            let unique: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(names.len(), unique.len(), "{names:?}");
        }
    }
}

/// What the schema junit-10 of Jenkins' xUnit plugin allows: of each element the attributes that it
/// must and that it may have, and its children. GitLab reads a subset of it.
const JUNIT_10: &str = "
    testsuites =>  => name time tests failures errors => testsuite
    testsuite => name tests failures errors => group time skipped timestamp hostname id package file log url => testsuite properties testcase system-out system-err
    properties =>  =>  => property
    property => name value =>  =>
    testcase => name => time classname group => skipped error failure system-out system-err
    failure =>  => type message =>
    skipped =>  => type message =>
    system-out =>  =>  =>
";

fn assert_allowed_by_junit_10(node: Node<'_, '_>) {
    let tag = node.tag_name().name();
    let [_, must, may, children]: [String; 4] = table::rows(JUNIT_10)
        .into_iter()
        .find(|row: &[String; 4]| row[0] == tag)
        .expect("an element");
    let has = |names: &str, wanted: &str| names.split_whitespace().any(|name| name == wanted);
    let attributes: Vec<&str> = node.attributes().map(|it| it.name()).collect();
    let all = must.split_whitespace().all(|name| attributes.contains(&name));
    assert!(all, "{tag}: {attributes:?}");
    let is_known = |name: &&str| has(&must, name) || has(&may, name);
    assert!(attributes.iter().all(is_known), "{tag}: {attributes:?}");
    for number in ["tests", "failures", "errors", "skipped"] {
        assert!(node.attribute(number).is_none_or(|it| it.parse::<usize>().is_ok()), "{tag}");
    }
    let is_time = |it: &str| it.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    assert!(node.attribute("time").is_none_or(is_time), "{tag}: {:?}", node.attribute("time"));
    // Text is only in what failed or was skipped, and in evidence of what passed.
    let is_mixed = ["failure", "skipped", "system-out"].contains(&tag);
    let text = node.children().filter(Node::is_text).filter_map(|it| it.text());
    assert!(is_mixed || text.collect::<String>().trim().is_empty(), "{tag} has text");
    for child in node.children().filter(Node::is_element) {
        assert!(has(&children, child.tag_name().name()), "{child:?} in {tag}");
        assert_allowed_by_junit_10(child);
    }
}

#[test]
fn the_strict_schema_of_jenkins_allows_every_junit_file() {
    let required =
        |required: bool| serde_json::json!({"text": "x", "passed": false, "required": required});
    let optional = serde_json::json!({"expectations": [required(true), required(false)]});
    let workspace = Workspace::new()
        .file("iteration-1/a/with_skill/grading.json", optional.to_string())
        .file("iteration-1/b/with_skill/outputs/answer.md", "not graded")
        .file("iteration-1/b/without_skill/grading.json", grading(&[("x", false, "no")]));
    for workspace in workspaces().into_iter().chain([workspace]) {
        let files = exported(&workspace);
        let document = Document::parse(&files["junit.xml"]).expect("well-formed XML");
        assert_allowed_by_junit_10(document.root_element());
    }
}

#[test]
fn a_loss_is_told_from_a_failure_and_what_is_optional_says_so() {
    let verdicts = |passed: bool| {
        serde_json::json!({"expectations": [
            {"text": "kept", "passed": false, "evidence": "]]> \u{1} & <b>"},
            {"text": "lost", "passed": passed},
            {"text": "liked", "passed": passed, "required": false},
            {"text": "open", "passed": null},
        ]})
        .to_string()
    };
    let workspace = Workspace::new()
        .file("iteration-1/=a/with_skill/grading.json", verdicts(true))
        .file("iteration-2/=a/with_skill/grading.json", verdicts(false))
        .file("iteration-2/=a/without_skill/grading.json", grading(&[("kept", false, "no")]));
    let files = exported(&workspace);
    let xml = &files["junit.xml"];
    assert!(xml.contains("tests=\"4\" failures=\"2\" errors=\"0\">"), "{xml}");
    assert!(xml.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"2\">"), "{xml}");
    assert!(xml.contains("type=\"failed\" message=\"failed\">]]&gt; \u{fffd} &amp; &lt;b&gt;<"));
    let regressed = xml.split("type=\"regressed\" message=\"").nth(1).unwrap_or_default();
    let (message, _) = regressed.split_once('"').expect("a message");
    assert!(message.contains("1/1") && message.contains("0/1"), "{message}");
    let optional = xml.split("name=\"liked\"").nth(1).unwrap_or_default();
    let (optional, _) = optional.split_once("</testcase>").expect("a test");
    assert!(
        optional.contains("<skipped message=\"optional, ") && !optional.contains("<failure"),
        "{xml}"
    );
    assert!(rows(&files["runs.csv"]).iter().all(|run| run["case"] == "'=a"));
    assert!(files["runs.jsonl"].contains("\"case\":\"=a\""));
    for name in ["runs.csv", "expectations.csv", "runs.jsonl", "junit.xml"] {
        assert!(files["index.html"].contains(&format!("href=\"{name}\"")), "{name}");
    }
}

#[test]
fn tables_are_always_written_and_the_settings_ask_for_more() {
    let workspace = Workspace::good();
    let report = workspace.build();
    assert!(report.join("expectations.csv").is_file() && !report.join("junit.xml").exists());
    assert!(read_text(report.join("index.html")).contains("href=\"runs.csv\""));
    let workspace = workspace.file("evalbook.toml", "export = [\"jsonl\"]\n");
    let report = workspace.build();
    assert!(report.join("runs.jsonl").is_file() && report.join("runs.csv").is_file());
    let ran = workspace.run(["build", "../workspace", "--export", "xlsx"]);
    assert_eq!(ran.code, Some(2));
    for form in ["csv, jsonl, junit", "'xlsx'"] {
        assert!(ran.stderr.contains(form), "{}", ran.stderr);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_on_any_number_of_cores() {
    let workspace = Workspace::new().with(&examples()[0]);
    let built = |cores: &str, name: &str| {
        let mut command = evalbook(&workspace.elsewhere());
        command.args(["build", "../workspace", "--export", "csv,jsonl,junit", "-o", name]);
        support::CommandOutput::of(command.env("RAYON_NUM_THREADS", cores)).assert_code(0);
        support::hashes(Path::new(&workspace.elsewhere().join(name)))
    };
    assert_eq!(built("1", "one"), built("4", "four"));
}

#[test]
fn columns_have_names_that_need_no_quotes() {
    for columns in [run_columns(), expectation_columns()] {
        for [name, _, meaning] in columns {
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{name}");
            assert!(!meaning.is_empty());
        }
    }
}
