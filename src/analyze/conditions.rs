//! The conditions of runs: the models that executed them and the graders that judged them; and where
//! iterations stop being comparable with earlier ones.

use std::collections::BTreeSet;

use crate::analyze::rates::case_rate;
use crate::analyze::roles::{Arm, Arms, arms_by_condition};
use crate::analyze::{
    Against, Analysis, CaseHistory, Change, IterationAnalysis, Side, adjust_together, change,
};
use input::model::{Iteration, Workspace};
use input::names;
use input::settings::Settings;
use text::folded_name;

/// Names on the earlier and on the later side.
pub type NamesBySide = [BTreeSet<String>; 2];

/// Conditions recorded for one configuration of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    models: BTreeSet<String>,
    graders: BTreeSet<String>,
}

impl Conditions {
    pub(super) fn new(iteration: &Iteration, configuration: &str) -> Self {
        let mut conditions = Self::default();
        let mut has_runs = false;
        for run in iteration.cases.iter().flat_map(|case| case.runs_of(configuration)) {
            has_runs = true;
            conditions.models.extend(run.metrics.model.clone());
            conditions.graders.extend(run.grading().and_then(|grading| grading.grader.clone()));
        }
        // The skill-creator names the model in its benchmark only.
        if has_runs && conditions.models.is_empty() {
            for benchmark in &iteration.benchmarks {
                conditions.models.extend(benchmark.executor_model.clone());
            }
        }
        // `iteration-1-sonnet` and `iteration-1-haiku` are one round, and neither is the earlier.
        if has_runs && conditions.models.is_empty() {
            conditions.models.extend(model_in_name(&iteration.name).map(str::to_owned));
        }
        conditions
    }

    /// What both record and differs.
    pub(super) fn differences(&self, after: &Self) -> ConditionDifferences {
        ConditionDifferences {
            models: known_difference(&self.models, &after.models),
            graders: known_difference(&self.graders, &after.graders),
        }
    }

    /// Whether both ran on the same models, as far as both record them.
    pub(super) fn has_same_models(&self, other: &Self) -> bool {
        self.differences(other).models.is_none()
    }
}

/// Whether a folder has the name of a recorded model, or a part of it.
fn is_named_in(folder: &str, model: &str) -> bool {
    let part = folded_name(folder);
    names::is_same_model(folder, model) || part.len() > 2 && folded_name(model).contains(&part)
}

/// `None` where the names are equal, or unknown on a side.
fn known_difference(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Option<NamesBySide> {
    if before.is_empty() || after.is_empty() || without_remarks(before) == without_remarks(after) {
        return None;
    }
    Some([before.clone(), after.clone()])
}

/// Names without what follows in brackets: people write settings there, as in `glm-5 (quick)`, and another
/// one each round.
fn without_remarks(names: &BTreeSet<String>) -> BTreeSet<&str> {
    names.iter().map(|name| name.split(['(', '[']).next().unwrap_or_default().trim_end()).collect()
}

/// The models and the graders of two sides, each where both sides record them and they differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConditionDifferences {
    pub models: Option<NamesBySide>,
    pub graders: Option<NamesBySide>,
}

impl Analysis {
    /// The models that `side` ran on, where iterations or configurations ran on different ones;
    /// `None` where all ran on the same, or none are recorded.
    pub fn models_of(&self, side: &Side) -> Option<&BTreeSet<String>> {
        let summaries = self.iterations.iter().flat_map(|iteration| &iteration.configurations);
        let all: BTreeSet<&String> =
            summaries.flat_map(|summary| &summary.conditions.models).collect();
        let own = &self.summary(side)?.conditions.models;
        if all.len() > 1 && !own.is_empty() { Some(own) } else { None }
    }

    /// What the condition of `side` may be called: its configuration, the condition in the name of
    /// that, and its models.
    pub fn condition_names<'a>(&'a self, side: &'a Side) -> Vec<&'a str> {
        let mut names = vec![side.configuration.as_str()];
        for under in &self.iterations[side.iteration].under_conditions {
            if under.after == *side {
                names.push(&under.condition);
            }
        }
        if let Some(summary) = self.summary(side) {
            names.extend(summary.conditions.models.iter().map(String::as_str));
        }
        names
    }

    /// Whether both sides ran on the same models, as far as both record them.
    pub fn are_under_one_condition(&self, sides: [&Side; 2]) -> bool {
        self.other_conditions(sides).models.is_none()
    }

