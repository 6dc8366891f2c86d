//! The table of cases: both sides, the difference, a mark per check, and the iterations.

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::{self, Change, FlipKind, Measure, SCORES, Side, SkillLoadCounts};
use crate::budget::{DRAWN_ROWS, SHORT_LIST};
use crate::chart::inline::{
    BarSide, CheckCell, CheckMark, MOST_CHECKS, check_grid, columns, difference_bar, run_bar,
};
use crate::digest::{ComparedCase, ComparedCheck};
use crate::render::context::{DASH, Link, Page, Rate, RenderContext, Rows};
use crate::statistics::mean;
use crate::text::fixed;
use crate::wording::{loading, verdict};

/// Least difference that may fill its column.
const SCALE: f64 = 0.25;

/// A drawing with its text.
#[derive(Default, Serialize)]
pub(crate) struct DrawnCell {
    pub(super) svg: String,
    pub(super) text: String,
}

pub(super) fn undrawn(text: impl Into<String>) -> DrawnCell {
    DrawnCell { svg: String::new(), text: text.into() }
}

/// The first `most` of `cases` as rows.
pub(super) fn cases_view(
    page: &Page<'_>,
    (after, change): (&Side, Option<&Change>),
    cases: &[ComparedCase],
    most: usize,
) -> Value {
    let first = (after.iteration + 1).saturating_sub(SHORT_LIST);
    let iterations = match &page.part.workspace.iterations[first..=after.iteration] {
        [first, .., last] => {
            page.language.fill("cases.iterations", &[("first", &first.name), ("last", &last.name)])
        }
        _ => String::new(),
    };
    let is_drawn = cases.len().min(most) <= DRAWN_ROWS;
    let largest = cases.iter().filter_map(ComparedCase::difference).map(f64::abs);
    let scale = largest.fold(SCALE, f64::max);
    let table = CasesTable { page, after, change, is_drawn, scale };
    let count = page.language.count(cases.len(), "case");
    let all = page.language.fill("cases.all", &[("cases", &count)]);
    json!({
        "has_other": change.is_some(),
        "has_scores": table.measure() == Measure::Score,
        // Marks for several runs need a legend.
        "has_runs": is_drawn && cases.iter().take(most).any(ComparedCase::has_runs),
        "iterations": iterations,
        "rows": Rows::all(cases.iter().take(most), |case| table.row(case)),
        "all": (cases.len() > most).then(|| Link::new(page.to_file("cases.html"), all)),
    })
}

struct CasesTable<'a> {
    page: &'a Page<'a>,
    after: &'a Side,
    change: Option<&'a Change>,
    is_drawn: bool,
    /// The difference that fills the column.
    scale: f64,
}

