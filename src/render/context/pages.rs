//! Data and markup that all pages of one workspace share.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;

use crate::analyze::{
    self, Audit, Change, CheckAt, Choice, Expectations, Side, judged_by_people, skill_text,
};
use crate::budget::MENU_ITERATIONS;
use crate::digest::{
    DecidingVerdict, IterationProgress, JudgedVerdicts, Questions, ReviewedSides, Reviews,
    case_order, deciding_verdicts, reviewed_pairs,
};
use crate::language::{Language, say};
use crate::render::context::{Part, PartAddresses, Task, Templates, link};
use crate::wording::{headline, measured};
use crate::write::Sink;
use input::model::{Outcome, Run, Totals};

/// Added to links that open the review: a script goes on to the next pair that nobody has seen.
pub(crate) const RESUME: &str = "#resume";

/// Data that many pages of a workspace need, computed once.
pub(crate) struct SharedData<'a> {
    pub(crate) progress: Vec<IterationProgress<'a>>,
    /// Cases in the order of the overview, the worst first.
    pub(crate) order: Vec<usize>,
    /// What has review pages, for each case and each pair of its sides.
    pub(crate) reviewed: Vec<Vec<ReviewedSides<'a>>>,
    pub(crate) reviews: Vec<Reviews<'a>>,
    pub(crate) expectations: Expectations<'a>,
    pub(crate) totals: Totals,
    /// What the cases can show.
    pub(crate) audit: Audit,
    /// The verdicts that decide the answers of the first page.
    pub(crate) deciding: Vec<DecidingVerdict>,
    /// What people say of verdicts, and how that compares on the first page.
    pub(crate) said: BTreeMap<CheckAt, Outcome>,
    pub(crate) judged: JudgedVerdicts,
    /// The brief of each iteration. Every comparison of a sweep offers it, so it is written once.
    pub(crate) briefs: Vec<OnceLock<String>>,
}

impl<'a> SharedData<'a> {
    pub(crate) fn new(part: &'a Part<'a>) -> Self {
        let (mut deciding, mut judged) = (Vec::new(), JudgedVerdicts::default());
        if let Some(after) = part.analysis.shown_side() {
            let questions = Questions::new(&part.comparisons, &after);
            deciding = deciding_verdicts(&part.comparisons, &questions);
            judged = JudgedVerdicts::new(&part.comparisons, &questions);
        }
        Self {
            progress: IterationProgress::for_iterations(&part.comparisons),
            order: case_order(&part.comparisons),
            reviewed: reviewed_pairs(&part.comparisons),
            reviews: part.workspace.iterations.iter().map(Reviews::new).collect(),
            expectations: analyze::expectations(part.workspace, part.analysis),
            totals: part.workspace.totals(),
            audit: Audit::new(
                part.workspace,
                &skill_text(part.workspace, part.source, part.prefix),
            ),
            deciding,
            said: judged_by_people(part.workspace),
            judged,
            briefs: part.workspace.iterations.iter().map(|_| OnceLock::new()).collect(),
        }
    }
}

/// Characters of all choices of a comparison that fit into the bar of a phone.
const CHOICES: usize = 26;

#[derive(Clone, Copy)]
pub(crate) struct RenderContext<'a> {
    pub(crate) part: &'a Part<'a>,
    pub(crate) addresses: &'a PartAddresses,
    pub(crate) shared: &'a SharedData<'a>,
    pub(crate) language: &'a Language,
    pub(crate) templates: &'a Templates,
    pub(crate) sink: &'a dyn Sink,
    /// Bytes of markup for outputs on each review page of the newest iteration, and on other pages
    /// with differences.
    pub(crate) rooms: [usize; 2],
}

impl<'a> RenderContext<'a> {
    /// The page at `path`, made from a template and its `view`.
    pub(crate) fn page<V: Serialize>(
        self,
        template: &'static str,
        path: String,
        view: impl Fn(&Page<'a>) -> V + Send + Sync + 'a,
    ) -> Task<'a> {
        let root = "../".repeat(path.matches('/').count());
        let page = Page {
            context: self,
            part: self.part,
            addresses: self.addresses,
            shared: self.shared,
            language: self.language,
            path: path.clone(),
            root,
        };
        let render = move || self.templates.fill(template, &page.path, &view(&page));
        Task { path, render: Box::new(render) }
    }

    /// A page that exists once per workspace, in the file named like its template.
    pub(crate) fn single_page<V: Serialize>(
        self,
        template: &'static str,
        view: impl Fn(&Page<'a>) -> V + Send + Sync + 'a,
    ) -> Task<'a> {
        self.page(template, self.addresses.report_file(template), view)
    }

    /// The first page of a review: the worst case of the newest comparison.
    pub(crate) fn first_review(&self) -> Option<String> {
        let analysis = self.part.analysis;
        let side = analysis.shown_side()?;
        let lead = analysis.lead(&side);
        self.shared.order.iter().find_map(|case_index| self.review_of(*case_index, &side, lead))
    }

