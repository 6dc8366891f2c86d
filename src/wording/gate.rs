//! The results of a gate in lines: one per rule, then the known losses.

use crate::analyze::{Change, Flip, Side};
use crate::budget::FEW_NAMES;
use crate::gate::{self, Judgement, Loss, NotCheckable, Question, Resource, Rule, RuleResult};
use crate::language::{Language, Rate, say};
use crate::model::Workspace;
use crate::settings::{CostLimit, FailOn, KnownIssue};
use crate::text::{fixed, signed, signed_points, tokens};
use crate::wording::changes::key_against;
use crate::wording::{Facts, headline, sides, verdict};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateMark {
    Passed,
    /// The rule does not hold, or could not be checked.
    Failed,
    Known,
    /// A remark on the known issues themselves.
    Remark,
}

impl GateMark {
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Passed => "gate.passed",
            Self::Failed => "gate.failed",
            Self::Known => "gate.known",
            Self::Remark => "gate.remark",
        }
    }
}

/// One line; text from the data is not escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateLine {
    pub mark: GateMark,
    pub text: String,
    /// The rule without its numbers, which is enough if it passed; empty unless the line is about a
    /// rule.
    pub short: String,
}

impl GateLine {
    fn without_rule(mark: GateMark, text: String) -> Self {
        Self { mark, text, short: String::new() }
    }
}

/// The lines of `judgement`: the rules in order, cases that did not run, the known losses, then known
/// issues that did not occur.
pub fn lines(question: &Question<'_>, judgement: &Judgement, language: &Language) -> Vec<GateLine> {
    let facts = Facts { workspace: question.workspace, analysis: question.analysis, language };
    let writer = GateWriter { question, judgement, facts, language };
    let mut lines: Vec<GateLine> =
        judgement.rulings.iter().map(|ruling| writer.rule(ruling)).collect();
    lines.extend(writer.not_run());
    lines.extend(judgement.losses.iter().filter_map(|loss| writer.known_loss(loss)));
    for at in &judgement.idle {
        let KnownIssue { case, expectation, .. } = &question.settings.known_issues[*at];
        let text = say!(language, "gate.idle", case, expectation);
        lines.push(GateLine::without_rule(GateMark::Remark, text));
    }
    lines
}

/// The line for a workspace in which no candidate ran.
pub fn nothing_ran(workspace: &Workspace, language: &Language) -> GateLine {
    let has_record = workspace.iterations.iter().any(|iteration| !iteration.benchmarks.is_empty());
    let key = if has_record { "gate.only_recorded" } else { "gate.nothing_ran" };
    GateLine::without_rule(GateMark::Failed, language.text(key).to_owned())
}

struct GateWriter<'a> {
    question: &'a Question<'a>,
    judgement: &'a Judgement<'a>,
    facts: Facts<'a>,
    language: &'a Language,
}

