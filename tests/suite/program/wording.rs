//! What a reader sees, in one snapshot per language: a sentence is changed here and nowhere else.
//!
//! Each place is a workspace made to bring certain sentences out. A line is shown where it first
//! appears; lines that differ in numbers only, and lines of the workspace's own files, are left out.

#![allow(clippy::disallowed_methods, reason = "tests prepare folders and look at what was written")]

use std::collections::{BTreeMap, BTreeSet};

use super::command_line;
use crate::support;
use crate::support::{Ran, Workspace, html, name_of};
use regex_lite::Regex;
use serde_json::{Value, json};

/// A workspace with its name and the commands it is made for.
struct Place {
    name: &'static str,
    workspace: Workspace,
    /// Commands besides a build; words are separated by blanks.
    commands: Vec<&'static str>,
}

/// What every workspace is shown by, and what some are shown by besides.
const BUILD: &str = "build ../workspace -o report";

const CHECK: &str = "check ../workspace";

/// The comment on a pull request.
const COMMENT: &str = "build ../workspace --format markdown --for pull-request";

/// Pages of a report whose texts are shown; of runs, cases and iterations the first.
const PAGES: [&str; 9] = [
    "index.html",
    "history.html",
    "expectations.html",
    "comparisons.html",
    "feedback.html",
    "problems.html",
    "recorded.html",
    "report.md",
    "badge.json",
];

#[test]
fn every_kind_of_sentence_in_english() {
    insta::assert_snapshot!("en", all_texts("en"));
}

#[test]
fn every_kind_of_sentence_in_chinese() {
    insta::assert_snapshot!("zh", all_texts("zh-TW"));
}

/// Every text about all places, each line once.
fn all_texts(language: &str) -> String {
    let mut lines = Lines::default();
    for place in places() {
        place.tell(language, &mut lines);
    }
    if language == "en" {
        failures(&mut lines);
    }
    scripts(language, &mut lines);
    lines.text
}

/// Lines that were not shown before, by section.
#[derive(Default)]
struct Lines {
    text: String,
    known: BTreeSet<String>,
}

impl Lines {
    /// The sentences and cells of `lines` that are new, but for numbers and for what the workspace
    /// holds.
    fn add<'l>(&mut self, title: &str, lines: impl IntoIterator<Item = &'l str>, data: &Data) {
        let is_new = |part: &&str| {
            let shape = data.shape(part);
            shape.chars().any(char::is_alphabetic) && self.known.insert(shape)
        };
        let end = Regex::new(r"\. |: \d+\. |。| \| ").expect("a pattern");
        let parts = lines.into_iter().flat_map(|line| {
            let ends = end.find_iter(line).map(|found| found.end());
            let ends: Vec<usize> = ends.chain([line.len()]).collect();
            let starts = [0].into_iter().chain(ends.clone());
            starts
                .zip(ends)
                .map(move |(start, end)| line[start..end].trim_end())
                .collect::<Vec<_>>()
        });
        let new: Vec<&str> = parts.filter(is_new).collect();
        if !new.is_empty() {
            self.text += &format!("== {title}\n{}\n", new.join("\n"));
        }
    }

    fn ran(&mut self, title: &str, ran: &Ran, data: &Data) {
        let code = ran.code.expect("an exit code");
        let text = format!("{}{}", ran.stdout, ran.stderr);
        // Pages change their size with every change.
        let size = Regex::new(r"\([0-9.]+ [kM]?B\)").expect("a pattern");
        let text = size.replace_all(&text, "(… kB)");
        self.add(&format!("{title} → {code}"), text.lines(), data);
    }
}

/// Names and texts of a workspace as words, by the first.
#[derive(Default)]
struct Data(BTreeMap<String, Vec<Vec<String>>>);

