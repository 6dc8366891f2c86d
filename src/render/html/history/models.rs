//! Models or agents as a second dimension: a matrix of gains.

use crate::analyze::{Gain, IterationAnalysis, UnderCondition, Verdict};
use crate::budget::SHORT_LIST;
use crate::language::DASH;
use crate::render::context::{Page, RenderContext, Rows, View, distinct, view};
use crate::render::html::comparison_links;
use crate::render::html::history::has_edit;
use crate::render::html::history::rows::{DrawnNumber, edit_before, passed};
use crate::wording::{headline, verdict};

/// The comparisons of a workspace under each model.
struct ByModel<'a> {
    iterations: &'a [IterationAnalysis],
    /// The configuration that represents the newest round.
    configuration: &'a str,
    /// The iterations with any.
    shown: Vec<usize>,
}

/// The models of the workspace; `None` for fewer than two.
pub(super) fn models(page: &Page<'_>) -> Option<View> {
    let iterations = &page.part.analysis.iterations;
    let mut shown: Vec<usize> = (0..iterations.len()).collect();
    shown.retain(|index| !iterations[*index].under_conditions.is_empty());
    // The models of the newest iteration come first.
    let newest = shown.last().and_then(|index| iterations[*index].candidate());
    let configuration = newest.map_or("", |newest| newest.name.as_str());
    let newest_first =
        iterations.iter().rev().flat_map(|iteration| iteration.conditions_of(configuration));
    let mut names = distinct(newest_first.map(|found| found.condition.as_str()));
    names.truncate(SHORT_LIST);
    if names.len() < 2 {
        return None;
    }
    let by_model = ByModel { iterations, configuration, shown };
    let rows = Rows::all(by_model.shown.iter().rev(), |&index| {
        let cells = names.iter().map(|name| cell(page.context, by_model.find(index, name)));
        view!({
            "link": page.iteration_link(index),
            "cells": cells.collect::<Vec<_>>(),
            "edit": edit_before(page, index),
        })
    });
    let has_edits = rows.iter().any(has_edit);
    Some(view!({ "names": names, "rows": rows, "has_edits": has_edits }))
}

impl ByModel<'_> {
    fn find(&self, iteration: usize, name: &str) -> Option<&UnderCondition> {
        let mut found = self.iterations[iteration].conditions_of(self.configuration);
        found.find(|found| found.condition == name)
    }
}

fn drawn_rates(context: RenderContext<'_>, found: &UnderCondition) -> DrawnNumber {
    let analysis = &context.part.analysis.iterations[found.after.iteration];
    let change = found.change.as_ref();
    let before = change.and_then(|change| analysis.configuration(&change.before.configuration));
    passed(context, change, before, analysis.configuration(&found.after.configuration))
}

fn cell(context: RenderContext<'_>, found: Option<&UnderCondition>) -> View {
    let Some(found) = found else { return view!({ "gain": "" }) };
    let rates = drawn_rates(context, found);
    let gain = found.change.as_ref().map(|change| &change.gain);
    let verdict = gain.map_or(Verdict::NoComparison, Gain::verdict);
    let text = match gain {
        // Without a baseline under this model there is a rate, but no gain.
        None => rates.number,
        Some(gain) => match gain.shown() {
            Some(paired) => verdict::number(gain.measure(), paired.mean),
            None => DASH.to_owned(),
        },
    };
    view!({
        "svg": rates.svg,
        "sign": gain.map_or("", headline::sign),
        "tone": comparison_links::tone(verdict).class(),
        "gain": text,
    })
}
