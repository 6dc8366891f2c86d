//! Decides whether a change may pass, by the rules of the settings.
//!
//! Most rules compare the candidate with an earlier side; the gain is that over its baseline. Limits
//! are inclusive. A rule that cannot be checked fails, with the reason: an unchecked gate must not be
//! green. Where no run differs from those of the earlier side, there is nothing to compare and rules
//! that compare pass.

mod fall;
mod judged_change;
mod known_losses;
mod same_runs;
#[cfg(test)]
mod tests;

pub use crate::gate::fall::{Fall, HARD};
pub(crate) use crate::gate::judged_change::{judged_change, judged_sides};
pub use crate::gate::known_losses::{Loss, known_issue};

use crate::analyze::{
    Against, Analysis, Change, ConfigurationSummary, CostKind, Flip, FlipKind, Side, between,
};
use input::model::{Implausible, Workspace};
use input::settings::{CostLimit, FailOn, Settings};
use statistics::TIE;

#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub workspace: &'a Workspace,
    pub analysis: &'a Analysis,
    pub after: &'a Side,
    /// The candidate against the earlier side; `None` without one.
    pub change: Option<&'a Change>,
    /// The rules and the known issues.
    pub settings: &'a Settings,
    /// The current day, as `2026-12-31`.
    pub today: &'a str,
    /// Whether both sides have a copy of the skill, and these differ.
    pub is_skill_changed: bool,
    /// Why no rule can be checked, as far as the caller knows.
    pub obstacle: Option<&'a NotCheckable<'a>>,
}

impl<'a> Question<'a> {
    /// The comparison that missing verdicts leave undecided, if one matters to `rule`: that of the
    /// headline, or its own.
    pub fn undecided(&self, rule: Rule) -> Option<&'a Change> {
        let changes = [self.analysis.lead(self.after), self.change_for(rule)];
        changes.into_iter().flatten().find(|change| change.gain.undecided().is_some())
    }

    /// The candidate against the baseline of its iteration; `None` without one.
    pub fn on_baseline(&self) -> Option<&'a Change> {
        self.analysis.change(self.after, Against::Baseline)
    }

    /// The change that `rule` is about; `None` if there is none.
    pub fn change_for(&self, rule: Rule) -> Option<&'a Change> {
        match rule {
            Rule::MinGain(_) => self.on_baseline(),
            Rule::FailOn(_) | Rule::MinPassRate(_) | Rule::MaxIncrease(..) | Rule::Budget(..) => {
                self.change
            }
        }
    }

    /// Whether no run differs from those of the earlier side.
    fn is_same_runs(&self) -> bool {
        let Some(change) = self.change else { return false };
        let [before, after] = change.sides().map(|side| &self.workspace.iterations[side.iteration]);
        !change.is_within_iteration() && same_runs::are_same(before, after)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A change of this kind fails.
    FailOn(FailOn),
    /// Least pass rate of the candidate, in 0..=1.
    MinPassRate(f64),
    /// Least gain of the candidate over its baseline, as a difference of pass rates.
    MinGain(f64),
    /// Largest increase in what the candidate needs, beyond the noise of runs.
    MaxIncrease(CostKind, CostLimit),
    /// Most that the candidate may need, as a multiple of the earlier side.
    Budget(CostKind, f64),
}

impl Rule {
    /// Whether it compares the candidate with the earlier side.
    pub fn is_comparison(self) -> bool {
        match self {
            Self::FailOn(_) | Self::MaxIncrease(..) | Self::Budget(..) => true,
            Self::MinPassRate(_) | Self::MinGain(_) => false,
        }
    }
}

/// Whether a rule holds, or why it cannot be checked, which counts as failed.
pub type Decision<'w> = Result<bool, NotCheckable<'w>>;

