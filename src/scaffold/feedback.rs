//! Changes to a `feedback.json` from a comment or the end of a review: edits to its own text, in
//! its shape and spellings. Other reviews, other keys and their order stay byte for byte. Only
//! strictly valid JSON, apart from a byte order mark, is changed at all.

use std::ops::Range;

use serde_json::Value;

use crate::json::{Node, Spanned, number_text, parse_strict};
use crate::read::alias::{Field, feedback};
use crate::read::{is_review, is_spelling, review_state};
use crate::scaffold::{Edit, appended, applied, entries, field_where, items, without_mark};
use crate::text::folded_name;

#[derive(Clone, Copy, Debug)]
pub struct PersonReview<'s> {
    /// The names that the run may have in the file; the first for a new review.
    pub names: &'s [String],
    /// Whether any spelling of them counts; not if another run's differ in nothing else.
    pub folds: bool,
    /// The text that the person saw before.
    pub before: &'s str,
    pub words: &'s str,
    pub time: &'s str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedbackError {
    /// It is not JSON, or has a repeated key.
    NotJson,
    Shape,
    /// It has another text on the run by now: these words, as a page shows them.
    Other(String),
    NoState,
}

/// The states that we write during a review and at its end.
const IN_PROGRESS: &str = "in_progress";
const COMPLETE: &str = "complete";

/// The text of the file with the words of `comment` in it, and the review in progress. Pages show a text
/// cleaned by `guarded`; words that match the file's as shown there are unchanged.
pub fn with_words(
    text: Option<&str>,
    comment: &PersonReview<'_>,
    guarded: &dyn Fn(&str) -> String,
) -> Result<String, FeedbackError> {
    let begun = || {
        let reviews = reviews(comment);
        format!("{{\n  \"reviews\": {reviews},\n  \"status\": \"in_progress\"\n}}\n")
    };
    changed(text, begun, |text, root, shape| {
        let existing = shape.review(comment);
        let current = existing.and_then(words_of).unwrap_or_default();
        let shown = guarded(&words_in(&guarded(text), comment).unwrap_or_else(|| current.clone()));
        let is_there =
            |words: &str| [&current, &shown].iter().any(|other| seen(other) == seen(words));
        if is_there(comment.words) {
            return Ok(Vec::new());
        }
        if !is_there(comment.before) {
            return Err(FeedbackError::Other(shown));
        }
        let mut edits = match existing {
            Some(existing) => edits(existing, text, comment),
            None => vec![shape.added(text, root, comment)],
        };
        edits.extend(state(text, root, shape, IN_PROGRESS).unwrap_or_default());
        Ok(edits)
    })
}

pub fn completed(text: Option<&str>) -> Result<String, FeedbackError> {
    let begun = || "{\n  \"reviews\": [],\n  \"status\": \"complete\"\n}\n".to_owned();
    changed(text, begun, |text, root, shape| {
        state(text, root, shape, COMPLETE).ok_or(FeedbackError::NoState)
    })
}

/// The text of a file with the edits of `change`; `begun` if the file is empty.
fn changed(
    text: Option<&str>,
    begun: impl Fn() -> String,
    change: impl Fn(&str, &Spanned<'_>, &FeedbackShape<'_, '_>) -> Result<Vec<Edit>, FeedbackError>,
) -> Result<String, FeedbackError> {
    let Some(text) = text else { return Ok(begun()) };
    let (mark, text) = without_mark(text);
    let root = parsed(text)?;
    let text = match &root.node {
        Node::Object(entries) if entries.is_empty() => begun(),
        _ => applied(text, change(text, &root, &shape(&root)?)?),
    };
    Ok(mark.to_owned() + &text)
}

/// The file's words on the run that `comment` is about.
fn words_in(text: &str, comment: &PersonReview<'_>) -> Option<String> {
    let root = parsed(text).ok()?;
    words_of(shape(&root).ok()?.review(comment)?)
}

/// A list of one review, as the value of a key.
fn reviews(comment: &PersonReview<'_>) -> String {
    format!("[\n    {}\n  ]", review(None, comment).replace('\n', "\n    "))
}

fn name<'s>(given: &PersonReview<'s>) -> &'s str {
    given.names.first().map_or("", String::as_str)
}

fn parsed(text: &str) -> Result<Spanned<'_>, FeedbackError> {
    parse_strict(text).map_err(|_| FeedbackError::NotJson)
}

