//! Limits of gates: shares, points, and what a run may cost.

use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// How much more a run may cost.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "NumberOrText", into = "NumberOrText")]
pub enum CostLimit {
    /// A share of the earlier cost: 0.2 for `"20%"`.
    Share(f64),
    /// This many more seconds or tokens per run.
    Amount(f64),
}

impl TryFrom<NumberOrText> for CostLimit {
    type Error = String;

    fn try_from(written: NumberOrText) -> Result<Self, String> {
        match written.quantity()? {
            Quantity::Percent(percent) => Ok(Self::Share(percent / 100.0)),
            // Nearly everybody who writes a fraction means a share; as seconds or tokens it would
            // fail every gate.
            Quantity::Number(number) if number > 0.0 && number < 1.0 => {
                let percent = number * 100.0;
                Err(format!(
                    "{number} is less than one second or token; write \"{percent}%\" for a share"
                ))
            }
            Quantity::Number(number) => Ok(Self::Amount(number)),
        }
    }
}

impl From<CostLimit> for NumberOrText {
    fn from(limit: CostLimit) -> Self {
        match limit {
            // Percentages have few decimals; the rest is binary noise.
            CostLimit::Share(share) => {
                Self::Text(format!("{}%", (share * 100.0 * 1e6).round() / 1e6))
            }
            CostLimit::Amount(amount) => Self::Number(amount),
        }
    }
}

impl FromStr for CostLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        NumberOrText::from(text).try_into()
    }
}

/// Reads a share: a number from 0 to 1, or a text such as `80%`.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    NumberOrText::from(text).rate()
}

pub(super) fn optional_rate<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    NumberOrText::deserialize(from)?.rate().map(Some).map_err(D::Error::custom)
}

/// Reads a difference of pass rates in points.
pub(super) fn points(text: &str) -> Result<f64, String> {
    let Ok(number) = text.parse() else { return Err(format!("expected a number, not `{text}`")) };
    from_minus_100_to_100(number)
}

pub(super) fn optional_points<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    from_minus_100_to_100(f64::deserialize(from)?).map(Some).map_err(D::Error::custom)
}

fn from_minus_100_to_100(number: f64) -> Result<f64, String> {
    if (-100.0..=100.0).contains(&number) {
        Ok(number)
    } else {
        Err(format!("expected -100 to 100, not {number}"))
    }
}

#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "expected a number or a text such as `20%`")]
enum NumberOrText {
    Number(f64),
    Text(String),
}

/// A number from 0 up.
enum Quantity {
    Number(f64),
    Percent(f64),
}

impl From<&str> for NumberOrText {
    fn from(text: &str) -> Self {
        match text.parse() {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Text(text.to_owned()),
        }
    }
}

impl NumberOrText {
    fn quantity(self) -> Result<Quantity, String> {
        match self {
            Self::Number(number) => Ok(Quantity::Number(from_zero_up(number)?)),
            Self::Text(text) => {
                let percent =
                    text.trim().strip_suffix('%').and_then(|text| text.trim().parse().ok());
                match percent {
                    Some(percent) => Ok(Quantity::Percent(from_zero_up(percent)?)),
                    None => Err(format!("expected a number or a text such as `20%`, not `{text}`")),
                }
            }
        }
    }

    fn rate(self) -> Result<f64, String> {
        let rate = match self.quantity()? {
            Quantity::Percent(percent) => percent / 100.0,
            // Who writes `80` means a percentage, and no pass rate reaches 80.
            Quantity::Number(number) if number > 1.0 && number <= 100.0 => {
                return Err(format!(
                    "expected 0 to 1, not {number}; write \"{number}%\" for a percentage"
                ));
            }
            Quantity::Number(number) => number,
        };
        if rate <= 1.0 { Ok(rate) } else { Err(format!("expected 0 to 1, not {rate}")) }
    }
}

pub(super) fn from_zero_up(number: f64) -> Result<f64, String> {
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err(format!("expected a number from 0 up, not {number}"))
    }
}

/// The most that a run may cost, as a multiple of what it cost earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Of tokens: 1.5 allows half as many again. `None` for any number.
    #[serde(deserialize_with = "multiple", skip_serializing_if = "Option::is_none")]
    pub tokens: Option<f64>,
    /// Of seconds: 2 allows twice as long. `None` for any time.
    #[serde(deserialize_with = "multiple", skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
}

fn multiple<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    from_zero_up(f64::deserialize(from)?).map(Some).map_err(D::Error::custom)
}