impl Data {
    fn of(folder: &std::path::Path) -> Self {
        let mut found = BTreeSet::new();
        for (path, bytes) in support::tree(folder) {
            found.extend(
                path.split('/').map(|name| name.split('.').next().unwrap_or(name).to_owned()),
            );
            found.extend(String::from_utf8_lossy(&bytes).lines().map(str::to_owned));
            texts(&serde_json::from_slice(&bytes).unwrap_or_default(), &mut found);
        }
        // A word of the language is nobody's name.
        found.retain(|text| text.chars().any(|c| !c.is_ascii_lowercase()));
        let mut data = Self::default();
        for words in found.iter().map(|text| words_of(text)).filter(|words| !words.is_empty()) {
            data.0.entry(words[0].clone()).or_default().push(words);
        }
        data
    }

    /// The words of `line` that are the program's own; one thing or several are the same sentence.
    fn shape(&self, line: &str) -> String {
        let words = words_of(line);
        let (mut own, mut at) = (Vec::new(), 0);
        while let Some(word) = words.get(at) {
            let known = self.0.get(word).into_iter().flatten();
            let known = known.filter(|known| words[at..].starts_with(known)).map(Vec::len).max();
            if known.is_none() {
                own.push(word.trim_end_matches('s'));
            }
            at += known.unwrap_or(1);
        }
        own.retain(|word| word.len() > 1 && word.chars().all(char::is_alphabetic));
        own.join(" ")
    }
}

fn words_of(text: &str) -> Vec<String> {
    let ends = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
    text.split(ends).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Every text in `value`.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            found.extend(text.lines().map(str::to_owned));
            found.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            texts(value, found);
        }),
        _ => {}
    }
}

impl Place {
    fn new(name: &'static str, workspace: Workspace) -> Self {
        Self { name, workspace, commands: Vec::new() }
    }

    fn with(mut self, command: &'static str) -> Self {
        self.commands.push(command);
        self
    }

    fn tell(&self, language: &str, lines: &mut Lines) {
        let data = Data::of(&self.workspace.path());
        for command in [BUILD].iter().chain(&self.commands) {
            let command = spelled_out(command);
            let speaks = ["build", "check", "compare", "brief", "benchmark"];
            let is_spoken = speaks.iter().any(|name| command.starts_with(name));
            let flags = if is_spoken { vec!["--lang", language] } else { Vec::new() };
            let ran = self.workspace.run(command.split(' ').chain(flags));
            lines.ran(&format!("{}: {command}", self.name), &ran, &data);
        }
        self.tell_pages(lines, &data);
    }

    fn tell_pages(&self, lines: &mut Lines, data: &Data) {
        let written = support::tree(&self.workspace.elsewhere());
        let first = |of: &str| written.keys().find(|path| kind(path) == of).cloned();
        let pages = PAGES.iter().map(|name| format!("report/{name}"));
        let kinds = ["run", "case", "iteration"].into_iter().filter_map(first);
        for path in pages.chain(kinds).chain(["benchmark.md".to_owned()]) {
            let Some(page) = written.get(&path) else { continue };
            let page = String::from_utf8_lossy(page);
            let text = match path.ends_with("ml") {
                true => html::lines(&page),
                false => page.lines().map(str::to_owned).collect(),
            };
            let title = format!("{}: {path}", self.name);
            lines.add(&title, text.iter().map(String::as_str), data);
        }
    }
}

/// A command with the folders and rules that it leaves open.
fn spelled_out(command: &str) -> String {
    let command = command.replace("RULES", RULES);
    match command.split_once(" --") {
        Some(("build", flags)) => format!("build ../workspace -o r --{flags}"),
        Some(("compare", flags)) => format!("{COMPARE} --{flags}"),
        _ => command,
    }
}

/// What kind of page is at `path`.
fn kind(path: &str) -> &'static str {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["report", "cases", page] if page.ends_with(".html") => "case",
        ["report", "iterations", _, "index.html"] => "iteration",
        ["report", "iterations", _, _, page] if page.ends_with(".html") => "run",
        _ => "other",
    }
}

