//! The results of a gate in lines: one per rule, then the known losses.
mod figures;
mod rule_names;

pub(crate) use rule_names::newer_round;

use crate::analyze::{Change, CostKind, Flip, Side, disputed};
use crate::budget::FEW_NAMES;
use crate::gate::{Fall, HARD, Judgement, Loss, NotCheckable, Question, Rule, RuleResult};
use crate::language::{Language, Rate, say};
use crate::wording::changes::key_against;
use crate::wording::gate::figures::{CostForm, ShownLimit, decimals, points, without_zeros};
use crate::wording::gate::rule_names::{about_iteration, rule_name};
use crate::wording::{Facts, headline, sides, verdict};
use input::model::{Implausible, Workspace};
use input::settings::{FailOn, KnownIssue};
use text::fixed;

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
        ["gate.passed", "gate.failed", "gate.known", "gate.remark"][self as usize]
    }
}

/// One line; text from the data is not escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateLine {
    pub mark: GateMark,
    /// The rule and why it passed or failed, or a remark.
    pub text: String,
}

/// The lines of `judgement`: the rules in order, then the remarks. Rules that pass because nothing
/// new ran share a line.
pub fn lines(question: &Question<'_>, judgement: &Judgement, language: &Language) -> Vec<GateLine> {
    let writer = GateWriter::new(question, judgement, language);
    let (mut lines, mut names) = (Vec::new(), Vec::new());
    for ruling in &judgement.rulings {
        if writer.is_nothing_new(ruling) {
            names.push(rule_name(ruling.rule));
        } else {
            lines.push(writer.rule(ruling));
        }
    }
    if !names.is_empty() {
        let text = say!(
            language,
            "gate.line",
            rule = language.list(names),
            finding = writer.nothing_new()
        );
        lines.insert(0, GateLine { mark: GateMark::Passed, text });
    }
    lines.extend(writer.remarks());
    lines
}

/// The line of each rule in order, and the remarks.
pub(crate) fn lines_apart(
    question: &Question<'_>,
    judgement: &Judgement,
    language: &Language,
) -> [Vec<GateLine>; 2] {
    let writer = GateWriter::new(question, judgement, language);
    let rules = judgement.rulings.iter().map(|ruling| writer.rule(ruling));
    [rules.collect(), writer.remarks()]
}

/// The line for a workspace in which no candidate ran.
pub fn nothing_ran(workspace: &Workspace, language: &Language) -> GateLine {
    let has_record = workspace.iterations.iter().any(|iteration| !iteration.benchmarks.is_empty());
    let key = if has_record { "gate.only_recorded" } else { "gate.nothing_ran" };
    GateLine { mark: GateMark::Failed, text: language.text(key).to_owned() }
}

struct GateWriter<'a> {
    question: &'a Question<'a>,
    judgement: &'a Judgement<'a>,
    facts: Facts<'a>,
    language: &'a Language,
}

impl<'a> GateWriter<'a> {
    fn new(
        question: &'a Question<'a>,
        judgement: &'a Judgement<'a>,
        language: &'a Language,
    ) -> Self {
        let facts = Facts { workspace: question.workspace, analysis: question.analysis, language };
        Self { question, judgement, facts, language }
    }

