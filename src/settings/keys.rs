//! Every key of `evalbook.toml`, and its value as text for `evalbook settings`.

use std::collections::BTreeMap;

use crate::settings::file::{KeyValue, ParseResult};
use crate::settings::{CostLimit, KnownIssue, Price, SettingWord, Settings};

/// One key.
pub struct Key {
    /// Its name, with a dot before the key of a table.
    pub name: &'static str,
    /// An example of its value, in TOML.
    pub example: &'static str,
    /// Its effect, in one clause.
    pub meaning: &'static str,
    pub(super) read: fn(&KeyValue<'_, '_>, &mut Settings) -> ParseResult<()>,
    /// Its value as TOML; `None` if it is not set and has no default.
    pub show: fn(&Settings) -> Option<String>,
    pub(super) copy: fn(&Settings, &mut Settings),
}

/// Declares the keys: the field of [`Settings`], how a [`KeyValue`] is read, and how it is written.
macro_rules! keys {
    ($($name:literal = $($field:ident).+: $read:ident, $show:ident, $example:literal, $meaning:literal;)+) => {
        /// Every key in the documented order.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name,
            example: $example,
            meaning: $meaning,
            read: |value, to| {
                to.$($field).+ = value.$read()?.into();
                Ok(())
            },
            show: |settings| $show(&settings.$($field).+),
            copy: |from, to| to.$($field).+.clone_from(&from.$($field).+),
        },)+];
    };
}

keys! {
    "title" = title: text, text, "\"PDF skill\"", "title of the report";
    "language" = language: text, language, "\"zh-TW\"", "language of the pages";
    "baseline" = baseline: text, text, "\"old_skill\"", "the configuration the others are compared against";
    "against" = against: text, text, "\"iteration-3\"", "a second baseline: an iteration's name, `best`, `first` or `previous`";
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

/// The known name most similar to `name`; one that only belongs to another table comes first.
pub fn nearest<'k>(name: &str, names: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    const NEAR: f64 = 0.75;
    let name = name.to_lowercase();
    let last = |name: &str| name.rsplit('.').next().map(str::to_owned);
    let score = |candidate: &str| match last(candidate) == last(&name) {
        true => 1.0,
        false => strsim::jaro_winkler(&name, candidate),
    };
    let scored = names.map(|candidate| (score(candidate), candidate));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= NEAR).then_some(best.1)
}

fn text(text: &Option<String>) -> Option<String> {
    text.as_deref().map(quoted)
}

fn language(tag: &Option<String>) -> Option<String> {
    Some(quoted(tag.as_deref().unwrap_or("en")))
}

fn texts(texts: &[String]) -> Option<String> {
    list(texts.iter().map(|text| quoted(text)))
}

fn choice<W: SettingWord + Default>(choice: &Option<W>) -> Option<String> {
    Some(quoted(choice.unwrap_or_default().word()))
}

fn words<W: SettingWord>(words: &[W]) -> Option<String> {
    list(words.iter().map(|word| quoted(word.word())))
}

fn number(number: &Option<impl ToString>) -> Option<String> {
    number.as_ref().map(ToString::to_string)
}

fn limit(limit: &Option<CostLimit>) -> Option<String> {
    limit.map(|limit| match limit {
        // Percentages have few decimals; the rest is binary noise.
        CostLimit::Share(share) => quoted(&format!("{}%", (share * 100.0 * 1e6).round() / 1e6)),
        CostLimit::Amount(amount) => amount.to_string(),
    })
}

fn labels(labels: &BTreeMap<String, String>) -> Option<String> {
    table(labels.iter().map(|(name, label)| (name.as_str(), quoted(label))))
}

fn prices(prices: &BTreeMap<String, Price>) -> Option<String> {
    table(prices.iter().map(|(name, Price { input, output })| {
        (name.as_str(), format!("{{ input = {input}, output = {output} }}"))
    }))
}

fn issues(issues: &[KnownIssue]) -> Option<String> {
    list(issues.iter().map(|KnownIssue { case, expectation, reason, expires }| {
        let [case, expectation, reason] = [case, expectation, reason].map(|text| quoted(text));
        format!(
            "{{ case = {case}, expectation = {expectation}, reason = {reason}, expires = {expires} }}"
        )
    }))
}

/// A text in TOML.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A list of values in TOML; `None` if empty.
pub fn list(items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<String> = items.collect();
    (!items.is_empty()).then(|| format!("[{}]", items.join(", ")))
}

/// A table of names and values in TOML; `None` if empty.
pub fn table<'t>(entries: impl Iterator<Item = (&'t str, String)>) -> Option<String> {
    let entries: Vec<String> =
        entries.map(|(name, value)| format!("{} = {value}", quoted(name))).collect();
    (!entries.is_empty()).then(|| format!("{{ {} }}", entries.join(", ")))
}