/// A workspace of graded runs, one line each: the folder, where `a,b` stands for a and b; the
/// verdicts, `+` passed, `-` failed and `?` without one, behind the words of the statements; seconds
/// and tokens where they are recorded.
fn graded(runs: &str) -> Workspace {
    let lines = runs.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(Workspace::new(), |workspace, line| {
        let parts: Vec<&str> = line.split(' ').collect();
        let folders = unfolded(parts[0]);
        folders.iter().fold(workspace, |workspace, folder| run(workspace, folder, &parts[1..]))
    })
}

/// The folders that `path` names.
fn unfolded(path: &str) -> Vec<String> {
    let longer = |found: Vec<String>, names: &str| {
        let all =
            found.iter().flat_map(|path| names.split(',').map(move |it| format!("{path}/{it}")));
        all.map(|path| path.trim_start_matches('/').to_owned()).collect()
    };
    path.split('/').fold(vec![String::new()], longer)
}

fn run(workspace: Workspace, folder: &str, parts: &[&str]) -> Workspace {
    let (words, verdicts) = parts[0].split_once(':').unwrap_or(("check", parts[0]));
    let expectation = |(at, verdict): (usize, char)| match verdict {
        '?' => json!({"text": format!("{words} {at}")}),
        verdict => {
            json!({"text": format!("{words} {at}"), "passed": verdict == '+', "evidence": "seen"})
        }
    };
    let list: Vec<Value> = verdicts.chars().enumerate().map(expectation).collect();
    let grading = json!({"expectations": list}).to_string();
    let workspace = workspace.file(&format!("{folder}/grading.json"), grading);
    let Some(seconds) = parts.get(1) else { return workspace };
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let mut timing = json!({"total_duration_seconds": number(seconds)});
    if let Some(tokens) = parts.get(2) {
        timing["total_tokens"] = number(tokens).into();
    }
    workspace.file(&format!("{folder}/timing.json"), timing.to_string())
}

fn places() -> Vec<Place> {
    let mut places: Vec<Place> = support::examples().iter().map(|path| example(path)).collect();
    let little = LITTLE.iter().map(|(name, runs)| Place::new(name, graded(runs)).with(COMMENT));
    places.extend(little);
    places.extend(GATES.iter().map(|(name, runs, commands)| {
        commands.iter().fold(Place::new(name, graded(runs)), |place, command| place.with(command))
    }));
    places.extend(gates_of_files());
    places.extend(BESIDE.iter().map(|(name, runs, files)| {
        let add = |workspace: Workspace, (path, text): &(&str, &str)| workspace.file(path, text);
        let place = Place::new(name, files.iter().fold(graded(runs), add));
        place.with(CHECK).with(COMMENT).with("brief ../workspace")
    }));
    places
}

/// An example; the one with the most in it stands for all in what is no page.
fn example(path: &std::path::Path) -> Place {
    let name = ["advanced", "compact", "scored", "skill-creator"];
    let name = name.into_iter().find(|name| *name == name_of(path)).expect("a known example");
    let place = Place::new(name, Workspace::new().with(path));
    match name {
        "skill-creator" => place
            .with(CHECK)
            .with(COMMENT)
            .with("brief ../workspace --most 8000")
            .with("benchmark ../workspace -o benchmark.json"),
        _ => place,
    }
}

