//! Every state that a workspace can be in has the same first page: a word, a table, the review where
//! there is an output, and a next step that can be taken. No page is a dead end.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::html::{Tag, tags, unescaped};
use crate::support::{Workspace, read_text, site};
use testing::gradings::verdicts;

const CASES: [&str; 3] = ["brief", "report", "slides"];

/// The most words before the table of cases, with those of the bar.
const FIRST_SCREEN: usize = 120;

/// A workspace in one state.
struct State {
    name: &'static str,
    workspace: Workspace,
    /// The start of the large word.
    word: &'static str,
    has_outputs: bool,
}

/// A run of a case in iteration 1 with an output; `letters` are its verdicts, empty for none.
fn run(workspace: Workspace, place: &str, letters: &str) -> Workspace {
    let workspace = workspace.file(&format!("iteration-1/{place}/outputs/a.md"), place);
    if letters.is_empty() {
        return workspace;
    }
    workspace.file(&format!("iteration-1/{place}/grading.json"), verdicts(letters).json())
}

/// Each case under these configurations, with their verdicts.
fn cases(configurations: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::new();
    for case in CASES {
        let plan = json!({ "eval_name": case, "prompt": format!("Write the {case}"), "assertions": ["check 1"] });
        let file = format!("iteration-1/{case}/eval_metadata.json");
        workspace = workspace.file(&file, plan.to_string());
        for (configuration, letters) in configurations {
            workspace = run(workspace, &format!("{case}/{configuration}"), letters);
        }
    }
    workspace
}

/// A benchmark that states rates, and lists no run.
fn recorded(with: u32, without: u32) -> String {
    let side = |passed: u32| json!({ "passed": passed, "failed": 65 - passed, "total": 65 });
    let summary = json!({ "with_skill": side(with), "without_skill": side(without) });
    json!({ "metadata": { "skill_name": "pantry" }, "run_summary": summary }).to_string()
}

fn several_runs() -> Workspace {
    let sides = [("with_skill", "ppp"), ("without_skill", "pff")];
    let mut workspace = cases(&[]);
    for case in CASES {
        for (side, letters) in sides {
            for number in 1..=3 {
                workspace = run(workspace, &format!("{case}/{side}/run-{number}"), letters);
            }
        }
    }
    workspace
}

fn all_in_error() -> Workspace {
    let error = json!({ "error": "the agent ended with exit code 1" }).to_string();
    let mut workspace = cases(&[("with_skill", ""), ("without_skill", "")]);
    for case in CASES {
        for side in ["with_skill", "without_skill"] {
            workspace = workspace.file(&format!("iteration-1/{case}/{side}/grading.json"), &error);
        }
    }
    workspace
}

/// The results of four queries, of which the second should have loaded the skill and did not.
fn triggers() -> String {
    let mut queries = Vec::new();
    for at in 0..4 {
        let (wanted, triggers) = (at < 2, u32::from(at == 0));
        let pass = wanted == (triggers == 1);
        let query = format!("query {at}");
        queries.push(json!({ "query": query, "should_trigger": wanted, "triggers": triggers, "runs": 1, "pass": pass }));
    }
    json!({ "results": queries }).to_string()
}

fn states() -> Vec<State> {
    let with_outputs = |name, word, workspace| State { name, workspace, word, has_outputs: true };
    let figures_only = |name, word, workspace| State { name, workspace, word, has_outputs: false };
    let sides = [("with_skill", "ppf"), ("without_skill", "pff")];
    let models = [
        ("opus/with_skill", "ppp"),
        ("opus/without_skill", "pff"),
        ("haiku/with_skill", "ppf"),
        ("haiku/without_skill", "ppf"),
    ];
    vec![
        with_outputs("compared", "Better", several_runs()),
        with_outputs("one run", "Up in all 3 cases", cases(&sides)),
        with_outputs(
            "ungraded",
            "Not graded yet",
            cases(&[("with_skill", ""), ("without_skill", "")]),
        ),
        with_outputs(
            "partly graded",
            "",
            run(run(cases(&sides), "more/with_skill", ""), "more/without_skill", "pff"),
        ),
        with_outputs("one-sided", "67", cases(&sides[..1])),
        figures_only(
            "recorded only",
            "Recorded totals only",
            Workspace::new()
                .file("iteration-1/benchmark.json", recorded(63, 30))
                .file("iteration-2/benchmark.json", recorded(35, 31)),
        ),
        with_outputs(
            "two unknown sides",
            "Which one is the baseline?",
            cases(&[("config_a", "ppf"), ("config_b", "pff")]),
        ),
        figures_only(
            "triggers only",
            "3 of 4 queries right",
            Workspace::new().file("evals/trigger-results.json", triggers()),
        ),
        with_outputs("several conditions", "", cases(&models)),
        with_outputs("everything in error", "", all_in_error()),
        with_outputs(
            "one iteration unreadable",
            "Up in all 3 cases",
            cases(&sides).file("iteration-2/brief/with_skill/grading.json", "{ not json"),
        ),
        with_outputs(
            "nothing but outputs",
            "Not graded yet",
            Workspace::new()
                .file("iteration-1/brief/outputs/a.md", "text")
                .file("iteration-1/report/outputs/a.md", "text"),
        ),
    ]
}

