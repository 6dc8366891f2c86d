//! Which edit of the skill may have moved a check, by the rare words that both share.
//!
//! Words show what an edit and a check are about, never that one is the cause of the other. So an edit
//! is named only where it shares enough, and clearly more than the next one; where many edits were
//! made at once that is seldom. The reverse is found too: rules that no check is about, and failing
//! checks about which the skill says nothing.

mod hunks;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

pub use crate::analyze::edits::hunks::Hunk;

use crate::analyze::edits::hunks::{MOST_HUNKS, begins_block, hunks};
use crate::analyze::edits::words::{Weights, content_words};
use crate::analyze::flips::{FlipKind, Flips, Side};
use crate::analyze::lines::CaseLine;
use crate::analyze::pairs::SkillPair;
use crate::analyze::texts::Texts;
use crate::model::{Outcome, Snapshot, Workspace};
use crate::text::is_listed;

/// The most files and bytes of a copy of the skill.
const MOST_FILES: usize = 200;
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// What an edit must share with a check at least: two words that few other texts have. One is shared by
/// chance too often, however rare it is. Tuned on planted edits, see the tests.
const LEAST_SHARED: f64 = 0.9;

/// How many times as much as the next edit it must share.
const MARGIN: f64 = 1.5;

/// What a word counts that is only in the evidence of a check.
const EVIDENCE: f64 = 0.3;

/// What a word counts that the edit left as it was.
const STAYED: f64 = 0.8;

/// With less of its weight in common, a rule and a check are about different things.
const LEAST_COMMON: f64 = 0.25;

/// What was found out about the edits between two copies of the skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillEdits {
    /// The edits, in the order of the files.
    pub hunks: Vec<Hunk>,
    /// The checks that regressed or improved, the worst first.
    pub moved: Vec<MovedCheck>,
    /// Rules of the newer copy that no check is about.
    pub unchecked: Vec<Rule>,
    /// Checks that fail with the newer copy, about which it says nothing.
    pub unmentioned: Vec<Unmentioned>,
}

/// A check that changed between two copies.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedCheck {
    /// Index of the case's line in the analysis.
    pub line: usize,
    /// The statement.
    pub text: String,
    /// Whether it regressed or improved.
    pub kind: FlipKind,
    /// The edit that shares the most with it; `None` where none does clearly.
    pub link: Option<EditLink>,
}

/// The edit that may have moved a check.
#[derive(Clone, Debug, PartialEq)]
pub struct EditLink {
    /// Index among the edits.
    pub hunk: usize,
    /// The words that both share, as the check writes them, the rarest first.
    pub words: Vec<String>,
}

/// A rule of the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the file.
    pub file: String,
    /// Line in it, from 1.
    pub line: usize,
    /// The rule.
    pub text: String,
}

/// A failing check about which the skill says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmentioned {
    /// Index of the case's line in the analysis.
    pub line: usize,
    /// The statement.
    pub text: String,
}

/// The texts of a copy of the skill by the names of its files.
type Copy = BTreeMap<String, String>;

/// What is known of the edits between each pair of copies. `flips` gives what changed between the
/// sides of a pair. Each file is read once.
pub fn find_edits<'w, F: AsRef<Flips<'w>>>(
    workspace: &'w Workspace,
    (lines, pairs): (&[CaseLine], &[SkillPair]),
    texts: Texts<'_>,
    flips: impl Fn(&[Side; 2]) -> F + Sync,
) -> Vec<SkillEdits> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let copies: Vec<Copy> =
        workspace.snapshots.par_iter().map(|snapshot| read_copy(snapshot, texts)).collect();
    let edits = pairs.par_iter().map(|pair| {
        let (old, new) = (&copies[pair.before], &copies[pair.after]);
        let mut found = SkillEdits { hunks: all_hunks(old, new), ..SkillEdits::default() };
        let Some(sides) = &pair.sides else { return found };
        let checks = checks_of(workspace, lines, &sides[1]);
        let mut weights = Weights::default();
        let blocks = blocks(new);
        blocks.iter().for_each(|block| weights.add(content_words(&block.text).into_keys()));
        let whole: BTreeSet<&str> = checks.iter().map(|check| check.whole.as_str()).collect();
        whole.iter().for_each(|text| weights.add(content_words(text).into_keys()));
        let edited: Vec<_> = found.hunks.iter().map(edited_words).collect();
        let by_place: BTreeMap<(usize, &str), &Check<'_>> =
            checks.iter().map(|check| ((check.line, check.text), check)).collect();
        for flip in flips(sides).as_ref().iter() {
            if matches!(flip.kind, FlipKind::Regressed | FlipKind::Fixed) {
                let (line, text, kind) = (flip.line, flip.text, flip.kind);
                let known = by_place.get(&(line, text));
                let whole = known.map_or(text, |check| &check.whole);
                let evidence = known.map_or("", |check| check.evidence);
                let link = best_edit(whole, evidence, &edited, &weights);
                found.moved.push(MovedCheck { line, text: text.to_owned(), kind, link });
            }
        }
        found.unchecked = unchecked(blocks, &whole, &weights);
        found.unmentioned = unmentioned(new, &checks, &weights);
        found
    });
    edits.collect()
}

