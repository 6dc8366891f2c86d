//! Every key that `evalbook.toml` may hold.

use crate::settings::Settings;

/// One key.
pub struct Key {
    /// Its name, with a dot before that of a table's key.
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
    ($($name:literal = $($field:ident).+, $example:literal, $meaning:literal;)+) => {
        /// Every key in the order documented.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name,
            example: $example,
            meaning: $meaning,
            copy: |from, to| to.$($field).+.clone_from(&from.$($field).+),
        },)+];
    };
}

keys! {
    "title" = title, "\"PDF skill\"", "title of the report";
    "language" = language, "\"zh-TW\"", "language of the pages";
    "baseline" = baseline, "\"old_skill\"", "the configuration the others are compared against";
    "against" = against, "\"iteration-3\"", "a pinned iteration as second baseline, or `best`";
    "order" = order, "[\"with_skill\", \"old_skill\"]", "configurations in the order shown";
    "labels" = labels, "{ with_skill = \"new\" }", "what pages call a configuration";
    "leave_out" = leave_out, "[\"drafts/**\"]", "patterns of paths that are not read";
    "gate.fail_on" = gate.fail_on, "\"settled-worse\"", "fail on `regression`, `worse` or `settled-worse`";
    "gate.min_pass_rate" = gate.min_pass_rate, "0.8", "smallest pass rate of the candidate";
    "gate.max_time_increase" = gate.max_time_increase, "0.25", "largest share by which runs may take longer";
    "gate.max_token_increase" = gate.max_token_increase, "0.25", "largest share by which runs may use more tokens";
    "known_issues" = known_issues, "[{ case = \"a\", expectation = \"b\", reason = \"c\", until = \"2026-12-31\" }]", "failures that no gate counts";
    "prices" = prices, "{ \"model-x\" = { input = 3.0, output = 15.0 } }", "US dollars per million tokens, by model";
}

/// The known name that is spelled most like `name`, where one is near.
pub fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    const NEAR: f64 = 0.75;
    let scored = known.map(|known| (strsim::jaro_winkler(&name.to_lowercase(), known), known));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= NEAR).then_some(best.1)
}
