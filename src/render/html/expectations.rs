//! The checks of all cases: who passed them, and how informative they are.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::analyze::{ExpectationHistory, Expectations, Roles, Usefulness};
use crate::budget::{DATA_CELLS, DATA_COLUMNS};
use crate::model::Tally;
use crate::render::context::{
    DASH, Link, Page, Rate, RenderContext, Rows, bounds::take_rows, distinct,
};
use crate::render::html::review::RunPages;
use crate::wording::checks;

/// Most iterations in the history of a row; older ones are on the page of the case.
const HISTORY: usize = 12;

pub(super) fn view(page: &Page<'_>) -> Value {
    let expectations = &page.shared.expectations;
    let title = page.language.text("expectations.title");
    let shown = ShownColumns::new(page.context, expectations);
    let name = |at: usize| page.part.workspace.iterations[at].name.as_str();
    let number = page.language.count(expectations.histories.len(), "expectation");
    let (key, iteration) = match expectations.iteration {
        Some(index) => ("expectations.lead", name(index)),
        None => ("expectations.lead_without", ""),
    };
    // The five uses to filter by, including those without a check.
    let filtered = [
        Usefulness::Saturated,
        Usefulness::Dead,
        Usefulness::Discriminating,
        Usefulness::FavorsBaseline,
    ];
    let uses = filtered.map(|usefulness| (usefulness.word(), expectations.number(usefulness)));
    let uses = uses
        .into_iter()
        .chain([("flaky", expectations.flaky())])
        .map(|(use_, number)| json!({ "use": use_, "status": status(use_), "number": number }));
    json!({
        "frame": page.frame(title, None),
        "lead": page.language.fill(key, &[("number", &number), ("iteration", &iteration)]),
        "number": expectations.histories.len(),
        "health": checks::health_sentences(expectations, page.language),
        "rates": rates(page.context, expectations),
        "uses": uses.collect::<Vec<_>>(),
        "configurations": expectations
            .iteration
            .map(|index| heads(&page.part.analysis.iterations[index].roles))
            .unwrap_or_default(),
        "history": shown.has_history().then(|| {
            let names = page.language.list(shown.iterations.iter().copied().map(name));
            let key = if shown.is_cut { "expectations.history_cut" } else { "expectations.history_of" };
            page.language.fill(key, &[("names", &names)])
        }),
        "cases": cases(page, expectations, &shown),
    })
}

/// The pass rates of candidate and baseline, with and without saturated statements.
fn rates(context: RenderContext<'_>, expectations: &Expectations<'_>) -> Vec<String> {
    let Some(analysis) = expectations.iteration.map(|at| &context.part.analysis.iterations[at])
    else {
        return Vec::new();
    };
    let sentence = |key: &str, name: &str, tally: Tally| {
        let Rate { percent, counts, .. } = Rate::new(tally, context.language);
        context.language.fill(key, &[("name", &name), ("rate", &percent), ("counts", &counts)])
    };
    let sides = [
        (analysis.candidate(), expectations.candidate, expectations.candidate_unsaturated),
        (analysis.baseline(), expectations.baseline, expectations.baseline_unsaturated),
    ];
    let is_some_saturated = expectations.number(Usefulness::Saturated) > 0;
    let mut sentences = Vec::new();
    for (summary, total, rest) in sides {
        let Some(summary) = summary.filter(|_| total.graded() > 0) else { continue };
        sentences.push(sentence("expectations.rate", &summary.name, total));
        if is_some_saturated {
            sentences.push(sentence("expectations.rate_unsaturated", &summary.name, rest));
        }
    }
    sentences
}

/// The use of a check in the words of the filters, as readers see them.
fn status(use_: &'static str) -> &'static str {
    match use_ {
        "saturated" => "always-passes",
        "dead" => "always-fails",
        "discriminating" => "helps",
        "favors-baseline" => "hurts",
        "flaky" => "inconsistent",
        other => other,
    }
}

fn heads(roles: &Roles) -> Rows<Value> {
    let role = |name: &str| match (&roles.baseline, roles.candidates.first()) {
        (Some(baseline), _) if baseline == name => "baseline",
        (Some(_), Some(candidate)) if candidate == name => "candidate",
        _ => "",
    };
    let order: Vec<&str> = roles.order().collect();
    let head = |name: &str| json!({ "name": name, "role": role(name) });
    Rows::first(DATA_COLUMNS, order.into_iter(), head)
}

struct ShownColumns<'a> {
    iterations: Vec<usize>,
    configurations: Vec<&'a str>,
    is_cut: bool,
}

