//! The changes between two copies of the skill, the checks that changed with them, and the edits
//! that share rare words with these.

use std::cell::Cell;
use std::fmt::Display;

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::{
    CaseCheck, EditLink, Flip, FlipKind, Hunk, MovedCheck, SkillEdits, SkillPair, marked,
};
use crate::diff::{self, Counts, Limits};
use crate::diff_view::{DiffContext, FileChange, FileChanges, FileReader, FileState, files};
use crate::discover::names;
use crate::formats::markdown::{Section, sections};
use crate::model::Snapshot;
use crate::preview::compared::{StoredName, comparable};
use crate::preview::markup::Safe;
use crate::render::context::{Link, Page, RenderContext, Task, cut, distinct};
use crate::render::html::iteration::findings::repeats_view;
use crate::render::html::overview::changes::groups;
use crate::render::html::titled_list;
use crate::wording::sides;

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    for (pair, edits) in context.part.analysis.skill.iter().zip(context.part.edits()) {
        let view = move |page: &Page<'_>| view(page, (pair, edits));
        tasks.push(context.page("skill.html", context.addresses.skill(pair), view));
    }
}

/// Links to the pages of the copies with that name.
pub(super) fn links(page: &Page<'_>, name: &str) -> Vec<Link> {
    let is_named = |pair: &&SkillPair| page.part.workspace.snapshots[pair.after].name == name;
    page.part.analysis.skill.iter().filter(is_named).map(|pair| skill_link(page, pair)).collect()
}

fn skill_link(page: &Page<'_>, pair: &SkillPair) -> Link {
    Link::new(page.link(&page.addresses.skill(pair)), title(page.context, pair))
}

fn title(context: RenderContext<'_>, pair: &SkillPair) -> String {
    let [before, after] = [pair.before, pair.after].map(|index| name(context, index));
    context.language.fill("diff.skill", &[("before", &before), ("after", &after)])
}

/// The iteration that a copy belongs to, else its own name.
fn name<'a>(context: RenderContext<'a>, index: usize) -> &'a str {
    let snapshot = &context.part.workspace.snapshots[index];
    let iteration =
        snapshot.iteration.map(|at| context.part.workspace.iterations[at].name.as_str());
    iteration.unwrap_or(&snapshot.name)
}

fn view(page: &Page<'_>, (pair, edits): (&SkillPair, &SkillEdits)) -> Value {
    // Changes between the iterations of both copies, if known.
    let is_known = |flip: &Flip| !matches!(flip.kind, FlipKind::Unknown | FlipKind::OtherTask);
    let sides = pair
        .sides
        .as_ref()
        .filter(|[before, after]| page.part.flips.between(before, after).iter().any(is_known));
    let groups = sides.map(|[before, after]| groups(page, [before, after]));
    let choice =
        |other: &SkillPair| json!({ "link": skill_link(page, other), "is_current": other == pair });
    let [before, after] = [pair.before, pair.after].map(|index| name(page.context, index));
    let edit = edit(page, pair);
    let between: [(&str, &dyn Display); 3] =
        [("size", &edit.size), ("before", &before), ("after", &after)];
    json!({
        "frame": page.frame(&title(page.context, pair), None),
        "lead": page.language.fill("skill.between", &between),
        "sections": edit.sections,
        "choices": page.part.analysis.skill.iter().map(choice).collect::<Vec<_>>(),
        "is_graded": groups.is_some(),
        "differs": pair.sides.as_ref().map(|[before, after]| {
            sides::differences(page.part.facts(page.language), [before, after])
        }),
        "groups": groups.unwrap_or_default(),
        "words": words_view(page, edits),
        "files": compared(page, pair, page.context.rooms[1] / 4 * 3),
        "again": page.part.workspace.snapshots[pair.after]
            .iteration
            .map_or_else(|| json!({}), |index| repeats_view(page, index)),
    })
}

/// The files of both copies. No run stores them, so this page does.
fn compared(page: &Page<'_>, pair: &SkillPair, room: usize) -> Safe {
    let snapshots = &page.part.workspace.snapshots;
    let (before, after) = (&snapshots[pair.before], &snapshots[pair.after]);
    let (source, prefix) = (page.part.source, page.part.prefix);
    let in_source = |copy: &Snapshot| names::join(prefix, &copy.path);
    let pictures = Cell::new(0);
    let href = |stored: &StoredName, content: &[u8]| {
        let address = stored.address();
        // If a file cannot be written, the report is never put in place.
        let _ = page.context.sink.put(&address, content);
        [before, after].iter().for_each(|copy| page.context.sink.note(&in_source(copy), &address));
        page.link(&address)
    };
    let sides = ["diff.before", "diff.after"].map(|key| page.language.text(key));
    let context =
        DiffContext { words: page.language, source, sides, href: &href, pictures: &pictures };
    let changes = FileChanges::new(&before.files, &after.files, FileReader { source, prefix });
    files(changes, &context, room).clean(source)
}

/// Most changed sections that are named.
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
    page.part.edits_of(iteration).map(|(pair, _)| edit(page, pair))
}

