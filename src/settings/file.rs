//! Parses settings.

use std::collections::BTreeMap;

use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::settings::keys::{KEYS, nearest};
use crate::settings::{
    CostLimit, FILE, KnownIssue, Origin, Outputs, Price, Robots, SettingWord, Settings,
};

/// The longest address of a published report, in bytes.
const MAX_ADDRESS: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SettingsError {
    pub line: usize,
    pub column: usize,
    pub message: String,
    pub help: Option<String>,
}

impl SettingsError {
    fn new(text: &str, at: usize, message: impl Into<String>) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
            help: None,
        }
    }

    fn unknown<'k>(
        text: &str,
        at: usize,
        name: &str,
        names: impl Iterator<Item = &'k str> + Clone,
    ) -> Self {
        let help = match nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are `{}`", names.collect::<Vec<_>>().join("`, `")),
        };
        Self::new(text, at, format!("there is no key `{name}`")).help(help)
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl Settings {
    pub fn read(text: &str) -> Result<Self, SettingsError> {
        Self::read_as(text, &|line| Origin::File { path: FILE.to_owned(), line })
    }

    /// The same with the origin that `origin` returns for the key on each line.
    pub fn read_as(text: &str, origin: &dyn Fn(usize) -> Origin) -> Result<Self, SettingsError> {
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            SettingsError::new(text, at, error.message().trim().to_lowercase())
        })?;
        let mut settings = Self::default();
        read_table(text, table.get_ref(), "", origin, &mut settings)?;
        Ok(settings)
    }
}

fn read_table(
    text: &str,
    table: &DeTable<'_>,
    prefix: &str,
    origin: &dyn Fn(usize) -> Origin,
    settings: &mut Settings,
) -> ParseResult<()> {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        let at = key.span().start;
        let inside = format!("{name}.");
        match (KEYS.iter().find(|known| known.name == name), value.get_ref()) {
            (Some(known), _) => {
                (known.read)(&KeyValue { text, key: name, value }, settings)?;
                let line = SettingsError::new(text, at, "").line;
                settings.origins.insert(known.name, origin(line));
            }
            (None, DeValue::Table(inner))
                if KEYS.iter().any(|key| key.name.starts_with(&inside)) =>
            {
                read_table(text, inner, &inside, origin, settings)?;
            }
            (None, _) if name == "redact" => {
                let message = "`redact` is not a setting: a workspace may not show secrets";
                let help = "remove it, and give the flag `--no-redact` where you want that";
                return Err(SettingsError::new(text, at, message).help(help));
            }
            (None, _) => {
                let names = KEYS.iter().map(|key| key.name);
                return Err(SettingsError::unknown(text, at, &name, names));
            }
        }
    }
    Ok(())
}

pub(super) type ParseResult<T> = Result<T, SettingsError>;

/// A value with its key, and the text of the file.
#[derive(Clone)]
pub(super) struct KeyValue<'a, 'v> {
    text: &'a str,
    key: String,
    value: &'a Spanned<DeValue<'v>>,
}

impl<'a, 'v> KeyValue<'a, 'v> {
    fn error(&self, message: impl Into<String>) -> SettingsError {
        SettingsError::new(self.text, self.value.span().start, message)
    }

    fn wrong(&self, wanted: &str) -> SettingsError {
        let found = self.value.get_ref().type_str();
        self.error(format!("`{}` is {wanted}, not a value of type {found}", self.key))
    }

    fn items(&self, wanted: &str) -> ParseResult<impl Iterator<Item = Self>> {
        let list = self.value.get_ref().as_array().ok_or_else(|| self.wrong(wanted))?;
        Ok(list.iter().map(|value| KeyValue { value, ..self.clone() }))
    }

    fn entries(&self) -> ParseResult<impl Iterator<Item = (&'a str, Self)>> {
        let table = self.value.get_ref().as_table().ok_or_else(|| self.wrong("a table"))?;
        Ok(table.iter().map(|(name, value)| {
            let name = name.get_ref().as_ref();
            (name, KeyValue { key: format!("{}.{name}", self.key), value, ..*self })
        }))
    }

