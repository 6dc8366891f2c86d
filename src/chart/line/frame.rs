//! Layout of a line chart.

use std::collections::BTreeSet;

use crate::chart::axis_labels::AxisLabels;
use crate::chart::line::data::LineChart;
use crate::chart::line::describe::end_texts;
use crate::chart::line::legend::Legend;
use crate::chart::text_width::width;
use crate::language::Language;

#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) class: &'static str,
    width: f64,
    /// Left and right edge of the plot.
    left: f64,
    right: f64,
    plot_height: f64,
    /// Whether series are named at the ends of their lines.
    has_ends: bool,
}

pub(super) const WIDE: Sizes = Sizes {
    class: "chart-wide",
    width: 1200.0,
    left: 52.0,
    right: 1192.0,
    plot_height: 234.0,
    has_ends: true,
};

pub(super) const NARROW: Sizes = Sizes {
    class: "chart-narrow",
    width: 360.0,
    left: 46.0,
    right: 356.0,
    plot_height: 164.0,
    has_ends: false,
};

/// Width in pixels of an interval and the space around it.
const INTERVAL: f64 = 9.0;

/// Least distance between iterations to write values at the points.
const VALUE: f64 = 56.0;

pub(super) struct ChartFrame<'a> {
    pub(super) chart: &'a LineChart,
    pub(super) language: &'a Language,
    pub(super) sizes: Sizes,
    /// The lowest and the highest value of the axis.
    scale: (f64, f64),
    /// Values on the axis with their texts.
    pub(super) values: Vec<(f64, String)>,
    pub(super) labels: AxisLabels,
    pub(super) legend: Legend,
    pub(super) ends: Vec<String>,
    /// Reasons of breaks where they fit at the break, by the number of the break.
    pub(super) reasons: Vec<Option<&'a str>>,
    /// Notes below the names of the iterations; empty where they do not fit.
    pub(super) notes: Vec<&'a str>,
    pub(super) size: (f64, f64),
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// The baseline of the reasons of breaks.
    pub(super) reasons_y: f64,
    /// Pixels between iterations.
    pub(super) spacing: f64,
    /// Pixels between the series at an iteration.
    step: f64,
}

impl<'a> ChartFrame<'a> {
    pub(super) fn new(chart: &'a LineChart, language: &'a Language, sizes: Sizes) -> Self {
        let ends = if sizes.has_ends { end_texts(chart) } else { Vec::new() };
        let label_width = ends.iter().map(|text| width(text) + 20.0).fold(0.0, f64::max);
        let (left, right) = (sizes.left, sizes.right - label_width);
        let spacing = (right - left) / chart.ticks.len().max(1) as f64;
        let series = chart.series.len() as f64;
        // On a phone the intervals of two series would cover each other.
        let fits_side_by_side = series * INTERVAL <= spacing;
        let mut values = chart.unit.ticks(language);
        values.retain(|(value, _)| *value >= chart.starts_at());
        let names: Vec<String> = chart.ticks.iter().map(|tick| tick.name.clone()).collect();
        let mut frame = Self {
            labels: AxisLabels::new(&names, spacing, left + spacing / 2.0),
            legend: Legend::default(),
            reasons: Vec::new(),
            notes: Vec::new(),
            size: (sizes.width, 0.0),
            top: 0.0,
            bottom: 0.0,
            reasons_y: 0.0,
            step: if fits_side_by_side { (spacing * 0.6 / series).min(18.0) } else { 0.0 },
            chart,
            language,
            sizes,
            scale: (chart.starts_at(), chart.unit.bounds().1),
            values,
            ends,
            left,
            right,
            spacing,
        };
        if frame.is_hatched(0) {
            // The marks of the other side lie next to the column.
            frame.step = frame.half_column() + 14.0;
        }
        frame.reasons = frame.placed_reasons();
        let reasons: BTreeSet<&str> = chart.breaks.iter().map(|gap| &*gap.reason).collect();
        // What has no label of its own has to be explained somewhere.
        let mut unplaced =
            reasons.into_iter().filter(|reason| !frame.reasons.contains(&Some(reason)));
        // With several reasons, only the table can say which applies where.
        let reason =
            unplaced.next().map(|one| unplaced.next().map_or(one, |_| language.text("chart.gaps")));
        let has_intervals = frame.has_intervals();
        let intervals = Some(language.text("chart.interval_of")).filter(|_| has_intervals);
        let outlines = Some(language.text("chart.outlined")).filter(|_| chart.has_outlines());
        frame.legend = Legend::new(chart, sizes.width, outlines, intervals, reason);
        frame.notes = frame.placed_notes();
        let reasons = if frame.reasons.iter().any(Option::is_some) { 16.0 } else { 0.0 };
        let values = if frame.has_values() { 8.0 } else { 0.0 };
        frame.reasons_y = frame.legend.height + reasons - 5.0;
        frame.top = frame.legend.height + reasons + values + 16.0;
        frame.bottom = frame.top + sizes.plot_height;
        let notes = if frame.notes.is_empty() { 0.0 } else { 16.0 };
        frame.size.1 = frame.bottom + frame.labels.height + notes + 6.0;
        frame
    }

