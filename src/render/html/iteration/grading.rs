//! How far the quotations of graders are in the outputs, equal outputs with other verdicts, and what
//! repeated runs and gradings show.

use serde_json::{Value, json};

use crate::analyze::{
    CheckAt, ConfigurationSummary, Dispute, GraderPair, Inconsistent, Quote, grader_pairs, key,
    missing,
};
use crate::model::{Case, Outcome, Run};
use crate::render::context::Site;
use crate::render::html::List;
use crate::render::text::{quotes, statistics};

/// So many checks are listed of each kind, and for a pair of graders.
const LISTED: usize = 12;

pub(super) fn evidence(site: Site<'_>, index: usize, path: &str) -> Value {
    let (workspace, words) = (site.part.workspace, site.language);
    let counts = site.part.quotes().by_grader(workspace, index);
    let known = counts.iter().filter(|(_, counts)| counts.known() > 0);
    let graders = known.map(|(grader, counts)| quotes::of_grader(*grader, counts, words));
    let missing = missing(site.part.quotes().of_iteration(index));
    let (passed, others): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|(at, _)| at.check(workspace).outcome == Outcome::Passed);
    let inconsistent = site.part.inconsistent().iter().filter(|found| found.iteration() == index);
    let inconsistent = inconsistent.map(|found| differing(site, path, found)).collect();
    let row = |(at, missing): &(CheckAt, Vec<&Quote>)| check_row(site, path, at, missing);
    json!({
        "graders": graders.collect::<Vec<_>>(),
        "passed": List::new(site, "quotes.passed", passed.iter().map(row).collect(), LISTED),
        "others": List::new(site, "quotes.not_passed", others.iter().map(row).collect(), LISTED),
        "inconsistent": List::new(site, "quotes.inconsistent", inconsistent, LISTED),
    })
}

fn check_row(site: Site<'_>, path: &str, at: &CheckAt, missing: &[&Quote]) -> Value {
    let check = at.check(site.part.workspace);
    let case = &site.part.workspace.iterations[at.iteration].cases[at.case];
    let run = &case.runs[at.run];
    let place = (at.iteration, site.addresses.line(at.iteration, at.case));
    json!({
        "link": site.check_link(path, place, run, (&key(check), &check.text)),
        "place": named(site, case, run),
        "quotes": missing.iter().map(|quote| quotes::short(quote)).collect::<Vec<_>>(),
    })
}

fn named(site: Site<'_>, case: &Case, run: &Run) -> String {
    format!("{}{}{}", case.name, site.language.text("list.comma"), site.run_name(run))
}

fn differing(site: Site<'_>, path: &str, found: &Inconsistent) -> Value {
    let workspace = site.part.workspace;
    let [passed, failed] = found.runs.map(|at| {
        let run = site.run_name(at.run(workspace));
        [workspace.iterations[at.iteration].name.clone(), run]
            .join(site.language.text("list.comma"))
    });
    let case = &site.part.analysis.lines[found.line].name;
    let at = found.runs[1];
    let place = (at.iteration, found.line);
    json!({
        "link": site.check_link(path, place, at.run(workspace), (&found.key, &found.text)),
        "place": site
            .language
            .fill("quotes.differing", &[("case", case), ("passed", &passed), ("failed", &failed)]),
        "quotes": [],
    })
}

/// The configurations of the iteration at `index` with several runs of a case.
pub(super) fn repeated(site: Site<'_>, index: usize) -> Vec<Value> {
    let summaries = &site.part.analysis.iterations[index].configurations;
    let of_configuration = |summary: &ConfigurationSummary| {
        let found = summary.reliability.as_ref()?;
        let mut lines = statistics::runs(&summary.name, found, site.language);
        Some(json!({ "lead": lines.remove(0), "more": lines }))
    };
    summaries.iter().filter_map(of_configuration).collect()
}

pub(super) fn graded(site: Site<'_>, index: usize, path: &str) -> Vec<Value> {
    let pairs = grader_pairs(&site.part.workspace.iterations[index]);
    let graded = pairs.iter().map(|pair| {
        json!({
            "title": statistics::graders_title(pair, site.language),
            "sentences": statistics::graders(pair, site.language),
            "disputes": pair
                .disputes
                .iter()
                .take(LISTED)
                .map(|dispute| disputed(site, index, path, pair, dispute))
                .collect::<Vec<_>>(),
            "more": site.language.beyond("graders.more", pair.disputes.len(), LISTED),
        })
    });
    graded.collect()
}

fn disputed(site: Site<'_>, index: usize, path: &str, pair: &GraderPair, found: &Dispute) -> Value {
    let case = &site.part.workspace.iterations[index].cases[found.case];
    let run = &case.runs[found.run];
    let place = (index, site.addresses.line(index, found.case));
    let verdicts = [0, 1].map(|at| {
        let word = site.language.entry(&["outcome", found.outcomes[at].word()]);
        site.language.fill("graders.verdict", &[("grader", &pair.names[at]), ("verdict", &word)])
    });
    json!({
        "link": site.check_link(path, place, run, (&found.key, &found.text)),
        "place": named(site, case, run),
        "verdicts": verdicts.join(site.language.text("list.comma")),
    })
}
