//! Models or agents as a second dimension: configurations such as `opus/with_skill` and
//! `opus/without_skill` are one comparison, made under the condition `opus`.

use std::collections::BTreeMap;

use crate::analyze::change::{Change, change, look_at_once};
use crate::analyze::flips::Side;
use crate::analyze::roles::find_baseline;
use crate::analyze::{Analysis, ConfigurationSummary};
use crate::model::Workspace;
use crate::settings::Settings;
use crate::text::folded_name;

/// Names of configurations that a condition may be joined to with `_` or `-`.
const ARMS: [&str; 4] = ["with_skill", "without_skill", "old_skill", "new_skill"];

/// What one iteration says under one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderCondition {
    pub condition: String,
    pub after: Side,
    /// The gain on the baseline under the same condition; `None` without one.
    pub change: Option<Change>,
}

/// What `iteration` says under each of its conditions, in the order of its configurations; nothing
/// where these name no condition.
pub fn under_conditions(
    workspace: &Workspace,
    analysis: &Analysis,
    settings: &Settings,
    iteration: usize,
) -> Vec<UnderCondition> {
    let mut found: Vec<UnderCondition> = Vec::new();
    for (condition, names) in by_condition(&analysis.iterations[iteration].configurations) {
        let arms: Vec<String> = names.iter().map(|(arm, _)| arm.clone()).collect();
        let known = find_baseline(&arms, settings);
        let baseline = names.iter().find(|(arm, _)| Some(arm) == known.as_ref());
        let candidate = names.iter().find(|(arm, _)| Some(arm) != known.as_ref());
        let Some((_, candidate)) = candidate else { continue };
        let after = Side::new(iteration, candidate);
        let change = baseline.map(|(_, baseline)| {
            let before = Side::new(iteration, baseline);
            change(workspace, &analysis.lines, &before, &after, settings)
        });
        found.push(UnderCondition { condition, after, change });
    }
    look_at_once(found.iter_mut().filter_map(|found| Some(&mut found.change.as_mut()?.gain)));
    found
}

/// The arm of a configuration, and its whole name.
type Named = (String, String);

/// The graded configurations that name a condition, those of each condition together.
fn by_condition(configurations: &[ConfigurationSummary]) -> Vec<(String, Vec<Named>)> {
    let mut found: Vec<(String, Vec<Named>)> = Vec::new();
    for summary in configurations.iter().filter(|summary| summary.tally.graded() > 0) {
        let Some((condition, arm)) = split(&summary.name) else { continue };
        let named = (arm, summary.name.clone());
        match found.iter_mut().find(|(known, _)| *known == condition) {
            Some((_, names)) => names.push(named),
            None => found.push((condition, vec![named])),
        }
    }
    found
}

/// The baseline of each of `names` under its own condition, where that has one and others.
pub(super) fn pair_under_conditions(
    names: &[String],
    settings: &Settings,
) -> BTreeMap<String, String> {
    let mut conditions: BTreeMap<String, Vec<(String, &String)>> = BTreeMap::new();
    for name in names {
        if let Some((condition, arm)) = split(name) {
            conditions.entry(condition).or_default().push((arm, name));
        }
    }
    let mut found = BTreeMap::new();
    for named in conditions.into_values() {
        let arms: Vec<String> = named.iter().map(|(arm, _)| arm.clone()).collect();
        let Some(known) = find_baseline(&arms, settings) else { continue };
        let Some((_, baseline)) = named.iter().find(|(arm, _)| *arm == known) else { continue };
        let others = named.iter().filter(|(arm, _)| *arm != known);
        found.extend(others.map(|(_, name)| ((*name).clone(), (*baseline).clone())));
    }
    found
}

/// The condition and the arm that a name is made of: `opus/with_skill`, `gemini_without_skill`.
fn split(name: &str) -> Option<(String, String)> {
    if let Some((condition, arm)) = name.rsplit_once('/') {
        return Some((condition.to_owned(), arm.to_owned()));
    }
    let folded = folded_name(name);
    ARMS.iter().find_map(|arm| {
        let before = folded.strip_suffix(arm).filter(|rest| rest.ends_with('_'));
        let condition = before.and_then(|rest| name.get(..rest.len() - 1))?;
        (!condition.is_empty()).then(|| (condition.to_owned(), (*arm).to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::{split, under_conditions};
    use crate::analyze::analysis;
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
            let found = Expectation { text: "x".to_owned(), outcome, ..Expectation::default() };
            let gradings = vec![Grading { expectations: vec![found], ..Grading::default() }];
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
            let found = under_conditions(&workspace, &analysis, &settings, 0);
            let gain = |condition: &super::UnderCondition| {
                let mean = condition
                    .change
                    .as_ref()
                    .and_then(|change| change.gain.paired)
                    .map(|paired| paired.mean);
                (condition.condition.clone(), condition.after.configuration.clone(), mean)
            };
            found.iter().map(gain).collect::<Vec<_>>()
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
