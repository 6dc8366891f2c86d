//! Which edit of the skill may have moved a check, by the rare words they share.
//!
//! Words show what an edit and a check are about, never that one caused the other. So an edit is
//! named only where it shares enough, and clearly more than the next one; after many edits at once
//! that is rare. The reverse is found too: rules that no check is about, and failing checks that
//! the skill does not mention.

mod hunks;
mod rare_words;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

pub use crate::analyze::edits::hunks::Hunk;

use crate::analyze::edits::hunks::{EDITS_TOLD_APART, begins_block, hunks};
use crate::analyze::edits::rare_words::{Weights, content_words};
use crate::analyze::texts::MAX_FILES;
use crate::analyze::{Analysis, CaseHistory, FlipKind, Side, SkillPair, Texts, between};
use input::model::{Outcome, Run, Snapshot, Workspace};
use input::names::is_of_skill;
use text::is_listed;

/// The most bytes of a copy of the skill.
const MAX_COPY_BYTES: usize = 4 * 1024 * 1024;

/// The weight of two words that few other texts have. An edit and a check must share as much: one
/// word is shared by chance too often, however rare it is. Tuned on planted edits, see the tests.
const TWO_RARE_WORDS: f64 = 0.9;

/// How many times as much as the next edit it must share.
const MARGIN: f64 = 1.5;

/// With a lower share of common weight, a rule and a check are about different things.
const RELATED_SHARE: f64 = 0.25;

/// Words that the edits between two copies of the skill share with the checks.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "EditsJson")]
pub struct SkillEdits {
    /// Name of the older copy.
    pub before: String,
    /// Name of the newer copy.
    pub after: String,
    /// How many edits there are.
    pub edits: usize,
    #[serde(skip)]
    pub hunks: Vec<Hunk>,
    /// The checks that regressed or improved between their iterations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<MovedCheck>,
    /// Rules of the newer copy that no check is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<SkillRule>,
    /// Checks that fail with the newer copy, about which it says nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmentioned: Vec<CaseCheck>,
}

/// A check that changed between two copies of the skill.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "MovedJson")]
pub struct MovedCheck {
    #[serde(flatten)]
    pub check: CaseCheck,
    /// `regressed` or `improved`.
    #[serde(rename = "change")]
    #[schemars(with = "String")]
    pub kind: FlipKind,
    /// The edit that shares clearly the most rare words with it; null where none does.
    pub edit: Option<EditLink>,
}

/// An edit that may have moved a check.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "EditJson")]
pub struct EditLink {
    /// Its index among the edits.
    #[serde(skip)]
    pub index: usize,
    #[serde(flatten)]
    pub hunk: Hunk,
    /// The shared words, the rarest first.
    pub words: Vec<String>,
}

/// A rule of the skill.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "SkillRuleJson")]
pub struct SkillRule {
    /// Name of the file in the copy.
    pub file: String,
    /// Line in it, from 1.
    pub line: usize,
    /// The rule.
    pub text: String,
}

/// A check of a case.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "CaseCheckJson")]
pub struct CaseCheck {
    /// Index of the case's line in the analysis.
    #[serde(skip)]
    pub line: usize,
    /// Name of the case.
    pub case: String,
    /// The statement.
    #[serde(rename = "check")]
    pub text: String,
}

impl CaseCheck {
    pub(super) fn new(lines: &[CaseHistory], line: usize, text: &str) -> Self {
        Self { line, case: lines[line].name.clone(), text: text.to_owned() }
    }
}

/// The texts of a copy of the skill by the names of its files.
type SkillCopy = BTreeMap<String, String>;

/// The edits between each pair of copies. Each file is read once.
pub(super) fn find_edits(
    workspace: &Workspace,
    analysis: &Analysis,
    texts: Texts<'_>,
) -> Vec<SkillEdits> {
    if analysis.skill.is_empty() {
        return Vec::new();
    }
    let copies: Vec<SkillCopy> =
        workspace.snapshots.par_iter().map(|snapshot| read_copy(snapshot, texts)).collect();
    let pairs = analysis.skill.par_iter();
    pairs.map(|pair| compare_copies(workspace, &analysis.cases, pair, &copies)).collect()
}

/// The edits of the skill since its last copy, where that is the skill-creator's: it has none of what came
/// after its edit, and that is the skill as it is today.
pub(super) fn edits_since_copy(workspace: &Workspace, texts: Texts<'_>) -> Vec<Hunk> {
    let (Some(today), Some(copy)) = (&workspace.today, workspace.snapshots.last()) else {
        return Vec::new();
    };
    if today.texts.is_empty() {
        return Vec::new();
    }
    let mut copied = read_copy(copy, texts);
    copied.retain(|name, _| is_of_skill(name));
    all_hunks(&copied, &today.texts)
}

