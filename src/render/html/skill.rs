//! What changed in the skill between two of its copies, beside the expectations that flipped.

use std::cell::Cell;
use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Fate, SkillPair, between};
use crate::difference::{Changes, Reader, Tools, files};
use crate::discover::names;
use crate::model::Snapshot;
use crate::preview::compared::Stored;
use crate::preview::markup::Safe;
use crate::render::context::{Frame, Link, Site, Task, link};
use crate::render::html::flipped::Flipped;
use crate::render::text::verdict;

#[derive(Serialize)]
struct SkillView {
    frame: Frame,
    title: String,
    sides: [SideView; 2],
    choices: Vec<ChoiceView>,
    /// Whether both copies belong to iterations that were graded.
    is_graded: bool,
    /// That another model or grader was at work; empty where none was.
    differs: String,
    flips: Safe,
    /// What fails in both iterations, folded.
    still_failing: Safe,
    files: Safe,
}

#[derive(Serialize)]
struct SideView {
    name: String,
    path: String,
    iteration: Option<Link>,
}

#[derive(Serialize)]
struct ChoiceView {
    link: Link,
    is_current: bool,
}

/// Adds a page for every pair of copies.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    for pair in &site.part.analysis.skill {
        let path = site.addresses.skill(pair);
        let render = {
            let path = path.clone();
            move || site.templates.fill("skill.html", &path, &view(site, pair, &path))
        };
        tasks.push(Task { path, render: Box::new(render) });
    }
}

/// Links to the pages of copies that `is_meant` holds for, from the page at `path`.
pub(super) fn links(site: Site<'_>, path: &str, is_meant: impl Fn(&Snapshot) -> bool) -> Vec<Link> {
    let snapshots = &site.part.workspace.snapshots;
    let pairs = site.part.analysis.skill.iter().filter(|pair| is_meant(&snapshots[pair.after]));
    pairs.map(|pair| to(site, path, pair)).collect()
}

fn to(site: Site<'_>, path: &str, pair: &SkillPair) -> Link {
    Link { href: link(path, &site.addresses.skill(pair)), text: title(site, pair) }
}

fn title(site: Site<'_>, pair: &SkillPair) -> String {
    let name = |index: usize| &site.part.workspace.snapshots[index].name;
    let values: [(&str, &dyn Display); 2] =
        [("before", name(pair.before)), ("after", name(pair.after))];
    site.language.fill("diff.skill", &values)
}

fn view(site: Site<'_>, pair: &SkillPair, path: &str) -> SkillView {
    let title = title(site, pair);
    let flips = flips(site, pair, path, site.room / 4);
    let is_graded = flips.is_some();
    let [flips, still_failing] = flips.unwrap_or_default();
    let room = site.room.saturating_sub(flips.as_str().len() + still_failing.as_str().len());
    let choice =
        |other: &SkillPair| ChoiceView { link: to(site, path, other), is_current: other == pair };
    SkillView {
        frame: site.frame(path, &title, &[(site.addresses.overview(), site.title())]),
        title,
        sides: [side(site, pair.before, path), side(site, pair.after, path)],
        choices: site.part.analysis.skill.iter().map(choice).collect(),
        is_graded,
        differs: differs(site, pair),
        flips,
        still_failing,
        files: compared(site, pair, path, room),
    }
}

fn side(site: Site<'_>, index: usize, path: &str) -> SideView {
    let snapshot = &site.part.workspace.snapshots[index];
    let iteration = snapshot.iteration.map(|index| Link {
        href: link(path, &site.addresses.iteration(index)),
        text: site.part.workspace.iterations[index].name.clone(),
    });
    SideView { name: snapshot.name.clone(), path: snapshot.path.clone(), iteration }
}

fn differs(site: Site<'_>, pair: &SkillPair) -> String {
    let sides = pair.sides.as_ref().map(|[before, after]| [before, after]);
    let told = sides.map(|it| verdict::sides_differ(site.part.analysis, it, site.language));
    told.unwrap_or_default()
}

/// What flipped between the iterations of both copies, and what fails in both; `None` where that is
/// not known.
fn flips(site: Site<'_>, pair: &SkillPair, path: &str, room: usize) -> Option<[Safe; 2]> {
    let [before, after] = pair.sides.as_ref()?;
    let lines = &site.part.analysis.lines;
    let flips = between(site.part.workspace, lines, before, after);
    let is_graded = flips.iter().any(|flip| !matches!(flip.fate, Fate::Unknown | Fate::OtherTask));
    let flipped = Flipped { site, path, lines, sides: [before, after], name_case: true };
    is_graded.then(|| [flipped.write(&flips, room), flipped.still_failing(&flips, room / 2)])
}

/// The files of both copies. No run stores them, so this page does.
fn compared(site: Site<'_>, pair: &SkillPair, path: &str, room: usize) -> Safe {
    let snapshots = &site.part.workspace.snapshots;
    let (before, after) = (&snapshots[pair.before], &snapshots[pair.after]);
    let reader = Reader { source: site.part.source, prefix: site.part.prefix };
    let in_source = |copy: &Snapshot| names::join(site.part.prefix, &copy.path);
    let pictures = Cell::new(0);
    let href = |stored: &Stored, content: &[u8]| {
        let address = site.addresses.file(&stored.hash, stored.extension);
        // A report whose files could not all be written is never put in place.
        let _ = site.sink.put(&address, content);
        [before, after].iter().for_each(|copy| site.sink.note(&in_source(copy), &address));
        link(path, &address)
    };
    let tools = Tools { words: site.language, href: &href, pictures: &pictures };
    files(Changes::of(&before.files, &after.files, reader), &tools, room).clean(site.part.source)
}
