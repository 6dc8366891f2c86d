//! Values of the file that are more than texts: limits, prices, known issues.

use std::collections::BTreeMap;

use jiff::civil::Date;
use toml::de::DeValue;

use crate::settings::file::{Parsed, Reader, Value};
use crate::settings::{KnownIssue, Limit, Outputs, Price, Robots, SettingsError, Word};

type Fields<'f, 't> = BTreeMap<&'f str, &'f Value<'t>>;

impl Reader<'_> {
    /// A list of words, or a single one.
    pub(super) fn words<W: Word>(&self, key: &str, value: &Value<'_>) -> Parsed<Vec<W>> {
        let item = |value| self.choice(key, value, "holds", "`, `");
        let mut found = match value.get_ref().as_array() {
            Some(list) => list.iter().map(item).collect::<Result<Vec<_>, _>>()?,
            None => vec![item(value)?],
        };
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    pub(super) fn outputs(&self, key: &str, value: &Value<'_>) -> Parsed<Outputs> {
        self.choice(key, value, "is one of", "`, `")
    }

    pub(super) fn robots(&self, key: &str, value: &Value<'_>) -> Parsed<Robots> {
        self.choice(key, value, "is", "` or `")
    }

    /// A word; where it is none that is known, the message lists those that `key` can be.
    fn choice<W: Word>(
        &self,
        key: &str,
        value: &Value<'_>,
        can_be: &str,
        between: &str,
    ) -> Parsed<W> {
        let word = self.text_of(key, value)?;
        let found = W::ALL.iter().find(|(known, _)| *known == word);
        found.map(|(_, choice)| *choice).ok_or_else(|| {
            let words: Vec<&str> = W::ALL.iter().map(|(word, _)| *word).collect();
            let words = words.join(between);
            self.error(&value.span(), format!("`{key}` {can_be} `{words}`, not `{word}`"))
        })
    }

    pub(super) fn address(&self, key: &str, value: &Value<'_>) -> Parsed<String> {
        let written = self.text_of(key, value)?;
        folder_address(&written).ok_or_else(|| {
            let message = format!("`{key}` is no address of a page: `{written}`");
            let help = "give one such as `https://me.example/report/`";
            self.error(&value.span(), message).help(help)
        })
    }

    /// A whole number from 1 up.
    pub(super) fn at_least_one(&self, key: &str, value: &Value<'_>) -> Parsed<usize> {
        let number = self.number(key, value)?;
        if number >= 1.0 && number.fract() == 0.0 {
            return Ok(number as usize);
        }
        let message = format!("`{key}` is a whole number from 1 up, not {number}");
        Err(self.error(&value.span(), message))
    }

    /// A share of all: a number from 0 to 1, or a text such as `80%`.
    pub(super) fn rate(&self, key: &str, value: &Value<'_>) -> Parsed<f64> {
        let (number, is_percent) = self.number_or_percent(key, value)?;
        let rate = if is_percent { number / 100.0 } else { number };
        if (0.0..=1.0).contains(&rate) {
            return Ok(rate);
        }
        let error = self.error(&value.span(), format!("`{key}` is from 0 to 1, not {number}"));
        let help = format!("write `\"{number}%\"` for a percentage");
        Err(SettingsError { help: (!is_percent && number <= 100.0).then_some(help), ..error })
    }

    /// How much longer something may take: a share, or a number of seconds.
    pub(super) fn seconds(&self, key: &str, value: &Value<'_>) -> Parsed<Limit> {
        self.limit(key, value, "seconds")
    }

    /// How many more tokens something may use: a share, or a number.
    pub(super) fn tokens(&self, key: &str, value: &Value<'_>) -> Parsed<Limit> {
        self.limit(key, value, "tokens")
    }

    /// An increase: a share as a text such as `20%`, or a number of `unit`.
    fn limit(&self, key: &str, value: &Value<'_>, unit: &str) -> Parsed<Limit> {
        let (number, is_percent) = self.number_or_percent(key, value)?;
        // A fraction is meant as a share by nearly everybody who writes one; as seconds or tokens
        // it would fail every gate.
        if !is_percent && number > 0.0 && number < 1.0 {
            let message = format!("`{key}` is less than one of the {unit} that a number counts");
            let help = format!("write `\"{}%\"` for a share", number * 100.0);
            return Err(self.error(&value.span(), message).help(help));
        }
        Ok(if is_percent { Limit::Share(number / 100.0) } else { Limit::Amount(number) })
    }

    /// A number from 0 up, and whether it is a percentage.
    fn number_or_percent(&self, key: &str, value: &Value<'_>) -> Parsed<(f64, bool)> {
        let Some(text) = value.get_ref().as_str() else {
            return Ok((self.number(key, value)?, false));
        };
        let percent = text.trim().strip_suffix('%').and_then(|text| text.trim().parse().ok());
        match percent.filter(|number: &f64| number.is_finite() && *number >= 0.0) {
            Some(number) => Ok((number, true)),
            None => {
                let message = format!("`{key}` is a number or a text such as `20%`, not `{text}`");
                Err(self.error(&value.span(), message))
            }
        }
    }

    fn number(&self, key: &str, value: &Value<'_>) -> Parsed<f64> {
        let written = match value.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(number) if number.radix() == 10 => {
                number.as_str().replace('_', "").parse().ok()
            }
            _ => None,
        };
        let number: f64 = written.ok_or_else(|| self.wrong(key, value, "a number"))?;
        if number.is_finite() && number >= 0.0 {
            return Ok(number);
        }
        Err(self.error(&value.span(), format!("`{key}` is a number from 0 up, not {number}")))
    }

    pub(super) fn prices(&self, key: &str, value: &Value<'_>) -> Parsed<BTreeMap<String, Price>> {
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        let prices = table.iter().map(|(model, value)| {
            let model = model.get_ref();
            Ok((model.to_string(), self.price(&format!("{key}.{model}"), value)?))
        });
        prices.collect()
    }

    /// Labels by name, no two the same.
    pub(super) fn labels(&self, key: &str, value: &Value<'_>) -> Parsed<BTreeMap<String, String>> {
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        let mut labels: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in table {
            let label = self.text_of(&format!("{key}.{}", name.get_ref()), value)?;
            if labels.values().any(|known| *known == label) {
                let message = format!("two configurations are called `{label}`");
                return Err(self.error(&value.span(), message));
            }
            labels.insert(name.get_ref().to_string(), label);
        }
        Ok(labels)
    }

    fn price(&self, key: &str, value: &Value<'_>) -> Parsed<Price> {
        let fields = self.fields(key, value, &["input", "output"])?;
        let dollars = |name: &str| match fields.get(name) {
            Some(value) => self.number(&format!("{key}.{name}"), value),
            None => {
                let message = format!("a price needs `{name}`, in US dollars per million tokens");
                Err(self.error(&value.span(), message))
            }
        };
        Ok(Price { input: dollars("input")?, output: dollars("output")? })
    }

    pub(super) fn known_issues(&self, key: &str, value: &Value<'_>) -> Parsed<Vec<KnownIssue>> {
        let list =
            value.get_ref().as_array().ok_or_else(|| self.wrong(key, value, "a list of tables"))?;
        list.iter().map(|item| self.known_issue(key, item)).collect()
    }

    fn known_issue(&self, key: &str, value: &Value<'_>) -> Parsed<KnownIssue> {
        let fields = self.fields(key, value, &["case", "expectation", "reason", "expires"])?;
        let needed = |name: &str| {
            let missing = || self.error(&value.span(), format!("a known issue needs `{name}`"));
            fields.get(name).copied().ok_or_else(missing)
        };
        let text = |name: &str| self.text_of(&format!("{key}.{name}"), needed(name)?);
        Ok(KnownIssue {
            case: text("case")?,
            expectation: text("expectation")?,
            reason: text("reason")?,
            expires: self.day(&format!("{key}.expires"), needed("expires")?)?,
        })
    }

    /// A day, written as TOML's own date or as a text.
    fn day(&self, key: &str, value: &Value<'_>) -> Parsed<String> {
        let written = match value.get_ref() {
            DeValue::Datetime(day) => Some(day.to_string()),
            other => other.as_str().map(str::to_owned),
        };
        // A date with a time is refused: nobody says in which zone the gate runs.
        let is_day = |day: &String| day.len() == 10 && day.parse::<Date>().is_ok();
        let message = format!("`{key}` is a day such as `2026-12-31`");
        written.filter(is_day).ok_or_else(|| self.error(&value.span(), message))
    }

    /// The fields of a table, all of them `known`.
    fn fields<'f, 'v>(
        &self,
        key: &str,
        value: &'f Value<'v>,
        known: &[&'static str],
    ) -> Parsed<Fields<'f, 'v>> {
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        for name in table.keys() {
            if !known.contains(&name.get_ref().as_ref()) {
                return Err(self.unknown(&name.span(), name.get_ref(), known.iter().copied()));
            }
        }
        Ok(table.iter().map(|(name, value)| (name.get_ref().as_ref(), value)).collect())
    }
}

/// The longest address of a published report, in bytes.
const MAX_ADDRESS: usize = 500;

/// The folder that `address` means, ending in `/`; `None` where it is no plain address of the web.
fn folder_address(address: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"<>()[]{}\"'`|\\^?#".contains(&byte);
    let host = ["https://", "http://"].iter().find_map(|start| address.strip_prefix(start))?;
    let is_host = host.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !is_host || !address.bytes().all(is_plain) || address.len() > MAX_ADDRESS {
        return None;
    }
    Some(format!("{}/", address.trim_end_matches("index.html").trim_end_matches('/')))
}
