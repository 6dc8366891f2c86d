//! promptfoo, version 3 of its results: `.json`, or the `.jsonl` of the same rows. Providers are
//! the sides, or prompts where there is one provider.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial, seconds};
use crate::values;
use crate::values::{at, count, flag, label, list, number, shown, text};

pub(super) const TOOL: Tool =
    Tool { name: "promptfoo", marks: &["\"promptIdx\"", "\"testIdx\"", "\"gradingResult\""], read };

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let value = &file.value;
    let rows = value.as_array().map_or_else(|| list(value, "results.results"), Vec::as_slice);
    let version = number(value, "results.version");
    if version.is_some_and(|version| version < 3.0) {
        return None;
    }
    let sides = sides(rows);
    let mut sorted: Vec<(usize, &Value)> = rows.iter().enumerate().collect();
    // Rows come in the order in which they were done.
    sorted.sort_by_key(|(_, row)| (count(row, "testIdx"), count(row, "promptIdx")));
    let mut trials = Vec::new();
    for (index, row) in sorted {
        let mut trial = trial(row)?;
        trial.place =
            if value.is_array() { values::row(index) } else { format!("results.results[{index}]") };
        trial.side = sides.get(&count(row, "promptIdx")).cloned()?;
        trials.push(trial);
    }
    // promptfoo writes each `--output` that it is given.
    // The other formats of the same evaluation.
    let stem = file.path.trim_end_matches(".jsonl").trim_end_matches(".json");
    let consumed = [".json", ".jsonl", ".csv"].map(|end| format!("{stem}{end}"));
    Some(Results {
        round: Round {
            name: text(value, "evalId").unwrap_or_else(|| file.path.to_owned()),
            time: text(value, "results.timestamp").unwrap_or_default(),
            ..Round::default()
        },
        version: text(value, "metadata.promptfooVersion"),
        trials,
        consumed: consumed.into(),
        ..Results::default()
    })
}

/// By the index of prompt and provider, the name that tells it from the others.
// The label of a provider may be empty; then the prompts tell the sides apart.
fn sides(rows: &[Value]) -> BTreeMap<Option<u32>, String> {
    let mut named: BTreeMap<Option<u32>, [String; 2]> = BTreeMap::new();
    for row in rows {
        let provider = text(row, "provider.label").or_else(|| text(row, "provider.id"));
        let prompt = text(row, "prompt.label").unwrap_or_default();
        let names = [provider.unwrap_or_default(), prompt];
        named.entry(count(row, "promptIdx")).or_insert(names);
    }
    let providers: BTreeSet<&String> = named.values().map(|[provider, _]| provider).collect();
    let prompts: BTreeSet<&String> = named.values().map(|[_, prompt]| prompt).collect();
    let (by_provider, by_prompt) = (providers.len() == named.len(), prompts.len() == named.len());
    let mut sides = BTreeMap::new();
    for (index, [provider, prompt]) in &named {
        let side = if by_provider && !provider.is_empty() {
            provider.clone()
        } else if by_prompt {
            prompt.clone()
        } else {
            format!("{provider} prompt {}", index.unwrap_or_default())
        };
        sides.insert(*index, side);
    }
    sides
}

fn trial(row: &Value) -> Option<Trial> {
    let vars = at(row, "vars").or_else(|| at(row, "testCase.vars"));
    let case = text(row, "testCase.description").or_else(|| vars.map(ToString::to_string));
    // A failed check fills `error` too: only the reason tells.
    let is_broken = count(row, "failureReason") == Some(2);
    let error = text(row, "error").unwrap_or_else(|| "the provider gave no answer".to_owned());
    let output = at(row, "response.output").map(shown).filter(|output| !output.is_empty());
    let components = list(row, "gradingResult.componentResults");
    Some(Trial {
        case: case.unwrap_or_else(|| format!("test {}", count(row, "testIdx").unwrap_or(0))),
        prompt: text(row, "prompt.raw"),
        checks: components.iter().map(check).collect(),
        overall: flag(row, "success"),
        error: if is_broken { Some(error) } else { None },
        figures: Figures {
            seconds: seconds(row, "latencyMs"),
            tokens: number(row, "tokenUsage.total"),
            input_tokens: number(row, "tokenUsage.prompt"),
            output_tokens: number(row, "tokenUsage.completion"),
            cost_usd: number(row, "cost"),
            ..Figures::default()
        },
        answer: output,
        ..Trial::default()
    })
}

fn check(component: &Value) -> Check {
    // A set of assertions is a component of its own, before its members.
    let kind = text(component, "assertion.type").unwrap_or_else(|| "assert-set".to_owned());
    let value = at(component, "assertion.value").map(shown).unwrap_or_default();
    let check = Check::scored(
        format!("{kind} {value}").trim().to_owned(),
        flag(component, "pass"),
        number(component, "score"),
        text(component, "reason"),
    );
    let has_no_weight = number(component, "assertion.weight") == Some(0.0);
    Check {
        id: label(component, "assertion.metric"),
        // What has no weight passes, whatever it finds.
        required: if has_no_weight { Some(false) } else { None },
        is_grader_failure: flag(component, "metadata.graderError") == Some(true),
        ..check
    }
}
