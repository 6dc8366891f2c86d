//! The checks of all cases: who passed them, and how informative they are.

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::{ExpectationHistory, Expectations, Roles, Usefulness};
use crate::budget::{DATA_CELLS, DATA_COLUMNS, SHORT_LIST};
use crate::chart::inline::{BarSide, ColumnRate, columns};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Link, Page, RenderContext, Rows, bounds::take_rows};
use crate::render::html::review::RunPages;
use crate::wording::checks;
use input::model::Tally;

pub(super) fn view(page: &Page<'_>) -> Value {
    let language = page.language;
    let expectations = &page.shared.expectations;
    let shown = ShownColumns::new(page.context);
    let number = language.count(expectations.histories.len(), "expectation");
    let lead = match expectations.iteration {
        Some(index) => {
            let iteration = &page.part.workspace.iterations[index].name;
            let earlier = expectations.number(Usefulness::Earlier);
            let there = expectations.histories.len() - earlier;
            let number = language.count(there, "expectation");
            let key = if earlier == 0 { "expectations.lead" } else { "expectations.lead_earlier" };
            say!(language, key, number, iteration, n = earlier)
        }
        None => say!(language, "expectations.lead_without", number),
    };
    let heads = match expectations.iteration {
        Some(index) => heads(&page.part.analysis.iterations[index].roles),
        None => Rows::default(),
    };
    let has_peers = expectations
        .iteration
        .is_some_and(|newest| page.part.analysis.iterations[newest].roles.has_peers());
    json!({
        "frame": page.frame(language.text("expectations.title"), None),
        "lead": lead,
        "number": expectations.histories.len(),
        "health": checks::health_sentences(expectations, language),
        "rates": rates(page.context, expectations),
        "uses": uses(expectations, has_peers),
        "configurations": heads,
        "history": shown.sentence(page),
        "cases": cases(page, expectations, &shown),
    })
}

/// The uses to filter by, including those without a check.
fn uses(expectations: &Expectations<'_>, has_peers: bool) -> Vec<Value> {
    let mut filtered = vec![Usefulness::AlwaysPasses, Usefulness::AlwaysFails];
    // Nothing helps or hurts where either side may be the baseline.
    if has_peers {
        filtered.push(Usefulness::Differs);
    } else {
        let once = [Usefulness::PassedOnce, Usefulness::FailedOnce];
        let is_once = |found: &Usefulness| expectations.number(*found) > 0;
        let has_once = once.iter().any(is_once);
        let repeated = [Usefulness::Helps, Usefulness::Hurts];
        // Nothing can help or hurt before runs are repeated.
        if !has_once || repeated.iter().any(is_once) {
            filtered.extend(repeated);
        }
        filtered.extend(once.into_iter().filter(is_once));
    }
    let mut uses = Vec::new();
    for usefulness in filtered {
        let found = expectations.histories.iter().filter(|check| check.usefulness == usefulness);
        let is_single = found.clone().all(|check| has_single_runs(check, expectations.iteration));
        uses.push(use_view(usefulness.word(), found.count(), is_single));
    }
    if let Some(flaky) = expectations.flaky() {
        uses.push(use_view("flaky", flaky, false));
    }
    uses
}

fn use_view(name: &'static str, number: usize, is_single: bool) -> Value {
    json!({ "use": name, "status": status(name), "number": number, "is_single": is_single })
}

/// Whether no configuration has more than one run of a check in the deciding iteration: then what it
/// shows has no color.
fn has_single_runs(check: &ExpectationHistory<'_>, deciding: Option<usize>) -> bool {
    let mut counted = check.counted.iter().filter(|found| Some(found.iteration) == deciding);
    counted.all(|found| found.runs <= 1)
}

