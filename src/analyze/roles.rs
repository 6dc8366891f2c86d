//! Which configuration is the baseline: by flag or settings, else as recorded in a benchmark, else
//! by its name, never by the order of folders.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{IterationAnalysis, Side};
use input::model::{Iteration, UNASSIGNED};
use input::names;
use input::settings::{Origin, Settings};
use text::{folded_name, natural_order};

/// Names of baselines, in lower case with `_` for `-`; the earliest one present wins.
// The skill-creator says `without_skill` for a new skill and `old_skill` for a changed one.
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

    /// Whether no name says which of several configurations is the baseline.
    pub fn has_peers(&self) -> bool {
        self.reason == BaselineReason::NoName
    }

    /// The candidates and the baselines whose verdicts say together what a check shows: the leading candidate
    /// and the baseline; under several harnesses or models, each candidate and its own; the first two
    /// configurations where either may be the baseline.
    pub fn judged_sides(&self) -> [Vec<&str>; 2] {
        let own = self.candidates.iter().filter(|name| self.own_baselines.contains_key(*name));
        let mut candidates: Vec<&str> = own.map(String::as_str).collect();
        let mut baselines: Vec<&str> = self.own_baselines.values().map(String::as_str).collect();
        if self.baseline.is_some() || candidates.is_empty() {
            candidates = self.candidates.first().map(String::as_str).into_iter().collect();
            baselines = self.baseline.as_deref().into_iter().collect();
        }
        if self.has_peers() {
            baselines.extend(self.candidates.get(1).map(String::as_str));
        }
        baselines.sort_unstable();
        baselines.dedup();
        [candidates, baselines]
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
    names.sort_by(|a, b| natural_order(settings.unlabelled(a), settings.unlabelled(b)));
    names.sort_by_cached_key(|name| place(iteration, name, settings));
    let Some((baseline, reason)) = choose_baseline(iteration, &names, settings) else {
        let own_baselines = baselines_by_condition(&names, settings);
        let reason = if names.is_empty() && apart.is_empty() {
            BaselineReason::NoRun
        } else if names.len() < 2 {
            BaselineReason::Alone
        } else if own_baselines.is_empty() {
            BaselineReason::NoName
        } else {
            BaselineReason::EachCondition
        };
        return Roles { baseline: None, candidates: names, own_baselines, apart, reason };
    };
    names.retain(|name| *name != baseline);
    let own_baselines = BTreeMap::new();
    Roles { baseline: Some(baseline), candidates: names, own_baselines, apart, reason }
}

/// Where a configuration comes: graded ones first, then as ordered in the settings, then as known by
/// name.
fn place(iteration: &Iteration, name: &str, settings: &Settings) -> (bool, usize, usize) {
    // A side whose grading broke off must not lead, although its name would.
    let is_graded = iteration.cases.iter().any(|case| case.graded_runs_of(name).next().is_some());
    let ordered = settings.order.iter().position(|first| is_called(name, first, settings));
    let folded = folded_name(settings.unlabelled(name));
    let known = CANDIDATES.split(' ').position(|known| known == folded);
    (!is_graded, ordered.unwrap_or(usize::MAX), known.unwrap_or(usize::MAX))
}

/// By flag or settings, else as recorded, else by name. A single configuration is only a baseline if
/// somebody says so.
fn choose_baseline(
    iteration: &Iteration,
    names: &[String],
    settings: &Settings,
) -> Option<(String, BaselineReason)> {
    if let Some(wanted) = settings.baseline.as_deref()
        && let Some(name) = names.iter().find(|name| is_called(name, wanted, settings))
    {
        let is_flag = settings.origin("baseline") == Origin::Flag;
        let reason = if is_flag { BaselineReason::Flag } else { BaselineReason::Settings };
        return Some((name.clone(), reason));
    }
    // A folder of one configuration compares nothing, whatever its name.
    if names.len() < 2 {
        return None;
    }
    if let Some(name) = recorded_baseline(iteration, names) {
        return Some((name, BaselineReason::Recorded));
    }
    if !baselines_by_condition(names, settings).is_empty() {
        return None;
    }
    let found = find_baseline(names, settings).or_else(|| only_condition(names, settings));
    Some((found?, BaselineReason::KnownName))
}

