//! The results of a gate in lines: one per rule, then the known losses.

use std::fmt::Display;

use crate::analyze::{Change, Flip, Side};
use crate::gate::{
    self, Judgement, Loss, NotCheckable, Question, Resource, Rule, RuleResult, RuleSource,
};
use crate::language::{Language, Rate};
use crate::settings::{CostLimit, FailOn, KnownIssue};
use crate::text::{fixed, signed, signed_points, tokens};
use crate::wording::{Facts, verdict};

const NAMED: usize = 3;

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

/// The lines of `judgement`: the rules in order, then the known losses.
pub fn lines(question: &Question<'_>, judgement: &Judgement, language: &Language) -> Vec<GateLine> {
    let words = Facts { workspace: question.workspace, analysis: question.analysis, language };
    let writer = GateWriter { question, judgement, words };
    let rules = judgement.rulings.iter().map(|ruling| writer.rule(ruling));
    let known_losses = judgement.losses.iter().filter_map(|loss| writer.loss(loss));
    let idle = judgement.idle.iter().map(|at| {
        let KnownIssue { case, expectation, .. } = &question.settings.known_issues[*at];
        let text = language.fill("gate.idle", &[("case", case), ("expectation", expectation)]);
        GateLine { mark: GateMark::Remark, text, short: String::new() }
    });
    rules.chain(known_losses).chain(idle).collect()
}

/// The line for an iteration newer than the judged one in which no candidate ran.
pub fn no_candidate(iteration: &str, language: &Language) -> GateLine {
    let text = language.fill("gate.newer_without", &[("iteration", &iteration)]);
    GateLine { mark: GateMark::Failed, text, short: String::new() }
}

struct GateWriter<'a> {
    question: &'a Question<'a>,
    judgement: &'a Judgement<'a>,
    words: Facts<'a>,
}

