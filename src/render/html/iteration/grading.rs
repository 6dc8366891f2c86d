//! Whether the quotations of graders are in the outputs, equal outputs with different verdicts, and
//! the results of repeated runs and gradings.

use serde_json::{Value, json};

use crate::analyze::{
    CheckAt, ConfigurationSummary, GraderDisagreement, Inconsistent, Quote, key, missing,
};
use crate::model::{Case, Outcome, Run};
use crate::render::context::{Page, RenderContext};
use crate::render::html::titled_list;
use crate::wording::{quotations, reliability};

/// Most checks that are listed of each kind, and for a pair of graders.
const LISTED: usize = 12;

pub(super) fn evidence(page: &Page<'_>, index: usize) -> Value {
    let (workspace, words) = (page.part.workspace, page.language);
    let counts = page.part.quotes().by_grader(workspace, index);
    let known = counts.iter().filter(|(_, counts)| counts.known() > 0);
    let graders = known.map(|(grader, counts)| quotations::grader_sentence(*grader, counts, words));
    let missing = missing(page.part.quotes().in_iteration(index));
    let (passed, others): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|(at, _)| at.check(workspace).outcome == Outcome::Passed);
    let inconsistent = page.part.inconsistent().iter().filter(|one| one.iteration() == index);
    let inconsistent = inconsistent.map(|one| differing(page, one)).collect();
    let row = |(at, missing): &(CheckAt, Vec<&Quote>)| {
        let (run, check) = (at.run(workspace), at.check(workspace));
        let place = (at.iteration, page.addresses.line(at.iteration, at.case));
        json!({
            "link": page.check_link(place, run, (&key(check), &check.text)),
            "place": named(page.context, at.case(workspace), run),
            "quotes": missing.iter().map(|quote| quotations::short(&quote.text)).collect::<Vec<_>>(),
        })
    };
    json!({
        "graders": graders.collect::<Vec<_>>(),
        "passed": titled_list(page.context, "quotes.passed", passed.iter().map(row).collect(), LISTED),
        "others": titled_list(page.context, "quotes.not_passed", others.iter().map(row).collect(), LISTED),
        "inconsistent": titled_list(page.context, "quotes.inconsistent", inconsistent, LISTED),
    })
}

fn named(context: RenderContext<'_>, case: &Case, run: &Run) -> String {
    context.language.list([case.name.clone(), context.run_name(run)])
}

fn differing(page: &Page<'_>, inconsistent: &Inconsistent) -> Value {
    let workspace = page.part.workspace;
    let [passed, failed] = inconsistent.places.map(|at| {
        let run = page.context.run_name(at.run(workspace));
        page.language.list([workspace.iterations[at.iteration].name.clone(), run])
    });
    let case = &inconsistent.check.case;
    let at = inconsistent.places[1];
    let place = (at.iteration, inconsistent.check.line);
    let check = (&*key(at.check(workspace)), &*inconsistent.check.text);
    json!({
        "link": page.check_link(place, at.run(workspace), check),
        "place": page
            .language
            .fill("quotes.differing", &[("case", case), ("passed", &passed), ("failed", &failed)]),
        "quotes": [],
    })
}

/// The configurations of the iteration at `index` with several runs of a case.
pub(super) fn repeated(context: RenderContext<'_>, index: usize) -> Vec<Value> {
    let summaries = &context.part.analysis.iterations[index].configurations;
    let reliability_lines = |summary: &ConfigurationSummary| {
        let reliability = summary.reliability.as_ref()?;
        let mut lines = reliability::runs(&summary.name, reliability, context.language);
        Some(json!({ "lead": lines.remove(0), "more": lines }))
    };
    summaries.iter().filter_map(reliability_lines).collect()
}

pub(super) fn graded(page: &Page<'_>, index: usize) -> Vec<Value> {
    let pairs = &page.part.analysis.iterations[index].graders;
    let words = page.language;
    let graded = pairs.iter().map(|pair| {
        let disputed = |disagreement: &GraderDisagreement| {
            let case = &page.part.workspace.iterations[index].cases[disagreement.case];
            let run = &case.runs[disagreement.run];
            let place = (index, page.addresses.line(index, disagreement.case));
            let verdicts = [0, 1].map(|at| {
                let word = words.entry(&["outcome", disagreement.outcomes[at].word()]);
                words.fill("graders.verdict", &[("grader", &pair.names[at]), ("verdict", &word)])
            });
            json!({
                "link": page.check_link(place, run, (&disagreement.key, &disagreement.text)),
                "place": named(page.context, case, run),
                "verdicts": words.list(verdicts),
            })
        };
        json!({
            "title": reliability::graders_title(pair, words),
            "sentences": reliability::graders(pair, words),
            "disputes": pair.disputes.iter().take(LISTED).map(disputed).collect::<Vec<_>>(),
            "more": words.beyond("graders.more", pair.disputes.len(), LISTED),
        })
    });
    graded.collect()
}