/// The baseline of the one condition that all names are of: `sonnet/with_skill`, `sonnet/without_skill`.
fn only_condition(names: &[String], settings: &Settings) -> Option<String> {
    let arms = arms_by_condition(names.iter(), settings);
    let [only] = &arms[..] else { return None };
    if names.iter().all(|name| only.has(name)) { only.baseline.cloned() } else { None }
}

/// The baseline recorded in the benchmarks of the iteration, if they name only one of `names`.
fn recorded_baseline(iteration: &Iteration, names: &[String]) -> Option<String> {
    let mut found: Option<&String> = None;
    for wanted in iteration.benchmarks.iter().filter_map(|found| found.baseline.as_deref()) {
        let name = names.iter().find(|name| folded_name(name) == folded_name(wanted))?;
        if found.is_some_and(|found| found != name) {
            // Two benchmarks of one round that name different baselines prove nothing.
            return None;
        }
        found = Some(name);
    }
    found.cloned()
}

/// The baseline of every configuration, where these name several conditions and one of these has a
/// baseline. What one model does without the skill says nothing of another model with it.
fn baselines_by_condition(names: &[String], settings: &Settings) -> BTreeMap<String, String> {
    let mut arms = arms_by_condition(names.iter(), settings);
    // A plain `with_skill` next to `opus/with_skill` is a condition without a name.
    let unnamed: Vec<&String> =
        names.iter().filter(|name| !arms.iter().any(|arms| arms.has(name))).collect();
    let is_one_condition = arms.len() + usize::from(!unnamed.is_empty()) < 2;
    if is_one_condition || !arms.iter().any(Arms::is_comparison) {
        return BTreeMap::new();
    }
    let all = unnamed.into_iter().map(|name| (name.clone(), name)).collect();
    arms.push(Arms::new(String::new(), all, settings));
    let mut baselines = BTreeMap::new();
    for Arms { baseline, others, .. } in arms {
        let Some(baseline) = baseline else { continue };
        for arm in others {
            baselines.insert(arm.configuration.clone(), baseline.clone());
        }
    }
    baselines
}

/// Settles iterations in which a single configuration ran: one that is a baseline in another
/// iteration and a candidate in none is not a candidate there either.
pub(super) fn settle_alone(iterations: &mut [IterationAnalysis]) {
    let mut candidates: BTreeSet<String> = BTreeSet::new();
    let mut baselines: BTreeMap<String, BaselineReason> = BTreeMap::new();
    for IterationAnalysis { roles, .. } in iterations.iter() {
        if roles.reason != BaselineReason::Alone {
            candidates.extend(roles.candidates.iter().cloned());
            baselines.extend(roles.baseline.iter().map(|name| (name.clone(), roles.reason)));
        }
    }
    for IterationAnalysis { roles, .. } in iterations {
        if roles.reason != BaselineReason::Alone {
            continue;
        }
        let Some(name) = roles.candidates.first() else { continue };
        // A round in which only the baseline was run again, or only the first round, has no
        // candidate.
        if let Some(reason) = baselines.get(name)
            && !candidates.contains(name)
        {
            roles.baseline = roles.candidates.pop();
            roles.reason = *reason;
        }
    }
}

/// Whether a configuration goes by `called`, as its label or in the data.
pub fn is_called(name: &str, called: &str, settings: &Settings) -> bool {
    let wanted = folded_name(called);
    folded_name(name) == wanted || folded_name(settings.unlabelled(name)) == wanted
}

