//! The next iteration: a folder per case, configuration and run, ready for work.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use crate::scaffold::run_folders::{RunFolders, renumbered};
use input::discover::iteration_order;
use input::model::{Case, PlannedExpectation};
use input::names;
use text::{Slugs, is_device};
use workspace::read::EvalsRecord;

/// The most run folders of one iteration: more are a slip of a key, not a plan.
pub const MAX_RUNS: usize = 10_000;

/// The files to make, with paths below the iteration and `/` between names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScaffoldPlan {
    pub name: String,
    pub files: Vec<(String, String)>,
    pub folders: Vec<String>,
    pub runs: Vec<PlannedRun>,
}

/// A run of the next iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedRun {
    /// The index of its case in the evals.
    pub case: usize,
    /// The folder of its case.
    pub case_folder: String,
    pub configuration: String,
    /// From 1.
    pub number: u32,
    /// Its own folder below the iteration.
    pub folder: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("{0}")]
    Usage(String),
    #[error("there is no case in the evals")]
    NoCase,
}

/// Plans the iteration after those in `taken`, the names in the workspace. A case of the `newest` one
/// keeps its folder, and folders of runs are spelled as there. What each run gets is for
/// [`crate::scaffold::reuse`] to say.
pub fn plan(
    evals: &EvalsRecord,
    configurations: &[String],
    runs: usize,
    taken: &[String],
    newest: &RunFolders,
) -> Result<ScaffoldPlan, PlanError> {
    check(evals, configurations, runs)?;
    let mut plan = ScaffoldPlan { name: next_name(taken), ..ScaffoldPlan::default() };
    let mut slugs = Slugs::default();
    let mut folders = BTreeSet::new();
    for (index, case) in evals.cases.iter().enumerate() {
        let mut folder = match earlier_folder(case, &newest.cases) {
            Some(folder) => folder.to_owned(),
            None => case_folder(&mut slugs, case, index + 1),
        };
        // An eval that was added since may be called like an earlier one.
        while !folders.insert(folder.to_lowercase()) {
            folder = slugs.give(&folder);
        }
        // An eval that says nothing has nothing to tell a grader.
        if *case != Case::default() {
            plan.files.push((format!("{folder}/eval_metadata.json"), metadata(case)));
        }
        for configuration in configurations {
            for run in 1..=runs {
                plan.runs.push(PlannedRun {
                    case: index,
                    case_folder: folder.clone(),
                    configuration: configuration.clone(),
                    number: u32::try_from(run).unwrap_or(u32::MAX),
                    folder: names::join(
                        &format!("{folder}/{configuration}"),
                        &newest.run_folder(run, runs),
                    ),
                });
            }
        }
    }
    Ok(plan)
}

/// The folder that a case had in an earlier iteration, where its id or else its name or prompt is the
/// same: a renamed folder would be taken for another case.
fn earlier_folder<'c>(case: &Case, earlier: &'c [Case]) -> Option<&'c str> {
    let known = earlier.iter().find(|known| case.is_same_as(known))?;
    let folder = names::file_name(&known.folder);
    if folder.is_empty() { None } else { Some(folder) }
}

fn check(evals: &EvalsRecord, configurations: &[String], runs: usize) -> Result<(), PlanError> {
    let mut seen = BTreeSet::new();
    for name in configurations {
        check_configuration(name).map_err(PlanError::Usage)?;
        // Folders on Windows and macOS do not differ by case alone.
        if !seen.insert(name.to_lowercase()) {
            let message = format!("the configuration `{name}` is there twice");
            return Err(PlanError::Usage(message));
        }
    }
    if evals.cases.is_empty() {
        return Err(PlanError::NoCase);
    }
    let runs = evals.cases.len().saturating_mul(configurations.len()).saturating_mul(runs);
    if runs > MAX_RUNS {
        let message = format!("that would be {runs} runs; one iteration gets at most {MAX_RUNS}");
        return Err(PlanError::Usage(message));
    }
    Ok(())
}

