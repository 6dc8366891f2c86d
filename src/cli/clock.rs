//! The clock, and `SOURCE_DATE_EPOCH` in its place.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cli::{CommandResult, Failure};

/// The time that a command writes down: now, unless `SOURCE_DATE_EPOCH` is set.
pub(super) fn timestamp() -> CommandResult<String> {
    let now = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    Ok(source_date()?.unwrap_or(now))
}

/// The time in `SOURCE_DATE_EPOCH`; `None` where it is not set.
pub(super) fn source_date() -> CommandResult<Option<String>> {
    let Some(value) = std::env::var_os("SOURCE_DATE_EPOCH") else { return Ok(None) };
    let seconds = value.to_str().and_then(|text| text.parse().ok());
    let Some(time) = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok()) else {
        let message = "`SOURCE_DATE_EPOCH` is not a number of seconds since 1970";
        return Err(Failure::usage(message));
    };
    Ok(Some(time.to_string()))
}

/// The day in UTC.
pub(super) fn today() -> String {
    Timestamp::now().to_zoned(TimeZone::UTC).date().to_string()
}
