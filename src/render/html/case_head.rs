//! The first lines of a case's page: how it stands, in which iterations, and what people said.

use serde::Serialize;

use crate::analyze::{self, Side};
use crate::chart::{self, Figure, Strip, StripCell};
use crate::model::Tally;
use crate::render::context::{Rate, Rows, Site, link};
use crate::render::html::feedback::{RunComment, comments_of};

/// How a case stands.
#[derive(Serialize)]
pub(super) struct CaseHead {
    /// One sentence with both sides.
    sentence: String,
    status: &'static str,
    /// The candidate over all iterations; `None` for one iteration.
    strip: Option<Figure>,
    comments: Vec<IterationComments>,
}

/// What people said of the case and its runs in one iteration.
#[derive(Serialize)]
struct IterationComments {
    iteration: String,
    comments: Rows<RunComment>,
}

/// The head of one line's page.
pub(super) fn head(site: Site<'_>, path: &str, index: usize) -> CaseHead {
    let newest = site.part.analysis.newest();
    let status = newest.map_or("absent", |newest| site.standings[newest].of_line(index));
    CaseHead {
        sentence: sentence(site, index, status),
        status,
        strip: (site.part.workspace.iterations.len() > 1).then(|| strip(site, path, index)),
        comments: comments(site, index),
    }
}

fn sentence(site: Site<'_>, index: usize, status: &str) -> String {
    let word = site.language.text(&format!("status.{status}")).to_owned();
    let Some(newest) = site.part.analysis.newest_candidate() else {
        return word;
    };
    let line = &site.part.analysis.lines[index];
    let last = line.before(newest.iteration).filter(|_| line.meeting(newest.iteration).is_none());
    let last = last.and_then(|met| site.part.analysis.candidate_of(met.iteration));
    let name = |side: &Side| &site.part.workspace.iterations[side.iteration].name;
    let word = match &last {
        Some(last) => {
            site.language.fill("case.gone", &[("newest", name(&newest)), ("last", name(last))])
        }
        None => site.language.fill("case.in", &[("status", &word), ("iteration", name(&newest))]),
    };
    let after = last.unwrap_or(newest);
    let of = |side: &Side| {
        let rate = Rate::of(analyze::tally(site.part.workspace, line, side), site.language);
        let values: [(&str, &dyn std::fmt::Display); 3] =
            [("name", &side.configuration), ("rate", &rate.percent), ("counts", &rate.counts)];
        site.language.fill("case.side", &values)
    };
    let first = of(&after);
    match site.part.analysis.opposite(&after) {
        Some(before) => site
            .language
            .fill("case.stands_beside", &[("status", &word), ("a", &first), ("b", &of(&before))]),
        None => site.language.fill("case.stands", &[("status", &word), ("a", &first)]),
    }
}

fn strip(site: Site<'_>, path: &str, index: usize) -> Figure {
    let line = &site.part.analysis.lines[index];
    let iterations = site.part.workspace.iterations.iter().zip(&site.part.analysis.iterations);
    let cells = iterations.enumerate().map(|(at, (iteration, of))| {
        let side = of
            .candidate()
            .map(|candidate| Side { iteration: at, configuration: candidate.name.clone() });
        let tally = side.map(|side| analyze::tally(site.part.workspace, line, &side));
        let tally = tally.unwrap_or_default();
        StripCell {
            iteration: iteration.name.clone(),
            rate: tally.pass_rate(),
            label: label(tally),
            href: Some(link(path, &site.addresses.iteration(at))),
        }
    });
    let strip = Strip {
        prefix: "strip".to_owned(),
        title: site.language.text("case.strip").to_owned(),
        cells: cells.collect(),
    };
    chart::strip(&strip, site.language)
}

fn label(tally: Tally) -> String {
    match tally.graded() {
        0 => String::new(),
        graded => format!("{}/{graded}", tally.passed),
    }
}

fn comments(site: Site<'_>, index: usize) -> Vec<IterationComments> {
    let iterations = &site.part.workspace.iterations;
    let met = site.part.analysis.lines[index].meetings.iter().rev();
    let of = met.map(|met| {
        let iteration = &iterations[met.iteration];
        let comments = comments_of(site, met.iteration, met.case);
        IterationComments { iteration: iteration.name.clone(), comments }
    });
    of.filter(|of| !of.comments.is_empty()).collect()
}
