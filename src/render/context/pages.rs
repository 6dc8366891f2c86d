//! What all pages of one workspace need and have in common.

use std::ops::Deref;

use serde::Serialize;
use serde_json::Value;

use crate::analyze::{self, Change, Expectations, RunPair};
use crate::digest::{IterationProgress, Reviews, case_order, reviewed_pairs};
use crate::language::Language;
use crate::model::Run;
use crate::render::context::{Part, PartAddresses, Task, Templates, link};
use crate::render::text::verdict;
use crate::write::Sink;

const MOST_ITERATIONS: usize = 20;

/// What many pages of a workspace need, computed once for all of them.
pub(crate) struct Facts<'a> {
    pub(crate) standings: Vec<IterationProgress<'a>>,
    /// The lines of the cases in the order of the overview, the worst first.
    pub(crate) order: Vec<usize>,
    /// The pairs of runs with a review page, line by line, for each pair of sides of the line.
    pub(crate) reviewed: Vec<Vec<Vec<RunPair<'a>>>>,
    pub(crate) reviews: Vec<Reviews<'a>>,
    pub(crate) expectations: Expectations<'a>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(part: &'a Part<'a>) -> Self {
        Self {
            standings: IterationProgress::for_iterations(&part.flips),
            order: case_order(&part.flips),
            reviewed: reviewed_pairs(&part.flips),
            reviews: part.workspace.iterations.iter().map(Reviews::new).collect(),
            expectations: analyze::expectations(part.workspace, part.analysis),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) part: &'a Part<'a>,
    pub(crate) addresses: &'a PartAddresses,
    pub(crate) facts: &'a Facts<'a>,
    pub(crate) language: &'a Language,
    pub(crate) templates: &'a Templates,
    pub(crate) sink: &'a dyn Sink,
    /// Bytes of markup for the outputs on a review page of the newest iteration, and on other pages
    /// with differences.
    pub(crate) rooms: [usize; 2],
}

impl<'a> Site<'a> {
    /// The page at `path`, made of a template and what `view` finds for it.
    pub(crate) fn page(
        self,
        template: &'static str,
        path: String,
        view: impl Fn(&Page<'a>) -> Value + Send + Sync + 'a,
    ) -> Task<'a> {
        let root = "../".repeat(path.matches('/').count());
        let page = Page { site: self, path: path.clone(), root };
        let render = move || self.templates.fill(template, &page.path, &view(&page));
        Task { path, render: Box::new(render) }
    }

    /// The page that a workspace has once, in the file that is called as its template.
    pub(crate) fn single_page(
        self,
        template: &'static str,
        view: impl Fn(&Page<'a>) -> Value + Send + Sync + 'a,
    ) -> Task<'a> {
        self.page(template, self.addresses.report_file(template), view)
    }

    /// Where a review begins: the worst case of the newest comparison.
    pub(crate) fn first_review(&self) -> Option<String> {
        let analysis = self.part.analysis;
        let lead = analysis.lead(&analysis.newest_candidate()?)?;
        self.facts.order.iter().find_map(|line| self.review_of(*line, lead))
    }

    /// The review page of a case in a comparison; `None` where a side did not run the case.
    pub(crate) fn review_of(&self, line: usize, change: &Change) -> Option<String> {
        let mut pairs = self.part.analysis.pairs[line].pairs.iter();
        let pair = pairs.find(|pair| pair.before == change.before && pair.after == change.after)?;
        Some(self.addresses.difference(line, pair, None))
    }

    /// Whether anything was compared blindly, or analyzed.
    pub(crate) fn has_comparisons(&self) -> bool {
        let mut iterations = self.part.workspace.iterations.iter();
        iterations.any(|found| !found.comparisons.is_empty() || !found.analyses.is_empty())
    }

    pub(crate) fn run_name(&self, run: &Run) -> String {
        let Run { configuration, number, .. } = run;
        self.language.fill("run.name", &[("configuration", configuration), ("number", number)])
    }
}

/// One page of a workspace, from which its links lead.
pub(crate) struct Page<'a> {
    pub(crate) site: Site<'a>,
    pub(crate) path: String,
    /// The way to the report's root, ending in `/` or empty.
    pub(crate) root: String,
}

impl<'a> Deref for Page<'a> {
    type Target = Site<'a>;

    fn deref(&self) -> &Site<'a> {
        &self.site
    }
}

