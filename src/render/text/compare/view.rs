//! A comparison in words: every text in it is still to be escaped.

use std::fmt::Display;

use crate::analyze::{Change, Fate, Flip, Side, between};
use crate::model::Run;
use crate::render::context::{DASH, Language, Rate};
use crate::render::html::in_part;
use crate::render::text::{
    answer,
    change::ChangeRow,
    compare::{Candidate, Comparison},
    gate::Line,
    verdict,
};
use crate::text::tokens;

/// How many expectations of a kind are listed; the rest are counted.
const LISTED: usize = 20;

/// The longest evidence shown, in characters.
const EVIDENCE: usize = 200;

/// Everything that is shown.
pub(super) struct View {
    /// What is compared with what.
    pub(super) title: String,
    /// The verdict.
    pub(super) verdict: String,
    /// How sure it is, what it costs, what was left out.
    pub(super) sentences: Vec<String>,
    /// The heads of the columns.
    pub(super) heads: [&'static str; 5],
    /// The candidate, the earlier side, the baseline.
    pub(super) rows: Vec<[String; 5]>,
    /// What the candidate is to its baseline; empty without one.
    pub(super) on_baseline: String,
    /// What was lost, what was gained, and so on.
    pub(super) groups: Vec<Group>,
    /// What became of the gate.
    pub(super) gate: Vec<Line>,
}

/// Expectations of one fate.
pub(super) struct Group {
    /// How many of what.
    pub(super) title: String,
    /// A sign besides the word.
    pub(super) sign: &'static str,
    /// The first of them.
    pub(super) items: Vec<Item>,
    /// How many there are besides; empty for none.
    pub(super) more: String,
}

/// One expectation.
pub(super) struct Item {
    /// The case.
    pub(super) case: String,
    /// The statement.
    pub(super) text: String,
    /// `3/3 → 2/3`, or empty.
    pub(super) counts: String,
    /// Why, in the grader's words; empty where nobody said.
    pub(super) evidence: String,
}

impl View {
    /// The words for `comparison`.
    pub(super) fn of(comparison: Comparison<'_>, language: &Language) -> Self {
        let Candidate { question, change, .. } = comparison.shown;
        let words = Words { comparison, language };
        let ChangeRow { sentences, .. } =
            ChangeRow::of(question.workspace, question.analysis, change, language);
        let cost = verdict::costs(change, language);
        let of = &question.analysis.iterations[change.after.iteration];
        let broken = answer::without_verdict(of, &change.after.configuration, language);
        let places: [(&str, &dyn Display); 2] =
            [("after", &words.side(&change.after)), ("before", &words.side(&change.before))];
        Self {
            title: language.fill("compare.title", &places),
            verdict: verdict::words(change, language),
            sentences: cost
                .into_iter()
                .chain(sentences.into_iter().skip(1))
                .chain(broken)
                .collect(),
            heads: HEADS,
            rows: words.rows(),
            on_baseline: words.on_baseline(),
            groups: words.groups(),
            gate: comparison.gate(language),
        }
    }
}

/// The keys of the heads.
const HEADS: [&str; 5] =
    ["compare.side", "compare.passed", "compare.level", "compare.time", "compare.tokens"];

struct Words<'a> {
    comparison: Comparison<'a>,
    language: &'a Language,
}

