//! What became of a gate, in lines: one per rule, then the losses that are known.

use std::fmt::Display;

use crate::analyze::{Change, Flip, Side};
use crate::gate::{self, Decision, Judgement, Loss, Question, Resource, Rule, Ruling, Source, Why};
use crate::model::Tally;
use crate::render::language::Language;
use crate::render::verdict;
use crate::render::view::Rate;
use crate::settings::{KnownIssue, Limit};
use crate::text::{fixed, signed, tokens};

/// How many losses a line names; the rest are counted.
const NAMED: usize = 3;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A rule holds.
    Passed,
    /// A rule does not hold, or could not be checked.
    Failed,
    /// A loss is known.
    Known,
    /// Something about the known issues themselves.
    Remark,
}

impl Mark {
    /// The key of its word.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Passed => "gate.passed",
            Self::Failed => "gate.failed",
            Self::Known => "gate.known",
            Self::Remark => "gate.remark",
        }
    }
}

/// One line, with text of the data in it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub mark: Mark,
    /// The words.
    pub text: String,
}

/// The lines of `judgement`: the rules in their order, then what is known.
pub fn lines(question: &Question<'_>, judgement: &Judgement, language: &Language) -> Vec<Line> {
    let words = Words { question, judgement, language };
    let rules = judgement.rulings.iter().map(|ruling| words.rule(ruling));
    let known = judgement.losses.iter().filter_map(|loss| words.loss(loss));
    let idle = judgement.idle.iter().map(|at| words.idle(*at));
    rules.chain(known).chain(idle).collect()
}

struct Words<'a> {
    question: &'a Question<'a>,
    judgement: &'a Judgement,
    language: &'a Language,
}

