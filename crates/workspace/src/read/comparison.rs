//! Reads blind comparisons of all three dialects, and analyses written after them.

use std::collections::BTreeMap;

use crate::read::alias::{Field, analysis, comparison, counts, feedback, grading as lists, labels};
use crate::read::cursor::Cursor;
use crate::read::grading;
use input::model::{
    BlindComparison, Code, Dimension, JudgedSide, PersonalJudgement, PostHocAnalysis, Proposal,
    Winner,
};
use input::names;
use text::folded_name;

/// Reads a blind comparison, or a list of them, each with its position among those of the same
/// case; `None` if there is neither a winner nor scores.
pub(super) fn read(root: Cursor<'_>) -> Option<Vec<BlindComparison>> {
    if let Some(only) = read_one(root) {
        return Some(vec![only]);
    }
    let list = root.list(&comparison::LIST)?;
    // What a page exports before a pair is judged has no items.
    if is_by_person(root) {
        return Some(read_judgements(list));
    }
    let comparisons = read_list(list);
    if comparisons.is_empty() { None } else { Some(comparisons) }
}

/// Whether a document is what people judged on review pages.
fn is_by_person(root: Cursor<'_>) -> bool {
    root.key("judge").and_then(Cursor::as_text).as_deref() == Some("human")
}

/// The judgements that a `feedback.json` holds next to its reviews.
pub(super) fn judgements_in_feedback(root: Cursor<'_>) -> Vec<BlindComparison> {
    root.key("judgements").map(read_judgements).unwrap_or_default()
}

/// What people judged, which names the two runs of each pair.
fn read_judgements(list: Cursor<'_>) -> Vec<BlindComparison> {
    let mut judgements: Vec<BlindComparison> = Vec::new();
    for item in list.items().filter(|item| item.is_object()) {
        let Some(read) = read_one(item) else { continue };
        let runs = item.key("runs");
        let person = PersonalJudgement {
            blind: item.key("blind").and_then(Cursor::as_flag).unwrap_or_default(),
            runs: [&comparison::SIDE_A, &comparison::SIDE_B]
                .map(|letter| runs.and_then(|runs| runs.label(letter)).unwrap_or_default()),
            timestamp: item.label(&feedback::TIMESTAMP),
        };
        // A case may have several runs, each judged once.
        let before = judgements.iter().filter(|known| known.case == read.case).count();
        judgements.push(BlindComparison { before: Some(before), person: Some(person), ..read });
    }
    judgements
}

fn read_list(list: Cursor<'_>) -> Vec<BlindComparison> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut comparisons = Vec::new();
    for item in list.items().filter(|item| item.is_object()) {
        let Some(read) = read_one(item) else { continue };
        let case = read.case.or_else(|| item.label(&lists::ITEM_ID));
        let before = counts.entry(folded_name(case.as_deref().unwrap_or_default())).or_default();
        comparisons.push(BlindComparison { case, before: Some(*before), ..read });
        *before += 1;
    }
    comparisons
}

fn read_one(root: Cursor<'_>) -> Option<BlindComparison> {
    let dimensions = dimensions(root);
    let winner = root.get(&comparison::WINNER);
    if winner.is_none() && dimensions.is_empty() {
        return None;
    }
    let mapping = root.object(&comparison::MAPPING);
    let a = mapping.and_then(|mapping| mapping.label(&comparison::SIDE_A));
    let b = mapping.and_then(|mapping| mapping.label(&comparison::SIDE_B));
    check_blind(root);
    Some(BlindComparison {
        path: root.path(),
        case: root.label(&labels::CASE_ID).or_else(|| root.label(&labels::CASE_NAME)),
        before: None,
        prompt: root.text(&comparison::PROMPT),
        winner: winner.and_then(|found| read_winner(found, [&a, &b])),
        reasoning: root.text(&comparison::REASONING),
        a: side(root, &comparison::SIDE_A, a),
        b: side(root, &comparison::SIDE_B, b),
        dimensions,
        versions: None,
        person: None,
    })
}

