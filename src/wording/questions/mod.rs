//! The rows of both questions in words and numbers. Every output shows these texts: pages, `report.md`,
//! the comment, the brief and the terminal.

mod limit;
mod missing;

use serde::Serialize;

use crate::analyze::{CostKind, Measure, Side, VerdictWord};
use crate::digest::{
    ComparedRow, Comparisons, MissingRow, Question, Questions, Row, RowAnswer, RowTone, RowWord,
};
use crate::language::{Language, say};
use crate::wording::costs;
use crate::wording::questions::limit::limit;
use crate::wording::questions::missing::missing_texts;
use crate::wording::{Facts, headline, sides, verdict};
use input::model::Implausible;
use statistics::Interval;
use text::cut_line;

/// Characters of a name in a row.
const NAME: usize = 40;

/// Costs that a row has room for.
const COSTS: usize = 2;

#[derive(Serialize)]
pub(crate) struct RowText {
    /// `Does the skill help?`
    pub(crate) question: String,
    /// The harness or model of the row; empty under one condition.
    pub(crate) condition: String,
    pub(crate) candidate: String,
    /// Empty without data.
    pub(crate) other: String,
    pub(crate) sign: &'static str,
    /// `better`, `worse` or `neutral`.
    pub(crate) tone: &'static str,
    pub(crate) word: String,
    /// What limits the word, or says where it comes from; may be empty.
    pub(crate) limit: String,
    pub(crate) figures: Option<RowFigures>,
    /// Empty where nothing is compared, and for scores.
    pub(crate) checks: Vec<ChecksText>,
    pub(crate) costs: Vec<CostText>,
}

/// What a row has where nothing is missing.
#[derive(Serialize)]
pub(crate) struct RowFigures {
    /// `+30`.
    pub(crate) points: String,
    /// `points`.
    pub(crate) unit: String,
    /// Both ends of the range.
    pub(crate) range: Option<[String; 2]>,
    /// The candidate first.
    pub(crate) rates: [String; 2],
}

/// Checks that moved one way.
#[derive(Serialize)]
pub(crate) struct ChecksText {
    /// `lost`, `repaired`, `better`, `worse` or `flipped`; the id of their list.
    pub(crate) id: &'static str,
    pub(crate) sign: &'static str,
    pub(crate) tone: &'static str,
    pub(crate) number: usize,
    pub(crate) label: String,
}

/// `+18 %` of `tokens`, or `same time`.
#[derive(Serialize)]
pub(crate) struct CostText {
    /// Empty where the cost is the same.
    pub(crate) strong: String,
    pub(crate) rest: String,
    pub(crate) title: String,
    /// Whether it rose by half or more, beyond chance.
    pub(crate) is_raised: bool,
}

/// The texts of all rows, in the order in which they are shown: a row with data before one without.
pub(crate) fn rows(facts: Facts<'_>, questions: &Questions<'_>) -> Vec<RowText> {
    let mut texts = Vec::new();
    let mut missing = Vec::new();
    for rows in [&questions.helps, &questions.changed] {
        let is_unanswered = rows.iter().all(|row| row.compared().is_none());
        for row in rows {
            let mut text = RowText::new(facts, row);
            if row.compared().is_some() {
                texts.push(text);
            } else if !is_unanswered
                || !missing.iter().any(|known: &RowText| known.question == text.question)
            {
                // What no condition answers is said once.
                if is_unanswered {
                    text.condition.clear();
                }
                missing.push(text);
            }
        }
    }
    texts.extend(missing);
    texts
}

/// The rows about the newest candidate as lines of text; empty where nothing is compared.
pub(crate) fn lines(cache: &Comparisons<'_>, language: &Language) -> Vec<String> {
    let after = cache.analysis.newest_candidate();
    after.map_or_else(Vec::new, |after| lines_about(cache, language, &after))
}

/// Like [`lines`], about a candidate of any iteration.
pub(crate) fn lines_about(
    cache: &Comparisons<'_>,
    language: &Language,
    after: &Side,
) -> Vec<String> {
    let facts = Facts { workspace: cache.workspace, analysis: cache.analysis, language };
    let questions = Questions::new(cache, after);
    if questions.rows().all(|row| row.compared().is_none()) {
        return Vec::new();
    }
    rows(facts, &questions).iter().map(|row| row.line(language)).collect()
}