fn read_copy(snapshot: &Snapshot, texts: Texts<'_>) -> Copy {
    let mut room = MOST_BYTES;
    let read = snapshot.files.iter().take(MOST_FILES).filter_map(|file| {
        let text = texts.read(file).filter(|text| text.len() <= room)?;
        room -= text.len();
        Some((file.name.clone(), text))
    });
    read.collect()
}

fn all_hunks(old: &Copy, new: &Copy) -> Vec<Hunk> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let text = |copy: &'_ Copy, name: &str| copy.get(name).cloned().unwrap_or_default();
    let all = names.into_iter().flat_map(|name| hunks(name, &text(old, name), &text(new, name)));
    all.take(MOST_HUNKS + 1).collect()
}

/// A check of a case.
struct Check<'w> {
    /// Index of the case's line in the analysis.
    line: usize,
    text: &'w str,
    /// The same with its description; some checks have a short name for a text.
    whole: String,
    /// Why a run failed it, else why one passed it.
    evidence: &'w str,
    has_passed: bool,
}

/// The checks of a side with verdicts.
fn checks_of<'w>(workspace: &'w Workspace, lines: &[CaseLine], side: &Side) -> Vec<Check<'w>> {
    let mut found = Vec::new();
    for (line, of_case) in lines.iter().enumerate() {
        let Some(case) = of_case.case(workspace, side.iteration) else { continue };
        let mut by_text: BTreeMap<&str, Check<'_>> = BTreeMap::new();
        let checks = case.runs_of(&side.configuration).flat_map(|run| run.expectations());
        for check in checks.filter(|check| check.outcome != Outcome::Ungraded) {
            let text = check.text.as_str();
            let whole = || format!("{text} {}", check.description.as_deref().unwrap_or_default());
            let (evidence, has_passed) = ("", false);
            let known = || Check { line, text, whole: whole(), evidence, has_passed };
            let known = by_text.entry(text).or_insert_with(known);
            if known.evidence.is_empty() || check.outcome == Outcome::Failed {
                known.evidence = check.evidence.as_deref().unwrap_or(known.evidence);
            }
            known.has_passed |= check.outcome == Outcome::Passed;
        }
        found.extend(by_text.into_values());
    }
    found
}

/// The words of an edit: whether each is in what changed.
fn edited_words(hunk: &Hunk) -> BTreeMap<String, bool> {
    let added = content_words(&hunk.added).into_keys();
    let mut found: BTreeMap<String, bool> = added.map(|word| (word, true)).collect();
    for word in content_words(&hunk.removed).into_keys() {
        found.entry(word).and_modify(|is_changed| *is_changed = false).or_insert(true);
    }
    found
}

/// The edit that shares clearly the most with a check.
fn best_edit(
    check: &str,
    evidence: &str,
    edits: &[BTreeMap<String, bool>],
    weights: &Weights,
) -> Option<EditLink> {
    if edits.len() > MOST_HUNKS {
        return None;
    }
    let (words, more) = (content_words(check), content_words(evidence));
    let shared = |edit: &BTreeMap<String, bool>| {
        let weigh = |(word, is_changed): (&String, &bool)| {
            let part = if *is_changed { 1.0 } else { STAYED };
            match (words.contains_key(word), more.contains_key(word)) {
                (true, _) => weights.of(word) * part,
                (_, true) => weights.of(word) * part * EVIDENCE,
                _ => 0.0,
            }
        };
        edit.iter().map(weigh).sum::<f64>()
    };
    let mut scores: Vec<(usize, f64)> = edits.iter().map(shared).enumerate().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (hunk, best) = *scores.first()?;
    let next = scores.get(1).map_or(0.0, |(_, score)| *score);
    if best < LEAST_SHARED || best < MARGIN * next {
        return None;
    }
    let shared = words.iter().filter(|(word, _)| edits[hunk].contains_key(*word));
    let mut shared: Vec<(&String, &String)> =
        shared.filter(|(word, _)| weights.of(word) > 0.0).collect();
    shared.sort_by(|a, b| weights.of(b.0).total_cmp(&weights.of(a.0)).then(a.cmp(b)));
    let words: Vec<String> = shared.into_iter().map(|(_, written)| written.clone()).collect();
    // Evidence alone ties nothing: it speaks of the output.
    (words.len() > 1).then_some(EditLink { hunk, words })
}

