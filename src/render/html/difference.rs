//! What differs between two sides of a case: the expectations that changed, then run by run the
//! files, each in its own form.

use std::cell::Cell;

use serde::Serialize;

use crate::analyze::{
    CaseLine, CasePairs, Choice, Fate, Flip, Pair, RunPair, Side, between, run_pairs,
};
use crate::difference::budget::Purse;
use crate::difference::{Changes, Reader, Tools, files};
use crate::model::Run;
use crate::preview::compared::Stored;
use crate::preview::markup::{Markup, Safe};
use crate::render::context::{Frame, Link, Part, Rows, Site, Task, link};
use crate::render::html::compared::choice_text;
use crate::render::html::flipped::Flipped;
use crate::render::text::verdict;

/// Bytes kept for the heading of a pair of runs.
const HEAD: usize = 600;

/// Other pairs of the same iteration that are linked from a page, the nearest; all are on the page
/// of the case.
const CHOICES: usize = 40;

/// Iterations linked from a page on each side of its own.
const NEAR: usize = 5;

#[derive(Serialize)]
struct DifferenceView {
    frame: Frame,
    title: String,
    sides: [SideView; 2],
    /// The other pairs of the newer side's iteration.
    choices: Rows<ChoiceView>,
    /// That another model or grader was at work; empty where none was.
    differs: String,
    /// The same kind of pair in other iterations.
    same_kind: Vec<ChoiceView>,
    flips: Safe,
    /// What fails on both sides, folded.
    still_failing: Safe,
    /// Why nothing flipped.
    no_flips: String,
    runs: Vec<Link>,
    outputs: Safe,
}

#[derive(Serialize)]
struct SideView {
    name: String,
    iteration: Link,
    runs: Vec<Link>,
}

#[derive(Serialize)]
struct ChoiceView {
    link: Link,
    is_current: bool,
}

/// How many pages of differences a report of `parts` has.
pub(in crate::render) fn count(parts: &[Part<'_>]) -> usize {
    let of_part =
        |part: &Part<'_>| part.analysis.pairs.iter().map(|case| case.pairs.len()).sum::<usize>();
    parts.iter().map(of_part).sum()
}

/// Adds a page for every pair of sides of every case.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    for (line, pairs) in site.part.analysis.pairs.iter().enumerate() {
        for index in 0..pairs.pairs.len() {
            let page = Page { site, line, pairs, index };
            let path = page.path();
            let render = move || site.templates.fill("difference.html", &page.path(), &page.view());
            tasks.push(Task { path, render: Box::new(render) });
        }
    }
}

/// One page of differences.
#[derive(Clone, Copy)]
struct Page<'a> {
    site: Site<'a>,
    line: usize,
    pairs: &'a CasePairs,
    index: usize,
}

