//! Every key of `evalbook.toml` with an example, and values as `evalbook settings` shows them.

use std::collections::BTreeMap;

use clap::{Args, Command};
use serde_json::{Value, json};

use crate::settings::{GateFlags, Publish, Settings};

/// Every key in the documented order, with a dot before the key of a table, and an example of its
/// value in TOML.
pub(super) const EXAMPLES: [(&str, &str); 24] = [
    ("title", r#""PDF skill""#),
    ("language", r#""zh-TW""#),
    ("baseline", r#""old_skill""#),
    ("against", r#""iteration-3""#),
    ("order", r#"["with_skill", "old_skill"]"#),
    ("labels", r#"{ with_skill = "version 2" }"#),
    ("leave_out", r#"["drafts/**"]"#),
    (
        "rows",
        r#"[{ files = "results/*.jsonl", case = "task", configuration = "variant", passed = "ok" }]"#,
    ),
    ("exclude", r#"["*.log"]"#),
    ("outputs", r#""failed""#),
    ("unsearched", r#""withhold""#),
    ("doubtful_runs", r#""count""#),
    ("url", r#""https://me.example/report/""#),
    ("robots", r#""noindex""#),
    ("prices", r#"{ "model-x" = { input = 3, output = 15 } }"#),
    ("export", r#"["csv", "junit"]"#),
    ("gate.fail_on", r#"["worse"]"#),
    ("gate.min_pass_rate", "0.8"),
    ("gate.min_gain", "5"),
    ("gate.max_time_increase", r#""20%""#),
    ("gate.max_token_increase", r#""20%""#),
    ("gate.budgets", r#"{ "model-x" = { tokens = 1.5, time = 2 } }"#),
    ("known_issues", r#"[{ case = "a", expectation = "b*", reason = "c", expires = 2026-12-31 }]"#),
    ("secret_rules", r#"[{ id = "acme-key", regex = "acme_[a-z]{24}", keywords = ["acme_"] }]"#),
];

/// One key, for the reference.
pub struct Key {
    /// Its name, with a dot before the key of a table.
    pub name: &'static str,
    /// An example of its value, in TOML.
    pub example: &'static str,
    /// Its effect in one clause: the help of its flag.
    pub meaning: String,
}

/// Every key in the documented order.
pub fn keys() -> Vec<Key> {
    let flags =
        GateFlags::augment_args(Publish::augment_args(Settings::augment_args(Command::new(""))));
    EXAMPLES
        .iter()
        .map(|&(name, example)| {
            // The flag of `gate.fail_on` has the id of its field.
            let field = name.rsplit('.').next().unwrap_or(name);
            let flag = flags.get_arguments().find(|flag| flag.get_id() == field);
            let mut meaning =
                flag.and_then(|flag| flag.get_help()).map_or(String::new(), ToString::to_string);
            let words = flag.map(|flag| flag.get_possible_values()).unwrap_or_default();
            if !words.is_empty() {
                let words: Vec<&str> = words.iter().map(|word| word.get_name()).collect();
                meaning += &format!(": `{}`", words.join("`, `"));
            }
            Key { name, example, meaning }
        })
        .collect()
}

/// Every value that is set, by its key.
pub(super) fn values(settings: &Settings) -> BTreeMap<String, Value> {
    let parts =
        [("", json!(settings)), ("", json!(settings.publish)), ("gate.", json!(settings.gate))];
    let mut values = BTreeMap::new();
    for (prefix, part) in parts {
        let Value::Object(fields) = part else { continue };
        values.extend(fields.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value)));
    }
    values.retain(|_, value| is_set(value));
    values
}

fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

/// Every key in the documented order with its value in TOML: the value set, else the default; `None`
/// without either.
pub fn shown_values(settings: &Settings) -> Vec<(&'static str, Option<String>)> {
    let mut values = values(settings);
    // What applies is asked for, not only what somebody set.
    let defaults = [
        ("language", json!("en")),
        ("outputs", json!(settings.outputs.unwrap_or_default())),
        ("unsearched", json!(settings.unsearched.unwrap_or_default())),
        ("robots", json!(settings.publish.robots.unwrap_or_default())),
    ];
    for (name, default) in defaults {
        values.entry(name.to_owned()).or_insert(default);
    }
    EXAMPLES.iter().map(|(name, _)| (*name, values.get(*name).map(in_toml))).collect()
}

/// A JSON value in TOML, where objects alone are written in another way.
fn in_toml(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .filter(|(_, value)| is_set(value))
                .map(|(name, value)| format!("{} = {}", key_in_toml(name), in_toml(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(in_toml).collect();
            format!("[{}]", items.join(", "))
        }
        // 30 as it was written, not 30.0.
        Value::Number(number) => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// A key without quotes where it needs none.
fn key_in_toml(name: &str) -> String {
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}