impl<'a> ShownColumns<'a> {
    /// The newest iterations with verdicts, and all configurations in them.
    fn new(context: RenderContext<'a>, expectations: &Expectations<'_>) -> Self {
        let analyses = &context.part.analysis.iterations;
        let graded: Vec<usize> =
            (0..analyses.len()).filter(|at| analyses[*at].tally().graded() > 0).collect();
        let cut = graded.len().saturating_sub(HISTORY);
        let iterations = graded[cut..].to_vec();
        let indices = expectations.iteration.iter().chain(iterations.iter().rev());
        let configurations = distinct(indices.flat_map(|at| analyses[*at].roles.order()));
        Self { iterations, configurations, is_cut: cut > 0 }
    }

    fn has_history(&self) -> bool {
        self.iterations.len() > 1
    }

    /// The counts of one statement by configuration, if it has any.
    fn counts(&self, line: &ExpectationHistory<'_>) -> Vec<[String; 2]> {
        if !self.has_history() {
            return Vec::new();
        }
        let appears =
            |name: &&&str| line.counted.iter().any(|counted| counted.configuration == **name);
        let count = |at: &usize, name: &str| {
            line.counted(*at, name).map_or(DASH.to_owned(), |line| Rate::counts_of(line.tally))
        };
        let row = |name: &&str| {
            let counts: Vec<String> = self.iterations.iter().map(|at| count(at, name)).collect();
            [(*name).to_owned(), counts.join(" ")]
        };
        self.configurations.iter().filter(appears).map(row).collect()
    }
}

fn cases(
    page: &Page<'_>,
    expectations: &Expectations<'_>,
    shown: &ShownColumns<'_>,
) -> Rows<Value> {
    let mut by_case: Vec<&[ExpectationHistory<'_>]> =
        expectations.histories.chunk_by(|a, b| a.case == b.case).collect();
    // Checks that the deciding iteration still has come first.
    by_case.sort_by_key(|lines| lines.iter().all(|line| line.usefulness == Usefulness::Earlier));
    let columns = shown.iterations.len() + shown.configurations.len();
    let mut remaining_cells = DATA_CELLS;
    let group = |lines: &[ExpectationHistory<'_>]| {
        let line = lines[0].case;
        let pages = expectations.iteration.map(|at| RunPages::in_iteration(page.context, line, at));
        let row = |line| row(page, (expectations.iteration, pages.as_ref()), line, shown);
        let rows =
            Rows::first(take_rows(&mut remaining_cells, lines.len(), columns), lines.iter(), row);
        json!({ "link": page.case_link(line), "rows": rows })
    };
    Rows::all(by_case.into_iter(), group)
}

fn row(
    page: &Page<'_>,
    (newest, pages): (Option<usize>, Option<&RunPages<'_>>),
    line: &ExpectationHistory<'_>,
    shown: &ShownColumns<'_>,
) -> Value {
    let flaky = line.is_flaky.then_some("flaky");
    let uses: Vec<&str> = std::iter::once(line.usefulness.word()).chain(flaky).collect();
    let statuses: Vec<&str> = uses.iter().copied().map(status).collect();
    let newest_roles = newest.map(|at| &page.part.analysis.iterations[at].roles);
    let order: Vec<&str> = newest_roles.into_iter().flat_map(|roles| roles.order()).collect();
    let anchor = |key: &Cow<'_, str>| page.addresses.expectation(line.case, key);
    // The counts, linked to the review page of the run that explains them, else to its own page.
    let cell = |name: &str| {
        let counted = line.counted(newest?, name)?;
        let (index, case) = (counted.iteration, &page.part.analysis.cases[line.case]);
        let case = case.case(page.part.workspace, index)?;
        let run = &case.runs[counted.run];
        let review = pages.and_then(|pages| pages.run(page, index, run));
        let to = review.unwrap_or_else(|| page.to_run(index, line.case, run));
        Some(Link::new(format!("{to}#{}", anchor(&line.key)), Rate::counts_of(counted.tally)))
    };
    let cell = |name| cell(name).unwrap_or_else(|| Link::nowhere(DASH));
    json!({
        "anchor": anchor(&line.key),
        "other_anchors": line.other_keys.iter().map(anchor).collect::<Vec<_>>(),
        "status": statuses.join(" "),
        "uses": uses,
        "p": line.p.map(|p| checks::p_value(p, page.language)),
        "text": line.text,
        "probably_earlier": line.probably_earlier.map(|text| page.language.fill("diff.probably_reworded", &[("text", &text)])),
        "other_words": line.other_wordings.iter().map(|wording| wording.text.to_owned()).collect::<Vec<_>>(),
        "cells": Rows::first(DATA_COLUMNS, order.into_iter(), cell),
        "history": shown.counts(line),
    })
}