/// Why a rule cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCheckable<'w> {
    NoEarlierSide,
    /// The iteration has no baseline with verdicts.
    NoBaseline,
    /// No case can be compared.
    NothingShared,
    /// The candidate has no verdict at all.
    NothingGraded,
    /// Cases that the candidate ran without a verdict, while the earlier side has verdicts.
    NoVerdict(Vec<usize>),
    /// Checks that the earlier side passed, and on which no run of the candidate has a verdict.
    LostVerdicts(Vec<Flip<'w>>),
    /// Runs and checks of the candidate without a verdict; these may have failed.
    Ungraded {
        runs: usize,
        checks: usize,
    },
    /// No case has the figure on both sides.
    NotRecorded,
    /// Fewer than half of the compared cases have the figure on both sides.
    RecordedForFew {
        cases: usize,
        compared: usize,
    },
    /// The figure cannot be that of a model.
    Implausible(Implausible),
    /// An iteration of this name is newer than the judged one, and no candidate ran in it.
    NewerWithoutRun(String),
    /// An iteration of this name is newer than the judged one, and its candidate has no verdict.
    NewerUngraded(String),
    /// A newer iteration of this name holds nothing but copies of earlier runs.
    NewerCopied(String),
    /// Missing verdicts could undo the result.
    NotDecided,
    /// The runs of the newest round cannot be believed.
    Unmeasured,
    /// Nothing says which iteration is the newest.
    UnknownOrder,
    /// The skill changed, and no run differs from those of the earlier side.
    NotRunAgain,
    /// The skill was edited since this iteration, and no run measured the edit.
    EditedSince(String),
    /// The earlier side evaluates another skill, of this name.
    OtherSkill(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult<'w> {
    pub rule: Rule,
    pub decision: Decision<'w>,
}

impl RuleResult<'_> {
    /// Whether it could not be checked for want of verdicts.
    pub fn lacks_verdicts(&self) -> bool {
        use NotCheckable::{LostVerdicts, NoVerdict, Ungraded};
        matches!(self.decision, Err(LostVerdicts(_) | NoVerdict(_) | Ungraded { .. }))
    }

    /// Whether this rule lets the gate open.
    pub fn is_passed(&self) -> bool {
        self.decision == Ok(true)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement<'w> {
    /// The results in the order of the rules; empty without a gate.
    pub rulings: Vec<RuleResult<'w>>,
    /// Whether no run differs from those of the earlier side. Rules that compare then have nothing to
    /// check, unless the skill is known to have changed.
    pub is_same_runs: bool,
    /// The chance that an unchanged skill, run again, loses one of the compared checks, in 0..=1.
    pub rerun_loss: f64,
    /// Every lost check, including known ones; empty without a rule on them.
    pub losses: Vec<Loss<'w>>,
    /// Indices of known issues that no loss matches.
    pub idle: Vec<usize>,
}

pub fn judge<'w>(question: &Question<'w>) -> Judgement<'w> {
    let mut judgement = Judgement::default();
    let mut flips = Vec::new();
    if let Some(change) = question.change {
        flips = flips_of(question, change);
        if question.settings.gate.fail_on.contains(&FailOn::Loss) {
            judgement.rerun_loss = known_losses::rerun_loss(&flips);
            (judgement.losses, judgement.idle) = known_losses::losses(question, &flips);
        }
    }
    judgement.is_same_runs = question.is_same_runs();
    let mut obstacle = question.obstacle.cloned();
    if judgement.is_same_runs && question.is_skill_changed {
        obstacle.get_or_insert(NotCheckable::NotRunAgain);
    }
    for rule in rules(question) {
        let decision = match &obstacle {
            Some(obstacle) => Err(obstacle.clone()),
            None if question.undecided(rule).is_some() => Err(NotCheckable::NotDecided),
            None if judgement.is_same_runs && rule.is_comparison() => Ok(true),
            None => decide(question, rule, &flips, &judgement.losses),
        };
        judgement.rulings.push(RuleResult { rule, decision });
    }
    judgement
}

