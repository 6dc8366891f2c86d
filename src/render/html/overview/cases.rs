//! The table of cases: both sides, a difference for each question, and a mark per check.

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::{Change, FlipKind, Measure, Side, SkillLoadCounts};
use crate::budget::{DRAWN_ROWS, NAMED_CHECKS};
use crate::chart::inline::{
    BarSide, Certainty, CheckCell, CheckColumn, GRID_CHECKS, check_grid, difference_bar,
    recorded_bar, run_bar, waiting_grid,
};
use crate::digest::{ComparedCase, ComparedCheck, Question};
use crate::language::{DASH, Rate, say};
use crate::render::context::{Link, Page, RenderContext, Rows};
use crate::render::html::overview::columns::{
    Columns, certainty, column_head, side_keys, sign, single_counts, tone,
};
use crate::render::html::overview::questions::other_side;
use crate::render::html::review::RunPages;
use crate::wording::{loading, run_end, verdict};
use statistics::mean;
use text::cut_line;

/// The difference that fills its column if no case has a larger one.
pub(super) const SMALLEST_SCALE: f64 = 0.25;

/// Characters of a check in the tip of its column.
const NAME: usize = 120;

/// Stopped runs of a case of which the table says why.
const STOPPED: usize = 2;

/// Files of a side that are named, and characters of such a name.
const FILES: usize = 2;
const FILE_NAME: usize = 40;

/// A drawing with its text.
#[derive(Default, Serialize)]
pub(crate) struct DrawnCell {
    pub(super) svg: String,
    pub(super) text: String,
}

impl DrawnCell {
    /// A text without a drawing.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { svg: String::new(), text: text.into() }
    }
}

/// The first `most` of `cases` as rows.
pub(super) fn cases_view(
    page: &Page<'_>,
    after: &Side,
    columns: &Columns<'_>,
    cases: &[ComparedCase<'_>],
    most: usize,
) -> Value {
    let shown = &cases[..cases.len().min(most)];
    let change = columns.change;
    let mut scale = SMALLEST_SCALE;
    let since_cases = columns.since.iter().flat_map(|since| since.cases.values());
    for difference in cases.iter().chain(since_cases).filter_map(ComparedCase::difference) {
        scale = scale.max(difference.abs());
    }
    let is_drawn = shown.len() <= DRAWN_ROWS;
    let checks: usize = shown.iter().map(|case| case.checks.len()).sum();
    let has_names = checks <= NAMED_CHECKS;
    let is_ungraded = change.is_none() && cases.iter().all(ComparedCase::is_ungraded);
    let baseline =
        page.part.analysis.iterations[after.iteration].roles.baseline_of(&after.configuration);
    let ungraded_other =
        baseline.filter(|_| is_ungraded).map(|name| Side::new(after.iteration, name));
    let table = CasesTable {
        page,
        after,
        change,
        columns,
        is_peer: columns.is_peer(),
        is_ungraded,
        ungraded_other,
        is_drawn,
        has_names,
        scale,
    };
    let mut all = None;
    if shown.len() < cases.len() {
        let cases = page.language.count(cases.len(), "case");
        all = Some(Link::new(page.to_file("cases.html"), say!(page.language, "cases.all", cases)));
    }
    let head = |change| column_head(page.context, change);
    json!({
        "has_other": change.is_some() || table.ungraded_other.is_some(),
        "other_role": other_side(columns.question()).class(),
        "has_difference": change.is_some() && !columns.is_unmeasured,
        "is_recorded": columns.is_unmeasured,
        "has_since": columns.since.is_some(),
        "first_head": change.map(head),
        "second_head": columns.since.as_ref().map(|since| head(since.change)),
        "key": key_of_marks(page.context, columns),
        "is_ungraded": is_ungraded,
        "has_checks": !is_ungraded || shown.iter().any(|case| table.planned(case.case_index) > 0),
        "note": if table.is_peer { page.language.text("screen.differs_note") } else { "" },
        "has_scores": table.measure() == Measure::Score,
        "is_peer": table.is_peer,
        // Marks for several runs and outlines of single ones need a legend.
        "has_single": is_drawn && shown.iter().any(ComparedCase::has_single_side),
        "has_runs": is_drawn && shown.iter().any(ComparedCase::has_runs),
        "sides": side_keys(page.context, columns),
        "rows": Rows::all(shown.iter(), |case| table.row(case)),
        "all": all,
    })
}

/// What the marks below the checks mean; `None` where nothing is better or worse.
fn key_of_marks(context: RenderContext<'_>, columns: &Columns<'_>) -> Option<Value> {
    let shown = columns.since.as_ref().map(|since| since.change).or(columns.change)?;
    if columns.is_unmeasured || columns.is_peer() {
        return None;
    }
    let is_since = columns.since.is_some() || columns.question() == Question::Changed;
    let [down, up] =
        if is_since { ["key_lost", "key_repaired"] } else { ["key_worse", "key_better"] };
    Some(json!({ "down": down, "up": up, "head": column_head(context, shown) }))
}

struct CasesTable<'a> {
    page: &'a Page<'a>,
    after: &'a Side,
    change: Option<&'a Change>,
    columns: &'a Columns<'a>,
    /// Whether either side may be the baseline, so that nothing is better or worse.
    is_peer: bool,
    /// Whether no case has a verdict: then the table shows what there is to read.
    is_ungraded: bool,
    /// The other side of a table without verdicts.
    ungraded_other: Option<Side>,
    is_drawn: bool,
    /// Whether the columns of the grids have names and links.
    has_names: bool,
    /// The difference that fills the column.
    scale: f64,
}