impl Page<'_> {
    /// The way to another page or file of the report.
    pub(crate) fn link(&self, to: &str) -> String {
        link(&self.path, to)
    }

    /// The way to a page or file that a workspace has once.
    pub(crate) fn to_file(&self, name: &str) -> String {
        self.link(&self.addresses.report_file(name))
    }

    /// The way to the page of a run.
    pub(crate) fn to_run(&self, iteration: usize, line: usize, run: &Run) -> String {
        self.link(&self.addresses.run(iteration, line, run))
    }

    /// What the page has in common with the others; it may be about one `iteration`.
    pub(crate) fn frame(&self, title: &str, iteration: Option<usize>) -> Frame {
        let overview = self.to_file("index.html");
        let file = |name: &str| Some(self.addresses.report_file(name));
        let comparisons = file("comparisons.html").filter(|_| self.has_comparisons());
        Frame {
            pages: self.page_links([
                ("page.overview", file("index.html"), "iterations/"),
                ("page.cases", file("cases.html"), "cases/"),
                ("page.review", self.first_review(), "diffs/"),
                ("page.history", file("history.html"), "skill/"),
                ("page.checks", file("expectations.html"), ""),
            ]),
            more: self.page_links([
                ("page.feedback", file("feedback.html"), ""),
                ("page.problems", file("problems.html"), ""),
                ("page.comparisons", comparisons, ""),
                ("page.guide", file("guide.html"), ""),
            ]),
            iteration: match iteration {
                Some(index) => self.part.workspace.iterations[index].name.clone(),
                None => self.language.text("page.iterations").to_owned(),
            },
            iterations: self.iterations(iteration),
            root: overview.replace("index.html", ""),
            brand: Link::new(overview, self.part.title()),
            workspace: self.part.workspace.name.clone(),
            ..Frame::new(&self.path, title)
        }
    }

    /// Links by the key of their text, the page if it is there, and the folder of pages like it.
    fn page_links<const N: usize>(
        &self,
        pages: [(&str, Option<String>, &str); N],
    ) -> Vec<PageLink> {
        let link = |(key, to, folder): (&str, Option<String>, &str)| {
            let to = to?;
            Some(PageLink {
                is_current: to == self.path || self.addresses.is_in(&self.path, folder),
                href: self.link(&to),
                text: self.language.text(key).to_owned(),
                note: String::new(),
            })
        };
        pages.into_iter().filter_map(link).collect()
    }

    /// The newest iterations and the current one, newest first, each with the gain that leads it.
    fn iterations(&self, current: Option<usize>) -> Vec<PageLink> {
        let analysis = self.part.analysis;
        let count = self.part.workspace.iterations.len();
        let shown = (0..count)
            .rev()
            .filter(|index| *index + MOST_ITERATIONS >= count || Some(*index) == current);
        let link = |index: usize| {
            let lead = analysis.candidate_of(index).and_then(|side| analysis.lead(&side));
            PageLink {
                href: self.link(&self.addresses.iteration(index)),
                text: self.part.workspace.iterations[index].name.clone(),
                note: lead.and_then(verdict::short).unwrap_or_default(),
                is_current: Some(index) == current,
            }
        };
        shown.map(link).collect()
    }

    /// A link to a run, named by its configuration and number.
    pub(crate) fn run_link(&self, iteration: usize, line: usize, run: &Run) -> Link {
        Link::new(self.to_run(iteration, line, run), self.run_name(run))
    }

    /// The same by the indices of case and run, named by the case as well.
    pub(crate) fn run_of_case(&self, iteration: usize, (case, run): (usize, usize)) -> Link {
        let found = &self.part.workspace.iterations[iteration].cases[case];
        let line = self.addresses.line(iteration, case);
        let Link { href, text } = self.run_link(iteration, line, &found.runs[run]);
        Link { href, text: format!("{}: {text}", found.name) }
    }

    pub(crate) fn iteration_link(&self, index: usize) -> Link {
        let name = &self.part.workspace.iterations[index].name;
        Link::new(self.link(&self.addresses.iteration(index)), name)
    }

    /// A link to the page of a case over all iterations.
    pub(crate) fn case_link(&self, line: usize) -> Link {
        let name = &self.part.analysis.lines[line].name;
        Link::new(self.link(&self.addresses.case(line)), name)
    }

    /// The same from a case of an iteration, by its name there.
    pub(crate) fn case_of_iteration(&self, iteration: usize, case: usize) -> Link {
        let name = &self.part.workspace.iterations[iteration].cases[case].name;
        Link { text: name.clone(), ..self.case_link(self.addresses.line(iteration, case)) }
    }

    /// A link to the expectation of that `key` on the page of a run.
    pub(crate) fn check_link(
        &self,
        (iteration, line): (usize, usize),
        run: &Run,
        (key, text): (&str, &str),
    ) -> Link {
        let page = self.to_run(iteration, line, run);
        Link::new(format!("{page}#{}", self.addresses.expectation(line, key)), text)
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

impl Link {
    pub(crate) fn new(href: impl Into<String>, text: impl Into<String>) -> Self {
        Self { href: href.into(), text: text.into() }
    }

    pub(crate) fn nowhere(text: impl Into<String>) -> Self {
        Self::new("", text)
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PageLink {
    pub(crate) href: String,
    pub(crate) text: String,
    pub(crate) note: String,
    pub(crate) is_current: bool,
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The way from the overview to the page.
    pub(crate) crumbs: Vec<Link>,
    /// The name of what the report is about, and its overview; no address outside of a workspace.
    pub(crate) brand: Link,
    /// The iteration that the page is about, or a word for all of them.
    pub(crate) iteration: String,
    pub(crate) iterations: Vec<PageLink>,
    /// What the page's candidate can be compared with, on pages like this one.
    pub(crate) comparisons: Vec<PageLink>,
    pub(crate) pages: Vec<PageLink>,
    pub(crate) more: Vec<PageLink>,
    /// Whether it shows a document of the report by the browser's own means.
    pub(crate) has_document: bool,
    /// Whether it has a frame on a clean copy of an output.
    pub(crate) has_frame: bool,
    /// Relative way to the folder of assets, with a slash at its end.
    pub(crate) assets: String,
    /// Relative way to the folder of the workspace's pages, with a slash at its end; empty next to
    /// the overview.
    pub(crate) root: String,
    /// The name of the workspace, under which its pages keep what they keep; empty outside of one.
    pub(crate) workspace: String,
    /// Relative address of the feed of what the page shows; empty where it has none.
    pub(crate) feed: String,
    /// The page before this one among its like; no address where it is the first.
    pub(crate) previous: Link,
    pub(crate) next: Link,
}

impl Frame {
    /// That of the page at `path`, outside of a workspace.
    pub(crate) fn new(path: &str, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            assets: link(path, "assets/style.css").replace("style.css", ""),
            ..Self::default()
        }
    }
}
