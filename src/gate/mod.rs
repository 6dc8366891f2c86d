//! Gate: whether a change may pass, by the rules of the settings, which hold the candidate against
//! an earlier side, and of a `regression_gates.json`, which hold it against its baseline. Limits
//! are inclusive. What cannot be checked is failed with the reason: who looked at nothing must not
//! be green.

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

/// Differences below this are none.
const TIE: f64 = 1e-9;

#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub workspace: &'a Workspace,
    pub analysis: &'a Analysis,
    pub after: &'a Side,
    /// The candidate against the earlier side; `None` where there is none.
    pub change: Option<&'a Change>,
    /// The rules and the known issues.
    pub settings: &'a Settings,
    /// The day on which it is judged, as `2026-12-31`.
    pub today: &'a str,
}

impl<'a> Question<'a> {
    /// The candidate against the baseline of its iteration; `None` where there is none.
    pub fn on_baseline(&self) -> Option<&'a Change> {
        self.analysis.change(self.after, Against::Baseline)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A change of this kind fails.
    FailOn(FailOn),
    /// The candidate passes at least that share.
    MinPassRate(f64),
    /// The candidate is ahead by at least that share, by case.
    MinGain(f64),
    /// The candidate needs at most that much more.
    MaxIncrease(Resource, CostLimit),
}

/// Where a rule comes from, and so what it compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSource {
    /// In the settings: the earlier side.
    Settings,
    /// In `regression_gates.json`: the baseline.
    File,
}

/// Whether a rule holds, or why it could not be checked, which counts as failed.
pub type Decision<'w> = Result<bool, NotCheckable<'w>>;

/// Why a rule could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCheckable<'w> {
    NoEarlierSide,
    /// The iteration has no baseline with verdicts.
    NoBaseline,
    /// No case can be compared.
    NothingShared,
    /// The candidate has no verdict at all.
    NothingGraded,
    /// The candidate ran these lines, which the earlier side has verdicts on, and has none.
    NoVerdict(Vec<usize>),
    /// The earlier side passed these, and none of the candidate's runs has a verdict on them.
    LostVerdicts(Vec<Flip<'w>>),
    /// So much of the candidate has no verdict, which may be what failed.
    Ungraded {
        runs: usize,
        checks: usize,
    },
    /// No case has the figure on both sides.
    NotRecorded,
    /// The file of the rule could not be read as a whole.
    DamagedFile,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult<'w> {
    pub rule: Rule,
    pub source: RuleSource,
    pub decision: Decision<'w>,
    /// For a rule of the file whose script decides the other way, since it takes the first
    /// configuration for the candidate: whether it passes.
    pub script: Option<bool>,
}

impl RuleResult<'_> {
    /// Whether the gate may open as far as this rule goes.
    pub fn is_passed(&self) -> bool {
        self.decision == Ok(true)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement<'w> {
    /// The rules in their order; empty without a gate.
    pub rulings: Vec<RuleResult<'w>>,
    /// Every loss that the rule on regressions looks at, known ones included.
    pub losses: Vec<Loss<'w>>,
    /// Indices of the known issues that no loss matches.
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
    let own = |rule: Rule| RuleResult {
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
    let mut rulings: Vec<RuleResult<'w>> = rules.into_iter().map(own).collect();
    if let Some(gates) = &question.workspace.gates {
        rulings.extend(judge_file(question, gates));
    }
    Judgement { rulings, losses, idle }
}

/// Judges each of several candidates of one workspace. A known issue is idle where no loss of any of
/// them matches, and listed once, with the first.
pub fn judge_all<'w>(questions: &[Question<'w>]) -> Vec<Judgement<'w>> {
    let mut found: Vec<Judgement<'w>> = questions.iter().map(judge).collect();
    let idle = |at: &usize| found.iter().all(|judgement| judgement.idle.contains(at));
    let everywhere = found.first().map(|first| first.idle.iter().copied().filter(idle).collect());
    found.iter_mut().for_each(|judgement| judgement.idle.clear());
    if let (Some(first), Some(idle)) = (found.first_mut(), everywhere) {
        first.idle = idle;
    }
    found
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

/// Refuses a change that cannot be judged by any rule.
fn require_judged(question: &Question<'_>, change: &Change) -> Result<(), NotCheckable<'static>> {
    if change.gain.paired.is_none() {
        return Err(NotCheckable::NothingShared);
    }
    // Lines that the earlier side has verdicts on, that the candidate ran, and has no verdict on: a
    // run that broke off is not left out like a case that was taken away.
    let mut unjudged = change.gain.only_before.clone();
    unjudged.retain(|line| {
        let line = &question.analysis.lines[*line];
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

/// The rate must also be reached if every run and every check without a verdict failed.
fn min_pass_rate(summary: &ConfigurationSummary, least: f64) -> Decision<'static> {
    let rate = summary.tally.pass_rate().ok_or(NotCheckable::NothingGraded)?;
    let worst = summary.rate_if_failed().ok_or(NotCheckable::NothingGraded)?;
    if is_at_least(rate, least) && !is_at_least(worst, least) {
        let (runs, checks) = (summary.ungraded_runs(), summary.unjudged);
        return Err(NotCheckable::Ungraded { runs, checks });
    }
    Ok(is_at_least(rate, least))
}

fn fail_on<'w>(
    change: &Change,
    on: FailOn,
    flips: &[Flip<'w>],
    losses: &[Loss<'w>],
) -> Decision<'w> {
    // Cases may share no expectation and be compared as wholes.
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
    // What has no verdict must not hide what is known to be lost.
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
    between(question.workspace, &question.analysis.lines, before, after).iter().copied().collect()
}

/// Refuses expectations that passed earlier and lack verdicts now: nobody knows whether they were
/// lost. They would have lost passes had what has no verdict failed, on both sides alike.
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

/// The rules of a `regression_gates.json`, with the defaults of its script, on the roles that this
/// program finds.
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
    let on_baseline = change_of_file(question, gates);
    let ruling = |rule: Rule| {
        let decision = on_baseline.clone().and_then(|change| decide_size(change, rule));
        let passes = script.map(|script| script::passes(script, rule));
        // What the script makes of a file it may not even open is not known.
        let other = passes.filter(|passes| !gates.is_damaged && *passes != (decision == Ok(true)));
        RuleResult { rule, source: RuleSource::File, decision, script: other }
    };
    rules.into_iter().flatten().map(ruling).collect()
}

/// The change that the rules of the file judge, or why none of them can be checked. What could not
/// be read of the file may have been a rule.
fn change_of_file<'w>(
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