    /// The review page of a case for a side; `None` if the side did not run the case.
    pub(crate) fn review_of(
        &self,
        case_index: usize,
        side: &Side,
        change: Option<&Change>,
    ) -> Option<String> {
        let choice = self.reviewed_choice(case_index, side, change)?;
        let pair = &self.part.analysis.pairs[case_index].pairs[choice.pair];
        Some(self.addresses.difference(case_index, pair, None))
    }

    /// What a side of a case is reviewed with: the other side of `change`, else whatever there is.
    pub(crate) fn reviewed_choice(
        &self,
        case_index: usize,
        side: &Side,
        change: Option<&Change>,
    ) -> Option<&'a Choice> {
        let pairs = &self.part.analysis.pairs[case_index];
        for choice in pairs.for_side(side.iteration, &side.configuration) {
            let pair = &pairs.pairs[choice.pair];
            if change.is_some_and(|change| change.sides() == [&pair.before, &pair.after]) {
                return Some(choice);
            }
        }
        // The side may have run a case that the other one did not.
        pairs.for_side(side.iteration, &side.configuration).next()
    }

    /// Whether the overview shows the iteration; its own page has the rest.
    pub(crate) fn is_on_first_page(&self, iteration: usize) -> bool {
        self.part.analysis.shown_side().is_some_and(|side| side.iteration == iteration)
    }

    /// Whether there are blind comparisons or analyses of them.
    pub(crate) fn has_comparisons(&self) -> bool {
        let mut iterations = self.part.workspace.iterations.iter();
        iterations.any(|one| !one.comparisons.is_empty() || !one.analyses.is_empty())
    }

    pub(crate) fn run_name(&self, run: &Run) -> String {
        let Run { configuration, number, .. } = run;
        let name = say!(self.language, "run.name", configuration, number);
        match measured::origin(run, self.language) {
            Some(origin) => self.language.apart([name, origin]),
            None => name,
        }
    }
}

/// One page of a workspace, and the base of its links.
pub(crate) struct Page<'a> {
    pub(crate) context: RenderContext<'a>,
    // What pages ask the context for most.
    pub(crate) part: &'a Part<'a>,
    pub(crate) addresses: &'a PartAddresses,
    pub(crate) shared: &'a SharedData<'a>,
    pub(crate) language: &'a Language,
    pub(crate) path: String,
    /// Relative path to the report's root, ending in `/` or empty.
    pub(crate) root: String,
}

