//! Reads blind comparisons of all three dialects, and analyses written after them.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::model::{
    BlindComparison, Code, Dimension, Expectation, PostHocAnalysis, Proposal, Side, Winner,
};
use crate::read::alias::{Field, analysis, comparison, counts, grading as lists, labels};
use crate::read::cursor::Cursor;
use crate::read::grading;
use crate::text::folded_name;

/// Reads a blind comparison, or a list of them; `None` when there is neither winner nor scores.
pub(super) fn read(root: &Cursor<'_>) -> Option<Vec<BlindComparison>> {
    if let Some(only) = read_one(root) {
        return Some(vec![only]);
    }
    let list = if root.is_list() {
        Some(*root)
    } else {
        root.get_where(&comparison::LIST, Cursor::is_list)
    };
    let list = list?;
    let found = read_list(&list);
    let is_told = list.items().any(|item| third_letter(&item).is_some());
    (is_told || !found.is_empty()).then_some(found)
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

/// One comparison; what the judge wrote may stand in an object of its own.
fn read_one(root: &Cursor<'_>) -> Option<BlindComparison> {
    if let Some(letter) = third_letter(root) {
        let message = "more than two outputs are compared".to_owned();
        let help = "compare each two of them on their own";
        letter.problem(Code::WrongType, message, "not read", help);
        return None;
    }
    let review = root.get_where(&comparison::REVIEW, Cursor::is_object);
    let review = review.filter(|_| !root.has(&comparison::WINNER));
    let said = review.as_ref().unwrap_or(root);
    let behind = Letters::of(root);
    let dimensions = dimensions(said, &behind);
    let winner = said.get(&comparison::WINNER);
    if winner.is_none() && dimensions.is_empty() {
        return None;
    }
    check_blind(said);
    if let Some(found) = winner.filter(|found| behind.letter(found).is_none()) {
        check_winner(&found);
    }
    Some(BlindComparison {
        path: root.context().path().to_owned(),
        case: root.label(&labels::CASE_ID).or_else(|| root.label(&labels::CASE_NAME)),
        before: None,
        prompt: root.words(&comparison::PROMPT),
        winner: winner.and_then(|found| behind.letter(&found).or_else(|| read_winner(&found))),
        reasoning: said.words(&comparison::REASONING),
        a: side(said, &comparison::SIDE_A, behind.a),
        b: side(said, &comparison::SIDE_B, behind.b),
        dimensions,
        versions: None,
    })
}

/// What stands behind the letters.
#[derive(Default)]
struct Letters {
    a: Option<String>,
    b: Option<String>,
}

impl Letters {
    fn of(root: &Cursor<'_>) -> Self {
        let mapping = root.get_where(&comparison::MAPPING, Cursor::is_object);
        let behind = |letter: &Field| mapping.as_ref().and_then(|mapping| mapping.label(letter));
        Self { a: behind(&comparison::SIDE_A), b: behind(&comparison::SIDE_B) }
    }

    /// The letter of a winner that is named by what stands behind it.
    fn letter(&self, found: &Cursor<'_>) -> Option<Winner> {
        let word = names::fold(found.node().as_text()?.trim());
        let is_it = |name: &Option<String>| name.as_deref().map(names::fold) == Some(word.clone());
        match (is_it(&self.a), is_it(&self.b)) {
            (true, false) => Some(Winner::A),
            (false, true) => Some(Winner::B),
            _ => None,
        }
    }
}

/// The mapping of a third letter where no letter is the winner: of several that lost, nobody can
/// tell which is meant.
fn third_letter<'c>(root: &'c Cursor<'c>) -> Option<Cursor<'c>> {
    let winner = root.get(&comparison::WINNER).and_then(|found| found.as_words());
    let is_letter = winner.is_some_and(|word| letter_of(&names::fold(&word)).is_some());
    let has_third = |mapping: &Cursor<'_>| mapping.key("c").is_some();
    root.get_where(&comparison::MAPPING, has_third).filter(|_| !is_letter)
}

/// What `both` says of one side: under its letter, else under the name behind it.
fn of_side<'c>(both: &'c Cursor<'c>, letter: &Field, name: Option<&str>) -> Option<Cursor<'c>> {
    both.get(letter).or_else(|| both.key(name?))
}

fn read_winner(found: &Cursor<'_>) -> Option<Winner> {
    let word = names::fold(&found.as_words()?);
    let winner = letter_of(&word);
    if winner.is_none() {
        let message = format!("the winner `{word}` is neither A, B nor a tie");
        found.problem(Code::WrongType, message, "read as not decided", "write A, B or TIE");
    }
    winner
}

/// What a folded word says of the winner.
fn letter_of(word: &str) -> Option<Winner> {
    match word.trim().trim_start_matches("output_") {
        "a" => Some(Winner::A),
        "b" => Some(Winner::B),
        "tie" | "draw" | "equal" | "none" | "both" => Some(Winner::Tie),
        _ => None,
    }
}

/// Scores by respect: `{dimension: {A, B}}`, or per side in a rubric.
fn dimensions(root: &Cursor<'_>, behind: &Letters) -> Vec<Dimension> {
    let mut found = Vec::new();
    if let Some(scores) = root.get_where(&comparison::SCORES, Cursor::is_object) {
        let both = |(name, pair): (&str, Cursor<'_>)| {
            let (a, b) =
                (pair.plain_number(&comparison::SIDE_A), pair.plain_number(&comparison::SIDE_B));
            (a.is_some() || b.is_some()).then(|| Dimension { name: name.to_owned(), a, b })
        };
        found.extend(scores.entries().filter_map(both));
    }
    if let Some(rubric) = root.get_where(&comparison::RUBRIC, Cursor::is_object) {
        let a = of_side(&rubric, &comparison::SIDE_A, behind.a.as_deref());
        let b = of_side(&rubric, &comparison::SIDE_B, behind.b.as_deref());
        if let (Some(a), Some(b)) = (a, b) {
            found.extend(rubric_dimensions(&a, &b));
        }
    }
    found.extend(single_sided(root));
    found
}

fn rubric_dimensions<'c>(a: &'c Cursor<'c>, b: &'c Cursor<'c>) -> Vec<Dimension> {
    let mut found = Vec::new();
    for part in [&comparison::CONTENT, &comparison::STRUCTURE] {
        let scores = |side: &'c Cursor<'c>| side.get_where(part, Cursor::is_object);
        let (Some(part_a), Some(part_b)) = (scores(a), scores(b)) else {
            continue;
        };
        for (name, score) in part_a.entries() {
            let b = part_b.key(name).and_then(|found| found.node().as_f64());
            found.push(Dimension { name: name.to_owned(), a: score.node().as_f64(), b });
        }
    }
    for key in ["content_score", "structure_score"] {
        let score = |side: &Cursor<'_>| side.key(key).and_then(|found| found.node().as_f64());
        let (score_a, score_b) = (score(a), score(b));
        if score_a.is_some() || score_b.is_some() {
            found.push(Dimension { name: key.to_owned(), a: score_a, b: score_b });
        }
    }
    if found.is_empty() { plain_dimensions(a, b) } else { found }
}