/// Too little to tell anything from, and what else bears on a verdict: a name, and runs.
const LITTLE: &[(&str, &str)] = &[
    ("one case", "iteration-1/a/with_skill ++++\n iteration-1/a/without_skill ----"),
    ("one configuration", "iteration-1/a/with_skill +-"),
    ("names of no role", "iteration-1/a/x +-\n iteration-1/a/y ++"),
    ("an ungraded baseline", "iteration-1/a/x +\n iteration-1/a/baseline ?"),
    (
        "cases of unlike size",
        "iteration-1/a,b,c,d/with_skill ++
         iteration-1/a,b,c,d/without_skill --
         iteration-1/g/with_skill ++------------------
         iteration-1/g/without_skill ++++++++++++++++++++",
    ),
    ("all alike", "iteration-1/a,b,c/with_skill,without_skill ++"),
    ("nothing graded", "iteration-1/a/with_skill,old_skill ??"),
    ("other cases", "iteration-1/a/with_skill ++\n iteration-1/b/without_skill --"),
    (
        "two candidates",
        "iteration-1/a,b,c,d,e,f/without_skill +---
             iteration-1/a,b,c,d,e,f/variant-a +++-
             iteration-1/a,b,c,d,e,f/variant-b +---",
    ),
    (
        "runs and cases left out",
        "iteration-1/a,b,c,d/without_skill ++--
             iteration-1/a,b/with_skill/run-1 ++--
             iteration-1/c,d/with_skill/run-1 ????
             iteration-1/a/with_skill/run-2 ?",
    ),
    (
        "many candidates",
        "iteration-1/a,b/without_skill +-
             iteration-1/a,b/un_read ?
             iteration-1/a,b/variant-a,variant-b,variant-c,variant-d,variant-e,variant-f ++",
    ),
    (
        "other statements",
        "iteration-1/a/with_skill one:++\n iteration-2/a/with_skill two:++
             iteration-2/b/with_skill ++",
    ),
    (
        "few cases alike",
        "iteration-1/a,b,c,d,e/with_skill ++++\n iteration-1/a,b,c,d,e/without_skill +++-",
    ),
    (
        "some single runs",
        "iteration-1/a,b/with_skill,without_skill/run-1 ++
             iteration-1/a/with_skill,without_skill/run-2 +-",
    ),
    (
        "runs that broke off",
        "iteration-1/a,b/with_skill/run-1 ++ 60
             iteration-1/a,b/with_skill/run-2 ? 2
             iteration-1/a,b/without_skill/run-1 +- 60",
    ),
    (
        "a dear case",
        "iteration-1/a,b,c,d,e,f/with_skill + 60 1000
             iteration-1/g/with_skill + 60 900000
             iteration-1/a,b,c,d,e,f,g/without_skill - 60 1000",
    ),
    (
        "one case with costs",
        "iteration-1/a/with_skill + 60 3000
             iteration-1/a/without_skill - 60 1000
             iteration-1/b,c,d,e/with_skill/run-1 +
             iteration-1/b/with_skill/run-2 +
             iteration-1/b,c,d,e/without_skill -",
    ),
    (
        "two runs far apart",
        "iteration-1/a,b,c,d,e,f,g/with_skill/run-1 + 60 1000
             iteration-1/a,c,d,e,f,g/with_skill/run-2 + 60 1000
             iteration-1/b/with_skill/run-2 + 60 9000
             iteration-1/a,b,c,d,e,f,g/without_skill - 60 1000",
    ),
    (
        "three near cases",
        "iteration-1/a,b,c/with_skill +++++
             iteration-1/a,c/without_skill ++++-\n iteration-1/b/without_skill +++--",
    ),
    (
        "still failing",
        "iteration-1/a/with_skill +-\n iteration-1/a/without_skill --
             iteration-2/a/with_skill --\n iteration-2/a/without_skill +-",
    ),
    (
        "failing in part",
        "iteration-1,iteration-2/a/with_skill/run-1 +-\n iteration-1,iteration-2/a/with_skill/run-2 --",
    ),
    (
        "cases on one side",
        "iteration-1/a,b,c/with_skill ++\n iteration-1/a,b,d/without_skill +-
             iteration-2/a,b,e/with_skill +-\n iteration-2/a,b,c/without_skill --",
    ),
    (
        "a flaky side",
        "iteration-1/a/without_skill +
             iteration-1/a/with_skill/run-1 +\n iteration-1/a/with_skill/run-2,run-3 -",
    ),
    (
        "seven iterations",
        "iteration-1,iteration-2/a,b,c/with_skill +--- 10 1000
             iteration-3,iteration-4/a,b,c/with_skill ++-- 20 2000
             iteration-5,iteration-6/a,b,c/with_skill +++- 20 2000
             iteration-7/a,b,c/with_skill ++++ 30 3000",
    ),
];

