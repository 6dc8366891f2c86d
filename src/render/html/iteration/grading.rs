//! How far the quotations of graders are in the outputs, equal outputs with other verdicts, and what
//! repeated runs and gradings show.

use serde::Serialize;

use crate::analyze::{
    CheckAt, Dispute, GraderPair, Inconsistent, Quote, grader_pairs, key, missing,
};
use crate::model::Outcome;
use crate::render::context::{Link, Site};
use crate::render::html::List;
use crate::render::text::{quotes, statistics};

/// So many checks are listed of each kind, and for a pair of graders.
const LISTED: usize = 12;

#[derive(Default, Serialize)]
pub(super) struct EvidenceView {
    graders: Vec<String>,
    passed: List<CheckRow>,
    others: List<CheckRow>,
    inconsistent: List<CheckRow>,
}

#[derive(Default, Serialize)]
struct CheckRow {
    /// The check, leading to where it was graded.
    link: Link,
    place: String,
    /// What is quoted in vain.
    quotes: Vec<String>,
}

pub(super) fn evidence(site: Site<'_>, index: usize, path: &str) -> EvidenceView {
    let (workspace, words) = (site.part.workspace, site.language);
    let counts = site.part.quotes().by_grader(workspace, index);
    let known = counts.iter().filter(|(_, counts)| counts.known() > 0);
    let missing = missing(site.part.quotes().of_iteration(index));
    let (passed, others): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|(at, _)| at.check(workspace).outcome == Outcome::Passed);
    let inconsistent = site.part.inconsistent().iter().filter(|found| found.iteration() == index);
    let inconsistent = inconsistent.map(|found| differing(site, path, found)).collect();
    let row = |(at, missing): &(CheckAt, Vec<&Quote>)| check_row(site, path, at, missing);
    EvidenceView {
        graders: known.map(|(grader, counts)| quotes::of_grader(*grader, counts, words)).collect(),
        passed: List::new(site, "quotes.passed", passed.iter().map(row).collect(), LISTED),
        others: List::new(site, "quotes.not_passed", others.iter().map(row).collect(), LISTED),
        inconsistent: List::new(site, "quotes.inconsistent", inconsistent, LISTED),
    }
}

fn check_row(site: Site<'_>, path: &str, at: &CheckAt, missing: &[&Quote]) -> CheckRow {
    let workspace = site.part.workspace;
    let (case, run, check) = (at.case(workspace), at.run(workspace), at.check(workspace));
    let place = (at.iteration, site.addresses.line(at.iteration, at.case));
    CheckRow {
        link: site.check_link(path, place, run, (&key(check), &check.text)),
        place: [case.name.clone(), site.run_name(run)].join(site.language.text("list.comma")),
        quotes: missing.iter().map(|quote| quotes::short(quote)).collect(),
    }
}

fn differing(site: Site<'_>, path: &str, found: &Inconsistent) -> CheckRow {
    let workspace = site.part.workspace;
    let [passed, failed] = found.places.map(|at| {
        let iteration = &workspace.iterations[at.iteration].name;
        format!(
            "{iteration}{}{}",
            site.language.text("list.comma"),
            site.run_name(at.run(workspace))
        )
    });
    let at = found.places[1];
    let (place, check) =
        ((at.iteration, found.check.line), (&*key(at.check(workspace)), &*found.check.text));
    let case = &found.check.case;
    CheckRow {
        link: site.check_link(path, place, at.run(workspace), check),
        place: site
            .language
            .fill("quotes.differing", &[("case", case), ("passed", &passed), ("failed", &failed)]),
        quotes: Vec::new(),
    }
}

#[derive(Serialize)]
pub(super) struct Repeated {
    /// Succeeding once and every time.
    lead: String,
    more: Vec<String>,
}

/// The configurations of the iteration at `index` with several runs of a case.
pub(super) fn repeated(site: Site<'_>, index: usize) -> Vec<Repeated> {
    let summaries = &site.part.analysis.iterations[index].configurations;
    let found = summaries.iter().filter_map(|summary| {
        let found = summary.reliability.as_ref()?;
        let mut lines = statistics::runs(&summary.name, found, site.language);
        Some(Repeated { lead: lines.remove(0), more: lines })
    });
    found.collect()
}

#[derive(Serialize)]
pub(super) struct Graded {
    title: String,
    sentences: Vec<String>,
    disputes: Vec<Disputed>,
    more: String,
}

#[derive(Serialize)]
struct Disputed {
    link: Link,
    place: String,
    verdicts: String,
}

pub(super) fn graded(site: Site<'_>, index: usize, path: &str) -> Vec<Graded> {
    let pairs = grader_pairs(&site.part.workspace.iterations[index]);
    let graded = pairs.iter().map(|pair| Graded {
        title: statistics::graders_title(pair, site.language),
        sentences: statistics::graders(pair, site.language),
        disputes: pair
            .disputes
            .iter()
            .take(LISTED)
            .map(|dispute| disputed(site, index, path, pair, dispute))
            .collect(),
        more: site.language.beyond("graders.more", pair.disputes.len(), LISTED),
    });
    graded.collect()
}

fn disputed(
    site: Site<'_>,
    index: usize,
    path: &str,
    pair: &GraderPair,
    found: &Dispute,
) -> Disputed {
    let case = &site.part.workspace.iterations[index].cases[found.case];
    let run = &case.runs[found.run];
    let place = (index, site.addresses.line(index, found.case));
    let verdict = |at: usize| {
        let word = site.language.entry(&["outcome", found.outcomes[at].word()]);
        site.language.fill("graders.verdict", &[("grader", &pair.names[at]), ("verdict", &word)])
    };
    Disputed {
        link: site.check_link(path, place, run, (&found.key, &found.text)),
        place: [case.name.clone(), site.run_name(run)].join(site.language.text("list.comma")),
        verdicts: [verdict(0), verdict(1)].join(site.language.text("list.comma")),
    }
}
