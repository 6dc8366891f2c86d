//! What is written about the program is checked: the generated parts of the reference, the length of the
//! README, and every link between documents.

use std::path::{Path, PathBuf};

use evalbook::{
    Code, ENVIRONMENT, EXIT_CODES, SCHEMAS, expectation_columns, run_columns, settings_keys,
    verdict_words,
};

use crate::support::schema::mismatch;
use crate::support::{Workspace, children, files, project, read_text};
use serde_json::Value;

fn read(file: &Path) -> String {
    read_text(file)
}

/// Compares the part of a page of the reference between two marks with `wanted`; with `UPDATE=1` writes it.
fn check_part(page: &str, name: &str, wanted: &str) {
    let file = project().join("docs/src/reference").join(page);
    let text = read(&file);
    let (start, end) = (format!("<!-- {name}: "), format!("<!-- end of {name} -->"));
    let from = text.find(&start).expect("the opening mark");
    let from = from + text[from..].find('\n').expect("a line end") + 1;
    let to = text.find(&end).expect("the closing mark");
    if &text[from..to] == wanted {
        return;
    }
    assert!(
        std::env::var_os("UPDATE").is_some(),
        "the {name} of {page} are stale; run with UPDATE=1"
    );
    std::fs::write(file, format!("{}{wanted}{}", &text[..from], &text[to..]))
        .expect("a written page");
}

/// The same for a table with this head.
fn check_table(page: &str, name: &str, head: &str, rows: impl Iterator<Item = String>) {
    let rule = "---|".repeat(head.split(" | ").count());
    let rows: String = rows.map(|row| format!("| {row} |\n")).collect();
    check_part(page, name, &format!("\n| {head} |\n|{rule}\n{rows}\n"));
}

#[test]
fn the_reference_lists_every_problem() {
    let row = |code: &Code| {
        format!("`{}` | {} | {}", code.word(), code.severity().word(), code.meaning())
    };
    check_table("problems.md", "problems", "code | severity | meaning", Code::ALL.iter().map(row));
}

#[test]
fn the_reference_lists_every_setting() {
    let rows = settings_keys().into_iter();
    let rows = rows.map(|key| format!("`{}` | `{}` | {}", key.name, key.example, key.meaning));
    check_table("settings.md", "settings", "key | such as | what it decides", rows);
}

#[test]
fn the_reference_lists_exit_codes_and_environment() {
    let codes = EXIT_CODES.iter().map(|(code, says, when)| format!("{code} | {says} | {when}"));
    check_table("commands.md", "exit codes", "exit code | says | when", codes);
    let variables = ENVIRONMENT.iter().map(|(name, decides)| format!("`{name}` | {decides}"));
    check_table("commands.md", "environment", "variable | decides", variables);
}

#[test]
fn the_reference_lists_every_column() {
    for (name, columns) in [("runs", run_columns()), ("expectations", expectation_columns())] {
        let rows = columns.iter();
        let rows = rows.map(|[column, unit, meaning]| format!("`{column}` | {unit} | {meaning}"));
        let part = format!("columns of {name}");
        check_table("exports.md", &part, "column | unit | meaning", rows);
    }
}

#[test]
fn the_reference_lists_every_kind_of_file() {
    let rows = SCHEMAS.iter().map(|kind| format!("`{}` | {}", kind.name, kind.about));
    check_table("json.md", "kinds", "kind | file", rows);
}

#[test]
fn the_reference_lists_every_word_of_a_verdict() {
    let fields = ["verdict", "word"].into_iter().zip(verdict_words());
    let rows = fields.map(|(field, words)| format!("`{field}` | `{}`", words.join("`, `")));
    check_table("json.md", "verdicts", "field | words", rows);
}

/// Texts that are parts of other lines.
const PARTS_OF_LINES: [&str; 10] = [
    "failed",
    "fallen_case",
    "known",
    "line",
    "loss",
    "most",
    "most_more",
    "passed",
    "remark",
    "sides",
];

#[test]
fn the_page_on_red_gates_has_every_line_that_a_gate_prints() {
    let page = read(&project().join("docs/src/guide/red.md"));
    let words: Value = serde_json::from_str(&read(&project().join("templates/language/en.json")))
        .expect("a table of words");
    let lines = words["gate"].as_object().expect("the lines of gates");
    for (key, line) in lines.iter().filter(|(key, _)| !PARTS_OF_LINES.contains(&key.as_str())) {
        let mut shown = String::from("| `");
        let mut is_in_text = true;
        for character in line.as_str().expect("a text").chars() {
            match character {
                '{' => shown.push('…'),
                '}' => {}
                _ if is_in_text => shown.push(character),
                _ => {}
            }
            is_in_text = character == '}' || is_in_text && character != '{';
        }
        assert!(page.contains(&shown), "{key}: {shown}");
    }
}

/// The page has more on each rule than the code: how often it is wrong.
#[test]
fn the_page_on_gates_has_every_rule() {
    let page = read(&project().join("docs/src/reference/gates.md"));
    for key in settings_keys() {
        let Some(rule) = key.name.strip_prefix("gate.") else { continue };
        assert!(page.contains(&format!("`{rule}")), "{rule}");
        // The meaning of `fail_on` ends with its words.
        for word in key.meaning.split('`').skip(1).step_by(2).filter(|_| rule == "fail_on") {
            assert!(page.contains(&format!("`fail_on = [\"{word}\"]`")), "{word}");
        }
    }
}

