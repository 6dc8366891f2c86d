//! Reads blind comparisons of all three dialects, and analyses written after them.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::model::{BlindComparison, Code, Dimension, PostHocAnalysis, Proposal, Side, Winner};
use crate::read::alias::{Field, analysis, comparison, counts, grading as lists, labels};
use crate::read::cursor::Cursor;
use crate::read::grading;
use crate::text::folded_name;

/// Reads a blind comparison, or a list of them; `None` when there is neither winner nor scores.
pub(super) fn read(root: &Cursor<'_>) -> Option<Vec<BlindComparison>> {
    if let Some(only) = read_one(root) {
        return Some(vec![only]);
    }
    let found = read_list(&root.list(&comparison::LIST)?);
    (!found.is_empty()).then_some(found)
}

/// The comparisons of a list, each with its place among those of the same case.
fn read_list(list: &Cursor<'_>) -> Vec<BlindComparison> {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for item in list.items().filter(Cursor::is_object) {
        let Some(read) = read_one(&item) else { continue };
        let case = read.case.or_else(|| item.label(&lists::ITEM_ID));
        let before = met.entry(folded_name(case.as_deref().unwrap_or_default())).or_default();
        found.push(BlindComparison { case, before: Some(*before), ..read });
        *before += 1;
    }
    found
}

fn read_one(root: &Cursor<'_>) -> Option<BlindComparison> {
    let dimensions = dimensions(root);
    let winner = root.get(&comparison::WINNER);
    if winner.is_none() && dimensions.is_empty() {
        return None;
    }
    let mapping = root.object(&comparison::MAPPING);
    let behind = |letter: &Field| mapping.as_ref().and_then(|mapping| mapping.label(letter));
    let (a, b) = (behind(&comparison::SIDE_A), behind(&comparison::SIDE_B));
    check_blind(root);
    Some(BlindComparison {
        path: root.path(),
        case: root.label(&labels::CASE_ID).or_else(|| root.label(&labels::CASE_NAME)),
        before: None,
        prompt: root.words(&comparison::PROMPT),
        winner: winner.and_then(|found| read_winner(&found, [&a, &b])),
        reasoning: root.words(&comparison::REASONING),
        a: side(root, &comparison::SIDE_A, a),
        b: side(root, &comparison::SIDE_B, b),
        dimensions,
        versions: None,
    })
}

/// The winner by its letter, or by what is `behind` the letters.
fn read_winner(found: &Cursor<'_>, behind: [&Option<String>; 2]) -> Option<Winner> {
    let word = folded_name(found.as_words()?.trim());
    let is_named = |name: &Option<String>| name.as_deref().map(folded_name).as_ref() == Some(&word);
    match behind.map(is_named) {
        [true, false] => return Some(Winner::A),
        [false, true] => return Some(Winner::B),
        _ => check_words(found),
    }
    let winner = match word.trim().trim_start_matches("output_") {
        "a" => Some(Winner::A),
        "b" => Some(Winner::B),
        "tie" | "draw" | "equal" | "none" | "both" => Some(Winner::Tie),
        _ => None,
    };
    if winner.is_none() {
        let message = format!("the winner `{word}` is neither A, B nor a tie");
        found.problem(Code::WrongType, message, "read as not decided", "write A, B or TIE");
    }
    winner
}

/// Scores by respect: `{dimension: {A, B}}`, per side in a rubric, or once, of the winner (compact
/// dialect).
fn dimensions(root: &Cursor<'_>) -> Vec<Dimension> {
    let mut found = Vec::new();
    let mut add = |name: &str, a, b| found.push(Dimension { name: name.to_owned(), a, b });
    let parts = [&comparison::CONTENT, &comparison::STRUCTURE];
    if let Some(scores) = root.object(&comparison::SCORES) {
        for (name, pair) in scores.entries() {
            let (a, b) = (&comparison::SIDE_A, &comparison::SIDE_B);
            let (a, b) = (pair.plain_number(a), pair.plain_number(b));
            if a.is_some() || b.is_some() {
                add(name, a, b);
            }
        }
    }
    let rubric = root.object(&comparison::RUBRIC);
    let sides = rubric.as_ref().and_then(|rubric| {
        Some((rubric.get(&comparison::SIDE_A)?, rubric.get(&comparison::SIDE_B)?))
    });
    if let Some((a, b)) = &sides {
        for part in parts {
            let (Some(of_a), Some(of_b)) = (a.object(part), b.object(part)) else { continue };
            of_a.entries()
                .for_each(|(name, of_a)| add(name, of_a.node().as_f64(), number_at(&of_b, name)));
        }
        for key in ["content_score", "structure_score"] {
            let (a, b) = (number_at(a, key), number_at(b, key));
            if a.is_some() || b.is_some() {
                add(key, a, b);
            }
        }
    }
    let winner = root.get(&comparison::WINNER).and_then(|found| found.as_words());
    let is_b = winner.is_some_and(|word| word.to_lowercase().ends_with('b'));
    for scores in parts.into_iter().filter_map(|part| root.object(part)) {
        for (name, score) in scores.entries() {
            let score = score.node().as_f64();
            if is_b { add(name, None, score) } else { add(name, score, None) }
        }
    }
    found
}

fn number_at(side: &Cursor<'_>, key: &str) -> Option<f64> {
    side.key(key)?.node().as_f64()
}

