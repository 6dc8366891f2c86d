//! One execution of a case: its outputs, its costs, and whether its agent loaded the skill.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Expectation, Grading, Measured, Notes, Outcome, Reuse, Tally, fill};

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Output {
    /// Its name below the folder where it was found.
    pub name: String,
    /// Its path relative to the workspace.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The configuration of gradings that name none although their case has several. It is not compared
/// with anything.
// A `grading.json` in the folder of a case, next to the folders of both sides, occurs in public
// workspaces of people who grade by hand.
pub const UNASSIGNED: &str = "unassigned";

/// The configuration of runs that nothing names.
pub const UNNAMED: &str = "unnamed";

/// One execution of a case under one configuration.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Run {
    /// Its configuration, such as `with_skill`; [`UNASSIGNED`] where it may be any of several.
    pub configuration: String,
    /// Number of the run within case and configuration, from 1.
    pub number: u32,
    /// The run's folder relative to the workspace; the grading file if it has no folder.
    pub path: String,
    /// The gradings: the first is the run's own and gives its numbers, the others are second
    /// opinions. Empty if the run was not graded.
    // In 62 public runs one grading lies in the folder of the configuration and one in `run-1`.
    pub gradings: Vec<Grading>,
    /// What it cost, from all documents about it.
    pub metrics: Metrics,
    /// The files it produced, in natural order of their names.
    pub outputs: Vec<Output>,
    /// Its step-by-step record, if kept.
    pub transcript: Option<Output>,
    /// The executor's remarks, from `user_notes.md` and the like.
    #[serde(default)]
    pub notes: Notes,
    /// The run of an earlier iteration that is used again here.
    // Whoever changes the skill alone copies the baseline instead of paying for it again.
    pub reused_from: Option<String>,
    /// That its author says so: it was planned as a reused run, and lies only where it was made.
    #[serde(default)]
    pub reuse: Option<Box<Reuse>>,
    /// What it was measured on, as far as that is known.
    #[serde(skip)]
    pub measured: Measured,
    /// An error of the run or its grader, as reported in its files; `None` if there is none.
    pub error: Option<String>,
    /// Whether its agent loaded the skill, and what shows it.
    #[serde(default)]
    pub loading: Loading,
}

impl Run {
    /// The folder in which it was made, which is that of an earlier round for a reused run.
    pub fn origin(&self) -> &str {
        self.reuse.as_ref().map_or(&self.path, |reuse| &reuse.source)
    }

    /// The grading that gives the run's numbers.
    pub fn grading(&self) -> Option<&Grading> {
        self.gradings.first()
    }

    /// The expectations of that grading; empty if the run was not graded.
    pub fn expectations(&self) -> &[Expectation] {
        self.grading().map_or(&[], |grading| &grading.expectations)
    }

    /// The expectations whose verdicts count; empty also if the run was lost.
    pub fn counted_expectations(&self) -> &[Expectation] {
        if self.is_lost() { &[] } else { self.expectations() }
    }

    /// Whether it says that it broke, never ran, ran out of time or cheated, in whatever spelling, so that
    /// its verdicts measure nothing.
    // eval-magic grades every check of a run that never happened as failed. Tools that judge what a run
    // left until its time was over say so themselves: their adapters report no error.
    pub fn is_lost(&self) -> bool {
        self.error.is_some()
    }

    /// The tally of that grading; all zero when the run was not graded, or was lost.
    pub fn tally(&self) -> Tally {
        if self.is_lost() {
            return Tally::default();
        }
        self.grading().map(Grading::tally).unwrap_or_default()
    }

    /// Whether it finished and left only empty files. Its grader counts that as it likes.
    pub fn answered_nothing(&self) -> bool {
        self.error.is_none()
            && !self.outputs.is_empty()
            && self.outputs.iter().all(|output| output.bytes == 0 && !output.name.starts_with('.'))
    }

    /// Whether it succeeded: by its grading's overall verdict, else if nothing failed except
    /// optional expectations. A run without a verdict has not failed.
    // Harbor states a reward next to its tests: 10 of 10 passed tests with a reward of 0.533 occur.
    pub fn succeeds(&self) -> bool {
        match self.grading().and_then(|grading| grading.overall) {
            Some(Outcome::Passed) => true,
            Some(Outcome::Failed) => false,
            _ => !self.expectations().iter().any(Expectation::fails_run),
        }
    }

    /// Expectations without a verdict: left open by the grading, or planned and not in it.
    pub fn unjudged(&self) -> usize {
        self.grading().map_or(0, |grading| grading.tally().ungraded + grading.never_graded)
    }

    /// Whether its verdicts were read from a recorded benchmark.
    pub fn is_recorded(&self) -> bool {
        self.grading().is_some_and(|grading| grading.is_recorded)
    }

    /// Whether the grading that gives its numbers has at least one verdict.
    pub fn is_graded(&self) -> bool {
        self.tally().graded() > 0
    }
}