/// The text of the first element that `start` begins, up to `end`.
fn between<'p>(page: &'p str, start: &str, end: &str) -> Option<&'p str> {
    let rest = &page[page.find(start)? + start.len()..];
    Some(&rest[..rest.find(end)?])
}

/// `markup` without its tags.
fn text(markup: &str) -> String {
    let mut shown = String::new();
    for piece in markup.split('<') {
        let behind = piece.split_once('>').map_or(piece, |(_, behind)| behind);
        shown += &unescaped(behind);
        shown.push(' ');
    }
    shown.replace('\u{a0}', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `page` without what is folded away or only for screen readers.
fn visible(page: &str) -> String {
    let mut visible = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("<details") {
        visible += &rest[..at];
        let folded = &rest[at..];
        let end = folded.find("</details>").map_or(folded.len(), |end| end + 10);
        let summary = folded.find("</summary>").unwrap_or(0);
        visible += &folded[..summary.min(end)];
        rest = &folded[end..];
    }
    visible += rest;
    let mut shown = String::new();
    for (at, piece) in visible.split("class=\"hidden\">").enumerate() {
        let behind = if at == 0 { piece } else { piece.split_once("</").map_or("", |(_, b)| b) };
        shown += behind;
    }
    shown
}

/// What is wrong with the first page of a state.
fn faults(state: &State, report: &Path) -> Vec<String> {
    let page = read_text(report.join("index.html"));
    let tags = tags(&page);
    let mut faults = Vec::new();
    let word = text(between(&page, "<h1>", "</h1>").unwrap_or_default());
    if word.is_empty() || !word.contains(state.word) {
        faults.push(format!("the word is {word:?}"));
    }
    match between(&page, "<table class=\"cases", "</table>") {
        Some(table) if table.matches("<tr").count() > 1 => {}
        _ => faults.push("there is no table of cases".to_owned()),
    }
    let review = tags.iter().find(|tag| tag.name == "a" && tag.text == "Review");
    let review = review.and_then(page_address);
    if review.is_some() != state.has_outputs {
        faults.push(format!("the review is {review:?}"));
    }
    if let Some(href) = review
        && !std::fs::read_to_string(report.join(&href))
            .is_ok_and(|page| page.contains("review-page"))
    {
        faults.push(format!("{href} is no review page"));
    }
    let next = page.split("<div class=\"next\">").nth(1).unwrap_or_default();
    let next = next.split("<section").next().unwrap_or_default();
    if !next.contains("<pre") && !next.contains("class=\"button main\" href") {
        faults.push("there is no next step".to_owned());
    }
    // The next step is the last of the first screen.
    let head = page.split("<body>").nth(1).unwrap_or_default();
    let head = head.split("<div class=\"next\">").next().unwrap_or_default();
    let words = text(&visible(&format!("{head}{next}")));
    let number = words.split(' ').count();
    if number > FIRST_SCREEN {
        faults.push(format!("the first screen has {number} words: {words}"));
    }
    faults.extend(empty_pages(report));
    faults
}

/// The pages that can be reached from the overview and have nothing but a heading.
fn empty_pages(report: &Path) -> Vec<String> {
    let mut seen = BTreeSet::from(["index.html".to_owned()]);
    let mut waiting: Vec<String> = seen.iter().cloned().collect();
    let mut empty = Vec::new();
    while let Some(path) = waiting.pop() {
        let page = std::fs::read_to_string(report.join(&path)).unwrap_or_default();
        let main = between(&page, "<main", "</main>").unwrap_or_default();
        let heading = between(main, "<h1", "</h1>").unwrap_or_default();
        let left = text(&main.replace(heading, ""));
        if left.len() < 20 {
            empty.push(format!("{path} is empty: {left:?}"));
        }
        for href in tags(&page).iter().filter_map(page_address) {
            let Some(to) = site::resolved(&path, &href) else { continue };
            if to.ends_with(".html") && !site::is_copy(&to) && seen.insert(to.clone()) {
                waiting.push(to);
            }
        }
    }
    empty
}

fn page_address(tag: &Tag) -> Option<String> {
    let href = tag.get("href").filter(|_| tag.name == "a")?;
    Some(href.split('#').next().unwrap_or_default().to_owned())
}

#[test]
fn every_state_has_a_word_a_table_a_review_and_a_next_step() {
    let mut found = Vec::new();
    for state in states() {
        let report = state.workspace.build();
        site::assert_sound(&report);
        found.extend(faults(&state, &report).into_iter().map(|f| format!("{}: {f}", state.name)));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn costs_are_known_before_anything_is_graded() {
    let mut workspace = cases(&[("with_skill", ""), ("without_skill", "")]);
    for case in CASES {
        for (side, seconds) in [("with_skill", 20), ("without_skill", 10)] {
            let timing = json!({ "total_duration_seconds": seconds, "total_tokens": 900 });
            let file = format!("iteration-1/{case}/{side}/timing.json");
            workspace = workspace.file(&file, timing.to_string());
        }
    }
    let page = read_text(workspace.build().join("index.html"));
    let chips = text(between(&page, "<p class=\"chips\">", "</p>").unwrap_or_default());
    assert!(chips.contains("2.0× time the same tokens"), "{chips}");
}

#[test]
fn checks_of_two_unknown_sides_differ_or_not() {
    let workspace = cases(&[("config_a", "ppf"), ("config_b", "pff")]);
    let report = workspace.build();
    let json: Value = serde_json::from_str(&read_text(report.join("report.json"))).expect("JSON");
    let uses = &json["workspaces"][0]["health"]["uses"];
    assert_eq!(*uses, json!({ "passes-everywhere": 3, "fails-everywhere": 3, "differs": 3 }));
    let page = read_text(report.join("expectations.html"));
    assert_eq!(page.matches("data-status=\"differs\"").count(), 3);
}

#[test]
fn each_case_is_shown_under_each_condition() {
    let sides = [
        ("opus/with_skill", "ppp"),
        ("opus/without_skill", "pff"),
        ("haiku/with_skill", "pff"),
        ("haiku/without_skill", "ppf"),
    ];
    let page = read_text(cases(&sides).build().join("index.html"));
    let table = between(&page, "<table class=\"conditions of-cases\">", "</table>");
    let rows: Vec<String> = table.unwrap_or_default().split("<tr>").skip(2).map(text).collect();
    assert_eq!(rows, CASES.map(|case| format!("{case} ▽ \u{2212}33 △ +67")));
}

#[test]
fn a_command_names_folders_with_spaces_as_one_word() {
    let workspace = cases(&[("config a", "ppf"), ("it's b", "pff")]);
    let page = read_text(workspace.build().join("index.html"));
    let page = page.replace("<span>", "").replace("</span>", "");
    assert!(page.contains("--baseline &#39;it&#39;\\&#39;&#39;s b&#39;"), "{page}");
}

/// Only what both sides were checked by can be compared.
#[test]
fn the_prompt_of_the_page_has_the_rules_of_the_command_and_the_checks_of_the_graded_side() {
    let grading = json!({"expectations": [{"text": "row 3 is a sum", "passed": true}]});
    let place = Workspace::new()
        .file("iteration-1/sums/with_skill/grading.json", grading.to_string())
        .file("iteration-1/sums/with_skill/outputs/a.txt", "3")
        .file("iteration-1/sums/without_skill/outputs/a.txt", "4");
    place.build();
    let page = unescaped(&read_text(place.elsewhere().join("report/index.html")));
    let rules = place.run(["schema", "grading", "--prompt"]).assert_code(0).stdout;
    let first = rules.lines().next().expect("a line");
    assert!(page.contains(first), "{first}");
    assert!(page.contains("\n- row 3 is a sum\n"), "the check of with_skill");
}