/// The rules on a candidate in the order in which they are reported.
fn rules(question: &Question<'_>) -> Vec<Rule> {
    let gate = &question.settings.gate;
    let mut rules: Vec<Rule> = gate.fail_on.iter().map(|on| Rule::FailOn(*on)).collect();
    rules.extend(gate.min_pass_rate.map(Rule::MinPassRate));
    rules.extend(gate.min_gain.map(|points| Rule::MinGain(points / 100.0)));
    rules.extend(gate.max_time_increase.map(|most| Rule::MaxIncrease(CostKind::Time, most)));
    rules.extend(gate.max_token_increase.map(|most| Rule::MaxIncrease(CostKind::Tokens, most)));
    let conditions = question.analysis.condition_names(question.after);
    for (name, budget) in &gate.budgets {
        if is_under(name, &conditions) {
            rules.extend(budget.time.map(|most| Rule::Budget(CostKind::Time, most)));
            rules.extend(budget.tokens.map(|most| Rule::Budget(CostKind::Tokens, most)));
        }
    }
    rules
}

/// Whether one of these names of conditions is meant by `name`, or matches it as a pattern.
pub fn is_under(name: &str, conditions: &[&str]) -> bool {
    conditions.iter().any(|condition| known_losses::fits(name, condition))
}

/// Judges several candidates of one workspace. A known issue is idle if no loss of any candidate
/// matches it; it is listed once, with the first candidate.
pub fn judge_all<'w>(questions: &[Question<'w>]) -> Vec<Judgement<'w>> {
    let mut judgements: Vec<Judgement<'w>> = questions.iter().map(judge).collect();
    if let Some((first, others)) = judgements.split_first_mut() {
        // With several models or harnesses, an issue may be known of one of them only.
        first.idle.retain(|issue| others.iter().all(|other| other.idle.contains(issue)));
        for other in others {
            other.idle.clear();
        }
    }
    judgements
}

fn decide<'w>(
    question: &Question<'w>,
    rule: Rule,
    flips: &[Flip<'w>],
    losses: &[Loss<'w>],
) -> Decision<'w> {
    // A gate that passes because nothing ran lets every change through.
    let summary = question.analysis.summary(question.after).ok_or(NotCheckable::NothingGraded)?;
    if summary.tally.graded() == 0 {
        return Err(NotCheckable::NothingGraded);
    }
    match rule {
        Rule::MinPassRate(least) => min_pass_rate(summary, least),
        Rule::MinGain(least) => min_gain(question, least),
        Rule::FailOn(on) => fail_on(earlier_change(question)?, on, flips, losses),
        Rule::MaxIncrease(resource, limit) => {
            max_increase(earlier_change(question)?, resource, limit)
        }
        Rule::Budget(resource, most) => {
            let limit = CostLimit::Share(most - 1.0);
            max_increase(earlier_change(question)?, resource, limit)
        }
    }
}

fn earlier_change<'a>(question: &Question<'a>) -> Result<&'a Change, NotCheckable<'static>> {
    let change = question.change.ok_or(NotCheckable::NoEarlierSide)?;
    require_judged(question, change)?;
    Ok(change)
}

/// Returns an error if a change cannot be judged by any rule.
fn require_judged(question: &Question<'_>, change: &Change) -> Result<(), NotCheckable<'static>> {
    if change.gain.paired().is_none() {
        return Err(NotCheckable::NothingShared);
    }
    // A case that the candidate ran without a verdict is not one that was removed: its run was
    // aborted.
    let mut unjudged = change.gain.only_before.clone();
    unjudged.retain(|case| {
        let case = &question.analysis.cases[*case];
        case.runs(question.workspace, &change.after).next().is_some()
    });
    if !unjudged.is_empty() {
        return Err(NotCheckable::NoVerdict(unjudged));
    }
    let summary = question.analysis.summary(question.after);
    match summary.map_or(0, ConfigurationSummary::ungraded_runs) {
        0 => Ok(()),
        runs => Err(NotCheckable::Ungraded { runs, checks: 0 }),
    }
}

/// The rate must also be reached if every missing verdict counts as a failure.
fn min_pass_rate(summary: &ConfigurationSummary, minimum: f64) -> Decision<'static> {
    let rate = summary.tally.pass_rate().ok_or(NotCheckable::NothingGraded)?;
    let worst = summary.rate_if_failed().ok_or(NotCheckable::NothingGraded)?;
    if is_at_least(rate, minimum) && !is_at_least(worst, minimum) {
        let (runs, checks) = (summary.ungraded_runs(), summary.unjudged);
        return Err(NotCheckable::Ungraded { runs, checks });
    }
    Ok(is_at_least(rate, minimum))
}

