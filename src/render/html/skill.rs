//! The changes between two copies of the skill, and the checks that changed with them.

use std::cell::Cell;

use serde::Serialize;

use crate::analyze::{Flip, FlipKind, SkillPair};
use crate::diff_view::{DiffContext, FileChange, FileChanges, FileReader, FileState, files};
use crate::language::say;
use crate::preview::compared::{StoredName, comparable};
use crate::preview::markup::Safe;
use crate::render::context::{Link, Page, RenderContext, Task, View, distinct, view};
use crate::render::html::overview::changes::lists;
use crate::wording::sides;
use diff::{self, Counts, Limits};
use formats::markdown::{Section, sections};
use input::names;

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    for pair in &context.part.analysis.skill {
        let view = move |page: &Page<'_>| view(page, pair);
        tasks.push(context.page("skill.html", context.addresses.skill(pair), view));
    }
}

/// Links to the pages of the copies with that name.
pub(super) fn links(page: &Page<'_>, name: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for pair in &page.part.analysis.skill {
        if page.part.workspace.snapshots[pair.after].name == name {
            links.push(skill_link(page, pair));
        }
    }
    links
}

fn skill_link(page: &Page<'_>, pair: &SkillPair) -> Link {
    Link::new(page.link(&page.addresses.skill(pair)), title(page.context, pair))
}

fn title(context: RenderContext<'_>, pair: &SkillPair) -> String {
    let (before, after) = (name(context, pair.before), name(context, pair.after));
    say!(context.language, "diff.skill", before, after)
}

/// The iteration that a copy belongs to, else its own name.
fn name<'a>(context: RenderContext<'a>, index: usize) -> &'a str {
    let snapshot = &context.part.workspace.snapshots[index];
    match snapshot.iteration {
        Some(at) => &context.part.workspace.iterations[at].name,
        None => &snapshot.name,
    }
}

fn view(page: &Page<'_>, pair: &SkillPair) -> View {
    let (mut is_graded, mut changes, mut differs) = (false, Vec::new(), None);
    if let Some([before, after]) = &pair.sides {
        differs = Some(sides::differences(page.part.facts(page.language), [before, after]));
        // Changes between the iterations of both copies, if any check was graded in both.
        let flips = page.part.comparisons.between(before, after);
        is_graded = flips.iter().any(is_known);
        if is_graded {
            changes =
                lists(page, None, Some(&page.part.comparisons.changes([before, after])), false);
            // A check that fails in both is none that the edit changed.
            changes.retain(|group| group["id"] != "failing");
        }
    }
    let mut choices = Vec::new();
    for other in &page.part.analysis.skill {
        choices.push(view!({ "link": skill_link(page, other), "is_current": other == pair }));
    }
    let (before, after) = (name(page.context, pair.before), name(page.context, pair.after));
    let edit = edit(page, pair);
    view!({
        "frame": page.frame(&title(page.context, pair), None),
        "lead": say!(page.language, "skill.between", size = edit.size, before, after),
        "sections": edit.sections,
        "choices": choices,
        "is_graded": is_graded,
        "differs": differs,
        "groups": changes,
        "files": compared_files(page, pair, page.context.rooms[1] / 4 * 3),
    })
}

fn is_known(flip: &Flip) -> bool {
    !matches!(flip.kind, FlipKind::Unknown | FlipKind::OtherTask)
}

/// The files of both copies. No run stores them, so this page does.
fn compared_files(page: &Page<'_>, pair: &SkillPair, room: usize) -> Safe {
    let snapshots = &page.part.workspace.snapshots;
    let (before, after) = (&snapshots[pair.before], &snapshots[pair.after]);
    let (source, prefix) = (page.part.source, page.part.prefix);
    let pictures = Cell::new(0);
    let href = |stored: &StoredName, content: &[u8]| {
        let address = stored.address();
        // If a file cannot be written, the report is never put in place.
        let _ = page.context.sink.put(&address, content);
        for copy in [before, after] {
            page.context.sink.note(&names::join(prefix, &copy.path), &address);
        }
        page.link(&address)
    };
    let context = DiffContext {
        words: page.language,
        sides: [page.language.text("diff.before"), page.language.text("diff.after")],
        href: &href,
        pictures: &pictures,
    };
    let changes = FileChanges::new(&before.files, &after.files, FileReader { source, prefix });
    files(changes, &context, room)
}