    /// The comparison with the baseline under each condition of the round of `after`, with the name
    /// of the condition: of the configurations of its iteration, else of its iterations. Some
    /// runners make one for each model: `iteration-1-gpt-a`, `iteration-1-gpt-b`.
    pub fn by_condition<'a>(
        &'a self,
        workspace: &'a Workspace,
        after: &Side,
    ) -> Vec<(&'a str, &'a Change)> {
        let mut changes = Vec::new();
        for under in self.iterations[after.iteration].conditions_of(&after.configuration) {
            changes.extend(under.change.as_ref().map(|change| (under.condition.as_str(), change)));
        }
        // Folders named for models are exact; names of iterations are asked only without them.
        if changes.is_empty() {
            changes = self.by_name_of_iteration(workspace, after);
        }
        if changes.is_empty() {
            changes = self.sweep(workspace, after);
        }
        changes
    }

    /// Whether two iterations are one round under several models, so that neither came first.
    pub fn are_one_sweep(&self, workspace: &Workspace, before: &Side, after: &Side) -> bool {
        let conditions = self.by_condition(workspace, after).into_iter();
        let mut iterations = conditions.map(|(_, change)| change.after.iteration);
        before.iteration != after.iteration && iterations.any(|other| other == before.iteration)
    }

    fn by_name_of_iteration<'a>(
        &'a self,
        workspace: &'a Workspace,
        after: &Side,
    ) -> Vec<(&'a str, &'a Change)> {
        let mut changes = Vec::new();
        let Some((own_round, _)) = self.round_and_model(workspace, after) else { return changes };
        for index in 0..self.iterations.len() {
            let side = Side::new(index, &after.configuration);
            if let Some((round, model)) = self.round_and_model(workspace, &side)
                && round == own_round
                && let Some(change) = self.change(&side, Against::Baseline)
            {
                changes.push((model, change));
            }
        }
        changes
    }

    /// The name of the iteration of `side` without that of its model, which it ends with; and the
    /// model as the folder has it, since two folders are two models. Runs in `iteration-2-gemini-4-pro`
    /// record `gemini-4-pro-preview` or `google/gemini-4-pro-002`.
    fn round_and_model<'w>(
        &self,
        workspace: &'w Workspace,
        side: &Side,
    ) -> Option<(String, &'w str)> {
        let model = self.only_model(side)?;
        let name = &workspace.iterations[side.iteration].name;
        let mut joints = name.match_indices(names::SEPARATORS);
        let (at, joint) =
            joints.find(|(at, joint)| is_named_in(&name[at + joint.len()..], model))?;
        Some((folded_name(&name[..at]), &name[at + joint.len()..]))
    }

    /// The model of all runs of `side`.
    fn only_model(&self, side: &Side) -> Option<&str> {
        let mut models = self.summary(side)?.conditions.models.iter();
        let (Some(model), None) = (models.next(), models.next()) else { return None };
        Some(model)
    }

    /// A sweep over models that is numbered as iterations: equal copies of the skill, the same cases,
    /// and another model in each. The numbers are no history.
    fn sweep<'a>(&'a self, workspace: &Workspace, after: &Side) -> Vec<(&'a str, &'a Change)> {
        let mut changes = Vec::new();
        let mut models = BTreeSet::new();
        for index in 0..self.iterations.len() {
            let side = Side::new(index, &after.configuration);
            let is_same = side == *after
                || self.have_same_skill(&side, after) && have_same_cases(workspace, &side, after);
            if !is_same {
                continue;
            }
            let Some(model) = self.only_model(&side) else { return Vec::new() };
            if !models.insert(model) {
                return Vec::new();
            }
            changes.extend(self.change(&side, Against::Baseline).map(|change| (model, change)));
        }
        if models.len() > 1 { changes } else { Vec::new() }
    }

    pub fn other_conditions(&self, sides: [&Side; 2]) -> ConditionDifferences {
        match sides.map(|side| self.summary(side)) {
            [Some(before), Some(after)] => before.conditions.differences(&after.conditions),
            _ => ConditionDifferences::default(),
        }
    }
}

/// A comparison made under one condition that configurations are named for: `opus/with_skill` with
/// `opus/without_skill`.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderCondition {
    pub condition: String,
    /// What its configuration is called without the condition.
    pub arm: String,
    pub after: Side,
    /// The gain over the baseline under the same condition; `None` without one.
    pub change: Option<Change>,
}

impl IterationAnalysis {
    /// The comparisons of the skill that ran as `configuration`, one under each condition. Of two
    /// skills each is followed by its own arm: the better one of each model would be no skill at all.
    pub fn conditions_of(&self, configuration: &str) -> impl Iterator<Item = &UnderCondition> {
        let all = &self.under_conditions;
        let own = all.iter().find(|under| under.after.configuration == configuration);
        let arm = own.or(all.first()).map(|under| under.arm.as_str());
        all.iter().filter(move |under| Some(under.arm.as_str()) == arm)
    }
}