/// A paragraph or an item of a list in the Markdown of a copy.
fn blocks(copy: &Copy) -> Vec<Rule> {
    let mut found: Vec<Rule> = Vec::new();
    for (name, text) in copy.iter().filter(|(name, _)| name.ends_with(".md")) {
        let mut is_open = false;
        for (at, line) in text.lines().enumerate() {
            let begins = begins_block(name, line);
            match found.last_mut().filter(|_| is_open && !begins) {
                _ if line.trim().is_empty() => {}
                Some(last) => {
                    last.text.push('\n');
                    last.text.push_str(line);
                }
                None => {
                    found.push(Rule { file: name.clone(), line: at + 1, text: line.to_owned() })
                }
            }
            is_open = !line.trim().is_empty() && !line.starts_with('#');
        }
    }
    found
}

/// Words of a rule.
const DEMANDS: &str = "must never always should ensure avoid require required only don't mandatory";

/// The rules of SKILL.md that no check is about.
fn unchecked(blocks: Vec<Rule>, checks: &BTreeSet<&str>, weights: &Weights) -> Vec<Rule> {
    let is_skill = |name: &str| {
        name.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
    };
    let mut with_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, check) in checks.iter().enumerate() {
        for word in content_words(check).into_keys().filter(|word| weights.of(word) > 0.0) {
            with_word.entry(word).or_default().push(at);
        }
    }
    let is_unchecked = |rule: &Rule| {
        let (mut all, mut shared) = (0.0, BTreeMap::new());
        for word in content_words(&rule.text).into_keys() {
            all += weights.of(&word);
            for check in with_word.get(&word).into_iter().flatten() {
                *shared.entry(check).or_insert(0.0) += weights.of(&word);
            }
        }
        let least = LEAST_SHARED.min(LEAST_COMMON * all);
        all >= LEAST_SHARED && shared.into_values().all(|shared| shared < least)
    };
    let is_rule = |rule: &Rule| {
        let words = rule.text.to_lowercase();
        let mut words = words.split(|c: char| !c.is_alphanumeric() && c != '\'');
        let is_heading = rule.text.starts_with('#') || rule.text.starts_with("---");
        !is_heading && words.any(|word| is_listed(DEMANDS, word))
    };
    let rules = blocks.into_iter().filter(|rule| is_skill(&rule.file) && is_rule(rule));
    if checks.is_empty() { Vec::new() } else { rules.filter(is_unchecked).collect() }
}

/// The checks that fail in every run, of whose words the copy has almost none.
fn unmentioned(copy: &Copy, checks: &[Check<'_>], weights: &Weights) -> Vec<Unmentioned> {
    let known: BTreeSet<String> =
        copy.values().flat_map(|text| content_words(text).into_keys()).collect();
    let is_unmentioned = |check: &&Check<'_>| {
        let words = content_words(&check.whole);
        let all: f64 = words.keys().map(|word| weights.of(word)).sum();
        let shared = words.keys().filter(|word| known.contains(*word));
        let shared: f64 = shared.map(|word| weights.of(word)).sum();
        !check.has_passed && all >= LEAST_SHARED && shared < LEAST_COMMON * all
    };
    let failing = checks.iter().filter(|check| !copy.is_empty() && is_unmentioned(check));
    failing.map(|check| Unmentioned { line: check.line, text: check.text.to_owned() }).collect()
}

/// A text in pieces, and whether each is one of the shared words.
pub fn marked<'t>(text: &'t str, words: &[String]) -> Vec<(&'t str, bool)> {
    let stems: BTreeSet<String> =
        words.iter().flat_map(|word| content_words(word).into_keys()).collect();
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for token in crate::diff::tokens(text) {
        let is_shared = content_words(token).keys().any(|word| stems.contains(word));
        if is_shared {
            pieces.extend((end > start).then(|| (&text[start..end], false)));
            pieces.push((&text[end..end + token.len()], true));
            start = end + token.len();
        }
        end += token.len();
    }
    pieces.extend((end > start).then(|| (&text[start..end], false)));
    pieces
}

#[cfg(test)]
mod tests;
