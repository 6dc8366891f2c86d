//! Decides whether a change may pass, by the rules of the settings, which compare the candidate
//! with an earlier side, and of a `regression_gates.json`, which compares it with its baseline.
//! Limits are inclusive. A rule that cannot be checked fails, with the reason: an unchecked gate
//! must not be green.

mod known;
mod script;
#[cfg(test)]
mod tests;

pub use crate::analyze::Resource;
pub use crate::gate::known::{Loss, known_issue};

use crate::analyze::{
    Against, Analysis, Change, ConfigurationSummary, Cost, Flip, FlipKind, Side, Verdict, between,
};
use crate::model::{Gates, Workspace};
use crate::settings::{CostLimit, FailOn, Settings};

/// Smaller differences count as equal.
const TIE: f64 = 1e-9;

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
}

impl<'a> Question<'a> {
    /// The candidate against the baseline of its iteration; `None` without one.
    pub fn on_baseline(&self) -> Option<&'a Change> {
        self.analysis.change(self.after, Against::Baseline)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A change of this kind fails.
    FailOn(FailOn),
    /// Least pass rate of the candidate.
    MinPassRate(f64),
    /// Least gain of the candidate, by case.
    MinGain(f64),
    /// Largest increase in what the candidate needs.
    MaxIncrease(Resource, CostLimit),
}

/// The source of a rule, which decides what the candidate is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSource {
    /// The settings: compared with the earlier side.
    Settings,
    /// `regression_gates.json`: compared with the baseline.
    File,
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
    /// Case lines that the candidate ran without a verdict, while the earlier side has verdicts.
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
    /// The file of the rule could not be read completely.
    DamagedFile,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult<'w> {
    pub rule: Rule,
    pub source: RuleSource,
    pub decision: Decision<'w>,
    /// The decision of the file's script, if it differs because it takes the first configuration
    /// for the candidate.
    pub script: Option<bool>,
}

impl RuleResult<'_> {
    /// Whether this rule lets the gate open.
    pub fn is_passed(&self) -> bool {
        self.decision == Ok(true)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement<'w> {
    /// The results in the order of the rules; empty without a gate.
    pub rulings: Vec<RuleResult<'w>>,
    /// Every loss that the rule on regressions considers, including known ones.
    pub losses: Vec<Loss<'w>>,
    /// Indices of known issues that no loss matches.
    pub idle: Vec<usize>,
}

pub fn has_rules(workspace: &Workspace, settings: &Settings) -> bool {
    !settings.gate.is_empty() || workspace.gates.is_some()
}

pub fn judge<'w>(question: &Question<'w>) -> Judgement<'w> {
    let gate = &question.settings.gate;
    let flips = question.change.map(|change| flips(question, change)).unwrap_or_default();
    let (losses, idle) = match question.change {
        Some(_) if gate.fail_on.iter().any(|on| is_on_losses(*on)) => {
            known::losses(question, &flips)
        }
        _ => (Vec::new(), Vec::new()),
    };
    let from_settings = |rule: Rule| RuleResult {
        decision: decide_rule(question, rule, &flips, &losses),
        rule,
        source: RuleSource::Settings,
        script: None,
    };
    let mut rules: Vec<Rule> = gate.fail_on.iter().map(|on| Rule::FailOn(*on)).collect();
    rules.extend(gate.min_pass_rate.map(Rule::MinPassRate));
    let increases =
        [(Resource::Time, gate.max_time_increase), (Resource::Tokens, gate.max_token_increase)];
    for (resource, most) in increases {
        rules.extend(most.map(|most| Rule::MaxIncrease(resource, most)));
    }
    let mut rulings: Vec<RuleResult<'w>> = rules.into_iter().map(from_settings).collect();
    if let Some(gates) = &question.workspace.gates {
        rulings.extend(judge_file(question, gates));
    }
    Judgement { rulings, losses, idle }
}

/// Judges several candidates of one workspace. A known issue is idle if no loss of any candidate
/// matches it; it is listed once, with the first candidate.
pub fn judge_all<'w>(questions: &[Question<'w>]) -> Vec<Judgement<'w>> {
    let mut judgements: Vec<Judgement<'w>> = questions.iter().map(judge).collect();
    let idle = |at: &usize| judgements.iter().all(|judgement| judgement.idle.contains(at));
    let everywhere =
        judgements.first().map(|first| first.idle.iter().copied().filter(idle).collect());
    judgements.iter_mut().for_each(|judgement| judgement.idle.clear());
    if let (Some(first), Some(idle)) = (judgements.first_mut(), everywhere) {
        first.idle = idle;
    }
    judgements
}

fn decide_rule<'w>(
    question: &Question<'w>,
    rule: Rule,
    flips: &[Flip<'w>],
    losses: &[Loss<'w>],
) -> Decision<'w> {
    let summary = question.analysis.summary(question.after).ok_or(NotCheckable::NothingGraded)?;
    if summary.tally.graded() == 0 {
        return Err(NotCheckable::NothingGraded);
    }
    if let Rule::MinPassRate(least) = rule {
        return min_pass_rate(summary, least);
    }
    let change = question.change.ok_or(NotCheckable::NoEarlierSide)?;
    require_judged(question, change)?;
    match rule {
        Rule::FailOn(on) => fail_on(change, on, flips, losses),
        rule => decide_size(change, rule),
    }
}

