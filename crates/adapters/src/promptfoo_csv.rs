//! promptfoo as CSV, where nothing else was kept: a column per side, with status and score after
//! it. It has one verdict a run; the checks and why a run broke are in the JSON only. `promptfoo.rs`
//! takes a CSV beside its JSON.

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Results, Round, Trial};
use crate::values;

pub(super) const TOOL: Tool =
    Tool { name: "promptfoo (CSV)", marks: &["Status,Score,Named Scores", "Grader Reason"], read };

fn read(file: &ResultFile<'_>) -> Option<Results> {
    if !file.path.ends_with(".csv") {
        return None;
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file.text.as_bytes());
    let headers = reader.headers().ok()?.clone();
    let mut sides: Vec<(usize, String)> = Vec::new();
    for (status, _) in headers.iter().enumerate().filter(|(_, name)| *name == "Status") {
        let answer = status.checked_sub(1)?;
        sides.push((answer, side(headers.get(answer)?)));
    }
    let first = sides.first()?.0;
    let mut trials = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let record = record.ok()?;
        let named = headers.iter().zip(&record).take(first);
        let description =
            named.clone().find(|(name, value)| *name == "Description" && !value.is_empty());
        let variables: Vec<&str> = named.map(|(_, value)| value).collect();
        let case = description.map_or_else(|| variables.join(", "), |(_, value)| value.to_owned());
        for (answer, side) in &sides {
            let reason = reason(&headers, &record, *answer);
            if let Some(mut trial) = trial(&case, side, &record, *answer, reason) {
                trial.place = values::row(index);
                trials.push(trial);
            }
        }
    }
    let round = Round { name: file.path.to_owned(), ..Round::default() };
    Some(Results { round, trials, ..Results::default() })
}

/// `with_skill` of the header `[with_skill] prompt`.
fn side(header: &str) -> String {
    let label = header.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match label {
        Some((label, _)) if !label.is_empty() => label.to_owned(),
        _ => header.to_owned(),
    }
}

fn reason(
    headers: &csv::StringRecord,
    record: &csv::StringRecord,
    answer: usize,
) -> Option<String> {
    let mut after = headers.iter().enumerate().skip(answer);
    let (at, _) = after.find(|(_, name)| *name == "Grader Reason")?;
    record.get(at).filter(|reason| !reason.is_empty()).map(str::to_owned)
}

fn trial(
    case: &str,
    side: &str,
    record: &csv::StringRecord,
    answer: usize,
    reason: Option<String>,
) -> Option<Trial> {
    let status = record.get(answer + 1)?;
    let passed = match status {
        "PASS" => Some(true),
        "FAIL" => Some(false),
        _ => None,
    };
    let text = "all assertions pass".to_owned();
    let broken = "the run ended in an error, which the CSV does not describe".to_owned();
    Some(Trial {
        case: case.to_owned(),
        side: side.to_owned(),
        checks: vec![Check::new(text, passed, reason)],
        error: if status == "ERROR" { Some(broken) } else { None },
        answer: record.get(answer).filter(|text| !text.is_empty()).map(str::to_owned),
        ..Trial::default()
    })
}
