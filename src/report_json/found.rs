//! What was found in the texts of the files: evidence, edits of the skill, what is made again.

use schemars::JsonSchema;
use serde::Serialize;

/// What graders quote as evidence, held against the files of the runs.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct EvidenceJson {
    /// Where the quotations of each grader are.
    pub graders: Vec<QuotationsJson>,
    /// The checks with quotations that are nowhere, those that passed first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingJson>,
    /// The checks that passed for one run and failed for another with the same outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inconsistent: Vec<InconsistentJson>,
}

/// How many quotations of a grader are where.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct QuotationsJson {
    /// Who graded; null where nobody says.
    pub grader: Option<String>,
    /// In the files of their runs, word by word.
    pub exact: usize,
    /// There with some other words.
    pub close: usize,
    /// In the prompt, the checks, the skill, or another run of the case.
    pub elsewhere: usize,
    /// Nowhere, where everything was read.
    pub missing: usize,
    /// Not known, as a file is missing, no text, or was not read whole.
    pub unknown: usize,
}

/// A check with quotations that are nowhere.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct MissingJson {
    /// Name of the case.
    pub case: String,
    /// Configuration of the run.
    pub configuration: String,
    /// Its number, from 1.
    pub run: u32,
    /// The statement.
    pub check: String,
    /// Whether it passed; null without a verdict.
    pub passed: Option<bool>,
    /// The quotations.
    pub quotations: Vec<String>,
}

/// A check that passed for one run and failed for another with the same outputs.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct InconsistentJson {
    /// Name of the case.
    pub case: String,
    /// The statement.
    pub check: String,
    /// Folder of the run in which it passed, relative to the workspace.
    pub passed: String,
    /// Folder of the run in which it failed.
    pub failed: String,
}

/// What the edits between two copies of the skill share with the checks.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct EditsJson {
    /// Name of the older copy.
    pub before: String,
    /// Name of the newer copy.
    pub after: String,
    /// How many edits there are.
    pub edits: usize,
    /// The checks that regressed or improved between their iterations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<MovedJson>,
    /// Rules of the newer copy that no check is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<SkillRuleJson>,
    /// Checks that fail with the newer copy, about which it says nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmentioned: Vec<CaseCheckJson>,
}

/// A check that changed between two copies of the skill.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct MovedJson {
    /// Name of the case.
    pub case: String,
    /// The statement.
    pub check: String,
    /// `regressed` or `improved`.
    pub change: &'static str,
    /// The edit that shares clearly the most rare words with it; null where none does.
    pub edit: Option<EditJson>,
}

/// An edit that may have moved a check.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct EditJson {
    /// Name of the file in the copy.
    pub file: String,
    /// Line in the newer copy, from 1; in the older one where the edit only takes away.
    pub line: usize,
    /// What was taken away.
    pub removed: String,
    /// What was put in.
    pub added: String,
    /// The shared words, the rarest first.
    pub words: Vec<String>,
}

/// A rule of the skill.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct SkillRuleJson {
    /// Name of the file in the copy.
    pub file: String,
    /// Line in it, from 1.
    pub line: usize,
    /// The rule.
    pub text: String,
}

/// A check of a case.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct CaseCheckJson {
    /// Name of the case.
    pub case: String,
    /// The statement.
    pub check: String,
}

/// What the newest candidate makes again and again, and what of the skill it leaves alone.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RepeatsJson {
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration.
    pub configuration: String,
    /// Cases that it ran.
    pub cases: usize,
    /// Files that runs of several cases made anew, those of most cases first.
    pub made: Vec<RepeatJson>,
    /// Files of the skill that no record shows as opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unopened: Vec<String>,
    /// Runs with the skill and a record, that could have opened them.
    pub watched_runs: usize,
}

/// One file that runs of several cases made anew.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RepeatJson {
    /// The name that most copies have.
    pub name: String,
    /// How the copies are alike: `equal`, `similar`, or `name` where no copy was kept.
    pub likeness: &'static str,
    /// Whether the copies are blocks of code in longer texts.
    pub is_block: bool,
    /// Lines of the first copy; 0 where none was kept.
    pub lines: usize,
    /// Different cases with a copy.
    pub cases: usize,
    /// Different runs with a copy.
    pub runs: usize,
    /// Paths of the copies that were kept, relative to the workspace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
}