impl Words<'_> {
    fn rule(&self, ruling: &Ruling) -> Line {
        let finding = match &ruling.decision {
            Decision::Unchecked(why) => self.unchecked(why),
            _ => self.finding(ruling),
        };
        let places: [(&str, &dyn Display); 2] =
            [("rule", &self.name(ruling)), ("finding", &finding)];
        let mut text = self.language.fill("gate.line", &places);
        if let Some(passes) = ruling.script {
            let key = if passes { "gate.script_passes" } else { "gate.script_fails" };
            text = self.language.sentences([text, self.language.text(key).to_owned()]);
        }
        let mark = if ruling.is_passed() { Mark::Passed } else { Mark::Failed };
        Line { mark, text }
    }

    /// The rule as it is written where it stands.
    fn name(&self, ruling: &Ruling) -> String {
        let key = match (ruling.source, ruling.rule) {
            (_, Rule::FailOn(on)) => return format!("fail-on {}", on.word()),
            (_, Rule::MinPassRate(_)) => "min-pass-rate",
            (_, Rule::MinGain(_)) => "min_pass_rate_delta",
            (Source::Settings, Rule::MaxIncrease(Resource::Time, _)) => "max-time-increase",
            (Source::Settings, Rule::MaxIncrease(Resource::Tokens, _)) => "max-token-increase",
            (Source::File, Rule::MaxIncrease(Resource::Time, _)) => "max_time_increase_seconds",
            (Source::File, Rule::MaxIncrease(Resource::Tokens, _)) => "max_token_increase",
        };
        let gates = self.question.workspace.gates.as_ref();
        match gates.filter(|_| ruling.source == Source::File) {
            Some(gates) => format!("{} {key}", gates.path),
            None => key.to_owned(),
        }
    }

    fn finding(&self, ruling: &Ruling) -> String {
        let language = self.language;
        let on_side = match ruling.source {
            Source::Settings => self.question.change,
            Source::File => self.question.on_baseline,
        };
        match (ruling.rule, on_side) {
            (Rule::MinPassRate(least), _) => self.rate(least),
            (_, None) => self.unchecked(&Why::NoEarlierSide),
            (Rule::FailOn(crate::settings::FailOn::Regression), Some(change)) => {
                self.regression(change)
            }
            (Rule::FailOn(_), Some(change)) => {
                let verdict = verdict::words(change, language);
                self.with_conditions(vec![verdict, self.sides(change)], change)
            }
            (Rule::MinGain(least), Some(change)) => {
                let gain = change.gain.paired.as_ref().map_or(0.0, |paired| paired.mean);
                let [gain, _] =
                    apart(0, |decimals| [gain, least].map(|share| signed(share * 100.0, decimals)));
                let is_one = matches!(gain.as_str(), "+1" | "\u{2212}1");
                let places: [(&str, &dyn Display); 3] = [
                    ("gain", &language.counted(&gain, is_one, "point")),
                    ("least", &self.least(least)),
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
        let tally = gate::level(self.question);
        let rate = tally.pass_rate().unwrap_or(0.0);
        let apart = apart(1, |decimals| [rate, least].map(|share| self.percent(share, decimals)));
        let places: [(&str, &dyn Display); 4] = [
            ("candidate", &self.side(self.question.after)),
            ("percent", &apart[0]),
            ("counts", &self.counts(tally)),
            ("least", &apart[1]),
        ];
        self.language.fill("gate.rate", &places)
    }

    fn regression(&self, change: &Change) -> String {
        let language = self.language;
        let counted: Vec<&Loss> =
            self.judgement.losses.iter().filter(|loss| !loss.is_excused()).collect();
        let known = self.judgement.losses.len() - counted.len();
        let sides = self.sides(change);
        if counted.is_empty() {
            let key = if known == 0 { "gate.no_loss" } else { "gate.only_known" };
            return language.fill(key, &[("n", &known), ("sides", &sides)]);
        }
        let places: [(&str, &dyn Display); 3] = [
            ("expectations", &language.count(counted.len(), "expectation")),
            ("list", &self.named(counted.iter().map(|loss| &loss.flip))),
            ("sides", &sides),
        ];
        self.with_conditions(vec![language.fill("gate.losses", &places)], change)
    }

    fn increase(&self, change: &Change, resource: Resource, limit: Limit) -> String {
        let language = self.language;
        let cost = gate::cost(change, resource);
        let (before, after) = (cost.before.unwrap_or(0.0), cost.after.unwrap_or(0.0));
        let show = |value: f64| match resource {
            Resource::Time => language.seconds(value),
            Resource::Tokens => language.counted(&tokens(value), false, "token"),
        };
        let increase = after - before;
        let allowed = match limit {
            Limit::Share(share) => before * share,
            Limit::Amount(amount) => amount,
        };
        let number = |decimals| {
            apart(decimals, |decimals| [increase, allowed].map(|it| signed(it, decimals)))[0]
                .clone()
        };
        let difference = match resource {
            Resource::Time => language.fill("number.seconds", &[("s", &number(1))]),
            Resource::Tokens => language.counted(&number(0), false, "token"),
        };
        let share = if before > 0.0 { (after - before) / before } else { 0.0 };
        let most = match limit {
            Limit::Share(most) => self.percent(most, 1),
            Limit::Amount(amount) => show(amount),
        };
        let cases = cost.ratio.as_ref().map_or(0, |ratio| ratio.cases);
        let places: [(&str, &dyn Display); 7] = [
            ("change", &difference),
            ("share", &self.share(share, limit)),
            ("before", &show(before)),
            ("after", &show(after)),
            ("most", &most),
            ("cases", &language.count(cases, "case")),
            ("sides", &self.sides(change)),
        ];
        language.fill("gate.increase", &places)
    }

    /// A percentage with at most that many decimals, as far as it has them.
    fn percent(&self, share: f64, decimals: usize) -> String {
        let number = fixed(share * 100.0, decimals);
        let number = number.trim_end_matches('0').trim_end_matches('.').to_owned();
        self.language.fill("number.percent", &[("n", &number)])
    }

    /// A gain that is asked for, in percentage points.
    fn least(&self, share: f64) -> String {
        let number = fixed(share * 100.0, 1);
        let number = number.strip_suffix(".0").unwrap_or(&number).to_owned();
        self.language.counted(&number, number == "1", "point")
    }

    /// A signed percentage, with decimals where it has them and as many as tell it from the limit.
    fn share(&self, share: f64, limit: Limit) -> String {
        let limit = match limit {
            Limit::Share(limit) => limit,
            Limit::Amount(_) => f64::INFINITY,
        };
        let [number, _] =
            apart(1, |decimals| [share, limit].map(|share| signed(share * 100.0, decimals)));
        let number = match number.contains('.') {
            true => number.trim_end_matches('0').trim_end_matches('.'),
            false => &number,
        };
        self.language.fill("number.percent", &[("n", &number)])
    }

    fn unchecked(&self, why: &Why) -> String {
        let places: [(&str, &dyn Display); 2] =
            [("candidate", &self.side(self.question.after)), ("reason", &self.reason(why))];
        self.language.fill("gate.unchecked", &places)
    }

    fn reason(&self, why: &Why) -> String {
        let language = self.language;
        let text = |key| language.text(key).to_owned();
        match why {
            Why::NoEarlierSide => text("gate.no_earlier_side"),
            Why::NoBaseline => text("gate.no_baseline"),
            Why::NothingShared => text("gate.nothing_shared"),
            Why::NothingGraded => text("gate.nothing_graded"),
            Why::NotRecorded => text("gate.not_recorded"),
            Why::TooFewCases => text("gate.too_few_cases"),
            Why::DamagedFile => text("gate.damaged_file"),
            Why::NoVerdict(lines) => {
                let names = lines.iter().map(|at| self.question.analysis.lines[*at].name.as_str());
                let names = names.collect::<Vec<_>>().join(language.text("list.comma"));
                language.fill("gate.no_verdict", &[("cases", &names)])
            }
            Why::Ungraded { runs, checks } => {
                let unknown = language.counts([(*runs, "run"), (*checks, "expectation")]);
                language.fill("gate.ungraded", &[("unknown", &unknown)])
            }
            Why::LostVerdicts(flips) => {
                language.fill("gate.lost_verdicts", &[("list", &self.named(flips.iter()))])
            }
        }
    }

    /// The sentences, and that another model or grader was at work where it was.
    fn with_conditions(&self, mut sentences: Vec<String>, change: &Change) -> String {
        let sides = [&change.before, &change.after];
        let differs = verdict::differs(self.question.workspace, sides, self.language);
        sentences.extend(Some(differs).filter(|differs| !differs.is_empty()));
        self.language.sentences(sentences)
    }

    /// Both sides with the verdicts that are compared.
    fn sides(&self, change: &Change) -> String {
        let places: [(&str, &dyn Display); 4] = [
            ("after", &self.side(&change.after)),
            ("after_counts", &self.counts(change.gain.after)),
            ("before", &self.side(&change.before)),
            ("before_counts", &self.counts(change.gain.before)),
        ];
        self.language.fill("gate.sides", &places)
    }

    fn side(&self, side: &Side) -> String {
        let iteration = &self.question.workspace.iterations[side.iteration].name;
        let places: [(&str, &dyn Display); 2] =
            [("configuration", &side.configuration), ("iteration", iteration)];
        self.language.fill("page.side", &places)
    }

    fn counts(&self, tally: Tally) -> String {
        Rate::of(tally, self.language).counts
    }

    /// The first few expectations, and how many more there are.
    fn named<'f>(&self, flips: impl ExactSizeIterator<Item = &'f Flip>) -> String {
        let more = flips.len().saturating_sub(NAMED);
        let mut named: Vec<String> =
            flips.take(NAMED).map(|flip| self.name_of_flip(flip)).collect();
        if more > 0 {
            named.push(self.language.fill("gate.more", &[("n", &more)]));
        }
        named.join(self.language.text("list.semicolon"))
    }

    fn name_of_flip(&self, flip: &Flip) -> String {
        let places: [(&str, &dyn Display); 4] = [
            ("case", &self.question.analysis.lines[flip.line].name),
            ("expectation", &flip.text),
            ("before", &self.counts(flip.before)),
            ("after", &self.counts(flip.after)),
        ];
        self.language.fill("gate.loss", &places)
    }

    /// A loss that is known; `None` for any other.
    fn loss(&self, loss: &Loss) -> Option<Line> {
        let issue: &KnownIssue = &self.question.settings.known_issues[loss.issue?];
        let (key, mark) = match loss.is_expired {
            true => ("gate.expired", Mark::Remark),
            false => ("gate.is_known", Mark::Known),
        };
        let places: [(&str, &dyn Display); 3] = [
            ("loss", &self.name_of_flip(&loss.flip)),
            ("reason", &issue.reason),
            ("day", &issue.expires),
        ];
        Some(Line { mark, text: self.language.fill(key, &places) })
    }

    fn idle(&self, at: usize) -> Line {
        let issue = &self.question.settings.known_issues[at];
        let places: [(&str, &dyn Display); 2] =
            [("case", &issue.case), ("expectation", &issue.expectation)];
        Line { mark: Mark::Remark, text: self.language.fill("gate.idle", &places) }
    }
}

/// A figure and its limit with as few decimals as tell them apart; with the fewest where nothing does.
fn apart(fewest: usize, both: impl Fn(usize) -> [String; 2]) -> [String; 2] {
    let is_apart = |[figure, limit]: &[String; 2]| figure != limit;
    (fewest..9).map(&both).find(is_apart).unwrap_or_else(|| both(fewest))
}
