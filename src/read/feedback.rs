//! Reads people's reviews: a list of them, or a flat map from case to text.

use crate::model::{Feedback, Review, ReviewState};
use crate::read::alias::feedback;
use crate::read::cursor::Cursor;

/// Reads feedback; `None` when the document is neither shape.
pub(super) fn read(root: &Cursor<'_>) -> Option<Feedback> {
    let path = root.context().path().to_owned();
    if let Some(list) = root.get_where(&feedback::REVIEWS, Cursor::is_list) {
        let reviews: Vec<Review> = list.items().filter_map(|item| review(&item)).collect();
        let blank = list.items().count() - reviews.len();
        return Some(Feedback { path, reviews, blank, state: state(root), flat: false });
    }
    let is_text = |(key, value): &(&str, Cursor<'_>)| {
        value.node().as_text().is_some() && !feedback::STATUS.spellings.contains(key)
    };
    let texts: Vec<_> = root.entries().filter(is_text).collect();
    if texts.is_empty() {
        return None;
    }
    let reviews: Vec<Review> = texts
        .iter()
        .filter_map(|(key, value)| {
            let text = value.as_words()?;
            Some(Review { run_id: (*key).to_owned(), text, timestamp: None })
        })
        .collect();
    let blank = texts.len() - reviews.len();
    Some(Feedback { path, reviews, blank, state: state(root), flat: true })
}

fn review(item: &Cursor<'_>) -> Option<Review> {
    let text = item.words(&feedback::TEXT)?;
    let run_id = item.label(&feedback::RUN_ID).unwrap_or_default();
    Some(Review { run_id, text, timestamp: item.label(&feedback::TIMESTAMP) })
}

fn state(root: &Cursor<'_>) -> ReviewState {
    match root.label(&feedback::STATUS).as_deref() {
        Some("complete" | "completed" | "done") => ReviewState::Complete,
        Some("in_progress" | "in progress") => ReviewState::InProgress,
        _ => ReviewState::Unknown,
    }
}