/// A comparison of two iterations, to be followed by rules.
const COMPARE: &str = "compare ../workspace/iteration-1 ../workspace/iteration-2";

/// Every rule that compares.
const RULES: &str = "--fail-on regression-strict,worse,settled-worse";

/// Six cases that lost a check.
const WORSE: &str = "iteration-1/a,b,c,d,e,f/with_skill +++- 10 1000
    iteration-2/a,b,c,d,e,f/with_skill ++-- 12 1200";

/// Rules that fail or cannot be checked: a name, runs, and flags of a build or a comparison.
const GATES: &[(&str, &str, &[&str])] = &[
    (
        "six losses",
        WORSE,
        &[
            COMPARE,
            "compare RULES --min-pass-rate 75.1% --max-time-increase 19.9% --max-token-increase 199",
            "compare --format markdown --fail-on regression-strict",
            "build --gate",
        ],
    ),
    (
        "six gains",
        "iteration-1/a,b,c,d,e,f/with_skill ++-- 12 1200
         iteration-2/a,b,c,d,e,f/with_skill +++- 10 1000",
        &["compare RULES --min-pass-rate 75% --max-time-increase 20% --max-token-increase 20%"],
    ),
    (
        "lost verdicts",
        "iteration-1/a,b/with_skill ++--\n iteration-2/a,b/with_skill ?+--",
        &["build RULES"],
    ),
    (
        "lost verdicts of a baseline",
        "iteration-1/a,b/without_skill ++\n iteration-1/a/with_skill +?
         iteration-1/b/with_skill ++",
        &["build RULES"],
    ),
    (
        "a lost case",
        "iteration-1/a,b/with_skill ++--\n iteration-2/a/with_skill +++-
         iteration-2/b/with_skill ????",
        &["build RULES"],
    ),
    (
        "a lost case of a baseline",
        "iteration-1/a,b/without_skill ++\n iteration-1/a/with_skill ??
         iteration-1/b/with_skill ++",
        &["build RULES"],
    ),
    (
        "no case in common",
        "iteration-1/a,b/with_skill ++\n iteration-2/c,d/with_skill ++ 10 1000",
        &["compare --fail-on regression-strict --max-time-increase 20%"],
    ),
    (
        "no costs",
        "iteration-1,iteration-2/a,b/with_skill ++",
        &["compare --max-time-increase 20% --max-token-increase 5"],
    ),
    (
        "one case fell",
        "iteration-1/a/with_skill ++++\n iteration-2/a/with_skill ----",
        &["build RULES"],
    ),
    (
        "four cases leaning",
        "iteration-1/a,b,c,d/with_skill ++++\n iteration-2/a,b,c/with_skill +++-
         iteration-2/d/with_skill ++--",
        &["build RULES"],
    ),
    (
        "a run that broke off",
        "iteration-1,iteration-2/a,b/with_skill/run-1 +++-\n iteration-2/a/with_skill/run-2 ?",
        &["compare --min-pass-rate 75%"],
    ),
    (
        "a newer iteration without verdicts",
        "iteration-1,iteration-2/a,b/with_skill,without_skill ++
         iteration-3/a,b/with_skill,without_skill ??",
        &["build RULES"],
    ),
    (
        "a newer iteration of the baseline",
        "iteration-1/a,b/with_skill,without_skill ++\n iteration-2/a,b/without_skill ++",
        &["build RULES"],
    ),
    (
        "an unread candidate",
        "iteration-1/a,b,c,d,e,f/without_skill +---\n iteration-1/a,b,c,d,e,f/with_skill_v2 +++-
         iteration-1/a,b,c,d,e,f/with_skill ????",
        &["build ../workspace -o r --fail-on worse"],
    ),
    (
        "other candidates",
        "iteration-1/a,b,c,d,e,f/arm_a +++-\n iteration-1/a,b,c,d,e,f/arm_b ++++
         iteration-2/a,b,c,d,e,f/arm_a +++-\n iteration-2/a,b,c,d,e,f/arm_b +---",
        &["compare --fail-on worse"],
    ),
];

