//! agent-skills-eval 0.1: `meta.json` in the folder of an iteration, and below it
//! `eval-<id>/<mode>/` with `grading.json`, `timing.json` and `outputs/`.

use serde_json::Value;

use crate::files::Files;
use crate::tool::{ResultFile, Tool};
use crate::trial::{Results, Round, Trial};
use crate::values::{label, list, number, text};
use input::names;

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
        round: Round::in_folder(folder, text(meta, "generated_at")),
        consumed: vec![file.path.to_owned()],
        ..Results::default()
    };
    for path in file.files.below(folder) {
        let run = names::folder(path);
        if names::file_name(path) == "grading.json" && modes.contains(&names::file_name(run)) {
            results.trials.push(trial(file.files, run));
            results.consumed.push(run.to_owned());
        }
    }
    Some(results)
}

fn trial(files: &Files<'_>, run: &str) -> Trial {
    let case = names::file_name(names::folder(run));
    let prompts = files.json(&format!("{run}/prompts.json")).unwrap_or_default();
    let answer = files.text(&format!("{run}/outputs/output.txt")).unwrap_or_default();
    // `response.txt` repeats `output.txt`.
    let (trial, timing) =
        Trial::from_agentskills(files, run, |name| name == "outputs/response.txt");
    Trial {
        case: case.strip_prefix("eval-").unwrap_or(case).to_owned(),
        prompt: text(&prompts, "user"),
        side: names::file_name(run).to_owned(),
        error: error(&answer, &timing),
        ..trial
    }
}

/// An error of the model's service becomes the answer, without any tokens, and is judged.
fn error(answer: &str, timing: &Value) -> Option<String> {
    let message = answer.trim().strip_prefix("ERROR: ")?;
    if number(timing, "total_tokens").is_some_and(|tokens| tokens > 0.0) {
        return None;
    }
    Some(message.chars().take(300).collect())
}