impl CasesTable<'_> {
    fn row(&self, case: &ComparedCase<'_>) -> Value {
        let context = self.page.context;
        let marks = self.marks(case);
        let classes: Vec<String> = marks.iter().map(|mark| format!("has-{mark}")).collect();
        let case_page = self.page.case_link(case.case_index);
        let review = match context.review_of(case.case_index, self.after, self.change) {
            Some(to) => {
                let key = if self.change.is_some() { "cases.compare" } else { "page.review" };
                Link::new(self.page.link(&to), context.language.text(key))
            }
            None => Link::new(case_page.href.clone(), context.language.text("cases.open")),
        };
        let side = other_side(self.columns.question());
        let [mut candidate, mut other] = if self.is_ungraded {
            [Some(self.after), self.ungraded_other.as_ref()]
                .map(|side| DrawnCell::text(self.outputs(case.case_index, side)))
        } else {
            [self.bar(&case.candidate, BarSide::Candidate), self.bar(&case.other, side)]
        };
        if case.difference().is_some() {
            let figures = verdict::of_case(case, self.measure(), self.page.language);
            (candidate.text, other.text) = (figures.after, figures.before);
            if let Some([after, before]) = single_counts(case, self.measure()) {
                (candidate.text, other.text) = (after, before);
            }
        }
        json!({
            "classes": classes.join(" "),
            "status": marks.join(" "),
            "candidate": self.drawn(candidate),
            "other": self.drawn(other),
            "difference": self.difference(case),
            "since": self.since(case),
            "checks": self.drawn(self.checks(case)),
            "loading": self.loading(case.case_index),
            "stopped": self.stopped(case.case_index),
            "review": review,
            "link": case_page,
        })
    }

    /// `cell`, as text alone in a long table.
    fn drawn(&self, cell: DrawnCell) -> DrawnCell {
        if self.is_drawn { cell } else { DrawnCell::text(cell.text) }
    }

    /// In how many of the candidate's runs the skill was loaded, if it was missing in some.
    fn loading(&self, case_index: usize) -> Option<String> {
        let history = &self.page.part.analysis.cases[case_index];
        let case = history.case(self.page.part.workspace, self.after.iteration)?;
        let loads = SkillLoadCounts::new(std::slice::from_ref(case), &self.after.configuration);
        if loads.not_loaded == 0 {
            return None;
        }
        loading::counts(&loads, self.page.language)
    }

    /// Why runs of the case ended without an answer, of either side.
    fn stopped(&self, case_index: usize) -> Vec<String> {
        let language = self.page.language;
        let history = &self.page.part.analysis.cases[case_index];
        let mut sides = vec![self.after];
        sides.extend(self.change.map(|change| &change.before));
        sides.extend(self.ungraded_other.as_ref());
        let mut lines = Vec::new();
        for side in sides {
            for run in history.runs(self.page.part.workspace, side) {
                let Some(sentence) = run_end::sentence(run, language) else { continue };
                let name = self.page.context.run_name(run);
                lines.push(language.labelled(&name, &sentence));
            }
        }
        if lines.len() > STOPPED {
            let more = language.beyond("compare.more", lines.len(), STOPPED);
            lines.truncate(STOPPED);
            lines.push(more);
        }
        lines
    }

    /// The measure of the runs.
    fn measure(&self) -> Measure {
        self.change.map_or(Measure::PassRate, |change| change.gain.measure())
    }

    fn bar(&self, runs: &[f64], side: BarSide) -> DrawnCell {
        let Some(rate) = mean(runs) else { return DrawnCell::text(DASH) };
        let text = verdict::rate_or_score(self.measure(), rate, self.page.language);
        let svg = if self.columns.is_unmeasured {
            recorded_bar(rate, side)
        } else {
            run_bar(rate, runs, side)
        };
        DrawnCell { svg, text }
    }

    /// The first files that the runs of a side wrote.
    fn outputs(&self, case_index: usize, side: Option<&Side>) -> String {
        let Some(side) = side else { return String::new() };
        let language = self.page.language;
        let history = &self.page.part.analysis.cases[case_index];
        let runs = history.runs(self.page.part.workspace, side);
        let outputs = runs.flat_map(|run| &run.outputs);
        let names: Vec<String> = outputs.map(|output| cut_line(&output.name, FILE_NAME)).collect();
        if names.is_empty() {
            return DASH.to_owned();
        }
        language.first_few(names, FILES, "list.comma")
    }

    /// The difference to the side of the first column.
    fn difference(&self, case: &ComparedCase<'_>) -> Value {
        let mut cell = self.difference_cell(case, self.change, false);
        if self.is_peer && case.difference().is_some() {
            // Nobody knows which side is subtracted from which.
            let text = cell["text"].as_str().unwrap_or_default();
            let text = text.trim_start_matches(['+', '\u{2212}']).to_owned();
            cell = json!({ "svg": "", "text": text, "sign": "", "tone": "", "is_plain": true });
        }
        cell
    }

    /// The difference since the last change.
    fn since(&self, case: &ComparedCase<'_>) -> Value {
        let Some(since) = &self.columns.since else { return Value::Null };
        match since.cases.get(&case.case_index) {
            Some(case) => self.difference_cell(case, Some(since.change), since.is_rerun),
            // The case is new.
            None => json!({ "text": self.page.language.text("cases.not_compared") }),
        }
    }

    /// The difference of a case; gray where it is noise.
    fn difference_cell(
        &self,
        case: &ComparedCase<'_>,
        change: Option<&Change>,
        is_noise: bool,
    ) -> Value {
        let Some(change) = change else { return Value::Null };
        let Some(difference) = case.difference() else {
            let text = self.page.language.text("cases.not_compared");
            return json!({ "svg": "", "text": text, "sign": "", "tone": "" });
        };
        let measure = change.gain.measure();
        let certainty = if is_noise { Certainty::Overlapping } else { certainty(case) };
        let direction = measure.direction(difference);
        let svg = if self.is_drawn {
            difference_bar(difference / self.scale, certainty)
        } else {
            String::new()
        };
        json!({
            "svg": svg,
            "text": verdict::of_case(case, measure, self.page.language).gain,
            "sign": sign(direction, certainty),
            "tone": tone(direction, certainty),
            "is_plain": true,
        })
    }

    /// The grid of the checks; their counts if there are too many to draw.
    fn checks(&self, case: &ComparedCase<'_>) -> DrawnCell {
        if self.is_ungraded {
            return self.waiting(case.case_index);
        }
        let checks = &case.checks;
        let has_other = self.change.is_some();
        let mut counts = Rate::counts_of(checks.iter().map(|check| check.candidate).sum());
        if has_other && !checks.is_empty() {
            let other = checks.iter().map(|check| check.other).sum();
            counts = format!("{counts}, {}", Rate::counts_of(other));
        }
        let mut svg = String::new();
        if (1..=GRID_CHECKS).contains(&checks.len()) {
            let cells: Vec<CheckCell> =
                checks.iter().map(|check| self.check_cell(case.case_index, check)).collect();
            let names = if self.has_names { self.columns(case) } else { Vec::new() };
            svg = check_grid(&cells, &names, has_other);
        }
        DrawnCell { svg, text: counts }
    }

    /// The number of planned checks of a case.
    fn planned(&self, case_index: usize) -> usize {
        let history = &self.page.part.analysis.cases[case_index];
        let case = history.case(self.page.part.workspace, self.after.iteration);
        case.map_or(0, |case| case.planned.len())
    }

    /// The planned checks of a case, which nobody has judged.
    fn waiting(&self, case_index: usize) -> DrawnCell {
        let planned = self.planned(case_index);
        if planned == 0 {
            return DrawnCell::text(DASH);
        }
        let mut svg = String::new();
        if planned <= GRID_CHECKS {
            svg = waiting_grid(planned, self.ungraded_other.is_some());
        }
        DrawnCell { svg, text: self.page.language.count(planned, "check") }
    }

    fn check_cell(&self, case_index: usize, check: &ComparedCheck<'_>) -> CheckCell {
        CheckCell {
            candidate: check.candidate.pass_rate(),
            other: check.other.pass_rate(),
            other_side: other_side(self.columns.question()),
            mark: self.columns.mark(case_index, check),
            filters: self.columns.filters(case_index, check),
            is_single: check.candidate.graded().max(check.other.graded()) <= 1,
        }
    }

    /// The distinct filters that keep the case.
    fn marks(&self, case: &ComparedCase<'_>) -> Vec<String> {
        let mut present = Vec::new();
        for check in &case.checks {
            for filter in self.columns.filters(case.case_index, check).split(' ') {
                if !present.iter().any(|known| known == filter) {
                    present.push(filter.to_owned());
                }
            }
        }
        present.sort();
        present
    }

    /// The name of each check with its counts, linked to the runs that show its change.
    fn columns(&self, case: &ComparedCase<'_>) -> Vec<CheckColumn> {
        let page = self.page;
        let mut pages = None;
        if let Some(change) = self.change {
            pages = Some(RunPages::between(page.context, case.case_index, change.sides()));
        }
        let mut columns = Vec::new();
        for check in &case.checks {
            let mut counts = Rate::counts_of(check.candidate);
            if self.change.is_some() {
                counts = Rate::counts_of_both(check.other, check.candidate);
            }
            let text = cut_line(check.text, NAME);
            let kind = check.kind.unwrap_or(FlipKind::StillFailing);
            let href = pages.as_ref().and_then(|pages| pages.check(page, check.text, kind));
            columns.push(CheckColumn {
                title: page.language.labelled(&text, &counts),
                href: href.unwrap_or_else(|| page.case_link(case.case_index).href),
            });
        }
        columns
    }
}
