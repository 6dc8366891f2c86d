//! Inspect (`inspect_ai` 0.3): a log in JSON per task. Tasks are the sides, or solvers of one task.

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial};
use crate::values::{at, count, label, list, number, shown, text};

pub(super) const TOOL: Tool = Tool {
    name: "Inspect",
    marks: &["\"eval\"", "\"task_id\"", "\"run_id\"", "\"samples\"", "\"epoch\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let log = &file.value;
    let task = text(log, "eval.task")?;
    let side = text(log, "eval.metadata.arm").unwrap_or(task);
    let mut scorers = Vec::new();
    for scorer in list(log, "eval.scorers") {
        scorers.extend(text(scorer, "name"));
    }
    let mut trials = Vec::new();
    for (index, sample) in list(log, "samples").iter().enumerate() {
        let mut trial = trial(sample, &scorers)?;
        trial.place = format!("samples[{index}]");
        trial.side.clone_from(&side);
        trial.variant = text(log, "eval.solver");
        trial.figures.model = text(log, "eval.model");
        trials.push(trial);
    }
    Some(Results {
        version: text(log, "eval.packages.inspect_ai"),
        round: Round {
            name: text(log, "eval.run_id").unwrap_or_default(),
            time: text(log, "eval.created").unwrap_or_default(),
            ..Round::default()
        },
        trials,
        ..Results::default()
    })
}

fn trial(sample: &Value, scorers: &[String]) -> Option<Trial> {
    let mut checks = Vec::new();
    if let Some(scores) = at(sample, "scores").and_then(Value::as_object) {
        for (name, score) in scores {
            add_checks(name, score, &mut checks);
        }
        // A scorer may leave a sample out.
        for name in scorers.iter().filter(|name| !scores.contains_key(name.as_str())) {
            let evidence = Some("the scorer gave no score for this sample".to_owned());
            checks.push(Check::new(name.clone(), None, evidence));
        }
    }
    let mut remarks = Vec::new();
    if let Some(limit) = at(sample, "limit") {
        let kind = text(limit, "type").unwrap_or_else(|| shown(limit));
        remarks.push(format!("stopped by a limit ({kind}) and scored all the same"));
    }
    let error = at(sample, "error");
    Some(Trial {
        case: label(sample, "id")?,
        prompt: text(sample, "input"),
        number: count(sample, "epoch"),
        checks,
        error: error.map(|error| text(error, "message").unwrap_or_else(|| shown(error))),
        remarks,
        figures: figures(sample),
        answer: text(sample, "output.completion"),
        ..Trial::default()
    })
}

/// Letters and flags are verdicts; numbers are scores, of which the log names no threshold.
fn add_checks(name: &str, score: &Value, checks: &mut Vec<Check>) {
    let value = score.get("value").unwrap_or(&Value::Null);
    let explanation = text(score, "explanation");
    if let Some(parts) = value.as_object() {
        for (part, value) in parts {
            checks.push(check(&format!("{name}: {part}"), value, &explanation));
        }
    } else {
        checks.push(check(name, value, &explanation));
    }
}

fn check(name: &str, value: &Value, explanation: &Option<String>) -> Check {
    let passed = match value {
        Value::Bool(passed) => Some(*passed),
        Value::String(letter) => match letter.as_str() {
            "C" => Some(true),
            // Inspect counts no answer as incorrect.
            "I" | "N" => Some(false),
            _ => None,
        },
        _ => None,
    };
    let mut evidence = explanation.clone();
    if passed.is_none() && !value.is_null() {
        let words = explanation.as_deref().unwrap_or_default();
        evidence = Some(format!("score {}. {words}", shown(value)).trim().to_owned());
    }
    Check::new(name.to_owned(), passed, evidence)
}

fn figures(sample: &Value) -> Figures {
    let mut figures = Figures { seconds: number(sample, "total_time"), ..Figures::default() };
    let Some(usage) = at(sample, "model_usage").and_then(Value::as_object) else { return figures };
    for used in usage.values() {
        add(&mut figures.tokens, number(used, "total_tokens"));
        add(&mut figures.input_tokens, number(used, "input_tokens"));
        add(&mut figures.output_tokens, number(used, "output_tokens"));
    }
    figures
}

fn add(sum: &mut Option<f64>, more: Option<f64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or_default() + more);
    }
}
