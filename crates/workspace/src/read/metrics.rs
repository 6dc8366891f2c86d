//! Reads the cost of a run: `timing.json`, `metrics.json` and the like, and the same figures inside
//! another document.
//!
//! A figure may be at the top or inside a part (`timing`, `tokens`, …); the top wins. A zero
//! duration, token count or cost means that nobody filled it in.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::read::MAX_LEVELS;
use crate::read::alias::{Field, metrics};
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use input::model::{Code, Metrics};
use text::{self, mistyped};

/// The figures of one run, or of each run named in the document: `{case: {configuration: {…}}}`.
pub(super) fn read_runs(root: Cursor<'_>) -> Vec<(Labels, Metrics)> {
    collect(root, &Labels::default(), MAX_LEVELS)
}

/// Whether the document has fields of a timing, all of them null or zero.
// 272 public timings have a duration of 0 and 634 have 0 tokens.
pub(super) fn is_template(root: Cursor<'_>) -> bool {
    use metrics::{COST, MILLISECONDS, SECONDS, TOKENS};
    [&TOKENS, &SECONDS, &MILLISECONDS, &COST].iter().any(|field| root.has(field))
}

/// Reports a duration without a unit in a timing that has no other.
pub(super) fn problem_without_unit(root: Cursor<'_>, runs: &[(Labels, Metrics)]) {
    let is_timed = runs.iter().any(|(_, figures)| figures.duration_s.is_some());
    let mut entries = root.entries();
    if let Some((key, value)) = entries.find(|(key, _)| matches!(*key, "duration" | "time"))
        && !is_timed
        && !value.is_object()
    {
        let message = format!("`{key}` does not say its unit");
        value.problem(Code::UnknownShape, message, "read as not recorded", "write `duration_ms`");
    }
}

/// Reports a timing without any known field, and the fields that may be meant.
pub(super) fn problem_without_figures(root: Cursor<'_>) {
    use metrics::{INPUT_TOKENS, MILLISECONDS, OUTPUT_TOKENS, SECONDS, TOKENS};
    let figures = [&TOKENS, &SECONDS, &MILLISECONDS, &INPUT_TOKENS, &OUTPUT_TOKENS];
    let mut meant = Vec::new();
    for (key, _) in root.entries() {
        let spellings = figures.iter().flat_map(|field| field.spellings);
        if let Some(near) = mistyped(key, spellings.copied()) {
            meant.push(format!("`{near}`"));
        }
    }
    let message = "none of the fields of a timing were found";
    let help = if meant.is_empty() {
        "write `total_tokens` and `duration_ms`".to_owned()
    } else {
        format!("did you mean {}?", meant.join(" and "))
    };
    root.problem(Code::UnknownShape, message, "read as not recorded", &help);
}

// One `timing.json` for a whole iteration occurs, with cases and configurations as keys.
fn collect(cursor: Cursor<'_>, above: &Labels, levels: usize) -> Vec<(Labels, Metrics)> {
    let labels = Labels::read(cursor, above);
    let figures = read(cursor);
    let is_run =
        figures.duration_s.is_some() || figures.tokens.is_some() || figures.tool_calls.is_some();
    let mut runs = Vec::new();
    if !is_run && levels > 0 {
        for (key, part) in cursor.entries().filter(|(_, part)| part.is_object()) {
            runs.extend(collect(part, &labels.for_key(key), levels - 1));
        }
    }
    if runs.is_empty() && !figures.is_empty() {
        // Most documents are about one run, and a list that grows has room for four.
        return vec![(labels, figures)];
    }
    runs
}

