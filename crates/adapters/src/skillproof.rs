//! skillproof 0.1: `results.json` with `cases[].trials[]`. The files beside it say the same again.

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial};
use crate::values::{at, count, flag, label, list, number, side_by_word, text};

pub(super) const TOOL: Tool = Tool {
    name: "skillproof",
    marks: &["\"skill_name\"", "\"should_trigger\"", "\"trials\"", "\"variant\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let results = &file.value;
    label(results, "runner")?;
    let mut trials = Vec::new();
    for (case_index, case) in list(results, "cases").iter().enumerate() {
        let name = label(case, "name")?;
        for (index, item) in list(case, "trials").iter().enumerate() {
            let place = format!("cases[{case_index}].trials[{index}]");
            trials.push(Trial { place, ..trial(&name, item)? });
        }
    }
    let folder = file.folder();
    Some(Results {
        skill: label(results, "skill_name"),
        round: Round::in_folder(folder, text(results, "started_at")),
        trials,
        consumed: file.files.below(folder).iter().map(|path| (*path).to_owned()).collect(),
        ..Results::default()
    })
}

fn trial(case: &str, item: &Value) -> Option<Trial> {
    let variant = text(item, "variant")?;
    let mut remarks = Vec::new();
    if flag(item, "run.timed_out") == Some(true) {
        remarks.push("the agent ran out of time; its checks count as judged".to_owned());
    }
    let usage = at(item, "run.usage").unwrap_or(&Value::Null);
    Some(Trial {
        case: case.to_owned(),
        prompt: list(item, "run.transcript").first().and_then(|turn| text(turn, "content")),
        side: side_by_word(&variant).unwrap_or(&variant).to_owned(),
        // Trials count from 0.
        number: count(item, "trial").map(|trial| trial.saturating_add(1)),
        checks: list(item, "assertions").iter().enumerate().filter_map(check).collect(),
        error: text(item, "run.error"),
        remarks,
        figures: Figures {
            seconds: number(item, "run.duration_s"),
            cost_usd: number(usage, "cost_usd"),
            model: text(item, "run.model"),
            ..Figures::of_tokens(number(usage, "input_tokens"), number(usage, "output_tokens"))
        },
        loaded: flag(item, "run.triggered"),
        answer: text(item, "run.final_text"),
        ..Trial::default()
    })
}

/// The message changes with the verdict, so a check is known by its kind and place.
fn check((index, item): (usize, &Value)) -> Option<Check> {
    let name = format!("{} (check {})", text(item, "type")?, index + 1);
    Some(Check::new(name, flag(item, "passed"), text(item, "message")))
}
