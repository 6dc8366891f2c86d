//! Saving a comment: changes a `feedback.json` by edits to its own text, in its shape and spellings.
//!
//! Other reviews, other keys and their order stay byte for byte. Only strictly valid JSON, apart from
//! a byte order mark, is changed at all. `cli/serve/save.rs` reads the file and puts it back.

mod marks;

pub use crate::scaffold::feedback_file::marks::CheckMark;

use serde_json::Value;

use crate::scaffold::json_edit::{
    Edit, append, apply, entries, field_where, items, split_mark, value_spans,
};
use json::{Node, Spanned, number_text, parse_strict};
use text::folded_name;
use workspace::read::alias::{Field, feedback};
use workspace::read::{is_review, is_spelling, review_state};

/// What a person wrote about a run.
#[derive(Clone, Copy, Debug)]
pub struct Comment<'s> {
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
    /// It is JSON of another shape.
    Shape,
    /// It has another text on the run by now: these words, as a page shows them.
    Other(String),
    /// It is not from pages of a report, and stays as it is.
    Foreign,
    /// It is a bare list or map, which has no place for the state of the review.
    NoState,
}

/// The states that are written during a review and at its end.
const IN_PROGRESS: &str = "in_progress";
const COMPLETE: &str = "complete";

/// The text of the file with the words of `comment` in it, and the review in progress.
///
/// Pages show a text cleaned by `guarded`. Words that match the file's as shown there are unchanged.
pub fn save_comment(
    text: Option<&str>,
    comment: &Comment<'_>,
    guarded: &dyn Fn(&str) -> String,
) -> Result<String, FeedbackError> {
    let new_file = format!(
        "{{\n  \"reviews\": {},\n  \"status\": \"{IN_PROGRESS}\"\n}}\n",
        list_of_one_review(comment)
    );
    let Some(text) = text else { return Ok(new_file) };
    let file = FeedbackFile::parse(text)?;
    if file.is_blank() {
        return Ok(file.mark.to_owned() + &new_file);
    }

    let shape = shape(&file.root)?;
    let review = shape.review_about(comment);
    let stored = review.and_then(words_of).unwrap_or_default();
    // The person saw the page's text, in which secrets are marks, and may hand it back as it was.
    let shown = words_about(&guarded(file.text), comment).unwrap_or_else(|| stored.clone());
    let shown = guarded(&shown);
    let is_known =
        |words: &str| [&stored, &shown].iter().any(|known| as_shown(known) == as_shown(words));
    if is_known(comment.words) {
        return Ok(text.to_owned());
    }
    if !is_known(comment.before) {
        return Err(FeedbackError::Other(shown));
    }

    let mut edits = match review {
        Some(review) => file.replace_words(review, comment),
        None => vec![file.add_review(&shape, comment)],
    };
    edits.extend(file.set_state(&shape, IN_PROGRESS).unwrap_or_default());
    Ok(file.with(edits))
}

/// The text of the file in which the review of the comment's run says, or does not say any more, what `mark`
/// says of a check. The comment has no words of its own.
pub fn save_mark(
    text: Option<&str>,
    comment: &Comment<'_>,
    mark: CheckMark<'_>,
) -> Result<String, FeedbackError> {
    let item = mark.item();
    let entry = format!("\"{}\": [{}]", mark.list().1, item.as_deref().unwrap_or_default());
    let review = new_review(None, comment);
    let review = format!("{},\n  {entry}\n}}", review.trim_end_matches("\n}"));
    let new_file = format!(
        "{{\n  \"reviews\": [\n    {}\n  ],\n  \"status\": \"{IN_PROGRESS}\"\n}}\n",
        review.replace('\n', "\n    ")
    );
    let Some(text) = text else { return Ok(new_file) };
    let file = FeedbackFile::parse(text)?;
    if file.is_blank() {
        return Ok(file.mark.to_owned() + &new_file);
    }
    let shape = shape(&file.root)?;
    let edit = match shape.review_about(comment) {
        Some(known) => file.put_mark(known, mark, &entry),
        None if item.is_none() => return Ok(text.to_owned()),
        None => match &shape {
            FeedbackShape::List(list) => file.append_alike(list, &review),
            FeedbackShape::Map(map) => {
                let value =
                    format!("{}: {{ \"feedback\": \"\", {entry} }}", quoted(comment.name()));
                file.append_alike(map, &value)
            }
            FeedbackShape::Nothing(Some(null)) => Edit {
                at: null.span(),
                text: format!("[\n    {}\n  ]", review.replace('\n', "\n    ")),
            },
            FeedbackShape::Nothing(None) => {
                let list = format!("[\n    {}\n  ]", review.replace('\n', "\n    "));
                file.append_alike(&file.root, &format!("\"reviews\": {list}"))
            }
        },
    };
    let mut edits = vec![edit];
    edits.extend(file.set_state(&shape, IN_PROGRESS).unwrap_or_default());
    Ok(file.with(edits))
}

