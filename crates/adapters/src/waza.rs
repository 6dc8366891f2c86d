//! waza of Microsoft: one file per evaluation. A run without the skill is nested in it as
//! `baseline_outcome`, or a file of its own.

use serde_json::{Value, json};

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial, seconds};
use crate::values::{at, count, flag, label, list, number, shown, text};

pub(super) const TOOL: Tool = Tool {
    name: "waza",
    marks: &["\"eval_id\"", "\"tasks\"", "\"test_id\"", "\"runs_per_test\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let outcome = &file.value;
    let skill = label(outcome, "skill")?;
    let is_baseline = flag(outcome, "is_baseline") == Some(true);
    let mut trials = trials(outcome, "", if is_baseline { "without_skill" } else { "with_skill" });
    // `--baseline` nests the run without the skill; else it is a file of its own.
    if let Some(baseline) = at(outcome, "baseline_outcome") {
        trials.extend(self::trials(baseline, "baseline_outcome.", "without_skill"));
    }
    Some(Results {
        round: Round::of_file(file.path, Some(&skill), text(outcome, "timestamp")),
        triggers: triggers(outcome, &skill),
        skill: Some(skill),
        trials,
        ..Results::default()
    })
}

/// Its queries, and counts of right and wrong answers.
fn triggers(outcome: &Value, skill: &str) -> Option<Value> {
    let metrics = at(outcome, "trigger_metrics").unwrap_or(&Value::Null);
    let right = number(metrics, "true_positives").zip(number(metrics, "true_negatives"));
    let wrong = number(metrics, "false_positives").zip(number(metrics, "false_negatives"));
    let queries = list(outcome, "trigger_results");
    if queries.is_empty() && right.zip(wrong).is_none() {
        return None;
    }
    let mut triggers = json!({"skill": skill, "results": queries});
    if let (true, Some((right, wrong))) = (queries.is_empty(), right.zip(wrong)) {
        let passed = right.0 + right.1;
        triggers["passed"] = json!(passed);
        triggers["total"] = json!(passed + wrong.0 + wrong.1);
        triggers["precision"] = json!(number(metrics, "precision"));
        triggers["recall"] = json!(number(metrics, "recall"));
    }
    Some(triggers)
}

/// The runs in `outcome`, which lies at `above` in its file.
fn trials(outcome: &Value, above: &str, side: &str) -> Vec<Trial> {
    let model = text(outcome, "config.model_id");
    let mut trials = Vec::new();
    for (task_index, task) in list(outcome, "tasks").iter().enumerate() {
        let Some(case) = label(task, "test_id") else { continue };
        for (index, run) in list(task, "runs").iter().enumerate() {
            let place = format!("{above}tasks[{task_index}].runs[{index}]");
            trials.push(Trial { place, ..trial(&case, side, &model, run) });
        }
    }
    trials
}

fn trial(case: &str, side: &str, model: &Option<String>, run: &Value) -> Trial {
    let status = text(run, "status").unwrap_or_default();
    let is_broken = matches!(status.as_str(), "error" | "errored");
    let message = text(run, "error_msg").unwrap_or_else(|| "the run ended in an error".to_owned());
    let mut checks = Vec::new();
    if let Some(validations) = at(run, "validations").and_then(Value::as_object) {
        checks.extend(validations.iter().map(|(name, validation)| check(name, validation)));
    }
    Trial {
        case: case.to_owned(),
        side: side.to_owned(),
        variant: model.clone(),
        number: count(run, "run_number"),
        checks,
        overall: match status.as_str() {
            "passed" => Some(true),
            "failed" => Some(false),
            _ => None,
        },
        error: if is_broken { Some(message) } else { None },
        figures: figures(run, model),
        loaded: at(run, "skill_invocations").and_then(Value::as_array).map(|all| !all.is_empty()),
        answer: at(run, "final_output").map(shown).filter(|answer| !answer.is_empty()),
        ..Trial::default()
    }
}

fn check(name: &str, validation: &Value) -> Check {
    let (score, reason) = (number(validation, "score"), text(validation, "feedback"));
    Check::scored(name.to_owned(), flag(validation, "passed"), score, reason)
}

/// Older digests have other names for tokens.
fn figures(run: &Value, model: &Option<String>) -> Figures {
    let digest = run.get("session_digest").unwrap_or(&Value::Null);
    let usage = at(digest, "usage").or_else(|| at(run, "usage")).unwrap_or(digest);
    let input = number(usage, "input_tokens").or_else(|| number(usage, "tokens_in"));
    let output = number(usage, "output_tokens").or_else(|| number(usage, "tokens_out"));
    let counted = Figures::of_tokens(input, output);
    Figures {
        seconds: seconds(run, "duration_ms"),
        tokens: number(usage, "tokens_total").or(counted.tokens),
        tool_calls: number(digest, "tool_call_count"),
        model: model.clone(),
        ..counted
    }
}
