//! What repeated runs and further gradings of an iteration show.

use serde::Serialize;

use crate::analyze::{Dispute, GraderPair, grader_pairs};
use crate::render::context::{Link, Site, link};
use crate::render::text::statistics;

/// So many statements are listed for a pair of graders.
const LISTED: usize = 12;

/// What the runs of one configuration show.
#[derive(Serialize)]
pub(super) struct Repeated {
    /// Succeeding once and every time.
    lead: String,
    /// The rest.
    more: Vec<String>,
}

/// The configurations of the iteration at `index` with several runs of a case.
pub(super) fn repeated(site: Site<'_>, index: usize) -> Vec<Repeated> {
    let summaries = &site.part.analysis.iterations[index].configurations;
    let repeated = summaries.iter().filter_map(|summary| {
        let found = summary.reliability.as_ref()?;
        let mut lines = statistics::runs(&summary.name, found, site.language);
        Some(Repeated { lead: lines.remove(0), more: lines })
    });
    repeated.collect()
}

/// Two graders of the same runs.
#[derive(Serialize)]
pub(super) struct Graded {
    title: String,
    sentences: Vec<String>,
    disputes: Vec<Disputed>,
    more: String,
}

#[derive(Serialize)]
struct Disputed {
    /// The statement, leading to where it was graded.
    link: Link,
    place: String,
    verdicts: String,
}

/// Every pair of graders of the iteration at `index`, for the page at `path`.
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
    let line = site.addresses.line(index, found.case);
    let run = &case.runs[found.run];
    let to = link(path, &site.addresses.run(index, line, run));
    let href = format!("{to}#{}", site.addresses.expectation(line, &found.key));
    let verdict = |at: usize| {
        let key = format!("outcome.{}", found.outcomes[at].word());
        let word = site.language.text(&key);
        site.language.fill("graders.verdict", &[("grader", &pair.names[at]), ("verdict", &word)])
    };
    Disputed {
        link: Link { href, text: found.text.clone() },
        place: [case.name.clone(), site.run_name(run)].join(site.language.text("list.comma")),
        verdicts: [verdict(0), verdict(1)].join(site.language.text("list.comma")),
    }
}
