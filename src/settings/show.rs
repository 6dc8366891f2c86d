//! Settings as text, for `evalbook settings`.

use crate::settings::keys::KEYS;
use crate::settings::{FILE, Origin, Settings};

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The key.
    pub key: &'static str,
    /// Its value as TOML; `None` where it is not set and has no default.
    pub value: Option<String>,
    /// Where it was set.
    pub origin: String,
}

impl Settings {
    /// Every key with its value and origin, in the order documented.
    pub fn shown(&self) -> Vec<Shown> {
        let shown = |key: &'static str| {
            let origin = match self.origin(key) {
                Origin::Default => "default".to_owned(),
                Origin::File(line) => format!("{FILE}:{line}"),
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
            "order" => list(self.order.iter().map(|name| quoted(name))),
            "leave_out" => list(self.leave_out.iter().map(|name| quoted(name))),
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
