//! Texts of a shape: borrowed from the model to be written, owned when read.

use std::borrow::Cow;

/// A text, borrowed or owned.
pub(super) type Text<'a> = Cow<'a, str>;

/// An optional text of the model, borrowed.
pub(super) fn borrowed(text: Option<&String>) -> Option<Text<'_>> {
    text.map(|text| Cow::Borrowed(text.as_str()))
}
