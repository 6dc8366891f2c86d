//! agent-skill-eval 0.7: `<iteration>/eval-<id>/<agent>/<side>/run-N/` with `run_meta.json`,
//! `grading.json` and `timing.json`.

use serde_json::Value;

use crate::tool::{ResultFile, Tool};
use crate::trial::{Results, Round, Trial};
use crate::values::{count, flag, label};
use input::names;

pub(super) const TOOL: Tool = Tool {
    name: "agent-skill-eval",
    marks: &["\"harness_version\"", "\"with_skill\"", "\"run_index\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (meta, folder) = (&file.value, file.folder());
    let with_skill = flag(meta, "with_skill")?;
    let (mut trial, timing) =
        Trial::from_agentskills(file.files, folder, |name| name == "run_meta.json");
    trial.case = label(meta, "eval_id")?;
    trial.side = if with_skill { "with_skill" } else { "without_skill" }.to_owned();
    trial.variant = label(meta, "agent");
    trial.number = count(meta, "run_index");
    trial.figures.model = label(meta, "model");
    trial.error = error(&timing);
    if flag(&timing, "timed_out") == Some(true) {
        let remark = "the agent ran out of time; its checks count as the tool judged them";
        trial.remarks.push(remark.to_owned());
    }
    let above = names::folders_above(folder);
    let iteration = above.filter(|above| names::is_iteration(names::file_name(above))).last()?;
    Some(Results {
        skill: label(meta, "skill_name"),
        version: label(meta, "harness_version"),
        round: Round::in_folder(iteration, None),
        trials: vec![trial],
        consumed: vec![folder.to_owned()],
        triggers: None,
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
