//! Whether the agent of a run took up the skill.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the skill came before the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadingState {
    /// A record of the run shows that the skill was loaded.
    Loaded,
    /// A complete record of the run shows no sign of it.
    NotLoaded,
    /// The prompt holds the skill, so there was nothing to load.
    Given,
    /// There is no record, or it does not decide.
    #[default]
    Unknown,
}

/// What the records of a run say of the skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Loading {
    /// Whether it was loaded: `loaded`, `not_loaded`, `given` or `unknown`.
    #[schemars(with = "String")]
    pub state: LoadingState,
    /// The file that shows it, relative to the workspace; left out where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of that file, from 1; left out where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The call, event or field that shows it; left out where it is not known.
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
}

impl Loading {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the agent had the skill, loaded or given; `None` where that is not known.
    pub fn had_skill(&self) -> Option<bool> {
        match self.state {
            LoadingState::Loaded | LoadingState::Given => Some(true),
            LoadingState::NotLoaded => Some(false),
            LoadingState::Unknown => None,
        }
    }
}
