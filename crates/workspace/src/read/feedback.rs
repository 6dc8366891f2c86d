//! Reads people's reviews: a list of them, or a flat map from case to text.

use crate::read::alias::{feedback, labels};
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::read::verdict;
use input::model::{About, Code, Feedback, JudgedCheck, Review, ReviewState};
use input::names;
use json::Node;
use text::folded_name;

/// Reads feedback; `None` if the document has neither shape.
pub(super) fn read(root: Cursor<'_>) -> Option<Feedback> {
    let mut found = Feedback { path: root.path(), ..Feedback::default() };
    if let Some(list) = root.list(&feedback::REVIEWS) {
        for item in list.items() {
            take(listed_review(item), &mut found);
        }
    } else {
        found.flat = true;
        let map = root.object(&feedback::REVIEWS).unwrap_or(root);
        for (key, value) in map.entries().filter(|(key, value)| is_review(key, value.node())) {
            take(review(value, key.to_owned(), value), &mut found);
        }
        if found.reviews.is_empty() && found.blank == 0 {
            return None;
        }
    }
    if let Some(word) = root.label(&feedback::STATUS) {
        found.state = review_state(&word);
    }
    Some(found)
}

fn take(review: Option<Review>, feedback: &mut Feedback) {
    match review {
        Some(review) => feedback.reviews.push(review),
        None => feedback.blank += 1,
    }
}

/// The state of a review by its word.
pub fn review_state(word: &str) -> ReviewState {
    match folded_name(word).as_str() {
        "complete" | "completed" | "done" => ReviewState::Complete,
        "in_progress" => ReviewState::InProgress,
        _ => ReviewState::Unknown,
    }
}

/// Whether an entry of a flat map is a review: a text, or an object with one.
pub fn is_review(key: &str, value: &Node<'_>) -> bool {
    let others = [&feedback::STATUS, &feedback::TIMESTAMP, &labels::SKILL];
    let is_other = others.iter().any(|field| field.spellings.contains(&key));
    let mut entries = value.as_object().unwrap_or_default().iter();
    let says = entries.any(|(name, _)| feedback::TEXT.is(name));
    !is_other && (value.as_text().is_some() || says)
}

fn listed_review(item: Cursor<'_>) -> Option<Review> {
    let says = [&feedback::TEXT, &feedback::DISPUTED, &feedback::JUDGED];
    if item.is_object() && !says.iter().any(|field| item.has(field)) {
        let message = format!("`{}` has no words", item.name());
        item.problem(Code::WrongType, message, "left out", "write them as `feedback`");
        return None;
    }
    review(item, run_of(item), item.at(&feedback::RUN_ID))
}

/// The run that an item names: by its path, else by case and configuration.
// The page of the skill-creator joins the folders with hyphens, `eval-0-with_skill-run-1`.
fn run_of(item: Cursor<'_>) -> String {
    let labels = Labels::read(item, &Labels::default());
    let case_id = labels.case_id.map(|id| names::case_of_id(&id));
    let has_path = item.key("run_id").is_some_and(|id| id.is_filled());
    if let Some(case) = case_id.clone().or(labels.case_name)
        && let Some(configuration) = labels.configuration
        && !has_path
    {
        let run = labels.run.map(|run| format!("/run-{run}")).unwrap_or_default();
        return format!("{case}/{configuration}{run}");
    }
    item.label(&feedback::RUN_ID).or(case_id).unwrap_or_default()
}

/// The review at `item` of the run named at `place`; `None` if it says nothing.
fn review(item: Cursor<'_>, run_id: String, place: Cursor<'_>) -> Option<Review> {
    let text = if item.is_object() { item.text(&feedback::TEXT) } else { item.as_text() };
    let disputed = if item.is_object() { item.texts(&feedback::DISPUTED) } else { Vec::new() };
    let judged = if item.is_object() { judged(item) } else { Vec::new() };
    if text.is_none() && disputed.is_empty() && judged.is_empty() {
        return None;
    }
    Some(Review {
        run_id,
        about: About::Unknown,
        text: text.unwrap_or_default(),
        disputed,
        judged,
        timestamp: item.label(&feedback::TIMESTAMP),
        place: Some(place.place()),
    })
}

/// What the person says of single checks: `"judged": [{"check": "No row is dropped", "outcome": "failed"}]`.
fn judged(item: Cursor<'_>) -> Vec<JudgedCheck> {
    let mut checks = Vec::new();
    for found in item.list(&feedback::JUDGED).into_iter().flat_map(Cursor::items) {
        if let (Some(check), Some(outcome)) =
            (found.text(&feedback::CHECK), found.get(&feedback::OUTCOME))
        {
            checks.push(JudgedCheck { check, outcome: verdict::read(outcome) });
        }
    }
    checks
}