impl<'a> Page<'a> {
    fn pair(&self) -> &'a Pair {
        &self.pairs.pairs[self.index]
    }

    fn path(&self) -> String {
        self.site.addresses.difference(self.line, self.pair())
    }

    fn case(&self) -> &'a CaseLine {
        &self.site.part.analysis.lines[self.line]
    }

    fn view(&self) -> DifferenceView {
        let (site, pair, path) = (self.site, self.pair(), self.path());
        let case = &self.case().name;
        let (before, after) = (self.side_name(&pair.before), self.side_name(&pair.after));
        let values: [(&str, &dyn std::fmt::Display); 3] =
            [("case", case), ("before", &before), ("after", &after)];
        let title = site.language.fill("diff.title", &values);
        let crumbs = [
            (site.addresses.overview(), site.title()),
            (site.addresses.case(self.line), case.as_str()),
        ];
        let run_pairs = run_pairs(site.part.workspace, self.case(), pair);
        let mut purse = Purse::new(site.room);
        let flips = self.flips();
        let sides = [&pair.before, &pair.after];
        let lines = std::slice::from_ref(self.case());
        let flipped = Flipped { site, path: &path, lines, sides, name_case: false };
        let flips_html = flipped.write(&flips, purse.left() / 4);
        purse.spend(flips_html.as_str().len());
        let still_failing = flipped.still_failing(&flips, purse.left() / 8);
        purse.spend(still_failing.as_str().len());
        DifferenceView {
            frame: site.frame(&path, &title, &crumbs),
            title,
            sides: [self.side(&pair.before, &path), self.side(&pair.after, &path)],
            choices: self.choices(&path),
            differs: verdict::sides_differ(site.part.analysis, sides, site.language),
            same_kind: self.same_kind(&path),
            no_flips: site.language.text(no_flips(&flips)).to_owned(),
            flips: flips_html,
            still_failing,
            runs: if run_pairs.len() > 1 { self.run_links(&run_pairs) } else { Vec::new() },
            outputs: self.outputs(&run_pairs, &path, purse),
        }
    }

    fn side_name(&self, side: &Side) -> String {
        let iteration = &self.site.part.workspace.iterations[side.iteration].name;
        let values: [(&str, &dyn std::fmt::Display); 2] =
            [("configuration", &side.configuration), ("iteration", iteration)];
        self.site.language.fill("diff.side", &values)
    }

    fn side(&self, side: &Side, path: &str) -> SideView {
        let iteration = &self.site.part.workspace.iterations[side.iteration];
        let met = self.case().meeting(side.iteration);
        let runs = met.map(|met| &iteration.cases[met.case].runs).into_iter().flatten();
        let runs = runs.filter(|run| run.configuration == side.configuration);
        SideView {
            name: side.configuration.clone(),
            iteration: Link {
                href: link(path, &self.site.addresses.iteration(side.iteration)),
                text: iteration.name.clone(),
            },
            runs: runs.map(|run| self.run_link(side, run, path)).collect(),
        }
    }

    fn run_link(&self, side: &Side, run: &Run, path: &str) -> Link {
        let to = self.site.addresses.run(side.iteration, self.line, run);
        let text = self.site.language.fill("diff.run", &[("number", &run.number)]);
        Link { href: link(path, &to), text }
    }

    /// What the sides of the newer side's iteration are compared with.
    fn choices(&self, path: &str) -> Rows<ChoiceView> {
        let newest = self.pair().after.iteration;
        let is_meant = |it: &&Choice| it.side.iteration == newest || it.pair == self.index;
        let choices: Vec<&Choice> = self.pairs.choices.iter().filter(is_meant).collect();
        let own = choices.iter().position(|it| it.pair == self.index).unwrap_or(0);
        let start = own.saturating_sub(CHOICES / 2);
        let near = choices.iter().skip(start).take(CHOICES);
        let unlisted = choices.len() - near.len();
        let view = |choice: &&Choice| {
            let (workspace, words) = (self.site.part.workspace, self.site.language);
            self.choice(choice, choice_text(workspace, words, self.pairs, choice), path)
        };
        Rows::of(near, view).and_more(unlisted)
    }

    /// The iterations nearest to this one with the same kind of pair, and the first and last.
    fn same_kind(&self, path: &str) -> Vec<ChoiceView> {
        let newer = &self.pair().after;
        let of_pair = || self.pairs.choices.iter().filter(|it| it.pair == self.index);
        let own = of_pair().find(|it| it.side == *newer).or_else(|| of_pair().next());
        let Some(own) = own else { return Vec::new() };
        let is_same = |it: &&Choice| {
            it.against == own.against && it.side.configuration == own.side.configuration
        };
        let same: Vec<&Choice> = self.pairs.choices.iter().filter(is_same).collect();
        let at = same.iter().position(|it| *it == own).unwrap_or(0);
        let is_near =
            |index: usize| index.abs_diff(at) <= NEAR || index == 0 || index + 1 == same.len();
        let near = same.iter().enumerate().filter(|(index, _)| is_near(*index));
        let name =
            |it: &Choice| self.site.part.workspace.iterations[it.side.iteration].name.clone();
        let views: Vec<ChoiceView> = near.map(|(_, it)| self.choice(it, name(it), path)).collect();
        if views.len() > 1 { views } else { Vec::new() }
    }

    fn choice(&self, choice: &Choice, text: String, path: &str) -> ChoiceView {
        let page = Page { index: choice.pair, ..*self };
        let link = Link { href: link(path, &page.path()), text };
        ChoiceView { link, is_current: choice.pair == self.index }
    }

    fn flips(&self) -> Vec<Flip> {
        let (pair, lines) = (self.pair(), std::slice::from_ref(self.case()));
        between(self.site.part.workspace, lines, &pair.before, &pair.after)
    }

    fn run_links(&self, pairs: &[RunPair<'_>]) -> Vec<Link> {
        let text = |pair: &RunPair<'_>| {
            let number = pair.after.number;
            self.site.language.fill("diff.run", &[("number", &number)])
        };
        let anchor = |pair: &RunPair<'_>| format!("#{}", anchor(pair.before, pair.after));
        pairs.iter().map(|pair| Link { href: anchor(pair), text: text(pair) }).collect()
    }

    /// The files of each pair of runs: the first has half of the room, the others share the rest.
    fn outputs(&self, pairs: &[RunPair<'_>], path: &str, purse: Purse) -> Safe {
        let (mut purse, mut out, mut unlisted) = (purse, Markup::default(), 0);
        let pictures = Cell::new(0);
        let href = |stored: &Stored, _: &[u8]| {
            link(path, &self.site.addresses.file(&stored.hash, stored.extension))
        };
        let tools = Tools { words: self.site.language, href: &href, pictures: &pictures };
        for (index, pair) in pairs.iter().enumerate() {
            let waiting = pairs.len() - index;
            let share = if index == 0 { purse.part(waiting) } else { purse.left() / waiting };
            if share < HEAD {
                unlisted += 1;
                continue;
            }
            let start = out.len();
            self.run_head(pair, path, &mut out);
            let reader = Reader { source: self.site.part.source, prefix: self.site.part.prefix };
            let changes = Changes::of(&pair.before.outputs, &pair.after.outputs, reader);
            let room = share.saturating_sub(out.len() - start + "</section>".len());
            out.safe(&files(changes, &tools, room).clean(reader.source)).raw("</section>");
            purse.spend(out.len() - start);
        }
        if unlisted > 0 {
            let text = self.site.language.count(unlisted, "run_unlisted");
            out.wrap("<p class=\"counts\">", &text, "</p>");
        }
        out.finish()
    }

    /// The heading of a pair of runs, which names and links both.
    fn run_head(&self, pair: &RunPair<'_>, path: &str, out: &mut Markup) {
        let words = self.site.language;
        let sides = self.pair();
        out.raw("<section id=\"").text(&anchor(pair.before, pair.after)).raw("\"><h2>");
        out.text(&words.fill("diff.run", &[("number", &pair.after.number)])).raw("</h2><p>");
        for (at, (side, run)) in
            [(&sides.before, pair.before), (&sides.after, pair.after)].into_iter().enumerate()
        {
            let link = self.run_link(side, run, path);
            out.raw(if at == 0 { "" } else { " → " });
            out.raw("<a href=\"").text(&link.href).raw("\">").text(&self.side_name(side));
            out.raw(", ").text(&link.text).raw("</a>");
        }
        out.raw("</p>");
        if pair.before.number != pair.after.number {
            let values: [(&str, &dyn std::fmt::Display); 4] = [
                ("before", &pair.before.number),
                ("after", &pair.after.number),
                ("before_side", &self.side_name(&sides.before)),
                ("after_side", &self.side_name(&sides.after)),
            ];
            out.wrap("<p class=\"reason\">", &words.fill("diff.other_run", &values), "</p>");
        }
    }
}

/// Why no expectation flipped.
fn no_flips(flips: &[Flip]) -> &'static str {
    let any = |fate: fn(Fate) -> bool| flips.iter().any(|flip| fate(flip.fate));
    match () {
        () if any(|fate| fate == Fate::OtherTask) => "diff.other_task",
        () if any(|fate| fate != Fate::Unknown) => "diff.no_flips",
        () => "diff.ungraded",
    }
}

/// Where a pair of runs stands on its page.
fn anchor(before: &Run, after: &Run) -> String {
    match (before.number, after.number) {
        (before, after) if before == after => format!("run-{after}"),
        (before, after) => format!("run-{before}-{after}"),
    }
}
