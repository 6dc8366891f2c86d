//! SkillEvaluator of NVIDIA: the tree of a run, `<agent>/{with,without}-skill/trials/`. The metrics
//! are scores without verdicts; whether the attempt passed is the one verdict.

use serde_json::Value;

use crate::files::Files;
use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial};
use crate::values::{at, flag, label, number, side_by_word, text};
use input::names;

pub(super) const TOOL: Tool = Tool {
    name: "SkillEvaluator",
    marks: &["\"attempt_policy\"", "\"metric_set\"", "\"agents\""],
    read,
};

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
        // Beside the two sides lie the sums of an agent and, if kept, its jobs in Harbor.
        let Some(side) = side_by_word(side) else { continue };
        let mut trial = trial(file.files, run, attempt, threshold);
        (trial.side, trial.variant) = (side.to_owned(), Some(agent.to_owned()));
        trials.push(trial);
    }
    Some(Results {
        skill: label(result, "skill_name"),
        version: label(result, "evaluator_version"),
        round: Round::in_folder(folder, text(result, "evaluated_at")),
        trials,
        consumed: vec![folder.to_owned()],
        triggers: None,
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
        let name = format!("attempt passed (overall >= {threshold})");
        let evidence = Some(format!("overall {overall}"));
        checks.push(Check::new(name, Some(overall >= threshold), evidence));
    }
    Trial {
        case: label(&reward, "entry_id").unwrap_or_else(|| name.to_owned()),
        number: number_text.parse().ok(),
        checks,
        error: error(&reward, &failure),
        figures: Figures {
            cost_usd: number(&trajectory, "final_metrics.total_cost_usd"),
            model: text(&reward, "model").or_else(|| text(&failure, "model")),
            ..Figures::of_tokens(input, output)
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
        // `overall` is their mean.
        let Some(score) = value.as_f64().filter(|_| name != "overall") else { continue };
        let reason = text(reward, &format!("details.{name}.reason")).unwrap_or_default();
        let evidence = Some(format!("score {score}: {reason}"));
        checks.push(Check::new(name.clone(), None, evidence));
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