/// The text of the file with the review complete.
pub fn mark_complete(text: Option<&str>) -> Result<String, FeedbackError> {
    let new_file = format!("{{\n  \"reviews\": [],\n  \"status\": \"{COMPLETE}\"\n}}\n");
    let Some(text) = text else { return Ok(new_file) };
    let file = FeedbackFile::parse(text)?;
    if file.is_blank() {
        return Ok(file.mark.to_owned() + &new_file);
    }
    let shape = shape(&file.root)?;
    let edits = file.set_state(&shape, COMPLETE).ok_or(FeedbackError::NoState)?;
    Ok(file.with(edits))
}

struct FeedbackFile<'t> {
    /// A byte order mark, or nothing.
    mark: &'t str,
    text: &'t str,
    root: Spanned<'t>,
}

impl<'t> FeedbackFile<'t> {
    fn parse(text: &'t str) -> Result<Self, FeedbackError> {
        let (mark, text) = split_mark(text);
        let root = parse_strict(text).map_err(|_| FeedbackError::NotJson)?;
        Ok(Self { mark, text, root })
    }

    /// Whether it is `{}`.
    fn is_blank(&self) -> bool {
        self.root.as_object().is_some_and(<[_]>::is_empty)
    }

    fn with(&self, edits: Vec<Edit>) -> String {
        self.mark.to_owned() + &apply(self.text, edits)
    }

    /// Puts a mark into its list of a review, or takes it away. `entry` is a list of this one.
    fn put_mark(&self, review: &Spanned<'_>, mark: CheckMark<'_>, entry: &str) -> Edit {
        if review.as_object().is_none() {
            // A review that is only its words.
            let words = quoted(&words_of(review).unwrap_or_default());
            return Edit {
                at: review.span(),
                text: format!("{{ \"feedback\": {words}, {entry} }}"),
            };
        }
        let Some(list) = field(review, mark.list().0) else {
            return self.append_alike(review, entry);
        };
        let mut marks: Vec<String> = Vec::new();
        for item in items(list).iter().filter(|item| !mark.is_about(item)) {
            marks.push(self.text[item.span()].to_owned());
        }
        marks.extend(mark.item());
        Edit { at: list.span(), text: format!("[{}]", marks.join(", ")) }
    }

    /// Replaces the words of a review, and its time if it has one.
    fn replace_words(&self, review: &Spanned<'_>, comment: &Comment<'_>) -> Vec<Edit> {
        let Some(words) = words_place(review) else {
            let entry = format!("\"feedback\": {}", quoted(comment.words));
            return vec![self.append_alike(review, &entry)];
        };
        let mut edits = vec![replace(words, comment.words)];
        // Files without times stay without them.
        if let Some(time) = field(review, &feedback::TIMESTAMP) {
            edits.push(replace(time, comment.time));
        }
        edits
    }

    /// Adds a review in the style of those before it.
    fn add_review(&self, shape: &FeedbackShape<'_, '_>, comment: &Comment<'_>) -> Edit {
        match shape {
            FeedbackShape::List(list) => {
                let like = items(list).iter().rfind(|item| !entries(item).is_empty());
                self.append_alike(list, &new_review(like, comment))
            }
            FeedbackShape::Map(map) => {
                let like = entries(map).iter().rfind(|(key, value)| is_review(key, value));
                let words_key = like.and_then(|(_, like)| key(like, &feedback::TEXT));
                let words = quoted(comment.words);
                let value = match words_key {
                    Some(key) => format!("{{ {}: {words} }}", quoted(key)),
                    None => words,
                };
                self.append_alike(map, &format!("{}: {value}", quoted(comment.name())))
            }
            FeedbackShape::Nothing(Some(null)) => {
                Edit { at: null.span(), text: list_of_one_review(comment) }
            }
            FeedbackShape::Nothing(None) => {
                let entry = format!("\"reviews\": {}", list_of_one_review(comment));
                self.append_alike(&self.root, &entry)
            }
        }
    }

