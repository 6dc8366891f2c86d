//! What all pages of one workspace need and have in common.

use serde::Serialize;

use crate::analyze::{Expectations, Side};
use crate::digest::{Reviews, Standings};
use crate::language::Language;
use crate::model::{Case, Iteration, Run};
use crate::render::context::{Part, PartAddresses, Templates, addresses};
use crate::render::text::verdict;
use crate::write::Sink;

/// Everything the pages of one workspace need.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) part: &'a Part<'a>,
    pub(crate) addresses: &'a PartAddresses,
    /// How the cases stand, iteration by iteration.
    pub(crate) standings: &'a [Standings],
    pub(crate) expectations: &'a Expectations<'a>,
    /// What people said, iteration by iteration.
    pub(crate) reviews: &'a [Reviews<'a>],
    pub(crate) language: &'a Language,
    pub(crate) templates: &'a Templates,
    pub(crate) sink: &'a dyn Sink,
    /// Bytes of markup that a page of differences may hold.
    pub(crate) room: usize,
}

impl<'a> Site<'a> {
    /// What the page at `path` has in common with the others.
    pub(crate) fn frame(&self, path: &str, title: &str, crumbs: &[(String, &str)]) -> Frame {
        let root = addresses::link(path, &self.addresses.overview()).replace("index.html", "");
        let workspace = self.part.workspace.name.clone();
        Frame { pages: self.pages(path), root, workspace, ..Frame::of(path, title, crumbs) }
    }

    /// The pages that stand beside each other, for the page at `path`.
    fn pages(&self, path: &str) -> Vec<PageLink> {
        let comparisons = self.has_comparisons().then(|| self.addresses.comparisons());
        let pages = [
            ("page.overview", Some(self.addresses.overview())),
            ("page.expectations", Some(self.addresses.expectations())),
            ("page.history", Some(self.addresses.history())),
            ("page.comparisons", comparisons),
            ("page.feedback", Some(self.addresses.feedback())),
            ("page.problems", Some(self.addresses.problems())),
        ];
        let link = |(key, to): (&'static str, Option<String>)| {
            let (to, text) = (to?, self.language.text(key).to_owned());
            Some(PageLink { is_current: to == path, href: addresses::link(path, &to), text })
        };
        pages.into_iter().filter_map(link).collect()
    }

    /// Whether anything was compared blindly, or analyzed.
    pub(crate) fn has_comparisons(&self) -> bool {
        let has = |it: &Iteration| !it.comparisons.is_empty() || !it.analyses.is_empty();
        self.part.workspace.iterations.iter().any(has)
    }

    pub(crate) fn title(&self) -> &'a str {
        self.part.title()
    }

    /// `with_skill of iteration-3`.
    pub(crate) fn side_name(&self, side: &Side) -> String {
        verdict::side(self.part.workspace, side, self.language)
    }

    /// The runs of an iteration's case as its pages show them: candidates before the baseline.
    pub(crate) fn runs_in_order(&self, iteration: usize, case: &'a Case) -> Vec<&'a Run> {
        self.standings[iteration].runs_in_order(case)
    }

    pub(crate) fn run_order(&self, iteration: usize, case: &Case) -> Vec<usize> {
        self.standings[iteration].run_order(case)
    }

    pub(crate) fn run_name(&self, run: &Run) -> String {
        let Run { configuration, number, .. } = run;
        self.language.fill("run.name", &[("configuration", configuration), ("number", number)])
    }

    /// A link from `from` to a run, named by its configuration and number.
    pub(crate) fn run_link(&self, from: &str, iteration: usize, line: usize, run: &Run) -> Link {
        let to = self.addresses.run(iteration, line, run);
        Link { href: addresses::link(from, &to), text: self.run_name(run) }
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

/// A link to one of the pages that stand beside each other.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PageLink {
    pub(crate) href: String,
    pub(crate) text: String,
    /// Whether it leads to the page it stands on.
    pub(crate) is_current: bool,
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The way from the overview to the page.
    pub(crate) crumbs: Vec<Link>,
    /// The pages of the workspace that stand beside each other; none outside of a workspace.
    pub(crate) pages: Vec<PageLink>,
    /// Whether it shows a document of the report by the browser's own means.
    pub(crate) has_document: bool,
    /// Whether it has a frame on a clean copy of an output.
    pub(crate) has_frame: bool,
    /// Relative way to the folder of assets, with a slash at its end.
    pub(crate) assets: String,
    /// Relative way to the folder of the workspace's pages, with a slash at its end; empty beside
    /// the overview.
    pub(crate) root: String,
    /// The name of the workspace, under which its pages keep what they keep; empty outside of one.
    pub(crate) workspace: String,
    /// Relative address of the feed of what the page tells; empty where it has none.
    pub(crate) feed: String,
    /// The page before this one among its like; no address where it is the first.
    pub(crate) previous: Link,
    pub(crate) next: Link,
}

impl Frame {
    /// That of the page at `path`, outside of a workspace; `crumbs` are addresses with texts.
    pub(crate) fn of(path: &str, title: &str, crumbs: &[(String, &str)]) -> Self {
        let link = |(to, text): &(String, &str)| Link {
            href: addresses::link(path, to),
            text: (*text).to_owned(),
        };
        Self {
            title: title.to_owned(),
            crumbs: crumbs.iter().map(link).collect(),
            assets: addresses::link(path, "assets/style.css").replace("style.css", ""),
            ..Self::default()
        }
    }
}
