//! One execution of a case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::grading::{Expectation, Grading, Notes};
use crate::model::loading::Loading;
use crate::model::metrics::Metrics;
use crate::model::outcome::{Outcome, Tally};

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Output {
    /// Its name below the folder it was found in.
    pub name: String,
    /// Its path relative to the workspace.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Run {
    /// The configuration's name, from the data.
    pub configuration: String,
    /// Number of the run within case and configuration, from 1.
    pub number: u32,
    /// The run's folder relative to the workspace; the grading file where it has no folder.
    pub path: String,
    /// The gradings: the first is the run's own and gives its numbers, the others are further
    /// opinions on the same run. Empty when the run was not graded.
    pub gradings: Vec<Grading>,
    pub metrics: Metrics,
    /// The files it produced, in natural order of their names.
    pub outputs: Vec<Output>,
    /// Its step-by-step record, where one was kept.
    pub transcript: Option<Output>,
    /// The executor's remarks in its own words.
    #[serde(default)]
    pub notes: Notes,
    /// The run of an earlier iteration that it is, used again in another role.
    pub reused_from: Option<String>,
    /// What its files report of an error of the run or of its grader; `None` where they report none.
    pub error: Option<String>,
    #[serde(default)]
    pub loading: Loading,
}

impl Run {
    /// The grading that gives the run's numbers.
    pub fn grading(&self) -> Option<&Grading> {
        self.gradings.first()
    }

    /// What that grading says of each statement; nothing when the run was not graded.
    pub fn expectations(&self) -> &[Expectation] {
        self.grading().map_or(&[], |grading| &grading.expectations)
    }

    /// The tally of that grading; all zero when the run was not graded.
    pub fn tally(&self) -> Tally {
        self.grading().map(Grading::tally).unwrap_or_default()
    }

    /// Whether it succeeded: as its grading says overall, else where nothing failed but what is
    /// optional. A run without a verdict has not failed.
    pub fn succeeds(&self) -> bool {
        match self.grading().and_then(|grading| grading.overall) {
            Some(Outcome::Passed) => true,
            Some(Outcome::Failed) => false,
            _ => !self.expectations().iter().any(Expectation::fails_run),
        }
    }

    /// Whether the grading that gives its numbers has at least one verdict.
    pub fn is_graded(&self) -> bool {
        self.tally().graded() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::Run;
    use crate::model::{Expectation, Grading, Outcome};

    #[test]
    fn the_expectations_of_a_run_are_those_of_its_own_grading() {
        let grading = |texts: &[&str]| {
            let of =
                |text: &&str| Expectation { text: (*text).to_owned(), ..Expectation::default() };
            Grading { expectations: texts.iter().map(of).collect(), ..Grading::default() }
        };
        let run = Run { gradings: vec![grading(&["a", "b"]), grading(&["c"])], ..Run::default() };
        let texts: Vec<_> =
            run.expectations().iter().map(|expectation| &expectation.text).collect();
        assert_eq!(texts, ["a", "b"]);
        assert!(Run::default().expectations().is_empty());
    }

    #[test]
    fn a_run_fails_with_its_overall_verdict_else_with_what_is_not_optional() {
        let succeeds = |checks: &[(bool, Option<bool>)], overall: Option<Outcome>| {
            let check = |(passed, required): &(bool, Option<bool>)| Expectation {
                outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
                required: *required,
                ..Expectation::default()
            };
            let expectations = checks.iter().map(check).collect();
            let grading = Grading { expectations, overall, ..Grading::default() };
            Run { gradings: vec![grading], ..Run::default() }.succeeds()
        };
        let optional = [(true, Some(true)), (false, Some(false))];
        assert!(succeeds(&optional, None));
        assert!(!succeeds(&[(true, Some(true)), (false, Some(true))], None));
        assert!(!succeeds(&[(true, None), (false, None)], None));
        assert!(!succeeds(&optional, Some(Outcome::Failed)));
        assert!(succeeds(&[(true, None), (false, None)], Some(Outcome::Passed)));
        assert!(succeeds(&optional, Some(Outcome::Ungraded)));
    }
}
