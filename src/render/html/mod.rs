//! The HTML pages, one file per kind of page.

mod case;
mod headline;
mod history;
mod iteration;
mod landing;
mod overview;
mod problems;
mod run;

pub(super) use crate::render::html::landing::landing;
pub(super) use crate::render::html::overview::{
    change_rows, configuration_rows, problem_counts, tally,
};

use std::fmt::Display;

use crate::model::Run;
use crate::render::addresses::{self, PartAddresses};
use crate::render::language::Language;
use crate::render::templates::Templates;
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
    /// The words.
    pub(super) language: &'a Language,
    /// The templates.
    pub(super) templates: &'a Templates,
    /// Where output files go.
    pub(super) sink: &'a dyn Sink,
}

/// Adds every HTML page of one workspace.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    overview::page(site, tasks);
    for index in 0..site.part.workspace.iterations.len() {
        iteration::page(site, index, tasks);
    }
    for line in 0..site.part.analysis.lines.len() {
        case::page(site, line, tasks);
    }
    run::pages(site, tasks);
    history::page(site, tasks);
    problems::page(site, tasks);
}

impl<'a> Site<'a> {
    /// What the page at `path` has in common with the others.
    fn frame(&self, path: &str, title: &str, crumbs: &[(String, &str)]) -> Frame {
        Frame { pages: self.pages(path), ..frame(path, title, crumbs) }
    }

    /// The pages that stand beside each other, for the page at `path`.
    fn pages(&self, path: &str) -> Vec<PageLink> {
        let pages = [
            ("page.overview", self.addresses.overview()),
            ("page.history", self.addresses.history()),
            ("page.problems", self.addresses.problems()),
        ];
        let link = |(key, to): (&'static str, String)| PageLink {
            is_current: to == path,
            href: addresses::link(path, &to),
            text: self.language.text(key).to_owned(),
        };
        pages.map(link).into()
    }

    /// What the report is about.
    fn title(&self) -> &'a str {
        self.part.title()
    }

    /// A run's name beside others of its case.
    fn run_name(&self, run: &Run) -> String {
        let places: [(&str, &dyn Display); 2] =
            [("configuration", &run.configuration), ("number", &run.number)];
        self.language.fill("run.name", &places)
    }

    /// A link from `from` to a run, named by its configuration and number.
    fn run_link(&self, from: &str, iteration: usize, line: usize, run: &Run) -> Link {
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
    }
}
