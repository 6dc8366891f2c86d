//! Harbor, as of January 2026: a folder per trial with `result.json` and `verifier/ctrf.json`. The
//! sides are different jobs, so they are folders beside each other.

use jiff::Timestamp;
use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial};
use crate::values::{at, label, list, number, text};
use input::names;

pub(super) const TOOL: Tool = Tool {
    name: "Harbor",
    // The folder of a job has a `result.json` too, without a trial.
    marks: &["\"trial_name\"", "\"task_name\"", "\"verifier_result\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (result, folder) = (&file.value, file.folder());
    label(result, "trial_name")?;
    let job = names::folder(folder);
    let reward = number(result, "verifier_result.rewards.reward");
    let tests = file.files.json(&format!("{folder}/verifier/ctrf.json")).unwrap_or_default();
    let mut checks: Vec<Check> = list(&tests, "results.tests").iter().filter_map(check).collect();
    if checks.is_empty()
        && let Some(reward) = reward
    {
        let evidence = Some(format!("the reward is {reward}"));
        checks.push(Check::new("reward".to_owned(), Some(reward >= 1.0), evidence));
    }
    let exception = at(result, "exception_info");
    let what = exception.map(exception_text);
    // A trial that ran out of time may have been verified all the same, and then counts.
    let (error, remarks) = match (what, reward) {
        (Some(what), None) => (Some(what), Vec::new()),
        (Some(what), Some(_)) => (None, vec![format!("{what}; it was verified all the same")]),
        (None, _) => (None, Vec::new()),
    };
    let trial = Trial {
        // Names of folders are cut, the task's is whole.
        case: label(result, "task_name")?,
        side: side(result, job),
        variant: agent(result),
        checks,
        overall: reward.map(|reward| reward >= 1.0),
        error,
        remarks,
        figures: figures(result),
        shown: file.files.shown_below(folder, |name| name == "result.json"),
        ..Trial::default()
    };
    Some(Results {
        round: Round { folder: Some(names::folder(job).to_owned()), ..Round::default() },
        trials: vec![trial],
        consumed: vec![folder.to_owned()],
        ..Results::default()
    })
}

fn check(test: &Value) -> Option<Check> {
    let passed = match text(test, "status")?.as_str() {
        "passed" => Some(true),
        "failed" => Some(false),
        // Skipped, pending or other.
        _ => None,
    };
    let evidence = text(test, "message").or_else(|| text(test, "trace"));
    Some(Check::new(text(test, "name")?, passed, evidence))
}

/// The side that the job's folder names, else the one that its tasks name: a job without skills
/// runs other copies of the tasks.
fn side(result: &Value, job: &str) -> String {
    let source = text(result, "source").unwrap_or_default();
    let folder = names::file_name(job);
    let is_time = names::is_timestamp(folder) || folder.is_empty();
    let name = if is_time { source.as_str() } else { folder };
    let words = name.to_lowercase().replace(['-', '_', ' '], "");
    if ["noskill", "withoutskill"].iter().any(|word| words.contains(word)) {
        "without_skill".to_owned()
    } else if words.contains("skill") || name.is_empty() || is_time {
        "with_skill".to_owned()
    } else {
        name.to_owned()
    }
}

fn agent(result: &Value) -> Option<String> {
    let agent = text(result, "agent_info.name")?;
    match text(result, "agent_info.model_info.name") {
        Some(model) => Some(format!("{agent} {model}")),
        None => Some(agent),
    }
}

fn exception_text(exception: &Value) -> String {
    let kind = text(exception, "exception_type").unwrap_or_else(|| "exception".to_owned());
    match text(exception, "exception_message") {
        Some(message) => format!("{kind}: {message}"),
        None => kind,
    }
}

/// The time of the agent alone: setting up takes as long again. Output tokens of 0 are unknown.
fn figures(result: &Value) -> Figures {
    let input = number(result, "agent_result.n_input_tokens");
    // What it read from a cache is a part of the input.
    let cached =
        number(result, "agent_result.n_cache_tokens").filter(|cached| Some(*cached) <= input);
    let output = number(result, "agent_result.n_output_tokens").filter(|tokens| *tokens > 0.0);
    let start = moment(result, "agent_execution.started_at");
    let end = moment(result, "agent_execution.finished_at");
    let seconds = start.zip(end).map(|(start, end)| start.duration_until(end).as_secs_f64());
    Figures {
        seconds: seconds.filter(|seconds| *seconds >= 0.0),
        tokens: input.map(|input| input + output.unwrap_or_default()),
        input_tokens: input.map(|input| input - cached.unwrap_or_default()),
        cached_tokens: cached,
        output_tokens: output,
        cost_usd: number(result, "agent_result.cost_usd"),
        model: text(result, "agent_info.model_info.name"),
        started: text(result, "agent_execution.started_at"),
        ..Figures::default()
    }
}

fn moment(result: &Value, path: &str) -> Option<Timestamp> {
    text(result, path)?.parse().ok()
}
