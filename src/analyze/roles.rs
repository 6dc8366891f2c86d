//! Which configuration is the baseline: by flag or settings, else as recorded in a benchmark, else
//! by its name, never by the order of folders.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::IterationAnalysis;
use crate::model::{Iteration, UNASSIGNED};
use crate::settings::{Origin, Settings};
use crate::text::{folded_name, natural_order};

/// Names of baselines, in lower case with `_` for `-`; the earliest one present wins.
const BASELINES: &str = "without_skill no_skill without noskill baseline base control vanilla old_skill \
     original_skill old original previous before main base_branch";

/// Words that a baseline's name may start with, or have between other words.
const BASELINE_STARTS: &[&str] =
    &["without_", "no_", "baseline_", "old_", "original_", "previous_", "control_", "base_"];

/// Words that a baseline's name may end with.
const BASELINE_ENDS: &[&str] =
    &["_baseline", "_control", "_vanilla", "_old", "_original", "_previous", "_before"];

/// Names of candidates that represent an iteration before any other, in the same spelling.
const CANDIDATES: &str = "with_skill new_skill with candidate improved treatment skill new head";

/// Names of configurations that a condition may be joined to with `_` or `-`.
const ARMS: [&str; 4] = ["with_skill", "without_skill", "old_skill", "new_skill"];

/// Ends of names of iterations that others are compared with.
const REFERENCES: &[&str] = &["main", "master", "baseline"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// The configuration that others are compared with; `None` where no name tells.
    pub baseline: Option<String>,
    /// The others: those with verdicts first, of these `with_skill` and similar names, then in
    /// natural order.
    pub candidates: Vec<String>,
    /// The baseline of each candidate whose name includes a condition, such as `opus/without_skill`
    /// for `opus/with_skill`; empty where all share one baseline.
    pub own_baselines: BTreeMap<String, String>,
    /// Compared with nothing: gradings that name no configuration.
    pub apart: Vec<String>,
    pub reason: BaselineReason,
}

/// Why a configuration is the baseline, or why there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaselineReason {
    Flag,
    Settings,
    #[default]
    NoRun,
    Alone,
    /// A recorded benchmark calls it so.
    Recorded,
    KnownName,
    /// Each condition, such as a model, has its own.
    EachCondition,
    /// No name tells which one is the baseline.
    NoName,
}

impl Roles {
    /// The baseline of the configuration `name`; `None` for a baseline.
    pub fn baseline_of(&self, name: &str) -> Option<&String> {
        let shared = self.baseline.as_ref().filter(|baseline| *baseline != name);
        shared.or_else(|| self.own_baselines.get(name))
    }

    /// Every configuration: candidates, the baseline, then those compared with nothing.
    pub fn order(&self) -> impl Iterator<Item = &str> {
        self.candidates.iter().chain(&self.baseline).chain(&self.apart).map(String::as_str)
    }
}

/// The roles of the configurations of `iteration`. A baseline named in the settings counts where
/// the iteration has it, ignoring case, by its label or by its name in the data.
pub(super) fn assign_roles(iteration: &Iteration, settings: &Settings) -> Roles {
    let (apart, mut names): (Vec<String>, Vec<String>) =
        iteration.configurations.iter().cloned().partition(|name| name == UNASSIGNED);
    let place = |name: &String| {
        let is_graded =
            iteration.cases.iter().any(|case| case.graded_runs_of(name).next().is_some());
        let named = settings.order.iter().position(|first| is_called(name, first, settings));
        let folded = folded_name(settings.unlabelled(name));
        let rank = CANDIDATES.split(' ').position(|known| known == folded);
        (!is_graded, named.unwrap_or(usize::MAX), rank.unwrap_or(usize::MAX))
    };
    names.sort_by(|a, b| natural_order(settings.unlabelled(a), settings.unlabelled(b)));
    names.sort_by_cached_key(place);
    let mut chosen = chosen(&names, settings);
    let reason = match names.len() {
        0 if apart.is_empty() => BaselineReason::NoRun,
        0 | 1 => BaselineReason::Alone,
        _ => BaselineReason::NoName,
    };
    if reason == BaselineReason::NoName {
        let recorded = || Some((recorded(iteration, &names)?, BaselineReason::Recorded));
        let rank = || Some((find_baseline(&names, settings)?, BaselineReason::KnownName));
        chosen = chosen.or_else(recorded).or_else(rank);
    }
    let (baseline, mut reason) = chosen.map_or((None, reason), |(name, why)| (Some(name), why));
    names.retain(|name| Some(name) != baseline.as_ref());
    let mut own_baselines = BTreeMap::new();
    if reason == BaselineReason::NoName {
        for Arms { baseline, others, .. } in arms_by_condition(names.iter(), settings) {
            let pairs = others.into_iter().map(|name| Some((name.clone(), baseline?.clone())));
            own_baselines.extend(pairs.flatten());
        }
        reason = if own_baselines.is_empty() { reason } else { BaselineReason::EachCondition };
    }
    Roles { baseline, candidates: names, own_baselines, apart, reason }
}