/// Fails for a name that is not a folder on every system, or that `discover` would take for
/// something else.
fn check_configuration(name: &str) -> Result<(), String> {
    /// Paths on Windows may have 260 characters, and names of cases and outputs need theirs.
    const LONGEST: usize = 60;
    if name.is_empty() {
        return Err("a configuration has no name".to_owned());
    }
    if name.len() > LONGEST {
        return Err(format!("a configuration's name has more than {LONGEST} characters"));
    }
    if !name.chars().all(is_plain) || name.starts_with(['.', '-']) || name.ends_with('.') {
        let plain = name.replace(|c| !is_plain(c), "_");
        let plain = plain.trim_matches(['.', '-', '_']);
        let example = if plain.is_empty() { String::new() } else { format!(": `{plain}`") };
        let rule = "use letters, digits, `_`, `-` and `.`";
        return Err(format!("`{name}` is not a folder name on every system; {rule}{example}"));
    }
    if is_device(name) {
        return Err(format!("`{name}` is a device on Windows"));
    }
    if has_a_meaning(name) {
        return Err(format!("a folder called `{name}` is not read as a configuration"));
    }
    Ok(())
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Whether `discover` takes a folder of this name for something other than a case or configuration.
fn has_a_meaning(name: &str) -> bool {
    names::is_never_entered(name)
        || names::is_container(name)
        || names::is_output_folder(name)
        || names::is_iteration(name)
        || names::is_snapshot(name)
        || names::is_plural_of_run(name)
        || names::is_timestamp(name)
        || names::run_number(name).is_some()
        || names::version_number(name).is_some()
}

/// The name of the iteration with the highest number, else of the round.
pub fn newest_name(taken: &[String]) -> Option<&String> {
    let iterations = taken.iter().filter(|name| names::iteration_number(name).is_some());
    let rounds = taken.iter().filter(|name| names::round_number(name).is_some());
    let newest = iterations.max_by(|a, b| iteration_order(a, b));
    newest.or_else(|| rounds.max_by_key(|name| names::round_number(name)))
}

/// The name after the highest existing number, spelled like the newest one: `Iteration 4` after
/// `Iteration 3b`. `iteration-3` and `round-3` both count as 3. The first one continues the versions
/// of the skill.
pub fn next_name(taken: &[String]) -> String {
    let rounds = taken
        .iter()
        .filter_map(|name| names::iteration_number(name).or_else(|| names::round_number(name)));
    let versions = taken.iter().filter_map(|name| names::version_number(name));
    let last = rounds.max().or_else(|| versions.max()).unwrap_or(0);
    renumbered(newest_name(taken).map_or("iteration-1", String::as_str), u64::from(last) + 1)
}

/// The folder of the case at `position`, from 1: its name, else its id, else its position.
fn case_folder(slugs: &mut Slugs, case: &Case, position: usize) -> String {
    let name = match (case.stated_name(), case.id.as_deref()) {
        (Some(name), _) => name.to_owned(),
        // A bare number is too vague.
        (None, Some(id)) if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("eval-{id}")
        }
        (None, Some(id)) => id.to_owned(),
        (None, None) => format!("eval-{position}"),
    };
    let mut folder = plain_name(&name);
    if !name.is_ascii() {
        folder = name;
    } else if has_a_meaning(&folder) || names::is_configuration(&folder) || is_device(&folder) {
        folder = format!("eval-{folder}");
    }
    // `eval-3-with-skill` would be read as the case `eval-3` under `with-skill`.
    if names::split_configuration_suffix(&folder).is_some() {
        folder += "-case";
    }
    slugs.give(&folder)
}

/// Lower case, with hyphens for everything except letters, digits and underscores.
fn plain_name(name: &str) -> String {
    let words = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").trim_start_matches('_').to_lowercase()
}

/// One case in the format of `eval_metadata.json`; missing fields are left out.
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

#[derive(Serialize)]
#[serde(untagged)]
enum ExpectationJson<'a> {
    Statement(&'a str),
    Full(&'a PlannedExpectation),
}

fn metadata(case: &Case) -> String {
    let metadata = MetadataJson {
        eval_id: case.id.as_deref().map(eval_id),
        eval_name: case.stated_name(),
        prompt: case.prompt.as_deref(),
        expected_output: case.expected_output.as_deref(),
        files: &case.files,
        assertions: case.planned.iter().map(assertion).collect(),
    };
    serde_json::to_string_pretty(&metadata).unwrap_or_default() + "\n"
}

/// A number stays one if it is written the same.
fn eval_id(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => Value::from(number),
        _ => Value::from(text),
    }
}

