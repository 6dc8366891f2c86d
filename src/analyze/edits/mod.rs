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

use crate::analyze::edits::hunks::{MAX_HUNKS, begins_block, hunks};
use crate::analyze::edits::rare_words::{Weights, content_words};
use crate::analyze::texts::MAX_FILES;
use crate::analyze::{Analysis, CaseHistory, FlipKind, Side, Texts, between};
use crate::model::{Outcome, Snapshot, Workspace};
use crate::text::is_listed;

/// The most bytes of a copy of the skill.
const MAX_COPY_BYTES: usize = 4 * 1024 * 1024;

/// The least that an edit and a check must share: two words that few other texts have. One word is
/// shared by chance too often, however rare it is. Tuned on planted edits, see the tests.
const MIN_SHARED: f64 = 0.9;

/// How many times as much as the next edit it must share.
const MARGIN: f64 = 1.5;

/// The factor for a word found only in the evidence of a check.
const EVIDENCE_FACTOR: f64 = 0.3;

/// The factor for a word that the edit left unchanged.
const UNCHANGED_FACTOR: f64 = 0.8;

/// With a lower share of common weight, a rule and a check are about different things.
const MIN_COMMON: f64 = 0.25;

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
    let Analysis { cases: lines, skill: pairs, .. } = analysis;
    if pairs.is_empty() {
        return Vec::new();
    }
    let copies: Vec<SkillCopy> =
        workspace.snapshots.par_iter().map(|snapshot| read_copy(snapshot, texts)).collect();
    let edits = pairs.par_iter().map(|pair| {
        let (old, new) = (&copies[pair.before], &copies[pair.after]);
        let name = |copy: usize| workspace.snapshots[copy].name.clone();
        let hunks = all_hunks(old, new);
        let (before, after) = (name(pair.before), name(pair.after));
        let edits = hunks.len();
        let mut edits_of_pair = SkillEdits { before, after, edits, hunks, ..SkillEdits::default() };
        let Some(sides) = &pair.sides else { return edits_of_pair };
        let checks = checks_of(workspace, lines, &sides[1]);
        let blocks = blocks(new);
        let whole: BTreeSet<&str> = checks.iter().map(|check| check.whole.as_str()).collect();
        let rules = blocks.iter().map(|block| block.text.as_str());
        let weights = Weights::new(rules.chain(whole.iter().copied()));
        let edited: Vec<_> = edits_of_pair.hunks.iter().map(edited_words).collect();
        let by_place: BTreeMap<(usize, &str), &Check<'_>> =
            checks.iter().map(|check| ((check.line, check.text), check)).collect();
        for flip in between(workspace, lines, &sides[0], &sides[1]).iter() {
            if !matches!(flip.kind, FlipKind::Regressed | FlipKind::Improved) {
                continue;
            }
            let check = by_place.get(&(flip.case, flip.text));
            let (whole, evidence) =
                check.map_or((flip.text, ""), |check| (&check.whole, check.evidence));
            let edit = best_edit(whole, evidence, &edited, &weights).map(|(index, words)| {
                EditLink { index, hunk: edits_of_pair.hunks[index].clone(), words }
            });
            let check = CaseCheck::new(lines, flip.case, flip.text);
            edits_of_pair.moved.push(MovedCheck { check, kind: flip.kind, edit });
        }
        edits_of_pair.unchecked = unchecked(blocks, &whole, &weights);
        let unmentioned = unmentioned(new, &checks, &weights);
        edits_of_pair.unmentioned =
            unmentioned.map(|check| CaseCheck::new(lines, check.line, check.text)).collect();
        edits_of_pair
    });
    edits.collect()
}

fn read_copy(snapshot: &Snapshot, texts: Texts<'_>) -> SkillCopy {
    let mut remaining_bytes = MAX_COPY_BYTES;
    let read = snapshot.files.iter().take(MAX_FILES).filter_map(|file| {
        let text = texts.read(file).filter(|text| text.len() <= remaining_bytes)?;
        remaining_bytes -= text.len();
        Some((file.name.clone(), text))
    });
    read.collect()
}

fn all_hunks(old: &SkillCopy, new: &SkillCopy) -> Vec<Hunk> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let edits = names.into_iter().flat_map(|name| {
        let [old, new] = [old, new].map(|copy| copy.get(name).map_or("", String::as_str));
        hunks(name, old, new)
    });
    edits.take(MAX_HUNKS + 1).collect()
}

struct Check<'w> {
    line: usize,
    text: &'w str,
    /// The text with its description; some checks have a short name for a text.
    whole: String,
    /// Why a run failed it, else why one passed it.
    evidence: &'w str,
    has_passed: bool,
}

/// The checks of a side with verdicts.
fn checks_of<'w>(workspace: &'w Workspace, lines: &[CaseHistory], side: &Side) -> Vec<Check<'w>> {
    let mut side_checks = Vec::new();
    for (line, of_case) in lines.iter().enumerate() {
        let Some(case) = of_case.case(workspace, side.iteration) else { continue };
        let mut by_text: BTreeMap<&str, Check<'_>> = BTreeMap::new();
        let checks = case.runs_of(&side.configuration).flat_map(|run| run.expectations());
        for check in checks.filter(|check| check.outcome != Outcome::Ungraded) {
            let check_words = by_text.entry(&check.text).or_insert_with(|| {
                let (text, more) = (&check.text, check.description.as_deref().unwrap_or_default());
                let whole = format!("{text} {more}");
                Check { line, text, whole, evidence: "", has_passed: false }
            });
            if check_words.evidence.is_empty() || check.outcome == Outcome::Failed {
                check_words.evidence = check.evidence.as_deref().unwrap_or(check_words.evidence);
            }
            check_words.has_passed |= check.outcome == Outcome::Passed;
        }
        side_checks.extend(by_text.into_values());
    }
    side_checks
}

