//! Models or agents as a second dimension: configurations such as `opus/with_skill` and
//! `opus/without_skill` are one comparison, made under the condition `opus`.

use crate::analyze::roles::{Arms, arms_by_condition};
use crate::analyze::{Analysis, Change, Side, adjust_together, change};
use crate::model::Workspace;
use crate::settings::Settings;

#[derive(Clone, Debug, PartialEq)]
pub struct UnderCondition {
    pub condition: String,
    pub after: Side,
    /// The gain over the baseline under the same condition; `None` without one.
    pub change: Option<Change>,
}

/// The comparisons of `iteration` under each condition, in the order of its configurations; empty
/// where these name no condition.
pub fn under_conditions(
    workspace: &Workspace,
    analysis: &Analysis,
    settings: &Settings,
    iteration: usize,
) -> Vec<UnderCondition> {
    let graded = analysis.iterations[iteration].configurations.iter();
    let graded = graded.filter(|summary| summary.tally.graded() > 0).map(|summary| &summary.name);
    let mut comparisons: Vec<UnderCondition> = Vec::new();
    for Arms { condition, baseline, others } in arms_by_condition(graded, settings) {
        let Some(candidate) = others.first() else { continue };
        let after = Side::new(iteration, candidate);
        let change = baseline.map(|baseline| {
            let before = Side::new(iteration, baseline);
            change(workspace, &analysis.cases, &before, &after, settings)
        });
        comparisons.push(UnderCondition { condition, after, change });
    }
    adjust_together(
        comparisons.iter_mut().filter_map(|comparison| Some(&mut comparison.change.as_mut()?.gain)),
    );
    comparisons
}

#[cfg(test)]
mod tests {
    use super::under_conditions;
    use crate::analyze::analysis;
    use crate::analyze::roles::split;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    #[test]
    fn a_name_is_made_of_condition_and_arm() {
        let parts = |name| split(name).map(|(condition, arm)| format!("{condition} + {arm}"));
        assert_eq!(parts("opus/with_skill").as_deref(), Some("opus + with_skill"));
        assert_eq!(parts("gemini-without-skill").as_deref(), Some("gemini + without_skill"));
        assert_eq!(parts("with_skill"), None);
        assert_eq!(parts("candidate"), None);
    }

    #[test]
    fn each_condition_has_its_own_baseline() {
        let run = |(configuration, passes): (&str, bool)| {
            let outcome = if passes { Outcome::Passed } else { Outcome::Failed };
            let actual = Expectation { text: "x".to_owned(), outcome, ..Expectation::default() };
            let gradings = vec![Grading { expectations: vec![actual], ..Grading::default() }];
            Run { configuration: configuration.to_owned(), gradings, ..Run::default() }
        };
        let of = |runs: &[(&str, bool)]| {
            let iteration = Iteration {
                configurations: runs.iter().map(|(name, _)| (*name).to_owned()).collect(),
                cases: vec![Case {
                    runs: runs.iter().copied().map(run).collect(),
                    ..Case::default()
                }],
                ..Iteration::default()
            };
            let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
            let settings = Settings::default();
            let analysis = analysis(&workspace, &settings);
            let actual = under_conditions(&workspace, &analysis, &settings, 0);
            let gain = |condition: &super::UnderCondition| {
                let mean = condition
                    .change
                    .as_ref()
                    .and_then(|change| change.gain.paired())
                    .map(|paired| paired.mean);
                (condition.condition.clone(), condition.after.configuration.clone(), mean)
            };
            actual.iter().map(gain).collect::<Vec<_>>()
        };
        let two = [
            ("gpt/with_skill", true),
            ("gpt/without_skill", false),
            ("opus/with_skill", true),
            ("opus/without_skill", true),
        ];
        let expected = [
            ("gpt".to_owned(), "gpt/with_skill".to_owned(), Some(1.0)),
            ("opus".to_owned(), "opus/with_skill".to_owned(), Some(0.0)),
        ];
        assert_eq!(of(&two), expected);
        let alone = [("gpt".to_owned(), "gpt/with_skill".to_owned(), None)];
        assert_eq!(of(&two[..1]), alone);
        assert_eq!(of(&[("with_skill", true), ("old_skill", false)]), []);
    }
}