/// Rules that the workspace itself holds: known issues and a least gain.
fn gates_of_files() -> Vec<Place> {
    let known = |case: &str| {
        format!(
            "[gate]\nfail_on = 'regression-strict'\n[[known_issues]]\ncase = '{case}'\n\
             expectation = 'check 2'\nreason = 'late'\nexpires = 2026-12-31\n"
        )
    };
    let improved = |gate: &str| {
        graded(
            "iteration-1/a,b,c,d,e,f/old_skill +--- 10 1000
             iteration-1/a,b,c,d,e,f/with_skill ++++ 40 6000",
        )
        .file("evalbook.toml", gate)
    };
    let worse = |path: &str, text: &str| graded(WORSE).file(path, text);
    let today = "build --gate --as-of 2026-06-01";
    vec![
        Place::new("known losses", worse("evalbook.toml", &known("*")))
            .with(today)
            .with("build --gate --as-of 2027-01-01")
            .with("compare --as-of 2026-06-01"),
        Place::new("an idle known loss", worse("evalbook.toml", &known("z"))).with(today),
        Place::new("a gain", improved("[gate]\nmin_gain = 75\nmax_time_increase = 30\n"))
            .with(today),
        Place::new("too small a gain", improved("gate.min_gain = 80\n")).with(today),
        Place::new("gates of another program", worse("regression_gates.json", "{}")).with(COMPARE),
    ]
}

/// Files by path with their content.
type Files = &'static [(&'static str, &'static str)];