impl GateWriter<'_> {
    /// The line on cases that the candidate did not run, which no rule judges; `None` if it ran all.
    fn not_run(&self) -> Option<GateLine> {
        let after = self.question.after;
        let cases = &self.question.workspace.iterations[after.iteration].cases;
        let mut names = Vec::new();
        for case in cases {
            if case.runs_of(&after.configuration).next().is_none() {
                names.push(case.name.clone());
            }
        }
        let n = names.len();
        if n == 0 {
            return None;
        }
        let names = self.language.first_few(names, FEW_NAMES, "list.comma");
        let (candidate, all) = (self.side(after), cases.len());
        let text = say!(self.language, "gate.not_run", candidate, n, all, names);
        Some(GateLine::without_rule(GateMark::Remark, text))
    }

    fn rule(&self, ruling: &RuleResult) -> GateLine {
        let language = self.language;
        let finding = match &ruling.decision {
            Err(NotCheckable::NotDecided) => self.undecided(ruling.rule),
            Err(why) => self.unchecked(why, self.question.change_for(ruling.rule)),
            Ok(_) => self.finding(ruling),
        };
        let rule = rule_name(ruling.rule);
        GateLine {
            mark: if ruling.is_passed() { GateMark::Passed } else { GateMark::Failed },
            text: say!(language, "gate.line", rule, finding),
            short: rule,
        }
    }

    fn finding(&self, ruling: &RuleResult) -> String {
        match (ruling.rule, self.question.change_for(ruling.rule)) {
            (Rule::MinPassRate(least), _) => self.rate(least),
            (_, None) => self.unchecked(&NotCheckable::NoEarlierSide, None),
            (Rule::MinGain(least), Some(change)) => self.gain(change, least),
            (Rule::MaxIncrease(resource, limit), Some(change)) => {
                self.increase(change, resource, limit)
            }
            (Rule::Budget(resource, most), Some(change)) => {
                self.increase(change, resource, CostLimit::Share(most - 1.0))
            }
            (Rule::FailOn(FailOn::Regression), Some(change)) => {
                self.regression(change, ruling.is_passed())
            }
            (Rule::FailOn(FailOn::RegressionStrict), Some(change)) => {
                self.regression(change, false)
            }
            (Rule::FailOn(_), Some(change)) => self.language.sentences([
                headline::sentences(self.facts, change),
                self.both_sides(change),
                sides::differences(self.facts, change.sides()),
            ]),
        }
    }

    fn rate(&self, least: f64) -> String {
        let tally = self.question.analysis.tally_of(self.question.after);
        let rate = tally.pass_rate().unwrap_or(0.0);
        let [rate_percent, least_percent] = [rate, least].map(|share| share * 100.0);
        let shown = decimals(0, rate_percent, least_percent, fixed);
        say!(
            self.language,
            "gate.rate",
            candidate = self.side(self.question.after),
            percent = self.percent(rate, shown),
            counts = Rate::counts_of(tally),
            least = self.percent(least, shown),
        )
    }

    fn gain(&self, change: &Change, least: f64) -> String {
        let gain = change.gain.paired().map_or(0.0, |paired| paired.mean) * 100.0;
        let least = least * 100.0;
        let shown = decimals(0, gain, least, points);
        say!(
            self.language,
            "gate.gain",
            gain = self.counted(&without_zeros(points(gain, shown)), "point"),
            least = self.counted(&without_zeros(fixed(least, shown)), "point"),
            sides = self.both_sides(change),
        )
    }

    /// The losses; `is_noise` if noise may explain them all.
    fn regression(&self, change: &Change, is_noise: bool) -> String {
        let language = self.language;
        let losses = &self.judgement.losses;
        let counted: Vec<&Loss> = losses.iter().filter(|loss| !loss.is_excused()).collect();
        let sides = self.both_sides(change);
        if counted.is_empty() {
            let key = if losses.is_empty() { "gate.no_loss" } else { "gate.only_known" };
            let key = key_against(key, change.sides());
            // Known losses do not fail the gate, but a green line should not hide them.
            return say!(language, &key, n = losses.len(), sides);
        }
        let key = if is_noise { "gate.losses_noise" } else { "gate.losses" };
        let key = key_against(key, change.sides());
        let losses = say!(
            language,
            &key,
            expectations = language.count(counted.len(), "expectation"),
            list = self.list(counted.iter().map(|loss| &loss.flip)),
            sides,
        );
        language.sentences([losses, sides::differences(self.facts, change.sides())])
    }

    fn increase(&self, change: &Change, resource: Resource, limit: CostLimit) -> String {
        let language = self.language;
        let cost = gate::cost(change, resource);
        let (before, after) = (cost.before.unwrap_or(0.0), cost.after.unwrap_or(0.0));
        let increase = after - before;
        let percent = if before > 0.0 { increase / before * 100.0 } else { 0.0 };
        // Seconds have a decimal, tokens none.
        let fewest = usize::from(resource == Resource::Time);
        let (mut percent_decimals, mut amount_decimals) = (0, fewest);
        let most = match limit {
            CostLimit::Share(most) => {
                percent_decimals = decimals(0, percent, most * 100.0, signed);
                self.percent(most, percent_decimals)
            }
            CostLimit::Amount(most) => {
                amount_decimals = decimals(fewest, increase, most, signed);
                match resource {
                    Resource::Time => language.exact_seconds(most, amount_decimals),
                    Resource::Tokens => {
                        self.counted(&without_zeros(fixed(most, amount_decimals)), "token")
                    }
                }
            }
        };
        let difference = match resource {
            Resource::Time => language.signed_seconds(increase, amount_decimals),
            Resource::Tokens => {
                self.counted(&without_zeros(signed(increase, amount_decimals)), "token")
            }
        };
        let percent = without_zeros(signed(percent, percent_decimals));
        say!(
            language,
            "gate.increase",
            change = difference,
            share = say!(language, "number.percent", n = percent),
            before = self.amount(resource, before),
            after = self.amount(resource, after),
            most,
            cases = language.count(cost.cases, "case"),
            sides = self.both_sides(change),
        )
    }

    fn amount(&self, resource: Resource, value: f64) -> String {
        match resource {
            Resource::Time => self.language.seconds(value),
            Resource::Tokens => self.counted(&tokens(value), "token"),
        }
    }

    fn counted(&self, number: &str, thing: &str) -> String {
        self.language.counted(number, verdict::is_one(number), thing)
    }

    fn percent(&self, share: f64, decimals: usize) -> String {
        if decimals == 0 {
            return self.language.percent(share);
        }
        say!(self.language, "number.percent", n = without_zeros(fixed(share * 100.0, decimals)))
    }

    fn unchecked(&self, why: &NotCheckable, change: Option<&Change>) -> String {
        let candidate = self.side(self.question.after);
        say!(self.language, "gate.unchecked", candidate, reason = self.reason(why, change))
    }

    fn undecided(&self, rule: Rule) -> String {
        let mut missing = String::new();
        if let Some(change) = self.question.undecided(rule)
            && let Some(sides) = change.gain.undecided()
        {
            missing = headline::missing_verdicts(self.facts, change, sides);
        }
        let candidate = self.side(self.question.after);
        say!(self.language, "gate.unchecked", candidate, reason = missing)
    }

    fn reason(&self, why: &NotCheckable, change: Option<&Change>) -> String {
        let language = self.language;
        // An earlier side of the same iteration is named by its configuration.
        let change = change.filter(|change| change.is_within_iteration());
        let before = change.map_or("", |change| &change.before.configuration);
        let key = match why {
            NotCheckable::NoEarlierSide => "gate.no_earlier_side",
            NotCheckable::NoBaseline => "gate.no_baseline",
            NotCheckable::NothingShared => "gate.nothing_shared",
            NotCheckable::NothingGraded => "gate.nothing_graded",
            NotCheckable::NotRecorded => "gate.not_recorded",
            NotCheckable::SameRuns => "gate.same_runs",
            NotCheckable::NotDecided => "verdict.not_decided",
            NotCheckable::NewerWithoutRun(iteration) => {
                return say!(language, "gate.newer_without", iteration);
            }
            NotCheckable::NewerUngraded(iteration) => {
                return say!(language, "gate.newer_ungraded", iteration);
            }
            NotCheckable::NewerCopied(iteration) => {
                return say!(language, "gate.newer_copied", iteration);
            }
            NotCheckable::OtherSkill(skill) => return say!(language, "gate.other_skill", skill),
            NotCheckable::NoVerdict(cases) => {
                let names = cases.iter().map(|at| self.question.analysis.cases[*at].name.clone());
                let cases = language.first_few(names.collect(), FEW_NAMES, "list.comma");
                let keys = ["gate.no_verdict", "gate.no_verdict_beside"];
                return say!(language, keys[usize::from(change.is_some())], cases, before);
            }
            NotCheckable::Ungraded { runs, checks } => {
                let unknown = language.counts([(*runs, "run"), (*checks, "check")]);
                return say!(language, "gate.ungraded", unknown);
            }
            NotCheckable::LostVerdicts(flips) => {
                let list = self.list(flips.iter());
                let keys = ["gate.lost_verdicts", "gate.lost_verdicts_beside"];
                return say!(language, keys[usize::from(change.is_some())], list, before);
            }
        };
        language.text(key).to_owned()
    }

    fn both_sides(&self, change: &Change) -> String {
        say!(
            self.language,
            "gate.sides",
            after = self.side(&change.after),
            after_counts = Rate::counts_of(change.gain.after),
            before = self.side(&change.before),
            before_counts = Rate::counts_of(change.gain.before),
        )
    }

    fn side(&self, side: &Side) -> String {
        sides::full_name(self.facts, side)
    }

    fn list<'f>(&self, flips: impl Iterator<Item = &'f Flip<'f>>) -> String {
        let losses = flips.map(|flip| self.loss(flip)).collect();
        self.language.first_few(losses, FEW_NAMES, "list.semicolon")
    }

    fn loss(&self, flip: &Flip) -> String {
        say!(
            self.language,
            "gate.loss",
            case = self.question.analysis.cases[flip.case].name,
            expectation = flip.text,
            before = Rate::counts_of(flip.before),
            after = Rate::counts_of(flip.after),
        )
    }

    /// The line for a loss that a known issue matches; `None` for any other.
    fn known_loss(&self, loss: &Loss) -> Option<GateLine> {
        let issue = &self.question.settings.known_issues[loss.issue?];
        let (key, mark) = if loss.is_expired {
            ("gate.expired", GateMark::Remark)
        } else {
            ("gate.is_known", GateMark::Known)
        };
        let loss = self.loss(&loss.flip);
        let text = say!(self.language, key, loss, reason = issue.reason, day = issue.expires);
        Some(GateLine::without_rule(mark, text))
    }
}