/// The cost of a run. The first figures are null if not recorded, the others are left out.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Metrics {
    /// Seconds in total; null if not recorded.
    pub duration_s: Option<f64>,
    /// Seconds of the executor alone; null likewise.
    pub executor_s: Option<f64>,
    /// Seconds of the grader alone; null likewise.
    pub grader_s: Option<f64>,
    /// All tokens of the run: the recorded total, else the sum of its recorded parts including
    /// cached ones; null likewise.
    pub tokens: Option<f64>,
    /// US dollars as recorded; null likewise.
    pub cost_usd: Option<f64>,
    /// The model that executed; null likewise.
    pub model: Option<String>,
    /// Tool calls in total; null likewise.
    pub tool_calls: Option<f64>,
    /// Errors encountered during the run; null likewise.
    pub errors: Option<f64>,
    /// Tokens read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<f64>,
    /// Tokens written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<f64>,
    /// Tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<f64>,
    /// Tokens written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_written_tokens: Option<f64>,
    /// Calls by tool name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tool_calls_by_name: BTreeMap<String, f64>,
    /// Steps or turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<f64>,
    /// Characters of the outputs, not to be taken for tokens.
    // The aggregator of the skill-creator writes them as tokens of runs without a `timing.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_chars: Option<f64>,
    /// What is noted beside the figures.
    #[serde(skip)]
    pub note: Option<String>,
    /// Characters of the transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_chars: Option<f64>,
    /// Names of the files that the executor claims to have made.
    // The executor of the skill-creator lists them in `metrics.json`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_created: Vec<String>,
    /// When it began, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// When it ended, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

impl Metrics {
    /// Takes from `other` every figure that is absent here.
    pub fn fill_from(&mut self, other: &Self) {
        fill(&mut self.duration_s, &other.duration_s);
        fill(&mut self.executor_s, &other.executor_s);
        fill(&mut self.grader_s, &other.grader_s);
        fill(&mut self.started, &other.started);
        fill(&mut self.ended, &other.ended);
        fill(&mut self.tokens, &other.tokens);
        fill(&mut self.input_tokens, &other.input_tokens);
        fill(&mut self.output_tokens, &other.output_tokens);
        fill(&mut self.cached_tokens, &other.cached_tokens);
        fill(&mut self.cache_written_tokens, &other.cache_written_tokens);
        fill(&mut self.cost_usd, &other.cost_usd);
        fill(&mut self.model, &other.model);
        fill(&mut self.tool_calls, &other.tool_calls);
        fill(&mut self.steps, &other.steps);
        fill(&mut self.errors, &other.errors);
        fill(&mut self.output_chars, &other.output_chars);
        fill(&mut self.note, &other.note);
        fill(&mut self.transcript_chars, &other.transcript_chars);
        fill(&mut self.tool_calls_by_name, &other.tool_calls_by_name);
        fill(&mut self.files_created, &other.files_created);
    }

    /// Whether no figure at all was recorded.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether the agent of a run had the skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadingState {
    /// A record of the run shows that the skill was loaded.
    Loaded,
    /// A complete record of the run shows no sign of it.
    NotLoaded,
    /// The prompt contains the skill, so there was nothing to load.
    Given,
    /// There is no record, or it is inconclusive.
    #[default]
    Unknown,
}

/// What the records of a run say about the skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Loading {
    /// Whether it was loaded: `loaded`, `not_loaded`, `given` or `unknown`.
    #[schemars(with = "String")]
    pub state: LoadingState,
    /// The file that shows it, relative to the workspace; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of that file, from 1; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The call, event or field that shows it; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Whether a person loaded it with a command of their own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_user: bool,
    /// Whether a script of the skill ran; that alone does not show that the skill was read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub used: bool,
    /// Whether it was loaded and no tool was called afterwards.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
    /// Other skills that were loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_skills: Vec<String>,
    /// Files of the skill that it opened or ran, relative to the skill, in lower case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<String>,
    /// Names of the scripts that it wrote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// Whether the first message to its agent ends in `...`.
    #[serde(skip)]
    pub is_prompt_cut: bool,
    /// The file and line that show that the run had the checks by which it is graded; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_key: Option<(String, usize)>,
    /// Whether a document lists them among what the run was given; else its agent read them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_given_checks: bool,
}

impl Loading {
    /// Whether the records say nothing of the skill.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the agent had the skill, loaded or given; `None` if unknown.
    pub fn had_skill(&self) -> Option<bool> {
        match self.state {
            LoadingState::Loaded | LoadingState::Given => Some(true),
            LoadingState::NotLoaded => Some(false),
            LoadingState::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::gradings::{GradingBuilder, verdicts};

    impl From<GradingBuilder> for Grading {
        fn from(built: GradingBuilder) -> Self {
            let expectations = built.checks.into_iter().map(|check| Expectation {
                text: check.text,
                outcome: Outcome::from(check.passed),
                evidence: check.evidence,
                ..Expectation::default()
            });
            let expectations = expectations.collect();
            Self { grader: built.grader, expectations, ..Self::default() }
        }
    }

    fn run(gradings: impl IntoIterator<Item = GradingBuilder>) -> Run {
        Run { gradings: gradings.into_iter().map(Grading::from).collect(), ..Run::default() }
    }

    #[test]
    fn the_expectations_of_a_run_are_those_of_its_own_grading() {
        let run = run([verdicts("pp"), verdicts("f")]);
        assert_eq!(run.expectations().len(), 2);
        assert!(Run::default().expectations().is_empty());
    }

    #[test]
    fn a_run_fails_by_its_overall_verdict_else_by_required_expectations() {
        let table = [
            ("pf", [Some(true), Some(false)], None, true),
            ("pf", [Some(true), Some(true)], None, false),
            ("pf", [None, None], None, false),
            ("pf", [Some(true), Some(false)], Some(Outcome::Failed), false),
            ("pf", [None, None], Some(Outcome::Passed), true),
            ("pf", [Some(true), Some(false)], Some(Outcome::Ungraded), true),
        ];
        for (letters, required, overall, expected) in table {
            let mut run = run([verdicts(letters)]);
            let grading = &mut run.gradings[0];
            grading.overall = overall;
            for (expectation, required) in grading.expectations.iter_mut().zip(required) {
                expectation.required = required;
            }
            assert_eq!(run.succeeds(), expected, "{letters} {required:?} {overall:?}");
        }
    }
}
