//! What a run was measured on, and runs of an earlier round that count again in a later one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Case, fill};

/// The digest of a side that has no skill.
pub const NO_SKILL: &str = "none";

const HARNESS: &str = "harness";

/// What a run was measured on: a digest of each part. A part that nobody knows is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The skill; [`NO_SKILL`] for a side without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The files given with the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// Its checks, one digest each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Vec<String>>,
    /// The name of the model, if one is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The name of the harness that ran it, if one is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<String>,
    /// The name of the grader, if one is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grader: Option<String>,
}

/// Why a run does not stand for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRun {
    /// This part differs.
    Differs(&'static str),
    /// Of this part one side does not know what it was.
    Unknown(&'static str),
}

impl Measured {
    /// The parts that decide what a run produces, and their names. Checks and grader decide only its verdicts.
    fn parts(&self) -> [(&'static str, Option<&String>); 5] {
        [
            ("skill", self.skill.as_ref()),
            ("prompt", self.prompt.as_ref()),
            ("input files", self.files.as_ref()),
            ("model", self.model.as_ref()),
            (HARNESS, self.harness.as_ref()),
        ]
    }

    /// Why a run that was measured on `self` is not one that is measured on `other`; `None` if it is. What
    /// neither side knows is not the same. Only a harness may be recorded nowhere: hardly any tool does.
    pub fn other_run(&self, other: &Self) -> Option<OtherRun> {
        for ((name, own), (_, others)) in self.parts().into_iter().zip(other.parts()) {
            match (own, others) {
                (Some(own), Some(others)) if own == others => {}
                (Some(_), Some(_)) => return Some(OtherRun::Differs(name)),
                (None, None) if name == HARNESS => {}
                _ => return Some(OtherRun::Unknown(name)),
            }
        }
        None
    }

    /// Takes from `other` what is not known here.
    pub fn fill_from(&mut self, other: &Self) {
        fill(&mut self.skill, &other.skill);
        fill(&mut self.prompt, &other.prompt);
        fill(&mut self.files, &other.files);
        fill(&mut self.checks, &other.checks);
        fill(&mut self.model, &other.model);
        fill(&mut self.harness, &other.harness);
        fill(&mut self.grader, &other.grader);
    }
}

/// That a run of an earlier round counts in this one, as `reused.json` says.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Reuse {
    /// The file that says so, relative to the workspace.
    pub path: String,
    /// The folder of the run, relative to the workspace.
    pub source: String,
    /// The name of the iteration that made the run.
    pub iteration: String,
    /// Whether it was graded again since it was planned here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_graded_again: bool,
    /// How many of its checks are judged in this round, not there.
    #[serde(default)]
    pub regraded: usize,
    /// What it was measured on when it was planned.
    #[serde(skip)]
    pub measured: Measured,
    /// Digest of its grading then; absent if it had none.
    #[serde(skip)]
    pub grading: Option<String>,
}

/// A run that was planned and left nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingRun {
    /// Its configuration.
    pub configuration: String,
    /// Its number, from 1.
    pub number: u32,
}

/// The skill and its cases as they are today, which may be later than every run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillToday {
    /// The skill's name in its evals; absent where they name none.
    pub name: Option<String>,
    /// The digest of the skill; absent where it cannot be read.
    pub digest: Option<String>,
    /// Lines added to and removed from `SKILL.md` since each copy of the skill, by the digest of that.
    pub lines: BTreeMap<String, [usize; 2]>,
    /// Its cases; empty where they are not known.
    pub cases: Vec<Case>,
    /// Names of those that no iteration ran.
    pub never_run: Vec<String>,
    /// What each of them asks.
    pub asked: Vec<Measured>,
    /// The texts of its files by their names, as they may be shown; empty where no copy is compared with them.
    pub texts: BTreeMap<String, String>,
}
