//! Reads what a run cost: `timing.json`, `metrics.json` and their like, and the same figures where
//! they stand inside another document.
//!
//! A figure may stand at the top or inside a part (`timing`, `tokens`, …); the top wins. A zero
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

pub(super) fn read(cursor: &Cursor<'_>) -> Metrics {
    let mut figures = own_figures(cursor);
    let mut cached = cursor.measure(&metrics::CACHED_BESIDE);
    for part in parts(cursor) {
        figures.fill_from(&part_figures(&part));
        cached = cached.or_else(|| cached_beside(&part));
    }
    derive(&mut figures, cached);
    if let Some(note) = note_on_characters(cursor).filter(|_| figures.tokens.is_some()) {
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

/// The note that says that tokens were counted in characters; what was estimated from them is no
/// count of them.
fn note_on_characters<'c>(cursor: &'c Cursor<'c>) -> Option<Cursor<'c>> {
    let note = cursor.get(&metrics::NOTE)?;
    let text = note.as_words()?.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_said = has(&["token"]) && has(&["chars", "character"]);
    (is_said && !has(&["estimat", "/4", "/ 4", "per token", "not char"])).then_some(note)
}

fn parts<'c>(cursor: &'c Cursor<'c>) -> impl Iterator<Item = Cursor<'c>> {
    cursor.all(&metrics::PARTS).filter(Cursor::is_object)
}

/// The parts of a part that say how many tokens were used.
fn token_parts<'c>(part: &'c Cursor<'c>) -> impl Iterator<Item = Cursor<'c>> {
    parts(part).filter(|inner| is_of_tokens(&inner.name()))
}

fn is_of_tokens(name: &str) -> bool {
    name.contains("token") || name == "usage"
}

/// Tokens from a cache that the tokens read of a part do not count.
fn cached_beside(part: &Cursor<'_>) -> Option<f64> {
    let own = part.measure(&metrics::CACHED_BESIDE);
    own.or_else(|| token_parts(part).find_map(|inner| cached_beside(&inner)))
}

fn own_figures(cursor: &Cursor<'_>) -> Metrics {
    let grader_s = cursor.seconds(&metrics::GRADER_SECONDS, 1.0).or_else(|| {
        let started = cursor.label(&metrics::GRADER_STARTED);
        between(started.as_deref(), cursor.label(&metrics::GRADER_ENDED).as_deref())
    });
    // Between two counts of milliseconds, whatever they count from.
    let span = || {
        let started = cursor.plain_number(&metrics::STARTED_MS)?;
        let span = cursor.plain_number(&metrics::ENDED_MS)? - started;
        (span > 0.0).then_some(span / 1000.0)
    };
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
        tool_calls: cursor.tally(&metrics::TOOL_CALLS).or_else(|| total_calls(cursor)),
        tool_calls_by_name: calls_by_name(cursor),
        steps: cursor.measure(&metrics::STEPS),
        errors: errors(cursor),
        output_chars: cursor.measure(&metrics::OUTPUT_CHARS),
        transcript_chars: cursor.measure(&metrics::TRANSCRIPT_CHARS),
        files_created: cursor.texts(&metrics::FILES_CREATED),
    }
}

/// The total duration: in seconds, in milliseconds, or as a text with units.
fn duration(cursor: &Cursor<'_>, grader_s: Option<f64>) -> Option<f64> {
    let seconds = cursor.seconds(&metrics::SECONDS, 1.0);
    let milliseconds = cursor.seconds(&metrics::MILLISECONDS, 0.001);
    if let (Some(total), Some(measured)) = (seconds, milliseconds) {
        let with_grader = measured + grader_s.unwrap_or(0.0);
        let is_same = is_same_duration(total, measured) || is_same_duration(total, with_grader);
        if let Some(found) = cursor.measured(&metrics::MILLISECONDS).filter(|_| !is_same) {
            let message = format!("`{}` says {}", found.name(), text::seconds(measured));
            let total = text::seconds(total);
            let assumed = format!("the duration in seconds says {total} and was taken");
            found.problem(Code::TimingMismatch, message, &assumed, "write one duration");
        }
    }
    let minutes = || cursor.seconds(&metrics::MINUTES, 60.0);
    seconds.or(milliseconds).or_else(minutes).or_else(|| duration_with_unit(cursor))
}

/// Whether two durations are the same, rounded differently.
pub(crate) fn is_same_duration(a: f64, b: f64) -> bool {
    (a - b).abs() <= (a.max(b) * 0.02).max(0.5)
}

/// `duration` says its unit in a text; as a bare number it could be anything.
fn duration_with_unit(cursor: &Cursor<'_>) -> Option<f64> {
    let found = cursor.measured(&metrics::DURATION)?;
    match found.node().as_text() {
        Some(text) if words::seconds(text.trim()).is_some() => words::seconds(text.trim()),
        _ if found.node().as_f64() == Some(0.0) => None,
        _ => {
            let message = format!("`{}` does not say its unit", found.name());
            let help = "write `total_duration_seconds` or `duration_ms`";
            found.problem(Code::WrongType, message, "read as not recorded", help);
            None
        }
    }
}

/// The figures of a part, where short words such as `total` and `input` have a meaning too.
fn part_figures(part: &Cursor<'_>) -> Metrics {
    let mut figures = own_figures(part);
    let name = part.name();
    if is_of_tokens(&name) {
        figures.tokens = figures.tokens.or_else(|| part.measure(&metrics::PART_TOTAL));
        figures.input_tokens = figures.input_tokens.or_else(|| part.measure(&metrics::PART_INPUT));
        figures.output_tokens =
            figures.output_tokens.or_else(|| part.measure(&metrics::PART_OUTPUT));
    }
    if name == "cost" {
        figures.cost_usd = figures.cost_usd.or_else(|| part.measure(&metrics::PART_USD));
    }
    for inner in token_parts(part) {
        figures.fill_from(&part_figures(&inner));
    }
    figures
}

/// All tokens where only parts are recorded. What came from a cache is a part of those read, unless
/// its key says otherwise or it is more than they are.
fn sum_of_tokens(figures: &Metrics, apart: Option<f64>) -> Option<f64> {
    let (input, output) = (figures.input_tokens?, figures.output_tokens?);
    let more = || figures.cached_tokens.filter(|cached| *cached > input);
    let cached = apart.or_else(more).unwrap_or(0.0);
    Some(input + output + cached + figures.cache_written_tokens.unwrap_or(0.0))
}

/// Sums and differences of recorded figures, and zeros that nobody filled in.
fn derive(figures: &mut Metrics, cached: Option<f64>) {
    figures.tokens = figures.tokens.or_else(|| sum_of_tokens(figures, cached));
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

fn calls_by_name(cursor: &Cursor<'_>) -> BTreeMap<String, f64> {
    let Some(calls) = cursor.object(&metrics::TOOL_CALLS_BY_NAME) else {
        return BTreeMap::new();
    };
    let entries = calls.entries();
    entries.filter_map(|(name, calls)| Some((name.to_owned(), calls.node().as_f64()?))).collect()
}

/// The total of the calls by tool, or the bare number where `tool_calls` is one.
fn total_calls(cursor: &Cursor<'_>) -> Option<f64> {
    let by_name = calls_by_name(cursor);
    if by_name.is_empty() {
        let listed = cursor.get_where(&metrics::TOOL_CALLS_BY_NAME, Cursor::is_list);
        let count = listed.and_then(|calls| Some(calls.node().as_list()?.len() as f64));
        return cursor.plain_number(&metrics::TOOL_CALLS_BY_NAME).or(count);
    }
    Some(by_name.values().sum())
}

fn errors(cursor: &Cursor<'_>) -> Option<f64> {
    let counted = cursor.plain_number(&metrics::ERRORS).filter(|errors| *errors >= 0.0);
    counted.or_else(|| {
        let list = cursor.get_where(&metrics::ERRORS, Cursor::is_list)?;
        list.node().as_list().map(|errors| errors.len() as f64)
    })
}

/// Seconds between two stamps: RFC 3339, a date and time without zone, or a number of seconds or
/// milliseconds since 1970. `None` unless both can be read, on the same clock, and the end is later.
fn between(started: Option<&str>, ended: Option<&str>) -> Option<f64> {
    let ((start, is_local), (end, is_also_local)) = (moment(started?)?, moment(ended?)?);
    (is_local == is_also_local && end > start).then_some(end - start)
}

/// The seconds of a stamp, and whether it is of a local clock, whose zone nobody knows.
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

const MAX_LEVELS: usize = 3;

/// The figures of one run, or of each run named in the document: `{case: {configuration: {…}}}`.
pub(super) fn read_runs(root: &Cursor<'_>) -> Vec<(Labels, Metrics)> {
    collect(root, &Labels::default(), MAX_LEVELS)
}

fn collect(cursor: &Cursor<'_>, above: &Labels, depth: usize) -> Vec<(Labels, Metrics)> {
    let labels = Labels::read(cursor, above);
    let figures = read(cursor);
    let is_run =
        figures.duration_s.is_some() || figures.tokens.is_some() || figures.tool_calls.is_some();
    let mut found = Vec::new();
    if !is_run && depth > 0 {
        for (key, part) in cursor.entries().filter(|(_, part)| part.is_object()) {
            found.extend(collect(&part, &labels.of_key(key), depth - 1));
        }
    }
    if found.is_empty() && !figures.is_empty() {
        found.push((labels, figures));
    }
    found
}