/// Settles iterations in which a single configuration ran: one that is a baseline in another
/// iteration and a candidate in none is not a candidate there either.
pub(super) fn settle_alone(iterations: &mut [IterationAnalysis]) {
    let all = || iterations.iter().map(|iteration| &iteration.roles);
    let several = || all().filter(|roles| roles.reason != BaselineReason::Alone);
    let candidates: BTreeSet<&String> = several().flat_map(|roles| &roles.candidates).collect();
    let baselines: BTreeMap<String, BaselineReason> = several()
        .filter_map(|roles| Some((roles.baseline.clone()?, roles.reason)))
        .filter(|(name, _)| !candidates.contains(name))
        .collect();
    let all = iterations.iter_mut().map(|iteration| &mut iteration.roles);
    for roles in all.filter(|roles| roles.reason == BaselineReason::Alone) {
        let name = roles.candidates.first();
        if let Some((name, reason)) = name.and_then(|name| baselines.get_key_value(name)) {
            roles.baseline = Some(name.clone());
            roles.reason = *reason;
            roles.candidates.clear();
        }
    }
}

/// Whether an iteration of that name is a reference, such as `iteration-main`: it ran the skill of
/// another branch, so it is not a newer state of this one.
pub(super) fn is_reference(name: &str) -> bool {
    let folded = folded_name(name);
    folded.rsplit('_').next().is_some_and(|last| REFERENCES.contains(&last))
}

/// Whether a configuration goes by `called`, as its label or in the data.
pub fn is_called(name: &str, called: &str, settings: &Settings) -> bool {
    let wanted = folded_name(called);
    folded_name(name) == wanted || folded_name(settings.unlabelled(name)) == wanted
}

fn chosen(names: &[String], settings: &Settings) -> Option<(String, BaselineReason)> {
    let wanted = settings.baseline.as_deref()?;
    let name = names.iter().find(|name| is_called(name, wanted, settings))?;
    let by_flag = settings.origin("baseline") == Origin::Flag;
    Some((name.clone(), if by_flag { BaselineReason::Flag } else { BaselineReason::Settings }))
}

/// The baseline recorded in the benchmarks of the iteration, if they name only one of `names`.
fn recorded(iteration: &Iteration, names: &[String]) -> Option<String> {
    let recorded = iteration.benchmarks.iter().filter_map(|found| found.baseline.as_deref());
    let mut found =
        recorded.map(|wanted| names.iter().find(|name| folded_name(name) == folded_name(wanted)));
    let first = found.next()??;
    found.all(|other| other == Some(first)).then(|| first.clone())
}

/// The one of `names` known as a baseline; `None` for none or several.
pub(super) fn find_baseline(names: &[String], settings: &Settings) -> Option<String> {
    let folded: Vec<(String, &String)> =
        names.iter().map(|name| (folded_name(settings.unlabelled(name)), name)).collect();
    for candidate in BASELINES.split(' ') {
        if let Some((_, name)) = folded.iter().find(|(folded, _)| folded == candidate) {
            return Some((*name).clone());
        }
    }
    let is_alike = |folded: &str| {
        let mut starts = BASELINE_STARTS.iter();
        starts.any(|start| folded.starts_with(start) || folded.contains(&format!("_{start}")))
            || BASELINE_ENDS.iter().any(|end| folded.ends_with(end))
    };
    let mut alike = folded.iter().filter(|(folded, _)| is_alike(folded));
    match (alike.next(), alike.next()) {
        (Some((_, name)), None) => Some((*name).clone()),
        _ => None,
    }
}

/// The configurations under one condition, such as a model.
pub(super) struct Arms<'n> {
    pub(super) condition: String,
    pub(super) baseline: Option<&'n String>,
    pub(super) others: Vec<&'n String>,
}

/// Those of `names` that name a condition, by condition in the order met.
pub(super) fn arms_by_condition<'n>(
    names: impl Iterator<Item = &'n String>,
    settings: &Settings,
) -> Vec<Arms<'n>> {
    let mut conditions: Vec<(String, Vec<(String, &String)>)> = Vec::new();
    for name in names {
        let Some((condition, arm)) = split(name) else { continue };
        match conditions.iter_mut().find(|(existing, _)| *existing == condition) {
            Some((_, arms)) => arms.push((arm, name)),
            None => conditions.push((condition, vec![(arm, name)])),
        }
    }
    let mut with_baseline = Vec::new();
    for (condition, named) in conditions {
        let arms: Vec<String> = named.iter().map(|(arm, _)| arm.clone()).collect();
        let baseline_arm = find_baseline(&arms, settings);
        let (baselines, others): (Vec<_>, Vec<_>) =
            named.into_iter().partition(|(arm, _)| Some(arm) == baseline_arm.as_ref());
        let baseline = baselines.first().map(|(_, name)| *name);
        let others = others.into_iter().map(|(_, name)| name).collect();
        with_baseline.push(Arms { condition, baseline, others });
    }
    with_baseline
}

