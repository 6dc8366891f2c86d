//! The heat map: each case in each iteration, with the checks that it lost since the column before.

use serde::Serialize;

use crate::analyze::{FlipKind, Measure, Side, case_rate};
use crate::digest::{RecordedCase, RecordedRound, recorded_cases, recorded_rounds};
use crate::language::{DASH, say};
use crate::render::context::{Link, Page};
use crate::render::html::history::rows::{edit_before, own_change};
use crate::render::html::review::RunPages;
use crate::wording::verdict;
use text::tokens;

/// Iterations beyond this many are in the list below only.
const COLUMNS: usize = 12;

/// What a shortened name keeps at least.
const LEAST_NAME: usize = 3;

#[derive(Serialize)]
pub(super) struct HeatMap {
    /// What all names begin with, which is left out of them; empty for nothing.
    prefix: String,
    columns: Vec<HeatColumn>,
    rows: Vec<HeatRow>,
    /// Figures of each iteration below the cases.
    figures: Vec<HeatFigure>,
    /// Number of earlier iterations that are not shown.
    more: usize,
    has_recorded: bool,
    has_breaks: bool,
    has_lost: bool,
}

#[derive(Serialize)]
struct HeatColumn {
    link: Link,
    /// The whole name.
    title: String,
    note: String,
    is_newest: bool,
    /// Whether the cells may not be compared with the column before.
    is_break: bool,
}

#[derive(Serialize)]
struct HeatRow {
    case: Link,
    cells: Vec<HeatCell>,
}

#[derive(Default, Serialize)]
struct HeatCell {
    /// Percent that passed, without its sign; empty where the case has no verdict.
    rate: String,
    gain: String,
    /// The steps of the two scales of color.
    class: String,
    href: String,
    /// What the cell says in full.
    label: String,
    /// Number of checks lost since the column before.
    lost: usize,
    is_recorded: bool,
    is_break: bool,
}

#[derive(Serialize)]
struct HeatFigure {
    name: String,
    is_strong: bool,
    cells: Vec<Link>,
}

/// An iteration of the map.
struct Column<'a> {
    iteration: usize,
    /// The candidate and what it is compared with.
    side: Option<Side>,
    other: Option<Side>,
    recorded: Option<&'a RecordedRound<'a>>,
    recorded_cases: Vec<RecordedCase<'a>>,
    is_break: bool,
    /// Whether its runs are no measurement, so that it has rates and no difference.
    is_unmeasured: bool,
}

impl Column<'_> {
    /// Whether its cells are as recorded, and not counted.
    fn is_recorded(&self) -> bool {
        self.recorded.is_some() || self.is_unmeasured
    }
}

/// The map; `None` for fewer than two iterations with anything to show.
pub(super) fn heat(page: &Page<'_>) -> Option<HeatMap> {
    let recorded = recorded_rounds(page.part.workspace);
    let all = columns(page, &recorded);
    if all.len() < 2 {
        return None;
    }
    let more = all.len().saturating_sub(COLUMNS);
    let columns = &all[more..];
    let iterations = &page.part.workspace.iterations;
    let names: Vec<&str> =
        columns.iter().map(|column| iterations[column.iteration].name.as_str()).collect();
    let prefix = common_start(&names);
    let newest = page.part.analysis.shown_side().map(|side| side.iteration);
    let mut heads = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let name = names[at];
        let mut link = page.iteration_link(column.iteration);
        link.text = name[prefix.len()..].to_owned();
        heads.push(HeatColumn {
            link,
            title: name.to_owned(),
            note: note(page, column),
            is_newest: Some(column.iteration) == newest,
            is_break: column.is_break,
        });
    }
    let mut order = page.context.shared.order.clone();
    order.extend(
        (0..page.part.analysis.cases.len())
            .filter(|case_index| !page.context.shared.order.contains(case_index)),
    );
    let mut rows: Vec<HeatRow> = Vec::new();
    for case_index in order {
        let cells: Vec<HeatCell> =
            (0..columns.len()).map(|at| cell(page, case_index, columns, at)).collect();
        if cells.iter().any(|cell| !cell.rate.is_empty()) {
            rows.push(HeatRow { case: page.case_link(case_index), cells });
        }
    }
    if rows.is_empty() {
        return None;
    }
    Some(HeatMap {
        figures: figures(page, columns),
        has_recorded: columns.iter().any(Column::is_recorded),
        has_breaks: columns.iter().any(|column| column.is_break),
        has_lost: rows.iter().flat_map(|row| &row.cells).any(|cell| cell.lost > 0),
        prefix,
        columns: heads,
        rows,
        more,
    })
}

