//! Models or agents as a second dimension: a small chart for each, and a matrix of gains.

use serde_json::{Value, json};

use crate::analyze::{Gain, UnderCondition, Verdict};
use crate::budget::SHORT_LIST;
use crate::chart::{self, ChartSize, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::render::context::{DASH, Page, RenderContext, Rows, distinct};
use crate::render::html::comparison_links;
use crate::render::html::history::charts::{linked, rate};
use crate::render::html::history::rows::{DrawnNumber, edit_before, marks, passed};
use crate::wording::{headline, verdict};

/// The models of the workspace; `None` for fewer than two.
pub(crate) fn models(page: &Page<'_>) -> Option<Value> {
    let part = page.part;
    let by_iteration: Vec<&[UnderCondition]> =
        part.analysis.iterations.iter().map(|found| &*found.under_conditions).collect();
    let mut names = distinct(
        by_iteration.iter().rev().copied().flatten().map(|under| under.condition.as_str()),
    );
    names.truncate(SHORT_LIST);
    let shown: Vec<usize> =
        (0..by_iteration.len()).filter(|at| !by_iteration[*at].is_empty()).collect();
    let charts =
        names.iter().enumerate().map(|named| small_chart(page, named, &by_iteration, &shown));
    let row = |index: usize| {
        let cells = names.iter().map(|name| cell(page.context, find(by_iteration[index], name)));
        json!({
            "link": page.iteration_link(index),
            "cells": cells.collect::<Vec<_>>(),
            "edit": edit_before(page, index),
        })
    };
    let rows: Rows<Value> = Rows::all(shown.iter().rev().copied(), row);
    let has_edits = rows.iter().any(|row| !row["edit"].is_null());
    (names.len() > 1).then(
        || json!({ "charts": charts.collect::<Vec<_>>(), "rows": rows, "has_edits": has_edits }),
    )
}

fn find<'a>(conditions: &'a [UnderCondition], name: &str) -> Option<&'a UnderCondition> {
    conditions.iter().find(|condition| condition.condition == name)
}

fn small_chart(
    page: &Page<'_>,
    (at, name): (usize, &&str),
    by_iteration: &[&[UnderCondition]],
    shown: &[usize],
) -> Value {
    let iterations = &page.part.workspace.iterations;
    let level = |index: usize, configuration: &str| {
        let summary = page.part.analysis.iterations[index].configuration(configuration)?;
        Some(linked(page, index, rate(summary, page.language)?))
    };
    let candidate =
        |index: usize| level(index, &find(by_iteration[index], name)?.after.configuration);
    let baseline = |index: usize| {
        level(index, &find(by_iteration[index], name)?.change.as_ref()?.before.configuration)
    };
    let series = |key: &str, role, point: &dyn Fn(usize) -> Option<Point>| Series {
        name: page.language.text(key).to_owned(),
        role,
        points: shown.iter().map(|index| point(*index)).collect(),
    };
    let mut breaks = page.part.analysis.breaks.clone();
    breaks.retain(|gap| shown.contains(&gap.iteration));
    for gap in &mut breaks {
        gap.iteration = shown.partition_point(|index| *index < gap.iteration);
    }
    let chart = LineChart {
        prefix: format!("model-{at}"),
        title: (*name).to_owned(),
        unit: Unit::Fraction,
        size: ChartSize::Small,
        ticks: shown
            .iter()
            .map(|index| Tick { name: iterations[*index].name.clone(), ..Tick::default() })
            .collect::<Vec<_>>(),
        series: vec![
            series("role.candidate", SeriesRole::Candidate, &candidate),
            series("role.baseline", SeriesRole::Baseline, &baseline),
        ],
        breaks: marks(page.context, &breaks),
    };
    let newest = shown.iter().rev().find_map(|index| find(by_iteration[*index], name));
    json!({
        "name": name,
        // `100 % vs 80 %`.
        "newest": newest.map(|condition| drawn_number(page.context, condition)).map(|DrawnNumber { number, rest, .. }| {
            page.language.sentences([number, rest])
        }),
        "figure": chart::line(&chart, page.language),
    })
}

fn drawn_number(context: RenderContext<'_>, condition: &UnderCondition) -> DrawnNumber {
    let analysis = &context.part.analysis.iterations[condition.after.iteration];
    let before = condition.change.as_ref().map(|change| change.before.configuration.as_str());
    let sides = [before, Some(condition.after.configuration.as_str())];
    passed(context, condition.change.as_ref(), sides.map(|name| analysis.configuration(name?)))
}

fn cell(context: RenderContext<'_>, condition: Option<&UnderCondition>) -> Value {
    let Some(condition) = condition else { return json!({ "gain": "" }) };
    let drawn_number = drawn_number(context, condition);
    let gain = condition.change.as_ref().map(|change| &change.gain);
    let verdict = gain.map_or(Verdict::NoComparison, Gain::verdict);
    let mean = gain.and_then(|gain| Some(verdict::number(gain.measure(), gain.paired()?.mean)));
    let alone = condition.change.is_none().then_some(drawn_number.number);
    let gain = mean.or(alone).unwrap_or_else(|| DASH.to_owned());
    json!({
        "svg": drawn_number.svg,
        "sign": headline::sign(verdict),
        "tone": comparison_links::tone(verdict).class(),
        "gain": gain,
    })
}
