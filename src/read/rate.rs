//! Reads a share passed, as it is written: `0.75`, `75`, `"75%"`, `"3/4"`, `"2/8 (25%)"`.

use crate::model::Code;
use crate::read::alias::Field;
use crate::read::cursor::Cursor;

/// A field as a share in 0..=1.
pub(super) fn field(item: &Cursor<'_>, field: &Field) -> Option<f64> {
    read(&item.get(field)?)
}

/// The share at `found` in 0..=1. One that cannot be is a problem.
pub(super) fn read(found: &Cursor<'_>) -> Option<f64> {
    let rate = match found.node().as_text() {
        Some(text) if text.trim().is_empty() => return None,
        Some(text) => of_text(text),
        None => Some(of_number(found, found.node().as_f64()?)),
    };
    let read = rate.filter(|rate| (0.0..=1.0).contains(rate));
    if read.is_none() {
        let message = format!("`{}` is no share of 1", found.name());
        let help = "write a number from 0 to 1";
        found.problem(Code::OutOfRange, message, "read as not recorded", help);
    }
    read
}

/// More than 1 was written as percent.
fn of_number(found: &Cursor<'_>, number: f64) -> f64 {
    let name = found.name();
    let is_percent = name.contains("pct") || name.contains("percent");
    if number > 1.0 || is_percent { number / 100.0 } else { number }
}

fn of_text(text: &str) -> Option<f64> {
    let head = text.split('(').next().unwrap_or(text).trim();
    if let Some((part, whole)) = head.split_once('/') {
        let (part, whole): (f64, f64) = (part.trim().parse().ok()?, whole.trim().parse().ok()?);
        return (whole > 0.0).then_some(part / whole);
    }
    match head.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        None => head.parse().ok(),
    }
}