impl GateWriter<'_> {
    fn rule(&self, ruling: &RuleResult) -> GateLine {
        let finding = match &ruling.decision {
            Err(why) => self.unchecked(why, self.change(ruling)),
            _ => self.finding(ruling),
        };
        let name = self.name(ruling);
        let line = self.words.fill("gate.line", &[("rule", &name), ("finding", &finding)]);
        let script = ruling.script.map(|passes| {
            let key = if passes { "gate.script_passes" } else { "gate.script_fails" };
            self.words.text(key).to_owned()
        });
        let short = self.words.sentences([name].into_iter().chain(script.clone()));
        let text = self.words.sentences([line].into_iter().chain(script));
        let mark = if ruling.is_passed() { GateMark::Passed } else { GateMark::Failed };
        GateLine { mark, text, short }
    }

    fn name(&self, ruling: &RuleResult) -> String {
        let key = match (ruling.source, ruling.rule) {
            (_, Rule::FailOn(on)) => return format!("fail-on {}", on.word()),
            (_, Rule::MinPassRate(_)) => "min-pass-rate",
            (_, Rule::MinGain(_)) => "min_pass_rate_delta",
            (RuleSource::Settings, Rule::MaxIncrease(Resource::Time, _)) => "max-time-increase",
            (RuleSource::Settings, Rule::MaxIncrease(Resource::Tokens, _)) => "max-token-increase",
            (RuleSource::File, Rule::MaxIncrease(Resource::Time, _)) => "max_time_increase_seconds",
            (RuleSource::File, Rule::MaxIncrease(Resource::Tokens, _)) => "max_token_increase",
        };
        let gates = self.question.workspace.gates.as_ref();
        match gates.filter(|_| ruling.source == RuleSource::File) {
            Some(gates) => format!("{} {key}", gates.path),
            None => key.to_owned(),
        }
    }

    fn change(&self, ruling: &RuleResult) -> Option<&Change> {
        match ruling.source {
            RuleSource::Settings => self.question.change,
            RuleSource::File => self.question.on_baseline(),
        }
    }

    fn finding(&self, ruling: &RuleResult) -> String {
        let language = self.words.language;
        match (ruling.rule, self.change(ruling)) {
            (Rule::MinPassRate(least), _) => self.rate(least),
            (_, None) => self.unchecked(&NotCheckable::NoEarlierSide, None),
            (Rule::FailOn(on @ (FailOn::Regression | FailOn::RegressionStrict)), Some(change)) => {
                self.regression(change, on == FailOn::Regression && ruling.is_passed())
            }
            (Rule::FailOn(_), Some(change)) => language.sentences([
                verdict::sentences(self.words, change),
                self.sides(change),
                verdict::differs(self.words, change),
            ]),
            (Rule::MinGain(least), Some(change)) => {
                let gain = change.gain.paired.as_ref().map_or(0.0, |paired| paired.mean);
                let decimals = decimals(0, [gain, least].map(|share| share * 100.0), points);
                let places: [(&str, &dyn Display); 3] = [
                    ("gain", &self.counted(&plain(points(gain * 100.0, decimals)), "point")),
                    ("least", &self.counted(&plain(fixed(least * 100.0, decimals)), "point")),
                    ("sides", &self.sides(change)),
                ];
                language.fill("gate.gain", &places)
            }
            (Rule::MaxIncrease(resource, limit), Some(change)) => {
                self.increase(change, resource, limit)
            }
        }
    }

    fn rate(&self, least: f64) -> String {
        let tally = self.question.analysis.tally_of(self.question.after);
        let rate = tally.pass_rate().unwrap_or(0.0);
        let [rate_of, least_of] = [rate, least].map(|share| share * 100.0);
        // Less than all is never shown as all, nor more than nothing as nothing.
        let apart =
            |whole: f64| if rate_of == whole { 1 } else { decimals(1, [rate_of, whole], fixed) };
        let decimals = decimals(apart(0.0).max(apart(100.0)), [rate_of, least_of], fixed);
        let places: [(&str, &dyn Display); 4] = [
            ("candidate", &self.side(self.question.after)),
            ("percent", &self.percent(rate, decimals)),
            ("counts", &Rate::counts_of(tally)),
            ("least", &self.percent(least, decimals)),
        ];
        self.words.fill("gate.rate", &places)
    }

    /// The losses; `is_noise` if noise may explain them all.
    fn regression(&self, change: &Change, is_noise: bool) -> String {
        let language = self.words.language;
        let losses = &self.judgement.losses;
        let counted: Vec<&Loss> = losses.iter().filter(|loss| !loss.is_excused()).collect();
        let known_count = losses.len() - counted.len();
        let sides = self.sides(change);
        if counted.is_empty() {
            let key = if known_count == 0 { "gate.no_loss" } else { "gate.only_known" };
            return language.fill(key, &[("n", &known_count), ("sides", &sides)]);
        }
        let expectations = language.count(counted.len(), "expectation");
        let list = self.named(counted.iter().map(|loss| &loss.flip));
        let places: [(&str, &dyn Display); 3] =
            [("expectations", &expectations), ("list", &list), ("sides", &sides)];
        let key = if is_noise { "gate.losses_noise" } else { "gate.losses" };
        let losses = language.fill(key, &places);
        language.sentences([losses, verdict::differs(self.words, change)])
    }

    fn increase(&self, change: &Change, resource: Resource, limit: CostLimit) -> String {
        let language = self.words.language;
        let cost = gate::cost(change, resource);
        let (before, after) = (cost.before.unwrap_or(0.0), cost.after.unwrap_or(0.0));
        let show = |value: f64| match resource {
            Resource::Time => language.seconds(value),
            Resource::Tokens => self.counted(&tokens(value), "token"),
        };
        let exact = |value: f64, decimals: usize| match resource {
            Resource::Time => language.exact_seconds(value, decimals),
            Resource::Tokens => self.counted(&plain(fixed(value, decimals)), "token"),
        };
        let increase = after - before;
        let share = if before > 0.0 { increase / before * 100.0 } else { 0.0 };
        let fewest = usize::from(resource == Resource::Time);
        let (by_share, by_amount, most) = match limit {
            CostLimit::Share(most) => {
                let decimals = decimals(1, [share, most * 100.0], signed);
                (decimals, fewest, self.percent(most, decimals))
            }
            CostLimit::Amount(most) => {
                let decimals = decimals(fewest, [increase, most], signed);
                (1, decimals, exact(most, decimals))
            }
        };
        let difference = match resource {
            Resource::Time => language.signed_seconds(increase, by_amount),
            Resource::Tokens => self.counted(&plain(signed(increase, by_amount)), "token"),
        };
        let share = plain(signed(share, by_share));
        let cases = cost.ratio.as_ref().map_or(0, |ratio| ratio.cases);
        let places: [(&str, &dyn Display); 7] = [
            ("change", &difference),
            ("share", &language.fill("number.percent", &[("n", &share)])),
            ("before", &show(before)),
            ("after", &show(after)),
            ("most", &most),
            ("cases", &language.count(cases, "case")),
            ("sides", &self.sides(change)),
        ];
        language.fill("gate.increase", &places)
    }

    fn counted(&self, number: &str, thing: &str) -> String {
        let is_one = matches!(number, "1" | "+1" | "\u{2212}1");
        self.words.counted(number, is_one, thing)
    }

    fn percent(&self, share: f64, decimals: usize) -> String {
        self.words.fill("number.percent", &[("n", &plain(fixed(share * 100.0, decimals)))])
    }

    fn unchecked(&self, why: &NotCheckable, change: Option<&Change>) -> String {
        let (candidate, reason) = (self.side(self.question.after), self.reason(why, change));
        self.words.fill("gate.unchecked", &[("candidate", &candidate), ("reason", &reason)])
    }

    fn reason(&self, why: &NotCheckable, change: Option<&Change>) -> String {
        let language = self.words.language;
        let key = match why {
            NotCheckable::NoEarlierSide => "gate.no_earlier_side",
            NotCheckable::NoBaseline => "gate.no_baseline",
            NotCheckable::NothingShared => "gate.nothing_shared",
            NotCheckable::NothingGraded => "gate.nothing_graded",
            NotCheckable::NotRecorded => "gate.not_recorded",
            NotCheckable::DamagedFile => "gate.damaged_file",
            NotCheckable::NoVerdict(lines) => {
                let names = lines.iter().map(|at| self.question.analysis.cases[*at].name.clone());
                let names = language.first_few(names.collect(), NAMED, "list.comma");
                let keys = ["gate.no_verdict", "gate.no_verdict_beside"];
                return self.on_earlier(keys, change, ("cases", &names));
            }
            NotCheckable::Ungraded { runs, checks } => {
                let unknown = language.counts([(*runs, "run"), (*checks, "check")]);
                return language.fill("gate.ungraded", &[("unknown", &unknown)]);
            }
            NotCheckable::LostVerdicts(flips) => {
                let keys = ["gate.lost_verdicts", "gate.lost_verdicts_beside"];
                return self.on_earlier(keys, change, ("list", &self.named(flips.iter())));
            }
        };
        language.text(key).to_owned()
    }

    /// Text about the earlier side; the second key names it as a configuration of the same
    /// iteration.
    fn on_earlier(
        &self,
        [earlier, same_iteration]: [&str; 2],
        change: Option<&Change>,
        place: (&str, &dyn Display),
    ) -> String {
        let within = change.filter(|change| change.is_within_iteration());
        let before = within.map_or("", |change| &change.before.configuration);
        let key = if within.is_some() { same_iteration } else { earlier };
        self.words.fill(key, &[place, ("before", &before)])
    }

    fn sides(&self, change: &Change) -> String {
        let places: [(&str, &dyn Display); 4] = [
            ("after", &self.side(&change.after)),
            ("after_counts", &Rate::counts_of(change.gain.after)),
            ("before", &self.side(&change.before)),
            ("before_counts", &Rate::counts_of(change.gain.before)),
        ];
        self.words.fill("gate.sides", &places)
    }

    fn side(&self, side: &Side) -> String {
        verdict::side(self.words, side)
    }

    fn named<'f>(&self, flips: impl Iterator<Item = &'f Flip<'f>>) -> String {
        let named = flips.map(|flip| self.loss_text(flip)).collect();
        self.words.first_few(named, NAMED, "list.semicolon")
    }

    fn loss_text(&self, flip: &Flip) -> String {
        let places: [(&str, &dyn Display); 4] = [
            ("case", &self.question.analysis.cases[flip.case].name),
            ("expectation", &flip.text),
            ("before", &Rate::counts_of(flip.before)),
            ("after", &Rate::counts_of(flip.after)),
        ];
        self.words.fill("gate.loss", &places)
    }

    fn loss(&self, loss: &Loss) -> Option<GateLine> {
        let issue = &self.question.settings.known_issues[loss.issue?];
        let (key, mark) = match loss.is_expired {
            true => ("gate.expired", GateMark::Remark),
            false => ("gate.is_known", GateMark::Known),
        };
        let name = self.loss_text(&loss.flip);
        let places: [(&str, &dyn Display); 3] =
            [("loss", &name), ("reason", &issue.reason), ("day", &issue.expires)];
        Some(GateLine { mark, text: self.words.fill(key, &places), short: String::new() })
    }
}