/// Decimals of a limit that are shown, and those that are tried to tell a figure from its limit.
const LIMIT_DECIMALS: usize = 4;
const ALL_DECIMALS: usize = 8;

/// The number of decimals that the limit has, or more if needed to tell the figure from it.
fn decimals(fewest: usize, figure: f64, limit: f64, show: impl Fn(f64, usize) -> String) -> usize {
    let written = without_zeros(fixed(limit, LIMIT_DECIMALS));
    let written = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let fewest = fewest.max(written);
    for decimals in fewest..=ALL_DECIMALS {
        if without_zeros(show(figure, decimals)) != without_zeros(show(limit, decimals)) {
            return decimals;
        }
    }
    fewest
}

fn points(value: f64, decimals: usize) -> String {
    if decimals == 0 { signed_points(value / 100.0).0 } else { signed(value, decimals) }
}

fn without_zeros(number: String) -> String {
    if !number.contains('.') {
        return number;
    }
    number.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The name of a rule, as its flag.
fn rule_name(rule: Rule) -> String {
    match rule {
        Rule::FailOn(on) => format!("fail-on {}", on.word()),
        Rule::MinPassRate(_) => "min-pass-rate".to_owned(),
        Rule::MinGain(_) => "min-gain".to_owned(),
        Rule::MaxIncrease(Resource::Time, _) => "max-time-increase".to_owned(),
        Rule::MaxIncrease(Resource::Tokens, _) => "max-token-increase".to_owned(),
        Rule::Budget(Resource::Time, most) => format!("time at most {most} ×"),
        Rule::Budget(Resource::Tokens, most) => format!("tokens at most {most} ×"),
    }
}

#[cfg(test)]
mod tests {
    use super::{decimals, points, without_zeros};
    use crate::text::{fixed, signed};

    #[test]
    fn a_figure_is_on_its_side_of_the_limit() {
        for (figure, limit, shown) in [
            (12.5, 12.5, ["+12.5", "12.5"]),
            (12.5, 12.0, ["+13", "12"]),
            (12.5, 13.0, ["+12.5", "13"]),
            (0.3, 0.0, ["+0.3", "0"]),
            (-0.04, 0.0, ["\u{2212}0.04", "0"]),
            (-0.3, -10.0, ["±0", "\u{2212}10"]),
            (30.0, 12.5, ["+30", "12.5"]),
        ] {
            let decimals = decimals(0, figure, limit, points);
            let actual = [points(figure, decimals), fixed(limit, decimals)].map(without_zeros);
            assert_eq!(actual, shown);
        }
        let endless = decimals(1, 40.0, 100.0 / 3.0, signed);
        assert_eq!(without_zeros(signed(100.0 / 3.0, endless)), "+33.3333");
    }
}
