//! What reports of small workspaces say, and what stands in their data.
//!
//! A block of a table is a rule, then a workspace as in [`Workspace::lines`], then what holds for its
//! report:
//! - `@ PLACE`: the lines below it are about a file of the report, or what `build`, `check`, `brief` or the
//!   `comment` on a pull request prints; `@ PLACE start … end` is a part of it
//! - `says KEY name=value | …` and `not KEY …`: the text at this key of the language table is there or not
//! - `has TEXT` and `lacks TEXT`; `times N TEXT` in the markup; `attr NAME a, b`: all values of an attribute
//! - `= /pointer JSON`, `< /pointer N` and `> /pointer N`: a value in `report.json`, below the workspace
//! - `unsettled`: no verdict of the newest iteration is settled, and no number is none
//!
//! In values and texts, `{3 case}` is a count, and `{KEY}` and `{KEY: name=value; …}` are texts of the table.

use std::path::PathBuf;

use crate::support::{Workspace, html, read_json, read_text, site, words};
use regex_lite::Regex;
use serde_json::Value;
use testing::table::{blocks, unescaped};

const COMMENT: [&str; 6] =
    ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];

/// The report of one block.
struct Built {
    workspace: Workspace,
    folder: PathBuf,
    printed: String,
    data: Value,
}

impl Built {
    fn new(lines: &[&str]) -> Self {
        let is_of_workspace = |line: &&&str| {
            line.starts_with("+ ") || line.split(' ').next().is_some_and(|path| path.contains('/'))
        };
        let lines: Vec<&str> = lines.iter().filter(is_of_workspace).copied().collect();
        let workspace = Workspace::new().lines(&lines);
        let ran = workspace.run(["build", "../workspace", "-o", "report"]).assert_code(0);
        let folder = workspace.elsewhere().join("report");
        site::assert_sound(&folder);
        let data = read_json(folder.join("report.json"))["workspaces"][0].take();
        Self { workspace, folder, printed: ran.stderr, data }
    }

    /// The text at a place, its white space folded: with its markup, then as it is read.
    fn text(&self, place: &str) -> String {
        let text = match place {
            "build" => self.printed.clone(),
            "check" => self.workspace.run(["check", "../workspace"]).stdout,
            "brief" => self.workspace.run(["brief", "../workspace"]).stdout,
            "comment" => self.workspace.run(COMMENT).stdout,
            path => read_text(self.folder.join(path)),
        };
        let accessible =
            if place.ends_with(".html") { html::accessible_texts(&text) } else { Vec::new() };
        folded(&text) + "\n" + &folded(&accessible.join("\u{1}")).replace('\u{1}', "\n")
    }

    /// Whether what a line says holds; `None` for a line of the workspace.
    fn holds(&self, line: &str, text: &str) -> Option<bool> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let number = || self.data.pointer(first).and_then(Value::as_f64);
        let limit = || more.parse::<f64>().ok();
        Some(match word {
            "says" => pattern(first, more).is_match(text),
            "not" => !pattern(first, more).is_match(text),
            "has" => text.contains(&filled(rest)),
            "lacks" => !text.contains(&filled(rest)),
            "times" => {
                text.lines().next().unwrap_or_default().matches(&filled(more)).count().to_string()
                    == first
            }
            "attr" => {
                let tags = html::tags(text.lines().next().unwrap_or_default());
                let values: Vec<&str> = tags.iter().filter_map(|tag| tag.get(first)).collect();
                values.join(", ") == more
            }
            "=" => {
                let expected: Value = serde_json::from_str(more).expect(more);
                self.data.pointer(first).unwrap_or(&Value::Null) == &expected
            }
            "<" => number().is_some() && number() < limit(),
            ">" => number().is_some() && number() > limit(),
            "unsettled" => {
                let newest = self.data["iterations"].as_array().and_then(|all| all.last());
                let changes = newest.and_then(|iteration| iteration["changes"].as_array());
                let is_settled =
                    |change: &Value| change["verdict"] == "better" || change["verdict"] == "worse";
                let is_odd = text.contains("NaN") || text.contains("inf ");
                !is_odd && !changes.is_some_and(|changes| changes.iter().any(is_settled))
            }
            _ => return None,
        })
    }
}

/// One line, with plain blanks.
fn folded(text: &str) -> String {
    let text = text.replace(['\u{a0}', '\u{202f}'], " ");
    text.split([' ', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text with the texts that it names, the innermost first.
fn filled(text: &str) -> String {
    let mut filled = text.to_owned();
    while let Some(end) = filled.find('}') {
        let start = filled[..end].rfind('{').expect("a beginning");
        let named = &filled[start + 1..end];
        let (key, values) = named.split_once(": ").unwrap_or((named, ""));
        let counted = key.split_once(' ').and_then(|(n, thing)| Some((n.parse().ok()?, thing)));
        let found = match counted {
            Some((number, thing)) => words::count(number, thing),
            None => words::text(key, &values_in(values, "; ")),
        };
        filled.replace_range(start..=end, &found);
    }
    plain(&filled)
}

/// The text with plain blanks, and its ends as they are.
fn plain(text: &str) -> String {
    unescaped(text).replace(['\u{a0}', '\u{202f}'], " ")
}

fn values_in<'v>(values: &'v str, between: &str) -> Vec<(&'v str, &'v str)> {
    values.split(between).filter_map(|value| value.split_once('=')).collect()
}

/// The text at a key, with anything in its other places.
fn pattern(key: &str, values: &str) -> Regex {
    let values: Vec<(&str, String)> =
        values_in(values, " | ").into_iter().map(|(name, value)| (name, filled(value))).collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, &**value)).collect();
    let pieces = words::pieces(key, &values);
    let pieces = pieces.iter().map(|piece| regex_lite::escape(&plain(piece)));
    Regex::new(&pieces.collect::<Vec<_>>().join(".+?")).expect("a pattern")
}

/// What is between `start … end` in a text with markup; the whole text where no part is named.
fn part_of(text: &str, part: &str) -> String {
    let Some((start, end)) = part.split_once(" … ") else { return text.to_owned() };
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}"));
    rest.split_once(end).map_or(rest, |(found, _)| found).to_owned()
}

fn check(table: &'static str) {
    let mut wrong = String::new();
    for (rule, lines) in blocks(table) {
        let built = Built::new(&lines);
        let (mut place, mut text) = ("build", built.text("build"));
        for line in lines {
            if let Some(other) = line.strip_prefix("@ ") {
                let (path, part) = other.split_once(' ').unwrap_or((other, ""));
                (place, text) = (other, part_of(&built.text(path), &filled(part)));
            }
            if built.holds(line, &text) == Some(false) {
                let pointer = line.split(' ').nth(1).unwrap_or_default();
                let found = built.data.pointer(pointer).map(Value::to_string);
                wrong += &format!(
                    "{rule}\n  {line}\n  {place}: {}\n\n",
                    found.as_ref().unwrap_or(&text)
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_first_sentence_names_the_comparison_that_leads_and_hides_nothing_bad() {
    check(include_str!("places/verdicts.txt"));
}

#[test]
fn too_little_evidence_is_a_dash_or_a_reason_and_never_sounds_sure() {
    check(include_str!("places/poor_evidence.txt"));
}

#[test]
fn histories_repeated_runs_and_graders_are_told_as_a_whole() {
    check(include_str!("places/history.txt"));
}

#[test]
fn pages_show_what_the_files_hold() {
    check(include_str!("places/pages.txt"));
}

#[test]
fn loaded_skills_quotations_and_edits_are_told_wherever_they_matter() {
    check(include_str!("places/evidence.txt"));
}