/// Files beside runs, by the name of the place: recorded, judged, commented and counted otherwise.
const BESIDE: &[(&str, &str, Files)] = &[
    ("a benchmark alone", "", &[("benchmark.json", LISTED)]),
    (
        "a benchmark beside runs",
        "iteration-1/a/with_skill +-\n iteration-1/a/without_skill --",
        &[("iteration-1/benchmark.json", LISTED)],
    ),
    (
        "another model and grader",
        "",
        &[
            ("iteration-1/a/with_skill/grading.json", BY_ANN),
            ("iteration-2/a/with_skill/grading.json", BY_BOB),
            ("iteration-1/a/with_skill/timing.json", r#"{"model": "opus"}"#),
            ("iteration-2/a/with_skill/timing.json", r#"{"model": "haiku"}"#),
        ],
    ),
    (
        "two graders",
        "",
        &[
            ("iteration-1/a/with_skill/run-1/grading.json", BY_ANN),
            ("iteration-1/a/with_skill/run-1/grading-bob.json", BY_BOB),
        ],
    ),
    (
        "blind comparisons",
        "iteration-1/a/with_skill +-",
        &[
            ("iteration-1/a/comparison-1.json", AGAINST),
            ("iteration-1/a/comparison-2.json", SWAPPED),
            ("iteration-1/a/comparison-3.json", r#"{"winner": "tie"}"#),
            ("iteration-1/a/comparison-4.json", r#"{"winner": "B", "reasoning": "clear"}"#),
        ],
    ),
    (
        "comments",
        "iteration-1/a/with_skill/run-1,run-2 -\n iteration-2/a/with_skill/run-1 +",
        &[(
            "iteration-1/feedback.json",
            r#"{"reviews": [{"run_id": "a-with_skill-run-1", "feedback": "No sum."},
                {"run_id": "elsewhere", "feedback": "Lost."},
                {"run_id": "a-with_skill-run-2", "feedback": ""}], "status": "in_progress"}"#,
        )],
    ),
    (
        "scores outside their scale",
        "",
        &[(
            "iteration-1/a/with_skill/run-1/grading.json",
            r#"{"results": [{"criterion": "x", "score": 9, "reasoning": "so it seems"},
                {"criterion": "y", "score": 4, "passed": true, "reasoning": "whole"}]}"#,
        )],
    ),
    (
        "dollars of some",
        "iteration-1/a,b,c/with_skill/run-1,run-2 +\n iteration-1/a,b,c/without_skill/run-1 -",
        &[
            ("iteration-1/a/with_skill/run-1/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/a/without_skill/run-1/timing.json", r#"{"cost_usd": 3}"#),
            ("iteration-1/b/with_skill/run-1/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/b/with_skill/run-2/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/b/without_skill/run-1/timing.json", r#"{"cost_usd": 3}"#),
        ],
    ),
    (
        "dollars of none",
        "iteration-1/a/with_skill/run-1,run-2 +\n iteration-1/a/without_skill/run-1 -",
        &[
            ("iteration-1/a/with_skill/run-1/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/a/without_skill/run-1/timing.json", r#"{"cost_usd": 3}"#),
        ],
    ),
    (
        "prices and outputs kept back",
        "iteration-1/a/with_skill +",
        &[
            ("evalbook.toml", "outputs = 'none'\n[prices.m]\ninput = 3\noutput = 15\n"),
            ("iteration-1/a/with_skill/outputs/a.md", "text"),
            (
                "iteration-1/a/with_skill/timing.json",
                r#"{"model": "m", "input_tokens": 100000, "output_tokens": 20000}"#,
            ),
        ],
    ),
];

/// A benchmark that lists two runs.
const LISTED: &str = r#"{"runs": [
    {"eval_id": 1, "configuration": "with_skill",
     "expectations": [{"text": "a", "passed": true, "evidence": "seen"}],
     "result": {"passed": 1, "total": 1, "time_seconds": 70.1, "tokens": 27690}},
    {"eval_id": 1, "configuration": "without_skill",
     "expectations": [{"text": "a", "passed": false, "evidence": "seen"}]}]}"#;

const BY_ANN: &str = r#"{"grader": "ann", "expectations": [{"text": "x", "passed": true},
    {"text": "y", "passed": true}, {"text": "z", "passed": false}]}"#;

const BY_BOB: &str = r#"{"grader": "bob", "expectations": [{"text": "x", "passed": true},
    {"text": "y", "passed": false}, {"text": "z", "passed": false}]}"#;

const AGAINST: &str = r#"{"eval_id": "a", "winner": "A", "reasoning": "clear",
    "mapping": {"A": "v2", "B": "v1"}, "scores": {"order": {"A": 3, "B": 5}},
    "expectation_results": {"A": {"passed": 1, "total": 2}}}"#;

const SWAPPED: &str = r#"{"eval_id": "a", "winner": "A", "reasoning": "clear",
    "mapping": {"A": "v1", "B": "v2"}, "scores": {"order": {"A": 4, "B": 4}}}"#;