/// Most decimals of a limit that are shown, and most that are tried to tell a figure from its
/// limit.
const WRITTEN: usize = 4;
const MOST: usize = 8;

/// The number of decimals that the limit has, or more if needed to tell the figure from it.
fn decimals(least: usize, [figure, limit]: [f64; 2], show: impl Fn(f64, usize) -> String) -> usize {
    let written = plain(fixed(limit, WRITTEN));
    let least = least.max(written.split_once('.').map_or(0, |(_, decimals)| decimals.len()));
    let differs =
        |decimals: &usize| plain(show(figure, *decimals)) != plain(show(limit, *decimals));
    (least..=MOST).find(differs).unwrap_or(least)
}

fn points(value: f64, decimals: usize) -> String {
    match decimals {
        0 => signed_points(value / 100.0).0,
        _ => signed(value, decimals),
    }
}

fn plain(number: String) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number,
    }
}

#[cfg(test)]
mod tests {
    use super::{decimals, plain, points};
    use crate::text::{fixed, signed};

    #[test]
    fn a_figure_is_on_its_side_of_the_limit() {
        let shown = |figure: f64, limit: f64| {
            let decimals = decimals(0, [figure, limit], points);
            [plain(points(figure, decimals)), plain(fixed(limit, decimals))]
        };
        assert_eq!(shown(12.5, 12.5), ["+12.5", "12.5"]);
        assert_eq!(shown(12.5, 12.0), ["+13", "12"]);
        assert_eq!(shown(12.5, 13.0), ["+12.5", "13"]);
        assert_eq!(shown(0.3, 0.0), ["+0.3", "0"]);
        assert_eq!(shown(-0.04, 0.0), ["\u{2212}0.04", "0"]);
        assert_eq!(shown(-0.3, -10.0), ["\u{2212}0.3", "\u{2212}10"]);
        assert_eq!(shown(30.0, 12.5), ["+30", "12.5"]);
        let endless = decimals(1, [40.0, 100.0 / 3.0], signed);
        assert_eq!(plain(signed(100.0 / 3.0, endless)), "+33.3333");
    }
}
