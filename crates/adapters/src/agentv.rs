//! agentv 4: `index.jsonl` in the folder of a run, a line per test. It alone has every target: of
//! the files that it points to, the last target's remain.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial, seconds};
use crate::values;
use crate::values::{at, count, flag, label, list, number, text};
use input::names;

pub(super) const TOOL: Tool =
    Tool { name: "agentv", marks: &["\"test_id\"", "\"execution_status\"", "\"target\""], read };

// A matrix run overwrites the files of its first target; only `index.jsonl` has both.
fn read(file: &ResultFile<'_>) -> Option<Results> {
    let rows = file.value.as_array()?;
    let folder = file.folder();
    let mut trials = Vec::new();
    let mut shown_folders: Vec<String> = Vec::new();
    let retried = retried(rows);
    for (index, row) in rows.iter().enumerate().filter(|(index, _)| !retried.contains(index)) {
        let mut trial = trial(row)?;
        trial.place = values::row(index);
        if let Some(artifacts) = text(row, "artifact_dir") {
            let artifacts = names::join(folder, &artifacts);
            if !shown_folders.contains(&artifacts) && trial.error.is_none() {
                trial.shown = file.files.shown_below(&artifacts, is_read);
            }
            shown_folders.push(artifacts);
        }
        trials.push(trial);
    }
    // Targets of one experiment are its sides.
    let first = trials.first()?;
    let is_one = trials.iter().all(|trial| trial.side == first.side);
    let has_targets = trials.iter().any(|trial| trial.variant != first.variant);
    if is_one && has_targets {
        for trial in &mut trials {
            if let Some(target) = trial.variant.take() {
                trial.side = target;
            }
        }
    }
    Some(Results {
        round: Round { folder: Some(names::folder(folder).to_owned()), ..Round::default() },
        trials,
        consumed: vec![folder.to_owned()],
        ..Results::default()
    })
}

/// The rows that a later retry of the same sample replaces: a retry is no further run.
fn retried(rows: &[Value]) -> BTreeSet<usize> {
    const SAMPLE: [&str; 7] =
        ["suite", "eval_path", "test_id", "experiment", "variant", "target", "sample_index"];
    let mut latest: BTreeMap<[Option<String>; 7], (u32, usize)> = BTreeMap::new();
    let mut retried = BTreeSet::new();
    for (index, row) in rows.iter().enumerate() {
        let Some(retry) = count(row, "retry_index") else { continue };
        let sample = SAMPLE.map(|key| label(row, key));
        match latest.get(&sample).copied() {
            Some((known, _)) if known >= retry => _ = retried.insert(index),
            before => {
                retried.extend(before.map(|(_, index)| index));
                latest.insert(sample, (retry, index));
            }
        }
    }
    retried
}

fn is_read(name: &str) -> bool {
    matches!(name, "grading.json" | "timing.json" | "input.md") || name.starts_with("task/")
}

fn trial(row: &Value) -> Option<Trial> {
    let target = label(row, "target");
    let side = label(row, "experiment").or_else(|| target.clone());
    // Without an experiment of its own, a target is the side; else it is a model or agent.
    let variant = target.filter(|target| Some(target) != side.as_ref());
    let is_broken = label(row, "execution_status")? == "execution_error";
    let error = text(row, "error").unwrap_or_else(|| "the test was not carried out".to_owned());
    Some(Trial {
        case: label(row, "test_id")?,
        side: side.unwrap_or_else(|| "default".to_owned()),
        variant,
        checks: list(row, "scores").iter().flat_map(checks).collect(),
        error: if is_broken { Some(error) } else { None },
        figures: Figures {
            seconds: seconds(row, "duration_ms"),
            cost_usd: number(row, "cost_usd"),
            ..Figures::of_tokens(
                number(row, "token_usage.input"),
                number(row, "token_usage.output"),
            )
        },
        ..Trial::default()
    })
}

/// The words of a check change with its verdict, so it is known by its grader.
fn checks(score: &Value) -> Vec<Check> {
    let Some(name) = label(score, "name") else { return Vec::new() };
    let assertions = list(score, "assertions");
    let mut checks = Vec::new();
    for (index, assertion) in assertions.iter().enumerate() {
        let text =
            if assertions.len() == 1 { name.clone() } else { format!("{name} {}", index + 1) };
        checks.push(Check::new(text, flag(assertion, "passed"), label(assertion, "text")));
    }
    if checks.is_empty() {
        // A grader of a score alone says with a word what it found.
        let verdict = at(score, "verdict").and_then(Value::as_str);
        let passed = match verdict {
            Some("pass") => Some(true),
            Some("fail") => Some(false),
            _ => None,
        };
        checks.push(Check::new(name, passed, text(score, "reasoning")));
    }
    checks
}
