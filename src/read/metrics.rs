//! Reads the cost of a run: `timing.json`, `metrics.json` and the like, and the same figures inside
//! another document.
//!
//! A figure may be at the top or inside a part (`timing`, `tokens`, …); the top wins. A zero
//! duration, token count or cost means that nobody filled it in.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::model::{Code, Metrics};
use crate::read::alias::metrics;
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::read::words;
use crate::text;

pub(super) fn read(cursor: Cursor<'_>) -> Metrics {
    let mut figures = own_figures(cursor);
    let mut cached = cursor.measure(&metrics::CACHED_BESIDE);
    for part in parts(cursor) {
        figures.fill_from(&part_figures(part));
        cached = cached.or_else(|| cached_apart(part));
    }
    derive(&mut figures, cached);
    // A note may say that tokens were counted in characters; an estimate from these is not a count.
    let is_of_characters = |note: &Cursor<'_>| {
        let text = note.as_words().unwrap_or_default().to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let is_estimate = has(&["estimat", "/4", "/ 4", "per token", "not char"]);
        text.contains("token") && has(&["chars", "character"]) && !is_estimate
    };
    let note = cursor.get(&metrics::NOTE).filter(is_of_characters);
    if let Some(note) = note.filter(|_| figures.tokens.is_some()) {
        figures.output_chars = figures.output_chars.or(figures.tokens);
        figures.tokens = None;
        let message = "a note says that the tokens are characters";
        note.problem(Code::CharactersAsTokens, message, "read as characters", "record the tokens");
    }
    if figures.duration_s.is_none() && figures.started.is_some() && figures.ended.is_some() {
        let message = "start and end give no duration";
        let help = "write both as `2026-03-07T12:00:00Z`, the end after the start";
        let ended = cursor.at(&metrics::ENDED);
        ended.problem(Code::WrongType, message, "read as not recorded", help);
    }
    figures
}

fn parts<'c>(cursor: Cursor<'c>) -> impl Iterator<Item = Cursor<'c>> + use<'c> {
    cursor.all(&metrics::PARTS).filter(|part| part.is_object())
}

/// The subparts of a part with numbers of tokens.
fn token_parts<'c>(part: Cursor<'c>) -> impl Iterator<Item = Cursor<'c>> + use<'c> {
    parts(part).filter(|inner| is_of_tokens(&inner.name()))
}

fn is_of_tokens(name: &str) -> bool {
    name.contains("token") || name == "usage"
}

/// Tokens from a cache that the input tokens of a part do not include.
fn cached_apart(part: Cursor<'_>) -> Option<f64> {
    let own = part.measure(&metrics::CACHED_BESIDE);
    own.or_else(|| token_parts(part).find_map(cached_apart))
}

fn own_figures(cursor: Cursor<'_>) -> Metrics {
    let grader_s = cursor.seconds(&metrics::GRADER_SECONDS, 1.0).or_else(|| {
        let started = cursor.label(&metrics::GRADER_STARTED);
        between(started.as_deref(), cursor.label(&metrics::GRADER_ENDED).as_deref())
    });
    // Between two counts of milliseconds, whatever their origin.
    let span = || {
        let started = cursor.plain_number(&metrics::STARTED_MS)?;
        let span = cursor.plain_number(&metrics::ENDED_MS)? - started;
        (span > 0.0).then_some(span / 1000.0)
    };
    let count = |field| {
        let list = cursor.get_where(field, Cursor::is_list)?;
        Some(list.items().count() as f64)
    };
    let calls = cursor.entries_of(&metrics::TOOL_CALLS_BY_NAME);
    let calls = calls.filter_map(|(name, calls)| Some((name.to_owned(), calls.node().as_f64()?)));
    let tool_calls_by_name: BTreeMap<String, f64> = calls.collect();
    // The total of the calls by tool, or `tool_calls` if it is a bare number.
    let total_calls = || match tool_calls_by_name.is_empty() {
        true => cursor
            .plain_number(&metrics::TOOL_CALLS_BY_NAME)
            .or_else(|| count(&metrics::TOOL_CALLS_BY_NAME)),
        false => Some(tool_calls_by_name.values().sum()),
    };
    let errors = cursor.plain_number(&metrics::ERRORS).filter(|errors| *errors >= 0.0);
    Metrics {
        duration_s: duration(cursor, grader_s).or_else(span),
        executor_s: cursor.seconds(&metrics::EXECUTOR_SECONDS, 1.0),
        grader_s,
        started: cursor.label(&metrics::STARTED).or_else(|| cursor.label(&metrics::STARTED_MS)),
        ended: cursor.label(&metrics::ENDED).or_else(|| cursor.label(&metrics::ENDED_MS)),
        tokens: cursor.measure(&metrics::TOKENS),
        input_tokens: cursor.measure(&metrics::INPUT_TOKENS),
        output_tokens: cursor.measure(&metrics::OUTPUT_TOKENS),
        cached_tokens: cursor.measure(&metrics::CACHED_TOKENS),
        cache_written_tokens: cursor.measure(&metrics::CACHE_WRITTEN_TOKENS),
        cost_usd: cursor.measure(&metrics::COST),
        model: cursor.label(&metrics::MODEL),
        tool_calls: cursor.tally(&metrics::TOOL_CALLS).or_else(total_calls),
        tool_calls_by_name,
        steps: cursor.measure(&metrics::STEPS),
        errors: errors.or_else(|| count(&metrics::ERRORS)),
        output_chars: cursor.measure(&metrics::OUTPUT_CHARS),
        transcript_chars: cursor.measure(&metrics::TRANSCRIPT_CHARS),
        files_created: cursor.texts(&metrics::FILES_CREATED),
    }
}

