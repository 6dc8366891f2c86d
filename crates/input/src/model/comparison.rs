//! Blind comparisons and the analyses written after them.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::Expectation;

/// Which output a judge chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// Output A.
    A,
    /// Output B.
    B,
    /// Neither.
    Tie,
}

impl Winner {
    /// How A did: [`Ordering::Greater`] where it won.
    pub fn for_a(self) -> Ordering {
        match self {
            Self::A => Ordering::Greater,
            Self::B => Ordering::Less,
            Self::Tie => Ordering::Equal,
        }
    }
}

/// A judge's score of both outputs on one criterion.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Dimension {
    /// What was scored.
    pub name: String,
    /// Score of A, on the judge's own scale.
    pub a: Option<f64>,
    /// Score of B, on the same scale.
    pub b: Option<f64>,
}

/// A judge's opinion of one output.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "ComparedOutput")]
pub struct JudgedSide {
    /// Overall score on the judge's scale.
    pub score: Option<f64>,
    /// The score of its quality alone, if recorded besides an overall score.
    pub quality: Option<f64>,
    /// What it does well.
    pub strengths: Vec<String>,
    /// What it does badly.
    pub weaknesses: Vec<String>,
    /// Expectations met, where the judge checked them.
    pub passed: Option<f64>,
    /// Expectations checked.
    pub total: Option<f64>,
    /// These expectations, each with the judge's verdict.
    pub details: Vec<Expectation>,
    /// The version or configuration behind the letter, where known.
    pub version: Option<String>,
}

/// How a person came to a judgement on a review page.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct PersonalJudgement {
    /// Whether names, checks and costs were hidden until the choice.
    pub blind: bool,
    /// The folders of the runs shown as A and B, relative to the workspace.
    pub runs: [String; 2],
    /// When, as written.
    pub timestamp: Option<String>,
}

impl PersonalJudgement {
    /// Whether both are about the same two runs, whichever was A.
    pub fn is_on_same_pair(&self, other: &Self) -> bool {
        let [a, b] = &other.runs;
        self.runs == other.runs || [&self.runs[0], &self.runs[1]] == [b, a]
    }
}

/// A judge's choice between unnamed A and B.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct BlindComparison {
    /// The file, relative to the workspace.
    pub path: String,
    /// The case, where named.
    pub case: Option<String>,
    /// In a file of several: how many comparisons of the same case precede it.
    pub before: Option<usize>,
    /// The prompt given to the agents.
    pub prompt: Option<String>,
    /// The choice; `None` when it could not be read.
    pub winner: Option<Winner>,
    /// Why.
    pub reasoning: Option<String>,
    /// Scores by criterion.
    pub dimensions: Vec<Dimension>,
    /// Output A.
    pub a: JudgedSide,
    /// Output B.
    pub b: JudgedSide,
    /// The two versions compared, from the folder's name, newest first; not in the order of A and
    /// B.
    pub versions: Option<(String, String)>,
    /// Set where a person judged on a review page; such a judgement may have been made with the names
    /// in sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonalJudgement>,
}

impl BlindComparison {
    /// Whether it was judged without knowing the sides: a person on a review page may have seen them.
    pub fn is_blind(&self) -> bool {
        self.person.as_ref().is_none_or(|person| person.blind)
    }
}

/// A concrete change to the skill, proposed after a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Proposal {
    /// Which part of the skill.
    pub area: Option<String>,
    /// The present text.
    pub before: Option<String>,
    /// The proposed text.
    pub after: Option<String>,
    /// Why, or the proposal itself if it has no before and after.
    pub text: Option<String>,
    /// How urgent, as written.
    pub priority: Option<String>,
    /// The expected effect.
    pub expected_impact: Option<String>,
}

/// An analysis written after a comparison or of a whole iteration.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct PostHocAnalysis {
    /// The file, relative to the workspace.
    pub path: String,
    /// The winner's version or letter.
    pub winner: Option<String>,
    /// The loser's version or letter.
    pub loser: Option<String>,
    /// Its summary.
    pub summary: Option<String>,
    /// What the winner did better.
    pub strengths: Vec<String>,
    /// What the loser got wrong.
    pub weaknesses: Vec<String>,
    /// Score for following instructions: winner, loser.
    pub instruction_following: (Option<f64>, Option<f64>),
    /// Where the winner and the loser did not follow their instructions.
    pub instruction_issues: (Vec<String>, Vec<String>),
    /// Changes to apply.
    pub proposals: Vec<Proposal>,
    /// Free observations.
    pub observations: Vec<String>,
}
