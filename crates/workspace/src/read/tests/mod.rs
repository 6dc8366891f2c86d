//! Small documents of every kind and dialect, read without a disk.

mod attacks;
mod recorded;
mod shown;
mod triggers;
mod verdicts;

use crate::read::{Record, records};
use input::discover::{Document, FileLevels, Kind};
use input::files::Memory;
use input::model::{Code, Problem};
use serde_json::{Value, json};
use testing::table::blocks;

/// Reads one document in a run's folder.
fn read(kind: Kind, text: &str) -> Record {
    let place = FileLevels {
        case: Some("a".to_owned()),
        configuration: Some("with_skill".to_owned()),
        run: Some(1),
        ..FileLevels::default()
    };
    read_at(kind, place, text)
}

/// Reads one document that is in no run's folder.
fn outside_runs(kind: Kind, text: &str) -> Record {
    read_at(kind, FileLevels::default(), text)
}

/// Reads one document at `place`.
fn read_at(kind: Kind, place: FileLevels, text: &str) -> Record {
    let path = "document.json".to_owned();
    let source = Memory::new([(path.clone(), text)]);
    let documents = [Document { path, kind, place, bytes: text.len() as u64 }];
    records(&documents, &source, "").remove(0)
}

/// Outcomes of the first grading as letters: passed, failed, ungraded.
fn outcomes(record: &Record) -> String {
    let expectations = record.gradings.iter().flat_map(|found| &found.grading.expectations);
    expectations.map(|e| &e.outcome.word()[..1]).collect()
}

/// The codes of problems in the order found, separated by spaces.
fn codes(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.code.word()).collect::<Vec<_>>().join(" ")
}

/// `line:column` of the first problem with `code`.
fn place(problems: &[Problem], code: Code) -> String {
    let found = problems.iter().find(|problem| problem.code == code);
    let place = found.unwrap_or_else(|| panic!("no {} in {problems:?}", code.word())).place;
    place.map(|place| format!("{}:{}", place.line, place.column)).unwrap_or_default()
}

/// The kinds of documents by the word before them, and whether they are in the folder of a run.
const KINDS: [(&str, Kind, bool); 15] = [
    ("Grading", Kind::Grading, true),
    ("Gradings", Kind::Grading, false),
    ("Timing", Kind::Timing, true),
    ("Metrics", Kind::Metrics, true),
    ("Metadata", Kind::CaseMetadata, true),
    ("Notes", Kind::UserNotes, true),
    ("Prompt", Kind::Prompt, true),
    ("Evals", Kind::Evals, false),
    ("Benchmark", Kind::Benchmark, false),
    ("Feedback", Kind::Feedback, false),
    ("Comparison", Kind::Comparison, false),
    ("Analysis", Kind::Analysis, false),
    ("History", Kind::History, false),
    ("Triggers", Kind::Triggers, false),
    ("Gates", Kind::Gates, false),
];

/// Each block has a rule, then documents that are read alike: `= ` what is read of them ([`shown`], which
/// may have more fields), `! ` the codes of their problems, and `@ ` the place of the first. A line that
/// begins with blanks goes on with the line before it.
#[test]
fn documents_are_read_as_they_are_meant() {
    let mut different = String::new();
    for (rule, lines) in blocks(include_str!("documents.txt")) {
        let mut documents = Vec::new();
        let (mut expected, mut problems, mut at) = (json!({}), String::new(), String::new());
        for line in joined(&lines) {
            let (first, rest) = line.split_once(' ').expect("two parts");
            match first {
                "=" => expected = serde_json::from_str(rest).expect(rest),
                "!" => problems = rest.to_owned(),
                "@" => at = rest.to_owned(),
                kind => {
                    documents.push((kind.to_owned(), rest.replace('⏎', "\n").replace('␣', " ")))
                }
            }
        }
        for (kind, text) in documents {
            let (_, kind, is_of_run) =
                KINDS.into_iter().find(|(name, ..)| *name == kind).expect(&kind);
            let record = if is_of_run { read(kind, &text) } else { outside_runs(kind, &text) };
            let (actual, found) = (shown::shown(&record), codes(&record.problems));
            if !has(&actual, &expected) || problems != "*" && found != problems {
                different += &format!("{rule}: {text}\n  {found}\n  {actual}\n");
            }
            if !at.is_empty() {
                assert_eq!(place(&record.problems, record.problems[0].code), at, "{rule}: {text}");
            }
        }
    }
    assert!(different.is_empty(), "{different}");
}

/// The lines with those that go on.
fn joined(lines: &[&str]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        match joined.last_mut() {
            Some(last) if line.starts_with(' ') => *last += line,
            _ => joined.push((*line).to_owned()),
        }
    }
    joined
}

/// Whether `actual` has everything in `expected`; it may have more fields.
fn has(actual: &Value, expected: &Value) -> bool {
    match (actual, expected) {
        (_, Value::Object(fields)) => fields.iter().all(|(key, value)| has(&actual[key], value)),
        (Value::Array(items), Value::Array(wanted)) => {
            items.len() == wanted.len()
                && items.iter().zip(wanted).all(|(item, one)| has(item, one))
        }
        _ => actual == expected,
    }
}