/// Changed sections that are named; the others are counted.
const NAMED: usize = 6;

#[derive(Default, Serialize)]
pub(super) struct EditView {
    /// The page of the difference; empty without an earlier copy.
    pub(super) href: String,
    /// `+22 −5 lines`, or that nothing changed.
    pub(super) size: String,
    pub(super) sections: String,
}

/// The edit up to the newest copy of an iteration.
pub(super) fn edit_of(page: &Page<'_>, iteration: usize) -> Option<EditView> {
    let (pair, _) = page.part.edits_of(iteration)?;
    Some(edit(page, pair))
}

fn edit(page: &Page<'_>, pair: &SkillPair) -> EditView {
    let (language, snapshots) = (page.language, &page.part.workspace.snapshots);
    let (before, after) = (&snapshots[pair.before], &snapshots[pair.after]);
    let reader = FileReader { source: page.part.source, prefix: page.part.prefix };
    let (mut counts, mut sections, mut others) = (Counts::default(), Vec::new(), 0);
    for change in FileChanges::new(&before.files, &after.files, reader) {
        let is_skill = names::file_name(change.name()).eq_ignore_ascii_case("SKILL.md");
        match change.state {
            FileState::Same | FileState::Renamed => {}
            FileState::Changed if is_skill => {
                (counts, sections) = changed_lines(page.context, &change).unwrap_or_default();
            }
            _ => others += 1,
        }
    }
    let Counts { added, removed, .. } = counts;
    let mut size = Vec::new();
    if added + removed > 0 {
        size.push(say!(language, "skill.lines", added, removed));
    }
    if others > 0 {
        size.push(language.count(others, "other_file"));
    }
    if size.is_empty() {
        size.push(language.text("skill.unchanged").to_owned());
    }
    EditView {
        href: page.link(&page.addresses.skill(pair)),
        size: language.list(size),
        sections: language.first_few(sections, NAMED, "list.comma"),
    }
}

/// The changed lines and sections; `None` if a side is not text, or they are too long to compare.
fn changed_lines(
    context: RenderContext<'_>,
    change: &FileChange<'_>,
) -> Option<(Counts, Vec<String>)> {
    let old = comparable(change.name(), &change.old_content).text?;
    let new = comparable(change.name(), &change.new_content).text?;
    let diff = diff::lines(&old, &new, &Limits::default()).ok()?;
    let mut titles = Vec::new();
    for title in changed_sections(&old, &new) {
        // The part before the first heading is the front matter.
        let title = if title.is_empty() { context.language.text("skill.front") } else { title };
        titles.push(title.to_owned());
    }
    Some((diff.counts, titles))
}

/// The titles of changed sections in the order of the newer text; empty for the part before the
/// first.
fn changed_sections<'t>(old: &'t str, new: &'t str) -> Vec<&'t str> {
    let (old, new) = (sections(old), sections(new));
    let mut titles = Vec::new();
    for section in &new {
        if !old.iter().any(|other| is_same(section, other)) {
            titles.push(section.title);
        }
    }
    for section in &old {
        if new.iter().all(|other| other.title != section.title) {
            titles.push(section.title);
        }
    }
    distinct(titles)
}

/// Whether two sections differ at most in spaces at the ends of lines.
fn is_same(section: &Section<'_>, other: &Section<'_>) -> bool {
    section.title == other.title && lines(section).eq(lines(other))
}

fn lines<'t>(section: &Section<'t>) -> impl Iterator<Item = &'t str> {
    section.text.trim_end().lines().map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::changed_sections;

    #[test]
    fn changed_sections_are_named_in_order() {
        let old = "---\nname: x\n---\n# Skill\n## How\nread\n## Memos\nshort\n```\n# not one\n```\n## Old\n";
        let new = "---\nname: x\n---\n# Skill\n## How\nread twice\n## Memos\nshort\n```\n# not one!\n```\n## New\n";
        assert_eq!(changed_sections(old, new), ["How", "Memos", "New", "Old"]);
        assert_eq!(changed_sections(old, old), [""; 0]);
        assert_eq!(changed_sections("a", "b\n# T"), ["", "T"]);
    }
}
