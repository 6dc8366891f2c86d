//! SkillEvaluator of NVIDIA: the tree of a run, `<agent>/{with,without}-skill/trials/`. The metrics
//! are scores without verdicts; whether the attempt passed is the one verdict.

use serde_json::Value;

use crate::adapters::files::Files;
use crate::adapters::trial::{Check, Figures, Results, Round, Trial};
use crate::adapters::values::{at, flag, label, number, text};
use crate::adapters::{ResultFile, Tool};
use crate::discover::names;

pub(super) const TOOL: Tool = Tool {
    name: "SkillEvaluator",
    marks: &["\"attempt_policy\"", "\"metric_set\"", "\"agents\""],
    read,
};

/// Fields of `reward.json` that are no metrics.
const OTHER_NUMBERS: &[&str] = &["overall"];

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (result, folder) = (&file.value, file.folder());
    let threshold = number(result, "attempt_policy.pass_threshold");
    let mut trials = Vec::new();
    let mut last = "";
    for path in file.files.below(folder) {
        let inside = names::below(path, folder).unwrap_or(path);
        let parts: Vec<&str> = inside.split('/').collect();
        let [agent, side, "trials", attempt, _] = parts[..] else { continue };
        let run = names::folder(path);
        if run == last {
            continue;
        }
        last = run;
        let side = match side {
            "with-skill" => "with_skill",
            "without-skill" => "without_skill",
            _ => continue,
        };
        let mut trial = trial(file.files, run, attempt, threshold);
        (trial.side, trial.variant) = (side.to_owned(), Some(agent.to_owned()));
        trials.push(trial);
    }
    if trials.is_empty() {
        return None;
    }
    Some(Results {
        skill: label(result, "skill_name"),
        version: label(result, "evaluator_version"),
        round: Round {
            folder: Some(names::folder(folder).to_owned()),
            name: names::file_name(folder).to_owned(),
            time: text(result, "evaluated_at").unwrap_or_default(),
        },
        trials,
        consumed: vec![folder.to_owned()],
    })
}

fn trial(files: &Files<'_>, run: &str, attempt: &str, threshold: Option<f64>) -> Trial {
    let reward = files.json(&format!("{run}/reward.json")).unwrap_or_default();
    let failure = files.json(&format!("{run}/failure.json")).unwrap_or_default();
    let trajectory = files.json(&format!("{run}/trajectory.json")).unwrap_or_default();
    let (name, number_text) = attempt.rsplit_once("__attempt-").unwrap_or((attempt, ""));
    let input = number(&trajectory, "final_metrics.total_prompt_tokens");
    let output = number(&trajectory, "final_metrics.total_completion_tokens");
    let mut checks = metrics(&reward);
    if let (Some(overall), Some(threshold)) = (number(&reward, "overall"), threshold) {
        checks.push(Check {
            text: format!("attempt passed (overall >= {threshold})"),
            passed: Some(overall >= threshold),
            evidence: Some(format!("overall {overall}")),
            ..Check::default()
        });
    }
    Trial {
        case: label(&reward, "entry_id").unwrap_or_else(|| name.to_owned()),
        number: number_text.parse().ok(),
        checks,
        error: error(&reward, &failure),
        figures: Figures {
            tokens: input.zip(output).map(|(input, output)| input + output),
            input_tokens: input,
            output_tokens: output,
            cost_usd: number(&trajectory, "final_metrics.total_cost_usd"),
            model: text(&reward, "model").or_else(|| text(&failure, "model")),
            ..Figures::default()
        },
        loaded: flag(&reward, "skill_invoked"),
        shown: files.shown_below(run, |name| name == "reward.json" || name == "result.json"),
        ..Trial::default()
    }
}

/// The six metrics of the default set, or those of one's own.
fn metrics(reward: &Value) -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, value) in reward.as_object().into_iter().flatten() {
        let Some(score) = value.as_f64() else { continue };
        if OTHER_NUMBERS.contains(&name.as_str()) {
            continue;
        }
        let reason = text(reward, &format!("details.{name}.reason")).unwrap_or_default();
        let evidence = Some(format!("score {score}: {reason}"));
        checks.push(Check { text: name.clone(), evidence, ..Check::default() });
    }
    checks
}

/// One failed trial empties the scores of its whole run, although the others have theirs.
fn error(reward: &Value, failure: &Value) -> Option<String> {
    if let Some(error) = at(failure, "error") {
        let kind = text(error, "type").unwrap_or_else(|| "error".to_owned());
        return Some(format!("{kind}: {}", text(error, "message").unwrap_or_default()));
    }
    if text(reward, "evaluation_status").as_deref() == Some("failed") {
        return Some("the evaluation of the attempt failed".to_owned());
    }
    if reward.is_null() { Some("the attempt has no reward".to_owned()) } else { None }
}
