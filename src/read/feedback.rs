//! Reads people's reviews: a list of them, or a flat map from case to text.

use crate::discover::names;
use crate::json::Node;
use crate::model::{About, Code, Feedback, Review, ReviewState};
use crate::read::alias::{feedback, labels};
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::text::folded_name;

/// Reads feedback; `None` if the document has neither shape.
pub(super) fn read(root: Cursor<'_>) -> Option<Feedback> {
    let list = root.list(&feedback::REVIEWS);
    let map = root.object(&feedback::REVIEWS).unwrap_or(root);
    let entries: Vec<Option<Review>> = match list {
        Some(list) => list.items().map(listed).collect(),
        None => {
            let texts = map.entries().filter(|(key, value)| is_review(key, value.node()));
            texts.map(|(key, value)| review(value, || key.to_owned(), value)).collect()
        }
    };
    let state = root.label(&feedback::STATUS);
    (list.is_some() || !entries.is_empty()).then(|| Feedback {
        path: root.path(),
        blank: entries.iter().filter(|review| review.is_none()).count(),
        reviews: entries.into_iter().flatten().collect(),
        state: state.map_or(ReviewState::Unknown, |word| review_state(&word)),
        flat: list.is_none(),
    })
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

fn listed(item: Cursor<'_>) -> Option<Review> {
    if item.is_object() && !item.has(&feedback::TEXT) {
        let message = format!("`{}` has no words", item.name());
        item.problem(Code::WrongType, message, "left out", "write them as `feedback`");
        return None;
    }
    // The run is named by its path, else by case and configuration.
    let run_id = || {
        let labels = Labels::read(item, &Labels::default());
        let Labels { case_id, case_name, configuration, run, .. } = labels;
        let case_id = case_id.map(|id| names::case_of_id(&id));
        let has_path = item.key("run_id").is_some_and(|id| id.is_filled());
        match (case_id.clone().or(case_name), configuration) {
            (Some(case), Some(configuration)) if !has_path => {
                let run = run.map(|run| format!("/run-{run}")).unwrap_or_default();
                format!("{case}/{configuration}{run}")
            }
            _ => item.label(&feedback::RUN_ID).or(case_id).unwrap_or_default(),
        }
    };
    review(item, run_id, item.at(&feedback::RUN_ID))
}

/// The review at `item` of the run named at `place`; `None` if it has no text.
fn review(item: Cursor<'_>, run_id: impl FnOnce() -> String, place: Cursor<'_>) -> Option<Review> {
    let text = if item.is_object() { item.words(&feedback::TEXT)? } else { item.as_words()? };
    let timestamp = item.label(&feedback::TIMESTAMP);
    let (run_id, about, place) = (run_id(), About::Unknown, Some(place.place()));
    Some(Review { run_id, about, text, timestamp, place })
}
