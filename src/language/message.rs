//! Texts about a finding. A finding is an enum whose form for programs has a `kind`; its texts are in a
//! section of the table, one for each kind. `kind?condition & condition` is a text for some of the
//! findings of that kind: of those whose conditions all hold, the one with most of them is taken.
//!
//! A condition is the name of a field that must be there (not null, not 0, not empty), `!field`, or
//! `field = other`. A place is `{field}` or `{field|format}`; `{field.part}` is within a field.

use serde::Serialize;
use serde_json::Value;

use crate::language::{Language, fill_places};

/// Words of a check that a sentence shows, and of one that it shows whole: a few more often decide.
const CHECK_WORDS: usize = 8;
const WHOLE_CHECK: usize = 12;
/// Characters of a name.
const NAME_LENGTH: usize = 42;

impl Language {
    /// The text of `section` about `finding`; `None` where the section has none for its kind.
    pub(crate) fn tell(&self, section: &str, finding: &impl Serialize) -> Option<String> {
        self.tell_value(section, &serde_json::to_value(finding).ok()?)
    }

    fn tell_value(&self, section: &str, finding: &Value) -> Option<String> {
        let kind = finding["kind"].as_str()?;
        let mut best: Option<(usize, &str)> = None;
        for (key, text) in self.table().get(section)?.as_object()? {
            let (name, conditions) = key.split_once('?').unwrap_or((key, ""));
            if name != kind || !conditions_of(conditions).all(|condition| holds(condition, finding))
            {
                continue;
            }
            let number = conditions_of(conditions).count();
            if best.is_none_or(|(most, _)| number > most) {
                best = Some((number, text.as_str()?));
            }
        }
        let (_, text) = best?;
        Some(fill_places(text, |place| {
            let (path, format) = place.split_once('|').unwrap_or((place, ""));
            Some(self.format(field(finding, path)?, format))
        }))
    }

    fn format(&self, value: &Value, format: &str) -> String {
        let number = value.as_f64().unwrap_or(0.0);
        let text = value.as_str().unwrap_or_default();
        match format {
            "" if value.is_number() => text::tokens(number),
            "" => text.to_owned(),
            "name" => text::cut_line(text, NAME_LENGTH),
            "text" => {
                let check = short_name(text).unwrap_or(text);
                let is_short = check.split_whitespace().nth(WHOLE_CHECK).is_none();
                text::first_words(check, if is_short { WHOLE_CHECK } else { CHECK_WORDS })
            }
            "points" => self.points(number),
            "percent" => self.percent(number),
            "factor" => format!("{}×", text::factor(number)),
            "ratio" => self.ratio(number, "costs.less"),
            "fewer" => self.ratio(number, "costs.fewer"),
            "names" => self.names(value),
            _ => match format.strip_prefix("all ") {
                Some(section) => self.told_list(section, value),
                None => self.count(number as usize, format),
            },
        }
    }

    fn names(&self, value: &Value) -> String {
        let names = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        let names = names.map(|name| text::cut_line(name, NAME_LENGTH)).collect();
        self.listed(names)
    }

    /// The texts of `section` about each of several findings, joined by "and".
    fn told_list(&self, section: &str, value: &Value) -> String {
        let parts = value.as_array().into_iter().flatten();
        let parts: Vec<String> = parts.filter_map(|part| self.tell_value(section, part)).collect();
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, before)) => format!("{}{}{last}", self.list(before), self.text("list.and")),
            None => String::new(),
        }
    }
}

/// The short name before the colon of a check: `has_ranks: every rank is given`. What only a few words
/// follow is no name, as `case_fern: habitat` and `case_fern: spores`.
fn short_name(check: &str) -> Option<&str> {
    let (name, statement) = check.split_once(": ")?;
    statement.split_whitespace().nth(3)?;
    let is_name = name.contains('_')
        && name.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    if is_name { Some(name) } else { None }
}

fn conditions_of(conditions: &str) -> impl Iterator<Item = &str> {
    conditions.split('&').map(str::trim).filter(|condition| !condition.is_empty())
}

/// A value as a condition writes it: a text without its quotes.
fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn holds(condition: &str, finding: &Value) -> bool {
    if let Some((left, right)) = condition.split_once(" = ") {
        let left = field(finding, left);
        let right = right.trim();
        return match field(finding, right) {
            Some(other) => left == Some(other),
            None => left.is_some_and(|left| written(left) == right),
        };
    }
    match condition.strip_prefix('!') {
        Some(path) => !is_there(field(finding, path)),
        None => is_there(field(finding, condition)),
    }
}

fn is_there(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(_) => true,
    }
}

fn field<'v>(finding: &'v Value, path: &str) -> Option<&'v Value> {
    path.trim().split('.').try_fold(finding, |value, name| value.get(name))
}