/// The one of `names` known as a baseline; `None` for none or several.
pub(crate) fn find_baseline(names: &[String], settings: &Settings) -> Option<String> {
    let folded: Vec<String> =
        names.iter().map(|name| folded_name(settings.unlabelled(name))).collect();
    for known in BASELINES.split(' ') {
        if let Some(at) = folded.iter().position(|name| name == known) {
            return Some(names[at].clone());
        }
    }
    // Two that are named like baselines may both be meant, so neither is taken.
    let mut alike = (0..names.len()).filter(|at| is_named_like_baseline(&folded[*at]));
    match (alike.next(), alike.next(), &folded[..]) {
        (Some(at), None, _) => Some(names[at].clone()),
        (None, _, [a, b]) => Some(names[earlier_of(a, b)?].clone()),
        _ => None,
    }
}

/// Which of two has the lower number, where both are numbered versions of one name: `skill-v3` and `skill-v4`.
// Of three, the one before the newest and the oldest may both be meant.
fn earlier_of(a: &str, b: &str) -> Option<usize> {
    let ((name, version), (other_name, other)) = (version_of(a)?, version_of(b)?);
    if name == other_name && version != other { Some(usize::from(other < version)) } else { None }
}

/// The folded name before a version, and the numbers of that: `skill_` and 1, 2 for `skill-v1.2`. The number
/// of a model, as `glm-v4`, is not its age.
pub(super) fn version_of(name: &str) -> Option<(String, Vec<u32>)> {
    // Most names have none, and pages ask for each again and again.
    if !name.contains(char::is_numeric) {
        return None;
    }
    let folded = folded_name(name).replace("version_", "v");
    if names::is_model(folded.rsplit('/').next().unwrap_or_default()) {
        return None;
    }
    let starts = folded.match_indices(['_', '/']).map(|(at, _)| at + 1);
    for start in std::iter::once(0).chain(starts) {
        let mut parts = folded[start..].split('_');
        let Some(first) = parts.next().and_then(names::version_number) else { continue };
        let rest = parts.map(|part| part.parse().ok());
        let numbers: Option<Vec<u32>> = std::iter::once(Some(first)).chain(rest).collect();
        return Some((folded[..start].to_owned(), numbers?));
    }
    None
}

fn is_named_like_baseline(folded: &str) -> bool {
    BASELINE_ENDS.iter().any(|end| folded.ends_with(end))
        || BASELINE_STARTS
            .iter()
            .any(|start| folded.starts_with(start) || folded.contains(&format!("_{start}")))
}

/// Words in the name of a configuration that is an earlier version of the skill: `old_skill`,
/// `previous`, `iteration-main`. A `baseline` may be anything, most often no skill at all.
const EARLIER_VERSION: [&str; 8] =
    ["old", "original", "previous", "prev", "current", "base", "main", "before"];

/// Whether `before` is an earlier version of what `after` has, rather than the side without it. A
/// check *regresses* only since an earlier version.
pub fn is_earlier_version(before: &Side, after: &Side) -> bool {
    if !before.is_within_iteration(after) {
        return true;
    }
    is_earlier_name(&before.configuration)
}

/// Whether a configuration that others are compared with is called an earlier version of the skill.
pub fn is_earlier_name(configuration: &str) -> bool {
    let name = configuration.to_lowercase();
    // In `opus/old_skill` the condition says nothing about the version.
    let arm = name.rsplit('/').next().unwrap_or_default();
    // A `baseline-v2` may be a baseline of the second version.
    let is_version = version_of(arm).is_some_and(|(name, _)| !is_named_like_baseline(&name));
    arm.split(|c: char| !c.is_alphanumeric()).any(|word| EARLIER_VERSION.contains(&word))
        || is_version
}

/// The configurations under one condition, such as a model.
pub(super) struct Arms<'n> {
    pub(super) condition: String,
    pub(super) baseline: Option<&'n String>,
    pub(super) others: Vec<Arm<'n>>,
}

/// A configuration under a condition.
pub(super) struct Arm<'n> {
    /// Its name without the condition, folded where the condition follows.
    pub(super) name: String,
    pub(super) configuration: &'n String,
}

