//! Which edits of the skill share rare words with the checks that changed, and what neither the checks
//! nor the skill speak of.

use serde::Serialize;

use crate::analyze::{FlipKind, Hunk, MovedCheck, SkillEdits, SkillRule, marked};
use crate::render::context::{Link, Site, cut, link};
use crate::render::html::List;

/// So many edits, checks and rules are listed of each kind.
const LISTED: usize = 20;

/// The most characters of an edit or a rule.
const LONGEST: usize = 600;

#[derive(Default, Serialize)]
pub(super) struct WordsView {
    /// The edits that may have moved checks.
    edits: Vec<EditView>,
    /// The changed checks for which none was found.
    unlinked: List<(Link, String)>,
    /// The rules that no check is about.
    unchecked: List<(Link, String)>,
    /// The failing checks about which the skill says nothing.
    unmentioned: List<(Link, String)>,
}

/// An edit, with the checks it may have moved.
#[derive(Serialize)]
struct EditView {
    place: String,
    /// What was taken away and what was put in, in pieces; shared words are marked.
    removed: Vec<(String, bool)>,
    added: Vec<(String, bool)>,
    checks: Vec<CheckView>,
}

#[derive(Serialize)]
struct CheckView {
    sign: &'static str,
    tone: &'static str,
    /// The check, leading to all its verdicts.
    link: Link,
    case: String,
    /// Both texts share these words.
    words: String,
}

/// What is known of `edits`, for the page at `path`.
pub(super) fn words_view(site: Site<'_>, path: &str, edits: &SkillEdits) -> WordsView {
    let check = |line: usize, text: &str| {
        let href = link(path, &site.addresses.case(line));
        let case = site.part.analysis.lines[line].name.clone();
        (Link { href, text: text.to_owned() }, case)
    };
    let unlinked = edits.moved.iter().filter(|moved| moved.link.is_none());
    let unlinked = unlinked.map(|moved| check(moved.line, &moved.text));
    let unmentioned = edits.unmentioned.iter().map(|found| check(found.line, &found.text));
    let unchecked = edits.unchecked.iter().map(|rule| {
        let SkillRule { file, line, text } = rule;
        let place = site.language.fill("quotes.place", &[("file", file), ("line", line)]);
        (Link { href: String::new(), text: cut(text.trim(), LONGEST) }, place)
    });
    WordsView {
        edits: linked(site, path, edits),
        unlinked: List::new(site, "skill.unlinked", unlinked.collect(), LISTED),
        unchecked: List::new(site, "skill.unchecked", unchecked.collect(), LISTED),
        unmentioned: List::new(site, "skill.unmentioned", unmentioned.collect(), LISTED),
    }
}

/// The edits with a check that they may have moved.
fn linked(site: Site<'_>, path: &str, edits: &SkillEdits) -> Vec<EditView> {
    let of_hunk = |(index, hunk): (usize, &Hunk)| {
        let linked = edits.moved.iter().filter_map(|moved| {
            let link = moved.link.as_ref().filter(|link| link.hunk == index)?;
            Some((moved, &link.words))
        });
        let moved: Vec<_> = linked.take(LISTED).collect();
        if moved.is_empty() {
            return None;
        }
        let Hunk { file, line, removed, added } = hunk;
        let words: Vec<String> =
            moved.iter().flat_map(|(_, words)| words.iter().cloned()).collect();
        let pieces = |text: &String| {
            let text = cut(text.trim(), LONGEST);
            let pieces = marked(&text, &words).into_iter();
            pieces.map(|(piece, is_shared)| (piece.to_owned(), is_shared)).collect()
        };
        Some(EditView {
            place: site.language.fill("quotes.place", &[("file", file), ("line", line)]),
            removed: pieces(removed),
            added: pieces(added),
            checks: moved
                .into_iter()
                .map(|(moved, words)| check_view(site, path, moved, words))
                .collect(),
        })
    };
    edits.hunks.iter().enumerate().filter_map(of_hunk).take(LISTED).collect()
}

fn check_view(site: Site<'_>, path: &str, moved: &MovedCheck, words: &[String]) -> CheckView {
    let (sign, tone) = match moved.kind {
        FlipKind::Regressed => ("▼", "worse"),
        _ => ("▲", "better"),
    };
    let words = words.join(site.language.text("list.comma"));
    CheckView {
        sign,
        tone,
        link: Link { href: link(path, &site.addresses.case(moved.line)), text: moved.text.clone() },
        case: site.part.analysis.lines[moved.line].name.clone(),
        words: site.language.fill("skill.shared", &[("words", &words)]),
    }
}
