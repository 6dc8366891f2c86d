//! What changed in the skill between two of its copies, and the checks that it changed.

use std::cell::Cell;
use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{FlipKind, SkillEdits, SkillPair};
use crate::difference::{Changes, Reader, Tools, files};
use crate::discover::names;
use crate::model::Snapshot;
use crate::preview::compared::Stored;
use crate::preview::markup::Safe;
use crate::render::context::{Frame, Link, Site, Task, link};
use crate::render::html::again::{AgainView, again};
use crate::render::html::overview::changes::{Group, groups};
use crate::render::html::skill_edit::edit;
use crate::render::html::skill_words::{WordsView, words_view};
use crate::render::text::verdict;

#[derive(Serialize)]
struct SkillView {
    frame: Frame,
    /// Lines and both copies: `+22 −5 lines, iteration-3 → iteration-4`.
    lead: String,
    sections: String,
    choices: Vec<ChoiceView>,
    /// Whether both copies belong to iterations that were graded.
    is_graded: bool,
    /// That another model or grader was at work; empty where none was.
    differs: String,
    groups: Vec<Group>,
    words: WordsView,
    files: Safe,
    /// What runs with the newer copy made again and again.
    again: AgainView,
}

#[derive(Serialize)]
struct ChoiceView {
    link: Link,
    is_current: bool,
}

/// Adds a page for every pair of copies.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    for (pair, edits) in site.part.analysis.skill.iter().zip(site.part.edits()) {
        let view = move |path: &str| view(site, (pair, edits), path);
        tasks.push(site.page("skill.html", site.addresses.skill(pair), view));
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
    let [before, after] = [pair.before, pair.after].map(|index| name(site, index));
    site.language.fill("diff.skill", &[("before", &before), ("after", &after)])
}

/// The iteration that a copy belongs to, else its own name.
fn name<'a>(site: Site<'a>, index: usize) -> &'a str {
    let snapshot = &site.part.workspace.snapshots[index];
    let iteration = snapshot.iteration.map(|at| site.part.workspace.iterations[at].name.as_str());
    iteration.unwrap_or(&snapshot.name)
}

fn view(site: Site<'_>, (pair, edits): (&SkillPair, &SkillEdits), path: &str) -> SkillView {
    let groups = changed_checks(site, pair, path);
    let choice =
        |other: &SkillPair| ChoiceView { link: to(site, path, other), is_current: other == pair };
    let names = [pair.before, pair.after].map(|index| name(site, index));
    let edit = edit(site, pair, path);
    let values: [(&str, &dyn Display); 3] =
        [("size", &edit.size), ("before", &names[0]), ("after", &names[1])];
    let title = title(site, pair);
    SkillView {
        frame: site.frame(path, &title, &[]),
        lead: site.language.fill("skill.between", &values),
        sections: edit.sections,
        choices: site.part.analysis.skill.iter().map(choice).collect(),
        is_graded: groups.is_some(),
        differs: differs(site, pair),
        groups: groups.unwrap_or_default(),
        words: words_view(site, path, edits),
        files: compared(site, pair, path, site.rooms[1] / 4 * 3),
        again: site.part.workspace.snapshots[pair.after]
            .iteration
            .map_or_else(AgainView::default, |index| again(site, index, path)),
    }
}

fn differs(site: Site<'_>, pair: &SkillPair) -> String {
    let sides = pair.sides.as_ref().map(|[before, after]| [before, after]);
    let differs = sides.map(|side| verdict::sides_differ(site.part.analysis, side, site.language));
    differs.unwrap_or_default()
}

/// What regressed, fails in both and improved between the iterations of both copies; `None` where
/// that is not known.
fn changed_checks(site: Site<'_>, pair: &SkillPair, path: &str) -> Option<Vec<Group>> {
    let [before, after] = pair.sides.as_ref()?;
    let flips = site.part.flips.between(before, after);
    let is_graded =
        flips.iter().any(|flip| !matches!(flip.kind, FlipKind::Unknown | FlipKind::OtherTask));
    is_graded.then(|| groups(site, path, [before, after]))
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
    let sides = ["diff.before", "diff.after"].map(|key| site.language.text(key));
    let tools = Tools { words: site.language, sides, href: &href, pictures: &pictures };
    files(Changes::new(&before.files, &after.files, reader), &tools, room).clean(site.part.source)
}
