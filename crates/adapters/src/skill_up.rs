//! skill-up: `report.json` with `case_results`, which alone has tokens and models. Its gradings and
//! outputs lie beside it in the layout of the skill-creator.

use serde_json::Value;

use crate::files::Files;
use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Figures, Results, Round, Trial, seconds};
use crate::values::{label, list, number, text};

pub(super) const TOOL: Tool = Tool {
    name: "skill-up",
    marks: &["\"case_results\"", "\"engine_name\"", "\"skill_name\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (report, folder) = (&file.value, file.folder());
    let mut results = Results {
        skill: label(report, "skill_name"),
        round: Round::in_folder(folder, text(report, "start_time")),
        consumed: vec![file.path.to_owned()],
        ..Results::default()
    };
    for item in list(report, "case_results") {
        let (case, side) = (label(item, "case_id")?, label(item, "configuration")?);
        let run = format!("{folder}/{case}/{side}");
        results.trials.push(trial(file.files, item, &run, case, side));
        results.consumed.push(run);
    }
    Some(results)
}

fn trial(files: &Files<'_>, item: &Value, run: &str, case: String, side: String) -> Trial {
    let grading = item.get("grading").filter(|grading| grading.is_object()).cloned();
    let grading = grading.or_else(|| files.json(&format!("{run}/grading.json")));
    let grading = grading.unwrap_or_default();
    Trial {
        case,
        prompt: text(item, "prompt"),
        side,
        checks: list(&grading, "expectations").iter().filter_map(Check::from_agentskills).collect(),
        error: text(item, "error"),
        figures: Figures {
            seconds: seconds(item, "duration_ms"),
            model: text(item, "observed_model"),
            ..Figures::of_tokens(number(item, "input_tokens"), number(item, "output_tokens"))
        },
        answer: text(item, "response"),
        shown: files.shown_below(run, |name| matches!(name, "grading.json" | "timing.json")),
        ..Trial::default()
    }
}
