//! Small documents of every kind and dialect, read without a disk.

mod attacks;
mod cases;
mod comparisons;
mod grading;
mod plans;
mod recorded;
mod triggers;
mod verdicts;

use crate::discover::{Document, FileLevels, Kind};
use crate::files::Memory;
use crate::model::{Code, Problem};
use crate::read::{GradingRecord, Record, records};
use serde::Serialize;
use serde_json::Value;

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

/// The only grading of a document without problems.
fn grading(text: &str) -> GradingRecord {
    let mut record = read(Kind::Grading, text);
    assert_eq!(codes(&record.problems), "", "{text}");
    assert_eq!(record.gradings.len(), 1, "{text}");
    record.gradings.remove(0)
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

/// Checks that `actual`, written as JSON, has everything in `expected`; it may have more fields.
fn assert_has(actual: &impl Serialize, expected: &Value) {
    let actual = serde_json::to_value(actual).expect("a value");
    assert!(has(&actual, expected), "{actual:#}\nshould have\n{expected:#}");
}

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