/// Returns an error if a change cannot be judged by any rule.
fn require_judged(question: &Question<'_>, change: &Change) -> Result<(), NotCheckable<'static>> {
    if change.gain.paired.is_none() {
        return Err(NotCheckable::NothingShared);
    }
    // Case lines that the candidate ran without a verdict, while the earlier side has verdicts: an
    // aborted run is not left out like a removed case.
    let mut unjudged = change.gain.only_before.clone();
    unjudged.retain(|line| {
        let line = &question.analysis.cases[*line];
        line.runs(question.workspace, &change.after).next().is_some()
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

fn fail_on<'w>(
    change: &Change,
    on: FailOn,
    flips: &[Flip<'w>],
    losses: &[Loss<'w>],
) -> Decision<'w> {
    // Cases may share no expectation and be compared as a whole.
    let is_any_compared = flips.iter().any(|flip| flip.change().is_some());
    if is_on_losses(on) && !is_any_compared {
        return Err(NotCheckable::NothingShared);
    }
    let mut losses = losses.iter().filter(|loss| !loss.is_excused());
    let verdict = change.gain.verdict();
    let holds = match on {
        FailOn::Regression => losses.all(|loss| loss.may_be_noise),
        FailOn::RegressionStrict => losses.next().is_none(),
        FailOn::Worse => !verdict.is_worse(),
        FailOn::SettledWorse => !matches!(verdict, Verdict::Worse(_)),
    };
    // Missing verdicts must not hide known losses.
    if holds {
        require_verdicts(flips)?;
    }
    Ok(holds)
}

fn is_on_losses(on: FailOn) -> bool {
    matches!(on, FailOn::Regression | FailOn::RegressionStrict)
}

fn flips<'w>(question: &Question<'w>, change: &Change) -> Vec<Flip<'w>> {
    let Change { before, after, .. } = change;
    between(question.workspace, &question.analysis.cases, before, after).iter().copied().collect()
}

/// Returns an error if expectations that passed earlier lack verdicts now: nobody knows whether
/// they were lost. These are expectations that would lose passes if missing verdicts counted as
/// failures on both sides.
fn require_verdicts<'w>(flips: &[Flip<'w>]) -> Result<(), NotCheckable<'w>> {
    let has_lost_verdicts = |flip: &&Flip<'w>| {
        let (before, after) = (flip.before, flip.after);
        let would_lose = after.passed * before.total() < before.passed * after.total();
        let is_other = matches!(flip.kind, FlipKind::Regressed | FlipKind::OtherTask);
        !is_other && after.ungraded > 0 && would_lose
    };
    let lost: Vec<Flip<'w>> = flips.iter().filter(has_lost_verdicts).copied().collect();
    if lost.is_empty() { Ok(()) } else { Err(NotCheckable::LostVerdicts(lost)) }
}

fn decide_size(change: &Change, rule: Rule) -> Decision<'static> {
    match rule {
        Rule::MinGain(least) => {
            let gain = change.gain.paired.as_ref().ok_or(NotCheckable::NothingShared)?;
            Ok(is_at_least(gain.mean, least))
        }
        Rule::MaxIncrease(resource, limit) => {
            let cost = cost(change, resource);
            let (before, after) = cost.before.zip(cost.after).ok_or(NotCheckable::NotRecorded)?;
            let most = match limit {
                CostLimit::Share(share) => before * (1.0 + share),
                CostLimit::Amount(amount) => before + amount,
            };
            Ok(after <= most + TIE * most.abs().max(1.0))
        }
        Rule::FailOn(_) | Rule::MinPassRate(_) => Err(NotCheckable::NothingShared),
    }
}

pub fn cost(change: &Change, resource: Resource) -> &Cost {
    match resource {
        Resource::Time => &change.costs.time,
        Resource::Tokens => &change.costs.tokens,
    }
}

fn is_at_least(value: f64, least: f64) -> bool {
    value >= least - TIE
}

/// Applies the rules of a `regression_gates.json`, with the defaults of its script, to the roles
/// that we find.
fn judge_file<'w>(question: &Question<'w>, gates: &Gates) -> Vec<RuleResult<'w>> {
    let least = gates.min_pass_rate_delta.unwrap_or(0.0);
    let is_required = gates.require_non_negative_pass_rate.unwrap_or(true);
    let least = if is_required { least.max(0.0) } else { least };
    let amount = |resource: Resource, most: Option<f64>| {
        most.map(|most| Rule::MaxIncrease(resource, CostLimit::Amount(most)))
    };
    let rules = [
        Some(Rule::MinGain(least)),
        amount(Resource::Time, gates.max_time_increase_s),
        amount(Resource::Tokens, gates.max_token_increase),
    ];
    let script = script::differences(&question.workspace.iterations[question.after.iteration]);
    let on_baseline = baseline_change(question, gates);
    let ruling = |rule: Rule| {
        let decision = on_baseline.clone().and_then(|change| decide_size(change, rule));
        let passes = script.map(|script| script::passes(script, rule));
        // What the script does with a damaged file is unknown.
        let other = passes.filter(|passes| !gates.is_damaged && *passes != (decision == Ok(true)));
        RuleResult { rule, source: RuleSource::File, decision, script: other }
    };
    rules.into_iter().flatten().map(ruling).collect()
}

/// The change that the rules of the file judge, or why none can be checked. An unreadable part of
/// the file may have been a rule.
fn baseline_change<'w>(
    question: &Question<'w>,
    gates: &Gates,
) -> Result<&'w Change, NotCheckable<'w>> {
    if gates.is_damaged {
        return Err(NotCheckable::DamagedFile);
    }
    if question.analysis.tally_of(question.after).graded() == 0 {
        return Err(NotCheckable::NothingGraded);
    }
    let change = question.on_baseline().ok_or(NotCheckable::NoBaseline)?;
    require_judged(question, change)?;
    require_verdicts(&flips(question, change))?;
    Ok(change)
}
