//! Settings as text, for `evalbook settings`.

use std::collections::BTreeMap;

use crate::settings::keys::{KEYS, Key};
use crate::settings::{KnownIssue, Limit, Origin, Price, Settings, Word};

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub key: &'static str,
    /// Its value as TOML; `None` where it is not set and has no default.
    pub value: Option<String>,
    pub origin: String,
}

impl Settings {
    /// Every key with its value and origin, in the order documented.
    pub fn shown(&self) -> Vec<Shown> {
        let shown = |key: &'static Key| {
            let origin = match self.origin(key.name) {
                Origin::Default => "default".to_owned(),
                Origin::File { path, line } => format!("{path}:{line}"),
                Origin::Flag => "flag".to_owned(),
            };
            Shown { key: key.name, value: (key.show)(self), origin }
        };
        KEYS.iter().map(shown).collect()
    }
}

pub(super) fn text(text: &Option<String>) -> Option<String> {
    text.as_deref().map(quoted)
}

pub(super) fn language(tag: &Option<String>) -> Option<String> {
    Some(quoted(tag.as_deref().unwrap_or("en")))
}

pub(super) fn texts(texts: &[String]) -> Option<String> {
    list(texts.iter().map(|text| quoted(text)))
}

pub(super) fn choice<W: Word + Default>(choice: &Option<W>) -> Option<String> {
    Some(quoted(choice.unwrap_or_default().word()))
}

pub(super) fn words<W: Word>(words: &[W]) -> Option<String> {
    list(words.iter().map(|word| quoted(word.word())))
}

pub(super) fn number(number: &Option<impl ToString>) -> Option<String> {
    number.as_ref().map(ToString::to_string)
}

pub(super) fn limit(limit: &Option<Limit>) -> Option<String> {
    limit.map(|limit| match limit {
        // What was written in percent has few decimals; the rest is what a binary fraction adds.
        Limit::Share(share) => quoted(&format!("{}%", (share * 100.0 * 1e6).round() / 1e6)),
        Limit::Amount(amount) => amount.to_string(),
    })
}

pub(super) fn labels(labels: &BTreeMap<String, String>) -> Option<String> {
    table(labels.iter().map(|(name, label)| (name, quoted(label))))
}

pub(super) fn prices(prices: &BTreeMap<String, Price>) -> Option<String> {
    table(prices.iter().map(|(name, Price { input, output })| {
        (name, format!("{{ input = {input}, output = {output} }}"))
    }))
}

pub(super) fn issues(issues: &[KnownIssue]) -> Option<String> {
    list(issues.iter().map(|KnownIssue { case, expectation, reason, expires }| {
        let [case, expectation, reason] = [case, expectation, reason].map(|text| quoted(text));
        format!(
            "{{ case = {case}, expectation = {expectation}, reason = {reason}, expires = {expires} }}"
        )
    }))
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
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

fn list(items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<String> = items.collect();
    (!items.is_empty()).then(|| format!("[{}]", items.join(", ")))
}

fn table<'t>(entries: impl Iterator<Item = (&'t String, String)>) -> Option<String> {
    let entries: Vec<String> =
        entries.map(|(name, value)| format!("{} = {value}", quoted(name))).collect();
    (!entries.is_empty()).then(|| format!("{{ {} }}", entries.join(", ")))
}
