//! Changes of a JSON document in its own text: what is not changed keeps its bytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{Node, Spanned};
use crate::read::alias::Field;
use crate::read::is_spelling;

pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) text: String,
}

/// One more item of a list, or entry of an object, on a line of its own.
pub(super) fn appended(container: &Spanned<'_>, text: &str, indent: &str) -> Edit {
    let last = match &container.node {
        Node::List(items) => items.last().map(|item| item.span().end),
        Node::Object(entries) => entries.last().map(|(_, value)| value.span().end),
        _ => None,
    };
    match last {
        Some(end) => Edit { at: end..end, text: format!(",\n{indent}{text}") },
        None => {
            let inside = container.span().start + 1..container.span().end - 1;
            let closing = indent.strip_suffix("  ").unwrap_or_default();
            Edit { at: inside, text: format!("\n{indent}{text}\n{closing}") }
        }
    }
}

/// `text` with all `edits`, of which those at one place keep their order.
pub(super) fn applied(text: &str, mut edits: Vec<Edit>) -> String {
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
    let of = |key: &&str| entries(object).iter().find(|(name, _)| is_spelling(name, key));
    let mut found = field.spellings.iter().filter_map(of).map(|(_, value)| value);
    found.find(|value| wanted(value))
}

/// The byte order mark that Windows tools put before JSON, and what stands behind it.
pub(super) fn without_mark(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches('\u{feff}').len())
}