/// The iterations with a verdict or a recorded rate, in their order.
fn columns<'a>(page: &Page<'a>, recorded: &'a [RecordedRound<'a>]) -> Vec<Column<'a>> {
    let analysis = page.part.analysis;
    let mut columns = Vec::new();
    for iteration in 0..analysis.iterations.len() {
        let side = analysis.candidate_of(iteration);
        let side = side.filter(|side| analysis.tally_of(side).graded() > 0);
        let recorded = recorded.iter().find(|round| round.iteration == iteration);
        let recorded = recorded.filter(|_| side.is_none());
        if side.is_none() && recorded.is_none() {
            continue;
        }
        let is_unmeasured = page.part.is_unmeasured(iteration);
        let change =
            own_change(page.context, iteration).filter(|_| side.is_some() && !is_unmeasured);
        let is_break = !columns.is_empty()
            && (analysis.breaks.iter().any(|found| found.iteration == iteration)
                || columns.last().is_some_and(|last: &Column<'_>| {
                    last.recorded.is_some() != recorded.is_some()
                }));
        let recorded_cases =
            recorded.map_or_else(Vec::new, |round| recorded_cases(page.part.workspace, round));
        columns.push(Column {
            iteration,
            side,
            other: change.map(|change| change.before.clone()),
            recorded,
            recorded_cases,
            is_break,
            is_unmeasured,
        });
    }
    columns
}

/// What all names begin with, up to a separator. Each keeps a few characters.
pub(super) fn common_start(names: &[&str]) -> String {
    let [first, rest @ ..] = names else { return String::new() };
    let mut end = first.len();
    for name in rest {
        let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        end = end.min(same);
    }
    let shortest = names.iter().map(|name| name.len()).min().unwrap_or_default();
    end = end.min(shortest.saturating_sub(LEAST_NAME));
    let end = first.floor_char_boundary(end);
    let separator = first[..end].rfind(['-', '_', '.', '/', ' ']);
    // `iteration-1` says what it is, and is short enough.
    match separator {
        Some(at) if shortest > "iteration-10".len() => first[..=at].to_owned(),
        _ => String::new(),
    }
}

fn note(page: &Page<'_>, column: &Column<'_>) -> String {
    let language = page.language;
    let Some(side) = &column.side else { return language.text("screen.as_recorded").to_owned() };
    if column.is_unmeasured {
        return language.text("headline.no_measurement").to_owned();
    }
    let runs = page.part.analysis.summary(side).map_or(0, |summary| summary.runs_per_case);
    language.count(runs, "run")
}

fn cell(page: &Page<'_>, case_index: usize, columns: &[Column<'_>], at: usize) -> HeatCell {
    let (language, column) = (page.language, &columns[at]);
    let empty = HeatCell {
        is_recorded: column.is_recorded(),
        is_break: column.is_break,
        ..HeatCell::default()
    };
    let history = &page.part.analysis.cases[case_index];
    if column.recorded.is_some() {
        return recorded_cell(page, case_index, column, empty);
    }
    let rate_of = |side: &Side| {
        let case = history.case(page.part.workspace, side.iteration)?;
        case_rate(case, &side.configuration)
    };
    let Some((side, rate)) = column.side.as_ref().and_then(|side| Some((side, rate_of(side)?)))
    else {
        return empty;
    };
    let gain = column.other.as_ref().and_then(rate_of).map(|other| rate - other);
    let before = at.checked_sub(1).map(|at| &columns[at]);
    let before = before.filter(|before| !before.is_unmeasured && !column.is_unmeasured);
    let before = before.and_then(|before| before.side.as_ref());
    let mut lost = 0;
    if let Some(before) = before {
        let flips = page.part.comparisons.between(before, side);
        lost = flips.on(case_index).iter().filter(|flip| flip.kind == FlipKind::Regressed).count();
    }
    // A loss is seen beside the column before; a gain beside the other side.
    let other = if lost > 0 { before } else { column.other.as_ref() };
    let review = other
        .and_then(|other| RunPages::between(page.context, case_index, [other, side]).first(page));
    let percent = language.percent(rate);
    let shown_gain = gain.map_or(DASH.to_owned(), |gain| verdict::number(Measure::PassRate, gain));
    let mut label = vec![say!(
        language,
        "history.heat_cell",
        case = history.name,
        iteration = page.part.workspace.iterations[side.iteration].name,
        rate = percent
    )];
    if gain.is_some() {
        label.push(say!(language, "history.heat_gain", gain = shown_gain));
    }
    if lost > 0 {
        label.push(language.count(lost, "check_lost"));
    }
    HeatCell {
        rate: text::percent(rate),
        class: format!("r{} {}", step_of_rate(rate), gain.map_or_else(String::new, step_of_gain)),
        gain: shown_gain,
        href: review.unwrap_or_else(|| page.case_link(case_index).href),
        label: language.list(label),
        lost,
        ..empty
    }
}

