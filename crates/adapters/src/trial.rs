//! What an adapter makes of its files: runs with their checks and figures.

use serde_json::{Map, Value, json};

use crate::files::Files;
use crate::values::{flag, list, number, text};
use input::names;

/// The results in one file of a tool.
#[derive(Default)]
pub(super) struct Results {
    pub(super) skill: Option<String>,
    /// The version of the tool, if the file says it.
    pub(super) version: Option<String>,
    pub(super) round: Round,
    pub(super) trials: Vec<Trial>,
    /// How the skill triggered: a document as `trigger-results.json` is.
    pub(super) triggers: Option<Value>,
    /// Files and folders that hold these results or say them again.
    pub(super) consumed: Vec<String>,
}

/// What becomes an iteration. Results of one tool with the same round are one iteration.
#[derive(Clone, Default)]
pub(super) struct Round {
    /// The folder in which the iteration lies; the one above all results if the tool has none.
    pub(super) folder: Option<String>,
    /// What it is called.
    pub(super) name: String,
    /// When it ran, as text that sorts by time; empty if unknown.
    pub(super) time: String,
    /// Whether the results say what belongs to it, so that another round is never a part of it.
    pub(super) is_whole: bool,
}

impl Round {
    /// That of a tool which writes a file for each evaluation of a skill, where files of several skills
    /// may lie in one folder.
    pub(super) fn of_file(path: &str, skill: Option<&str>, time: Option<String>) -> Self {
        Self {
            folder: skill.map(|skill| names::join(names::folder(path), &skill.replace('/', "-"))),
            name: path.to_owned(),
            time: time.unwrap_or_default(),
            is_whole: false,
        }
    }

    /// The iteration that the tool has in `folder`.
    pub(super) fn in_folder(folder: &str, time: Option<String>) -> Self {
        Self {
            folder: Some(names::folder(folder).to_owned()),
            name: names::file_name(folder).to_owned(),
            time: time.unwrap_or_default(),
            is_whole: false,
        }
    }
}

/// One run of a case.
#[derive(Default)]
pub(super) struct Trial {
    pub(super) case: String,
    pub(super) prompt: Option<String>,
    /// Its configuration: `with_skill`, `without_skill` or the tool's own name.
    pub(super) side: String,
    /// The agent or model, which becomes part of the side where there are several.
    pub(super) variant: Option<String>,
    /// Where it is in its file, such as `samples[3]` or `row 4`; empty where it has files of its own.
    pub(super) place: String,
    /// Its number from 1; in the order of the results if the tool gives none.
    pub(super) number: Option<u32>,
    pub(super) checks: Vec<Check>,
    /// The tool's verdict on the whole run.
    pub(super) overall: Option<bool>,
    /// Why there is no result: the run or its grader broke.
    pub(super) error: Option<String>,
    pub(super) remarks: Vec<String>,
    pub(super) figures: Figures,
    /// Whether the tool saw that the skill was loaded.
    pub(super) loaded: Option<bool>,
    pub(super) answer: Option<String>,
    /// A comparison of its case with another side: a document as `comparison.json` is.
    pub(super) comparison: Option<Value>,
    /// Names below the run's folder, and the real files that are shown by them.
    pub(super) shown: Vec<(String, String)>,
}

#[derive(Default)]
pub(super) struct Check {
    pub(super) id: Option<String>,
    pub(super) text: String,
    /// `None` if it was not judged.
    pub(super) passed: Option<bool>,
    /// Whether the run fails if it fails; `None` if the tool does not say.
    pub(super) required: Option<bool>,
    pub(super) evidence: Option<String>,
    /// Whether the tool says that the grader broke and counts the check as failed all the same.
    pub(super) is_grader_failure: bool,
}

/// Figures of a run as the tool gives them; 0 stands for unknown in most of them.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) seconds: Option<f64>,
    pub(super) tokens: Option<f64>,
    pub(super) input_tokens: Option<f64>,
    pub(super) output_tokens: Option<f64>,
    /// Tokens read from a cache, which `tokens` has and `input_tokens` has not.
    pub(super) cached_tokens: Option<f64>,
    pub(super) cost_usd: Option<f64>,
    pub(super) tool_calls: Option<f64>,
    pub(super) model: Option<String>,
    pub(super) started: Option<String>,
}

impl Check {
    pub(super) fn new(text: String, passed: Option<bool>, evidence: Option<String>) -> Self {
        Self { text, passed, evidence, ..Self::default() }
    }

    /// A check that has a score as well, which says something if it is neither 0 nor 1.
    pub(super) fn scored(
        text: String,
        passed: Option<bool>,
        score: Option<f64>,
        reason: Option<String>,
    ) -> Self {
        let score = score.filter(|score| *score > 0.0 && *score < 1.0);
        let evidence = match (score, reason) {
            (Some(score), Some(reason)) => Some(format!("score {score}: {reason}")),
            (Some(score), None) => Some(format!("score {score}")),
            (None, reason) => reason,
        };
        Self::new(text, passed, evidence)
    }