/// Words as a page shows them, for comparison with the file.
fn seen(words: &str) -> String {
    let lines = words.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        _ if c.is_control() => char::REPLACEMENT_CHARACTER,
        _ => c,
    };
    lines.trim().chars().map(shown).collect()
}

/// The change that sets the file's state to `word`; `None` if it has no place for one.
fn state(
    text: &str,
    root: &Spanned<'_>,
    shape: &FeedbackShape<'_, '_>,
    word: &str,
) -> Option<Vec<Edit>> {
    if let Some(status) = field(root, &feedback::STATUS) {
        let wanted = Some(review_state(word));
        let is_there = status.as_text().map(review_state) == wanted;
        return Some(if is_there { Vec::new() } else { vec![replaced(status, word)] });
    }
    let is_own = match shape {
        FeedbackShape::List(own) | FeedbackShape::Map(own) => !std::ptr::eq(*own, root),
        FeedbackShape::Nothing(_) => true,
    };
    let entry = format!("\"status\": {}", string(word));
    is_own.then(|| vec![added(text, root, &entry)])
}

#[derive(Debug)]
enum FeedbackShape<'s, 't> {
    List(&'s Spanned<'t>),
    Map(&'s Spanned<'t>),
    /// An object without reviews; its `null` in their place.
    Nothing(Option<&'s Spanned<'t>>),
}

/// Makes the same decisions as the reader of feedback.
fn shape<'s, 't>(root: &'s Spanned<'t>) -> Result<FeedbackShape<'s, 't>, FeedbackError> {
    let is_list = |value: &Spanned<'_>| value.as_list().is_some();
    if is_list(root) {
        return Ok(FeedbackShape::List(root));
    }
    if let Some(list) = field_where(root, &feedback::REVIEWS, is_list) {
        return Ok(FeedbackShape::List(list));
    }
    let by_name = field_where(root, &feedback::REVIEWS, |value| value.as_object().is_some());
    let map = by_name.unwrap_or(root);
    let entries = map.as_object().ok_or(FeedbackError::Shape)?;
    if by_name.is_some() || entries.iter().any(|(key, value)| is_review(key, value)) {
        return Ok(FeedbackShape::Map(map));
    }
    match field_where(root, &feedback::REVIEWS, |_| true) {
        Some(other) if !matches!(other.node, Node::Null) => Err(FeedbackError::Shape),
        null => Ok(FeedbackShape::Nothing(null)),
    }
}

/// The place of a review's words, which may be the review itself.
fn place_of<'s, 't>(review: &'s Spanned<'t>) -> Option<&'s Spanned<'t>> {
    match &review.node {
        Node::Object(_) => field(review, &feedback::TEXT),
        _ => Some(review),
    }
}

fn words_of(review: &Spanned<'_>) -> Option<String> {
    match &place_of(review)?.node {
        Node::Null | Node::Object(_) => None,
        Node::Text(text) => Some(text.to_string()),
        Node::List(lines) => Some(lines.iter().filter_map(words_of).collect::<Vec<_>>().join("\n")),
        Node::Bool(flag) => Some(flag.to_string()),
        Node::Number(number) => Some(number_text(number)),
    }
}

fn edits(review: &Spanned<'_>, text: &str, comment: &PersonReview<'_>) -> Vec<Edit> {
    let Some(place) = place_of(review) else {
        let entry = format!("\"feedback\": {}", string(comment.words));
        return vec![added(text, review, &entry)];
    };
    let time = field(review, &feedback::TIMESTAMP).map(|value| replaced(value, comment.time));
    std::iter::once(replaced(place, comment.words)).chain(time).collect()
}

impl<'s, 't> FeedbackShape<'s, 't> {
    /// The last review of the run that `comment` is about: by its exact name, else in another
    /// spelling.
    fn review(&self, comment: &PersonReview<'_>) -> Option<&'s Spanned<'t>> {
        let folded = |name: &str| folded_name(name).replace('/', "_");
        let wanted: Vec<String> = comment.names.iter().map(|name| folded(name)).collect();
        let exact = self.last(&|name| comment.names.iter().any(|known| known == name));
        exact.or_else(|| self.last(&|name| comment.folds && wanted.contains(&folded(name))))
    }

