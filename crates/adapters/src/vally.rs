//! Vally of Microsoft, as documented for 0.5 to 0.16: `results.jsonl`, a line per trial. Lines of
//! other types are left out by their name.

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial, seconds};
use crate::values;
use crate::values::{at, flag, label, list, number, text};
use input::names;

pub(super) const TOOL: Tool =
    Tool { name: "Vally", marks: &["\"trial-result\"", "\"gradeResult\"", "\"stimulus\""], read };

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let folder = file.folder();
    let mut trials = Vec::new();
    for (index, line) in file.value.as_array()?.iter().enumerate() {
        if text(line, "type").as_deref() == Some("trial-result") {
            let mut trial = trial(line)?;
            trial.place = values::row(index);
            if trial.side.is_empty() {
                // An experiment has a folder per variant.
                names::file_name(folder).clone_into(&mut trial.side);
            }
            trials.push(trial);
        }
    }
    // `<time>/results.jsonl`, or `<time>/<variant>/results.jsonl`.
    let mut round = folder;
    if !names::is_timestamp(names::file_name(round)) && !round.is_empty() {
        round = names::folder(round);
    }
    Some(Results {
        round: Round::in_folder(round, Some(names::file_name(round).to_owned())),
        trials,
        ..Results::default()
    })
}

fn trial(line: &Value) -> Option<Trial> {
    let stimulus = label(line, "stimulus").or_else(|| label(line, "trajectory.stimulus.name"))?;
    // Stimuli of several evaluations may have one name.
    let case = match label(line, "evalName") {
        Some(eval) => format!("{eval}: {stimulus}"),
        None => stimulus,
    };
    let passed = flag(line, "gradeResult.passed");
    let mut checks: Vec<Check> =
        list(line, "gradeResult.details").iter().filter_map(check).collect();
    if checks.is_empty() && passed.is_some() {
        let evidence = number(line, "gradeResult.score").map(|score| format!("score {score}"));
        checks.push(Check::new("grade".to_owned(), passed, evidence));
    }
    let mut remarks = Vec::new();
    if text(line, "trajectory.endReason").as_deref() == Some("agent_timeout") {
        remarks.push("the agent ran out of time; its checks count as judged".to_owned());
    }
    let activations = "trajectory.metrics.skillActivationCount";
    Some(Trial {
        case,
        side: label(line, "variant").unwrap_or_default(),
        variant: label(line, "model"),
        checks,
        overall: passed,
        error: error(line),
        remarks,
        figures: Figures {
            seconds: seconds(line, "durationMs")
                .or_else(|| seconds(line, "trajectory.metrics.wallTimeMs")),
            tokens: number(line, "trajectory.metrics.tokenUsage.totalTokens"),
            input_tokens: number(line, "trajectory.metrics.tokenUsage.inputTokens"),
            output_tokens: number(line, "trajectory.metrics.tokenUsage.outputTokens"),
            tool_calls: number(line, "trajectory.metrics.toolCallCount"),
            model: label(line, "model"),
            ..Figures::default()
        },
        loaded: number(line, activations).map(|activations| activations > 0.0),
        answer: text(line, "trajectory.output"),
        ..Trial::default()
    })
}

/// A trial without a grade was not measured.
fn error(line: &Value) -> Option<String> {
    let status = text(line, "status").unwrap_or_default();
    if at(line, "gradeResult").is_some() || matches!(status.as_str(), "success" | "") {
        return None;
    }
    let message = text(line, "error").or_else(|| text(line, "error.message"));
    Some(format!("{status}: {}", message.unwrap_or_else(|| "the trial has no grade".to_owned())))
}

fn check(detail: &Value) -> Option<Check> {
    let name = ["name", "grader", "criterion", "text"].iter().find_map(|key| label(detail, key))?;
    let evidence = ["evidence", "reason", "message"].iter().find_map(|key| text(detail, key));
    Some(Check::new(name, flag(detail, "passed"), evidence))
}