    /// A check as agentskills.io writes it, which several tools follow.
    pub(super) fn from_agentskills(item: &Value) -> Option<Self> {
        // What was skipped is written as not passed.
        let is_skipped = flag(item, "skipped") == Some(true);
        let passed = if is_skipped { None } else { flag(item, "passed") };
        Some(Self::new(text(item, "text")?, passed, text(item, "evidence")))
    }
}

impl Figures {
    /// Tokens in and out, and their sum if both are known.
    pub(super) fn of_tokens(input: Option<f64>, output: Option<f64>) -> Self {
        let tokens = input.zip(output).map(|(input, output)| input + output);
        Self { tokens, input_tokens: input, output_tokens: output, ..Self::default() }
    }

    /// Those of a `timing.json` as agentskills.io writes it.
    pub(super) fn from_agentskills(timing: &Value) -> Self {
        Self {
            seconds: seconds(timing, "duration_ms"),
            tokens: number(timing, "total_tokens"),
            input_tokens: number(timing, "input_tokens"),
            output_tokens: number(timing, "output_tokens"),
            cost_usd: number(timing, "cost_usd"),
            ..Self::default()
        }
    }
}

/// A number of milliseconds, as seconds.
pub(super) fn seconds(value: &Value, path: &str) -> Option<f64> {
    number(value, path).map(|milliseconds| milliseconds / 1000.0)
}

impl Trial {
    /// The run in the folder `run`, where `grading.json`, `timing.json` and outputs lie as
    /// agentskills.io puts them. Files that `is_read` accepts are not shown. Returns the timing too.
    pub(super) fn from_agentskills(
        files: &Files<'_>,
        run: &str,
        is_read: impl Fn(&str) -> bool,
    ) -> (Self, Value) {
        // Without a grading, the run is still there, ungraded.
        let grading = files.json(&format!("{run}/grading.json")).unwrap_or_default();
        let timing = files.json(&format!("{run}/timing.json")).unwrap_or_default();
        let checks = list(&grading, "assertion_results").iter();
        let trial = Self {
            checks: checks.filter_map(Check::from_agentskills).collect(),
            figures: Figures::from_agentskills(&timing),
            shown: files.shown_below(run, |name| {
                matches!(name, "grading.json" | "timing.json") || is_read(name)
            }),
            ..Self::default()
        };
        (trial, timing)
    }

    /// Its `grading.json`.
    pub(super) fn grading(&self) -> Value {
        let mut checks = Vec::new();
        for check in &self.checks {
            let mut item = Map::new();
            insert(&mut item, "id", &check.id);
            item.insert("text".to_owned(), json!(check.text));
            // What was judged in a run that broke says nothing on the skill.
            let passed = if self.error.is_some() { None } else { check.passed };
            item.insert("passed".to_owned(), json!(passed));
            insert(&mut item, "required", &check.required);
            insert(&mut item, "evidence", &check.evidence);
            if check.is_grader_failure {
                item.insert("grader_failed".to_owned(), json!(true));
            }
            checks.push(Value::Object(item));
        }
        let mut grading = Map::new();
        grading.insert("expectations".to_owned(), Value::Array(checks));
        if self.error.is_none() {
            let word = self.overall.map(|passed| if passed { "PASS" } else { "FAIL" });
            insert(&mut grading, "overall", &word);
        }
        insert(&mut grading, "error", &self.error);
        if !self.remarks.is_empty() {
            grading.insert("user_notes_summary".to_owned(), json!({"uncertainties": self.remarks}));
        }
        Value::Object(grading)
    }

    /// Its `timing.json`; `None` if nothing was measured.
    pub(super) fn timing(&self) -> Option<Value> {
        let figures = &self.figures;
        let mut timing = Map::new();
        insert(&mut timing, "total_duration_seconds", &figures.seconds);
        insert(&mut timing, "total_tokens", &figures.tokens);
        insert(&mut timing, "input_tokens", &figures.input_tokens);
        insert(&mut timing, "output_tokens", &figures.output_tokens);
        insert(&mut timing, "cached_input_tokens", &figures.cached_tokens);
        insert(&mut timing, "cost_usd", &figures.cost_usd);
        insert(&mut timing, "total_tool_calls", &figures.tool_calls);
        insert(&mut timing, "model", &figures.model);
        insert(&mut timing, "started_at", &figures.started);
        insert(&mut timing, "skill_invoked", &self.loaded);
        if self.checks.is_empty() {
            insert(&mut timing, "error", &self.error);
        }
        if timing.is_empty() { None } else { Some(Value::Object(timing)) }
    }
}

fn insert<T: serde::Serialize>(object: &mut Map<String, Value>, key: &str, value: &Option<T>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), json!(value));
    }
}