/// The pass rates of candidate and baseline, with and without saturated statements.
fn rates(context: RenderContext<'_>, expectations: &Expectations<'_>) -> Vec<String> {
    let Some(index) = expectations.iteration else { return Vec::new() };
    let analysis = &context.part.analysis.iterations[index];
    let sides = [
        (analysis.candidate(), expectations.candidate, expectations.candidate_unsaturated),
        (analysis.baseline(), expectations.baseline, expectations.baseline_unsaturated),
    ];
    let is_some_saturated = expectations.number(Usefulness::AlwaysPasses) > 0;
    let mut sentences = Vec::new();
    for (summary, total, rest) in sides {
        let Some(summary) = summary else { continue };
        if total.graded() == 0 {
            continue;
        }
        sentences.push(rate_sentence(context, "expectations.rate", &summary.name, total));
        if is_some_saturated && rest.graded() > 0 {
            let key = "expectations.rate_unsaturated";
            sentences.push(rate_sentence(context, key, &summary.name, rest));
        }
    }
    sentences
}

fn rate_sentence(context: RenderContext<'_>, key: &str, name: &str, tally: Tally) -> String {
    say!(context.language, key, name, counts = Rate::counts_of(tally))
}

/// The use of a check in the words of the filters, as readers see them.
fn status(use_: &'static str) -> &'static str {
    match use_ {
        "saturated" => "passes-everywhere",
        "dead" => "fails-everywhere",
        "discriminating" => "helps",
        "favors-baseline" => "hurts",
        "flaky" => "unstable",
        other => other,
    }
}

fn heads(roles: &Roles) -> Rows<Value> {
    let names: Vec<&str> = roles.order().collect();
    Rows::first(
        DATA_COLUMNS,
        names.into_iter(),
        |name| json!({ "name": name, "role": role(roles, name) }),
    )
}

fn role(roles: &Roles, name: &str) -> &'static str {
    let Some(baseline) = &roles.baseline else { return "" };
    if baseline == name {
        "baseline"
    } else if roles.candidates.first().is_some_and(|candidate| candidate == name) {
        "candidate"
    } else {
        ""
    }
}

/// The newest iterations with verdicts, which the history of a check shows.
struct ShownColumns<'a> {
    /// Each with its index.
    iterations: Vec<(usize, &'a Roles)>,
    is_cut: bool,
}

/// The rates of one side of a check, drawn.
#[derive(Serialize)]
struct Track {
    svg: String,
    /// What the columns are, for the pointer and for those who do not see them.
    text: String,
}

impl<'a> ShownColumns<'a> {
    fn new(context: RenderContext<'a>) -> Self {
        let analyses = &context.part.analysis.iterations;
        let graded: Vec<usize> =
            (0..analyses.len()).filter(|at| analyses[*at].tally().graded() > 0).collect();
        let cut = graded.len().saturating_sub(SHORT_LIST);
        let iterations = graded[cut..].iter().map(|at| (*at, &analyses[*at].roles)).collect();
        Self { iterations, is_cut: cut > 0 }
    }

    fn has_history(&self) -> bool {
        self.iterations.len() > 1
    }

    /// Which iterations the history has; older ones are on the page of the case.
    fn sentence(&self, page: &Page<'_>) -> Option<String> {
        if !self.has_history() {
            return None;
        }
        let iterations = &page.part.workspace.iterations;
        let names = self.iterations.iter().map(|(at, _)| iterations[*at].name.as_str());
        let names = page.language.list(names);
        let key = if self.is_cut { "expectations.history_cut" } else { "expectations.history_of" };
        Some(say!(page.language, key, names))
    }

