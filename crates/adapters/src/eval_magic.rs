//! eval-magic 0.11: the folder of an iteration, and the baseline that `promote-baseline` writes for
//! people to commit. Both have a `benchmark.json` with `conditions_compared`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::files::Files;
use crate::tool::{ResultFile, Tool};
use crate::trial::{Check, Results, Round, Trial};
use crate::values::{at, flag, label, list, text};
use input::names;

pub(super) const TOOL: Tool = Tool {
    name: "eval-magic",
    marks: &["\"conditions_compared\"", "\"run_summary\"", "\"missing_gradings\""],
    read,
};

fn read(file: &ResultFile<'_>) -> Option<Results> {
    let (files, folder) = (file.files, file.folder());
    let sides: Vec<&str> =
        list(&file.value, "conditions_compared").iter().filter_map(Value::as_str).collect();
    let plan = plan(files, folder);
    let mut results = Results {
        skill: plan.as_ref().and_then(|plan| label(plan, "skill_name")),
        round: Round::in_folder(folder, text(&file.value, "generated")),
        ..Results::default()
    };
    let statements = plan.as_ref().map(statements).unwrap_or_default();
    for path in files.below(folder) {
        let inside = names::below(path, folder).unwrap_or(path);
        // Work trees of the agents, which hold copies of everything.
        if inside.starts_with("env-g") || inside.starts_with('.') {
            let top = inside.split('/').next().unwrap_or(inside);
            results.consumed.push(names::join(folder, top));
            continue;
        }
        let Some(place) = place(inside, &sides) else { continue };
        let mut trial = trial(files, path, &place, &statements);
        trial.prompt = plan.as_ref().and_then(|plan| prompt(plan, &place.case));
        results.trials.push(trial);
        results.consumed.push(place.taken(path));
    }
    results.consumed.dedup();
    Some(results)
}

/// Which run a grading is of.
struct RunPlace {
    case: String,
    side: String,
    number: Option<u32>,
    is_baseline: bool,
}

impl RunPlace {
    fn taken(&self, grading: &str) -> String {
        let taken = if self.is_baseline { grading } else { names::folder(grading) };
        taken.to_owned()
    }
}

/// `eval-<case>/<side>/run-N/grading.json`, or `grading/<case>__<side>__rN.json` of a baseline.
fn place(inside: &str, sides: &[&str]) -> Option<RunPlace> {
    let parts: Vec<&str> = inside.split('/').collect();
    let (case, side, run, is_baseline) = match parts[..] {
        [case, side, run, "grading.json"] => (case.strip_prefix("eval-")?, side, run, false),
        [case, side, "grading.json"] => (case.strip_prefix("eval-")?, side, "run-1", false),
        ["grading", name] => {
            let mut parts = name.strip_suffix(".json")?.rsplitn(3, "__");
            let (run, side, case) = (parts.next()?, parts.next()?, parts.next()?);
            (case, side, run, true)
        }
        _ => return None,
    };
    let number = names::repeat_number(run);
    if !sides.contains(&side) {
        return None;
    }
    Some(RunPlace { case: case.to_owned(), side: side.to_owned(), number, is_baseline })
}

// A run that never happened has a grading of failed checks all the same.
fn trial(
    files: &Files<'_>,
    path: &str,
    place: &RunPlace,
    statements: &BTreeMap<(String, String), String>,
) -> Trial {
    let grading = files.json(path).unwrap_or_default();
    let run = names::folder(path);
    let mut trial = Trial::default();
    let is_lost = if place.is_baseline {
        // What is promoted is the grading and, of a run that happened, its evidence.
        let name = names::file_name(path).trim_end_matches(".json");
        let folder = names::folder(run);
        let evidence = format!("{folder}/evidence/{name}.md");
        if files.has(&evidence) {
            trial.shown.push(("outputs/evidence.md".to_owned(), evidence.clone()));
        }
        !files.below(&format!("{folder}/evidence")).is_empty() && !files.has(&evidence)
    } else {
        (trial, _) = Trial::from_agentskills(files, run, |_| false);
        let record = files.json(&format!("{run}/run.json")).unwrap_or_default();
        trial.answer = text(&record, "final_message");
        record.is_null() && !files.has(&format!("{run}/conversation.json"))
    };
    trial.case.clone_from(&place.case);
    trial.side.clone_from(&place.side);
    trial.number = place.number;
    let checks = list(&grading, "assertion_results").iter();
    trial.checks = checks.filter_map(|item| check(item, &place.case, statements)).collect();
    trial.loaded = flag(&grading, "meta_summary.skill_invoked");
    if is_lost {
        trial.error = Some("the run left no record, so nothing was there to judge".to_owned());
    }
    trial
}

fn check(
    item: &Value,
    case: &str,
    statements: &BTreeMap<(String, String), String>,
) -> Option<Check> {
    let id = label(item, "id")?;
    let statement = statements.get(&(case.to_owned(), id.clone()));
    let text_of_check = statement.unwrap_or(&id).clone();
    let check = Check::new(text_of_check, flag(item, "passed"), text(item, "evidence"));
    Some(Check { id: Some(id), ..check })
}

/// The cases: beside a baseline, or in the copy of the skill that an iteration keeps.
fn plan(files: &Files<'_>, folder: &str) -> Option<Value> {
    let beside = names::join(names::folder(folder), "evals.json");
    let copy = files.below(folder).iter().find(|path| path.ends_with("/evals/evals.json"));
    files.json(&beside).or_else(|| files.json(copy?))
}

fn prompt(plan: &Value, case: &str) -> Option<String> {
    let mut cases = list(plan, "evals").iter();
    text(cases.find(|found| label(found, "id").as_deref() == Some(case))?, "prompt")
}

/// By case and id, what a check asks for. Gradings give the id alone.
fn statements(plan: &Value) -> BTreeMap<(String, String), String> {
    let mut statements = BTreeMap::new();
    for case in list(plan, "evals") {
        let Some(case_id) = label(case, "id") else { continue };
        for check in list(case, "assertions") {
            let Some(id) = label(check, "id") else { continue };
            let what = ["rubric", "text", "pattern", "command"]
                .iter()
                .find_map(|key| at(check, key)?.as_str());
            if let Some(what) = what {
                statements.insert((case_id.clone(), id.clone()), format!("{id}: {what}"));
            }
        }
    }
    statements
}