fn assertion(planned: &PlannedExpectation) -> ExpectationJson<'_> {
    match planned {
        PlannedExpectation { id: None, text, description: None, required: None, avoid: false } => {
            ExpectationJson::Statement(text)
        }
        planned => ExpectationJson::Full(planned),
    }
}

/// Whether evals are of the scored dialect, which keeps a `history.json`: its statements have a label,
/// and some are required.
pub fn is_scored(evals: &EvalsRecord) -> bool {
    let mut all = evals.cases.iter().flat_map(|case| &case.planned);
    all.any(|expectation| expectation.required.is_some() && expectation.description.is_some())
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_iteration_is_after_the_highest() {
        let table = [
            ("", "iteration-1"),
            ("iteration-2, iteration-10, iteration-9", "iteration-11"),
            ("iteration-3b, iter_7, iteration-master, notes-99", "iter_8"),
            ("Iteration 1, Iteration 2b", "Iteration 3"),
            ("iteration-08, iteration-09", "iteration-10"),
            ("round-1, round-2", "round-3"),
            ("iteration-99999999999999999999", "iteration-1"),
            ("round-4, iteration-2, v9", "iteration-5"),
            ("v0, v1, v2", "iteration-3"),
        ];
        for (taken, next) in table {
            let taken: Vec<String> = taken.split(", ").map(str::to_owned).collect();
            assert_eq!(next_name(&taken), next);
        }
    }

    #[test]
    fn too_much_is_refused() {
        let evals = EvalsRecord { cases: vec![Case::default(); 11], ..EvalsRecord::default() };
        let names = ["a".to_owned()];
        let newest = RunFolders::default();
        assert!(matches!(plan(&evals, &names, 1_000, &[], &newest), Err(PlanError::Usage(_))));
        let none = EvalsRecord::default();
        assert_eq!(plan(&none, &names, 1_000, &[], &newest), Err(PlanError::NoCase));
    }

    fn named(name: &str) -> Case {
        Case { name: name.to_owned(), ..Case::default() }
    }

    #[test]
    fn folders_of_cases_have_safe_and_telling_names() {
        let mut slugs = Slugs::default();
        let table = [
            ("Board slides", "board-slides"),
            ("../../etc/passwd", "etc-passwd"),
            ("CON", "eval-con"),
            ("com1", "eval-com1"),
            ("runs", "eval-runs"),
            ("run-3", "eval-run-3"),
            ("iteration-2", "eval-iteration-2"),
            ("with_skill", "eval-with_skill-case"),
            ("old baseline", "eval-old-baseline-case"),
            ("run-test-audit", "run-test-audit"),
        ];
        for (name, folder) in table {
            assert_eq!(case_folder(&mut slugs, &named(name), 1), folder);
        }
        assert_ne!(case_folder(&mut slugs, &named("board  slides"), 1), "board-slides");
        for name in ["會議", "", "...", &"long ".repeat(100)] {
            let folder = case_folder(&mut slugs, &named(name), 1);
            assert!(!folder.is_empty() && folder.len() < 60 && folder.is_ascii(), "{folder}");
        }
    }

    #[test]
    fn a_case_without_a_name_is_called_by_its_id() {
        let mut slugs = Slugs::default();
        for (id, folder) in [(Some("3"), "eval-3"), (Some("case-01"), "case-01"), (None, "eval-7")]
        {
            let case = Case { id: id.map(str::to_owned), ..Case::default() };
            assert_eq!(case_folder(&mut slugs, &case, 7), folder);
        }
    }

    #[test]
    fn configurations_must_be_read_as_such() {
        for name in ["with_skill", "old-skill", "model.2"] {
            assert_eq!(check_configuration(name), Ok(()), "{name}");
        }
        for name in ["", "../x", "a b", "CON", "nul.txt", "run-1", "outputs", ".git", "v2", "é"] {
            assert!(check_configuration(name).is_err(), "{name}");
        }
    }
}
