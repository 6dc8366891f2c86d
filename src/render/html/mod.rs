//! The HTML pages, one file per kind of page.

mod bounds;
mod case;
mod case_head;
mod compared;
mod comparisons;
mod difference;
mod expectations;
mod feedback;
mod flipped;
mod headline;
mod history;
mod iteration;
mod landing;
mod overview;
mod problems;
mod reviewed;
mod run;
mod skill;
mod wording;

pub(super) use crate::render::html::compared::choice_text;
pub(super) use crate::render::html::difference::count as difference_pages;
pub(super) use crate::render::html::landing::{landing, of_site as site_landing};
pub(super) use crate::render::html::overview::{configuration_rows, problem_counts, tally};
pub use crate::render::html::reviewed::{Reviewed, folders, reviewed};
pub(super) use crate::render::html::wording::fate;

use std::fmt::Display;

use crate::analyze::Side;
use crate::model::{Case, Run};
use crate::render::addresses::{self, PartAddresses};
use crate::render::language::Language;
use crate::render::standing::Standings;
use crate::render::templates::Templates;
use crate::render::verdict;
use crate::render::view::{Frame, Link, PageLink};
use crate::render::{Part, Task};
use crate::write::Sink;

/// Everything the pages of one workspace need.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    /// The workspace.
    pub(super) part: &'a Part<'a>,
    /// Where its pages lie.
    pub(super) addresses: &'a PartAddresses,
    /// How the cases stand, iteration by iteration.
    pub(super) standings: &'a [Standings],
    /// The words.
    pub(super) language: &'a Language,
    /// The templates.
    pub(super) templates: &'a Templates,
    /// Where output files go.
    pub(super) sink: &'a dyn Sink,
    /// Bytes of markup that a page of differences may hold.
    pub(super) room: usize,
}

/// Adds every HTML page of one workspace.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    overview::page(site, tasks);
    for index in 0..site.part.workspace.iterations.len() {
        iteration::page(site, index, tasks);
    }
    let order = overview::order(site);
    for at in 0..order.len() {
        let before = at.checked_sub(1).map(|at| order[at]);
        case::page(site, order[at], [before, order.get(at + 1).copied()], tasks);
    }
    difference::pages(site, tasks);
    skill::pages(site, tasks);
    run::pages(site, tasks);
    expectations::page(site, tasks);
    comparisons::page(site, tasks);
    feedback::page(site, tasks);
    history::page(site, tasks);
    problems::page(site, tasks);
}

impl<'a> Site<'a> {
    /// What the page at `path` has in common with the others.
    fn frame(&self, path: &str, title: &str, crumbs: &[(String, &str)]) -> Frame {
        let root = addresses::link(path, &self.addresses.overview()).replace("index.html", "");
        let workspace = self.part.workspace.name.clone();
        Frame { pages: self.pages(path), root, workspace, ..frame(path, title, crumbs) }
    }

    /// The pages that stand beside each other, for the page at `path`.
    fn pages(&self, path: &str) -> Vec<PageLink> {
        let mut pages = vec![
            ("page.overview", self.addresses.overview()),
            ("page.expectations", self.addresses.expectations()),
            ("page.history", self.addresses.history()),
        ];
        if comparisons::is_needed(*self) {
            pages.push(("page.comparisons", self.addresses.comparisons()));
        }
        pages.push(("page.feedback", self.addresses.feedback()));
        pages.push(("page.problems", self.addresses.problems()));
        let link = |(key, to): (&'static str, String)| PageLink {
            is_current: to == path,
            href: addresses::link(path, &to),
            text: self.language.text(key).to_owned(),
        };
        pages.into_iter().map(link).collect()
    }

    /// What the report is about.
    pub(super) fn title(&self) -> &'a str {
        self.part.title()
    }

    /// `with_skill of iteration-3`.
    pub(super) fn side_name(&self, side: &Side) -> String {
        verdict::side(self.part.workspace, side, self.language)
    }

    /// The runs of an iteration's case as its pages show them: candidates before the baseline.
    pub(super) fn runs_in_order(&self, iteration: usize, case: &'a Case) -> Vec<&'a Run> {
        let order: Vec<&str> = self.part.analysis.iterations[iteration].roles.order().collect();
        let mut runs: Vec<&Run> = case.runs.iter().collect();
        let place = |name: &str| order.iter().position(|known| *known == name);
        runs.sort_by_key(|run| (place(&run.configuration), run.number));
        runs
    }

    /// A run's name beside others of its case.
    pub(super) fn run_name(&self, run: &Run) -> String {
        let places: [(&str, &dyn Display); 2] =
            [("configuration", &run.configuration), ("number", &run.number)];
        self.language.fill("run.name", &places)
    }

    /// A link from `from` to a run, named by its configuration and number.
    pub(super) fn run_link(&self, from: &str, iteration: usize, line: usize, run: &Run) -> Link {
        let to = self.addresses.run(iteration, line, run);
        Link { href: addresses::link(from, &to), text: self.run_name(run) }
    }
}

/// What the page at `path` has in common with the others; `crumbs` are addresses with texts.
fn frame(path: &str, title: &str, crumbs: &[(String, &str)]) -> Frame {
    let crumbs = crumbs
        .iter()
        .map(|(to, text)| Link { href: addresses::link(path, to), text: (*text).to_owned() })
        .collect();
    Frame {
        title: title.to_owned(),
        crumbs,
        pages: Vec::new(),
        assets: addresses::link(path, "assets/style.css").replace("style.css", ""),
        ..Frame::default()
    }
}
