//! Reads blind comparisons of all three dialects, and analyses written after them.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::model::{
    BlindComparison, Code, Dimension, JudgedSide, PostHocAnalysis, Proposal, Winner,
};
use crate::read::alias::{Field, analysis, comparison, counts, grading as lists, labels};
use crate::read::cursor::Cursor;
use crate::read::grading;
use crate::text::folded_name;

/// Reads a blind comparison, or a list of them, each with its position among those of the same
/// case; `None` if there is neither a winner nor scores.
pub(super) fn read(root: Cursor<'_>) -> Option<Vec<BlindComparison>> {
    if let Some(only) = read_one(root) {
        return Some(vec![only]);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut comparisons = Vec::new();
    for item in root.list(&comparison::LIST)?.items().filter(|item| item.is_object()) {
        let Some(read) = read_one(item) else { continue };
        let case = read.case.or_else(|| item.label(&lists::ITEM_ID));
        let before = counts.entry(folded_name(case.as_deref().unwrap_or_default())).or_default();
        comparisons.push(BlindComparison { case, before: Some(*before), ..read });
        *before += 1;
    }
    (!comparisons.is_empty()).then_some(comparisons)
}

fn read_one(root: Cursor<'_>) -> Option<BlindComparison> {
    let dimensions = dimensions(root);
    let winner = root.get(&comparison::WINNER);
    if winner.is_none() && dimensions.is_empty() {
        return None;
    }
    let mapping = root.object(&comparison::MAPPING);
    let behind = |letter: &Field| mapping?.label(letter);
    let (a, b) = (behind(&comparison::SIDE_A), behind(&comparison::SIDE_B));
    check_blind(root);
    Some(BlindComparison {
        path: root.path(),
        case: root.label(&labels::CASE_ID).or_else(|| root.label(&labels::CASE_NAME)),
        before: None,
        prompt: root.words(&comparison::PROMPT),
        winner: winner.and_then(|found| read_winner(found, [&a, &b])),
        reasoning: root.words(&comparison::REASONING),
        a: side(root, &comparison::SIDE_A, a),
        b: side(root, &comparison::SIDE_B, b),
        dimensions,
        versions: None,
    })
}

/// The winner by its letter, or by the version `behind` a letter.
fn read_winner(value: Cursor<'_>, behind: [&Option<String>; 2]) -> Option<Winner> {
    let word = folded_name(value.as_words()?.trim());
    let is_named = |name: &Option<String>| name.as_deref().map(folded_name).as_ref() == Some(&word);
    match behind.map(is_named) {
        [true, false] => return Some(Winner::A),
        [false, true] => return Some(Winner::B),
        _ => check_words(value),
    }
    match word.trim().trim_start_matches("output_") {
        "a" => Some(Winner::A),
        "b" => Some(Winner::B),
        "tie" | "draw" | "equal" | "none" | "both" => Some(Winner::Tie),
        _ => {
            let message = format!("the winner `{word}` is neither A, B nor a tie");
            value.problem(Code::WrongType, message, "read as not decided", "write A, B or TIE");
            None
        }
    }
}

/// Scores by criterion: `{dimension: {A, B}}`, per side in a rubric, or once, for the winner
/// (compact dialect).
fn dimensions(root: Cursor<'_>) -> Vec<Dimension> {
    let mut criteria = Vec::new();
    let mut add = |name: &str, a, b| criteria.push(Dimension { name: name.to_owned(), a, b });
    let number_at = |side: Cursor<'_>, key: &str| side.key(key)?.node().as_f64();
    let parts = [&comparison::CONTENT, &comparison::STRUCTURE];
    let (side_a, side_b) = (&comparison::SIDE_A, &comparison::SIDE_B);
    for (name, pair) in root.entries_of(&comparison::SCORES) {
        let (a, b) = (pair.plain_number(side_a), pair.plain_number(side_b));
        if a.is_some() || b.is_some() {
            add(name, a, b);
        }
    }
    let rubric = root.object(&comparison::RUBRIC);
    let sides = rubric.and_then(|rubric| rubric.get(side_a).zip(rubric.get(side_b)));
    if let Some((a, b)) = &sides {
        for part in parts {
            let (Some(of_a), Some(of_b)) = (a.object(part), b.object(part)) else { continue };
            for (name, of_a) in of_a.entries() {
                add(name, of_a.node().as_f64(), number_at(of_b, name));
            }
        }
        for key in ["content_score", "structure_score"] {
            let (a, b) = (number_at(*a, key), number_at(*b, key));
            if a.is_some() || b.is_some() {
                add(key, a, b);
            }
        }
    }
    let is_b =
        root.words(&comparison::WINNER).is_some_and(|word| word.to_lowercase().ends_with('b'));
    for (name, score) in parts.into_iter().flat_map(|part| root.entries_of(part)) {
        let score = score.node().as_f64();
        if is_b { add(name, None, score) } else { add(name, score, None) }
    }
    criteria
}

fn side(root: Cursor<'_>, letter: &Field, version: Option<String>) -> JudgedSide {
    let part = |field: &Field| -> JudgedSide {
        let judged = root.object(field).and_then(|both| both.get(letter));
        let Some(judged) = judged else { return JudgedSide::default() };
        let details = judged.get_where(&comparison::DETAILS, Cursor::is_list);
        JudgedSide {
            score: judged.plain_number(&comparison::SIDE_SCORE).or_else(|| judged.node().as_f64()),
            strengths: judged.texts(&comparison::STRENGTHS),
            weaknesses: judged.texts(&comparison::WEAKNESSES),
            passed: judged.plain_number(&counts::PASSED),
            total: judged.plain_number(&counts::TOTAL),
            // A bare text is an expectation without a verdict.
            details: details.map(|list| grading::verdicts_of_list(list, false)).unwrap_or_default(),
            ..JudgedSide::default()
        }
    };
    let quality = part(&comparison::QUALITY);
    let checks = part(&comparison::EXPECTATIONS);
    let overall = part(&comparison::RUBRIC).score.or(part(&comparison::SCORES).score);
    JudgedSide {
        score: overall.or(quality.score),
        quality: quality.score.filter(|_| overall.is_some()),
        version,
        strengths: quality.strengths,
        weaknesses: quality.weaknesses,
        ..checks
    }
}

/// The judge must not have known the versions: neither the reasoning nor the remarks on a side may
/// name one.
fn check_blind(root: Cursor<'_>) {
    root.get(&comparison::REASONING).into_iter().for_each(check_words);
    for (_, side) in root.entries_of(&comparison::QUALITY) {
        for field in [&comparison::STRENGTHS, &comparison::WEAKNESSES] {
            side.items_of(field).for_each(check_words);
        }
    }
}

/// The text must not name a version or configuration of the skill.
fn check_words(text: Cursor<'_>) {
    const CORES: [&str; 4] = ["with_skill", "without_skill", "old_skill", "new_skill"];
    let is_telling = |word: &&str| {
        let folded = folded_name(word);
        names::version_number(word).is_some() || CORES.iter().any(|core| folded.contains(core))
    };
    let separators = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    let mut words = text.node().as_text().unwrap_or_default().split(separators);
    if let Some(word) = words.find(is_telling) {
        let message = format!("a blind comparison names `{word}`");
        let help = "let the judge see only A and B";
        let assumed = "the judge may not have been blind";
        text.problem(Code::UnblindedComparison, message, assumed, help);
    }
}

/// Reads an analysis; `None` if none of its fields is known.
pub(super) fn read_analysis(root: Cursor<'_>) -> Option<PostHocAnalysis> {
    let head = root.object(&analysis::SUMMARY_PART).unwrap_or(root);
    let proposals = root.items_of(&analysis::PROPOSALS).filter_map(proposal);
    // How each side followed the instructions: its score, and its deviations.
    let instructions = root.object(&analysis::INSTRUCTIONS);
    let side = |name| instructions?.key(name);
    let score = |name| side(name)?.plain_number(&comparison::SIDE_SCORE);
    let issues = |name| side(name).map(|side| side.texts(&analysis::ISSUES)).unwrap_or_default();
    let read = PostHocAnalysis {
        path: root.path(),
        winner: head.label(&analysis::WINNER),
        loser: head.label(&analysis::LOSER),
        summary: head.words(&analysis::REASONING),
        strengths: root.texts(&analysis::STRENGTHS),
        weaknesses: root.texts(&analysis::WEAKNESSES),
        instruction_following: (score("winner"), score("loser")),
        instruction_issues: (issues("winner"), issues("loser")),
        proposals: proposals.collect(),
        observations: root.texts(&analysis::OBSERVATIONS),
    };
    let empty = PostHocAnalysis { path: root.path(), ..PostHocAnalysis::default() };
    if read != empty {
        return Some(read);
    }
    // Observations in a list, by case, or under any other name.
    let observations = if root.is_list() { root.as_texts() } else { root.named_texts(|_| true) };
    (!observations.is_empty()).then_some(PostHocAnalysis { observations, ..empty })
}

fn proposal(item: Cursor<'_>) -> Option<Proposal> {
    if !item.is_object() {
        return item.as_words().map(|text| Proposal { text: Some(text), ..Proposal::default() });
    }
    let proposal = Proposal {
        area: item.label(&analysis::AREA),
        before: item.words(&analysis::BEFORE),
        after: item.words(&analysis::AFTER),
        text: item.words(&analysis::TEXT),
        priority: item.label(&analysis::PRIORITY),
        expected_impact: item.words(&analysis::IMPACT),
    };
    // A proposal with an area has its text before and after (scored dialect).
    let has_any =
        item.key("area").is_some() || proposal.before.is_some() || proposal.after.is_some();
    if has_any && (proposal.before.is_none() || proposal.after.is_none()) {
        let lacking = if proposal.before.is_none() { "before" } else { "after" };
        let message = format!("a suggested change has no `{lacking}`");
        let help = "give the text before and after, so that it can be applied as it stands";
        item.problem(Code::IncompleteProposal, message, "shown without it", help);
    }
    Some(proposal)
}
