//! What an edit of the skill comes to: lines, changed sections, other files.

use serde::Serialize;

use crate::analyze::SkillPair;
use crate::diff::{self, Compared, Counts, Limits};
use crate::difference::{Changes, FileChange, FileState, Reader};
use crate::discover::names;
use crate::preview::compared::comparable;
use crate::render::context::{Site, link};

/// So many changed sections are named.
const NAMED: usize = 6;

/// An edit in a few words.
#[derive(Default, Serialize)]
pub(super) struct Edit {
    /// The page of the difference; empty where there is nothing to compare with.
    pub(super) href: String,
    /// `+22 −5 lines`, or that nothing changed.
    pub(super) size: String,
    /// The names of the changed sections.
    pub(super) sections: String,
}

/// The edit between two copies, for the page at `path`.
pub(super) fn edit(site: Site<'_>, pair: &SkillPair, path: &str) -> Edit {
    let snapshots = &site.part.workspace.snapshots;
    let (before, after) = (&snapshots[pair.before], &snapshots[pair.after]);
    let reader = Reader { source: site.part.source, prefix: site.part.prefix };
    let (mut counts, mut sections, mut others) = (Counts::default(), Vec::new(), 0);
    for change in Changes::new(&before.files, &after.files, reader) {
        match change.state {
            FileState::Same | FileState::Renamed => {}
            FileState::Changed if is_skill(change.name()) => {
                (counts, sections) = changed(site, &change).unwrap_or_default();
            }
            _ => others += 1,
        }
    }
    let language = site.language;
    let mut parts = Vec::new();
    if counts.added + counts.removed > 0 {
        let Counts { added, removed, .. } = counts;
        parts.push(language.fill("skill.lines", &[("added", &added), ("removed", &removed)]));
    }
    if others > 0 {
        parts.push(language.count(others, "other_file"));
    }
    if parts.is_empty() {
        parts.push(language.text("skill.unchanged").to_owned());
    }
    let comma = language.text("list.comma");
    Edit {
        href: link(path, &site.addresses.skill(pair)),
        size: parts.join(comma),
        sections: language.first_few(sections, NAMED, comma),
    }
}

fn is_skill(name: &str) -> bool {
    names::file_name(name).eq_ignore_ascii_case("SKILL.md")
}

/// The changed lines and sections; `None` where a side is no text, or they are too long to compare.
fn changed(site: Site<'_>, change: &FileChange<'_>) -> Option<(Counts, Vec<String>)> {
    let source = site.part.source;
    let old = comparable(change.name(), &change.old_content, source).text?;
    let new = comparable(change.name(), &change.new_content, source).text?;
    let front = site.language.text("skill.front");
    let sections = changed_sections(&old, &new);
    let name = |title: &str| if title.is_empty() { front } else { title }.to_owned();
    let Compared::Full(found) = diff::lines(&old, &new, &Limits::default()) else { return None };
    Some((found.counts, sections.into_iter().map(name).collect()))
}

/// The titles of the sections that are new, gone or have other words, in the order of the newer
/// text; empty for what stands before the first one.
fn changed_sections<'t>(old: &'t str, new: &'t str) -> Vec<&'t str> {
    let (old, new) = (sections(old), sections(new));
    let changed = new.iter().filter(|section| !old.contains(section));
    let gone = old.iter().filter(|(title, _)| new.iter().all(|(other, _)| other != title));
    let mut titles: Vec<&str> = Vec::new();
    for (title, _) in changed.chain(gone) {
        if !titles.contains(title) {
            titles.push(title);
        }
    }
    titles
}

/// Title and lines of each section of a Markdown text.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = vec![("", Vec::new())];
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#').strip_prefix(' ');
        match title.filter(|_| line.starts_with('#') && !is_code) {
            Some(title) => found.push((title.trim(), Vec::new())),
            None => {
                if let Some((_, lines)) = found.last_mut() {
                    lines.push(line.trim_end());
                }
            }
        }
    }
    found
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
