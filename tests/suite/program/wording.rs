//! What a reader sees, in one snapshot per language: a sentence is changed here and nowhere else.
//!
//! Each place is a workspace made to bring certain sentences out. A line is shown where it first
//! appears; lines that differ in numbers only, and lines of the workspace's own files, are left out.

use std::collections::{BTreeMap, BTreeSet};

use super::command_line;
use crate::support;
use crate::support::{CommandOutput, Workspace, html, name_of, read_text};
use regex_lite::Regex;
use serde_json::Value;
use testing::table::blocks;

/// A workspace with its name and the commands it is made for.
pub(super) struct Place {
    name: &'static str,
    workspace: Workspace,
    /// Commands besides a build; words are separated by blanks.
    commands: Vec<&'static str>,
}

/// What every workspace is shown by, and what some are shown by besides.
const BUILD: &str = "build ../workspace -o report";

const CHECK: &str = "check ../workspace";

/// A comparison of two iterations, and every rule that compares; places name them by their first words.
const COMPARE: &str = "compare ../workspace/iteration-1 ../workspace/iteration-2";

const RULES: &str = "--fail-on worse,loss";

/// The comment on a pull request.
const COMMENT: &str = "build ../workspace --format markdown --for pull-request";

/// Pages of a report whose texts are shown; of runs, cases and iterations the first.
const PAGES: &str = "index.html history.html triggers.html expectations.html comparisons.html feedback.html problems.html \
    recorded.html report.md badge.json";

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

    fn ran(&mut self, title: &str, ran: &CommandOutput, data: &Data) {
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
    pub(super) fn new(name: &'static str, workspace: Workspace) -> Self {
        Self { name, workspace, commands: Vec::new() }
    }

    pub(super) fn with(mut self, command: &'static str) -> Self {
        self.commands.push(command);
        self
    }

    fn tell(&self, language: &str, lines: &mut Lines) {
        let data = Data::of(&self.workspace.path());
        for command in [BUILD].iter().chain(&self.commands) {
            let command = spelled_out(command);
            let speaks = ["build", "check", "compare", "brief", "benchmark"];
            let has_language = speaks.iter().any(|name| command.starts_with(name));
            let flags = if has_language { vec!["--lang", language] } else { Vec::new() };
            let ran = self.workspace.run(command.split(' ').chain(flags));
            lines.ran(&format!("{}: {command}", self.name), &ran, &data);
        }
        self.tell_pages(lines, &data);
    }

    fn tell_pages(&self, lines: &mut Lines, data: &Data) {
        let written = support::tree(&self.workspace.elsewhere());
        let first = |of: &str| written.keys().find(|path| kind(path) == of).cloned();
        let pages = PAGES.split(' ').map(|name| format!("report/{name}"));
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
        _ if command == "compare" => COMPARE.to_owned(),
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

fn places() -> Vec<Place> {
    let mut places: Vec<Place> = support::examples().iter().map(|path| example(path)).collect();
    for (name, lines) in blocks(include_str!("places/little.txt")) {
        places.push(Place::new(name, Workspace::new().lines(&lines)).with(COMMENT));
    }
    for (name, lines) in blocks(include_str!("places/gates.txt")) {
        let commands = lines.iter().filter_map(|line| line.strip_prefix("$ "));
        let place = Place::new(name, Workspace::new().lines(&lines));
        places.push(commands.fold(place, Place::with));
    }
    for (name, lines) in blocks(include_str!("places/beside.txt")) {
        let place = Place::new(name, Workspace::new().lines(&lines));
        places.push(place.with(CHECK).with(COMMENT).with("brief ../workspace"));
    }
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

/// What is said of wrong arguments and of what cannot be read or written.
fn failures(lines: &mut Lines) {
    let place = command_line::home();
    let small =
        Workspace::new().runs("iteration-1/a/with_skill +-\n iteration-1/a/without_skill --");
    support::copy(&small.path(), &place.elsewhere().join("ws"));
    let here = place.elsewhere().to_string_lossy().into_owned() + "/";
    let mistakes = command_line::MISTAKES.iter().map(|(line, _, _)| *line);
    for line in mistakes.chain(include_str!("places/failures.txt").lines()) {
        let parts: Vec<&str> = line.splitn(4, ' ').collect();
        let file = place.elsewhere().join(parts.get(1).unwrap_or(&""));
        match parts[0] {
            ">" => {
                std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                std::fs::write(file, parts[2]).expect("a file");
            }
            "-" => std::fs::remove_file(file).expect("a file"),
            "~" => {
                let text = read_text(&file);
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
    let table = read_text(path);
    let table: Value = serde_json::from_str(&table).expect("a table in JSON");
    for section in ["script", "serve"] {
        let texts = table[section].as_object().expect("a section").values();
        let texts = texts.filter_map(Value::as_str);
        lines.add(&format!("words of scripts: {section}"), texts, &Data::default());
    }
}