fn edit(page: &Page<'_>, pair: &SkillPair) -> EditView {
    let snapshots = &page.part.workspace.snapshots;
    let (before, after) = (&snapshots[pair.before], &snapshots[pair.after]);
    let reader = FileReader { source: page.part.source, prefix: page.part.prefix };
    let (mut counts, mut sections, mut others) = (Counts::default(), Vec::new(), 0);
    let is_skill = |name: &str| names::file_name(name).eq_ignore_ascii_case("SKILL.md");
    for change in FileChanges::new(&before.files, &after.files, reader) {
        match change.state {
            FileState::Same | FileState::Renamed => {}
            FileState::Changed if is_skill(change.name()) => {
                (counts, sections) = changed(page.context, &change).unwrap_or_default();
            }
            _ => others += 1,
        }
    }
    let language = page.language;
    let Counts { added, removed, .. } = counts;
    let mut parts = Vec::new();
    if added + removed > 0 {
        parts.push(language.fill("skill.lines", &[("added", &added), ("removed", &removed)]));
    }
    if others > 0 {
        parts.push(language.count(others, "other_file"));
    }
    if parts.is_empty() {
        parts.push(language.text("skill.unchanged").to_owned());
    }
    let comma = language.text("list.comma");
    EditView {
        href: page.link(&page.addresses.skill(pair)),
        size: parts.join(comma),
        sections: language.first_few(sections, NAMED, comma),
    }
}

/// The changed lines and sections; `None` if a side is not text, or they are too long to compare.
fn changed(context: RenderContext<'_>, change: &FileChange<'_>) -> Option<(Counts, Vec<String>)> {
    let source = context.part.source;
    let old = comparable(change.name(), &change.old_content, source).text?;
    let new = comparable(change.name(), &change.new_content, source).text?;
    let front = context.language.text("skill.front");
    let sections = changed_sections(&old, &new);
    let name = |title: &str| if title.is_empty() { front } else { title }.to_owned();
    let Ok(diff) = diff::lines(&old, &new, &Limits::default()) else { return None };
    Some((diff.counts, sections.into_iter().map(name).collect()))
}

/// The titles of changed sections in the order of the newer text; empty for the part before the
/// first.
fn changed_sections<'t>(old: &'t str, new: &'t str) -> Vec<&'t str> {
    let (old, new) = (sections(old), sections(new));
    let changed = new.iter().filter(|section| !old.iter().any(|other| is_same(section, other)));
    let removed = old.iter().filter(|old| new.iter().all(|new| new.title != old.title));
    distinct(changed.chain(removed).map(|section| section.title))
}

/// Whether two sections differ at most in spaces at the ends of lines.
fn is_same(section: &Section<'_>, other: &Section<'_>) -> bool {
    section.title == other.title && lines(section).eq(lines(other))
}

fn lines<'t>(section: &Section<'t>) -> impl Iterator<Item = &'t str> {
    section.text.trim_end().lines().map(str::trim_end)
}

/// Most edits, checks and rules that are listed of each kind.
const LISTED: usize = 20;

/// Most characters of an edit or a rule.
const LONGEST: usize = 600;

fn words_view(page: &Page<'_>, edits: &SkillEdits) -> Value {
    let unlinked = edits.moved.iter().filter(|moved| moved.edit.is_none());
    let unlinked = unlinked.map(|moved| check_link(page, &moved.check));
    let unmentioned = edits.unmentioned.iter().map(|check| check_link(page, check));
    let unchecked = edits.unchecked.iter().map(|rule| {
        let text = cut(rule.text.trim(), LONGEST);
        (Link::nowhere(text), place(page.context, &rule.file, rule.line))
    });
    let linked = edits.hunks.iter().enumerate().filter_map(|(index, hunk)| {
        let moved = edits.moved.iter().filter_map(|moved| Some((moved, moved.edit.as_ref()?)));
        let moved = moved.filter(|(_, edit)| edit.index == index).take(LISTED).collect();
        edit_view(page, hunk, moved)
    });
    json!({
        "edits": linked.take(LISTED).collect::<Vec<_>>(),
        "unlinked": titled_list(page.context, "skill.unlinked", unlinked.collect(), LISTED),
        "unchecked": titled_list(page.context, "skill.unchecked", unchecked.collect(), LISTED),
        "unmentioned": titled_list(page.context, "skill.unmentioned", unmentioned.collect(), LISTED),
    })
}

/// A link from a check to all its verdicts, and the name of its case.
fn check_link(page: &Page<'_>, check: &CaseCheck) -> (Link, String) {
    let case = page.case_link(check.line);
    (Link::new(case.href, check.text.as_str()), case.text)
}

fn place(context: RenderContext<'_>, file: &str, line: usize) -> String {
    context.language.fill("quotes.place", &[("file", &file), ("line", &line)])
}

/// An edit with the checks that it may have moved; `None` without any.
fn edit_view(page: &Page<'_>, hunk: &Hunk, moved: Vec<(&MovedCheck, &EditLink)>) -> Option<Value> {
    let words: Vec<String> = moved.iter().flat_map(|(_, edit)| edit.words.clone()).collect();
    let pieces = |text: &String| {
        let text = cut(text.trim(), LONGEST);
        let pieces = marked(&text, &words).into_iter();
        pieces.map(|(piece, is_shared)| json!([piece, is_shared])).collect::<Vec<_>>()
    };
    let comma = page.language.text("list.comma");
    let check = |(moved, edit): &(&MovedCheck, &EditLink)| {
        let is_regressed = moved.kind == FlipKind::Regressed;
        let (sign, tone) = if is_regressed { ("▼", "worse") } else { ("▲", "better") };
        let words = page.language.fill("skill.shared", &[("words", &edit.words.join(comma))]);
        let (link, case) = check_link(page, &moved.check);
        json!({ "sign": sign, "tone": tone, "link": link, "case": case, "words": words })
    };
    (!moved.is_empty()).then(|| {
        json!({
            "place": place(page.context, &hunk.file, hunk.line),
            "removed": pieces(&hunk.removed),
            "added": pieces(&hunk.added),
            "checks": moved.iter().map(check).collect::<Vec<_>>(),
        })
    })
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