impl RowText {
    pub(crate) fn new(facts: Facts<'_>, row: &Row<'_>) -> Self {
        let language = facts.language;
        let mut text = Self {
            question: question(row, language),
            condition: row.condition.unwrap_or_default().to_owned(),
            candidate: cut_line(&row.after.configuration, NAME),
            other: String::new(),
            sign: "",
            tone: "neutral",
            word: String::new(),
            limit: String::new(),
            figures: None,
            checks: Vec::new(),
            costs: Vec::new(),
        };
        match &row.answer {
            RowAnswer::Missing(missing) => {
                [text.word, text.limit] = missing_texts(facts, row, missing);
                if let MissingRow::NotAsked { last: Some(change) } = missing {
                    text.other = cut_line(&change.before.configuration, NAME);
                }
            }
            RowAnswer::Compared(found) => text.add(facts, found),
        }
        text
    }

    fn add(&mut self, facts: Facts<'_>, row: &ComparedRow<'_>) {
        let language = facts.language;
        let [before, after] = sides::short_names(facts, row.change.sides());
        (self.candidate, self.other) = (cut_line(&after, NAME), cut_line(&before, NAME));
        (self.sign, self.tone) = sign_and_tone(row);
        self.word = word(row, language);
        self.limit = limit(facts, row);
        let gain = &row.change.gain;
        let measure = gain.measure();
        if let (Some(paired), Some(shown)) = (gain.shown(), verdict::compared(gain, language)) {
            let points = verdict::number(measure, paired.mean);
            let unit = match measure {
                Measure::PassRate if verdict::is_one(&points) => language.text("answer.point"),
                Measure::PassRate => language.text("answer.points"),
                Measure::Score => language.text("answer.of_five"),
            };
            let range = gain.range().filter(|range| says_something(measure, range.interval));
            let range = range.map(|range| {
                [range.interval.low, range.interval.high].map(|end| verdict::number(measure, end))
            });
            self.figures = Some(RowFigures {
                points,
                unit: unit.to_owned(),
                range,
                rates: [shown.after, shown.before],
            });
        }
        // What no run shows has no checks that moved, and costs nothing.
        if !row.is_measured() {
            self.figures = None;
            return;
        }
        if row.checks.shared > 0 {
            self.checks = checks(row, language);
        }
        if gain.paired().is_some() && row.are_costs_known {
            self.costs = cost_texts(row, language);
        }
    }

    /// Everything in one line: `Does the skill help? ▲ Better +30 points (+13 to +47), 87 % vs 57 %, …`.
    pub(crate) fn line(&self, language: &Language) -> String {
        let mut name = self.question.clone();
        if !self.condition.is_empty() {
            name = say!(language, "questions.under", question = name, condition = self.condition);
        }
        let answer = format!("{} {}", self.sign, self.word);
        let mut parts = vec![answer.trim().to_owned()];
        if !self.limit.is_empty() {
            parts[0] = language.detailed(&parts[0], &self.limit);
        }
        if let Some(figures) = &self.figures {
            parts.push(figures.points_with_range(language));
            parts.push(figures.both_rates(language));
        }
        for found in &self.checks {
            parts.push(format!("{} {}", found.number, found.label));
        }
        for cost in &self.costs {
            parts.push(cost.text());
        }
        say!(language, "questions.line", question = name, answer = language.list(parts))
    }

    /// `with_skill vs without_skill`; the candidate alone without data.
    pub(crate) fn pair(&self, language: &Language) -> String {
        if self.other.is_empty() {
            return self.candidate.clone();
        }
        say!(language, "questions.pair", candidate = self.candidate, other = self.other)
    }
}

impl RowFigures {
    /// `+30 points (+13 to +47)`.
    pub(crate) fn points_with_range(&self, language: &Language) -> String {
        let points = format!("{} {}", self.points, self.unit);
        match &self.range {
            Some([low, high]) => {
                language.detailed(&points, &say!(language, "screen.range", low, high))
            }
            None => points,
        }
    }