/// Respects that stand in the rubric itself, each with a score on both sides.
fn plain_dimensions(a: &Cursor<'_>, b: &Cursor<'_>) -> Vec<Dimension> {
    let respects = a.entries().filter(|(name, _)| !comparison::SIDE_SCORE.is(name));
    let scored = respects.filter_map(|(name, score)| {
        let (a, b) = (score.node().as_f64()?, b.key(name)?.node().as_f64()?);
        Some(Dimension { name: name.to_owned(), a: Some(a), b: Some(b) })
    });
    scored.collect()
}

/// The compact dialect scores content and structure once, of the winner.
fn single_sided(root: &Cursor<'_>) -> Vec<Dimension> {
    let winner = root.get(&comparison::WINNER).and_then(|found| found.as_words());
    let is_b = winner.is_some_and(|word| word.to_lowercase().ends_with('b'));
    let mut found = Vec::new();
    for part in [&comparison::CONTENT, &comparison::STRUCTURE] {
        let Some(scores) = root.get_where(part, Cursor::is_object) else {
            continue;
        };
        for (name, score) in scores.entries() {
            let score = score.node().as_f64();
            let (a, b) = if is_b { (None, score) } else { (score, None) };
            found.push(Dimension { name: name.to_owned(), a, b });
        }
    }
    found
}