/// A cell of what a benchmark says about a case.
fn recorded_cell(
    page: &Page<'_>,
    case_index: usize,
    column: &Column<'_>,
    empty: HeatCell,
) -> HeatCell {
    let history = &page.part.analysis.cases[case_index];
    let here = history.appearance(column.iteration).map(|appearance| appearance.case);
    let mut cases = column.recorded_cases.iter();
    let case = cases.find(|case| match case.case {
        Some(case) => Some(case) == here,
        None => case.name == history.name,
    });
    let rate = case.and_then(|case| case.candidate.as_ref()?.share());
    let Some(rate) = rate else { return empty };
    let gain = case.and_then(RecordedCase::gain);
    let rate_text = page.language.percent(rate);
    HeatCell {
        rate: text::percent(rate),
        gain: gain.map_or(DASH.to_owned(), |gain| verdict::number(Measure::PassRate, gain)),
        href: page.iteration_link(column.iteration).href,
        label: say!(
            page.language,
            "history.heat_recorded",
            case = history.name,
            iteration = page.part.workspace.iterations[column.iteration].name,
            rate = rate_text
        ),
        ..empty
    }
}

/// Six steps from none to all.
fn step_of_rate(rate: f64) -> usize {
    (rate * 5.0).round() as usize
}

/// Gray within 5 points, then a step every 15.
fn step_of_gain(gain: f64) -> String {
    let points = gain * 100.0;
    let steps = ((points.abs() - 5.0) / 15.0).ceil().clamp(0.0, 3.0) as usize;
    match (steps, points < 0.0) {
        (0, _) => "g0".to_owned(),
        (steps, true) => format!("l{steps}"),
        (steps, false) => format!("g{steps}"),
    }
}

/// Means, gains, tokens and edits of the skill, each if any iteration has it.
fn figures(page: &Page<'_>, columns: &[Column<'_>]) -> Vec<HeatFigure> {
    let language = page.language;
    let analysis = page.part.analysis;
    let mut figures = Vec::new();
    let mut add = |key: &str, is_strong: bool, figure: &dyn Fn(&Column<'_>) -> Option<Link>| {
        let cells: Vec<Option<Link>> = columns.iter().map(figure).collect();
        if cells.iter().any(Option::is_some) {
            let cells =
                cells.into_iter().map(|cell| cell.unwrap_or_else(|| Link::nowhere(DASH))).collect();
            figures.push(HeatFigure { name: language.text(key).to_owned(), is_strong, cells });
        }
    };
    add("history.heat_mean", true, &|column| {
        let rate = match (&column.side, column.recorded) {
            (Some(side), _) => analysis.summary(side)?.by_case?,
            (None, Some(round)) => round.candidate.rate.share()?,
            _ => return None,
        };
        Some(Link::nowhere(text::percent(rate)))
    });
    add("history.gain", true, &|column| {
        let gain = match column.recorded {
            Some(round) => verdict::number(Measure::PassRate, round.gain()?),
            None if column.is_unmeasured => return None,
            None => {
                let gain = &own_change(page.context, column.iteration)?.gain;
                verdict::number(gain.measure(), gain.shown()?.mean)
            }
        };
        Some(Link::nowhere(gain))
    });
    add("history.heat_tokens", false, &|column| {
        let used = analysis.summary(column.side.as_ref()?)?.tokens?;
        Some(Link::nowhere(tokens(used.mean)))
    });
    add("history.heat_edits", false, &|column| {
        let edit = edit_before(page, column.iteration)?;
        Some(Link::new(edit.href, edit.size))
    });
    figures
}

#[cfg(test)]
mod tests {
    use super::{common_start, step_of_gain};

    #[test]
    fn names_lose_what_all_begin_with_up_to_a_separator() {
        let table: [(&[&str], &str); 4] = [
            (
                &["minutes-eval-2026-06-02-a41f", "minutes-eval-2026-07-20-e02d"],
                "minutes-eval-2026-",
            ),
            (&["iteration-1", "iteration-2"], ""),
            (&["a-long-name-for-1", "a-long-name-for-2"], "a-long-name-"),
            (&["first-of-all-names", "second-of-all-names"], ""),
        ];
        for (names, start) in table {
            assert_eq!(common_start(names), start, "{names:?}");
        }
    }

    #[test]
    fn small_gains_are_gray() {
        let steps = [0.0, 0.05, 0.06, 0.2, 0.36, 0.9, -0.04, -0.2, -0.21].map(step_of_gain);
        assert_eq!(steps, ["g0", "g0", "g1", "g1", "g3", "g3", "g0", "l1", "l2"]);
    }
}
