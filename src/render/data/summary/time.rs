//! When an iteration was made, as far as its files say.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::model::{Iteration, Workspace};

/// Years that a feed can name.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=9999;

/// The latest time that benchmarks, runs and the version history recorded of `iteration`, in UTC
/// and whole seconds; `None` where none did. A time without a zone is taken for UTC.
pub(super) fn recorded(workspace: &Workspace, iteration: &Iteration) -> Option<String> {
    let benchmarks =
        iteration.benchmarks.iter().filter_map(|benchmark| benchmark.timestamp.as_deref());
    let of_run = |run: &'_ crate::model::Run| {
        [run.metrics.started.clone(), run.metrics.ended.clone()].into_iter().flatten()
    };
    let versions = workspace.histories.iter().flat_map(|history| &history.versions);
    let versions = versions.filter(|version| version.name == iteration.name);
    let versions = versions.filter_map(|version| version.timestamp.as_deref());
    let written = benchmarks.chain(versions).filter_map(parse);
    let runs = iteration.runs().flat_map(of_run).filter_map(|text| parse(&text));
    written.chain(runs).max().map(|time| time.to_string())
}

fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let with_zone = text.parse::<Timestamp>().ok();
    let without = || {
        let civil: DateTime = text.parse().ok()?;
        Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
    };
    let time = with_zone.or_else(without).map(|time| time.as_second());
    let seconds = Timestamp::from_second(time.or_else(|| since_1970(text))?).ok()?;
    YEARS.contains(&seconds.to_zoned(TimeZone::UTC).year()).then_some(seconds)
}

/// A number of seconds, or of milliseconds where it is too large for those.
fn since_1970(text: &str) -> Option<i64> {
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    Some(if number > 1e11 { number / 1000.0 } else { number } as i64)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_are_read_as_they_are_written() {
        let read = |text: &str| parse(text).map(|time| time.to_string());
        for (text, time) in [
            ("2026-03-07T10:11:12Z", "2026-03-07T10:11:12Z"),
            ("2026-03-07T10:11:12.999+02:00", "2026-03-07T08:11:12Z"),
            ("2026-03-07T10:11:12", "2026-03-07T10:11:12Z"),
            (" 2026-03-07 10:11:12 ", "2026-03-07T10:11:12Z"),
            ("1772878272", "2026-03-07T10:11:12Z"),
            ("1772878272500", "2026-03-07T10:11:12Z"),
            ("2026-03-07", "2026-03-07T00:00:00Z"),
        ] {
            assert_eq!(read(text).as_deref(), Some(time), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "<time>",
            "-009999-01-01",
            "1969-12-31",
            "12:00",
            "t",
            "-5",
            "1e300",
            "NaN",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
