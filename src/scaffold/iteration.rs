//! The next iteration: a folder per case, configuration and run, ready to be worked in.

use serde::Serialize;
use serde_json::Value;

use crate::discover::names;
use crate::model::{Case, PlannedExpectation};
use crate::read::EvalsRecord;
use crate::scaffold::naming::{self, CaseFolders};

/// The most folders of runs that one iteration gets.
pub const MOST_RUNS: usize = 10_000;

/// What is to be made, with paths below the workspace and `/` between names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub name: String,
    pub files: Vec<(String, String)>,
    pub folders: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("{0}")]
    Usage(String),
    #[error("there is no case in the evals")]
    NoCase,
}

/// Plans the iteration after those in `taken`, the names that stand in the workspace, with so many
/// `runs` of each case and configuration.
pub fn plan(
    evals: &EvalsRecord,
    configurations: &[String],
    runs: usize,
    taken: &[String],
) -> Result<Plan, PlanError> {
    check(evals, configurations, runs)?;
    let mut plan = Plan { name: next_name(taken), ..Plan::default() };
    let mut folders = CaseFolders::default();
    for (index, case) in evals.cases.iter().enumerate() {
        let folder = folders.give(case, index + 1);
        if *case != Case::default() {
            plan.files.push((format!("{folder}/eval_metadata.json"), metadata(case)));
        }
        for configuration in configurations {
            for run in 1..=runs {
                plan.folders.push(format!("{folder}/{configuration}/run-{run}/outputs"));
            }
        }
    }
    Ok(plan)
}

fn check(evals: &EvalsRecord, names: &[String], runs: usize) -> Result<(), PlanError> {
    let refused = names.iter().find_map(|name| naming::refuse_configuration(name));
    let refused = refused.or_else(|| {
        naming::twice(names).map(|name| format!("the configuration `{name}` is there twice"))
    });
    if let Some(message) = refused {
        return Err(PlanError::Usage(message));
    }
    if evals.cases.is_empty() {
        return Err(PlanError::NoCase);
    }
    let runs = evals.cases.len().saturating_mul(names.len()).saturating_mul(runs);
    if runs > MOST_RUNS {
        let message = format!("that would be {runs} runs; one iteration gets at most {MOST_RUNS}");
        return Err(PlanError::Usage(message));
    }
    Ok(())
}

/// `iteration-N` after the highest number there is, whatever follows it: `iteration-3b` counts as 3.
fn next_name(taken: &[String]) -> String {
    let numbers = taken.iter().filter_map(|name| names::iteration_number(name));
    format!("iteration-{}", u64::from(numbers.max().unwrap_or(0)) + 1)
}

/// One case as `eval_metadata.json` has it; what the evals do not say is left out.
#[derive(Serialize)]
struct MetadataJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    eval_id: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_output: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    files: &'a [String],
    assertions: Vec<ExpectationJson<'a>>,
}

/// The statement alone where there is nothing else.
#[derive(Serialize)]
#[serde(untagged)]
enum ExpectationJson<'a> {
    Statement(&'a str),
    Full {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        text: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        required: Option<bool>,
    },
}

impl<'a> ExpectationJson<'a> {
    fn new(planned: &'a PlannedExpectation) -> Self {
        let PlannedExpectation { id, text, description, required } = planned;
        if id.is_none() && description.is_none() && required.is_none() {
            return Self::Statement(text);
        }
        let (id, description) = (id.as_deref(), description.as_deref());
        Self::Full { id, text, description, required: *required }
    }
}

fn metadata(case: &Case) -> String {
    let shape = MetadataJson {
        eval_id: case.id.as_deref().map(id),
        eval_name: case.stated_name(),
        prompt: case.prompt.as_deref(),
        expected_output: case.expected_output.as_deref(),
        files: &case.files,
        assertions: case.planned.iter().map(ExpectationJson::new).collect(),
    };
    serde_json::to_string_pretty(&shape).unwrap_or_default() + "\n"
}

/// A number stays one, where it is written the same.
fn id(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => Value::from(number),
        _ => Value::from(text),
    }
}

/// The text of a `history.json` without a version, for the scored dialect.
pub fn empty_history() -> String {
    "{\n  \"versions\": [],\n  \"current_version\": null\n}\n".to_owned()
}

/// Whether the evals are of the scored dialect, which keeps a `history.json`: statements with a
/// label, of which some are required.
pub fn is_scored(evals: &EvalsRecord) -> bool {
    let mut all = evals.cases.iter().flat_map(|case| &case.planned);
    all.any(|expectation| expectation.required.is_some() && expectation.description.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_iteration_is_after_the_highest() {
        let next = |taken: &[&str]| {
            next_name(&taken.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(next(&[]), "iteration-1");
        assert_eq!(next(&["iteration-2", "iteration-10", "iteration-9"]), "iteration-11");
        assert_eq!(
            next(&["iteration-3b", "iter_7", "iteration-master", "notes-99"]),
            "iteration-8"
        );
        assert_eq!(next(&["iteration-99999999999999999999"]), "iteration-1");
    }

    #[test]
    fn too_much_is_refused() {
        let evals = EvalsRecord { cases: vec![Case::default(); 11], ..EvalsRecord::default() };
        let names = ["a".to_owned()];
        assert!(matches!(plan(&evals, &names, 1_000, &[]), Err(PlanError::Usage(_))));
        let none = EvalsRecord::default();
        assert_eq!(plan(&none, &names, 1_000, &[]), Err(PlanError::NoCase));
    }
}
