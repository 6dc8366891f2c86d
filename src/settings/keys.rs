//! Every key that `evalbook.toml` may hold.

use crate::settings::file::{Reader, Value};
use crate::settings::{Settings, SettingsError, show};

/// One key.
pub struct Key {
    /// Its name, with a dot before that of a table's key.
    pub name: &'static str,
    /// What its value looks like, in TOML.
    pub example: &'static str,
    /// What it does, in one clause.
    pub meaning: &'static str,
    /// Sets it to a value of the file.
    pub(super) read: fn(&Reader<'_>, &Value<'_>, &mut Settings) -> Result<(), SettingsError>,
    /// Its value as TOML; `None` where it is not set and has no default.
    pub(super) show: fn(&Settings) -> Option<String>,
    /// Copies its value from one to another.
    pub(super) copy: fn(&Settings, &mut Settings),
}

/// Declares the keys: the field of [`Settings`], how [`Reader`] reads it, and how [`show`] writes it.
macro_rules! keys {
    ($($name:literal = $($field:ident).+: $read:ident, $show:ident, $example:literal, $meaning:literal;)+) => {
        /// Every key in the order documented.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name,
            example: $example,
            meaning: $meaning,
            read: |reader, value, to| {
                to.$($field).+ = reader.$read($name, value)?.into();
                Ok(())
            },
            show: |settings| show::$show(&settings.$($field).+),
            copy: |from, to| to.$($field).+.clone_from(&from.$($field).+),
        },)+];
    };
}

keys! {
    "title" = title: text_of, text, "\"PDF skill\"", "title of the report";
    "language" = language: text_of, language, "\"zh-TW\"", "language of the pages";
    "baseline" = baseline: text_of, text, "\"old_skill\"", "the configuration the others are compared against";
    "against" = against: text_of, text, "\"iteration-3\"", "a second baseline: an iteration's name, `best`, `first` or `previous`";
    "order" = order: texts, texts, "[\"with_skill\", \"old_skill\"]", "configurations in the order shown";
    "labels" = labels: labels, labels, "{ with_skill = \"version 2\" }", "what configurations are called in the report";
    "leave_out" = leave_out: patterns, texts, "[\"drafts/**\"]", "patterns of paths that are not read";
    "exclude" = exclude: patterns, texts, "[\"*.log\"]", "patterns of outputs that are listed and not published";
    "outputs" = outputs: outputs, choice, "\"failed\"", "which outputs are published: `none`, `failed` (of runs with a failed expectation) or `all`";
    "url" = url: address, text, "\"https://me.example/report/\"", "where the report is published, or with `--into` the site: for links from comments and feeds";
    "robots" = robots: robots, choice, "\"noindex\"", "whether search engines may list the pages: `index` or `noindex`";
    "keep" = keep: at_least_one, number, "50", "how many reports a site keeps when `--into` adds one";
    "prices" = prices: prices, prices, "{ \"model-x\" = { input = 3, output = 15 } }", "US dollars per million tokens by model, for runs that recorded tokens and no cost";
    "export" = export: words, words, "[\"csv\", \"junit\"]", "files for other programs in the report: `csv`, `jsonl`, `junit`";
    "gate.fail_on" = gate.fail_on: words, words, "[\"worse\"]", "what fails the gate: `worse`, `settled-worse`, `regression`, `regression-strict`";
    "gate.min_pass_rate" = gate.min_pass_rate: rate, number, "0.8", "smallest pass rate of the candidate, also as `\"80%\"`";
    "gate.max_time_increase" = gate.max_time_increase: seconds, limit, "\"20%\"", "how much longer a run may take: a share, or a number of seconds";
    "gate.max_token_increase" = gate.max_token_increase: tokens, limit, "\"20%\"", "how many more tokens a run may use: a share, or a number";
    "known_issues" = known_issues: known_issues, issues, "[{ case = \"a\", expectation = \"b*\", reason = \"c\", expires = 2026-12-31 }]", "losses that fail no gate until they expire";
}

/// The known name that is spelled most like `name`, where one is near; before all others one that is
/// only written in another table.
pub fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    const NEAR: f64 = 0.75;
    let name = name.to_lowercase();
    let last = |name: &str| name.rsplit('.').next().map(str::to_owned);
    let score = |known: &str| match last(known) == last(&name) {
        true => 1.0,
        false => strsim::jaro_winkler(&name, known),
    };
    let scored = known.map(|known| (score(known), known));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= NEAR).then_some(best.1)
}