/// What is done in a home folder: commands; `> path text` writes a file, `- path` removes one, and
/// `~ path old new` changes one.
const FAILURES: &str = "
check ws --leave-out a/***
build ws --lang de
build ws --theme nowhere
> theme/language/de.json {}
build ws --theme theme
> theme/language/en.json {
- theme/language/de.json
build ws --theme theme
> theme/pages/case.html x
- theme/language/en.json
build ws --theme theme
theme --eject made-theme
theme --eject made-theme
build ws --order with_skill,gama --label xyz=A
> ws/evalbook.toml titel='x'
check ws
- ws/evalbook.toml
settings ws --title T
brief ws --most 100
compare ws ws --gate
compare ws nowhere
build ws --into site --name a
build ws --into site --name b --keep 1
> site/docs/index.html mine
build ws --into site --name b
> site/b/notes.txt mine
build ws --into site --name b
build ws --into site --name c --keep 1
build ws -o site
build ws --into site --name=
build ws --into site --name latest
> site/index.html mine
build ws --into site --name c
- site/index.html
> site/evalbook-site.json {
build ws --into site --name c
- site/evalbook-site.json
build ws --into site --name c
build ws -o report
build ws --into report
build ws --format markdown --for pull-request --changes-only
~ report/report.json \"schema_version\":1 \"schema_version\":9
compare report/report.json ws
build ws --part -o part
merge ws -o one
build --merge ws -o one --expect 2
build --merge ws ws -o one
build --merge
snapshot pdf made
snapshot pdf pdf
snapshot mine made
> made/history.json {
snapshot pdf made
> pdf/evals/evals.json {\"evals\":[\"p\",null,5,{\"prompt\":\"b\",\"expectations\":[{\"foo\":1},null]}]}
init pdf -o next --dry-run
init pdf -o next
init pdf -o next --configurations ../x
init pdf -o next --configurations a,A
init pdf -o next --configurations run-1
init pdf -o next --configurations con
init pdf -o next --runs 0
init pdf -o next --evals pdf/evals
> pdf/evals/evals.json {\"evals\":[{\"id\":1,\"prompt\":\"a\"},{\"id\":1,\"prompt\":\"b\"}]}
init pdf -o next
> pdf/evals/evals.json {\"evals\":[]}
init pdf -o next
benchmark ws
serve nowhere
serve ws --port x
> odd/evals/grading.json {\"fixtures\":{\"plan\":{\"expected_verdict\":\"APPROVE\"}}}
check odd
> odd/evals/grading.json [{\"run\":\"A/with_skill\",\"has_unverified\":true}]
check odd
";

/// What is said of wrong arguments and of what cannot be read or written.
fn failures(lines: &mut Lines) {
    let place = command_line::home();
    let small = graded("iteration-1/a/with_skill +-\n iteration-1/a/without_skill --");
    support::copy(&small.path(), &place.elsewhere().join("ws"));
    let here = place.elsewhere().to_string_lossy().into_owned() + "/";
    let mistakes = command_line::MISTAKES.iter().map(|(line, _, _)| *line);
    for line in mistakes.chain(FAILURES.lines().filter(|line| !line.is_empty())) {
        let parts: Vec<&str> = line.splitn(4, ' ').collect();
        let file = place.elsewhere().join(parts.get(1).unwrap_or(&""));
        match parts[0] {
            ">" => {
                std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                std::fs::write(file, parts[2]).expect("a file");
            }
            "-" => std::fs::remove_file(file).expect("a file"),
            "~" => {
                let text = std::fs::read_to_string(&file).expect("a file");
                std::fs::write(file, text.replacen(parts[2], parts[3], 1)).expect("a file");
            }
            _ => {
                let mut ran = place.run(line.split(' ').filter(|word| !word.is_empty()));
                ran.stderr = ran.stderr.replace(&here, "…/");
                lines.ran(&format!("evalbook {line}"), &ran, &Data::default());
            }
        }
    }
}

/// What scripts write into a page.
fn scripts(language: &str, lines: &mut Lines) {
    let path = support::project().join(format!("templates/language/{language}.json"));
    let table = std::fs::read_to_string(path).expect("a table");
    let table: Value = serde_json::from_str(&table).expect("a table in JSON");
    for section in ["script", "serve"] {
        let texts = table[section].as_object().expect("a section").values();
        let texts = texts.filter_map(Value::as_str);
        lines.add(&format!("words of scripts: {section}"), texts, &Data::default());
    }
}
