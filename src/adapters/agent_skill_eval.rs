//! agent-skill-eval 0.7: `<iteration>/eval-<id>/<agent>/<side>/run-N/` with `run_meta.json`,
//! `grading.json` and `timing.json`.

use serde_json::Value;

use crate::adapters::trial::{Check, Figures, Results, Round, Trial};
use crate::adapters::values::{count, flag, label, list, number, text};
use crate::adapters::{ResultFile, Tool};
use crate::discover::names;

pub(super) const TOOL: Tool = Tool {
    name: "agent-skill-eval",
    marks: &["\"harness_version\"", "\"with_skill\"", "\"run_index\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let meta = &file.value;
    let case = label(meta, "eval_id")?;
    let with_skill = flag(meta, "with_skill")?;
    let folder = file.folder();
    // Without a grading, the run is still there, ungraded.
    let grading = file.files.json(&format!("{folder}/grading.json")).unwrap_or_default();
    let timing = file.files.json(&format!("{folder}/timing.json")).unwrap_or_default();

    let side = if with_skill { "with_skill" } else { "without_skill" };
    let mut trial = Trial {
        side: side.to_owned(),
        variant: label(meta, "agent"),
        number: count(meta, "run_index"),
        checks: list(&grading, "assertion_results").iter().filter_map(check).collect(),
        error: error(&timing),
        figures: figures(&timing),
        shown: file.files.shown_below(folder, is_read),
        case,
        ..Trial::default()
    };
    trial.figures.model = label(meta, "model");
    if flag(&timing, "timed_out") == Some(true) {
        trial
            .remarks
            .push("the agent ran out of time; its checks count as the tool judged them".to_owned());
    }
    let iteration = names::folders_above(folder)
        .filter(|above| names::is_iteration(names::file_name(above)))
        .last()?;
    Some(Results {
        skill: label(meta, "skill_name"),
        version: label(meta, "harness_version"),
        round: Round {
            folder: Some(names::folder(iteration).to_owned()),
            name: names::file_name(iteration).to_owned(),
            time: String::new(),
        },
        trials: vec![trial],
        consumed: vec![folder.to_owned()],
    })
}

fn is_read(name: &str) -> bool {
    matches!(name, "run_meta.json" | "grading.json" | "timing.json")
}

fn check(item: &Value) -> Option<Check> {
    let is_skipped = flag(item, "skipped") == Some(true);
    Some(Check {
        text: text(item, "text")?,
        passed: if is_skipped { None } else { flag(item, "passed") },
        evidence: text(item, "evidence"),
        ..Check::default()
    })
}

/// A crashed agent is graded like one that answered nothing; only its exit code tells.
fn error(timing: &Value) -> Option<String> {
    let code = timing.get("exit_code")?.as_i64()?;
    if code == 0 || flag(timing, "timed_out") == Some(true) {
        return None;
    }
    Some(format!("the agent exited with code {code}"))
}

fn figures(timing: &Value) -> Figures {
    Figures {
        seconds: number(timing, "duration_ms").map(|ms| ms / 1000.0),
        tokens: number(timing, "total_tokens"),
        input_tokens: number(timing, "input_tokens"),
        output_tokens: number(timing, "output_tokens"),
        cost_usd: number(timing, "cost_usd"),
        ..Figures::default()
    }
}
