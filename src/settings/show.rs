//! Settings as text, for `evalbook settings`.

use crate::settings::keys::KEYS;
use crate::settings::{FailOn, KnownIssue, Limit, Origin, Price, Settings};

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
        let shown = |key: &'static str| {
            let origin = match self.origin(key) {
                Origin::Default => "default".to_owned(),
                Origin::File { path, line } => format!("{path}:{line}"),
                Origin::Flag => "flag".to_owned(),
            };
            Shown { key, value: self.value(key), origin }
        };
        KEYS.iter().map(|key| shown(key.name)).collect()
    }

    fn value(&self, key: &str) -> Option<String> {
        match key {
            "title" => self.title.as_deref().map(quoted),
            "language" => Some(quoted(self.language.as_deref().unwrap_or("en"))),
            "baseline" => self.baseline.as_deref().map(quoted),
            "against" => self.against.as_deref().map(quoted),
            "order" => list(self.order.iter().map(|name| quoted(name))),
            "labels" => table(self.labels.iter().map(|(name, label)| (name, quoted(label)))),
            "leave_out" => list(self.leave_out.iter().map(|name| quoted(name))),
            "exclude" => list(self.exclude.iter().map(|pattern| quoted(pattern))),
            "outputs" => Some(quoted(self.outputs.unwrap_or_default().word())),
            "url" => self.url.as_deref().map(quoted),
            "robots" => Some(quoted(self.robots.unwrap_or_default().word())),
            "keep" => self.keep.map(|number| number.to_string()),
            "prices" => table(self.prices.iter().map(|(name, price)| (name, of_price(price)))),
            "export" => list(self.export.iter().map(|form| quoted(form.word()))),
            "gate.fail_on" => list(self.gate.fail_on.iter().map(|on: &FailOn| quoted(on.word()))),
            "gate.min_pass_rate" => self.gate.min_pass_rate.map(|rate| rate.to_string()),
            "gate.max_time_increase" => self.gate.max_time_increase.map(of_limit),
            "gate.max_token_increase" => self.gate.max_token_increase.map(of_limit),
            "known_issues" => list(self.known_issues.iter().map(of_issue)),
            _ => None,
        }
    }
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

fn of_price(price: &Price) -> String {
    format!("{{ input = {}, output = {} }}", price.input, price.output)
}

fn of_limit(limit: Limit) -> String {
    match limit {
        // What was written in percent has few decimals; the rest is what a binary fraction adds.
        Limit::Share(share) => quoted(&format!("{}%", (share * 100.0 * 1e6).round() / 1e6)),
        Limit::Amount(amount) => amount.to_string(),
    }
}

fn of_issue(issue: &KnownIssue) -> String {
    let [case, expectation, reason] =
        [&issue.case, &issue.expectation, &issue.reason].map(|text| quoted(text));
    let expires = &issue.expires;
    format!(
        "{{ case = {case}, expectation = {expectation}, reason = {reason}, expires = {expires} }}"
    )
}
