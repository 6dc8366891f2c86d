//! aws skill-eval (`sample-agent-skill-eval`): one file per evaluation, each run with both sides.
//! `run_summary` repeats the runs.

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial};
use crate::values::{at, count, flag, label, list, number, text};

pub(super) const TOOL: Tool = Tool {
    name: "aws skill-eval",
    marks: &["\"eval_count\"", "\"runs_per_eval\"", "\"assertion_results\"", "\"with_skill\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let value = &file.value;
    let skill = label(value, "skill_name");
    let mut trials = Vec::new();
    for (index, run) in list(value, "runs").iter().enumerate() {
        let case = label(run, "eval_id")?;
        for side in ["with_skill", "without_skill"] {
            if let Some(item) = at(run, side) {
                let place = format!("runs[{index}].{side}");
                trials.push(Trial { place, ..trial(&case, side, item, run) });
            }
        }
    }
    Some(Results {
        round: Round::of_file(file.path, skill.as_deref(), text(value, "metadata.timestamp")),
        skill,
        trials,
        ..Results::default()
    })
}

fn trial(case: &str, side: &str, item: &Value, run: &Value) -> Trial {
    let tokens = "execution_metrics.token_counts";
    let input = number(item, &format!("{tokens}.input_tokens"));
    let output = number(item, &format!("{tokens}.output_tokens"));
    Trial {
        case: case.to_owned(),
        side: side.to_owned(),
        // Runs count from 0.
        number: count(run, "run_index").map(|run| run.saturating_add(1)),
        checks: list(item, "assertion_results").iter().filter_map(check).collect(),
        error: text(item, "error"),
        figures: Figures {
            seconds: number(item, "timing.elapsed_seconds"),
            tool_calls: number(item, "execution_metrics.tool_calls"),
            ..Figures::of_tokens(input, output)
        },
        answer: text(item, "raw_output"),
        ..Trial::default()
    }
}

fn check(item: &Value) -> Option<Check> {
    let mut check = Check::from_agentskills(item)?;
    if flag(item, "uncertain") == Some(true) {
        let evidence = check.evidence.unwrap_or_default();
        check.evidence = Some(format!("The grader was not certain. {evidence}"));
    }
    Some(check)
}