fn side(root: &Cursor<'_>, letter: &Field, version: Option<String>) -> Side {
    let part = |field: &Field| -> Side {
        let Some(both) = root.get_where(field, Cursor::is_object) else {
            return Side::default();
        };
        let found = of_side(&both, letter, version.as_deref());
        found.map(|found| side_of(&found)).unwrap_or_default()
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
    Side {
        score: found.plain_number(&comparison::SIDE_SCORE).or_else(|| found.node().as_f64()),
        strengths: found.texts(&comparison::STRENGTHS),
        weaknesses: found.texts(&comparison::WEAKNESSES),
        passed: found.plain_number(&counts::PASSED),
        total: found.plain_number(&counts::TOTAL),
        details: details(found),
        ..Side::default()
    }
}

/// The expectations a judge checked, as graders write them; a bare text is one without a verdict.
fn details(found: &Cursor<'_>) -> Vec<Expectation> {
    let listed =
        found.get_where(&comparison::DETAILS, |value| value.is_list() || value.is_object());
    listed.map(|listed| grading::verdicts_of_list(&listed, false)).unwrap_or_default()
}

/// The judge must not have known the versions: its words name none, neither in the reasoning nor
/// on one of the sides.
fn check_blind(root: &Cursor<'_>) {
    if let Some(reasoning) = root.get(&comparison::REASONING) {
        check_words(&reasoning);
    }
    let Some(quality) = root.get_where(&comparison::QUALITY, Cursor::is_object) else {
        return;
    };
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
        let folded = names::fold(word);
        let cores = ["with_skill", "without_skill", "old_skill", "new_skill"];
        names::version_number(word).is_some() || cores.iter().any(|core| folded.contains(core))
    })
}

/// A winner that is named by version was not chosen blindly.
fn check_winner(found: &Cursor<'_>) {
    let word = found.node().as_text().map(str::trim).unwrap_or_default();
    if names::is_configuration(word) || names::version_number(word).is_some() {
        check_words(found);
    }
}

/// Reads an analysis; `None` when nothing of it is known.
pub(super) fn read_analysis(root: &Cursor<'_>) -> Option<PostHocAnalysis> {
    let path = root.context().path().to_owned();
    if root.is_list() {
        let observations = root.as_texts();
        return (!observations.is_empty()).then(|| PostHocAnalysis {
            path,
            observations,
            ..PostHocAnalysis::default()
        });
    }
    let sum = root.get_where(&analysis::SUMMARY_PART, Cursor::is_object);
    let head = sum.as_ref().unwrap_or(root);
    let proposals = root.get_where(&analysis::PROPOSALS, Cursor::is_list);
    let read = PostHocAnalysis {
        path,
        winner: head.label(&analysis::WINNER),
        loser: head.label(&analysis::LOSER),
        summary: head.words(&analysis::REASONING),
        strengths: root.texts(&analysis::STRENGTHS),
        weaknesses: root.texts(&analysis::WEAKNESSES),
        instruction_following: instructions(root),
        instruction_issues: (issues(root, "winner"), issues(root, "loser")),
        proposals: proposals
            .map(|list| list.items().filter_map(|item| proposal(&item)).collect())
            .unwrap_or_default(),
        observations: root.texts(&analysis::OBSERVATIONS),
    };
    let empty = PostHocAnalysis { path: read.path.clone(), ..PostHocAnalysis::default() };
    if read == empty {
        let observations = observations_by_name(root);
        return (!observations.is_empty()).then_some(PostHocAnalysis { observations, ..empty });
    }
    Some(read)
}

/// Observations by case, or under any other name: each with its name.
fn observations_by_name(root: &Cursor<'_>) -> Vec<String> {
    let named = root.entries().flat_map(|(name, found)| {
        found.as_texts().into_iter().map(move |text| format!("{name}: {text}")).collect::<Vec<_>>()
    });
    named.collect()
}

fn instructions(root: &Cursor<'_>) -> (Option<f64>, Option<f64>) {
    let Some(found) = root.get_where(&analysis::INSTRUCTIONS, Cursor::is_object) else {
        return (None, None);
    };
    let score = |key: &str| found.key(key)?.plain_number(&comparison::SIDE_SCORE);
    (score("winner"), score("loser"))
}

/// What one side did otherwise than told.
fn issues(root: &Cursor<'_>, side: &str) -> Vec<String> {
    let found = root.get_where(&analysis::INSTRUCTIONS, Cursor::is_object);
    let found = found.as_ref().and_then(|found| found.key(side));
    found.map(|side| side.texts(&analysis::ISSUES)).unwrap_or_default()
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