fn compare_copies(
    workspace: &Workspace,
    cases: &[CaseHistory],
    pair: &SkillPair,
    copies: &[SkillCopy],
) -> SkillEdits {
    let (old, new) = (&copies[pair.before], &copies[pair.after]);
    let hunks = all_hunks(old, new);
    let mut edits = SkillEdits {
        before: workspace.snapshots[pair.before].name.clone(),
        after: workspace.snapshots[pair.after].name.clone(),
        edits: hunks.len(),
        hunks,
        ..SkillEdits::default()
    };
    let Some([before, after]) = &pair.sides else { return edits };
    let checks = checks_of(workspace, cases, after);
    let blocks = blocks(new);
    let wholes: BTreeSet<&str> = checks.iter().map(|check| check.whole.as_str()).collect();
    let block_texts = blocks.iter().map(|block| block.text.as_str());
    let weights = Weights::new(block_texts.chain(wholes.iter().copied()));

    let edited: Vec<BTreeSet<String>> = edits.hunks.iter().map(edited_words).collect();
    let by_place: BTreeMap<(usize, &str), &Check<'_>> =
        checks.iter().map(|check| ((check.case, check.text), check)).collect();
    for flip in between(workspace, cases, before, after).iter() {
        // Most checks pass before and after; no edit needs to explain them, nor without an edit any.
        let is_moved = matches!(flip.kind, FlipKind::Regressed | FlipKind::Improved);
        if !is_moved || edits.hunks.is_empty() {
            continue;
        }
        let whole = by_place.get(&(flip.case, flip.text)).map_or(flip.text, |check| &check.whole);
        let edit = best_edit(whole, &edited, &weights).map(|(index, words)| EditLink {
            index,
            hunk: edits.hunks[index].clone(),
            words,
        });
        let check = CaseCheck::new(cases, flip.case, flip.text);
        edits.moved.push(MovedCheck { check, kind: flip.kind, edit });
    }
    edits.unchecked = unchecked(blocks, &wholes, &weights);
    for check in unmentioned(new, &checks, &weights) {
        edits.unmentioned.push(CaseCheck::new(cases, check.case, check.text));
    }
    edits
}

fn read_copy(snapshot: &Snapshot, texts: Texts<'_>) -> SkillCopy {
    let mut remaining_bytes = MAX_COPY_BYTES;
    let mut copy = SkillCopy::new();
    for file in snapshot.files.iter().take(MAX_FILES) {
        let Some(text) = texts.read(file) else { continue };
        if text.len() <= remaining_bytes {
            remaining_bytes -= text.len();
            copy.insert(file.name.clone(), text);
        }
    }
    copy
}

fn all_hunks(old: &SkillCopy, new: &SkillCopy) -> Vec<Hunk> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut all = Vec::new();
    for name in names {
        let [old, new] = [old, new].map(|copy| copy.get(name).map_or("", String::as_str));
        all.extend(hunks(name, old, new));
        // A copy that was written anew has thousands.
        if all.len() > EDITS_TOLD_APART {
            break;
        }
    }
    all.truncate(EDITS_TOLD_APART + 1);
    all
}

struct Check<'w> {
    /// Index of its case in the analysis.
    case: usize,
    text: &'w str,
    /// The text with its description; some checks have a short name for a text.
    whole: String,
    has_passed: bool,
}

/// The checks of a side with verdicts.
fn checks_of<'w>(workspace: &'w Workspace, cases: &[CaseHistory], side: &Side) -> Vec<Check<'w>> {
    let mut checks = Vec::new();
    for (index, history) in cases.iter().enumerate() {
        let mut by_text: BTreeMap<&str, Check<'_>> = BTreeMap::new();
        for found in history.runs(workspace, side).flat_map(Run::expectations) {
            // Planned checks that nobody graded did not move.
            if found.outcome == Outcome::Ungraded {
                continue;
            }
            let check = by_text.entry(&found.text).or_insert_with(|| Check {
                case: index,
                text: &found.text,
                whole: [&found.text, found.description.as_deref().unwrap_or_default()].join(" "),
                has_passed: false,
            });
            check.has_passed |= found.outcome == Outcome::Passed;
        }
        checks.extend(by_text.into_values());
    }
    checks
}

/// The words that an edit added, removed or kept within its lines.
fn edited_words(hunk: &Hunk) -> BTreeSet<String> {
    let added = content_words(&hunk.added).into_keys();
    added.chain(content_words(&hunk.removed).into_keys()).collect()
}