/// The comparisons of the iteration at `index`, in the order of its configurations; empty where
/// these name no condition.
pub(super) fn under_conditions(
    workspace: &Workspace,
    cases: &[CaseHistory],
    index: usize,
    analysis: &IterationAnalysis,
    settings: &Settings,
) -> Vec<UnderCondition> {
    let graded = analysis
        .configurations
        .iter()
        .map(|summary| &summary.name)
        .filter(|name| analysis.is_graded(name));
    let mut comparisons: Vec<UnderCondition> = Vec::new();
    for Arms { condition, baseline, others } in arms_by_condition(graded, settings) {
        for Arm { name: arm, configuration } in others {
            let after = Side::new(index, configuration);
            let change = baseline.map(|baseline| {
                change(workspace, cases, &Side::new(index, baseline), &after, settings)
            });
            comparisons.push(UnderCondition { condition: condition.clone(), arm, after, change });
        }
    }
    let changes = comparisons.iter_mut().filter_map(|comparison| comparison.change.as_mut());
    adjust_together(changes.map(|change| &mut change.gain));
    comparisons
}

/// What changed between an iteration and the last one before it that has cases. The numbers are
/// indices of [`Analysis::cases`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Break {
    /// Index of the first iteration after it.
    pub iteration: usize,
    pub new: Vec<usize>,
    pub gone: Vec<usize>,
    /// Cases of both in which only one has verdicts of a configuration that has some in both.
    pub ungraded: Vec<usize>,
    pub prompts: Vec<usize>,
    /// Cases with other expectations, not only with other wording.
    pub expectations: Vec<usize>,
    /// The models and the graders of a configuration that both have.
    pub conditions: ConditionDifferences,
}

pub(super) fn breaks(
    workspace: &Workspace,
    cases: &[CaseHistory],
    analyses: &[IterationAnalysis],
) -> Vec<Break> {
    let mut breaks = Vec::new();
    let mut earlier: Option<usize> = None;
    for (iteration, found) in workspace.iterations.iter().enumerate() {
        // Of old iterations often only the benchmark was kept.
        if found.cases.is_empty() {
            continue;
        }
        if let Some(earlier) = earlier {
            let gap = find_break(workspace, cases, analyses, [earlier, iteration]);
            if gap != (Break { iteration, ..Break::default() }) {
                breaks.push(gap);
            }
        }
        earlier = Some(iteration);
    }
    breaks
}

fn find_break(
    workspace: &Workspace,
    cases: &[CaseHistory],
    analyses: &[IterationAnalysis],
    [before, after]: [usize; 2],
) -> Break {
    let mut gap = Break { iteration: after, ..Break::default() };
    let mut graded_in_both: Vec<&str> = Vec::new();
    for name in &workspace.iterations[after].configurations {
        let both = [before, after].map(|iteration| analyses[iteration].configuration(name));
        let [Some(old), Some(new)] = both else { continue };
        let ConditionDifferences { models, graders } = old.conditions.differences(&new.conditions);
        gap.conditions.models = gap.conditions.models.or(models);
        gap.conditions.graders = gap.conditions.graders.or(graders);
        // A configuration that came later would make every case of it look new.
        if old.tally.graded() > 0 && new.tally.graded() > 0 {
            graded_in_both.push(name);
        }
    }
    for (index, history) in cases.iter().enumerate() {
        let old = history.case(workspace, before);
        let Some(appearance) = history.appearance(after) else {
            if old.is_some() {
                gap.gone.push(index);
            }
            continue;
        };
        if appearance.prompt_changed {
            gap.prompts.push(index);
        }
        if appearance.expectations_changed {
            gap.expectations.push(index);
        }
        let Some(old) = old else {
            gap.new.push(index);
            continue;
        };
        let new = appearance.case(workspace);
        if graded_in_both
            .iter()
            .any(|name| case_rate(old, name).is_some() != case_rate(new, name).is_some())
        {
            gap.ungraded.push(index);
        }
    }
    gap
}

/// The model that the name of a round ends with: `sonnet` of `iteration-1-sonnet`.
fn model_in_name(name: &str) -> Option<&str> {
    let (_, rest) = name.rsplit('/').next()?.split_once(|c: char| c.is_ascii_digit())?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let model = rest.strip_prefix(['-', '_'])?;
    // `gpt-5.6-sol` is one, and `claude-md-fix` is none.
    let is_numbered = model.contains(|c: char| c.is_ascii_digit());
    let is_model = names::is_model(model) || names::begins_as_model(model) && is_numbered;
    if is_model { Some(model) } else { None }
}

/// Whether the iterations of both sides have cases of the same names.
fn have_same_cases(workspace: &Workspace, side: &Side, other: &Side) -> bool {
    let [own, others] = [side, other].map(|side| {
        let cases = workspace.iterations[side.iteration].cases.iter();
        cases.map(|case| case.name.as_str()).collect::<BTreeSet<&str>>()
    });
    own == others
}

#[cfg(test)]
mod tests;
