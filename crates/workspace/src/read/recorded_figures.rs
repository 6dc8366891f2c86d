//! Figures of a recorded benchmark: rates, spreads and differences in the notations that people use.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::alias::{Field, benchmark};
use crate::read::cursor::Cursor;
use input::model::{RecordedConfiguration, RecordedRun, RecordedSpread};

/// The pass rate: with its dispersion, or alone in any notation of a share.
pub(super) fn rates(cursor: Cursor<'_>) -> RecordedSpread {
    let Some(found) = cursor.get(&benchmark::PASS_RATE) else { return RecordedSpread::default() };
    if !found.is_object() {
        return RecordedSpread {
            mean: found.as_rate(),
            stddev: cursor.number(&benchmark::STDDEV),
            ..RecordedSpread::default()
        };
    }
    let mut rates = spread(cursor, &benchmark::PASS_RATE);
    // Rates above 1 are percentages.
    if rates.mean.is_some_and(|mean| mean > 1.0) {
        for rate in [&mut rates.mean, &mut rates.stddev, &mut rates.min, &mut rates.max] {
            *rate = rate.map(|rate| rate / 100.0);
        }
    }
    rates
}

fn spread(cursor: Cursor<'_>, field: &Field) -> RecordedSpread {
    let Some(value) = cursor.get(field) else { return RecordedSpread::default() };
    if !value.is_object() {
        return RecordedSpread { mean: value.node().as_f64(), ..RecordedSpread::default() };
    }
    RecordedSpread {
        mean: value.number(&benchmark::MEAN),
        stddev: value.number(&benchmark::STDDEV),
        min: value.number(&benchmark::MIN),
        max: value.number(&benchmark::MAX),
    }
}

/// Seconds or tokens; a mean of 0 was never filled in.
// 58 public benchmarks have times of 0 and 31 have tokens of 0: their runs had no `timing.json`.
pub(super) fn measured_spread(cursor: Cursor<'_>, field: &Field) -> RecordedSpread {
    let spread = spread(cursor, field);
    if spread.mean == Some(0.0) { RecordedSpread::default() } else { spread }
}

/// A recorded difference: a number, or a text such as `+0.22` or `+38pp`.
// The skill-creator writes a text with a sign, people write a number.
pub(super) fn delta(root: Cursor<'_>, field: &Field) -> Option<f64> {
    let mut holders = root.all(&benchmark::SUMMARIES).chain([root]);
    let value = holders.find_map(|holder| holder.object(&benchmark::DELTA))?.get(field)?;
    let Some(text) = value.node().as_text() else { return value.node().as_f64() };
    let text = text.trim().replace('\u{2212}', "-");
    for unit in ["pp", "%", "points"] {
        if let Some(points) = text.strip_suffix(unit) {
            return Some(points.trim().parse::<f64>().ok()? / 100.0);
        }
    }
    text.parse().ok()
}

/// The counts of the listed runs by configuration, where the file has no sums of its own: of the cases
/// that all have, if there are any.
// Benchmarks by hand often list runs alone, and `"pass_rate": "n/a"` for one of them.
pub(super) fn sums(listed: &[RecordedRun]) -> Vec<RecordedConfiguration> {
    let mut sums: Vec<RecordedConfiguration> = Vec::new();
    let mut sides: BTreeMap<_, BTreeSet<&Option<String>>> = BTreeMap::new();
    for run in listed.iter().filter(|run| run.counts.total.is_some()) {
        sides.entry((&run.case_id, &run.case_name)).or_default().insert(&run.configuration);
    }
    let all: BTreeSet<_> = sides.values().flatten().collect();
    let has_shared = sides.values().any(|sides| sides.len() == all.len());
    for run in listed {
        let name = run.configuration.as_deref().unwrap_or_default();
        let (Some(passed), Some(total)) = (run.counts.passed, run.counts.total) else { continue };
        if has_shared && sides[&(&run.case_id, &run.case_name)].len() < all.len() {
            continue;
        }
        let at = sums.iter().position(|sum| sum.name == name).unwrap_or_else(|| {
            sums.push(RecordedConfiguration { name: name.to_owned(), ..Default::default() });
            sums.len() - 1
        });
        sums[at].passed = Some(sums[at].passed.unwrap_or(0.0) + passed);
        sums[at].total = Some(sums[at].total.unwrap_or(0.0) + total);
    }
    sums
}