/// The figures in an object and its parts.
pub(super) fn read(cursor: Cursor<'_>) -> Metrics {
    let mut figures = own_figures(cursor);
    let mut cached_apart = cursor.measure(&metrics::CACHED_BESIDE);
    for part in parts(cursor) {
        add_part(part, &mut figures, &mut cached_apart);
    }
    derive(&mut figures, cached_apart);
    add_models(cursor, &mut figures);
    let note = cursor.get(&metrics::NOTE).and_then(|note| note.as_text());
    figures.note = note.map(|note| note.to_string());
    if let Some(note) = cursor.get(&metrics::NOTE)
        && figures.tokens.is_some()
        && says_tokens_are_characters(note)
    {
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

/// Claude Code counts the main agent in `usage`, and every model in `modelUsage`: what sub-agents
/// used is part of what a run costs.
fn add_models(cursor: Cursor<'_>, figures: &mut Metrics) {
    let mut sum = Metrics::default();
    let mut models = Vec::new();
    for (model, part) in cursor.entries_of(&metrics::BY_MODEL).filter(|(_, part)| part.is_object())
    {
        let own = read(part);
        for (total, own) in [
            (&mut sum.tokens, own.tokens),
            (&mut sum.input_tokens, own.input_tokens),
            (&mut sum.output_tokens, own.output_tokens),
            (&mut sum.cached_tokens, own.cached_tokens),
            (&mut sum.cache_written_tokens, own.cache_written_tokens),
            (&mut sum.cost_usd, own.cost_usd),
        ] {
            *total = total.or(own.map(|_| 0.0)).map(|total| total + own.unwrap_or(0.0));
        }
        models.push(model);
    }
    if sum.tokens > figures.tokens {
        sum.fill_from(figures);
        *figures = sum;
    }
    if let [only] = models[..] {
        figures.model = figures.model.take().or_else(|| Some(only.to_owned()));
    }
}

/// The skill-creator's executor has only characters at hand and writes so in a note. An estimate of
/// tokens from characters is not what is meant.
fn says_tokens_are_characters(note: Cursor<'_>) -> bool {
    let text = note.as_text().unwrap_or_default().to_lowercase();
    has_any(&text, &["chars", "character"])
        && text.contains("token")
        && !has_any(&text, &["estimat", "/4", "/ 4", "per token", "not char"])
}

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn parts<'c>(cursor: Cursor<'c>) -> impl Iterator<Item = Cursor<'c>> + use<'c> {
    cursor.all(&metrics::PARTS).filter(|part| part.is_object())
}

/// Adds the figures of a part, where short words such as `total` and `input` have a meaning too.
fn add_part(part: Cursor<'_>, figures: &mut Metrics, cached_apart: &mut Option<f64>) {
    let mut own = own_figures(part);
    let name = part.name();
    if is_of_tokens(&name) {
        own.tokens = own.tokens.or_else(|| part.measure(&metrics::PART_TOTAL));
        own.input_tokens = own.input_tokens.or_else(|| part.measure(&metrics::PART_INPUT));
        own.output_tokens = own.output_tokens.or_else(|| part.measure(&metrics::PART_OUTPUT));
    }
    if name == "cost" {
        own.cost_usd = own.cost_usd.or_else(|| part.measure(&metrics::PART_USD));
    }
    figures.fill_from(&own);
    *cached_apart = cached_apart.or_else(|| part.measure(&metrics::CACHED_BESIDE));
    for inner in parts(part).filter(|inner| is_of_tokens(&inner.name())) {
        add_part(inner, figures, cached_apart);
    }
}

fn is_of_tokens(name: &str) -> bool {
    name.contains("token") || name == "usage"
}

/// The figures directly in an object.
fn own_figures(cursor: Cursor<'_>) -> Metrics {
    let grader_s = cursor.measure(&metrics::GRADER_SECONDS).or_else(|| {
        let started = cursor.label(&metrics::GRADER_STARTED);
        seconds_between(started.as_deref(), cursor.label(&metrics::GRADER_ENDED).as_deref())
    });
    let mut tool_calls_by_name = BTreeMap::new();
    for (name, calls) in cursor.entries_of(&metrics::TOOL_CALLS_BY_NAME) {
        if let Some(calls) = calls.node().as_f64() {
            tool_calls_by_name.insert(name.to_owned(), calls);
        }
    }
    let mut tool_calls = cursor.number(&metrics::TOOL_CALLS).filter(|calls| *calls >= 0.0);
    if tool_calls.is_none() {
        tool_calls = if tool_calls_by_name.is_empty() {
            number_or_length(cursor, &metrics::TOOL_CALLS_BY_NAME)
        } else {
            Some(tool_calls_by_name.values().sum())
        };
    }
    Metrics {
        duration_s: duration(cursor, grader_s),
        executor_s: cursor.measure(&metrics::EXECUTOR_SECONDS),
        grader_s,
        started: cursor.label(&metrics::STARTED).or_else(|| cursor.label(&metrics::STARTED_MS)),
        ended: cursor.label(&metrics::ENDED).or_else(|| cursor.label(&metrics::ENDED_MS)),
        tokens: cursor.measure(&metrics::TOKENS),
        input_tokens: cursor.measure(&metrics::INPUT_TOKENS),
        output_tokens: cursor.measure(&metrics::OUTPUT_TOKENS),
        cached_tokens: cursor.measure(&metrics::CACHED_TOKENS),
        cache_written_tokens: cursor.measure(&metrics::CACHE_WRITTEN_TOKENS),
        cost_usd: cursor.measure(&metrics::COST),
        model: cursor.model(&metrics::MODEL),
        tool_calls,
        tool_calls_by_name,
        steps: cursor.measure(&metrics::STEPS),
        errors: number_or_length(cursor, &metrics::ERRORS),
        output_chars: cursor.measure(&metrics::OUTPUT_CHARS),
        note: None,
        transcript_chars: cursor.measure(&metrics::TRANSCRIPT_CHARS),
        files_created: cursor.texts(&metrics::FILES_CREATED),
    }
}

/// A count that is not negative, or the length of a list of what is counted.
fn number_or_length(cursor: Cursor<'_>, field: &Field) -> Option<f64> {
    if let Some(number) = cursor.number(field)
        && number >= 0.0
    {
        return Some(number);
    }
    let list = cursor.get_where(field, Cursor::is_list)?;
    Some(list.items().count() as f64)
}

/// The total duration: in seconds, in milliseconds, or between two counts of milliseconds.
fn duration(cursor: Cursor<'_>, grader_s: Option<f64>) -> Option<f64> {
    let seconds = cursor.measure(&metrics::SECONDS);
    let milliseconds =
        cursor.measure(&metrics::MILLISECONDS).map(|milliseconds| milliseconds * 0.001);
    if let (Some(total), Some(measured)) = (seconds, milliseconds) {
        // Some writers leave the grader out of the milliseconds.
        let with_grader = measured + grader_s.unwrap_or(0.0);
        if !is_same_duration(total, measured) && !is_same_duration(total, with_grader) {
            let value = cursor.measured(&metrics::MILLISECONDS).unwrap_or(cursor);
            let message = format!("`{}` says {}", value.name(), text::seconds(measured));
            let total = text::seconds(total);
            let assumed = format!("the duration in seconds says {total} and was taken");
            value.problem(Code::TimingMismatch, message, &assumed, "write one duration");
        }
    }
    seconds.or(milliseconds).or_else(|| span_of_milliseconds(cursor))
}

/// The seconds between two counts of milliseconds, whatever their origin.
fn span_of_milliseconds(cursor: Cursor<'_>) -> Option<f64> {
    let started = cursor.number(&metrics::STARTED_MS)?;
    let span = cursor.number(&metrics::ENDED_MS)? - started;
    if span > 0.0 { Some(span / 1000.0) } else { None }
}

/// Whether two durations are equal up to rounding.
pub(crate) fn is_same_duration(a: f64, b: f64) -> bool {
    (a - b).abs() <= (a.max(b) * 0.02).max(0.5)
}

/// Sums and differences of recorded figures, and zeros that nobody filled in. `cached_apart` are
/// tokens from a cache that the input tokens do not include.
fn derive(figures: &mut Metrics, cached_apart: Option<f64>) {
    if let (None, Some(input), Some(output)) =
        (figures.tokens, figures.input_tokens, figures.output_tokens)
    {
        // Cached tokens are part of the input tokens, unless their key says otherwise or there are
        // more of them.
        let more = figures.cached_tokens.filter(|cached| *cached > input);
        let cached = cached_apart.or(more).unwrap_or(0.0);
        let written = figures.cache_written_tokens.unwrap_or(0.0);
        figures.tokens = Some(input + output + cached + written);
    }
    if figures.duration_s.is_none() {
        figures.duration_s = match figures.executor_s {
            Some(executor) => Some(executor + figures.grader_s.unwrap_or(0.0)),
            None => seconds_between(figures.started.as_deref(), figures.ended.as_deref()),
        };
    }
    // Templates have all counts at 0; a run that really called nothing still has steps or output.
    let is_silent = figures.steps.is_none()
        && figures.output_chars.is_none()
        && figures.tool_calls_by_name.values().all(|calls| *calls == 0.0);
    if is_silent && figures.tool_calls == Some(0.0) {
        figures.tool_calls = None;
    }
}

/// Seconds between two time stamps; `None` unless both can be read, on the same clock, and the end
/// is later.
fn seconds_between(started: Option<&str>, ended: Option<&str>) -> Option<f64> {
    let (started, ended) = (moment(started?)?, moment(ended?)?);
    let is_later = started.is_local == ended.is_local && ended.seconds > started.seconds;
    if is_later { Some(ended.seconds - started.seconds) } else { None }
}

/// The seconds since 1970 of a time stamp; local time counts as UTC.
pub(crate) fn seconds_since_1970(text: &str) -> Option<f64> {
    Some(moment(text.trim())?.seconds)
}

struct Moment {
    /// Seconds since 1970.
    seconds: f64,
    /// Whether it is local time in an unknown zone.
    is_local: bool,
}

/// A time stamp: RFC 3339, a date and time without zone, or seconds or milliseconds since 1970.
fn moment(text: &str) -> Option<Moment> {
    if let Ok(number) = text.parse::<f64>() {
        let seconds = if number > 1e11 { number / 1000.0 } else { number };
        return Some(Moment { seconds, is_local: false });
    }
    let (stamp, is_local) = match text.parse::<Timestamp>() {
        Ok(stamp) => (stamp, false),
        Err(_) => (text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(), true),
    };
    Some(Moment { seconds: stamp.as_millisecond() as f64 / 1000.0, is_local })
}