impl<'n> Arms<'n> {
    /// `named` are the arms, each with the name of its configuration.
    fn new(condition: String, named: Vec<(String, &'n String)>, settings: &Settings) -> Self {
        let arms: Vec<String> = named.iter().map(|(arm, _)| arm.clone()).collect();
        let baseline_arm = find_baseline(&arms, settings);
        let (mut baseline, mut others) = (None, Vec::new());
        for (arm, name) in named {
            if Some(&arm) != baseline_arm.as_ref() {
                others.push(Arm { name: arm, configuration: name });
            } else if baseline.is_none() {
                baseline = Some(name);
            }
        }
        Self { condition, baseline, others }
    }

    fn has(&self, name: &String) -> bool {
        self.baseline == Some(name) || self.others.iter().any(|arm| arm.configuration == name)
    }

    fn is_comparison(&self) -> bool {
        self.baseline.is_some() && !self.others.is_empty()
    }
}

/// Those of `names` that name a condition, by condition in the order met.
pub(super) fn arms_by_condition<'n>(
    names: impl Iterator<Item = &'n String> + Clone,
    settings: &Settings,
) -> Vec<Arms<'n>> {
    let mut arms = grouped(names.clone().filter_map(|name| Some((split(name)?, name))), settings);
    // `with_skill_v2` is a version and no condition, unless the end has a baseline as well.
    let by_end = grouped(names.filter_map(|name| Some((split_end(name)?, name))), settings);
    if by_end.iter().any(Arms::is_comparison) {
        arms.extend(by_end);
    }
    arms
}

/// Names by their condition. Each comes with the condition and the arm that form it.
fn grouped<'n>(
    names: impl Iterator<Item = ((String, String), &'n String)>,
    settings: &Settings,
) -> Vec<Arms<'n>> {
    let mut conditions: Vec<(String, Vec<(String, &String)>)> = Vec::new();
    for ((condition, arm), name) in names {
        match conditions.iter_mut().find(|(existing, _)| *existing == condition) {
            Some((_, arms)) => arms.push((arm, name)),
            None => conditions.push((condition, vec![(arm, name)])),
        }
    }
    conditions.into_iter().map(|(condition, named)| Arms::new(condition, named, settings)).collect()
}

/// The condition and the arm that form a name: `opus/with_skill`, `gemini_without_skill`.
fn split(name: &str) -> Option<(String, String)> {
    if let Some((condition, arm)) = name.rsplit_once('/') {
        return Some((condition.to_owned(), arm.to_owned()));
    }
    let folded = folded_name(name);
    for arm in ARMS {
        if let Some(before) = folded.strip_suffix(arm)
            // `_with_skill` alone has no condition in front of it.
            && before.len() > 1
            && before.ends_with('_')
        {
            let condition = name.get(..before.len() - 1)?;
            return Some((condition.to_owned(), arm.to_owned()));
        }
    }
    None
}

/// The same where the arm comes first: `with_skill_gpt_5`.
fn split_end(name: &str) -> Option<(String, String)> {
    let folded = folded_name(name);
    for arm in ARMS {
        if let Some(condition) = folded.strip_prefix(arm).and_then(|rest| rest.strip_prefix('_'))
            && !condition.is_empty()
        {
            return Some((condition.to_owned(), arm.to_owned()));
        }
    }
    None
}

/// Whether a configuration is named as the one that the skill is tried with, under any condition.
pub(super) fn is_named_candidate(name: &str, settings: &Settings) -> bool {
    let name = settings.unlabelled(name);
    let arm = match split(name).or_else(|| split_end(name)) {
        Some((_, arm)) => arm,
        None => name.to_owned(),
    };
    matches!(folded_name(&arm).as_str(), "with_skill" | "new_skill")
}

/// The candidate that a benchmark of the iteration compares with its baseline, if it has no other.
pub(super) fn recorded_candidate(iteration: &Iteration) -> Option<&str> {
    iteration.benchmarks.iter().find_map(|benchmark| {
        let baseline = benchmark.baseline.as_deref()?;
        let mut others = benchmark
            .configurations
            .iter()
            .filter(|other| folded_name(&other.name) != folded_name(baseline));
        // Of three configurations the file does not say which one it is about.
        match (others.next(), others.next()) {
            (Some(only), None) => Some(only.name.as_str()),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests;
