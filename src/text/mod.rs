//! Text for people: order, counts and numbers. A leaf.

mod natural;
mod number;
mod printable;
mod slug;
mod utf_16;

pub use natural::natural_order;
pub use number::{
    Duration, Percent, bytes, count, fixed, percent, points, seconds, signed, signed_points, tokens,
};
pub use printable::printable;
pub use slug::Slugs;
pub use utf_16::{Utf16, utf_16};

/// Text without differences of case and white space, to compare statements and prompts.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A name in lower case, with `_` for `-`, `.` and spaces, so that spellings compare equal.
pub fn folded_name(name: &str) -> String {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if matches!(c, '-' | '.' | ' ') { '_' } else { c })
        .collect()
}