    /// The fields of a table, all of them `known`.
    fn fields(&self, names: &[&'static str]) -> ParseResult<BTreeMap<&'a str, Self>> {
        let wanted = || format!("a table with `{}`", names.join("`, `"));
        let table = self.value.get_ref().as_table();
        let table = table.ok_or_else(|| self.wrong(&wanted()))?;
        match table.keys().find(|name| !names.contains(&name.get_ref().as_ref())) {
            None => Ok(self.entries()?.collect()),
            Some(name) => {
                let (at, names) = (name.span().start, names.iter().copied());
                Err(SettingsError::unknown(self.text, at, name.get_ref(), names))
            }
        }
    }

    pub(super) fn text(&self) -> ParseResult<String> {
        match self.value.get_ref().as_str() {
            Some("") => Err(self.error(format!("`{}` is empty", self.key))),
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong("a text")),
        }
    }

    pub(super) fn texts(&self) -> ParseResult<Vec<String>> {
        self.items("a list of texts")?.map(|item| item.text()).collect()
    }

    pub(super) fn patterns(&self) -> ParseResult<Vec<String>> {
        let texts = self.texts()?;
        for text in &texts {
            glob::Pattern::new(text)
                .map_err(|error| self.error(format!("`{text}` is not a pattern: {}", error.msg)))?;
        }
        Ok(texts)
    }

    /// A list of words, or a single one.
    pub(super) fn words<W: SettingWord>(&self) -> ParseResult<Vec<W>> {
        let items = self.items("").map_or_else(|_| vec![self.clone()], Iterator::collect);
        let choices = items.iter().map(|item| item.choice("holds", "`, `"));
        let mut parsed = choices.collect::<ParseResult<Vec<W>>>()?;
        parsed.sort_unstable();
        parsed.dedup();
        Ok(parsed)
    }

    pub(super) fn outputs(&self) -> ParseResult<Outputs> {
        self.choice("is one of", "`, `")
    }

    pub(super) fn robots(&self) -> ParseResult<Robots> {
        self.choice("is", "` or `")
    }

    /// A word; if it is unknown, the message lists the possible ones.
    fn choice<W: SettingWord>(&self, can_be: &str, between: &str) -> ParseResult<W> {
        let word = self.text()?;
        let matching = W::ALL.iter().find(|(known, _)| *known == word);
        matching.map(|(_, choice)| *choice).ok_or_else(|| {
            let words: Vec<&str> = W::ALL.iter().map(|(word, _)| *word).collect();
            let words = words.join(between);
            self.error(format!("`{}` {can_be} `{words}`, not `{word}`", self.key))
        })
    }

    /// A plain web address of a folder, ending in `/`.
    pub(super) fn address(&self) -> ParseResult<String> {
        let written = self.text()?;
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"<>()[]{}\"'`|\\^?#".contains(&byte);
        let host = ["https://", "http://"].iter().find_map(|start| written.strip_prefix(start));
        let is_host =
            host.is_some_and(|host| host.starts_with(|c: char| c.is_ascii_alphanumeric()));
        if !is_host || !written.bytes().all(is_plain) || written.len() > MAX_ADDRESS {
            let message = format!("`{}` is not the address of a page: `{written}`", self.key);
            return Err(self.error(message).help("give one such as `https://me.example/report/`"));
        }
        Ok(format!("{}/", written.trim_end_matches("index.html").trim_end_matches('/')))
    }

    pub(super) fn at_least_one(&self) -> ParseResult<usize> {
        let number = self.number()?;
        if number >= 1.0 && number.fract() == 0.0 {
            return Ok(number as usize);
        }
        Err(self.error(format!("`{}` is a whole number from 1 up, not {number}", self.key)))
    }

    /// A share: a number from 0 to 1, or a text such as `80%`.
    pub(super) fn rate(&self) -> ParseResult<f64> {
        let (number, is_percent) = self.number_or_percent()?;
        let rate = if is_percent { number / 100.0 } else { number };
        if (0.0..=1.0).contains(&rate) {
            return Ok(rate);
        }
        let error = self.error(format!("`{}` is from 0 to 1, not {number}", self.key));
        let help = format!("write `\"{number}%\"` for a percentage");
        Err(SettingsError { help: (!is_percent && number <= 100.0).then_some(help), ..error })
    }

    pub(super) fn seconds(&self) -> ParseResult<CostLimit> {
        self.limit("seconds")
    }

    pub(super) fn tokens(&self) -> ParseResult<CostLimit> {
        self.limit("tokens")
    }

    /// An increase: a share as a text such as `20%`, or a number in `unit`.
    fn limit(&self, unit: &str) -> ParseResult<CostLimit> {
        let (number, is_percent) = self.number_or_percent()?;
        // Nearly everybody who writes a fraction means a share; as seconds or tokens it would fail
        // every gate.
        if !is_percent && number > 0.0 && number < 1.0 {
            let key = &self.key;
            let message = format!("`{key}` would allow {number} {unit} more");
            let help = format!("write `\"{}%\"` for a share", number * 100.0);
            return Err(self.error(message).help(help));
        }
        Ok(if is_percent { CostLimit::Share(number / 100.0) } else { CostLimit::Amount(number) })
    }

    /// A number from 0 up, and whether it is a percentage.
    fn number_or_percent(&self) -> ParseResult<(f64, bool)> {
        let Some(text) = self.value.get_ref().as_str() else {
            return Ok((self.number()?, false));
        };
        let percent = text.trim().strip_suffix('%').and_then(|text| text.trim().parse().ok());
        let percent = percent.filter(|number: &f64| number.is_finite() && *number >= 0.0);
        percent.map(|number| (number, true)).ok_or_else(|| {
            self.error(format!("`{}` is a number or a text such as `20%`, not `{text}`", self.key))
        })
    }

    fn number(&self) -> ParseResult<f64> {
        let written = match self.value.get_ref() {
            DeValue::Float(number) => Some(number.as_str()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
            _ => None,
        };
        let number = written.and_then(|number| number.replace('_', "").parse::<f64>().ok());
        let number = number.ok_or_else(|| self.wrong("a number"))?;
        if number.is_finite() && number >= 0.0 {
            return Ok(number);
        }
        Err(self.error(format!("`{}` is a number from 0 up, not {number}", self.key)))
    }

    pub(super) fn prices(&self) -> ParseResult<BTreeMap<String, Price>> {
        let mut prices = BTreeMap::new();
        for (model, price) in self.entries()? {
            let fields = price.fields(&["input", "output"])?;
            let missing = |name: &str| {
                let message = "in US dollars per million tokens";
                price.error(format!("a price needs `{name}`, {message}"))
            };
            let dollars = |name| fields.get(name).ok_or_else(|| missing(name))?.number();
            let price = Price { input: dollars("input")?, output: dollars("output")? };
            prices.insert(model.to_owned(), price);
        }
        Ok(prices)
    }

    /// Distinct labels by name.
    pub(super) fn labels(&self) -> ParseResult<BTreeMap<String, String>> {
        let mut labels: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in self.entries()? {
            let label = value.text()?;
            if labels.values().any(|known| *known == label) {
                return Err(value.error(format!("two configurations are called `{label}`")));
            }
            labels.insert(name.to_owned(), label);
        }
        Ok(labels)
    }

    pub(super) fn known_issues(&self) -> ParseResult<Vec<KnownIssue>> {
        let issue = |item: Self| {
            let fields = item.fields(&["case", "expectation", "reason", "expires"])?;
            let needed = |name: &str| {
                let missing = || item.error(format!("a known issue needs `{name}`"));
                fields.get(name).ok_or_else(missing)
            };
            Ok(KnownIssue {
                case: needed("case")?.text()?,
                expectation: needed("expectation")?.text()?,
                reason: needed("reason")?.text()?,
                expires: needed("expires")?.day()?,
            })
        };
        self.items("a list of tables")?.map(issue).collect()
    }

    fn day(&self) -> ParseResult<String> {
        let written = match self.value.get_ref() {
            DeValue::Datetime(day) => Some(day.to_string()),
            other => other.as_str().map(str::to_owned),
        };
        // A date with a time is refused: the zone of the gate is unknown.
        let is_day = |day: &String| day.len() == 10 && day.parse::<Date>().is_ok();
        let message = || format!("`{}` is a day such as `2026-12-31`", self.key);
        written.filter(is_day).ok_or_else(|| self.error(message()))
    }
}
