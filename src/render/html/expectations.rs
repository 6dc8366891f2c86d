//! The checks of every case: what passed them, and what they show.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::analyze::{Expectations, Roles, TrackedExpectation, Usefulness};
use crate::model::Tally;
use crate::render::context::{
    DASH, Link, Page, Rate, Rows, Site,
    bounds::{CELLS, COLUMNS, take_rows},
    distinct,
};
use crate::render::html::review::RunPages;
use crate::render::text::statistics;

/// The most iterations in the history of a row; older ones are on the page of the case.
const HISTORY: usize = 12;

pub(super) fn view(page: &Page<'_>) -> Value {
    let found = &page.facts.expectations;
    let title = page.language.text("expectations.title");
    let shown = ShownColumns::new(page.site, found);
    let name = |at: usize| page.part.workspace.iterations[at].name.as_str();
    let number = page.language.count(found.lines.len(), "expectation");
    let (key, iteration) = match found.iteration {
        Some(index) => ("expectations.lead", name(index)),
        None => ("expectations.lead_without", ""),
    };
    // The five that are filtered by, those without a check as well.
    let filtered = [
        Usefulness::Saturated,
        Usefulness::Dead,
        Usefulness::Discriminating,
        Usefulness::FavorsBaseline,
    ];
    let uses = filtered.map(|usefulness| (usefulness.word(), found.number(usefulness)));
    let uses = uses
        .into_iter()
        .chain([("flaky", found.flaky())])
        .map(|(use_, number)| json!({ "use": use_, "status": status(use_), "number": number }));
    json!({
        "frame": page.frame(title, None),
        "lead": page.language.fill(key, &[("number", &number), ("iteration", &iteration)]),
        "number": found.lines.len(),
        "health": statistics::health_sentences(found, page.language),
        "rates": rates(page.site, found),
        "uses": uses.collect::<Vec<_>>(),
        "configurations": found
            .iteration
            .map(|index| heads(&page.part.analysis.iterations[index].roles))
            .unwrap_or_default(),
        "history": shown.has_history().then(|| {
            let names = page.language.list(shown.iterations.iter().copied().map(name));
            let key = if shown.is_cut { "expectations.history_cut" } else { "expectations.history_of" };
            page.language.fill(key, &[("names", &names)])
        }),
        "cases": cases(page, found, &shown),
    })
}

/// The pass rates of candidate and baseline with the saturated statements and without them.
fn rates(site: Site<'_>, found: &Expectations<'_>) -> Vec<String> {
    let Some(of) = found.iteration.map(|at| &site.part.analysis.iterations[at]) else {
        return Vec::new();
    };
    let sentence = |key: &str, name: &str, tally: Tally| {
        let Rate { percent, counts, .. } = Rate::new(tally, site.language);
        site.language.fill(key, &[("name", &name), ("rate", &percent), ("counts", &counts)])
    };
    let sides = [
        (of.candidate(), found.candidate, found.candidate_unsaturated),
        (of.baseline(), found.baseline, found.baseline_unsaturated),
    ];
    let is_some_saturated = found.number(Usefulness::Saturated) > 0;
    let mut sentences = Vec::new();
    for (summary, all, rest) in sides {
        let Some(summary) = summary.filter(|_| all.graded() > 0) else { continue };
        sentences.push(sentence("expectations.rate", &summary.name, all));
        if is_some_saturated {
            sentences.push(sentence("expectations.rate_unsaturated", &summary.name, rest));
        }
    }
    sentences
}

/// What a check shows as filters spell it: in the words that readers see.
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
    Rows::first(COLUMNS, order.into_iter(), head)
}

struct ShownColumns<'a> {
    iterations: Vec<usize>,
    configurations: Vec<&'a str>,
    is_cut: bool,
}

impl<'a> ShownColumns<'a> {
    /// The newest iterations with verdicts, and every configuration met in them.
    fn new(site: Site<'a>, found: &Expectations<'_>) -> Self {
        let analyses = &site.part.analysis.iterations;
        let graded: Vec<usize> =
            (0..analyses.len()).filter(|at| analyses[*at].tally().graded() > 0).collect();
        let cut = graded.len().saturating_sub(HISTORY);
        let iterations = graded[cut..].to_vec();
        let all = found.iteration.iter().chain(iterations.iter().rev());
        let configurations = distinct(all.flat_map(|at| analyses[*at].roles.order()));
        Self { iterations, configurations, is_cut: cut > 0 }
    }