    /// Cases that did not run, disputed checks, the known losses, then known issues that did not occur.
    fn remarks(&self) -> Vec<GateLine> {
        let mut lines = Vec::from_iter(self.not_run().into_iter().chain(self.disputed()));
        lines.extend(self.judgement.losses.iter().filter_map(|loss| self.known_loss(loss)));
        for at in &self.judgement.idle {
            let KnownIssue { case, expectation, .. } = &self.question.settings.known_issues[*at];
            let text = say!(self.language, "gate.idle", case, expectation);
            lines.push(GateLine { mark: GateMark::Remark, text });
        }
        lines
    }

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
        Some(GateLine { mark: GateMark::Remark, text })
    }

    /// The line on checks that count as the grader judged them, although a person says otherwise.
    fn disputed(&self) -> Option<GateLine> {
        let Question { workspace, analysis, .. } = self.question;
        let change = self.question.change.or(self.question.on_baseline())?;
        let number = disputed(workspace, &analysis.cases, change.sides()).len();
        let text = self.language.count(number, "disputed_counted");
        if number == 0 { None } else { Some(GateLine { mark: GateMark::Remark, text }) }
    }

    fn rule(&self, ruling: &RuleResult) -> GateLine {
        let language = self.language;
        let finding = match &ruling.decision {
            Err(NotCheckable::NotDecided) => self.undecided(ruling.rule),
            Err(why) => self.unchecked(why, self.question.change_for(ruling.rule)),
            Ok(_) => self.finding(ruling),
        };
        GateLine {
            mark: if ruling.is_passed() { GateMark::Passed } else { GateMark::Failed },
            text: say!(language, "gate.line", rule = rule_name(ruling.rule), finding),
        }
    }

    /// Whether the rule passes because there is nothing new to compare.
    fn is_nothing_new(&self, ruling: &RuleResult) -> bool {
        self.judgement.is_same_runs && ruling.rule.is_comparison() && ruling.is_passed()
    }

    fn nothing_new(&self) -> String {
        let before = self.question.change.map(|change| self.side(&change.before));
        say!(self.language, "gate.nothing_new", before = before.unwrap_or_default())
    }

    fn finding(&self, ruling: &RuleResult) -> String {
        if self.is_nothing_new(ruling) {
            return self.nothing_new();
        }
        let is_passed = ruling.is_passed();
        match (ruling.rule, self.question.change_for(ruling.rule)) {
            (Rule::MinPassRate(least), _) => self.rate(least),
            (_, None) => self.unchecked(&NotCheckable::NoEarlierSide, None),
            (Rule::MinGain(least), Some(change)) => self.gain(change, least),
            (Rule::MaxIncrease(kind, limit), Some(change)) => {
                self.cost(change, kind, ShownLimit::new(kind, limit), is_passed)
            }
            (Rule::Budget(kind, most), Some(change)) => {
                self.cost(change, kind, ShownLimit { form: CostForm::Times, most }, is_passed)
            }
            (Rule::FailOn(FailOn::Worse), Some(change)) => {
                let (said, fall) = (self.change(change, is_passed), Fall::new(&change.gain));
                let sentences = [said, self.fall(&fall), self.both_sides(change)];
                self.with_differences(self.language.sentences(sentences), change)
            }
            (Rule::FailOn(FailOn::Loss), Some(change)) => self.losses(change),
        }
    }

    /// What happened to the candidate; where that is nothing bad, only by how much: its word stands above.
    fn change(&self, change: &Change, is_passed: bool) -> String {
        match verdict::gain_size(&change.gain, self.language) {
            Some(word) if is_passed => say!(self.language, "verdict.headline_alone", word),
            _ => headline::headline(self.facts, change),
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

    /// How many of the earlier passes are gone; empty if no case fell.
    fn fall(&self, fall: &Fall) -> String {
        let language = self.language;
        if fall.fallen.is_empty() || fall.share() == 0.0 {
            return String::new();
        }
        let [share, limit] = [fall.share(), HARD].map(|share| share * 100.0);
        let decimals = decimals(0, share, limit, fixed);
        let names = fall.fallen.iter().map(|case| {
            let name = &self.question.analysis.cases[case.case].name;
            let [before, after] =
                [case.before, case.after].map(|checks| without_zeros(fixed(checks, 1)));
            say!(language, "gate.fallen_case", name, before, after)
        });
        let key = match (fall.is_hard(), fall.cases) {
            (true, 1) => "gate.fell_alone",
            (true, _) => "gate.fell_hard",
            (false, 1) => "gate.fell_in_part",
            (false, _) => "gate.fell_little",
        };
        say!(
            language,
            key,
            cases = language.share_of_cases(fall.fallen.len(), fall.cases),
            list = language.first_few(names.collect(), FEW_NAMES, "list.comma"),
            percent = self.percent(fall.share(), decimals),
            limit = self.percent(HARD, 0),
        )
    }

    fn losses(&self, change: &Change) -> String {
        let language = self.language;
        let losses = &self.judgement.losses;
        let counted: Vec<&Loss> = losses.iter().filter(|loss| !loss.is_excused()).collect();
        let sides = self.both_sides(change);
        // Known losses do not fail the gate, but a green line should not hide them.
        let key = match (counted.is_empty(), losses.is_empty()) {
            (true, true) => "gate.no_loss",
            (true, false) => "gate.only_known",
            (false, _) => "gate.losses",
        };
        let losses = say!(
            language,
            &key_against(key, change.sides()),
            n = losses.len(),
            expectations = language.count(counted.len(), "expectation"),
            list = self.list(counted.iter().map(|loss| &loss.flip)),
            chance = self.rerun_loss(),
            sides,
        );
        self.with_differences(losses, change)
    }

    /// A text that ends in both sides, with what else differs between these.
    fn with_differences(&self, text: String, change: &Change) -> String {
        let differences = sides::differences(self.facts, change.sides());
        if differences.is_empty() {
            return text;
        }
        self.language
            .sentences([say!(self.language, "verdict.headline_alone", word = text), differences])
    }

    /// How often an unchanged skill loses a check, to the nearest 5 %: it is an estimate.
    fn rerun_loss(&self) -> String {
        let twentieths = (self.judgement.rerun_loss * 20.0).round().clamp(1.0, 19.0);
        self.percent(twentieths / 20.0, 0)
    }

    /// What a run takes typically, at least beyond the noise of runs, and at most by the rule.
    fn cost(&self, change: &Change, kind: CostKind, limit: ShownLimit, is_passed: bool) -> String {
        let language = self.language;
        let cost = kind.of(&change.costs);
        let ratios = [cost.ratio.map(|ratio| ratio.geometric_mean), cost.at_least];
        let [typical, least] = ratios.map(|ratio| limit.form.value(ratio.unwrap_or(1.0), cost));
        let ShownLimit { form, most } = limit;
        let decimals = decimals(form.fewest_decimals(), least, most, |value, decimals| {
            form.number(value, decimals)
        });
        let key = if is_passed && typical > most { "gate.cost_noise" } else { "gate.cost" };
        let limit_key = if form == CostForm::Times { "gate.most" } else { "gate.most_more" };
        let most = self.unit(form, fixed(most, decimals));
        say!(
            language,
            key,
            typical = self.unit(form, form.number(typical, decimals)),
            least = self.unit(form, form.number(least, decimals)),
            cases = language.share_of_cases(cost.cases, change.gain.shared.len()),
            limit = say!(language, limit_key, most),
            sides = self.both_sides(change),
        )
    }

    fn unit(&self, form: CostForm, number: String) -> String {
        match form {
            CostForm::Percent => say!(self.language, "number.percent", n = without_zeros(number)),
            CostForm::Seconds => say!(self.language, "number.seconds", s = number),
            CostForm::Tokens => self.counted(&without_zeros(number), "token"),
            CostForm::Times => format!("{}×", without_zeros(number)),
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
            NotCheckable::UnknownOrder => "gate.unknown_order",
            NotCheckable::NotDecided => "verdict.not_decided",
            NotCheckable::Unmeasured => "gate.not_measured",
            NotCheckable::NotRunAgain => "gate.not_run_again",
            NotCheckable::Implausible(Implausible::TooFewTokens) => "gate.few_tokens",
            NotCheckable::Implausible(Implausible::UnderASecond) => "gate.under_a_second",
            NotCheckable::Implausible(Implausible::EqualTimes) => "gate.equal_times",
            NotCheckable::Implausible(Implausible::CacheOfOneSide) => "gate.cache_of_one_side",
            NotCheckable::RecordedForFew { cases, compared } => {
                let of_cases = language.share_of_cases(*cases, *compared);
                return say!(language, "gate.recorded_for_few", of_cases);
            }
            NotCheckable::NewerWithoutRun(iteration)
            | NotCheckable::NewerUngraded(iteration)
            | NotCheckable::NewerCopied(iteration)
            | NotCheckable::EditedSince(iteration) => {
                return say!(language, about_iteration(why), iteration);
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
        Some(GateLine { mark, text })
    }
}