    /// Sets the state to `word`; `None` if there is no place for one.
    fn set_state(&self, shape: &FeedbackShape<'_, '_>, word: &str) -> Option<Vec<Edit>> {
        if let Some(status) = field(&self.root, &feedback::STATUS) {
            let is_set = status.as_text().map(review_state) == Some(review_state(word));
            return Some(if is_set { Vec::new() } else { vec![replace(status, word)] });
        }
        // In a bare list or map a state would be one more review.
        if let FeedbackShape::List(reviews) | FeedbackShape::Map(reviews) = shape
            && std::ptr::eq(*reviews, &self.root)
        {
            return None;
        }
        Some(vec![self.append_alike(&self.root, &format!("\"status\": {}", quoted(word)))])
    }

    /// One more item or entry of `container`, on a line of its own if those before are.
    fn append_alike(&self, container: &Spanned<'_>, what: &str) -> Edit {
        let values = value_spans(container);
        let Some(last) = values.last() else {
            let indent = if container.span().start == 0 { "  " } else { "    " };
            return append(container, &what.replace('\n', &format!("\n{indent}")), indent);
        };
        let before = match values.len() {
            1 => container.span().start,
            count => values[count - 2].end,
        };
        // Between the last two values are a comma, perhaps a line break, and the key of an entry.
        match self.text[before..last.start].rsplit_once('\n') {
            Some((_, line)) => {
                let indent = &line[..line.len() - line.trim_start().len()];
                append(container, &what.replace('\n', &format!("\n{indent}")), indent)
            }
            None => {
                let lines: Vec<&str> = what.split('\n').map(str::trim).collect();
                Edit { at: last.end..last.end, text: format!(", {}", lines.join(" ")) }
            }
        }
    }
}

impl<'s> Comment<'s> {
    /// The name of the run in a new review.
    fn name(&self) -> &'s str {
        self.names.first().map_or("", String::as_str)
    }
}

/// Where the reviews are.
#[derive(Debug)]
enum FeedbackShape<'s, 't> {
    List(&'s Spanned<'t>),
    /// Reviews by the name of their run.
    Map(&'s Spanned<'t>),
    /// An object without reviews; its `null` in their place.
    Nothing(Option<&'s Spanned<'t>>),
}

/// Makes the same decisions as the reader of feedback.
fn shape<'s, 't>(root: &'s Spanned<'t>) -> Result<FeedbackShape<'s, 't>, FeedbackError> {
    if root.as_list().is_some() {
        return Ok(FeedbackShape::List(root));
    }
    if let Some(list) = field_where(root, &feedback::REVIEWS, |value| value.as_list().is_some()) {
        return Ok(FeedbackShape::List(list));
    }
    if let Some(map) = field_where(root, &feedback::REVIEWS, |value| value.as_object().is_some()) {
        return Ok(FeedbackShape::Map(map));
    }
    let entries = root.as_object().ok_or(FeedbackError::Shape)?;
    if entries.iter().any(|(key, value)| is_review(key, value)) {
        return Ok(FeedbackShape::Map(root));
    }
    match field_where(root, &feedback::REVIEWS, |_| true) {
        Some(other) if !matches!(other.node, Node::Null) => Err(FeedbackError::Shape),
        null => Ok(FeedbackShape::Nothing(null)),
    }
}

impl<'s, 't> FeedbackShape<'s, 't> {
    /// The last review of the comment's run: by its exact name, else in another spelling.
    fn review_about(&self, comment: &Comment<'_>) -> Option<&'s Spanned<'t>> {
        let exact = self.last_review(&|name| comment.names.iter().any(|known| known == name));
        if exact.is_some() || !comment.folds {
            return exact;
        }
        let names: Vec<String> = comment.names.iter().map(|name| loose_name(name)).collect();
        self.last_review(&|name| names.contains(&loose_name(name)))
    }