fn min_gain<'w>(question: &Question<'w>, least: f64) -> Decision<'w> {
    let change = question.on_baseline().ok_or(NotCheckable::NoBaseline)?;
    require_judged(question, change)?;
    require_verdicts(&flips_of(question, change))?;
    let gain = change.gain.paired().ok_or(NotCheckable::NothingShared)?;
    Ok(is_at_least(gain.mean, least))
}

fn fail_on<'w>(
    change: &Change,
    on: FailOn,
    flips: &[Flip<'w>],
    losses: &[Loss<'w>],
) -> Decision<'w> {
    let holds = match on {
        FailOn::Worse => !change.gain.verdict().is_worse() && !Fall::new(&change.gain).is_hard(),
        FailOn::Loss => {
            // Cases may share no expectation and be compared as a whole.
            if !flips.iter().any(|flip| flip.change().is_some()) {
                return Err(NotCheckable::NothingShared);
            }
            losses.iter().all(Loss::is_excused)
        }
    };
    // Missing verdicts must not hide known losses.
    if holds {
        require_verdicts(flips)?;
    }
    Ok(holds)
}

/// The changes that the gates judge. Unlike on pages, a rerun of the same skill counts as any other round: who
/// sets a gate asks whether a check still passes, not why.
fn flips_of<'w>(question: &Question<'w>, change: &Change) -> Vec<Flip<'w>> {
    let Change { before, after, .. } = change;
    between(question.workspace, &question.analysis.cases, before, after).iter().copied().collect()
}

/// Returns an error if expectations that passed earlier lack verdicts now: nobody knows whether
/// they were lost. These are expectations that would lose passes if missing verdicts counted as
/// failures on both sides.
fn require_verdicts<'w>(flips: &[Flip<'w>]) -> Result<(), NotCheckable<'w>> {
    let mut lost = Vec::new();
    for flip in flips {
        let (before, after) = (flip.before, flip.after);
        let would_lose = after.passed * before.total() < before.passed * after.total();
        let is_other = matches!(flip.kind, FlipKind::Regressed | FlipKind::OtherTask);
        if !is_other && after.ungraded > 0 && would_lose {
            lost.push(*flip);
        }
    }
    if lost.is_empty() { Ok(()) } else { Err(NotCheckable::LostVerdicts(lost)) }
}

/// Noise between runs must not fail a limit, so the lower end of the ratio counts.
fn max_increase(change: &Change, kind: CostKind, limit: CostLimit) -> Decision<'static> {
    let cost = kind.of(&change.costs);
    if let Some(implausible) = cost.implausible {
        return Err(NotCheckable::Implausible(implausible));
    }
    let (before, at_least) = cost.before.zip(cost.at_least).ok_or(NotCheckable::NotRecorded)?;
    let compared = change.gain.shared.len();
    if cost.cases * 2 < compared {
        return Err(NotCheckable::RecordedForFew { cases: cost.cases, compared });
    }
    let least = before * at_least;
    let most = match limit {
        CostLimit::Share(share) => before * (1.0 + share),
        CostLimit::Amount(amount) => before + amount,
    };
    Ok(least <= most + TIE * most.abs().max(1.0))
}

fn is_at_least(value: f64, least: f64) -> bool {
    value >= least - TIE
}
