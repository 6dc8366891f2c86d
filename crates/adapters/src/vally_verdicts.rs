//! Verdicts on skills that the adapter of dotnet makes of a run of Vally: `<plugin>/<skill>/results.json`.
//! They have scores of a judge, which are no verdicts of checks, and a preference for each scenario.

use serde_json::{Value, json};

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial, seconds};
use crate::values::{at, flag, label, list, number, text};
use input::names;

pub(super) const TOOL: Tool = Tool {
    name: "Vally's verdicts",
    // The validator that ended in 2026 has neither a version nor a state.
    marks: &["\"verdicts\"", "\"scenarios\"", "\"schemaVersion\"", "\"state\"", "\"judgeResult\""],
    read,
};

/// The runs of a scenario: without the skill, with it alone, and with all of its plugin.
const SIDES: [(&str, &str); 3] = [
    ("baseline", "without_skill"),
    ("skilledIsolated", "with_skill"),
    ("skilledPlugin", "with_plugin"),
];

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let value = &file.value;
    // Versions 2 to 4 are alike in what is read here.
    number(value, "schemaVersion")?;
    let mut trials = Vec::new();
    let mut skill = None;
    for (index, verdict) in list(value, "verdicts").iter().enumerate() {
        skill = label(verdict, "skillName").or(skill);
        for (place, scenario) in list(verdict, "scenarios").iter().enumerate() {
            let case = label(scenario, "scenarioName")?;
            let place = format!("verdicts[{index}].scenarios[{place}]");
            for (key, side) in SIDES {
                let Some(run) = at(scenario, key) else { continue };
                trials.push(Trial {
                    case: case.clone(),
                    side: side.to_owned(),
                    place: format!("{place}.{key}"),
                    comparison: comparison(scenario).filter(|_| side == "with_skill"),
                    ..trial(value, scenario, run, side)
                });
            }
        }
    }
    // The folder of a run has one of each plugin and skill.
    let plugin = names::folder(file.folder());
    let root = names::folder(plugin);
    Some(Results {
        skill,
        round: Round::in_folder(root, text(value, "timestamp")),
        trials,
        consumed: vec![names::join(plugin, "adapter-summary.json")],
        ..Results::default()
    })
}

fn trial(value: &Value, scenario: &Value, run: &Value, side: &str) -> Trial {
    let score = number(run, "judgeResult.overallScore");
    let evidence = score.map(|score| format!("score {score} of 5"));
    let reasons = text(run, "judgeResult.overallReasoning");
    let evidence =
        evidence.map(|score| reasons.map_or(score.clone(), |why| format!("{score}: {why}")));
    let model = label(value, "model");
    let mut remarks = Vec::new();
    if flag(scenario, "timedOut") == Some(true) {
        remarks.push("the scenario ran out of time on a side".to_owned());
    }
    Trial {
        // Whether the task was completed is what the agent says itself, and no check.
        checks: vec![Check::new("overall score of the judge".to_owned(), None, evidence)],
        remarks,
        figures: Figures {
            seconds: seconds(run, "metrics.wallTimeMs"),
            tool_calls: number(run, "metrics.toolCallCount"),
            // `tokenEstimate` is the number of characters by 4 where nothing else is known.
            model,
            ..Figures::default()
        },
        loaded: match side {
            "with_skill" => flag(scenario, "skillActivationIsolated.activated"),
            "with_plugin" => flag(scenario, "skillActivationPlugin.activated"),
            _ => None,
        },
        answer: text(run, "metrics.agentOutput"),
        ..Trial::default()
    }
}

/// Which side the judge preferred, as a blind comparison; trials of the judge that broke have no say.
fn comparison(scenario: &Value) -> Option<Value> {
    let [wins, ties, losses] =
        ["wins", "ties", "losses"].map(|key| number(scenario, key).unwrap_or(0.0));
    if wins + ties + losses == 0.0 {
        return None;
    }
    let winner = match wins.total_cmp(&losses) {
        std::cmp::Ordering::Greater => "B",
        std::cmp::Ordering::Less => "A",
        std::cmp::Ordering::Equal => "TIE",
    };
    let trials =
        list(scenario, "trials").iter().filter(|trial| flag(trial, "errored") != Some(true));
    let reasons: Vec<String> = trials.filter_map(|trial| text(trial, "evidence")).collect();
    Some(json!({
        "winner": winner,
        "reasoning": reasons.join("\n"),
        "mapping": {"A": "without_skill", "B": "with_skill"},
    }))
}
