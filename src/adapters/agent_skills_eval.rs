//! agent-skills-eval 0.1: `meta.json` in the folder of an iteration, and below it
//! `eval-<id>/<mode>/` with `grading.json`, `timing.json` and `outputs/`.

use serde_json::Value;

use crate::adapters::files::Files;
use crate::adapters::trial::{Check, Figures, Results, Round, Trial};
use crate::adapters::values::{flag, label, list, number, text};
use crate::adapters::{ResultFile, Tool};
use crate::discover::names;

pub(super) const TOOL: Tool = Tool {
    name: "agent-skills-eval",
    marks: &["\"target\"", "\"judge\"", "\"modes\"", "\"generated_at\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (meta, folder) = (&file.value, file.folder());
    let modes: Vec<&str> = list(meta, "modes").iter().filter_map(Value::as_str).collect();
    let mut results = Results {
        skill: label(meta, "name"),
        round: Round {
            folder: Some(names::folder(folder).to_owned()),
            name: names::file_name(folder).to_owned(),
            time: text(meta, "generated_at").unwrap_or_default(),
        },
        consumed: vec![file.path.to_owned()],
        ..Results::default()
    };
    for path in file.files.below(folder) {
        let run = names::folder(path);
        let mode = names::file_name(run);
        if names::file_name(path) == "grading.json" && modes.contains(&mode) {
            results.trials.push(trial(file.files, path, run));
            results.consumed.push(run.to_owned());
        }
    }
    if results.trials.is_empty() { None } else { Some(results) }
}

fn trial(files: &Files<'_>, grading: &str, run: &str) -> Trial {
    let case = names::file_name(names::folder(run));
    let grading = files.json(grading).unwrap_or_default();
    let timing = files.json(&format!("{run}/timing.json")).unwrap_or_default();
    let prompts = files.json(&format!("{run}/prompts.json")).unwrap_or_default();
    let answer = files.text(&format!("{run}/outputs/output.txt")).unwrap_or_default();
    Trial {
        case: case.strip_prefix("eval-").unwrap_or(case).to_owned(),
        prompt: text(&prompts, "user"),
        side: names::file_name(run).to_owned(),
        checks: list(&grading, "assertion_results").iter().filter_map(check).collect(),
        error: error(&answer, &timing),
        figures: Figures {
            seconds: number(&timing, "duration_ms").map(|ms| ms / 1000.0),
            tokens: number(&timing, "total_tokens"),
            ..Figures::default()
        },
        shown: files.shown_below(run, is_read),
        ..Trial::default()
    }
}

/// `response.txt` repeats `output.txt`.
fn is_read(name: &str) -> bool {
    matches!(name, "grading.json" | "timing.json" | "outputs/response.txt")
}

fn check(item: &Value) -> Option<Check> {
    Some(Check {
        text: text(item, "text")?,
        passed: flag(item, "passed"),
        evidence: text(item, "evidence"),
        ..Check::default()
    })
}

/// An error of the model's service becomes the answer, without any tokens, and is judged.
fn error(answer: &str, timing: &Value) -> Option<String> {
    let message = answer.trim().strip_prefix("ERROR: ")?;
    if number(timing, "total_tokens").is_some_and(|tokens| tokens > 0.0) {
        return None;
    }
    Some(message.chars().take(300).collect())
}
