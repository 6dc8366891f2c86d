//! agent-eval of Vercel: `results/<experiment>/<time>/<eval>/{summary.json,run-N/result.json}`. The side
//! is in the name of the experiment, and the experiments of one sweep start some seconds apart.

use serde_json::Value;

use crate::files::Files;
use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial};
use crate::values::{flag, label, number, side_by_word, text};
use input::names;

pub(super) const TOOL: Tool = Tool {
    name: "Vercel agent-eval",
    marks: &["\"totalRuns\"", "\"passedRuns\"", "\"passRate\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (summary, folder) = (&file.value, file.folder());
    let time = names::folder(folder);
    let experiment = names::folder(time);
    let class = file.files.json(&format!("{folder}/classification.json")).unwrap_or_default();
    let is_valid = flag(summary, "valid") != Some(false);
    // A sandbox that could not be made says nothing on the skill.
    let is_infra = label(&class, "failureType").as_deref() == Some("infra");
    let reason = text(&class, "failureReason");
    let mut trials = Vec::new();
    for path in file.files.below(folder) {
        let inside = names::below(path, folder).unwrap_or(path);
        let Some((run, "result.json")) = inside.split_once('/') else { continue };
        let Some(number) = names::run_number(run) else { continue };
        let mut trial = trial(file.files, &format!("{folder}/{run}"))?;
        let has_failed = trial.checks.iter().any(|check| check.passed != Some(true));
        if !is_valid || is_infra && has_failed {
            let reason = reason.clone().unwrap_or_else(|| "the tool calls it invalid".to_owned());
            trial.error = Some(format!("error: infrastructure: {reason}"));
        }
        trial.case = names::file_name(folder).to_owned();
        trial.side = side(names::file_name(experiment));
        trial.number = Some(number);
        trials.push(trial);
    }
    let name = names::file_name(time).to_owned();
    let round = Round {
        folder: Some(names::folder(experiment).to_owned()),
        time: name.clone(),
        name,
        ..Round::default()
    };
    Some(Results { round, trials, consumed: vec![folder.to_owned()], ..Results::default() })
}

fn trial(files: &Files<'_>, run: &str) -> Option<Trial> {
    let result = files.json(&format!("{run}/result.json"))?;
    let status = label(&result, "status")?;
    let passed = match status.as_str() {
        "passed" => Some(true),
        "failed" => Some(false),
        _ => None,
    };
    let why = text(&result, "error");
    let lost = match passed {
        Some(_) => None,
        None => Some(format!("error: {}", why.clone().unwrap_or(status))),
    };
    Some(Trial {
        variant: model(&result),
        checks: vec![Check::new("the eval passes".to_owned(), passed, why)],
        error: lost,
        figures: Figures {
            seconds: number(&result, "duration"),
            model: model(&result),
            ..Figures::default()
        },
        shown: files.shown_below(run, |name| name == "result.json"),
        ..Trial::default()
    })
}

fn model(result: &Value) -> Option<String> {
    label(result, "model")
}

/// The side that ends the name of an experiment, after its model: `gpt-5--baseline`.
fn side(experiment: &str) -> String {
    let name = experiment.rsplit_once("--").map_or(experiment, |(_, side)| side);
    side_by_word(name).unwrap_or(name).to_owned()
}
