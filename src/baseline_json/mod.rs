//! `baseline.json`: the outcomes of one iteration in a file small enough to commit.
//!
//! It has what a comparison needs and nothing else: no prompt, evidence or output. Prompts, plans and
//! the skill are there as digests, which say that something changed and not what. [`Baseline::new`]
//! makes the file, [`Baseline::read`] reads it, and [`Baseline::bind`] gives an iteration back.

mod bind;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report_json::ReadError;
use input::model::{Case, Iteration, LoadingState, Outcome, Run};
use text::{folded, is_cut_off};

/// Version of the file, increased when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The outcomes of one iteration.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Baseline {
    /// Version of this schema, increased when a field changes its meaning.
    pub baseline_version: u32,
    /// The skill under test; left out where nothing names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// Digest of the copy of the skill that belongs to the iteration; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_digest: Option<String>,
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration that the others are compared against; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared_against: Option<String>,
    /// Models that a benchmark records for runs that name none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub models: Vec<String>,
    /// The cases in natural order.
    pub cases: Vec<BaselineCase>,
}

/// One case.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct BaselineCase {
    /// Its name.
    pub case: String,
    /// The author's id of it; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the skill should be loaded for it, if the author says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub should_load: Option<bool>,
    /// Digest of its prompt without regard to case and white space; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Digest of its planned checks; left out if none are planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Its sides in the order of the runs.
    pub sides: Vec<BaselineSide>,
    /// Its checks, sorted by text.
    pub checks: Vec<BaselineCheck>,
}

/// The runs of a case on one side. Each list has a value for each run; one value alone applies to
/// all of them.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct BaselineSide {
    /// The configuration.
    pub side: String,
    /// The numbers of its runs, from 1.
    pub runs: Vec<u32>,
    /// Seconds; null where not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub time_s: Vec<Option<f64>>,
    /// Tokens; null where not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub tokens: Vec<Option<f64>>,
    /// What else became of a run: `error` if it broke, `stopped` at a limit, `not_loaded` without the
    /// skill; else null.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub states: Vec<Option<RunState>>,
    /// The models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub models: Vec<Option<String>>,
    /// The graders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub graders: Vec<Option<String>>,
    /// How many planned checks the grading of a run lacks; null where it has all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub never_graded: Vec<Option<usize>>,
    /// Whether the file of a grading breaks off, so that it may lack verdicts; else null.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub cut_off: Vec<Option<bool>>,
}

/// What became of a run besides its verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Its runner says that it broke, so its verdicts count for nothing.
    Error,
    /// It reported another error, such as a time limit.
    Stopped,
    /// Its record shows that the skill was not loaded.
    NotLoaded,
}

/// One check of a case.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct BaselineCheck {
    /// The statement that was checked.
    pub check: String,
    /// The id of it; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// By side, a letter for each run: `p` passed, `f` failed, `u` ungraded, `-` not checked.
    pub runs: BTreeMap<String, String>,
    /// By side, the scores from 1 to 5 of the runs; left out where there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(!default)]
    pub scores: BTreeMap<String, Vec<Option<f64>>>,
}

impl Baseline {
    /// The outcomes of `iteration`.
    pub fn new(iteration: &Iteration) -> Self {
        let mut models = Vec::new();
        for benchmark in &iteration.benchmarks {
            models.extend(benchmark.executor_model.clone());
        }
        Self {
            baseline_version: VERSION,
            skill: None,
            skill_digest: None,
            iteration: iteration.name.clone(),
            compared_against: None,
            models,
            cases: iteration.cases.iter().map(BaselineCase::new).collect(),
        }
    }

    /// The number of its checks, each counted once for each case.
    pub fn checks(&self) -> usize {
        self.cases.iter().map(|case| case.checks.len()).sum()
    }

    /// Reads a file; `None` if it is none.
    ///
    /// # Errors
    /// It has another version, or is not complete.
    pub fn read(text: &str) -> Option<Result<Self, ReadError>> {
        #[derive(Deserialize)]
        struct Head {
            baseline_version: u64,
        }
        let head: Head = serde_json::from_str(text).ok()?;
        if head.baseline_version != u64::from(VERSION) {
            let message = format!(
                "the baseline has version {}; this program reads {VERSION}",
                head.baseline_version
            );
            return Some(Err(ReadError { line: 1, column: 1, message }));
        }
        Some(serde_json::from_str(text).map_err(|error| ReadError {
            line: error.line(),
            column: error.column(),
            message: error.to_string(),
        }))
    }

