//! Every key that `evalbook.toml` may hold.

use crate::settings::Settings;

/// One key.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value looks like, in TOML.
    pub example: &'static str,
    /// What it does, in one clause.
    pub meaning: &'static str,
    /// Copies its value from one to another.
    pub(super) copy: fn(&Settings, &mut Settings),
}

/// Declares the keys; the field is that of [`Settings`].
macro_rules! keys {
    ($($name:literal = $field:ident, $example:literal, $meaning:literal;)+) => {
        /// Every key in the order documented.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name,
            example: $example,
            meaning: $meaning,
            copy: |from, to| to.$field.clone_from(&from.$field),
        },)+];
    };
}

keys! {
    "title" = title, "\"PDF skill\"", "title of the report";
    "language" = language, "\"zh-TW\"", "language of the pages";
    "baseline" = baseline, "\"old_skill\"", "the configuration the others are compared against";
    "order" = order, "[\"with_skill\", \"old_skill\"]", "configurations in the order shown";
    "leave_out" = leave_out, "[\"drafts/**\"]", "patterns of paths that are not read";
}

/// The known name that is spelled most like `name`, where one is near.
pub fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    const NEAR: f64 = 0.75;
    let scored = known.map(|known| (strsim::jaro_winkler(&name.to_lowercase(), known), known));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= NEAR).then_some(best.1)
}