    /// Each reason at its break if all of them fit, else none.
    fn placed_reasons(&self) -> Vec<Option<&'a str>> {
        let (mut free, mut placed) = (0.0, Vec::new());
        for at in &self.chart.breaks {
            let (x, half) = (self.x_before(at.index), width(&at.reason) / 2.0);
            let fits = x - half >= free && x + half <= self.size.0;
            free = x + half + 12.0;
            placed.push(fits.then_some(at.reason.as_str()));
        }
        // Reasons at some breaks would look as if the others had none.
        if placed.iter().any(Option::is_none) { vec![None; placed.len()] } else { placed }
    }

    /// The notes below the iterations, in the longest form that fits for all.
    fn placed_notes(&self) -> Vec<&'a str> {
        let ticks = &self.chart.ticks;
        let whole: Vec<&str> = ticks.iter().map(|tick| tick.note.as_str()).collect();
        if whole.iter().all(|note| note.is_empty()) {
            return Vec::new();
        }
        let short: Vec<&str> = ticks.iter().map(|tick| tick.short_note.as_str()).collect();
        // Notes at some points would look like missing values at the others.
        for notes in [whole, short] {
            if notes.iter().all(|note| width(note) + 10.0 <= self.spacing) {
                return notes;
            }
        }
        Vec::new()
    }

    /// Whether a series is drawn as columns: the first one of recorded figures.
    pub(super) fn is_hatched(&self, series: usize) -> bool {
        series == 0 && self.chart.series.first().is_some_and(|first| first.role.is_recorded())
    }

    /// Half the width of a column.
    pub(super) fn half_column(&self) -> f64 {
        (self.spacing / 8.0).min(18.0)
    }

    /// Whether intervals are drawn, and there are any.
    pub(super) fn has_intervals(&self) -> bool {
        let mut points = self.chart.series.iter().flat_map(|series| series.present());
        self.step > 0.0 && points.any(|(_, point)| point.interval.is_some())
    }

    pub(super) fn has_values(&self) -> bool {
        let least = if self.sizes.has_ends { VALUE } else { VALUE * 0.75 };
        self.chart.series.len() <= 2 && self.spacing >= least
    }

    /// The x position of an iteration.
    pub(super) fn x(&self, index: usize) -> f64 {
        self.left + (index as f64 + 0.5) * self.spacing
    }

    /// The x position of an iteration for one of the series.
    pub(super) fn x_of(&self, index: usize, series: usize) -> f64 {
        self.x(index) + (series as f64 - (self.chart.series.len() as f64 - 1.0) / 2.0) * self.step
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        let (low, high) = self.scale;
        let share = (value - low) / (high - low);
        self.bottom - share * (self.bottom - self.top)
    }

    /// The x position of a break before an iteration.
    pub(super) fn x_before(&self, index: usize) -> f64 {
        self.left + index as f64 * self.spacing
    }

    /// Radius of the points: smaller where they are dense.
    pub(super) fn radius(&self) -> f64 {
        match self.spacing {
            wide if wide >= 24.0 => 5.0,
            wide if wide >= 12.0 => 4.0,
            some if some >= 6.0 => 2.6,
            _ => 1.4,
        }
    }
}
