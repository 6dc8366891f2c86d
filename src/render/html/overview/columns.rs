//! What the columns of the table of cases show: the comparisons, the marks of the checks and their filters.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Change, FlipKind, Measure};
use crate::chart::inline::{BarSide, Certainty, CheckMark};
use crate::digest::{ComparedCase, ComparedCheck, Question, compared_cases};
use crate::language::{Rate, say};
use crate::render::context::{Page, RenderContext};
use crate::render::html::comparison_links;
use crate::render::html::overview::questions::other_side;
use crate::wording::sides;
use input::model::Tally;
use statistics::TIE;
use text::cut_line;

/// Characters of the name of a side in the head of a column.
const OTHER_NAME: usize = 40;

/// The comparisons of the table: that of the first column of differences, and that of the second one.
pub(super) struct Columns<'a> {
    pub(super) change: Option<&'a Change>,
    pub(super) since: Option<SinceColumn<'a>>,
    /// Whether nobody can believe the runs, so that no difference is shown.
    pub(super) is_unmeasured: bool,
}

/// The differences since the last change, beside those that show whether the skill helps.
pub(super) struct SinceColumn<'a> {
    pub(super) change: &'a Change,
    pub(super) cases: BTreeMap<usize, ComparedCase<'a>>,
    /// Whether the same skill ran again, so that what moved is noise.
    pub(super) is_rerun: bool,
}

impl<'a> SinceColumn<'a> {
    pub(super) fn new(page: &Page<'a>, change: &'a Change) -> Self {
        let cases = compared_cases(&page.part.comparisons, &change.after, Some(change));
        let is_rerun = page.part.comparisons.changes(change.sides()).is_rerun();
        Self {
            change,
            cases: cases.into_iter().map(|case| (case.case_index, case)).collect(),
            is_rerun,
        }
    }

    /// How a check of a case changed.
    fn kind(&self, case_index: usize, text: &str) -> Option<FlipKind> {
        let mut checks = self.cases.get(&case_index)?.checks.iter();
        checks.find(|check| check.text == text)?.kind
    }

    pub(super) fn count(&self, kind: FlipKind) -> usize {
        self.cases.values().map(|case| case.count(kind)).sum()
    }

    /// Whether a check of the case was lost.
    pub(super) fn has_lost(&self, case_index: usize) -> bool {
        self.cases.get(&case_index).is_some_and(|case| case.count(FlipKind::Regressed) > 0)
    }
}

impl Columns<'_> {
    /// The question of the first column.
    pub(super) fn question(&self) -> Question {
        self.change.map_or(Question::Helps, |change| Question::of_sides(change.sides()))
    }

    /// Whether either side may be the baseline, so that nothing is better or worse.
    pub(super) fn is_peer(&self) -> bool {
        self.change.is_some_and(Change::is_between_peers)
    }

    /// The ids of the filters that keep a check: what became of it since, and against the other side.
    pub(super) fn filters(&self, case_index: usize, check: &ComparedCheck<'_>) -> String {
        let mut filters = Vec::new();
        if let Some(since) = &self.since {
            match since.kind(case_index, check.text) {
                Some(FlipKind::Regressed) => filters.push("lost"),
                Some(FlipKind::Improved) => filters.push("repaired"),
                _ => {}
            }
        }
        filters.push(filter_of(mark_between(check, self.is_peer()), self.question()));
        filters.join(" ")
    }

    /// The mark below a check: what became of it since the last change, where the table has that.
    pub(super) fn mark(&self, case_index: usize, check: &ComparedCheck<'_>) -> CheckMark {
        let own = mark_between(check, self.is_peer());
        if self.is_unmeasured && own != CheckMark::Failing {
            return CheckMark::Unchanged;
        }
        let Some(since) = &self.since else { return own };
        match since.kind(case_index, check.text) {
            Some(FlipKind::Regressed) => CheckMark::Regressed,
            Some(FlipKind::Improved) => CheckMark::Improved,
            _ if own == CheckMark::Failing => own,
            _ => CheckMark::Unchanged,
        }
    }
}

/// The id of the filter for checks with `mark`.
pub(super) fn filter_of(mark: CheckMark, question: Question) -> &'static str {
    match (mark, question) {
        (CheckMark::Regressed, Question::Helps) => "worse",
        (CheckMark::Improved, Question::Helps) => "better",
        (CheckMark::Regressed, Question::Changed) => "lost",
        (CheckMark::Improved, Question::Changed) => "repaired",
        (mark, _) => mark.class(),
    }
}