/// The condition and the arm that form a name: `opus/with_skill`, `gemini_without_skill`.
pub(super) fn split(name: &str) -> Option<(String, String)> {
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
    use super::{BaselineReason, Roles};
    use crate::model::{Iteration, RecordedBenchmark};
    use crate::settings::Settings;

    fn roles_of(names: &[&str], settings: &Settings) -> Roles {
        let configurations = names.iter().map(|name| (*name).to_owned()).collect();
        super::assign_roles(&Iteration { configurations, ..Iteration::default() }, settings)
    }

    fn baseline(names: &[&str]) -> Option<String> {
        roles_of(names, &Settings::default()).baseline
    }

    fn recorded(baseline: &str) -> RecordedBenchmark {
        let baseline = Some(baseline.to_owned());
        RecordedBenchmark { baseline, ..RecordedBenchmark::default() }
    }

    #[test]
    fn no_configuration_is_not_one() {
        let reason = |names: &[&str]| roles_of(names, &Settings::default()).reason;
        assert_eq!(reason(&[]), BaselineReason::NoRun);
        assert_eq!(reason(&["with_skill"]), BaselineReason::Alone);
        assert_eq!(reason(&[super::UNASSIGNED]), BaselineReason::Alone);
    }

    #[test]
    fn a_recorded_baseline_ranks_between_settings_and_names() {
        let of = |names: &[&str], settings: &str| {
            let iteration = Iteration {
                configurations: ["with_skill", "without_skill", "v1"].map(str::to_owned).to_vec(),
                benchmarks: names.iter().map(|name| recorded(name)).collect(),
                ..Iteration::default()
            };
            let roles = super::assign_roles(&iteration, &Settings::read(settings).unwrap());
            (roles.baseline.unwrap(), roles.reason)
        };
        assert_eq!(of(&["V1"], ""), ("v1".to_owned(), BaselineReason::Recorded));
        assert_eq!(of(&["v1"], "baseline = 'with_skill'").1, BaselineReason::Settings);
        assert_eq!(of(&["v1", "with_skill"], "").1, BaselineReason::KnownName, "they contradict");
        assert_eq!(of(&["v7"], "").1, BaselineReason::KnownName);
    }

    #[test]
    fn labels_play_the_parts_of_the_names_behind_them() {
        let settings = "labels = { with_skill = 'new', without_skill = 'candidate' }\n";
        let roles = roles_of(&["candidate", "new"], &Settings::read(settings).unwrap());
        assert_eq!(roles.baseline.as_deref(), Some("candidate"));
        for name in ["new", "With-Skill"] {
            let settings = format!("baseline = '{name}'\n{settings}");
            let roles = roles_of(&["candidate", "new"], &Settings::read(&settings).unwrap());
            assert_eq!(roles.baseline.as_deref(), Some("new"));
        }
    }

    #[test]
    fn settings_override_names() {
        let names = ["with_skill", "old_skill", "without_skill"];
        let settings = Settings::read("baseline = 'Old-Skill'\norder = ['without_skill']").unwrap();
        let roles = roles_of(&names, &settings);
        assert_eq!(roles.order().collect::<Vec<_>>(), ["without_skill", "with_skill", "old_skill"]);
        assert_eq!(roles.reason, BaselineReason::Settings);
        let baseline = Some("with_skill".to_owned());
        let flag = Settings { baseline, ..Settings::default() }.as_flags();
        let roles = roles_of(&names, &flag);
        assert_eq!(
            (roles.baseline.as_deref(), roles.reason),
            (Some("with_skill"), BaselineReason::Flag)
        );
        let elsewhere = Settings::read("baseline = 'v3'").unwrap();
        assert_eq!(roles_of(&names, &elsewhere).reason, BaselineReason::KnownName);
    }

    #[test]
    fn the_name_decides_not_the_order() {
        assert_eq!(baseline(&["old_skill", "with_skill"]).as_deref(), Some("old_skill"));
        assert_eq!(baseline(&["with_skill", "old_skill"]).as_deref(), Some("old_skill"));
        assert_eq!(
            baseline(&["old_skill", "with_skill", "without_skill"]).as_deref(),
            Some("without_skill")
        );
        assert_eq!(baseline(&["with_rule", "without_rule"]).as_deref(), Some("without_rule"));
        assert_eq!(baseline(&["opus-baseline", "opus"]).as_deref(), Some("opus-baseline"));
        assert_eq!(baseline(&["skill_old", "skill_before"]), None, "two could be meant");
        assert_eq!(baseline(&["config_a", "config_b"]), None);
        assert_eq!(baseline(&["with_skill"]), None);
        assert_eq!(baseline(&["gpt/with_skill", "opus/with_skill"]), None);
        assert_eq!(
            baseline(&["claude_with_skill", "claude_without_skill"]).as_deref(),
            Some("claude_without_skill")
        );
    }
}
