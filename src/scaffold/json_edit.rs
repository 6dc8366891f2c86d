//! Edits to the text of a JSON document: what they leave alone keeps its bytes.

use std::borrow::Cow;
use std::ops::Range;

use json::{Node, Spanned};
use workspace::read::alias::Field;
use workspace::read::is_spelling;

/// A text that takes the place of a range of bytes.
pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) text: String,
}

/// `text` with all `edits`; those at one place keep their order.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.at.start);
    let mut changed = String::with_capacity(text.len() + 512);
    let mut from = 0;
    for edit in edits {
        changed.push_str(&text[from..edit.at.start]);
        changed.push_str(&edit.text);
        from = edit.at.end;
    }
    changed + &text[from..]
}

/// One more item of a list, or entry of an object, on a line of its own.
pub(super) fn append(container: &Spanned<'_>, text: &str, indent: &str) -> Edit {
    if let Some(last) = value_spans(container).last() {
        return Edit { at: last.end..last.end, text: format!(",\n{indent}{text}") };
    }
    let inside = container.span().start + 1..container.span().end - 1;
    // The closing bracket is one level further out.
    let closing = indent.strip_suffix("  ").unwrap_or_default();
    Edit { at: inside, text: format!("\n{indent}{text}\n{closing}") }
}

/// Where the values of a list or object are.
pub(super) fn value_spans(container: &Spanned<'_>) -> Vec<Range<usize>> {
    match &container.node {
        Node::List(items) => items.iter().map(Spanned::span).collect(),
        Node::Object(entries) => entries.iter().map(|(_, value)| value.span()).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn items<'s, 't>(list: &'s Spanned<'t>) -> &'s [Spanned<'t>] {
    list.as_list().unwrap_or_default()
}

pub(super) fn entries<'s, 't>(object: &'s Spanned<'t>) -> &'s [(Cow<'t, str>, Spanned<'t>)] {
    object.as_object().unwrap_or_default()
}

pub(super) fn entry<'s, 't>(object: &'s Spanned<'t>, key: &str) -> Option<&'s Spanned<'t>> {
    entries(object).iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// The value of `field` under its first spelling whose value is `wanted`.
pub(super) fn field_where<'s, 't>(
    object: &'s Spanned<'t>,
    field: &Field,
    wanted: impl Fn(&Spanned<'t>) -> bool,
) -> Option<&'s Spanned<'t>> {
    for spelling in field.spellings {
        let found = entries(object).iter().find(|(name, _)| is_spelling(name, spelling));
        if let Some((_, value)) = found
            && wanted(value)
        {
            return Some(value);
        }
    }
    None
}

/// Splits off the byte order mark that Windows tools put before JSON.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches('\u{feff}').len())
}