impl Words<'_> {
    fn side(&self, side: &Side) -> String {
        let iteration = &self.comparison.shown.question.workspace.iterations[side.iteration].name;
        let places: [(&str, &dyn Display); 2] =
            [("configuration", &side.configuration), ("iteration", iteration)];
        self.language.fill("page.side", &places)
    }

    fn rows(&self) -> Vec<[String; 5]> {
        let Candidate { question, change, .. } = self.comparison.shown;
        let mut sides = vec![&change.after, &change.before];
        sides.extend(question.on_baseline.map(|change| &change.before));
        sides.dedup();
        sides.into_iter().map(|side| self.row(side)).collect()
    }

    /// A side with its level and what its runs cost.
    fn row(&self, side: &Side) -> [String; 5] {
        let language = self.language;
        let of = &self.comparison.shown.question.analysis.iterations[side.iteration];
        let summary = of.configurations.iter().find(|it| it.name == side.configuration);
        let dash = || DASH.to_owned();
        let Some(summary) = summary else {
            return [self.side(side), dash(), dash(), dash(), dash()];
        };
        let level = summary.level.as_ref().map(|level| {
            let percent = |rate| language.percent(rate);
            let interval = level.shown();
            let places: [(&str, &dyn Display); 3] = [
                ("level", &percent(level.estimate)),
                ("low", &percent(interval.low)),
                ("high", &percent(interval.high)),
            ];
            language.fill("compare.interval", &places)
        });
        let time = summary.duration_s.map(|spread| language.seconds(spread.mean));
        let used = summary.tokens.map(|spread| tokens(spread.mean));
        [
            self.side(side),
            Rate::of(summary.tally, language).whole(language),
            level.unwrap_or_else(dash),
            time.unwrap_or_else(dash),
            used.unwrap_or_else(dash),
        ]
    }

    fn on_baseline(&self) -> String {
        let language = self.language;
        let Some(change) = self.comparison.shown.question.on_baseline else { return String::new() };
        let places: [(&str, &dyn Display); 2] = [
            ("before", &self.side(&change.before)),
            ("verdict", &verdict::words(change, language)),
        ];
        let against = language.fill("compare.on_baseline", &places);
        let cost = verdict::costs(change, language);
        let parts = [Some(against), cost, Some(self.differs(change))].into_iter().flatten();
        language.sentences(parts.filter(|part| !part.is_empty()))
    }

    fn groups(&self) -> Vec<Group> {
        let Candidate { question, change, .. } = self.comparison.shown;
        let lines = &question.analysis.lines;
        let flips = between(question.workspace, lines, &change.before, &change.after);
        let kinds = [
            (Fate::Regressed, "regressed", "−"),
            (Fate::Fixed, "fixed", "+"),
            (Fate::StillFailing, "still_failing", "="),
            (Fate::New, "expectation_new", "*"),
            (Fate::Removed, "expectation_gone", "*"),
        ];
        let of_fate = |(fate, thing, sign): (Fate, &str, &'static str)| {
            let found: Vec<&Flip> = flips.iter().filter(|flip| flip.fate == fate).collect();
            let items = found.iter().map(|flip| self.item(flip, change)).collect();
            let mut group = self.group(thing, sign, items)?;
            group.title = in_part(group.title, found, self.language);
            Some(group)
        };
        let cases = [
            (&change.gain.only_before, "case_gone"),
            (&change.gain.only_after, "case_new"),
            (&change.gain.unlike, "case_unlike"),
        ];
        let of_cases = |(found, thing): (&Vec<usize>, &str)| {
            let item = |at: &usize| Item {
                case: lines[*at].name.clone(),
                text: String::new(),
                counts: String::new(),
                evidence: String::new(),
            };
            self.group(thing, "*", found.iter().map(item).collect())
        };
        let groups = kinds.into_iter().map(of_fate).chain(cases.into_iter().map(of_cases));
        groups.chain([self.others()]).flatten().collect()
    }

    /// That another model or grader was at work on one of the sides; empty where none was.
    fn differs(&self, change: &Change) -> String {
        verdict::differs(change, self.language)
    }

    /// How the other candidates with verdicts fared.
    fn others(&self) -> Option<Group> {
        let others = self.comparison.others.iter().map(|other| other.change);
        let graded = others.filter(|change| change.gain.paired.is_some());
        let item = |change: &Change| {
            let counts = |tally| Rate::of(tally, self.language).counts;
            let gain = &change.gain;
            let told = [verdict::words(change, self.language), self.differs(change)];
            Item {
                case: self.side(&change.after),
                text: self.language.sentences(told.into_iter().filter(|part| !part.is_empty())),
                counts: format!("{} → {}", counts(gain.before), counts(gain.after)),
                evidence: String::new(),
            }
        };
        self.group("candidate_other", "*", graded.map(item).collect())
    }

    fn group(&self, thing: &str, sign: &'static str, mut items: Vec<Item>) -> Option<Group> {
        let title = self.language.count(items.len(), thing);
        let more = items.len().saturating_sub(LISTED);
        items.truncate(LISTED);
        let more = match more {
            0 => String::new(),
            more => self.language.fill("compare.more", &[("n", &more)]),
        };
        (!items.is_empty()).then_some(Group { title, sign, items, more })
    }

    fn item(&self, flip: &Flip, change: &Change) -> Item {
        let counts = |tally| Rate::of(tally, self.language).counts;
        let evidence =
            if flip.fate == Fate::Regressed { self.evidence(flip, change) } else { None };
        Item {
            case: self.comparison.shown.question.analysis.lines[flip.line].name.clone(),
            text: flip.text.clone(),
            counts: format!("{} → {}", counts(flip.before), counts(flip.after)),
            evidence: evidence.map(shortened).unwrap_or_default(),
        }
    }

    /// Why the candidate failed it, of the first run that did.
    fn evidence(&self, flip: &Flip, change: &Change) -> Option<&str> {
        let question = self.comparison.shown.question;
        let met = question.analysis.lines[flip.line].meeting(change.after.iteration)?;
        let case = &question.workspace.iterations[change.after.iteration].cases[met.case];
        let runs = case.runs.iter().filter(|run| run.configuration == change.after.configuration);
        let said = runs.flat_map(Run::expectations);
        let mut failed = said
            .filter(|said| said.text == flip.text && said.outcome == crate::model::Outcome::Failed);
        failed.find_map(|said| said.evidence.as_deref())
    }
}

/// The beginning of a text that may be long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(EVIDENCE) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