    /// The rates of a check over the iterations: of the candidate, and of what each of them is compared
    /// with, which may have another name in each.
    fn tracks(&self, history: &ExpectationHistory<'_>, language: &Language) -> Vec<Track> {
        let mut tracks = Vec::new();
        for side in [BarSide::Candidate, BarSide::Other] {
            let (mut rates, mut counts) = (Vec::new(), Vec::new());
            for (at, roles) in &self.iterations {
                let name = match side {
                    BarSide::Candidate => roles.candidates.first(),
                    BarSide::Other | BarSide::Earlier => roles.baseline.as_ref(),
                };
                let counted = name.and_then(|name| history.counted(*at, name));
                rates.push(counted.and_then(|found| {
                    let rate = found.tally.pass_rate()?;
                    Some(ColumnRate { rate, is_single: found.runs == 1 })
                }));
                if let (Some(name), Some(found)) = (name, counted) {
                    counts.push(format!("{name} {}", Rate::counts_of(found.tally)));
                }
            }
            if self.has_history() && !counts.is_empty() {
                let svg = columns(&rates, side);
                tracks.push(Track { svg, text: language.list(counts) });
            }
        }
        tracks
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
    by_case.sort_by_key(|group| group.iter().all(|check| check.usefulness == Usefulness::Earlier));
    let columns = shown.iterations.len() + 2;
    let mut remaining_cells = DATA_CELLS;
    Rows::all(by_case.into_iter(), |group| {
        let case = group[0].case;
        let newest = expectations.iteration.map(|iteration| NewestChecks {
            roles: &page.part.analysis.iterations[iteration].roles,
            pages: RunPages::in_iteration(page.context, case, iteration),
            iteration,
        });
        let most = take_rows(&mut remaining_cells, group.len(), columns);
        let rows =
            Rows::first(most, group.iter(), |check| row(page, newest.as_ref(), check, shown));
        json!({ "link": page.case_link(case), "rows": rows })
    })
}

/// The deciding iteration, whose counts the table shows by configuration.
struct NewestChecks<'a> {
    iteration: usize,
    roles: &'a Roles,
    pages: RunPages<'a>,
}

fn row(
    page: &Page<'_>,
    newest: Option<&NewestChecks<'_>>,
    check: &ExpectationHistory<'_>,
    shown: &ShownColumns<'_>,
) -> Value {
    let mut uses = vec![check.usefulness.word()];
    if check.is_flaky {
        uses.push("flaky");
    }
    let statuses: Vec<&str> = uses.iter().copied().map(status).collect();
    let cells = match newest {
        Some(newest) => {
            let names: Vec<&str> = newest.roles.order().collect();
            Rows::first(DATA_COLUMNS, names.into_iter(), |name| {
                counts_link(page, newest, check, name).unwrap_or_else(|| Link::nowhere(DASH))
            })
        }
        None => Rows::default(),
    };
    json!({
        "anchor": anchor(page, check, &check.key),
        "other_anchors": check.other_keys.iter().map(|key| anchor(page, check, key)).collect::<Vec<_>>(),
        "status": statuses.join(" "),
        "is_single": has_single_runs(check, newest.map(|newest| newest.iteration)),
        "uses": uses,
        "text": check.text,
        "probably_earlier": check.probably_earlier
            .map(|text| say!(page.language, "diff.probably_reworded", text)),
        "other_words": check.other_wordings.iter().map(|wording| wording.text.to_owned()).collect::<Vec<_>>(),
        "cells": cells,
        "history": shown.tracks(check, page.language),
    })
}

fn anchor(page: &Page<'_>, check: &ExpectationHistory<'_>, key: &str) -> String {
    page.addresses.expectation(check.case, key)
}

/// The counts, linked to the review page of the run that explains them, else to its own page.
fn counts_link(
    page: &Page<'_>,
    newest: &NewestChecks<'_>,
    check: &ExpectationHistory<'_>,
    name: &str,
) -> Option<Link> {
    let counted = check.counted(newest.iteration, name)?;
    let case = page.part.analysis.cases[check.case].case(page.part.workspace, counted.iteration)?;
    let run = &case.runs[counted.run];
    let run_page = newest
        .pages
        .run(page, counted.iteration, run)
        .unwrap_or_else(|| page.to_run(counted.iteration, check.case, run));
    let href = format!("{run_page}#{}", anchor(page, check, &check.key));
    Some(Link::new(href, Rate::counts_of(counted.tally)))
}