    /// The file, with one line for each check, so that a reviewer can read what changed in it.
    pub fn text(&self) -> String {
        let mut head = self.clone();
        head.cases.clear();
        let mut text = json_line(&head);
        // What is left ends in `"cases":[]}`.
        text.truncate(text.len() - "]}".len());
        for (at, case) in self.cases.iter().enumerate() {
            text += if at == 0 { "\n" } else { ",\n" };
            let mut head = case.clone();
            (head.sides, head.checks) = (Vec::new(), Vec::new());
            let line = json_line(&head);
            text += line.trim_end_matches(r#""sides":[],"checks":[]}"#);
            text += r#""sides":["#;
            push_lines(&mut text, &case.sides);
            text += r#"],"checks":["#;
            push_lines(&mut text, &case.checks);
            text += "]}";
        }
        text + "\n]}\n"
    }
}

fn push_lines<T: Serialize>(text: &mut String, values: &[T]) {
    for (at, value) in values.iter().enumerate() {
        *text += if at == 0 { "\n " } else { ",\n " };
        *text += &json_line(value);
    }
}

fn json_line<T: Serialize>(value: &T) -> String {
    // Texts, numbers and lists of them are always written.
    serde_json::to_string(value).unwrap_or_default()
}

impl BaselineCase {
    fn new(case: &Case) -> Self {
        let mut sides: Vec<BaselineSide> = Vec::new();
        let mut checks: BTreeMap<(String, Option<String>, usize), BaselineCheck> = BTreeMap::new();
        for run in &case.runs {
            // All runs of a side are taken with its first one.
            if sides.iter().any(|side| side.side == run.configuration) {
                continue;
            }
            let runs: Vec<&Run> = case.runs_of(&run.configuration).collect();
            for (at, run) in runs.iter().enumerate() {
                // A grader may list a check twice in one run, and both verdicts count.
                let mut met: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
                for found in run.expectations() {
                    let times = met.entry((&found.text, found.id.as_deref())).or_default();
                    let key = (found.text.clone(), found.id.clone(), *times);
                    *times += 1;
                    let check = checks.entry(key).or_insert_with(|| BaselineCheck {
                        check: found.text.clone(),
                        id: found.id.clone(),
                        ..BaselineCheck::default()
                    });
                    let side = &run.configuration;
                    let letters = check.runs.entry(side.clone());
                    let letters = letters.or_insert_with(|| "-".repeat(runs.len()));
                    letters.replace_range(at..=at, letter(found.outcome));
                    let is_scored = run.grading().is_some_and(|grading| grading.is_scored);
                    if is_scored && found.score.is_some() {
                        let scores = check.scores.entry(side.clone());
                        scores.or_insert_with(|| vec![None; runs.len()])[at] = found.score;
                    }
                }
            }
            sides.push(BaselineSide::new(&run.configuration, &runs));
        }
        Self {
            case: case.name.clone(),
            id: case.id.clone(),
            should_load: case.should_load,
            prompt: prompt_digest(case),
            plan: plan_digest(case),
            sides,
            checks: checks.into_values().collect(),
        }
    }
}

impl BaselineSide {
    fn new(side: &str, runs: &[&Run]) -> Self {
        Self {
            side: side.to_owned(),
            runs: runs.iter().map(|run| run.number).collect(),
            time_s: short_list(runs.iter().map(|run| run.metrics.duration_s)),
            tokens: short_list(runs.iter().map(|run| run.metrics.tokens)),
            states: short_list(runs.iter().map(|run| state(run))),
            models: short_list(runs.iter().map(|run| run.metrics.model.clone())),
            graders: short_list(runs.iter().map(|run| run.grading()?.grader.clone())),
            never_graded: short_list(
                runs.iter()
                    .map(|run| Some(run.grading()?.never_graded).filter(|missing| *missing > 0)),
            ),
            cut_off: short_list(
                runs.iter()
                    .map(|run| Some(run.grading()?.is_cut_off).filter(|is_cut_off| *is_cut_off)),
            ),
        }
    }
}

fn letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "p",
        Outcome::Failed => "f",
        Outcome::Ungraded => "u",
    }
}

fn state(run: &Run) -> Option<RunState> {
    if run.is_lost() {
        Some(RunState::Error)
    } else if run.error.is_some() {
        Some(RunState::Stopped)
    } else if run.loading.state == LoadingState::NotLoaded {
        Some(RunState::NotLoaded)
    } else {
        None
    }
}

/// The values of all runs: none if no run has one, one if all are equal.
fn short_list<T: PartialEq>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let mut values: Vec<Option<T>> = values.collect();
    if values.iter().all(Option::is_none) {
        values.clear();
    } else if values.iter().all(|value| *value == values[0]) {
        // Most rounds have one model and one grader throughout.
        values.truncate(1);
    }
    values
}

/// Digest of a prompt; `None` without one, and of the beginning of one, which may be that of others.
fn prompt_digest(case: &Case) -> Option<String> {
    let prompt = folded(case.prompt.as_deref()?);
    if is_cut_off(&prompt) { None } else { Some(digest([prompt.as_bytes()])) }
}

fn plan_digest(case: &Case) -> Option<String> {
    if case.planned.is_empty() {
        return None;
    }
    let mut texts = Vec::new();
    for planned in &case.planned {
        texts.push(planned.id.as_deref().unwrap_or_default().as_bytes());
        texts.push(planned.text.as_bytes());
    }
    Some(digest(texts))
}

/// The first 16 hexadecimal digits of BLAKE3 over `parts`, each with its length before it.
pub fn digest<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
