//! Reads people's reviews: a list of them, or a flat map from case to text.

use crate::discover::names;
use crate::model::{About, Code, Feedback, Review, ReviewState};
use crate::read::alias::{feedback, labels};
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::text::folded_name;

/// Reads feedback; `None` when the document is neither shape.
pub(super) fn read(root: &Cursor<'_>) -> Option<Feedback> {
    let path = root.path();
    if let Some(list) = root.list(&feedback::REVIEWS) {
        let reviews: Vec<Review> = list.items().filter_map(|item| review(&item)).collect();
        let blank = list.items().count() - reviews.len();
        return Some(Feedback { path, reviews, blank, state: state(root), flat: false });
    }
    let by_name = root.object(&feedback::REVIEWS);
    let map = by_name.as_ref().unwrap_or(root);
    let texts: Vec<_> = map.entries().filter(|(key, value)| is_review(key, value)).collect();
    if texts.is_empty() {
        return None;
    }
    let reviews: Vec<Review> = texts
        .iter()
        .filter_map(|(key, value)| {
            let inner = value.is_object();
            let text = if inner { value.words(&feedback::TEXT)? } else { value.as_words()? };
            let timestamp = value.label(&feedback::TIMESTAMP);
            let (run_id, place) = ((*key).to_owned(), Some(value.place()));
            Some(Review { run_id, text, timestamp, about: About::Unknown, place })
        })
        .collect();
    let blank = texts.len() - reviews.len();
    Some(Feedback { path, reviews, blank, state: state(root), flat: true })
}

/// Whether an entry of a flat map is a review: a text, or an object with one.
fn is_review(key: &str, value: &Cursor<'_>) -> bool {
    let others = [&feedback::STATUS, &feedback::TIMESTAMP, &labels::SKILL];
    let is_other = others.iter().any(|field| field.spellings.contains(&key));
    let says = value.is_object() && value.has(&feedback::TEXT);
    !is_other && (value.node().as_text().is_some() || says)
}

fn review(item: &Cursor<'_>) -> Option<Review> {
    if !item.is_object() {
        let text = item.as_words()?;
        let (run_id, about, place) = (String::new(), About::Unknown, Some(item.place()));
        return Some(Review { run_id, about, text, timestamp: None, place });
    }
    if !item.has(&feedback::TEXT) {
        let message = format!("`{}` has no words", item.name());
        item.problem(Code::WrongType, message, "left out", "write them as `feedback`");
        return None;
    }
    let text = item.words(&feedback::TEXT)?;
    let run_id = run_of(item);
    let timestamp = item.label(&feedback::TIMESTAMP);
    let place = Some(item.get(&feedback::RUN_ID).unwrap_or(*item).place());
    Some(Review { run_id, about: About::Unknown, text, timestamp, place })
}

/// The run that a review names: by its path, else by case and configuration.
fn run_of(item: &Cursor<'_>) -> String {
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
}

fn state(root: &Cursor<'_>) -> ReviewState {
    match root.label(&feedback::STATUS).map(|state| folded_name(&state)).as_deref() {
        Some("complete" | "completed" | "done") => ReviewState::Complete,
        Some("in_progress") => ReviewState::InProgress,
        _ => ReviewState::Unknown,
    }
}