#[test]
fn codes_are_unique_and_kebab_case() {
    let mut words: Vec<&str> = Code::ALL.iter().map(|code| code.word()).collect();
    assert!(words.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), Code::ALL.len());
}

#[test]
fn the_readme_is_short() {
    let number = read(&project().join("README.md")).lines().count();
    assert!(number <= 150, "{number} lines");
}

/// Every document of the project in Markdown.
fn documents() -> Vec<PathBuf> {
    let mut all = children(&project());
    for folder in ["docs", "skills", "tests"] {
        all.extend(files(&project().join(folder)));
    }
    let is_document = |file: &PathBuf| {
        file.extension().is_some_and(|kind| kind == "md")
            && !["broken", "good-case"].iter().any(|name| file.iter().any(|part| part == *name))
    };
    all.retain(is_document);
    all
}

/// The text without what is code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // Every second part between backticks is code.
            lines.push(line.split('`').step_by(2).collect::<Vec<_>>().join("`"));
        }
    }
    lines.join("\n")
}

/// The anchors of a page, as mdBook and GitHub make them from its headings.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let anchor = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut number = 0;
    for document in documents() {
        let text = prose(&read(&document));
        for rest in text.split("](").skip(1) {
            let (target, _) = rest.split_once(')').expect("the end of a link");
            if target.contains("://") || target.is_empty() {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let parent = document.parent().expect("a folder");
            let file = if path.is_empty() { document.clone() } else { parent.join(path) };
            let place = format!("{}: {target}", document.display());
            assert!(file.exists(), "{place}");
            assert!(
                anchor.is_empty() || anchors(&read(&file)).iter().any(|a| a == anchor),
                "{place}"
            );
            number += 1;
        }
    }
    assert!(number > 40, "{number}");
}

#[test]
fn every_file_that_decides_something_is_there() {
    let text = read(&project().join("ARCHITECTURE.md"));
    let (_, section) = text.split_once("## Where it is decided").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("the next section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix("` |"));
    let mut number = 0;
    for row in rows {
        let (_, files) = row.rsplit_once(" | `").expect("two columns");
        for file in files.split("`, `") {
            assert!(project().join(file).is_file(), "{row}");
        }
        number += 1;
    }
    assert!(number > 80, "{number}");
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let source = project().join("docs/src");
    let summary = read(&source.join("SUMMARY.md"));
    for page in files(&source) {
        let name = page.strip_prefix(&source).expect("a page").to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
    }
}

/// The files of the page on writing for evalbook: each is named before its block.
#[test]
fn what_the_book_says_to_write_is_read_without_a_problem() {
    let page = read(&project().join("docs/src/reference/write.md"));
    let mut workspace = Workspace::new();
    let mut name = "";
    let mut blocks = 0;
    for (index, part) in page.split("```").enumerate() {
        if index % 2 == 0 {
            let start = part.rfind("`iteration-1/").map_or(part.len(), |at| at + 1);
            name = part[start..].split('`').next().unwrap_or_default();
            continue;
        }
        let content = part.strip_prefix("json\n").expect("a block of JSON");
        workspace = workspace.file(name, content);
        blocks += 1;
    }
    assert_eq!(blocks, 4);
    let checked = workspace.check();
    assert!(!checked.to_string().contains("\"code\""), "{checked:#}");
    let ran = workspace.run(["build", "../workspace", "-o", "report"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report = workspace.elsewhere().join("report");
    for (file, expected) in [
        ("report.json", "5200"),
        ("report.json", "small-model-1"),
        ("benchmark.json", "no currency in total.md"),
    ] {
        assert!(read(&report.join(file)).contains(expected), "{expected}");
    }
}

#[test]
fn the_skill_follows_the_agent_skills_format() {
    let folder = project().join("skills/evalbook");
    let text = read(&folder.join("SKILL.md"));
    assert!(text.lines().count() < 500);
    let (front, _) = text
        .strip_prefix("---\n")
        .and_then(|text| text.split_once("\n---\n"))
        .expect("front matter");
    let front: Value = serde_saphyr::from_str(front).expect("YAML");
    assert_eq!(front["name"], "evalbook", "the name of its folder");
    let description = front["description"].as_str().expect("a description");
    assert!((1..=1024).contains(&description.chars().count()));
    let known = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
    assert!(front.as_object().expect("fields").keys().all(|key| known.contains(&key.as_str())));
}

#[test]
fn the_evals_of_the_skill_are_at_least_five_with_expectations_and_their_files() {
    let folder = project().join("skills/evalbook");
    let evals: Value = serde_json::from_str(&read(&folder.join("evals/evals.json"))).expect("JSON");
    let schema = evalbook::json_schema("evals", false).expect("a schema");
    assert_eq!(mismatch(&schema, &evals, "evals"), None);
    let list = evals["evals"].as_array().expect("a list");
    assert!(list.len() >= 5);
    for eval in list {
        assert!(!eval["expectations"].as_array().expect("expectations").is_empty(), "{eval}");
        for file in eval["files"].as_array().expect("files") {
            assert!(folder.join(file.as_str().expect("a path")).is_file(), "{file}");
        }
    }
}
