//! Fills the rows of both questions, for `report.json` and `summary.json`.

use crate::analyze::{Cost, Side};
use crate::digest::{CheckCounts, ComparedRow, Questions, Row, RowAnswer, RowWord};
use crate::render::context::Part;
use crate::report_json::{LastKnownJson, RowChecksJson, RowJson, RowSideJson};
use input::model::Workspace;

/// The rows about the newest candidate; empty where none has a verdict.
pub(crate) fn rows(part: &Part<'_>) -> Vec<RowJson> {
    let Some(after) = part.analysis.newest_candidate() else { return Vec::new() };
    let questions = Questions::new(&part.comparisons, &after);
    questions.rows().map(|row| row_json(part.workspace, row)).collect()
}

/// A skill that costs this share of the other side or less saves a quarter.
const SAVES: f64 = 0.75;

/// Whether a row of the question with this name is worse.
pub(crate) fn is_worse(rows: &[RowJson], question: &str) -> bool {
    rows.iter().any(|row| row.question == question && row.tone == "worse")
}

/// Whether the runs cannot be believed, so that no row is an answer.
pub(crate) fn is_unmeasured(rows: &[RowJson]) -> bool {
    rows.iter().any(|row| row.word == "not measured")
}

/// The checks that the last change lost, where that makes its row worse.
pub(crate) fn lost_checks(rows: &[RowJson]) -> usize {
    let worse = rows.iter().filter(|row| row.question == "changed" && row.tone == "worse");
    worse.filter_map(|row| row.checks.as_ref()).map(|checks| checks.down).sum()
}

/// Whether that both sides are the same is good: against an earlier version of the skill, or where the skill
/// saves a quarter and loses nothing.
pub(crate) fn is_parity(rows: &[RowJson]) -> bool {
    let mut compared = rows.iter().filter(|row| row.other.is_some()).peekable();
    compared.peek().is_some()
        && compared.all(|row| {
            let is_cheaper = [row.tokens, row.time].iter().flatten().any(|cost| *cost <= SAVES);
            let has_lost = row.checks.as_ref().is_some_and(|checks| checks.down > 0);
            !has_lost && (row.question == "changed" || is_cheaper)
        })
}

fn row_json(workspace: &Workspace, row: &Row<'_>) -> RowJson {
    let empty = RowJson {
        question: row.question.name().to_owned(),
        condition: row.condition.map(str::to_owned),
        candidate: side(workspace, &row.after),
        tone: "open".to_owned(),
        ..RowJson::default()
    };
    match &row.answer {
        RowAnswer::Compared(found) => with_data(workspace, empty, found),
        RowAnswer::Missing(missing) => RowJson {
            word: missing.name().to_owned(),
            last: missing.last().map(|(iteration, mean)| LastKnownJson {
                iteration: workspace.iterations[iteration].name.clone(),
                mean,
            }),
            ..empty
        },
    }
}

fn with_data(workspace: &Workspace, empty: RowJson, row: &ComparedRow<'_>) -> RowJson {
    let (gain, costs) = (&row.change.gain, &row.change.costs);
    let shown = gain.shown();
    let levels = gain.scores().or(gain.comparison.as_ref().map(|found| found.means));
    let (low, high) = gain.range().map(|range| (range.interval.low, range.interval.high)).unzip();
    RowJson {
        other: Some(side(workspace, &row.change.before)),
        word: word(row.word).to_owned(),
        tone: row.tone().name().to_owned(),
        measure: Some(gain.measure()),
        mean: shown.map(|paired| paired.mean),
        low,
        high,
        levels: levels.filter(|_| shown.is_some()),
        cases: gain.shared.len(),
        single_run: gain.single,
        checks: Some(checks(row.checks)),
        tokens: typical(&costs.tokens),
        time: typical(&costs.time),
        dollars: typical(&costs.dollars),
        ..empty
    }
}

fn side(workspace: &Workspace, side: &Side) -> RowSideJson {
    RowSideJson {
        iteration: workspace.iterations[side.iteration].name.clone(),
        configuration: side.configuration.clone(),
    }
}

fn word(word: RowWord) -> &'static str {
    match word {
        RowWord::Lost(_) => "lost",
        RowWord::Repaired(_) => "repaired",
        RowWord::NoRegression => "no regression",
        RowWord::Unmeasured => "not measured",
        RowWord::Flipped { .. } => "rerun",
        RowWord::Verdict(word) => word.name(),
    }
}

fn checks(counts: CheckCounts) -> RowChecksJson {
    let CheckCounts { down, up, down_repeated, up_repeated, unsteady, .. } = counts;
    let CheckCounts { failing, passing, shared, .. } = counts;
    RowChecksJson { down, up, down_repeated, up_repeated, unsteady, failing, passing, shared }
}

fn typical(cost: &Cost) -> Option<f64> {
    Some(cost.ratio.as_ref()?.geometric_mean)
}