    fn has_history(&self) -> bool {
        self.iterations.len() > 1
    }

    /// The counts of one statement by configuration, where it has any.
    fn counts(&self, line: &TrackedExpectation<'_>) -> Vec<[String; 2]> {
        if !self.has_history() {
            return Vec::new();
        }
        let met = |name: &&&str| line.counted.iter().any(|counted| counted.configuration == **name);
        let count = |at: &usize, name: &str| {
            line.counted(*at, name).map_or(DASH.to_owned(), |line| Rate::counts_of(line.tally))
        };
        let row = |name: &&str| {
            let counts: Vec<String> = self.iterations.iter().map(|at| count(at, name)).collect();
            [(*name).to_owned(), counts.join(" ")]
        };
        self.configurations.iter().filter(met).map(row).collect()
    }
}

fn cases(page: &Page<'_>, found: &Expectations<'_>, shown: &ShownColumns<'_>) -> Rows<Value> {
    let mut by_case: Vec<&[TrackedExpectation<'_>]> =
        found.lines.chunk_by(|a, b| a.line == b.line).collect();
    // What the iteration that decides still checks comes first.
    by_case.sort_by_key(|lines| lines.iter().all(|line| line.usefulness == Usefulness::Earlier));
    let columns = shown.iterations.len() + shown.configurations.len();
    let mut room = CELLS;
    let group = |of: &[TrackedExpectation<'_>]| {
        let line = of[0].line;
        let pages = found.iteration.map(|at| RunPages::in_iteration(page.site, line, at));
        let row = |line| row(page, (found.iteration, pages.as_ref()), line, shown);
        let rows = Rows::first(take_rows(&mut room, of.len(), columns), of.iter(), row);
        json!({ "link": page.case_link(line), "rows": rows })
    };
    Rows::all(by_case.into_iter(), group)
}

fn row(
    page: &Page<'_>,
    (newest, pages): (Option<usize>, Option<&RunPages<'_>>),
    line: &TrackedExpectation<'_>,
    shown: &ShownColumns<'_>,
) -> Value {
    let flaky = line.is_flaky.then_some("flaky");
    let uses: Vec<&str> = std::iter::once(line.usefulness.word()).chain(flaky).collect();
    let statuses: Vec<&str> = uses.iter().copied().map(status).collect();
    let newest_roles = newest.map(|at| &page.part.analysis.iterations[at].roles);
    let order: Vec<&str> = newest_roles.into_iter().flat_map(|roles| roles.order()).collect();
    let anchor = |key: &Cow<'_, str>| page.addresses.expectation(line.line, key);
    // The counts, as a link to the review page of the run that shows why, else to its own page.
    let cell = |name: &str| {
        let counted = line.counted(newest?, name)?;
        let (index, case) = (counted.iteration, &page.part.analysis.lines[line.line]);
        let case = case.case(page.part.workspace, index)?;
        let run = &case.runs[counted.run];
        let review = pages.and_then(|pages| pages.run(page, index, run));
        let to = review.unwrap_or_else(|| page.to_run(index, line.line, run));
        Some(Link::new(format!("{to}#{}", anchor(&line.key)), Rate::counts_of(counted.tally)))
    };
    let cell = |name| cell(name).unwrap_or_else(|| Link::nowhere(DASH));
    json!({
        "anchor": anchor(&line.key),
        "other_anchors": line.other_keys.iter().map(anchor).collect::<Vec<_>>(),
        "status": statuses.join(" "),
        "uses": uses,
        "p": line.p.map(|p| statistics::p_value(p, page.language)),
        "text": line.text,
        "other_words": line.other_words.iter().map(|word| word.text.to_owned()).collect::<Vec<_>>(),
        "cells": Rows::first(COLUMNS, order.into_iter(), cell),
        "history": shown.counts(line),
    })
}