/// The winner by its letter, or by the version `behind` a letter.
fn read_winner(value: Cursor<'_>, behind: [&Option<String>; 2]) -> Option<Winner> {
    let word = folded_name(value.as_text()?.trim());
    match behind.map(|name| name.as_deref().map(folded_name).as_ref() == Some(&word)) {
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
    const PARTS: [&Field; 2] = [&comparison::CONTENT, &comparison::STRUCTURE];
    let mut dimensions = Vec::new();
    for (name, pair) in root.entries_of(&comparison::SCORES) {
        let (a, b) = (pair.number(&comparison::SIDE_A), pair.number(&comparison::SIDE_B));
        dimensions.push(Dimension { name: name.to_owned(), a, b });
    }
    if let Some(rubric) = root.object(&comparison::RUBRIC)
        && let Some(a) = rubric.get(&comparison::SIDE_A)
        && let Some(b) = rubric.get(&comparison::SIDE_B)
    {
        for part in PARTS {
            let (Some(of_a), Some(of_b)) = (a.object(part), b.object(part)) else { continue };
            for (name, score) in of_a.entries() {
                let (a, b) = (score.node().as_f64(), score_at(of_b, name));
                dimensions.push(Dimension { name: name.to_owned(), a, b });
            }
        }
        for key in ["content_score", "structure_score"] {
            let (a, b) = (score_at(a, key), score_at(b, key));
            dimensions.push(Dimension { name: key.to_owned(), a, b });
        }
    }
    let winner = root.text(&comparison::WINNER).unwrap_or_default().to_lowercase();
    for (name, score) in PARTS.into_iter().flat_map(|part| root.entries_of(part)) {
        let name = name.to_owned();
        let score = score.node().as_f64();
        dimensions.push(if winner.ends_with('b') {
            Dimension { name, a: None, b: score }
        } else {
            Dimension { name, a: score, b: None }
        });
    }
    dimensions.retain(|dimension| dimension.a.is_some() || dimension.b.is_some());
    dimensions
}

fn score_at(side: Cursor<'_>, key: &str) -> Option<f64> {
    side.key(key)?.node().as_f64()
}

fn side(root: Cursor<'_>, letter: &Field, version: Option<String>) -> JudgedSide {
    let quality = root.object(&comparison::QUALITY).and_then(|both| both.get(letter));
    let checks = root.object(&comparison::EXPECTATIONS).and_then(|both| both.get(letter));
    let details = checks.and_then(|side| side.get_where(&comparison::DETAILS, Cursor::is_list));
    let overall = side_score(root, &comparison::RUBRIC, letter)
        .or_else(|| side_score(root, &comparison::SCORES, letter));
    let quality_score = side_score(root, &comparison::QUALITY, letter);
    JudgedSide {
        score: overall.or(quality_score),
        quality: quality_score.filter(|_| overall.is_some()),
        version,
        strengths: quality.map(|side| side.texts(&comparison::STRENGTHS)).unwrap_or_default(),
        weaknesses: quality.map(|side| side.texts(&comparison::WEAKNESSES)).unwrap_or_default(),
        passed: checks.and_then(|side| side.number(&counts::PASSED)),
        total: checks.and_then(|side| side.number(&counts::TOTAL)),
        // A bare text is an expectation without a verdict.
        details: details
            .map(|list| grading::verdicts_of_list(list, Default::default()))
            .unwrap_or_default(),
    }
}

/// The score of a side in the part `field`: an object's overall score, or a bare number.
fn side_score(root: Cursor<'_>, field: &Field, letter: &Field) -> Option<f64> {
    let side = root.object(field)?.get(letter)?;
    side.number(&comparison::SIDE_SCORE).or_else(|| side.node().as_f64())
}

/// The judge must not have known the versions: neither the reasoning nor the remarks on a side may
/// name one.
fn check_blind(root: Cursor<'_>) {
    if let Some(reasoning) = root.get(&comparison::REASONING) {
        check_words(reasoning);
    }
    for (_, side) in root.entries_of(&comparison::QUALITY) {
        for field in [&comparison::STRENGTHS, &comparison::WEAKNESSES] {
            side.items_of(field).for_each(check_words);
        }
    }
}

/// The text must not name a version or configuration of the skill.
fn check_words(text: Cursor<'_>) {
    const NAMES: [&str; 4] = ["with_skill", "without_skill", "old_skill", "new_skill"];
    let text_to_check = text.node().as_text().unwrap_or_default();
    let mut words = text_to_check.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    let telling = words.find(|word| {
        let folded = folded_name(word);
        names::version_number(word).is_some() || NAMES.iter().any(|name| folded.contains(name))
    });
    if let Some(word) = telling {
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
    let instructions = root.object(&analysis::INSTRUCTIONS);
    let winner = instructions.and_then(|instructions| instructions.key("winner"));
    let loser = instructions.and_then(|instructions| instructions.key("loser"));
    let read = PostHocAnalysis {
        path: root.path(),
        winner: head.label(&analysis::WINNER),
        loser: head.label(&analysis::LOSER),
        summary: head.text(&analysis::REASONING),
        strengths: root.texts(&analysis::STRENGTHS),
        weaknesses: root.texts(&analysis::WEAKNESSES),
        instruction_following: (
            winner.and_then(|side| side.number(&comparison::SIDE_SCORE)),
            loser.and_then(|side| side.number(&comparison::SIDE_SCORE)),
        ),
        instruction_issues: (
            winner.map(|side| side.texts(&analysis::ISSUES)).unwrap_or_default(),
            loser.map(|side| side.texts(&analysis::ISSUES)).unwrap_or_default(),
        ),
        proposals: proposals.collect(),
        observations: root.texts(&analysis::OBSERVATIONS),
    };
    let empty = PostHocAnalysis { path: root.path(), ..PostHocAnalysis::default() };
    if read != empty {
        return Some(read);
    }
    // Observations in a list, by case, or under any other name: so are all 30 public ones.
    let observations = if root.is_list() { root.as_texts() } else { root.named_texts(|_| true) };
    if observations.is_empty() { None } else { Some(PostHocAnalysis { observations, ..empty }) }
}

fn proposal(item: Cursor<'_>) -> Option<Proposal> {
    if !item.is_object() {
        return item.as_text().map(|text| Proposal { text: Some(text), ..Proposal::default() });
    }
    let proposal = Proposal {
        area: item.label(&analysis::AREA),
        before: item.text(&analysis::BEFORE),
        after: item.text(&analysis::AFTER),
        text: item.text(&analysis::TEXT),
        priority: item.label(&analysis::PRIORITY),
        expected_impact: item.text(&analysis::IMPACT),
    };
    // A proposal with an area has its text before and after (scored dialect).
    let lacking = match (&proposal.before, &proposal.after) {
        (Some(_), Some(_)) => None,
        (None, None) if item.key("area").is_none() => None,
        (None, _) => Some("before"),
        (Some(_), None) => Some("after"),
    };
    if let Some(lacking) = lacking {
        let message = format!("a suggested change has no `{lacking}`");
        let help = "give the text before and after, so that it can be applied as it stands";
        item.problem(Code::IncompleteProposal, message, "shown without it", help);
    }
    Some(proposal)
}