    /// `87 % vs 57 %`.
    pub(crate) fn both_rates(&self, language: &Language) -> String {
        let [candidate, other] = &self.rates;
        say!(language, "questions.pair", candidate, other)
    }
}

impl CostText {
    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.strong, self.rest).trim().to_owned()
    }
}

pub(crate) fn question(row: &Row<'_>, language: &Language) -> String {
    let is_rerun = row.compared().is_some_and(ComparedRow::is_rerun);
    let name = if is_rerun { "rerun" } else { row.question.name() };
    language.entry(&["questions", name]).to_owned()
}

/// Whether a range is narrower than half of all that is possible: a wider one only repeats that the cases are few.
fn says_something(measure: Measure, range: Interval) -> bool {
    measure == Measure::Score || range.high - range.low <= 1.0
}

fn sign_and_tone(row: &ComparedRow<'_>) -> (&'static str, &'static str) {
    let is_single = row.is_single();
    let (up, down) = if is_single { ("△", "▽") } else { ("▲", "▼") };
    if row.is_rerun() {
        return ("", "neutral");
    }
    match row.tone() {
        RowTone::Worse => return (down, "worse"),
        RowTone::Better => return (up, "better"),
        RowTone::Open => {}
    }
    if !row.is_measured() {
        return ("", "neutral");
    }
    match (row.word, headline::hollow_sign(row.change.gain.word())) {
        (RowWord::Repaired(_), _) => (up, "better"),
        (RowWord::Verdict(_), sign) => (sign, "neutral"),
        _ => ("", "neutral"),
    }
}

pub(crate) fn word(row: &ComparedRow<'_>, language: &Language) -> String {
    match row.word {
        RowWord::Lost(n) => say!(language, "questions.lost_word", n),
        RowWord::Repaired(n) => say!(language, "questions.repaired_word", n),
        RowWord::NoRegression => language.text("questions.no_regression").to_owned(),
        RowWord::Flipped { moved, checks } => {
            say!(language, "questions.flipped_word", n = moved, checks)
        }
        RowWord::Verdict(VerdictWord::NoComparison) => {
            language.text("questions.not_comparable").to_owned()
        }
        // The limit says that no case moved the other way.
        RowWord::Verdict(VerdictWord::UpInSome { up, cases }) => {
            say!(language, "questions.up_in", n = up, cases)
        }
        RowWord::Verdict(VerdictWord::DownInSome { down, cases }) => {
            say!(language, "questions.down_in", n = down, cases)
        }
        RowWord::Verdict(word) => headline::mostly(&row.change.gain, "", language)
            .unwrap_or_else(|| headline::word_alone(word, language)),
        RowWord::Unmeasured => language.text("questions.not_measured").to_owned(),
    }
}

fn checks(row: &ComparedRow<'_>, language: &Language) -> Vec<ChecksText> {
    if row.is_rerun() {
        let label = language.text("questions.flipped").to_owned();
        let number = row.checks.moved;
        return vec![ChecksText { id: "flipped", sign: "◇", tone: "neutral", number, label }];
    }
    let [(down, down_tone), (up, up_tone)] = match row.question() {
        Question::Helps => [("worse", "worse"), ("better", "better")],
        Question::Changed => [("lost", "worse"), ("repaired", "better")],
    };
    let mut texts = Vec::new();
    for (id, tone, number, repeated, signs) in [
        (down, down_tone, row.checks.down, row.checks.down_repeated, ["▽", "▼"]),
        (up, up_tone, row.checks.up, row.checks.up_repeated, ["△", "▲"]),
    ] {
        let is_repeated = repeated > 0 || number == 0 && !row.is_single();
        texts.push(ChecksText {
            id,
            sign: signs[usize::from(is_repeated)],
            tone: if number == 0 { "zero" } else { tone },
            number,
            label: language.entry(&["questions", id]).to_owned(),
        });
    }
    // Where nothing went from all to none, zeros would hide what moved.
    if row.checks.down + row.checks.up == 0 && row.checks.moved > 0 {
        let label = language.text("diff.unsteady").to_owned();
        let number = row.checks.moved;
        return vec![ChecksText { id: "unsteady", sign: "◇", tone: "neutral", number, label }];
    }
    // Good news comes first, bad news before all.
    if row.checks.down == 0 {
        texts.reverse();
    }
    texts
}