/// The index of the edit that clearly shares the most with a check, and the shared words as the
/// check writes them, the rarest first.
fn best_edit(
    check: &str,
    edits: &[BTreeSet<String>],
    weights: &Weights,
) -> Option<(usize, Vec<String>)> {
    // Two copies with hundreds of edits are two skills.
    if edits.len() > EDITS_TOLD_APART {
        return None;
    }
    let words = content_words(check);
    let mut best: Option<(usize, f64)> = None;
    let mut next_best = 0.0;
    for (index, edit) in edits.iter().enumerate() {
        let common = words.keys().filter(|word| edit.contains(*word));
        let shared: f64 = common.map(|word| weights.weight(word)).sum();
        match best {
            Some((_, most)) if shared <= most => next_best = f64::max(next_best, shared),
            _ => next_best = best.replace((index, shared)).map_or(0.0, |(_, most)| most),
        }
    }
    let (index, most) = best?;
    if most < TWO_RARE_WORDS || most < MARGIN * next_best {
        return None;
    }
    let mut shared: Vec<(&String, &String)> = words
        .iter()
        .filter(|(word, _)| edits[index].contains(*word) && weights.weight(word) > 0.0)
        .collect();
    if shared.len() < 2 {
        return None;
    }
    shared.sort_by(|a, b| weights.weight(b.0).total_cmp(&weights.weight(a.0)).then(a.cmp(b)));
    Some((index, shared.into_iter().map(|(_, written)| written.clone()).collect()))
}

/// The paragraphs and items of lists in the Markdown of a copy.
fn blocks(copy: &SkillCopy) -> Vec<SkillRule> {
    let mut blocks: Vec<SkillRule> = Vec::new();
    for (name, text) in copy.iter().filter(|(name, _)| name.ends_with(".md")) {
        let mut is_open = false;
        for (at, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                is_open = false;
                continue;
            }
            match blocks.last_mut() {
                Some(last) if is_open && !begins_block(name, line) => {
                    last.text.push('\n');
                    last.text.push_str(line);
                }
                _ => {
                    let (file, text) = (name.clone(), line.to_owned());
                    blocks.push(SkillRule { file, line: at + 1, text });
                }
            }
            is_open = !line.starts_with('#');
        }
    }
    blocks
}

/// Words of a rule.
const DEMANDS: &str = "must never always should ensure avoid require required only don't mandatory";

/// Whether a block of a SKILL.md demands something.
fn is_rule(block: &SkillRule) -> bool {
    let name = block.file.rsplit('/').next().unwrap_or_default();
    if !name.eq_ignore_ascii_case("SKILL.md") || block.text.starts_with('#') {
        return false;
    }
    let text = block.text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    !text.starts_with("---") && words.any(|word| is_listed(DEMANDS, word))
}

/// The rules that no check is about.
fn unchecked(blocks: Vec<SkillRule>, checks: &BTreeSet<&str>, weights: &Weights) -> Vec<SkillRule> {
    let mut checks_with_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, check) in checks.iter().enumerate() {
        for word in content_words(check).into_keys().filter(|word| weights.weight(word) > 0.0) {
            checks_with_word.entry(word).or_default().push(at);
        }
    }
    let mut unchecked = Vec::new();
    for rule in blocks.into_iter().filter(is_rule) {
        let (mut total, mut shared) = (0.0, vec![0.0; checks.len()]);
        for word in content_words(&rule.text).into_keys() {
            let weight = weights.weight(&word);
            total += weight;
            for check in checks_with_word.get(&word).into_iter().flatten() {
                shared[*check] += weight;
            }
        }
        let related = TWO_RARE_WORDS.min(RELATED_SHARE * total);
        let is_checked = shared.iter().any(|shared| *shared >= related);
        if total >= TWO_RARE_WORDS && !is_checked && !checks.is_empty() {
            unchecked.push(rule);
        }
    }
    unchecked
}

/// The checks that fail in every run and have almost no word in common with the copy.
fn unmentioned<'c, 'w>(
    copy: &SkillCopy,
    checks: &'c [Check<'w>],
    weights: &Weights,
) -> Vec<&'c Check<'w>> {
    let mut unmentioned = Vec::new();
    if copy.is_empty() {
        return unmentioned;
    }
    let copy_words: BTreeSet<String> =
        copy.values().flat_map(|text| content_words(text).into_keys()).collect();
    for check in checks.iter().filter(|check| !check.has_passed) {
        let (mut total, mut shared) = (0.0, 0.0);
        for word in content_words(&check.whole).into_keys() {
            let weight = weights.weight(&word);
            total += weight;
            if copy_words.contains(&word) {
                shared += weight;
            }
        }
        if total >= TWO_RARE_WORDS && shared < RELATED_SHARE * total {
            unmentioned.push(check);
        }
    }
    unmentioned
}

/// A text in pieces, each with whether it is one of the shared words.
pub fn marked<'t>(text: &'t str, words: &[String]) -> Vec<(&'t str, bool)> {
    let stems: BTreeSet<String> =
        words.iter().flat_map(|word| content_words(word).into_keys()).collect();
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let (mut start, mut end) = (0, 0);
    for token in diff::tokens(text) {
        let is_shared = content_words(token).keys().any(|word| stems.contains(word));
        if is_shared {
            pieces.push((&text[start..end], false));
            pieces.push((&text[end..end + token.len()], true));
            start = end + token.len();
        }
        end += token.len();
    }
    pieces.push((&text[start..end], false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests;