    fn last(&self, is_wanted: &dyn Fn(&str) -> bool) -> Option<&'s Spanned<'t>> {
        match self {
            Self::List(list) => {
                items(list).iter().rev().find(|item| id(item).is_some_and(|id| is_wanted(&id)))
            }
            Self::Map(map) => {
                let entries = entries(map).iter().rev();
                let mut matches = entries.filter(|(key, value)| is_review(key, value));
                matches.find(|(key, _)| is_wanted(key)).map(|(_, value)| value)
            }
            Self::Nothing(_) => None,
        }
    }

    /// The change that adds a review in the style of those before it.
    fn added(&self, text: &str, root: &Spanned<'_>, comment: &PersonReview<'_>) -> Edit {
        match self {
            Self::List(list) => {
                let like = items(list).iter().rev().find(|item| !entries(item).is_empty());
                added(text, list, &review(like, comment))
            }
            Self::Map(map) => {
                let mut reviews = entries(map).iter().rev();
                let like = reviews.find(|(key, value)| is_review(key, value));
                let words = like.and_then(|(_, like)| key(like, &feedback::TEXT));
                let value = match words {
                    Some(key) => format!("{{ {}: {} }}", string(key), string(comment.words)),
                    None => string(comment.words),
                };
                added(text, map, &format!("{}: {value}", string(name(comment))))
            }
            Self::Nothing(Some(null)) => Edit { at: null.span(), text: reviews(comment) },
            Self::Nothing(None) => added(text, root, &format!("\"reviews\": {}", reviews(comment))),
        }
    }
}

/// A review with the keys of `like`, else with those of the skill-creator.
fn review(like: Option<&Spanned<'_>>, comment: &PersonReview<'_>) -> String {
    let fields = [
        (&feedback::RUN_ID, name(comment), true),
        (&feedback::TEXT, comment.words, true),
        (&feedback::TIMESTAMP, comment.time, false),
    ];
    let entry = |(field, value, is_needed): (&Field, &str, bool)| {
        let key_of_like = like.and_then(|like| key(like, field));
        let ours = field.spellings.first().copied().filter(|_| like.is_none() || is_needed);
        Some(format!("  {}: {}", string(key_of_like.or(ours)?), string(value)))
    };
    let entries: Vec<String> = fields.into_iter().filter_map(entry).collect();
    format!("{{\n{}\n}}", entries.join(",\n"))
}

/// One more item or entry of `container`, on a line of its own if those before are.
fn added(text: &str, container: &Spanned<'_>, what: &str) -> Edit {
    let parts: Vec<Range<usize>> = match &container.node {
        Node::List(items) => items.iter().map(Spanned::span).collect(),
        Node::Object(entries) => entries.iter().map(|(_, value)| value.span()).collect(),
        _ => Vec::new(),
    };
    let Some(last) = parts.last() else {
        let indent = if container.span().start == 0 { "  " } else { "    " };
        return appended(container, &what.replace('\n', &format!("\n{indent}")), indent);
    };
    let before = parts.iter().rev().nth(1).map_or(container.span().start, |part| part.end);
    // Between the last two values are a comma, perhaps a line break, and the key of an entry.
    let Some((_, line)) = text[before..last.start].rsplit_once('\n') else {
        let (end, line) = (appended(container, "", "").at, what.split('\n').map(str::trim));
        return Edit { at: end, text: format!(", {}", line.collect::<Vec<_>>().join(" ")) };
    };
    let indent = &line[..line.len() - line.trim_start().len()];
    appended(container, &what.replace('\n', &format!("\n{indent}")), indent)
}

/// The value of `field` that counts: the first non-empty spelling, else the first there.
fn field<'s, 't>(object: &'s Spanned<'t>, field: &Field) -> Option<&'s Spanned<'t>> {
    field_where(object, field, |found| found.is_filled())
        .or_else(|| field_where(object, field, |_| true))
}

fn key<'s>(object: &'s Spanned<'_>, field: &Field) -> Option<&'s str> {
    let of = |key: &&str| entries(object).iter().find(|(name, _)| is_spelling(name, key));
    field.spellings.iter().find_map(of).map(|(name, _)| &**name)
}

fn id(item: &Spanned<'_>) -> Option<String> {
    match &field(item, &feedback::RUN_ID)?.node {
        Node::Text(text) => Some(text.to_string()),
        Node::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    }
}

fn replaced(found: &Spanned<'_>, words: &str) -> Edit {
    Edit { at: found.span(), text: string(words) }
}

fn string(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