/// The total duration: in seconds, in milliseconds, or as a text with units.
fn duration(cursor: Cursor<'_>, grader_s: Option<f64>) -> Option<f64> {
    let seconds = cursor.seconds(&metrics::SECONDS, 1.0);
    let milliseconds = cursor.seconds(&metrics::MILLISECONDS, 0.001);
    if let (Some(total), Some(measured)) = (seconds, milliseconds) {
        let with_grader = measured + grader_s.unwrap_or(0.0);
        let is_same = is_same_duration(total, measured) || is_same_duration(total, with_grader);
        if let Some(value) = cursor.measured(&metrics::MILLISECONDS).filter(|_| !is_same) {
            let message = format!("`{}` says {}", value.name(), text::seconds(measured));
            let total = text::seconds(total);
            let assumed = format!("the duration in seconds says {total} and was taken");
            value.problem(Code::TimingMismatch, message, &assumed, "write one duration");
        }
    }
    // `duration` has its unit in a text; as a bare number it could be anything.
    let with_unit = || {
        let value = cursor.measured(&metrics::DURATION)?;
        let duration = value.node().as_text().and_then(|text| words::seconds(text.trim()));
        if duration.is_none() && value.node().as_f64() != Some(0.0) {
            let message = format!("`{}` does not say its unit", value.name());
            let help = "write `total_duration_seconds` or `duration_ms`";
            value.problem(Code::WrongType, message, "read as not recorded", help);
        }
        duration
    };
    let minutes = || cursor.seconds(&metrics::MINUTES, 60.0);
    seconds.or(milliseconds).or_else(minutes).or_else(with_unit)
}

/// Whether two durations are equal up to rounding.
pub(crate) fn is_same_duration(a: f64, b: f64) -> bool {
    (a - b).abs() <= (a.max(b) * 0.02).max(0.5)
}

/// The figures of a part, where short words such as `total` and `input` have a meaning too.
fn part_figures(part: Cursor<'_>) -> Metrics {
    let mut figures = own_figures(part);
    let name = part.name();
    let fill = |figure: &mut Option<f64>, field| *figure = figure.or_else(|| part.measure(field));
    if is_of_tokens(&name) {
        fill(&mut figures.tokens, &metrics::PART_TOTAL);
        fill(&mut figures.input_tokens, &metrics::PART_INPUT);
        fill(&mut figures.output_tokens, &metrics::PART_OUTPUT);
    }
    if name == "cost" {
        fill(&mut figures.cost_usd, &metrics::PART_USD);
    }
    for inner in token_parts(part) {
        figures.fill_from(&part_figures(inner));
    }
    figures
}

/// Sums and differences of recorded figures, and zeros that nobody filled in.
fn derive(figures: &mut Metrics, apart: Option<f64>) {
    if let (None, Some(input), Some(output)) =
        (figures.tokens, figures.input_tokens, figures.output_tokens)
    {
        // Cached tokens are part of the input tokens, unless their key says otherwise or there are
        // more of them.
        let more = || figures.cached_tokens.filter(|cached| *cached > input);
        let cached = apart.or_else(more).unwrap_or(0.0);
        let written = figures.cache_written_tokens.unwrap_or(0.0);
        figures.tokens = Some(input + output + cached + written);
    }
    if figures.duration_s.is_none() {
        figures.duration_s = match (figures.executor_s, figures.grader_s) {
            (Some(executor), None) => Some(executor),
            (Some(executor), Some(grader)) => Some(executor + grader),
            _ => between(figures.started.as_deref(), figures.ended.as_deref()),
        };
    }
    let silent = figures.steps.is_none()
        && figures.output_chars.is_none()
        && figures.tool_calls_by_name.values().all(|calls| *calls == 0.0);
    if silent && figures.tool_calls == Some(0.0) {
        figures.tool_calls = None;
    }
}

/// Seconds between two time stamps: RFC 3339, a date and time without zone, or a number of seconds
/// or milliseconds since 1970. `None` unless both can be read, on the same clock, and the end is
/// later.
fn between(started: Option<&str>, ended: Option<&str>) -> Option<f64> {
    let ((start, is_local), (end, is_also_local)) = (moment(started?)?, moment(ended?)?);
    (is_local == is_also_local && end > start).then_some(end - start)
}

/// The seconds of a time stamp, and whether it is local time in an unknown zone.
fn moment(text: &str) -> Option<(f64, bool)> {
    if let Ok(number) = text.parse::<f64>() {
        return Some((if number > 1e11 { number / 1000.0 } else { number }, false));
    }
    let (stamp, is_local) = match text.parse::<Timestamp>() {
        Ok(stamp) => (stamp, false),
        Err(_) => (text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(), true),
    };
    Some((stamp.as_millisecond() as f64 / 1000.0, is_local))
}

/// The figures of one run, or of each run named in the document: `{case: {configuration: {…}}}`.
pub(super) fn read_runs(root: Cursor<'_>) -> Vec<(Labels, Metrics)> {
    const MAX_LEVELS: usize = 3;
    collect(root, &Labels::default(), MAX_LEVELS)
}

fn collect(cursor: Cursor<'_>, above: &Labels, depth: usize) -> Vec<(Labels, Metrics)> {
    let labels = Labels::read(cursor, above);
    let figures = read(cursor);
    let is_run =
        figures.duration_s.is_some() || figures.tokens.is_some() || figures.tool_calls.is_some();
    let mut runs = Vec::new();
    if !is_run && depth > 0 {
        for (key, part) in cursor.entries().filter(|(_, part)| part.is_object()) {
            runs.extend(collect(part, &labels.for_key(key), depth - 1));
        }
    }
    if runs.is_empty() && !figures.is_empty() {
        runs.push((labels, figures));
    }
    runs
}