fn edited_words(hunk: &Hunk) -> BTreeMap<String, bool> {
    let added = content_words(&hunk.added).into_keys();
    let mut words: BTreeMap<String, bool> = added.map(|word| (word, true)).collect();
    for word in content_words(&hunk.removed).into_keys() {
        words.entry(word).and_modify(|is_changed| *is_changed = false).or_insert(true);
    }
    words
}

/// The index of the edit that clearly shares the most with a check, and the shared words as the
/// check writes them, the rarest first.
fn best_edit(
    check: &str,
    evidence: &str,
    edits: &[BTreeMap<String, bool>],
    weights: &Weights,
) -> Option<(usize, Vec<String>)> {
    if edits.len() > MAX_HUNKS {
        return None;
    }
    let (words, more) = (content_words(check), content_words(evidence));
    let shared = |edit: &BTreeMap<String, bool>| {
        let weigh = |(word, is_changed): (&String, &bool)| {
            let part = if *is_changed { 1.0 } else { UNCHANGED_FACTOR };
            match (words.contains_key(word), more.contains_key(word)) {
                (true, _) => weights.weight(word) * part,
                (_, true) => weights.weight(word) * part * EVIDENCE_FACTOR,
                _ => 0.0,
            }
        };
        edit.iter().map(weigh).sum::<f64>()
    };
    let mut scores: Vec<(usize, f64)> = edits.iter().map(shared).enumerate().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (hunk, best) = *scores.first()?;
    let next = scores.get(1).map_or(0.0, |(_, score)| *score);
    if best < MIN_SHARED || best < MARGIN * next {
        return None;
    }
    let shared = words.iter().filter(|(word, _)| edits[hunk].contains_key(*word));
    let mut shared: Vec<(&String, &String)> =
        shared.filter(|(word, _)| weights.weight(word) > 0.0).collect();
    shared.sort_by(|a, b| weights.weight(b.0).total_cmp(&weights.weight(a.0)).then(a.cmp(b)));
    let words: Vec<String> = shared.into_iter().map(|(_, written)| written.clone()).collect();
    // Evidence alone links nothing, because it describes the output.
    (words.len() > 1).then_some((hunk, words))
}

/// A paragraph or an item of a list in the Markdown of a copy.
fn blocks(copy: &SkillCopy) -> Vec<SkillRule> {
    let mut rules: Vec<SkillRule> = Vec::new();
    for (name, text) in copy.iter().filter(|(name, _)| name.ends_with(".md")) {
        let mut is_open = false;
        for (at, line) in text.lines().enumerate() {
            let begins = begins_block(name, line);
            match rules.last_mut().filter(|_| is_open && !begins) {
                _ if line.trim().is_empty() => {}
                Some(last) => {
                    last.text.push('\n');
                    last.text.push_str(line);
                }
                None => rules.push(SkillRule {
                    file: name.clone(),
                    line: at + 1,
                    text: line.to_owned(),
                }),
            }
            is_open = !line.trim().is_empty() && !line.starts_with('#');
        }
    }
    rules
}

/// Words of a rule.
const DEMANDS: &str = "must never always should ensure avoid require required only don't mandatory";

/// The rules of SKILL.md that no check is about.
fn unchecked(blocks: Vec<SkillRule>, checks: &BTreeSet<&str>, weights: &Weights) -> Vec<SkillRule> {
    let is_skill = |name: &str| {
        name.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
    };
    let mut with_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, check) in checks.iter().enumerate() {
        for word in content_words(check).into_keys().filter(|word| weights.weight(word) > 0.0) {
            with_word.entry(word).or_default().push(at);
        }
    }
    let is_unchecked = |rule: &SkillRule| {
        let (mut total, mut shared) = (0.0, BTreeMap::new());
        for word in content_words(&rule.text).into_keys() {
            total += weights.weight(&word);
            for check in with_word.get(&word).into_iter().flatten() {
                *shared.entry(check).or_insert(0.0) += weights.weight(&word);
            }
        }
        let least = MIN_SHARED.min(MIN_COMMON * total);
        total >= MIN_SHARED && shared.into_values().all(|shared| shared < least)
    };
    let is_rule = |rule: &SkillRule| {
        let words = rule.text.to_lowercase();
        let mut words = words.split(|c: char| !c.is_alphanumeric() && c != '\'');
        let is_heading = rule.text.starts_with('#') || rule.text.starts_with("---");
        !is_heading && words.any(|word| is_listed(DEMANDS, word))
    };
    let rules = blocks.into_iter().filter(|rule| is_skill(&rule.file) && is_rule(rule));
    if checks.is_empty() { Vec::new() } else { rules.filter(is_unchecked).collect() }
}

/// The checks that fail in every run and have almost no word in common with the copy.
fn unmentioned<'c, 'w>(
    copy: &SkillCopy,
    checks: &'c [Check<'w>],
    weights: &Weights,
) -> impl Iterator<Item = &'c Check<'w>> {
    let copy_words: BTreeSet<String> =
        copy.values().flat_map(|text| content_words(text).into_keys()).collect();
    let is_empty = copy.is_empty();
    checks.iter().filter(move |check| {
        let (mut total, mut shared) = (0.0, 0.0);
        for word in content_words(&check.whole).into_keys() {
            let weight = weights.weight(&word);
            total += weight;
            shared += if copy_words.contains(&word) { weight } else { 0.0 };
        }
        !is_empty && !check.has_passed && total >= MIN_SHARED && shared < MIN_COMMON * total
    })
}

/// A text in pieces, each with whether it is one of the shared words.
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