    /// The last review of a run whose name is `wanted`.
    fn last_review(&self, wanted: &dyn Fn(&str) -> bool) -> Option<&'s Spanned<'t>> {
        match self {
            Self::List(list) => {
                items(list).iter().rfind(|item| run_id(item).is_some_and(|id| wanted(&id)))
            }
            Self::Map(map) => {
                let found =
                    entries(map).iter().rfind(|(key, value)| is_review(key, value) && wanted(key));
                found.map(|(_, value)| value)
            }
            Self::Nothing(_) => None,
        }
    }
}

/// Viewers write the path of a run with `-`, `_` or `/` between its folders.
fn loose_name(name: &str) -> String {
    folded_name(name).replace('/', "_")
}

fn run_id(review: &Spanned<'_>) -> Option<String> {
    match &field(review, &feedback::RUN_ID)?.node {
        Node::Text(text) => Some(text.to_string()),
        Node::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    }
}

/// The words that a file has on the comment's run.
fn words_about(text: &str, comment: &Comment<'_>) -> Option<String> {
    let file = FeedbackFile::parse(text).ok()?;
    words_of(shape(&file.root).ok()?.review_about(comment)?)
}

fn words_of(review: &Spanned<'_>) -> Option<String> {
    match &words_place(review)?.node {
        Node::Null | Node::Object(_) => None,
        Node::Text(text) => Some(text.to_string()),
        Node::List(lines) => Some(lines.iter().filter_map(words_of).collect::<Vec<_>>().join("\n")),
        Node::Bool(flag) => Some(flag.to_string()),
        Node::Number(number) => Some(number_text(number)),
    }
}

/// Where a review has its words, which may be the review itself.
fn words_place<'s, 't>(review: &'s Spanned<'t>) -> Option<&'s Spanned<'t>> {
    match &review.node {
        Node::Object(_) => field(review, &feedback::TEXT),
        _ => Some(review),
    }
}

/// Words as a page shows them, for comparison with the file.
fn as_shown(words: &str) -> String {
    let lines = words.replace("\r\n", "\n").replace('\r', "\n");
    lines.trim().replace(|c: char| c.is_control() && c != '\n' && c != '\t', "\u{fffd}")
}

/// A list of one review, as the value of a key.
fn list_of_one_review(comment: &Comment<'_>) -> String {
    format!("[\n    {}\n  ]", new_review(None, comment).replace('\n', "\n    "))
}

/// A review with the keys of `like`, else with those of the skill-creator.
fn new_review(like: Option<&Spanned<'_>>, comment: &Comment<'_>) -> String {
    let fields = [
        (&feedback::RUN_ID, comment.name()),
        (&feedback::TEXT, comment.words),
        (&feedback::TIMESTAMP, comment.time),
    ];
    let mut lines = Vec::new();
    for (field, value) in fields {
        // Where its neighbors have no time, their writer knows no such key.
        let is_left_out = like.is_some() && field.name == feedback::TIMESTAMP.name;
        let ours = if is_left_out { None } else { field.spellings.first().copied() };
        let key = like.and_then(|like| key(like, field)).or(ours);
        lines.extend(key.map(|key| format!("  {}: {}", quoted(key), quoted(value))));
    }
    format!("{{\n{}\n}}", lines.join(",\n"))
}

/// The value of `field` that counts: the first non-empty spelling, else the first there.
fn field<'s, 't>(object: &'s Spanned<'t>, field: &Field) -> Option<&'s Spanned<'t>> {
    field_where(object, field, |found| found.is_filled())
        .or_else(|| field_where(object, field, |_| true))
}

/// The key under which an object has `field`.
fn key<'s>(object: &'s Spanned<'_>, field: &Field) -> Option<&'s str> {
    field.spellings.iter().find_map(|spelling| {
        let (name, _) = entries(object).iter().find(|(name, _)| is_spelling(name, spelling))?;
        Some(&**name)
    })
}

fn replace(found: &Spanned<'_>, words: &str) -> Edit {
    Edit { at: found.span(), text: quoted(words) }
}

/// A text in JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