impl Page<'_> {
    /// Relative address of another page or file of the report.
    pub(crate) fn link(&self, to: &str) -> String {
        link(&self.path, to)
    }

    /// Relative address of a page or file that exists once per workspace.
    pub(crate) fn to_file(&self, name: &str) -> String {
        self.link(&self.addresses.report_file(name))
    }

    /// Relative address of the page of a run.
    pub(crate) fn to_run(&self, iteration: usize, case_index: usize, run: &Run) -> String {
        self.link(&self.addresses.run(iteration, case_index, run))
    }

    /// What all pages share; the page may be about one `iteration`.
    pub(crate) fn frame(&self, title: &str, iteration: Option<usize>) -> Frame {
        let overview = self.to_file("index.html");
        Frame {
            pages: self.main_pages(),
            more: self.more_pages(),
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

    fn main_pages(&self) -> Vec<PageLink> {
        let mut pages = vec![self.page_link("page.overview", "index.html", "iterations/")];
        // A record of figures has neither cases nor checks.
        if !self.part.analysis.cases.is_empty() {
            pages.push(self.page_link("page.cases", "cases.html", "cases/"));
        }
        // Without outputs there is nothing to review.
        if let Some(review) = self.context.first_review() {
            let mut link = self.link_to_page("page.review", &review, "diffs/");
            link.href += RESUME;
            pages.push(link);
        }
        pages.push(self.page_link("page.history", "history.html", "skill/"));
        if !self.shared.expectations.histories.is_empty() {
            pages.push(self.page_link("page.checks", "expectations.html", ""));
        }
        pages
    }

    fn more_pages(&self) -> Vec<PageLink> {
        let mut pages = vec![
            self.page_link("page.feedback", "feedback.html", ""),
            self.page_link("page.problems", "problems.html", ""),
        ];
        if self.context.has_comparisons() {
            pages.push(self.page_link("page.comparisons", "comparisons.html", ""));
        }
        if !self.part.workspace.trigger_rounds.is_empty() {
            pages.push(self.page_link("page.triggers", "triggers.html", ""));
        }
        pages.push(self.page_link("page.guide", "guide.html", ""));
        pages
    }

    /// A link to a page that exists once per workspace, with its subpages in `folder`.
    fn page_link(&self, key: &str, file: &str, folder: &str) -> PageLink {
        self.link_to_page(key, &self.addresses.report_file(file), folder)
    }

    fn link_to_page(&self, key: &str, to: &str, folder: &str) -> PageLink {
        PageLink {
            href: self.link(to),
            text: self.language.text(key).to_owned(),
            note: String::new(),
            is_current: to == self.path || self.addresses.is_in(&self.path, folder),
        }
    }

    /// The newest iterations and the current one, newest first, with their leading gains.
    fn iterations(&self, current: Option<usize>) -> Vec<PageLink> {
        let analysis = self.part.analysis;
        let iterations = &self.part.workspace.iterations;
        let mut links = Vec::new();
        for (index, iteration) in iterations.iter().enumerate().rev() {
            let is_current = Some(index) == current;
            // A menu of a hundred iterations is longer than the screen.
            if index + MENU_ITERATIONS < iterations.len() && !is_current {
                continue;
            }
            let lead = analysis.candidate_of(index).and_then(|side| analysis.lead(&side));
            let lead = lead.filter(|_| !self.part.is_unmeasured(index));
            links.push(PageLink {
                href: self.link(&self.addresses.iteration(index)),
                text: iteration.name.clone(),
                note: lead.and_then(headline::short).unwrap_or_default(),
                is_current,
            });
        }
        links
    }

    /// A link to a run, named by its configuration and number.
    pub(crate) fn run_link(&self, iteration: usize, case_index: usize, run: &Run) -> Link {
        Link::new(self.to_run(iteration, case_index, run), self.context.run_name(run))
    }

    /// A link to a run, by the indices of case and run; its name includes the case.
    pub(crate) fn run_of_case(&self, iteration: usize, case: usize, run: usize) -> Link {
        let found = &self.part.workspace.iterations[iteration].cases[case];
        let case_index = self.addresses.case_index(iteration, case);
        let Link { href, text } = self.run_link(iteration, case_index, &found.runs[run]);
        Link { href, text: self.context.language.labelled(&found.name, &text) }
    }

    pub(crate) fn iteration_link(&self, index: usize) -> Link {
        let name = &self.part.workspace.iterations[index].name;
        Link::new(self.link(&self.addresses.iteration(index)), name)
    }

    /// A link to the page of a case over all iterations.
    pub(crate) fn case_link(&self, case_index: usize) -> Link {
        let name = &self.part.analysis.cases[case_index].name;
        Link::new(self.link(&self.addresses.case(case_index)), name)
    }

    /// A link to the page of a case, by its name in an iteration.
    pub(crate) fn case_of_iteration(&self, iteration: usize, case: usize) -> Link {
        let name = &self.part.workspace.iterations[iteration].cases[case].name;
        Link { text: name.clone(), ..self.case_link(self.addresses.case_index(iteration, case)) }
    }

    /// Relative address of an expectation, by `key`, on the page of a run.
    pub(crate) fn to_check(
        &self,
        iteration: usize,
        case_index: usize,
        run: &Run,
        key: &str,
    ) -> String {
        let page = self.to_run(iteration, case_index, run);
        format!("{page}#{}", self.addresses.expectation(case_index, key))
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
    /// Breadcrumbs from the overview to the page.
    pub(crate) crumbs: Vec<Link>,
    /// The title of the report, linked to its overview; no address outside of a workspace.
    pub(crate) brand: Link,
    /// The iteration that the page is about, or a word for all of them.
    pub(crate) iteration: String,
    pub(crate) iterations: Vec<PageLink>,
    /// Other comparisons of the page's candidate, on pages like this one; their note is said before them all.
    pub(crate) comparisons: Vec<PageLink>,
    /// The comparison of the page, where their names are too long for a row and become a menu; else empty.
    pub(crate) comparison: String,
    pub(crate) pages: Vec<PageLink>,
    pub(crate) more: Vec<PageLink>,
    /// Whether the browser itself shows a document of the report.
    pub(crate) has_document: bool,
    /// Whether it has a frame with a cleaned output.
    pub(crate) has_frame: bool,
    /// Relative path to the folder of assets, ending in `/`.
    pub(crate) assets: String,
    /// Relative path to the folder of the workspace's pages, ending in `/`; empty next to the
    /// overview.
    pub(crate) root: String,
    /// The name of the workspace, under which its pages store data in the browser; empty outside of
    /// one.
    pub(crate) workspace: String,
    /// The previous page of this kind; no address on the first.
    pub(crate) previous: Link,
    pub(crate) next: Link,
}

impl Frame {
    /// The frame of the page at `path`, outside of a workspace.
    pub(crate) fn new(path: &str, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            assets: link(path, "assets/style.css").replace("style.css", ""),
            ..Self::default()
        }
    }

    pub(crate) fn with_comparisons(self, comparisons: Vec<PageLink>) -> Self {
        let length: usize = comparisons.iter().map(|choice| choice.text.chars().count()).sum();
        let mut comparison = String::new();
        if length > CHOICES
            && let Some(current) = comparisons.iter().find(|choice| choice.is_current)
        {
            comparison.clone_from(&current.text);
        }
        Self { comparisons, comparison, ..self }
    }
}