fn side(root: &Cursor<'_>, letter: &Field, version: Option<String>) -> Side {
    let part = |field: &Field| -> Side {
        let Some(both) = root.object(field) else { return Side::default() };
        both.get(letter).map(|found| side_of(&found)).unwrap_or_default()
    };
    let quality = part(&comparison::QUALITY);
    let (rubric, scores) = (part(&comparison::RUBRIC), part(&comparison::SCORES));
    let checks = part(&comparison::EXPECTATIONS);
    let overall = rubric.score.or(scores.score);
    Side {
        score: overall.or(quality.score),
        quality: quality.score.filter(|_| overall.is_some()),
        strengths: quality.strengths,
        weaknesses: quality.weaknesses,
        passed: checks.passed,
        total: checks.total,
        details: checks.details,
        version,
    }
}

fn side_of(found: &Cursor<'_>) -> Side {
    let details = found.get_where(&comparison::DETAILS, Cursor::is_list);
    Side {
        score: found.plain_number(&comparison::SIDE_SCORE).or_else(|| found.node().as_f64()),
        strengths: found.texts(&comparison::STRENGTHS),
        weaknesses: found.texts(&comparison::WEAKNESSES),
        passed: found.plain_number(&counts::PASSED),
        total: found.plain_number(&counts::TOTAL),
        // A bare text is an expectation without a verdict.
        details: details.map(|list| grading::verdicts_of_list(&list, false)).unwrap_or_default(),
        ..Side::default()
    }
}

/// The judge must not have known the versions: its words name none, neither in the reasoning nor
/// on one of the sides.
fn check_blind(root: &Cursor<'_>) {
    if let Some(reasoning) = root.get(&comparison::REASONING) {
        check_words(&reasoning);
    }
    let Some(quality) = root.object(&comparison::QUALITY) else { return };
    for (_, side) in quality.entries() {
        for field in [&comparison::STRENGTHS, &comparison::WEAKNESSES] {
            let lines = side.get_where(field, Cursor::is_list);
            lines.iter().for_each(|lines| lines.items().for_each(|line| check_words(&line)));
        }
    }
}

fn check_words(found: &Cursor<'_>) {
    if let Some(word) = found.node().as_text().and_then(named_version) {
        let message = format!("a blind comparison names `{word}`");
        let help = "let the judge see only A and B";
        let assumed = "the judge may not have been blind";
        found.problem(Code::UnblindedComparison, message, assumed, help);
    }
}

/// The first word that names a version or a configuration of the skill.
fn named_version(words: &str) -> Option<&str> {
    let separators = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    words.split(separators).find(|word| {
        let folded = folded_name(word);
        let cores = ["with_skill", "without_skill", "old_skill", "new_skill"];
        names::version_number(word).is_some() || cores.iter().any(|core| folded.contains(core))
    })
}

/// Reads an analysis; `None` when nothing of it is known.
pub(super) fn read_analysis(root: &Cursor<'_>) -> Option<PostHocAnalysis> {
    let path = root.path();
    if root.is_list() {
        let observations = root.as_texts();
        return (!observations.is_empty()).then(|| PostHocAnalysis {
            path,
            observations,
            ..PostHocAnalysis::default()
        });
    }
    let sum = root.object(&analysis::SUMMARY_PART);
    let head = sum.as_ref().unwrap_or(root);
    let proposals = root.get_where(&analysis::PROPOSALS, Cursor::is_list);
    let proposals = proposals.iter().flat_map(Cursor::items).filter_map(|item| proposal(&item));
    let (winner, loser) = (instructions(root, "winner"), instructions(root, "loser"));
    let read = PostHocAnalysis {
        path,
        winner: head.label(&analysis::WINNER),
        loser: head.label(&analysis::LOSER),
        summary: head.words(&analysis::REASONING),
        strengths: root.texts(&analysis::STRENGTHS),
        weaknesses: root.texts(&analysis::WEAKNESSES),
        instruction_following: (winner.0, loser.0),
        instruction_issues: (winner.1, loser.1),
        proposals: proposals.collect(),
        observations: root.texts(&analysis::OBSERVATIONS),
    };
    let empty = PostHocAnalysis { path: read.path.clone(), ..PostHocAnalysis::default() };
    if read == empty {
        // Observations by case, or under any other name.
        let observations = root.named_texts(|_| true);
        return (!observations.is_empty()).then_some(PostHocAnalysis { observations, ..empty });
    }
    Some(read)
}

/// How one side followed the instructions: its score, and what it did otherwise.
fn instructions(root: &Cursor<'_>, side: &str) -> (Option<f64>, Vec<String>) {
    let found = root.object(&analysis::INSTRUCTIONS);
    let Some(side) = found.as_ref().and_then(|found| found.key(side)) else {
        return (None, Vec::new());
    };
    (side.plain_number(&comparison::SIDE_SCORE), side.texts(&analysis::ISSUES))
}

fn proposal(item: &Cursor<'_>) -> Option<Proposal> {
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
    check_proposal(item, &proposal);
    Some(proposal)
}

/// A proposal with an area carries its text before and after (scored dialect).
fn check_proposal(item: &Cursor<'_>, proposal: &Proposal) {
    let is_change =
        item.key("area").is_some() || proposal.before.is_some() || proposal.after.is_some();
    if is_change && (proposal.before.is_none() || proposal.after.is_none()) {
        let lacking = if proposal.before.is_none() { "before" } else { "after" };
        let message = format!("a suggested change has no `{lacking}`");
        let help = "give the text before and after, so that it can be applied as it stands";
        item.problem(Code::IncompleteProposal, message, "shown without it", help);
    }
}