fn cost_texts(row: &ComparedRow<'_>, language: &Language) -> Vec<CostText> {
    let mut texts = Vec::new();
    for kind in [CostKind::Tokens, CostKind::Time, CostKind::Dollars] {
        let cost = kind.of(&row.change.costs);
        let Some(strong) = costs::short_ratio(cost, kind, language) else { continue };
        let name = language.text(kind.name());
        let title = costs::ratio(cost, kind, language).unwrap_or_default();
        let is_same = strong == language.text("verdict.ratio_same");
        texts.push(CostText {
            rest: if is_same { say!(language, "questions.same", name) } else { name.to_owned() },
            strong: if is_same { String::new() } else { strong },
            title,
            is_raised: cost.raised().is_some(),
        });
    }
    texts.truncate(COSTS);
    if let Some(title) = costs::implausible(&row.change.costs, language)
        && texts.len() < COSTS
    {
        // What only one side counts is no false figure.
        let key = match row.change.costs.tokens.implausible {
            Some(Implausible::CacheOfOneSide) => "costs.apart",
            _ => "costs.implausible",
        };
        let rest = language.text(key).to_owned();
        texts.push(CostText { strong: String::new(), rest, title, is_raised: false });
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::{RowText, rows};
    use crate::analyze::analysis;
    use crate::digest::{Comparisons, Questions};
    use crate::language::Language;
    use crate::tests::workspaces::{case, run, workspace};
    use crate::wording::Facts;
    use input::model::Workspace;
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// The rows about the newest candidate.
    fn texts(workspace: &Workspace) -> Vec<RowText> {
        let analysis = analysis(workspace, &Settings::default());
        let language = Language::default();
        let cache = Comparisons::empty(workspace, &analysis);
        let questions = Questions::new(&cache, &analysis.newest_candidate().unwrap());
        rows(Facts { workspace, analysis: &analysis, language: &language }, &questions)
    }

    /// An iteration of one case; each side has a run for each of its verdicts.
    fn round(sides: &[(&str, &[&str])]) -> Vec<input::model::Case> {
        let mut runs = Vec::new();
        for (name, all) in sides {
            for (at, letters) in all.iter().enumerate() {
                runs.push(run(name, at as u32 + 1, verdicts(letters)));
            }
        }
        vec![case("a", runs)]
    }

    #[test]
    fn a_lost_check_is_red_and_hollow_with_one_run() {
        for (before, after, sign) in
            [(&["ppp"][..], &["ppf"][..], "▽"), (&["ppp", "ppp"][..], &["ppf", "ppf"][..], "▼")]
        {
            let rounds = [before, after].map(|runs| round(&[("with_skill", runs)]));
            let found = texts(&workspace(rounds.into()));
            let lost = &found[0].checks[0];
            assert_eq!((lost.id, lost.number, lost.sign, lost.tone), ("lost", 1, sign, "worse"));
            let none = &found[0].checks[1];
            assert_eq!((none.id, none.number, none.tone), ("repaired", 0, "zero"));
            assert!(found[1].figures.is_none() && found[1].checks.is_empty());
        }
    }

    #[test]
    fn every_figure_of_a_row_is_in_its_line() {
        let sides: [(&str, &[&str]); 2] =
            [("with_skill", &["ppp", "ppf"]), ("without_skill", &["pff", "pff"])];
        let row = texts(&workspace(vec![round(&sides)])).remove(0);
        let line = row.line(&Language::default());
        let figures = row.figures.unwrap();
        let mut parts = vec![row.question, row.word, figures.points];
        parts.extend(figures.rates);
        parts.extend(row.checks.iter().map(|found| format!("{} {}", found.number, found.label)));
        for part in parts {
            assert!(line.contains(&part), "{part:?} is not in {line}");
        }
    }
}