impl CasesTable<'_> {
    fn row(&self, case: &ComparedCase) -> Value {
        let words = self.page.language;
        let drawn =
            |drawing: DrawnCell| if self.is_drawn { drawing } else { undrawn(drawing.text) };
        let marks = marks(case);
        let page = self.page.case_link(case.line);
        let review = self.change.and_then(|change| self.page.context.review_of(case.line, change));
        json!({
            "classes": marks.iter().map(|mark| format!("has-{mark}")).collect::<Vec<_>>().join(" "),
            "status": marks.join(" "),
            "candidate": drawn(self.bar(&case.candidate, BarSide::Candidate)),
            "other": drawn(self.bar(&case.other, BarSide::Other)),
            "difference": drawn(self.difference(case)),
            "sign": match case.difference() {
                Some(gain) if gain > 0.0 => "▲",
                Some(gain) if gain < 0.0 => "▼",
                _ => "",
            },
            "checks": drawn(self.checks(&case.checks)),
            "columns": drawn(case_columns(self.page.context, case.line, self.after)),
            "loading": self.loading(case.line),
            "review": match review {
                Some(to) => Link::new(self.page.link(&to), words.text("cases.compare")),
                None => Link::new(page.href.clone(), words.text("cases.open")),
            },
            "link": page,
        })
    }

    /// In how many of the candidate's runs the skill was loaded, if it was missing in some.
    fn loading(&self, line: usize) -> Option<String> {
        let line = &self.page.part.analysis.cases[line];
        let case = line.case(self.page.part.workspace, self.after.iteration)?;
        let loads = SkillLoadCounts::new(std::slice::from_ref(case), &self.after.configuration);
        loading::counts(&loads, self.page.language).filter(|_| loads.not_loaded > 0)
    }

    /// The measure of the runs.
    fn measure(&self) -> Measure {
        self.change.map_or(Measure::PassRate, |change| change.gain.measure())
    }

    fn bar(&self, runs: &[f64], side: BarSide) -> DrawnCell {
        let Some(rate) = mean(runs) else { return undrawn(DASH) };
        let text = match self.measure() {
            Measure::PassRate => self.page.language.percent(rate),
            Measure::Score => fixed(1.0 + rate * SCORES, 1),
        };
        DrawnCell { svg: run_bar(rate, runs, side), text }
    }

    fn difference(&self, case: &ComparedCase) -> DrawnCell {
        match case.difference() {
            Some(gain) => DrawnCell {
                svg: difference_bar(gain / self.scale, case.is_clear()),
                text: verdict::number(self.measure(), gain),
            },
            None if self.change.is_some() => undrawn(self.page.language.text("cases.not_compared")),
            None => DrawnCell::default(),
        }
    }

    /// The grid of the checks; their counts if there are too many to draw.
    fn checks(&self, checks: &[ComparedCheck]) -> DrawnCell {
        let cell = |check: &ComparedCheck| CheckCell {
            candidate: check.candidate.pass_rate(),
            other: check.other.pass_rate(),
            mark: mark(check),
        };
        let cells: Vec<CheckCell> = checks.iter().map(cell).collect();
        let candidate = checks.iter().map(|check| check.candidate).sum();
        let other = checks.iter().map(|check| check.other).sum();
        let mut counts = Rate::counts_of(candidate);
        if self.change.is_some() {
            counts = format!("{counts}, {}", Rate::counts_of(other));
        }
        let svg = match cells.len() {
            1..=MOST_CHECKS => check_grid(&cells, self.change.is_some()),
            _ => String::new(),
        };
        DrawnCell { svg, text: counts }
    }
}

/// The rates of a case over the iterations up to that of `after`; empty for a single one.
pub(crate) fn case_columns(context: RenderContext<'_>, line: usize, after: &Side) -> DrawnCell {
    let first = (after.iteration + 1).saturating_sub(SHORT_LIST);
    if first == after.iteration {
        return DrawnCell::default();
    }
    let analysis = context.part.analysis;
    let rate = |iteration: usize| {
        let side = if iteration == after.iteration {
            after.clone()
        } else {
            analysis.candidate_of(iteration)?
        };
        analyze::tally(context.part.workspace, &analysis.cases[line], &side).pass_rate()
    };
    let rates: Vec<Option<f64>> = (first..=after.iteration).map(rate).collect();
    let text =
        |rate: &Option<f64>| rate.map_or(DASH.to_owned(), |rate| context.language.percent(rate));
    let text = context.language.list(rates.iter().map(text));
    DrawnCell { svg: columns(&rates, rates.len() - 1), text }
}

/// All marks, in the order of the counters.
pub(super) const MARKS: [CheckMark; 5] = [
    CheckMark::Regressed,
    CheckMark::Improved,
    CheckMark::Failing,
    CheckMark::Unchanged,
    CheckMark::NotCompared,
];

/// The mark of a check; without another side it is only failing or not.
pub(super) fn mark(check: &ComparedCheck) -> CheckMark {
    match check.kind {
        Some(FlipKind::Regressed) => CheckMark::Regressed,
        Some(FlipKind::Improved) => CheckMark::Improved,
        Some(FlipKind::StillFailing) => CheckMark::Failing,
        Some(FlipKind::StillPassing) => CheckMark::Unchanged,
        Some(_) => CheckMark::NotCompared,
        None if check.candidate.failed > 0 => CheckMark::Failing,
        None if check.candidate.passed > 0 => CheckMark::Unchanged,
        None => CheckMark::NotCompared,
    }
}

/// The distinct marks of the checks of a case, in the order of the counters.
fn marks(case: &ComparedCase) -> Vec<&'static str> {
    let mut present: Vec<CheckMark> = case.checks.iter().map(mark).collect();
    present.dedup();
    MARKS.into_iter().filter(|mark| present.contains(mark)).map(CheckMark::class).collect()
}