/// The head of a column of differences: `vs without_skill` or `since iteration-3`.
pub(super) fn column_head(context: RenderContext<'_>, change: &Change) -> String {
    let other = cut_line(&comparison_links::other_name(context, change), OTHER_NAME);
    if change.is_between_peers() {
        return context.language.text("cases.difference").to_owned();
    }
    let key = if change.is_within_iteration() { "questions.versus" } else { "questions.since" };
    say!(context.language, key, other)
}

/// The names of both sides for the legend, each with its mark.
pub(super) fn side_keys(context: RenderContext<'_>, columns: &Columns<'_>) -> Vec<Value> {
    let Some(change) = columns.change else { return Vec::new() };
    let [before, after] = sides::short_names(context.part.facts(context.language), change.sides());
    let other = other_side(columns.question()).class();
    [(BarSide::Candidate.class(), after), (other, before)]
        .map(|(role, name)| json!({ "role": role, "name": cut_line(&name, OTHER_NAME) }))
        .into()
}

/// The class of a difference; none where it is noise.
pub(super) fn tone(direction: Ordering, certainty: Certainty) -> &'static str {
    match (direction, certainty) {
        (Ordering::Equal, _) => "zero",
        (_, Certainty::Overlapping) => "",
        (Ordering::Greater, _) => "better",
        (Ordering::Less, _) => "worse",
    }
}

/// The sign of a difference: hollow where a side has one run, none where the runs of both sides overlap.
pub(super) fn sign(direction: Ordering, certainty: Certainty) -> &'static str {
    match (direction, certainty) {
        (Ordering::Equal, _) | (_, Certainty::Overlapping) => "",
        (Ordering::Greater, Certainty::OneRun) => "△",
        (Ordering::Greater, Certainty::Apart) => "▲",
        (Ordering::Less, Certainty::OneRun) => "▽",
        (Ordering::Less, Certainty::Apart) => "▼",
    }
}

pub(super) fn certainty(case: &ComparedCase<'_>) -> Certainty {
    if case.has_single_side() {
        Certainty::OneRun
    } else if case.is_clear() {
        Certainty::Apart
    } else {
        Certainty::Overlapping
    }
}

/// The mark of a check; of one that differs between peers, neither better nor worse.
pub(super) fn mark_between(check: &ComparedCheck<'_>, is_peer: bool) -> CheckMark {
    match mark(check) {
        CheckMark::Regressed | CheckMark::Improved if is_peer => CheckMark::Differs,
        mark => mark,
    }
}

/// The counts of both sides, the candidate first, where each has one run of the same checks: a percent of
/// four checks says less.
pub(super) fn single_counts(case: &ComparedCase<'_>, measure: Measure) -> Option<[String; 2]> {
    if case.candidate.len() != 1 || case.other.len() != 1 || measure == Measure::Score {
        return None;
    }
    let is_shared =
        |check: &&ComparedCheck<'_>| check.candidate.graded() > 0 && check.other.graded() > 0;
    let shared: Vec<&ComparedCheck<'_>> = case.checks.iter().filter(is_shared).collect();
    let [candidate, other] = [
        shared.iter().map(|check| check.candidate).sum::<Tally>(),
        shared.iter().map(|check| check.other).sum::<Tally>(),
    ];
    // Checks that are not compared would make it another rate.
    let rates = [candidate.pass_rate()?, other.pass_rate()?];
    let is_rate = |at: usize, runs: &[f64]| (rates[at] - runs[0]).abs() < TIE;
    if !is_rate(0, &case.candidate) || !is_rate(1, &case.other) {
        return None;
    }
    Some([candidate, other].map(Rate::counts_of))
}

/// All marks, in the order of the counters.
pub(super) const MARKS: [CheckMark; 6] = [
    CheckMark::Regressed,
    CheckMark::Improved,
    CheckMark::Unsteady,
    CheckMark::Failing,
    CheckMark::Unchanged,
    CheckMark::NotCompared,
];

/// The mark of a check; without another side it is only failing or not.
pub(super) fn mark(check: &ComparedCheck<'_>) -> CheckMark {
    match check.kind {
        Some(FlipKind::Regressed) => CheckMark::Regressed,
        Some(FlipKind::Improved) => CheckMark::Improved,
        Some(FlipKind::Unsteady) => CheckMark::Unsteady,
        Some(FlipKind::StillFailing) => CheckMark::Failing,
        Some(FlipKind::StillPassing) => CheckMark::Unchanged,
        Some(_) => CheckMark::NotCompared,
        None if check.candidate.failed > 0 => CheckMark::Failing,
        None if check.candidate.passed > 0 => CheckMark::Unchanged,
        None => CheckMark::NotCompared,
    }
}
